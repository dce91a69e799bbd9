"""The state of a game: one immutable value for the game that is known whole and the one that is seen in part."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from engine.cards import Card, Rank, deck
from engine.shithead.rules import RuleSet
from engine.zones import EMPTY, Zone


class Phase(StrEnum):
    SET_UP = "set-up"  # nothing is dealt
    EXCHANGE = "exchange"  # before the first play
    PLAY = "play"
    OVER = "over"


class Player(NamedTuple):
    """One seat's cards. ``shown`` are the hand cards that the whole table has seen: picked up, or exchanged."""

    hand: Zone = EMPTY
    up: Zone = EMPTY
    down: Zone = EMPTY
    shown: tuple[Card, ...] = ()

    @property
    def size(self) -> int:
        """All cards that the seat still has."""
        return self.hand.size + self.up.size + self.down.size


class FollowUp(NamedTuple):
    """House rule: the seat that just played may add a card just drawn, until somebody else moves.

    ``played`` cards of ``rank`` were played while the direction was ``direction``; ``drawn`` are the known drawn cards,
    ``unknown`` the number of others.
    """

    seat: int
    rank: Rank
    played: int
    direction: int
    drawn: tuple[Card, ...]
    unknown: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. ``out`` are the seats in the order in which they went out.

    ``loser`` is None only where a called game left several seats with equally many cards; they are ``tied``.
    """

    loser: int | None
    out: tuple[int, ...]
    called: bool = False
    tied: tuple[int, ...] = ()

    @property
    def winner(self) -> int | None:
        """The seat that was out first."""
        return self.out[0] if self.out else None


@dataclass(frozen=True, slots=True)
class State:
    """A game at one moment. Seats are numbered clockwise from 0.

    ``turn`` is the seat to move, -1 where there is none (before the start, after the end). ``lead`` restricts the
    lead on an empty pile to this rank and higher: 0 is no restriction, 15 more than an ace. ``starters`` are the seats
    that may play first, the best claim first; with ``open_start`` the upcards did not decide it, and only those who
    hold the card in hand know. Once somebody has started it is their seat alone. ``turned_first`` says that the lowest
    pile card was turned from the stock. ``turns`` counts turns taken. The top of stock and pile is the last known card.
    """

    rules: RuleSet
    players: tuple[Player, ...]
    stock: Zone = EMPTY
    pile: Zone = EMPTY
    burnt: Zone = EMPTY
    phase: Phase = Phase.SET_UP
    turn: int = -1
    direction: int = 1
    dealer: int = 0
    lead: int = 0
    out: tuple[int, ...] = ()
    starters: tuple[int, ...] = ()
    turns: int = 0
    turned_first: bool = False
    follow: FollowUp | None = None
    called: bool = False
    open_start: bool = False

    @property
    def is_known(self) -> bool:
        """Whether every card of the game is known."""
        zones = [zone for player in self.players for zone in player[:3]]
        return not any(zone.unknown for zone in (*zones, self.stock, self.pile, self.burnt))

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats still in."""
        return tuple(seat for seat in range(len(self.players)) if seat not in self.out)

    def owed(self, seat: int) -> int:
        """How many cards the seat should draw: up to the hand size, while the stock lasts. 0 outside play."""
        if self.phase is not Phase.PLAY or seat in self.out:
            return 0
        return max(0, min(self.rules.hand_size - self.players[seat].hand.size, self.stock.size))

    @property
    def top(self) -> Card | None:
        """The card on top of the pile, which may be invisible; None on an empty pile (or one not known)."""
        return self.pile.known[-1] if self.pile.known else None

    @property
    def answer(self) -> Rank | None:
        """The rank that the next player must answer, looking through what is invisible; None: nothing.

        It is the pile alone: :attr:`lead` restricts an empty one.
        """
        rank = answered(self.rules, self.pile)
        return Rank(rank) if rank else None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if self.phase is not Phase.OVER:
            return None
        playing = self.playing
        if not self.called:
            return Outcome(playing[0] if playing else None, self.out)
        most = max((self.players[seat].size for seat in playing), default=0)
        tied = tuple(seat for seat in playing if self.players[seat].size == most)
        return Outcome(tied[0], self.out, True) if len(tied) == 1 else Outcome(None, self.out, True, tied)

    @property
    def zones(self) -> dict[str, Zone]:
        """Every zone by a name that people understand."""
        named = {"stock": self.stock, "pile": self.pile, "burnt": self.burnt}
        for seat, player in enumerate(self.players):
            named |= {f"seat {seat} hand": player.hand, f"seat {seat} up": player.up, f"seat {seat} down": player.down}
        return named

    def faults(self) -> list[str]:
        """All that is wrong with the state, a sentence each; empty for a state that can be."""
        faults = [f"{name} holds {zone.unknown} unknown cards" for name, zone in self.zones.items() if zone.unknown < 0]
        total = sum(zone.size for zone in self.zones.values())
        if total != self.rules.deck_size:
            faults.append(f"{total} cards in all, the deck has {self.rules.deck_size}")
        faults += _duplicates(self)
        seats = range(len(self.players))
        try:
            self.rules.check_players(len(self.players))
        except ValueError as error:
            faults.append(str(error))
        for seat, player in enumerate(self.players):
            if len(player.shown) > len(player.hand.known) or any(c not in player.hand.known for c in player.shown):
                faults.append(f"seat {seat} has shown cards that are not in the hand")
            if self.phase is Phase.PLAY and (player.size == 0) != (seat in self.out):
                faults.append(f"seat {seat} is out with cards" if player.size else f"seat {seat} has no card but is in")
        if (self.turn in seats and self.turn not in self.out) != (self.phase is Phase.PLAY):
            faults.append(f"it is nobody's turn (turn {self.turn}) although the phase is {self.phase.value}")
        if len(set(self.out)) != len(self.out) or any(seat not in seats for seat in self.out):
            faults.append(f"the order of going out is impossible: {self.out}")
        if self.direction not in (1, -1):
            faults.append(f"the direction is {self.direction}, not 1 or -1")
        if self.lead and self.pile.size:
            faults.append("a lead is restricted although the pile is not empty")
        if self.dealer not in seats:
            faults.append(f"the dealer's seat {self.dealer} does not exist")
        return faults


class _Draft:
    """A State while it is filled: writing plain attributes takes a tenth of a frozen dataclass's time."""

    __slots__ = State.__slots__


def successor(
    state: State,
    players: tuple[Player, ...],
    stock: Zone,
    pile: Zone,
    burnt: Zone,
    turn: int,
    direction: int,
    lead: int,
    out: tuple[int, ...],
    turned_first: bool,
    follow: FollowUp | None,
) -> State:
    """The state one turn later, as ``dataclasses.replace`` would make it; every play of a game goes through here.

    Without a ``turn`` (-1) the game is over.
    """
    draft: Any = _Draft()
    draft.rules = state.rules
    draft.players = players
    draft.stock = stock
    draft.pile = pile
    draft.burnt = burnt
    draft.phase = state.phase if turn >= 0 else Phase.OVER
    draft.turn = turn
    draft.direction = direction
    draft.dealer = state.dealer
    draft.lead = lead
    draft.out = out
    draft.starters = state.starters
    draft.turns = state.turns + 1
    draft.turned_first = turned_first
    draft.follow = follow
    draft.called = state.called
    draft.open_start = state.open_start
    draft.__class__ = State
    made: State = draft
    return made


def answered(rules: RuleSet, pile: Zone) -> int:
    """The rank to answer on a pile, 0 for none."""
    table = rules.table
    known = pile.known
    if known and table.opaque[known[-1].rank]:
        return known[-1].rank
    through = 0
    for card in reversed(known):
        rank = card.rank
        if rank is Rank.JOKER:
            if rules.joker_answer == "anything":
                return 0
        elif not table.transparent[rank]:
            return 0 if through and table.limits[rank] and not rules.seven_through_invisible else rank
        else:
            through = through or rank
    return through if through and rules.invisible_alone == "itself" and not pile.unknown else 0


def allowed(state: State) -> int:
    """The mask of ranks that may be played now (see ``table``), whoever holds them."""
    table = state.rules.table
    pile = state.pile
    if pile.known or pile.unknown:
        return table.on[answered(state.rules, pile)]
    return table.lead[state.lead]


@cache
def _pack(decks: int, jokers: int) -> Counter[Card]:
    return Counter(deck(decks, jokers))


def _duplicates(state: State) -> list[str]:
    """Cards seen more often than the decks hold them; a card without a suit counts towards its rank."""
    most = _pack(state.rules.decks, state.rules.jokers)
    seen = Counter(card for zone in state.zones.values() for card in zone.known)
    faults = []
    for card, count in seen.items():
        named = card.suit is not None or card.rank is Rank.JOKER
        if named and count > most[card]:
            faults.append(f"{card} is in the game {count} times, the deck has {most[card] or 'none'}")
    ranks: Counter[Rank] = Counter()
    for card, count in seen.items():
        ranks[card.rank] += count
    for rank, count in ranks.items():
        limit = 4 * state.rules.decks
        if count > limit and rank is not Rank.JOKER:
            faults.append(f"there are {count} cards of rank {rank.letter}, the deck has {limit}")
    return faults


def hide(state: State, seat: int | None = None) -> State:
    """What one seat knows, or with None what everybody at the table may see.

    Nobody knows downcards and stock; others' hands are known as far as their cards were shown.
    """
    players = []
    for index, player in enumerate(state.players):
        hand = player.hand
        if index != seat:
            hand = Zone(player.shown, hand.size - len(player.shown))
        players.append(Player(hand, player.up, Zone((), player.down.size), player.shown))
    follow = state.follow
    if follow is not None and follow.seat != seat:
        follow = follow._replace(drawn=(), unknown=follow.unknown + len(follow.drawn))
    starters = state.starters
    if state.open_start:
        # Who holds a 3 is nobody's business: any seat may claim one.
        starters = tuple((state.dealer + 1 + step) % len(players) for step in range(len(players)))
    hidden = Zone((), state.stock.size)
    return replace(state, players=tuple(players), stock=hidden, follow=follow, starters=starters)
