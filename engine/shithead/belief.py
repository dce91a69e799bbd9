"""What may be so at the table: a few possible states of the game, each with its weight.

A game that all is certain of is one :class:`Hypothesis`. Where a reading, a count or a seat is in doubt there are
several, and every later event weighs them again: what contradicts the rules or the cards fades, what fits stays. So a
doubt never stops the game, and is often settled by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from engine.cards import Card
from engine.shithead.events import Event, Show, Source
from engine.shithead.legal import Reason
from engine.shithead.moves import Move
from engine.shithead.state import State, answered

SURE: Final = 0.9
"""From here on an interpretation is taken without asking. Asking at one in ten keeps a table of strangers from waiting
for its phones, and what is taken wrongly is corrected by a tap."""
FEW: Final = 24
"""Hypotheses kept where all agree on what is so now: two open counts and a doubtful rank make a dozen."""
MOST: Final = 36
"""Hypotheses kept."""
ALIKE: Final = 10
"""Of those in which the same player is to move and must answer the same: open counts crowd out no other turn."""
CROWDED: Final = 16
"""From so many on, hypotheses that differ only in which cards lie where are joined."""
FADED: Final = 1e-5
"""Weight beside the heaviest below which a hypothesis is given up: a thousand times less than a rare illegal play."""


class Verdict(StrEnum):
    ACCEPTED = "accepted"
    DOUBTFUL = "doubtful"
    ILLEGAL = "illegal"
    NOTHING = "nothing"
    ERROR = "error"


class Happened(NamedTuple):
    """A move that was made: its effects are told from the states before and after."""

    before: State
    move: Move
    after: State


class Said(NamedTuple):
    """Something to say beside: a code of ``words`` and its parameters."""

    code: str
    parameters: tuple[tuple[str, object], ...] = ()


class Step(NamedTuple):
    """What one hypothesis makes of the last event: the event as it is taken, and what came of it.

    ``fit`` is how likely the readings are if so, 0 to 1, without what rules and whereabouts say.
    """

    event: Event
    verdict: Verdict
    notes: tuple[Happened | Said, ...] = ()
    why: Reason | None = None
    fit: float = 1.0


class Pending(NamedTuple):
    """What was done against the rules and is not settled yet. ``move`` is None for a burn that is none."""

    move: Move | None
    why: Reason


@dataclass(slots=True, eq=False)
class Path:
    """What a hypothesis took one event for, and those ``before`` it. ``laid`` counts the cards of the play that was
    laid last. Two ways to the same table are equal: how it came about does not matter any more."""

    seq: int
    event: Event
    laid: int
    before: Path | None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Path)

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[Path]:
        """The way from the last event back to the first."""
        one: Path | None = self
        while one is not None:
            yield one
            one = one.before


class Hypothesis(NamedTuple):
    """One way in which all that was seen may be true.

    ``state`` is the game without what is ``pending``. ``last`` is the play that was laid last, while it may still be
    added to or taken back. ``burning``: a burnt pile has not been seen to go. ``undrawn`` counts the cards of each seat
    that are counted as drawn and were not seen to be; ``watched`` says who tells of draws at this table, None as long
    as nobody does. ``forgot`` are the seats of which it has been said that they forgot it; ``unheeded`` counts how
    often a camera told somebody so and then saw no draw before the next play. ``lifted`` are upcards that were seen to
    be gone before they were seen elsewhere; ``visited`` is the seat whose hand was at the stock with nothing owed;
    ``drew`` the seat that drew last, and when.
    ``read`` says what each event that is still in doubt is taken for, by its number; ``path`` what every one was.
    ``lying`` counts the turns taken when cards last lay in the stock; ``stocked`` is the factor that the last sighting
    of the stock has given, ``down_seen`` those of each seat's downcards.
    """

    state: State
    undrawn: tuple[int, ...]
    weight: float = 1.0
    step: Step = Step(Show(), Verdict.NOTHING)
    pending: Pending | None = None
    last: Last | None = None
    burning: bool = False
    watched: Source | None = None
    lifted: tuple[int, tuple[Card, ...]] | None = None
    read: tuple[tuple[int, Event], ...] = ()
    forgot: tuple[int, ...] = ()
    unheeded: int = 0
    visited: int | None = None
    drew: tuple[int, float] | None = None
    path: Path | None = None
    lying: int = 0
    stocked: float = 1.0
    down_seen: tuple[float, ...] = ()

    @property
    def situation(self) -> tuple[object, ...]:
        """What the table must know now: whose turn it is, what must be answered, whether something is against the
        rules."""
        state = self.state
        return (
            state.turn,
            state.direction,
            state.lead,
            answered(state.rules, state.pile),
            bool(state.pile.size),
            state.out,
            self.burning,
            self.pending,
        )

    @property
    def sizes(self) -> tuple[object, ...]:
        """How many cards lie where."""
        state = self.state
        return (
            state.stock.size,
            state.pile.size,
            tuple((player.hand.size, player.up.size, player.down.size) for player in state.players),
        )

    def alike(self, other: Hypothesis) -> bool:
        """Whether the two differ in nothing that can matter later."""
        return self.state == other.state and self.pending == other.pending and self.burning == other.burning


class Last(NamedTuple):
    """The play that was laid last: how things were before it, the move, and when (None: not known)."""

    before: Hypothesis
    move: Move
    at: float | None


def before_last(hypothesis: Hypothesis, last: Last, weight: float) -> Hypothesis:
    """The hypothesis without its last play; what was learnt since of draws and of doubts stays."""
    return last.before._replace(
        weight=weight,
        read=hypothesis.read,
        watched=hypothesis.watched,
        forgot=hypothesis.forgot,
        unheeded=hypothesis.unheeded,
        drew=hypothesis.drew,
        path=hypothesis.path,
        stocked=hypothesis.stocked,
        down_seen=hypothesis.down_seen,
        undrawn=tuple(map(min, last.before.undrawn, hypothesis.undrawn)),
    )


class Belief(NamedTuple):
    """All hypotheses; their weights add up to 1. First come those of the likeliest situation, the likeliest first."""

    hypotheses: tuple[Hypothesis, ...]

    @property
    def top(self) -> Hypothesis:
        return self.hypotheses[0]

    @property
    def state(self) -> State:
        """The likeliest state."""
        return self.hypotheses[0].state

    @property
    def sure(self) -> float:
        """How likely the likeliest situation is."""
        if len(self.hypotheses) == 1:
            return 1.0
        likeliest = self.top.situation
        return sum(one.weight for one in self.hypotheses if one.situation == likeliest)

    def chances(self, seq: int) -> list[tuple[Event, float, Hypothesis]]:
        """What event ``seq`` may have been: each reading with its probability and its likeliest hypothesis; that
        nothing happened is none of them."""
        grouped: list[tuple[Event, float, Hypothesis]] = []
        for hypothesis in self.hypotheses:
            event = dict(hypothesis.read).get(seq)
            if event is None or isinstance(event, Show):
                continue
            for index, (other, p, best) in enumerate(grouped):
                if other == event:
                    grouped[index] = (other, p + hypothesis.weight, best)
                    break
            else:
                grouped.append((event, hypothesis.weight, hypothesis))
        return sorted(grouped, key=lambda group: -group[1])

    @property
    def open(self) -> tuple[int, ...]:
        """The numbers of the events that are still in doubt, in order."""
        return tuple(sorted({seq for hypothesis in self.hypotheses for seq, _ in hypothesis.read}))


def weigh(hypotheses: Iterable[Hypothesis]) -> Belief | None:
    """The belief in these hypotheses: likeliest first, what is alike joined, what has faded given up; None for none."""
    ordered = [one for one in hypotheses if one.weight > 0]
    if not ordered:
        return None
    if len(ordered) == 1:
        return Belief((ordered[0]._replace(weight=1.0, read=()),))
    kept = _kept(ordered)
    total = sum(one.weight for one in kept)
    first = kept[0].read
    if all(one.read == first for one in kept):
        return Belief(tuple(one._replace(weight=one.weight / total, read=()) for one in kept))
    reads = [dict(one.read) for one in kept]
    settled = {seq for seq, event in first if all(read.get(seq) == event for read in reads)}
    return Belief(
        tuple(
            one._replace(weight=one.weight / total, read=tuple(pair for pair in one.read if pair[0] not in settled))
            for one in kept
        )
    )


def _kept(hypotheses: list[Hypothesis]) -> list[Hypothesis]:
    """The hypotheses that are worth keeping, what is alike joined, those of the likeliest situation first."""
    hypotheses.sort(key=lambda one: -one.weight)
    least = hypotheses[0].weight * FADED
    groups: dict[tuple[object, ...], list[Hypothesis]] = {}
    distinct = 0
    for one in hypotheses:
        if one.weight < least:
            break
        # Most differ in their sizes: only the others are compared card by card.
        group = groups.setdefault((one.situation, one.sizes), [])
        for index, other in enumerate(group):
            if distinct >= CROWDED or one.alike(other):
                group[index] = other._replace(weight=other.weight + one.weight)
                break
        else:
            group.append(one)
            distinct += 1
    situations: dict[object, list[Hypothesis]] = {}
    for (situation, _), group in groups.items():
        situations.setdefault(situation, []).extend(group)
    weights = {situation: sum(one.weight for one in group) for situation, group in situations.items()}
    likeliest = max(weights, key=weights.__getitem__)
    kept, rest = [], []
    for group in situations.values():
        group.sort(key=lambda one: -one.weight)
        kept += group[:ALIKE]
        rest += group[ALIKE:]
    rest.sort(key=lambda one: -one.weight)
    kept += rest[: max(0, FEW - len(kept))]
    kept.sort(key=lambda one: -one.weight)
    del kept[MOST:]
    return sorted(kept, key=lambda one: one.situation != likeliest)
