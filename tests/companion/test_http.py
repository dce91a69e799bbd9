"""The server over HTTP: joining, commands and their gates, records, and what must never get through."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from companion.refusals import STATUS
from companion.server.app import PAGE
from companion.server.limits import Limits
from companion.set_up import SetUp
from companion.storage import DataFolder
from tests.companion.played import NAMES, commands, played
from tests.companion.serving import Phone, Served, code, served, start
from tests.waiting import PATIENCE

AS_JSON = {"Content-Type": "application/json"}


# Joining


def test_the_link_of_the_qr_code_leads_to_the_page(running: Served) -> None:
    with httpx.Client(base_url=running.base, timeout=PATIENCE) as browser:
        assert browser.get("/api/poll").status_code == 401
        joined = browser.get(f"/j/{running.people.join_token}")
        assert (joined.status_code, joined.headers["location"]) == (303, "/")
        cookie = joined.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert browser.get("/api/poll").json()["hello"]["you"]["role"] == "host"
        again = browser.get(f"/j/{running.people.join_token}")
        assert again.status_code == 303
        assert len(browser.get("/api/poll").json()["snapshot"]["table"]["people"]) == 1


def test_the_host_link_says_where_it_takes_the_role_from_another(running: Served) -> None:
    link = f"/j/{running.people.host_token}"
    where = []
    for _ in range(2):
        with httpx.Client(base_url=running.base, timeout=PATIENCE) as browser:
            where += [browser.get(link).headers["location"] for _ in range(2)]
            assert browser.get("/api/poll").json()["hello"]["you"]["role"] == "host"
    assert where == ["/", "/", "/#took", "/"]


def test_a_tv_joins_to_look(running: Served) -> None:
    with httpx.Client(base_url=running.base, timeout=PATIENCE) as tv:
        assert tv.get(f"/j/{running.people.join_token}?to=tv").headers["location"] == "/#tv"
        assert tv.get("/api/poll").json()["hello"]["you"]["role"] == "viewer"


def test_a_wrong_link_is_refused_and_guessing_slowed_down(running: Served) -> None:
    with httpx.Client(base_url=running.base, timeout=PATIENCE) as stranger:
        answers = [stranger.get(f"/j/{number:032x}").status_code for number in range(40)]
    assert set(answers) == {403, 429}


def test_the_page_its_modules_and_texts_are_open(running: Served) -> None:
    for path in (
        "/",
        "/static/js/main.js",
        "/static/icon.svg",
        "/catalogue/en.json",
        "/api/hello",
        "/api/openapi.json",
    ):
        answer = httpx.get(running.base + path, timeout=PATIENCE)
        assert answer.status_code == 200, path
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert (
        httpx.get(f"{running.base}/static/js/main.js", timeout=PATIENCE)
        .headers["content-type"]
        .startswith("text/javascript")
    )


# Who asks from where


@pytest.mark.parametrize("host_name", ["evil.example", "192.168.1.20.evil.example", "", "localhost.evil.example:80"])
def test_a_foreign_name_is_not_served(running: Served, host_name: str) -> None:
    answer = httpx.get(f"{running.base}/api/hello", headers={"Host": host_name}, timeout=PATIENCE)
    assert answer.status_code in (400, 421)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"])
def test_another_sites_page_cannot_give_commands(running: Served, origin: str) -> None:
    with httpx.Client(base_url=running.base, timeout=PATIENCE) as browser:
        browser.get(f"/j/{running.people.join_token}")
        command = {"id": "1", "based_on": 0, "name": "name", "fields": {"name": "Eve"}}
        answer = browser.post("/api/command", json=command, headers={"Origin": origin})
        assert (answer.status_code, code(answer.json())) == (403, "wrong-origin")
        assert browser.post("/api/command", json=command).status_code == 403, "a browser always says where from"
        assert browser.post("/api/command", json=command, headers={"Origin": running.base}).json()["ok"]


# Commands and their gates


def test_a_game_is_played_by_taps_and_kept(running: Served, host: Phone) -> None:
    """The whole of it over HTTP: set up, play to the loser, look at the record, rematch, delete."""
    assert host.table()["state"] == "set-up"
    assert host.send("set-up", {"rules": "classic", "forfeit": "makes tea", "title": "Karma"})["ok"]
    assert host.send("new-game")["ok"]
    whole = played(seed=3)
    for number, (name, fields) in enumerate(commands(whole)):
        answer = host.send(name, fields, based_on=number)
        assert answer["ok"], answer
        assert answer["seq"] == number + 1
        running.app.state.limits = Limits()  # nobody taps as fast as this loop
    table = host.table()
    assert table["state"] == "game over"
    loser = NAMES[whole.outcome.loser or 0]
    assert table["view"]["outcome"]["loser"] == loser
    assert {"code": "owes", "words": f"{loser} owes: makes tea"}.items() <= table["said"][-1].items()
    assert len(table["log"]) == 60
    game = table["game"]["id"]
    listed = host.http.get("/api/games").json()
    assert [(one["id"], one["loser"], one["state"]) for one in listed] == [(game, loser, "over")]
    positions = host.http.get(f"/api/games/{game}/positions").json()
    assert positions[-1]["view"]["outcome"]["loser"] == loser
    assert [one["seq"] for one in positions] == sorted(one["seq"] for one in positions)
    record = host.http.get(f"/api/games/{game}/record")
    assert record.content == running.session.folder.record(game).read_bytes()
    packed = zipfile.ZipFile(io.BytesIO(host.http.get("/api/games.zip").content))
    assert packed.namelist() == [f"{game}/record.jsonl"]
    statistics = host.http.get("/api/statistics").json()
    assert {row["name"]: row["lost"] for row in statistics["players"]} == {name: int(name == loser) for name in NAMES}
    assert host.http.delete(f"/api/games/{game}").status_code == 409
    assert host.send("rematch")["ok"]
    assert host.table()["view"]["dealer"] == loser
    assert host.http.delete(f"/api/games/{game}").status_code == 200
    assert host.http.get(f"/api/games/{game}").status_code == 404
    assert len(host.http.get("/api/games").json()) == 1


def test_a_repeated_command_is_not_applied_twice(running: Served, host: Phone) -> None:
    start(host)
    first = host.send("laid", {"cards": ["5C"]}, based_on=2, id="same")
    second = host.send("laid", {"cards": ["5C"]}, based_on=2, id="same")
    assert first == second
    assert host.snapshot()["seq"] == 3
    other = running.phone("Ben").send("laid", {"cards": ["6C"]}, based_on=3, id="same")
    assert other["ok"], "an id is one device's own"


def test_a_repeated_command_is_known_after_a_restart(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path) as folder:
        with served(folder, SetUp().change({"players": list(NAMES)})) as table:
            host = table.phone()
            start(host)
            assert host.send("laid", {"cards": ["5C"]}, based_on=2, id="same")["ok"]
        with served(folder) as table:
            again = table.phone()
            again.http.headers["Authorization"] = f"Bearer {host.key}"
            answer = again.send("laid", {"cards": ["5C"]}, based_on=2, id="same")
            assert (answer["ok"], answer["repeated"], answer["seq"]) == (True, True, 3)
            assert answer["ruling"]["verdict"] == "accepted"


def test_a_stale_command_does_nothing_and_brings_the_state(host: Phone) -> None:
    start(host)
    assert host.send("laid", {"cards": ["5C"]}, based_on=2)["ok"]
    stale = host.send("laid", {"cards": ["6C"]}, based_on=2)
    assert (code(stale), stale["error"]["seq"]) == ("stale", 3)
    assert stale["error"]["table"]["view"]["pile"]["cards"] == ["5C"]
    assert code(host.send("laid", {"cards": ["6C"]}, based_on=99)) == "stale"


def test_corrections_survive_new_plays_but_not_other_corrections(host: Phone) -> None:
    start(host)
    host.send("laid", {"cards": ["5C"]}, based_on=2)
    host.send("laid", {"cards": ["9C"]}, based_on=3)
    late = host.send("correct", {"seq": 3, "with": {"event": "laid", "cards": ["6C"]}}, based_on=3)
    assert late["ok"]
    assert code(host.send("undo", {"to": 2}, based_on=4)) == "stale"
    assert host.send("undo", {"to": 2}, based_on=5)["ok"]


def test_roles(running: Served, host: Phone) -> None:
    ben, tv = running.phone("Ben"), running.phone("TV")
    assert host.send("role", {"device": tv.id, "role": "viewer"})["ok"]
    start(host)
    assert code(tv.send("laid", {"cards": ["5C"]})) == "not-allowed"
    assert code(tv.send("flag")) == "not-allowed"
    assert ben.send("laid", {"cards": ["5C"]})["ok"]
    for name, fields in (
        ("correct", {"seq": 3, "with": None}),
        ("undo", {"to": 2}),
        ("stand", {}),
        ("new-game", {}),
        ("end-game", {}),
        ("set-up", {"title": "x"}),
        ("hand-over", {"device": ben.id}),
        ("decider", {"device": ben.id, "on": True}),
        ("by-hand", {"on": True}),
        ("camera", {"source": None}),
        ("address", {"url": "http://x"}),
    ):
        assert code(ben.send(name, fields)) == "not-allowed", name
    assert ben.http.delete("/api/games/20260101-000000-000000").status_code == 403
    assert ben.send("flag", {"words": "that was a 6"})["ok"]
    assert host.table()["state"] == "please check"
    assert host.send("decider", {"device": ben.id, "on": True})["ok"]
    assert ben.send("correct", {"seq": 3, "with": {"event": "laid", "cards": ["6C"]}})["ok"]
    assert ben.send("unflag", {"flag": "1"})["ok"]
    assert host.send("hand-over", {"device": ben.id})["ok"]
    assert code(host.send("end-game")) == "not-allowed"
    assert ben.send("end-game")["ok"]


def test_who_may_tap(running: Served, host: Phone) -> None:
    ben = running.phone("Ben")
    start(host)
    assert host.send("set-up", {"taps": "own"})["ok"]
    assert code(ben.send("laid", {"cards": ["5C"]})) == "not-allowed"
    assert code(ben.send("sit", {"seat": 9})) == "unknown-seat"
    assert ben.send("sit", {"seat": 1})["ok"]
    assert code(ben.send("laid", {"cards": ["5C"]})) == "not-allowed", "it is Ann's turn"
    assert host.send("laid", {"cards": ["5C"]})["ok"]
    assert ben.send("laid", {"cards": ["6C"]})["ok"]
    assert host.send("set-up", {"taps": "host"})["ok"]
    assert code(ben.send("laid", {"cards": ["7C"], "seat": "Ben"})) == "not-allowed"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ({}, "bad-message"),
        ({"id": "1", "based_on": 0, "name": "dance"}, "unknown-command"),
        ({"id": "", "based_on": 0, "name": "flag"}, "bad-message"),
        ({"id": "x" * 65, "based_on": 0, "name": "flag"}, "bad-message"),
        ({"id": "1", "based_on": "0", "name": "flag"}, "bad-message"),
        ({"id": "1", "based_on": True, "name": "flag"}, "bad-message"),
        ({"id": "1", "based_on": 0, "name": "flag", "fields": []}, "bad-message"),
        ({"id": "1", "based_on": 0, "name": "flag"}, "no-game"),
        ({"id": "1", "based_on": 0, "name": "laid", "fields": {"cards": ["7H"]}}, "no-game"),
        ({"id": "1", "based_on": 0, "name": "show"}, "unknown-command"),
        ({"id": "1", "based_on": 0, "name": "gone"}, "unknown-command"),
        ({"id": "1", "based_on": 0, "name": "set-up", "fields": {"players": [1]}}, "bad-value"),
        ({"id": "1", "based_on": 0, "name": "hand-over", "fields": {"device": "99"}}, "unknown-device"),
        ({"id": "1", "based_on": 0, "name": "camera", "fields": {"source": "/etc/passwd"}}, "unknown-camera"),
        ({"id": "1", "based_on": 0, "name": "address", "fields": {"url": "http://evil.example"}}, "bad-value"),
        ({"id": "1", "based_on": 0, "name": "name", "fields": {"name": " \n "}}, "bad-value"),
        ({"id": "1", "based_on": 0, "name": "new-game", "fields": {"fast": True}}, "bad-value"),
    ],
)
def test_bad_commands_have_stable_codes(host: Phone, body: dict[str, Any], wanted: str) -> None:
    answer = host.http.post("/api/command", json=body)
    assert code(answer.json()) == wanted
    assert answer.status_code == STATUS[wanted]


@pytest.mark.parametrize(
    "fields",
    [
        {"cards": ["7Z"]},
        {"cards": []},
        {"cards": ["7H"], "seat": "Zoe"},
        {"cards": ["7H"], "colour": "red"},
        {"cards": ["7H"], "source": "camera"},
        {"cards": ["7H"], "confidence": 0.1},
        {"cards": "7H"},
    ],
)
def test_events_that_make_no_sense_change_nothing(host: Phone, fields: dict[str, Any]) -> None:
    start(host)
    assert code(host.send("laid", fields)) in ("event-refused", "bad-value")
    assert host.snapshot()["seq"] == 2


# Sizes, rates, paths


def test_bodies_are_limited_whatever_their_headers_say(host: Phone) -> None:
    large = host.http.post("/api/command", content=b'"' + b"x" * 100_000 + b'"')
    assert (large.status_code, code(large.json())) == (413, "too-big")

    def pieces() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 1000

    assert host.http.post("/api/command", content=pieces()).status_code == 413
    assert code(host.http.post("/api/command", content=b"{", headers=AS_JSON).json()) == "bad-message"
    assert code(host.http.post("/api/command", content=b"[1]", headers=AS_JSON).json()) == "bad-value"


def test_commands_are_rated(running: Served, host: Phone) -> None:
    running.app.state.limits = Limits(clock=lambda: 0.0)
    codes = [host.http.post("/api/command", json={}).json()["error"]["code"] for _ in range(42)]
    assert codes == ["bad-message"] * 40 + ["too-many"] * 2
    assert host.http.post("/api/command", json={}).headers.get("retry-after") == "1"


@pytest.mark.parametrize(
    "path",
    [
        "/static/../cli.py",
        "/static/%2e%2e/cli.py",
        "/static/..%2fcli.py",
        "/static//etc/passwd",
        "/catalogue/%2e%2e%2f%2e%2e%2fpyproject.toml",
        "/api/games/..%2f..%2fpeople.json/record",
        "/api/games/%2e%2e/record",
        "/api/games/20260101-000000-000000%2f../record",
        "/api/games/20260101-000000-000000/pictures/..%2frecord.jsonl",
        "/people.json",
    ],
)
def test_no_path_leads_out(running: Served, host: Phone, path: str) -> None:
    request = httpx.Request("GET", httpx.URL(running.base).copy_with(raw_path=path.encode()), headers=host.http.headers)
    answer = host.http.send(request)
    assert answer.status_code in (403, 404), answer.text
    assert "pilewatch" not in answer.text.lower()
    assert code(answer.json())


def test_an_inner_fault_tells_nothing_of_itself(
    running: Served, host: Phone, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret path /home/ann")

    monkeypatch.setattr(running.session, "new_game", broken)
    monkeypatch.setattr(running.room.library, "listing", broken)
    assert code(host.send("new-game")) == "internal"
    answer = host.http.get("/api/games")
    assert (answer.status_code, code(answer.json())) == (500, "internal")
    assert "secret" not in answer.text
    assert "secret path" in caplog.text, "but the terminal says it"


# Rules, addresses, the rest


def test_the_rules_are_told_and_checked(host: Phone) -> None:
    book = host.http.get("/api/rules").json()
    assert [one["name"] for one in book["rule_sets"]] == ["classic", "palace", "hostel"]
    assert all(one["words"] and one["options"] for one in book["rule_sets"])
    for option in book["options"]:
        assert option["kind"] in ("choice", "number", "flag", "text"), option
        assert option["words"], option
        assert option["group"] in ("deck", "cards", "answering", "burning", "turns", "customs")
    check = host.http.post("/api/rules/check", json={"rules": "hostel", "players": 5}).json()
    assert not check["ok"]
    assert "five hands need 56 cards, the deck has 52" in check["faults"][0]["words"]
    check = host.http.post("/api/rules/check", json={"rules": "palace", "options": {"joker": "reverse"}}).json()
    assert "no jokers in the deck" in check["faults"][0]["words"]
    check = host.http.post("/api/rules/check", json={"rules": "palace+jokers", "players": 6}).json()
    assert check["ok"]
    assert check["words"]


def test_polling_is_quiet_when_nothing_is_new(host: Phone) -> None:
    snapshot = host.snapshot()
    known = {"boot": snapshot["boot"], "v": snapshot["v"]}
    assert host.http.get("/api/poll", params=known).status_code == 204
    start(host)
    news = host.http.get("/api/poll", params={**known, "since": 0}).json()["snapshot"]
    assert [entry["event"]["event"] for entry in news["missed"]] == ["deal", "start"]
    restarted = host.http.get("/api/poll", params={"boot": "another", "since": 0}).json()["snapshot"]
    assert restarted["missed"] == []


def test_there_is_no_picture_without_a_camera(host: Phone) -> None:
    assert code(host.http.get("/api/camera.jpg").json()) == "no-picture"
    assert host.http.get("/api/qr.svg").text.startswith("<svg")
    assert isinstance(host.http.get("/api/cameras").json(), list)


def test_the_openapi_document_names_every_route(running: Served) -> None:
    paths = httpx.get(f"{running.base}/api/openapi.json", timeout=PATIENCE).json()["paths"]
    text = (Path(__file__).parents[2] / "docs" / "socket.md").read_text("utf-8")
    for path in paths:
        assert path.replace("{game}", "ID").replace("{name}", "NAME") in text, path
    assert len(paths) >= 15


def test_the_page_is_there() -> None:
    assert (PAGE / "index.html").is_file()
