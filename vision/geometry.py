"""Where things are on a card, and oriented boxes around them.

A point on a card is (u, v): fractions of its width and height from the top left corner of the card held upright. A
card lying flat shows its index in the slots top left and bottom right, a four-index deck in all four corners; the two
lower ones are upside down. Angles are radians, clockwise in the image (y points down).
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Points

Rect = tuple[int, int, int, int]
"""A pixel rectangle: left, top, right, bottom; the last two lie just outside."""
Boxes = NDArray[np.float32]
"""Oriented boxes, shape (n, 5): centre x, y, width, height in pixels, angle of the width."""

CARD_MM: Final = (63.0, 88.0)
"""Poker size; bridge cards are 57 mm wide."""
INDEX_U: Final = (0.015, 0.185)
INDEX_V: Final = (0.015, 0.265)
"""What an index box covers, as the detector is trained."""

_U0, _U1, _V0, _V1 = *INDEX_U, *INDEX_V
SLOTS: Final[NDArray[np.float32]] = np.array(
    [
        [(_U0, _V0), (_U1, _V0), (_U1, _V1), (_U0, _V1)],
        [(1 - _U1, _V0), (1 - _U0, _V0), (1 - _U0, _V1), (1 - _U1, _V1)],
        [(1 - _U0, 1 - _V0), (1 - _U1, 1 - _V0), (1 - _U1, 1 - _V1), (1 - _U0, 1 - _V1)],
        [(_U1, 1 - _V0), (_U0, 1 - _V0), (_U0, 1 - _V1), (_U1, 1 - _V1)],
    ],
    np.float32,
)
"""The index boxes on a card, shape (4, 4, 2): top left, top right, bottom right, bottom left; the corners of each in
the order of the index held upright, so the two lower boxes begin at their lower outer end."""
WIDER: Final = 0.1
"""By how much of its width and height a box is widened on each side before it is cut out for the classifier."""
WIDENED: Final[NDArray[np.float32]] = SLOTS.mean(1, keepdims=True) * -2 * WIDER + SLOTS * (1 + 2 * WIDER)
FARTHER: Final = 1.45
"""How much more of the card, from the same corner, a second look at an index takes in: the suit of a jumbo index."""
TOP_LEFT, TOP_RIGHT, BOTTOM_RIGHT, BOTTOM_LEFT = range(4)
ACROSS: Final = (BOTTOM_RIGHT, BOTTOM_LEFT, TOP_LEFT, TOP_RIGHT)
"""The slot at the other end of the card, by slot."""
CARD: Final[NDArray[np.float32]] = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
"""The card's outline in its own coordinates."""


def box_points(boxes: Boxes) -> NDArray[np.float32]:
    """The corners of boxes, shape (n, 4, 2), clockwise from the start of the width."""
    centre, size, angle = boxes[:, None, :2], boxes[:, None, 2:4] / 2, boxes[:, 4]
    along = np.stack([np.cos(angle), np.sin(angle)], -1)[:, None] * size[..., :1]
    down = np.stack([-np.sin(angle), np.cos(angle)], -1)[:, None] * size[..., 1:]
    points = np.concatenate(
        [centre - along - down, centre + along - down, centre + along + down, centre - along + down], 1
    )
    return points.astype(np.float32)


def widened(boxes: Boxes) -> NDArray[np.float32]:
    """The corners (n, 4, 2) of what is cut out for the classifier around boxes."""
    wide = boxes.copy()
    wide[:, 2:4] *= 1 + 2 * WIDER
    return box_points(wide)


def upright(boxes: Boxes) -> Boxes:
    """The same boxes with the width across the shorter side, so that only "which end is up" stays open."""
    result = boxes.copy()
    lying = boxes[:, 2] > boxes[:, 3]
    result[lying, 2], result[lying, 3] = boxes[lying, 3], boxes[lying, 2]
    result[lying, 4] += np.pi / 2
    return result


def turned(boxes: Boxes, quarters: int) -> Boxes:
    """The same boxes read with another side up: ``quarters`` quarter turns clockwise."""
    result = boxes.copy()
    if quarters % 2:
        result[:, 2], result[:, 3] = boxes[:, 3], boxes[:, 2]
    result[:, 4] += quarters * np.pi / 2
    return result


def farther(quads: NDArray[np.float32], by: float = FARTHER) -> NDArray[np.float32]:
    """Quadrilaterals (n, 4, 2) so much larger, their first corner where it was."""
    corner = quads[:, :1]
    return np.asarray(corner + (quads - corner) * by, np.float32)


def overlaps(boxes: Boxes, other: Boxes) -> NDArray[np.float32]:
    """How alike boxes are, shape (n, m), 0 to 1: one less the Hellinger distance of the boxes taken as Gaussians.

    The measure that the detector is trained with (Llerena et al. 2021, "Gaussian bounding boxes and probabilistic
    intersection-over-union"); unlike the exact intersection it is one array expression.
    """
    (x1, y1), (x2, y2) = boxes[:, None, :2].transpose(2, 0, 1), other[None, :, :2].transpose(2, 0, 1)
    a1, b1, c1 = (part[:, None] for part in _covariance(boxes))
    a2, b2, c2 = (part[None, :] for part in _covariance(other))
    a, b, c = a1 + a2, b1 + b2, c1 + c2
    det = np.maximum(a * b - c * c, 1e-9)
    near = (a * (y1 - y2) ** 2 + b * (x1 - x2) ** 2) / det / 4 + c * (x2 - x1) * (y1 - y2) / det / 2
    det1, det2 = np.maximum(a1 * b1 - c1 * c1, 1e-9), np.maximum(a2 * b2 - c2 * c2, 1e-9)
    alike = np.log(det / (4 * np.sqrt(det1 * det2))) / 2
    distance = np.clip(near + alike, 1e-7, 100)
    result: NDArray[np.float32] = (1 - np.sqrt(1 - np.exp(-distance))).astype(np.float32)
    return result


def _covariance(boxes: Boxes) -> tuple[NDArray[np.float32], ...]:
    w, h = boxes[:, 2] ** 2 / 12, boxes[:, 3] ** 2 / 12
    cos, sin = np.cos(boxes[:, 4]), np.sin(boxes[:, 4])
    parts = (w * cos**2 + h * sin**2, w * sin**2 + h * cos**2, (w - h) * cos * sin)
    return tuple(part.astype(np.float32) for part in parts)


def suppress(boxes: Boxes, scores: NDArray[np.float32], limit: float | NDArray[np.float64]) -> NDArray[np.intp]:
    """Indices of the boxes that stay, best first, when of two that are alike beyond ``limit`` the worse goes. There may
    be a limit for each pair, shape (n, n)."""
    order = np.argsort(-scores, kind="stable")
    limits = np.broadcast_to(limit, (len(order), len(order)))
    alike = overlaps(boxes[order], boxes[order]) > limits[np.ix_(order, order)]
    stays = np.ones(len(order), bool)
    for i in range(len(order)):
        if stays[i]:
            stays[i + 1 :] &= ~alike[i, i + 1 :]
    return order[stays]


def map_points(matrix: NDArray[np.float64], points: Points) -> Points:
    """Points carried through a 3x3 homography or a 2x3 affine map."""
    if matrix.shape[0] == 2:
        return (points @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32)
    moved = cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float32), matrix)
    return moved.reshape(-1, 2).astype(np.float32)


def on_quads(quads: NDArray[np.float32], places: NDArray[np.float32]) -> NDArray[np.float32]:
    """Where points of a card, (m, 2), are on quadrilaterals (n, 4, 2) that show it in perspective: (n, m, 2)."""
    matrices = from_unit(quads.astype(np.float64))
    moved = np.column_stack([places, np.ones(len(places))]) @ matrices.transpose(0, 2, 1)
    return np.asarray(moved[..., :2] / moved[..., 2:], np.float32)


def from_unit(quads: NDArray[np.float64]) -> NDArray[np.float64]:
    """The homographies (n, 3, 3) that carry the unit square (0, 0), (1, 0), (1, 1), (0, 1) to quadrilaterals (n, 4, 2).

    In closed form (Heckbert 1989, "Fundamentals of texture mapping and image warping"), for all of them at once.
    """
    first, second, third, fourth = quads.transpose(1, 0, 2)
    (ax, ay), (bx, by), (cx, cy) = (d.T for d in (second - third, fourth - third, first - second + third - fourth))
    det = ax * by - bx * ay
    det = np.where(np.abs(det) < 1e-12, 1e-12, det)
    g, h = (cx * by - bx * cy) / det, (ax * cy - cx * ay) / det
    columns = [second - first + g[:, None] * second, fourth - first + h[:, None] * fourth, first]
    upper = np.stack(columns, 2)
    return np.concatenate([upper, np.stack([g, h, np.ones_like(g)], 1)[:, None]], 1)


def affine_to(source: Points, target: Points, weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """The affine map (2, 3) that carries three or more ``source`` points to ``target`` with the least squared error."""
    root = np.ones((len(source), 1)) if weights is None else np.sqrt(weights)[:, None]
    left = np.column_stack([source, np.ones(len(source))]).astype(np.float64)
    solution, *_ = np.linalg.lstsq(left * root, target.astype(np.float64) * root, rcond=None)
    return np.asarray(solution.T, np.float64)


def similar_to(source: Points, target: Points) -> NDArray[np.float64]:
    """The same of turning, scaling and shifting alone; two points or more."""
    from_, to = source.mean(0), target.mean(0)
    # As complex numbers a turn with a scale is one factor.
    a, b = (source - from_) @ (1, 1j), (target - to) @ (1, 1j)
    factor = np.vdot(a, b) / max(np.vdot(a, a).real, 1e-12)
    turn = np.array([[factor.real, -factor.imag], [factor.imag, factor.real]])
    return np.column_stack([turn, to - turn @ from_])
