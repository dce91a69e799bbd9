"""What is seen of a seat's downcards: how many of them still lie before it.

Whoever turns a downcard has no hand and no upcards; whoever has turned the last one, and holds nothing, is out. So a
place that is bare tells who played, and that what was counted of that hand, or of those upcards, lies on the pile.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.shithead.belief import Belief, Hypothesis, Said, Step, Verdict
from engine.shithead.events import Downcards, Source
from engine.shithead.happening import nothing
from engine.shithead.recounting import with_downcards
from engine.shithead.state import Phase, State

DEALT: Final = 3
"""Downcards of a seat."""
ONE_OFF: Final = 0.1
"""How likely a number is seen that is off by one: the card that was turned is not told yet,"""
OTHERWISE: Final = 0.02
"""and any other number: something else lies there, or it looks like the table."""
SAID: Final = 1e-4
"""The same for a person's word."""
HIDDEN: Final = 0.05
"""One was turned, and taken for something else;"""
AND_MORE: Final = 0.5
"""each further card of that seat, or of the stock, that was counted wrongly."""
USED: Final = 0.01
"""Hypotheses lighter than this are not what a sighting is told for."""


def seen(hypothesis: Hypothesis, event: Downcards) -> Iterator[Hypothesis]:
    """The downcards as they lie. The latest sighting of each seat counts, not each of them."""
    state, seat = hypothesis.state, event.seat
    if state.phase not in (Phase.PLAY, Phase.OVER):
        yield nothing(hypothesis, event, "nothing")
        return
    by_person = event.source is not Source.CAMERA
    before = hypothesis.down_seen or (1.0,) * len(state.players)
    base = hypothesis.weight / before[seat]
    fit = _fit(state, event)
    step = Step(event, Verdict.NOTHING, (Said("nothing"),))
    yield hypothesis._replace(weight=base * fit, down_seen=_with(before, seat, fit), step=step)
    if fit == 1 or state.phase is Phase.OVER or (fit == before[seat] and not by_person):
        return
    for counted in with_downcards(state, seat, event.left):
        wrong = abs(state.players[seat].size - counted.players[seat].size) + state.stock.size
        weight = base * HIDDEN * (1.0 if by_person else AND_MORE ** max(0, wrong - 1))
        yield hypothesis._replace(
            state=counted, weight=weight, down_seen=_with(before, seat, 1.0), step=step, last=None, pending=None
        )


def _fit(state: State, event: Downcards) -> float:
    """How likely it is that so many are seen, by the count."""
    player = state.players[event.seat]
    off = abs(player.down.size - event.left)
    if event.left < DEALT and player.up.size:
        off += 1  # upcards lie on downcards: where one has gone the upcards have
    if event.source is not Source.CAMERA:
        return 1.0 if not off else SAID
    return (1.0, ONE_OFF, OTHERWISE)[min(off, 2)]


def _with(factors: tuple[float, ...], seat: int, factor: float) -> tuple[float, ...]:
    return (*factors[:seat], factor, *factors[seat + 1 :])


def matters(belief: Belief, event: Downcards) -> bool:
    """Whether a sighting of the downcards can tell the hypotheses apart, or says what none of them does."""
    return any(
        _fit(one.state, event) < 1 or (one.down_seen or (1.0,) * len(one.state.players))[event.seat] < 1
        for one in belief.hypotheses
        if one.weight > USED
    )
