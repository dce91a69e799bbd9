"""Downcards that are seen to have gone tell who played, and who is out."""

from __future__ import annotations

import pytest

from tests.engine.referees import HIDDEN, Told, codes, table

SEES = {"source": "camera"}


def near_the_end() -> Told:
    """Ann has one upcard more, as far as was counted; it is Ben's turn, then Cem's."""
    return table(
        "classic", "hand up 4S down ?3", "hand ?4 up ?3 down ?3", "hand ?4 up ?3 down ?3", pile="5S 6D", turn=0
    )


def test_a_seat_from_which_a_downcard_has_gone_has_no_upcards() -> None:
    told = near_the_end()
    told.laid({"QC": 0.99}, **SEES)
    answer = told("downcards", seat="Ann", left=2, **SEES)
    assert (answer["verdict"], codes(answer)) == ("nothing", [])
    told.laid({"KC": 0.99}, **SEES)
    ann = told.state.players[0]
    assert (ann.hand.size, ann.up.size, ann.down.size) == (0, 0, 2)
    assert told.view["turn"] == "Cem"


def test_a_seat_before_which_nothing_lies_and_that_holds_nothing_is_out() -> None:
    told = table("classic", "hand ?1 down ?1", "hand ?4 up ?3 down ?3", "hand ?4 up ?3 down ?3", pile="5S 6D", turn=1)
    told("downcards", seat="Ann", left=0, **SEES)
    told.laid({"QC": 0.99}, seat="Ben", seat_score=0.9, **SEES)
    told.laid({"KC": 0.99}, seat="Cem", seat_score=0.9, **SEES)
    told.laid({"AC": 0.99}, seat="Ben", seat_score=0.9, **SEES)
    assert told.view["out"] == ["Ann"]
    assert told.view["turn"] == "Cem"


def test_one_false_sighting_is_forgotten_with_the_next() -> None:
    told = table("classic", HIDDEN, HIDDEN, pile="5S", stock=12)
    for left in (0, 3):
        told("downcards", seat="Ann", left=left, **SEES)
        assert told.view["players"][0]["down"] == 3
        assert told.view["players"][0]["up"] == ["??"] * 3
    assert told.view["chance"] > 0.95


@pytest.mark.parametrize(("left", "out"), [(0, ["Ann"]), (1, []), (2, [])])
def test_a_persons_word_counts(left: int, out: list[str]) -> None:
    told = table("classic", "hand ?1 up 4S down ?3", HIDDEN, HIDDEN, pile="5S 6D", turn=0)
    told("downcards", seat="Ann", left=left)
    assert told.view["players"][0]["down"] == left
    assert told.view["out"] == out
    assert told.state.faults() == []
