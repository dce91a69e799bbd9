"""A second card under the one that came, seen by its outline: paper on paper hardly shows, but the edge of a card does.

Of what has changed around the upper card a lower one explains nearly all: its edges lie there where they are not
covered, and it is one card more only where the upper one is needed as well to explain what has changed.
"""

from __future__ import annotations

import functools
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import CARD_HEIGHT, Spots, spots_between
from vision.table.place import inside_card, turn
from vision.watching.evidence import Compared
from vision.watching.track import Track

GRID: Final = 48
"""Samples per card width."""
REACH: Final = 0.75
"""How far around the upper card is looked, in card widths."""
STEP: Final = 16.0
SHARE: Final = 0.06
"""Grey levels, and the share of its brightness, by which the edge of a card upon paper differs from the paper."""
SHIFTS: Final = np.arange(-0.5, 0.501, 0.04)
TURNS: Final = np.arange(-0.54, 0.55, 0.06)
"""Where a lower card may lie, in card widths from the upper one, and how it may be turned from it, in radians."""
APART: Final = 0.1
"""Nearer than this in all of them the two cannot be told apart by their outlines."""
SPARE: Final = 0.05
"""How exactly a card's place is known, in card widths."""

PER_WIDTH: Final = 24
"""Points of an outline per card width."""
ROUND: Final = 0.06
"""Card widths at the corners that are round."""
CORNER: Final = np.array([0.5 + REACH, CARD_HEIGHT / 2 + REACH])
"""How far from the middle the samples begin, in card widths."""

LONG: Final = 1.0
"""So much of the lower card's outline, in card widths, must show,"""
SEEN: Final = 0.85
"""and of what should show this share."""
EXPLAINED: Final = 0.65
"""Of what has changed beside the upper card, what lies within the lower one;"""
OTHER: Final = 0.03
"""in cards, what only the upper one explains,"""
UPPER: Final = 0.6
"""and the share of its own outline, where it lies beside the lower one, that has changed."""
PAPER: Final = 0.7
"""The share of what shows of the lower card that is as bright as paper;"""
BARE: Final = 0.3
"""and how much of it may be taken for bare table."""


def shows_lower(compared: Compared, card: Track) -> bool:
    """Whether the pictures show another card under this one that came with it."""
    if compared.before is None or len(card.anchors) < 2:
        return False
    grid, shape = _around()
    spots = card.centre + grid @ turn(card.angle).T
    changed = compared.differs(spots, STEP, SHARE)
    if changed is None:
        return False
    near = cv2.dilate(changed.reshape(shape).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    own = inside_card(grid, np.zeros(2), 0.0, SPARE)
    found = _best(near)
    if found is None:
        return False
    middle, angle = found
    if np.abs(middle).max() < APART and abs(angle) < APART:
        return False
    lower = inside_card(grid, middle, angle, SPARE)
    beside = changed & ~own
    if (beside & lower).sum() < EXPLAINED * beside.sum():
        return False
    if (changed & ~lower).sum() < OTHER * GRID**2 * CARD_HEIGHT:
        return False
    edge = _edge()
    free = edge[~inside_card(edge, middle, angle, SPARE)]
    if not len(free) or near[_cells(free)].mean() < UPPER:
        return False
    shown = inside_card(grid, middle, angle, -SPARE) & ~own
    return _is_paper(compared, spots, shown, inside_card(grid, np.zeros(2), 0.0, -SPARE))


def _is_paper(compared: Compared, spots: Spots, shown: NDArray[np.bool_], upper: NDArray[np.bool_]) -> bool:
    if not shown.any():
        return False
    light = compared.light(spots)
    if (light[shown] >= 0.75 * np.percentile(light[upper], 75)).mean() < PAPER:
        return False
    bare = compared.bare_at(spots)
    return bare is None or bool(bare[shown].mean() < BARE)


def _best(near: NDArray[np.bool_]) -> tuple[Spots, float] | None:
    """Where a card lies whose outline, where the upper card does not cover it, has changed; the most of it."""
    rows, columns = near.shape
    best: tuple[float, Spots, float] | None = None
    x, y = (values.ravel() for values in np.meshgrid(SHIFTS, SHIFTS))
    for angle in TURNS:
        points = (_edge() @ turn(float(angle)).T)[None] + np.stack([x, y], axis=1)[:, None]
        covered = (np.abs(points[..., 0]) <= 0.5 + SPARE) & (np.abs(points[..., 1]) <= CARD_HEIGHT / 2 + SPARE)
        row, column = _cells(points)
        within = (row >= 0) & (row < rows) & (column >= 0) & (column < columns) & ~covered
        hit = near[row.clip(0, rows - 1), column.clip(0, columns - 1)] & within
        length, share = hit.sum(axis=1) / PER_WIDTH, hit.sum(axis=1) / np.maximum(within.sum(axis=1), 1)
        worth = np.where((length >= LONG) & (share >= SEEN), length * share, 0.0)
        at = int(worth.argmax())
        if worth[at] > 0 and (best is None or worth[at] > best[0]):
            best = float(worth[at]), np.array([x[at], y[at]]), float(angle)
    return None if best is None else (best[1], best[2])


@functools.cache
def _edge() -> Spots:
    """Points on the outline of a card around its middle, shape (n, 2), in card widths."""
    x = np.arange(-0.5 + ROUND, 0.5 - ROUND, 1 / PER_WIDTH)
    y = np.arange(-CARD_HEIGHT / 2 + ROUND, CARD_HEIGHT / 2 - ROUND, 1 / PER_WIDTH)
    sides = [np.stack([x, np.full_like(x, end * CARD_HEIGHT / 2)], axis=1) for end in (-1, 1)]
    sides += [np.stack([np.full_like(y, end / 2), y], axis=1) for end in (-1, 1)]
    return np.concatenate(sides)


@functools.cache
def _around() -> tuple[Spots, tuple[int, int]]:
    return spots_between(-CORNER, CORNER, 1 / GRID)


def _cells(points: Spots) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Row and column of points, shape (..., 2), in card widths from the middle."""
    at = np.round((points + CORNER) * GRID).astype(np.intp)
    return at[..., 1], at[..., 0]
