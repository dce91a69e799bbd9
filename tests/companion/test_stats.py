"""``pilewatch stats``: every game is called by what tells it from the others."""

from __future__ import annotations

import pytest

from companion.commands.stats import _short


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["games/ann.jsonl"], ["ann.jsonl"]),
        (["games/ann.jsonl", "games/ben.jsonl"], ["ann.jsonl", "ben.jsonl"]),
        (["games/monday/record.jsonl", "games/tuesday/record.jsonl"], ["monday", "tuesday"]),
        (["a/1/record.jsonl", "b/1/record.jsonl"], ["a/1", "b/1"]),
        (["record.jsonl", "old/record.jsonl", "old/two.jsonl"], ["record.jsonl", "old/record.jsonl", "old/two.jsonl"]),
    ],
)
def test_games_are_told_apart(paths: list[str], names: list[str]) -> None:
    assert _short(paths) == names
