"""One game at one table: played by taps, watched, corrected, recorded, continued."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.refusals import RefusalError
from companion.session import Session
from companion.set_up import SetUp
from companion.status import CameraState, TableState
from companion.storage import DataFolder
from engine.cards import Card
from engine.records import load
from tests.companion.played import NAMES, commands, played
from tests.companion.tables import Clock, dealt, opened, sights, state, table, tell
from vision.types import Observation, Seen, Sighting


@pytest.mark.parametrize("rules", ["classic", "palace", "hostel"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_game_by_taps_comes_to_its_loser(folder: DataFolder, rules: str, seed: int) -> None:
    session = table(folder, rules)
    game = session.new_game()
    assert state(session) == TableState.BY_HAND
    whole = played(rules, seed)
    for name, fields in commands(whole):
        tell(session, name, **fields)
    outcome = game.showing()["view"]["outcome"]
    assert outcome["loser"] == (None if whole.outcome.loser is None else NAMES[whole.outcome.loser])
    assert outcome["out"] == [NAMES[seat] for seat in whole.outcome.out]
    assert state(session) == TableState.GAME_OVER
    view = session.rematch().showing()["view"]
    assert view["dealer"] == (outcome["loser"] or "Ben")
    with pytest.raises(RefusalError) as refused:
        session.rematch()
    assert refused.value.code == "game-is-playing"


def test_a_crash_loses_no_acknowledged_event(folder: DataFolder) -> None:
    """The server dies after every single event; the next one stands where it stood."""
    session = table(folder)
    session.new_game()
    for name, fields in list(commands(played()))[:25]:
        tell(session, name, **fields)
        assert session.game is not None
        before, log = session.game.showing(), session.game.log
        session.game.close()  # the file alone survives
        session = opened(folder)
        assert session.game is not None
        assert session.game.showing() == before
        assert [{**entry, "at": 0} for entry in session.game.log] == [{**entry, "at": 0} for entry in log]
        assert session.set_up.names == NAMES


def test_corrections_recompute_and_the_record_keeps_both(folder: DataFolder) -> None:
    session = table(folder)
    game = dealt(session)
    tell(session, "laid", cards=["6C"])
    tell(session, "laid", cards=["TC"])
    assert game.showing()["view"]["turn"] == "Ben"
    tell(session, "correct", seq=4, **{"with": {"event": "laid", "cards": ["JC"]}})
    assert game.showing()["view"]["turn"] == "Cem"
    assert game.showing()["view"]["pile"]["cards"] == ["6C", "JC"]
    assert [entry["state"] for entry in game.log] == ["valid", "valid", "valid", "corrected", "valid"]
    assert game.log[3]["now"]["cards"] == ["JC"]
    tell(session, "correct", seq=3, **{"with": None})
    assert game.log[2]["state"] == "removed"
    tell(session, "undo", to=2)
    assert game.log[3]["state"] == "undone"
    assert game.showing()["view"]["pile"]["count"] == 0
    recorded = [line.event["event"] for line in load(folder.record(game.id)).events]
    assert recorded == ["deal", "start", "laid", "laid", "correct", "correct", "undo"]


def test_a_missed_play_is_inserted(folder: DataFolder) -> None:
    session = table(folder)
    game = dealt(session)
    tell(session, "laid", cards=["7C"])
    tell(session, "insert", before=3, **{"with": {"event": "laid", "cards": ["6C"]}})
    assert game.showing()["view"]["pile"]["cards"] == ["6C", "7C"]
    assert game.showing()["view"]["turn"] == "Cem"


def test_an_illegal_play_waits_for_people(folder: DataFolder) -> None:
    session = table(folder)
    game = dealt(session)
    tell(session, "laid", cards=["9H"])
    ruling = tell(session, "laid", cards=["6C"])
    assert ruling["verdict"] == "illegal"
    assert state(session) == TableState.PLEASE_CHECK
    assert "6 is lower than 9" in [said["words"] for said in ruling["messages"]]
    assert set(game.showing()["may"]) == {"take-back", "pick-up", "stand"}
    tell(session, "stand")
    assert state(session) == TableState.BY_HAND
    assert game.turn == 2


def test_the_camera_plays_and_the_states_follow(folder: DataFolder) -> None:
    clock = Clock()
    session = table(folder, clock=clock)
    session.set_camera(CameraState.WATCHING)
    assert state(session) == TableState.SET_UP
    game = session.new_game()
    assert state(session) == TableState.LOOKING
    rows = (sights("3H", "9C", "KD"), sights("4H", "9D", "KC"), sights("5H", "9S", "KS"))
    session.observe(Observation(Seen.DEAL, 1, 30, upcards=rows))
    assert state(session) == TableState.EXCHANGE
    session.observe(Observation(Seen.UPCARDS, 2, 60, sights("3H", "9C", "AD"), seat=0))
    session.observe(Observation(Seen.HAND, 3, 90, present=True))
    assert state(session) == TableState.HAND
    session.observe(Observation(Seen.HAND, 4, 120, present=False))
    assert state(session) == TableState.SETTLING
    session.observe(Observation(Seen.LAID, 4.5, 135, sights("3C"), seat=0, seat_score=0.9), b"jpeg")
    assert state(session) == TableState.YOUR_TURN
    assert game.turn == 1
    session.observe(Observation(Seen.HAND, 5, 150, present=True))
    session.observe(Observation(Seen.HAND, 5.5, 165, present=False))
    clock.now += 10
    assert state(session) == TableState.YOUR_TURN, "a hand that did nothing leaves nothing behind"
    session.observe(Observation(Seen.CAMERA, 6, 180, present=False))
    assert state(session) == TableState.CAMERA_LOST
    tell(session, "laid", cards=["6D"])
    assert game.turn == 2, "the game goes on by hand meanwhile"
    session.observe(Observation(Seen.CAMERA, 7, 210, present=True))
    session.set_by_hand(True)
    assert session.observe(Observation(Seen.LAID, 8, 240, sights("KH"), seat=2, seat_score=0.9)) is None
    assert (state(session), game.turn) == (TableState.BY_HAND, 2)


def test_a_doubtful_moment_is_asked_about_with_its_picture(folder: DataFolder) -> None:
    session = table(folder)
    game = dealt(session)
    session.set_camera(CameraState.WATCHING)
    doubt = (Sighting({Card.parse("6C"): 0.5, Card.parse("8C"): 0.49}),)
    ruling = session.observe(Observation(Seen.LAID, 1, 30, doubt, seat=0, seat_score=0.9), b"\xff\xd8jpeg")
    assert ruling is not None
    assert ruling["verdict"] == "doubtful"
    assert state(session) == TableState.PLEASE_CHECK
    question = game.showing()["question"]
    assert [one["choice"] for one in question["candidates"]] == list(range(len(question["candidates"])))
    assert question["picture"] == f"/api/games/{game.id}/pictures/3.jpg"
    assert folder.picture(game.id, "3.jpg").read_bytes() == b"\xff\xd8jpeg"
    tell(session, "answer", question=question["id"], choice=1)
    assert game.showing()["question"] is None
    assert game.showing()["view"]["pile"]["cards"][0][0] == question["candidates"][1]["event"]["cards"][0][0]


def test_what_cannot_be_recorded_does_not_count(folder: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk: taps are refused, what the camera saw waits, and all of it comes in order when there is room."""
    session = table(folder)
    game = dealt(session)
    session.set_camera(CameraState.WATCHING)
    full = OSError(28, "No space left on device")

    def no_space(_: int) -> None:
        raise full

    with monkeypatch.context() as patched:
        patched.setattr("engine.records.os.fsync", no_space)
        with pytest.raises(RefusalError) as refused:
            tell(session, "laid", cards=["5C"])
        assert refused.value.code == "not-recorded"
        assert "disk is full" in str(session.fault)
        session.observe(Observation(Seen.LAID, 1, 30, sights("5C"), seat=0, seat_score=0.9))
        session.observe(Observation(Seen.LAID, 2, 60, sights("6C"), seat=1, seat_score=0.9))
        assert (game.seq, game.turn) == (2, 0)
    session.retry()
    assert not session.fault
    assert game.showing()["view"]["pile"]["cards"] == ["5C", "6C"]
    session.close()
    resumed = opened(folder).game
    assert resumed is not None
    assert resumed.seq == 4


def test_the_set_up_is_remembered_and_checked(folder: DataFolder) -> None:
    session = opened(folder)
    assert state(session) == TableState.SET_UP
    with pytest.raises(RefusalError) as refused:
        session.new_game()
    assert refused.value.code == "faulty-set-up"
    session.agree(
        {"players": [{"name": "Ann", "x": 0.5, "y": 1}, {"name": "Ben"}], "rules": "hostel", "forfeit": "tea"}
    )
    again = opened(folder)
    assert again.set_up == session.set_up
    assert again.set_up.rule_set().forfeit == "tea"
    with pytest.raises(RefusalError) as refused:
        again.agree({"options": {"joker": "reverse"}})
    assert "no jokers in the deck" in refused.value.words
    again.agree({"players": ["Ann", "Ben", "Cem", "Dora", "Eve"]})
    with pytest.raises(RefusalError, match="five hands need 56 cards, the deck has 52"):
        again.new_game()


@pytest.mark.parametrize(
    "fields",
    [
        {"players": "Ann"},
        {"players": [{"name": ""}, {"name": "Ben"}]},
        {"players": ["Ann", "ann"]},
        {"players": ["7"]},
        {"players": [{"name": "Ann", "x": 2}]},
        {"players": [{"name": "A" * 25}]},
        {"players": ["Ann"] * 21},
        {"rules": "poker"},
        {"rules": 7},
        {"options": {"seven": "explodes"}},
        {"options": ["seven"]},
        {"language": "xx"},
        {"taps": "nobody"},
        {"dealer": -1},
        {"dealer": True},
        {"record_video": 1},
        {"colour": "red"},
    ],
)
def test_a_bad_set_up_changes_nothing(folder: DataFolder, fields: dict[str, object]) -> None:
    session = table(folder)
    before = session.set_up
    with pytest.raises(RefusalError):
        session.agree(fields)
    assert session.set_up == before


def test_a_deal_seen_after_a_restart_changes_nothing(folder: DataFolder) -> None:
    session = table(folder)
    game = dealt(session)
    tell(session, "laid", cards=["5C"])
    session.set_camera(CameraState.WATCHING)
    assert session.observe(Observation(Seen.DEAL, 1, 1, upcards=(sights("3H"),) * 3)) is None
    assert game.seq == 3


def test_a_game_in_which_nothing_was_dealt_is_none(tmp_path: Path) -> None:
    """A second tap on "deal", or the way back to the set-up, leaves nothing in the records."""
    with DataFolder.open(tmp_path) as folder:
        session = Session(folder, SetUp().change({"players": ["Ann", "Ben"]}))
        session.new_game()
        second = session.new_game()
        assert folder.game_ids() == [second.id]
        session.tell({"event": "deal", "upcards": {}})
        session.end_game()
        assert folder.game_ids() == [second.id]
        session.new_game()
        session.end_game()
        assert folder.game_ids() == [second.id]
        session.close()


@pytest.mark.parametrize(("read", "goes_on"), [(0.9, True), (1.0, False)])
def test_a_game_that_is_over_by_a_card_in_doubt_is_watched_on(folder: DataFolder, read: float, goes_on: bool) -> None:
    """Cem turns a queen on an 8 and is out, or it was a 5 and he has picked up: then Ben leads."""
    session = table(folder)
    game = session.new_game()
    *before, (last, fields) = commands(played("classic", 26))
    assert (last, fields) == ("turned", {"card": "QD", "seat": "Cem"})
    for name, told in before:
        tell(session, name, **told)
    session.set_camera(CameraState.WATCHING)
    turned = Sighting({Card.parse(card): p for card, p in (("QD", read), ("5H", 1 - read)) if p > 0})
    session.observe(Observation(Seen.TURNED, 900.0, 1, (turned,), seat=2, seat_score=0.95))
    assert game.phase == "over"
    entries = len(game.log)
    for at, card in ((905.0, "9S"), (910.0, "JS")):
        session.observe(Observation(Seen.LAID, at, 2, sights(card), seat=1 if card == "9S" else 2, seat_score=0.95))
    assert (game.phase == "play") == goes_on
    assert (len(game.log) > entries) == goes_on
