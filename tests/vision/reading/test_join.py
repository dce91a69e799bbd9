"""Index boxes to cards: what the detector would see of cards whose place is known, joined again."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.cards import FACES, Card
from vision.geometry import (
    BOTTOM_LEFT,
    BOTTOM_RIGHT,
    CARD,
    CARD_MM,
    SLOTS,
    TOP_LEFT,
    TOP_RIGHT,
    box_points,
    map_points,
    turned,
    upright,
)
from vision.reading.join import Corner, Joined, join

Matrix = NDArray[np.float64]
TWO = (TOP_LEFT, BOTTOM_RIGHT)
FOUR = (TOP_LEFT, TOP_RIGHT, BOTTOM_RIGHT, BOTTOM_LEFT)


def likelihoods(card: str, sure: float = 0.97) -> NDArray[np.float32]:
    result = np.full(len(FACES), (1 - sure) / (len(FACES) - 1), np.float32)
    result[FACES.index(Card.parse(card))] = sure
    return result


def lying(x: float, y: float, angle: float = 0.0, width: float = 60.0) -> Matrix:
    """Card coordinates to pixels for a card seen from above whose centre is at x, y."""
    height = width * CARD_MM[1] / CARD_MM[0]
    cos, sin = np.cos(angle), np.sin(angle)
    turn = np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]])
    return np.asarray(turn @ np.array([[width, 0, -width / 2], [0, height, -height / 2], [0, 0, 1]]), np.float64)


def oblique(tilt: float, distance: float = 8.0) -> Matrix:
    """A camera tilted away from straight above, looking at the pixel 500, 400 from ``distance`` x 100 px."""
    cos, sin = np.cos(tilt), np.sin(tilt)
    to, back = np.array([[1.0, 0, -500], [0, 1, -400], [0, 0, 1]]), np.array([[1.0, 0, 500], [0, 1, 400], [0, 0, 1]])
    view = np.array([[1, 0, 0], [0, cos, 0], [0, sin / (distance * 100), 1]])
    return np.asarray(back @ view @ to, np.float64)


def seen(matrix: Matrix, card: str, slots: Sequence[int] = TWO, sure: float = 0.97) -> list[Corner]:
    """The corners as a detector of oriented boxes gives them: the smallest rectangle around each index."""
    corners = []
    for slot in slots:
        quad = map_points(matrix, SLOTS[slot])
        (x, y), (w, h), degrees = cv2.minAreaRect(quad)
        box = upright(np.array([[x, y, w, h, np.radians(degrees)]], np.float32))
        ways = [box_points(turned(box, quarters))[0] for quarters in range(4)]
        best = min(ways, key=lambda way: float(np.abs(way - quad).sum()))
        corners.append(Corner(best, likelihoods(card, sure), 0.99))
    return corners


def apart(card: Joined, matrix: Matrix) -> float:
    """The farthest that a corner of the outline lies off, in card heights. Which end is the upper one is open."""
    truth = map_points(matrix, CARD)
    off = [np.linalg.norm(card.outline - np.roll(truth, way, 0), axis=1).max() for way in (0, 2)]
    return float(min(off) / np.linalg.norm(truth[3] - truth[0]))


def faces(cards: Sequence[Joined]) -> list[str]:
    return sorted(str(FACES[int(card.corners[0].likelihoods.argmax())]) for card in cards)


@given(st.floats(-3.1, 3.1), st.floats(20, 300))
def test_one_corner_gives_the_whole_card(angle: float, width: float) -> None:
    matrix = lying(400, 300, angle, width)
    (card,) = join(seen(matrix, "7H", [TOP_LEFT]))
    assert apart(card, matrix) < 0.01


@example(angle=0.0, x=200.0, y=587.0, tilt=0.75, slots=TWO)
@given(st.floats(-3.1, 3.1), st.floats(200, 800), st.floats(200, 600), st.floats(0, 0.75), st.sampled_from([TWO, FOUR]))
def test_corners_are_joined_in_perspective(
    angle: float, x: float, y: float, tilt: float, slots: tuple[int, ...]
) -> None:
    """Four boxes say how the card lies; two leave the slant open, and its outline strays the more the greater it is.

    Seen more steeply than 0.75 some are not joined: seven in two thousand by two boxes, more by four.
    """
    matrix = oblique(tilt) @ lying(x, y, angle, 90)
    cards = join(seen(matrix, "QS", slots))
    assert len(cards) == 1
    assert apart(cards[0], matrix) < (0.04 if slots == FOUR else 0.04 + 0.35 * tilt + 0.5 * max(0.0, tilt - 0.6))


def test_the_outline_begins_at_the_top_left_of_the_upright_card() -> None:
    matrix = lying(400, 300, np.pi / 2, 80)
    (card,) = join(seen(matrix, "QS"))
    # Turned a quarter clockwise, the card's top left corner is the picture's top right one.
    assert np.argmax(card.outline[:, 0] - card.outline[:, 1]) in (0, 2)
    edges = np.roll(card.outline, -1, 0) - card.outline
    assert np.all(edges[:, 0] * np.roll(edges[:, 1], -1) - edges[:, 1] * np.roll(edges[:, 0], -1) > 0)  # clockwise


def test_a_whole_deck_spread_out() -> None:
    names = [str(face) for face in FACES[:52]]
    places = [lying(60 + 75 * (i % 13), 70 + 110 * (i // 13), 0.1 * (i % 5 - 2), 50) for i in range(52)]
    cards = join(list(itertools.chain.from_iterable(seen(place, n) for place, n in zip(places, names, strict=True))))
    assert faces(cards) == sorted(names)
    assert all(len(card.corners) == 2 for card in cards)


@pytest.mark.parametrize("slots", [TWO, FOUR])
def test_equal_cards_of_two_decks_side_by_side_stay_two(slots: tuple[int, ...]) -> None:
    first, second = lying(300, 300, 0.05), lying(364, 302, -0.03)
    cards = join([*seen(first, "7H", slots), *seen(second, "7H", slots)])
    assert len(cards) == 2
    assert all(len(card.corners) == len(slots) for card in cards)
    assert min(apart(card, first) for card in cards) < 0.03
    assert min(apart(card, second) for card in cards) < 0.03


def test_an_equal_card_half_covered_stays_a_card() -> None:
    above, below = lying(300, 300), lying(280, 285)
    cards = join([*seen(above, "7H"), *seen(below, "7H", [TOP_LEFT])])
    assert sorted(len(card.corners) for card in cards) == [1, 2]
    assert min(apart(card, above) for card in cards if len(card.corners) == 2) < 0.02


def test_a_fan_gives_one_corner_a_card() -> None:
    names = ["7H", "8S", "9D", "TC", "JH"]
    corners = [seen(lying(300 + 16 * i, 300 + 2 * i, 0.08 * i), n, [TOP_LEFT])[0] for i, n in enumerate(names)]
    corners += seen(lying(300 + 16 * 4, 300 + 2 * 4, 0.08 * 4), "JH", [BOTTOM_RIGHT])
    cards = join(corners)
    assert faces(cards) == sorted(names)


def test_different_faces_are_not_joined_unless_they_fit_exactly() -> None:
    """A corner misread becomes doubt about one card, never a second card."""
    above, below = lying(300, 300), lying(309, 291)
    assert len(join([*seen(above, "7H", [TOP_LEFT]), *seen(below, "7S", [BOTTOM_RIGHT])])) == 2
    assert len(join([*seen(above, "7H", [TOP_LEFT]), *seen(above, "7S", [BOTTOM_RIGHT])])) == 1
    assert len(join([*seen(above, "7H"), *seen(below, "7S", [TOP_LEFT])])) == 2


def test_a_doubtful_corner_is_joined_to_its_sure_partner() -> None:
    matrix = lying(300, 300)
    doubtful = likelihoods("6H", 0.6)
    doubtful[FACES.index(Card.parse("9H"))] = 0.35
    corners = [seen(matrix, "9H", [TOP_LEFT])[0], seen(matrix, "6H", [BOTTOM_RIGHT])[0]]
    corners[1] = Corner(corners[1].points, doubtful / doubtful.sum(), 0.9)
    assert len(join(corners)) == 1


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.floats(0, 900), st.floats(0, 600), st.floats(-3, 3), st.integers(0, 3)), max_size=12))
def test_no_corner_is_lost_or_used_twice(places: list[tuple[float, float, float, int]]) -> None:
    corners = [seen(lying(x, y, angle), f"{n + 6}H", [TOP_LEFT])[0] for x, y, angle, n in places]
    cards = join(corners)
    used = [id(corner) for card in cards for corner in card.corners]
    assert sorted(used) == sorted(map(id, corners))
    assert all(len(set(card.slots)) == len(card.slots) for card in cards)
