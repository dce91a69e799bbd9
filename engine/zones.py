"""Zones: a place for cards of which some are known and some only counted.

One type serves the game where everything is known and the game that a camera sees in part. A zone is immutable; the
order of its known cards is the order in which they came, the last one on top.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.cards import Card


class ZoneError(ValueError):
    """A card was asked of a zone that cannot hold it."""


class Zone(NamedTuple):
    """``known`` cards, bottom to top, and a number of ``unknown`` ones."""

    known: tuple[Card, ...] = ()
    unknown: int = 0

    @property
    def size(self) -> int:
        """How many cards lie here, known or not."""
        return len(self.known) + self.unknown

    def add(self, cards: tuple[Card, ...], unknown: int = 0) -> Zone:
        """The zone with these cards laid on top, and so many unknown ones more."""
        return Zone(self.known + cards, self.unknown + unknown)

    def may_hold(self, cards: Sequence[Card]) -> bool:
        """Whether all these cards can be here at once."""
        try:
            self.take(cards)
        except ZoneError:
            return False
        return True

    def take(self, cards: Sequence[Card]) -> Zone:
        """The zone without these cards: each is a known one, else one of the unknown. Raises ZoneError.

        Where a card's suit is not known and several of its rank are, any of them may have gone: the others stay, and
        their suits are no longer known.
        """
        held, unknown = self
        if len(cards) == 1 and cards[0] in held:
            index = held.index(cards[0])
            return tuple.__new__(Zone, (held[:index] + held[index + 1 :], unknown))
        known = list(held)
        for card in cards:
            if _remove(known, card):
                continue
            if unknown <= 0:
                raise ZoneError(f"{card} is not here: {self}")
            unknown -= 1
        return Zone(tuple(known), unknown)

    def __str__(self) -> str:
        """``4H 7S ?2``: the known cards and the number of unknown ones; ``-`` where there is nothing."""
        words = [str(card) for card in self.known]
        if self.unknown:
            words.append(f"?{self.unknown}")
        return " ".join(words) or "-"

    @classmethod
    def parse(cls, text: str) -> Zone:
        """The zone for a text as ``str`` gives it. Raises ZoneError, CardError."""
        known: list[Card] = []
        unknown = 0
        for word in text.split():
            if word == "-":
                continue
            if word.startswith("?") and word[1:].isdecimal():
                unknown += int(word[1:])
            elif word == "??":
                unknown += 1
            else:
                known.append(Card.parse(word))
        return cls(tuple(known), unknown)


EMPTY = Zone()


def find(cards: list[Card] | tuple[Card, ...], card: Card) -> int | None:
    """Where this very card lies, else the first that may be it (a suit that nobody could tell), else None."""
    if card in cards:
        return cards.index(card)
    for index, other in enumerate(cards):
        if other.matches(card):
            return index
    return None


def _remove(cards: list[Card], card: Card) -> bool:
    """Take this card, or one that may be it, out of the list; False where there is none."""
    place = find(cards, card)
    if place is None:
        return False
    gone = cards.pop(place)
    if card.suit is None and gone.suit is not None:
        for index, other in enumerate(cards):
            if other.rank is card.rank:
                cards[index] = card
    return True


def without(cards: tuple[Card, ...], gone: Sequence[Card]) -> tuple[Card, ...]:
    """``cards`` less those of ``gone`` that are among them; suits as in :meth:`Zone.take`."""
    if len(gone) == 1 and gone[0] in cards:
        first = cards.index(gone[0])
        return cards[:first] + cards[first + 1 :]
    rest = list(cards)
    for card in gone:
        _remove(rest, card)
    return tuple(rest)
