"""Pixels of a picture: channels put together quickly, and the part of it that a polygon on the table covers."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Plane, Spots
from vision.types import Image

Box = tuple[slice, slice]
"""Rows and columns of a picture."""
Patch = tuple[Box, NDArray[np.bool_]]
"""A part of a picture, and which pixels in it count."""


def most(picture: cv2.typing.MatLike) -> NDArray[np.float32]:
    """The largest of the three channels, per pixel (OpenCV is ten times as fast at it as numpy)."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)


def total(picture: cv2.typing.MatLike) -> NDArray[np.float32]:
    """The sum of the three channels, per pixel."""
    return np.asarray(cv2.transform(picture, np.ones((1, 3), np.float32)), np.float32)


def cut(plane: Plane, image: Image, spots: Spots) -> Patch | None:
    """The rows and columns around a polygon and which pixels in them it holds; None outside the picture."""
    pixels = plane.to_pixels(spots)
    height, width = image.shape[:2]
    x0, y0 = np.floor(np.clip(pixels.min(axis=0), 0, [width, height])).astype(int)
    x1, y1 = np.ceil(np.clip(pixels.max(axis=0), 0, [width, height])).astype(int)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return None
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(mask, [np.round(pixels - [x0, y0]).astype(np.int32)], 1)
    if not mask.any():
        return None
    return (slice(int(y0), int(y1)), slice(int(x0), int(x1))), mask.astype(bool)
