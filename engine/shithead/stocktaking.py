"""What is seen of the stock: that it is used up, or that it still lies there.

Nothing happens by it. But a squared set hides cards, and whoever played one drew as many: so of the counts that are
still open those fade with which the stock does not end when it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.shithead.belief import Belief, Hypothesis, Said, Step, Verdict
from engine.shithead.events import Source, Stock
from engine.shithead.happening import nothing
from engine.shithead.recounting import stock_of
from engine.shithead.state import Phase

GONE: Final = (1.0, 0.1, 0.05)
"""How likely an empty place is seen where by the count 0, 1, 2 cards should lie: somebody drew one too many,"""
GONE_ANYHOW: Final = 0.02
"""or the camera is wrong: the stock has been pushed, or looks like the table."""
LIES: Final = (1.0, 1.0, 0.6, 0.25, 0.1)
"""How likely a stock is seen that by the count has run out 0, 1, 2 .. plays ago: people draw late, or forget it,"""
LIES_ANYHOW: Final = 0.03
"""or something else lies there."""
SAID: Final = 1e-4
"""How likely a count is with which a person's word does not agree."""
HIDDEN: Final = 0.1
"""One card was hidden in some set, of which no count is open any more;"""
AND_MORE: Final = 0.5
"""each further one."""
USED: Final = 0.01
"""Hypotheses lighter than this are not what a sighting is told for."""


def seen(hypothesis: Hypothesis, event: Stock) -> Iterator[Hypothesis]:
    """The stock as it lies. The latest sighting counts, not each of them: what was given for the last is taken back."""
    state = hypothesis.state
    if state.phase not in (Phase.PLAY, Phase.EXCHANGE, Phase.OVER):
        yield nothing(hypothesis, event, "nothing")
        return
    base = hypothesis.weight / hypothesis.stocked
    step = Step(event, Verdict.NOTHING, (Said("stock-empty" if event.left == 0 else "stock-lies"),))
    fit = _fit(hypothesis, event)
    yield hypothesis._replace(weight=base * fit, stocked=fit, step=step)
    size = state.stock.size
    wanted = max(1, size) if event.left is None else event.left
    by_person = event.source is not Source.CAMERA
    # That cards still lie there does not say how many: only a number recounts, or a person's word.
    if wanted == size or state.phase is Phase.OVER or (event.left is None and not by_person):
        return
    if fit == hypothesis.stocked and not by_person:
        return  # it was seen so before, and recounted then
    counted = stock_of(state, wanted)
    if counted is not None:
        weight = base * HIDDEN * (1.0 if by_person else AND_MORE ** (abs(wanted - size) - 1))
        lying = state.turns if wanted else min(hypothesis.lying, state.turns - 1)
        yield hypothesis._replace(state=counted, weight=weight, stocked=1.0, step=step, lying=lying, last=None)


def _fit(hypothesis: Hypothesis, event: Stock) -> float:
    """How likely it is that the stock is seen so, by the count."""
    size = hypothesis.state.stock.size
    if event.source is not Source.CAMERA:
        return 1.0 if (size > 0 if event.left is None else size == event.left) else SAID
    if event.left is None:
        return 1.0 if size else max(LIES_ANYHOW, _at(LIES, hypothesis.state.turns - hypothesis.lying))
    return max(GONE_ANYHOW, _at(GONE, abs(size - event.left)))


def _at(chances: tuple[float, ...], index: int) -> float:
    return chances[index] if index < len(chances) else 0.0


def matters(belief: Belief, left: int | None) -> bool:
    """Whether a sighting of the stock can tell the hypotheses apart. That it is gone always does, once."""
    hypotheses = [one for one in belief.hypotheses if one.weight > USED]
    if left is not None:
        return any(one.stocked < 1 or one.state.stock.size != left for one in hypotheses) or len(hypotheses) > 1
    return any(
        one.stocked < 1 or (not one.state.stock.size and _fit(one, Stock(source=Source.CAMERA)) < 1)
        for one in hypotheses
    )
