"""Whether a pile that has gone lies elsewhere on the table now: burnt cards are pushed aside, what is picked up is not.

Cards of which the place is not known beforehand: what has changed since the pile last lay there, is no bare table now,
and is as large as a card at least. A hand may still cover it, so a pile that has gone is told a little later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pixels import most
from vision.plane import CARD_HEIGHT, Spots
from vision.sources.glimpse import WIDTH
from vision.table.cloth import Cloth
from vision.table.table import Table, Zone
from vision.types import Image, Observation, Seen
from vision.watching.evidence import gain
from vision.watching.gate import Hand

STEP: Final = 26.0
"""Grey levels, and"""
SHARE: Final = 0.12
"""the share of its brightness, by which cards that came differ from what was there."""
LEAST: Final = 0.3
"""Of a card's area, what has changed at least where cards came, or lies among what has; of a heap others show too."""
AMONG: Final = 0.3
"""Card widths between what has changed of cards that came upon others: paper on paper does not show."""
CLEAR: Final = 0.15
"""Card widths around the pile and the seats' cards, where cards are moved for other reasons."""
HEAP: Final = 1.2
"""Card widths from the middle of a heap of burnt cards to the end of its place,"""
NARROW: Final = 0.7
"""at least so many,"""
APART: Final = 0.8
"""and so many from there to the middle of the pile."""
WAITS: Final = 1.0
"""Seconds for which a pile that has gone is kept to oneself while a hand may hide where it lies now."""


def lies_elsewhere(
    table: Table,
    pile: Sequence[Spots],
    before: Image | None,
    now: Image,
    cloth: Cloth | None,
    hands: Sequence[Hand] = (),
) -> tuple[bool | None, Spots | None]:
    """Whether cards have come to lie outside the places of the game, and where, in card widths; None where a hand hides
    whether they have, or nothing is known from before. ``pile``: the cards that have gone and those that lie there now,
    as polygons in card widths."""
    if before is None or before.shape != now.shape:
        return None, None
    height, width = now.shape[:2]
    scale = WIDTH / width
    size = (WIDTH, max(1, round(height * scale)))
    first, second = (
        cv2.blur(cv2.resize(image, size, interpolation=cv2.INTER_AREA), (3, 3)).astype(np.float32)
        for image in (before, now)
    )
    different = most(cv2.absdiff(second * gain(before, now), first)) > STEP + SHARE * most(first)
    free = np.ones(different.shape, np.uint8)
    for spots in (*pile, *(zone.outline for zone in (*table.seats, table.stock) if zone is not None)):
        pixels = np.round(table.plane.to_pixels(spots) * scale).astype(np.int32)
        cv2.fillConvexPoly(free, cv2.convexHull(pixels), 0)
    card = table.plane.card_width((width / 2, height / 2)) * scale
    free = cv2.erode(free, _square(2 * CLEAR * card)).astype(np.uint8)
    for hand in hands:
        held = cv2.resize(hand.mask.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
        free[held > 0] = 0
    found = cv2.morphologyEx((different & (free > 0)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, _, middles = cv2.connectedComponentsWithStats(
        cv2.morphologyEx(found, cv2.MORPH_CLOSE, _square(AMONG * card)), connectivity=8
    )
    for label in range(1, count):
        least = LEAST * (table.plane.card_width(middles[label] / scale) * scale) ** 2 * CARD_HEIGHT
        part = labels == label
        if part.sum() >= least and part.sum() - _bare(part, now, cloth, scale) >= least:
            return True, table.plane.to_plane(middles[label] / scale)[0]
    return (None if hands else False), None


def with_heap(table: Table, heap: Spots, pile: Spots) -> Table:
    """The table with a place for the burnt cards around where they lie, unless there is one, or that is too near to
    where the pile lay."""
    room = float(np.linalg.norm(heap - pile)) - APART
    if table.burnt is not None or room < NARROW:
        return table
    return replace(table, burnt=Zone.disc(heap, min(room, HEAP)))


def _square(side: float) -> NDArray[np.uint8]:
    return np.ones((2 * round(side / 2) + 1,) * 2, np.uint8)


def _bare(part: NDArray[np.bool_], now: Image, cloth: Cloth | None, scale: float) -> float:
    """How many of some pixels of the small picture look like the bare table."""
    if cloth is None:
        return 0.0
    ys, xs = np.nonzero(part)
    top, left = int(ys.min() / scale), int(xs.min() / scale)
    box = slice(top, int((ys.max() + 1) / scale)), slice(left, int((xs.max() + 1) / scale))
    free, _ = cloth.like(now, box)
    rows, columns = ((values + 0.5) / scale for values in (ys, xs))
    at = (rows - top).astype(int).clip(0, free.shape[0] - 1), (columns - left).astype(int).clip(0, free.shape[1] - 1)
    return float(free[at].sum())


@dataclass(frozen=True, eq=False)
class Shown:
    """The table at one moment: the cards of the pile, as polygons in card widths, and the picture of it."""

    table: Table
    pile: Sequence[Spots]
    image: Image | None


class Aside:
    """Holds back that the pile has gone while hands may hide where it lies now; whatever comes next does not wait."""

    def __init__(self) -> None:
        self._leaving: tuple[Observation, Shown] | None = None
        self.heap: tuple[Spots, Spots] | None = None
        """Where what was pushed aside last has come to lie, and where it had lain, in card widths."""

    @property
    def waits(self) -> bool:
        return self._leaving is not None

    def see(
        self,
        observations: Sequence[Observation],
        at: float,
        before: Shown,
        now: Shown,
        cloth: Cloth | None,
        hands: Sequence[Hand] = (),
    ) -> list[Observation]:
        """What a frame showed, without the pile's going where that must wait, and with it where it need not any more.

        ``before``: the table as it was before this frame's ``observations``.
        """
        told: list[Observation] = []
        for one in observations:
            if one.kind is Seen.HAND:
                told.append(one)
                continue
            told += self._tell(now, cloth, hands)
            if one.kind is Seen.GONE and not one.left:
                self._leaving = one, before
            else:
                told.append(one)
        if self._leaving is not None:
            told += self._tell(now, cloth, hands, wait=at - self._leaving[0].at < WAITS)
        return told

    def _tell(self, now: Shown, cloth: Cloth | None, hands: Sequence[Hand], *, wait: bool = False) -> list[Observation]:
        if self._leaving is None:
            return []
        observation, before = self._leaving
        known = before.image if before.table.plane is now.table.plane else None  # after a nudge nothing is alike
        aside, heap, self.heap = None, None, None
        if now.image is not None:
            aside, heap = lies_elsewhere(now.table, [*before.pile, *now.pile], known, now.image, cloth, hands)
        if heap is not None and before.pile:
            self.heap = heap, np.concatenate(before.pile).mean(axis=0)
        if aside is None and wait:
            return []
        self._leaving = None
        return [replace(observation, aside=aside)]
