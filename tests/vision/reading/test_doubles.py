"""One card that is read twice, and equal cards of two decks that are two."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.reading.test_join import FOUR, TWO, Matrix, faces, lying, oblique, seen
from vision.geometry import BOTTOM_RIGHT, CARD, TOP_LEFT, map_points
from vision.reading.doubles import each_once
from vision.reading.join import Joined, join

SIZE = (1000, 800)


def by_edges(place: Matrix, card: str) -> Joined:
    return Joined(tuple(seen(place, card)), TWO, map_points(place, CARD))


def known(view: Matrix) -> list[Joined]:
    """Two cards by which it is known how the table lies."""
    return [by_edges(view @ lying(300, 560, 0.4, 90), "2C"), by_edges(view @ lying(760, 300, 1.9, 90), "3C")]


def alone(place: Matrix, card: str, slot: int) -> Joined:
    return Joined(tuple(seen(place, card, [slot])))


@settings(deadline=None, max_examples=60)
@given(
    st.floats(-3.1, 3.1), st.floats(350, 650), st.floats(300, 500), st.floats(0.0, 1.0), st.sampled_from([TWO, FOUR])
)
def test_the_corners_of_a_card_are_one_card_at_any_slant(
    angle: float, x: float, y: float, tilt: float, slots: tuple[int, ...]
) -> None:
    view = oblique(tilt)
    place = view @ lying(x, y, angle, 90)
    cards = each_once([*known(view), *(alone(place, "QS", slot) for slot in slots)], *SIZE)
    assert faces(cards) == ["2C", "3C", "QS"]


@settings(deadline=None, max_examples=30)
@given(st.floats(-3.1, 3.1), st.floats(0.7, 1.0))
def test_what_the_picture_alone_leaves_two_is_one(angle: float, tilt: float) -> None:
    view = oblique(tilt)
    corners = seen(view @ lying(500, 400, angle, 90), "QS")
    cards = each_once([*known(view), *join(corners)], *SIZE)
    assert faces(cards) == ["2C", "3C", "QS"]


@settings(deadline=None, max_examples=30)
@given(st.floats(-3.1, 3.1), st.floats(0.0, 0.9), st.sampled_from([0.0, np.pi]))
def test_equal_cards_side_by_side_stay_two(angle: float, tilt: float, turn: float) -> None:
    view = oblique(tilt)
    beside = 97 * np.array([np.cos(angle), np.sin(angle)])
    places = [view @ lying(450, 400, angle, 90), view @ lying(450 + beside[0], 400 + beside[1], angle + turn, 90)]
    cards = each_once([*known(view), *(by_edges(place, "7H") for place in places)], *SIZE)
    assert Counter(faces(cards))["7H"] == 2


@pytest.mark.parametrize("tilt", [0.0, 0.5, 0.9])
def test_an_equal_card_half_covered_stays_a_card(tilt: float) -> None:
    view = oblique(tilt)
    above, below = view @ lying(500, 400, 0.0, 90), view @ lying(470, 375, 0.0, 90)
    cards = each_once([*known(view), by_edges(above, "7H"), alone(below, "7H", TOP_LEFT)], *SIZE)
    assert Counter(faces(cards))["7H"] == 2


def test_other_faces_stay_apart() -> None:
    place = lying(500, 400, 0.3, 90)
    cards = [*known(oblique(0)), alone(place, "7H", TOP_LEFT), alone(place, "9C", BOTTOM_RIGHT)]
    assert each_once(cards, *SIZE) == cards


def test_one_place_is_one_card() -> None:
    """The same edges taken twice, the second time upside down."""
    place = lying(500, 400, 0.3, 90)
    twice = [by_edges(place, "5S"), by_edges(place @ np.array([[-1, 0, 1], [0, -1, 1], [0, 0, 1]]), "5S")]
    assert len(each_once(twice, *SIZE)) == 1


def test_without_other_cards_the_size_of_the_indices_tells() -> None:
    place = oblique(0.5) @ lying(500, 400, 2.0, 90)
    assert len(each_once([alone(place, "AD", TOP_LEFT), alone(place, "AD", BOTTOM_RIGHT)], *SIZE)) == 1
    far = oblique(0.5) @ lying(800, 400, 2.0, 90)
    assert len(each_once([alone(place, "AD", TOP_LEFT), alone(far, "AD", BOTTOM_RIGHT)], *SIZE)) == 2


def test_nothing_and_one_card() -> None:
    assert each_once([], *SIZE) == []
    card = alone(lying(500, 400), "AD", TOP_LEFT)
    assert each_once([card], *SIZE) == [card]
