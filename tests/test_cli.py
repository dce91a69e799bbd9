"""The command line as a whole: every command has help, wrong words get a sentence."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.cli import COMMANDS, main
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_exists_and_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = importlib.import_module(f"companion.commands.{command}")
    assert callable(module.run)
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert COMMANDS[command][1:] in re.sub(r"\s+", " ", capsys.readouterr().out)


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    missing = [command for command in COMMANDS if f"pilewatch {command}" not in readme]
    assert not missing


def test_an_unknown_command_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["raed", "photo.jpg"])
    assert stop.value.code == 2
    assert "read" in capsys.readouterr().err


def started(*arguments: str | bytes, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion.cli", *arguments]
    return subprocess.run(command, stderr=subprocess.PIPE, encoding="utf-8", timeout=PATIENCE, check=False, **options)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [("rules",), ("rules", "--json"), ("simulate", "--games", "1")])
def test_a_full_disk_behind_the_output_is_one_sentence(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        ended = started(*arguments, stdout=full)
    assert ended.returncode == 1
    assert ended.stderr.strip().endswith("[write-failed]")
    assert len(ended.stderr.strip().splitlines()) == 1


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are text there")
@pytest.mark.parametrize("encoding", ["utf-8:strict", "ascii", "cp1252"])
def test_a_file_name_that_is_no_text_can_still_be_printed(encoding: str, tmp_path: Path) -> None:
    assert main(["simulate", "--games", "1", "--players", "2", "--write", str(tmp_path)]) == 0
    odd = os.fsencode(tmp_path) + b"/caf\xe9\xff.jsonl"
    next(tmp_path.glob("*.jsonl")).rename(os.fsdecode(odd))
    ended = started("stats", odd, stdout=subprocess.PIPE, env={**os.environ, "PYTHONIOENCODING": encoding})
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "caf" in ended.stdout


def test_whatever_the_referee_echoes_is_utf_8() -> None:
    event = '{"event": "show", "id": "caf\\u00e9 \\ud800"}\n'
    ended = started("referee", "--players", "Ann,Ben", input=event, stdout=subprocess.PIPE)
    assert json.loads(ended.stdout)["id"] == "caf\u00e9 \ud800"


def test_no_threads_are_refused_before_a_deck_is_learned(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", "learn", "photo.jpg", "--name", "mine", "--threads", "0"]) == 1
    assert "[bad-threads]" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["rules", "read"])
def test_ctrl_c_while_a_command_is_loaded_is_no_traceback(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib, "import_module", interrupted)
    assert main([command, "x"]) == 130


@pytest.mark.parametrize(
    "command",
    [
        *("watch --headless {}", "run --source {}", "check {}", "read {}.jpg", "read x.jpg --weights {}"),
        *("replay {}", "stats {}", "render --out {}", "evaluate games {}", "watch x.mp4 --record {}"),
    ],
)
def test_a_name_that_is_too_long_is_told(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([part.format("n" * 300) for part in command.split()]) == 1
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert "too long" in told


def test_a_film_that_cannot_be_made_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenario = tmp_path / "scenario.toml"
    scenario.write_bytes(b"\xff\xfe")
    out = ["--out", str(tmp_path / "out")]
    wrong = {"seed": [*out, "--seed", "-5"], "scenario-unreadable": [*out, "--scenario", str(scenario)]}
    if sys.platform not in ("win32", "darwin"):
        wrong["out"] = ["--out", str(tmp_path / "out\udcff")]
    for code, options in wrong.items():
        assert main(["render", *options]) == 1
        assert capsys.readouterr().err.endswith(f"[{code}]\n")


@pytest.mark.parametrize("truth", [b"", b"nothing of the kind\n"])
def test_a_truth_that_is_no_record_is_told(truth: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "truth.jsonl").write_bytes(truth)
    (tmp_path / "game.mp4").write_bytes(b"")
    assert main(["evaluate", "games", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert (len(told.splitlines()), told[-16:]) == (1, "[record-header]\n")
