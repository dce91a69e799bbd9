"""The watcher on made-up tables: every kind of observation, and what must not become one."""

from __future__ import annotations

from tests.vision.tabletop import Cinema, Tabletop, game
from vision.types import Seen

ANN, BEN = ("3C", "7S", "9D"), ("KC", "2H", "JH")


def dealt(rows: tuple[tuple[str, ...], ...] = (ANN, BEN)) -> Cinema:
    table = Tabletop()
    table.deal(rows)
    cinema = Cinema(table)
    cinema.roll(1.6)
    return cinema


def test_the_laid_out_deal_is_found_without_a_table_file() -> None:
    cinema = dealt()
    assert [observation.kind for observation in cinema.seen] == [Seen.DEAL]
    rows = [[str(sight.card) for sight in row] for row in cinema.seen[0].upcards]
    assert rows == [list(ANN), list(BEN)]
    assert cinema.watcher.table is not None
    assert cinema.watcher.table.stock is not None


def test_a_card_is_laid_by_the_one_whose_arm_it_was() -> None:
    cinema = dealt()
    seen = cinema.reach(1, 2, lambda: cinema.table.lay("5H", 0.1, 0.0, 0.1))
    assert game(seen) == ["LAID 5H"]
    laid = next(observation for observation in seen if observation.kind is Seen.LAID)
    assert laid.seat == 1
    assert laid.seat_score > 0.9


def test_three_plays_on_top_of_each_other() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("4H", 0.1, 0.0, 0.1))
    cinema.reach(1, 2, lambda: table.lay("6D", 0.2, 0.1, 0.3))
    cinema.reach(0, 2, lambda: table.lay("6S", 0.05, -0.1, -0.1))
    assert game(cinema.seen) == ["DEAL", "LAID 4H", "LAID 6D", "LAID 6S"]


def test_a_set_laid_together_is_one_observation() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: (table.lay("8H", -0.3, 0.0, 0.0), table.lay("8C", 0.2, 0.1, 0.1)))
    assert game(cinema.seen) == ["DEAL", "LAID 8H 8C"]


def test_a_pile_that_has_gone_and_a_lead_after_it() -> None:
    cinema = dealt()
    table = cinema.table
    four = table.lay("4H", 0.1, 0.0, 0.1)
    cinema.roll(0.6)
    cinema.reach(1, 2, lambda: table.take(four))
    cinema.roll(1.0)
    cinema.reach(0, 2, lambda: table.lay("9H", 0.0, 0.1, 0.0))
    assert game(cinema.seen) == ["DEAL", "LAID 4H", "GONE", "LAID 9H"]


def test_a_photo_series_tells_the_same_game() -> None:
    table = Tabletop()
    table.deal((ANN, BEN))
    cinema = Cinema(table)
    cinema.photo()
    four = table.lay("4H", 0.1, 0.0, 0.1)
    cinema.photo()
    six = table.lay("6D", 0.4, 0.1, 0.3)
    cinema.photo()
    table.take(four, six)
    cinema.photo()
    table.lay("9S", 0.4, 0.1, 0.3)
    cinema.photo()
    assert game(cinema.seen) == ["DEAL", "LAID 4H", "LAID 6D", "GONE", "LAID 9S"]
