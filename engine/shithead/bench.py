"""``pilewatch bench engine``: moves per second of random games, beside RLCard's UNO and python-chess in the same run.

Every candidate plays whole games with moves drawn at random from all that are legal, listing the legal moves each time.
They take turns in short rounds, so that whatever else the machine does meets all of them alike; figures are medians
over the rounds, and what matters is the ratios. RLCard and python-chess are optional, and only measured here.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import time
from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from typing import Any

from engine.shithead.bots import BOTS
from engine.shithead.game import Game
from engine.shithead.legal import legal_moves
from engine.shithead.moves import Kind, Move
from engine.shithead.play import apply
from engine.shithead.rules import load, names
from engine.shithead.simulate import play_game
from engine.shithead.telling import table_events

TURNS = 300
"""A game that gets this long is broken off, here as in chess."""
Candidate = Callable[[Random], Iterator[None]]
"""Plays games for ever, yielding after each move."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``pilewatch bench engine``."""
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="length of one round for each candidate (default: 1)"
    )
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default: 5)")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    candidates, missing = _candidates()
    speeds: dict[str, list[float]] = {name: [] for name in candidates}
    games = {name: candidate(Random(1)) for name, candidate in candidates.items()}
    for game in games.values():
        next(game)
    for _ in range(max(1, args.rounds)):
        for name, game in games.items():
            speeds[name].append(_speed(game, args.seconds))
    print(
        "random games, every legal move listed before each move, per second of processor time (median of the rounds):"
    )
    base = median(speeds[f"shithead {names()[0]}"])
    for name, figures in speeds.items():
        middle = median(figures)
        print(f"  {name:<28}{middle:>10,.0f} moves/s {middle / base:>8.2f}x")
    for sentence in missing:
        print(f"  {sentence}")
    _folding(max(1, args.rounds))
    return 0


def _speed(game: Iterator[None], seconds: float) -> float:
    moves = 0
    start = time.process_time()
    end = start + seconds
    while True:
        for _ in range(100):
            next(game)
        moves += 100
        now = time.process_time()
        if now >= end:
            return moves / (now - start)


def _candidates() -> tuple[dict[str, Candidate], list[str]]:
    found: dict[str, Candidate] = {f"shithead {name}": _shithead(name) for name in names()}
    missing = []
    for name, module, make in (
        ("RLCard UNO", "rlcard.games.uno", _uno),
        ("python-chess", "chess", _chess),
    ):
        if importlib.util.find_spec(module.partition(".")[0]) is None:
            package = module.partition(".")[0]
            missing.append(f"{name} is not measured: `pip install {package}` into this environment adds it.")
        else:
            found[name] = make(importlib.import_module(module))
    return found, missing


def _shithead(name: str) -> Candidate:
    """Four players; a player gives up only when nothing else goes, or no game would come to its downcards."""
    from engine.shithead.dealing import deal
    from engine.shithead.state import Phase

    rules = load(name)
    playing = Phase.PLAY
    choose = BOTS["random"].choose

    def games(rng: Random) -> Iterator[None]:
        while True:
            state = deal(rules, 4, rng)
            state = apply(state, Move(Kind.START, state.starters[0]))
            while state.phase is playing and state.turns < TURNS:
                state = apply(state, choose(state, legal_moves(state), rng))
                yield

    return games


def _uno(module: Any) -> Candidate:
    """RLCard's own game of UNO, four players, below its learning environment (which is slower still)."""

    def games(rng: Random) -> Iterator[None]:
        while True:
            game = module.Game(num_players=4)
            game.init_game()
            turns = 0
            while not game.is_over() and turns < TURNS:
                game.step(rng.choice(game.get_legal_actions()))
                turns += 1
                yield

    return games


def _chess(module: Any) -> Candidate:
    def games(rng: Random) -> Iterator[None]:
        while True:
            board = module.Board()
            turns = 0
            while turns < TURNS:
                moves = list(board.legal_moves)
                if not moves:
                    break
                board.push(rng.choice(moves))
                turns += 1
                yield

    return games


def _folding(rounds: int) -> None:
    """How long the referee takes to fold a long record, all plays certain."""
    rng = Random(3)
    bots = [BOTS["random"]] * 4
    game = play_game(load("hostel"), bots, rng)
    while len(game.moves) < 220:
        game = play_game(load("hostel"), bots, rng)
    events = list(table_events(game))[:300]
    times = []
    for _ in range(rounds):
        start = time.process_time()
        folded = Game.start(load("hostel"), ("Ann", "Ben", "Cem", "Dora"))
        for event in events:
            folded = folded.with_event(event)
        times.append(time.process_time() - start)
    print(f"folding a record of {len(events)} events, as the referee: {1000 * median(times):.0f} ms (median)")
