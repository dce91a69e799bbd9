"""Readings where no joker is in play: nets see one in pictures and backs that are nothing they know."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from engine.cards import FACES, Rank
from vision.types import CardReading

JOKERS: Final = np.array([face.rank is Rank.JOKER for face in FACES])
LEAST: Final = 0.05
"""A reading that is a joker but for so little is of no card at all."""


def without_joker(card: CardReading) -> CardReading | None:
    """A reading where no joker is in play; None where little else is left of it."""
    rest = np.where(JOKERS, 0, card.likelihoods)
    left = float(rest.sum())
    if left < LEAST:
        return None
    return replace(card, likelihoods=(rest / left).astype(np.float32), presence=card.presence * left)
