"""A small picture of a frame: all that tells what moves and where a hand is.

Reading takes longer than a frame lasts. Of the frames of a live source that come meanwhile only these are kept, so that
nothing that happens in them is missed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.types import Image

WIDTH: Final = 320
LEAST: Final = 8
"""A glimpse is at least so many pixels high, however wide the picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """``small`` is what :func:`reduced` makes of the frame of ``at`` seconds, on the source's own clock."""

    small: Image
    at: float


def size_of(height: int, width: int) -> tuple[int, int]:
    """Rows and columns of the small picture of one of this size."""
    return max(LEAST, round(WIDTH * height / width)), WIDTH


def reduced(image: Image) -> Image:
    """The small picture of a BGR picture, smoothed a little against noise."""
    rows, columns = size_of(*image.shape[:2])
    return np.asarray(cv2.blur(cv2.resize(image, (columns, rows), interpolation=cv2.INTER_AREA), (3, 3)), np.uint8)
