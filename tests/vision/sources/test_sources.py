"""Films and photos, whole, damaged and absent; names of cameras."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.tabletop import Tabletop
from vision.sources import Kind, SourceError, kind_of, open_source
from vision.sources.live import find_camera, list_cameras
from vision.table.checkup import examine
from vision.types import ImageReading
from vision.watching.feed import left_out, watch
from vision.watching.watcher import Watcher


def film(path: Path, frames: int = 40) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 20.0, (320, 240))
    for number in range(frames):
        writer.write(np.full((240, 320, 3), 40 + number, np.uint8))
    writer.release()
    return path


def ticks_or_words(path: Path) -> int:
    """How many frames are watched; 0 where the film is refused, which is all that may be raised."""
    try:
        return len(list(watch(str(path), Watcher(Tabletop()))))
    except SourceError:
        return 0


def test_a_film_has_its_own_clock(tmp_path: Path) -> None:
    source = open_source(str(film(tmp_path / "film.mp4")))
    frames = []
    while (frame := source.read()) is not None:
        frames.append(frame)
    assert len(frames) == 40
    assert frames[20].at == pytest.approx(1.0)
    assert source.read() is None


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9, 0.99])
def test_a_cut_film_ends_or_is_refused_but_never_crashes(tmp_path: Path, kept: float) -> None:
    data = film(tmp_path / "film.mp4").read_bytes()
    path = tmp_path / "cut.mp4"
    path.write_bytes(data[: int(len(data) * kept)])
    assert ticks_or_words(path) <= 40


def test_a_damaged_film_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    data = bytearray(film(tmp_path / "film.mp4").read_bytes())
    chance = np.random.default_rng(1)
    for at in chance.integers(200, len(data) // 2, 40):
        data[at] ^= 0xFF
    path = tmp_path / "damaged.mp4"
    path.write_bytes(data)
    assert ticks_or_words(path) <= 45


def with_a_hole(tmp_path: Path, share: float, name: str = "hole.mp4") -> Path:
    """A film of 120 frames of which so much was lost."""
    whole = film(tmp_path / "film.mp4", frames=120)
    data = bytearray(whole.read_bytes())
    pictures, end = data.index(b"mdat") + 8, data.rindex(b"moov") - 4
    first = pictures + (end - pictures) // 20
    until = first + int(share * (end - pictures))
    data[first:until] = bytes(until - first)
    path = tmp_path / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", ["hole.mp4", "ein „Loch“ " + "ö" * 100 + ".mp4"])
def test_a_film_with_a_hole_is_named_too_where_it_is_played_at_its_own_pace(tmp_path: Path, name: str) -> None:
    path = with_a_hole(tmp_path, 0.5, name)
    told = [one for tick in watch(str(path), Watcher(Tabletop()), real_time=True) for one in tick.left_out]
    assert [(one.code, one.name) for one in told] == [("film-damaged", name)]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_film_with_a_hole_is_read_behind_it_too_and_named(tmp_path: Path, share: float) -> None:
    """However long the hole: what was read and what was left out are all of it."""
    source = open_source(str(with_a_hole(tmp_path, share)))
    frames = []
    while (frame := source.read()) is not None:
        assert left_out(source) == (), "how much it is, is known at the end"
        frames.append(frame)
    told = left_out(source)
    assert [one.code for one in told] == ["film-damaged"]
    assert int(re.findall(r"damaged: (\d+)", told[0].words)[0]) == 120 - len(frames)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are text there")
@pytest.mark.parametrize("odd", [b"film\xff.mp4", b"\xe9t\xe9/film.mp4"])
def test_a_name_that_is_no_text_is_refused(odd: bytes, tmp_path: Path) -> None:
    """OpenCV would end the whole program."""
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + odd))
    path.parent.mkdir(exist_ok=True)
    film(tmp_path / "film.mp4").rename(path)
    for source in (str(path), f"http://127.0.0.1:9/{path}"):
        with pytest.raises(SourceError, match="no text") as told:
            open_source(source)
        assert str(told.value).isprintable()


def test_photos_come_in_the_order_of_their_numbers_and_bad_ones_are_skipped(tmp_path: Path) -> None:
    for name in ("photo10.png", "photo2.png", "photo1.png"):
        cv2.imwrite(str(tmp_path / name), np.full((48, 64, 3), 90, np.uint8))
    (tmp_path / "photo3.jpg").write_bytes(b"no picture")
    (tmp_path / "photo4.jpg").touch()
    source = open_source(str(tmp_path))
    names = []
    while (frame := source.read()) is not None:
        names.append(frame.name)
    assert names == ["photo1.png", "photo2.png", "photo10.png"]


def test_photos_that_are_no_game_are_read_and_not_refereed(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((48, 64, 3), 90, np.uint8))
    table = Tabletop()
    table.lay("7H", 0, 0)
    table.lay("KD", 1.3, 0)
    watcher = Watcher(table)
    ticks = list(watch(str(tmp_path), watcher))
    assert len(ticks) == 1
    assert ticks[0].observations == ()
    assert "two seats" in watcher.note


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    for text in (str(tmp_path / "no.mp4"), str(tmp_path / "no" / "folder"), "no such camera"):
        with pytest.raises(SourceError, match="no"):
            open_source(text)
    with pytest.raises(SourceError, match="no photos"):
        open_source(str(tmp_path))


def test_what_a_text_names(tmp_path: Path) -> None:
    assert kind_of("0") is Kind.CAMERA
    assert kind_of("rtsp://10.0.0.7/live") is Kind.STREAM
    assert kind_of("http://10.0.0.7:8080/video") is Kind.STREAM
    assert kind_of(str(tmp_path)) is Kind.PHOTOS
    assert kind_of("game.mp4") is Kind.FILM


def test_cameras_are_listed_by_the_system_and_found_by_name(tmp_path: Path) -> None:
    for number, name, index in ((2, "HD Webcam", "0"), (3, "HD Webcam", "1"), (0, "Laptop", "0")):
        folder = tmp_path / f"video{number}"
        folder.mkdir()
        (folder / "name").write_text(name + "\n")
        (folder / "index").write_text(index + "\n")
    cameras = list_cameras(tmp_path)
    assert [(camera.number, camera.name) for camera in cameras] == [(0, "Laptop"), (2, "HD Webcam")]
    assert find_camera("webcam", cameras).number == 2
    assert find_camera("0", cameras).number == 0
    with pytest.raises(SourceError, match="Laptop"):
        find_camera("Scanner", cameras)


def test_the_check_says_what_is_wrong() -> None:
    table = Tabletop()
    table.deal((("3C", "7S", "9D"), ("KC", "2H", "JH")))
    image = table.image()
    reading = table.read(image)
    codes = {finding.code: finding for finding in examine(image, reading)}
    assert codes["light"].good
    assert not codes["size"].good  # 12 pixels high here
    dark = {finding.code: finding.good for finding in examine((image * 0.2).astype(np.uint8), reading)}
    assert not dark["light"]
    burnt = image.copy()
    cv2.circle(burnt, (500, 60), 60, (255, 255, 255), -1)
    glare = {finding.code: finding for finding in examine(burnt, reading)}
    assert not glare["glare"].good
    assert "top right" in glare["glare"].words
    empty = ImageReading(reading.width, reading.height, ())
    assert any(finding.code == "mirrored" for finding in examine(image, empty, reading))
    assert [finding.code for finding in examine(image, empty) if not finding.good] == ["cards"]
