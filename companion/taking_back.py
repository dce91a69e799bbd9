"""What can be taken back at one tap, and what was just taken back and can be put back.

It goes by the plays as people see them, one after the other as they stand now, not by the numbers in the record: a play
that was added later stands where it belongs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.entries import LogEntry
from engine.log import counting
from engine.shithead.events import Back, Correct, Undo
from engine.shithead.game import Game


def last_play(game: Game, log: Sequence[LogEntry]) -> LogEntry | None:
    """The entry of the play that stands last; what was only evidence is none."""
    plays = _plays(log)
    return next((plays[entry.seq] for entry in reversed(game.line) if entry.seq in plays), None)


def undo_offer(game: Game, log: Sequence[LogEntry]) -> dict[str, Any] | None:
    """How the last play, and it alone, is taken back: with the event ``back`` to ``to``. What the camera saw just
    before the play stays, what it saw of its consequences goes. None where nothing was played."""
    last = last_play(game, log)
    if last is None:
        return None
    numbers = [entry.seq for entry in game.line]
    at = numbers.index(last["seq"])
    return {"seq": last["seq"], "to": numbers[at - 1] if at else 0, "event": _shown(last), "seat": _seat(last)}


def redo_offer(game: Game, log: Sequence[LogEntry]) -> dict[str, Any] | None:
    """How what was just taken back is put back: with the event ``undo`` to ``to``; ``count`` plays come back, ``event``
    is the last of them. None where the last thing that happened took nothing back."""
    numbers = {entry["seq"] for entry in log if not entry["evidence"]}
    edit = next((entry for entry in reversed(game.log) if entry.seq in numbers), None)
    if edit is None or not _takes(edit.event):
        return None
    here = {entry.seq for entry in game.line}
    plays = _plays(log)
    before = counting(tuple(entry for entry in game.log if entry.seq < edit.seq))
    gone = [plays[entry.seq] for entry in before if entry.seq not in here and entry.seq in plays]
    if not gone:
        return None
    return {"to": edit.seq - 1, "count": len(gone), "event": _shown(gone[-1]), "seat": _seat(gone[-1])}


def _takes(event: object) -> bool:
    return isinstance(event, Undo | Back) or (isinstance(event, Correct) and event.event is None)


def _plays(log: Sequence[LogEntry]) -> dict[int, LogEntry]:
    return {entry["seq"]: entry for entry in log if not entry["evidence"]}


def _shown(entry: LogEntry) -> Mapping[str, Any]:
    """The event as the list of plays shows it."""
    event: Mapping[str, Any] = entry.get("now") or entry["event"]
    added: Mapping[str, Any] = event["with"] if event["event"] == "insert" else event
    return added


def _seat(entry: LogEntry) -> int | None:
    return None if entry.get("now") else entry["seat"]
