"""The places in a rendered scene that the reader itself would look at, with what they truly show.

Crops around the truth teach what an index looks like. What is *not* one is best learned from what the detector and the
search for edges take for one: print on paper, pips, courts, the corners of phones and books.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Generator
from vision.geometry import CARD, WIDENED, WIDER, map_points, turned, widened
from vision.reading.detect import Detector
from vision.reading.quads import find_quads
from vision.types import Points

NEAR: Final = 0.3
"""How far from an index, in its heights, a crop of it may be; and the logarithm of how much larger or smaller."""
TURNED: Final = 0.45
"""How much it may be turned, in radians."""
OVER: Final = 1.1
"""Turned by more than this an index lies on its side or on its head: no index, as the reader reads."""
CLEAR: Final = 0.9
"""So far from every index, in heights of either, a crop shows nothing of it."""
FALSE: Final = 5
"""At most so many false findings of one scene are taken, each with both ends up."""
HEADS: Final = 0.3
"""The share of true findings that are taken on their heads as well."""
CORNERS: Final = 8
"""At most so many corners of quadrilaterals that show no index."""


def looked_at(
    image: NDArray[np.uint8], indices: Sequence[Any], detector: Detector, generator: Generator
) -> tuple[NDArray[np.float32], list[int]]:
    """Quadrilaterals (n, 4, 2) to cut, from their upright top left, and which of the indices each shows, or -1.

    ``indices`` are the rows of a scene's truth. Places that show a part of an index are left out.
    """
    truth = np.array([np.reshape(row[1], (4, 2)) for row in indices], np.float32).reshape(-1, 4, 2)
    boxes = detector(image).boxes
    ends = [widened(boxes), widened(turned(boxes, 2))]
    places: list[Points] = []
    shown: list[int] = []
    false = 0
    for one, one_shows, other, other_shows in zip(
        ends[0], shows(ends[0], truth), ends[1], shows(ends[1], truth), strict=True
    ):
        neither = one_shows == other_shows == -1
        false += neither
        if neither and false > FALSE:
            continue
        for place, index in ((one, one_shows), (other, other_shows)):
            if index is not None and (index >= 0 or neither or generator.random() < HEADS):
                places.append(place)
                shown.append(index)
    empty = 0
    corners = _corners(find_quads(image), generator)
    for place, index in zip(corners, shows(corners, truth), strict=True):
        empty += index == -1
        if index is not None and (index >= 0 or empty <= CORNERS):
            places.append(place)
            shown.append(index)
    return np.array(places, np.float32).reshape(-1, 4, 2), shown


def _corners(quads: Sequence[Points], generator: Generator) -> NDArray[np.float32]:
    """Where a card has its indices, in each quadrilateral; shape (4 n, 4, 2)."""
    corners = []
    for at in generator.permutation(len(quads)).tolist():
        matrix = cv2.getPerspectiveTransform(CARD, quads[at].astype(np.float32)).astype(np.float64)
        corners.append(map_points(matrix, WIDENED.reshape(-1, 2)))
    return np.array(corners, np.float32).reshape(-1, 4, 2)


def shows(places: NDArray[np.float32], truth: NDArray[np.float32]) -> list[int | None]:
    """Which of the indices (m, 4, 2) fills each place (n, 4, 2) upright: -1 where no index is in it, None where
    something of one is, but not as it should be."""
    if not len(truth):
        return [-1] * len(places)
    tall, height = _heights(truth)[None], _heights(places)[:, None] / (1 + 2 * WIDER)
    away = np.linalg.norm(truth.mean(1)[None] - places.mean(1)[:, None], axis=2)
    turn = np.abs((_angles(truth)[None] - _angles(places)[:, None] + np.pi) % (2 * np.pi) - np.pi)
    near = away < CLEAR * np.maximum(tall, height)
    fits = (away < NEAR * tall) & (np.abs(np.log(np.maximum(tall, 1e-3) / np.maximum(height, 1e-3))) < NEAR)
    upright = fits & (turn < TURNED)
    partly = (near & ~(fits & (turn > OVER))).any(1)
    return [int(upright[i].argmax()) if upright[i].any() else None if partly[i] else -1 for i in range(len(places))]


def _heights(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    sides = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1) + np.linalg.norm(quads[:, 2] - quads[:, 1], axis=1)
    return np.asarray(sides / 2, np.float32)


def _angles(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    across = quads[:, 1] - quads[:, 0]
    return np.asarray(np.arctan2(across[:, 1], across[:, 0]), np.float32)
