"""What the table sees of a self-played game: its events, with hands, downcards and stock hidden."""

from __future__ import annotations

from collections.abc import Iterator

from engine.shithead.events import (
    Call,
    Deal,
    Drawn,
    Event,
    Exchange,
    Gone,
    Laid,
    Pass,
    PickUp,
    Reading,
    Source,
    Start,
    Turned,
    Zone,
)
from engine.shithead.moves import Kind, Move
from engine.shithead.play import apply
from engine.shithead.simulate import PlayedGame
from engine.shithead.state import State


def table_events(game: PlayedGame) -> Iterator[Event]:
    """The deal and every move of a game as a perfect camera would report them."""
    dealt = game.deal
    upcards = {
        seat: tuple(Reading.of(card) for card in (*player.up.known, *player.shown))
        for seat, player in enumerate(dealt.players)
    }
    first = Reading.of(dealt.pile.known[0]) if dealt.pile.known else None
    yield Deal(upcards=upcards, first=first, dealer=dealt.dealer, source=Source.ENGINE)
    state = dealt
    for move in game.moves:
        yield from move_events(state, move)
        state = apply(state, move)


def move_events(state: State, move: Move) -> Iterator[Event]:
    """One move as it is seen on the table, with the drawing, the burn or the pick-up that comes with it."""
    seat = move.seat
    source = Source.ENGINE
    after = apply(state, move, draw=False)
    cards = tuple(Reading.of(card) for card in move.laid)
    match move.kind:
        case Kind.EXCHANGE:
            yield Exchange(seat=seat, cards=cards, source=source)
        case Kind.START:
            yield Start(seat=seat, source=source)
        case Kind.PASS:
            yield Pass(seat=seat, source=source)
        case Kind.CALL:
            yield Call(source=source)
        case Kind.DRAW:
            yield Drawn(seat=seat, count=move.number, source=source)
        case Kind.PICK_UP:
            yield PickUp(seat=seat, card=cards[0] if cards else None, source=source)
        case Kind.TURN:
            yield Turned(card=cards[0], seat=seat, source=source)
        case Kind.FLIP:
            # The card lies on the pile for a moment; one that does not fit is taken with it.
            yield Laid(cards=cards, seat=seat, source=source)
            if not after.pile.size and after.burnt == state.burnt:
                yield PickUp(seat=seat, source=source)
        case _:
            zone = Zone.HAND if move.cards else Zone.UPCARDS
            yield Laid(cards=cards, seat=seat, zone=None if move.cards and move.up else zone, source=source)
    if not after.pile.size and (after.burnt != state.burnt or move.kind is Kind.TURN):
        yield Gone(seat=seat, source=source)
    owed = after.owed(seat) if move.cards and move.kind in (Kind.PLAY, Kind.COMPLETE, Kind.FOLLOW) else 0
    if owed:
        yield Drawn(seat=seat, count=owed, source=source)
