"""Two ways to ask what is allowed, the list of legal moves and the reason against a move, say the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from engine.cards import Card
from engine.shithead.legal import legal_moves
from engine.shithead.moves import Kind, Move
from engine.shithead.refusal import why_not
from engine.shithead.rules import RuleSet
from engine.shithead.state import State
from tests.engine.positions import ANN, position, refused
from tests.engine.selfplay import play
from tests.engine.test_reference import any_rules

LAYING = (Kind.PLAY, Kind.COMPLETE, Kind.FOLLOW)


def shape(move: Move) -> tuple[object, ...]:
    """A move without suits, which never matter."""
    return (move.kind, move.seat, sorted(card.rank for card in move.cards), sorted(card.rank for card in move.up))


def conceivable(state: State) -> Iterator[Move]:
    """Every move of cards that a seat has: any set from the hand, the upcards or both, and all that lays nothing."""
    for seat, player in enumerate(state.players):
        for kind in (Kind.PASS, Kind.START, Kind.PICK_UP):
            yield Move(kind, seat)
        for card in player.up.known:
            yield Move(Kind.PICK_UP, seat, (), (card,))
        for card in player.down.known:
            yield Move(Kind.TURN, seat, (card,))
        if state.stock.known:
            yield Move(Kind.FLIP, seat, state.stock.known[-1:])
        for hand in sets(player.hand.known):
            for up in sets(player.up.known):
                for kind in LAYING:
                    if kind is not Kind.COMPLETE or seat != state.turn:
                        yield Move(kind, seat, hand, up)


def sets(cards: tuple[Card, ...]) -> list[tuple[Card, ...]]:
    """Nothing, each number of cards of each rank, and one pair of two ranks."""
    found: list[tuple[Card, ...]] = [()]
    for rank in {card.rank for card in cards}:
        same = [card for card in cards if card.rank is rank]
        found += [tuple(same[:number]) for number in range(1, len(same) + 1)]
    found += [pair for pair in combinations(cards, 2) if pair[0].rank is not pair[1].rank][:1]
    return found


@settings(max_examples=25, deadline=None, phases=[Phase.generate])
@given(rules=any_rules(), seed=st.integers(0, 10_000))
def test_what_is_listed_is_what_nothing_speaks_against(rules: RuleSet, seed: int) -> None:
    random = Random(seed)
    for number, (state, _, _) in enumerate(play(rules, 2 + seed % (min(4, rules.max_players) - 1), random, 90)):
        if number % 6:
            continue
        listed = [shape(move) for move in legal_moves(state) if move.kind not in (Kind.EXCHANGE, Kind.DRAW)]
        allowed = [shape(move) for move in conceivable(state) if why_not(state, move) is None]
        assert [one for one in allowed if one not in listed] == []
        assert [one for one in listed if one not in allowed] == []


def test_who_completes_four_out_of_turn_adds_all_matching_cards() -> None:
    state = position(
        "classic decks=2 four-out-of-turn=yes",
        "hand 4C up 5C down ?3",
        "hand 9C 9H 9S up 6C down ?3",
        pile="3C 9D 9D",
        turn=ANN,
    )
    assert refused(state, "1 complete 9C 9H") == "not-all"
    assert why_not(state, Move.parse("1 complete 9C 9H 9S")) is None
    assert refused(state, "1 complete 9C") == "not-four"


@pytest.mark.parametrize("known", ["9C 9H ?1", "?3"])
def test_a_hand_that_is_not_known_may_have_no_more_of_them(known: str) -> None:
    state = position(
        "classic decks=2 four-out-of-turn=yes", "hand 4C down ?3", f"hand {known} down ?3", pile="3C 9D 9D"
    )
    assert why_not(state, Move.parse("1 complete 9C 9H")) is None
