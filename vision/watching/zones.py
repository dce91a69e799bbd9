"""Which places of a table are looked at, and what of each must lie still and uncovered for that."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from vision.table.layout import pile_box
from vision.table.table import Table, Zone
from vision.watching.follow import Follower
from vision.watching.gate import Mask, cells_within
from vision.watching.watched import Watched

FIRST = 0.9
"""Card widths around the place of an empty pile in which the first card comes to lie."""


def zones_of(follower: Follower, kept: Mapping[int | None, Watched]) -> list[Watched]:
    """The pile, then each seat. ``kept`` are zones of before, by seat, whose table has moved."""
    table = follower.table
    middle = _middle(follower)
    box = table.box(pile_box(table) if middle is table.pile else middle)
    zones = [Watched(middle, None, box, cells_of(table, middle))]
    for seat, outline in enumerate(table.seats):
        zones.append(Watched(outline, seat, table.box(outline, 0.2), cells_of(table, outline)))
    for zone in zones:
        if zone.seat in kept:
            old = kept[zone.seat]
            zone.read_at, zone.before, zone.dirty = old.read_at, old.before, old.dirty
    return zones


def pile_core(follower: Follower) -> Mask:
    """Where a hand would hide something of the pile: its cards, or where the first of them will lie. A hand that has
    left them may still be near, drawing or putting its own cards straight."""
    table, cards = follower.table, follower.pile.cards
    if follower.provisional:
        return cells_of(table, _middle(follower))
    if not cards:
        return cells_of(table, Zone.around([table.pile.centre], FIRST))
    shown = [card.placed.corners for card in cards if card.visible] or [cards[-1].placed.corners]
    return cells_of(table, Zone.around(np.concatenate(shown), 0.1))


def cells_of(table: Table, zone: Zone) -> Mask:
    """The gate's cells that a zone holds or touches."""
    return cells_within(table.pixels(zone), table.width, table.height)


def _middle(follower: Follower) -> Zone:
    """The place of the pile; while that is a guess all the table between the seats: as wide as their rows, up to the
    edge of their cards."""
    table = follower.table
    if not follower.provisional or len(table.seats) < 2:
        return table.pile
    centre = np.mean([seat.centre for seat in table.seats], axis=0)
    shrunk = [centre + 0.62 * (seat.outline - centre) for seat in table.seats]
    return Zone.around(np.concatenate(shrunk), 0.3)
