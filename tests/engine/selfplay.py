"""Full games between random players, and what a table that sees no hands would have said of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.cards import Card, Rank
from engine.shithead.dealing import deal
from engine.shithead.events import Deal, Event, Exchange, Gone, Laid, Pass, PickUp, Reading, Start, Turned
from engine.shithead.legal import legal_moves
from engine.shithead.moves import Kind, Move
from engine.shithead.play import apply
from engine.shithead.rules import RuleSet
from engine.shithead.state import Phase, State


def play(rules: RuleSet, players: int, random: Random, most: int = 400) -> Iterator[tuple[State, Move, State]]:
    """The moves of a game: each with the states before and after. Random, but seldom picking up without need."""
    state = deal(rules, players, random, dealer=random.randrange(players))
    for _ in range(random.randrange(3)):
        exchanges = [move for move in legal_moves(state) if move.kind is Kind.EXCHANGE]
        if exchanges:
            move = random.choice(exchanges)
            yield state, move, (state := apply(state, move))
    first = Move(Kind.START, random.choice(state.starters))
    yield state, first, (state := apply(state, first))
    for _ in range(most):
        if state.phase is not Phase.PLAY:
            return
        moves = legal_moves(state)
        plays = [move for move in moves if move.kind not in (Kind.PICK_UP, Kind.PASS)]
        move = random.choice(plays if plays and random.random() < 0.95 else moves)
        yield state, move, (state := apply(state, move))


def deal_event(state: State) -> Deal:
    """What everybody sees of a deal."""
    first = Reading.of(state.pile.known[-1]) if state.pile.known else None
    rows = {seat: _cards(player.up.known + player.shown) for seat, player in enumerate(state.players)}
    return Deal(upcards=rows, first=first, dealer=state.dealer)


def told(state: State, move: Move, after: State, *, seats: bool = True, suits: bool = True) -> Iterator[Event]:
    """What a table says of a move: by name or (``seats`` False) only what lies there, perhaps without suits."""
    seat = move.seat if seats else None
    match move.kind:
        case Kind.START:
            yield Start(seat=move.seat)
        case Kind.EXCHANGE:
            yield Exchange(seat=move.seat, cards=_cards(move.up))
        case Kind.PLAY:
            yield Laid(cards=_cards(move.laid, suits), seat=seat)
        case Kind.TURN:
            yield Turned(card=_cards(move.cards, suits)[0], seat=seat)
        case Kind.PICK_UP:
            if move.up:
                yield PickUp(seat=seat, card=_cards(move.up, suits)[0])
            elif seats:
                yield PickUp(seat=seat)
            else:
                yield Gone()
        case Kind.PASS:
            yield Pass(seat=seat)
        case _:
            raise AssertionError(move)
    if not seats and after.burnt.size > state.burnt.size:
        yield Gone()


def _cards(cards: tuple[Card, ...], suits: bool = True) -> tuple[Reading, ...]:
    return tuple(Reading.of(card if suits or card.rank is Rank.JOKER else Card(card.rank, None)) for card in cards)
