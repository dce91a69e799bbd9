"""The plane of the table: from pixels to card widths and back.

A playing card has a known shape (63 x 88 mm, give or take), so a handful of cards lying anywhere on a table is all the
calibration that is needed. The unit is one card width; the origin is the middle of the picture and the x axis runs as
the picture's does there, so that a plane is easy to read for a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

CARD_HEIGHT: Final = 88 / 63
"""The long side of a card in card widths."""

Matrix = NDArray[np.float64]
"""A homography, shape (3, 3)."""
Spots = NDArray[np.float64]
"""Points on the table in card widths (or in pixels where said), shape (n, 2)."""

Numbers = NDArray[Any] | Sequence[Any]
"""What numpy makes an array of."""


def project(matrix: Matrix, points: Numbers) -> Spots:
    """Map ``points``, shape (n, 2), through a homography."""
    flat = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    mapped = np.column_stack([flat, np.ones(len(flat))]) @ matrix.T
    spots: Spots = mapped[:, :2] / mapped[:, 2:]
    return spots


@dataclass(frozen=True, eq=False)
class Plane:
    """A homography from pixels to card widths. ``residual`` is how far the cards it was fitted to are from being
    cards, in card widths (root mean square)."""

    matrix: Matrix
    residual: float = 0.0

    def to_plane(self, pixels: Numbers) -> Spots:
        return project(self.matrix, pixels)

    def to_pixels(self, spots: Numbers) -> Spots:
        return project(np.linalg.inv(self.matrix).astype(np.float64), spots)

    def moved(self, shift: Matrix) -> Self:
        """The plane after the camera moved so that what was at pixel p is now at ``shift`` p."""
        matrix: Matrix = self.matrix @ np.linalg.inv(shift)
        return type(self)(matrix / matrix[2, 2], self.residual)

    def card_width(self, pixel: Numbers) -> float:
        """How many pixels wide a card is at this pixel (the geometric mean over directions)."""
        x, y = np.asarray(pixel, dtype=np.float64).reshape(2)
        around = self.to_plane([[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]])
        area = np.linalg.det(np.stack([around[1] - around[0], around[3] - around[2]])) / 4
        return float(1 / np.sqrt(abs(area)))

    @classmethod
    def level(cls, width: int, height: int, card_pixels: float) -> Self:
        """A camera that looks straight down on cards ``card_pixels`` wide."""
        scale = 1 / card_pixels
        return cls(np.array([[scale, 0, -scale * width / 2], [0, scale, -scale * height / 2], [0, 0, 1]]))

    @classmethod
    def fit(cls, outlines: Sequence[Numbers], width: int, height: int, weights: Sequence[float] | None = None) -> Self:
        """The plane in which all ``outlines`` (each (4, 2) pixels, clockwise from the top left corner of the upright
        card) are as nearly cards as can be. Raises ValueError without an outline."""
        if not outlines:
            raise ValueError("a plane needs at least one card")
        centre = np.array([width / 2, height / 2])
        quads = (np.asarray(outlines, dtype=np.float64).reshape(-1, 4, 2) - centre) / width
        weight = np.ones(len(quads)) if weights is None else np.asarray(weights, dtype=np.float64)
        short = float(np.median([np.linalg.norm(quad[1] - quad[0]) for quad in quads]))
        scale = 1 / max(short, 1e-6)
        # Perspective from one or two cards alone is noise: it is held back by a prior that many cards outvote.
        parameters = np.array([scale, 0.0, scale, 0.0, 0.0])
        start, stiffness = parameters.copy(), np.array([0.0, 0.02 / scale, 0.0, 0.05, 0.05])
        damping = 1e-3
        faults = _faults(parameters, quads, weight)
        cost = _cost(faults, parameters, start, stiffness)
        for _ in range(60):
            jacobian = np.stack(
                [(_faults(parameters + step, quads, weight) - faults) / 1e-5 for step in 1e-5 * np.eye(5)], axis=1
            )
            robust = 1 / np.maximum(1, np.abs(faults) / 0.15)
            normal = jacobian.T @ (robust[:, None] * jacobian) + np.diag(stiffness**2)
            slope = jacobian.T @ (robust * faults) + stiffness**2 * (parameters - start)
            trial = parameters - np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), slope)
            trial_faults = _faults(trial, quads, weight)
            trial_cost = _cost(trial_faults, trial, start, stiffness)
            if trial_cost < cost:
                settled = cost - trial_cost < 1e-10
                parameters, faults, cost, damping = trial, trial_faults, trial_cost, damping / 3
                if settled:
                    break
            else:
                damping *= 5
                if damping > 1e6:
                    break
        normalise = np.array([[1 / width, 0, -0.5], [0, 1 / width, -height / 2 / width], [0, 0, 1]])
        matrix = _matrix(parameters) @ normalise
        residual = float(np.sqrt(np.mean(_faults(parameters, quads, np.ones(len(quads))) ** 2)))
        return cls(matrix / matrix[2, 2], residual)


def _matrix(parameters: NDArray[np.float64]) -> Matrix:
    a, b, d, u, v = parameters
    return np.array([[a, b, 0.0], [0.0, d, 0.0], [u, v, 1.0]])


def _faults(parameters: NDArray[np.float64], quads: NDArray[np.float64], weights: NDArray[np.float64]) -> Spots:
    """How far each mapped outline is from a card: four sides and the difference of the diagonals."""
    corners = project(_matrix(parameters), quads).reshape(-1, 4, 2)
    sides = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    wanted = np.array([1.0, CARD_HEIGHT, 1.0, CARD_HEIGHT])
    diagonals = np.linalg.norm(corners[:, 2] - corners[:, 0], axis=1) - np.linalg.norm(
        corners[:, 3] - corners[:, 1], axis=1
    )
    faults = np.column_stack([sides - wanted, diagonals]) * np.sqrt(weights)[:, None]
    finite: Spots = np.nan_to_num(faults.ravel(), nan=1e3, posinf=1e3, neginf=-1e3)
    return finite


def _cost(
    faults: Spots, parameters: NDArray[np.float64], start: NDArray[np.float64], stiffness: NDArray[np.float64]
) -> float:
    size = np.abs(faults)
    huber = np.where(size <= 0.15, 0.5 * size**2, 0.15 * (size - 0.075))
    return float(huber.sum() + 0.5 * np.sum((stiffness * (parameters - start)) ** 2))


def spots_between(low: Spots, high: Spots, step: float) -> tuple[Spots, tuple[int, int]]:
    """Spots all over the rectangle between two corners (2,), row by row, and the number of rows and columns."""
    xs, ys = (np.arange(low[axis], high[axis], step) for axis in (0, 1))
    spots: Spots = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    return spots, (len(ys), len(xs))
