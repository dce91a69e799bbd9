"""The plane from the cards on it, table.toml, and the layout of a deal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.tabletop import Tabletop
from vision.plane import Plane, project
from vision.table.layout import deal_of, propose
from vision.table.place import card_corners, place, place_all
from vision.table.table import Table, TableError, level_table
from vision.types import ImageReading

ROWS = (("3C", "7S", "9D"), ("KC", "2H", "JH"), ("4C", "5D", "QH"))


@settings(max_examples=25, deadline=None)
@given(st.floats(-3.1, 3.1), st.floats(-0.0004, 0.0004), st.floats(-0.0004, 0.0004), st.integers(0, 1000))
def test_the_plane_is_found_from_cards_at_any_angle(turn: float, u: float, v: float, seed: int) -> None:
    chance = np.random.default_rng(seed)
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    camera = np.array([[1, 0, 640], [0, 1, 360], [0, 0, 1.0]]) @ np.array([[1, 0, 0], [0, 1, 0], [u, v, 1]]) @ spin
    camera = camera @ np.diag([90.0, 90.0, 1.0])
    outlines = []
    for _ in range(7):
        corners = card_corners(chance.uniform(-4, 4, 2), float(chance.uniform(0, 6)))
        outlines.append(project(camera, corners))
    plane = Plane.fit(outlines, 1280, 720)
    for outline in outlines:
        sides = np.linalg.norm(np.roll(plane.to_plane(outline), -1, axis=0) - plane.to_plane(outline), axis=1)
        assert sides == pytest.approx([1, 88 / 63, 1, 88 / 63], abs=0.06)


def test_a_card_is_placed_alike_from_one_corner_and_from_two() -> None:
    table = Tabletop()
    table.lay("7H", 1.2, -0.7, 0.6)
    plane = Plane.level(576, 432, 36.0)
    whole = table.read(table.image()).cards[0]
    table.lay(None, 1.5, -0.1, 0.6)
    half = table.read(table.image()).cards[0]
    assert (len(whole.indices), len(half.indices)) == (2, 1)
    first, second = place(whole, plane), place(half, plane)
    assert first.centre == pytest.approx([1.2, -0.7], abs=0.03)
    assert second.centre == pytest.approx(first.centre, abs=0.06)
    assert second.angle == pytest.approx(first.angle, abs=0.03)


@pytest.mark.parametrize("turn", [0.0, 0.4, 1.6, 3.1])
def test_the_deal_gives_seats_in_order_and_the_first_pile_card(turn: float) -> None:
    table = Tabletop(camera=(0.0, 0.0, turn))
    table.deal(ROWS, stock=False)
    table.lay("8S", 0.1, 0.1, 0.3)
    reading = table.read(table.image())
    found = propose(reading)
    rows, pile = deal_of(found, place_all(reading.cards, found.plane))
    faces = [[str(card.card) for card in row] for row in rows]
    turned = [faces[seat:] + faces[:seat] for seat in range(3)]
    assert [list(row) for row in ROWS] in turned
    assert [str(card.card) for card in pile] == ["8S"]


@pytest.mark.parametrize(
    ("width", "height", "x", "is_stock"),
    [
        (1, 88 / 63, -2.2, True),
        (0.86, 1.22, -2.2, True),
        (1.1, 2.3, -2.2, False),
        (1.4, 1.4, -2.2, False),
        (1, 1.4, 6, False),
    ],
    ids=["a card", "its pattern", "a phone", "a coaster", "a card far off"],
)
def test_a_stock_of_which_no_back_is_told_is_known_by_its_measures(
    width: float, height: float, x: float, is_stock: bool
) -> None:
    table = Tabletop()
    table.deal(ROWS, stock=False)
    half = np.array([width, height]) / 2
    shape = table.pixels(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + [x, 0.0]).astype(np.float32)
    found = propose(replace(table.read(table.image()), shapes=(shape,)), turned=False)
    assert (found.stock is not None) is is_stock


def test_pictures_without_a_deal_say_what_is_missing() -> None:
    with pytest.raises(TableError, match="no card can be read"):
        propose(ImageReading(640, 480, ()))
    table = Tabletop()
    table.deal(ROWS[:1])
    with pytest.raises(TableError, match="needs at least two seats"):
        propose(table.read(table.image()))


def test_a_table_file_round_trips(tmp_path: Path) -> None:
    table = level_table(1280, 720, 90, [640, 360], [[[500, 650], [600, 650]], [[500, 70]]], stock=[300, 360])
    table.save(tmp_path / "table.toml")
    again = Table.load(tmp_path / "table.toml")
    assert again.to_toml() == table.to_toml()
    assert again.seat_at(again.plane.to_plane([[550, 650]])[0]) == 0
    assert again.in_pile(again.plane.to_plane([[640, 360]])[0])
    half = again.scaled(640, 360)
    assert half.plane.to_plane([[320, 180]]) == pytest.approx(again.plane.to_plane([[640, 360]]), abs=1e-6)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("version = 1", "version = 9"), "version"),
        (("image = [1280, 720]", "image = [3]"), "image"),
        (("plane = [[", "plain = [["), "plane"),
        (("[pile]", "[pail]"), "no \\[pile\\]"),
        (("version = 1", "version ="), "not TOML"),
    ],
)
def test_a_damaged_table_file_says_what_is_wrong(tmp_path: Path, change: tuple[str, str], words: str) -> None:
    path = tmp_path / "table.toml"
    table = level_table(1280, 720, 90, [640, 360], [[[500, 650]]])
    path.write_text(table.to_toml().replace(*change), encoding="utf-8")
    with pytest.raises(TableError, match=words):
        Table.load(path)


def test_a_missing_table_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="nowhere"):
        Table.load(tmp_path / "nowhere.toml")
