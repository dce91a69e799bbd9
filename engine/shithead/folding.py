"""One event more: what each hypothesis makes of it, weighed together into the new belief."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from engine.shithead import downcards, drawing, happening, laying, spreading, stocktaking
from engine.shithead.belief import Belief, Hypothesis, Path, Said, Step, Verdict, weigh
from engine.shithead.dealing import set_up
from engine.shithead.doubting import DOUBTED, otherwise
from engine.shithead.events import (
    SHOWING,
    Burn,
    Call,
    Deal,
    Downcards,
    Drawn,
    Event,
    Exchange,
    Flipped,
    Gone,
    Laid,
    Pass,
    PickUp,
    Source,
    Stand,
    Start,
    Stock,
    TakeBack,
    Turned,
    Upcards,
)
from engine.shithead.legal import playing_from
from engine.shithead.recounting import displaced, enlarged
from engine.shithead.rules import RuleSet
from engine.shithead.standing import forget
from engine.shithead.state import Phase

HARDLY: Final = 1e-3
"""Where all that the readings speak for is less likely than this, something was misread: all ranks are tried."""
MISREAD: Final = 0.1
"""The same in each hypothesis for what a camera has seen."""
HAND: Final = 0.95
"""How sure the direction of a hand can make a seat at most: people reach across, and the next hand comes early."""
DOUBT: Final = 0.01
"""From here on what a camera's event was is remembered as a doubt."""


def beginning(rules: RuleSet, players: int, dealer: int = 0, leads: int | None = None) -> Belief:
    """What is so before the first event. Raises RuleError."""
    return Belief((Hypothesis(set_up(rules, players, dealer, leads), (0,) * players),))


def step(belief: Belief, seq: int, event: Event, *, insisted: bool = False) -> Belief:
    """The belief after one event of the table, numbered ``seq``. Never fails but for a deal that cannot be (RuleError):
    what nothing explains leaves all as it was, and the step says so. What a person has ``insisted`` on is not taken
    for a misreading."""
    if belief.state.phase is Phase.SET_UP and not isinstance(event, Deal):
        # Nobody has told the deal: it was made all the same, unread.
        belief = step(belief, 0, Deal())
    if event.source is Source.CAMERA and not insisted:
        found = [_seen(one, event) for one in belief.hypotheses]
    else:
        found = _told(belief, event, insisted=insisted)
    if len(found) == 1 and len(found[0]) == 1 and found[0][0].weight > 0:  # nearly all events that people tell
        return Belief((_taken(found[0][0], seq, weight=1.0, read=()),))
    doubtful = _doubtful(found, DOUBT if event.source is Source.CAMERA else 0.0)
    every = [_taken(one, seq) for branch in found for one in branch]
    if doubtful:
        every = [one._replace(read=(*one.read, (seq, one.step.event))) for one in every]
    after = weigh(every)
    if after is None:
        unexplained = Step(event, Verdict.DOUBTFUL, (Said("unexplained"),), None, 0.0)
        return Belief(tuple(one._replace(step=unexplained) for one in belief.hypotheses))
    return after


def _taken(one: Hypothesis, seq: int, **changes: Any) -> Hypothesis:
    """The hypothesis with what it takes the event for written down."""
    laid = len(one.last.move.laid) if one.last is not None else 0
    lying = one.state.turns if one.state.stock.size else one.lying
    return one._replace(path=Path(seq, one.step.event, laid, one.path), lying=lying, **changes)


def _seen(hypothesis: Hypothesis, event: Event) -> list[Hypothesis]:
    """What a camera's observation may be: as it was read, misread where that hardly can be, or something else."""
    if isinstance(event, Laid | Gone) and event.seat_score > HAND:
        event = replace(event, seat_score=HAND)
    found = list(interpret(hypothesis, event))
    poor = sum(one.weight for one in found) < MISREAD * hypothesis.weight
    if poor and isinstance(event, SHOWING) and hypothesis.weight > DOUBTED:
        found += interpret(hypothesis, event, all_ranks=True)
    return otherwise(hypothesis, event, found)


def _told(belief: Belief, event: Event, *, insisted: bool) -> list[list[Hypothesis]]:
    """What an event may be that a person tells: nobody invents one."""
    found = _all(belief, event, all_ranks=False)
    if isinstance(event, SHOWING) and sum(one.weight for branch in found for one in branch) < HARDLY:
        if insisted:
            # What was believed of the player's cards gives way to the person's word; then how many there were.
            forgot = tuple(_forgetting(one, event) for one in belief.hypotheses)
            found = _all(Belief(forgot), event, all_ranks=False)
            if not any(found):
                found = _all(Belief(tuple(_granting(one, event) for one in forgot)), event, all_ranks=False)
        else:
            found += _all(belief, event, all_ranks=True)
    return found


def _doubtful(found: list[list[Hypothesis]], least: float) -> bool:
    """Whether one and the same situation may turn into several; that two situations differ is an older doubt."""
    other = total = 0.0
    for branch in found:
        if branch:
            likeliest = max(branch, key=lambda one: one.weight).step.event
            total += sum(one.weight for one in branch)
            other += sum(one.weight for one in branch if one.step.event != likeliest)
    return other > least * total


def _all(belief: Belief, event: Event, *, all_ranks: bool) -> list[list[Hypothesis]]:
    return [list(interpret(one, event, all_ranks=all_ranks)) for one in belief.hypotheses]


def _forgetting(hypothesis: Hypothesis, event: Laid | Turned | Flipped) -> Hypothesis:
    """The hypothesis in which nothing is known of the cards that the player still has."""
    state = hypothesis.state
    seat = state.turn if event.seat is None else event.seat
    return hypothesis if seat < 0 else hypothesis._replace(state=forget(state, seat))


def _granting(hypothesis: Hypothesis, event: Laid | Turned | Flipped) -> Hypothesis:
    """The hypothesis in which the player can have laid these cards: they were misread or miscounted elsewhere."""
    state = hypothesis.state
    seat = state.turn if event.seat is None else event.seat
    if seat < 0 or not isinstance(event, Laid) or playing_from(state, seat) != "hand":
        return hypothesis
    number = min(event.numbers)
    faces = tuple(reading.card for reading in event.cards if reading.card is not None)
    freed = displaced(state, seat, faces, number) or state
    missing = number - freed.players[seat].hand.size
    larger = enlarged(freed, seat, missing) if missing > 0 else freed
    return hypothesis._replace(state=larger or freed)


def interpret(hypothesis: Hypothesis, event: Event, *, all_ranks: bool = False) -> Iterator[Hypothesis]:
    """What one hypothesis turns into by an event of the table, each with its weight."""
    if hypothesis.state.phase is Phase.OVER and not isinstance(event, TakeBack | Stand | Stock | Downcards):
        yield happening.nothing(hypothesis, event, "game-is-over")
        return
    match event:
        case Laid():
            yield from laying.laid(hypothesis, event, all_ranks=all_ranks)
        case Turned() | Flipped():
            yield from laying.turned(hypothesis, event, all_ranks=all_ranks)
        case Gone():
            yield from happening.gone(hypothesis, event)
        case PickUp():
            yield from happening.pick_up(started(hypothesis), event)
        case Burn():
            yield from happening.burn(hypothesis, event)
        case Stock():
            yield from stocktaking.seen(hypothesis, event)
        case Downcards():
            yield from downcards.seen(hypothesis, event)
        case Drawn():
            yield from drawing.drawn(hypothesis, event)
        case TakeBack():
            yield from happening.take_back(hypothesis, event)
        case Stand():
            yield from happening.stand(hypothesis, event)
        case Pass():
            yield from happening.passed(started(hypothesis), event)
        case Call():
            yield from happening.called(hypothesis, event)
        case Start():
            yield from happening.start(hypothesis, event)
        case Deal():
            yield from spreading.dealt(hypothesis, event)
        case Exchange():
            yield from spreading.exchanged(hypothesis, event)
        case Upcards():
            yield from spreading.upcards_now(hypothesis, event)
        case _:
            yield happening.nothing(hypothesis, event, "nothing")


def started(hypothesis: Hypothesis) -> Hypothesis:
    """The hypothesis with the game begun by whoever the deal names, where nobody has said so."""
    state = hypothesis.state
    if state.phase is not Phase.EXCHANGE or not state.starters:
        return hypothesis
    return hypothesis._replace(state=replace(state, phase=Phase.PLAY, turn=state.starters[0]))
