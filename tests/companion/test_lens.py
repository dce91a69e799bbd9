"""A phone as the camera: its pictures are looked at, one phone's at a time, and nothing that is no picture gets in."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.eyes import Eyes
from companion.lens import LOST, MOST, PHONE, WIDTH, Lens, jpeg_size
from companion.refusals import RefusalError
from companion.server.limits import MOST_PICTURE
from companion.storage import DataFolder
from tests.companion.serving import Phone, Served, served
from tests.waiting import until
from vision.types import Image, ImageReading


def picture(width: int = 320, height: int = 180, grey: int = 90) -> bytes:
    return cv2.imencode(".jpg", np.full((height, width, 3), grey, np.uint8))[1].tobytes()


class Blank:
    """Reads no card in any picture."""

    def read(self, image: Image) -> ImageReading:
        return ImageReading(width=image.shape[1], height=image.shape[0], cards=())


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Served]:
    with DataFolder.open(tmp_path) as folder, served(folder) as made:
        made.room.eyes = Eyes(made.session, load_reader=lambda: Blank())  # type: ignore[arg-type,return-value]
        yield made
        made.room.eyes.stop()


def send(phone: Phone, data: bytes) -> int:
    return phone.http.post("/api/lens", content=data, headers={"Content-Type": "image/jpeg"}).status_code


def test_a_phone_is_the_camera_once_the_host_has_chosen_that(running: Served, host: Phone) -> None:
    ben = running.phone("Ben")
    assert send(ben, picture()) == 409
    assert host.send("camera", {"source": PHONE})["ok"]
    assert host.table()["camera"]["mode"] == "phone"
    assert send(ben, picture()) == 204
    until(lambda: host.table()["camera"]["state"] == "watching")
    until(lambda: host.http.get("/api/camera.jpg").status_code == 200)
    assert send(host, picture()) == 403, "one phone at a time"
    assert send(ben, picture()) == 204
    assert host.send("camera", {"source": None})["ok"]
    assert send(ben, picture()) == 409


def test_what_is_no_picture_or_too_much_of_one_is_refused(running: Served, host: Phone) -> None:
    host.send("camera", {"source": PHONE})
    assert running.room.eyes.mode == "phone"
    whole = picture()
    for data in (b"", b"GIF89a", b"\xff\xd8", whole[:60], b"\xff\xd8" + b"\xff\xc0" * 40, whole[:20] + whole[90:]):
        assert send(host, data) == 400, data[:8]
    assert send(host, whole + b"\0" * MOST_PICTURE) == 413
    assert send(host, whole) == 204


def test_a_small_file_that_claims_to_be_huge_is_never_unfolded() -> None:
    data = bytearray(picture())
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = (60000).to_bytes(2) + (60000).to_bytes(2)
    assert jpeg_size(bytes(data)) == (60000, 60000)
    with pytest.raises(RefusalError, match=str(MOST)):
        Lens().put("1", bytes(data))


@pytest.mark.parametrize("size", [(16, 16), (640, 480), (1921, 1081), (480, 1600)])
def test_the_size_is_read_from_the_header(size: tuple[int, int]) -> None:
    assert jpeg_size(picture(*size)) == size


def test_a_viewer_is_no_camera(running: Served, host: Phone) -> None:
    host.send("camera", {"source": PHONE})
    tv = running.phone("TV")
    assert host.send("role", {"device": tv.id, "role": "viewer"})["ok"]
    assert send(tv, picture()) == 403


def test_a_phone_that_falls_silent_is_lost_once_and_found_again() -> None:
    now = [0.0]
    lens, stop = Lens(lambda: now[0]), threading.Event()
    frames = lens.frames(stop)
    lens.put("1", picture(2 * WIDTH, 1200))
    first = next(frames)
    assert first is not None
    assert first.image.shape == (600, WIDTH, 3)
    now[0] = LOST + 1
    assert next(frames) is None
    lens.put("2", picture())
    second = next(frames)
    assert second is not None
    assert second.number == 1
    lens.put("2", picture())
    lens.put("2", picture())
    newest = next(frames)
    assert newest is not None
    assert newest.number == 3, "only the newest counts"
    stop.set()
    assert list(frames) == []
