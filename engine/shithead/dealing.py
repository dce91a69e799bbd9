"""The deal: a whole one from a shuffled deck, or one as it is seen on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

from engine.cards import Card, Rank, deck
from engine.shithead.rules import RuleError, RuleSet
from engine.shithead.state import Outcome, Phase, Player, State
from engine.zones import Zone

CLAIM_ORDER: Final = (*(rank for rank in Rank if Rank.TWO < rank < Rank.JOKER), Rank.TWO, Rank.JOKER)
"""The ranks that may start, lowest first: the 2 and the joker are high here."""


def set_up(rules: RuleSet, players: int, dealer: int = 0, leads: int | None = None) -> State:
    """The table before the deal: all cards are in the stock, unknown. Raises RuleError.

    ``leads`` is the seat that plays first because of the last game; None where the deal decides.
    """
    rules.check_players(players)
    for seat, what in ((dealer, "deal"), (leads, "lead")):
        if seat is not None and not 0 <= seat < players:
            raise RuleError(f"seat {seat} cannot {what}: seats are 0 to {players - 1}")
    starters = () if leads is None else (leads,)
    return State(rules, (Player(),) * players, Zone((), rules.deck_size), dealer=dealer, starters=starters)


def leader_after(rules: RuleSet, last: Outcome | None) -> int | None:
    """Who plays first in the next game, where the rules say that the last one decides it."""
    if last is None:
        return None
    return {"loser": last.loser, "winner": last.winner}.get(rules.last_game)


def deal(
    rules: RuleSet,
    players: int,
    shuffled: Random | Sequence[Card],
    *,
    dealer: int = 0,
    leads: int | None = None,
) -> State:
    """A game that is known whole, after the deal and before the exchange. Raises RuleError.

    ``shuffled`` is a source of chance, or the deck in the order in which it is dealt. Cards go round one at a time from
    the dealer's left: three rounds of downcards, three of upcards, then the hands. In a six-up deal the hand is seen by
    all, and the exchange chooses which three of the six become the upcards.
    """
    before = set_up(rules, players, dealer, leads)
    if isinstance(shuffled, Random):
        cards = list(deck(rules.decks, rules.jokers))
        shuffled.shuffle(cards)
    else:
        cards = list(shuffled)
        if sorted(cards, key=str) != sorted(deck(rules.decks, rules.jokers), key=str):
            raise RuleError(f"these {len(cards)} cards are not the deck of {rules.name}: it has {rules.deck_size}")
    place = {(dealer + 1 + index) % players: index for index in range(players)}
    rounds = [cards[start : start + players] for start in range(0, players * (6 + rules.hand_size), players)]
    seats = []
    for seat in range(players):
        dealt = tuple(one[place[seat]] for one in rounds)
        hand = dealt[6:]
        seats.append(Player(Zone(hand), Zone(dealt[3:6]), Zone(dealt[:3]), hand if rules.deal == "six-up" else ()))
    rest = cards[players * (6 + rules.hand_size) :]
    first = tuple(rest[: rules.turned])
    upcards = [tuple(seat.up.known) + seat.shown for seat in seats]
    hands = [seat.hand.known for seat in seats]
    starters = who_starts(rules, upcards, dealer, hands, leads=leads)
    open_start = len(who_starts(rules, upcards, dealer, None, leads=leads)) > 1
    return _ready(before, tuple(seats), Zone(tuple(rest[rules.turned :][::-1])), first, starters, open_start)


def deal_seen(
    rules: RuleSet,
    upcards: Sequence[Sequence[Card | None]],
    first: Card | None = None,
    *,
    dealer: int = 0,
    leads: int | None = None,
) -> State:
    """A game as the table shows it: hands, downcards and stock are unknown. Raises RuleError.

    ``upcards`` holds three cards for each seat, None for one that could not be read; six in a six-up deal, the first
    three of which become the upcards until the exchange says otherwise. ``first`` is the turned first card.
    """
    players = len(upcards)
    before = set_up(rules, players, dealer, leads)
    number = 6 if rules.deal == "six-up" else 3
    seats = []
    for seat, seen in enumerate(upcards):
        if len(seen) != number:
            raise RuleError(f"seat {seat} has {len(seen)} upcards, {number} are dealt")
        hand = _zone(seen[3:]) if number == 6 else Zone((), rules.hand_size)
        seats.append(Player(hand, _zone(seen[:3]), Zone((), 3), hand.known))
    if rules.turned == 0 and first is not None:
        raise RuleError(f"{rules.name} turns no first card, so {first} cannot be one")
    left = rules.deck_size - players * (6 + rules.hand_size) - rules.turned
    known = [tuple(card for card in seen if card is not None) for seen in upcards]
    starters = who_starts(rules, known, dealer, None, leads=leads)
    turned = () if first is None else (first,)
    state = _ready(before, tuple(seats), Zone((), left), turned, starters, len(starters) > 1)
    if rules.turned and first is None:
        # Nobody could read it; that it lies there is known.
        state = replace(state, pile=Zone((), 1), turned_first=True)
    return state


def who_starts(
    rules: RuleSet,
    upcards: Sequence[Sequence[Card]],
    dealer: int,
    hands: Sequence[Sequence[Card]] | None,
    *,
    leads: int | None = None,
) -> tuple[int, ...]:
    """The seats that may play first, the best claim first, from the cards as dealt, before any exchange.

    A single seat where the rules decide it. Several where the first to claim a card in hand starts: those that hold it,
    or, where hands are not known, every seat (then :func:`lowest_upcard` says who starts if nobody claims). ``leads``
    plays first because of the last game.
    """
    players = len(upcards)
    order = tuple((dealer + 1 + index) % players for index in range(players))
    if leads is not None:
        return (leads,)
    if rules.starts == "left-of-dealer":
        return order[:1]
    for rank in CLAIM_ORDER:
        for seat in order:
            if any(card.rank is rank for card in upcards[seat]):
                return (seat,)
        if hands is None:
            return order
        claims = tuple(seat for seat in order if any(card.rank is rank for card in hands[seat]))
        if claims:
            return claims
    return order


def lowest_upcard(upcards: Sequence[Sequence[Card]], dealer: int) -> tuple[int, Rank] | None:
    """Who starts if nobody claims a lower card in hand, and with which rank: the lowest upcard as dealt."""
    players = len(upcards)
    for rank in CLAIM_ORDER:
        for index in range(players):
            seat = (dealer + 1 + index) % players
            if any(card.rank is rank for card in upcards[seat]):
                return seat, rank
    return None


def _zone(cards: Sequence[Card | None]) -> Zone:
    known = tuple(card for card in cards if card is not None)
    return Zone(known, len(cards) - len(known))


def _ready(
    before: State,
    players: tuple[Player, ...],
    stock: Zone,
    first: tuple[Card, ...],
    starters: tuple[int, ...],
    open_start: bool,
) -> State:
    return replace(
        before,
        players=players,
        stock=stock,
        pile=Zone(first),
        turned_first=bool(first),
        starters=starters,
        open_start=open_start,
        phase=Phase.EXCHANGE,
    )
