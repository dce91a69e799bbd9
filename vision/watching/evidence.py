"""What the pixels say beside the readings: where a place looks different than before, and where it is bare table.

The nets miss a corner now and then. A card that is no longer read, where not a pixel has changed, still lies there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pixels import Box, cut, most, total
from vision.plane import CARD_HEIGHT, Plane, Spots
from vision.table.cloth import SMALL, Cloth
from vision.table.place import Placed, on_the_other_side
from vision.types import Image

T = TypeVar("T", bound=np.generic)

A_CARD = 0.9 * CARD_HEIGHT
"""Square card widths from which on a place is large enough to show the pattern of a cloth."""

TOLD = 0.3
"""The least share of a place of which it must be known whether it is bare."""
_STEP = 22.0  # grey levels that noise and soft light leave alone
_SHARE = 0.1  # and how much of a pixel's own brightness


def area(spots: Spots) -> float:
    """Of a polygon, spots in card widths: in square card widths."""
    return float(cv2.contourArea(spots.astype(np.float32)))


def gain(before: Image, now: Image) -> NDArray[np.float32]:
    """By how much each channel of ``now`` must be multiplied to be exposed as ``before``, shape (3,)."""
    step = max(1, now.shape[1] // SMALL)
    first = before[::step, ::step].astype(np.float32) + 1
    second = now[::step, ::step].astype(np.float32) + 1
    ratio: NDArray[np.float32] = np.clip(np.median((first / second).reshape(-1, 3), axis=0), 0.4, 2.5)
    return ratio.astype(np.float32)


@dataclass(eq=False)
class Compared:
    """Two pictures of one table from one place. ``before`` may be None: then nothing is known to have changed."""

    plane: Plane
    before: Image | None
    now: Image
    cloth: Cloth | None = None
    empty: Image | None = None
    """The same view with nothing on the pile, if it was ever seen so: a patterned cloth is known by that alone."""
    _gain: NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        if self.before is not None and self.before.shape != self.now.shape:
            self.before = None
        self._gain = np.ones(3, np.float32) if self.before is None else gain(self.before, self.now)

    def changed(self, spots: Spots) -> float | None:
        """The share of a polygon's pixels, spots in card widths, that differ from ``before``."""
        patch = cut(self.plane, self.now, spots)
        if self.before is None or patch is None:
            return None
        box, mask = patch
        return float(_different(self.before[box], self.now[box], self._gain)[mask].mean())

    def bare(self, spots: Spots) -> float | None:
        """The share of a polygon's pixels that look like the bare table around it."""
        patch = cut(self.plane, self.now, spots)
        if patch is None:
            return None
        box, mask = patch
        if self.cloth is not None and area(spots) > A_CARD and self.cloth.resembles(self.now, patch):
            return 1.0
        free, known = self._free(box)
        told = mask & known
        return float(free[told].mean()) if told.sum() > TOLD * mask.sum() else None

    def settled(self, cards: Sequence[Placed]) -> list[Placed]:
        """The cards, those of which one corner was seen on whichever side of it no bare table shows."""
        return [self._settled(card) for card in cards]

    def _settled(self, card: Placed) -> Placed:
        if len(card.anchors) != 1 or self.cloth is None:
            return card
        other = on_the_other_side(card)
        here, there = self.bare(card.corners), self.bare(other.corners)
        return other if here is not None and there is not None and there < here - 0.2 else card

    def differs(self, spots: Spots, step: float = _STEP, share: float = _SHARE) -> NDArray[np.bool_] | None:
        """Which of many spots, shape (n, 2) in card widths, look different than ``before``, by more than ``step`` grey
        levels and a ``share`` of their brightness; None where not known."""
        if self.before is None:
            return None
        box = self._around(spots)
        return self._at(_different(self.before[box], self.now[box], self._gain, step, share), box, spots)

    def light(self, spots: Spots) -> NDArray[np.float64]:
        """How bright the picture is at many spots, shape (n,): the sum of the channels; 0 outside."""
        box = self._around(spots)
        return self._at(total(cv2.blur(self.now[box], (3, 3)).astype(np.float32)), box, spots).astype(np.float64)

    def bare_at(self, spots: Spots) -> NDArray[np.bool_] | None:
        """Which of many spots look like the bare table; None where not known."""
        box = self._around(spots)
        free, known = self._free(box)
        return self._at(free, box, spots) if known.any() else None

    def _free(self, box: Box) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which pixels of a part of the picture look like bare table, and of which that can be said."""
        nothing = np.zeros(self.now[box].shape[:2], bool)
        free, known = self.cloth.like(self.now, box) if self.cloth is not None else (nothing, nothing)
        empty = self._as_empty(box)
        return (free, known) if empty is None else (free | empty, ~nothing)

    def _as_empty(self, box: Box) -> NDArray[np.bool_] | None:
        if self.empty is None or self.empty.shape != self.now.shape:
            return None
        return ~_different(self.empty[box], self.now[box], self._gain_of_empty)

    @cached_property
    def _gain_of_empty(self) -> NDArray[np.float32]:
        return np.ones(3, np.float32) if self.empty is None else gain(self.empty, self.now)

    def _around(self, spots: Spots) -> Box:
        """The rows and columns that hold all spots, as far as they are in the picture; at least one pixel."""
        pixels = self.plane.to_pixels(spots)
        size = np.array(self.now.shape[1::-1])
        low = np.floor(pixels.min(axis=0)).astype(int).clip(0, size - 1)
        high = (np.ceil(pixels.max(axis=0)).astype(int) + 1).clip(low + 1, size)
        return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))

    def _at(self, pixels: NDArray[T], box: Box, spots: Spots) -> NDArray[T]:
        """The values at spots of a part of the picture; 0 outside."""
        height, width = pixels.shape
        xy = np.round(self.plane.to_pixels(spots)).astype(int) - [box[1].start, box[0].start]
        inside = (xy >= 0).all(axis=1) & (xy < [width, height]).all(axis=1)
        found = np.zeros(len(spots), pixels.dtype)
        found[inside] = pixels[xy[inside, 1], xy[inside, 0]]
        return found


def _different(
    before: Image, now: Image, level: NDArray[np.float32], step: float = _STEP, share: float = _SHARE
) -> NDArray[np.bool_]:
    """Which pixels of two pictures differ, once ``now`` is exposed as ``before``."""
    seen = cv2.blur(now, (3, 3)).astype(np.float32) * level
    known = cv2.blur(before, (3, 3)).astype(np.float32)
    different: NDArray[np.bool_] = most(cv2.absdiff(seen, known)) > step + share * most(known)
    return different
