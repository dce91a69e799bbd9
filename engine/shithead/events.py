"""What can happen at the table: the events of a game, as the camera, a person and a record say them.

An event says what was *seen or said*, never what the rules make of it: that is for
:mod:`engine.shithead.referee`. Their JSON is :mod:`engine.shithead.wire`'s business. Seats are indices.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import ClassVar, Final, Self

from engine.cards import Card, Rank

UNKNOWN: Final = "??"


class Zone(StrEnum):
    """Where a played card came from."""

    HAND = "hand"
    UPCARDS = "upcards"
    DOWNCARDS = "downcards"


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
class Deal(Event):
    """The deal as it lies. A seat that is not in ``upcards`` has not been read: its upcards are unknown.

    ``draws`` says that every hand at the stock will be told, so that a forgotten draw is noticed from the first one on;
    without it, that is known once a draw is told.
    """

    kind = "deal"
    upcards: Mapping[int, tuple[Reading, ...]] = field(default_factory=dict, hash=False)
    first: Reading | None = None
    dealer: int | None = None
    draws: bool = False


@dataclass(frozen=True, slots=True)
class Exchange(Event):
    """Before the first play: this seat's upcards are now these."""

    kind = "exchange"
    seat: int
    cards: tuple[Reading, ...] = field(metadata={"json": "upcards"})


@dataclass(frozen=True, slots=True)
class Start(Event):
    """Who leads, where the upcards do not say."""

    kind = "start"
    seat: int


@dataclass(frozen=True, slots=True)
class Laid(Event):
    """Cards came to lie on the pile. ``count`` weighs the numbers of cards that it may be; empty means ``cards`` are
    all. ``seat`` is whose they are, as far as was seen, ``seat_score`` how likely that is."""

    kind = "laid"
    cards: tuple[Reading, ...]
    seat: int | None = None
    seat_score: float = 1.0
    count: Mapping[int, float] = field(default_factory=dict, hash=False)
    zone: Zone | None = field(default=None, metadata={"json": "from"})

    @property
    def numbers(self) -> Mapping[int, float]:
        """How likely each number of cards is, at least as many as are seen."""
        chances: dict[int, float] = {}
        for number, p in (self.count or {len(self.cards): 1.0}).items():
            number = max(number, len(self.cards))
            chances[number] = chances.get(number, 0.0) + p
        return chances


@dataclass(frozen=True, slots=True)
class Gone(Event):
    """The pile has gone, all but ``left`` of its cards."""

    kind = "gone"
    left: int = 0
    seat: int | None = None
    seat_score: float = 1.0


@dataclass(frozen=True, slots=True)
class Upcards(Event):
    """A seat's upcards were read again and are now these."""

    kind = "upcards"
    seat: int
    cards: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Turned(Event):
    """A downcard was turned up."""

    kind = "turned"
    card: Reading
    seat: int | None = None
    seat_score: float = 1.0


@dataclass(frozen=True, slots=True)
class Flipped(Event):
    """House rule: the top card of the stock was turned onto the pile instead of picking up."""

    kind = "flipped"
    card: Reading
    seat: int | None = None
    seat_score: float = 1.0


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    """A hand visited the stock. ``count`` None: nobody counted."""

    kind = "drawn"
    seat: int | None = None
    seat_score: float = 1.0
    count: int | None = None


@dataclass(frozen=True, slots=True)
class PickUp(Event):
    """A person says: the pile was picked up, with this upcard where the rules ask for one."""

    kind = "pick-up"
    seat: int | None = None
    card: Reading | None = field(default=None, metadata={"json": "with"})


@dataclass(frozen=True, slots=True)
class Burn(Event):
    """A person says: the pile was burnt."""

    kind = "burn"


@dataclass(frozen=True, slots=True)
class Pass(Event):
    """A restricted leader cannot or will not lead."""

    kind = "pass"
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class TakeBack(Event):
    """The cards laid last were lifted again."""

    kind = "take-back"


@dataclass(frozen=True, slots=True)
class Stand(Event):
    """The host lets the illegal play stand."""

    kind = "stand"


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
    """The game goes back to just after event ``to`` (0: to its beginning)."""

    kind = "undo"
    to: int


@dataclass(frozen=True, slots=True)
class Call(Event):
    """The table calls an endless game: most cards loses."""

    kind = "call"


@dataclass(frozen=True, slots=True)
class Show(Event):
    """Nothing happened; answer with the state."""

    kind = "show"


KINDS: Final[Mapping[str, type[Event]]] = {
    kind.kind: kind
    for kind in (
        *(Deal, Exchange, Start, Laid, Gone, Upcards, Turned, Flipped, Drawn, PickUp, Burn, Pass, TakeBack),
        *(Stand, Answer, Correct, Insert, Undo, Call, Show),
    )
}
SHOWING: Final = (Laid, Turned, Flipped)
"""Events that show cards on the pile: these are weighed card by card."""
EDITS: Final = (Answer, Correct, Insert, Undo)
"""Events about events: they change the list of what happened, and are never the ``with`` of another."""


def bare(event: Event) -> Event:
    """The event without its sender's ``id``."""
    return replace(event, id=None)
