"""The downcards of each seat are watched: how many are left is told, and nothing while they cannot be told apart."""

from __future__ import annotations

import numpy as np

from tests.vision.tabletop import ANN, Cinema, Lying, dealt
from vision.types import Seen


def without_upcards() -> tuple[Cinema, list[Lying]]:
    """Ann has played her upcards; the backs of her downcards show."""
    cinema = dealt()
    table, downs = cinema.table, []
    for card in [card for card in table.cards if card.face in ANN]:
        table.take(card)
        downs.append(table.lay(None, card.x + 0.04, card.y - 0.03, card.turn))
    cinema.roll(3)
    return cinema, downs


def told(cinema: Cinema) -> list[tuple[int | None, int]]:
    return [(one.seat, one.left) for one in cinema.seen if one.kind is Seen.DOWNCARDS]


def test_downcards_that_are_played_one_by_one_are_counted_down() -> None:
    cinema, downs = without_upcards()
    assert told(cinema) == []
    for number, down in enumerate(downs):

        def play(down: Lying = down, number: int = number) -> None:
            cinema.table.take(down)
            cinema.table.lay(("9H", "QD", "KS")[number], 0.1 * number, 0.0, 0.4 * number)

        cinema.reach(0, 2, play, reach=3.0)
        cinema.roll(1.5)
    assert told(cinema) == [(0, 2), (0, 1), (0, 0)]


def test_downcards_first_seen_in_a_shadow_are_counted_down_too() -> None:
    """The shadow of the hand that takes the last upcards lies on the backs when they show for the first time."""
    cinema = dealt()
    table = cinema.table
    x, y = table.pixels(np.array([[0.0, 3.9]]))[0]
    table.shadows = [[(x - 90, y - 40), (x + 90, y - 40), (x + 90, y + 40), (x - 90, y + 40)]]
    cinema.roll(0.5)
    downs = []
    for card in [card for card in table.cards if card.face in ANN]:
        table.take(card)
        downs.append(table.lay(None, card.x + 0.04, card.y - 0.03, card.turn))
    cinema.roll(1.0)
    table.shadows = []
    cinema.roll(3.0)
    cinema.reach(0, 2, lambda: (table.take(downs[1]), table.lay("9H", 0.1, 0.0, 0.1)), reach=3.0)
    cinema.roll(2.0)
    assert told(cinema) == [(0, 2)]


def test_a_card_turned_in_its_place_is_still_there() -> None:
    cinema, downs = without_upcards()
    table = cinema.table
    table.take(downs[0])
    king = table.lay("KS", downs[0].x, downs[0].y, downs[0].turn)
    cinema.roll(3)
    assert told(cinema) == []
    table.take(king)
    table.lay("KS", 0.0, 0.0, 0.1)
    cinema.roll(3)
    assert told(cinema) == [(0, 2)]


def test_downcards_under_upcards_are_there_whatever_is_played() -> None:
    cinema = dealt()
    cinema.reach(0, 2, lambda: cinema.table.lay("9H", 0.1, 0.0, 0.1))
    cinema.roll(2)
    assert told(cinema) == []
