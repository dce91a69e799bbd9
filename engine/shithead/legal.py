"""What the rules allow: moves where cards are known, ranks where they are not (``refusal`` says why not).

Suits never matter, so :func:`legal_moves` gives one move for each rank and number of cards, with the cards that came
first; ``refusal.why_not`` judges any cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from engine.cards import Card, Rank
from engine.shithead.moves import Kind, Move
from engine.shithead.options import Power
from engine.shithead.play import run
from engine.shithead.state import Phase, State, allowed, answered
from engine.shithead.table import ranks_in
from engine.zones import Zone


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something is so, as a stable ``code`` and what it is about; ``words`` says it in a language.

    ``rank`` is the card in question, ``other`` what it is measured by, ``through`` the invisible rank or the joker
    that was looked through to find it, ``seat`` a player, ``number`` a count.
    """

    code: str
    rank: Rank | None = None
    other: Rank | None = None
    through: Rank | None = None
    seat: int | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Legal:
    """What one seat may do now.

    ``zone`` is what it plays from: "hand", "up", "down", or "draw" where it must draw first. ``ranks`` meet what is
    asked for by ``because``, whoever holds them; ``cards`` are those known to be in the zone that do. ``sure`` says
    that the zone is known whole, so that ``cards`` is all there is. Where ``take_upcard``, a pick-up takes one along.
    """

    seat: int
    zone: str
    because: Reason
    ranks: tuple[Rank, ...]
    cards: tuple[Card, ...]
    sure: bool
    lead: bool
    pick_up: bool
    take_upcard: bool
    passing: bool
    turn_down: bool
    flip: bool


def playing_from(state: State, seat: int) -> str:
    """The zone that a seat plays from: ``hand``, ``up``, ``down``; ``draw`` when it must draw first."""
    hand, up, _, _ = state.players[seat]
    if hand.known or hand.unknown:
        return "hand"
    if state.stock.known or state.stock.unknown:
        return "draw"
    return "up" if up.known or up.unknown else "down"


def requirement(state: State) -> Reason:
    """What the next card must meet; ``words.REQUIREMENTS`` says each code in English."""
    rules = state.rules
    if not state.pile.size:
        if state.lead > Rank.ACE:
            return Reason("lead-special")
        return Reason("lead-at-least", other=Rank(state.lead)) if state.lead else Reason("anything")
    rank = state.answer
    top = state.pile.known[-1].rank if state.pile.known else None
    through = top if top is not rank else None
    if rank is None:
        return Reason("anything", through=through)
    power = rules.powers[rank]
    code = {
        Power.RESETS: "after-reset",
        Power.UNDER: "below",
        Power.AT_MOST: "at-most",
        Power.SHOOTING: "only-same",
    }.get(power, "at-least")
    return Reason("anything" if rank is Rank.JOKER else code, other=rank, through=through)


def could_play(state: State, seat: int) -> bool:
    """Whether the known cards prove that the seat can play."""
    player = state.players[seat]
    zone = playing_from(state, seat)
    cards = player.hand.known if zone == "hand" else player.up.known if zone == "up" else ()
    mask = allowed(state)
    return any(mask >> card.rank & 1 for card in cards)


def legal_ranks(state: State, seat: int | None = None) -> Legal:
    """What ``seat`` (default: the one on turn) may do, in ranks where the cards are not known.

    Raises ValueError outside play.
    """
    seat = state.turn if seat is None else seat
    if state.phase is not Phase.PLAY or not 0 <= seat < len(state.players):
        raise ValueError(f"nobody plays in the phase {state.phase.value}")
    player = state.players[seat]
    source = playing_from(state, seat)
    zone = player.hand if source == "hand" else player.up if source == "up" else Zone()
    mask = allowed(state)
    on_pile = bool(state.pile.size)
    free = source != "draw" and (state.rules.voluntary_pick_up or not (could_play(state, seat) or source == "down"))
    most = state.rules.jokers > 0
    return Legal(
        seat,
        source,
        requirement(state),
        tuple(rank for rank in ranks_in(mask) if most or rank is not Rank.JOKER),
        tuple(card for card in zone.known if mask >> card.rank & 1),
        not zone.unknown and source in ("hand", "up"),
        not on_pile,
        on_pile and free,
        source == "up" and state.rules.pick_up_with == "upcard",
        not on_pile and state.lead > 0 and free,
        source == "down",
        on_pile and free and state.rules.flip_stock and bool(state.stock.size),
    )


def legal_moves(state: State) -> list[Move]:
    """Every move that the known cards allow, one for each rank and number of cards. Empty when the game is over.

    A hand that is unknown adds nothing here (see :func:`legal_ranks`); a TURN without a card stands for a downcard
    that nobody knows.
    """
    if state.phase is not _PLAYING:
        return list(_before(state)) if state.phase is Phase.EXCHANGE else []
    rules = state.rules
    seat = state.turn
    player = state.players[seat]
    hand, up, down, _ = player
    pile = state.pile
    stock = state.stock
    on_pile = bool(pile.known or pile.unknown)
    table = rules.table
    may = table.on_sets[answered(rules, pile)] if on_pile else table.lead_sets[state.lead]
    moves: list[Move] = []
    pick_up: tuple[Move, ...] = ()
    turning = False
    if hand.known or hand.unknown:
        _sets(moves, seat, hand.known, may, table.most, hand=True)
        if (
            rules.join_last_card
            and len(hand.known) + hand.unknown == 1
            and moves
            and not (stock.known or stock.unknown)
        ):
            _joins(moves, moves[0], up.known, table.most)
    elif stock.known or stock.unknown:
        return [Move(Kind.DRAW, seat, number=state.owed(seat)), *_out_of_turn(state)]
    elif up.known or up.unknown:
        most = table.most if rules.upcard_sets else _ONE
        _sets(moves, seat, up.known, may, most, hand=False)
        if rules.pick_up_with == "upcard":
            pick_up = tuple(Move(Kind.PICK_UP, seat, up=(card,)) for card in dict.fromkeys(up.known))
    else:
        turning = True
        moves.extend(Move(Kind.TURN, seat, (card,)) for card in dict.fromkeys(down.known))
        if down.unknown:
            moves.append(Move(Kind.TURN, seat))
    if rules.voluntary_pick_up or not (moves or turning):
        if on_pile:
            moves.extend(pick_up or (Move(_PICK_UP, seat),))
            if rules.flip_stock and (stock.known or stock.unknown):
                moves.append(Move(Kind.FLIP, seat, stock.known[-1:]))
        elif state.lead:
            moves.append(Move(Kind.PASS, seat))
    if rules.four_out_of_turn or rules.follow_up:
        moves.extend(_out_of_turn(state))
    return moves


_ONE: Final = (1,) * 16
_new: Final = tuple.__new__
_PLAY: Final = Kind.PLAY
_PICK_UP: Final = Kind.PICK_UP
_PLAYING: Final = Phase.PLAY


def _sets(
    moves: list[Move], seat: int, cards: tuple[Card, ...], may: frozenset[Rank], most: tuple[int, ...], *, hand: bool
) -> None:
    """Add the plays of 1 to all cards of each allowed rank."""
    groups: dict[Rank, tuple[Card, ...]] = {}
    for card in cards:
        rank = card.rank
        if rank in may:
            if rank in groups:
                group = groups[rank]
                if len(group) >= most[rank]:
                    continue
                group = groups[rank] = (*group, card)
            else:
                group = groups[rank] = (card,)
            # As Move(..) would, in half the time: most of a game is spent here.
            moves.append(_new(Move, (_PLAY, seat, group, (), 0) if hand else (_PLAY, seat, (), group, 0)))


def _joins(moves: list[Move], last: Move, up: tuple[Card, ...], most: tuple[int, ...]) -> None:
    rank = last.cards[0].rank
    joined = tuple(card for card in up if card.rank is rank)[: most[rank] - 1]
    moves.extend(last._replace(up=joined[:count]) for count in range(1, len(joined) + 1))


def _before(state: State) -> Iterator[Move]:
    """Starts and exchanges; an exchange is given once for each choice of ranks."""
    for seat in state.starters:
        yield Move(Kind.START, seat)
    for seat, player in enumerate(state.players):
        if player.up.unknown:
            continue
        now = sorted(card.rank for card in player.up.known)
        seen = {tuple(now)}
        for up in combinations((*player.up.known, *player.hand.known), player.up.size):
            ranks = tuple(sorted(card.rank for card in up))
            if ranks not in seen:
                seen.add(ranks)
                yield Move(Kind.EXCHANGE, seat, up=up)


def _out_of_turn(state: State) -> Iterator[Move]:
    """House rules: completing four of a kind, and following with a card just drawn."""
    rules = state.rules
    follow = state.follow
    if rules.follow_up and follow is not None and follow.rank is not Rank.JOKER:
        cards = tuple(card for card in follow.drawn if card.rank is follow.rank)
        for count in range(1, len(cards) + 1):
            yield Move(Kind.FOLLOW, follow.seat, cards[:count])
    known = state.pile.known
    if not (known and rules.four_out_of_turn and rules.table.fours[known[-1].rank]):
        return
    rank = known[-1].rank
    lying = run(state, known, rank)
    for seat, player in enumerate(state.players):
        zone = playing_from(state, seat)
        if seat == state.turn or seat in state.out or zone not in ("hand", "up"):
            continue
        cards = tuple(card for card in (player.hand if zone == "hand" else player.up).known if card.rank is rank)
        if cards and lying + len(cards) >= 4:
            yield Move(Kind.COMPLETE, seat, cards) if zone == "hand" else Move(Kind.COMPLETE, seat, (), cards)
