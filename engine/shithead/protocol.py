"""The referee for other programs: one JSON event a line in, one JSON answer a line out (``docs/protocol.md``)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO, Final, TextIO

from engine.shithead.belief import Verdict
from engine.shithead.events import Event
from engine.shithead.game import Game
from engine.shithead.referee import Ruling, rule
from engine.shithead.view import question_json, view
from engine.shithead.wire import EventError, dump, parse
from engine.shithead.words import Message, message

VERSION: Final = 1
"""The version of the protocol. It grows only when an older client would misunderstand an answer."""
MAX_LINE: Final = 1 << 16
"""Bytes of one input line. The longest sensible event, three decks with likelihoods for every card, has half of it."""


def answer(ruling: Ruling, sender: str | int | None = None, *, seat: int | None = None) -> dict[str, object]:
    """A ruling as it is sent; ``sender`` is the event's ``id``."""
    game = ruling.game
    return {
        "protocol": VERSION,
        "id": sender,
        "seq": ruling.seq,
        "verdict": ruling.verdict.value,
        "as": None if ruling.taken is None else dump(ruling.taken, game.players),
        "messages": [said.as_json() for said in ruling.messages],
        "question": None if ruling.question is None else question_json(ruling.question, game.players),
        "may": list(ruling.may),
        "view": view(game, seat),
    }


def refused(game: Game, error: Message, sender: str | int | None = None) -> dict[str, object]:
    """The answer to what is no event."""
    return answer(Ruling(Verdict.ERROR, None, (error,), None, (), game, None), sender)


class Referee:
    """One game, told line by line."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def tell(self, line: bytes | str) -> dict[str, object]:
        """The answer to one line of JSON. Never raises for anything that a line can hold."""
        sender: str | int | None = None
        try:
            value = json.loads(line)
            if isinstance(value, dict) and isinstance(value.get("id"), str | int):
                sender = value["id"]
            event = parse(value, self.game.players)
        except EventError as error:
            return refused(self.game, Message(error.code, str(error)), sender)
        except (ValueError, RecursionError):
            return refused(self.game, message("event-json"), sender)
        return self.take(event)

    def take(self, event: Event) -> dict[str, object]:
        """The answer to one event."""
        ruling = rule(self.game, event)
        self.game = ruling.game
        return answer(ruling, event.id)


def serve(game: Game, source: BinaryIO, sink: TextIO) -> Game:
    """Answer every line of ``source`` with one line on ``sink``, flushed, until the end of the input. Blank lines are
    skipped. Returns the game as it stands then."""
    referee = Referee(game)
    for line in _lines(source):
        reply = refused(referee.game, message("line-too-long", count=MAX_LINE)) if line is None else referee.tell(line)
        sink.write(json.dumps(reply, ensure_ascii=False, separators=(",", ":")) + "\n")
        sink.flush()
    return referee.game


def _lines(source: BinaryIO) -> Iterator[bytes | None]:
    """The lines of the input; None for one that is too long, of which no more than MAX_LINE bytes are ever held."""
    while line := source.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE and not line.endswith(b"\n"):
            while (rest := source.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            yield None
        elif line.strip():
            yield line
