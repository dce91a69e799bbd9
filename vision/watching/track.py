"""Cards followed over the frames of one settled look: matched by place, their likelihoods summed.

A *look* is a stretch of time in which a zone of the table lies still and uncovered. Every frame read in it is one vote;
what most frames saw is what lies there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.cards import FACES, Card, Rank
from vision.plane import Spots
from vision.table.place import Placed, turned_by
from vision.types import Likelihoods, Sighting

SAME_SPOT: Final = 0.15
"""Two index corners this near (card widths) are one: a corner visible beside another is at least its own width away."""
NEAR_SPOT: Final = 0.45
"""As near as this, they are one if they show the same face: half a card is inferred from a single corner."""
SAME_ANGLE: Final = 0.3
LEAST: Final = 1e-4
_RANKS: Final = np.array([int(face.rank) for face in FACES])

A = TypeVar("A")
B = TypeVar("B")

Changed = Callable[[Spots], float | None]
"""How much of a polygon on the table looks different than at the last settled look: 0 to 1, None where not known."""


@dataclass(eq=False)
class Track:
    """One face-up card that lies still. ``hits`` is in how many frames it was read; ``since`` the first of them."""

    centre: Spots
    angle: float
    anchors: Spots
    logs: NDArray[np.float64]
    since: float
    hits: int = 1
    corners_seen: int = 1
    latest: int = 0
    """The rank that the last frame read by itself."""

    @classmethod
    def start(cls, placed: Placed, at: float) -> Track:
        logs = np.log(np.maximum(placed.likelihoods.astype(np.float64), LEAST))
        return cls(placed.centre, placed.angle, placed.anchors, logs, at, 1, len(placed.anchors), _rank_of(placed))

    @property
    def likelihoods(self) -> Likelihoods:
        """Per face, from all frames. Frames share light and deck, so n of them weigh as the root of n apart would."""
        powers = self.logs * self.hits**-0.5
        scores = np.exp(powers - powers.max())
        result: Likelihoods = (scores / scores.sum()).astype(np.float32)
        return result

    @property
    def card(self) -> Card:
        return FACES[int(np.argmax(self.logs))]

    @property
    def rank(self) -> Rank:
        return Rank(int(np.argmax(rank_vector(self.likelihoods))))

    @property
    def placed(self) -> Placed:
        return Placed(self.centre, self.angle, self.anchors, self.likelihoods, 1.0)

    @property
    def sighting(self) -> Sighting:
        return sighting(self.likelihoods)

    def add(self, placed: Placed) -> None:
        """One more frame that saw this card. A frame that saw more of its corners places it better."""
        self.logs = self.logs + np.log(np.maximum(placed.likelihoods.astype(np.float64), LEAST))
        self.hits += 1
        self.latest = _rank_of(placed)
        if len(placed.anchors) >= self.corners_seen:
            self.centre, self.angle = placed.centre, placed.angle
            self.anchors, self.corners_seen = placed.anchors, len(placed.anchors)


def _rank_of(placed: Placed) -> int:
    return int(np.argmax(rank_vector(placed.likelihoods)))


def sighting(likelihoods: Likelihoods) -> Sighting:
    """The faces that are at all likely (one in a thousand or more)."""
    return Sighting({FACES[int(face)]: float(likelihoods[face]) for face in np.flatnonzero(likelihoods >= 1e-3)})


def rank_vector(likelihoods: Likelihoods) -> NDArray[np.float64]:
    """Probability per rank value, shape (16,)."""
    sums: NDArray[np.float64] = np.bincount(_RANKS, weights=likelihoods.astype(np.float64), minlength=16).astype(
        np.float64
    )
    return sums


def alike(first: Likelihoods, second: Likelihoods) -> float:
    """How far two readings speak of one face: the Bhattacharyya coefficient, 0 to 1."""
    return float(np.sqrt(first.astype(np.float64) * second).sum())


def same_rank(first: Likelihoods, second: Likelihoods) -> float:
    """The probability that two cards have one rank."""
    return float(rank_vector(first) @ rank_vector(second))


def distance(track: Placed, other: Placed) -> float:
    """How far apart two sightings of what may be one card are, in card widths; infinite if they cannot be."""
    if turned_by(track.angle, other.angle) > SAME_ANGLE:
        return float("inf")
    if not len(other.anchors) or not len(track.anchors):
        return float(np.linalg.norm(track.centre - other.centre))
    known = np.concatenate([track.anchors, track.index_spots])
    seen = np.concatenate([other.anchors, other.index_spots])
    measured = np.linalg.norm(known[:, None] - other.anchors[None], axis=2).min()
    return float(min(measured, np.linalg.norm(track.anchors[:, None] - seen[None], axis=2).min()))


def is_same(track: Placed, other: Placed) -> float | None:
    """The cost of taking two sightings for one card lying still, or None if they are two cards."""
    apart = distance(track, other)
    if apart > NEAR_SPOT:
        return None
    agreement = alike(track.likelihoods, other.likelihoods)
    if apart > SAME_SPOT and agreement < 0.6:
        return None
    return apart + 0.3 * (1 - agreement)


def pair(known: Sequence[A], seen: Sequence[B], cost: Callable[[A, B], float | None]) -> list[tuple[int, int]]:
    """Pairs (index in known, index in seen), cheapest first, each used once."""
    costs = [
        (value, i, j)
        for i, first in enumerate(known)
        for j, second in enumerate(seen)
        if (value := cost(first, second)) is not None
    ]
    pairs: list[tuple[int, int]] = []
    for _, i, j in sorted(costs):
        if all(i != a and j != b for a, b in pairs):
            pairs.append((i, j))
    return pairs


@dataclass(eq=False)
class Look:
    """What the frames of one settled stretch saw in one zone."""

    since: float
    tracks: list[Track] = field(default_factory=list)
    frames: int = 0
    steady: int = 0
    """How many frames in a row saw the same cards as the one before."""

    def add(self, cards: Sequence[Placed], at: float) -> None:
        pairs = pair([track.placed for track in self.tracks], cards, is_same)
        before = [track.latest for track in self.tracks]
        matched = {j for _, j in pairs}
        for i, j in pairs:
            self.tracks[i].add(cards[j])
        same = len(pairs) == len(self.tracks) == len(cards)
        self.tracks += [Track.start(card, at) for j, card in enumerate(cards) if j not in matched]
        same = same and before == [track.latest for track in self.tracks]
        self.steady = self.steady + 1 if same or not self.frames else 1
        self.frames += 1

    @property
    def cards(self) -> list[Track]:
        """The cards that at least half of the frames saw."""
        return [track for track in self.tracks if 2 * track.hits >= self.frames]
