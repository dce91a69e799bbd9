"""From a picture to its cards, with stand-ins for the nets: directions, scales, regions, joining."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import FACES, Card
from tests.vision.painted import Matrix, blind, lying, paint, reader, table
from tests.vision.reading.test_join import seen
from vision.geometry import BOTTOM_RIGHT, CARD, TOP_LEFT, map_points
from vision.reading.classify import combined
from vision.reading.detect import Found
from vision.reading.join import Corner, Joined
from vision.reading.pyramid import Pyramid
from vision.types import ImageReading

HAND = ["7H", "TD", "AS", "XX", "QC", "2C"]


def cards(reading: ImageReading) -> list[str]:
    return sorted(str(card.card) for card in reading.cards)


def corner_at(place: Matrix, slot: int, card: str) -> Corner:
    (corner,) = seen(place, card, [slot])
    return corner


@settings(deadline=None, max_examples=30)
@given(st.floats(-3.2, 3.2), st.floats(80, 250), st.sampled_from([str(face) for face in FACES]))
def test_a_card_at_any_angle(angle: float, width: float, card: str) -> None:
    image, place = table(), lying(640, 360, angle, width)
    paint(image, card, place)
    reading = reader([1280]).read(image)
    assert (reading.width, reading.height) == (1280, 720)
    assert cards(reading) == [card]
    (found,) = reading.cards
    truth = map_points(place, CARD)
    off = min(float(np.abs(found.outline - np.roll(truth, way, 0)).max()) for way in (0, 2))
    assert off < 3 + 0.05 * width  # the stand-in sees whole pixels
    assert found.score > 0.9
    assert len(found.indices) == 2


@pytest.mark.parametrize("quarters", range(4))
def test_any_rotation_of_the_camera(quarters: int) -> None:
    image = table()
    for i, card in enumerate(HAND):
        paint(image, card, lying(150 + 180 * i, 200 + 60 * (i % 3), 0.7 * i, 80))
    assert cards(reader().read(np.ascontiguousarray(np.rot90(image, quarters)))) == sorted(HAND)


def test_small_and_large_pictures() -> None:
    """A card that fills a 12-megapixel photo, and one of an index 11 pixels high."""
    large = table(4000, 3000)
    paint(large, "KS", lying(2000, 1500, 0.3, 1700))
    small = table(320, 240)
    paint(small, "KS", lying(160, 120, 0.3, 32))
    assert cards(reader().read(large)) == cards(reader().read(small)) == ["KS"]


def test_a_fan_shows_one_corner_a_card() -> None:
    image = table()
    for i, card in enumerate(HAND):
        paint(image, card, lying(400 + 40 * i, 400, 0.1 * i - 0.2, 120), [TOP_LEFT])
    reading = reader().read(image)
    assert cards(reading) == sorted(HAND)
    assert all(len(card.indices) == 1 for card in reading.cards)


@pytest.mark.parametrize("tilt", [0, 30, 50, 58])
def test_a_card_is_known_by_its_edges_at_any_slant(tilt: float) -> None:
    """From 45 degrees on a card that lies away from the camera looks wider than high."""
    image = table()
    near = np.radians(tilt)
    turned = np.array([[1, 0, 0], [0, np.cos(near), 0], [0, -np.sin(near), 1200]])
    camera = np.array([[1800, 0, 640], [0, 1800, 360], [0, 0, 1]])
    paint(image, "7C", camera @ turned @ lying(0, 0, 0.1, 200))
    assert cards(reader(finder=blind).read(image)) == ["7C"]


def test_edges_around_two_cards_hide_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    """One card half over another: their common outline, cut out where it has no index, reads as a third card's."""
    image = table()
    under, over = lying(500, 350, 0.2, 160), lying(560, 400, 0.2, 160)
    paint(image, "QH", under)
    paint(image, "QS", over)
    first, last = map_points(under, CARD), map_points(over, CARD)
    outline = np.stack([first[0], last[1], last[2], first[3]])
    corners = (corner_at(under, TOP_LEFT, "QC"), corner_at(over, BOTTOM_RIGHT, "QC"))
    false = Joined(corners, (TOP_LEFT, BOTTOM_RIGHT), outline)
    monkeypatch.setattr("vision.reading.reader.edged", lambda *_: ([false], []))
    assert cards(reader().read(image)) == ["QH", "QS"]


def test_an_index_right_beside_the_one_of_the_card_below_is_not_the_same() -> None:
    image, places = table(), [lying(500, 350, 0.0, 200), lying(524, 350, 0.0, 200)]
    corners = [corner_at(place, TOP_LEFT, card) for place, card in zip(places, ["8D", "9C"], strict=True)]
    paint(image, "9C", places[1], [TOP_LEFT])
    paint(below := table(), "8D", places[0], [TOP_LEFT])
    (x0, y0), (x1, y1) = corners[0].points.min(0).astype(int), corners[0].points.max(0).astype(int)
    image[y0:y1, x0:x1] = below[y0:y1, x0:x1]
    boxes = np.array([[*corner.points.mean(0), *np.ptp(corner.points, 0), 0] for corner in corners], np.float32)
    found = Found(boxes[[0, 1, 1]], np.array([0.9, 0.8, 0.7], np.float32))  # what is found twice is still one
    named = reader()._corners(Pyramid(image), found)
    assert [str(FACES[int(corner.likelihoods.argmax())]) for corner in named] == ["8D", "9C"]


def test_four_indices_are_one_card() -> None:
    image = table()
    paint(image, "9D", lying(500, 300, 0.4, 100), range(4))
    reading = reader().read(image)
    assert cards(reading) == ["9D"]
    assert len(reading.cards[0].indices) in (2, 4)  # two that are clear suffice


def test_nothing_is_found_where_nothing_lies() -> None:
    assert reader().read(table()).cards == ()
    assert reader().read(np.zeros((24, 24, 3), np.uint8)).cards == ()


def test_what_is_no_index_is_dropped() -> None:
    image = table()
    image[100:160, 100:130] = (255, 0, 0)  # the detector takes it; the classifier sees no face on it
    assert reader().read(image).cards == ()


def test_only_regions_are_read() -> None:
    image = table()
    paint(image, "7H", lying(200, 300, 0.2, 80))
    paint(image, "8H", lying(900, 400, 1.2, 80))
    paint(image, "9H", lying(1100, 200, 2.2, 80))
    whole = {str(card.card): card for card in reader().read(image).cards}
    part = reader().read(image, [(820, 300, 980, 500)])
    assert cards(part) == ["8H"]
    assert np.allclose(part.cards[0].outline, whole["8H"].outline, atol=1.5)
    assert cards(reader().read(image, [(820, 300, 980, 500), (1000, 100, 1200, 300), (900, 350, 940, 450)])) == [
        "8H",
        "9H",
    ]
    assert reader().read(image, []).cards == ()


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(*[st.integers(-200, 1500)] * 4), max_size=5))
def test_any_regions_are_taken(regions: list[tuple[int, int, int, int]]) -> None:
    image = table()
    paint(image, "7H", lying(200, 300, 0.2, 80))
    # An index that a region cuts through is left out, never misread.
    assert cards(reader().read(image, regions)) in ([], ["7H"])


def test_corners_that_contradict_each_other_leave_doubt() -> None:
    sure = np.full(len(FACES), 1e-4, np.float32)
    six, nine = sure.copy(), sure.copy()
    six[FACES.index(Card.parse("6S"))] = 0.95
    nine[FACES.index(Card.parse("9S"))] = 0.6
    nine[FACES.index(Card.parse("6S"))] = 0.35
    both = combined([six / six.sum(), nine / nine.sum()])
    assert both.sum() == pytest.approx(1, abs=1e-4)
    assert both.argmax() == FACES.index(Card.parse("6S"))
    assert 0.5 < both.max() < 0.999
    assert combined([six, six]).max() > six.max()


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 300), st.integers(1, 300), st.integers(0, 10**6))
def test_any_picture_is_read(width: int, height: int, seed: int) -> None:
    image = np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)
    reading = reader().read(image)
    assert (reading.width, reading.height) == (width, height)
    for card in reading.cards:
        assert np.isfinite(card.outline).all()
        assert card.likelihoods.sum() == pytest.approx(1, abs=1e-3)
        assert 0 <= card.presence <= 1
