"""The room around a session: people with phones, the camera, the addresses; and what a screen shows of it all.

:meth:`Room.table` is the one object that leaves for the screens. ``docs/socket.md`` describes it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any, Final

from companion.address_book import AddressBook
from companion.commanding import Desk
from companion.eyes import Eyes
from companion.game import RecordedGame
from companion.library import Library
from companion.people import Device, People
from companion.session import Session
from companion.status import TableState
from companion.voice import Voice

PROTOCOL: Final = 1
UNSAVED: Final[Mapping[str, str]] = {"people.json": "people", "table.json": "set-up"}
"""What a screen says of a file that could not be written."""
SHOWN: Final = 60
"""Entries of the log in a table object."""

Publish = Callable[..., None]
"""``publish(message, device=None)``: sends to every screen, or to one device's."""


class Room:
    """See the module. One lock, the session's, guards it all."""

    def __init__(
        self,
        session: Session,
        people: People,
        addresses: AddressBook,
        eyes: Eyes | None = None,
        voice: Voice | None = None,
    ) -> None:
        self.session = session
        self.voice = voice or Voice(None)
        self.people = people
        self.addresses = addresses
        self.eyes = eyes or Eyes(session)
        self.library = Library(session.folder)
        self.boot = secrets.token_hex(8)
        self.version = 0
        self.publish: Publish = lambda *_, **__: None
        self._desk = Desk(self)
        self._shown: tuple[TableState, object] | None = None
        self._known: dict[str, dict[str, object]] = {}
        session.listener = self._changed

    # What the server calls

    def command(self, device: Device, message: Mapping[str, object]) -> dict[str, Any]:
        """Do what a phone asks and return the message ``answer``. Never raises."""
        with self.session.lock:
            return self._desk.answer(device, message)

    def join(self, token: str, name: str = "", *, viewer: bool = False, key: str | None = None) -> tuple[Device, str]:
        """Let a device in; see :meth:`People.join`."""
        with self.session.lock:
            joined = self.people.join(token, name, viewer=viewer, key=key)
            self.changed()
            return joined

    def arrived(self, device: Device) -> None:
        with self.session.lock:
            self.people.arrived(device)
            self.eyes.somebody_came()
            self.changed()

    def left(self, device: Device) -> None:
        with self.session.lock:
            self.people.left(device)
            self.changed()

    def polled(self, device: Device) -> None:
        """A device asks in place of a socket: it is here for a while."""
        with self.session.lock:
            self.eyes.somebody_came()
            if self.people.polled(device):
                self.changed()

    def tick(self) -> int:
        """Once a second: retry what could not be recorded, show what changed by time alone. Returns the version."""
        with self.session.lock:
            self.session.retry()
            self.session.folder.retry()
            gone = self.people.forget_pollers()
            if gone or self._shown != self._quick():
                self.changed()
            return self.version

    def join_url(self) -> str:
        return self.addresses.join(self.people.join_token)

    def you(self, device: Device) -> dict[str, object]:
        return self.people.you(device, self.players)

    def hello(self, device: Device) -> dict[str, Any]:
        """The message ``hello``."""
        with self.session.lock:
            you = self._known[device.id] = self.you(device)
        return {"type": "hello", "protocol": PROTOCOL, "boot": self.boot, "server": version("pilewatch"), "you": you}

    def snapshot(self, since: str | None = None, boot: str | None = None) -> dict[str, Any]:
        """The message ``snapshot``: everything, and what was missed since entry ``since`` of the same game."""
        with self.session.lock:
            game = self.session.game
            missed: list[dict[str, Any]] = []
            if game and since is not None and since.isdecimal() and boot == self.boot:
                missed = [entry for entry in game.log if entry["seq"] > int(since)][-SHOWN:]
            return {
                "type": "snapshot",
                "boot": self.boot,
                "v": self.version,
                "seq": self.session.seq,
                "table": self.table(),
                "missed": missed,
            }

    # What the screens show

    @property
    def game_id(self) -> str | None:
        """The game that is being played."""
        game = self.session.game
        return game.id if game else None

    @property
    def players(self) -> tuple[str, ...]:
        game = self.session.game
        return game.players if game else self.session.set_up.names

    def table(self) -> dict[str, Any]:
        """All that a screen shows."""
        session, game = self.session, self.session.game
        shown = game.showing() if game else RecordedGame.NOTHING_SHOWN
        over = bool(game and game.phase == "over")
        return {
            "state": session.state.value,
            "game": game.summary() if game else None,
            **shown,
            "flags": session.flags,
            "log": list(game.log[-SHOWN:]) if game else [],
            "set_up": {**session.set_up.as_json(), "faults": session.set_up.faults()},
            "people": self.people.listing(self.players),
            "camera": self.eyes.describe(),
            "by_hand": session.by_hand,
            "record": self._record(),
            "join": {"url": self.join_url(), "qr": "/api/qr.svg", "addresses": self.addresses.offers()},
            "voice": {"able": self.voice.able, "on": session.set_up.voice},
            "rematch": over,
        }

    def changed(self, entry: Mapping[str, Any] | None = None) -> None:
        """Count a new version of the table and show it to everybody."""
        self.version += 1
        self._shown = self._quick()
        message: dict[str, Any] = {"v": self.version, "seq": self.session.seq, "table": self.table()}
        if entry is None:
            self.publish({"type": "table", **message})
        else:
            self.publish({"type": "event", "entry": entry, **message})
            if self.session.set_up.voice:
                self.voice.call(self.session.set_up.language, message["table"], entry)
        self._tell_who_changed()

    def _changed(self, _: RecordedGame | None, entry: Mapping[str, Any] | None) -> None:
        self.changed(entry)

    def _tell_who_changed(self) -> None:
        """A device whose role or seat is another now is told so."""
        for identifier, known in list(self._known.items()):
            device = self.people.find(identifier)
            if device is None:
                del self._known[identifier]
            elif self.you(device) != known:
                self.publish(self.hello(device), device=identifier)

    def _record(self) -> dict[str, Any]:
        fault = self.session.fault
        return {
            "ok": fault is None,
            "code": fault["code"] if fault else None,
            "words": fault["words"] if fault else "",
            "events": self.session.seq,
            "restored": self.session.restored,
            "unsaved": [UNSAVED[name] for name in self.session.folder.unsaved if name in UNSAVED],
        }

    def _quick(self) -> tuple[TableState, object]:
        """What may change without anybody telling: by time, or by the camera's own thread."""
        unsaved = tuple(self.session.folder.unsaved)
        return self.session.state, (tuple(self.eyes.describe().items()), self.addresses.base(), unsaved)
