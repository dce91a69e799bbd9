"""Whole games under any rules, told badly: with sets squared, cards blurred, suits unread, seats unseen."""

from __future__ import annotations

from random import Random

import pytest

from engine.shithead.rules import RuleSet
from tests.engine.adversary import MODES, babble, random_rules, same_game

SEEDS = (1, 2, 3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("mode", MODES)
def test_a_referee_of_any_rules_comes_to_the_same_game(mode: str, seed: int) -> None:
    random = Random(f"{mode} {seed}")
    rules = random_rules(random)
    same_game(mode, rules, random.randint(2, min(5, rules.max_players)), seed, most=110)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_referee_that_is_told_rubbish_keeps_every_card(seed: int) -> None:
    random = Random(f"babble {seed}")
    rules = random_rules(random)
    babble("babble", rules, random.randint(2, min(4, rules.max_players)), seed, most=16)


@pytest.mark.parametrize(
    ("mode", "rules", "players", "seed"),
    [("squared", "palace jokers=2 six=resets nine=invisible jack=under joker=reverse after-pick-up=picker", 5, 5016)],
)
def test_games_that_once_went_wrong(mode: str, rules: str, players: int, seed: int) -> None:
    same_game(mode, RuleSet.parse(rules), players, seed)
