"""One card read twice: found by where its corners lie on the table, where the picture alone does not tell.

Seen steeply from the side, an index box says little of where its card's other corners are, so that the two ends of a
card may be read as two cards of one face. Other cards tell how the table lies; on the table a card has one size, and
two corners that lie as far from each other as those of one card, turned as those are, are of one card. Two cards of one
face, of two decks, hardly ever lie so: their own other corners would be seen as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.geometry import INDEX_U, INDEX_V, SLOTS
from vision.plane import CARD_HEIGHT, Plane
from vision.reading.classify import combined
from vision.reading.join import PAIRS, Corner, Joined
from vision.reading.outlines import shared

AGREE: Final = 0.3
"""The least probability that two cards show one face, so that they may be one."""
LONGER: Final = 0.3
"""How much longer or shorter than on a card, as a share, the way between two of its corners may be on the table."""
TURN: Final = 0.9
"""Radians by which an index may be turned from its direction. A box around a slanted index is turned by a good half."""
OFF: Final = 0.3
"""Card widths. A corner farther from its place is not that card's."""
CARD_LIKE: Final = 0.2
"""Card widths: the most by which the cards that the table is known by may miss a card's shape."""
WITHIN: Final = 0.12
"""Card widths. A corner so far within another card's outline, or farther, lies on it or under it."""
SQUARED: Final = 0.8
"""Two outlines that share so much (intersection over union) leave no room for an index of the lower card to be seen."""

_CENTRES: Final = SLOTS.mean(1).astype(np.float64) * (1, CARD_HEIGHT)
"""The middle of each slot's index on a card, in card widths: (4, 2)."""
_DOWN: Final = (SLOTS[:, 3] - SLOTS[:, 0]).astype(np.float64) * (1, CARD_HEIGHT)
"""Down each index, as it is held upright: (4, 2)."""
_INDEX_SIZE: Final = (INDEX_U[1] - INDEX_U[0]) * (INDEX_V[1] - INDEX_V[0]) * CARD_HEIGHT
_WAYS: Final = tuple(dict.fromkeys((a, b) for first, last, *_ in PAIRS for a, b in ((first, last), (last, first))))


@dataclass(frozen=True, slots=True)
class _Spot:
    """A corner on the table: where its index is, and which way is down."""

    corner: Corner
    at: complex
    down: complex


def each_once(cards: Sequence[Joined], width: int, height: int) -> list[Joined]:
    """The cards of a picture of this size; those that are two readings of one card as one."""
    result = list(cards)
    pairs = _alike(result)
    if not pairs:
        return result
    plane = _table(result, width, height)
    while pairs:
        i, j = pairs.pop()
        one = _one(plane or _level(result[i], result[j]), result[i], result[j])
        if one is None and _impossible(result[i], result[j]):
            one = max(result[i], result[j], key=_known)
        if one is not None:
            result = [card for k, card in enumerate(result) if k not in (i, j)] + [one]
            pairs = _alike(result)
    return result


def _alike(cards: Sequence[Joined]) -> list[tuple[int, int]]:
    """Pairs that show one face, the surest last."""
    if len(cards) < 2:
        return []
    faces = np.stack([combined([corner.likelihoods for corner in card.corners]) for card in cards])
    agreement = np.tril(faces @ faces.T, -1)
    pairs = [(i, j) for i, j in np.argwhere(agreement >= AGREE).tolist()]
    return sorted(pairs, key=lambda pair: float(agreement[pair]))


def _table(cards: Sequence[Joined], width: int, height: int) -> Plane | None:
    """How the table lies, by the cards of which most is known; None where they contradict each other, or are none."""
    several = [card.outline for card in cards if len(card.corners) > 1]
    exact = [card.outline for card in cards if card.edges is not None or len(card.corners) > 2]
    if not exact and not several:
        return None
    plane = Plane.fit(exact or several, width, height)
    return plane if plane.residual < CARD_LIKE else None


def _level(first: Joined, second: Joined) -> Plane:
    """The table as if seen from straight above where two corners are, by the size of their boxes."""
    sides = [np.linalg.norm(c.points[[1, 3]] - c.points[0], axis=1) for c in (*first.corners, *second.corners)]
    return Plane.level(0, 0, float(np.sqrt(np.mean([np.prod(each) for each in sides]) / _INDEX_SIZE)))


def _one(plane: Plane, first: Joined, second: Joined) -> Joined | None:
    """The two as one card, if every corner of both has a place on it."""
    spots = [_spot(plane, corner) for card in (first, second) for corner in card.corners]
    if len(spots) > len(SLOTS):
        return None
    of_first, of_second = spots[: len(first.corners)], spots[len(first.corners) :]
    best: tuple[float, tuple[int, ...]] | None = None
    for a in of_first:
        for b in of_second:
            for slots in _WAYS:
                fit = _fit(a, b, slots, spots)
                if fit is not None and (best is None or fit < best):
                    best = fit
    if best is None:
        return None
    edges = first.edges if first.edges is not None else second.edges
    return Joined(tuple(spot.corner for spot in spots), best[1], edges)


def _fit(a: _Spot, b: _Spot, slots: tuple[int, int], spots: Sequence[_Spot]) -> tuple[float, tuple[int, ...]] | None:
    """How far the corners are from their slots if two of them fill these, and the slots of all."""
    start, end = (complex(*_CENTRES[slot]) for slot in slots)
    turn = (b.at - a.at) / (end - start)
    if not 1 / (1 + LONGER) < abs(turn) < 1 + LONGER:
        return None
    turn /= abs(turn)
    middle = (a.at + b.at) / 2 - turn * (start + end) / 2
    filled: list[int] = []
    total = 0.0
    for spot in spots:
        away = [abs(middle + turn * complex(*centre) - spot.at) for centre in _CENTRES]
        slot = min(range(len(SLOTS)), key=away.__getitem__)
        if away[slot] > OFF or slot in filled:
            return None
        aside = turn * complex(*_DOWN[slot]) / spot.down
        if abs(math.atan2(aside.imag, aside.real)) > TURN:
            return None
        filled.append(slot)
        total += away[slot]
    return total, tuple(filled)


def _spot(plane: Plane, corner: Corner) -> _Spot:
    points = corner.points
    at, top, bottom = plane.to_plane([points.mean(0), points[:2].mean(0), points[2:].mean(0)])
    return _Spot(corner, complex(*at), complex(*(bottom - top)))


def _impossible(first: Joined, second: Joined) -> bool:
    """Whether the upper of the two, whichever it is, would hide what is seen of the lower one."""
    return shared(first.outline, second.outline) > SQUARED or (_within(first, second) and _within(second, first))


def _within(card: Joined, other: Joined) -> bool:
    outline = other.outline
    least = WITHIN * float(min(np.linalg.norm(outline[1] - outline[0]), np.linalg.norm(outline[3] - outline[0])))
    contour = outline.reshape(-1, 1, 2)
    middles = (corner.points.mean(0).tolist() for corner in card.corners)
    return any(cv2.pointPolygonTest(contour, (x, y), True) > least for x, y in middles)


def _known(card: Joined) -> tuple[bool, int, float]:
    """How much is known of a card, to be compared."""
    return card.edges is not None, len(card.corners), max(corner.presence for corner in card.corners)
