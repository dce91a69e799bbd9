"""Cards painted so simply that a few lines can stand in for the nets: what is tested is all that lies between them.

An index is a patch whose upper half is a green and red that spell the face and whose lower half is black, on a blue
that nothing else has. The stand-in detector finds blue patches; the stand-in classifier reads the colours, and takes a
crop whose upper half is the black one for "not an index".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

import models
from engine.cards import FACES, Rank, Suit
from vision.geometry import BOTTOM_RIGHT, CARD, CARD_MM, SLOTS, TOP_LEFT, Boxes, map_points, suppress, upright
from vision.reading.classify import NO_INDEX, Logits
from vision.reading.detect import Detector, Found
from vision.reading.pyramid import Crops
from vision.reading.reader import Reader
from vision.types import Image

Matrix = NDArray[np.float64]
CALIBRATION = models.Calibration("painted", 1.0, 1.0, 0.2)


def lying(x: float, y: float, angle: float = 0.0, width: float = 60.0) -> Matrix:
    """Card coordinates to pixels for a card seen from above whose centre is at x, y."""
    height = width * CARD_MM[1] / CARD_MM[0]
    cos, sin = np.cos(angle), np.sin(angle)
    turn = np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]])
    return np.asarray(turn @ np.array([[width, 0, -width / 2], [0, height, -height / 2], [0, 0, 1]]), np.float64)


def table(width: int = 1280, height: int = 720) -> Image:
    return np.full((height, width, 3), (0, 90, 40), np.uint8)


def paint(image: Image, card: str, place: Matrix, slots: Iterable[int] = (TOP_LEFT, BOTTOM_RIGHT)) -> None:
    """One card, over whatever lies there."""
    face = next(i for i, each in enumerate(FACES) if str(each) == card)
    _fill(image, map_points(place, CARD), (0, 255, 255))
    for slot in slots:
        quad = SLOTS[slot]
        _fill(image, map_points(place, quad), (255, 0, 0))
        upper = np.stack([quad[0], quad[1], (quad[1] + quad[2]) / 2, (quad[0] + quad[3]) / 2])
        _fill(image, map_points(place, upper), (255, 60 + 20 * (face // 8), 60 + 20 * (face % 8)))


def _fill(image: Image, points: NDArray[np.float32], colour: tuple[int, int, int]) -> None:
    cv2.fillConvexPoly(image, np.rint(points * 256).astype(np.int32), colour, cv2.LINE_AA, 8)


def detector(image: Image) -> Found:
    """Every blue patch of at least 6 pixels' height."""
    blue = (image[..., 0] > 128).astype(np.uint8)
    contours, _ = cv2.findContours(blue, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    boxes: list[list[float]] = []
    for contour in contours:
        (x, y), (w, h), angle = cv2.minAreaRect(contour)
        if max(w, h) >= 6 and min(w, h) > 1:
            boxes.append([x + 0.5, y + 0.5, w + 1, h + 1, float(np.radians(angle))])
    every: Boxes = upright(np.array(boxes, np.float32).reshape(-1, 5))
    scores = np.full(len(every), 0.9, np.float32)
    order = suppress(every, scores, 0.3)
    return Found(every[order], scores[order])


def classifier(crops: Crops) -> tuple[Logits, Logits]:
    rank, suit = np.zeros((len(crops), 15), np.float32), np.zeros((len(crops), 4), np.float32)
    for i, crop in enumerate(crops):
        upper, lower = crop[14:26, 12:28].mean((0, 1)), crop[38:50, 12:28].mean((0, 1))
        face = round((upper[1] - 60) / 20) * 8 + round((upper[2] - 60) / 20)
        if upper[1] < 40 or lower[1] > 40 or not 0 <= face < len(FACES):
            rank[i, NO_INDEX] = 8
        else:
            rank[i, FACES[face].rank - Rank.TWO] = 8
            if (own := FACES[face].suit) is not None:
                suit[i, list(Suit).index(own)] = 8
    return rank, suit


def blind(image: Image) -> Found:
    """A detector that finds nothing."""
    del image
    return Found(np.empty((0, 5), np.float32), np.empty(0, np.float32))


def reader(sides: Sequence[int] = (640, 1280), finder: Detector = detector) -> Reader:
    return Reader(finder, classifier, CALIBRATION, sides=sides)
