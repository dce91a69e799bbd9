"""Events of any card game: what somebody saw or said, how surely a card was read, and events about earlier events.

An event says what was *seen or said*, never what the rules make of it. Seats are indices.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import ClassVar, Final, Self

from engine.cards import Card, Rank

UNKNOWN: Final = "??"


class Source(StrEnum):
    CAMERA = "camera"
    PERSON = "person"
    ENGINE = "engine"


@dataclass(frozen=True, slots=True)
class Reading:
    """One card as it was read: a probability per face, likeliest first; what is missing to 1 is "any card".

    A face may lack its suit (``7?``). No face at all means that nothing is known (``??``).
    """

    faces: tuple[tuple[Card, float], ...] = ()

    @classmethod
    def of(cls, card: Card | str) -> Self:
        """A certain reading."""
        return cls(((Card.parse(card) if isinstance(card, str) else card, 1.0),))

    @classmethod
    def weigh(cls, likelihoods: Mapping[Card, float]) -> Self:
        """A reading from probabilities; more than 1 in all is scaled down. Raises ValueError for no probability."""
        kept = [(card, float(p)) for card, p in likelihoods.items() if p > 0]
        total = sum(p for _, p in kept)
        if any(not math.isfinite(p) or p < 0 for p in likelihoods.values()):
            raise ValueError("a likelihood must be a number of 0 or more")
        scale = max(1.0, total)
        return cls(tuple(sorted(((card, p / scale) for card, p in kept), key=lambda pair: (-pair[1], str(pair[0])))))

    @property
    def card(self) -> Card | None:
        """The likeliest face; None where nothing is known."""
        return self.faces[0][0] if self.faces else None

    @property
    def certain(self) -> bool:
        """Whether rank and suit are beyond doubt."""
        return len(self.faces) == 1 and self.faces[0][1] >= 1 and (self.faces[0][0].suit is not None or self.is_joker)

    @property
    def is_joker(self) -> bool:
        return self.faces[0][0].rank is Rank.JOKER

    @property
    def ranks(self) -> dict[Rank, float]:
        """Probability per rank, summed over suits; what is missing to 1 is "any rank"."""
        ranks: dict[Rank, float] = {}
        for card, p in self.faces:
            ranks[card.rank] = ranks.get(card.rank, 0.0) + p
        return ranks

    def __str__(self) -> str:
        return str(self.card) if self.faces else UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What every event may carry. ``at`` is seconds on the source's own clock; ``id`` is the sender's, echoed back."""

    kind: ClassVar[str]
    id: str | int | None = None
    at: float | None = None
    source: Source = Source.PERSON
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Answer(Event):
    """A person answers a question: with the index of a candidate, or with an event of their own."""

    kind = "answer"
    question: str
    choice: int | Event


@dataclass(frozen=True, slots=True)
class Correct(Event):
    """A person corrects event ``seq``, or removes it (None)."""

    kind = "correct"
    seq: int
    event: Event | None = field(metadata={"json": "with"})


@dataclass(frozen=True, slots=True)
class Insert(Event):
    """A person adds an event that was missed, before event ``before``."""

    kind = "insert"
    before: int
    event: Event = field(metadata={"json": "with"})


@dataclass(frozen=True, slots=True)
class Undo(Event):
    """All that was said after event ``to`` is as if it had not been said (0: all), corrections of earlier plays too."""

    kind = "undo"
    to: int


@dataclass(frozen=True, slots=True)
class Back(Event):
    """The game goes back to just after event ``to`` as it stands now (0: to its beginning): what follows it there goes,
    whenever it was said; what was corrected or added before it stays."""

    kind = "back"
    to: int


@dataclass(frozen=True, slots=True)
class Show(Event):
    """Nothing happened; answer with the state."""

    kind = "show"


EDITS: Final = (Answer, Correct, Insert, Undo, Back)
"""Events about events: they change the list of what happened, and are never the ``with`` of another."""


def bare(event: Event) -> Event:
    """The event without its sender's ``id``."""
    return replace(event, id=None)
