"""Judging labelled photos: which are taken, halves that stay the same, turning, tables and JSON."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from companion.cli import main
from companion.errors import UserError
from datasets import evaluate
from tests.vision.painted import lying, paint, reader, table
from vision.reading.reader import Reader

PHOTOS = {
    "judge/ann+cards/src__easy__1.png": ["7H", "TD"],
    "judge/ann+cards/src__easy__2.png": ["AS"],
    "judge/ann+cards/src__hard__1.png": ["2C", "2D", "XX"],
    "judge/ben+ranks/1.png": ["K"],
    "train/cem+cards/1.png": ["9H"],
}


@pytest.fixture(autouse=True)
def _shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = []
    for path, cards in PHOTOS.items():
        image = table()
        for i, card in enumerate(cards):
            paint(image, card if len(card) > 1 else f"{card}S", lying(300 + 300 * i, 300, 0.5 * i, 90))
        file = tmp_path / "photos" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(file), image)
        rows.append({"path": path, "cards": cards, "all_listed": True})
    (tmp_path / "photos" / "labels.json").write_text(json.dumps(rows))
    monkeypatch.setenv("PILEWATCH_SHARED", str(tmp_path))
    monkeypatch.setattr(Reader, "load", lambda *_, **__: reader())


def test_photos_are_chosen_by_their_path() -> None:
    assert len(evaluate.labelled()) == 4
    assert [photo.group for photo in evaluate.labelled(["hard", "ben"])] == ["ann src/hard", "ben"]
    with pytest.raises(UserError):
        evaluate.labelled(["nobody"])


def test_no_photos_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PILEWATCH_SHARED", str(tmp_path / "nowhere"))
    assert evaluate.main([]) == 1


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_table_and_figures(turn: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.json"
    assert main(["evaluate", "photos", "--turn", str(turn), "--json", str(out)]) == 0
    text = capsys.readouterr().out
    assert "| **ann** | 3 | 6 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 |" in text
    assert "| src/hard | 1 | 3 | 1.000 |" in text
    assert "| **ben** | 1 | 1 | 1.000 | 1.000 |  |  | 1.000 |" in text
    figures = json.loads(out.read_text())
    assert figures["turn"] == turn
    assert figures["rows"][-1]["name"] == "all"
    assert figures["rows"][-1]["rank_recall"] == 1


def test_wrong_photos_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels = tmp_path / "photos" / "labels.json"
    labels.write_text(labels.read_text().replace('"AS"', '"AC"'))
    assert evaluate.main(["--wrong", str(tmp_path / "wrong")]) == 0
    assert [file.name for file in (tmp_path / "wrong").iterdir()] == ["ann-src__easy__2.jpg"]
    monkeypatch.undo()


def test_halves_are_whole_and_stay_the_same() -> None:
    photos = evaluate.labelled(["judge", "train"])
    first, second = evaluate.split(photos)
    assert sorted(p.path for p in (*first, *second)) == sorted(p.path for p in photos)
    assert evaluate.split(list(reversed(photos))) == (first, second)


def test_the_deck_split_compares_with_and_without(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(evaluate, "SPLIT_SETS", ("ann",))
    assert evaluate.main(["--deck-split"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[-2].startswith("| ann, as it is | 3 | 6 | 1.000")
    assert rows[-1].startswith("| ann, learned from the other half | 3 | 6 | 1.000")
