"""A pinhole camera with a slightly bent lens above the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

WIDTH, HEIGHT = 1280, 720
MARGIN = 72
"""Pixels that the straight picture (before the lens bends it) is wider on each side than the film."""


@dataclass(frozen=True)
class Camera:
    """Where the camera stands and how it looks.

    ``azimuth`` is the direction, seen from above, in which it stands from ``target``; ``elevation`` its height above
    the table plane (pi/2: straight above); ``roll`` turns the picture; ``distance`` and ``target`` are millimetres,
    ``focal`` pixels, ``bend`` the first two radial coefficients of the lens.
    """

    target: tuple[float, float]
    distance: float
    azimuth: float
    elevation: float
    roll: float
    focal: float
    bend: tuple[float, float] = (0.0, 0.0)
    width: int = WIDTH
    height: int = HEIGHT

    @cached_property
    def _pose(self) -> tuple[Floats, Floats]:
        flat = np.cos(self.elevation)
        away = np.array([flat * np.cos(self.azimuth), flat * np.sin(self.azimuth), np.sin(self.elevation)])
        centre = np.array([*self.target, 0.0]) + self.distance * away
        forward = -away
        # "Right" from the azimuth alone, so that a camera straight above has one too.
        right = np.array([-np.sin(self.azimuth), np.cos(self.azimuth), 0.0])
        down = np.cross(forward, right)
        c, s = np.cos(self.roll), np.sin(self.roll)
        rotation = np.stack([c * right + s * down, c * down - s * right, forward])
        return rotation, -rotation @ centre

    @cached_property
    def matrix(self) -> Floats:
        """The intrinsic matrix of the film, shape (3, 3)."""
        return np.array([[self.focal, 0, self.width / 2], [0, self.focal, self.height / 2], [0, 0, 1.0]])

    @cached_property
    def canvas_size(self) -> tuple[int, int]:
        """Width and height of the straight picture."""
        return self.width + 2 * MARGIN, self.height + 2 * MARGIN

    def plane(self, z: float = 0.0) -> Floats:
        """The homography, shape (3, 3), from (x, y) at height ``z`` to pixels of the straight picture."""
        return self.frame(np.array([1.0, 0, 0]), np.array([0, 1.0, 0]), np.array([0, 0, z]))

    def frame(self, right: Floats, up: Floats, origin: Floats) -> Floats:
        """The homography from (a, b) to pixels of the straight picture, for the points ``origin + a right + b up``."""
        rotation, shift = self._pose
        canvas = self.matrix + np.array([[0, 0, MARGIN], [0, 0, MARGIN], [0, 0, 0.0]])
        return np.asarray(canvas @ np.stack([rotation @ right, rotation @ up, rotation @ origin + shift], axis=1))

    def straight(self, points: Floats, z: float | Floats = 0.0) -> Floats:
        """Pixels of the straight picture for table points (n, 2) at height ``z``; shape (n, 2)."""
        rotation, shift = self._pose
        flat = np.column_stack([points, np.broadcast_to(z, len(points))])
        seen = flat @ rotation.T + shift
        result: Floats = seen[:, :2] / seen[:, 2:] * self.focal + [self.width / 2 + MARGIN, self.height / 2 + MARGIN]
        return result

    def film(self, points: Floats, z: float = 0.0) -> Floats:
        """Pixels of the film, lens and all, for table points (n, 2); shape (n, 2)."""
        rotation, shift = self._pose
        flat = np.column_stack([points, np.full(len(points), z)])
        vector, _ = cv2.Rodrigues(rotation)
        seen, _ = cv2.projectPoints(flat, vector, shift, self.matrix, np.array([*self.bend, 0.0, 0.0]))
        return np.asarray(seen, dtype=np.float64).reshape(-1, 2)

    @cached_property
    def lens(self) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
        """Fixed-point maps for ``cv2.remap`` from the straight picture to the film."""
        x, y = np.meshgrid(np.arange(self.width, dtype=np.float32), np.arange(self.height, dtype=np.float32))
        pixels = np.stack([x.ravel(), y.ravel()], axis=1)[:, None]
        canvas = self.matrix + np.array([[0, 0, MARGIN], [0, 0, MARGIN], [0, 0, 0.0]])
        straight = cv2.undistortPoints(pixels, self.matrix, np.array([*self.bend, 0.0, 0.0]), P=canvas)
        straight = straight.reshape(self.height, self.width, 2).astype(np.float32)
        first, second = cv2.convertMaps(straight[..., 0], straight[..., 1], cv2.CV_16SC2)
        return np.asarray(first, dtype=np.int16), np.asarray(second, dtype=np.uint16)

    def scale(self) -> float:
        """Pixels per millimetre at the target, the geometric mean over directions."""
        x, y = self.target
        seen = self.film(np.array([[x, y], [x + 10, y], [x, y + 10]]))
        (ax, ay), (bx, by) = seen[1] - seen[0], seen[2] - seen[0]
        return float(np.sqrt(abs(ax * by - ay * bx)) / 10)

    def nudged(self, dx: float, dy: float, turn: float) -> Camera:
        """The camera after a push: ``dx``, ``dy`` in millimetres on the table, ``turn`` in radians."""
        return replace(self, target=(self.target[0] + dx, self.target[1] + dy), roll=self.roll + turn)


def fitted(
    points: Floats, azimuth: float, elevation: float, roll: float, lens: tuple[float, float], pull: float
) -> Camera:
    """A camera whose film just holds the table points (n, 2); they fill the share ``pull`` of its height or width.

    The distance is fixed by a common webcam's field of view; the focal length then fits.
    """
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    camera = Camera((float(centre[0]), float(centre[1])), 1000.0, azimuth, elevation, roll, 1000.0, lens)
    for attempt in range(10):
        if attempt == 5:
            # What is found by now is a tele lens a metre away; come nearer, as a webcam on a stand does.
            near = max(520.0, camera.distance * min(1.0, 1050.0 / camera.focal))
            camera = replace(camera, distance=near, focal=camera.focal * near / camera.distance)
        seen = camera.film(points)
        low, high = seen.min(axis=0), seen.max(axis=0)
        grow = pull * min(camera.width / (high[0] - low[0]), camera.height / (high[1] - low[1]))
        # The target moves to the middle of what is seen; the table's plane gives the way back from pixels.
        spot = np.linalg.inv(camera.plane()) @ np.array([*((low + high) / 2 + MARGIN), 1.0])
        target = (float(spot[0] / spot[2]), float(spot[1] / spot[2]))
        camera = replace(camera, target=target, focal=camera.focal * float(grow))
    return camera
