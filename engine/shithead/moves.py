"""Moves: everything that can happen in a game, as small values with a text form.

The text form is the seat's number, the kind and the cards: ``0 play 7H 7S``, ``0 play 9H up 9S`` (the hand card joined
by an upcard), ``1 play up KH KD``, ``2 pick-up``, ``2 pick-up up 5H``, ``0 turn 5H``, ``1 draw 2``, ``3 start``.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from engine.cards import Card, CardError, Rank


class MoveError(ValueError):
    """A text that names no move."""


class Kind(StrEnum):
    """The kinds of move. Only START, EXCHANGE, DRAW, COMPLETE, FOLLOW and CALL may come from a seat not on turn."""

    EXCHANGE = "exchange"  # before the first play: the seat's upcards now are `up`
    START = "start"  # this seat plays first; the exchange is over
    PLAY = "play"  # `cards` from the hand and `up` from the upcards, all of one rank
    PICK_UP = "pick-up"  # the pile goes into the hand; `up` is an upcard that is taken along
    TURN = "turn"  # a downcard is turned; none in `cards` means: one that nobody knows yet
    PASS = "pass"  # a leader who cannot or will not meet the restriction
    DRAW = "draw"  # `number` cards from the stock; `cards` are those of them that are known
    COMPLETE = "complete"  # house rule: four of a kind completed out of turn
    FOLLOW = "follow"  # house rule: a card just drawn follows the play
    FLIP = "flip"  # house rule: the top stock card is turned instead of picking up
    CALL = "call"  # the table calls an endless game; the seat does not matter


class Move(NamedTuple):
    """One move. ``cards`` come from the hand (TURN: the downcards; FLIP: the stock), ``up`` from the upcards."""

    kind: Kind
    seat: int
    cards: tuple[Card, ...] = ()
    up: tuple[Card, ...] = ()
    number: int = 0

    @property
    def laid(self) -> tuple[Card, ...]:
        """The cards that come to lie on the pile, in order."""
        return self.cards + self.up

    @property
    def rank(self) -> Rank | None:
        """The rank played: that of the card that lies on top."""
        laid = self.up or self.cards
        return laid[-1].rank if laid else None

    def __str__(self) -> str:
        words = [str(self.seat), self.kind.value]
        if self.kind is Kind.DRAW:
            words.append(str(self.number))
        words.extend(str(card) for card in self.cards)
        if self.up:
            words.extend(("up", *(str(card) for card in self.up)))
        return " ".join(words)

    @classmethod
    def parse(cls, text: str) -> Move:
        """The move for a text as ``str`` gives it. Raises MoveError."""
        words = text.split()
        try:
            seat, kind, rest = int(words[0]), Kind(words[1]), words[2:]
            count = int(rest.pop(0)) if kind is Kind.DRAW else 0
            cut = rest.index("up") if "up" in rest else len(rest)
            cards = tuple(Card.parse(word) for word in rest[:cut])
            up = tuple(Card.parse(word) for word in rest[cut + 1 :])
        except CardError as error:
            raise MoveError(f"{text!r} is not a move: {error}") from None
        except (ValueError, IndexError):
            kinds = ", ".join(kind.value for kind in Kind)
            raise MoveError(f"{text!r} is not a move: write seat, kind and cards; the kinds are {kinds}") from None
        if seat < 0 or count < 0:
            raise MoveError(f"{text!r} is not a move: seats and counts are 0 or more")
        return cls(kind, seat, cards, up, count)
