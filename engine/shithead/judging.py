"""A move that may have been made: at once where it is legal, pending where it is not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.shithead.belief import Happened, Hypothesis, Last, Pending, Said, Step, Verdict
from engine.shithead.drawing import drew_before, overlooked, owing
from engine.shithead.events import Event, Flipped, Laid, Turned
from engine.shithead.likely import Choice
from engine.shithead.moves import Kind, Move
from engine.shithead.play import ImpossibleMove, apply
from engine.shithead.refusal import why_not
from engine.shithead.standing import ILLEGAL
from engine.shithead.state import State, allowed

OUT_OF_TURN: Final = 0.02
"""A play by somebody who is not to move; rarer, for the table protests."""
IMPOSSIBLE: Final = 1e-5
"""A play that the cards as they are known rule out: something was misread before. Kept so that a person may insist."""


def judged(
    hypothesis: Hypothesis, move: Move, choice: Choice, sure: Event, event: Laid | Turned | Flipped
) -> Iterator[Hypothesis]:
    """The hypothesis in which this move was made: at once if it is legal, else pending."""
    state = hypothesis.state
    why = why_not(state, move)
    if why is None:
        yield from made(hypothesis, move, choice, sure, event.at)
    elif move.kind not in (Kind.COMPLETE, Kind.FOLLOW):
        weight = hypothesis.weight * choice.weight
        if not _can_happen(state, move):
            weight *= IMPOSSIBLE
        elif why.code != "not-your-turn" or not allowed(state) >> move.laid[0].rank & 1:
            weight *= ILLEGAL  # how likely it is to play out of turn, the role says
        step = Step(sure, Verdict.ILLEGAL, (), why, choice.fit)
        yield hypothesis._replace(weight=weight, pending=Pending(move, why), step=step)


def made(hypothesis: Hypothesis, move: Move, choice: Choice, sure: Event, at: float | None) -> Iterator[Hypothesis]:
    """The hypothesis in which this legal move was made; none where the cards cannot lie so."""
    state = hypothesis.state
    try:
        after = apply(state, move)
    except ImpossibleMove:
        return
    said, forgot = overlooked(hypothesis, move.seat)
    drawn = 0 if drew_before(hypothesis, move.seat, at) else state.stock.size - after.stock.size
    undrawn, forgot, unheeded = owing(hypothesis, forgot, move, drawn)
    slips = [Said("elsewhere", (("card", card), ("rank", card.rank))) for card in choice.slips]
    yield Hypothesis(
        state=after,
        undrawn=undrawn,
        weight=hypothesis.weight * choice.weight,
        step=Step(sure, Verdict.ACCEPTED, (*said, Happened(state, move, after), *slips), None, choice.fit),
        last=Last(hypothesis if hypothesis.last is None else hypothesis._replace(last=None), move, at),
        burning=after.burnt.size > state.burnt.size,
        watched=hypothesis.watched,
        read=hypothesis.read,
        path=hypothesis.path,
        forgot=forgot,
        unheeded=unheeded,
        lying=hypothesis.lying,
        stocked=hypothesis.stocked,
        down_seen=hypothesis.down_seen,
    )


def _can_happen(state: State, move: Move) -> bool:
    try:
        apply(state, move)
    except ImpossibleMove:
        return False
    return True
