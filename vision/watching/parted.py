"""Which index corners are of one card, told by what one picture alone does not show: the past, and the true plane.

A corner where nothing has changed and one where something has are of two cards. And on the plane of the table, without
perspective, two lone corners that lie exactly as a card's two corners do are of one card, though one was read badly:
no card can show but one corner just where another's other corner would be, for the upper of the two would show both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.plane import Plane, Spots
from vision.reading.classify import combined
from vision.reading.join import contradict
from vision.table.place import INDEX_OFFSET, Placed, index_corners, place, turn, turned_by
from vision.types import CardReading, Likelihoods
from vision.watching.track import Changed, rank_vector, same_rank

KEPT: Final = 0.08
"""So little of an index corner differs where nothing happened,"""
CAME: Final = 0.15
"""and so much at least where another corner came to lie."""
EXACT: Final = 0.08
"""How exactly, in card widths, two corners lie as those of one card of this deck do."""
ASIDE: Final = 0.1
"""Two sure corners of one rank that lie farther than this from where one card has them are of two cards of a set."""
SURE: Final = 0.9
"""Two that are both as sure as this of different ranks are two cards after all, unless they are of one suit and came
together: then one of them was misread."""
TURN: Final = 0.15
"""And how alike they point, in radians."""


USUAL: Final[Spots] = -2 * INDEX_OFFSET
"""From one index corner of a card to the other, in card widths, as most decks print them."""


def across_deck(cards: Sequence[Placed], plane: Plane) -> Spots:
    """The same for the deck of these cards, from those whose outline and two corners were seen; as most decks have it
    where they are too few."""
    found = []
    for card in cards:
        if card.reading is None or len(card.anchors) != 2:
            continue
        local = (card.anchors[1] - card.anchors[0]) @ turn(_edge(card.reading, plane))
        local = local if local[1] > 0 else -local
        if local[0] > 0 and float(np.linalg.norm(local - USUAL)) < 0.35:
            found.append(local)
    middle: Spots = np.median(found, axis=0) if len(found) >= 3 else USUAL
    return middle


def one_by_one(readings: Sequence[CardReading], plane: Plane, changed: Changed, across: Spots = USUAL) -> list[Placed]:
    """The cards of a picture, placed; ``changed`` tells how much of a polygon differs from the last settled look,
    ``across`` how this deck's index corners lie to each other."""
    parts = [part for reading in readings for part in _parts(reading, plane, changed, across)]
    return _whole(parts, changed, across)


def _parts(reading: CardReading, plane: Plane, changed: Changed, across: Spots) -> list[Placed]:
    """A reading whose corners are not of one age, as one card for each age; one of two cards of a set, laid so nearly
    on each other that a corner of either was taken for one card, as both."""
    whole = place(reading, plane)
    if len(reading.indices) < 2 or len(reading.corners) != len(reading.indices):
        return [whole]
    kept: list[int] = []
    came: list[int] = []
    for number, quad in enumerate(reading.indices):
        spot, angle = _directed(plane.to_plane(quad))
        old = _is_old(spot, angle, changed)
        if old is None:
            return _of_a_set(reading, plane, changed, across) or [whole]
        (kept if old else came).append(number)
    if not kept or not came:
        return _of_a_set(reading, plane, changed, across) or [whole]
    parts = []
    for numbers in (kept, came):
        likelihoods = combined([reading.corners[number] for number in numbers])
        if len(numbers) == 1:
            parts.append(_lone(plane.to_plane(reading.indices[numbers[0]]), likelihoods, reading.presence))
        else:
            indices = tuple(reading.indices[number] for number in numbers)
            parts.append(place(replace(reading, indices=indices, likelihoods=likelihoods), plane))
    return parts


def _of_a_set(reading: CardReading, plane: Plane, changed: Changed, across: Spots) -> list[Placed]:
    """The two cards of one rank that a reading's two corners show surely, where one card's do not lie like that."""
    if len(reading.indices) != 2:
        return []
    first, second = reading.corners
    if not _of_two_faces(first, second):
        return []
    spots = [plane.to_plane(quad) for quad in reading.indices]
    lower, upper = (_lone(spots[0], first, reading.presence), _lone(spots[1], second, reading.presence))
    return [lower, upper] if _both(lower, upper, changed, across) is None else []


def _of_two_faces(first: Likelihoods, second: Likelihoods) -> bool:
    """Whether both are sure of one rank and of two suits."""
    return contradict(first, second) and same_rank(first, second) > 0.5


def _of_one_suit(card: Placed, other: Placed) -> bool:
    return card.card.suit is not None and card.card.suit is other.card.suit


def _is_old(spot: Spots, angle: float, changed: Changed) -> bool | None:
    """Whether an index corner lay there before; None where that cannot be told."""
    difference = changed(index_corners(spot, angle))
    return None if difference is None or KEPT <= difference < CAME else difference < KEPT


def _edge(reading: CardReading, plane: Plane) -> float:
    """The direction of a card's short edges by its outline: the card's own angle is inferred from its corners."""
    outline = plane.to_plane(reading.outline)
    edge = (outline[1] - outline[0]) + (outline[2] - outline[3])
    return float(np.arctan2(edge[1], edge[0]))


def clarity(card: Placed) -> float:
    """The probability of the likeliest rank."""
    return float(rank_vector(card.likelihoods).max())


def _directed(index: Spots) -> tuple[Spots, float]:
    """The middle and the direction of an index corner, (4, 2) in card widths, held upright."""
    across = (index[1] - index[0]) + (index[2] - index[3])
    return index.mean(axis=0), float(np.arctan2(across[1], across[0]))


def _lone(index: Spots, likelihoods: Likelihoods, presence: float) -> Placed:
    """The card that one index corner belongs to: an upright index is the top left one."""
    spot, angle = _directed(index)
    return Placed(spot - INDEX_OFFSET @ turn(angle).T, angle % np.pi, spot[None], likelihoods, presence)


def _whole(cards: Sequence[Placed], changed: Changed, across: Spots) -> list[Placed]:
    """The cards, with those of which two lone corners were taken for two cards put together."""
    cards = [*cards]
    for first in range(len(cards)):
        for second in range(first + 1, len(cards)):
            both = _both(cards[first], cards[second], changed, across)
            if both is not None:
                rest = [card for number, card in enumerate(cards) if number not in (first, second)]
                return _whole([*rest, both], changed, across)
    return cards


def _both(card: Placed, other: Placed, changed: Changed, across: Spots) -> Placed | None:
    if len(card.anchors) != 1 or len(other.anchors) != 1 or turned_by(card.angle, other.angle) > TURN:
        return None
    seen = other.anchors[0] - card.anchors[0]
    # The angle follows from the two corners; what each says of it must agree.
    angle = float(np.arctan2(seen[1], seen[0]) - np.arctan2(across[1], across[0]))
    if turned_by(angle, card.angle) > TURN or turned_by(angle, other.angle) > TURN:
        return None
    if float(np.linalg.norm(seen @ turn(angle) - across)) > EXACT:
        return None
    ages = [_is_old(one.anchors[0], one.angle, changed) for one in (card, other)]
    sure = min(clarity(card), clarity(other)) > SURE and same_rank(card.likelihoods, other.likelihoods) < 0.05
    if sure and not (ages == [False, False] and _of_one_suit(card, other)):
        return None
    if _of_two_faces(card.likelihoods, other.likelihoods):
        # Which way both point settles how one card's corners would lie: the line between them may be of two cards.
        off = sum((one.angle - angle + np.pi / 2) % np.pi - np.pi / 2 for one in (card, other)) / 2
        if float(np.linalg.norm(seen @ turn(angle + off) - across)) > ASIDE:
            return None
    if True in ages and False in ages:
        return None
    presence = 1 - (1 - card.presence) * (1 - other.presence)
    likelihoods = combined([card.likelihoods, other.likelihoods])
    anchors = np.concatenate([card.anchors, other.anchors])
    return Placed(anchors.mean(axis=0), angle % np.pi, anchors, likelihoods, presence)
