"""What a pile that goes may mean in one hypothesis, and what people say: picked up, burnt, taken back, it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.cards import Card
from engine.shithead.adding import ADDED_LATER, ADDED_SOON, ADDING
from engine.shithead.belief import Happened, Hypothesis, Last, Pending, Said, Step, Verdict, before_last
from engine.shithead.drawing import overlooked
from engine.shithead.events import (
    Burn,
    Call,
    Event,
    Gone,
    Pass,
    PickUp,
    Reading,
    Show,
    Stand,
    Start,
    TakeBack,
)
from engine.shithead.judging import OUT_OF_TURN
from engine.shithead.legal import Reason, playing_from
from engine.shithead.likely import Whereabouts, seat_weight, sets
from engine.shithead.moves import Kind, Move
from engine.shithead.play import ImpossibleMove, apply
from engine.shithead.refusal import why_not
from engine.shithead.standing import let_stand, pended
from engine.shithead.state import Phase
from engine.zones import Zone

PICKED_UP: Final = 0.25
"""A turn in four is a pick-up; beside a burn that is due, a pile that goes is four times likelier to be the burn."""
PICKED_UP_AFTER_STANDING: Final = 0.05
"""After an illegal play the pile goes to whoever played it; seldom to the next player, the play being let stand."""
TAKEN_BACK: Final = 0.03
"""One play in thirty is taken back, and nothing but it lay there: so the pile has gone,"""
TAKING_BACK: Final = 6.0
"""within these seconds."""


def gone(hypothesis: Hypothesis, event: Gone) -> Iterator[Hypothesis]:
    """The pile has gone: burnt, picked up, or taken back."""
    state, pending = hypothesis.state, hypothesis.pending
    if event.source == "camera" and event.confidence < 1:
        # It may still lie there, covered or squared up.
        doubt = hypothesis._replace(weight=hypothesis.weight * (1 - event.confidence))
        yield nothing(doubt, Show(), "nothing")
    if pending is not None:
        yield from _gone_after_illegal(hypothesis, event, pending)
        return
    last = hypothesis.last
    if event.left:
        laid = len(last.move.laid) if last is not None else 0
        if last is not None and event.left == state.pile.size - laid:
            yield _back(hypothesis, last)
        elif event.left >= state.pile.size and not hypothesis.burning:
            yield nothing(hypothesis, event, "nothing")
        else:
            yield nothing(hypothesis, event, "partly-gone", count=event.left)
        return
    if hypothesis.burning:
        yield hypothesis._replace(burning=False, step=Step(Burn(), Verdict.ACCEPTED))
        return
    if not state.pile.size:
        yield nothing(hypothesis, event, "pile-was-empty")
        return
    if last is not None:
        yield from _laid_then_picked_up(hypothesis, event, last)
        yield from _taken_back(hypothesis, event, last)
    for seat in range(len(state.players)):
        weight = PICKED_UP * seat_weight(seat, event.seat, event.seat_score, len(state.players))
        if seat == state.turn or (event.seat == seat and seat not in state.out):
            base = hypothesis._replace(weight=hypothesis.weight * weight * (1.0 if seat == state.turn else OUT_OF_TURN))
            yield from picked_up(base, seat, None)


def _taken_back(hypothesis: Hypothesis, event: Gone, last: Last) -> Iterator[Hypothesis]:
    """The cards that have gone were all that lay there: whoever laid them has thought again."""
    move = last.move
    if event.seat != move.seat or event.at is None or last.at is None or hypothesis.state.pile.size > len(move.laid):
        return
    if 0 <= event.at - last.at <= TAKING_BACK:
        factor = TAKEN_BACK * seat_weight(move.seat, event.seat, event.seat_score, len(hypothesis.state.players))
        yield _back(hypothesis._replace(weight=hypothesis.weight * factor), last)


def _gone_after_illegal(hypothesis: Hypothesis, event: Gone, pending: Pending) -> Iterator[Hypothesis]:
    state, move = hypothesis.state, pending.move
    if event.left:
        if event.left == state.pile.size:
            yield from take_back(hypothesis, event)
        else:
            yield nothing(hypothesis, event, "partly-gone", count=event.left)
        return
    seat = state.turn if move is None else move.seat
    if move is not None and move.kind is not Kind.PICK_UP and seat == state.turn and state.pile.size:
        yield from _picked_up_with_pending(hypothesis, move)
    elif move is not None and move.laid and not state.pile.size:
        # Nothing lay there but the play itself.
        factor = seat_weight(move.seat, event.seat, event.seat_score, len(state.players))
        yield from take_back(hypothesis._replace(weight=hypothesis.weight * factor), event)
    else:
        cleared = hypothesis._replace(pending=None, last=None)
        yield from gone(cleared, replace(event, confidence=1.0))
    standing = let_stand(hypothesis._replace(weight=hypothesis.weight * PICKED_UP_AFTER_STANDING))
    if standing is not None:
        for one in gone(standing, replace(event, confidence=1.0)):
            yield one._replace(step=one.step._replace(notes=(*standing.step.notes, *one.step.notes)))


def _picked_up_with_pending(hypothesis: Hypothesis, move: Move) -> Iterator[Hypothesis]:
    """The player of an illegal card picks up: upcards go along where the rules say so, hand cards have been seen."""
    cleared = hypothesis._replace(pending=None, last=None)
    state = hypothesis.state
    along = move.up if len(move.up) == 1 and state.rules.pick_up_with == "upcard" else ()
    yield from picked_up(cleared, move.seat, Reading.of(along[0]) if along else None, shown=move.cards)


def _laid_then_picked_up(hypothesis: Hypothesis, event: Gone, last: Last) -> Iterator[Hypothesis]:
    """An upcard laid just before a pick-up may belong to the pick-up, where the rules take one along."""
    state, move = last.before.state, last.move
    if len(move.up) != 1 or move.cards or state.rules.pick_up_with != "upcard":
        return
    pick_up = Move(Kind.PICK_UP, move.seat, (), move.up)
    if why_not(state, pick_up) is not None:
        return
    gap = None if event.at is None or last.at is None else event.at - last.at
    soon = (gap is not None and 0 <= gap <= ADDING) or event.seat == move.seat
    weight = PICKED_UP * (ADDED_SOON if soon else ADDED_LATER)
    weight *= seat_weight(move.seat, event.seat, event.seat_score, len(state.players))
    if weight > 0:
        base = before_last(hypothesis, last, hypothesis.weight * weight)
        yield from picked_up(base, move.seat, Reading.of(move.up[0]))


def pick_up(hypothesis: Hypothesis, event: PickUp) -> Iterator[Hypothesis]:
    """A person says: picked up."""
    state, pending = hypothesis.state, hypothesis.pending
    if pending is not None and pending.move is not None and pending.move.laid:
        if event.seat in (None, pending.move.seat) and pending.move.seat == state.turn:
            yield from _picked_up_with_pending(hypothesis, pending.move)
            return
        standing = let_stand(hypothesis)
        hypothesis = standing or hypothesis._replace(pending=None)
        state = hypothesis.state
    hypothesis = hypothesis._replace(pending=None)
    if not state.pile.size and event.seat in (None, state.turn) and state.lead:
        yield from plain(hypothesis, Move(Kind.PASS, state.turn), Pass(seat=state.turn))
        return
    seat = state.turn if event.seat is None else event.seat
    if seat < 0:
        yield nothing(hypothesis, event, "not-started")
        return
    last = hypothesis.last
    if last is not None and seat == last.move.seat != state.turn:
        yield from _laid_then_picked_up(hypothesis, Gone(seat=seat, at=last.at), last)
    yield from picked_up(hypothesis, seat, event.card)


def picked_up(
    hypothesis: Hypothesis, seat: int, along: Reading | None, *, shown: tuple[Card, ...] = ()
) -> Iterator[Hypothesis]:
    """A seat picks up the pile, with an upcard where the rules ask for one; ``shown`` are hand cards just seen."""
    state = hypothesis.state
    player = state.players[seat]
    options: list[tuple[tuple[Card, ...], float]] = [((), 1.0)]
    if playing_from(state, seat) == "up" and state.rules.pick_up_with == "upcard":
        if along is not None:
            found = [(one.cards, one.weight) for one in sets((along,), 1, Whereabouts(state, player.up))]
        elif hypothesis.lifted is not None and hypothesis.lifted[0] == seat:
            found = [((card,), 1.0) for card in hypothesis.lifted[1]]
        else:
            ranks = {card.rank: card for card in player.up.known}
            found = [((card,), sum(one.rank is rank for one in player.up.known)) for rank, card in ranks.items()]
        total = sum(weight for _, weight in found)
        options = [(cards, weight / total) for cards, weight in found] if found else options
    elif along is not None and along.card is not None:
        options = [((along.card,), 1.0)]
    for cards, weight in options:
        move = Move(Kind.PICK_UP, seat, (), cards)
        sure = PickUp(seat=seat, card=Reading.of(cards[0]) if cards else None)
        base = hypothesis._replace(weight=hypothesis.weight * weight)
        why = why_not(state, move)
        if why is not None and not (why.code == "take-an-upcard" and not player.up.known):
            yield pended(base, move, why, sure)
            continue
        for one in plain(base, move, sure, ask=False):
            yield _show(one, seat, shown)


def _show(hypothesis: Hypothesis, seat: int, cards: tuple[Card, ...]) -> Hypothesis:
    """The hypothesis in which these cards are known to be in a hand."""
    state = hypothesis.state
    player = state.players[seat]
    # They are among the unknown cards of the hand: a 4 of no certain suit is not the known 4H just picked up.
    fresh = tuple(card for card in cards if card not in player.hand.known)
    if not fresh or len(fresh) > player.hand.unknown:
        return hypothesis
    hand = Zone(player.hand.known + fresh, player.hand.unknown - len(fresh))
    player = player._replace(hand=hand, shown=player.shown + fresh)
    return hypothesis._replace(
        state=replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))
    )


def burn(hypothesis: Hypothesis, event: Burn) -> Iterator[Hypothesis]:
    """A person says: burnt."""
    if hypothesis.burning or (not hypothesis.state.pile.size and hypothesis.state.burnt.size):
        yield hypothesis._replace(burning=False, step=Step(event, Verdict.NOTHING, (Said("already-said"),)))
    elif not hypothesis.state.pile.size:
        yield nothing(hypothesis, event, "pile-was-empty")
    else:
        yield pended(hypothesis._replace(pending=None), None, Reason("no-burn"), event)


def take_back(hypothesis: Hypothesis, event: Event) -> Iterator[Hypothesis]:
    """What was laid last was lifted again."""
    pending, last = hypothesis.pending, hypothesis.last
    if pending is not None:
        move = pending.move
        seat = hypothesis.state.turn if move is None else move.seat
        rank = None if move is None else move.rank
        if move is not None and move.kind is Kind.PICK_UP:
            said = _said("undone-pick-up", player=seat)
        else:
            said = _said("taken-back", player=seat, rank=rank) if rank else _said("taken-back-unseen", player=seat)
        yield hypothesis._replace(pending=None, step=Step(TakeBack(), Verdict.ACCEPTED, (said,)))
    elif last is not None:
        yield _back(hypothesis, last)
    else:
        yield nothing(hypothesis, event, "nothing-to-take-back")


def _back(hypothesis: Hypothesis, last: Last) -> Hypothesis:
    said = _said("taken-back", player=last.move.seat, rank=last.move.rank)
    step = Step(TakeBack(), Verdict.ACCEPTED, (said,))
    return before_last(hypothesis, last, hypothesis.weight)._replace(step=step)


def stand(hypothesis: Hypothesis, event: Stand) -> Iterator[Hypothesis]:
    """The host lets the illegal play stand."""
    standing = let_stand(hypothesis, by_play=False)
    if standing is None:
        yield nothing(hypothesis, event, "nothing-stands")
    else:
        yield standing._replace(step=standing.step._replace(event=event))


def passed(hypothesis: Hypothesis, event: Pass) -> Iterator[Hypothesis]:
    """A restricted leader cannot or will not lead."""
    seat = hypothesis.state.turn if event.seat is None else event.seat
    if seat < 0:
        yield nothing(hypothesis, event, "not-started")
        return
    yield from plain(hypothesis._replace(pending=None), Move(Kind.PASS, seat), Pass(seat=seat))


def called(hypothesis: Hypothesis, event: Call) -> Iterator[Hypothesis]:
    """The table calls an endless game."""
    if hypothesis.pending is not None and hypothesis.state.turns < hypothesis.state.rules.turn_limit:
        # The play that lies there is still to be settled.
        yield nothing(hypothesis, event, "not-yet", count=hypothesis.state.rules.turn_limit)
        return
    yield from plain(hypothesis._replace(pending=None), Move(Kind.CALL, max(0, hypothesis.state.turn)), event)


def start(hypothesis: Hypothesis, event: Start) -> Iterator[Hypothesis]:
    """Somebody says who leads; until the first card is played that may be said anew."""
    state = hypothesis.state
    if state.phase is Phase.PLAY and not state.turns:
        state = replace(state, phase=Phase.EXCHANGE, turn=-1)
    if state.phase is not Phase.EXCHANGE:
        yield nothing(hypothesis, event, "already-started")
        return
    yield from plain(hypothesis._replace(state=state, pending=None), Move(Kind.START, event.seat), event)


def plain(hypothesis: Hypothesis, move: Move, sure: Event, *, ask: bool = True) -> Iterator[Hypothesis]:
    """A move that lays nothing: made if the rules allow it (or are not asked), else pending."""
    state = hypothesis.state
    why = why_not(state, move) if ask else None
    if why is not None:
        yield pended(hypothesis, move, why, sure)
        return
    try:
        after = apply(state, move)
    except ImpossibleMove:
        return
    said, forgot = overlooked(hypothesis, move.seat)
    yield hypothesis._replace(
        state=after,
        pending=None,
        last=None,
        lifted=None,
        visited=None,
        burning=False,
        forgot=forgot,
        step=Step(sure, Verdict.ACCEPTED, (*said, Happened(state, move, after))),
    )


def nothing(hypothesis: Hypothesis, event: Event, code: str, **parameters: object) -> Hypothesis:
    """The hypothesis in which the event changes nothing."""
    return hypothesis._replace(step=Step(event, Verdict.NOTHING, (_said(code, **parameters),)))


def _said(code: str, **parameters: object) -> Said:
    return Said(code, tuple(parameters.items()))
