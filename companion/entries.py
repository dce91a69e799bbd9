"""The log of a game as the screens show it: an entry for every event of the record, and whether it still counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from companion.bridge import is_evidence
from engine.log import standing
from engine.shithead import wire
from engine.shithead.belief import SURE, Verdict
from engine.shithead.events import EDITS, Correct, Drawn, Insert, Source, Upcards
from engine.shithead.game import Game
from engine.shithead.referee import Ruling

LogEntry = dict[str, Any]
"""An entry as ``docs/socket.md`` describes it."""


def log_entry(ruling: Ruling, at: float, picture: str | None) -> LogEntry:
    """The entry for the event that was ruled on last. ``at``: seconds since 1970."""
    game = ruling.game
    told = game.log[-1].event
    taken = ruling.taken or told
    return {
        "seq": ruling.seq,
        "event": wire.dump(replace(told if isinstance(told, EDITS) else taken, id=None), game.players),
        "verdict": ruling.verdict.value,
        "messages": [said.as_json() for said in ruling.messages],
        "seat": getattr(taken, "seat", None),
        "source": told.source.value,
        "confidence": told.confidence,
        "doubtful": ruling.verdict is Verdict.DOUBTFUL or told.confidence < SURE,
        "at": at,
        "state": "valid",
        "evidence": is_evidence(told) or _changed_nothing(ruling),
        "picture": picture,
    }


def _changed_nothing(ruling: Ruling) -> bool:
    """Whether the camera saw upcards, or a hand at the stock, and there was nothing to say of it."""
    told = ruling.game.log[-1].event
    seen = isinstance(told, (Upcards, Drawn)) and told.source is Source.CAMERA
    return seen and ruling.verdict is Verdict.NOTHING and not ruling.messages


def mark(game: Game, log: Iterable[LogEntry]) -> None:
    """Say of every entry whether it still counts: ``valid``, ``corrected``, ``removed`` or ``undone``."""
    counts = {entry.seq: entry.event for entry in game.line}
    left = standing(game.log)
    said = {entry.seq for entry in left}
    removed = {one.event.seq for one in left if isinstance(one.event, Correct) and one.event.event is None}
    told = {entry.seq: entry.event for entry in game.log}
    for entry in log:
        seq = entry["seq"]
        event = told[seq]
        entry.pop("now", None)
        if seq in counts:
            own = event.event if isinstance(event, Insert) else event
            entry["state"] = "valid" if counts[seq] is own else "corrected"
            entry["evidence"] = entry["evidence"] if counts[seq] is own else is_evidence(counts[seq])
            if counts[seq] is not own:
                entry["now"] = wire.dump(replace(counts[seq], id=None), game.players)
        elif isinstance(event, EDITS) and not isinstance(event, Insert):
            entry["state"] = "valid" if seq in said else "undone"
        else:
            entry["state"] = "removed" if seq in removed else "undone"
