"""What cards that came to lie on the pile, or a downcard that was turned, may mean in one hypothesis.

Every function here yields the hypotheses that one may turn into, each with its weight. The constants are the habits of
people at a table; each says what it stands for. They are ratios, not measurements: a factor of two in any of them
changes only when a question is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from engine.cards import Card
from engine.shithead.belief import Happened, Hypothesis, Last, Pending, Said, Step, Verdict
from engine.shithead.events import Event, Laid, Reading, Turned
from engine.shithead.events import Zone as From
from engine.shithead.legal import allowed, playing_from
from engine.shithead.likely import Choice, Whereabouts, best_faces, rank_likelihoods, sets
from engine.shithead.moves import Kind, Move
from engine.shithead.play import ImpossibleMove, apply
from engine.shithead.refusal import why_not
from engine.shithead.standing import ILLEGAL, forgotten, let_stand
from engine.shithead.state import Phase, State
from engine.zones import Zone

OUT_OF_TURN: Final = 0.02
"""A play by somebody who is not to move; rarer, for the table protests."""
IMPOSSIBLE: Final = 1e-5
"""A play that the cards as they are known rule out: something was misread before. Kept so that a person may insist."""
ADDED_SOON: Final = 0.5
"""A card of the same rank within ADDING seconds: as likely one set laid in two movements as two plays."""
ADDED_LATER: Final = 0.002
"""The same after that time, or where nobody knows when: a new play, unless it could not be one."""
ADDED_BY_SAME: Final = 0.9
"""The same rank again, seen to come from the seat that has just played and is not to move."""
ADDING: Final = 3.0
"""Seconds in which people lay down the rest of a set."""
MISSED_BURN: Final = 0.3
"""A new lead although the burnt pile was not seen to go."""
STANDS: Final = 0.95
"""After an illegal play that was not taken back, the next cards are the next player's play: it was let stand."""
SEEN_LIFTED: Final = 10.0
"""How much an upcard that was seen to be gone speaks for being the one that is laid now."""


class _Role(NamedTuple):
    """Somebody who may have played, how likely by seat alone, and as which kind of move."""

    seat: int
    weight: float
    kind: Kind = Kind.PLAY


def seat_weight(seat: int, seen: int | None, score: float, players: int) -> float:
    """How well a seat agrees with the seat that the evidence points to."""
    if seen is None:
        return 1.0
    return score if seat == seen else (1.0 - score) / max(1, players - 1)


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
    yield from _added(base, event, all_ranks=all_ranks)
    for role in _roles(state, event):
        yield from _played(base, event, role, all_ranks=all_ranks)


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
    if last is not None and last.move.rank is cards[0].rank:
        return None
    usual = playing_from(state, seat)
    player = state.players[seat]
    if usual not in ("hand", "up") or (rules.join_last_card and player.hand.size == 1 and len(cards) > 1):
        return None
    source = player.up if usual == "up" else player.hand
    where = Whereabouts(state, source)
    if any(where.free(card) < cards.count(card) for card in cards) or len(cards) > where.capacity(cards[0].rank):
        return None
    if any(card.rank is not cards[0].rank for card in cards) or not where.has_room(cards):
        return None
    laid = tuple(cards)
    move = Move(Kind.PLAY, seat, (), laid) if usual == "up" else Move(Kind.PLAY, seat, laid)
    if why_not(state, move) is not None:
        return None
    sure = replace(event, id=None, at=None, seat=seat, seat_score=1.0, zone=From.UPCARDS if usual == "up" else None)
    found = _judged(hypothesis, move, Choice(laid, 1.0, 1.0), sure, event)
    return next(found, None)


def turned(hypothesis: Hypothesis, event: Turned, *, all_ranks: bool) -> Iterator[Hypothesis]:
    """What a turned downcard may be."""
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
        source = state.players[seat].down
        if factor <= 0 or not source.size:
            continue
        factor *= 1.0 if seat == state.turn else OUT_OF_TURN
        base = hypothesis._replace(weight=weight * factor)
        for choice in sets((event.card,), 1, Whereabouts(state, source), all_ranks=all_ranks):
            sure = Turned(card=Reading.of(choice.cards[0]), seat=seat)
            yield from _judged(base, Move(Kind.TURN, seat, choice.cards), choice, sure, event)


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


def _told_twice(hypothesis: Hypothesis, event: Laid | Turned) -> bool:
    """Whether this is the downcard that was just turned, told once more by the other kind of event."""
    last = hypothesis.last
    if (
        last is None
        or last.move.kind is not Kind.TURN
        or isinstance(event, Turned) == isinstance(hypothesis.step.event, Turned)
    ):
        return False
    cards = event.cards if isinstance(event, Laid) else (event.card,)
    if len(cards) != 1 or event.seat not in (None, last.move.seat) or cards[0].card is None:
        return False
    return cards[0].card.matches(last.move.cards[0])


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
            yield from _judged(base, Move(Kind.TURN, seat, choice.cards), choice, sure, event)
        return
    if event.zone is From.STOCK:
        for choice in sets(event.cards[:1], 1, Whereabouts(state, state.stock), all_ranks=all_ranks):
            sure = Laid(cards=(Reading.of(choice.cards[0]),), seat=seat, zone=From.STOCK)
            base = hypothesis._replace(weight=hypothesis.weight * role.weight)
            yield from _judged(base, Move(Kind.FLIP, seat, choice.cards), choice, sure, event)
        return
    zones = [event.zone or (From.UPCARDS if usual == "up" else From.HAND)]
    if zones == [From.HAND] and _all_upcards(event, player.up):
        zones.append(From.UPCARDS)  # against the rules, but there they lie
    for zone in zones:
        for number, chance in _numbers(event):
            base = hypothesis._replace(weight=hypothesis.weight * role.weight * chance)
            source = player.up if zone is From.UPCARDS else player.hand
            joins = zone is From.HAND and _may_join(state, seat, number)
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
                yield from _judged(one, move, choice, sure, event)
    if len(event.cards) > 1:
        yield from _mixed(hypothesis, event, role)


def _move(state: State, role: _Role, choice: Choice, zone: From, *, joins: bool) -> Move:
    if zone is From.UPCARDS:
        return Move(role.kind, role.seat, (), choice.cards)
    if joins and role.kind is Kind.PLAY:
        hand, up = _split(state, role.seat, choice.cards)
        return Move(Kind.PLAY, role.seat, hand, up)
    return Move(role.kind, role.seat, choice.cards)


def _split(state: State, seat: int, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The last hand card, and the upcards that join it."""
    player = state.players[seat]
    ordered = sorted(cards, key=lambda card: (card not in player.hand.known, card in player.up.known))
    return tuple(ordered[:1]), tuple(ordered[1:])


def _may_join(state: State, seat: int, number: int) -> bool:
    player = state.players[seat]
    return (
        number > 1
        and state.rules.join_last_card
        and player.hand.size == 1
        and not state.stock.size
        and player.up.size >= number - 1
    )


def _all_upcards(event: Laid, up: Zone) -> bool:
    tops = [reading.card for reading in event.cards]
    return all(card is not None and card.suit is not None and card in up.known for card in tops)


def _numbers(event: Laid) -> Iterator[tuple[int, float]]:
    """How many cards it may be, at least as many as are seen."""
    if not event.count:
        yield len(event.cards), 1.0
        return
    chances: dict[int, float] = {}
    for number, p in event.count.items():
        number = max(number, len(event.cards))
        chances[number] = chances.get(number, 0.0) + p
    yield from chances.items()


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
    yield from _judged(base, Move(Kind.PLAY, role.seat, cards), Choice(cards, 1.0, fit), sure, event)


def _judged(
    hypothesis: Hypothesis, move: Move, choice: Choice, sure: Event, event: Laid | Turned
) -> Iterator[Hypothesis]:
    """The hypothesis in which this move was made: at once if it is legal, else pending."""
    state = hypothesis.state
    why = why_not(state, move)
    weight = hypothesis.weight * choice.weight
    if why is not None:
        if move.kind in (Kind.COMPLETE, Kind.FOLLOW):
            return
        if not _can_happen(state, move):
            weight *= IMPOSSIBLE
        elif why.code != "not-your-turn":  # how likely that is, the role says
            weight *= ILLEGAL
        yield hypothesis._replace(
            weight=weight,
            pending=Pending(move, why),
            step=Step(sure, Verdict.ILLEGAL, (), why, choice.fit),
        )
        return
    try:
        after = apply(state, move)
    except ImpossibleMove:
        return
    notes: list[Happened | Said] = []
    undrawn = list(hypothesis.undrawn)
    if hypothesis.watched and undrawn[move.seat]:
        notes.append(forgotten(state, move.seat, undrawn[move.seat]))
    notes.append(Happened(state, move, after))
    notes += [Said("elsewhere", (("card", card), ("rank", card.rank))) for card in choice.slips]
    undrawn[move.seat] += state.stock.size - after.stock.size
    before = hypothesis if hypothesis.last is None else hypothesis._replace(last=None)
    yield Hypothesis(
        after,
        tuple(undrawn),
        weight,
        Step(sure, Verdict.ACCEPTED, tuple(notes), None, choice.fit),
        None,
        Last(before, move, event.at),
        after.burnt.size > state.burnt.size,
        hypothesis.watched,
        None,
        hypothesis.read,
    )


def _can_happen(state: State, move: Move) -> bool:
    try:
        apply(state, move)
    except ImpossibleMove:
        return False
    return True


def _added(hypothesis: Hypothesis, event: Laid, *, all_ranks: bool) -> Iterator[Hypothesis]:
    """The rest of the set that was laid just before: one play, taken back and made again with all its cards."""
    last = hypothesis.last
    if last is None or last.move.kind is not Kind.PLAY or event.zone is From.DOWNCARDS:
        return
    state = hypothesis.state
    players = len(state.players)
    seat, rank = last.move.seat, last.move.laid[0].rank
    gap = None if event.at is None or last.at is None else event.at - last.at
    if event.seat == seat and state.turn != seat:
        prior = ADDED_BY_SAME * event.seat_score
    else:
        soon = gap is not None and 0 <= gap <= ADDING
        prior = ADDED_SOON if soon else ADDED_LATER
        if not soon and not _mover_could(state, rank):
            prior = ADDED_SOON
        prior *= seat_weight(seat, event.seat, event.seat_score, players)
    if prior <= 0 or not any(rank in rank_likelihoods(reading) for reading in event.cards):
        return
    before = last.before
    player = before.state.players[seat]
    up = bool(last.move.up) and not last.move.cards
    for number, chance in _numbers(event):
        where = Whereabouts(before.state, player.up if up else player.hand)
        everything = tuple(Reading.of(card) for card in last.move.laid) + event.cards
        for choice in sets(everything, len(last.move.laid) + number, where, all_ranks=all_ranks):
            if choice.cards[0].rank is not rank:
                continue
            move = Move(Kind.PLAY, seat, (), choice.cards) if up else Move(Kind.PLAY, seat, choice.cards)
            if why_not(before.state, move) is not None:
                continue
            added = choice.cards[len(last.move.laid) :]
            sure = Laid(cards=tuple(Reading.of(card) for card in added), seat=seat)
            base = before._replace(
                weight=hypothesis.weight * prior * chance, read=hypothesis.read, watched=hypothesis.watched
            )
            yield from _judged(base, move, choice, sure, event)


def _mover_could(state: State, rank: int) -> bool:
    return bool(allowed(state) >> rank & 1)


def _after_illegal(hypothesis: Hypothesis, event: Laid | Turned, *, all_ranks: bool) -> Iterator[Hypothesis]:
    """The next cards after an illegal play: either it stands, or it was taken back unseen."""
    meant = laid if isinstance(event, Laid) else turned
    pending = hypothesis.pending
    assert pending is not None
    taken_back = hypothesis._replace(pending=None, last=None, weight=hypothesis.weight * (1 - STANDS))
    standing = let_stand(hypothesis._replace(weight=hypothesis.weight * STANDS))
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
