"""Rendered scenes as photos to judge by: decks that no net has seen, every card's place known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.errors import UserError
from datasets import decks
from datasets.scenes import SEEN, Index, render
from datasets.scoring import Claim
from engine.cards import Card
from vision.geometry import SLOTS, affine_to, map_points
from vision.types import Image

SIZE: Final = 736
"""Pixels a side: about a webcam's frame."""
SEED: Final = 990
"""Not one that training scenes are made with."""
EASY: Final = 0.8
"""The share of good pictures, as people take them."""
GUESSED: Final = 0.3
"""A card of whose index at least so much is seen may be read, or not."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedScene:
    """A rendered picture, the cards that have to be read, and those that may be."""

    image: Image
    deck: str
    must: tuple[Card, ...]
    may: tuple[Card, ...]

    def relevant(self, claims: Sequence[Claim]) -> list[Claim]:
        """The claims without those that name a card which may be read but need not."""
        spare = Counter(self.may)
        wanted = Counter(self.must)
        result = []
        for claim in sorted(claims, key=lambda claim: -claim.score):
            if wanted[claim.card] > 0:
                wanted[claim.card] -= 1
            elif spare[claim.card] > 0:
                spare[claim.card] -= 1
                continue
            result.append(claim)
        return result


def judged_scenes(count: int, seed: int = SEED) -> Iterator[JudgedScene]:
    """Scenes of the decks held out of training. Raises UserError where deck art has not been made."""
    pool = [deck for deck in decks.manifest() if deck.held_out]
    if not pool:
        raise UserError("no-decks", "there is no held-out deck: run python -m datasets.decks first")
    for number in range(count):
        scene = render(seed, number, pool, SIZE, EASY)
        must, may = [], []
        for card, visible in _cards(scene.indices):
            if visible >= SEEN:
                must.append(card)
            elif visible >= GUESSED:
                may.append(card)
        yield JudgedScene(scene.image, scene.deck, tuple(must), tuple(may))


def _cards(indices: Sequence[Index]) -> list[tuple[Card, float]]:
    """Physical cards and how much of their best index is seen. Equal cards are told apart by where they lie."""
    cards: list[tuple[str, list[np.ndarray], float]] = []
    for index in indices:
        height = float(np.linalg.norm(index.corners[3] - index.corners[0])) * 4
        centres = [
            map_points(affine_to(SLOTS[slot], index.corners), np.full((1, 2), 0.5, np.float32))[0] for slot in (0, 1)
        ]
        for i, (card, places, seen) in enumerate(cards):
            if card == index.card and min(np.linalg.norm(a - b) for a in centres for b in places) < 0.25 * height:
                cards[i] = (card, places, max(seen, index.visible))
                break
        else:
            cards.append((index.card, centres, index.visible))
    return [(Card.parse(card), seen) for card, _, seen in cards]
