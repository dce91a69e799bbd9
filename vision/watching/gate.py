"""The cheap gate in front of the nets: what moves, what has come to rest, where a hand is.

Works on small pictures, about a millisecond each. What moves is never read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pixels import most
from vision.plane import Matrix
from vision.sources.glimpse import WIDTH, reduced, size_of
from vision.types import CardReading, Image

CELL: Final = 8
LAG: Final = 0.1
"""Seconds back to the picture that is compared with: a slow hand moves too little between two frames."""
PLAIN: Final = 24.0
"""Grey levels by which a hand differs, somewhere, from what it hides;"""
FAINT: Final = 12.0
"""and by which all of it does: a dark sleeve over a dark table hardly stands out."""
RESTS: Final = 1.5
"""Seconds after which what lies still at the edge is a heap of cards there, and no arm,"""
ARM: Final = 0.03
"""unless it covers more of the picture than this."""
ALL: Final = 0.5
"""What covers more than this is no hand: the camera was nudged over a patterned cloth, or the light is another."""
JOLT: Final = 0.55
"""Nor is anything where more of the picture than this moves at once (two arms moved 0.35 at most in six rendered films,
a camera that was nudged over a patterned cloth 0.75),"""
JOLTED: Final = 0.3
"""nor for so many seconds afterwards, in which it comes to rest."""
RECALLED: Final = 6.0
"""For so many seconds after a nudge is remembered how the table looked before it."""
FAR: Final = 0.1
"""By no more than this share of the picture's width a nudge has moved it."""
PASSING: Final = 0.1
"""The share of what lies at the edge that another hand may stir in passing, without its being one itself."""
WIDE: Final = 0.25
"""An arm comes in over the border on a breadth of at least so much of the root of its area;"""
TOUCHES: Final = 0.4
"""what touches it with a corner alone is a heap after so many seconds of rest."""
GAP: Final = 15
"""Small pixels of an arm, at most, in which it may look as the table below it does: a dark hand over dark wood."""
BIT: Final = 0.0004
"""The share of the picture that a piece of an arm beyond such a gap covers at least;"""
STIRS: Final = 0.15
"""and it has moved within so many seconds, as a card that was let go has not."""
BESIDE: Final = 0.1
"""Of two regions that share no more than this of the smaller one, neither has become the other."""
CALM: Final = 0.3
"""Seconds without motion after which a hand that only comes near a place does not hide it."""
T = TypeVar("T", bound=np.generic)
Mask = NDArray[np.bool_]
Box = tuple[int, int, int, int]
Place = Box | Mask
"""A part of the picture: a box of pixels, or a mask of cells (``cells_within``)."""


@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """Something that reaches in from the edge of the picture: ``entry`` is where, ``tip`` how far, in pixels; ``cells``
    are those in which it is seen, ``mask`` those and all next to them; ``area`` is the share of the picture."""

    entry: tuple[float, float]
    tip: tuple[float, float]
    mask: Mask
    cells: Mask
    area: float


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What one frame shows: per cell, how long it has been still (seconds), and the hands."""

    at: float
    still: NDArray[np.float64]
    hands: tuple[Hand, ...]
    scale: float  # cells per pixel
    moving: float  # share of the cells

    @property
    def jolted(self) -> bool:
        """Whether the camera itself moves, by how much of the picture does."""
        return self.moving > JOLT

    def _cells(self, place: Place) -> tuple[slice, slice] | Mask:
        if isinstance(place, np.ndarray):
            return place
        x0, y0, x1, y1 = (value * self.scale for value in place)
        return slice(max(0, int(y0)), int(np.ceil(y1)) or 1), slice(max(0, int(x0)), int(np.ceil(x1)) or 1)

    def still_for(self, place: Place) -> float:
        """For how many seconds nothing has moved in a part of the picture."""
        part = self.still[self._cells(place)].ravel()
        if not part.size:
            return 0.0
        # One cell may flicker (a glint, a pixel); anything that moves is larger.
        return float(np.partition(part, 1)[1] if part.size > 16 else part.min())

    def covering(self, place: Place, calm: bool = False) -> tuple[Hand, ...]:
        """The hands that reach into a part of the picture; near it they do if anything stirs there, unless it is known
        to be ``calm``."""
        cells, calm = self._cells(place), calm or self.still_for(place) > CALM
        return tuple(hand for hand in self.hands if (hand.cells if calm else hand.mask)[cells].any())

    def without_hands(self, image: Image, before: Image | None) -> Image:
        """The picture, with what was seen ``before`` where a hand is now."""
        if not self.hands or before is None or before.shape != image.shape:
            return image
        held = np.logical_or.reduce([hand.mask for hand in self.hands])
        rows, columns = ((np.arange(size) * self.scale).astype(int) for size in image.shape[:2])
        result = image.copy()
        cv2.copyTo(before, held.astype(np.uint8)[np.ix_(rows, columns)], result)
        return result

    def hides(self, pixel: tuple[float, float]) -> bool:
        """Whether a hand is at a pixel."""
        x, y = (int(value * self.scale) for value in pixel)
        rows, columns = self.still.shape
        return any(hand.mask[min(max(y, 0), rows - 1), min(max(x, 0), columns - 1)] for hand in self.hands)

    def hides_index(self, card: CardReading) -> bool:
        """Whether a hand is at an index corner that was seen of a card; at its middle, where none was."""
        middles = [index.mean(axis=0) for index in card.indices] or [card.outline.mean(axis=0)]
        return any(self.hides((float(x), float(y))) for x, y in middles)


def cells_within(pixels: NDArray[np.float64], width: int, height: int) -> Mask:
    """The cells that a polygon of pixels, shape (n, 2), holds or touches, for pictures of this size."""
    rows, columns = (-(-pixels // CELL) for pixels in size_of(height, width))
    mask = np.zeros((rows, columns), np.uint8)
    corners = np.floor(np.clip(pixels * (WIDTH / width / CELL), -1, 2 * WIDTH)).astype(np.int32)
    cv2.fillPoly(mask, [corners], 1)
    cells: Mask = mask.astype(bool)
    return cells


class Gate:
    """Fed with every frame, in order; frames must be of one size (another size starts it anew)."""

    def __init__(self, forget: float = 4.0) -> None:
        """``forget``: seconds without motion after which something at the edge belongs to the table."""
        self._forget = forget
        self._shape: tuple[int, ...] = ()
        self._reference = np.zeros((0, 0, 3), np.float32)
        self._last = np.zeros((0, 0))
        self._before: tuple[NDArray[np.float32], list[Mask]] | None = None
        """How the table looked, and where hands were, when the camera began to move;"""
        self._earlier: NDArray[np.float32] | None = None
        """and that table as it would look from where it came to rest."""

    def restart(self) -> None:
        """Forget the reference picture: the camera moved, or was away."""
        self._shape = ()

    def shifted(self, matrix: Matrix, scene: Scene) -> None:
        """The camera was nudged: what was at pixel p is now at ``matrix`` p (an affine map). Hands stay hands: where
        one is in ``scene``, what it hides is known from before; everywhere else the table is as it looks now."""
        if not self._shape or not self._recent:
            return
        newest = self._recent[-1][1]
        scale = np.diag([WIDTH / self._shape[1], WIDTH / self._shape[1], 1.0])
        warp = (scale @ matrix @ np.linalg.inv(scale))[:2]
        size = (newest.shape[1], newest.shape[0])
        hidden = np.asarray(cv2.warpAffine(self._reference, warp, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
        held = np.zeros(scene.still.shape, bool)
        for hand in scene.hands:
            held |= hand.mask
        self._reference = np.where(
            _in_pixels(held, newest.shape)[..., None], hidden, newest * _level(hidden, newest)
        ).astype(np.float32)

    def see(self, image: Image, at: float) -> Scene:
        return self.glance(reduced(image), image.shape, at)

    def glance(self, reduced_to: Image, shape: tuple[int, ...], at: float) -> Scene:
        """What the small picture of a frame of this shape shows (``vision.sources.glimpse``)."""
        small = reduced_to.astype(np.float32)
        if self._shape != shape:
            self._begin(shape, small, at)
        moved = self._moved(small, at)
        self._recent.append((at, small))
        cells = _in_cells(moved, 4)
        self._last[cells] = at
        still = at - self._last
        scale, moving = WIDTH / shape[1] / CELL, float(cells.mean())
        if moving > JOLT:
            if self._before is None:
                self._before = self._reference.copy(), [part for part, _ in self._parts]
            self._jolted = at
        if at - self._jolted < JOLTED:
            self._reference = small.copy()
            self._parts.clear()
            return Scene(at, still, (), scale, moving)
        if self._before is not None:
            self._settled(small)
        if self._earlier is not None and at - self._jolted < RECALLED:
            self._recall(small)
        return Scene(at, still, self._hands(small, still, scale), scale, moving)

    def _settled(self, small: NDArray[np.float32]) -> None:
        """The camera has come to rest: the table is as it looked a moment ago, and where there was a hand that is there
        still, as it looked before."""
        assert self._before is not None
        reference, held = self._before
        self._before, self._earlier = None, _shifted_like(reference, small)
        if self._earlier is None or not held:
            return
        away = (most(cv2.absdiff(_exposed_like(self._earlier, small), self._earlier)) > FAINT).astype(np.uint8)
        opened = np.asarray(cv2.morphologyEx(away, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
        labels = np.asarray(cv2.connectedComponents(opened, connectivity=8)[1], np.int32)
        hands = np.isin(labels, np.setdiff1d(labels[np.logical_or.reduce(held)], [0])).astype(np.uint8)
        there = cv2.dilate(hands, np.ones((9, 9), np.uint8)) > 0
        self._reference[there] = self._earlier[there]

    def _recall(self, small: NDArray[np.float32]) -> None:
        """Where it looks again as it did before the camera was nudged is the table: a hand lay there, and was taken for
        it."""
        assert self._earlier is not None
        # Blurred: a cloth's pattern does not come to lie just where it was.
        now, then = (np.asarray(cv2.blur(one, (9, 9)), np.float32) for one in (small, self._earlier))
        same = (most(cv2.absdiff(_exposed_like(then, now), then)) < FAINT).astype(np.uint8)
        as_before = cv2.morphologyEx(same, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
        self._reference[as_before] = _exposed_like(self._reference, small)[as_before]

    def _begin(self, shape: tuple[int, ...], small: NDArray[np.float32], at: float) -> None:
        self._shape = shape
        self._parts: list[tuple[Mask, int]] = []
        self._recent: deque[tuple[float, NDArray[np.float32]]] = deque()
        self._reference = small.copy()
        self._jolted = -1e9
        self._before = self._earlier = None
        self._noise = 2.0
        self._last = np.full(_in_cells(small[..., 0] > 999, 1).shape, at - 0.01)

    def _moved(self, small: NDArray[np.float32], at: float) -> Mask:
        if not self._recent:
            return np.zeros(small.shape[:2], bool)
        while len(self._recent) > 1 and self._recent[1][0] <= at - LAG:
            self._recent.popleft()
        earlier, newest = self._recent[0][1], self._recent[-1][1]
        level = _level(earlier, small)
        lagged = most(cv2.absdiff(_levelled(small, level), earlier))
        direct = most(cv2.absdiff(_levelled(small, _level(newest, small)), newest))
        self._noise += 0.1 * (float(np.median(direct[::3, ::3])) - self._noise)
        limit = 9.0 + 4.0 * min(self._noise, 6.0)
        moved: Mask = np.asarray(cv2.max(lagged, direct)) > limit
        return moved

    def _hands(self, small: NDArray[np.float32], still: NDArray[np.float64], scale: float) -> tuple[Hand, ...]:
        levelled = _exposed_like(self._reference, small)
        difference = most(cv2.absdiff(levelled, self._reference)) - 3 * min(self._noise, 6.0)
        faint = (difference > FAINT).astype(np.uint8)
        opened = np.asarray(cv2.morphologyEx(faint, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
        # Along the edge of a card that an arm crosses, brighter than the table and darker than the card, it is as both.
        away = np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8) > 0
        count, numbers, stats, _ = cv2.connectedComponentsWithStats(away.astype(np.uint8), connectivity=8)
        labels = np.asarray(numbers, np.int32)
        still_pixels = _in_pixels(still, small.shape)
        arms: list[tuple[Mask, tuple[float, float], float]] = []
        loose: list[int] = []
        held = np.zeros(small.shape[:2], bool)
        for label in range(1, count):
            area = int(stats[label, cv2.CC_STAT_AREA])
            if area < BIT * away.size or area > ALL * away.size:
                continue
            part = labels == label
            if not (difference[part] > PLAIN).any():
                continue  # a shadow, or a change of the light
            edge = _edge(part & (opened > 0))  # closing fills up to the border what only lies near it
            quiet = float(np.quantile(still_pixels[part], PASSING))
            if edge is None:
                loose += [label] if quiet < STIRS else []
                continue
            entry, breadth = edge
            heap = quiet > TOUCHES and breadth < WIDE * np.sqrt(area)
            if area < 0.002 * away.size or quiet > self._forget or heap:
                continue
            arms.append((part, entry, quiet))
        counts = _arms_in([(part, float(np.median(still_pixels[part]))) for part, *_ in arms], self._parts)
        single: list[tuple[Mask, tuple[float, float], float, int]] = []
        for (part, entry, quiet), count in zip(arms, counts, strict=True):
            pieces = _taken_apart(part, self._parts) if count > 1 else []
            edges = [_edge(piece & (opened > 0)) for piece in pieces]
            found = [(piece, edge[0]) for piece, edge in zip(pieces, edges, strict=True) if edge is not None]
            if len(found) == len(pieces) > 1:
                single += [(piece, where, quiet, 1) for piece, where in found]
            else:
                single.append((part, entry, quiet, count))
        self._parts = [(part, count) for part, _, _, count in single]
        hands = []
        for part, entry, quiet, count in single:
            if not count and quiet > TOUCHES:
                continue
            area = int(part.sum())
            part |= _beyond_a_gap(part, labels, loose)
            held |= part
            if quiet < RESTS or area > ARM * away.size:
                cells = _in_cells(part, 3)
                grown = cv2.dilate(cells.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
                tip = _farthest(cells, (entry[0] / CELL, entry[1] / CELL))
                where = (entry[0] / scale / CELL, entry[1] / scale / CELL)
                hands.append(Hand(where, (tip[0] / scale, tip[1] / scale), grown, cells, area / away.size))
        # What has come to rest and is no hand is the table from now on; slow changes of light are followed.
        # So has what nothing has stirred for long, though a hand or what it moves still touches it: a heap at the edge.
        rest = ((still_pixels > 0.2) & ~held) | (still_pixels > self._forget)
        rate = np.where(rest, np.where(away, 0.8, 0.1), 0.0).astype(np.float32)
        self._reference += cv2.merge([rate, rate, rate]) * (levelled - self._reference)
        return tuple(hands)


def _shifted_like(before: NDArray[np.float32], now: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """A picture moved to where another one of the same table shows it; None where that is far."""
    height, width = now.shape[:2]
    first, second = (cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in (before, now))
    (x, y), _ = cv2.phaseCorrelate(first, second, cv2.createHanningWindow((width, height), cv2.CV_32F))
    if max(abs(x), abs(y)) > FAR * WIDTH:
        return None
    move = np.array([[1, 0, x], [0, 1, y]], np.float32)
    return np.asarray(cv2.warpAffine(before, move, (width, height), borderMode=cv2.BORDER_REPLICATE), np.float32)


def _arms_in(parts: Sequence[tuple[Mask, float]], before: Sequence[tuple[Mask, int]]) -> list[int]:
    """How many arms each part of the picture is, by how many each was ``before``: what an arm leaves behind as it goes,
    cards pushed to the edge or the bare place where they lay, is none. With each part, for how long it has been still.
    """
    counts, known = [0] * len(parts), [False] * len(parts)
    for mask, arms in before:
        over = [int((part & mask).sum()) for part, _ in parts]
        much = [k for k, (part, _) in enumerate(parts) if over[k] > BESIDE * min(part.sum(), mask.sum())]
        touching = sorted((parts[k][1], k) for k in (much or [k for k, shared in enumerate(over) if shared]))
        for number, (_, k) in enumerate(touching):  # those that move come first
            counts[k] += arms - len(touching) + 1 if number == 0 and arms >= len(touching) else int(number < arms)
            known[k] = True
    return [count if old else 1 for count, old in zip(counts, known, strict=True)]


def _taken_apart(part: Mask, before: Sequence[tuple[Mask, int]]) -> list[Mask]:
    """Arms that have met, each by itself: every pixel is of the arm that was nearest to it a moment ago. Empty where
    it is not known which they are."""
    known = [mask for mask, count in before if count == 1 and (mask & part).any()]
    if len(known) < 2:
        return []
    away = [cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, 3) for mask in known]
    nearest = np.argmin(away, axis=0)
    return [part & (nearest == number) for number in range(len(known))]


def _beyond_a_gap(arm: Mask, labels: NDArray[np.int32], loose: Sequence[int]) -> Mask:
    """What stirs so near to an arm that it belongs to it: its fingers, or what it carries."""
    if not loose:
        return np.zeros_like(arm)
    near = cv2.dilate(arm.astype(np.uint8), np.ones((2 * GAP + 1, 2 * GAP + 1), np.uint8)) > 0
    return np.isin(labels, [label for label in loose if near[labels == label].any()])


def _in_pixels(cells: NDArray[T], shape: tuple[int, ...]) -> NDArray[T]:
    """The cells' values at every pixel of a small picture of this shape."""
    return np.repeat(np.repeat(cells, CELL, axis=0), CELL, axis=1)[: shape[0], : shape[1]]


def _in_cells(pixels: Mask, least: int) -> Mask:
    """Cells in which at least ``least`` pixels are set."""
    height, width = pixels.shape
    rows, columns = -(-height // CELL), -(-width // CELL)
    padded = np.zeros((rows * CELL, columns * CELL), np.uint8)
    padded[:height, :width] = pixels
    counts = padded.reshape(rows, CELL, columns, CELL).sum(axis=(1, 3), dtype=np.int64)
    cells: Mask = counts >= least
    return cells


def _level(wanted: NDArray[np.float32], now: NDArray[np.float32]) -> NDArray[np.float32]:
    """The gain per channel that levels the exposure, shape (3,), near 1."""
    first, second = wanted[::6, ::6].reshape(-1, 3), now[::6, ::6].reshape(-1, 3)
    ratio = np.median((first + 4) / (second + 4), axis=0)
    level: NDArray[np.float32] = np.clip(ratio, 0.6, 1.7).astype(np.float32)
    return level


def _exposed_like(wanted: NDArray[np.float32], now: NDArray[np.float32]) -> NDArray[np.float32]:
    """A picture, exposed like another one."""
    return _levelled(now, _level(wanted, now))


def _levelled(picture: NDArray[np.float32], level: NDArray[np.float32]) -> NDArray[np.float32]:
    """The picture, each channel multiplied by its gain; row by row, as numpy is slow where the last axis is short."""
    height, width, _ = picture.shape
    rows: NDArray[np.float32] = picture.reshape(height, 3 * width) * np.tile(level, width)
    return rows.reshape(picture.shape)


def _edge(part: Mask) -> tuple[tuple[float, float], float] | None:
    """The middle of where a region touches the border, x and y in small pixels, and on what breadth; None if it does
    not."""
    height, width = part.shape
    border = np.zeros_like(part)
    border[:2], border[-2:], border[:, :2], border[:, -2:] = part[:2], part[-2:], part[:, :2], part[:, -2:]
    ys, xs = np.nonzero(border)
    if len(xs) < 4:
        return None
    middle = (float(xs.mean().clip(0, width - 1)), float(ys.mean().clip(0, height - 1)))
    return middle, len(xs) / 2


def _farthest(cells: Mask, start: tuple[float, float]) -> tuple[float, float]:
    """Where a region ends, seen from its start: the middle of its farthest tenth, x and y in cells."""
    ys, xs = np.nonzero(cells)
    if not len(xs):
        return start
    away = np.hypot(xs + 0.5 - start[0], ys + 0.5 - start[1])
    far = away >= np.quantile(away, 0.9)
    return float(xs[far].mean() + 0.5), float(ys[far].mean() + 0.5)


def covered(hands: Sequence[Hand]) -> float:
    """The share of the picture that hands cover."""
    return sum(hand.area for hand in hands)
