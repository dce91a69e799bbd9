"""The camera beside the game: choosing it, losing it, the sample film; the nets that ship read it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.bridge import reseat, seating
from companion.eyes import BLIND, NO_GAME, PUZZLED, SAMPLE, Eyes
from companion.session import Session
from companion.set_up import SetUp
from companion.status import CameraState
from companion.storage import DataFolder
from tests.waiting import until
from vision.types import Image, ImageReading, Observation, Seen


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
        assert (eyes.picture("en") or b"").startswith(b"\xff\xd8")
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


class Stumbling:
    """A net that breaks down over every picture that ``over`` says so of."""

    def __init__(self, over: Callable[[int], bool]) -> None:
        self.over = over
        self.readings = 0

    def read(self, image: Image, regions: object = None) -> ImageReading:
        del regions
        self.readings += 1
        if self.over(self.readings):
            raise ZeroDivisionError("float division by zero")
        return ImageReading(image.shape[1], image.shape[0], ())


def noted(notes: list[Any], value: object) -> bool:
    notes.append(value)
    return True


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """A folder of pictures without any card."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for number in range(3):
        cv2.imwrite(str(folder / f"{number}.png"), np.full((48, 64, 3), 60 * number, np.uint8))
    return folder


def test_photos_that_are_no_game_are_leafed_through_to_the_last(
    session: Session, photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.frames.LEAF", 0.5)
    eyes = Eyes(session, str(photos), mode="file", load_reader=lambda: Stumbling(lambda _: False))
    eyes.start()
    seen: list[Any] = []
    try:
        until(lambda: eyes.describe()["seen"])
        time.sleep(1.1)  # twice as long as a photo is shown
        assert (eyes.describe()["seen"] or {}).get("photo") == "0.png"  # nobody is there to see the others
        eyes.somebody_came()
        until(lambda: noted(seen, eyes.describe()["seen"]) and session.camera is CameraState.ENDED)
    finally:
        eyes.stop()
    names = dict.fromkeys(one["photo"] for one in seen if one)
    assert list(names) == ["0.png", "1.png", "2.png"]
    assert all(one["cards"] == [] for one in seen if one)
    assert session.advice == NO_GAME


def test_a_game_begun_while_photos_are_leafed_through_sees_them_from_the_first(
    session: Session, photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.frames.LEAF", 1.0)
    eyes = Eyes(session, str(photos), mode="file", load_reader=lambda: Stumbling(lambda _: False))
    eyes.start()
    eyes.somebody_came()
    try:
        until(lambda: (eyes.describe()["seen"] or {}).get("photo") == "1.png")
        session.new_game()
        eyes.game_began()
        until(lambda: eyes.describe()["seen"]["photo"] == "0.png")
        assert session.camera is CameraState.WATCHING
    finally:
        eyes.stop()


def test_what_the_nets_stumble_over_is_told_in_plain_words_and_the_game_goes_on(
    session: Session, photos: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("companion.frames.LEAF", 0.5)
    eyes = Eyes(session, str(photos), mode="file", load_reader=lambda: Stumbling(lambda number: number == 1))
    said: list[Any] = []
    eyes.start()
    eyes.somebody_came()
    try:
        until(lambda: noted(said, session.advice) and session.camera is CameraState.ENDED)
    finally:
        eyes.stop()
    assert [*dict.fromkeys(filter(None, said))] == [PUZZLED, NO_GAME]
    assert "ZeroDivisionError" in caplog.text


def test_nets_that_understand_nothing_leave_the_game_to_the_hands(
    session: Session, photos: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("companion.frames.LEAF", 0.1)
    monkeypatch.setattr("companion.eyes.FAULTS", 2)
    eyes = Eyes(session, str(photos), mode="file", load_reader=lambda: Stumbling(lambda _: True))
    eyes.start()
    eyes.somebody_came()
    try:
        until(lambda: session.camera is CameraState.LOST)
        assert session.advice == BLIND
        session.new_game()
        assert session.tell({"event": "deal", "upcards": {}})["verdict"] == "accepted"
    finally:
        eyes.stop()
    assert "division" not in session.advice
    assert "ZeroDivisionError" in caplog.text
