"""How likely a reading is, given where each card can be: the rules read the cards too.

A card that is burnt, lies in the pile or in somebody's upcards cannot be played from another place; of a rank there
are only so many. What the camera says of faces is multiplied with that. Suits decide nothing in this game: a suit that
stays uncertain, or that cannot be, is left open (``7?``) and never invents a second card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.cards import JOKER, Card, Rank, Suit
from engine.shithead.events import Reading
from engine.shithead.state import State
from engine.zones import Zone

SUIT_SURE: Final = 0.9
"""From here on a suit is believed; nothing but the hint "that one card" hangs on it."""
SUIT_LEFT: Final = 0.25
"""Where the suits that can be have less than this of what a reading gives the rank, they were hardly read either."""
RANK_SURE: Final = 0.75
"""From here on the rank of an upcard as dealt is believed: it is read again all through the game."""
SUIT_SLIP: Final = 0.008
"""How often a reading that names an impossible face has the rank right and only the suit wrong."""
SAID_SLIP: Final = 0.002
"""The same for a face that was read or said without any doubt."""
NOTICED: Final = 1e-3
"""Ranks less likely than this are not looked at, unless nothing else is possible."""
MISREAD: Final = 1e-4
"""How likely it is that a certain reading is wrong altogether, spread over all ranks: calibration has its limits."""


class Choice(NamedTuple):
    """One way to read some cards: the ``cards``, its ``weight`` with all that is known, its ``fit`` by readings alone;
    ``slips`` are faces that were read clearly and cannot be."""

    cards: tuple[Card, ...]
    weight: float
    fit: float
    slips: tuple[Card, ...] = ()


class Whereabouts:
    """Where the known cards are, for a play out of one zone."""

    def __init__(self, state: State, source: Zone) -> None:
        self.source = source
        self.decks = state.rules.decks
        self.jokers = state.rules.jokers * self.decks
        zones = [state.pile, state.burnt, state.stock]
        for hand, up, down, _ in state.players:
            zones += (hand, up, down)
        others = [zone for zone in zones if zone is not source]
        elsewhere = [card for zone in others for card in zone.known]
        if len(others) == len(zones):
            # The source is made of several zones.
            for card in source.known:
                elsewhere.remove(card)
        self.elsewhere = elsewhere
        self._seen: list[int] | None = None

    def free(self, card: Card) -> int:
        """How many copies of this face may be in the source."""
        if card.suit is None:
            return self.capacity(card.rank)
        left = self.decks - self.elsewhere.count(card)
        if self.source.unknown:
            return left
        return min(left, sum(other.matches(card) for other in self.source.known))

    def has_room(self, cards: Sequence[Card]) -> bool:
        """Whether these faces of one rank can come out of the source together.

        What is known to be in the source fills the rank too: a face that is not among it needs room of its own.
        """
        here = [card for card in self.source.known if card.rank is cards[0].rank]
        room = self.unseen(cards[0].rank) - len(here)
        for card in cards:
            match = next((other for other in here if other == card), None) or next(
                (other for other in here if other.matches(card)), None
            )
            if match is not None:
                here.remove(match)
            else:
                room -= 1
        return room >= 0

    def capacity(self, rank: Rank) -> int:
        """How many cards of this rank may be in the source."""
        here = sum(card.rank is rank for card in self.source.known)
        return max(0, min(self.unseen(rank), here + self.source.unknown))

    def unseen(self, rank: Rank) -> int:
        """How many cards of this rank are not known to be elsewhere."""
        if self._seen is None:
            self._seen = [0] * (Rank.JOKER + 1)
            for card in self.elsewhere:
                self._seen[card[0]] += 1
        return (self.jokers if rank is Rank.JOKER else 4 * self.decks) - self._seen[rank]


def seat_weight(seat: int, seen: int | None, score: float, players: int) -> float:
    """How well a seat agrees with the seat that the evidence points to."""
    if seen is None:
        return 1.0
    return score if seat == seen else (1.0 - score) / max(1, players - 1)


@lru_cache(maxsize=256)
def rank_likelihoods(reading: Reading, *, all_ranks: bool = False) -> Mapping[Rank, float]:
    """Probability per rank; what a reading leaves open is spread evenly, and with ``all_ranks`` a misreading too."""
    ranks = reading.ranks
    rest = max(0.0, 1.0 - sum(ranks.values()))
    share = (rest + (MISREAD if all_ranks else 0.0)) / len(Rank)
    if share <= NOTICED / len(Rank) and not all_ranks:
        return ranks
    return {rank: ranks.get(rank, 0.0) + share for rank in Rank}


def sets(readings: Sequence[Reading], number: int, where: Whereabouts, *, all_ranks: bool = False) -> Iterator[Choice]:
    """The ways in which these readings may be ``number`` cards of one rank out of the source."""
    per_card = [rank_likelihoods(reading, all_ranks=all_ranks) for reading in readings]
    for rank in per_card[0]:
        fit = per_card[0][rank]
        for likelihoods in per_card[1:]:
            fit *= likelihoods.get(rank, 0.0)
        if fit < (NOTICED ** len(readings) if not all_ranks else 0.0) or fit <= 0 or number > where.capacity(rank):
            continue
        cards, suits, slips = _suits(readings, rank, number, where)
        # A rank of which most cards are gone is less likely to be held.
        held = 0.25 + 0.75 * where.unseen(rank) / max(1, (where.jokers if rank is Rank.JOKER else 4 * where.decks))
        yield Choice(cards, fit * suits * held, fit, slips)


def best_faces(readings: Iterable[Reading], where: Whereabouts) -> tuple[Card | None, ...]:
    """The likeliest face of each card that can be; its suit open where in doubt, None where its rank is."""
    used: list[Card] = []
    faces: list[Card | None] = []
    for reading in readings:
        ranks = {rank: p for rank, p in reading.ranks.items() if where.capacity(rank) > _of_rank(used, rank)}
        rank = max(ranks, key=ranks.__getitem__, default=None)
        if rank is None or ranks[rank] < RANK_SURE:
            faces.append(None)
            continue
        used += _suits([reading], rank, 1, where, used)[0]
        faces.append(used[-1])
    return tuple(faces)


def _of_rank(cards: Iterable[Card], rank: Rank) -> int:
    return sum(card.rank is rank for card in cards)


def _suits(
    readings: Sequence[Reading], rank: Rank, number: int, where: Whereabouts, used: Iterable[Card] = ()
) -> tuple[tuple[Card, ...], float, tuple[Card, ...]]:
    """The cards of one rank that the readings show, what the suits speak for or against it, and impossible faces."""
    taken = list(used)
    before = len(taken)
    factor = 1.0
    slips: list[Card] = []
    for reading in readings:
        faces = [(card, p) for card, p in reading.faces if card.rank is rank]
        if rank is Rank.JOKER:
            taken.append(JOKER)
            continue
        total = sum(p for _, p in faces)
        of_rank = [card for card in taken if card.rank is rank]
        can = [
            (card, p)
            for card, p in faces
            if card.suit is None or (where.free(card) > taken.count(card) and where.has_room([*of_rank, card]))
        ]
        left = sum(p for _, p in can)
        if total > 0:
            factor *= max(left / total, SAID_SLIP if reading.certain else SUIT_SLIP)
            if left < total / 2 and faces[0][1] >= SUIT_SURE * total:
                slips.append(faces[0][0])
        named = max(can, key=lambda pair: pair[1], default=None)
        of = left if left >= SUIT_LEFT * total else total
        if named is not None and named[0].suit is not None and named[1] >= SUIT_SURE * of:
            taken.append(named[0])
        else:
            taken.append(_only(rank, where, taken, number - len(taken) + before) or Card(rank, None))
    while (hidden := number - len(taken) + before) > 0:
        taken.append(_only(rank, where, taken, hidden) or (JOKER if rank is Rank.JOKER else Card(rank, None)))
    return tuple(taken[before:]), factor, tuple(slips)


def _only(rank: Rank, where: Whereabouts, taken: Sequence[Card], number: int) -> Card | None:
    """The card of a rank that must be among the next ``number``; None where it may be one of several."""
    if not where.source.unknown:
        here = [card for card in where.source.known if card.rank is rank]
        for card in taken:
            if card in here:
                here.remove(card)
        return here[0] if here and (len(here) <= number or len(set(here)) == 1) else None
    if where.capacity(rank) - _of_rank(taken, rank) > 1 or any(
        card.rank is rank and card.suit is None for card in (*where.elsewhere, *taken)
    ):
        return None
    left = [card for card in (Card(rank, suit) for suit in Suit) if where.free(card) > taken.count(card)]
    return left[0] if len(left) == 1 else None
