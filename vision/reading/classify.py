"""Naming index corners: upright crops in, likelihoods of the 53 faces out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.cards import FACES, Rank, Suit
from vision.reading.detect import session
from vision.reading.pyramid import Crops

NO_INDEX: Final = 14
"""The place of "not an index" among the rank logits; before it 2 .. ace and the joker."""

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
