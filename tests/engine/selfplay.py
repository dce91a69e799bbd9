"""Full games between random players."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.shithead.dealing import deal
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
