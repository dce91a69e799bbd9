"""What a reading may claim: how surely a card is there, by how it stands among what else is seen.

A card shows two indices, or its edges, or something lies over its other end. A lone index in the open, with nothing
where the other should be, is more often a letter on a book than a card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from vision.geometry import ACROSS, Rect
from vision.reading.join import Joined
from vision.types import CardReading, ImageReading

REPORTED: Final = 0.6
"""Cards are reported whose rank is clearly more likely right than wrong: to invent one is worse than to miss one."""
DOUBTFUL: Final = 0.2
"""The same for who looks again and again and weighs readings against each other, as a watcher does."""

Platt = tuple[float, float]
"""Slope and shift of the log odds (Platt 1999)."""


class Standing(StrEnum):
    """What speaks for a card beside the index itself."""

    CONFIRMED = "confirmed"
    """Its edges or a second index."""
    HIDDEN = "hidden"
    """Nothing, but its other end lies under another card or outside the picture."""
    OPEN = "open"
    """Nothing, though its other end should be seen."""


def standing(card: Joined, others: Sequence[Joined], areas: Sequence[Rect]) -> Standing:
    """How a card stands among the others of a picture of which ``areas`` were read."""
    if len(card.corners) > 1 or card.edges is not None:
        return Standing.CONFIRMED
    x, y = card.predicted()[ACROSS[card.slots[0]]].mean(0).tolist()
    if not any(left <= x < right and top <= y < bottom for left, top, right, bottom in areas):
        return Standing.HIDDEN
    outlines = (other.outline.reshape(-1, 1, 2) for other in others if other is not card)
    under = any(cv2.pointPolygonTest(outline, (x, y), False) >= 0 for outline in outlines)
    return Standing.HIDDEN if under else Standing.OPEN


def calibrated(card: CardReading, how: Standing, fitted: Mapping[str, Platt]) -> CardReading:
    """The reading with a truer claim to its rank: the likelihoods stay, the presence bears it."""
    slope, shift = fitted.get(how, (1.0, 0.0))
    rank = max(card.rank_scores.values())
    claim = truer(card.presence * rank, slope, shift)
    return replace(card, presence=min(1.0, claim / rank))


def truer(claim: float, slope: float, shift: float) -> float:
    """A probability whose log odds are stretched and shifted."""
    bounded = float(np.clip(claim, 1e-6, 1 - 1e-6))
    return float(1 / (1 + np.exp(-(slope * np.log(bounded / (1 - bounded)) + shift))))


def claiming(reading: ImageReading, least: float = REPORTED) -> ImageReading:
    """The reading without the cards whose rank is less likely right than ``least``."""
    cards = tuple(card for card in reading.cards if card.presence * max(card.rank_scores.values()) >= least)
    return replace(reading, cards=cards)
