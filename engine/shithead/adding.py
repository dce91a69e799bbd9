"""The rest of a set: cards of one rank laid down in two movements are one play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.cards import Card
from engine.shithead.belief import Hypothesis, Last, before_last
from engine.shithead.events import Laid, Reading, Source
from engine.shithead.events import Zone as From
from engine.shithead.judging import judged
from engine.shithead.likely import Whereabouts, rank_likelihoods, seat_weight, sets
from engine.shithead.moves import Kind, Move
from engine.shithead.refusal import why_not
from engine.shithead.state import State, allowed
from engine.zones import Zone

ADDING: Final = 3.0
"""Seconds in which people lay down the rest of a set."""
ADDED_SOON: Final = 0.5
"""A card of the same rank within ADDING seconds: as likely one set laid in two movements as two plays."""
ADDED_LATER: Final = 0.002
"""The same after that time, or where nobody knows when: a new play, unless it could not be one."""
ADDED_BY_SAME: Final = 0.9
"""The same rank again, seen to come from the seat that has just played and is not to move."""
AFTER_DRAWING: Final = 0.05
"""How often somebody lays more of a set who has been seen to draw for it."""
AT_ONCE: Final = 1.5
"""Seconds within which nobody who has just played, and is to move again, plays anew:"""
PLAYED_AT_ONCE: Final = 0.1
"""a card of the same rank is the rest of a set then, nearly always."""
ADDED_BY_HAND: Final = 0.05
"""The same where a camera saw it, and only some time after: the hand may have been another's."""


def added(hypothesis: Hypothesis, event: Laid, *, all_ranks: bool) -> Iterator[Hypothesis]:
    """The rest of the set that was laid just before: one play, taken back and made again with all its cards."""
    last = hypothesis.last
    if last is None or last.move.kind is not Kind.PLAY or event.zone is From.DOWNCARDS:
        return
    state = hypothesis.state
    players = len(state.players)
    seat, rank = last.move.seat, last.move.laid[0].rank
    gap = None if event.at is None or last.at is None else event.at - last.at
    if event.seat == seat and state.turn != seat:
        late = event.source is Source.CAMERA and gap is not None and not 0 <= gap <= ADDING
        prior = (ADDED_BY_HAND if late else ADDED_BY_SAME) * event.seat_score
    else:
        soon = gap is not None and 0 <= gap <= ADDING
        prior = ADDED_SOON if soon else ADDED_LATER
        if not soon and not allowed(state) >> rank & 1:
            prior = ADDED_SOON
        prior *= seat_weight(seat, event.seat, event.seat_score, players)
    if has_drawn(hypothesis, last):
        prior *= AFTER_DRAWING
    if prior <= 0 or not any(rank in rank_likelihoods(reading) for reading in event.cards):
        return
    laid = len(last.move.laid)
    everything = tuple(Reading.of(card) for card in last.move.laid) + event.cards
    up = bool(last.move.up) and not last.move.cards
    before = last.before.state
    player = before.players[seat]
    for number, chance in event.numbers.items():
        joins = not up and may_join(before, seat, laid + number)
        source = player.up if up else player.hand
        if joins:
            source = Zone(player.hand.known + player.up.known, player.hand.unknown + player.up.unknown)
        for choice in sets(everything, laid + number, Whereabouts(before, source), all_ranks=all_ranks):
            if choice.cards[0].rank is not rank:
                continue
            hand, upcards = split(before, seat, choice.cards) if joins else (choice.cards, ())
            move = Move(Kind.PLAY, seat, (), choice.cards) if up else Move(Kind.PLAY, seat, hand, upcards)
            if why_not(before, move) is not None:
                continue
            sure = Laid(cards=tuple(Reading.of(card) for card in choice.cards[laid:]), seat=seat)
            base = before_last(hypothesis, last, hypothesis.weight * prior * chance)
            yield from judged(base, move, choice, sure, event)


def split(state: State, seat: int, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The last hand card, and the upcards that join it."""
    player = state.players[seat]
    ordered = sorted(cards, key=lambda card: (card not in player.hand.known, card in player.up.known))
    return tuple(ordered[:1]), tuple(ordered[1:])


def may_join(state: State, seat: int, number: int) -> bool:
    """Whether so many cards may be the last one of a hand and upcards that join it."""
    player = state.players[seat]
    return (
        number > 1
        and state.rules.join_last_card
        and player.hand.size == 1
        and not state.stock.size
        and player.up.size >= number - 1
    )


def has_drawn(hypothesis: Hypothesis, last: Last) -> bool:
    """Whether who laid the last play was seen at the stock since."""
    drew = hypothesis.drew
    return drew is not None and last.at is not None and drew[0] == last.move.seat and drew[1] > last.at


def goes_on(hypothesis: Hypothesis, event: Laid) -> bool:
    """Whether the hand that has just played lays more of the same rank, where its turn comes again by the rules."""
    last = hypothesis.last
    if last is None or last.move.kind is not Kind.PLAY or event.at is None or last.at is None:
        return False
    seat = last.move.seat
    again = hypothesis.state.turn == seat and event.seat in (None, seat) and not has_drawn(hypothesis, last)
    soon = 0 <= event.at - last.at <= AT_ONCE
    return again and soon and any(last.move.laid[0].rank in rank_likelihoods(reading) for reading in event.cards)
