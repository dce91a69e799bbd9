"""Simple players for self-play, benchmarks and made-up games.

A bot sees the whole state but looks only at what its seat may see: its own hand, all upcards, the pile, and how many
cards lie elsewhere. (A test deals the hidden cards anew and expects the same choice.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from engine.cards import Card, Rank
from engine.shithead.moves import Kind, Move
from engine.shithead.options import Power
from engine.shithead.play import run
from engine.shithead.rules import RuleSet
from engine.shithead.state import State

_GIVING_UP: Final = frozenset({Kind.PICK_UP, Kind.PASS, Kind.FLIP})
_WORTH: Final = {Power.INVISIBLE: 20, Power.RESETS: 21, Power.BURNS: 22}
"""How much a bot would rather keep a special card; others are worth their rank and a little for what they do."""


@dataclass(frozen=True)
class Bot:
    """``choose`` picks one of the seat's own legal moves; ``arrange`` names the upcards it would like to have."""

    name: str
    about: str
    choose: Callable[[State, Sequence[Move], Random], Move]
    arrange: Callable[[State, int, Random], tuple[Card, ...]]


def worth(rules: RuleSet, rank: Rank) -> int:
    """How dear a rank is to a player who thinks a little."""
    if rank is Rank.JOKER:
        return 20
    power = rules.powers[rank]
    return _WORTH.get(power, int(rank) + (power is not Power.PLAIN))


def _random(state: State, moves: Sequence[Move], rng: Random) -> Move:  # noqa: ARG001
    """Any play; it gives up only when it must."""
    plays = [move for move in moves if move.kind not in _GIVING_UP]
    return rng.choice(plays or moves)


def _greedy(state: State, moves: Sequence[Move], rng: Random) -> Move:
    """The lowest card, as many of it as there are; special cards when nothing else goes."""
    rules = state.rules
    best: Move | None = None
    least = (0, 0)
    for move in moves:
        if move.kind is Kind.TURN or move.kind is Kind.DRAW:
            return move
        laid = move.laid
        if move.kind in _GIVING_UP or not laid:
            continue
        rank = laid[-1].rank
        dear = worth(rules, rank)
        # Two of what goes on anything are rarely better than one.
        cost = (dear, len(laid) if dear >= 20 else -len(laid))
        if best is None or cost < least:
            best, least = move, cost
    return best or _give_up(state, moves, rng)


def _cautious(state: State, moves: Sequence[Move], rng: Random) -> Move:
    """Burns when it can, keeps sets and special cards while there is a stock, takes a small pile before a dear card."""
    rules = state.rules
    best: Move | None = None
    least = (0, 0)
    for move in moves:
        if move.kind is Kind.TURN or move.kind is Kind.DRAW:
            return move
        laid = move.laid
        if move.kind in _GIVING_UP or not laid:
            continue
        rank = laid[-1].rank
        if rules.table.fours[rank] and run(state, state.pile.known + laid, rank) >= 4:
            return move
        dear = worth(rules, rank)
        keeps = dear >= 20 or (state.stock.size > 0 and rank >= Rank.JACK)
        cost = (dear, len(laid) if keeps else -len(laid))
        if best is None or cost < least:
            best, least = move, cost
    if best is None:
        return _give_up(state, moves, rng)
    small = state.pile.size <= 2 and state.stock.size > 0 and not rules.table.burns[best.laid[-1].rank]
    if least[0] >= 21 and small:
        return next((move for move in moves if move.kind is Kind.PICK_UP), best)
    return best


def _give_up(state: State, moves: Sequence[Move], rng: Random) -> Move:  # noqa: ARG001
    """Turn the stock if the house does so, else take the pile with the least dear upcard."""
    flips = [move for move in moves if move.kind is Kind.FLIP]
    if flips:
        return flips[0]
    return min(moves, key=lambda move: worth(state.rules, move.up[0].rank) if move.up else 0)


def _any_three(state: State, seat: int, rng: Random) -> tuple[Card, ...]:
    player = state.players[seat]
    return tuple(rng.sample((*player.up.known, *player.hand.known), player.up.size))


def _best_three(state: State, seat: int, rng: Random) -> tuple[Card, ...]:  # noqa: ARG001
    player = state.players[seat]
    cards = sorted((*player.up.known, *player.hand.known), key=lambda card: -worth(state.rules, card.rank))
    return tuple(cards[: player.up.size])


BOTS: Final[dict[str, Bot]] = {
    bot.name: bot
    for bot in (
        Bot("random", "plays anything that goes", _random, _any_three),
        Bot("cautious", "keeps its good cards, burns when it can", _cautious, _best_three),
        Bot("greedy", "gets rid of as many low cards as it can", _greedy, _best_three),
    )
}
