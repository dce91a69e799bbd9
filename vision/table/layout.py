"""Finds the table in a picture of the laid-out deal: the plane, each seat's cards, the stock, the place of the pile."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.plane import CARD_HEIGHT, Plane, Spots
from vision.table.place import Placed, place_all
from vision.table.table import Table, TableError, Zone
from vision.types import ImageReading

ROW_REACH = 1.75
"""Upcards of one seat lie no farther apart than this, centre to centre, in card widths."""
PILE_RADIUS = 1.7
SEAT_MARGIN = 0.15
MIDST = 3.5
"""No farther than this from the middle between the seats a stock lies of which no back is told, in card widths."""


def fit_plane(reading: ImageReading) -> Plane:
    """The table's plane from the face-up cards of one picture. Raises TableError where none can be relied on."""
    cards = [card for card in reading.cards if card.presence >= 0.5]
    if not cards:
        raise TableError("no card can be read in the picture; lay the cards out and check light and focus")
    # Two index corners measure a card, one only extrapolates it.
    weights = [4.0 if len(card.indices) >= 2 else 1.0 for card in cards]
    return Plane.fit([card.outline for card in cards], reading.width, reading.height, weights)


def propose(reading: ImageReading, players: int | None = None, *, turned: bool | None = None) -> Table:
    """The table of a laid-out deal: one group of upcards per seat, clockwise from the seat nearest to the lower edge.

    A single card in the middle is the first card of the pile; a face-down card away from the seats is the stock.
    ``turned``: whether a first card is turned; where none is, a card that lies apart is the stock, whatever was read
    on its back. None: not known. Raises TableError, saying what was seen, where there are not two seats (or not
    ``players`` of them).
    """
    plane = fit_plane(reading)
    cards = place_all([card for card in reading.cards if card.presence >= 0.5], plane)
    groups = _groups(cards)
    rows = sorted((group for group in groups if len(group) >= 2), key=len, reverse=True)
    if players is not None and len(rows) < players:
        rows = _split_to(rows, players)
    if len(rows) < max(2, players or 2):
        raise TableError(
            f"{len(cards)} face-up cards are seen in {len(rows)} rows; a deal needs "
            f"{players or 'at least two'} seats with their upcards side by side"
        )
    rows = rows[:players] if players is not None else rows
    rows = _clockwise(rows)
    centres = [_middle(row) for row in rows]
    middle = np.mean(centres, axis=0)
    seats = tuple(Zone.around(np.concatenate([card.corners for card in row]), SEAT_MARGIN) for row in rows)
    stock = _stock(reading, plane, cards, seats)
    apart = [group[0] for group in groups if len(group) == 1 and len(group[0].anchors) >= 2]
    if turned is False and stock is None and len(apart) == 1:
        stock = Zone.around(apart[0].corners, 0.2)
    singles = [] if turned is False else [group[0].centre for group in groups if len(group) == 1]
    if singles:
        pile = min(singles, key=lambda spot: float(np.linalg.norm(spot - middle)))
    elif stock is not None:
        pile = _beside(stock.centre, middle)
    else:
        pile = middle
    room = min(-max(seat.depth(pile) for seat in seats) - 0.1, PILE_RADIUS)
    return Table(
        width=reading.width,
        height=reading.height,
        plane=plane,
        pile=Zone.disc(pile, max(room, 1.0)),
        seats=seats,
        stock=stock,
    )


def _middle(row: Sequence[Placed]) -> Spots:
    middle: Spots = np.mean([card.centre for card in row], axis=0)
    return middle


def _groups(cards: Sequence[Placed]) -> list[list[Placed]]:
    """Cards that lie side by side, by single linkage."""
    groups: list[list[Placed]] = []
    for card in cards:
        near = [
            group for group in groups if any(np.linalg.norm(card.centre - other.centre) <= ROW_REACH for other in group)
        ]
        groups = [group for group in groups if group not in near] + [
            [card, *[other for group in near for other in group]]
        ]
    return groups


def _split_to(rows: list[list[Placed]], players: int) -> list[list[Placed]]:
    """Divide the longest rows, at their widest gap, until there are enough."""
    rows = [*rows]
    while len(rows) < players:
        rows.sort(key=len, reverse=True)
        longest = rows.pop(0)
        if len(longest) < 4:
            return [*rows, longest]
        spots = np.array([card.centre for card in longest])
        axis = np.linalg.svd(spots - spots.mean(axis=0))[2][0]
        order = np.argsort(spots @ axis)
        gaps = np.diff((spots @ axis)[order])
        cut = 2 + int(np.argmax(gaps[1:-1])) if len(gaps) > 2 else 1
        rows += [[longest[index] for index in order[:cut]], [longest[index] for index in order[cut:]]]
    return rows


def _clockwise(rows: Sequence[list[Placed]]) -> list[list[Placed]]:
    """Clockwise as seen in the picture, from the row nearest to its lower edge; each row from its player's left."""
    centres = np.array([_middle(row) for row in rows])
    offsets = centres - centres.mean(axis=0)
    turns = np.arctan2(offsets[:, 1], offsets[:, 0])
    first = turns[int(np.argmax(offsets[:, 1]))]
    order = np.argsort(np.round((turns - first) % (2 * np.pi), 6))
    ordered = []
    for index in order:
        outward = offsets[index] / max(float(np.linalg.norm(offsets[index])), 1e-9)
        right = np.array([outward[1], -outward[0]])  # of a player who looks inward; y points down
        ordered.append(sorted(rows[index], key=lambda card, right=right: float(card.centre @ right)))  # type: ignore[misc]
    return ordered


def _stock(reading: ImageReading, plane: Plane, cards: Sequence[Placed], seats: Sequence[Zone]) -> Zone | None:
    """The face-down card that lies apart from every seat; where no back is told, what has just a card's measures."""
    middle = np.mean([seat.centre for seat in seats], axis=0)

    def apart(corners: Spots) -> bool:
        spot = corners.mean(axis=0)
        near_card = min((float(np.linalg.norm(card.centre - spot)) for card in cards), default=9.0) < 0.8
        return not near_card and not any(seat.holds(spot, 0.3) for seat in seats)

    best: tuple[float, Spots] | None = None
    for back in reading.backs:
        corners = plane.to_plane(back.outline)
        sides = _sides(corners)
        like_card = 0.6 < float(sides.min()) < 1.6 and float(sides.max()) < 2.4
        if back.score >= 0.4 and like_card and apart(corners) and (best is None or back.score > best[0]):
            best = (back.score, corners)
    if best is None:
        shapes = [plane.to_plane(shape) for shape in reading.shapes]
        cards_like = [corners for corners in shapes if _has_measures(corners) and apart(corners)]
        near = [(float(np.linalg.norm(corners.mean(axis=0) - middle)), n) for n, corners in enumerate(cards_like)]
        if near and min(near)[0] < MIDST:
            best = (0.0, cards_like[min(near)[1]])
    return Zone.around(best[1], 0.2) if best else None


def _sides(corners: Spots) -> NDArray[np.float64]:
    return np.asarray(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1))


def _has_measures(corners: Spots) -> bool:
    """Whether an outline is about as long and as wide as a card: a back may have a margin as pale as the cloth, and a
    heap of cards is higher than one."""
    first, second = sorted((float(_sides(corners)[::2].mean()), float(_sides(corners)[1::2].mean())))
    return 0.78 < first < 1.25 and 1.2 * first < second < 1.65 * first


def _beside(stock: Spots, middle: Spots) -> Spots:
    """The pile is in the middle, unless the stock is there: then next to it."""
    away = middle - stock
    distance = float(np.linalg.norm(away))
    if distance >= 1.5:
        return middle
    direction = away / distance if distance > 0.2 else np.array([1.0, 0.0])
    beside: Spots = stock + 1.5 * direction
    return beside


def deal_of(table: Table, cards: Sequence[Placed]) -> tuple[list[list[Placed]], list[Placed]]:
    """The upcards of each seat, each row from its player's left, and the cards of the pile."""
    rows: list[list[Placed]] = [[] for _ in table.seats]
    pile = []
    for card in cards:
        seat = table.seat_at(card.centre)
        if seat is not None:
            rows[seat].append(card)
        elif table.in_pile(card.centre):
            pile.append(card)
    middle = table.pile.centre
    for seat, row in enumerate(rows):
        outward = table.seats[seat].centre - middle
        right = np.array([outward[1], -outward[0]])
        row.sort(key=lambda card, right=right: float(card.centre @ right))  # type: ignore[misc]
    return rows, pile


def pile_box(table: Table) -> Zone:
    """The pile and as much around it as a card that lies half outside needs."""
    return Zone.around(table.pile.outline, CARD_HEIGHT / 2)
