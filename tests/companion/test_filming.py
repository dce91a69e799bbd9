"""The video of a game: off by default, beside the record, playable, never at the cost of the game or of the disk."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.bench_film import measure
from companion.errors import UserError
from companion.filming import FREE, LONGEST_GAP, RATE, WIDTH, Film, Filming
from companion.library import Library
from companion.refusals import RefusalError
from companion.session import Session
from companion.set_up import SetUp
from companion.storage import DataFolder
from vision.types import Image


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with DataFolder.open(tmp_path) as folder:
        made = Session(folder, SetUp().change({"players": ["Ann", "Ben"]}))
        yield made
        made.close()


def picture(number: int = 0, width: int = 320) -> Image:
    image = np.full((width * 9 // 16, width, 3), 40, np.uint8)
    cv2.putText(image, str(number), (40, 100), cv2.FONT_HERSHEY_SIMPLEX, 2, (255, 255, 255), 3)
    return image


def films(session: Session) -> list[Path]:
    game = session.playing().id
    return sorted(session.folder.videos(game).glob("*"))


def frames_of(path: Path) -> tuple[int, tuple[int, int]]:
    film = cv2.VideoCapture(str(path))
    number, size = 0, (0, 0)
    while True:
        good, image = film.read()
        if not good:
            return number, size
        number, size = number + 1, (image.shape[1], image.shape[0])


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are text there")
def test_a_folder_whose_name_is_no_text_costs_the_video_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    film = Film(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9/game.webm")))
    film.offer(picture(), 0.0)
    film.close()
    assert "the video is not recorded" in caplog.text
    assert not film.path.exists()


def test_nothing_is_filmed_unless_somebody_asked_for_it(session: Session) -> None:
    session.new_game()
    filming = Filming(session)
    for number in range(30):
        filming.offer(picture(number), number / 15)
    assert filming.state == "off"
    filming.stop()
    assert films(session) == []


def test_a_film_lasts_as_long_as_the_game_and_lies_beside_its_record(session: Session) -> None:
    session.agree({"record_video": True})
    session.new_game()
    filming = Filming(session)
    for number in range(60):  # four seconds at 15 pictures a second
        filming.offer(picture(number), 100 + number / 15)
        if filming._film:
            until_written(filming)
    assert filming.state == "on"
    filming.stop()
    assert filming.state == "off"
    [film] = films(session)
    number, size = frames_of(film)
    assert abs(number - 4 * RATE) <= 1
    assert size == (320, 180)
    told = Library(session.folder).one(session.playing().id, None)["videos"]
    assert [one["url"] for one in told] == [f"/api/games/{session.playing().id}/videos/{film.name}"]
    assert told[0]["bytes"] == film.stat().st_size


def until_written(filming: Filming) -> None:
    film = filming._film
    while film is not None and not film._waiting.empty():
        time.sleep(0.001)


def test_what_a_film_takes_is_measured_with_every_picture_in_it(tmp_path: Path) -> None:
    path = str(tmp_path / "table.avi")
    writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), 12, (320, 180))
    for number in range(48):
        writer.write(picture(number))
    writer.release()
    measured = measure(path)
    assert (measured["width"], measured["height"]) == (320, 180)
    assert measured["seconds"] == pytest.approx(47 / 12, abs=0.1)
    assert 1000 < measured["bytes"] < Path(path).stat().st_size
    assert measured["megabytes_a_minute"] == pytest.approx(measured["bytes"] * 60 / measured["seconds"] / 1e6, abs=0.01)
    with pytest.raises(UserError):
        measure(str(tmp_path / "none.mp4"))


def test_a_pause_is_filled_up_to_a_few_seconds_so_that_film_and_record_agree(session: Session) -> None:
    session.agree({"record_video": True})
    session.new_game()
    filming = Filming(session)
    filming.offer(picture(1), 0.0)
    until_written(filming)
    filming.offer(picture(2), 2.0)  # two seconds in which the machine was busy
    until_written(filming)
    filming.offer(picture(3), 60.0)  # the camera was gone
    filming.stop()
    number, _ = frames_of(films(session)[0])
    assert number == 1 + 2 * RATE + int(LONGEST_GAP * RATE)


def test_a_large_picture_is_reduced_and_an_odd_size_still_works(session: Session) -> None:
    session.agree({"record_video": True})
    session.new_game()
    filming = Filming(session)
    filming.offer(np.zeros((1081, 1923, 3), np.uint8), 0.0)
    filming.stop()
    assert frames_of(films(session)[0]) == (1, (WIDTH, 720))


def test_a_disk_that_is_nearly_full_is_left_to_the_record(session: Session) -> None:
    session.agree({"record_video": True})
    session.new_game()
    left = [FREE + 1]
    filming = Filming(session, free=lambda _: left[0])
    filming.offer(picture(), 0.0)
    assert filming.state == "on"
    left[0] = FREE - 1
    for number in range(1, 12 * RATE * 2):
        filming.offer(picture(number), number / RATE)
        until_written(filming)
    assert filming.state == "disk full"
    filming.offer(picture(), 1000.0)
    assert len(films(session)) == 1
    session.new_game()
    left[0] = FREE + 1
    filming.offer(picture(), 2000.0)
    assert filming.state == "on"
    filming.stop()


def test_switching_it_off_or_ending_the_game_ends_the_film(session: Session) -> None:
    session.agree({"record_video": True})
    session.new_game()
    filming = Filming(session)
    filming.offer(picture(), 0.0)
    session.agree({"record_video": False})
    filming.offer(picture(), 1.0)
    assert filming.state == "off"
    assert frames_of(films(session)[0])[0] == 1


@pytest.mark.parametrize("name", ["../record.jsonl", "1.mp4", "x.webm", ".webm", "1/2.webm", "9" * 40 + ".webm"])
def test_no_name_leads_out_of_the_folder_of_films(session: Session, name: str) -> None:
    game = session.new_game().id
    with pytest.raises(RefusalError, match="no such video"):
        Library(session.folder).video(game, name)
    with pytest.raises(RefusalError, match="no such video"):
        Library(session.folder).video("../../etc", "1.webm")


def test_deleting_a_game_deletes_its_film(session: Session) -> None:
    session.agree({"record_video": True})
    session.new_game()
    filming = Filming(session)
    filming.offer(picture(), 0.0)
    filming.stop()
    [film] = films(session)
    session.tell({"event": "deal", "upcards": {}})
    game = session.playing().id
    session.end_game()
    Library(session.folder).delete(game, None)
    assert not film.exists()
