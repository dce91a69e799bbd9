"""A game and its record: every event is ruled on, then written to the disk, and only then is it so.

The record is the game. What is kept here beside it (the log as the screens show it) is made from it again when the
server starts after a crash.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, Self

from companion import taking_back
from companion.entries import LogEntry, log_entry, mark
from companion.refusals import RefusalError
from companion.set_up import SetUp
from companion.storage import DataFolder, write_whole
from engine import records
from engine.log import Entry
from engine.shithead import wire
from engine.shithead.belief import Verdict
from engine.shithead.consequences import is_taken, misfits, said_anew
from engine.shithead.events import EDITS, SHOWING, Answer, Event, Show
from engine.shithead.game import Game, from_header, header
from engine.shithead.protocol import answer
from engine.shithead.referee import Ruling, rule
from engine.shithead.view import view
from engine.shithead.words import message

MOST_ENTRIES: Final = 5000
"""Events in one game. The longest played ones have a few hundred; beyond this something runs wild."""


class RecordedGame:
    """See the module. Not thread-safe: the session's lock guards it."""

    NOTHING_SHOWN: Final[Mapping[str, Any]] = {
        "seat": None,
        "view": None,
        "said": [],
        "verdict": None,
        "may": [],
        "question": None,
        "starts": None,
        "undo": None,
        "redo": None,
    }
    """What a screen shows where there is no game."""

    def __init__(self, folder: DataFolder, identifier: str, game: Game, record: records.Record | None) -> None:
        """Not for callers: use :meth:`create`, :meth:`resume` or :meth:`read`."""
        self.id = identifier
        self.started = 0.0
        self.number = 0
        self.sample = False
        self.leads: str | None = None
        self.edited_at = 0
        self.news_at = 0
        """The last event that changed what people go by: a sighting that changed nothing of it outdates no play."""
        self.keys: dict[str, int] = {}
        """The commands that were recorded, with the number of their event."""
        self.log: list[LogEntry] = []
        self._folder = folder
        self._game = game
        self._record = record
        self._ruling = rule(game, Show())
        self._spoken = self._ruling  # the last one that said something
        self._shown: dict[str, Any] | None = None

    # Beginning

    @classmethod
    def create(
        cls, folder: DataFolder, set_up: SetUp, number: int, *, leads: str | None = None, sample: bool = False
    ) -> Self:
        """Begin a game. ``leads``: who plays first, where the last game decides that. Raises RecordError."""
        seat = None if leads is None else set_up.names.index(leads)
        game = Game.start(set_up.rule_set(), set_up.names, dealer=set_up.dealer or 0, leads=seat)
        identifier = folder.new_game(datetime.now())
        first = {**header(game), "number": number, "sample": sample}
        record = records.Record.create(folder.record(identifier), first)
        made = cls(folder, identifier, game, record)
        made._describe(first)
        return made

    @classmethod
    def resume(cls, folder: DataFolder, identifier: str) -> Self:
        """Go on with a recorded game. Where the record is damaged, what is sound is copied to a new one first.
        Raises RecordError, KeyError."""
        path = folder.record(identifier)
        try:
            record = records.Record.open(path)
        except records.RecordError as error:
            if error.code != "record-damaged":
                raise
            identifier = folder.new_game(datetime.now())
            record = records.salvage(path, folder.record(identifier))
        try:
            made = cls._load(folder, identifier, record)
        except BaseException:
            record.close()
            raise
        return made

    @classmethod
    def read(cls, folder: DataFolder, identifier: str) -> Self:
        """A recorded game to look at; nothing can be added. Raises RecordError, KeyError."""
        return cls._load(folder, identifier, None)

    @classmethod
    def _load(cls, folder: DataFolder, identifier: str, record: records.Record | None) -> Self:
        loaded = records.load(folder.record(identifier))
        try:
            game = from_header(loaded.header)
        except ValueError as error:
            raise records.RecordError("record-header", f"{folder.record(identifier)}: {error}", 1) from None
        made = cls(folder, identifier, game, record)
        made._describe(loaded.header)
        for line in loaded.events:
            made._again(line)
        mark(made._game, made.log)
        return made

    def _describe(self, first: Mapping[str, Any]) -> None:
        number, leads = first.get("number"), first.get("leads")
        self.number = number if isinstance(number, int) else 0
        self.leads = leads if isinstance(leads, str) and leads in self.players else None
        self.sample = first.get("sample") is True
        self.started = _seconds(first.get("created"))

    def _again(self, line: records.RecordedEvent) -> None:
        """Take an event from the record. One that cannot be followed keeps its number, and the game goes on."""
        value = {**line.event, "source": line.source, "confidence": line.confidence}
        ruling = None
        with contextlib.suppress(wire.EventError):
            event = wire.parse(value, self.players)
            ruling = rule(self._game, event) if not isinstance(event, Show) else None
        if ruling is None or ruling.verdict is Verdict.ERROR:
            skipped = Entry(self._game.seq + 1, Show())
            self._game = replace(self._game, log=(*self._game.log, skipped))
            return
        self._take(ruling, _seconds(line.time))

    # What is so

    @property
    def players(self) -> tuple[str, ...]:
        return self._game.players

    @property
    def seq(self) -> int:
        """The number of the last event in the record."""
        return self._game.seq

    @property
    def last_play(self) -> LogEntry | None:
        """The entry of the play that stands last, as people see it."""
        return taking_back.last_play(self._game, self.log)

    @property
    def phase(self) -> str:
        """``set-up``, ``exchange``, ``play`` or ``over``."""
        return self._game.state.phase.value

    @property
    def turn(self) -> int | None:
        seat = self._game.state.turn
        return seat if seat >= 0 else None

    @property
    def starts(self) -> dict[str, Any] | None:
        """Before the first play, what is said of who begins, as a message: with ``player`` where the rules know it
        (``plays-first``), or unless somebody claims a lower card (``claim-lower``). ``claim-first``: only the table
        knows. None once somebody plays."""
        state = self._game.state
        if self.phase not in ("set-up", "exchange"):
            return None
        if len(state.starters) == 1:
            return message("plays-first", player=self.players[state.starters[0]]).as_json()
        # The upcards as they were dealt decide, not those after an exchange: so it was said then.
        told = [said for entry in self.log if entry["state"] != "undone" for said in entry["messages"]]
        known = all(not player.up.unknown for player in state.players)
        claims = [said for said in told if said["code"] in ("claim-lower", "claim-first")]
        return claims[-1] if claims and known else message("claim-first").as_json()

    @property
    def doubt(self) -> bool:
        """Whether a person should look: something is asked, lies there illegally, or cannot be explained. A count that
        is open does not hold anybody up."""
        ruling = self._ruling
        if ruling.may:
            return True
        if ruling.question is not None:
            return ruling.question.asks.code != "how-many"
        spoken = self._spoken
        return spoken.verdict is Verdict.DOUBTFUL and spoken.question is None

    @property
    def game(self) -> Game:
        return self._game

    def summary(self) -> dict[str, Any]:
        return {"id": self.id, "started": self.started, "number": self.number, "sample": self.sample}

    def showing(self) -> dict[str, Any]:
        """The part of a screen's table that is the game's own."""
        if self._shown is None:
            answered, spoken = answer(self._ruling), self._spoken
            question = answered["question"]
            # What the camera saw since may have settled what was asked.
            asks = spoken.question.asks if spoken.question is not None and question is None else None
            self._shown = {
                "seat": self.turn,
                "view": answered["view"],
                "said": [said.as_json() for said in spoken.messages if said != asks],
                "verdict": answered["verdict"] if asks else spoken.verdict.value,
                "may": answered["may"],
                "question": self._question(question) if isinstance(question, dict) else None,
                "starts": self.starts,
                "undo": taking_back.undo_offer(self._game, self.log),
                "redo": taking_back.redo_offer(self._game, self.log),
            }
        return self._shown

    def ruling_of(self, key: str) -> dict[str, Any]:
        """What was ruled on a command that was recorded before."""
        entry = next((entry for entry in self.log if entry["seq"] == self.keys[key]), None)
        return {name: entry[name] for name in ("seq", "verdict", "messages")} if entry else {"seq": self.keys[key]}

    def next_dealer(self) -> int:
        """The seat that deals the next game."""
        state, outcome = self._game.state, self._game.state.outcome
        if state.rules.deals_next == "loser" and outcome is not None and outcome.loser is not None:
            return outcome.loser
        return (state.dealer + 1) % len(self.players)

    def next_leader(self) -> str | None:
        """Who plays first in the next game, where the house rules say that this one decides it."""
        outcome = self._game.state.outcome
        if outcome is None:
            return None
        seat = {"loser": outcome.loser, "winner": outcome.winner}.get(self._game.rules.last_game)
        return None if seat is None else self.players[seat]

    def counted(self) -> list[int]:
        """The numbers of the events that count, in order."""
        return [entry.seq for entry in self._game.line]

    def tables(self) -> list[dict[str, object]]:
        """The table after each event that counts, in order: ``view``, and the ``event`` as it counts."""
        told: list[dict[str, object]] = []
        for number in range(1, len(self._game.line) + 1):
            line = self._game.line[:number]
            part = replace(self._game, log=line, line=line, beliefs=self._game.beliefs[: number + 1])
            taken = part.belief.top.step.event
            told.append({"view": view(part), "event": wire.dump(replace(taken, id=None), self.players)})
        return told

    # What happens

    def tell(
        self,
        event: Mapping[str, Any] | Event,
        *,
        key: str | None = None,
        picture: bytes | None = None,
        careful: bool = False,
        insist: bool = False,
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Rule on an event and record it. Returns the ruling (``docs/protocol.md``) and the entry of the log.

        Raises RefusalError ``event-refused`` for what cannot be understood, with ``careful`` also ``doubtful`` for a
        play or a correction against which something speaks (with ``insist`` only where the game could make nothing of
        it), RecordError when it could not be written: the game is then as it was before.
        """
        if self._record is None:
            raise RefusalError("no-game", "this game is only being looked at")
        if len(self.log) >= MOST_ENTRIES:
            raise RefusalError("event-refused", f"a game has at most {MOST_ENTRIES} events", reason="too-long")
        try:
            understood = event if isinstance(event, Event) else wire.parse(event, self.players)
        except wire.EventError as error:
            raise RefusalError("event-refused", str(error), reason=error.code) from None
        ruling = rule(self._game, replace(understood, id=key))
        if ruling.verdict is Verdict.ERROR or ruling.seq is None:
            said = ruling.messages[0].as_json() if ruling.messages else {"code": "nothing", "words": "nothing was said"}
            raise RefusalError("event-refused", str(said["words"]), reason=said["code"])
        if careful:
            self._doubt(understood, ruling, insist=insist)
        # An answer is recorded as the event that it chose: what a number means may change with a later version.
        self._record.append(wire.dump(ruling.game.log[-1].event, self.players))
        entry = self._take(ruling, datetime.now(UTC).timestamp())
        if picture is not None and ruling.verdict in (Verdict.DOUBTFUL, Verdict.ILLEGAL):
            path = self._folder.picture(self.id, f"{entry['seq']}.jpg")
            with contextlib.suppress(OSError):  # a picture is a help, not a part of the game
                write_whole(path, picture)
                entry["picture"] = self._picture(entry["seq"])
        if isinstance(understood, EDITS):
            mark(self._game, self.log)
        return answer(ruling), entry

    def close(self) -> None:
        """Close the record. Closing twice is harmless."""
        if self._record is not None:
            self._record.close()

    # Inside

    def _doubt(self, event: Event, ruling: Ruling, *, insist: bool) -> None:
        """Raises RefusalError ``doubtful`` with the ``problems``; ``insist`` says whether the game could follow."""
        if not isinstance(event, (*EDITS, *SHOWING)):
            return
        problems = [said.as_json() for said in misfits(self._game, ruling.game, event)]
        if not problems:
            return
        seq = said_anew(ruling.game, event)
        # A play is only insisted on as one that is added; whether that would do, the fold says then.
        follows = not isinstance(event, EDITS) or seq is None or is_taken(ruling.game, seq)
        if insist and follows:
            return
        words = "; ".join(str(problem["words"]) for problem in problems)
        raise RefusalError("doubtful", f"this is not recorded yet: {words}", problems=problems, insist=follows)

    def _take(self, ruling: Ruling, at: float) -> LogEntry:
        before, told = self._ruling, ruling.game.log[-1].event
        entry = log_entry(ruling, at, self._picture(ruling.seq))
        self._game, self._ruling, self._shown = ruling.game, ruling, None
        if ruling.messages or ruling.verdict is not Verdict.NOTHING:
            self._spoken = ruling
        if not entry["evidence"] or _gone_by(before) != _gone_by(ruling):
            self.news_at = self.seq
        self.log.append(entry)
        if isinstance(told.id, str) and ruling.seq is not None:
            self.keys[told.id] = ruling.seq
        if isinstance(told, EDITS) and not isinstance(told, Answer):
            self.edited_at = self.seq
        return entry

    def _question(self, question: Mapping[str, Any]) -> dict[str, Any]:
        candidates = [{"choice": index, **one} for index, one in enumerate(question["candidates"])]
        shown = {**question, "words": question["asks"]["words"], "candidates": candidates}
        return {**shown, "picture": self._picture(question["about"])}

    def _picture(self, seq: int | None) -> str | None:
        name = f"{seq}.jpg"
        exists = seq is not None and self._folder.picture(self.id, name).is_file()
        return f"/api/games/{self.id}/pictures/{name}" if exists else None


def _gone_by(ruling: Ruling) -> tuple[object, ...]:
    """What people go by when they say what was played."""
    state, question = ruling.game.state, ruling.question
    return state.phase, state.turn, state.direction, state.pile, question and question.id, ruling.may


def _seconds(time: object) -> float:
    try:
        return datetime.fromisoformat(str(time)).timestamp()
    except ValueError:
        return 0.0
