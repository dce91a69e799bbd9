"""From pictures of a table to rulings and a record, with a reader that sees perfectly."""

from __future__ import annotations

import errno
import json
import os
import re
from datetime import datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.commands.watch import _Words
from companion.errors import UserError
from companion.watching import Agreed, Watched, as_json
from datasets.game_truth import GONE, LAID, Play
from datasets.games_aligned import align, plays_of
from engine.records import load
from engine.shithead import wire
from engine.shithead.game import Game
from engine.shithead.referee import Ruling, rule
from engine.shithead.rules import load as load_rules
from engine.shithead.stats import statistics
from tests.vision.tabletop import Cinema, Tabletop
from vision.sources import Frame
from vision.types import Observation, Seen
from vision.watching.feed import Tick
from vision.watching.watcher import Watcher

ROWS = (("3C", "7S", "9D"), ("KC", "2H", "JH"))


def played(watched: Watched) -> Cinema:
    """Seat 0 leads a 4, seat 1 burns it with a 10, leads a 6, and seat 0 picks that up."""
    table = Tabletop()
    table.deal(ROWS)
    cinema = Cinema(table)

    def photo() -> None:
        cinema.number += 9  # photos are far apart: no two are one movement
        for observation in cinema.photo():
            json.dumps(as_json(observation))
            watched.observe(observation)

    photo()
    four = table.lay("3H", 0.1, 0.0, 0.1)
    photo()
    ten = table.lay("TD", 0.3, 0.1, 0.5)
    photo()
    table.take(four, ten)
    photo()
    six = table.lay("6S", 0.0, 0.1, 0.2)
    photo()
    table.take(six)
    photo()
    return cinema


def test_photos_of_a_game_are_refereed_and_recorded(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    watched = Watched(Agreed.read(None, "classic"), path)
    played(watched)
    watched.close()
    assert watched.game is not None
    state = watched.game.state
    assert watched.game.players == ("Player 1", "Player 2")
    assert state.burnt.size == 2
    assert state.pile.size == 0
    assert load(path).events[0].event["event"] == "deal"
    assert not load(path).problems
    with pytest.raises(UserError, match="exists already"):
        Watched(Agreed.read(None, "classic"), path)


def test_a_record_that_cannot_be_written_is_told_before_the_game(tmp_path: Path) -> None:
    agreed = Agreed.read(None, "classic")
    file = tmp_path / "notes.txt"
    file.write_text("no folder")
    for target, words in (
        (tmp_path, "is a folder"),
        (file / "game.jsonl", "cannot be written"),
        (file, "exists already"),
    ):
        with pytest.raises(UserError, match=words):
            Watched(agreed, target)
    Watched(agreed, tmp_path / "new" / "game.jsonl").close()
    assert list(tmp_path.iterdir()) == [file]  # trying leaves nothing behind


def test_a_disk_that_fills_up_ends_the_watching_with_what_was_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    watched = Watched(Agreed.read(None, "classic"), path)
    sync, room = os.fsync, iter(range(4))

    def full(file: int) -> None:
        if next(room, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(file)

    monkeypatch.setattr("engine.records.os.fsync", full)
    with pytest.raises(UserError) as told:
        played(watched)
    watched.close()
    kept = len(load(path).events)
    assert kept
    assert not load(path).problems
    assert told.value.code == "record-not-written"
    assert f"No space left on device); watching ends here, and the {kept} events" in str(told.value)


@pytest.mark.parametrize("timed", [True, False])
def test_a_film_is_recorded_at_its_own_pace(timed: bool, tmp_path: Path) -> None:
    """However fast it is watched; photos have none."""
    path = tmp_path / "game.jsonl"
    watched = Watched(Agreed.read(None, "classic"), path, timed=timed)
    moments: list[float] = []
    tell = watched.observe

    def observe(observation: Observation) -> Ruling | None:
        ruling = tell(observation)
        moments.extend([observation.at] if ruling is not None and ruling.seq is not None else [])
        return ruling

    watched.observe = observe  # type: ignore[method-assign]
    played(watched)
    watched.close()
    times = [datetime.fromisoformat(event.time).timestamp() for event in load(path).events]
    passed = [at - moments[0] if timed else 0.0 for at in moments]
    assert [time - times[0] for time in times] == pytest.approx(passed, abs=0.002)
    assert max(moments) > min(moments) + 10
    assert watched.game is not None
    pace = statistics(watched.game, load(path).events).as_json()["seconds_per_turn"]
    assert isinstance(pace, float) and pace > 5 if timed else pace is None


def test_the_plays_are_laid_beside_the_truth() -> None:
    watched = Watched(Agreed.read(None, "classic"))
    played(watched)
    assert watched.game is not None
    seen = plays_of(watched.game, set())
    truth = [
        Play(LAID, 10, 0, "3"),
        Play(LAID, 20, 1, "T"),
        Play(GONE, 30, None, burnt=True),
        Play(LAID, 40, 1, "6"),
        Play(GONE, 50, 0),
    ]
    at = [Play(play.kind, own.at, play.seat, play.ranks, play.burnt) for play, own in zip(truth, seen, strict=True)]
    assert [judged.verdict for judged in align(at, seen, (0, 1))] == ["right"] * 5
    wrong = [*at[:3], Play(LAID, at[3].at, 1, "9"), at[4]]
    assert [judged.verdict for judged in align(wrong, seen, (0, 1))] == ["right"] * 3 + ["wrong", "right"]
    assert [judged.verdict for judged in align(at, [*seen[:1], *seen[2:]], (0, 1))][1] == "missed"
    assert "invented" in [judged.verdict for judged in align([*at[:1], *at[2:]], seen, (0, 1))]


def test_what_does_not_fit_is_said_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nowhere"):
        Agreed.read(tmp_path / "nowhere.toml", None)
    with pytest.raises(UserError, match="no-such-rules"):
        Agreed.read(None, "no-such-rules")
    with pytest.raises(UserError, match="3 players"):
        Agreed.read(None, "classic", ("Ann", "Ben", "Cem")).for_seats(2)


def test_a_table_that_is_not_saved_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "bare.png"), np.full((240, 320, 3), 90, np.uint8))
    assert main(["watch", str(tmp_path), "--save-table", str(tmp_path / "table.toml")]) == 1
    told = capsys.readouterr().err
    assert "no table was found" in told
    assert not (tmp_path / "table.toml").exists()


BAD_PHOTOS = {"2.jpg": b"no picture", "3.png": b"", "4.jpg": b"\xff\xd8\xff\xe0 cut short", "5.webp": b"RIFF0000WEBP"}


@pytest.mark.parametrize("as_json", [False, True])
def test_each_photo_that_is_left_out_is_named(
    as_json: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """However it is bad, and wherever it stands: before, between and after the good ones."""
    for name in ("1.png", "4a.png"):
        cv2.imwrite(str(tmp_path / name), np.full((240, 320, 3), 90, np.uint8))
    for name, data in {**BAD_PHOTOS, "0.jpg": b"no", "6.jpg": b"no"}.items():
        (tmp_path / name).write_bytes(data)
    assert main(["watch", str(tmp_path), "--headless", *(["--json"] if as_json else [])]) == 1
    out, err = capsys.readouterr()
    if as_json:
        told = [json.loads(line) for line in out.splitlines()]
        bad = {one["file"]: one["error"] for one in told if one["type"] == "error"}
        assert all(set(error) == {"code", "words"} and name in error["words"] for name, error in bad.items())
        assert "".join(one["type"][0] for one in told) == "epeeepeee", "errors, photos, and the end"
        assert err == ""
    else:
        bad = {
            name: line for line in err.splitlines() for name in [*BAD_PHOTOS, "0.jpg", "6.jpg"] if f"/{name}" in line
        }
        assert all(re.search(r" \[[a-z-]+\]$", line) for line in err.splitlines())
    assert sorted(bad) == sorted([*BAD_PHOTOS, "0.jpg", "6.jpg"])
    assert all(name in out for name in ("1.png", "4a.png")), "the good ones are looked at all the same"


def test_what_is_no_news_is_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """A person reads what happened, in words; never a verdict, nor that something is known already."""
    seen: list[Observation] = []

    class Noted(Watched):
        def observe(self, observation: Observation) -> Ruling | None:
            seen.append(observation)
            return super().observe(observation)

    played(Noted(Agreed.read(None, "classic")))
    words, watched = _Words(), Watched(Agreed.read(None, "classic"))
    for observation in seen:
        words.observation(observation, watched)
        if observation.kind is not Seen.LAID:
            words.observation(observation, watched)  # seen once more
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "Player 2 plays 10; 10 burns the pile" in line]
    for line in lines:
        assert not re.search(
            r"  (accepted|nothing|doubtful|illegal|error)$|known already|nothing has|owed|no pile", line
        )


def test_what_a_ruling_says_is_parted(capsys: pytest.CaptureFixture[str]) -> None:
    class Sure(Watched):
        def observe(self, observation: Observation) -> Ruling | None:
            assert observation.kind is Seen.LAID
            game = Game.start(load_rules("classic"), ["Ann", "Ben"])
            return rule(game, wire.parse({"event": "laid", "cards": ["4H"], "seat": "Ann"}, game.players))

    _Words().observation(Observation(Seen.LAID, 75.0, 9), Sure(Agreed.read(None, "classic")))
    assert capsys.readouterr().out == "1:15.0  Ann plays first; Ann plays 4; it is Ben's turn\n"


def test_times_of_a_camera_count_from_its_first_picture(capsys: pytest.CaptureFixture[str]) -> None:
    """Its own clock may have begun with the machine. That it is lost is said once, with the reason."""
    words, watched = _Words(live=True), Watched(Agreed.read(None, "classic"))
    watcher = Watcher(Tabletop())
    image = np.zeros((8, 8, 3), np.uint8)
    lost, back = (Observation(Seen.CAMERA, at, 9, present=at > 87690) for at in (87675.5, 87695.5))
    words.tick(Tick(Frame(image, 87600.0, 0), ()), watcher)
    words.tick(Tick(None, (), lost=True, words="the camera is lost (silent)"), watcher)
    words.observation(lost, watched)
    words.observation(back, watched)
    assert capsys.readouterr().out.splitlines() == ["the camera is lost (silent)", "1:35.5  The camera is back."]


def test_a_check_names_the_fault_of_a_photo_and_no_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "none.jpg").write_bytes(b"")
    assert main(["check", str(tmp_path / "none.jpg")]) == 1
    assert "none.jpg is empty" in capsys.readouterr().err
    monkeypatch.setattr("companion.commands.check._picture", lambda _: Frame(np.zeros((240, 320, 3), np.uint8), 0.0, 0))
    main(["check", "--json", "http://ann:secret@kitchen.example/video"])
    assert json.loads(capsys.readouterr().out)["source"] == "http://kitchen.example/video"
