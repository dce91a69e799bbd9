"""Rulings on who played and in how many gestures: seats, sets laid card by card, take-backs, hands over."""

from __future__ import annotations

import pytest

from datasets.games_aligned import plays_of
from tests.engine.referees import HIDDEN, UNSEEN, Told, codes, table, words


def played(told: Told) -> list[str]:
    """The ranks of each play so far."""
    return [play.ranks for play in plays_of(told.referee.game, set())]


# Who played


def test_a_play_out_of_turn_is_named() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S")
    answer = told.laid("9H", seat="Cem")
    assert answer["verdict"] == "illegal"
    assert words(answer) == "Cem cannot play 9; it is Ann's turn"
    assert answer["view"]["turn"] == "Ann"
    assert told("take-back")["view"]["turn"] == "Ann"
    told.laid("9H", seat="Cem")
    stood = told("stand")
    assert stood["view"]["pile"]["cards"] == ["5S", "9H"]
    assert stood["view"]["turn"] == "Ann"  # after Cem


def test_a_weak_hint_of_a_seat_does_not_make_a_play_out_of_turn() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S")
    answer = told.laid("9H", seat="Cem", seat_score=0.6, source="camera")
    assert (answer["verdict"], answer["as"]["seat"]) == ("accepted", "Ann")


def test_a_strong_hint_of_a_seat_is_asked() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S")
    answer = told.laid("9H", seat="Cem", seat_score=0.97, source="camera")
    assert answer["verdict"] == "doubtful"
    assert answer["messages"][0]["code"] == "who-was-it"


# One play in two gestures, and gestures taken back


def test_a_set_laid_card_by_card_is_one_play() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S")
    told.laid("7H", seat="Ann")
    answer = told.laid("7D", seat="Ann")
    assert answer["verdict"] == "accepted"
    assert words(answer) == "Ann plays two 7s; it is Ben's turn"
    assert answer["view"]["players"][0]["hand"] == 1


def test_two_gestures_soon_after_each_other_are_asked_and_decided_by_what_follows() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S")
    told.laid("7H", at=10.0)
    answer = told.laid("7D", at=11.0)
    assert answer["verdict"] == "doubtful"
    assert {candidate["event"]["seat"] for candidate in answer["question"]["candidates"]} == {"Ann", "Ben"}
    later = told.laid("9D", seat="Ben")
    assert later["question"] is None
    assert later["view"]["players"][0]["hand"] == 1


@pytest.mark.parametrize("seat", ["Ann", None])
def test_a_card_laid_at_once_to_one_that_skips_everybody_else_is_of_its_set(seat: str | None) -> None:
    """Of two players the other is skipped, so that Ann is to move again; nobody does so within a second."""
    told = table("hostel", HIDDEN, HIDDEN, pile="5S")
    assert told.laid("8H", seat=seat, at=10.0)["view"]["turn"] == "Ann"
    assert told.laid("8D", seat=seat, at=10.9)["verdict"] == "accepted"
    assert played(told) == ["88"]
    later = table("hostel", HIDDEN, HIDDEN, pile="5S")
    later.laid("8H", seat=seat, at=10.0)
    later.laid("8D", seat=seat, at=14.5)
    assert played(later) == ["8", "8"]


def test_who_has_drawn_lays_no_more_of_the_set() -> None:
    """Ann has drawn for her 9 when another comes, within a second, by a hand that may be hers or Ben's."""
    told = table("classic", HIDDEN, HIDDEN, pile="5S", stock=20)
    told.laid("9H", seat="Ann", at=10.0, seat_score=0.98, source="camera")
    told("drawn", seat="Ann", at=10.8, seat_score=0.98, source="camera")
    told.laid("9D", seat="Ann", at=11.0, seat_score=0.6, source="camera")
    assert played(told) == ["9", "9"]


def test_what_is_laid_to_a_10_before_the_pile_has_gone_is_of_its_set() -> None:
    told = table("hostel", HIDDEN, HIDDEN, pile="5S")
    told.laid("TH", seat="Ann", seat_score=0.95, at=10.0, source="camera")
    told.laid("TD", seat="Ann", seat_score=0.95, at=11.0, source="camera")
    assert played(told) == ["TT"]


def test_the_same_rank_later_is_the_next_players() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S")
    told.laid("7H", at=10.0)
    answer = told.laid("7D", at=30.0)
    assert (answer["verdict"], answer["view"]["turn"]) == ("accepted", "Cem")


def test_a_second_7_that_the_next_player_could_not_lay_belongs_to_the_first() -> None:
    told = table("hostel", HIDDEN, HIDDEN, HIDDEN, pile="5S")
    told.laid("7H")
    answer = told.laid("7D")
    assert (answer["verdict"], answer["view"]["turn"]) == ("accepted", "Ben")
    assert codes(answer)[0] == "played"


def test_a_take_back_is_no_second_move() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S")
    before = told.view
    told.laid("9H")
    answer = told("take-back")
    assert words(answer) == "Ann takes back 9"
    assert {**answer["view"], "seq": 0} == {**before, "seq": 0}
    assert told("take-back")["verdict"] == "nothing"


def test_lifting_all_but_the_rest_is_a_take_back() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S 6S")
    told.laid("9H", "9D")
    answer = told("gone", left=2)
    assert codes(answer) == ["taken-back"]
    assert answer["view"]["turn"] == "Ann"


def test_a_hand_over_the_table_and_nothing_else_changes_nothing() -> None:
    told = table("classic", HIDDEN, HIDDEN, pile="5S 6S")
    before = told.view
    assert told("gone", left=2)["verdict"] == "nothing"
    assert told("drawn", seat="Ann")["verdict"] == "nothing"
    assert told("show")["verdict"] == "nothing"
    assert {**told.view, "seq": 0} == {**before, "seq": 0}


def test_a_pass_that_nobody_told_is_understood_from_the_next_players_play() -> None:
    told = table("palace", UNSEEN, HIDDEN, HIDDEN, lead=10)
    answer = told.laid("JH", seat="Ben", seat_score=0.98, source="camera")
    assert (answer["verdict"], codes(answer)) == ("accepted", ["passed", "turn", "played", "turn"])
    assert answer["view"]["turn"] == "Cem"


def test_nobody_is_taken_to_have_passed_who_may_not() -> None:
    told = table("palace voluntary-pick-up=no", "hand KH KC ?1 up QD down ?3", HIDDEN, HIDDEN, lead=10)
    answer = told.laid("JH", seat="Ben", seat_score=0.98, source="camera")
    assert "passed" not in codes(answer)
