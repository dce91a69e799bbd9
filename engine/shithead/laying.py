"""What cards on the pile may mean in one hypothesis: laid, turned from the downcards, or turned from the stock.

Every function here yields the hypotheses that one may turn into, each with its weight. The constants here and in the
modules beside it are the habits of people at a table; each says what it stands for. They are ratios, not measurements:
a factor of two in any of them changes only when a question is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from engine.shithead.adding import ADDING, PLAYED_AT_ONCE, added, goes_on, may_join, split
from engine.shithead.belief import Happened, Hypothesis, Said, Step, Verdict
from engine.shithead.events import Flipped, Laid, Reading, Source, Turned
from engine.shithead.events import Zone as From
from engine.shithead.judging import OUT_OF_TURN, judged, made
from engine.shithead.legal import playing_from
from engine.shithead.likely import Choice, Whereabouts, best_faces, rank_likelihoods, seat_weight, sets
from engine.shithead.moves import Kind, Move
from engine.shithead.play import apply
from engine.shithead.refusal import why_not
from engine.shithead.standing import let_stand
from engine.shithead.state import Phase, State, allowed
from engine.zones import Zone

MISSED_BURN: Final = 0.3
"""A new lead although the burnt pile was not seen to go."""
STANDS: Final = 0.95
"""After an illegal play that was not taken back, the next cards are the next player's play: it was let stand."""
STANDS_SEEN: Final = 0.3
"""The same where a camera saw it and the table says nothing: likelier it was no such thing."""
SEEN_LIFTED: Final = 30.0
"""How much an upcard that was seen to be gone speaks for being the one that is laid now."""
FLIPPED: Final = 0.1
"""House rule: a card that does not fit was turned from the stock, likelier than a play against the rules."""
FLIPPED_SEEN: Final = 10.0
"""The same where the player's hand was just seen at the stock, with no card owed: it is hardly anything else."""


PASSES: Final = 0.3
"""How often a leader who may pass does."""


class _Role(NamedTuple):
    """Somebody who may have played, how likely by seat alone, and as which kind of move."""

    seat: int
    weight: float
    kind: Kind = Kind.PLAY


def laid(hypothesis: Hypothesis, event: Laid, *, all_ranks: bool) -> Iterator[Hypothesis]:
    """What cards on the pile may be. ``all_ranks`` also tries what no reading speaks for."""
    state = hypothesis.state
    if hypothesis.pending is not None:
        yield from _after_illegal(hypothesis, event, all_ranks=all_ranks)
        return
    if state.phase is Phase.EXCHANGE:
        for seat, weight in _starters(state, event):
            begun = hypothesis._replace(state=apply(state, Move(Kind.START, seat)), weight=hypothesis.weight * weight)
            for one in laid(begun, replace(event, seat=seat, seat_score=1.0), all_ranks=all_ranks):
                notes = (Said("plays-first", (("player", seat),)), *one.step.notes)
                yield one._replace(step=one.step._replace(notes=notes))
        return
    if state.phase is not Phase.PLAY:
        return
    if _told_twice(hypothesis, event):
        yield hypothesis._replace(step=Step(event, Verdict.NOTHING, (Said("already-said"),)))
        return
    weight = hypothesis.weight * (MISSED_BURN if hypothesis.burning else 1.0)
    base = hypothesis._replace(weight=weight)
    clear = _clear_play(base, event)
    if clear is not None:
        yield clear
        return
    # What is laid to a set that burns lies there before the pile has gone.
    yield from added(hypothesis, event, all_ranks=all_ranks)
    if goes_on(hypothesis, event):
        base = base._replace(weight=base.weight * PLAYED_AT_ONCE)
    for role in _roles(state, event):
        yield from _played(base, event, role, all_ranks=all_ranks)
    if state.rules.flip_stock:
        yield from _flipped(base, event)
    yield from _after_pass(base, event, all_ranks=all_ranks)


def _after_pass(hypothesis: Hypothesis, event: Laid, *, all_ranks: bool) -> Iterator[Hypothesis]:
    """Another's play, after the leader has passed and nobody said so: of a pass there is nothing to see."""
    state = hypothesis.state
    move = Move(Kind.PASS, state.turn)
    if event.seat in (None, state.turn) or why_not(state, move) is not None:
        return
    passed = hypothesis._replace(state=apply(state, move), weight=hypothesis.weight * PASSES)
    note = Happened(state, move, passed.state)
    for one in laid(passed, event, all_ranks=all_ranks):
        yield one._replace(step=one.step._replace(notes=(note, *one.step.notes)))


def _clear_play(hypothesis: Hypothesis, event: Laid) -> Hypothesis | None:
    """The play, where there is but one: cards read beyond doubt, that can come from the player to move and are legal.

    It is what the weighing would come to, at a fifth of its cost: nearly all events of a game are like this.
    """
    state, rules, last = hypothesis.state, hypothesis.state.rules, hypothesis.last
    seat = state.turn
    if event.count or event.zone or rules.four_out_of_turn or rules.follow_up:
        return None
    if event.seat is not None and (event.seat != seat or event.seat_score < 1):
        return None
    cards = []
    for reading in event.cards:
        if not reading.certain:
            return None
        cards.append(reading.faces[0][0])
    if (last is not None and last.move.rank is cards[0].rank) or hypothesis.visited is not None:
        return None
    usual = playing_from(state, seat)
    player = state.players[seat]
    if usual not in ("hand", "up") or (rules.join_last_card and player.hand.size == 1 and len(cards) > 1):
        return None
    laid = tuple(cards)
    move = Move(Kind.PLAY, seat, (), laid) if usual == "up" else Move(Kind.PLAY, seat, laid)
    if why_not(state, move) is not None:
        return None
    where = Whereabouts(state, player.up if usual == "up" else player.hand)
    if any(where.free(card) < laid.count(card) for card in laid) or not where.has_room(laid):
        return None
    sure = Laid(cards=event.cards, seat=seat, zone=From.UPCARDS if usual == "up" else None)
    return next(made(hypothesis, move, Choice(laid, 1.0, 1.0), sure, event.at), None)


def turned(hypothesis: Hypothesis, event: Turned | Flipped, *, all_ranks: bool) -> Iterator[Hypothesis]:
    """What a card may be that was turned from the downcards, or from the stock."""
    state = hypothesis.state
    if hypothesis.pending is not None:
        yield from _after_illegal(hypothesis, event, all_ranks=all_ranks)
        return
    if state.phase is not Phase.PLAY:
        return
    if _told_twice(hypothesis, event):
        yield hypothesis._replace(step=Step(event, Verdict.NOTHING, (Said("already-said"),)))
        return
    weight = hypothesis.weight * (MISSED_BURN if hypothesis.burning else 1.0)
    for seat in range(len(state.players)):
        if seat != state.turn and seat != event.seat:
            continue
        factor = seat_weight(seat, event.seat, event.seat_score, len(state.players))
        source = state.players[seat].down if isinstance(event, Turned) else state.stock
        if factor <= 0 or not source.size:
            continue
        factor *= 1.0 if seat == state.turn else OUT_OF_TURN
        base = hypothesis._replace(weight=weight * factor)
        kind = Kind.TURN if isinstance(event, Turned) else Kind.FLIP
        for choice in sets((event.card,), 1, Whereabouts(state, source), all_ranks=all_ranks):
            sure = type(event)(card=Reading.of(choice.cards[0]), seat=seat)
            yield from judged(base, Move(kind, seat, choice.cards), choice, sure, event)


def _flipped(hypothesis: Hypothesis, event: Laid) -> Iterator[Hypothesis]:
    """House rule: the card may be the top one of the stock, turned instead of picking up."""
    state = hypothesis.state
    seat = state.turn
    if len(event.cards) != 1 or event.zone is not None or not (state.pile.size and state.stock.size):
        return
    seen = hypothesis.visited == seat
    may = allowed(state)
    weight = hypothesis.weight * seat_weight(seat, event.seat, event.seat_score, len(state.players))
    for choice in sets(event.cards, 1, Whereabouts(state, state.stock)):
        if not seen and may >> choice.cards[0].rank & 1:
            continue  # one that fits is a play like any other
        base = hypothesis._replace(weight=weight * (FLIPPED_SEEN if seen else FLIPPED))
        sure = Flipped(card=Reading.of(choice.cards[0]), seat=seat)
        yield from judged(base, Move(Kind.FLIP, seat, choice.cards), choice, sure, event)


def _starters(state: State, event: Laid) -> Iterator[tuple[int, float]]:
    """Who may be the first to play, by the deal and by what was seen."""
    claims = state.starters or tuple(range(len(state.players)))
    for seat in range(len(state.players)):
        by_rule = 1.0 if seat in claims else OUT_OF_TURN
        weight = by_rule * seat_weight(seat, event.seat, event.seat_score, len(state.players))
        if event.seat is None:
            weight = by_rule / len(claims) if seat in claims else 0.0
        if weight > 0:
            yield seat, weight


def _told_twice(hypothesis: Hypothesis, event: Laid | Turned | Flipped) -> bool:
    """Whether this is the card that was just turned, told once more by another kind of event."""
    last = hypothesis.last
    if last is None or last.move.kind not in (Kind.TURN, Kind.FLIP) or type(event) is type(hypothesis.step.event):
        return False
    cards = event.cards if isinstance(event, Laid) else (event.card,)
    seat, turned = last.move.seat, last.move.cards[0]
    if len(cards) != 1 or event.seat not in (None, seat) or cards[0].card is None:
        return False
    if None not in (event.at, last.at) and not 0 <= event.at - last.at <= ADDING:  # type: ignore[operator]
        return False
    card, state = cards[0].card, hypothesis.state
    if state.turn == seat:
        # Whoever goes on after it may play its like: told twice is only what cannot be another card.
        other = turned in state.players[seat].hand.known or state.rules.decks > 1 or turned.suit is None
        return card == turned and not other
    return card.matches(turned)


def _roles(state: State, event: Laid) -> Iterator[_Role]:
    players = len(state.players)
    for seat in range(players):
        weight = seat_weight(seat, event.seat, event.seat_score, players)
        if weight <= 0 or seat in state.out:
            continue
        if seat == state.turn:
            yield _Role(seat, weight)
            continue
        if state.rules.four_out_of_turn:
            yield _Role(seat, weight * (1.0 if event.seat == seat else 0.2), Kind.COMPLETE)
        if state.follow is not None and state.follow.seat == seat:
            yield _Role(seat, weight * (1.0 if event.seat == seat else 0.2), Kind.FOLLOW)
        if event.seat == seat:
            yield _Role(seat, weight * OUT_OF_TURN)


def _played(hypothesis: Hypothesis, event: Laid, role: _Role, *, all_ranks: bool) -> Iterator[Hypothesis]:
    """The plays of one seat that the cards may be."""
    state = hypothesis.state
    seat = role.seat
    player = state.players[seat]
    usual = playing_from(state, seat)
    if usual == "down" and event.zone in (None, From.DOWNCARDS):
        for choice in sets(event.cards[:1], 1, Whereabouts(state, player.down), all_ranks=all_ranks):
            sure = Laid(cards=(Reading.of(choice.cards[0]),), seat=seat, zone=From.DOWNCARDS)
            base = hypothesis._replace(weight=hypothesis.weight * role.weight)
            yield from judged(base, Move(Kind.TURN, seat, choice.cards), choice, sure, event)
        return
    zones = [event.zone or (From.UPCARDS if usual == "up" else From.HAND)]
    if zones == [From.HAND] and _all_upcards(event, player.up):
        zones.append(From.UPCARDS)  # against the rules, but there they lie
    for zone in zones:
        for number, chance in event.numbers.items():
            base = hypothesis._replace(weight=hypothesis.weight * role.weight * chance)
            source = player.up if zone is From.UPCARDS else player.hand
            joins = zone is From.HAND and may_join(state, seat, number)
            if joins:
                source = Zone(player.hand.known + player.up.known, player.hand.unknown + player.up.unknown)
            for choice in sets(event.cards, number, Whereabouts(state, source), all_ranks=all_ranks):
                move = _move(state, role, choice, zone, joins=joins)
                lifted = (
                    SEEN_LIFTED if hypothesis.lifted is not None and hypothesis.lifted[0] == seat and move.up else 1
                )
                sure = Laid(
                    cards=tuple(Reading.of(card) for card in choice.cards),
                    seat=seat,
                    zone=zone if zone is not From.HAND or event.zone else None,
                )
                one = base._replace(weight=base.weight * lifted)
                yield from judged(one, move, choice, sure, event)
    if len(event.cards) > 1:
        yield from _mixed(hypothesis, event, role)


def _move(state: State, role: _Role, choice: Choice, zone: From, *, joins: bool) -> Move:
    if zone is From.UPCARDS:
        return Move(role.kind, role.seat, (), choice.cards)
    if joins and role.kind is Kind.PLAY:
        hand, up = split(state, role.seat, choice.cards)
        return Move(Kind.PLAY, role.seat, hand, up)
    return Move(role.kind, role.seat, choice.cards)


def _all_upcards(event: Laid, up: Zone) -> bool:
    tops = [reading.card for reading in event.cards]
    return all(card is not None and card.suit is not None and card in up.known for card in tops)


def _mixed(hypothesis: Hypothesis, event: Laid, role: _Role) -> Iterator[Hypothesis]:
    """Cards of several ranks laid together: no set."""
    faces = best_faces(event.cards, Whereabouts(hypothesis.state, hypothesis.state.players[role.seat].hand))
    cards = tuple(card for card in faces if card is not None)
    if len(cards) < len(faces) or len({card.rank for card in cards}) < 2:
        return
    fit = 1.0
    for reading in event.cards:
        fit *= max(rank_likelihoods(reading).values(), default=0.0)
    sure = Laid(cards=tuple(Reading.of(card) for card in cards), seat=role.seat)
    base = hypothesis._replace(weight=hypothesis.weight * role.weight * fit)
    yield from judged(base, Move(Kind.PLAY, role.seat, cards), Choice(cards, 1.0, fit), sure, event)


def _after_illegal(hypothesis: Hypothesis, event: Laid | Turned | Flipped, *, all_ranks: bool) -> Iterator[Hypothesis]:
    """The next cards after an illegal play: either it stands, or it was taken back unseen."""
    meant = laid if isinstance(event, Laid) else turned
    pending = hypothesis.pending
    assert pending is not None
    taken_back = hypothesis._replace(pending=None, last=None, weight=hypothesis.weight * (1 - STANDS))
    stands = STANDS_SEEN if event.source is Source.CAMERA else STANDS
    standing = let_stand(hypothesis._replace(weight=hypothesis.weight * stands))
    seat = hypothesis.state.turn if pending.move is None else pending.move.seat
    for one in meant(taken_back, event, all_ranks=all_ranks):  # type: ignore[arg-type]
        yield one._replace(
            step=one.step._replace(notes=(Said("taken-back-unseen", (("player", seat),)), *one.step.notes))
        )
    if standing is None:
        return
    for one in meant(standing, event, all_ranks=all_ranks):  # type: ignore[arg-type]
        notes = (*standing.step.notes, *one.step.notes)
        yield one._replace(step=one.step._replace(notes=notes))
