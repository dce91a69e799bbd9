"""Whether a pile that has gone was pushed aside: on made-up pictures, and with a hand that still covers the place."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from tests.vision.tabletop import Cinema, Lying, Tabletop, dealt
from vision.table.table import level_table
from vision.types import Observation, Seen
from vision.watching.aside import with_heap


def played(*aside: str) -> Cinema:
    """A game in which a few cards lie on the pile, and perhaps some have been burnt before."""
    cinema = dealt()
    for number, face in enumerate(aside):
        cinema.table.lay(face, 2.6 + 0.1 * number, 0.2, 0.3 * number)
    cinema.roll(0.5)
    for number, face in enumerate(("9H", "QD", "KS")):
        lay = partial(cinema.table.lay, face, 0.1 * number, 0.0, 0.4 * number)
        cinema.reach(number % 2, 2, lay)
    return cinema


def gone(cinema: Cinema) -> list[Observation]:
    return [one for one in cinema.seen if one.kind is Seen.GONE]


def pile(table: Tabletop) -> list[Lying]:
    return [card for card in table.cards if card.face in ("9H", "QD", "KS")]


def push(table: Tabletop) -> None:
    for number, card in enumerate(pile(table)):
        table.move(card, 2.5 + 0.1 * number, 0.1 - 0.1 * number, 0.5 * number)


@pytest.mark.parametrize("burnt", [(), ("2H", "3H", "4H")])
def test_a_pile_that_is_pushed_aside_is_seen_there(burnt: tuple[str, ...]) -> None:
    """On bare table, or upon those that were burnt before."""
    cinema = played(*burnt)
    cinema.reach(0, 2, lambda: push(cinema.table))
    cinema.roll(2)
    assert [one.aside for one in gone(cinema)] == [True]


@pytest.mark.parametrize("burnt", [(), ("2H", "3H", "4H")])
def test_a_pile_that_is_picked_up_is_not(burnt: tuple[str, ...]) -> None:
    cinema = played(*burnt)
    cinema.reach(1, 2, lambda: cinema.table.take(*pile(cinema.table)))
    cinema.roll(2)
    assert [one.aside for one in gone(cinema)] == [False]


def test_what_a_hand_may_hide_is_awaited_but_not_for_long() -> None:
    cinema = played()
    cinema.reach(1, 2, lambda: cinema.table.take(*pile(cinema.table)))
    cinema.table.hands = [cinema.table.arm(1, 2, 2.4)]
    cinema.roll(3)
    assert [one.aside for one in gone(cinema)] in ([None], [False])


def test_the_next_card_is_told_after_the_pile_has_gone() -> None:
    cinema = played()
    cinema.reach(0, 2, lambda: push(cinema.table))
    cinema.reach(0, 2, lambda: cinema.table.lay("5C", 0.3, 0.2, 0.2))
    cinema.roll(1)
    kinds = [one.kind for one in cinema.seen if one.kind in (Seen.LAID, Seen.GONE)]
    assert kinds[-2:] == [Seen.GONE, Seen.LAID]
    assert [one.aside for one in gone(cinema)] == [True]


def test_after_a_nudge_nothing_is_said_of_what_was_seen_before() -> None:
    cinema = played()
    cinema.table.take(*pile(cinema.table))
    cinema.nudge()
    cinema.roll(3)
    assert all(one.aside is not True for one in gone(cinema))


def test_where_a_heap_was_pushed_is_no_place_of_the_pile_from_then_on() -> None:
    """A heap so near that a card of it lies within reach of the pile: when the next pile has gone, that is seen."""
    cinema = played()

    def nearby() -> None:
        for number, card in enumerate(pile(cinema.table)):
            cinema.table.move(card, 1.75 + 0.2 * number, 0.1 - 0.1 * number, 0.5 * number)

    cinema.reach(0, 2, nearby)
    cinema.roll(2)
    assert [one.aside for one in gone(cinema)] == [True]
    table = cinema.watcher.table
    assert table is not None
    assert table.burnt is not None
    lying = table.plane.to_plane(cinema.table.pixels(np.array([[1.75, 0.1], [0.2, 0.0]])))
    assert table.burnt.holds(lying[0])
    assert [table.in_pile(spot) for spot in lying] == [False, True]
    cinema.reach(0, 2, lambda: cinema.table.lay("4C", 0.1, 0.0, 0.1))
    four = cinema.table.cards[-1]
    cinema.reach(1, 2, lambda: cinema.table.take(four))
    cinema.roll(2)
    assert len(gone(cinema)) == 2


def test_a_heap_upon_the_piles_own_place_takes_it_not_away() -> None:
    """Wherever within its reach the pile lay."""
    table = level_table(1280, 720, 90.0, pile=(640, 360), seats=())
    pile = table.pile.centre + np.array([-0.8, 0.3])
    assert with_heap(table, pile + np.array([0.9, 0.0]), pile).burnt is None
    kept = with_heap(table, pile + np.array([1.6, 0.0]), pile)
    assert kept.burnt is not None
    assert kept.in_pile(pile)
    assert with_heap(kept, pile + np.array([0.0, 2.5]), pile) is kept
