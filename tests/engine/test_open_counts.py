"""A squared set hides how many cards it has: the game goes on with all possibilities, and later events decide."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.referees import HIDDEN, Told, codes, table

ONE_OR_TWO = {"1": 0.5, "2": 0.5}


def third_or_fourth_nine() -> Told:
    """Two 9s lie there; Ann lays one or two: a burn or none."""
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S 9S 9H", stock=20)
    answer = told.laid("9D", count=ONE_OR_TWO)
    assert answer["verdict"] == "accepted"  # nobody is held up
    assert codes(answer)[-1] == "how-many"
    assert [len(one["event"]["cards"]) for one in answer["question"]["candidates"]] in ([1, 2], [2, 1])
    return told


def test_a_tap_decides_at_once() -> None:
    for number, (turn, pile) in {1: ("Ben", 4), 2: ("Ann", 0)}.items():
        told = third_or_fourth_nine()
        question = told.view["question"]
        choice = [len(one["event"]["cards"]) for one in question["candidates"]].index(number)
        answer = told("answer", question=question["id"], choice=choice)
        assert answer["question"] is None
        assert (answer["view"]["turn"], answer["view"]["pile"]["count"]) == (turn, pile)
        assert codes(answer)[:2] == ["answered", "played"]


def test_a_person_may_correct_the_count() -> None:
    told = third_or_fourth_nine()
    answer = told("correct", seq=1, with_={"event": "laid", "cards": ["9D", "9C"], "seat": "Ann"})
    assert answer["question"] is None
    assert answer["view"]["turn"] == "Ann"


def test_the_fourth_of_a_kind_decides() -> None:
    told = third_or_fourth_nine()
    answer = told.laid("9C")
    assert answer["question"] is None  # had there been two, there would be no 9 left
    assert answer["view"]["turn"] == "Ben"
    assert "burns-four" in codes(answer)


def test_a_pile_that_goes_speaks_for_the_burn() -> None:
    told = third_or_fourth_nine()
    answer = told("gone")
    assert answer["view"]["turn"] == "Ann"
    assert answer["as"] == {"event": "burn"}
    assert told.laid("4D", seat="Ann")["question"] is None


def test_a_play_on_the_pile_speaks_against_it() -> None:
    told = third_or_fourth_nine()
    answer = told.laid("JD", seat="Ben")
    assert answer["question"] is None
    assert answer["view"]["turn"] == "Cem"


def test_a_draw_that_is_counted_decides() -> None:
    for number in (1, 2):
        told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S", stock=20)
        told.laid("9D", count=ONE_OR_TWO)
        answer = told("drawn", seat="Ann", count=number)
        assert answer["question"] is None
        assert answer["view"]["pile"]["count"] == 1 + number
        assert answer["view"]["stock"] == 20 - number


def test_a_hand_that_runs_out_decides() -> None:
    told = table("classic", "hand ?2 up KH KC 5D down ?3", HIDDEN, pile="5S")
    told.laid("9D", count=ONE_OR_TWO)
    told.laid("JD")
    answer = told.laid("KH")  # an upcard: the hand must have been empty
    assert answer["question"] is None
    assert answer["verdict"] == "accepted"
    assert answer["view"]["pile"]["count"] == 5
    assert answer["view"]["players"][0]["hand"] == 0


def test_the_stock_that_ends_decides() -> None:
    # Ann's draw leaves one card or none; Ben lays his last hand card, then an upcard: there was no card for him.
    told = table("classic hand-size=1", "hand ?2 up ?3 down ?3", "hand ?1 up KH KC 5H down ?3", pile="5S", stock=1)
    told.laid("9D", count=ONE_OR_TWO)
    told.laid("JD", seat="Ben")
    told.laid("QD", seat="Ann")
    answer = told.laid("KH", seat="Ben")
    assert answer["verdict"] == "accepted"
    assert answer["question"] is None
    assert answer["view"]["pile"]["count"] == 6


def test_a_set_cannot_be_larger_than_what_is_left_of_it() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="9C 9S KS 5S")
    answer = told.laid("9D", count={"1": 0.2, "2": 0.3, "3": 0.5})
    assert max(len(one["event"]["cards"]) for one in answer["question"]["candidates"]) == 2


@pytest.mark.parametrize("count", [{"1": 0.95, "2": 0.05}, {"1": 0.02, "3": 0.98}])
def test_a_sure_count_is_not_asked(count: dict[str, float]) -> None:
    answer = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S").laid("9D", count=count)
    assert answer["question"] is None
    assert answer["messages"][0]["count"] == int(max(count, key=count.__getitem__))


def test_several_open_counts_at_once() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S", stock=20)
    answer: dict[str, Any] = {}
    for card in ("6D", "8D", "9D", "JD", "QD", "KD"):
        answer = told.laid(card, count=ONE_OR_TWO)
        assert answer["verdict"] == "accepted"
        assert told.state.faults() == []
    assert answer["view"]["turn"] == "Ann"
    first = told("answer", question="q1", choice={"event": "laid", "cards": ["6D"], "seat": "Ann"})
    assert first["question"]["id"] == "q2"


def test_other_doubts_go_on_beside_an_open_count() -> None:
    told = third_or_fourth_nine()
    answer = told.laid({"TD": 0.5, "JD": 0.5}, seat="Ben")
    assert answer["question"]["id"] == "q2"
    assert told.laid("QD", seat="Cem")["question"] is None  # on the jack; after the 10 it is Ben's lead
    assert told.view["pile"]["cards"][-2:] == ["JD", "QD"]


def test_a_count_is_asked_for_where_who_played_is_hardly_in_doubt() -> None:
    """A card is laid by a hand that comes from Ann's side all but surely: how many it was is asked, not who it was."""
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S", stock=20)
    answer = told.laid("9D", seat="Ann", seat_score=0.9, count=ONE_OR_TWO, source="camera")
    assert answer["question"]["asks"]["code"] == "how-many"
    assert {one["event"]["seat"] for one in answer["question"]["candidates"]} == {"Ann"}
    sure = {"1": 0.9, "2": 0.1}
    answer = told.laid("JD", seat="Ben", seat_score=0.9, count=sure, source="camera")
    assert answer["question"]["about"] == 1  # the 9 alone


def test_the_rest_of_a_set_is_of_whose_hand_laid_it_though_the_card_was_thought_to_be_elsewhere() -> None:
    """A 4 lay hidden under another and was picked up unseen: Ann lays all three, though Ben was said to hold one."""
    told = table("classic", "hand ?4 down ?3", "hand 4D ?3 down ?3", pile="3S", stock=20)
    told.laid("4H", seat="Ann", seat_score=0.99, at=10.0, source="camera")
    told.laid("4D", seat="Ann", seat_score=0.99, at=11.0, source="camera")
    answer = told.laid("4C", seat="Ann", seat_score=0.99, at=12.0, source="camera")
    assert answer["view"]["turn"] == "Ben"
    assert [player["hand"] for player in answer["view"]["players"]] == [3, 4]


def test_of_a_set_laid_in_two_movements_all_cards_are_asked_for() -> None:
    """One 9 lies there; Ann lays one or two to it. Who looks at the table sees two or three."""
    told = table("classic", HIDDEN, HIDDEN, pile="5S", stock=20)
    told.laid("9H", seat="Ann", at=1.0)
    question = told.laid("9D", seat="Ann", at=2.0, count=ONE_OR_TWO)["question"]
    assert [len(one["play"]) for one in question["candidates"]] in ([2, 3], [3, 2])
    assert {one["words"] for one in question["candidates"]} == {"Ann: two 9s", "Ann: three 9s"}
    three = [len(one["play"]) for one in question["candidates"]].index(3)
    assert told("answer", question=question["id"], choice=three)["view"]["pile"]["count"] == 4


def test_what_has_been_laid_to_a_set_since_is_asked_for_too() -> None:
    told = table("classic", HIDDEN, HIDDEN, pile="5S", stock=20)
    told.laid("9H", seat="Ann", at=1.0, count=ONE_OR_TWO)
    question = told.laid("9D", seat="Ann", at=2.0)["question"]
    assert question["about"] == 1
    assert {one["words"] for one in question["candidates"]} == {"Ann: two 9s", "Ann: three 9s"}


def test_a_choice_is_of_what_was_offered() -> None:
    """That another than Ann has played it, likelier than a set, is not offered: the second choice is the set."""
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S", stock=20)
    count = {"1": 0.8, "2": 0.12, "3": 0.08}
    question = told.laid("9D", seat="Ann", seat_score=0.9, count=count, source="camera")["question"]
    for choice, candidate in enumerate(question["candidates"]):
        again = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S", stock=20)
        again.laid("9D", seat="Ann", seat_score=0.9, count=count, source="camera")
        answer = again("answer", question=question["id"], choice=choice)
        assert answer["view"]["pile"]["count"] == 1 + len(candidate["play"])
