"""Face-down cards: a card's shape, no index, and a pattern that looks the same upside down. Books and phones differ."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import CARD
from vision.types import Image, Points

SIZE: Final = (126, 176)
"""Width and height, in pixels, to which a card is straightened: two pixels a millimetre."""
CONTRAST: Final = 3.5
"""The least spread of the pattern, in units of CIE lightness and colour. Blank paper and a dark phone have less."""
SYMMETRY: Final = 0.5
"""The least correlation of the pattern with itself upside down."""
PAPER: Final = 0.55
"""The most that may be as bright as the brightest part. A face is paper with figures on it."""


def straightened(image: Image, quad: Points, size: tuple[int, int] = SIZE) -> Image:
    """The card seen from straight above."""
    target = CARD * np.array(size, np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), target.astype(np.float32))
    return cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR).astype(np.uint8)


def back_score(card: Image) -> float:
    """How much a straightened card looks like a back, 0 to 1. Faces must have been ruled out: courts do too."""
    height, width = card.shape[:2]
    inner = card[height // 12 : -(height // 12), width // 9 : -(width // 9)].astype(np.float32)
    lab = np.asarray(cv2.cvtColor(np.asarray(inner / 255, np.float32), cv2.COLOR_BGR2LAB), np.float32)
    # Light falls off slowly over a card; the pattern is what is left without it.
    detail = np.asarray(cv2.GaussianBlur(lab - cv2.GaussianBlur(lab, (0, 0), height / 12), (0, 0), 1.2), np.float32)
    if float(np.sqrt((detail**2).sum(2).mean())) < CONTRAST:
        return 0.0
    light = lab[..., 0]
    if float((light > np.percentile(light, 98) - 14).mean()) > PAPER:
        return 0.0
    symmetry = _alike(detail, detail[::-1, ::-1])
    return float(np.clip((symmetry - SYMMETRY) / (1 - SYMMETRY), -1, 1) / 2 + 0.5)


def _alike(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    """The best correlation of two patterns when one is shifted by a few pixels."""
    reach = 4
    inner = np.ascontiguousarray(second[reach:-reach, reach:-reach])
    return float(cv2.matchTemplate(np.ascontiguousarray(first), inner, cv2.TM_CCOEFF_NORMED).max())
