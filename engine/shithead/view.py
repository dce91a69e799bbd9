"""The table as it may leave the referee: one filter for all that goes out, in plain JSON values.

Players are named, cards are in text form, ranks are letters. What nobody at the table has seen is not in it, whatever
the state holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.cards import Card, Rank
from engine.shithead.announcing import refusal
from engine.shithead.belief import Hypothesis
from engine.shithead.events import UNKNOWN
from engine.shithead.game import Game
from engine.shithead.legal import Legal, legal_ranks
from engine.shithead.referee import Question, open_question
from engine.shithead.state import Outcome, Phase, State, hide
from engine.shithead.wire import dump
from engine.shithead.words import RANK_WORDS, listed, reason
from engine.zones import Zone

_ORDER: Final = (*(rank for rank in Rank if Rank.TWO < rank < Rank.JOKER),)


def view(game: Game, seat: int | None = None) -> dict[str, object]:
    """The table as everybody may see it, or as one seat may, who also sees their own hand where it is known."""
    top = game.belief.top
    state = hide(top.state, seat)
    players = game.players
    asked = open_question(game)
    return {
        "phase": state.phase.value,
        "rules": str(state.rules),
        "players": [_player(game, top, state, index) for index in range(len(players))],
        "turn": _name(players, state.turn),
        "direction": state.direction,
        "dealer": players[state.dealer],
        "starters": [players[index] for index in state.starters] if state.phase is Phase.EXCHANGE else [],
        "top": None if state.answer is None else state.answer.letter,
        "pile": _pile(state.pile),
        "burnt": state.burnt.size,
        "stock": state.stock.size,
        "turns": state.turns,
        "pending": _pending(top, players),
        "legal": _legal(state),
        "out": [players[index] for index in state.out],
        "outcome": _outcome(state.outcome, players),
        "chance": round(top.weight, 4),
        "question": None if asked is None else question_json(asked, players),
        "seq": game.seq,
    }


def question_json(asked: Question, players: Sequence[str]) -> dict[str, object]:
    """A question as it is sent."""
    return {
        "id": asked.id,
        "about": asked.seq,
        "asks": asked.asks.as_json(),
        "candidates": [
            {
                "event": dump(one.event, players),
                "p": one.p,
                "words": one.words,
                "legal": one.legal,
                "play": [str(card) for card in one.play],
            }
            for one in asked.candidates
        ],
    }


def _name(players: Sequence[str], seat: int) -> str | None:
    return players[seat] if seat >= 0 else None


def _player(game: Game, top: Hypothesis, state: State, seat: int) -> dict[str, object]:
    player = state.players[seat]
    owed = top.undrawn[seat] if top.watched and seat not in state.out else 0
    return {
        "name": game.players[seat],
        "hand": player.hand.size - owed,
        "known": [str(card) for card in _sorted(player.hand.known)],
        "up": [str(card) for card in player.up.known] + [UNKNOWN] * player.up.unknown,
        "down": player.down.size,
        "owed": owed,
        "out": seat in state.out,
    }


def _sorted(cards: Sequence[Card]) -> list[Card]:
    return sorted(cards, key=lambda card: (card.rank, card.suit or ""))


def _pile(pile: Zone) -> dict[str, object]:
    return {"count": pile.size, "cards": [str(card) for card in pile.known]}


def _pending(top: Hypothesis, players: Sequence[str]) -> dict[str, object] | None:
    """The illegal play that lies there, and why it is one."""
    pending = top.pending
    if pending is None:
        return None
    move = pending.move
    seat = top.state.turn if move is None else move.seat
    what, why = refusal(top.state, pending, players)
    return {
        "player": _name(players, seat),
        "kind": "burn" if move is None else move.kind.value,
        "cards": [] if move is None else [str(card) for card in move.laid],
        "words": f"{what.words}: {why.words}",
        "because": why.as_json(),
    }


def _outcome(outcome: Outcome | None, players: Sequence[str]) -> dict[str, object] | None:
    if outcome is None:
        return None
    return {
        "loser": None if outcome.loser is None else players[outcome.loser],
        "out": [players[seat] for seat in outcome.out],
        "called": outcome.called,
        "tied": [players[seat] for seat in outcome.tied],
    }


def _legal(state: State) -> dict[str, object] | None:
    """What the player to move may do, in ranks; None where nobody moves."""
    if state.phase is not Phase.PLAY:
        return None
    legal = legal_ranks(state)
    return {
        "from": legal.zone,
        "ranks": [rank.letter for rank in legal.ranks],
        "lead": legal.lead,
        "pick_up": legal.pick_up,
        "take_upcard": legal.take_upcard,
        "pass": legal.passing,
        "turn_down": legal.turn_down,
        "flip": legal.flip,
        "cards": [str(card) for card in _sorted(legal.cards)],
        "sure": legal.sure,
        "words": legal_words(legal),
        "because": reason(legal.because, ()).as_json(),
    }


def legal_words(legal: Legal) -> str:
    """What may be done, as it is said: "2, 10, or 7 and lower; or pick up"."""
    parts = []
    if legal.turn_down:
        parts.append("turn a downcard")
    elif legal.sure and legal.zone == "up":
        ranks = sorted({card.rank for card in legal.cards})
        parts += [listed([RANK_WORDS[rank] for rank in ranks], "or")] if ranks else []
    else:
        parts.append(ranks_words(legal.ranks))
    if legal.pick_up:
        along = " with one upcard" if legal.take_upcard else ""
        parts.append(f"pick up{along}")
    if legal.passing:
        parts.append("pass")
    if legal.flip:
        parts.append("turn the top stock card")
    if not parts:
        return "nothing"
    return parts[0] + "".join(f"; or {part}" for part in parts[1:])


def ranks_words(ranks: Sequence[Rank]) -> str:
    """Ranks in words, a run to either end of the order as "7 and lower" or "9 and higher"."""
    allowed = set(ranks)
    if allowed.issuperset(_ORDER):
        return "any card"
    low = _run(allowed, _ORDER)
    high = _run(allowed, _ORDER[::-1])
    run: Sequence[Rank] = ()
    words = []
    if len(high) > 1 and len(high) >= len(low):
        run, said = high, f"{RANK_WORDS[high[-1]]} and higher"
        words.append(said)
    elif len(low) > 1:
        run, said = low, f"{RANK_WORDS[low[-1]]} and lower"
        words.append(said)
    single = [RANK_WORDS[rank] for rank in sorted(allowed - set(run))]
    every = [*single, *words]
    if not every:
        return "nothing"
    if words and len(single) > 1:
        return f"{', '.join(single)}, or {words[0]}"
    return listed(every, "or")


def _run(allowed: set[Rank], order: Sequence[Rank]) -> list[Rank]:
    run = []
    for rank in order:
        if rank not in allowed:
            break
        run.append(rank)
    return run
