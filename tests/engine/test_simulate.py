"""Self-play: the seed decides all, figures add up, and the table that sees only part comes to the same end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from companion.cli import main
from engine.records import load as load_record
from engine.shithead import bench
from engine.shithead.belief import Verdict
from engine.shithead.bots import BOTS, Bot
from engine.shithead.game import Game, replayed
from engine.shithead.play import apply
from engine.shithead.rules import RuleSet, load
from engine.shithead.simulate import Tally, play_game, simulate
from engine.shithead.state import hide
from engine.shithead.telling import table_events


def seats(*names: str) -> Sequence[Bot]:
    return [BOTS[name] for name in names]


@pytest.mark.parametrize("bot", sorted(BOTS))
def test_every_bot_plays_games_to_their_end(bot: str) -> None:
    for game in simulate(load("classic"), seats(bot, bot, bot), 3, seed=2):
        state = game.deal
        for move in game.moves:
            state = apply(state, move)
        assert state == game.end
        assert game.outcome.called or len(game.outcome.out) == 2


def test_the_seed_decides_all() -> None:
    first, again, other = (
        [game.moves for game in simulate(load("hostel"), seats("random", "greedy"), 2, seed)] for seed in (1, 1, 2)
    )
    assert first == again != other


def test_thinking_a_little_beats_playing_anything() -> None:
    bots = seats("random", "cautious", "greedy")
    tally = Tally()
    for game in simulate(load("classic"), bots, 60, seed=3):
        tally.add(game, bots)
    assert tally.lost_by["random"] > 40
    assert tally.called + sum(tally.lost.values()) == tally.games == 60


def test_the_loser_deals_next_or_the_deal_goes_round() -> None:
    games = list(simulate(load("classic"), seats("greedy", "greedy", "greedy"), 6, seed=4))
    for before, after in pairwise(games):
        assert after.deal.dealer == before.outcome.loser
    clockwise = load("classic").change({"deals-next": "clockwise"})
    dealers = [game.deal.dealer for game in simulate(clockwise, seats("greedy", "greedy", "greedy"), 4, seed=4)]
    assert dealers == [0, 1, 2, 0]


@pytest.mark.parametrize("who", ["loser", "winner"])
def test_the_last_games_loser_or_winner_may_play_first(who: str) -> None:
    rules = load("classic").change({"last-game": who})
    games = list(simulate(rules, seats("greedy", "greedy", "greedy"), 4, seed=4))
    for before, after in pairwise(games):
        assert after.deal.starters == (getattr(before.outcome, who),)


@pytest.mark.parametrize(
    "rules",
    ["classic", "palace", "palace+jokers", "palace+six-up", "hostel", "classic four-out-of-turn=yes follow-up=yes"],
)
def test_what_the_table_sees_is_refereed_to_the_same_end(rules: str) -> None:
    chosen = RuleSet.parse(rules)
    played = play_game(chosen, seats("cautious", "greedy", "random"), Random(8))
    game = Game.start(chosen, ("Ann", "Ben", "Cem"))
    for event in table_events(played):
        game = game.with_event(event)
    assert game.state == hide(played.end)


@pytest.mark.parametrize("who", ["loser", "winner"])
def test_who_leads_by_the_last_game_leads_at_the_referees_table_too(who: str, tmp_path: Path) -> None:
    words = ["simulate", "--set", f"last-game={who}", "--players", "3", "--games", "3", "--write", str(tmp_path)]
    assert main(words) == 0
    for path in sorted(tmp_path.iterdir())[1:]:
        loaded = load_record(path)
        game, faults = replayed(loaded)
        assert faults == []
        assert loaded.header["leads"] == game.players[game.state.starters[0]]
        assert all(belief.top.step.verdict is not Verdict.ILLEGAL for belief in game.beliefs)


def test_the_command_plays_counts_and_writes_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "--rules", "palace", "--players", "2", "--games", "2", "--bots", "greedy,cautious"]
    assert main([*words, "--json", "--write", str(tmp_path)]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["games"] == 2
    assert sum(figures["lost"]) + figures["called"] == 2
    records = sorted(tmp_path.iterdir())
    assert len(records) == 2
    for number, path in enumerate(records):
        game, faults = replayed(load_record(path))
        assert faults == []
        outcome = game.state.outcome
        assert outcome is not None
        assert outcome.loser is not None
        assert figures["lost"][outcome.loser] > 0, number


@pytest.mark.parametrize(
    ("words", "because"),
    [
        (["--rules", "hostel", "--players", "5"], "five hands need 56 cards"),
        (["--bots", "clever"], "choose from random, cautious, greedy"),
        (["--games", "0"], "at least one game"),
        (["--players", "1"], "at least two players"),
    ],
)
def test_the_command_says_what_is_wrong(words: list[str], because: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", *words]) == 1
    assert because in capsys.readouterr().err


def test_the_benchmark_measures_and_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "engine", "--seconds", "0.01", "--rounds", "1"]) == 0
    told = capsys.readouterr().out
    assert all(f"shithead {name}" in told for name in ("classic", "palace", "hostel"))
    assert "RLCard UNO" in told
    assert bench.TURNS == 300
