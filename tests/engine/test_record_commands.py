"""``pilewatch replay`` and ``pilewatch stats`` on recorded games, sound and damaged."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.cli import main
from engine.records import Record
from engine.shithead import rules, wire
from engine.shithead.events import Event, Laid, Reading, Stand, Undo
from engine.shithead.game import Game, header
from engine.shithead.referee import rule
from engine.shithead.telling import deal_event, events_of
from tests.engine.referees import NAMES
from tests.engine.selfplay import play


def recorded(path: Path, extra: tuple[Event, ...] = ()) -> Game:
    """A record of a whole hostel game, an event every four seconds."""
    game = Game.start(rules.load("hostel"), NAMES[:4])
    told: list[Event] = []
    for before, move, after in play(game.rules, 4, Random(1)):
        told += [*([] if told else [deal_event(before)]), *events_of(before, move, after)]
    time = datetime(2026, 3, 1, 20, tzinfo=UTC)
    with Record.create(path, header(game)) as record:
        for event in (*told[:10], *extra, *told[10:]):
            time += timedelta(seconds=4)
            game = rule(game, event).game
            record.append(wire.dump(game.log[-1].event, game.players), time=time)
    return game


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any, str]:
    status = main([*arguments])
    said = capsys.readouterr()
    return status, json.loads(said.out) if "--json" in arguments else said.out, said.err


def test_replay_prints_the_moves_and_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = recorded(tmp_path / "game.jsonl")
    outcome = game.state.outcome
    assert outcome is not None
    assert outcome.loser is not None
    status, text, errors = output(capsys, "replay", str(tmp_path / "game.jsonl"))
    assert (status, errors) == (0, "")
    assert len(text.splitlines()) > len(game.line)
    assert f"{game.players[outcome.loser]} lost." in text
    status, end, _ = output(capsys, "replay", "--json", str(tmp_path / "game.jsonl"))
    assert end["outcome"]["loser"] == game.players[outcome.loser]
    assert end["outcome"]["out"] == [game.players[seat] for seat in outcome.out]
    assert (end["turn"], len(end["events"]), end["problems"]) == (None, len(game.line), [])
    assert len(end["pile"]) == game.state.pile.size


def test_replay_tells_moves_and_no_doubts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game as a camera tells it: what was asked, seen again or did nothing is no move."""
    up = {"Ann": ["3H", "9C", "KD"], "Ben": [{"5H": 0.5, "6H": 0.5}, "9D", "KC"]}
    told: list[dict[str, Any]] = [
        {"event": "deal", "upcards": up},
        {"event": "exchange", "seat": "Ben", "upcards": ["5H", "9D", "KC"]},
        {"event": "laid", "cards": ["4C"], "seat": "Ann"},
        {"event": "drawn", "seat": "Ann"},
        {"event": "drawn", "seat": "Ann"},  # a hand at the stock once more
        {"event": "laid", "cards": [{"6C": 0.55, "9S": 0.45}], "seat": "Ben"},
        {"event": "laid", "cards": ["7D"], "seat": "Ann"},  # so it was no 9
        {"event": "laid", "cards": ["TD"], "seat": "Ben"},
        {"event": "gone"},
        {"event": "laid", "cards": ["8D"], "seat": "Ben"},
    ]
    game = Game.start(rules.load("classic"), NAMES[:2])
    with Record.create(tmp_path / "game.jsonl", header(game)) as record:
        for event in told:
            record.append({**event, "source": "camera"})
    _, text, errors = output(capsys, "replay", str(tmp_path / "game.jsonl"))
    assert errors == ""
    lines = [line[6:] for line in text.split("\n\n")[0].splitlines()[1:]]
    assert lines[0].startswith("the cards are dealt")
    assert "in doubt: one upcard of Ben" in lines[0]
    moves = [line.split(" [")[0] for line in lines]
    assert [move for move in moves if " plays " in move and "first" not in move] == [
        "Ann plays 4; it is Ben's turn",
        "Ben plays 6; it is Ann's turn",
        "Ann plays 7; it is Ben's turn",
        "Ben plays 10; 10 burns the pile; Ben again",
        "Ben plays 8; it is Ann's turn",
    ]
    for words in ("please check", "known already", "owed", "nothing", "gone"):
        assert words not in text


def test_replay_of_a_record_that_was_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.jsonl"
    recorded(path)
    path.write_bytes(path.read_bytes()[:-700])
    status, end, errors = output(capsys, "replay", "--json", str(path))
    assert status == 0
    assert end["outcome"] is None
    assert "cut short" in errors


def test_replay_of_a_damaged_record_names_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.jsonl"
    recorded(path)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[20] = lines[20].replace(b'"seq":20', b'"seq":21')
    path.write_bytes(b"".join(lines))
    status, end, errors = output(capsys, "replay", "--json", str(path))
    assert (status, len(end["events"])) == (1, 19)
    assert "line 21 is damaged" in errors
    assert output(capsys, "replay", str(tmp_path / "none.jsonl"))[0] == 1


def test_replay_of_a_record_that_is_all_damage_is_short(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.jsonl"
    recorded(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], *(line.replace(b'"seq"', b'"sep"') for line in lines[1:])]))
    status, _, errors = output(capsys, "replay", "--json", str(path))
    assert status == 1
    assert "line 2 is damaged" in errors
    assert f"{len(lines) - 1 - 3} more lines are damaged" in errors
    assert len(errors.splitlines()) == 4


def test_stats_count_what_happened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = recorded(tmp_path / "plain.jsonl")
    wrong = (Laid(cards=(Reading.of("4?"), Reading.of("9?")), seat=plain.beliefs[10].state.turn), Undo(to=10))
    recorded(tmp_path / "corrected.jsonl", wrong)
    paths = [str(tmp_path / "plain.jsonl"), str(tmp_path / "corrected.jsonl")]
    status, told, _ = output(capsys, "stats", "--json", *paths)
    assert status == 0
    one, other = (told["games"][path] for path in paths)
    assert one["turns"] == plain.state.turns
    assert one["seconds_per_turn"] == 4.0
    assert (one["corrections"], other["corrections"]) == (0, 1)
    for name in ("losers", "turns", "pick_ups", "burns", "longest_pile", "illegal"):
        assert one[name] == other[name]
    total = told["total"]
    assert (total["games"], total["finished"], total["turns"]) == (2, 2, 2 * one["turns"])
    assert total["losers"] == one["losers"] * 2
    assert sum(player["turns"] for player in total["players"].values()) == total["turns"]
    assert "lost" in output(capsys, "stats", *paths)[1]


def test_stats_say_no_pace_where_no_people_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--games", "2", "--write", str(tmp_path / "bots")]) == 0
    recorded(tmp_path / "people.jsonl")
    capsys.readouterr()
    bots = [str(path) for path in sorted((tmp_path / "bots").glob("*.jsonl"))]
    _, told, _ = output(capsys, "stats", "--json", *bots)
    assert told["total"]["seconds_per_turn"] is None
    assert {player["seconds_per_turn"] for player in told["total"]["players"].values()} == {None}
    assert "0.0" not in output(capsys, "stats", *bots)[1]
    _, told, _ = output(capsys, "stats", "--json", *bots, str(tmp_path / "people.jsonl"))
    assert told["total"]["seconds_per_turn"] == 4.0, "the games of people still count, and they alone"


def test_stats_count_an_illegal_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = Game.start(rules.load("classic"), NAMES[:2])
    with Record.create(tmp_path / "game.jsonl", header(game)) as record:
        for card, seat in (("9H", "Ann"), ("4H", "Ben")):
            record.append({"event": "laid", "cards": [card], "seat": seat})
        record.append(wire.dump(Stand(), game.players))
    _, told, _ = output(capsys, "stats", "--json", str(tmp_path / "game.jsonl"))
    (one,) = told["games"].values()
    assert (one["illegal"], one["players"]["Ben"]["illegal"]) == (1, 1)
    assert told["total"]["games"] == 0, "it is not over: it is listed, and not added up"


def test_stats_go_on_past_what_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(tmp_path / "game.jsonl")
    (tmp_path / "other.jsonl").write_text("no record\n")
    paths = [str(tmp_path / "other.jsonl"), str(tmp_path / "game.jsonl")]
    status, told, errors = output(capsys, "stats", "--json", *paths)
    assert (status, told["total"]["games"]) == (1, 1)
    assert "no game record" in errors
    assert main(["stats", paths[0]]) == 1
