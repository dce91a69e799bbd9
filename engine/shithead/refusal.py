"""Why a move is not allowed, as a stable code with what it is about; ``words.REASONS`` says each in English."""

from __future__ import annotations

from engine.cards import Card, Rank
from engine.shithead.legal import Reason, could_play, playing_from
from engine.shithead.moves import Kind, Move
from engine.shithead.options import Power
from engine.shithead.play import run
from engine.shithead.state import Phase, State, allowed
from engine.zones import Zone


def is_legal(state: State, move: Move) -> bool:
    """Whether the rules allow the move, as far as the known cards tell."""
    return why_not(state, move) is None


def why_not(state: State, move: Move) -> Reason | None:
    """Why the move is not allowed; None for one that is, or that nobody can disprove.

    Unknown cards may be any: a play from an unknown hand is judged by the pile alone, and picking up is always
    believed. Raises ValueError for a seat that does not exist.
    """
    if not 0 <= move.seat < len(state.players):
        raise ValueError(f"there is no seat {move.seat}")
    if state.phase is Phase.SET_UP:
        return Reason("not-dealt")
    if state.phase is Phase.OVER:
        return Reason("game-over")
    if move.kind is Kind.CALL:
        limit = state.rules.turn_limit
        return Reason("not-yet", number=limit) if state.turns < limit else None
    if move.kind in (Kind.EXCHANGE, Kind.START):
        return _early(state, move)
    if state.phase is Phase.EXCHANGE:
        return Reason("not-started")
    if move.seat in state.out:
        return Reason("out", seat=move.seat)
    if move.kind is Kind.DRAW:
        return _drawing(state, move)
    if move.kind is Kind.COMPLETE and move.seat != state.turn:
        return _completing(state, move)
    if move.kind is Kind.FOLLOW:
        return _following(state, move)
    if move.seat != state.turn:
        return Reason("not-your-turn", seat=state.turn)
    if move.kind in (Kind.PLAY, Kind.COMPLETE):  # whoever is on turn completes four of a kind by a play
        return _held(state, move) or _set(state, move) or unmet(state, move.laid[-1].rank)
    if move.kind is Kind.TURN:
        return _turning(state, move)
    return _not_playing(state, move)


def unmet(state: State, rank: Rank) -> Reason | None:
    """Why a card of this rank may not be played now; None if it may."""
    if allowed(state) >> rank & 1:
        return None
    if not state.pile.size:
        if state.lead > Rank.ACE:
            return Reason("lead-special", rank)
        return Reason("lead-too-low", rank, Rank(state.lead))
    other = state.answer
    top = state.pile.known[-1].rank
    through = top if top is not other else None
    power = state.rules.powers[other] if other else Power.PLAIN
    if power in (Power.UNDER, Power.AT_MOST):
        special = state.rules.table.fixed >> rank & 1
        code = "not-on-limit" if special else "not-below" if power is Power.UNDER else "not-at-most"
    else:
        code = "only-same" if power is Power.SHOOTING else "too-low"
    return Reason(code, rank, other, through)


def _early(state: State, move: Move) -> Reason | None:
    if state.phase is not Phase.EXCHANGE:
        return Reason("already-started")
    if move.kind is Kind.START:
        if move.seat in state.starters:
            return None
        return Reason("not-the-starter", seat=state.starters[0] if state.starters else None)
    player = state.players[move.seat]
    both = Zone(player.up.known + player.hand.known, player.up.unknown + player.hand.unknown)
    if len(move.up) != player.up.size or move.cards or not both.may_hold(move.up):
        return Reason("wrong-upcards", seat=move.seat)
    return None


def _drawing(state: State, move: Move) -> Reason | None:
    owed = state.owed(move.seat)
    if not state.stock.size:
        return Reason("stock-empty")
    if not owed:
        return Reason("nothing-owed", seat=move.seat)
    if max(move.number, len(move.cards)) > owed:
        return Reason("too-many-drawn", number=owed)
    return None


def _held(state: State, move: Move) -> Reason | None:
    """Whether the cards can come from where the move says, and from there at all."""
    player = state.players[move.seat]
    source = playing_from(state, move.seat)
    if not move.laid:
        return Reason("no-cards")
    if not player.hand.may_hold(move.cards):
        return Reason("not-in-hand", move.cards[0].rank, seat=move.seat)
    if not player.up.may_hold(move.up):
        return Reason("not-upcards", move.up[0].rank, seat=move.seat)
    if source == "draw":
        return Reason("draw-first", seat=move.seat, number=state.owed(move.seat))
    if move.up and not move.cards and source == "hand":
        return Reason("hand-first", seat=move.seat)
    return None


def _set(state: State, move: Move) -> Reason | None:
    """Whether the cards may be played together."""
    rules = state.rules
    laid = move.laid
    rank = laid[0].rank
    if any(card.rank is not rank for card in laid):
        return Reason("mixed-ranks", rank, next(card.rank for card in laid if card.rank is not rank))
    if move.cards and move.up:
        if not rules.join_last_card:
            return Reason("no-join")
        if state.players[move.seat].hand.size != 1 or state.stock.size:
            return Reason("join-one-card")
    if len(laid) > rules.table.most[rank]:
        return Reason("joker-alone" if rank is Rank.JOKER else "one-at-a-time", rank)
    if len(laid) > 1 and not move.cards and not rules.upcard_sets:
        return Reason("one-at-a-time", rank)
    return None


def _turning(state: State, move: Move) -> Reason | None:
    source = playing_from(state, move.seat)
    if source == "draw":
        return Reason("draw-first", seat=move.seat, number=state.owed(move.seat))
    if source == "hand":
        return Reason("hand-first", seat=move.seat)
    if source == "up":
        return Reason("upcards-first", seat=move.seat)
    if len(move.cards) > 1:
        return Reason("one-at-a-time", move.cards[0].rank)
    if not state.players[move.seat].down.may_hold(move.cards):
        return Reason("not-downcards", move.cards[0].rank, seat=move.seat)
    return None


def _not_playing(state: State, move: Move) -> Reason | None:
    """PICK_UP, PASS and FLIP: instead of playing."""
    rules = state.rules
    source = playing_from(state, move.seat)
    if move.kind is Kind.FLIP:
        if not rules.flip_stock:
            return Reason("no-flip")
        if not state.stock.size:
            return Reason("stock-empty")
        if len(move.cards) > 1:
            return Reason("one-at-a-time", move.cards[0].rank)
    if move.kind is Kind.PASS:
        if state.pile.size or not state.lead:
            return Reason("no-pass")
    elif not state.pile.size:
        return Reason("nothing-to-pick-up")
    if source == "draw":
        return Reason("draw-first", seat=move.seat, number=state.owed(move.seat))
    if not rules.voluntary_pick_up:
        if source == "down":
            return Reason("must-turn", seat=move.seat)
        if could_play(state, move.seat):
            return Reason("must-play", seat=move.seat)
    return _upcard_taken(state, move.seat, source, move.up) if move.kind is Kind.PICK_UP else None


def _upcard_taken(state: State, seat: int, source: str, up: tuple[Card, ...]) -> Reason | None:
    takes = state.rules.pick_up_with == "upcard" and source == "up"
    if up and not takes:
        return Reason("no-upcard", seat=seat)
    if takes and not up:
        return Reason("take-an-upcard", seat=seat)
    if len(up) > 1:
        return Reason("one-upcard", seat=seat)
    if not state.players[seat].up.may_hold(up):
        return Reason("not-upcards", up[0].rank, seat=seat)
    return None


def _completing(state: State, move: Move) -> Reason | None:
    rules = state.rules
    if not rules.four_out_of_turn:
        return Reason("no-out-of-turn", seat=state.turn)
    held = _held(state, move)
    if held is not None:
        return held
    known = state.pile.known
    rank = known[-1].rank if known else None
    if (
        rank is None
        or (move.cards and move.up)
        or any(card.rank is not rank for card in move.laid)
        or not rules.table.fours[rank]
        or run(state, known, rank) + len(move.laid) < 4
    ):
        return Reason("not-four", move.laid[-1].rank, rank)
    player = state.players[move.seat]
    held_too = sum(card.rank is rank for card in (player.hand if move.cards else player.up).known)
    return Reason("not-all", rank) if held_too > len(move.laid) else None


def _following(state: State, move: Move) -> Reason | None:
    follow = state.follow
    if not state.rules.follow_up or follow is None or follow.seat != move.seat or move.up:
        return Reason("no-follow-up", seat=move.seat)
    if not move.cards:
        return Reason("no-cards")
    if follow.rank is Rank.JOKER or any(card.rank is not follow.rank for card in move.cards):
        return Reason("not-drawn", move.cards[0].rank, follow.rank)
    if not Zone(follow.drawn, follow.unknown).may_hold(move.cards):
        return Reason("not-drawn", move.cards[0].rank, follow.rank)
    if not state.players[move.seat].hand.may_hold(move.cards):
        return Reason("not-in-hand", move.cards[0].rank, seat=move.seat)
    return None
