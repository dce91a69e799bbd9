"""``pilewatch read``: lines, JSON, overlays, and files that are no pictures."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

import models
from companion.cli import main
from companion.commands.read import overlay_path
from tests.vision.painted import lying, paint, reader, table
from vision.reading.reader import Reader


@pytest.fixture(autouse=True)
def _painted_nets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reader, "load", lambda *_, **__: reader())


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    image = table()
    paint(image, "7H", lying(300, 300, 0.4, 90))
    paint(image, "TD", lying(700, 400, 2.0, 90))
    file = tmp_path / "photos" / "two.png"
    file.parent.mkdir()
    cv2.imwrite(str(file), image)
    return file


def test_one_line_a_photo(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(photo)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 1
    assert out[0].startswith(f"{photo}: ")
    assert sorted(out[0].split(": ")[1].split()) == ["7H", "TD"]


def test_json_has_all_that_is_promised(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--json", str(photo)]) == 0
    row = json.loads(capsys.readouterr().out)
    assert list(row) == ["file", "width", "height", "cards", "backs"]
    assert (row["file"], row["width"], row["height"], row["backs"]) == (str(photo), 1280, 720, [])
    assert sorted(card["card"] for card in row["cards"]) == ["7H", "TD"]
    for card in row["cards"]:
        assert list(card) == ["card", "rank", "suit", "score", "rank_score", "suit_score", "outline"]
        assert card["card"] == card["rank"] + card["suit"]
        assert 0.9 < card["score"] <= card["rank_score"] <= 1
        assert card["score"] <= card["suit_score"] <= 1
        assert len(card["outline"]) == 4
        assert all(len(point) == 2 for point in card["outline"])


def test_a_joker_has_no_suit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = table()
    paint(image, "XX", lying(300, 300, 0.4, 90))
    cv2.imwrite(str(tmp_path / "joker.png"), image)
    assert main(["read", "--json", str(tmp_path)]) == 0
    (card,) = json.loads(capsys.readouterr().out)["cards"]
    assert (card["card"], card["rank"], card["suit"], card["suit_score"]) == ("XX", "X", None, None)


def test_a_broken_file_stops_no_other(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = photo.parent / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff\xe0 not a photo")
    missing = photo.parent / "missing.jpg"
    assert main(["read", "--json", str(broken), str(missing), str(photo)]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row.get("error", {}).get("code") for row in rows] == ["image-broken", "file-missing", None]
    assert all(row["error"]["message"].endswith(".") for row in rows[:2])
    assert len(rows[2]["cards"]) == 2
    assert main(["read", str(broken), str(photo)]) == 1
    captured = capsys.readouterr()
    assert "[image-broken]" in captured.err
    assert len(captured.out.splitlines()) == 1


def test_overlays_show_what_was_seen(photo: Path, tmp_path: Path) -> None:
    assert main(["read", str(photo), "--overlay", str(tmp_path / "seen")]) == 0
    drawn = cv2.imread(str(tmp_path / "seen" / "two.jpg"))
    plain = cv2.imread(str(photo))
    assert drawn is not None
    assert plain is not None
    assert drawn.shape == plain.shape
    changed = cv2.absdiff(drawn, plain).max(2) > 60
    assert changed[200:400, 200:400].mean() > 0.02
    assert not changed[0:100, 0:100].any()


def test_overlays_of_equal_names_are_all_kept() -> None:
    files = [Path("a/1.jpg"), Path("b/1.jpg"), Path("b/2.jpg")]
    assert len({overlay_path(Path("out"), file, files) for file in files}) == 3
    assert overlay_path(Path("out"), files[2], files) == Path("out/2.jpg")


def test_a_folder_without_photos(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", str(tmp_path)]) == 1
    assert "[no-photos]" in capsys.readouterr().err


@pytest.mark.usefixtures("photo")
class TestUsage:
    """What can be wrong with the command itself, with the nets that ship."""

    @pytest.fixture(autouse=True)
    def _real(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.undo()
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    @pytest.mark.parametrize(
        ("options", "code"),
        [
            (["--deck", "nobody"], "deck-unknown"),
            (["--deck", "../x"], "deck-name"),
            (["--weights", "none.onnx"], "weights-missing"),
            (["--weights", __file__], "weights-unusable"),
            (["--threads", "0"], "bad-threads"),
        ],
    )
    def test_options(self, options: list[str], code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["read", str(tmp_path / "photos"), *options]) == 1
        assert f"[{code}]" in capsys.readouterr().err

    def test_ultralytics_weights_need_torch(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        weights = tmp_path / "best.pt"
        weights.write_bytes(b"")
        assert main(["read", str(tmp_path / "photos"), "--weights", str(weights)]) == 1
        assert "[torch-missing]" in capsys.readouterr().err

    def test_missing_nets_are_one_sentence(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(models, "FOLDER", tmp_path)
        assert main(["read", str(tmp_path / "photos")]) == 1
        assert "[nets-missing]" in capsys.readouterr().err
