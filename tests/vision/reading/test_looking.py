"""Where the detector looks: not at what is bare, straight or known, and no closer than it has to."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.painted import detector, lying, paint, table
from tests.vision.reading.test_join import seen
from vision.geometry import CARD, SLOTS, Rect, map_points
from vision.reading.detect import Detector, Found, find
from vision.reading.join import Joined
from vision.reading.looking import fans, looked_for, unexplained
from vision.reading.pyramid import Pyramid
from vision.types import Image

WHOLE: Rect = (0, 0, 1280, 720)


def sizes_seen(image: Image, faces: list[Joined]) -> tuple[list[tuple[int, int]], Found]:
    """What a detector is shown, as widths and heights, and what it finds."""
    shown: list[tuple[int, int]] = []

    def look(image: Image) -> Found:
        shown.append((image.shape[1], image.shape[0]))
        return detector(image)

    found = looked_for(look, Pyramid(image), [WHOLE], faces)
    return shown, found


def holds(rects: list[Rect], points: np.ndarray) -> bool:
    """Whether one of the rectangles holds all the points."""
    (x0, y0), (x1, y1) = points.min(0), points.max(0)
    return any(left <= x0 and top <= y0 and x1 <= right and y1 <= bottom for left, top, right, bottom in rects)


def face(image: Image, x: float, y: float, card: str = "7H", width: float = 90) -> Joined:
    """A painted card whose edges are known."""
    place = lying(x, y, 0.2, width)
    paint(image, card, place)
    return Joined(tuple(seen(place, card)), (0, 2), map_points(place, CARD))


def test_a_bare_table_is_not_looked_at() -> None:
    assert unexplained(Pyramid(table()), [WHOLE], []) == []
    assert sizes_seen(table(), [])[0] == []


def test_the_edge_of_a_table_is_bare() -> None:
    image = table()
    image[:, 700:] = (200, 220, 230)
    cv2.line(image, (0, 80), (1279, 300), (10, 10, 10), 3)
    looked_at = unexplained(Pyramid(image), [WHOLE], [])
    assert sum((right - left) * (bottom - top) for left, top, right, bottom in looked_at) < 0.1 * 1280 * 720


@settings(deadline=None, max_examples=40)
@given(st.floats(500, 780), st.floats(300, 420), st.floats(-3.2, 3.2), st.floats(50, 380))
def test_every_index_is_looked_at_whole(x: float, y: float, angle: float, width: float) -> None:
    """A large one as well, which has bare paper all around: something of the paper is looked at with it."""
    image, place = table(), lying(x, y, angle, width)
    paint(image, "7H", place)
    looked_at = unexplained(Pyramid(image), [WHOLE], [])
    for slot in (0, 2):
        around = SLOTS[slot].mean(0) + 1.2 * (SLOTS[slot] - SLOTS[slot].mean(0))
        assert holds(looked_at, np.clip(map_points(place, around), 0, (1280, 720)))


def test_known_cards_are_not_looked_at_but_what_lies_on_them_is() -> None:
    image = table()
    known = [face(image, x, 200, card) for x, card in ((200, "7H"), (600, "9C"), (1000, "2S"))]
    assert sizes_seen(image, known)[0] == []
    upper = lying(1060, 250, 0.9, 90)  # its index is over a corner of the last card
    paint(image, "KD", upper)
    shown, found = sizes_seen(image, known)
    assert sum(width * height for width, height in shown[:1]) < 0.2 * 512 * 288
    index = map_points(upper, SLOTS[0]).mean(0)
    assert np.linalg.norm(found.boxes[:, :2] - index, axis=1).min() < 4


@pytest.mark.parametrize("others", [0, 1, 6])
def test_edges_that_may_be_of_two_cards_explain_nothing(others: int) -> None:
    image = table()
    known = [face(image, 150 + 180 * (i % 6), 150 + 8 * i) for i in range(others)]
    two = face(image, 640, 520, width=120)
    places = unexplained(Pyramid(image), [WHOLE], [])
    shown, found = sizes_seen(image, [*known, two])
    assert places
    assert shown
    assert len(found) == 0  # it finds the indices of the large card alone: they are at their places


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 200), st.integers(1, 200), st.integers(0, 99))
def test_any_picture_can_be_looked_at(width: int, height: int, seed: int) -> None:
    image = np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)
    for left, top, right, bottom in unexplained(Pyramid(image), [(0, 0, width, height)], []):
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height


@pytest.mark.parametrize(("width", "closest"), [(70, 1.0), (130, 0.64), (200, 0.4)])
def test_small_indices_are_looked_at_closely_and_larger_ones_less_so(
    width: float, closest: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = table()
    paint(image, "7H", lying(640, 360, 0.2, width))
    scales: list[float] = []

    def spied(detector: Detector, pyramid: Pyramid, looks: Sequence[tuple[Rect, float]]) -> Found:
        scales.extend(scale for _, scale in looks)
        return find(detector, pyramid, looks)

    monkeypatch.setattr("vision.reading.looking.find", spied)
    assert len(sizes_seen(image, [])[1]) == 2
    assert max(scales) == pytest.approx(closest, abs=0.1)


@pytest.mark.parametrize(
    ("away", "angle", "height", "scale"),
    [(38, 0.2, 40, 1.4), (38, 1.2, 40, None), (90, 0.2, 40, None), (38, 0.2, 30, 1.5), (60, 0.2, 70, None)],
)
def test_indices_side_by_side_are_looked_at_once_more_for_one_between_them(
    away: float, angle: float, height: float, scale: float | None
) -> None:
    """Of a fan of three the middle one is the easiest to miss; between indices that are turned otherwise, or lie far
    apart, none lies, and large ones have been seen well enough."""
    boxes = np.array([[600, 360, 18, height, 0.2], [600 + away, 360, 18, height, angle]], np.float32)
    looks = fans(Found(boxes, np.array([0.9, 0.8], np.float32)), [WHOLE], lambda _: 0.8)
    assert [at for _, at in looks] == ([] if scale is None else [pytest.approx(scale)])
    if looks:
        assert holds([rect for rect, _ in looks], boxes[:, :2] + height)
