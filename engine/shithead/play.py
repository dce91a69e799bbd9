"""What a move does to a state.

:func:`apply` asks only what is possible with real cards, not what the rules allow (``legal`` does): a table may let an
illegal play stand, and the game must go on from there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.cards import Card, Rank
from engine.shithead.moves import Kind, Move
from engine.shithead.options import Power
from engine.shithead.state import FollowUp, Phase, Player, State, allowed, successor
from engine.zones import EMPTY, Zone, ZoneError, without


class ImpossibleMove(ValueError):  # noqa: N818 - it names what happened, as the rest of the package does
    """A move that cannot happen with the cards as they lie. ``code`` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def apply(state: State, move: Move, *, draw: bool = True) -> State:
    """The state after a move. Raises ImpossibleMove.

    With ``draw`` the player who played from the hand draws at once what is owed, from the top of the stock. Without it
    the cards stay owed (``state.owed``) until a DRAW: so it is at a table that is watched.
    """
    kind, seat = move.kind, move.seat
    if state.phase is not _PLAYING or kind in _UNUSUAL or seat in state.out or not 0 <= seat < len(state.players):
        _check(state, move)
    try:
        return _APPLY[kind](state, move, draw)
    except ZoneError as error:
        raise ImpossibleMove("not-there", f"{move}: {error}") from None


def _check(state: State, move: Move) -> None:
    """Raise ImpossibleMove for what cannot be now, whatever the cards."""
    if not 0 <= move.seat < len(state.players):
        raise ImpossibleMove("no-such-seat", f"there is no seat {move.seat}: seats are 0 to {len(state.players) - 1}")
    if state.phase is Phase.OVER or state.phase is Phase.SET_UP:
        what = "the game is over" if state.phase is Phase.OVER else "nothing is dealt yet"
        raise ImpossibleMove("not-playing", f"{what}, nobody can {move.kind.value}")
    if move.kind is not Kind.CALL and move.seat in state.out:
        raise ImpossibleMove("out", f"seat {move.seat} is out and cannot {move.kind.value}")
    early = move.kind in (Kind.EXCHANGE, Kind.START)
    if move.kind is not Kind.CALL and early != (state.phase is Phase.EXCHANGE):
        when = "only before the first play" if early else "only after somebody has started"
        raise ImpossibleMove("not-now", f"{move.kind.value} comes {when}")


def restart(state: State, **changes: object) -> State:
    """The state with some fields changed; what a follow-up could have been is over."""
    return replace(state, **{"follow": None, **changes})  # type: ignore[arg-type]


def next_seat(
    state: State, seat: int, steps: int = 1, *, out: tuple[int, ...] | None = None, direction: int = 0
) -> int:
    """The seat still in that comes ``steps`` after ``seat`` in the direction of play. ``seat`` itself may be out."""
    out = state.out if out is None else out
    direction = direction or state.direction
    players = len(state.players)
    if len(out) >= players:
        return -1
    while steps > 0:
        seat = (seat + direction) % players
        if seat not in out:
            steps -= 1
    return seat


def _play(state: State, move: Move, draw: bool) -> State:
    seat, cards, up = move.seat, move.cards, move.up
    if not cards and not up:
        raise ImpossibleMove("no-cards", f"{move}: a play needs at least one card")
    hand, upcards, down, shown = state.players[seat]
    if cards:
        hand = hand.take(cards)
        if shown:
            shown = without(shown, cards)
    if up:
        upcards = upcards.take(up)
    return _laid(state, seat, hand, upcards, down, shown, cards + up, draw and bool(cards))


def _laid(
    state: State,
    seat: int,
    hand: Zone,
    up: Zone,
    down: Zone,
    shown: tuple[Card, ...],
    laid: tuple[Card, ...],
    draw: bool,
    before: int = 0,
) -> State:
    """``laid`` has come from the seat's cards, now as given, onto the pile: drawing, burning, going out, who is next.

    ``before`` counts the cards of the same rank that the seat has played in this turn already (a follow-up).
    """
    rules, players, stock, pile, out = state.rules, state.players, state.stock, state.pile, state.out
    table = rules.table
    rank = laid[-1].rank
    drawn = 0
    if draw:
        missing = rules.hand_size - len(hand.known) - hand.unknown
        if missing > 0 and (stock.known or stock.unknown):
            drawn = min(missing, stock.size)
            hand, stock = _drawn(hand, stock, drawn)

    seats = len(players)
    players = (*players[:seat], _new(Player, (hand, up, down, shown)), *players[seat + 1 :])
    if not (hand.known or hand.unknown or up.known or up.unknown or down.known or down.unknown):
        out = (*out, seat)

    burnt, lead, direction, turned_first = state.burnt, 0, state.direction, state.turned_first
    follow: FollowUp | None = None
    known = pile.known + laid
    if table.burns[rank] or (table.fours[rank] and run(state, known, rank) >= 4):
        burnt = Zone(burnt.known + known, burnt.unknown + pile.unknown)
        pile, turned_first = EMPTY, False
        if seat in out:
            turn = next_seat(state, seat, out=out)
        else:
            turn, lead = seat, _lead_after(state, rank)
    else:
        pile = _new(Zone, (known, pile.unknown))
        if table.skips[rank] or table.reverses[rank]:
            count = sum(card.rank is rank for card in laid) + before
            direction, turn = _acted(state, seat, rank, count, out)
        else:
            turn = (seat + direction) % seats
            if out:
                turn = next_seat(state, seat, out=out)
        if rules.follow_up and turn != seat and seat not in out:
            count = sum(card.rank is rank for card in laid) + before
            seen = min(drawn, len(state.stock.known))
            fresh = hand.known[len(hand.known) - seen :]
            follow = FollowUp(seat, rank, count, state.direction, fresh, drawn - seen)
    if seats - len(out) <= 1:
        turn, lead, follow = -1, 0, None
    return successor(state, players, stock, pile, burnt, turn, direction, lead, out, turned_first, follow)


def _drawn(hand: Zone, stock: Zone, count: int, cards: tuple[Card, ...] = ()) -> tuple[Zone, Zone]:
    """``count`` cards go from the top of the stock to the hand; ``cards`` are those that are known from elsewhere."""
    if cards:
        stock = stock.take(cards)
    rest = min(count - len(cards), stock.size)
    top, unseen = stock
    known = min(rest, len(top))
    cut = len(top) - known
    taken = (*cards, *top[cut:][::-1])
    return Zone(hand.known + taken, hand.unknown + rest - known), Zone(top[:cut], unseen - (rest - known))


def run(state: State, known: tuple[Card, ...], rank: Rank) -> int:
    """How many cards of ``rank`` lie on top, by what the options say about cards in between."""
    rules = state.rules
    if len(known) > 1 and known[-2].rank is not rank and rules.invisible_breaks_four and rules.joker_breaks_four:
        return 1  # by far the most frequent case
    lowest = 1 if state.turned_first and not rules.first_card_counts else 0
    run = 0
    for index in range(len(known) - 1, lowest - 1, -1):
        other = known[index].rank
        if other == rank:
            run += 1
        elif other is Rank.JOKER:
            if rules.joker_breaks_four:
                break
        elif rules.invisible_breaks_four or not rules.table.transparent[other]:
            break
    return run


def _lead_after(state: State, rank: Rank) -> int:
    """The lead restriction after a burn by ``rank``."""
    rules = state.rules
    if rules.table.burns[rank]:
        return int(rank) if rules.lead_after_ten == "at-least" else 0
    return rank + 1 if rules.lead_after_four == "higher" and rules.powers[rank] is not Power.RESETS else 0


def _acted(state: State, seat: int, rank: Rank, count: int, out: tuple[int, ...]) -> tuple[int, int]:
    """Direction and turn after ``count`` skipping or reversing cards."""
    rules, direction, skips = state.rules, state.direction, 0
    if rules.table.skips[rank]:
        skips = count
    elif len(state.players) - len(state.out) > 2:
        direction *= (-1) ** count
    elif rules.reverse_for_two == "skip":
        skips = count
    if not skips:
        return direction, next_seat(state, seat, out=out, direction=direction)
    beyond = out if rules.skip_self else (*out, seat)
    return direction, next_seat(state, seat, 1 + skips, out=beyond)


def _pick_up(state: State, move: Move, draw: bool) -> State:  # noqa: ARG001
    if not state.pile.size:
        raise ImpossibleMove("nothing-to-pick-up", "the pile is empty: there is nothing to pick up")
    hand, up, down, shown = state.players[move.seat]
    if move.up:
        up = up.take(move.up)
    return _collected(state, move.seat, Player(hand, up, down, shown), move.up)


def _collected(state: State, seat: int, player: Player, extra: tuple[Card, ...]) -> State:
    """The pile, and ``extra`` on top of it, go into the hand and the turn passes."""
    pile, players = state.pile, state.players
    taken = pile.known + extra
    hand = Zone(player.hand.known + taken, player.hand.unknown + pile.unknown)
    player = Player(hand, player.up, player.down, player.shown + taken)
    stays = state.rules.after_pick_up == "picker" and bool(pile.known or pile.unknown)
    turn = seat if stays else next_seat(state, seat)
    players = (*players[:seat], player, *players[seat + 1 :])
    return successor(state, players, state.stock, EMPTY, state.burnt, turn, state.direction, 0, state.out, False, None)


def _turn(state: State, move: Move, draw: bool) -> State:  # noqa: ARG001
    player = state.players[move.seat]
    cards = move.cards or player.down.known[-1:]
    if len(cards) != 1:
        what = "which card was it" if not cards else "only one at a time"
        raise ImpossibleMove("one-downcard", f"{move}: a downcard is turned, {what}")
    player = Player(player.hand, player.up, player.down.take(cards), player.shown)
    if allowed(state) >> cards[0].rank & 1:
        return _laid(state, move.seat, *player, cards, draw=False)
    return _collected(state, move.seat, player, cards)


def _flip(state: State, move: Move, draw: bool) -> State:  # noqa: ARG001
    cards = move.cards or state.stock.known[-1:]
    if len(cards) != 1:
        raise ImpossibleMove("one-stock-card", f"{move}: the top card of the stock is turned, which card was it")
    player = state.players[move.seat]
    state = replace(state, stock=state.stock.take(cards))
    if allowed(state) >> cards[0].rank & 1:
        return _laid(state, move.seat, *player, cards, draw=False)
    return _collected(state, move.seat, player, cards)


def _pass(state: State, move: Move, draw: bool) -> State:  # noqa: ARG001
    return restart(state, turn=next_seat(state, move.seat), lead=0, turns=state.turns + 1)


def _draw(state: State, move: Move, draw: bool) -> State:  # noqa: ARG001
    count = max(move.number, len(move.cards))
    if count > state.stock.size:
        raise ImpossibleMove("stock-too-small", f"{move}: only {state.stock.size} cards are left in the stock")
    player = state.players[move.seat]
    hand, stock = _drawn(player.hand, state.stock, count, move.cards)
    follow = state.follow
    if follow is not None and follow.seat == move.seat:
        fresh = hand.known[len(player.hand.known) :]
        follow = follow._replace(drawn=follow.drawn + fresh, unknown=follow.unknown + count - len(fresh))
    player = Player(hand, player.up, player.down, player.shown)
    players = (*state.players[: move.seat], player, *state.players[move.seat + 1 :])
    return replace(state, players=players, stock=stock, follow=follow)


def _exchange(state: State, move: Move, draw: bool) -> State:  # noqa: ARG001
    player = state.players[move.seat]
    if len(move.up) != player.up.size:
        raise ImpossibleMove("wrong-number", f"{move}: the seat has {player.up.size} upcards")
    kept: list[Card] = []
    given: list[Card] = []
    come = list(move.up)
    for card in player.up.known:
        match = next((new for new in come if new == card), None)
        (kept if match is not None else given).append(card)
        if match is not None:
            come.remove(match)
    # Upcards that nobody could read are taken to have stayed, and to be readable now.
    come = come[player.up.unknown :]
    hand = player.hand.take(come).add(tuple(given))
    player = Player(hand, Zone(move.up), player.down, (*without(player.shown, come), *given))
    return restart(state, players=(*state.players[: move.seat], player, *state.players[move.seat + 1 :]))


def _start(state: State, move: Move, draw: bool) -> State:  # noqa: ARG001
    started = replace(state, phase=Phase.PLAY, turn=move.seat, starters=(move.seat,), open_start=False)
    first = state.top
    if first is None or not (state.turned_first and state.rules.first_card_acts):
        return started
    table = state.rules.table
    if table.burns[first.rank]:
        return replace(started, pile=EMPTY, burnt=state.pile, turned_first=False)
    if table.skips[first.rank]:
        return replace(started, turn=next_seat(state, move.seat))
    return replace(started, direction=-state.direction) if table.reverses[first.rank] else started


def _follow(state: State, move: Move, draw: bool) -> State:
    follow = state.follow
    if follow is None or follow.seat != move.seat:
        raise ImpossibleMove("no-follow-up", f"{move}: somebody has moved since, or nothing was drawn")
    hand, up, down, shown = state.players[move.seat]
    hand, shown = hand.take(move.cards), without(shown, move.cards)
    # The turn is worked out again as if all had been played together.
    base = replace(state, turn=move.seat, direction=follow.direction, turns=state.turns - 1)
    return _laid(base, move.seat, hand, up, down, shown, move.cards, draw, follow.played)


def _call(state: State, move: Move, draw: bool) -> State:  # noqa: ARG001
    return restart(state, phase=Phase.OVER, turn=-1, lead=0, called=True)


_PLAYING: Final = Phase.PLAY
_new: Final = tuple.__new__
_UNUSUAL: Final = frozenset({Kind.EXCHANGE, Kind.START, Kind.CALL})
_APPLY: Final[dict[Kind, Callable[[State, Move, bool], State]]] = {
    Kind.EXCHANGE: _exchange,
    Kind.START: _start,
    Kind.PLAY: _play,
    Kind.COMPLETE: _play,
    Kind.PICK_UP: _pick_up,
    Kind.TURN: _turn,
    Kind.PASS: _pass,
    Kind.DRAW: _draw,
    Kind.FOLLOW: _follow,
    Kind.FLIP: _flip,
    Kind.CALL: _call,
}
