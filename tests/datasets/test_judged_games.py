"""The games that figures are told of: what they must cover, and that no net has seen their decks."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from datasets import judged_games
from datasets.decks import ROOT
from datasets.judged_games import FIRST, GAMES, PRINT, SIX, Made, render
from engine.shithead.rules import load


def test_thirty_games_of_all_rule_sets_and_numbers_of_players_half_in_real_print() -> None:
    assert [game.number for game in GAMES] == list(range(1, 31))
    assert Counter(game.deck == PRINT for game in GAMES) == {True: 15, False: 15}
    assert {game.players for game in GAMES} == {2, 3, 4, 5}
    for rules, number in Counter(game.rules for game in GAMES).items():
        assert number >= 9
        for game in GAMES:
            if game.rules == rules:
                load(rules).check_players(game.players)
    few = [game for game in GAMES if game.number in SIX]
    assert {game.rules for game in few} == {game.rules for game in GAMES}
    assert 2 <= sum(game.deck == PRINT for game in few) <= 4


def test_no_net_has_seen_their_decks() -> None:
    listed = tomllib.loads((ROOT / "datasets" / "decks.toml").read_text())
    decks = {name: deck for part in listed.values() for name, deck in part.items()}
    for game in GAMES:
        if game.deck.startswith("drawn-"):
            assert int(game.deck[-2:]) % 10 == 9  # one drawn deck in ten is held out
        elif game.deck != PRINT:
            assert decks[game.deck]["held_out"]


def test_what_is_rendered_already_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[list[str]] = []

    def pilewatch(arguments: list[str]) -> int:
        told.append(arguments)
        out = Path(arguments[arguments.index("--out") + 1])
        out.mkdir()
        (out / "truth.jsonl").touch()
        return 0

    monkeypatch.setattr(judged_games, "pilewatch", pilewatch)
    game = Made(7, "classic", 2, "lattmann")
    assert render(game, tmp_path) == render(game, tmp_path) == tmp_path / game.name
    assert len(told) == 1
    assert told[0][told[0].index("--seed") + 1] == str(FIRST + 6)
