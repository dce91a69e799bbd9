"""Upright index crops for the classifier, cut from rendered scenes exactly as the reader cuts them from a picture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Generator
from datasets.scenes import read_truth
from engine.cards import Card, Rank, Suit
from vision.classify import NO_INDEX, Pyramid
from vision.geometry import turned

NO_SUIT: Final = -100
"""The suit's label where there is none: torch's cross entropy leaves it out."""
READABLE: Final = 0.72
"""An index is taught from this visible share on; below HIDDEN it may count as background."""
HIDDEN: Final = 0.2


def targets(card: str) -> tuple[int, int]:
    """The classifier's rank and suit labels for a card code."""
    parsed = Card.parse(card)
    return parsed.rank - Rank.TWO, NO_SUIT if parsed.suit is None else list(Suit).index(parsed.suit)


def box(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """The oriented box (5,) that a detector would give for an index's corners, its first side the index's top."""
    (x, y), (width, height), degrees = cv2.minAreaRect(corners)
    angle = np.radians(degrees)
    top = corners[1] - corners[0]
    want = np.arctan2(top[1], top[0])
    # minAreaRect knows no top: of the four ways to name its sides take the one that turns as the index does.
    quarter = int(np.round((want - angle) / (np.pi / 2)))
    if quarter % 2:
        width, height = height, width
    return np.array([x, y, width, height, angle + quarter * np.pi / 2], np.float32)


def jittered(boxes: NDArray[np.float32], generator: Generator) -> NDArray[np.float32]:
    """Boxes (n, 5) as wrong as a detector's are."""
    result = boxes.copy()
    n = len(boxes)
    shift = generator.normal(0, 0.06, (n, 2)) * boxes[:, 2:4]
    cos, sin = np.cos(boxes[:, 4]), np.sin(boxes[:, 4])
    result[:, 0] += shift[:, 0] * cos - shift[:, 1] * sin
    result[:, 1] += shift[:, 0] * sin + shift[:, 1] * cos
    result[:, 2:4] *= np.exp(generator.normal(0, 0.08, (n, 2)) + generator.normal(0, 0.05, (n, 1)))
    result[:, 4] += generator.normal(0, 0.06, n)
    return result.astype(np.float32)


def cut(image: NDArray[np.uint8], indices: list[Any], generator: Generator, repeats: int = 2,
        ) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:  # fmt: skip
    """Crops (n, 64, 40, 3) of one scene with their rank and suit labels (n,): indices, the same upside down or on
    their side (no index), and boxes anywhere else (no index)."""
    boxes: list[NDArray[np.float32]] = []
    ranks: list[int] = []
    suits: list[int] = []
    centres = np.array([np.reshape(row[1], (4, 2)).mean(0) for row in indices if row[2] > HIDDEN]).reshape(-1, 2)
    sizes = [12.0]
    for card, corners, visible in indices:
        quad = np.array(corners, np.float32).reshape(4, 2)
        one = box(quad)
        if visible < READABLE or min(one[2:4]) < 3:
            continue
        sizes.append(float(one[3]))
        rank, suit = targets(card)
        for way, label in (
            [(0, rank)] * repeats
            + [(2, NO_INDEX)]
            + [(int(generator.choice([1, 3])), NO_INDEX)] * int(generator.random() < 0.12)
        ):
            boxes.append(turned(jittered(one[None], generator), way)[0])
            ranks.append(label)
            suits.append(suit if label == rank else NO_SUIT)
    height, width = image.shape[:2]
    for _ in range(4):
        size = float(generator.choice(sizes)) * float(generator.uniform(0.6, 1.5))
        x, y = generator.uniform(0, width), generator.uniform(0, height)
        if len(centres) and np.linalg.norm(centres - (x, y), axis=1).min() < 0.7 * size:
            continue
        angle = generator.uniform(-np.pi, np.pi)
        boxes.append(np.array([x, y, size * generator.uniform(0.4, 0.65), size, angle], np.float32))
        ranks.append(NO_INDEX)
        suits.append(NO_SUIT)
    crops = Pyramid(image).cut(np.array(boxes, np.float32).reshape(-1, 5))
    return crops, np.array(ranks, np.int64), np.array(suits, np.int64)


def all_crops(folder: Path, seed: int = 0, repeats: int = 2, limit: int | None = None,
              ) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64], str]]:  # fmt: skip
    """The crops of each rendered scene in `folder`, and the deck's name."""
    for number, row in enumerate(read_truth(folder)):
        if limit is not None and number >= limit:
            return
        image = cv2.imread(str(folder / "images" / row["image"]))
        if image is not None:
            generator = np.random.default_rng([seed, number])
            yield (*cut(np.asarray(image, np.uint8), row["indices"], generator, repeats), row["deck"])
