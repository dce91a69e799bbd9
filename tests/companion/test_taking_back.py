"""What is taken back at one tap is the play that people see last, and one tap puts it back."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game import RecordedGame
from companion.refusals import RefusalError
from companion.session import Session
from companion.set_up import SetUp
from companion.storage import DataFolder
from tests.companion.played import CARDS, NAMES
from tests.companion.serving import Phone, Served
from tests.companion.tables import dealt, sights, table, tell
from vision.types import Observation, Seen


def line(game: RecordedGame) -> list[int]:
    return game.counted()


def plays(game: RecordedGame) -> list[int]:
    """The plays that count, in the order in which a screen lists them."""
    evidence = {entry["seq"] for entry in game.log if entry["evidence"]}
    return [seq for seq in game.counted() if seq not in evidence]


def taken_back(session: Session) -> dict[str, Any]:
    game = session.playing()
    offer: dict[str, Any] = game.showing()["undo"]
    tell(session, "back", to=offer["to"])
    return offer


def put_back(session: Session) -> dict[str, Any]:
    offer: dict[str, Any] = session.playing().showing()["redo"]
    tell(session, "undo", to=offer["to"])
    return offer


def laid(card: str) -> dict[str, Any]:
    return {"event": "laid", "cards": [card]}


def test_after_a_play_was_added_the_one_that_is_seen_last_goes(folder: DataFolder) -> None:
    session = table(folder)
    game = dealt(session)
    tell(session, "laid", cards=["5C"])
    tell(session, "laid", cards=["7C"])
    tell(session, "insert", before=4, **{"with": laid("6C")})
    offer = taken_back(session)
    assert (offer["seq"], offer["event"]["cards"]) == (4, ["7C"])
    assert game.showing()["view"]["pile"]["cards"] == ["5C", "6C"]
    assert [entry["state"] for entry in game.log] == ["valid", "valid", "valid", "undone", "valid", "valid"]
    assert taken_back(session)["event"]["cards"] == ["6C"]
    assert game.showing()["view"]["pile"]["cards"] == ["5C"]
    assert game.log[4]["state"] == "undone", "the added one too is said to have gone"


def test_an_earlier_play_that_was_corrected_later_stays_corrected(folder: DataFolder) -> None:
    session = table(folder)
    game = dealt(session)
    tell(session, "laid", cards=["5C"])
    tell(session, "laid", cards=["7C"])
    tell(session, "correct", seq=3, **{"with": laid("6H")})
    assert taken_back(session)["seq"] == 4
    assert game.showing()["view"]["pile"]["cards"] == ["6H"]
    assert put_back(session)["event"]["cards"] == ["7C"]
    assert game.showing()["view"]["pile"]["cards"] == ["6H", "7C"]


def test_an_added_play_that_was_corrected_is_shown_as_corrected(folder: DataFolder) -> None:
    session = table(folder)
    game = dealt(session)
    tell(session, "laid", cards=["7C"])
    tell(session, "insert", before=3, **{"with": laid("6C")})
    tell(session, "correct", seq=4, **{"with": laid("5H")})
    assert (game.log[3]["state"], game.log[3]["now"]["cards"]) == ("corrected", ["5H"])
    tell(session, "correct", seq=4, **{"with": None})
    assert game.log[3]["state"] == "removed"


def test_what_the_camera_saw_of_a_play_goes_with_it_and_what_it_saw_before_stays(folder: DataFolder) -> None:
    session = table(folder)
    game = dealt(session)
    session.observe(Observation(Seen.LAID, 1, 30, sights("5C"), seat=0, seat_score=0.99))
    session.observe(Observation(Seen.DOWNCARDS, 2, 60, seat=0, seat_score=0.99, left=3))
    session.observe(Observation(Seen.LAID, 3, 90, sights("7C"), seat=1, seat_score=0.99))
    session.observe(Observation(Seen.DOWNCARDS, 4, 120, seat=1, seat_score=0.99, left=3))
    every = line(game)
    seq = plays(game)[-1]
    taken_back(session)
    assert line(game) == every[: every.index(seq)]
    session.observe(Observation(Seen.DOWNCARDS, 5, 150, seat=1, seat_score=0.99, left=3))
    assert put_back(session)["count"] == 1, "that was only evidence: nothing else has happened"
    assert plays(game)[-1] == seq


def test_nothing_is_put_back_once_something_else_has_happened(folder: DataFolder) -> None:
    session = table(folder)
    game = dealt(session)
    tell(session, "laid", cards=["5C"])
    assert game.showing()["redo"] is None
    taken_back(session)
    assert game.showing()["redo"]["event"]["cards"] == ["5C"]
    tell(session, "laid", cards=["6C"])
    assert game.showing()["redo"] is None
    tell(session, "back", to=0)
    assert game.showing()["undo"] is None
    assert (game.showing()["redo"]["count"], plays(game)) == (3, [])
    assert put_back(session)["count"] == 3
    assert game.showing()["redo"] is None


def test_a_hundred_times_back_and_forth(folder: DataFolder) -> None:
    """Each is an entry; what counts of them is found without unfolding every one of them in every other."""
    session = table(folder)
    game = dealt(session)
    tell(session, "laid", cards=["5C"])
    for _ in range(100):
        taken_back(session)
        put_back(session)
    assert game.showing()["view"]["pile"]["cards"] == ["5C"]
    assert RecordedGame.read(folder, game.id).showing() == game.showing()


def test_nobody_takes_back_what_came_after_the_look(running: Served, host: Phone) -> None:
    host.send("new-game")
    host.send("deal", {"upcards": CARDS})
    host.send("start", {"seat": "Ann"})
    host.send("laid", {"cards": ["5C"]})
    offer = host.table()["undo"]
    host.send("laid", {"cards": ["6C"]}, based_on=3)
    late = host.send("back", {"to": offer["to"]}, based_on=3)
    assert late["error"]["code"] == "stale"
    assert host.table()["view"]["pile"]["cards"] == ["5C", "6C"]
    assert host.send("back", {"to": host.table()["undo"]["to"]})["ok"]
    assert running.phone("Ben").send("back", {"to": 0})["error"]["code"] == "not-allowed"


def test_a_flag_without_a_number_is_about_the_play_that_stands_last(folder: DataFolder) -> None:
    session = table(folder)
    dealt(session)
    tell(session, "laid", cards=["5C"])
    tell(session, "laid", cards=["7C"])
    taken_back(session)
    session.flag(None, "Ben", "")
    assert session.flags[0]["seq"] == 3


DOINGS = st.lists(
    st.tuples(st.sampled_from(["lay", "insert", "correct", "remove", "back"]), st.integers(0, 99)), max_size=9
)


@settings(max_examples=25, deadline=None)
@given(DOINGS)
def test_whatever_was_done_the_last_one_goes_alone_and_comes_back(doings: list[tuple[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as place, DataFolder.open(Path(place)) as folder:
        session = Session(folder, SetUp().change({"players": list(NAMES)}))
        game = dealt(session)
        for doing, number in doings:
            at = plays(game)[number % len(plays(game))] if plays(game) else 0
            event = laid("3456789JQKA"[number % 11] + "?")
            fields: dict[str, Any] = {
                "lay": event,
                "insert": {"event": "insert", "before": at, "with": event},
                "correct": {"event": "correct", "seq": at, "with": event},
                "remove": {"event": "correct", "seq": at, "with": None},
                "back": {"event": "back", "to": at},
            }[doing]
            with contextlib.suppress(RefusalError):  # there is no play to correct
                session.tell(fields)
        before, view = plays(game), game.showing()["view"]
        offer = game.showing()["undo"]
        if offer is None:
            assert not before
        else:
            taken_back(session)
            assert plays(game) == before[:-1]
            assert offer["seq"] == before[-1]
            put_back(session)
            assert plays(game) == before
            assert {**game.showing()["view"], "seq": 0} == {**view, "seq": 0}
        session.close()


@pytest.mark.parametrize("to", [7, -1, "x", None])
def test_going_back_to_what_is_not_there_is_refused(folder: DataFolder, to: object) -> None:
    session = table(folder)
    dealt(session)
    with pytest.raises(RefusalError) as refused:
        tell(session, "back", to=to)
    assert refused.value.code == "event-refused"
