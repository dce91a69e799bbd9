"""The stock's place is watched: that the heap still lies there, and that it is used up, is told; nothing else is."""

from __future__ import annotations

import pytest

from tests.vision.tabletop import ANN, BEN, Cinema, Lying, Tabletop, dealt
from vision.types import Seen


def at_rest() -> tuple[Cinema, Lying]:
    """A table at rest after the deal, and its stock."""
    cinema = dealt()
    cinema.roll(1)
    return cinema, next(card for card in cinema.table.cards if card.face is None)


def told(cinema: Cinema) -> list[bool]:
    return [one.present for one in cinema.seen if one.kind is Seen.STOCK_LIES]


def test_the_stock_is_used_up() -> None:
    cinema, stock = at_rest()
    cinema.roll(3)
    assert told(cinema) == []
    cinema.table.take(stock)
    cinema.roll(0.9)
    assert told(cinema) == []
    cinema.roll(1.5)
    assert told(cinema) == [False]
    cinema.roll(3)
    assert told(cinema) == [False]


def test_after_a_play_it_is_told_that_the_stock_still_lies_there() -> None:
    cinema, _ = at_rest()
    cinema.reach(0, 2, lambda: cinema.table.lay("9H", 0.1, 0.0, 0.1))
    cinema.roll(1)
    assert told(cinema) == [True]


def test_whoever_draws_the_last_card_has_played_first() -> None:
    cinema, stock = at_rest()

    def play() -> None:
        cinema.table.take(stock)
        cinema.table.lay("9H", 0.1, 0.0, 0.1)

    cinema.reach(0, 2, play)
    cinema.roll(2.5)
    kinds = [one.kind for one in cinema.seen if one.kind in (Seen.LAID, Seen.STOCK_LIES)]
    assert kinds == [Seen.LAID, Seen.STOCK_LIES]
    assert told(cinema) == [False]


@pytest.mark.parametrize("shift", [0.15, 0.3])
def test_a_stock_that_is_pushed_a_little_is_still_there(shift: float) -> None:
    cinema, stock = at_rest()
    cinema.table.move(stock, stock.x + shift, stock.y, stock.turn + shift)
    cinema.roll(3)
    assert False not in told(cinema)


def test_a_card_or_a_shadow_on_its_place_is_no_end_of_the_stock() -> None:
    cinema, stock = at_rest()
    table = cinema.table
    over = table.lay("KS", stock.x, stock.y, stock.turn + 0.4)
    cinema.roll(3)
    table.take(over)
    x, y = table.pixels(stock.centre[None])[0]
    table.shadows = [[(x - 60, y - 60), (x + 60, y - 60), (x + 60, y + 60), (x - 60, y + 60)]]
    cinema.roll(3)
    table.shadows, table.light = [], 0.8
    cinema.roll(3)
    assert told(cinema) == []


def test_a_stock_that_was_lifted_and_laid_back_lies_there_again() -> None:
    cinema, stock = at_rest()
    cinema.table.take(stock)
    cinema.roll(3)
    cinema.table.lay(None, stock.x, stock.y, stock.turn)
    cinema.roll(3)
    assert told(cinema) == [False, True]


def test_the_end_of_the_stock_is_seen_after_the_camera_was_nudged() -> None:
    cinema, stock = at_rest()
    cinema.nudge()
    cinema.roll(2)
    assert told(cinema) == []
    cinema.table.take(stock)
    cinema.roll(2.5)
    assert told(cinema) == [False]


def test_a_table_without_a_stock_tells_nothing_of_it() -> None:
    cinema = Cinema(Tabletop())
    cinema.table.deal([ANN, BEN], stock=False)
    cinema.roll(2.5)
    cinema.reach(0, 2, lambda: cinema.table.lay("9H", 0.1, 0.0, 0.1))
    assert told(cinema) == []
