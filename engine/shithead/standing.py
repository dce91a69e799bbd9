"""What happens against the rules: it is pending until it is taken back, picked up or let stand, and then it counts.

The referee advises, people decide. What a person lets stand becomes part of the game even where the cards as they were
known rule it out; what was believed of them gives way.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.shithead.belief import Happened, Hypothesis, Last, Pending, Said, Step, Verdict
from engine.shithead.drawing import owing
from engine.shithead.events import Event
from engine.shithead.legal import Reason
from engine.shithead.moves import Kind, Move
from engine.shithead.play import ImpossibleMove, apply, next_seat
from engine.shithead.state import Phase, State
from engine.zones import Zone

ILLEGAL: Final = 0.05
"""One play in twenty is against the rules: people forget a 7, or what a sheet says. So a likely legal reading wins over
an unlikely illegal one, and a clear illegal one stays illegal."""


def let_stand(hypothesis: Hypothesis, *, by_play: bool = True) -> Hypothesis | None:
    """The hypothesis with what is pending made part of the game; None where nothing is, or it cannot be."""
    pending = hypothesis.pending
    if pending is None:
        return None
    state, move = hypothesis.state, pending.move
    if move is None:
        after: State | None = _burnt_anyway(hypothesis)
        move = Move(Kind.PASS, state.turn)
    else:
        after = _forced(state, move)
    if after is None:
        return None
    number = state.stock.size - after.stock.size
    undrawn, forgot, unheeded = owing(hypothesis, hypothesis.forgot, move, number)
    said = Said("stands-by-play", (("player", move.seat),)) if by_play else Said("stands")
    notes: tuple[Happened | Said, ...] = (said,) if pending.move is None else (said, Happened(state, move, after))
    before = hypothesis._replace(last=None)
    return hypothesis._replace(
        state=after,
        undrawn=undrawn,
        forgot=forgot,
        unheeded=unheeded,
        pending=None,
        last=Last(before, move, None) if move.laid else None,
        step=Step(hypothesis.step.event, Verdict.ACCEPTED, notes),
        burning=after.burnt.size > state.burnt.size,
    )


def _forced(state: State, move: Move) -> State | None:
    """The state after a move that the rules forbid; what was believed of the seat's cards gives way."""
    if state.phase is Phase.EXCHANGE and move.kind not in (Kind.EXCHANGE, Kind.START):
        state = apply(state, Move(Kind.START, move.seat))
    for known in (state, forget(state, move.seat)):
        try:
            return apply(known, move)
        except ImpossibleMove:
            continue
    return None


def forget(state: State, seat: int) -> State:
    """The state in which nothing is believed of a seat's cards but their number."""
    player = state.players[seat]
    plain = player._replace(
        hand=Zone((), player.hand.size), up=Zone((), player.up.size), down=Zone((), player.down.size), shown=()
    )
    return replace(state, players=(*state.players[:seat], plain, *state.players[seat + 1 :]))


def _burnt_anyway(hypothesis: Hypothesis) -> State:
    """The pile leaves the game though nothing that is known burns it; whoever laid last leads."""
    state = hypothesis.state
    seat = hypothesis.last.move.seat if hypothesis.last is not None else state.turn
    return replace(
        state,
        burnt=state.burnt.add(state.pile.known, state.pile.unknown),
        pile=Zone(),
        turned_first=False,
        follow=None,
        lead=0,
        turn=next_seat(state, seat) if seat in state.out else seat,
    )


def pended(hypothesis: Hypothesis, move: Move | None, why: Reason, sure: Event, factor: float = ILLEGAL) -> Hypothesis:
    """The hypothesis in which something was done against the rules and is not settled."""
    return hypothesis._replace(
        weight=hypothesis.weight * factor,
        pending=Pending(move, why),
        step=Step(sure, Verdict.ILLEGAL, (), why),
    )
