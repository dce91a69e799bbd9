"""A film as if it had been filmed otherwise: pictures stay pictures, and what lies there stays what it is."""

from __future__ import annotations

import numpy as np
import pytest

from datasets import otherwise
from datasets.otherwise import KINDS, changed
from tests.vision.tabletop import Cinema, Tabletop, game
from vision.sources import Frame


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_filmed_otherwise_is_one_and_the_same_each_time(kind: str) -> None:
    image = np.random.default_rng(1).integers(0, 256, (180, 320, 3)).astype(np.uint8)
    frames = [changed(kind)(Frame(image, 2.0, 800)) for _ in range(2)]
    assert frames[0].image.dtype == np.uint8
    assert frames[0].image.ndim == 3
    assert (frames[0].at, frames[0].number) == (2.0, 800)
    assert not np.array_equal(frames[0].image, image)
    assert np.array_equal(frames[0].image, frames[1].image)


@pytest.mark.parametrize("kind", ["dark", "flickering", "noisy", "warm"])
def test_a_watcher_follows_what_is_filmed_in_another_light(kind: str) -> None:
    table = Tabletop()
    table.deal((("3C", "7S", "9D"), ("KC", "2H", "JH")))
    cinema = Cinema(table)
    see, change = cinema.watcher.see, changed(kind)
    cinema.watcher.see = lambda frame: see(change(frame))  # type: ignore[method-assign, assignment, misc]
    cinema.roll(1.6)
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    assert game(cinema.seen) == ["DEAL", "LAID 9H"]


def test_a_kind_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        otherwise.main(["film", "--kinds", "fog"])
    assert "invalid choice: 'fog'" in capsys.readouterr().err
