"""Naming index corners: upright crops in, likelihoods of the 53 faces out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import FACES, Rank, Suit
from vision.detect import session
from vision.geometry import Boxes, widened
from vision.types import Image

CROP: Final = (40, 64)
"""Width and height of a crop in pixels."""
NO_INDEX: Final = 14
"""The place of "not an index" among the rank logits; before it 2 .. ace and the joker."""

Crops = NDArray[np.uint8]
"""Upright index corners, BGR, shape (n, 64, 40, 3)."""
Logits = NDArray[np.float32]

_RANKS: Final = np.array([face.rank - Rank.TWO for face in FACES])
_SUITS: Final = np.array([-1 if face.suit is None else list(Suit).index(face.suit) for face in FACES])


class Classifier(Protocol):
    """Crops to the logits of rank (n, 15) and suit (n, 4)."""

    def __call__(self, crops: Crops) -> tuple[Logits, Logits]: ...


class IndexNet:
    """The classifier that ships, ``models/indices.onnx``."""

    def __init__(self, model: Path, threads: int = 1) -> None:
        self._session = session(model, threads)

    def __call__(self, crops: Crops) -> tuple[Logits, Logits]:
        if not len(crops):
            return np.empty((0, 15), np.float32), np.empty((0, 4), np.float32)
        images = np.ascontiguousarray(crops[..., ::-1].transpose(0, 3, 1, 2), dtype=np.float32) / 255
        rank, suit = self._session.run(["rank", "suit"], {self._session.get_inputs()[0].name: images})
        return rank, suit


class Pyramid:
    """A picture and its halvings, so that a crop is cut from about its own resolution and never aliases."""

    def __init__(self, image: Image) -> None:
        self._levels = [image]

    def level(self, shrink: float) -> tuple[Image, float]:
        """The smallest picture that still has ``shrink`` times fewer pixels a side at most, and its scale."""
        depth = max(0, int(np.floor(np.log2(max(shrink, 1)))))
        while len(self._levels) <= depth and min(self._levels[-1].shape[:2]) >= 2:
            last = self._levels[-1]
            size = (last.shape[1] // 2, last.shape[0] // 2)
            self._levels.append(cv2.resize(last, size, interpolation=cv2.INTER_AREA).astype(np.uint8))
        depth = min(depth, len(self._levels) - 1)
        return self._levels[depth], self._levels[depth].shape[1] / self._levels[0].shape[1]

    def cut(self, boxes: Boxes) -> Crops:
        """Upright crops (n, 64, 40, 3) of oriented boxes (n, 5), each widened by a tenth on every side."""
        return self.cut_out(widened(boxes))

    def cut_out(self, quads: NDArray[np.float32]) -> Crops:
        """Crops (n, 64, 40, 3) of quadrilaterals (n, 4, 2) given from their upright top left, straightened."""
        crops = np.empty((len(quads), CROP[1], CROP[0], 3), np.uint8)
        target = np.array([(0, 0), (CROP[0], 0), (CROP[0], CROP[1]), (0, CROP[1])], np.float32) - 0.5
        for i, quad in enumerate(quads):
            across, down = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0])
            image, scale = self.level(float(min(across / CROP[0], down / CROP[1])))
            matrix = cv2.getPerspectiveTransform((quad * scale - 0.5).astype(np.float32), target)
            crops[i] = cv2.warpPerspective(image, matrix, CROP, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return crops


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """What crops show: the face if it is an index, (n, 53) summing to 1, and the probability that it is one, (n,)."""

    likelihoods: NDArray[np.float32]
    presence: NDArray[np.float32]


def softmax(logits: Logits) -> NDArray[np.float32]:
    """Along the last axis."""
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    result: NDArray[np.float32] = (powers / powers.sum(-1, keepdims=True)).astype(np.float32)
    return result


def name(rank: Logits, suit: Logits, rank_temperature: float = 1.0, suit_temperature: float = 1.0) -> Named:
    """Logits (n, 15) and (n, 4) to calibrated likelihoods of whole faces."""
    ranks = softmax(rank / rank_temperature)
    suits = softmax(suit / suit_temperature)
    presence = 1 - ranks[:, NO_INDEX]
    likelihoods = ranks[:, _RANKS] * np.where(_SUITS < 0, 1, suits[:, _SUITS])
    # Faces are compared with each other even where hardly anything says that this is an index at all.
    likelihoods = np.maximum(likelihoods, 1e-12)
    return Named((likelihoods / likelihoods.sum(1, keepdims=True)).astype(np.float32), presence.astype(np.float32))


def combined(likelihoods: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """One card's likelihoods from several looks at it. They share deck and light, so they count less than apart."""
    if len(likelihoods) == 1:
        return likelihoods[0]
    weight = len(likelihoods) ** -0.5
    logs = np.log(np.maximum(np.stack(likelihoods), 1e-9)).sum(0) * weight
    powers = np.exp(logs - logs.max())
    result: NDArray[np.float32] = (powers / powers.sum()).astype(np.float32)
    return result
