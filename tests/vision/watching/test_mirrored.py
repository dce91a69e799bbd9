"""A mirrored picture, as many webcam programs show it: its cards are read, as other ones, and that is noticed."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import companion
from vision.reading.mirrored import is_doubtful, is_mirrored
from vision.reading.reader import Reader
from vision.sources import Frame
from vision.sources.files import Film
from vision.types import Observation, Seen
from vision.watching.watcher import Watcher

SAMPLE = Path(companion.__file__).parent / "sample" / "sample.mp4"


@functools.cache
def reader() -> Reader:
    return Reader.load()


def frames(seconds: float, *, mirrored: bool) -> Iterator[Frame]:
    film = Film(SAMPLE)
    while (frame := film.read()) is not None and frame.at < seconds:
        yield replace(frame, image=np.ascontiguousarray(frame.image[:, ::-1])) if mirrored else frame
    film.close()


def deal(*, mirrored: bool, photo: bool = False) -> tuple[Watcher, Observation]:
    watcher = Watcher(reader(), players=2)
    for frame in frames(4.0, mirrored=mirrored):
        for observation in watcher.see(frame, photo=photo):
            if observation.kind is Seen.DEAL:
                return watcher, observation
    pytest.fail(f"no deal was seen: {watcher.note}")


def rows(observation: Observation) -> list[list[str]]:
    return sorted(sorted(str(one.card) for one in row) for row in observation.upcards)


@pytest.mark.parametrize("photo", [False, True])
def test_a_mirrored_deal_is_noticed_and_read_the_right_way_round(photo: bool) -> None:
    watcher, usual = deal(mirrored=False, photo=photo)
    assert not watcher.setup.mirrored
    watcher, turned_back = deal(mirrored=True, photo=photo)
    assert watcher.setup.mirrored
    assert rows(turned_back) == rows(usual)


def test_what_is_read_more_surely_in_a_mirror_is_mirrored() -> None:
    frame = next(iter(frames(1.0, mirrored=False)))
    usual, back = (reader().read(image) for image in (frame.image, np.ascontiguousarray(frame.image[:, ::-1])))
    assert not is_doubtful(usual)
    assert is_doubtful(back)
    assert is_mirrored(back, usual)
    assert not is_mirrored(usual, back)
