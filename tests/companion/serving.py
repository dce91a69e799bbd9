"""A served table for the tests: in this process, or as the command that people run."""

from __future__ import annotations

import contextlib
import itertools
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from companion.address_book import AddressBook
from companion.people import People
from companion.refusals import STATUS
from companion.room import Room
from companion.server.app import create_app
from companion.server.serving import bind, server
from companion.session import Session
from companion.set_up import SetUp
from companion.storage import DataFolder
from tests.companion.played import CARDS
from tests.waiting import PATIENCE, until

_IDS = itertools.count()


class Phone:
    """A device that has joined and speaks HTTP."""

    def __init__(self, base: str, token: str, name: str = "") -> None:
        self.base = base
        self.http = httpx.Client(base_url=base, timeout=PATIENCE)
        joined = self.http.post("/api/join", json={"token": token, "name": name})
        joined.raise_for_status()
        self.key = joined.json()["key"]
        self.id = joined.json()["you"]["id"]
        self.http.headers["Authorization"] = f"Bearer {self.key}"

    def snapshot(self) -> dict[str, Any]:
        snapshot: dict[str, Any] = self.http.get("/api/poll").json()["snapshot"]
        return snapshot

    def table(self) -> dict[str, Any]:
        table: dict[str, Any] = self.snapshot()["table"]
        return table

    def send(
        self, name: str, fields: dict[str, Any] | None = None, *, based_on: int | None = None, id: str | None = None
    ) -> dict[str, Any]:
        """Give a command and return the answer."""
        if based_on is None:
            based_on = self.snapshot()["seq"]
        body = {"id": id or f"c{next(_IDS)}", "based_on": based_on, "name": name, "fields": fields or {}}
        answer: dict[str, Any] = self.http.post("/api/command", json=body).json()
        return answer

    def socket(self, query: str = "", **options: Any) -> ClientConnection:
        """Open the socket of this device."""
        address = self.base.replace("http", "ws", 1)
        headers = {"Authorization": f"Bearer {self.key}"}
        made: ClientConnection = connect(
            f"{address}/api/socket{query}",
            additional_headers=headers,
            proxy=None,
            open_timeout=PATIENCE,
            ping_timeout=None,
            **options,
        )
        return made

    def close(self) -> None:
        self.http.close()


def start(host: Phone) -> None:
    """A game of three in which Ann leads."""
    assert host.send("new-game")["ok"]
    assert host.send("deal", {"upcards": CARDS})["ok"]
    assert host.send("start", {"seat": "Ann"})["ok"]


def code(answer: dict[str, Any]) -> str:
    """The code of an answer's error, which is of the one shape."""
    assert set(answer["error"]) >= {"code", "words"}
    assert answer["error"]["code"] in STATUS
    return str(answer["error"]["code"])


class Served:
    """A table in this process, on a real port."""

    def __init__(self, folder: DataFolder, set_up: SetUp | None = None, **options: Any) -> None:
        self.listening = bind("127.0.0.1", 0)
        port = int(self.listening.getsockname()[1])
        self.base = f"http://127.0.0.1:{port}"
        self.session = Session(folder, set_up)
        self.people = People(folder)
        self.room = Room(self.session, self.people, AddressBook(port))
        self.app = create_app(self.room)
        self.server = server(self.app, **options)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listening]}, daemon=True)
        self.thread.start()
        until(lambda: self.server.started)
        self.phones: list[Phone] = []

    def phone(self, name: str = "") -> Phone:
        self.phones.append(Phone(self.base, self.people.join_token, name))
        return self.phones[-1]

    def close(self) -> None:
        for phone in self.phones:
            phone.close()
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        self.listening.close()
        self.session.close()


@contextlib.contextmanager
def served(folder: DataFolder, set_up: SetUp | None = None, **options: Any) -> Iterator[Served]:
    """``options`` are uvicorn's."""
    running = Served(folder, set_up, **options)
    try:
        yield running
    finally:
        running.close()


class Program:
    """``pilewatch run`` as people start it."""

    def __init__(self, data: Path, *options: str) -> None:
        command = [sys.executable, "-m", "companion.cli", "run", "--no-camera", "--port", "0"]
        self.process = subprocess.Popen(
            [*command, "--data", str(data), *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.lines: list[str] = []
        self.phones: list[Phone] = []
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            if line.startswith("No camera"):
                break
        found = re.search(r":(\d+)/j/", "\n".join(self.lines))
        assert found, self.lines
        self.port = int(found[1])
        self.base = f"http://127.0.0.1:{self.port}"

    @property
    def token(self) -> str:
        found = re.search(r"/j/([0-9a-f]{32})", "\n".join(self.lines))
        assert found, self.lines
        return found[1]

    def phone(self, key: str | None = None) -> Phone:
        until(self._answers)
        phone = Phone(self.base, self.token)
        self.phones.append(phone)
        if key is not None:
            phone.key = key
            phone.http.headers["Authorization"] = f"Bearer {key}"
        return phone

    def end(self, how: int = signal.SIGKILL) -> int:
        self.process.send_signal(how)
        status = self.process.wait(PATIENCE)
        for phone in self.phones:
            phone.close()
        if self.process.stdout is not None:
            self.process.stdout.close()
        return status

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.base}/api/hello", timeout=PATIENCE).status_code == 200
        except httpx.TransportError:
            return False
