"""What can happen at a table of Shithead: the events of a game, as the camera, a person and a record say them.

What the rules make of an event is for ``referee`` to say; its JSON is the business of ``wire``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from engine.events import EDITS, UNKNOWN, Answer, Back, Correct, Event, Insert, Reading, Show, Source, Undo, bare

__all__ = [
    "EDITS",
    "KINDS",
    "SHOWING",
    "UNKNOWN",
    "Answer",
    "Back",
    "Burn",
    "Call",
    "Correct",
    "Deal",
    "Downcards",
    "Drawn",
    "Event",
    "Exchange",
    "Flipped",
    "Gone",
    "Insert",
    "Laid",
    "Pass",
    "PickUp",
    "Reading",
    "Show",
    "Source",
    "Stand",
    "Start",
    "Stock",
    "TakeBack",
    "Turned",
    "Undo",
    "Upcards",
    "Zone",
    "bare",
]


class Zone(StrEnum):
    """Where a played card came from."""

    HAND = "hand"
    UPCARDS = "upcards"
    DOWNCARDS = "downcards"


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
    """The pile has gone, all but ``left`` of its cards. ``aside``: whether it was seen to lie elsewhere on the table
    then, as burnt cards do; None where that was not to be seen."""

    kind = "gone"
    left: int = 0
    aside: bool | None = None
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
class Stock(Event):
    """The stock as it lies: so many cards are ``left``. None: some, nobody has counted. It is no move."""

    kind = "stock"
    left: int | None = None


@dataclass(frozen=True, slots=True)
class Downcards(Event):
    """The downcards of a seat as they lie: so many are ``left``. It is no move."""

    kind = "downcards"
    seat: int
    left: int


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
class Call(Event):
    """The table calls an endless game: most cards loses."""

    kind = "call"


KINDS: Final[Mapping[str, type[Event]]] = {
    kind.kind: kind
    for kind in (
        *(
            Deal,
            Exchange,
            Start,
            Laid,
            Gone,
            Upcards,
            Turned,
            Flipped,
            Drawn,
            Stock,
            Downcards,
            PickUp,
            Burn,
            Pass,
            TakeBack,
        ),
        *(Stand, Answer, Correct, Insert, Undo, Back, Call, Show),
    )
}
SHOWING: Final = (Laid, Turned, Flipped)
"""Events that show cards on the pile: these are weighed card by card."""
