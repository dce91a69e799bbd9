"""What odd people, networks and clocks bring to a table: none of it stops the game, and none of it is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.people import POLLING, People
from companion.refusals import RefusalError
from companion.set_up import NAME_LENGTH, SetUp, printable
from companion.storage import DataFolder
from tests.companion.serving import Phone, Served, served
from tests.waiting import PATIENCE, until

NAMES = {
    "an emoji": "🦄",
    "a family": "👨‍👩‍👧",
    "Hebrew": "שרה",
    "Persian with a joiner": "می‌خواهم",
    "HTML": "<img src=x onerror=y>",
    "a quote": 'O\'Hara "Q"',
    "marks": "Zoë̈̈",
    "as long as allowed": "W" * NAME_LENGTH,
    "a template": "{player}",
    "a card": "7H",
    "None": "None",
}


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Served]:
    with DataFolder.open(tmp_path) as folder, served(folder) as made:
        yield made


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_whoever_has_an_odd_name_plays_like_everybody(host: Phone, name: str) -> None:
    players = [{"name": name}, {"name": "Ben"}]
    assert host.send("set-up", {"players": players})["ok"]
    assert host.table()["set_up"]["players"][0]["name"] == name
    assert host.send("new-game")["ok"]
    assert host.send("deal", {"upcards": {name: ["4H", "5H", "??"]}})["ok"]
    assert host.send("start", {"seat": name})["ok"]
    assert host.send("laid", {"cards": ["9H"], "seat": name})["ok"]
    view = host.table()["view"]
    assert view["players"][0]["name"] == name
    assert view["turn"] == "Ben"
    game = host.table()["game"]["id"]
    assert host.http.get(f"/api/games/{game}").json()["players"] == [name, "Ben"]
    first = host.http.get(f"/api/games/{game}/record").text.splitlines()[0]
    assert json.loads(first)["players"] == [name, "Ben"]


@pytest.mark.parametrize("name", ["", " ", "\u202e", "\u200d\u200c", "\x00\x1b", "\ud800", "7", "x" * 200, "\n"])
def test_what_is_no_name_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(RefusalError) as refused:
        SetUp().change({"players": [{"name": name}]})
    assert refused.value.code == "bad-value"


def test_marks_of_direction_and_control_characters_do_not_get_in() -> None:
    assert printable("Ann\u202eneB\x1b[0m\u2066 \u200d") == "Ann neB [0m"


def test_joiners_stay_where_they_join_and_make_no_second_name() -> None:
    assert printable("👨\u200d👩\u200d👧 می\u200cخواهم") == "👨\u200d👩\u200d👧 می\u200cخواهم"
    assert printable("A\u200dnn\u200d 👨\u200d\u200d👩\u200d") == "Ann 👨👩"
    with pytest.raises(RefusalError, match="two players"):
        SetUp().change({"players": [{"name": "می\u200cخواهم"}, {"name": "میخواهم"}]})
    assert "\u200d" not in SetUp().change({"forfeit": "👨\u200d👩 tea"}).forfeit


BODIES = {
    "half a surrogate as a field": '{"id": "a", "based_on": 0, "name": "flag", "fields": {"\\ud800": 1}}',
    "half a surrogate as a value": '{"id": "a", "based_on": 0, "name": "name", "fields": {"name": "\\udfff"}}',
    "half a surrogate as an id": '{"id": "\\ud800", "based_on": 0, "name": "name", "fields": {"name": "x"}}',
    "half a surrogate as a name": '{"id": "a", "based_on": 0, "name": "\\ud800", "fields": {}}',
    "half a surrogate as a card": '{"id": "a", "based_on": 0, "name": "laid", "fields": {"cards": ["\\ud800H"]}}',
    "not a number": '{"id": "a", "based_on": NaN, "name": "flag", "fields": {}}',
    "infinity": '{"id": "a", "based_on": 0, "name": "set-up", "fields": {"players": [{"name": "A", "x": Infinity}]}}',
    "a huge number": '{"id": "a", "based_on": 1' + "0" * 5000 + ', "name": "flag", "fields": {}}',
    "a large number": '{"id": "a", "based_on": 0, "name": "flag", "fields": {"seq": 1' + "0" * 400 + "}}",
    "a deep list": '{"id": "a", "based_on": 0, "name": "laid", "fields": {"cards": ' + "[" * 3000 + "]" * 3000 + "}}",
    "a key twice": '{"id": "a", "id": 1, "based_on": 0, "name": "flag", "fields": {}}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_an_odd_message_gets_an_answer_in_the_one_shape(host: Phone, body: str) -> None:
    begin(host)
    answer = host.http.post("/api/command", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code < 500, answer.text
    assert set(answer.json()["error"]) >= {"code", "words"}
    with host.socket() as phone:
        phone.send(body)
        kinds = []
        while "answer" not in kinds and "error" not in kinds:
            message = json.loads(phone.recv(timeout=PATIENCE))
            kinds.append(message["type"])
        assert message["error"]["code"] != "internal"
    assert host.table()["view"]["turn"] == "Ann"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/join", '{"token": "\\ud800"}'),
        ("/api/join", '{"token": "x", "\\ud800": 1}'),
        ("/api/rules/check", '{"rules": "\\ud800", "players": 2}'),
        ("/api/rules/check", '{"rules": "classic", "options": {"\\ud800": "\\ud800"}, "players": 2}'),
    ],
)
def test_half_a_surrogate_is_no_inner_fault_anywhere(host: Phone, path: str, body: str) -> None:
    answer = host.http.post(path, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code < 500, answer.text
    assert "Traceback" not in answer.text
    answer.json()


def begin(host: Phone) -> None:
    assert host.send("set-up", {"players": ["Ann", "Ben"]})["ok"]
    for name, fields in (("new-game", {}), ("deal", {"upcards": {}}), ("start", {"seat": "Ann"})):
        assert host.send(name, fields)["ok"]


def test_a_second_that_fails_is_not_the_end_of_all_seconds(running: Served, host: Phone) -> None:
    """The sign of life goes on whatever the tick stumbles over: a broken network listing, a full disk."""
    right = running.room.tick
    failed: list[int] = []

    def wrong() -> int:
        failed.append(1)
        raise OSError("the network went away")

    running.session.retry = wrong  # type: ignore[assignment,method-assign]
    with host.socket() as phone:
        until(lambda: len(failed) > 1)
        beats: list[Any] = []
        while len(beats) < 2:
            message = json.loads(phone.recv(timeout=PATIENCE))
            beats += [message] if message["type"] == "beat" else []
    assert right is not None


def test_a_clock_that_jumps_makes_nobody_come_or_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steady = [100.0]
    with DataFolder.open(tmp_path) as folder:
        people = People(folder, clock=lambda: steady[0])
        ann, _ = people.join(people.join_token, "Ann")
        people.polled(ann)
        for wall in (0.0, 4e9):
            monkeypatch.setattr("time.time", lambda wall=wall: wall)
            assert not people.forget_pollers()
        assert people.listing(())[0]["here"]
        steady[0] += POLLING + 1
        assert people.forget_pollers()


def test_two_tabs_of_one_phone_are_one_person_until_the_last_is_closed(running: Served, host: Phone) -> None:
    ben = running.phone("Ben")

    def here() -> list[object]:
        return [person["here"] for person in host.table()["people"] if person["id"] == ben.id]

    with ben.socket() as first:
        first.recv()
        with ben.socket() as second:
            second.recv()
            until(lambda: here() == [True])
        first.send(json.dumps({"id": "1", "based_on": 0, "name": "flag", "fields": {}}))
        until(lambda: here() == [True])
    until(lambda: here() == [])


def test_a_retry_of_the_same_command_from_two_tabs_lays_one_card(host: Phone) -> None:
    begin(host)
    command = {"id": "same", "based_on": host.snapshot()["seq"], "name": "laid", "fields": {"cards": ["9H"]}}
    with host.socket() as first, host.socket() as second:
        first.send(json.dumps(command))
        second.send(json.dumps(command))
        answers = [await_answer(first), await_answer(second)]
    assert [answer["ok"] for answer in answers] == [True, True]
    assert host.table()["view"]["pile"]["count"] == 1


def await_answer(phone: Any) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(phone.recv(timeout=PATIENCE))
        if message["type"] == "answer":
            return message
