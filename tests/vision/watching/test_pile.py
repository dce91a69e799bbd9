"""What happens on the pile: quick hands, take-backs, squared piles, cards beneath, corners misread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from tests.vision.tabletop import Cinema, Tabletop, dealt, game, likelihoods
from vision.table.place import Placed
from vision.types import Seen
from vision.watching.pile_card import PileCard, lay_below
from vision.watching.track import Track


def swiftly(cinema: Cinema, seat: int, act: Callable[[], object]) -> None:
    """An arm in and out within half a second."""
    for reach in (6.0, 3.0, 0.5):
        cinema.table.hands = [cinema.table.arm(seat, 2, reach)]
        cinema.frame()
    act()
    for reach in (3.0, 7.0):
        cinema.table.hands = [cinema.table.arm(seat, 2, reach)]
        cinema.frame()
    cinema.table.hands = []


def test_a_pile_was_taken_by_whoever_was_there_before_the_next_player_led() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    nine = table.cards[-1]
    swiftly(cinema, 1, lambda: table.take(nine))
    cinema.roll(0.4)
    swiftly(cinema, 0, lambda: table.lay("KD", 0.2, 0.1, 0.3))
    cinema.roll(0.8)
    assert game(cinema.seen) == ["DEAL", "LAID 9H", "GONE", "LAID KD"]
    seats = {observation.kind: observation.seat for observation in cinema.seen[-4:]}
    assert (seats[Seen.GONE], seats[Seen.LAID]) == (1, 0)


def test_bare_table_where_the_pile_lay_is_told_within_the_second() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    nine = table.cards[-1]
    swiftly(cinema, 1, lambda: table.take(nine))
    began = cinema.number / cinema.rate
    cinema.roll(1.5)
    gone = next(observation for observation in cinema.seen if observation.kind is Seen.GONE)
    assert gone.at - began < 0.9


def test_two_plays_seen_in_one_look_are_those_of_the_two_hands_in_order() -> None:
    cinema = dealt()
    table = cinema.table
    swiftly(cinema, 1, lambda: table.lay("4H", -0.3, 0.0, 0.1))
    # The next hand is there before the pile has come to rest.
    swiftly(cinema, 0, lambda: table.lay("6D", 0.35, 0.1, 0.2))
    cinema.roll(0.8)
    assert game(cinema.seen) == ["DEAL", "LAID 4H", "LAID 6D"]
    assert [observation.seat for observation in cinema.seen if observation.kind is Seen.LAID] == [1, 0]


def test_the_pile_is_read_while_the_hand_that_laid_is_still_beside_it() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    for reach in (6.0, 3.0, 0.5):
        table.hands = [table.arm(1, 2, reach)]
        cinema.frame()
    table.lay("QD", 0.2, 0.0, 0.3)
    table.hands = [table.arm(1, 2, 1.7)]
    cinema.roll(0.8)
    assert game(cinema.seen) == ["DEAL", "LAID 9H", "LAID QD"]


def test_a_fan_over_the_pile_does_not_mean_that_the_pile_has_gone() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.0, 0.0, 0.0))
    # Each of the two kings hides one corner of the nine.
    cinema.reach(1, 2, lambda: (table.lay("KH", -0.35, 0.0, 0.0), table.lay("KS", 0.3, 0.05, 0.0)))
    assert game(cinema.seen) == ["DEAL", "LAID 9H", "LAID KH KS"]


def test_a_lead_laid_at_once_where_the_pile_has_gone_and_shows_bare_table() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", -0.3, 0.0, 0.0))
    cinema.reach(1, 2, lambda: table.lay("QD", -0.2, 0.1, 0.4))
    nine, queen = table.cards[-2:]
    swiftly(cinema, 0, lambda: (table.take(nine, queen), table.lay("KD", 0.5, 0.0, 0.2)))
    cinema.roll(0.8)
    assert game(cinema.seen)[-2:] == ["GONE", "LAID KD"]


def test_a_card_nearly_under_another_of_its_set_speaks_for_two() -> None:
    counts = {}
    for name, off in (("alone", None), ("slipped", 0.08)):
        cinema = dealt()
        table = cinema.table
        cinema.reach(0, 2, partial(table.lay, "9H", -0.2, 0.1, 0.5))
        before = len(cinema.seen)

        def lay(table: Tabletop = table, off: float | None = off) -> None:
            if off is not None:
                table.lay("QC", 0.1 - off, off, 0.16)
            table.lay("QD", 0.1, 0.0, 0.1)

        cinema.reach(1, 2, lay)
        laid = next(observation for observation in cinema.seen[before:] if observation.kind is Seen.LAID)
        assert [str(sight.card) for sight in laid.cards] == ["QD"]
        counts[name] = sum(p for count, p in laid.counts.items() if count > 1)
    assert counts["alone"] < 0.2
    assert counts["slipped"] > 0.4


def test_a_card_that_shows_again_once_others_are_lifted_is_no_play() -> None:
    """Placed by the one corner that a hand left free, it seemed to lie on the other side of it."""
    anchor = np.zeros((1, 2))
    placed = Placed(np.array([0.3, 0.4]), 0.0, anchor, likelihoods("4C"), 1.0)
    card = PileCard(placed, 1, 0.0, visible=False)
    both = Placed(np.array([-0.3, -0.4]), 0.0, np.zeros((2, 2)), likelihoods("4C"), 1.0)
    assert not lay_below([card], Track.start(replace(both, likelihoods=likelihoods("4D")), 1.0))
    assert not lay_below([card], Track.start(replace(both, centre=np.array([-2.0, 0.0])), 1.0))
    assert lay_below([card], Track.start(both, 1.0))
    assert card.visible
    assert card.placed.centre.tolist() == [-0.3, -0.4]


@pytest.mark.parametrize(
    ("other", "seen"),
    [("QD", ["LIFTED 4D", "LAID QD"]), ("4H", ["LAID 4H"])],
    ids=["another is laid instead", "it is laid again under one of its rank"],
)
def test_a_card_taken_up_and_another_laid_in_one_go(other: str, seen: list[str]) -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.3, 0.1, 0.1))
    cinema.reach(1, 2, lambda: table.lay("4D", -0.3, -0.2, 0.5))
    four = table.cards[-1]
    cinema.reach(1, 2, lambda: (table.take(four), table.lay(other, 0.4, 0.3, -0.2)))
    assert game(cinema.seen) == ["DEAL", "LAID 9H", "LAID 4D", *seen]


def test_a_card_taken_back_and_at_once_another_laid_is_both() -> None:
    """The card beneath was seen for a moment only: the pile has not gone, though the new card hides all of it."""
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.0, 0.0, 0.1))
    cinema.reach(1, 2, lambda: table.lay("4D", 0.05, 0.02, 0.15))
    table.hands = [table.arm(1, 2, 0.0)]
    cinema.roll(0.3)
    table.take(table.cards[-1])
    cinema.roll(0.2)
    table.hands = []
    cinema.roll(0.4)
    for _ in range(4):
        table.hands = [table.arm(1, 2, 0.0)]
        cinema.frame()
    table.lay("QD", 0.02, 0.0, 0.12)
    cinema.frame()
    table.hands = []
    cinema.roll(1)
    assert game(cinema.seen) == ["DEAL", "LAID 9H", "LAID 4D", "LIFTED 4D", "LAID QD"]


def test_a_face_read_on_the_back_of_a_downcard_is_no_new_upcard() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(1, 2, lambda: table.lay("4H", 0.1, 0.0, 0.1))
    seven = next(card for card in table.cards if card.face == "7S")

    def play() -> None:
        table.take(seven)
        table.lay("XX", seven.x, seven.y, seven.turn)  # a back that a net takes for a king
        table.lay("7S", 0.2, 0.1, 0.4)

    table.misread = lambda card, _: "KD" if card.face == "XX" else card.face
    cinema.reach(0, 2, play)
    upcards = [event for event in game(cinema.seen) if event.startswith("UPCARDS")]
    assert upcards == ["UPCARDS 3C 9D"]
    assert "LAID 7S" in game(cinema.seen)


def test_a_half_covered_corner_read_with_the_suit_of_its_cover_is_no_play() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(1, 2, lambda: table.lay("5C", 0.0, 0.0, 0.0))
    table.misread = lambda card, _: "5D" if card.face == "5C" and table.cards[-1].face == "6D" else card.face
    cinema.reach(0, 2, lambda: table.lay("6D", 0.3, 0.1, 0.1))
    assert game(cinema.seen) == ["DEAL", "LAID 5C", "LAID 6D"]


def test_a_take_back_shows_beside_the_next_card_though_its_corners_are_covered() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.0, 0.0, 0.0))
    cinema.reach(1, 2, lambda: table.lay("4D", 0.0, 0.0, 1.5))
    four = table.cards[-1]
    # Wide enough across both ends of the four's corners, not over its whole length.
    cinema.reach(1, 2, lambda: (table.take(four), table.lay("QD", 0.1, 0.05, 0.75)))
    assert game(cinema.seen)[1:4] == ["LAID 9H", "LAID 4D", "LIFTED 4D"]
    assert game(cinema.seen)[-1] == "LAID QD"


def test_a_pile_squared_up_is_no_play_and_the_next_card_does_not_mean_that_it_has_gone() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", -0.5, 0.1, 0.5))
    cinema.reach(1, 2, lambda: table.lay("QD", 0.2, 0.0, 0.0))
    nine = table.cards[-2]

    def square() -> None:
        queen = table.cards[-1]
        table.take(nine, queen)
        table.lay("9H", 0.15, 0.02, 0.02)
        table.lay("QD", 0.15, 0.0, 0.0)

    cinema.reach(1, 2, square)
    cinema.roll(2.0)
    cinema.reach(0, 2, lambda: table.lay("KD", 0.1, 0.0, 0.0))
    laid = [event for event in game(cinema.seen) if event != "SQUARED"]
    assert laid == ["DEAL", "LAID 9H", "LAID QD", "LAID KD"]
    king = table.cards[-1]
    cinema.reach(0, 2, lambda: table.take(king))
    assert game(cinema.seen)[-1] == "LIFTED KD"


def test_what_lies_before_a_player_is_not_read_on_the_pile_until_it_is_played() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(1, 2, lambda: table.lay("5C", 0.0, 0.0, 0.0))
    table.misread = lambda card, _: "7S" if card.face == "6S" else card.face
    cinema.reach(0, 2, lambda: table.lay("6S", 0.3, 0.1, 0.1))
    cinema.roll(1.0)
    wrong = [sight.card for seen in cinema.seen[1:] for sight in seen.cards if max(sight.likelihoods.values()) > 0.5]
    assert "7S" not in map(str, wrong)
    table.misread = None
    seven = next(card for card in table.cards if card.face == "7S")
    cinema.reach(0, 2, lambda: (table.take(seven), table.lay("7S", -0.2, 0.1, 0.4)))
    assert "LAID 7S" in game(cinema.seen)
