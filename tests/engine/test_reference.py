"""The engine against the second, simple implementation: the same moves and the same cards, move after move."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import deck
from engine.shithead.dealing import deal
from engine.shithead.legal import legal_moves
from engine.shithead.moves import Kind, Move
from engine.shithead.play import apply
from engine.shithead.refusal import why_not
from engine.shithead.rules import OPTIONS, RuleError, RuleSet, load
from engine.shithead.state import Phase, State
from tests.engine.reference import Reference, perft

SHIPPED = ["classic", "palace", "palace+jokers", "palace+six-up", "hostel"]
HOUSE = {
    "four-out-of-turn=yes": Kind.COMPLETE,
    "follow-up=yes eight=skip nine=reverse": Kind.FOLLOW,
    "flip-stock=yes voluntary-pick-up=no seven=at-most": Kind.FLIP,
    "jokers=2 joker=reverse eight=invisible invisible-breaks-four=no joker-breaks-four=no": Kind.PICK_UP,
    "decks=2 hand-size=4 jack=skip skip-self=no acting=free ace=shooting": Kind.TURN,
    "lead-after-ten=at-least lead-after-four=higher lead-specials=no": Kind.PASS,
}


def both(rules: RuleSet, players: int, seed: int) -> tuple[State, Reference]:
    cards = list(deck(rules.decks, rules.jokers))
    Random(seed).shuffle(cards)
    dealer = seed % players
    return (
        deal(rules, players, cards, dealer=dealer),
        Reference(rules.options, [str(card) for card in cards], players, dealer),
    )


def engine_perft(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(engine_perft(apply(state, move), depth - 1) for move in legal_moves(state))


def same(state: State, game: Reference) -> None:
    """Fail with the first difference."""

    def texts(zones: tuple[Any, ...]) -> list[str]:
        return [str(card) for card in zones]

    for seat, player in enumerate(state.players):
        assert texts(player.hand.known) == game.hands[seat], f"hand of {seat}"
        assert sorted(texts(player.up.known)) == sorted(game.ups[seat]), f"upcards of {seat}"
        assert texts(player.down.known) == game.downs[seat], f"downcards of {seat}"
    assert texts(state.pile.known) == game.pile
    assert texts(state.stock.known) == game.stock
    assert sorted(texts(state.burnt.known)) == sorted(game.burnt)
    assert list(state.out) == game.out
    assert state.turn == game.turn
    assert state.direction == game.direction or game.over
    assert state.lead == game.lead or game.over
    assert (state.phase is Phase.OVER) == game.over
    assert sorted(map(str, legal_moves(state))) == sorted(game.legal())


def lockstep(rules: RuleSet, players: int, seed: int, moves: int, kinds: set[Kind] | None = None) -> State:
    """Play the same random game on both, comparing everything after each move."""
    state, game = both(rules, players, seed)
    rng = Random(seed)
    same(state, game)
    for _ in range(moves):
        choices = legal_moves(state)
        if not choices:
            break
        plays = [move for move in choices if move.kind not in (Kind.PICK_UP, Kind.EXCHANGE, Kind.PASS)]
        # Mostly play, and mostly low sets, or no game would ever reach the downcards.
        move = rng.choice(plays if plays and rng.random() < 0.95 else choices)
        if move in plays and rng.random() < 0.7:
            move = min(plays, key=lambda play: (play.rank in (2, 10), play.rank or 0, -len(play.laid)))
        assert why_not(state, move) is None, (str(move), why_not(state, move))
        if kinds is not None:
            kinds.add(move.kind)
        state = apply(state, move)
        game.do(str(move))
        same(state, game)
    return state


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("players", [2, 4])
def test_perft_from_fixed_deals(name: str, players: int) -> None:
    state, game = both(load(name), players, seed=7)
    depth = 4 if players == 2 else 3
    start = Move(Kind.START, state.starters[0])
    state = apply(state, start)
    game.do(str(start))
    assert engine_perft(state, depth) == perft(game, depth)


@pytest.mark.parametrize("name", SHIPPED)
def test_perft_over_the_exchange(name: str) -> None:
    state, game = both(load(name), 2, seed=3)
    assert engine_perft(state, 2) == perft(game, 2)


@pytest.mark.parametrize("name", SHIPPED)
def test_perft_at_the_end_of_the_game(name: str) -> None:
    rules = load(name)
    state, game = both(rules, 3, seed=11)
    rng = Random(5)
    while state.stock.size or state.turns < 25:
        plays = [m for m in legal_moves(state) if m.kind in (Kind.PLAY, Kind.TURN, Kind.START)] or legal_moves(state)
        move = rng.choice(plays)
        after = apply(state, move)
        if after.phase is Phase.OVER:
            break
        state = after
        game.do(str(move))
    assert engine_perft(state, 4) == perft(game, 4)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_rule_sets_agree_game_after_game(name: str) -> None:
    rules = load(name)
    ended = 0
    for seed in range(10):
        state = lockstep(rules, 2 + seed % (rules.max_players - 1), seed, 400)
        ended += state.phase is Phase.OVER
    assert ended, "no game reached its end, so the end was not compared"


@pytest.mark.parametrize("text", HOUSE)
def test_house_rules_agree(text: str) -> None:
    rules = load("classic").change(dict(word.split("=") for word in text.split()))
    kinds: set[Kind] = set()
    for seed in range(10):
        lockstep(rules, 2 + seed % (min(5, rules.max_players) - 1), seed, 200, kinds)
    assert HOUSE[text] in kinds, f"no game had a {HOUSE[text].value}, so it was not compared"


@st.composite
def any_rules(draw: st.DrawFn) -> RuleSet:
    """Any combination of options that does not contradict itself."""
    values: dict[str, Any] = {}
    for name in draw(st.lists(st.sampled_from(sorted(OPTIONS)), max_size=12, unique=True)):
        item = OPTIONS[name]
        if not item.free_text:
            values[name] = draw(st.sampled_from(item.values))
    if values.get("joker") == "reverse":
        values["jokers"] = values.get("jokers") or 2
    elif values.get("jokers"):
        values["joker"] = "reverse"
    if values.get("deal") == "six-up":
        values["hand-size"] = 3
    try:
        return load(draw(st.sampled_from(["classic", "palace", "hostel"]))).change(values)
    except RuleError:
        return load("hostel")


@settings(max_examples=60, deadline=None)
@given(rules=any_rules(), seed=st.integers(0, 10_000))
def test_any_combination_of_options_agrees(rules: RuleSet, seed: int) -> None:
    lockstep(rules, 2 + seed % (min(4, rules.max_players) - 1), seed, 120)
