"""The strongest test: a referee that never sees a hand comes to the same result as the game that knows every card."""

from __future__ import annotations

from random import Random

import pytest

from engine.shithead.belief import Verdict
from engine.shithead.game import Game
from engine.shithead.referee import rule
from engine.shithead.rules import load
from engine.shithead.state import State, hide
from engine.shithead.telling import deal_event, events_of
from tests.engine.selfplay import play

MIXES: list[tuple[str, int, dict[str, object]]] = [
    ("classic", 2, {}),
    ("classic", 5, {}),
    ("palace", 3, {}),
    ("palace", 4, {"seven": "at-most", "nine": "reverse"}),
    ("palace+jokers", 6, {}),
    ("palace+six-up+winner", 3, {}),
    ("hostel", 2, {}),
    ("hostel", 4, {}),
    ("hostel", 3, {"decks": 2, "jack": "skip", "joker": "reverse", "jokers": 1, "acting": "free"}),
    ("classic", 4, {"flip-stock": True, "four-out-of-turn": True}),
    ("hostel", 3, {"follow-up": True}),
    ("classic", 3, {"ace": "shooting", "five": "at-most", "eight": "invisible", "voluntary-pick-up": False}),
]


def same_table(seen: State, full: State) -> None:
    """The partial state says nothing but what is so in the full one."""
    assert (seen.phase, seen.turn, seen.direction, seen.lead, seen.out) == (
        full.phase,
        full.turn,
        full.direction,
        full.lead,
        full.out,
    )
    assert [card.rank for card in seen.pile.known] == [card.rank for card in full.pile.known]
    assert (seen.burnt.size, seen.stock.size) == (full.burnt.size, full.stock.size)
    assert seen.answer == full.answer
    assert seen.outcome == full.outcome
    for mine, true in zip(seen.players, hide(full).players, strict=True):
        assert (mine.hand.size, mine.up.size, mine.down.size) == (true.hand.size, true.up.size, true.down.size)
        assert sorted(card.rank for card in mine.up.known) == sorted(card.rank for card in true.up.known)
    assert seen.faults() == []


def known_hands_are_true(seen: State, full: State) -> None:
    for mine, true in zip(seen.players, full.players, strict=True):
        hand = list(true.hand.known)
        for card in mine.hand.known:
            match = next((one for one in hand if one.matches(card)), None)
            assert match is not None, f"{card} is believed to be in {true.hand}"
            hand.remove(match)


@pytest.mark.parametrize(("name", "players", "options"), MIXES, ids=[f"{n}-{p}-{len(o)}" for n, p, o in MIXES])
@pytest.mark.parametrize(
    ("seats", "suits"), [(True, True), (False, True), (True, False)], ids=["told", "seen", "ranks"]
)
def test_same_result(name: str, players: int, options: dict[str, object], seats: bool, suits: bool) -> None:
    rules = load(name).change(options)
    if not seats and (rules.follow_up or rules.four_out_of_turn):
        seats = True  # where people play out of turn, somebody must say who it was
    for seed in range(2):
        random = Random(f"{name} {players} {seed}")
        game: Game | None = None
        for before, move, after in play(rules, players, random):
            if game is None:
                game = Game.start(rules, [f"P{seat}" for seat in range(players)])
                game = rule(game, deal_event(before)).game
            for event in events_of(before, move, after, seats=seats, suits=suits):
                ruling = rule(game, event)
                assert ruling.verdict in (Verdict.ACCEPTED, Verdict.NOTHING), (move, ruling.messages)
                game = ruling.game
            same_table(game.state, after)
            if suits:
                known_hands_are_true(game.state, after)
