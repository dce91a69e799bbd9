"""A card that came to lie on the pile and cannot be read: its pixels have changed, in the shape of a card.

The nets miss a card now and then, and a play that nobody noticed sets the turn wrong from then on. So a change as large
as a card, where there is no bare table, is a card; what is left of its readings says which it may be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from engine.cards import FACES, Rank
from vision.plane import CARD_HEIGHT, Spots, spots_between
from vision.table.place import Placed, inside_card
from vision.table.table import Table, Zone
from vision.types import Likelihoods
from vision.watching.evidence import Compared
from vision.watching.track import Track

GRID: Final = 24
"""Samples per card width."""
SIZES: Final = (0.45, 2.6)
"""The least and the largest area of a change that one play makes, in cards."""
FILLED: Final = 0.12
"""The least share of it that differs: a white card laid on a white card differs in its pips and edges alone."""
EVEN: Final = 0.5
"""How much of the likelihoods is spread evenly over all faces: what is read badly is no more than a hint."""


def unread_card(
    compared: Compared, table: Table, hints: Sequence[Placed], at: float, jokers: bool = True
) -> Track | None:
    """The card that a change in the pile speaks of, without anchors; None where nothing of a card's shape changed.

    ``hints`` are readings, however bad; those that lie within the change say what it may be. ``jokers``: whether there
    are any.
    """
    spots, shape = _grid(table.pile)
    differs = compared.differs(spots)
    if differs is None:
        return None
    free = compared.bare_at(spots)
    came = differs if free is None else differs & ~free
    came &= table.near_pile(spots)
    mask = cv2.morphologyEx(
        came.reshape(shape).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((GRID // 6 * 2 + 1,) * 2, np.uint8)
    )
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    if count < 2:
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    ys, xs = np.nonzero(labels == largest)
    points = np.stack([xs, ys], axis=1).astype(np.float32)
    (x, y), (width, height), turn = cv2.minAreaRect(points)
    hull = float(cv2.contourArea(cv2.convexHull(points))) / GRID**2 / CARD_HEIGHT
    filled = float(came.reshape(shape)[labels == largest].sum()) / GRID**2 / CARD_HEIGHT / max(hull, 1e-6)
    if not SIZES[0] <= hull <= SIZES[1] or filled < FILLED or min(width, height) < 0.35 * GRID:
        return None
    angle = np.radians(turn if width <= height else turn + 90) % np.pi
    centre = spots[0] + np.array([x, y]) / GRID
    inside = [card for card in hints if len(card.anchors) and inside_card(card.anchors, centre, angle, 0.1).any()]
    inside = [card for card in inside if _has_changed(card, compared)]
    placed = Placed(centre, float(angle), np.empty((0, 2)), _hinted(inside, jokers), 1.0)
    return Track.start(placed, at)


def changed_cards(compared: Compared, table: Table) -> float | None:
    """How much differs where cards of the pile may lie, in cards: not beside it, where others draw from the stock."""
    spots, _ = _grid(table.pile)
    differs = compared.differs(spots)
    if differs is None:
        return None
    return float((differs & table.near_pile(spots)).sum()) / GRID**2 / CARD_HEIGHT


def _grid(pile: Zone) -> tuple[Spots, tuple[int, int]]:
    """Spots all over a zone, row by row, and the number of rows and columns."""
    low, high = pile.outline.min(axis=0) - 0.3, pile.outline.max(axis=0) + 0.3
    return spots_between(low, high, 1 / GRID)


def _has_changed(card: Placed, compared: Compared) -> bool:
    differs = compared.differs(card.anchors)
    return differs is None or bool(differs.any())


def _hinted(readings: Sequence[Placed], jokers: bool) -> Likelihoods:
    """One distribution from readings of which most are wrong: their mean, and all faces a little."""
    even = np.array([float(jokers or face.rank is not Rank.JOKER) for face in FACES])
    even /= even.sum()
    if not readings:
        return even.astype(np.float32)
    weights = np.array([max(card.presence, 0.05) for card in readings])
    mean = np.average([card.likelihoods for card in readings], axis=0, weights=weights)
    likely: Likelihoods = (EVEN * even + (1 - EVEN) * mean).astype(np.float32)
    return likely
