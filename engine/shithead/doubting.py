"""What else a camera's observation may have been: nothing at all, the second of two plays of which one went unseen, the
play of somebody whose turn it was not thought to be, a play by a hand that was counted wrongly.

A person's word is never doubted so. Each of these has a small prior, and what follows decides: a referee that has lost
the game finds back to it within a few plays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.cards import Card
from engine.shithead import happening, laying
from engine.shithead.adding import added
from engine.shithead.belief import Hypothesis, Step, Verdict
from engine.shithead.events import Burn, Downcards, Event, Gone, Laid, Show, Source, Stock, TakeBack, Turned
from engine.shithead.happening import nothing
from engine.shithead.legal import playing_from
from engine.shithead.likely import seat_weight
from engine.shithead.play import run
from engine.shithead.recounting import (
    at_turn,
    displaced,
    emptied,
    enlarged,
    gone_out,
    on_last_card,
    played_unseen,
    uncovered,
)
from engine.shithead.state import Phase, State
from engine.zones import EMPTY

INVENTED: Final = 0.006
"""So seldom a card that a camera sees on the pile has not come there,"""
SEEN_AGAIN: Final = 0.02
"""but one that lies in the pile is easily taken for new when it shows again."""
AND_MORE: Final = 0.2
"""For each further card at once."""
INVENTED_GONE: Final = 0.02
"""A pile that is pushed or covered is taken to have gone more often than that."""
MISSED: Final = 0.02
"""One play in fifty goes unseen."""
MISSED_PICK_UP: Final = 0.005
"""One pick-up in fifty too, where the next card soon covers its place."""
LOST: Final = 0.006
"""It is another's turn than was thought, whatever happened: a play before was invented, missed, or somebody else's."""
MISCOUNTED: Final = 0.25
"""A card more or less in a hand than was counted, where what is seen asks for it. Sets hide cards often."""
AFTER_THE_END: Final = 0.03
"""Cards laid although the game is over;"""
NOT_THE_END: Final = 0.2
"""that it was not, by a card that was counted wrongly."""
AGAINST: Final = 0.4
"""A camera that sees something against the rules is wrong more often than not."""
MISPLACED: Final = 0.03
"""A card is not where it was thought to be: somebody else has picked it up, or another was misread for it."""
IN_A_SET: Final = 0.1
"""The same of a card that a hand lays to the one it has just laid: whose hand it is, is surer than where cards went."""
CLEAR: Final = 0.6
"""From here on a face is read clearly."""
HIDDEN_BURN: Final = 0.15
"""A card more than was counted where one was missing for four of a kind, and the pile is gone."""
MISREAD_BURN: Final = 0.0005
"""What burnt the pile was read as something else."""
ASIDE: Final = {True: (0.85, 0.005), False: (0.4, 0.99)}
"""How often cards are seen, or not, to have come to lie elsewhere on the table when the pile is burnt, and when it is
picked up or nothing has happened. Some tables put burnt cards out of sight."""
ODD: Final = 0.3
"""An observation less likely than this by a hypothesis is doubted in it,"""
DOUBTED: Final = 0.01
"""where that has this weight at least;"""
TRUSTED: Final = 0.1
"""one that has this weight is doubted always."""


def otherwise(hypothesis: Hypothesis, event: Event, found: list[Hypothesis]) -> list[Hypothesis]:
    """``found``, what the event may be by itself, and what else it may be. All of ``hypothesis``."""
    if event.source is not Source.CAMERA or isinstance(event, Stock | Downcards):
        return found
    usual = sum(one.weight for one in found) / hypothesis.weight
    state = hypothesis.state
    if state.phase is Phase.OVER:
        return [*(_scaled(one, AFTER_THE_END) for one in found), *_not_over(hypothesis, event)]
    if state.phase not in (Phase.PLAY, Phase.EXCHANGE):
        return found
    doubted = hypothesis.weight > (DOUBTED if usual < ODD else TRUSTED)
    if isinstance(event, Laid | Turned):
        found = [_scaled(one, AGAINST) if _against(one) else one for one in found]
        found = [*found, nothing(_scaled(hypothesis, _invented(state, event)), Show(), "nothing")]
        if doubted and state.phase is Phase.PLAY:
            found += _of_another(hypothesis, event)
    elif isinstance(event, Gone):
        if not state.pile.size and not hypothesis.burning and hypothesis.pending is None:
            found = [_scaled(one, INVENTED_GONE) for one in found]
        else:
            none = INVENTED_GONE * _any_seat(event, len(state.players))
            found = [*found, nothing(_scaled(hypothesis, none), Show(), "nothing")]
        if doubted and state.phase is Phase.PLAY and not event.left:
            found += _taken_by_another(hypothesis, event)
        found = [_scaled(one, _aside(one, event)) for one in found]
    elif isinstance(event, TakeBack):
        found = [*found, nothing(_scaled(hypothesis, INVENTED), Show(), "nothing")]
    return found


def _against(one: Hypothesis) -> bool:
    """Whether something lies there against the rules; whose turn it is has its own measure."""
    why = one.step.why
    return one.step.verdict is Verdict.ILLEGAL and why is not None and why.code != "not-your-turn"


def _invented(state: State, event: Laid | Turned) -> float:
    """How likely it is that no card has come."""
    number = 1 if isinstance(event, Turned) else len(event.cards)
    again = all(face in state.pile.known for face in _faces(event))
    return (SEEN_AGAIN if again else INVENTED) * AND_MORE ** (number - 1) * _any_seat(event, len(state.players))


def _any_seat(event: Laid | Turned | Gone, players: int) -> float:
    """How well the hand that was seen agrees with nobody having done anything: any may have passed by."""
    return 1.0 if event.seat is None else 1 / players


def _aside(one: Hypothesis, event: Gone) -> float:
    """How well it agrees with this being a burn, or none, whether the pile was seen to lie elsewhere then."""
    if event.aside is None:
        return 1.0
    burnt, other = ASIDE[event.aside]
    return burnt if isinstance(one.step.event, Burn) else other


def _scaled(hypothesis: Hypothesis, factor: float) -> Hypothesis:
    return hypothesis._replace(weight=hypothesis.weight * factor)


def _of_another(base: Hypothesis, event: Laid | Turned) -> Iterator[Hypothesis]:
    """The play is that of another seat, or comes after one that nobody saw, or from a hand that was counted wrongly."""
    if base.pending is not None:
        return
    state = base.state
    players = len(state.players)
    faces = _faces(event)
    for seat in range(players):
        here = seat_weight(seat, event.seat, event.seat_score, players)
        if here <= 0:
            continue
        own = seat == state.turn
        for changed, factor in _recounted(state, seat, event, faces):
            yield from _legal(base, changed, seat, event, here * factor * (1.0 if own else 2 * LOST))
        if seat in state.out:
            continue
        number = 1 if isinstance(event, Turned) else len(event.cards)
        moved = displaced(state, seat, faces, number) if playing_from(state, seat) == "hand" else None
        if moved is not None:
            factor = MISPLACED * (1.0 if own else LOST)
            yield from _legal(base, at_turn(moved, seat), seat, event, here * factor)
        if not own:
            yield from _legal(base, at_turn(state, seat), seat, event, here * LOST)
    yield from _after_missed(base, event)
    yield from _after_missed_pick_up(base, event)
    yield from _after_going_out(base, event)
    yield from _joining(base, event, faces)
    yield from _adding_misplaced(base, event, faces)


def _adding_misplaced(base: Hypothesis, event: Laid | Turned, faces: tuple[Card, ...]) -> Iterator[Hypothesis]:
    """The rest of the set that was laid just before, with a card that was thought to be elsewhere."""
    last = base.last
    if last is None or not isinstance(event, Laid) or not last.move.laid:
        return
    moved = displaced(last.before.state, last.move.seat, faces, len(event.cards))
    if moved is not None:
        other = base._replace(last=last._replace(before=last.before._replace(state=moved)))
        yield from added(_scaled(other, IN_A_SET), event, all_ranks=False)


def _faces(event: Laid | Turned) -> tuple[Card, ...]:
    """The faces that were read clearly."""
    readings = (event.card,) if isinstance(event, Turned) else event.cards
    return tuple(
        reading.faces[0][0]
        for reading in readings
        if reading.faces and reading.faces[0][1] > CLEAR and reading.faces[0][0].suit
    )


def _recounted(state: State, seat: int, event: Laid | Turned, faces: tuple[Card, ...]) -> Iterator[tuple[State, float]]:
    """The seat's hand as it must be, if the card comes from where it seems to come."""
    player = state.players[seat]
    usual = playing_from(state, seat)
    turned = isinstance(event, Turned)
    number = 1 if isinstance(event, Turned) else len(event.cards)
    upcards = bool(faces) and all(face in player.up.known for face in faces)
    if usual in ("hand", "draw") and ((upcards and not turned) or (turned and not player.up.size)):
        wrong = player.hand.size + state.stock.size
        yield at_turn(emptied(state, seat), seat), _hidden(wrong)
    elif usual == "hand" and not (player.up.size or state.stock.size) and player.down.size and player.hand.size < 4:
        yield at_turn(emptied(state, seat), seat), 0.4 * MISCOUNTED**player.hand.size
    elif usual in ("up", "down") and not upcards and not turned:
        more = enlarged(state, seat, number)
        if more is not None:
            yield at_turn(more, seat), 0.4 * MISCOUNTED


def _hidden(number: int) -> float:
    """How likely it is that so many cards fewer are left than were counted, where an upcard says that they are."""
    share: float = MISCOUNTED ** (number / 2)
    return 2 * MISCOUNTED * max(0.02, share)


def _after_missed(base: Hypothesis, event: Laid | Turned) -> Iterator[Hypothesis]:
    """Somebody has laid a card that nobody saw, and this is the next one."""
    missed = played_unseen(base.state)
    if missed is None:
        return
    factor = MISSED * seat_weight(missed.turn, event.seat, event.seat_score, len(missed.players))
    for one in _legal(base, missed, missed.turn, event, factor):
        after = uncovered(one.state, base.state)
        if not after.faults():  # a card of the pile is not laid again
            yield one._replace(state=after, last=None)


def _after_missed_pick_up(base: Hypothesis, event: Laid | Turned) -> Iterator[Hypothesis]:
    """The seat on turn has picked up the pile, which nobody saw, and the next one leads."""
    state = base.state
    if base.burning or state.phase is not Phase.PLAY or not state.pile.size:
        return
    for one in happening.picked_up(base._replace(last=None), state.turn, None):
        if one.step.verdict is Verdict.ACCEPTED:
            after = one.state
            factor = MISSED_PICK_UP * seat_weight(after.turn, event.seat, event.seat_score, len(after.players))
            yield from _legal(one, after, after.turn, event, factor)


def _after_going_out(base: Hypothesis, event: Laid | Turned) -> Iterator[Hypothesis]:
    """The seat on turn has run out of cards before, uncounted, and the next one plays."""
    state = base.state
    player = state.players[state.turn]
    if player.up.size or player.down.size or state.stock.size:
        return
    out = gone_out(state, state.turn)
    if out.phase is Phase.PLAY:
        factor = MISCOUNTED**player.hand.size * seat_weight(out.turn, event.seat, event.seat_score, len(out.players))
        yield from _legal(base, out, out.turn, event, factor)


def _joining(base: Hypothesis, event: Laid | Turned, faces: tuple[Card, ...]) -> Iterator[Hypothesis]:
    """Upcards join what was the last card of a hand that was counted wrongly."""
    last = base.last
    if last is None or not base.state.rules.join_last_card or len(last.move.laid) != 1 or isinstance(event, Turned):
        return
    before, seat = last.before.state, last.move.seat
    player = before.players[seat]
    wrong = player.hand.size - 1 + before.stock.size
    if not last.move.cards or not wrong or not faces or any(face not in player.up.known for face in faces):
        return
    last = last._replace(before=last.before._replace(state=on_last_card(before, seat)))
    yield from added(base._replace(last=last, weight=base.weight * _hidden(wrong)), event, all_ranks=False)


def _legal(base: Hypothesis, state: State, seat: int, event: Laid | Turned, factor: float) -> Iterator[Hypothesis]:
    """What the event may be in this other state, as a legal play of this seat."""
    if factor <= 0:
        return
    other = base._replace(state=state, weight=base.weight * factor, last=None, lifted=None, visited=None)
    sure = replace(event, seat=seat, seat_score=1.0)
    meant = laying.turned if isinstance(event, Turned) else laying.laid
    for one in meant(other, sure, all_ranks=False):  # type: ignore[arg-type]
        if one.step.verdict is Verdict.ACCEPTED:
            yield one


def _taken_by_another(base: Hypothesis, event: Gone) -> Iterator[Hypothesis]:
    """Another seat has picked up, or a card that nobody saw has burnt the pile."""
    state = base.state
    if base.pending is not None or base.burning or not state.pile.size:
        return
    yield from _burnt_after_all(base, event)
    for seat in range(len(state.players)):
        if seat == state.turn or seat in state.out:
            continue
        factor = LOST * seat_weight(seat, event.seat, event.seat_score, len(state.players))
        if factor > 0:
            other = base._replace(state=at_turn(state, seat), weight=base.weight * factor, last=None)
            yield from (one for one in happening.picked_up(other, seat, None) if one.step.verdict is Verdict.ACCEPTED)


def _burnt_after_all(base: Hypothesis, event: Gone) -> Iterator[Hypothesis]:
    """What was laid last made four of a kind with cards that nobody saw, or was misread for what burns."""
    last, state = base.last, base.state
    if last is None or not last.move.laid or last.move.seat in state.out:
        return
    seat, rank = last.move.seat, last.move.laid[-1].rank
    lying = run(state, state.pile.known, rank)
    # How many cards the last play itself had is open as it is; what older ones hid is given up after a while.
    hidden = state.rules.table.fours[rank] and len(last.move.laid) < lying < 4
    factor = MISREAD_BURN + (HIDDEN_BURN ** (4 - lying) if hidden else 0.0)
    factor *= seat_weight(seat, event.seat, event.seat_score, len(state.players))
    burnt = replace(
        state,
        burnt=state.burnt.add(state.pile.known, state.pile.unknown),
        pile=EMPTY,
        turned_first=False,
        follow=None,
        turn=seat,
    )
    step = Step(Burn(), Verdict.ACCEPTED)
    yield base._replace(state=burnt, weight=base.weight * factor, step=step, last=None, burning=False)


def _not_over(hypothesis: Hypothesis, event: Event) -> Iterator[Hypothesis]:
    """The game is not over: somebody who was counted out still has cards."""
    state = hypothesis.state
    if not isinstance(event, Laid | Turned) or state.called:
        return
    for seat in state.out[-2:]:
        number = 1 if isinstance(event, Turned) else len(event.cards)
        more = enlarged(state, seat, number)
        if more is not None:
            factor = NOT_THE_END * seat_weight(seat, event.seat, event.seat_score, len(state.players))
            yield from _legal(hypothesis, at_turn(more, seat), seat, event, factor)
