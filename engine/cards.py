"""Cards: the one vocabulary that the whole project shares.

A card's text form is its rank and suit, ``7H`` or ``TD``; a joker is ``XX``. A suit that nobody could tell is ``?``
(``7?``), and a card of which nothing is known is ``??``: suits never decide a game of Shithead, so a doubtful suit
must not stop one. Ranks run from 2 to ace in their printed order; what a rank *does* is for the rules to say.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum
from functools import cache
from typing import Final, NamedTuple

RANK_LETTERS: Final = "23456789TJQKA"


class CardError(ValueError):
    """A text that names no card."""


class Rank(IntEnum):
    """A printed rank. ``JOKER`` has no place in the order; it is here so that every card has a rank."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14
    JOKER = 15

    @property
    def letter(self) -> str:
        """``2`` .. ``9``, ``T``, ``J``, ``Q``, ``K``, ``A``, or ``X`` for a joker."""
        return "X" if self is Rank.JOKER else RANK_LETTERS[self - 2]

    @classmethod
    def parse(cls, text: str) -> Rank:
        """The rank for a letter as :attr:`letter` gives it; ``10`` is understood too. Raises CardError."""
        letter = "T" if text == "10" else text.upper()
        if letter == "X":
            return cls.JOKER
        if len(letter) == 1 and letter in RANK_LETTERS:
            return cls(RANK_LETTERS.index(letter) + 2)
        raise CardError(f"{text!r} is not a rank: use one of {', '.join(RANK_LETTERS)} or X for a joker")


class Suit(StrEnum):
    """A French suit; the value is its letter."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    @property
    def symbol(self) -> str:
        return {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}[self.value]


class Card(NamedTuple):
    """One card. ``suit`` is None for a joker and where the suit is not known; ``rank`` is never None."""

    rank: Rank
    suit: Suit | None

    def __str__(self) -> str:
        if self.rank is Rank.JOKER:
            return "XX"
        return f"{self.rank.letter}{self.suit.value if self.suit else '?'}"

    def __repr__(self) -> str:
        return f"Card({self})"

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card for ``7H``, ``10h``, ``7?``, ``7`` (suit unknown) or ``XX``. Raises CardError."""
        return _parse(text)

    def matches(self, other: Card) -> bool:
        """Whether the two may be one and the same card: equal ranks, and suits equal or not known."""
        return self.rank is other.rank and (self.suit is other.suit or self.suit is None or other.suit is None)


JOKER: Final = Card(Rank.JOKER, None)
STANDARD: Final[tuple[Card, ...]] = tuple(Card(rank, suit) for suit in Suit for rank in Rank if rank is not Rank.JOKER)
"""The 52 cards, clubs to spades, each 2 to ace."""
FACES: Final[tuple[Card, ...]] = (*STANDARD, JOKER)
"""All 53 faces that a card can show. A likelihood vector over cards has one entry per face, in this order."""


@cache
def _parse(text: str) -> Card:
    stripped = text.strip().upper()
    if stripped == "XX":
        return JOKER
    head, tail = (stripped, "?") if stripped in ("10", *RANK_LETTERS) else (stripped[:-1], stripped[-1:])
    try:
        rank = Rank.parse(head)
        suit = None if tail == "?" else Suit(tail)
    except ValueError:
        raise CardError(
            f"{text!r} is not a card: write rank and suit, like 7H or TD, 7? without suit, XX for a joker"
        ) from None
    if rank is Rank.JOKER:
        raise CardError(f"{text!r} is not a card: a joker is XX")
    return Card(rank, suit)


def deck(decks: int = 1, jokers: int = 0) -> tuple[Card, ...]:
    """A sorted pack: ``decks`` times the 52 cards and ``jokers`` jokers each."""
    return (*STANDARD, *[JOKER] * jokers) * decks
