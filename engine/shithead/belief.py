"""What may be so at the table: a few possible states of the game, each with its weight.

A game that all is certain of is one :class:`Hypothesis`. Where a reading, a count or a seat is in doubt there are
several, and every later event weighs them again: what contradicts the rules or the cards fades, what fits stays. So a
doubt never stops the game, and is often settled by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple

from engine.cards import Card
from engine.shithead.events import Event, Show
from engine.shithead.legal import Reason
from engine.shithead.moves import Move
from engine.shithead.state import State

SURE: Final = 0.9
"""From here on an interpretation is taken without asking. Asking at one in ten keeps a table of strangers from waiting
for its phones, and what is taken wrongly is corrected by a tap."""
MOST: Final = 24
"""Hypotheses kept. Two open counts and a doubtful rank make a dozen; more than this is noise."""
FADED: Final = 1e-4
"""Weight beside the heaviest below which a hypothesis is given up: a hundred times less than a rare illegal play."""


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


class Hypothesis(NamedTuple):
    """One way in which all that was seen may be true.

    ``state`` is the game without what is ``pending``. ``last`` is the play that was laid last, while it may still be
    added to or taken back. ``burning``: a burnt pile has not been seen to go. ``undrawn`` counts the cards of each seat
    that are counted as drawn and were not seen to be; ``watched`` says that draws are seen at this table at all.
    ``forgot`` are the seats of which it has been said that they forgot it. ``lifted`` are upcards that were seen to be
    gone before they were seen elsewhere; ``visited`` is the seat whose hand was at the stock with nothing owed.
    ``read`` says what each event that is still in doubt is taken for, by its number.
    """

    state: State
    undrawn: tuple[int, ...]
    weight: float = 1.0
    step: Step = Step(Show(), Verdict.NOTHING)
    pending: Pending | None = None
    last: Last | None = None
    burning: bool = False
    watched: bool = False
    lifted: tuple[int, tuple[Card, ...]] | None = None
    read: tuple[tuple[int, Event], ...] = ()
    forgot: tuple[int, ...] = ()
    visited: int | None = None

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
        undrawn=tuple(map(min, last.before.undrawn, hypothesis.undrawn)),
    )


class Belief(NamedTuple):
    """All hypotheses, the likeliest first; their weights add up to 1."""

    hypotheses: tuple[Hypothesis, ...]

    @property
    def top(self) -> Hypothesis:
        return self.hypotheses[0]

    @property
    def state(self) -> State:
        """The likeliest state."""
        return self.hypotheses[0].state

    def chances(self, seq: int) -> list[tuple[Event, float, Hypothesis]]:
        """What event ``seq`` may have been: each reading with its probability and its likeliest hypothesis."""
        grouped: list[tuple[Event, float, Hypothesis]] = []
        for hypothesis in self.hypotheses:
            event = dict(hypothesis.read).get(seq)
            if event is None:
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
    ordered.sort(key=lambda one: -one.weight)
    kept: list[Hypothesis] = []
    least = ordered[0].weight * FADED
    for one in ordered:
        for index, other in enumerate(kept):
            if one.alike(other):
                kept[index] = other._replace(weight=other.weight + one.weight)
                break
        else:
            if len(kept) < MOST and one.weight >= least:
                kept.append(one)
    total = sum(one.weight for one in kept)
    first = kept[0].read
    if all(one.read == first for one in kept):
        return Belief(tuple(one._replace(weight=one.weight / total, read=()) for one in kept))
    reads = [dict(one.read) for one in kept]
    settled = {seq for seq, event in first if all(read.get(seq) == event for read in reads)}
    return Belief(
        tuple(
            one._replace(weight=one.weight / total, read=tuple(pair for pair in one.read if pair[0] not in settled))
            for one in sorted(kept, key=lambda one: -one.weight)
        )
    )
