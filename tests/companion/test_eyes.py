"""The camera beside the game: choosing it, losing it, the sample film; the nets that ship read it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.bridge import reseat, seating
from companion.eyes import SAMPLE, Eyes
from companion.session import Session
from companion.set_up import SetUp
from companion.status import CameraState
from companion.storage import DataFolder
from tests.companion.serving import until
from vision.types import Observation, Seen


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with DataFolder.open(tmp_path) as folder:
        made = Session(folder, SetUp().change({"players": ["Zoe", "Yan"]}))
        yield made
        made.close()


def test_the_sample_waits_for_somebody_and_is_not_remembered(session: Session) -> None:
    eyes = Eyes(session, str(SAMPLE), mode="sample")
    eyes.start()
    try:
        assert not session.game
        eyes.somebody_came()
        until(lambda: bool(session.game and session.game.phase != "set-up"), 60)
        assert session.playing().players == ("Ann", "Ben")
        assert (eyes.picture(overlay=True) or b"").startswith(b"\xff\xd8")
        assert session.set_up.names == ("Zoe", "Yan")
    finally:
        eyes.stop()
    session.close()
    assert not Session(session.folder).game


def test_a_source_that_cannot_be_opened_leaves_the_game_to_the_hands(session: Session, tmp_path: Path) -> None:
    eyes = Eyes(session, str(tmp_path / "gone.mp4"), mode="file")
    session.new_game()
    eyes.start()
    try:
        until(lambda: session.camera is CameraState.LOST, 30)
        assert session.tell({"event": "deal", "upcards": {}})["verdict"] == "accepted"
        assert session.state.value == "camera lost"
    finally:
        eyes.stop()


def test_players_sit_where_they_were_dragged() -> None:
    seats = [(0.5, 0.9), (0.1, 0.2), (0.9, 0.2)]
    assert seating(seats, [(0.9, 0.1), (0.5, 1.0), (0.0, 0.3)]) == (1, 2, 0)
    assert seating(seats, [(0.9, 0.1), (None, None), (0.0, 0.3)]) == (0, 1, 2)
    assert seating(seats, [(0.9, 0.1)]) == (0, 1, 2)
    seen = reseat(Observation(Seen.LAID, 0, 0, seat=0, upcards=((), (), ())), (1, 2, 0))
    assert seen.seat == 1
