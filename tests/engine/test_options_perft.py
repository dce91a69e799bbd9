"""Every option by itself, amid all other house rules at once: the same number of games as the second implementation.

Positions are looked for where the option makes a difference; only these are counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Final

import pytest

from engine.shithead.legal import legal_moves
from engine.shithead.moves import Kind, Move
from engine.shithead.options import RANK_FIELDS, Power
from engine.shithead.play import apply
from engine.shithead.rules import OPTIONS, RuleSet
from engine.shithead.state import Phase, State
from tests.engine.positions import position
from tests.engine.reference import Reference, perft
from tests.engine.test_reference import both, engine_perft

RICH: Final = (
    "hostel hand-size=3 nine=reverse jokers=2 joker=reverse lead-after-ten=at-least lead-after-four=higher "
    "pick-up-with=upcard flip-stock=yes four-out-of-turn=yes follow-up=yes"
)
"""A table that plays all house rules at once, so that each option meets all others."""
POWERS: Final = (
    "two=plain two=invisible three=plain five=at-most six=under seven=at-most seven=plain eight=plain "
    "eight=invisible eight=reverse nine=plain nine=under ten=plain ten=resets jack=reverse jack=skip queen=burns"
)
"""Each power, and each card that public sheets give one to."""
AMID: Final = {
    "sets": "join-last-card=no",
    "four-burns": "four-out-of-turn=no",
    "invisible-alone": "eight=invisible",  # a 3 counts as itself where nothing is lower
}
"""What else must be so for an option to be allowed, or to matter."""
DEALING: Final = {"decks", "jokers", "joker", "hand-size", "deal", "first-card", "first-card-acts", "starts"}
"""They change what is dealt or who starts: counted from the deal."""
CUSTOMS: Final = {"last-game", "deals-next", "forgotten-draw", "play-for", "forfeit", "turn-limit"}
"""They change no move."""
OTHER: Final = "hand QH 6S up 4D down 5D"
BY_HAND: Final = {
    "joker-breaks-four": ("hand 9S KH up 4S down 5S", "4C 9C 9D XX 9H"),
    "first-card-counts": ("hand 9S KH up 4S down 5S", "9C 9D 9H"),
    "join-last-card": ("hand 9S up 9H 9D 4S down 5S", "8C"),
    "ten-sets": ("hand TS TH KH up 4S down 5S", "8C"),
    "upcard-sets": ("up KS KH 4S down 5S", "QC"),
}
"""What random games seldom come to: the player to move, and the pile."""
CHANGES: Final = [
    *(tuple(word.split("=")) for word in POWERS.split()),
    *(
        (name, value)
        for name, option in OPTIONS.items()
        if name not in {*DEALING, *CUSTOMS, *BY_HAND, *RANK_FIELDS}
        for value in option.values
        if value != RuleSet.parse(RICH).options[name]
    ),
]
"""Every other value of every option that changes a move, one at a time."""
DEPTH: Final = 2
POSITIONS: Final = 3


def matters(rules: RuleSet, before: RuleSet) -> Iterator[tuple[State, Reference]]:
    """Positions of games by ``rules`` in which another number of games can follow than by the rules ``before``."""
    for seed in range(60):
        state, game = both(rules, 2 + seed % 2, seed)
        random = Random(seed)
        for _ in range(120):
            choices = [move for move in legal_moves(state) if move.kind is not Kind.EXCHANGE]
            if not choices:
                break
            plays = [move for move in choices if move.kind not in (Kind.PICK_UP, Kind.PASS)]
            move = random.choice(plays if plays and random.random() < 0.9 else choices)
            state = apply(state, move)
            game.do(str(move))
            if state.phase is Phase.PLAY and differs(state, before):
                yield state, game


def differs(state: State, before: RuleSet) -> bool:
    """Whether other rules lead elsewhere within DEPTH moves."""
    other = replace(state, rules=before)
    if engine_perft(state, DEPTH) != engine_perft(other, DEPTH):
        return True
    mine, theirs = legal_moves(state), legal_moves(other)
    return any(replace(apply(state, one), rules=before) != apply(other, one) for one in mine if one in theirs)


@pytest.mark.parametrize(("name", "value"), CHANGES, ids=[f"{name}={value}" for name, value in CHANGES])
def test_each_option_amid_all_house_rules(name: str, value: object) -> None:
    before = RuleSet.parse(f"{RICH} {AMID.get(name, '')}")
    found = 0
    for found, (state, game) in enumerate(islice(matters(before.change({name: value}), before), POSITIONS), 1):  # noqa: B007
        assert engine_perft(state, DEPTH) == perft(game, DEPTH)
    assert found, f"no game had a position in which {name}={value} matters"


@pytest.mark.parametrize("name", BY_HAND)
def test_an_option_that_random_games_do_not_meet(name: str) -> None:
    seat, pile = BY_HAND[name]
    state = position(f"{RICH} {name}=no", seat, OTHER, "hand 7S up 4H down 6H", pile=pile)
    state = replace(state, turned_first=name == "first-card-counts")
    assert differs(state, RuleSet.parse(RICH))
    assert engine_perft(state, 3) == perft(reference(state), 3)


def reference(state: State) -> Reference:
    """The same position for the second implementation."""
    game = both(state.rules, len(state.players), 1)[1]
    for seat, player in enumerate(state.players):
        game.hands[seat], game.ups[seat], game.downs[seat] = ([str(c) for c in zone.known] for zone in player[:3])
    game.pile, game.stock, game.burnt = [str(card) for card in state.pile.known], [], []
    game.started, game.turn, game.first_is_turned = True, state.turn, state.turned_first
    return game


@pytest.mark.parametrize(
    "text", ["decks=2", "decks=3", "jokers=1", "joker=none jokers=0", "hand-size=5", "deal=six-up", "first-card=none"]
)
def test_each_way_of_dealing(text: str) -> None:
    rules = RuleSet.parse(f"{RICH} {text}")
    started(rules, 5)


@pytest.mark.parametrize("starts", ["lowest-upcard", "left-of-dealer"])
def test_each_way_of_starting(starts: str) -> None:
    for seed in range(4):
        started(RuleSet.parse(f"{RICH} starts={starts}"), seed)


def test_a_turned_first_card_that_acts() -> None:
    rules = RuleSet.parse(f"{RICH} first-card-acts=yes")
    missing = {"8", "9", "T", "4"}
    for seed in range(200):
        first = both(rules, 3, seed)[0].pile.known[0].rank.letter
        if first in missing:
            missing.remove(first)
            started(rules, seed)
    assert not missing


def started(rules: RuleSet, seed: int) -> None:
    """The first moves of a game agree in number."""
    state, game = both(rules, 3, seed)
    start = Move(Kind.START, state.starters[0])
    state = apply(state, start)
    game.do(str(start))
    assert state.turn == game.turn
    assert engine_perft(state, 3) == perft(game, 3)


def test_a_shooting_ace_is_what_a_high_ace_is() -> None:
    """Nothing is higher than an ace: only the words differ, and they are the point of the option."""
    high, shooting = RuleSet.parse(RICH), RuleSet.parse(f"{RICH} ace=shooting")
    assert high.table.on == shooting.table.on


def test_no_option_is_left_out() -> None:
    assert {name for name, _ in CHANGES} | DEALING | CUSTOMS | set(BY_HAND) | set(RANK_FIELDS) == set(OPTIONS)
    assert {value for _, value in CHANGES} >= {power.value for power in Power} - {"shooting"}
