"""``pilewatch stats``: every game is called by what tells it from the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.commands.stats import _short
from companion.library import Library
from companion.storage import DataFolder
from tests.companion.played import commands, played
from tests.companion.tables import dealt, table, tell


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


def test_a_folder_is_counted_as_the_page_counts_it(folder: DataFolder, capsys: pytest.CaptureFixture[str]) -> None:
    """The sample's games and those that were given up are nobody's: page and command leave out the same."""
    session = table(folder)
    for sample in (False, True):
        session.new_game(sample=sample)
        for name, fields in commands(played()):
            tell(session, name, **fields)
    dealt(session)
    tell(session, "laid", cards=["5C"])
    session.close()
    page = Library(folder).statistics()
    assert main(["stats", "--json", str(folder.root)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (page["games"], told["total"]["games"], told["samples"], len(told["games"])) == (1, 1, 1, 2)
    for name in ("losers", "turns", "pick_ups", "burns", "longest_pile"):
        assert told["total"][name] == page[name], name
    for row in page["players"]:
        assert {name: row[name] for name in told["total"]["players"][row["name"]]} == told["total"]["players"][
            row["name"]
        ]
    one = next(folder.games.glob("*/record.jsonl"))
    assert main(["stats", str(folder.games), str(one)]) == 0
    said = capsys.readouterr().out
    assert "1 game of the bundled sample" in said
    assert "not over" in said


def test_a_folder_without_records_is_told_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "has no records in it" in said
    assert said.strip().endswith("[stats-nothing]")
