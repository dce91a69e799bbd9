"""The cameras to choose from: told apart, each with a picture, and none of them able to hold anything up."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import cameras as module
from companion.cameras import FRESH, Camera, Thumbnails, cameras
from companion.errors import UserError
from tests.waiting import PATIENCE
from vision.sources import live
from vision.sources.live import CameraName
from vision.types import Image

WEBCAM, OTHER = Camera("Webcam", "Webcam", 0), Camera("Lamp", "Lamp", 2)


def test_two_webcams_of_one_model_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = [CameraName(0, "HD Webcam"), CameraName(2, "HD Webcam"), CameraName(4, "Lamp")]
    monkeypatch.setattr(live, "list_cameras", lambda: listed)
    found = cameras()
    assert [one.source for one in found] == ["0", "2", "Lamp"]
    assert [one.name for one in found] == ["HD Webcam (0)", "HD Webcam (2)", "Lamp"]
    assert [live.find_camera(one.source, listed).number for one in found] == [0, 2, 4]


class Looking:
    """Cameras that give a grey picture, or none."""

    def __init__(self, dead: set[int] = frozenset()) -> None:  # type: ignore[assignment]
        self.dead = dead
        self.opened: list[int] = []

    def __call__(self, number: int) -> tuple[Image | None, str]:
        self.opened.append(number)
        if number in self.dead:
            return None, "gives no picture"
        return np.full((720, 1280, 3), 100 + number, np.uint8), ""


def test_a_small_picture_is_kept_for_a_while_and_taken_anew_afterwards() -> None:
    now = [0.0]
    look = Looking()
    thumbnails = Thumbnails(look, lambda: [WEBCAM, OTHER], lambda: now[0])
    data = thumbnails.of("Lamp")
    assert data is not None
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == (270, 480, 3)
    assert thumbnails.of("Lamp") == data
    assert look.opened == [2]
    now[0] = FRESH + 1
    thumbnails.of("Lamp")
    assert look.opened == [2, 2]


def test_a_dead_camera_has_no_picture_and_one_that_is_not_listed_is_never_opened() -> None:
    look = Looking(dead={0})
    thumbnails = Thumbnails(look, lambda: [WEBCAM])
    assert thumbnails.of("Webcam") is None
    for source in ("Lamp", "/etc/passwd", "http://example.invalid/stream", "0", ""):
        with pytest.raises(UserError):
            thumbnails.of(source)
    assert look.opened == [0]


def test_a_camera_that_cannot_be_opened_is_told_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    image, words = module.snapshot(63, seconds=PATIENCE)
    assert image is None
    assert words
