"""A game's log: all that was ever said, and the line of events that counts after corrections.

Nothing in a log is edited in place. A correction is an entry like any other; the line is what it leaves of the entries
before it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.events import EDITS, Answer, Back, Correct, Event, Insert, Source, Undo


class EditError(ValueError):
    """A correction of something that is not there. ``code`` and ``parameters`` are those of ``words.ERRORS``."""

    def __init__(self, code: str, **parameters: object) -> None:
        super().__init__(code)
        self.code = code
        self.parameters = parameters


class Entry(NamedTuple):
    """An event with its number; ``insisted``: a person has corrected or added it: that beats what is known."""

    seq: int
    event: Event
    insisted: bool = False


def question_seq(question: str) -> int:
    """The number of the event that a question is about; -1 for what is no question's id."""
    return int(question[1:]) if question[:1] == "q" and question[1:].isascii() and question[1:].isdecimal() else -1


def edited(log: tuple[Entry, ...], line: tuple[Entry, ...], entry: Entry) -> tuple[Entry, ...]:
    """The line after an event about events. Raises EditError."""
    event = entry.event
    if isinstance(event, Undo):
        if event.to > (log[-1].seq if log else 0):
            raise EditError("unknown-seq", seq=event.to)
        return counting(tuple(one for one in log if one.seq <= event.to))
    if isinstance(event, Back):
        return line[: _find(line, event.to) + 1] if event.to else ()
    if isinstance(event, Insert):
        if event.before == entry.seq:
            return (*line, Entry(entry.seq, event.event, True))
        index = _find(line, event.before)
        return (*line[:index], Entry(entry.seq, event.event, True), *line[index:])
    new: Event | None
    if isinstance(event, Answer) and isinstance(event.choice, Event):
        seq, new = question_seq(event.question), event.choice
    elif isinstance(event, Correct):
        seq, new = event.seq, event.event
    else:
        raise EditError("unknown-choice", question=getattr(event, "question", ""), choice=getattr(event, "choice", ""))
    index = _find(line, seq)
    if new is None:
        return (*line[:index], *line[index + 1 :])
    at = line[index].event.at if new.at is None else new.at
    return (*line[:index], Entry(seq, replace(new, at=at, source=Source.PERSON), True), *line[index + 1 :])


def _find(line: tuple[Entry, ...], seq: int) -> int:
    for index, entry in enumerate(line):
        if entry.seq == seq:
            return index
    raise EditError("unknown-seq", seq=seq)


def counting(log: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """What counts of a log."""
    line: tuple[Entry, ...] = ()
    for entry in standing(log):
        if not isinstance(entry.event, Undo):
            line = edited(log, line, entry) if isinstance(entry.event, EDITS) else (*line, entry)
    return line


def standing(log: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries that no Undo has taken out, in order. Read from the end: a later Undo decides about the earlier ones
    too, and a hundred that take each other back cost no more than one."""
    left: list[Entry] = []
    to = log[-1].seq if log else 0
    for entry in reversed(log):
        if entry.seq <= to:
            left.append(entry)
            to = entry.event.to if isinstance(entry.event, Undo) else to
    return tuple(reversed(left))
