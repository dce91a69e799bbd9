"""What leaves ``vision/``: readings of single images, and observations of a table that is watched over time.

Plain, frozen data without behaviour that decides anything. ``engine.cards`` is all that this package knows of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.cards import FACES, Card, Rank, Suit

Image = NDArray[np.uint8]
"""BGR, shape (height, width, 3)."""
Points = NDArray[np.float32]
"""Pixel coordinates x, y; shape (n, 2)."""
Likelihoods = NDArray[np.float32]
"""One calibrated probability per face in the order of ``engine.cards.FACES``; shape (53,), sums to 1."""


SURE: Final = 0.9
"""A card whose score is at least this is sure: it is told without a question mark, and a program need not ask."""


@dataclass(frozen=True, slots=True, eq=False)
class CardReading:
    """One face-up card in one image, found by one or more of its corner indices.

    ``outline`` is the whole card's quadrilateral, shape (4, 2), clockwise from the top left corner of the card held
    upright; parts may lie outside the image or under another card. ``indices`` are the index corners that were seen,
    each (4, 2) in the same order. ``presence`` is the probability that there is a card there at all. ``corners`` has
    the likelihoods of each index corner by itself, in the order of ``indices``; it is empty where they are not known.
    """

    outline: Points
    indices: tuple[Points, ...]
    likelihoods: Likelihoods
    presence: float
    corners: tuple[Likelihoods, ...] = ()

    @property
    def card(self) -> Card:
        """The likeliest face."""
        return FACES[int(np.argmax(self.likelihoods))]

    @property
    def rank(self) -> Rank:
        return max(self.rank_scores, key=self.rank_scores.__getitem__)

    @property
    def score(self) -> float:
        """Probability that the likeliest face, rank and suit, is right."""
        return float(self.presence * self.likelihoods.max())

    @property
    def sure(self) -> bool:
        """Whether this is said without doubt, wherever a card is shown or told."""
        return self.score >= SURE

    @property
    def rank_scores(self) -> Mapping[Rank, float]:
        """Probability per rank, summed over suits."""
        scores = dict.fromkeys(Rank, 0.0)
        for face, likelihood in zip(FACES, self.likelihoods, strict=True):
            scores[face.rank] += float(likelihood)
        return scores

    @property
    def suit_scores(self) -> Mapping[Suit, float]:
        """Probability per suit, summed over ranks (a joker has none)."""
        scores = dict.fromkeys(Suit, 0.0)
        for face, likelihood in zip(FACES, self.likelihoods, strict=True):
            if face.suit is not None:
                scores[face.suit] += float(likelihood)
        return scores


@dataclass(frozen=True, slots=True, eq=False)
class BackReading:
    """One face-down card in one image."""

    outline: Points
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class ImageReading:
    """All that was read in one image. ``shapes`` are outlines, (4, 2) each, of what is as large as a card and neither
    shows an index nor surely a back."""

    width: int
    height: int
    cards: tuple[CardReading, ...]
    backs: tuple[BackReading, ...] = ()
    shapes: tuple[Points, ...] = ()


class Seen(StrEnum):
    """The kinds of observation. Each names what happened on the table, never what the rules make of it."""

    DEAL = "deal"  # the laid-out deal: upcards per seat, perhaps a first pile card
    LAID = "laid"  # one or more cards came to lie on the pile
    LIFTED = "lifted"  # the cards laid last were taken up again at once
    GONE = "gone"  # the pile has gone for good (or all but `left` cards of it)
    SQUARED = "squared"  # the pile was pushed together; nothing came or went
    UPCARDS = "upcards"  # a seat's upcards now are `cards`
    TURNED = "turned"  # a downcard of a seat was turned up
    STOCK = "stock"  # a hand visited the stock
    STOCK_LIES = "stock-lies"  # cards lie in the stock's place (`present`), or bare table shows where they were
    DOWNCARDS = "downcards"  # so many downcards (`left`) still lie before a seat
    HAND = "hand"  # a hand is over the table (`present`), or no more
    NUDGED = "nudged"  # the camera moved
    CAMERA = "camera"  # the camera was lost (`present` False) or came back


@dataclass(frozen=True, slots=True)
class Sighting:
    """One card of an observation: its probability per face. Faces under one in a thousand are left out."""

    likelihoods: Mapping[Card, float]

    @property
    def card(self) -> Card:
        return max(self.likelihoods, key=self.likelihoods.__getitem__)


@dataclass(frozen=True, slots=True)
class Observation:
    """One thing that happened on the table, as far as the camera can tell.

    ``at`` is the moment in seconds on the source's own clock; ``frame`` the frame in which it was settled. ``seat`` is
    the index of the seat that the evidence points to, with its probability in ``seat_score``; None where there is no
    evidence. ``counts`` gives a probability to each possible number of cards where a squared set hides some; empty
    means exactly ``len(cards)``. ``upcards`` serves DEAL only. ``left`` serves GONE: the cards still lying there;
    ``aside`` too: whether the pile was seen to lie elsewhere on the table then, None where that was not to be seen.
    ``confidence`` is how likely it is that this happened at all.
    """

    kind: Seen
    at: float
    frame: int
    cards: tuple[Sighting, ...] = ()
    counts: Mapping[int, float] = field(default_factory=dict)
    seat: int | None = None
    seat_score: float = 0.0
    upcards: tuple[tuple[Sighting, ...], ...] = ()
    left: int = 0
    aside: bool | None = None
    present: bool = True
    confidence: float = 1.0
