"""How the filmed players choose: plainly, and sometimes wrongly."""

from __future__ import annotations

from random import Random

from engine.cards import Card, Rank
from engine.shithead.legal import legal_moves, playing_from
from engine.shithead.moves import Kind, Move
from engine.shithead.options import Power
from engine.shithead.state import State, allowed


def _worth(state: State, rank: Rank) -> int:
    """How much a player likes to keep a rank for later."""
    if rank is Rank.JOKER:
        return 17
    power = state.rules.powers[rank]
    return {Power.BURNS: 18, Power.RESETS: 16, Power.INVISIBLE: 15}.get(power, int(rank))


def next_move(state: State, chance: Random) -> Move:
    """The move that a plain player makes: the least worthy cards that may be played, all of them."""
    moves = [move for move in legal_moves(state) if move.kind in _USUAL]
    plays = [move for move in moves if move.kind is Kind.PLAY]
    if plays and chance.random() < 0.97:
        if chance.random() < 0.12:
            return chance.choice(plays)
        late = state.stock.size == 0

        def cost(move: Move) -> tuple[int, int]:
            assert move.rank is not None
            worth = _worth(state, move.rank)
            many = len(move.laid)
            return worth, -many if worth < 15 or late else many

        return min(plays, key=cost)
    turns = [move for move in moves if move.kind is Kind.TURN]
    if turns:
        return chance.choice(turns)
    others = [move for move in moves if move.kind is not Kind.PLAY] or plays
    return min(others, key=lambda move: _worth(state, move.up[0].rank) if move.up else 0)


_USUAL = (Kind.PLAY, Kind.PICK_UP, Kind.TURN, Kind.PASS, Kind.DRAW)


def exchange_for(state: State, seat: int) -> Move | None:
    """The exchange that puts a player's best cards up; None where they are up already."""
    player = state.players[seat]
    cards = [*player.up.known, *player.hand.known]
    best = sorted(cards, key=lambda card: -_worth(state, card.rank))[: player.up.size]
    now = sorted(_worth(state, card.rank) for card in player.up.known)
    if sorted(_worth(state, card.rank) for card in best) == now:
        return None
    kept = [card for card in player.up.known if card in best]
    rest = list(best)
    for card in kept:
        rest.remove(card)
    return Move(Kind.EXCHANGE, seat, up=(*kept, *rest))


def mistaken(state: State, chance: Random) -> Move | None:
    """A card from the hand of the player on turn that may not be played; None where there is none."""
    seat = state.turn
    if playing_from(state, seat) != "hand":
        return None
    mask = allowed(state)
    cards = [card for card in state.players[seat].hand.known if not mask >> card.rank & 1]
    return Move(Kind.PLAY, seat, (chance.choice(cards),)) if cards else None


def other_play(state: State, move: Move, chance: Random) -> Move | None:
    """Another single card that might be played from the hand instead of ``move``, without burning; or None."""
    own: set[Card] = set(move.cards)
    plays = [
        play
        for play in legal_moves(state)
        if play.kind is Kind.PLAY
        and len(play.cards) == 1
        and not play.up
        and not own & set(play.cards)
        and state.rules.powers[play.cards[0].rank] is not Power.BURNS
        and sum(card.rank is play.cards[0].rank for card in state.pile.known) < 3
    ]
    return chance.choice(plays) if plays else None
