"""Game records: one file per game, one JSON object a line, only ever appended to.

The first line is the header (version, rule set in full, players, deck), every other line one event::

    {"record":1,"rules":{...},"players":["Ann","Ben"],"deck":{...},"sum":"5f1d..."}
    {"seq":1,"time":"2026-03-01T20:15:04.120Z","source":"camera","confidence":0.98,"event":{...},"sum":"09ac..."}

``sum`` closes a line: 8 hexadecimal digits that check the line itself (the beginning of the SHA-256 of its bytes up to
``,"sum"``) and 8 that chain it to the line before (of that line's ``sum`` and the same bytes). So a changed line, a
missing one and a swapped one are told apart, and named. A line is on the disk (``fsync``) before
:meth:`Record.append` returns; a file that was cut at any byte loads up to its last whole event. The file is described
for other programs in ``docs/records.md``.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import hashlib
import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

VERSION: Final = 1
"""The version that this module writes, and the latest that it reads."""
MAX_LINE: Final = 1 << 20
"""Bytes. Nothing that a game says is nearly this long, so a longer line is damage and is not read into memory whole."""
_SUM: Final = re.compile(rb',"sum":"([0-9a-f]{16})"\}$')
_TAIL: Final = len(',"sum":"0123456789abcdef"}')
_SOURCES: Final = ("camera", "person", "engine")


class RecordError(Exception):
    """A record that cannot be read or written; ``code`` is stable, ``line`` the line at fault (1 first) or None."""

    def __init__(self, code: str, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.line = line


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """One line of a record. ``time`` is the wall clock, a label only: ``seq``, counted from 1, is the order."""

    seq: int
    time: str
    source: str
    confidence: float
    event: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a record: a stable ``code``, the ``line`` it concerns (1 first) and English ``words``."""

    code: str
    line: int
    words: str


@dataclass(frozen=True, slots=True)
class LoadedRecord:
    """What a file holds.

    ``events`` are those before the first damage: a game can be folded from them. ``later`` are sound events that come
    after the damage, kept so that nothing is lost. ``problems`` is empty for a sound file.
    """

    header: Mapping[str, object]
    events: tuple[RecordedEvent, ...]
    problems: tuple[Problem, ...] = ()
    later: tuple[RecordedEvent, ...] = ()
    sound_bytes: int = field(default=0, repr=False)
    last_sum: str = field(default="", repr=False)


class Record:
    """A record that is open for appending. Only one writer may have a file open at a time."""

    def __init__(self, path: Path, file: BinaryIO, seq: int, last_sum: str, size: int) -> None:
        """Not for callers: use :meth:`create` or :meth:`open`."""
        self.path = path
        self._file = file
        self._seq = seq
        self._sum = last_sum
        self._size = size

    @classmethod
    def create(cls, path: str | Path, header: Mapping[str, object]) -> Self:
        """Start a record in a new file. Raises RecordError ``record-exists`` (nothing is ever overwritten),
        ``record-locked``, or ``record-not-written``."""
        path = Path(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = path.open("x+b", buffering=0)
        except FileExistsError:
            raise RecordError("record-exists", f"{path} exists already; choose another name for this record") from None
        except OSError as error:
            raise _not_written(path, error) from error
        _lock(file, path)
        record = cls(path, file, 0, "", 0)
        try:
            record._write({"record": VERSION, **{key: value for key, value in header.items() if key != "record"}})
            _sync_folder(path.parent)
        except BaseException:
            file.close()
            path.unlink(missing_ok=True)
            raise
        return record

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open a record to go on with it. A last line that was cut short (its event was never acknowledged) is
        dropped. Raises RecordError: ``record-locked`` when another program writes it, ``record-damaged`` when a line
        before the last is damaged (:func:`salvage` makes a sound copy), and as :func:`load` does."""
        path = Path(path)
        try:
            file = path.open("r+b", buffering=0)
        except OSError as error:
            raise RecordError("record-unreadable", f"{path} cannot be opened: {error.strerror}") from error
        try:
            _lock(file, path)
            loaded = load(path)
            if any(problem.code != "record-cut" for problem in loaded.problems):
                worst = next(problem for problem in loaded.problems if problem.code != "record-cut")
                raise RecordError("record-damaged", f"{path} cannot be continued: {worst.words}", worst.line)
            file.truncate(loaded.sound_bytes)
            file.seek(loaded.sound_bytes - 1)
            record = cls(path, file, len(loaded.events), loaded.last_sum, loaded.sound_bytes)
            if file.read(1) != b"\n":
                record._append_bytes(b"\n")
        except BaseException:
            file.close()
            raise
        return record

    @property
    def seq(self) -> int:
        """The number of the last event, 0 before the first."""
        return self._seq

    def append(self, event: Mapping[str, object], *, time: datetime | None = None) -> int:
        """Write one event and return its number, once it is safe on the disk.

        ``source`` and ``confidence`` are taken out of ``event`` into the line's own fields (``person`` and 1.0 where
        it has none). Raises RecordError ``record-not-written`` (a full disk, say); the file then still ends with the
        event before, and the same event may be appended again later. Raises ``record-event`` for what is not JSON.
        """
        body = {key: value for key, value in event.items() if key not in ("source", "confidence")}
        source = event.get("source", "person")
        confidence = event.get("confidence", 1.0)
        if source not in _SOURCES:
            raise RecordError("record-event", f"source is {source!r}; use one of {', '.join(_SOURCES)}")
        if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
            raise RecordError("record-event", f"confidence is {confidence!r}; use a number from 0 to 1")
        stamp = (time or datetime.now(UTC)).astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {"seq": self._seq + 1, "time": stamp, "source": source, "confidence": round(float(confidence), 4)}
        self._write({**line, "event": body})
        self._seq += 1
        return self._seq

    def close(self) -> None:
        """Close the file and let go of its lock. Closing twice is harmless."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write(self, line: Mapping[str, object]) -> None:
        try:
            text = json.dumps(line, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
            head = text.encode()[:-1]
        except (TypeError, ValueError) as error:
            raise RecordError("record-event", f"this cannot be written as JSON: {error}") from error
        if len(head) + 40 > MAX_LINE:
            raise RecordError("record-event", f"this line would be longer than {MAX_LINE} bytes")
        total = _checksum(self._sum, head)
        self._append_bytes(head + b',"sum":"' + total.encode() + b'"}\n')
        self._sum = total

    def _append_bytes(self, data: bytes) -> None:
        try:
            self._file.seek(self._size)
            view = memoryview(data)
            while view:
                view = view[self._file.write(view) :]
            os.fsync(self._file.fileno())
        except (OSError, ValueError) as error:
            # Half a line must not stay. Where even that fails, the loader drops it, and the next append writes over it.
            with contextlib.suppress(OSError, ValueError):
                self._file.truncate(self._size)
            raise _not_written(self.path, error) from error
        self._size += len(data)


def load(path: str | Path) -> LoadedRecord:
    """Read a record, whatever state the file is in.

    Raises RecordError only where there is nothing to give: ``record-unreadable``, ``record-header`` (no readable
    first line), ``record-version`` (written by a later version). All else is told in ``problems``: ``record-cut`` (the
    last line is not whole), ``record-line`` (a line is damaged), ``record-missing`` (lines are missing before it).
    """
    path = Path(path)
    try:
        if path.exists() and not path.is_file():
            raise RecordError("record-unreadable", f"{path} cannot be opened: it is no file")
        file = path.open("rb")
    except OSError as error:
        raise RecordError("record-unreadable", f"{path} cannot be opened: {error.strerror}") from error
    with file:
        return _Loader(path).load(file)


def salvage(path: str | Path, to: str | Path) -> Record:
    """Copy the header and the events before the first damage into a new record ``to``, open for appending."""
    loaded = load(path)
    record = Record.create(to, {key: value for key, value in loaded.header.items() if key != "sum"})
    for line in loaded.events:
        event = {**line.event, "source": line.source, "confidence": line.confidence}
        record.append(event, time=datetime.fromisoformat(line.time))
    return record


class _Loader:
    """Reads one file, line by line. ``sum`` is that of the line before, None where it cannot be trusted."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.sum: str | None = ""
        self.number = 0
        self.expected = 1
        self.events: list[RecordedEvent] = []
        self.later: list[RecordedEvent] = []
        self.problems: list[Problem] = []

    def load(self, file: BinaryIO) -> LoadedRecord:
        header = self._header(file)
        sound = file.tell()
        last_sum = self.sum or ""
        while raw := _line(file):
            self.number += 1
            event = self._event(raw)
            if event is None:
                continue
            if self.problems:
                self.later.append(event)
            else:
                self.events.append(event)
                sound, last_sum = file.tell(), self.sum or ""
        return LoadedRecord(header, tuple(self.events), tuple(self.problems), tuple(self.later), sound, last_sum)

    def _header(self, file: BinaryIO) -> Mapping[str, object]:
        self.number = 1
        raw = _line(file).removeprefix(codecs.BOM_UTF8)
        value = _object(raw)
        whole, chained = self._check(raw)
        whole = whole and chained
        version = value.get("record") if value else None
        if value is None or not isinstance(version, int) or isinstance(version, bool) or version < 1:
            raise RecordError("record-header", f"{self.path} is no game record, or its first line is damaged", 1)
        if version > VERSION:
            doubt = "" if whole else " (or its first line is damaged: the checksum does not fit either)"
            raise RecordError(
                "record-version",
                f"{self.path} is a record of version {version}{doubt}; this Pilewatch reads up to version {VERSION}: "
                "update Pilewatch",
                1,
            )
        if not whole:
            self._problem("record-line", "line 1 is damaged: players and rules cannot be trusted")
        return {key: item for key, item in value.items() if key not in ("sum", "record")}

    def _event(self, raw: bytes) -> RecordedEvent | None:
        expected = self.expected
        self.expected += 1
        if not raw.endswith(b"\n") and len(raw) < MAX_LINE and _SUM.search(raw) is None:
            self._problem("record-cut", f"line {self.number} is cut short, so event {expected} is missing")
            return None
        value = _object(raw)
        event = _recorded(value) if value else None
        whole, chained = self._check(raw)
        if event is not None and whole and (chained or event.seq != expected):
            if event.seq != expected:
                lost = f"event {expected} is" if event.seq == expected + 1 else f"events from {expected} on are"
                self._problem("record-missing", f"before line {self.number}, {lost} missing")
            self.expected = event.seq + 1
            return event
        self._problem("record-line", f"line {self.number} is damaged, so event {expected} cannot be trusted")
        self.sum = None
        return None

    def _check(self, raw: bytes) -> tuple[bool, bool]:
        """Whether the line is whole in itself, and whether it follows the line before."""
        raw = raw.rstrip(b"\n")
        found = _SUM.search(raw)
        stored = found.group(1).decode() if found else ""
        head = raw[:-_TAIL]
        whole = stored[:8] == _checksum("", head)[:8]
        chained = self.sum is None or stored == _checksum(self.sum, head)
        self.sum = stored if whole and chained else None
        return whole, chained

    def _problem(self, code: str, words: str) -> None:
        whole = "" if self.problems else f"; events before it that are whole: {len(self.events)}"
        self.problems.append(Problem(code, self.number, f"{self.path.name}: {words}{whole}"))


def _line(file: BinaryIO) -> bytes:
    """The next line. An editor may have ended it in its own way, which changes nothing of what it says."""
    raw = file.readline(MAX_LINE)
    return raw[:-2] + b"\n" if raw.endswith(b"\r\n") else raw.removesuffix(b"\r")


def _checksum(before: str, head: bytes) -> str:
    return hashlib.sha256(head).hexdigest()[:8] + hashlib.sha256(before.encode() + head).hexdigest()[:8]


def _object(raw: bytes) -> dict[str, object] | None:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _recorded(value: Mapping[str, object]) -> RecordedEvent | None:
    match value:
        case {
            "seq": int(seq),
            "time": str(time),
            "source": str(source),
            "confidence": float() | int() as confidence,
            "event": dict(event),
        }:
            return RecordedEvent(seq, time, source, float(confidence), event)
    return None


def _not_written(path: Path, error: Exception) -> RecordError:
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        why = "the disk is full; free some space, the game goes on meanwhile"
    else:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return RecordError("record-not-written", f"{path} could not be written: {why}")


def _sync_folder(folder: Path) -> None:
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _lock(file: BinaryIO, path: Path) -> None:
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(1 << 40)  # far behind all that will be written, so that readers are not shut out
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise RecordError(
            "record-locked", f"{path} is being written by another Pilewatch; stop that one or choose another record"
        ) from None
