"""What the bare table looks like at every pixel, and how it can be told from the white of cards, if it can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pixels import Box, Patch, cut, most, total
from vision.plane import Plane, Spots
from vision.types import Image

SMALL: Final = 160
"""Pixels across of the picture that is kept of the table."""
TOLERANCE: Final = 16.0
"""Grey levels by which bare table differs from itself, beside its own pattern,"""
OF_CARDS: Final = 0.6
"""and at most so much of what cards differ from it: a pale table looks much like the white of a card."""
TELLS: Final = 9.0
"""With less than this a table cannot be told from cards."""
FEW: Final = 3
"""Cards, fewer than which do not tell what cards look like."""
BINS: Final = 6
"""Steps of each channel by which the colours of a pattern are counted."""
RESEMBLES: Final = 0.8
"""The share of its colours that a bare place has in common with the cloth around. On a checked one it was 0.86 to 0.94,
of cards upon it 0.31 to 0.53."""
UNLIKE_CARDS: Final = 0.1
"""By so much it must be liker to the cloth than to the cards."""
LEVELS: Final = (0.8, 1.6)
"""By so much what is seen may be multiplied to be as bright as the table: a shadow darkens all channels alike, and
glare makes a table bright, but not as bright as a card."""


@dataclass(eq=False)
class Cloth:
    """What surrounds the cards, carried on beneath them: small pictures of a view of ``width`` by ``height``."""

    width: int
    height: int
    colours: NDArray[np.float32]
    """Shape (rows, columns, 3)."""
    limit: NDArray[np.float32]
    """Grey levels by which the table may differ from that, once both are equally bright; 0 where cards may too."""
    darkest: NDArray[np.float32]
    """The least factor that makes the two equally bright."""
    white: NDArray[np.float32] | None = None
    """The paper of cards in the light of each place, shape (rows, columns, 3); None where no cards have told."""
    pattern: NDArray[np.float64] | None = None
    printed: NDArray[np.float64] | None = None
    """How often the colours of the cloth, and of the cards that lie on it, occur: shape (BINS ** 3,) each."""

    @classmethod
    def learn(
        cls,
        image: Image,
        plane: Plane,
        occupied: Sequence[Spots],
        cards: Sequence[Spots] = (),
        white: NDArray[np.float32] | None = None,
        printed: NDArray[np.float64] | None = None,
    ) -> Cloth:
        """From a picture in which cards lie only within the polygons ``occupied`` (card widths). ``cards`` are those of
        which the place is known, to learn how they differ from the table; where they are few, ``white`` and ``printed``
        from before tell."""
        height, width = image.shape[:2]
        size = (SMALL, max(1, round(SMALL * height / width)))
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        scale = np.array([size[0] / width, size[1] / height])
        mask = np.zeros(small.shape[:2], np.uint8)
        for spots in occupied:
            cv2.fillPoly(mask, [np.round(plane.to_pixels(spots) * scale).astype(np.int32)], 255)
        mask = cv2.dilate(mask, np.ones((3, 3), np.uint8)).astype(np.uint8)
        known = mask == 0
        if known.mean() < 0.05:
            known = np.ones_like(known)
            mask = np.zeros_like(mask)
        # Anything that is far from what most of the table looks like (a cup, a hand) is no table either.
        smooth = cv2.medianBlur(small, 5).astype(np.float32)
        away = most(np.abs(smooth - np.median(smooth[known], axis=0)))
        mask[away > max(40.0, 3 * float(np.median(away[known])))] = 255
        colours = cv2.inpaint(small, mask, 3, cv2.INPAINT_TELEA).astype(np.float32)
        rest = np.abs(small.astype(np.float32) - smooth)[mask == 0]
        spread = 1.5 * float(np.median(rest, axis=0).max()) if len(rest) else 5.0
        limit = np.full(colours.shape[:2], TOLERANCE + 3 * spread, np.float32)
        darkest = np.full(colours.shape[:2], LEVELS[0], np.float32)
        papers = [paper for card in cards for paper in _paper(image, cut(plane, image, card))]
        if len(papers) >= FEW:
            white = _carried([middle * scale for middle, _ in papers], [colour for _, colour in papers], colours.shape)
        if white is not None and white.shape == colours.shape:
            darkest = np.sqrt((total(colours) + 30) / (total(white) + 30)).clip(LEVELS[0], 0.97)
            limit = np.minimum(limit, OF_CARDS * _away(white, colours, darkest))
            limit[limit < TELLS] = 0
        pattern = _colours(image[~_within(image, plane, occupied)])
        if len(cards) >= FEW or printed is None:
            printed = _colours(image[_within(image, plane, cards)])
        return cls(
            width, height, colours, limit.astype(np.float32), darkest.astype(np.float32), white, pattern, printed
        )

    def resembles(self, image: Image, patch: Patch) -> bool:
        """Whether a place as large as a card has the colours of the cloth, as often, and not those of cards: how bare
        cloth with a pattern is known, of which nobody can say how it goes on beneath."""
        if self.pattern is None or self.printed is None:
            return False
        box, mask = patch
        own = _colours(image[box][mask])
        if own is None:
            return False
        cloth, cards = (float(np.minimum(own, other).sum()) for other in (self.pattern, self.printed))
        return cloth > RESEMBLES and cloth > cards + UNLIKE_CARDS

    def like(self, image: Image, box: Box) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which pixels of a part of a picture look like the table, and at which it can be told from cards."""
        rows, columns = box
        scale = self.colours.shape[1] / self.width
        xs = (np.arange(columns.start, columns.stop) * scale).astype(int).clip(0, self.colours.shape[1] - 1)
        ys = (np.arange(rows.start, rows.stop) * scale).astype(int).clip(0, self.colours.shape[0] - 1)
        there = np.ix_(ys, xs)
        limit = self.limit[there]
        now = cv2.blur(image[box], (3, 3)).astype(np.float32)
        return _away(now, self.colours[there], self.darkest[there]) < limit, limit > 0


def _within(image: Image, plane: Plane, places: Sequence[Spots]) -> NDArray[np.bool_]:
    """Which pixels lie in any of some polygons, in card widths."""
    mask = np.zeros(image.shape[:2], np.uint8)
    for spots in places:
        cv2.fillPoly(mask, [np.round(plane.to_pixels(spots)).astype(np.int32)], 1)
    return np.asarray(mask > 0)


def _colours(pixels: NDArray[np.uint8]) -> NDArray[np.float64] | None:
    """How often each colour occurs, its neighbours counted in part, shape (BINS ** 3,); None of too few pixels."""
    if len(pixels) < BINS**3:
        return None
    step = max(1, len(pixels) // 20000)
    steps = pixels[::step].astype(np.int64) * BINS // 256
    counts = np.bincount(steps @ [BINS * BINS, BINS, 1], minlength=BINS**3).reshape(BINS, BINS, BINS).astype(np.float64)
    for axis in range(3):
        shifted = [np.take(counts, np.clip(np.arange(BINS) + by, 0, BINS - 1), axis) for by in (-1, 0, 1)]
        counts = 0.25 * shifted[0] + 0.5 * shifted[1] + 0.25 * shifted[2]
    share: NDArray[np.float64] = counts.ravel() / counts.sum()
    return share


def _away(now: NDArray[np.float32], wanted: NDArray[np.float32], darkest: NDArray[np.float32]) -> NDArray[np.float32]:
    """By how many grey levels pixels differ from the table there, once they are as bright, within reason."""
    level = ((total(wanted) + 30) / (total(now) + 30)).clip(darkest, LEVELS[1])[..., None]
    return most(cv2.absdiff(now * level, wanted))


def _paper(image: Image, patch: Patch | None) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Where the middle of a card is, in pixels, and the colour of its white; none outside the picture."""
    if patch is None:
        return []
    (rows, columns), mask = patch
    inside = cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    if not inside.any():
        return []
    part = image[rows, columns]
    light = part.sum(axis=2, dtype=np.int32)
    white = inside & (light >= np.median(light[inside]))
    middle = np.array([(columns.start + columns.stop) / 2, (rows.start + rows.stop) / 2])
    return [(middle, np.median(part[white], axis=0))]


def _carried(
    spots: Sequence[NDArray[np.float64]], colours: Sequence[NDArray[np.float64]], shape: tuple[int, ...]
) -> NDArray[np.float32]:
    """Colours known at some places, at every place: light changes little from one to the next."""
    ys, xs = np.mgrid[0 : shape[0], 0 : shape[1]]
    apart = np.stack([(xs - x) ** 2 + (ys - y) ** 2 for x, y in spots])
    weights = 1 / (apart + 25.0)
    mixed = np.tensordot(weights / weights.sum(axis=0), np.stack(colours), axes=(0, 0))
    return np.asarray(mixed, np.float32)
