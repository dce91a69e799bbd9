"""Cards squared under the one that came, on stills of the virtual table with a deck of our own drawing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import datasets.rims
import models
from companion.commands.watch import _reader as the_reader
from companion.errors import UserError
from datasets.rims import Laid, Stills, compressed
from vision.plane import CARD_HEIGHT, Plane
from vision.types import Image
from vision.watching.beneath import counts
from vision.watching.rims import COLUMNS, GREATEST, LEAST, ROWS, rims, squared
from vision.watching.rims import _net as net

Seen = tuple[Laid, tuple[float, ...]]


@pytest.fixture(scope="module")
def seen() -> list[Seen]:
    """What the net says of the plays at two tables, of sets that are squared, with the edges of our own deck."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(datasets.rims, "edged", lambda deck, _: deck)
        patched.setattr(datasets.rims, "FORMS", {"squared": 1.0})
        return [told for seed in (301, 302) for told in _told(seed)]


def _told(seed: int) -> Iterator[Seen]:
    stills = Stills(seed, None)
    stills.film(30)
    pictures = compressed(stills.pictures, stills.rng)
    for laid in stills.laid:
        yield laid, squared(pictures[laid.at - 1], pictures[laid.at], stills.plane, laid.centre, laid.angle)


def test_of_single_cards_few_are_taken_for_sets(seen: list[Seen]) -> None:
    alone = [counts(1, odds, 4)[1] > 0.5 for laid, odds in seen if laid.under == 0]
    assert len(alone) > 15
    assert np.mean(alone) > 0.9


def test_a_set_shows_where_a_millimetre_sticks_out(seen: list[Seen]) -> None:
    sets = [counts(1, odds, 4)[1] < 0.5 for laid, odds in seen if laid.under and laid.apart > 1.2]
    assert len(sets) > 12
    assert np.mean(sets) > 0.8


def test_most_sets_show_with_worn_edges_and_in_fans_too() -> None:
    told = [one for seed in (301, 302) for one in _told(seed)]
    sets = [counts(1, odds, 4)[1] < 0.5 for laid, odds in told if laid.under and laid.apart > 1.2]
    assert len(sets) > 12
    assert np.mean(sets) > 0.6


def test_odds_stay_within_what_a_net_may_claim(seen: list[Seen]) -> None:
    for _, odds in seen:
        assert len(odds) == 3
        assert all(LEAST <= ratio <= GREATEST for ratio in odds)


def test_a_missing_net_is_told_at_the_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(models, "FOLDER", tmp_path)
    net.cache_clear()
    with pytest.raises(UserError, match=r"rims\.onnx is missing"):
        the_reader()


def test_each_side_is_cut_out_with_its_outside_up() -> None:
    """A white card on a dark table, before it came and since: every side dark above, white below, and dark before."""
    plane = Plane.level(640, 480, 100)
    now: Image = np.full((480, 640, 3), 40, np.uint8)
    high = round(100 * CARD_HEIGHT / 2)
    now[240 - high : 240 + high, 270:370] = 230
    before: Image = np.full((480, 640, 3), 40, np.uint8)
    sides = rims(before, now, plane, np.zeros(2), 0.0)
    assert sides.shape == (4, 6, ROWS, COLUMNS)
    middle = slice(COLUMNS // 4, 3 * COLUMNS // 4)
    for side in sides:
        assert side[:3, :10, middle].max() < 80
        assert side[:3, -8:, middle].min() > 180
        assert side[3:].max() < 80
