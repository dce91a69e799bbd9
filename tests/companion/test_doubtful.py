"""What speaks against a play or a correction is asked before it is recorded; a person's word counts all the same."""

from __future__ import annotations

from typing import Any

import pytest

from engine.records import load
from tests.companion.serving import Phone, Served, code, start


def recorded(running: Served) -> list[str]:
    game = running.session.playing()
    return [str(line.event["event"]) for line in load(running.session.folder.record(game.id)).events]


def problems(answer: dict[str, Any]) -> list[str]:
    return [str(problem["code"]) for problem in answer["error"]["problems"]]


@pytest.fixture
def played(host: Phone) -> Phone:
    """Ann, Ben and Cem have played 5, 6 and 8 (events 3 to 5)."""
    start(host)
    for card in ("5C", "6C", "8C"):
        assert host.send("laid", {"cards": [card]})["ok"]
    return host


@pytest.mark.parametrize(
    ("name", "fields", "said"),
    [
        ("correct", {"seq": 3, "with": {"event": "laid", "cards": ["6?"] * 4}}, "has-at-most"),
        ("correct", {"seq": 4, "with": {"event": "laid", "cards": ["9?", "9?"]}}, "has-at-most"),
        ("correct", {"seq": 4, "with": {"event": "laid", "cards": ["JC"]}}, "then-illegal"),
        ("insert", {"before": 4, "with": {"event": "laid", "cards": ["JC"]}}, "then-illegal"),
        ("laid", {"cards": ["9?"] * 2}, "has-at-most"),
        ("laid", {"cards": ["Q?"] * 4}, "has-at-most"),
    ],
)
def test_what_something_speaks_against_is_not_recorded(
    running: Served, played: Phone, name: str, fields: dict[str, Any], said: str
) -> None:
    before, shown = recorded(running), played.table()
    refused = played.send(name, fields)
    assert code(refused) == "doubtful"
    assert problems(refused)[0] == said
    assert recorded(running) == before
    assert played.table() == shown, "every screen shows what is so"


def test_who_decides_may_insist_and_both_are_recorded(running: Served, played: Phone) -> None:
    fields = {"seq": 4, "with": {"event": "laid", "cards": ["JC"]}}
    insisted = played.send("correct", {**fields, "insist": True})
    assert insisted["ok"]
    assert [said["code"] for said in insisted["ruling"]["messages"]][:2] == ["corrected", "then-illegal"]
    assert recorded(running)[-1] == "correct"
    assert played.table()["log"][3]["state"] == "corrected"


def test_a_play_that_is_insisted_on_counts(running: Served, played: Phone) -> None:
    """Four queens out of a hand that was counted to be three cards: then it was one more."""
    answer = played.send("laid", {"cards": ["QC", "QD", "QH", "QS"], "insist": True})
    assert answer["ok"]
    assert played.table()["view"]["burnt"] == 7, "they burn the pile"
    assert recorded(running)[-1] == "insert"


def test_what_the_game_can_make_nothing_of_cannot_be_insisted_on(running: Served, played: Phone) -> None:
    """Two nines lie face up before others: three of them in Ben's hand are no miscount but a mistake."""
    fields = {"seq": 4, "with": {"event": "laid", "cards": ["9?"] * 3}}
    assert played.send("correct", fields)["error"]["insist"] is False
    before = recorded(running)
    again = played.send("correct", {**fields, "insist": True})
    assert code(again) == "doubtful"
    assert recorded(running) == before


@pytest.mark.usefixtures("played")
def test_a_player_does_not_insist(running: Served) -> None:
    ben = running.phone("Ben")
    play = {"cards": ["Q?"] * 4}
    assert code(ben.send("laid", play)) == "doubtful"
    assert code(ben.send("laid", {**play, "insist": True})) == "not-allowed"
    assert ben.send("laid", {"cards": ["QC"]})["ok"]


def test_what_fits_needs_no_insisting(played: Phone) -> None:
    assert played.send("correct", {"seq": 5, "with": {"event": "laid", "cards": ["8C", "8D"]}})["ok"]
    assert played.send("insert", {"before": 5, "with": {"event": "laid", "cards": ["7D"]}})["ok"]
    assert played.send("correct", {"seq": 3, "with": None})["ok"]
    assert code(played.send("laid", {"cards": ["QC"], "insist": "yes"})) == "bad-value"
