"""One game at one table: what the camera saw and what people said goes in, rulings and the named state come out.

A session owns the set-up, the game that is being played, its record, and what is known of the camera. It is the same
with phones around it (:mod:`companion.room`) and without (``pilewatch watch --headless``). All methods may be called
from any thread.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from companion.bridge import heard
from companion.game import RecordedGame
from companion.refusals import RefusalError
from companion.set_up import Player, SetUp
from companion.status import CameraState, Facts, TableState, state_of
from companion.storage import DataFolder
from engine.records import RecordError
from engine.shithead.events import Event
from engine.shithead.game import GameError
from vision.types import Observation, Seen

log = logging.getLogger(__name__)

SETTLING: Final = 1.5
"""Seconds after a hand has left the table in which a reading may still come."""
WAITING: Final = 200
"""Observations kept back while the record cannot be written."""
FLAGS: Final = 20
"""Open flags; older ones are forgotten."""
_FILE: Final = "table.json"

Listener = Callable[[RecordedGame | None, Mapping[str, Any] | None], None]
"""Called after every change with the game and, where its record grew, the new log entry."""


class Session:
    """See the module. ``folder`` is where games are recorded and the set-up is remembered."""

    def __init__(
        self, folder: DataFolder, set_up: SetUp | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.folder = folder
        self.lock = threading.RLock()
        self.listener: Listener = lambda *_: None
        self.by_hand = False
        self.camera = CameraState.OFF
        self.advice = ""
        self.fault: dict[str, Any] | None = None
        self.restored: dict[str, Any] | None = None
        """What the screens must say of the last game's record: it was damaged when this start took it up."""
        self.flags: list[dict[str, Any]] = []
        self._flagged = 0
        self._clock = clock
        self._hand = False
        self._settling_until = 0.0
        self._waiting: deque[tuple[Observation, bytes | None]] = deque(maxlen=WAITING)
        saved = folder.read(_FILE)
        remembered = saved.get("set_up")
        self.set_up = set_up or SetUp.remembered(remembered if isinstance(remembered, dict) else {})
        number = saved.get("number")
        self.number = number if isinstance(number, int) else 0
        self._agreed = self.set_up
        self.game: RecordedGame | None = None
        unfinished = saved.get("game")
        if isinstance(unfinished, str):
            self._resume(unfinished, saved)

    # What is so

    @property
    def state(self) -> TableState:
        """The named state of the table."""
        game = self.game
        return state_of(
            Facts(
                phase=game.phase if game else None,
                doubt=bool(game and (game.doubt or self.flags)),
                camera=self.camera,
                by_hand=self.by_hand,
                hand=self._hand,
                settling=self._clock() < self._settling_until,
            )
        )

    @property
    def seq(self) -> int:
        return self.game.seq if self.game else 0

    # What happens

    def observe(self, observation: Observation, picture: bytes | None = None) -> Mapping[str, Any] | None:
        """Take one observation and return the ruling, None where there was nothing to rule on. ``picture`` (JPEG) is
        kept when the ruling is in doubt. While the record cannot be written observations wait, and are told in order
        when it can."""
        with self.lock:
            changed = self._note(observation)
            if self._waiting:
                self._waiting.append((observation, picture))
                self.retry()
                return None
            try:
                ruling = self._tell_seen(observation, picture)
            except RefusalError as refusal:
                if refusal.code == "not-recorded":
                    self._waiting.append((observation, picture))
                else:
                    log.warning("an observation was refused: %s", refusal)
                ruling = None
                changed = True
            if changed and ruling is None:
                self._announce()
            return ruling

    def tell(
        self,
        event: Mapping[str, Any] | Event,
        *,
        key: str | None = None,
        careful: bool = False,
        insist: bool = False,
    ) -> Mapping[str, Any]:
        """Take what a person says happened (an event of ``docs/protocol.md``) and return the ruling. ``key`` names
        the command that brought it, so that it is not applied twice; ``careful`` and ``insist`` are for
        :meth:`RecordedGame.tell`. Raises RefusalError."""
        with self.lock:
            self.retry()
            return self._tell(self.playing(), event, key=key, careful=careful, insist=insist)

    def retry(self) -> None:
        """Try again to record what could not be recorded."""
        with self.lock:
            while self._waiting:
                observation, picture = self._waiting[0]
                try:
                    self._tell_seen(observation, picture)
                except RefusalError as refusal:
                    if refusal.code == "not-recorded":
                        return
                self._waiting.popleft()

    def set_camera(self, state: CameraState, advice: str = "") -> None:
        """Note what the camera does now."""
        with self.lock:
            if (state, advice) != (self.camera, self.advice):
                self.camera, self.advice = state, advice
                self._hand = False
                self._announce()

    def set_by_hand(self, on: bool) -> None:
        """Leave the camera's observations aside, or take them up again."""
        with self.lock:
            self.by_hand = on
            self._waiting.clear()
            self._announce()

    def settle(self, settling: bool, advice: str = "") -> None:
        """Note whether something has changed on the table that has not come to rest, and what the camera lacks."""
        with self.lock:
            if settling:
                self._settling_until = max(self._settling_until, self._clock() + 0.5)
            if advice != self.advice:
                self.advice = advice
                self._announce()

    def seats(self) -> tuple[Player, ...]:
        """The players of the game, with where they sit."""
        return self._agreed.players

    # Games

    def playing(self) -> RecordedGame:
        """The game being played. Raises RefusalError ``no-game``."""
        if self.game is None:
            raise RefusalError("no-game", "no game is being played: start one first")
        return self.game

    def agree(self, fields: Mapping[str, object]) -> None:
        """Change the set-up. What concerns a game that has begun stays as it is until the next. Raises RefusalError."""
        with self.lock:
            self.set_up = self.set_up.change(fields)
            self._save()
            self._announce()

    def new_game(self, *, set_up: SetUp | None = None, leads: str | None = None, sample: bool = False) -> RecordedGame:
        """Begin a game with the set-up, or with another one that is not remembered. A game that is being played is
        given up. Raises RefusalError."""
        with self.lock:
            agreed = set_up or self.set_up
            faults = agreed.faults()
            if faults:
                words = "; ".join(fault["words"] for fault in faults)
                raise RefusalError("faulty-set-up", words, faults=faults)
            try:
                game = RecordedGame.create(self.folder, agreed, self.number + 1, leads=leads, sample=sample)
            except RecordError as error:
                raise self._not_recorded(error) from None
            except GameError as error:
                raise RefusalError(
                    "faulty-set-up", str(error), faults=[{"code": error.code, "words": str(error)}]
                ) from None
            self.end_game(quiet=True)
            self.game, self._agreed = game, agreed
            self.number += 1
            self.fault = self.restored = None
            self._save()
            self._announce()
            return game

    def rematch(self) -> RecordedGame:
        """The same again; who deals, the rules say. Raises RefusalError."""
        with self.lock:
            over = self.playing()
            if over.phase != "over":
                raise RefusalError("game-is-playing", "the game is not over yet")
            if over.sample:
                return self.new_game(set_up=self._agreed, sample=True)
            same = over.players == self.set_up.names
            before = self.set_up
            if same:
                self.set_up = before.change({"dealer": over.next_dealer()})
            try:
                return self.new_game(leads=over.next_leader() if same else None)
            except RefusalError:
                self.set_up = before
                raise

    def end_game(self, *, quiet: bool = False) -> None:
        """Put the game away, over or not: it stays in the records."""
        with self.lock:
            if self.game is not None:
                self.game.close()
                if not self.game.seq:
                    # Nothing was dealt (a second tap on "deal", back to the set-up): that was no game.
                    with contextlib.suppress(KeyError, OSError):
                        self.folder.delete_game(self.game.id)
            self.game = self.restored = None
            self.flags = []
            self._waiting.clear()
            if not quiet:
                self._save()
                self._announce()

    def flag(self, seq: int | None, by: str, words: str) -> None:
        """Somebody doubts a play: the table shows "please check" until it is settled. Who flags one again, says it
        anew."""
        with self.lock:
            game = self.playing()
            number = 1 + max([self._flagged, *(int(flag["id"]) for flag in self.flags)])
            self._flagged = number  # the id of a settled one never comes to name another
            if seq is None:
                seq = game.last_play["seq"] if game.last_play else game.seq
            others = [flag for flag in self.flags if (flag["seq"], flag["by"]) != (seq, by)]
            made = {"id": str(number), "seq": seq, "by": by, "words": words, "at": time.time()}
            self.flags = [*others, made][-FLAGS:]
            self._save()
            self._announce()

    def unflag(self, *identifiers: str) -> None:
        """Settle flags. Raises RefusalError ``unknown-flag`` where none of them is open."""
        with self.lock:
            kept = [flag for flag in self.flags if flag["id"] not in identifiers]
            if len(kept) == len(self.flags):
                raise RefusalError("unknown-flag", "this flag is settled already")
            self.flags = kept
            self._save()
            self._announce()

    def close(self) -> None:
        """Close the record; the game goes on at the next start."""
        with self.lock:
            self._save()
            if self.game is not None:
                self.game.close()

    # Inside

    def _note(self, observation: Observation) -> bool:
        """What an observation says of hands and camera; whether the screens change by it."""
        before = (self._hand, self.camera, self.advice, self._clock() < self._settling_until)
        if observation.kind is Seen.HAND:
            self._hand = observation.present
            self._settling_until = 0.0 if observation.present else self._clock() + SETTLING
        elif observation.kind is Seen.CAMERA:
            self.camera = CameraState.WATCHING if observation.present else CameraState.LOST
            self._hand = False
        elif observation.kind is Seen.NUDGED:
            self.advice = "the camera moved; the places on the table were found again"
        else:
            self._settling_until = 0.0
        return before != (self._hand, self.camera, self.advice, self._clock() < self._settling_until)

    def _tell_seen(self, observation: Observation, picture: bytes | None) -> Mapping[str, Any] | None:
        game = self.game
        if game is None or self.by_hand:
            return None
        event = heard(game.game, observation)
        return None if event is None else self._tell(game, event, picture=picture)

    def _tell(
        self,
        game: RecordedGame,
        event: Mapping[str, Any] | Event,
        **how: Any,
    ) -> Mapping[str, Any]:
        try:
            ruling, entry = game.tell(event, **how)
        except RecordError as error:
            raise self._not_recorded(error) from None
        self.fault = None
        if entry is not None:
            self._announce(entry)
        return ruling

    def _not_recorded(self, error: RecordError) -> RefusalError:
        refusal = RefusalError("not-recorded", f"this was not recorded, so it does not count yet: {error}")
        if self.fault is None:
            self.fault = {"code": error.code, "words": str(error)}
            self._announce()
        return refusal

    def _resume(self, identifier: str, saved: Mapping[str, Any]) -> None:
        """Go on with the game that was being played when the last server ended, however it ended."""
        try:
            self.game = RecordedGame.resume(self.folder, identifier)
        except (RecordError, KeyError) as error:
            log.warning("the last game cannot be continued: %s", error)
            words = "the record of the last game cannot be read, so that game does not go on; its file is kept"
            self.restored = {"code": "record-lost", "words": words, "game": identifier}
            return
        flags = saved.get("flags")
        if isinstance(flags, list) and all(isinstance(flag, dict) and "id" in flag for flag in flags):
            self.flags = flags
        if self.game.id != identifier:
            log.warning("the record of the last game is damaged: it goes on after event %d", self.game.seq)
            words = (
                f"the record of this game was damaged: it goes on after event {self.game.seq}, what came later is lost"
            )
            self.restored = {"code": "record-damaged", "words": words, "game": identifier, "count": self.game.seq}
            self._save()

    def _save(self) -> None:
        """Remember the set-up and the game's id. The game itself is safe in its record already."""
        value = {
            "set_up": self.set_up.as_json(),
            "game": self.game.id if self.game and not self.game.sample else None,
            "number": self.number,
            "flags": self.flags,
            "saved": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self.folder.keep(_FILE, value)

    def _announce(self, entry: Mapping[str, Any] | None = None) -> None:
        self.listener(self.game, entry)
