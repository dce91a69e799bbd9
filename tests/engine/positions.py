"""Positions for tests, written short."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Rank
from engine.shithead.legal import legal_moves, legal_ranks
from engine.shithead.moves import Move
from engine.shithead.play import apply
from engine.shithead.refusal import why_not
from engine.shithead.state import Phase, State
from engine.shithead.text import parse
from engine.zones import Zone

ANN, BEN, CEM, DORA, EVE = range(5)
UNSEEN = "hand ?3 up KH KC QD down ?3"


def position(rules: str, *seats: str, pile: str = "", stock: int = 0, turn: int = ANN, lead: int = 0) -> State:
    """A position in play. A seat is ``hand .. up .. down ..``; all other cards of the deck are burnt, unseen."""
    parts = [f"rules {rules}", "phase play", f"turn {turn}", f"lead {lead}", f"stock ?{stock}", f"pile {pile or '-'}"]
    parts += [f"seat {index} {text}" for index, text in enumerate(seats)]
    state = parse("; ".join(parts))
    out = tuple(seat for seat, player in enumerate(state.players) if player.size == 0)
    rest = state.rules.deck_size - sum(zone.size for zone in state.zones.values())
    return replace(state, burnt=Zone((), rest), out=out)


def unseen(rules: str, players: int, pile: str = "", **more: int) -> State:
    """A position of which only the pile is known."""
    return position(rules, *["hand ?3 up ?3 down ?3"] * players, pile=pile, **more)


def play(state: State, *texts: str) -> State:
    """The state after legal moves."""
    for text in texts:
        move = Move.parse(text)
        assert why_not(state, move) is None, (text, why_not(state, move))
        state = apply(state, move)
        assert state.phase is Phase.OVER or state.turn not in state.out
    return state


def refused(state: State, text: str) -> str:
    """The code of why a move is not legal."""
    reason = why_not(state, Move.parse(text))
    assert reason is not None, f"{text} is legal"
    return reason.code


def ranks(state: State) -> str:
    """The ranks that may be played, lowest first, as letters."""
    return "".join(rank.letter for rank in legal_ranks(state).ranks)


def moves(state: State) -> list[str]:
    return [str(move) for move in legal_moves(state)]


def lay_on(rank: Rank) -> Move:
    """Ann lays a card of this rank from her hand."""
    return Move.parse(f"0 play {'XX' if rank is Rank.JOKER else rank.letter + '?'}")
