"""A picture at several sizes, so that what is cut from it comes from about its own resolution and never aliases."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Boxes, Rect, from_unit, widened
from vision.types import Image

CROP: Final = (40, 64)
"""Width and height of a crop in pixels."""

Crops = NDArray[np.uint8]
"""Upright index corners, BGR, shape (n, 64, 40, 3)."""

_BACKWARDS: Final = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
_FROM_CROP: Final = np.array([[1 / CROP[0], 0, 0.5 / CROP[0]], [0, 1 / CROP[1], 0.5 / CROP[1]], [0, 0, 1]])
"""From the pixels of a crop to the unit square."""


class Pyramid:
    """A picture and its halvings, each made when it is first wanted."""

    def __init__(self, image: Image) -> None:
        self._levels = [image]
        self._parts: dict[tuple[Rect, float], tuple[Image, Rect]] = {}

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture itself, in pixels."""
        return self._levels[0].shape[1], self._levels[0].shape[0]

    def level(self, shrink: float) -> tuple[Image, float]:
        """The smallest picture that still has ``shrink`` times fewer pixels a side at most, and its scale."""
        depth = max(0, int(np.floor(np.log2(max(shrink, 1)))))
        while len(self._levels) <= depth and min(self._levels[-1].shape[:2]) >= 2:
            last = self._levels[-1]
            size = (last.shape[1] // 2, last.shape[0] // 2)
            self._levels.append(resized(last, size))
        depth = min(depth, len(self._levels) - 1)
        return self._levels[depth], self._levels[depth].shape[1] / self._levels[0].shape[1]

    def part(self, region: Rect, scale: float) -> tuple[Image, Rect]:
        """A region at a scale, and the region that it truly shows: the same or a few pixels more."""
        if (region, scale) not in self._parts:
            self._parts[region, scale] = self._part(region, scale)
        return self._parts[region, scale]

    def _part(self, region: Rect, scale: float) -> tuple[Image, Rect]:
        level, _ = self.level(1 / scale)
        height, width = level.shape[:2]
        across, down = self.size[0] / width, self.size[1] / height
        left, top = int(region[0] / across), int(region[1] / down)
        right, bottom = min(width, int(np.ceil(region[2] / across))), min(height, int(np.ceil(region[3] / down)))
        shown = (round(left * across), round(top * down), round(right * across), round(bottom * down))
        size = (max(1, round((shown[2] - shown[0]) * scale)), max(1, round((shown[3] - shown[1]) * scale)))
        return resized(level[top:bottom, left:right], size), shown

    def cut(self, boxes: Boxes) -> Crops:
        """Upright crops (n, 64, 40, 3) of oriented boxes (n, 5), each widened by a tenth on every side."""
        return self.cut_out(widened(boxes))

    def cut_out(self, quads: NDArray[np.float32]) -> Crops:
        """Crops (n, 64, 40, 3) of quadrilaterals (n, 4, 2) given from their upright top left, straightened."""
        crops = np.empty((len(quads), CROP[1], CROP[0], 3), np.uint8)
        shrinks = (np.linalg.norm(quads[:, [1, 3]] - quads[:, :1], axis=2) / CROP).min(1)
        seen = [self.level(shrink) for shrink in shrinks.tolist()]
        scales = np.array([scale for _, scale in seen]).reshape(-1, 1, 1)
        for crop, matrix, (image, _) in zip(crops, from_unit(quads * scales - 0.5) @ _FROM_CROP, seen, strict=True):
            cv2.warpPerspective(image, matrix, CROP, crop, _BACKWARDS, cv2.BORDER_REPLICATE)
        return crops


def resized(image: Image, size: tuple[int, int]) -> Image:
    """The picture at so many pixels across and down: averaged where that is fewer, else drawn between."""
    if (image.shape[1], image.shape[0]) == size:
        return image
    smaller = size[0] < image.shape[1]
    way = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=way), np.uint8)
