"""Games for the tests: what a table sees of self-played ones, as the commands that a phone would send."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.shithead import rules, wire
from engine.shithead.bots import BOTS
from engine.shithead.play import apply
from engine.shithead.simulate import PlayedGame, play_game
from engine.shithead.telling import deal_event, events_of

NAMES = ("Ann", "Ben", "Cem")
CARDS = {"Ann": ["3H", "9C", "KD"], "Ben": ["4H", "9D", "KC"], "Cem": ["5H", "9S", "KS"]}
"""A deal in which Ann shows the lowest card."""


def played(rule_set: str = "classic", seed: int = 1) -> PlayedGame:
    """A whole game of three."""
    return play_game(rules.load(rule_set), [BOTS["cautious"]] * len(NAMES), Random(seed))


def commands(game: PlayedGame) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every event of a game as a command's name and fields. Hidden hands are not in them."""
    state = game.deal
    told = [deal_event(state)]
    for move in game.moves:
        after = apply(state, move)
        told.extend(events_of(state, move, after))  # type: ignore[arg-type]
        state = after
    for event in told:
        fields = wire.dump(event, NAMES)
        yield str(fields.pop("event")), fields
