"""Whole cards by their edges: quadrilaterals in a picture that a playing card could be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.geometry import Rect
from vision.types import Image, Points

SIDE: Final = 640
"""Longest side, in pixels, of the picture that is searched."""
LEAST_SIDE: Final = 14.0
"""The shorter side of a card, in pixels of that picture."""
LEAST_ROUND: Final = int(4 * LEAST_SIDE / math.sqrt(2))
"""So many pixels a contour around such a card has at least, if all its sides run aslant."""
ASPECT: Final = 0.24
"""The least width to height, or height to width: 0.72 seen from above, and what a slant makes of it."""
SLACKS: Final = (0.02, 0.035, 0.05)
"""How far a contour may stray from four straight lines, as a share of its length: corners are round, cards bent."""
UNEQUAL: Final = 2.0
"""How much longer than the opposite side a side may be."""
FILL: Final = 0.9
"""The least share of the quadrilateral that the contour encloses."""


@dataclass(slots=True)
class _Seen:
    """One quadrilateral, roughly, and more exactly by the outer (True) and the inner side of its edge."""

    rough: Points
    measure: tuple[float, float, float]
    sides: dict[bool, Points] = field(default_factory=dict)


def find_quads(image: Image, scale: float | None = None) -> list[Points]:
    """Quadrilaterals (4, 2), clockwise from one end of a short side; which end is the upper one is not known.

    ``scale`` is that of the picture which is searched, if it is not to be so large that its longest side is 640.
    """
    if scale is None:
        scale = min(1.0, SIDE / max(image.shape[:2]))
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if scale < 1 else image
    found: list[_Seen] = []
    for edges, spread in _edge_maps(small.astype(np.uint8, copy=False)):
        contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            if len(contour) < LEAST_ROUND:
                continue
            rough = _quad(contour, size)
            if rough is None:
                continue
            # OpenCV runs around the outside of a shape one way and around a hole in it the other way.
            outer = cv2.contourArea(contour, oriented=True) < 0
            measure = _measure(rough)
            seen = next((seen for seen in found if _same(measure, seen.measure)), None)
            if seen is None:
                found.append(seen := _Seen(rough, measure))
            if outer not in seen.sides:
                points = contour.reshape(-1, 2).astype(np.float32)
                seen.sides[outer] = _straightened(points, seen.rough, spread if outer else -spread)
    # A drawn edge has an outer and an inner side; the card's edge lies between them.
    quads = [np.mean(list(seen.sides.values()), 0, dtype=np.float32) for seen in found]
    back = np.array([image.shape[1] / size[0], image.shape[0] / size[1]], np.float32)
    return [(quad + 0.5) * back - 0.5 for quad in quads]


def find_all_quads(image: Image, regions: Sequence[Rect]) -> list[Points]:
    """The same within regions of a picture, in its own pixels."""
    scale = min(1.0, SIDE / max(image.shape[:2]))
    quads = []
    for left, top, right, bottom in regions:
        shift = np.array([left, top], np.float32)
        quads += [quad + shift for quad in find_quads(image[top:bottom, left:right], scale)]
    return quads


def _edge_maps(image: Image) -> list[tuple[NDArray[np.uint8], float]]:
    """Outlines of lightness at two strengths, of colour, and of what is as bright as paper.

    With each, by how many pixels its shapes reach beyond the edge itself.
    """
    smooth = cv2.GaussianBlur(image, (0, 0), 1.0)
    light, red, yellow = (np.asarray(part, np.uint8) for part in cv2.split(cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB)))
    kernel = np.ones((3, 3), np.uint8)
    colour = cv2.bitwise_or(cv2.Canny(red, 15, 40), cv2.Canny(yellow, 15, 40))
    maps = [cv2.dilate(edges, kernel) for edges in (cv2.Canny(light, 25, 70), cv2.Canny(light, 60, 150), colour)]
    _, paper = cv2.threshold(light, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return [*((np.asarray(each, np.uint8), 1.0) for each in maps), (np.asarray(paper, np.uint8), -0.5)]


def _quad(contour: MatLike, size: tuple[int, int]) -> Points | None:
    left, top, width, height = cv2.boundingRect(contour)
    if min(width, height) < LEAST_SIDE or _cut_off(left, top, width, height, size):
        return None
    hull = cv2.convexHull(contour)
    area, length = cv2.contourArea(hull), cv2.arcLength(hull, True)
    if area < LEAST_SIDE**2 or cv2.contourArea(contour) < FILL * area:
        return None
    ways = (cv2.approxPolyDP(hull, slack * length, True).reshape(-1, 2).astype(np.float32) for slack in SLACKS)
    points = next((way for way in ways if len(way) <= 4), None)
    if points is None or len(points) != 4 or area < FILL * cv2.contourArea(points):
        return None
    if _signed_area(points) < 0:
        points = points[::-1]
    corners = points.tolist()
    sides = [math.dist(a, b) for a, b in pairwise([*corners, corners[0]])]
    first, second = sides[0] + sides[2], sides[1] + sides[3]
    if first > second:
        points = np.roll(points, -1, 0)
        sides = sides[1:] + sides[:1]
    ratio = min(first, second) / max(first, second)
    unequal = max(max(a, b) / max(min(a, b), 1e-6) for a, b in ((sides[0], sides[2]), (sides[1], sides[3])))
    if min(sides) < LEAST_SIDE or ratio < ASPECT or unequal > UNEQUAL:
        return None
    return np.ascontiguousarray(points, np.float32)


def _straightened(contour: Points, rough: Points, inwards: float) -> Points:
    """Where the lines through the middle of each side meet, moved inwards: a card's own corners are rounded off."""
    lines = []
    for start, end in pairwise([*rough, rough[0]]):
        along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
        length = float(np.linalg.norm(end - start))
        t, off = (contour - start) @ along, (contour - start) @ np.array([-along[1], along[0]], np.float32)
        near = contour[(t > 0.12 * length) & (t < 0.88 * length) & (np.abs(off) < 2 + 0.03 * length)]
        if len(near) < 6:
            return rough
        vx, vy, x, y = cv2.fitLine(near, cv2.DIST_L2, 0, 0.01, 0.01).ravel()
        normal = np.array([-along[1], along[0]])  # to the right of the way along, hence inwards
        x, y = np.array([x, y]) + inwards * normal
        lines.append((float(-vy), float(vx), float(-vy * x + vx * y)))
    corners = []
    for (a, b, c), (d, e, f) in pairwise([lines[-1], *lines]):
        det = a * e - b * d
        if abs(det) < 0.2:  # neighbouring sides of a card are never so close to parallel
            return rough
        corners.append(((c * e - b * f) / det, (a * f - c * d) / det))
    return np.array(corners, np.float32)


def _cut_off(left: int, top: int, width: int, height: int, size: tuple[int, int]) -> bool:
    """Whether a contour touches the picture's edge, so that its card may go on beyond it."""
    return left <= 1 or top <= 1 or left + width >= size[0] - 1 or top + height >= size[1] - 1


def _signed_area(points: Points) -> float:
    x, y = points[:, 0], points[:, 1]
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)


def _measure(quad: Points) -> tuple[float, float, float]:
    """Centre and diagonal, in plain numbers: there are many, and NumPy's calls would take most of the time."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = quad.tolist()
    return (x0 + x1 + x2 + x3) / 4, (y0 + y1 + y2 + y3) / 4, math.hypot(x2 - x0, y2 - y0)


def _same(first: tuple[float, float, float], second: tuple[float, float, float]) -> bool:
    """Whether two quadrilaterals are one card's, found twice (the two sides of its drawn outline)."""
    away = math.hypot(first[0] - second[0], first[1] - second[1])
    return away < 0.06 * second[2] and abs(first[2] - second[2]) < 0.08 * second[2]
