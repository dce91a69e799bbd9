"""What the pixels say beside the readings: where a place looks different than before, and where it is bare table.

The nets miss a corner now and then. A card that is no longer read, where not a pixel has changed, still lies there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.place import Placed, on_the_other_side
from vision.plane import Plane, Spots
from vision.types import Image

SMALL = 160
_STEP = 22.0  # grey levels that noise and soft light leave alone
_TOLERANCE = 16.0
"""Grey levels by which bare table differs from itself, beside its own pattern,"""
_OF_CARDS = 0.6
"""and at most so much of what cards differ from it: a pale table looks much like the white of a card."""
_TELLS = 9.0
"""With less than this a table cannot be told from cards."""


Box = tuple[slice, slice]
"""Rows and columns of a picture."""
Patch = tuple[Box, NDArray[np.bool_]]
"""A part of a picture, and which pixels in it count."""


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
        free = self._free(box)
        return None if free is None else float(free[mask].mean())

    def settled(self, cards: Sequence[Placed]) -> list[Placed]:
        """The cards, those of which one corner was seen on whichever side of it no bare table shows."""
        return [self._settled(card) for card in cards]

    def _settled(self, card: Placed) -> Placed:
        if len(card.anchors) != 1 or self.cloth is None:
            return card
        other = on_the_other_side(card)
        here, there = self.bare(card.corners), self.bare(other.corners)
        return other if here is not None and there is not None and there < here - 0.2 else card

    def differs(self, spots: Spots) -> NDArray[np.bool_] | None:
        """Which of many spots, shape (n, 2) in card widths, look different than ``before``; None where not known."""
        if self.before is None:
            return None
        box = self._around(spots)
        return self._at(_different(self.before[box], self.now[box], self._gain), box, spots)

    def shaded(self, spots: Spots, least: float) -> NDArray[np.bool_] | None:
        """Which of many spots look as before but for a shadow that came or went, and that lets through no less than
        ``least``; None where not known. A shadow darkens all channels alike."""
        if self.before is None:
            return None
        box = self._around(spots)
        now = cv2.blur(self.now[box], (3, 3)).astype(np.float32) * self._gain + 4
        known = cv2.blur(self.before[box], (3, 3)).astype(np.float32) + 4
        share = _sum(now) / _sum(known)
        alike = _most(cv2.absdiff(now, known * share[..., None])) < _STEP / 2
        return self._at(alike & (share >= least) & (share <= 1 / least), box, spots)

    def bare_at(self, spots: Spots) -> NDArray[np.bool_] | None:
        """Which of many spots look like the bare table; None where not known."""
        box = self._around(spots)
        free = self._free(box)
        return None if free is None else self._at(free, box, spots)

    def _free(self, box: Box) -> NDArray[np.bool_] | None:
        """Which pixels of a part of the picture look like bare table; None where nobody can say."""
        cloth = self.cloth.like(self.now, box) if self.cloth is not None and self.cloth.tells else None
        empty = self._as_empty(box)
        return cloth if empty is None else empty if cloth is None else cloth | empty

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

    def _at(self, pixels: NDArray[np.bool_], box: Box, spots: Spots) -> NDArray[np.bool_]:
        """The values at spots of a part of the picture; False outside."""
        height, width = pixels.shape
        xy = np.round(self.plane.to_pixels(spots)).astype(int) - [box[1].start, box[0].start]
        inside = (xy >= 0).all(axis=1) & (xy < [width, height]).all(axis=1)
        found = np.zeros(len(spots), bool)
        found[inside] = pixels[xy[inside, 1], xy[inside, 0]]
        return found


def _different(before: Image, now: Image, level: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which pixels of two pictures differ, once ``now`` is exposed as ``before``."""
    seen = cv2.blur(now, (3, 3)).astype(np.float32) * level
    known = cv2.blur(before, (3, 3)).astype(np.float32)
    different: NDArray[np.bool_] = _most(cv2.absdiff(seen, known)) > _STEP + 0.1 * _most(known)
    return different


def _most(picture: cv2.typing.MatLike) -> NDArray[np.float32]:
    """The largest of the three channels, per pixel (OpenCV is ten times as fast at it as numpy)."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)


def _sum(picture: cv2.typing.MatLike) -> NDArray[np.float32]:
    """The sum of the three channels, per pixel."""
    return np.asarray(cv2.transform(picture, np.ones((1, 3), np.float32)), np.float32)


def cut(plane: Plane, image: Image, spots: Spots) -> Patch | None:
    """The rows and columns around a polygon and which pixels in them it holds; None outside the picture."""
    pixels = plane.to_pixels(spots)
    height, width = image.shape[:2]
    x0, y0 = np.floor(np.clip(pixels.min(axis=0), 0, [width, height])).astype(int)
    x1, y1 = np.ceil(np.clip(pixels.max(axis=0), 0, [width, height])).astype(int)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return None
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(mask, [np.round(pixels - [x0, y0]).astype(np.int32)], 1)
    if not mask.any():
        return None
    return (slice(int(y0), int(y1)), slice(int(x0), int(x1))), mask.astype(bool)


def _paper(image: Image, patch: Patch | None) -> list[tuple[Box, NDArray[np.bool_], float]]:
    """Where a card is, which pixels there are its white, and how bright it is; none outside the picture."""
    if patch is None:
        return []
    box, mask = patch
    inside = cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    if not inside.any():
        return []
    light = image[box].sum(axis=2, dtype=np.int32)
    middle = float(np.median(light[inside]))
    return [(box, inside & (light >= middle), max(middle, 1.0))]


@dataclass(eq=False)
class Cloth:
    """What the bare table looks like, at every pixel: what surrounds the cards, carried on beneath them."""

    colours: Image  # small
    spread: NDArray[np.float32]  # per channel
    width: int
    height: int
    limit: float
    """Grey levels by which the table may differ from ``colours``, once both are equally bright."""
    darkest: float = 0.8
    """By no less may what is seen be multiplied to be as bright: glare makes a table bright, but not as a card."""

    @property
    def tells(self) -> bool:
        """Whether it can be told from cards at all."""
        return self.limit >= _TELLS

    @classmethod
    def learn(cls, image: Image, plane: Plane, occupied: Sequence[Spots], cards: Sequence[Spots] = ()) -> Cloth:
        """From a picture in which cards lie only within the polygons ``occupied`` (card widths). ``cards`` are those of
        which the place is known, to learn how they differ from the table."""
        height, width = image.shape[:2]
        size = (SMALL, max(1, round(SMALL * height / width)))
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        mask = np.zeros(small.shape[:2], np.uint8)
        scale = np.array([size[0] / width, size[1] / height])
        for spots in occupied:
            cv2.fillPoly(mask, [np.round(plane.to_pixels(spots) * scale).astype(np.int32)], 255)
        mask = cv2.dilate(mask, np.ones((3, 3), np.uint8)).astype(np.uint8)
        known = mask == 0
        if known.mean() < 0.05:
            known = np.ones_like(known)
            mask = np.zeros_like(mask)
        # Anything that is far from what most of the table looks like (a cup, a hand) is no table either.
        smooth = cv2.medianBlur(small, 5).astype(np.float32)
        middle = np.median(smooth[known], axis=0)
        away = _most(np.abs(smooth - middle))
        limit = max(40.0, 3 * float(np.median(away[known])))
        mask[away > limit] = 255
        colours = cv2.inpaint(small, mask, 3, cv2.INPAINT_TELEA).astype(np.uint8)
        rest = np.abs(small.astype(np.float32) - smooth)[mask == 0]
        spread = np.median(rest, axis=0) * 1.5 if len(rest) else np.full(3, 5.0)
        limit = _TOLERANCE + 3 * float(np.max(spread))
        cloth = cls(colours, np.asarray(spread, np.float32), width, height, limit)
        papers = [paper for card in cards for paper in _paper(image, cut(plane, image, card))]
        if len(papers) >= 3:
            darker = [float(np.median(_sum(cloth._wanted(box))[white]) / light) for box, white, light in papers]
            cloth.darkest = float(np.sqrt(np.median(darker)).clip(0.8, 0.95))
            apart = [float(np.median(cloth._away(image, box)[white])) for box, white, _ in papers]
            cloth.limit = min(limit, _OF_CARDS * float(np.median(apart)))
        return cloth

    def like(self, image: Image, box: Box) -> NDArray[np.bool_]:
        """Which pixels of a part of a picture look like the table."""
        near: NDArray[np.bool_] = self._away(image, box) < self.limit
        return near

    def _away(self, image: Image, box: Box) -> NDArray[np.float32]:
        """By how many grey levels the pixels of a part of a picture differ from the table there."""
        wanted = self._wanted(box)
        now = cv2.blur(image[box], (3, 3)).astype(np.float32)
        # A shadow darkens all channels alike: compare colours once the brightness is levelled, within reason.
        level = np.clip((_sum(wanted) + 30) / (_sum(now) + 30), self.darkest, 1.6)[..., None]
        return _most(cv2.absdiff(now * level, wanted))

    def _wanted(self, box: Box) -> NDArray[np.float32]:
        """The colours of the table in a part of the picture."""
        rows, columns = box
        scale = self.colours.shape[1] / self.width
        xs = (np.arange(columns.start, columns.stop) * scale).astype(int).clip(0, self.colours.shape[1] - 1)
        ys = (np.arange(rows.start, rows.stop) * scale).astype(int).clip(0, self.colours.shape[0] - 1)
        return self.colours[np.ix_(ys, xs)].astype(np.float32)
