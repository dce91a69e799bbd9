"""What the reader would look at in a rendered scene is labelled by what is truly there."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets import crops
from datasets.looked_at import looked_at, shows
from vision.geometry import WIDER, Boxes, box_points, turned
from vision.reading.classify import NO_INDEX
from vision.reading.detect import Found

INDEX: Boxes = np.array([[60, 60, 20, 40, 0.3]], np.float32)
AWAY: Boxes = np.array([[160, 140, 20, 40, 1.0]], np.float32)


def places(boxes: Boxes) -> NDArray[np.float32]:
    """Box corners, widened as the reader widens them."""
    wide = boxes.copy()
    wide[:, 2:4] *= 1 + 2 * WIDER
    return box_points(wide)


def moved(boxes: Boxes, x: float = 0, y: float = 0, larger: float = 1) -> Boxes:
    result = boxes.copy()
    result[:, :2] += (x, y)
    result[:, 2:4] *= larger
    return result


def test_a_place_shows_the_index_that_fills_it_upright() -> None:
    truth = box_points(np.concatenate([AWAY, INDEX]))
    assert shows(places(moved(INDEX, 3, -3, 1.1)), truth) == [1]


def test_an_index_on_its_head_or_its_side_is_none() -> None:
    assert shows(places(turned(INDEX, 2)), box_points(INDEX)) == [-1]
    square = INDEX.copy()
    square[:, 2] = 36
    assert shows(places(turned(square, 1)), box_points(square)) == [-1]


def test_a_place_without_any_index_shows_none() -> None:
    assert shows(places(AWAY), box_points(INDEX)) == [-1]
    assert shows(places(AWAY), np.empty((0, 4, 2), np.float32)) == [-1]


def test_what_shows_a_part_of_an_index_teaches_nothing() -> None:
    truth = box_points(INDEX)
    assert shows(places(moved(INDEX, 0, 22)), truth) == [None]
    assert shows(places(moved(INDEX, larger=1.7)), truth) == [None]


class Finds:
    """A detector that finds what it is told."""

    def __init__(self, boxes: Boxes) -> None:
        self.boxes = boxes

    def __call__(self, image: NDArray[np.uint8]) -> Found:
        assert image.ndim == 3
        return Found(self.boxes.copy(), np.ones(len(self.boxes), np.float32))


def blank() -> NDArray[np.uint8]:
    return np.full((200, 240, 3), 90, np.uint8)


def test_true_findings_carry_their_card_and_false_ones_both_ends() -> None:
    rows = [("7H", box_points(INDEX)[0].ravel().tolist(), 1.0)]
    detector = Finds(np.concatenate([moved(INDEX, 1, 1), AWAY]))
    cut, shown = looked_at(blank(), rows, detector, np.random.default_rng(0))
    assert shown.count(0) == 1
    assert shown.count(-1) >= 2
    assert np.allclose(cut[shown.index(0)].mean(0), (61, 61), atol=0.5)


def test_the_corners_of_a_rectangle_that_is_no_card_are_no_index() -> None:
    image = blank()
    cv2.rectangle(image, (60, 40), (130, 138), (240, 240, 240), -1)
    images, ranks, suits = crops.cut(image, [], np.random.default_rng(0), 1, Finds(np.empty((0, 5), np.float32)))
    assert len(images) >= 4
    assert set(ranks.tolist()) == {NO_INDEX}
    assert set(suits.tolist()) == {crops.NO_SUIT}


def test_a_hidden_index_is_not_taught_where_the_detector_finds_it() -> None:
    rows = [("7H", box_points(INDEX)[0].ravel().tolist(), 0.5)]
    _, ranks, _ = crops.cut(blank(), rows, np.random.default_rng(0), 1, Finds(INDEX))
    assert 5 not in ranks.tolist()
