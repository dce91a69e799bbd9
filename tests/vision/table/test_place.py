"""Where a reading lies on the table, whichever of the index corners were seen."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from engine.cards import FACES
from vision.plane import CARD_HEIGHT, Plane
from vision.table.place import INDEX_OFFSET, card_corners, place, turned_by
from vision.types import CardReading

CENTRE, ANGLE = np.array([0.7, -0.4]), 0.3
SLOTS = {
    "top left": INDEX_OFFSET,
    "bottom right": -INDEX_OFFSET,
    "top right": INDEX_OFFSET * [-1, 1],
    "bottom left": INDEX_OFFSET * [1, -1],
}
LEVEL = Plane.level(1280, 720, 90.0)


def _index(slot: str) -> np.ndarray:
    cos, sin = np.cos(ANGLE), np.sin(ANGLE)
    half = np.array([0.08, 0.12 * CARD_HEIGHT])
    box = SLOTS[slot] + half * [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    spots = CENTRE + box @ np.array([[cos, sin], [-sin, cos]])
    return LEVEL.to_pixels(spots).astype(np.float32)


@pytest.mark.parametrize("slots", list(combinations(SLOTS, 2)), ids=" and ".join)
def test_two_corners_of_a_card_with_four_indices_place_it(slots: tuple[str, str]) -> None:
    outline = LEVEL.to_pixels(card_corners(CENTRE + np.array([0.05, -0.04]), ANGLE + 0.05)).astype(np.float32)
    likelihoods = np.full(len(FACES), 1 / len(FACES), np.float32)
    placed = place(CardReading(outline, tuple(_index(slot) for slot in slots), likelihoods, 1.0), LEVEL)
    assert np.linalg.norm(placed.centre - CENTRE) < 0.03
    assert turned_by(placed.angle, ANGLE) < 0.02
