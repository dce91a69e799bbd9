"""Which index corners belong to one physical card, and where that card lies."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import FACES
from vision.geometry import (
    ACROSS,
    BOTTOM_LEFT,
    BOTTOM_RIGHT,
    CARD,
    CARD_MM,
    INDEX_V,
    SLOTS,
    TOP_LEFT,
    TOP_RIGHT,
    affine_to,
    map_points,
    similar_to,
)
from vision.types import Points

REACH: Final = 0.22
"""How far, in card heights, the opposite corner may be from where one index box alone predicts it."""
BESIDE: Final = 0.11
"""The same for the nearer corners of a four-index card. Another card laid beside this one is 0.14 off."""
NEAR: Final = 0.1
"""The same where two corners have already fixed the card's place."""
TURN: Final = 0.45
"""How far from its predicted direction it may point, in radians."""
GROWTH: Final = 1.6
"""How much nearer to the camera, hence larger, one end of a card may be than the other."""
AGREE: Final = 0.02
"""The least probability that both corners show one face."""
SURE: Final = 0.3
"""The same where the card is seen at a slant, so that its corners lie farther from their predicted places."""
SLANT: Final = 2.0
"""By how much tolerances are widened then, once all that fits better has been joined."""
FROM_ABOVE: Final = 0.05
"""How much, beside a corner of an index box, the card's outline weighs as it would be if seen from straight above."""
CERTAIN: Final = 0.9
"""A corner whose likeliest face is likelier than this is sure of it;"""
UNLIKE: Final = 0.1
"""two that show one face with less probability than this differ."""
EXACT: Final = 0.4
"""Two corners fit each other better than this share of the tolerance: they are of one card whatever their faces. No
card can show just one corner where another's opposite corner would be, for the upper of the two would show both."""

PAIRS: Final = (
    (TOP_LEFT, BOTTOM_RIGHT, REACH, 0.0),
    (TOP_RIGHT, BOTTOM_LEFT, REACH, 0.2),
    (TOP_LEFT, TOP_RIGHT, BESIDE, 0.4),
    (TOP_RIGHT, TOP_LEFT, BESIDE, 0.4),
    (TOP_LEFT, BOTTOM_LEFT, BESIDE, 0.4),
    (TOP_RIGHT, BOTTOM_RIGHT, BESIDE, 0.4),
)
"""Slots that two corners of a card can fill, the tolerance, and what choosing them costs: most decks have two."""
_RANKS: Final = np.array([int(face.rank) for face in FACES])
_SIZE: Final = np.array(CARD_MM, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Corner:
    """An index corner that was found and named: its box (4, 2) upright, and the likelihoods of its face (53,).

    ``presence`` is the classifier's probability that it is an index, ``score`` the detector's (1 where the card's edges
    led to it). ``rank`` and ``suit`` are the classifier's own, (15,) and (4,), to learn a deck from.
    """

    points: Points
    likelihoods: NDArray[np.float32]
    presence: float
    score: float = 1.0
    rank: NDArray[np.float32] | None = None
    suit: NDArray[np.float32] | None = None

    def agreement(self, other: Corner) -> float:
        """The probability that both show one face."""
        return float(self.likelihoods @ other.likelihoods)

    def contradicts(self, other: Corner) -> bool:
        """Whether both are sure of their faces, and these differ."""
        return contradict(self.likelihoods, other.likelihoods)

    def rank_agreement(self, other: Corner) -> float:
        """The probability that both show one rank, whatever their suits."""
        ranks = [np.bincount(_RANKS, corner.likelihoods) for corner in (self, other)]
        return float(ranks[0] @ ranks[1])


def contradict(first: NDArray[np.float32], second: NDArray[np.float32]) -> bool:
    """Whether two readings, (53,) each, are both sure of a face, and not of the same."""
    return bool(min(first.max(), second.max()) > CERTAIN and first @ second < UNLIKE)


def differ(likelihoods: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which of several readings, (n, 53), are both sure of a face, and not of the same: (n, n)."""
    certain = likelihoods.max(1, initial=0) > CERTAIN
    return np.asarray(certain[:, None] & certain & (likelihoods @ likelihoods.T < UNLIKE))


@dataclass(frozen=True, eq=False)
class Joined:
    """The corners of one physical card and the slots they fill; ``edges``, (4, 2), where its edges have been found."""

    corners: tuple[Corner, ...]
    slots: tuple[int, ...] = (TOP_LEFT,)
    edges: Points | None = None

    @cached_property
    def outline(self) -> Points:
        """The card's quadrilateral: its edges where they were found, else what its index boxes say of it.

        Those say it in perspective where there are three or more, else without.
        """
        if self.edges is not None:
            return self.edges
        source, target = self._points()
        if len(self.corners) >= 3:
            matrix, _ = cv2.findHomography(source, target)
            if matrix is not None:
                quad = map_points(matrix.astype(np.float64), CARD)
                if cv2.isContourConvex(quad.reshape(-1, 1, 2)):
                    return quad
        return np.asarray(_outlining(self.slots) @ target.ravel(), np.float32).reshape(4, 2)

    @cached_property
    def _predicted(self) -> NDArray[np.float32]:
        points = np.concatenate([corner.points for corner in self.corners])
        return np.asarray(_predicting(self.slots) @ points, np.float32).reshape(4, 4, 2)

    def predicted(self) -> NDArray[np.float32]:
        """Where the index of each slot should be: (4, 4, 2)."""
        return self._predicted

    def agreement(self, other: Joined) -> float:
        return max(a.agreement(b) for a in self.corners for b in other.corners)

    def _points(self) -> tuple[Points, Points]:
        source = np.concatenate([SLOTS[slot] for slot in self.slots])
        return source, np.concatenate([corner.points for corner in self.corners])


@cache
def _predicting(slots: tuple[int, ...]) -> NDArray[np.float64]:
    """What carries the points of the boxes in these slots, (4 n, 2), to those of all four boxes, (16, 2)."""
    source, every = (np.column_stack([s.reshape(-1, 2), np.ones(s.size // 2)]) for s in (SLOTS[list(slots)], SLOTS))
    return np.asarray(every @ np.linalg.pinv(source.astype(np.float64)), np.float64)


@cache
def _outlining(slots: tuple[int, ...]) -> NDArray[np.float64]:
    """What carries the coordinates of the points of the boxes in these slots, (8 n,), to those of the outline, (8,).

    Index boxes are small and a card is large, so their errors grow; a card seen from above is the likeliest.
    """
    source = SLOTS[list(slots)].reshape(-1, 2)
    weights = np.append(np.ones(len(source)), np.full(len(CARD), FROM_ABOVE))
    columns = []
    for unit in np.eye(source.size, dtype=np.float32):
        target = unit.reshape(-1, 2)
        turn = similar_to(source * _SIZE, target)
        flat = (CARD * _SIZE) @ turn[:, :2].T + turn[:, 2]
        matrix = affine_to(np.vstack([source, CARD]), np.vstack([target, flat]), weights)
        columns.append((CARD @ matrix[:, :2].T + matrix[:, 2]).ravel())
    return np.stack(columns, 1)


def join(corners: Sequence[Corner]) -> list[Joined]:
    """Sort corners into cards. Corners of one card show one face, and lie where the card's shape predicts.

    Equal cards of a double deck are kept apart: of all pairs, those that fit the card's shape best are taken first,
    every corner is used once, and a slot is filled once.
    """
    cards = _paired([Joined((corner,)) for corner in corners], AGREE)
    cards = _merged(cards, NEAR, AGREE)
    cards = _paired(cards, 0, most=EXACT)
    cards = _paired(cards, SURE, slack=SLANT)
    return _merged(cards, NEAR * SLANT, SURE)


def _paired(cards: list[Joined], agreement: float, most: float = np.inf, slack: float = 1.0) -> list[Joined]:
    """Join single corners two by two, best fit first, if their faces agree so much and it costs less than ``most``."""
    corners = [card.corners[0] for card in cards if len(card.corners) == 1]
    result = [card for card in cards if len(card.corners) > 1]
    free = set(range(len(corners)))
    for cost, i, j, slots in sorted(_pairs(corners, slack), key=lambda pair: pair[0]):
        if i in free and j in free and cost < most and corners[i].agreement(corners[j]) >= agreement:
            free -= {i, j}
            result.append(Joined((corners[i], corners[j]), slots))
    return [*result, *(Joined((corners[i],)) for i in sorted(free))]


def _pairs(corners: Sequence[Corner], slack: float) -> Iterable[tuple[float, int, int, tuple[int, int]]]:
    """Every way to see two corners as one card, with its cost: lower is better."""
    if len(corners) < 2:
        return
    centres = np.stack([corner.points.mean(0) for corner in corners])
    heights = np.array([_card_height(corner) for corner in corners])
    points = np.stack([corner.points for corner in corners])
    alone = [[Joined((corner,), (slot,)) for corner in corners] for slot in range(4)]
    # How far, in card heights, every corner (last axis) lies from where each in a slot predicts every other slot.
    away = {
        slot: np.linalg.norm((_predicting((slot,)) @ points).reshape(-1, 4, 1, 4, 2).mean(3) - centres, axis=3)
        / heights[:, None, None]
        for slot in {first for first, *_ in PAIRS}
    }
    for first, second, tolerance, price in PAIRS:
        # Beside a card there is room for an equal one of a second deck: no slack there.
        reach = tolerance * (slack if second == ACROSS[first] else 1)
        for i, j in np.argwhere(away[first][:, second] < reach).tolist():
            # A pair of one slot and its equal half a turn on is found from both sides.
            if i == j or (i > j and ACROSS[first] == second):
                continue
            there = _miss(alone[first][i], second, corners[j], reach, slack)
            back = _miss(alone[second][j], first, corners[i], reach * GROWTH, slack)
            if there < 1 and back < 1:
                yield (there + back) / 2 + price, i, j, (first, second)


def _merged(cards: list[Joined], reach: float, agreement: float) -> list[Joined]:
    """Further corners that lie in free slots of a card that two corners have already placed."""
    cards = sorted(cards, key=lambda card: -len(card.corners))
    changed = True
    while changed:
        changed = False
        for a, b in combinations(range(len(cards)), 2):
            if len(cards[a].corners) > 1 and (both := _both(cards[a], cards[b], reach, agreement)):
                cards[a] = both
                del cards[b]
                changed = True
                break
    return cards


def _both(card: Joined, other: Joined, reach: float, agreement: float) -> Joined | None:
    """The two as one card, if all of the other's corners fit into free slots."""
    if len(card.corners) + len(other.corners) > len(SLOTS) or card.agreement(other) < agreement:
        return None
    slots = list(card.slots)
    for corner in other.corners:
        misses = {slot: _miss(card, slot, corner, reach, reach / NEAR) for slot in range(4) if slot not in slots}
        slot = min(misses, key=misses.__getitem__)
        if misses[slot] >= 1:
            return None
        slots.append(slot)
    return Joined((*card.corners, *other.corners), tuple(slots))


def _miss(card: Joined, slot: int, corner: Corner, reach: float, slack: float) -> float:
    """How badly a corner fits a slot of a card: 0 exactly, 1 just not; infinite where it is out of the question."""
    # Plain numbers: there are many pairs, and NumPy's calls would take most of the time.
    predicted, seen = card.predicted()[slot].tolist(), corner.points.tolist()
    (px, py), (sx, sy) = (map(sum, zip(*points, strict=True)) for points in (predicted, seen))
    away = math.hypot(px - sx, py - sy) / (len(seen) * _card_height(card.corners[0]))
    if away > reach:
        return np.inf
    down = seen[3][0] - seen[0][0], seen[3][1] - seen[0][1]
    wanted = predicted[3][0] - predicted[0][0], predicted[3][1] - predicted[0][1]
    long, wanted_long = math.hypot(*down), math.hypot(*wanted)
    if min(long, wanted_long) <= 0:
        return np.inf
    turn = math.acos(min(1.0, max(-1.0, (down[0] * wanted[0] + down[1] * wanted[1]) / (long * wanted_long))))
    growth = max(long, wanted_long) / min(long, wanted_long)
    widest, largest = TURN * slack, 1 + (GROWTH - 1) * slack
    if turn > widest or growth > largest:
        return np.inf
    return max(away / reach, turn / widest * 0.9, (growth - 1) / (largest - 1) * 0.9)


def _card_height(corner: Corner) -> float:
    """In pixels, from the height of the index box."""
    return max(math.dist(corner.points[3], corner.points[0]) / (INDEX_V[1] - INDEX_V[0]), 1e-6)
