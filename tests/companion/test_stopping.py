"""Ctrl+C, SIGTERM, a closed terminal: at any moment, once or again and again, the program ends and leaves nothing."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from companion import stopping
from companion.stopping import Stopping
from engine.records import load
from tests.companion.conftest import SIGNALS
from tests.companion.serving import Phone, Program
from tests.companion.stream import network_camera
from tests.waiting import PATIENCE, until


@pytest.mark.parametrize("number", SIGNALS)
def test_while_it_is_being_started_it_ends_where_it_is(number: int) -> None:
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt), Stopping():
        signal.raise_signal(number)
    assert signal.getsignal(number) is before


def test_one_that_was_swallowed_while_starting_is_not_lost() -> None:
    server = SimpleNamespace(should_exit=False, force_exit=False)
    with Stopping() as asked:
        with contextlib.suppress(KeyboardInterrupt):  # as Python does while it deletes an object
            signal.raise_signal(signal.SIGINT)
        asked.serving(server)
        assert server.should_exit


@pytest.mark.parametrize("number", SIGNALS)
def test_once_it_serves_nothing_is_broken_off(number: int) -> None:
    server = SimpleNamespace(should_exit=False, force_exit=False)
    with Stopping() as asked:
        asked.serving(server)
        signal.raise_signal(number)
        assert (server.should_exit, server.force_exit, asked.hurried) == (True, False, False)
        signal.raise_signal(number)
        assert (server.should_exit, server.force_exit, asked.hurried) == (True, True, True)


@pytest.mark.parametrize(("times", "limit"), [(1, "LONGEST"), (2, "HURRIED")])
def test_what_hangs_is_left_behind(times: int, limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, limit, 0.3)
    left = threading.Event()
    with Stopping(left.set) as asked:
        asked.closing()
        assert not left.wait(0.5), "nobody has asked yet"
        for _ in range(times):
            signal.raise_signal(signal.SIGINT)
        assert left.wait(PATIENCE)


class Watching:
    """``pilewatch run`` with a network camera, in a session of its own as a terminal gives it."""

    def __init__(self, data: Path, address: str) -> None:
        command = [sys.executable, "-m", "companion.cli", "run", "--source", address, "--port", "0"]
        self.process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--players", "Ann,Ben", "--data", str(data)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.children: list[psutil.Process] = []

    def phone(self) -> Phone:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("Phones:"):
                base, _, token = line.split()[-1].rpartition("/j/")
                return Phone(base, token)
        raise AssertionError(self.process.communicate()[1])

    def signal(self, number: int, *, terminal: bool = False) -> None:
        """``terminal``: to all processes, as Ctrl+C in a terminal does."""
        self.children = psutil.Process(self.process.pid).children(recursive=True)
        (os.killpg if terminal else os.kill)(self.process.pid, number)

    def ended(self) -> tuple[int, str]:
        """The exit status and what was said; nothing that was started is left."""
        said = self.process.communicate(timeout=PATIENCE)[1]
        _, alive = psutil.wait_procs(self.children, timeout=PATIENCE)
        assert alive == [], [process.cmdline() for process in alive]
        return self.process.returncode, said


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with network_camera() as camera:
        yield camera


@pytest.mark.parametrize(("number", "times", "terminal"), [(signal.SIGINT, 3, True), (signal.SIGTERM, 1, False)])
def test_it_ends_with_its_camera_and_keeps_what_it_acknowledged(
    number: int, times: int, terminal: bool, address: str, tmp_path: Path
) -> None:
    running = Watching(tmp_path, address)
    phone = running.phone()
    until(lambda: phone.table()["camera"]["state"] == "watching")
    assert phone.send("new-game")["ok"]
    assert phone.send("deal", {"upcards": {}})["ok"]
    with phone.socket():
        for _ in range(times):
            running.signal(number, terminal=terminal)
            time.sleep(0.3)
            if running.process.poll() is not None:
                break
        status, said = running.ended()
    phone.close()
    assert status == 0
    assert said == "", "no traceback, no complaint"
    assert len(load(next(tmp_path.glob("games/*/record.jsonl"))).events) == 1


@pytest.mark.parametrize("gap", [0.0, 0.05, 0.14])
def test_asked_twice_in_a_moment_it_says_nothing_of_what_it_broke_off(gap: float, tmp_path: Path) -> None:
    """With phones that hold a socket, one of which reads nothing, and one in the middle of a request."""
    program = Program(tmp_path)
    phone = program.phone()
    with phone.socket(), phone.socket(), socket.create_connection(("127.0.0.1", program.port)) as slow:
        slow.sendall(b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        program.process.send_signal(signal.SIGINT)
        time.sleep(gap)
        program.process.send_signal(signal.SIGINT)
        assert program.process.stdout is not None
        said = program.process.stdout.read()
        assert program.end(signal.SIGINT) == 0
    assert said == ""


def test_killed_outright_it_leaves_no_process_that_holds_the_camera(address: str, tmp_path: Path) -> None:
    running = Watching(tmp_path, address)
    phone = running.phone()
    until(lambda: phone.table()["camera"]["state"] == "watching")
    phone.close()
    running.signal(signal.SIGKILL)
    assert running.children, "the camera is read in a process of its own"
    running.ended()


def test_at_any_moment_of_its_start_it_can_be_stopped(address: str, tmp_path: Path) -> None:
    chance = random.Random(3)
    for _ in range(3):
        running = Watching(tmp_path, address)
        time.sleep(chance.uniform(0.3, 4.0))
        running.signal(signal.SIGINT, terminal=True)
        status, said = running.ended()
        assert status in (0, 130, -signal.SIGINT)
        if status != -signal.SIGINT:  # Python itself was not up yet
            assert "Traceback" not in said
