"""Flags: a play that somebody doubts, until it is settled."""

from __future__ import annotations

import pytest

from companion.refusals import RefusalError
from companion.status import TableState
from companion.storage import DataFolder
from tests.companion.serving import Phone, Served, code, start
from tests.companion.tables import dealt, opened, state, table


def test_flags_are_kept_and_settled(folder: DataFolder) -> None:
    session = table(folder)
    dealt(session)
    session.flag(None, "Ben", "that was a 9")
    assert state(session) == TableState.PLEASE_CHECK
    session.close()
    again = opened(folder)
    assert state(again) == TableState.PLEASE_CHECK
    again.unflag(again.flags[0]["id"])
    assert state(again) == TableState.BY_HAND
    with pytest.raises(RefusalError, match="settled already"):
        again.unflag("1")


def test_many_flags_are_settled_at_once_but_not_what_came_meanwhile(folder: DataFolder) -> None:
    session = table(folder)
    dealt(session)
    for number in range(25):
        session.flag(number % 3, f"Phone {number // 3}", "")
    assert len(session.flags) == 20
    session.flag(2, session.flags[-1]["by"], "the same again")
    assert len(session.flags) <= 20
    seen = [flag["id"] for flag in session.flags]
    session.flag(1, "Dora", "a new one")
    session.unflag(*seen)
    assert [flag["words"] for flag in session.flags] == ["a new one"]


def test_who_flags_a_play_again_says_it_anew(folder: DataFolder) -> None:
    session = table(folder)
    dealt(session)
    for words in ("", "that was a 9", "no, a 6"):
        session.flag(2, "Ben", words)
    session.flag(1, "Ben", "and this")
    session.flag(2, "Cem", "")
    assert [(flag["by"], flag["words"]) for flag in session.flags] == [
        ("Ben", "no, a 6"),
        ("Ben", "and this"),
        ("Cem", ""),
    ]


def test_a_flag_bears_the_name_that_the_table_knows(running: Served, host: Phone) -> None:
    start(host)
    nameless, named = running.phone(), running.phone("Zoe's phone")
    assert nameless.send("sit", {"seat": 1})["ok"]
    for phone in (nameless, named):
        assert phone.send("flag", {"words": "look"})["ok"]
    assert [flag["by"] for flag in host.table()["flags"]] == ["Ben", "Zoe's phone"]
    assert code(named.send("unflag", {"flag": "1"})) == "not-allowed"
    assert nameless.send("unflag", {"flag": "1"})["ok"]


def test_who_decides_settles_all_flags_at_once(running: Served, host: Phone) -> None:
    start(host)
    ben = running.phone("Ben's phone")
    for seq, phone in ((1, host), (2, ben), (1, ben)):
        assert phone.send("flag", {"seq": seq})["ok"]
    seen = [flag["id"] for flag in host.table()["flags"]]
    assert code(ben.send("unflag", {"flags": seen})) == "not-allowed"
    assert ben.send("flag", {"seq": 2, "words": "look again"})["ok"]
    assert host.send("unflag", {"flags": seen})["ok"]
    assert [flag["words"] for flag in host.table()["flags"]] == ["look again"], "nobody has seen this one yet"
    assert code(host.send("unflag", {"flags": seen})) == "unknown-flag"
    for wrong in ({}, {"flags": "1"}, {"flags": [1]}, {"flag": None}, {"flag": "1", "flags": []}):
        assert code(host.send("unflag", wrong)) == "bad-value"
