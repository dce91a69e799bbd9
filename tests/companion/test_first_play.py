"""Who plays first: the rules say it, or they say it unless somebody claims a lower card, or only the table knows."""

from __future__ import annotations

import pytest

from tests.companion.played import CARDS
from tests.companion.serving import Phone, Served


def test_the_exchange_ends_when_somebody_says_play(host: Phone) -> None:
    host.send("new-game")
    host.send("deal", {"upcards": CARDS})
    assert host.table()["state"] == "exchange"
    assert host.send("play")["ok"]
    view = host.table()["view"]
    assert (view["phase"], view["turn"]) == ("play", "Ann"), "Ann shows the 3"


NO_THREE = {**CARDS, "Ann": ["4C", "8C", "JC"], "Ben": ["5D", "9D", "KC"]}
HALF_READ = {**NO_THREE, "Ann": ["4H", "??", "9C"]}


@pytest.mark.parametrize(
    ("upcards", "starts", "turn"),
    [(CARDS, "plays-first", "Ann"), (NO_THREE, "claim-lower", "Ann"), (HALF_READ, "claim-first", None),
     ({}, "claim-first", None)],
)  # fmt: skip
def test_ready_to_play_makes_nobody_start_whom_the_rules_do_not_name(
    upcards: dict[str, list[str]], starts: str, turn: str | None, host: Phone
) -> None:
    host.send("new-game")
    assert host.send("play")["error"]["code"] == "event-refused", "before the deal nobody knows"
    host.send("deal", {"upcards": upcards})
    assert host.table()["starts"]["code"] == starts
    said = host.send("play")
    table = host.table()
    assert said["ok"] == (turn is not None)
    assert (table["view"]["turn"], table["view"]["phase"]) == (turn, "exchange" if turn is None else "play")
    if turn is None:
        assert said["error"]["reason"] == "claim-first"
        assert host.send("start", {"seat": "Cem"})["ok"]
    assert host.table()["starts"] is None


def test_who_starts_by_the_upcards_stays_so_through_an_exchange(host: Phone) -> None:
    host.send("new-game")
    host.send("deal", {"upcards": NO_THREE})
    assert host.send("exchange", {"seat": "Ann", "upcards": ["KD", "8C", "JC"]})["ok"]
    assert host.table()["starts"]["player"] == "Ann"


def test_where_everybody_enters_the_own_plays_the_starter_says_play(running: Served, host: Phone) -> None:
    ann, ben = running.phone("Ann"), running.phone("Ben")
    assert host.send("set-up", {"taps": "own"})["ok"]
    host.send("new-game")
    assert ann.send("sit", {"seat": 0})["ok"]
    assert ben.send("sit", {"seat": 1})["ok"]
    host.send("deal", {"upcards": CARDS})
    assert ben.send("play")["error"]["code"] == "not-allowed"
    assert ann.send("play")["ok"]
