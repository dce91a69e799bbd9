"""What a table sees of a game that is known whole: the events that a camera or a person would tell of it.

So a self-played game becomes a record like any other, and the referee can be tried on it without the hidden hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.cards import Card, Rank
from engine.shithead.events import (
    Call,
    Deal,
    Drawn,
    Event,
    Exchange,
    Flipped,
    Gone,
    Laid,
    Pass,
    PickUp,
    Reading,
    Source,
    Start,
    Turned,
)
from engine.shithead.moves import Kind, Move
from engine.shithead.play import apply
from engine.shithead.simulate import PlayedGame
from engine.shithead.state import State


def table_events(game: PlayedGame) -> Iterator[Event]:
    """A whole game as somebody would report it who misses nothing: every draw and every pile that goes, too."""
    yield replace(deal_event(game.deal), draws=True, source=Source.ENGINE)
    state = game.deal
    for move in game.moves:
        after = apply(state, move)
        for event in events_of(state, move, after, all_seen=True):
            yield replace(event, source=Source.ENGINE)
        state = after


def deal_event(state: State) -> Deal:
    """What everybody sees of a deal."""
    first = Reading.of(state.pile.known[-1]) if state.pile.known else None
    rows = {seat: _cards(player.up.known + player.shown) for seat, player in enumerate(state.players)}
    return Deal(upcards=rows, first=first, dealer=state.dealer)


def events_of(
    before: State, move: Move, after: State, *, seats: bool = True, suits: bool = True, all_seen: bool = False
) -> Iterator[Event]:
    """What is told of a move: by somebody who names the player, or (``seats`` False) only what lies there and goes.

    Without ``suits`` only ranks are read. Where ``all_seen``, the draws and the pile that is burnt or taken are told as
    well.
    """
    seat = move.seat if seats else None
    laid = _cards(move.laid, suits)
    match move.kind:
        case Kind.START:
            yield Start(seat=move.seat)
        case Kind.EXCHANGE:
            yield Exchange(seat=move.seat, cards=_cards(move.up))
        case Kind.PLAY:
            yield Laid(cards=laid, seat=seat)
        case Kind.COMPLETE | Kind.FOLLOW:
            yield Laid(cards=laid, seat=move.seat)
        case Kind.FLIP:
            yield Flipped(card=laid[0], seat=seat)
        case Kind.TURN:
            yield Turned(card=laid[0], seat=seat)
        case Kind.PICK_UP if move.up or seats:
            yield PickUp(seat=seat, card=laid[0] if laid else None)
        case Kind.PICK_UP:
            yield Gone()
        case Kind.PASS:
            yield Pass(seat=seat)
        case Kind.DRAW:
            yield Drawn(seat=move.seat, count=move.number)
        case Kind.CALL:
            yield Call()
    burnt = after.burnt.size > before.burnt.size
    if (burnt and (all_seen or not seats)) or (all_seen and move.kind is Kind.TURN and not after.pile.size):
        yield Gone(seat=seat)
    drew = before.stock.size - after.stock.size
    if all_seen and drew and move.kind in (Kind.PLAY, Kind.COMPLETE, Kind.FOLLOW):
        yield Drawn(seat=move.seat, count=drew)


def _cards(cards: tuple[Card, ...], suits: bool = True) -> tuple[Reading, ...]:
    return tuple(Reading.of(card if suits or card.rank is Rank.JOKER else Card(card.rank, None)) for card in cards)
