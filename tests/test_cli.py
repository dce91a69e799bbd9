"""The command line as a whole: every command has help, wrong words get a sentence."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from companion.cli import COMMANDS, main

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_exists_and_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = importlib.import_module(f"companion.commands.{command}")
    assert callable(module.run)
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert COMMANDS[command].capitalize() in re.sub(r"\s+", " ", capsys.readouterr().out)


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    missing = [command for command in COMMANDS if f"pilewatch {command}" not in readme]
    assert not missing


def test_an_unknown_command_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["raed", "photo.jpg"])
    assert stop.value.code == 2
    assert "read" in capsys.readouterr().err
