"""How the camera saw the stock or some downcards lie: it weighs, and is no move."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.commands.replay import told
from companion.game import RecordedGame
from companion.library import Library, summarise
from companion.session import Session
from companion.status import CameraState, TableState
from companion.storage import DataFolder
from engine.cards import Card
from tests.companion.serving import Phone, Served, code, start
from tests.companion.tables import dealt, opened, sights, state, table, tell
from vision.types import Observation, Seen, Sighting

SEEN = (
    Observation(Seen.STOCK_LIES, 5, 150, present=False),
    Observation(Seen.DOWNCARDS, 5, 150, seat=2, left=1),
)
EACH = pytest.mark.parametrize("seen", SEEN, ids=["stock", "downcards"])


def watched(folder: DataFolder) -> tuple[Session, RecordedGame]:
    """A camera has seen a 6 and an 8."""
    session = table(folder)
    game = dealt(session)
    session.set_camera(CameraState.WATCHING)
    for seat, card in enumerate(("6C", "8C")):
        session.observe(Observation(Seen.LAID, seat, 30 * seat, sights(card), seat=seat, seat_score=0.95))
    return session, game


@EACH
def test_the_last_words_stay_on_the_screens(folder: DataFolder, seen: Observation) -> None:
    session, game = watched(folder)
    before = game.showing()
    assert before["said"][0]["code"] == "played"
    ruling = session.observe(seen)
    assert ruling is not None
    assert ruling["messages"] == [], "nothing is spoken"
    for name in ("said", "verdict", "seat", "may", "question"):
        assert game.showing()[name] == before[name], name
    assert [entry["evidence"] for entry in game.log] == [False, False, False, False, True]
    shown = game.showing()
    session.close()
    resumed = opened(folder).game
    assert resumed is not None
    assert resumed.showing() == shown


def test_other_sightings_that_change_nothing_leave_them_too(folder: DataFolder) -> None:
    session, game = watched(folder)
    before = game.showing()["said"]
    ruling = session.observe(Observation(Seen.UPCARDS, 6, 180, sights("3H", "9C", "KD"), seat=0))
    assert ruling is not None
    assert (ruling["verdict"], ruling["messages"]) == ("nothing", [])
    assert game.showing()["said"] == before
    assert [entry["seq"] for entry in game.log if entry["evidence"]] == [5]
    session.observe(Observation(Seen.STOCK, 7, 210, seat=1, seat_score=0.9))
    assert [entry["seq"] for entry in game.log if entry["evidence"]] == [5], "Ben drew: that is told"


@EACH
def test_a_doubt_is_not_over_because_something_else_was_seen(folder: DataFolder, seen: Observation) -> None:
    session, game = watched(folder)
    doubt = (Sighting({Card.parse("TC"): 0.5, Card.parse("JC"): 0.49}),)
    session.observe(Observation(Seen.LAID, 3, 90, doubt, seat=2, seat_score=0.9))
    assert state(session) == TableState.PLEASE_CHECK
    before = game.showing()
    session.observe(seen)
    assert state(session) == TableState.PLEASE_CHECK
    assert (game.showing()["said"], game.showing()["verdict"]) == (before["said"], "doubtful")


@EACH
def test_it_is_no_move_in_replay_records_and_statistics(folder: DataFolder, seen: Observation) -> None:
    session, game = watched(folder)
    words, counted = told(game.game), summarise(game)
    session.observe(seen)
    assert told(game.game) == words
    after = summarise(game)
    for name in ("turns", "statistics", "picked_up", "loser", "state"):
        assert after[name] == counted[name], name
    positions = Library(folder).positions(game.id)
    assert [place["seq"] for place in positions] == [1, 2, 3, 4]
    assert positions[-1]["view"] == game.showing()["view"], "the last position is how things stand"
    session.observe(Observation(Seen.LAID, 8, 240, sights("JC"), seat=2, seat_score=0.95))
    assert [place["seq"] for place in Library(folder).positions(game.id)] == [1, 2, 3, 4, 6]


def test_a_flag_without_a_number_names_the_last_play(folder: DataFolder) -> None:
    session, _ = watched(folder)
    session.observe(SEEN[0])
    session.flag(None, "Ben", "")
    assert session.flags[-1]["seq"] == 4


@EACH
def test_nobody_s_tap_is_stale_by_it(running: Served, host: Phone, seen: Observation) -> None:
    start(host)
    running.session.set_camera(CameraState.WATCHING)
    running.session.observe(seen)
    assert host.snapshot()["seq"] == 3
    assert host.send("laid", {"cards": ["5C"]}, based_on=2)["ok"]
    assert code(host.send("laid", {"cards": ["6C"]}, based_on=3)) == "stale"


@pytest.mark.parametrize(("name", "fields"), [("stock", {"left": 7}), ("downcards", {"seat": "Ben", "left": 3})])
def test_a_person_s_word_on_it_is_the_host_s_and_stands_in_the_list(
    running: Served, host: Phone, name: str, fields: dict[str, object]
) -> None:
    start(host)
    assert host.send("laid", {"cards": ["5C"]})["ok"]
    assert code(running.phone("Ben").send(name, fields)) == "not-allowed"
    assert host.send(name, fields)["ok"]
    entry = host.table()["log"][-1]
    assert (entry["event"]["event"], entry["evidence"], entry["source"]) == (name, False, "person")
    games = host.http.get("/api/games").json()
    positions = host.http.get(f"/api/games/{games[0]['id']}/positions").json()
    assert positions[-1]["event"]["event"] == name


Changed = Callable[[Session], object]


@pytest.mark.parametrize(
    "change",
    [
        lambda session: tell(session, "correct", seq=4, **{"with": {"event": "laid", "cards": ["JC"]}}),
        lambda session: tell(session, "undo", to=3),
        lambda session: tell(session, "insert", before=4, **{"with": {"event": "laid", "cards": ["7C"]}}),
    ],
    ids=["correct", "undo", "insert"],
)
def test_corrections_leave_it_out_of_the_list(folder: DataFolder, change: Changed) -> None:
    session, game = watched(folder)
    session.observe(SEEN[0])
    change(session)
    assert [entry["seq"] for entry in game.log if entry["evidence"]] == [5]
