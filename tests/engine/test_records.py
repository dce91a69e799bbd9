"""Records: what was written comes back, and no damage goes unnoticed or takes more with it than it must."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import records
from engine.records import Record, RecordError, load, salvage

HEADER: dict[str, object] = {
    "rules": {"name": "hostel", "hand_size": 5},
    "players": ["Ann", "Zoë"],
    "deck": {"decks": 1},
}
EVENTS: list[dict[str, object]] = [
    {"event": "laid", "cards": ["7H"], "source": "camera", "confidence": 0.93},
    {"event": "gone"},
    {"event": "laid", "cards": [{"6H": 0.7, "9H": 0.3}], "seat": "Zoë", "source": "camera", "confidence": 0.5},
]


def write(path: Path, events: list[dict[str, object]] = EVENTS) -> bytes:
    with Record.create(path, HEADER) as record:
        for event in events:
            record.append(event)
    return path.read_bytes()


def test_what_was_written_comes_back(tmp_path: Path) -> None:
    write(tmp_path / "game.jsonl")
    loaded = load(tmp_path / "game.jsonl")
    assert loaded.header == HEADER
    assert loaded.problems == ()
    assert [line.seq for line in loaded.events] == [1, 2, 3]
    assert [(line.source, line.confidence) for line in loaded.events] == [
        ("camera", 0.93),
        ("person", 1.0),
        ("camera", 0.5),
    ]
    assert loaded.events[2].event == {"event": "laid", "cards": [{"6H": 0.7, "9H": 0.3}], "seat": "Zoë"}
    assert all(line.time.endswith("Z") for line in loaded.events)


def test_an_event_is_on_the_disk_before_it_is_acknowledged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    synced: list[int] = []

    def fsync(handle: int) -> None:
        synced.append(os.fstat(handle).st_size)

    with Record.create(path, HEADER) as record:
        monkeypatch.setattr(os, "fsync", fsync)
        record.append(EVENTS[0])
    assert synced == [path.stat().st_size]


def test_cut_at_every_byte_it_loads_to_the_last_whole_event_and_goes_on(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole.jsonl")
    ends = [index + 1 for index, byte in enumerate(whole) if byte == ord("\n")]
    path = tmp_path / "cut.jsonl"
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        if cut < ends[0] - 1:
            with pytest.raises(RecordError) as caught:
                load(path)
            assert (caught.value.code, caught.value.line) == ("record-header", 1)
            continue
        loaded = load(path)
        # A line that lacks only its line break is whole.
        count = sum(end - 1 <= cut for end in ends) - 1
        assert [line.seq for line in loaded.events] == list(range(1, count + 1))
        clean = any(cut in (end, end - 1) for end in ends)
        assert [problem.code for problem in loaded.problems] == ([] if clean else ["record-cut"])
        if not clean:
            assert loaded.problems[0].line == count + 2
            assert f"event {count + 1} is missing" in loaded.problems[0].words
        with Record.open(path) as record:
            assert record.append({"event": "show"}) == count + 1
        again = load(path)
        assert again.problems == ()
        assert again.events[-1].event == {"event": "show"}


def test_every_flipped_byte_is_named_by_its_line(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole.jsonl")
    path = tmp_path / "flipped.jsonl"
    for index in range(len(whole)):
        line = whole[:index].count(b"\n") + 1
        for flip in (0x01, 0x20, 0x80):
            damaged = bytearray(whole)
            damaged[index] ^= flip
            path.write_bytes(damaged)
            try:
                loaded = load(path)
            except RecordError as error:
                named = error.line
                assert named == line == 1, "only a damaged first line may leave nothing to load"
                continue
            assert loaded.problems, f"byte {index} flipped by {flip:#x} went unnoticed"
            assert loaded.problems[0].line == line
            assert [event.seq for event in loaded.events] == list(range(1, max(1, line - 1)))
            # What comes after the damaged line is sound, and kept; a broken line break takes two lines with it.
            reach = line + (damaged[index] != whole[index] and whole[index] == ord("\n"))
            assert [event.seq for event in loaded.later] == [seq for seq in (1, 2, 3) if seq + 1 > reach]


@pytest.mark.parametrize("gone", [1, 2])
def test_a_missing_line_is_noticed(tmp_path: Path, gone: int) -> None:
    lines = write(tmp_path / "game.jsonl").splitlines(keepends=True)
    del lines[gone]
    (tmp_path / "game.jsonl").write_bytes(b"".join(lines))
    loaded = load(tmp_path / "game.jsonl")
    assert loaded.problems[0].code == "record-missing"
    assert loaded.problems[0].line == gone + 1
    assert f"event {gone} is missing" in loaded.problems[0].words
    assert len(loaded.events) == gone - 1
    assert len(loaded.later) == 3 - gone


def test_swapped_lines_are_noticed(tmp_path: Path) -> None:
    lines = write(tmp_path / "game.jsonl").splitlines(keepends=True)
    lines[1], lines[2] = lines[2], lines[1]
    (tmp_path / "game.jsonl").write_bytes(b"".join(lines))
    assert load(tmp_path / "game.jsonl").problems


def test_a_later_version_is_refused_clearly(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text('{"record":7,"rules":{}}\n')
    with pytest.raises(RecordError, match=r"version 7.*up to version 1.*update") as caught:
        load(path)
    assert caught.value.code == "record-version"


@pytest.mark.parametrize("text", ["", "\n", "hello\n", "[1]\n", '{"record":true}\n', '{"players":[]}\n', "[" * 5000])
def test_what_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(text)
    with pytest.raises(RecordError) as caught:
        load(path)
    assert caught.value.code == "record-header"


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be opened") as caught:
        load(tmp_path / "none.jsonl")
    assert caught.value.code == "record-unreadable"
    with pytest.raises(RecordError):
        Record.open(tmp_path / "none.jsonl")


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    before = write(tmp_path / "game.jsonl")
    with pytest.raises(RecordError) as caught:
        Record.create(tmp_path / "game.jsonl", HEADER)
    assert caught.value.code == "record-exists"
    assert (tmp_path / "game.jsonl").read_bytes() == before


def test_a_second_writer_is_refused_and_a_reader_is_not(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with Record.create(path, HEADER) as record:
        record.append(EVENTS[0])
        with pytest.raises(RecordError, match="another Pilewatch") as caught:
            Record.open(path)
        assert caught.value.code == "record-locked"
        assert len(load(path).events) == 1
        record.append(EVENTS[1])
    with Record.open(path) as record:
        assert record.seq == 2
        assert record.append(EVENTS[2]) == 3


def _try_to_open(path: str) -> str:
    try:
        Record.open(path).close()
    except RecordError as error:
        return error.code
    return "opened"


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with Record.create(path, HEADER), multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_try_to_open, (str(path),)) == "record-locked"


class FullDisk:
    """A file on a disk that has room for ``room`` more bytes."""

    def __init__(self, file: object, room: int) -> None:
        self.file, self.room = file, room

    def __getattr__(self, name: str) -> object:
        return getattr(self.file, name)

    def write(self, data: bytes) -> int:
        if self.room <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        part = bytes(data)[: self.room]
        self.room -= len(part)
        write: Callable[[bytes], int] = self.file.write  # type: ignore[attr-defined]
        return write(part)


@pytest.mark.parametrize("room", [0, 1, 40, 100])
def test_a_full_disk_is_a_clear_error_and_the_file_stays_loadable(tmp_path: Path, room: int) -> None:
    path = tmp_path / "game.jsonl"
    record = Record.create(path, HEADER)
    record.append(EVENTS[0])
    file = record._file
    record._file = FullDisk(file, room)  # type: ignore[assignment]
    with pytest.raises(RecordError, match="disk is full") as caught:
        record.append(EVENTS[1])
    assert caught.value.code == "record-not-written"
    assert load(path).problems == ()
    assert len(load(path).events) == 1
    record._file = file
    assert record.append(EVENTS[1]) == 2  # there is room again: the same event goes in as the next
    record.close()
    assert [line.seq for line in load(path).events] == [1, 2]


@pytest.mark.parametrize(
    "event",
    [
        {"event": "laid", "source": "ghost"},
        {"event": "laid", "confidence": 1.5},
        {"event": "laid", "confidence": "high"},
        {"event": "laid", "cards": {1, 2}},
        {"event": "laid", "cards": float("nan")},
        {"event": "laid", "cards": "7" * records.MAX_LINE},
    ],
)
def test_what_cannot_be_written_is_refused_and_leaves_no_trace(tmp_path: Path, event: dict[str, object]) -> None:
    with Record.create(tmp_path / "game.jsonl", HEADER) as record:
        with pytest.raises(RecordError) as caught:
            record.append(event)
        assert caught.value.code == "record-event"
        assert record.append(EVENTS[0]) == 1
    assert load(tmp_path / "game.jsonl").problems == ()


def test_a_damaged_record_is_not_continued_but_salvaged(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(write(tmp_path / "whole.jsonl").replace(b'"gone"', b'"gene"'))
    with pytest.raises(RecordError, match="line 3") as caught:
        Record.open(path)
    assert (caught.value.code, caught.value.line) == ("record-damaged", 3)
    with salvage(path, tmp_path / "copy.jsonl") as record:
        assert record.append({"event": "show"}) == 2
    copy, original = load(tmp_path / "copy.jsonl"), load(tmp_path / "whole.jsonl")
    assert copy.problems == ()
    assert copy.events[0] == original.events[0]


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=10,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(TEXT.filter(lambda key: key not in ("source", "confidence")), JSON, max_size=4))
def test_any_event_comes_back_as_it_was(tmp_path: Path, event: dict[str, object]) -> None:
    path = tmp_path / "any.jsonl"
    path.unlink(missing_ok=True)
    with Record.create(path, HEADER) as record:
        record.append(event)
    loaded = load(path)
    assert loaded.problems == ()
    assert loaded.events[0].event == json.loads(json.dumps(event))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=400), st.integers(0, 600), st.integers(0, 40))
def test_rubbish_anywhere_never_crashes_the_loader(tmp_path: Path, rubbish: bytes, at: int, over: int) -> None:
    whole_path = tmp_path / "whole.jsonl"
    whole = whole_path.read_bytes() if whole_path.exists() else write(whole_path)
    path = tmp_path / "rubbish.jsonl"
    at = min(at, len(whole))
    path.write_bytes(whole[:at] + rubbish + whole[at + over :])
    try:
        loaded = load(path)
    except RecordError:
        return
    sound = load(whole_path).events
    assert loaded.events == sound[: len(loaded.events)]


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"], ids=["plain", "with a mark"])
def test_an_editors_own_line_ends_damage_nothing(start: bytes, tmp_path: Path) -> None:
    """And what is written on stays whole."""
    path = tmp_path / "game.jsonl"
    data = write(path)
    path.write_bytes(start + data.replace(b"\n", b"\r\n"))
    assert (load(path).problems, len(load(path).events)) == ((), len(EVENTS))
    path.write_bytes(path.read_bytes()[:-1])  # cut within the last line's end
    assert (load(path).problems, len(load(path).events)) == ((), len(EVENTS))
    with Record.open(path) as record:
        record.append({"event": "gone"})
    again = load(path)
    assert (again.problems, len(again.events)) == ((), len(EVENTS) + 1)
