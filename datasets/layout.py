"""Where cards lie on a table: strewn, fanned, dealt, in cascades and piles; and where on a card its indices stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.camera import Generator

INDEX_X: Final = (0.015, 0.185)
"""Where an index stands on its card, as shares of the width, counted from the nearest edge."""
INDEX_Y: Final = (0.015, 0.265)
"""The same, as shares of the height."""


@dataclass(frozen=True, slots=True)
class Place:
    """One card on the table: its middle and its turn (radians, clockwise), in units of a card's height."""

    x: float
    y: float
    angle: float


def corners(aspect: float, place: Place) -> NDArray[np.float64]:
    """The card's outline on the table, clockwise from its top left; shape (4, 2), in units of a card's height."""
    local = np.array([[-aspect, -1], [aspect, -1], [aspect, 1], [-aspect, 1]]) / 2
    cos, sin = np.cos(place.angle), np.sin(place.angle)
    return np.asarray(local @ np.array([[cos, sin], [-sin, cos]]) + (place.x, place.y))


def index_boxes(four: bool) -> list[NDArray[np.float64]]:
    """Each index's corners as shares of the card, from the top left of the index held upright; shape (4, 2) each."""
    (x0, x1), (y0, y1) = INDEX_X, INDEX_Y
    first = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    boxes = [first, 1 - first]
    if four:
        second = np.array([[1 - x1, y0], [1 - x0, y0], [1 - x0, y1], [1 - x1, y1]])
        boxes += [second, 1 - second]
    return boxes


def view(generator: Generator, size: int) -> NDArray[np.float64]:
    """A camera's homography from the table (pixels around 0, 0) to a picture of `size` pixels. Never mirrors."""
    tilt = np.radians(min(abs(generator.normal(0, 27)), 62))
    focal = size * generator.uniform(1.6, 5)

    def turn(angle: float) -> NDArray[np.float64]:
        return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])

    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rotation = turn(generator.uniform(0, 2 * np.pi)) @ lean @ turn(generator.uniform(0, 2 * np.pi))
    matrix = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, focal]])
    lens = np.array([[focal, 0, size / 2], [0, focal, size / 2], [0, 0, 1]])
    return np.asarray(lens @ matrix)


def places(generator: Generator, reach: float) -> list[Place]:
    """A layout within about `reach` card heights of the middle."""
    kind = generator.choice(
        ["strewn", "fan", "dealt", "cascade", "pile", "single"], p=[0.32, 0.2, 0.18, 0.13, 0.09, 0.08]
    )
    turn = float(generator.uniform(0, 2 * np.pi))
    found: list[Place] = []
    if kind == "strewn":
        for _ in range(int(generator.integers(2, min(16, 4 + int(5 * reach))))):
            x, y = generator.uniform(-reach, reach, 2)
            found.append(Place(float(x), float(y), float(generator.uniform(0, 2 * np.pi))))
    elif kind == "fan":
        for _ in range(int(generator.integers(1, 3))):
            count, step = int(generator.integers(2, 10)), float(np.radians(generator.uniform(5, 26)))
            radius = float(generator.uniform(0.5, 1.6))
            cx, cy = generator.uniform(-0.5 * reach, 0.5 * reach, 2)
            start = turn - step * count / 2
            way = 1 if generator.random() < 0.8 else -1  # most people fan so that the left index shows
            for k in range(count):
                angle = start + step * (k if way > 0 else count - k) + float(generator.normal(0, 0.03))
                found.append(Place(float(cx + radius * np.sin(angle)), float(cy - radius * np.cos(angle)), angle))
            turn += float(generator.uniform(1, 5))
    elif kind in ("dealt", "cascade"):
        cos, sin = np.cos(turn), np.sin(turn)
        across = generator.uniform(0.74, 1.1) if kind == "dealt" else generator.uniform(0.74, 1.0)
        down = generator.uniform(1.03, 1.4) if kind == "dealt" else generator.uniform(0.13, 0.35)
        if kind == "cascade" and generator.random() < 0.5:
            across, down = generator.uniform(0.13, 0.3), generator.uniform(1.03, 1.3)  # overlapping sideways
        ox, oy = generator.uniform(-0.5, 0.5, 2)
        jitter = generator.uniform(0, 0.06)
        flip = generator.random() < 0.3
        columns, rows = min(8, int(reach / across) + 1), min(8, int(reach / down) + 1)
        for row in range(-rows, rows + 1):
            for column in range(-columns, columns + 1):
                if generator.random() < 0.15:
                    continue
                x, y = ox + column * across + generator.normal(0, jitter), oy + row * down + generator.normal(0, jitter)
                angle = turn + generator.normal(0, jitter) + (np.pi if flip and generator.random() < 0.5 else 0)
                found.append(Place(float(cos * x - sin * y), float(sin * x + cos * y), float(angle)))
        if len(found) > 26:
            first = int(generator.integers(0, len(found) - 25))
            found = found[first : first + 26]
    elif kind == "pile":
        for _ in range(int(generator.integers(1, 4))):
            cx, cy = generator.uniform(-0.7 * reach, 0.7 * reach, 2)
            slip, twist = generator.uniform(0.01, 0.25), generator.uniform(0.02, 0.6)
            for _ in range(int(generator.integers(2, 9))):
                dx, dy = generator.normal(0, slip, 2)
                found.append(Place(float(cx + dx), float(cy + dy), turn + float(generator.normal(0, twist))))
            turn += float(generator.uniform(0, 6))
    else:
        x, y = generator.uniform(-0.4 * reach, 0.4 * reach, 2)
        found.append(Place(float(x), float(y), turn))
    return found
