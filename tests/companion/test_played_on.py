"""A game that was taken for over, because a set was miscounted, and goes on."""

from __future__ import annotations

import pytest

from companion.bridge import PLAYED_ON, heard
from engine.cards import Card
from engine.shithead.game import Game
from engine.shithead.referee import rule
from engine.shithead.state import Phase
from tests.engine.referees import table
from vision.types import Observation, Seen, Sighting


def laid(face: str, seat: int, at: float) -> Observation:
    return Observation(Seen.LAID, at, round(15 * at), (Sighting({Card.parse(face): 1.0}),), seat=seat, seat_score=0.97)


def seen(game: Game, observation: Observation) -> Game:
    event = heard(game, observation)
    return game if event is None else rule(game, event).game


@pytest.fixture
def over() -> Game:
    """Ann lays what was thought to be her last card."""
    game = table("classic", "hand ?1", "hand ?4", pile="5S").referee.game
    game = seen(game, laid("9D", 0, 10.0))
    assert game.state.phase is Phase.OVER
    return game


def test_two_plays_soon_after_the_end_say_that_it_was_none(over: Game) -> None:
    game = seen(over, laid("JD", 1, 12.0))
    game = seen(game, laid("QD", 0, 14.0))
    game = seen(game, laid("KD", 1, 16.0))
    assert game.state.phase is Phase.PLAY
    assert game.state.turn == 0


def test_one_card_that_somebody_tidies_up_does_not(over: Game) -> None:
    assert seen(over, laid("JD", 1, 12.0)).state.phase is Phase.OVER


def test_nor_does_anything_later(over: Game) -> None:
    assert heard(over, laid("JD", 1, 10.0 + PLAYED_ON)) is None
    assert heard(over, Observation(Seen.GONE, 11.0, 165)) is None
