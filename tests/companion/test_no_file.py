"""A pipe or a device where a file is wanted: one sentence with a code, and nobody waits for ever."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main

COMMANDS = {
    "read": ("read {}", "file-unreadable"),
    "read --json": ("read --json {}", "file-unreadable"),
    "replay": ("replay {}", "record-unreadable"),
    "watch --table": ("watch {photos} --headless --table {}", "table"),
    "run --cert": ("run --no-camera --port 0 --cert {}", "certificate"),
    "run --source": ("run --port 0 --source {}", "source"),
    "deck learn --truth": ("deck learn {photos} --name test --truth {}", "truth-unreadable"),
}


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("paths")
    photos = folder / "photos"
    photos.mkdir()
    cv2.imwrite(str(photos / "1.png"), np.full((48, 64, 3), 90, np.uint8))
    os.mkfifo(folder / "pipe.jpg")
    return {"pipe": folder / "pipe.jpg", "photos": photos, "device": Path("/dev/zero")}


@pytest.fixture(autouse=True)
def impatient() -> Iterator[None]:
    """What waits is broken off."""

    def late(*_: object) -> None:
        raise TimeoutError("it waits")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_file_is_refused_at_once(
    command: str, paths: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    line, code = COMMANDS[command]
    for kind in ("pipe", "device"):
        assert main([part.format(paths[kind], photos=paths["photos"]) for part in line.split()]) == 1
        said = capsys.readouterr()
        told = said.out if "--json" in line else said.err
        assert len(told.splitlines()) == 1
        assert code in told


ODD = "two\nlines\x1b[31m\u202e"


@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
@pytest.mark.parametrize(
    ("command", "lines"),
    [
        ("read {}.png", 1),
        ("read {}.jpg", 1),
        ("replay {}.jsonl", 1),
        ("stats {}.jsonl", 2),
        ("deck learn {}.none --name a", 2),
    ],
)
def test_a_name_of_several_lines_is_told_in_one(
    command: str, lines: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not to be taken for what the command itself says, and no cursor is moved by it."""
    cv2.imwrite(str(tmp_path / "a.png"), np.full((48, 64, 3), 90, np.uint8))
    (tmp_path / "a.png").rename(tmp_path / f"{ODD}.png")
    for ending in ("jpg", "jsonl"):
        (tmp_path / f"{ODD}.{ending}").write_text("nothing of the kind\n")
    main([part.format(tmp_path / ODD) for part in command.split()])
    said = capsys.readouterr()
    told = said.out + said.err
    assert len(told.splitlines()) == lines, told
    assert "two\\nlines\\x1b[31m\\u202e" in told
