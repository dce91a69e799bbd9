"""Quadrilaterals, backs, and what looks like them."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from tests.vision.painted import Matrix, blind, detector, lying, paint, reader, table
from vision.geometry import CARD, map_points
from vision.reading.backs import back_score
from vision.reading.detect import Found
from vision.reading.quads import find_quads
from vision.types import Image

WIDTH, HEIGHT = 252, 352


def bordered(pattern: Image) -> Image:
    card = np.full((HEIGHT, WIDTH, 3), 245, np.uint8)
    card[16:-16, 16:-16] = pattern[16:-16, 16:-16]
    return card


def lattice() -> Image:
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    cross = ((x + y) % 22 < 6) | ((x - y) % 22 < 6)
    return bordered(np.where(cross[..., None], (240, 240, 240), (150, 40, 30)).astype(np.uint8))


def medallion() -> Image:
    card = np.full((HEIGHT, WIDTH, 3), (40, 30, 160), np.uint8)
    for radius in range(110, 10, -18):
        cv2.ellipse(
            card, (WIDTH // 2, HEIGHT // 2), (radius * 9 // 10, radius * 13 // 10), 0, 0, 360, (230, 230, 235), 5
        )
    return bordered(card)


def dots() -> Image:
    card = np.full((HEIGHT, WIDTH, 3), (60, 110, 20), np.uint8)
    for x in range(22, WIDTH, 26):
        for y in range(20, HEIGHT, 26):
            cv2.circle(card, (x, y), 7, (200, 220, 240), -1)
    return bordered(card)


def sheet() -> Image:
    return np.full((HEIGHT, WIDTH, 3), 238, np.uint8)


def phone() -> Image:
    card = np.full((HEIGHT, WIDTH, 3), 18, np.uint8)
    cv2.circle(card, (30, 30), 12, (60, 60, 60), -1)
    return card


def book() -> Image:
    card = np.full((HEIGHT, WIDTH, 3), (120, 80, 30), np.uint8)
    cv2.putText(card, "A NOVEL", (20, 80), cv2.FONT_HERSHEY_DUPLEX, 1.5, (230, 230, 230), 3)
    cv2.circle(card, (170, 250), 60, (40, 90, 220), -1)
    return card


def app() -> Image:
    card = np.full((HEIGHT, WIDTH, 3), 235, np.uint8)
    generator = np.random.default_rng(3)
    for row in range(9):
        end = int(generator.integers(80, WIDTH - 20))
        cv2.rectangle(card, (20, 20 + 36 * row), (end, 34 + 36 * row), generator.integers(0, 200, 3).tolist(), -1)
    return card


def lay(image: Image, card: Image, place: Matrix) -> None:
    quad = map_points(place, CARD)
    corners = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, quad)
    size = (image.shape[1], image.shape[0])
    drawn = cv2.warpPerspective(card, matrix, size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full(card.shape[:2], 255, np.uint8), matrix, size)
    image[mask > 127] = drawn[mask > 127]


@pytest.mark.parametrize("angle", [0.0, 0.4, 1.4, 2.7])
@pytest.mark.parametrize("pattern", [lattice, medallion, dots])
def test_backs_are_found(pattern: Callable[[], Image], angle: float) -> None:
    image, place = table(), lying(500, 350, angle, 90)
    lay(image, pattern(), place)
    paint(image, "7H", lying(900, 300, 0.3, 90))
    reading = reader().read(image)
    assert [str(card.card) for card in reading.cards] == ["7H"]
    (back,) = reading.backs
    truth = map_points(place, CARD)
    assert min(float(np.abs(back.outline - np.roll(truth, turn, 0)).max()) for turn in range(4)) < 5
    assert 0.5 < back.score <= 1


@pytest.mark.parametrize("thing", [sheet, phone, book, app])
def test_other_things_are_no_backs(thing: Callable[[], Image]) -> None:
    image = table()
    lay(image, thing(), lying(500, 350, 0.4, 90))
    reading = reader().read(image)
    assert reading.backs == ()
    assert reading.shapes == ()  # no face says how large a card is here


def test_what_is_as_large_as_a_card_and_shows_neither_index_nor_pattern_is_a_shape() -> None:
    image = table()
    place = lying(400, 350, 0.4, 80)
    lay(image, app(), place)
    paint(image, "7H", lying(900, 300, 0.3, 80))
    reading = reader().read(image)
    assert reading.backs == ()
    assert any(float(np.abs(shape.mean(0) - map_points(place, CARD).mean(0)).max()) < 3 for shape in reading.shapes)


def test_size_tells_a_large_thing_from_a_card() -> None:
    image = table()
    lay(image, lattice(), lying(400, 350, 0.1, 260))  # a tray with a pattern
    paint(image, "7H", lying(900, 300, 0.3, 70))
    assert reader().read(image).backs == ()


def test_a_face_that_the_detector_missed_is_read_by_its_outline() -> None:
    image, place = table(), lying(600, 350, 0.5, 100)
    paint(image, "KD", place)
    reading = reader(finder=blind).read(image)
    assert [str(card.card) for card in reading.cards] == ["KD"]
    assert reading.backs == ()
    truth = map_points(place, CARD)
    assert min(float(np.abs(reading.cards[0].outline - np.roll(truth, t, 0)).max()) for t in range(4)) < 5


def test_the_score_of_a_blank_is_nothing() -> None:
    assert back_score(np.full((176, 126, 3), 200, np.uint8)) == 0


@pytest.mark.parametrize("angle", np.linspace(0, 3, 7))
def test_quads_keep_their_order(angle: float) -> None:
    image, place = table(), lying(600, 350, angle, 100)
    lay(image, lattice(), place)
    quads = find_quads(image)
    truth = map_points(place, CARD)
    best = min(quads, key=lambda quad: float(np.abs(np.sort(quad, 0) - np.sort(truth, 0)).max()))
    assert min(float(np.abs(best - np.roll(truth, turn, 0)).max()) for turn in (0, 2)) < 4


def test_no_quads_in_noise() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (400, 600, 3), np.uint8)
    assert find_quads(noise) == []


def half_blind(image: Image) -> Found:
    """A detector that misses every index in the right half."""
    found = detector(image)
    left = found.boxes[:, 0] < 0.47 * image.shape[1]
    return Found(found.boxes[left], found.scores[left])


def test_a_card_seen_by_one_corner_and_its_edges_gets_its_other_corner() -> None:
    image = table()
    paint(image, "KD", lying(620, 350, -0.7, 120))
    (card,) = reader(finder=half_blind).read(image).cards
    assert str(card.card) == "KD"
    assert len(card.indices) == 2
