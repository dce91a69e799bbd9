"""The data folder: whole files, one server at a time, and ids that never leave it."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import UserError
from companion.storage import DataFolder, default_folder, write_whole
from vision.reading import deck_profile


def test_the_folder_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "pilewatch"


def test_games_and_decks_lie_where_they_always_did(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A new version finds the records and the learned decks of the old ones."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert (default_folder(), deck_profile.folder()) == (tmp_path / "pilewatch", tmp_path / "pilewatch" / "decks")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    kept = {"linux": ".local/share", "darwin": "Library/Application Support"}.get(sys.platform)
    if kept is None:
        pytest.skip("Windows asks its registry, not the environment")
    assert default_folder() == tmp_path / kept / "pilewatch"
    assert deck_profile.folder() == default_folder() / "decks"


def test_a_user_without_a_home_is_told_to_name_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # as it is where nobody knows a home
    with pytest.raises(UserError, match="--data"):
        default_folder()


def test_a_second_server_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path), pytest.raises(UserError, match="another Pilewatch") as refused:
        DataFolder.open(tmp_path)
    assert refused.value.code == "data-in-use"
    DataFolder.open(tmp_path).close()


def test_a_killed_server_leaves_no_lock_behind(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, sys; from companion.storage import DataFolder; "
        "folder = DataFolder.open(pathlib.Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    DataFolder.open(tmp_path).close()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="--data") as refused:
        DataFolder.open(tmp_path / "file" / "below")
    assert refused.value.code == "data-not-writable"


def test_a_full_disk_leaves_the_old_file_whole(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.json", b"old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(OSError, match="large"):
            write_whole(tmp_path / "a.json", b"n" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]
    assert (tmp_path / "a.json").read_bytes() == b"old"


def test_what_is_damaged_reads_as_empty(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    for content in (b"", b"{", b"[1]", b"\xff"):
        (tmp_path / "table.json").write_bytes(content)
        assert folder.read("table.json") == {}
    assert folder.read("missing.json") == {}


def test_of_two_games_of_one_second_the_later_is_newer(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path) as folder:
        moments = [datetime(2026, 3, 1, 20, 15, 0, thousandths * 1000) for thousandths in (0, 9, 10, 255, 256, 999)]
        ids = [folder.new_game(moment) for moment in moments]
        for game in reversed(ids):
            folder.record(game).parent.mkdir(parents=True)
            folder.record(game).touch()
        assert folder.game_ids() == ids[::-1]


def test_games_are_listed_newest_first_and_deleted_whole(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    older = folder.new_game(datetime(2026, 3, 1, 20, 15))
    newer = folder.new_game(datetime(2026, 3, 2, 9, 0))
    for game in (older, newer):
        write_whole(folder.record(game), b"{}\n")
        write_whole(folder.picture(game, "7.jpg"), b"jpeg")
    (folder.games / "not-a-game").mkdir()
    assert folder.game_ids() == [newer, older]
    folder.delete_game(older)
    assert folder.game_ids() == [newer]
    assert not folder.record(older).parent.exists()
    with pytest.raises(KeyError):
        folder.delete_game(older)


@given(st.text(max_size=60) | st.sampled_from(["..", "../table.json", "20260301-201504-abcdef/../..", "/etc/passwd"]))
def test_no_name_leads_out_of_the_folder(name: str) -> None:
    folder = DataFolder(Path("/data"))
    for path_of in (folder.record, lambda name: folder.picture("20260301-201504-abcdef", name)):
        try:
            path = path_of(name)
        except KeyError:
            continue
        assert Path("/data/games") in path.parents
        assert ".." not in path.parts
