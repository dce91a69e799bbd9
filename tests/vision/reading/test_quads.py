"""Cards by their edges: rounded corners, slants, and what is round all over."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.painted import lying, table
from tests.vision.reading.test_join import oblique
from vision.geometry import CARD, map_points
from vision.reading.pyramid import Pyramid
from vision.reading.quads import find_all_quads, find_quads
from vision.types import Image, Points

ROUND = 3.5 / 63
"""The radius of a card's corners, in card widths."""


def rounded() -> Points:
    """A card's outline with its corners rounded, in its own coordinates."""
    turns = np.linspace(0, np.pi / 2, 8)
    across, down = ROUND, ROUND * 63 / 88
    ends = [(1 - across, 1 - down, 0), (across, 1 - down, 1), (across, down, 2), (1 - across, down, 3)]
    arcs = [(x + across * np.cos(turns + k * np.pi / 2), y + down * np.sin(turns + k * np.pi / 2)) for x, y, k in ends]
    return np.concatenate([np.stack(arc, 1) for arc in arcs]).astype(np.float32)


def lay(image: Image, place: np.ndarray) -> Points:
    """A white card; returns its outline."""
    points = np.rint(map_points(place, rounded()) * 256).astype(np.int32)
    cv2.fillConvexPoly(image, points, (235, 240, 240), cv2.LINE_AA, 8)
    return map_points(place, CARD)


@pytest.mark.parametrize("tilt", [0.0, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("angle", np.linspace(-1.5, 1.5, 9))
def test_a_cards_quadrilateral_is_the_card(angle: float, tilt: float) -> None:
    """Cut off across two rounded corners it would be askew."""
    image = table(1000, 800)
    truth = lay(image, oblique(tilt) @ lying(500, 400, angle, 130))
    quads = find_quads(image)
    assert quads
    for quad in quads:
        assert min(float(np.abs(quad - np.roll(truth, turn, 0)).max()) for turn in range(4)) < 4


def test_what_is_round_is_no_card() -> None:
    image = table()
    cv2.circle(image, (400, 350), 90, (230, 230, 240), -1, cv2.LINE_AA)
    cv2.ellipse(image, (900, 350), (60, 120), 20, 0, 360, (60, 200, 240), -1, cv2.LINE_AA)
    assert find_quads(image) == []


def test_the_same_place_in_the_whole_picture_and_in_a_region() -> None:
    image = table(1600, 1200)
    truth = lay(image, lying(1000, 700, 0.4, 200))
    pyramid = Pyramid(image)
    for region in ((0, 0, 1600, 1200), (701, 403, 1333, 1011)):
        quads = find_all_quads(pyramid, [region])
        assert quads
        assert min(float(np.abs(quads[0] - np.roll(truth, turn, 0)).max()) for turn in range(4)) < 4
