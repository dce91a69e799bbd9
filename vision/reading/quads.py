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
from vision.reading.pyramid import Pyramid
from vision.types import Image, Points

SIDE: Final = 640
"""Longest side, in pixels, of the picture that is searched."""
LEAST_SIDE: Final = 14.0
"""The shorter side of a card, in pixels of that picture."""
LEAST_ROUND: Final = int(4 * LEAST_SIDE / math.sqrt(2))
"""So many pixels a contour around such a card has at least, if all its sides run aslant."""
ASPECT: Final = 0.24
"""The least width to height, or height to width: 0.72 seen from above, and what a slant makes of it."""
UNEQUAL: Final = 2.0
"""How much longer than the opposite side a side may be."""
FILL: Final = 0.9
"""The least share of its convex hull that a contour encloses."""
ROUNDED: Final = 0.92
"""The least share of the smallest quadrilateral around it that the hull fills: corners are round, cards bent."""


@dataclass(slots=True)
class _Seen:
    """One quadrilateral, roughly; and the contours at the outer (True) and the inner side of its edge, with the pixels
    by which each has to be moved inwards."""

    rough: Points
    measure: tuple[float, float, float]
    sides: dict[bool, tuple[MatLike, float]] = field(default_factory=dict)


def find_quads(image: Image) -> list[Points]:
    """Quadrilaterals (4, 2), clockwise from one end of a short side; which end is the upper one is not known."""
    return find_all_quads(Pyramid(image), [(0, 0, image.shape[1], image.shape[0])])


def find_all_quads(pyramid: Pyramid, regions: Sequence[Rect]) -> list[Points]:
    """The same within regions of a picture, in its own pixels."""
    scale = min(1.0, SIDE / max(pyramid.size))
    quads = []
    for region in regions:
        part, (left, top, right, bottom) = pyramid.part(region, scale)
        back = np.array([(right - left) / part.shape[1], (bottom - top) / part.shape[0]], np.float32)
        quads += [((quad + 0.5) * back - 0.5 + (left, top)).astype(np.float32) for quad in _quads(part)]
    return quads


def _quads(image: Image) -> list[NDArray[np.float64]]:
    """The same of a whole picture, just as it is."""
    size = (image.shape[1], image.shape[0])
    found: list[_Seen] = []
    for edges, spread in _edge_maps(image):
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
            seen.sides.setdefault(outer, (contour, spread if outer else -spread))
    if not found:
        return []
    # A drawn edge has an outer and an inner side; the card's edge lies between them.
    of = np.repeat(np.arange(len(found)), [len(seen.sides) for seen in found])
    contours, inwards = zip(*(side for seen in found for side in seen.sides.values()), strict=True)
    straight = _straightened(contours, np.stack([found[i].rough for i in of]), np.array(inwards))
    return [straight[of == i].mean(0) for i in range(len(found))]


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
    area = cv2.contourArea(hull)
    if area < LEAST_SIDE**2 or cv2.contourArea(contour) < FILL * area:
        return None
    if len(hull) < 4:
        return None
    around = cv2.approxPolyN(hull, 4, ensure_convex=True)
    if around.size != 8 or area < ROUNDED * abs(cv2.contourArea(around)):
        return None
    # Plain numbers from here on: there are many contours, and NumPy's calls would take most of the time.
    corners: list[list[float]] = around.reshape(4, 2).tolist()
    if _turns_left(corners):
        corners.reverse()
    sides = [math.dist(a, b) for a, b in pairwise([*corners, corners[0]])]
    if sides[0] + sides[2] > sides[1] + sides[3]:
        corners, sides = [*corners[1:], corners[0]], [*sides[1:], sides[0]]
    if min(sides) < LEAST_SIDE or sides[0] + sides[2] < ASPECT * (sides[1] + sides[3]):
        return None
    if any(max(a, b) > UNEQUAL * min(a, b) for a, b in (sides[::2], sides[1::2])):
        return None
    return np.array(corners, np.float32)


def _straightened(
    contours: Sequence[MatLike], rough: NDArray[np.float32], inwards: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Where the lines through the middle of each side meet, moved inwards: a card's own corners are rounded off.

    Of all contours at once: with each its quadrilateral (n, 4, 2), and the pixels by which it is moved (n,).
    """
    ways = np.roll(rough, -1, 1) - rough
    lengths = np.maximum(np.linalg.norm(ways, axis=2), 1e-6)
    ways = ways / lengths[..., None]
    normals = np.stack([-ways[..., 1], ways[..., 0]], 2)  # to the right of the way along, hence inwards
    sizes = [len(contour) for contour in contours]
    of, starts = np.repeat(np.arange(len(sizes)), sizes), np.cumsum([0, *sizes[:-1]])
    away = np.concatenate(contours).astype(np.float32) - rough[of]  # (points, 4, 2): from where each side begins
    along, off = (away * ways[of]).sum(2), (away * normals[of]).sum(2)
    reach = lengths[of]
    near = (along > 0.12 * reach) & (along < 0.88 * reach) & (np.abs(off) < 2 + 0.03 * reach)
    count = np.add.reduceat(near, starts, dtype=np.int64)

    def mean(values: NDArray[np.float32]) -> NDArray[np.float64]:
        return np.asarray(np.add.reduceat(np.where(near, values, 0), starts, dtype=np.float64) / np.maximum(count, 1))

    # The line of least squares through the points near a side, by how far along it and off it they lie.
    t, d = mean(along), mean(off)
    slope = np.arctan2(2 * (mean(along * off) - t * d), mean(along**2) - t**2 - mean(off**2) + d**2) / 2
    across = np.cos(slope)[..., None] * normals - np.sin(slope)[..., None] * ways
    through = rough + t[..., None] * ways + (d + inwards[:, None])[..., None] * normals
    lines = np.stack([np.roll(across, 1, 1), across], 2)  # each side's and that of the one before it: they meet
    levels = (lines * np.stack([np.roll(through, 1, 1), through], 2)).sum(3)
    good = (np.abs(np.linalg.det(lines)) > 0.2).all(1) & (count.min(1) >= 6)  # sides of a card are far from parallel
    result = rough.astype(np.float64)
    result[good] = np.linalg.solve(lines[good], levels[good][..., None])[..., 0]
    return result


def _cut_off(left: int, top: int, width: int, height: int, size: tuple[int, int]) -> bool:
    """Whether a contour touches the picture's edge, so that its card may go on beyond it."""
    return left <= 1 or top <= 1 or left + width >= size[0] - 1 or top + height >= size[1] - 1


def _turns_left(corners: Sequence[Sequence[float]]) -> bool:
    """Whether a quadrilateral runs counterclockwise as it is seen in the picture."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise([*corners, corners[0]])) < 0


def _measure(quad: Points) -> tuple[float, float, float]:
    """Centre and diagonal, in plain numbers: there are many, and NumPy's calls would take most of the time."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = quad.tolist()
    return (x0 + x1 + x2 + x3) / 4, (y0 + y1 + y2 + y3) / 4, math.hypot(x2 - x0, y2 - y0)


def _same(first: tuple[float, float, float], second: tuple[float, float, float]) -> bool:
    """Whether two quadrilaterals are one card's, found twice (the two sides of its drawn outline)."""
    away = math.hypot(first[0] - second[0], first[1] - second[1])
    return away < 0.06 * second[2] and abs(first[2] - second[2]) < 0.08 * second[2]
