"""How the program ends when it is asked to: Ctrl+C, SIGTERM, a terminal that is closed.

While everything is being started, asking stops it where it is. Once the phones are served nothing is broken off: the
server ends, then what was begun is closed. Whoever asks again does not wait for the camera; and whatever hangs, the
program has ended :data:`LONGEST` seconds after it was asked, :data:`HURRIED` after it was asked again. What was
acknowledged is on the disk long before.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, Protocol, Self

LONGEST: Final = 40.0
"""Seconds from being asked to having ended, at the very most."""
HURRIED: Final = 4.0
"""Seconds from being asked again to having ended, at the very most."""


class Server(Protocol):
    """What is told to end (uvicorn's)."""

    should_exit: bool
    force_exit: bool


class Stopping:
    """Takes the signals of the process while it is entered. To be used in the main thread."""

    def __init__(self, leave: Callable[[], object] | None = None) -> None:
        """``leave`` ends the process at once; another one only in tests."""
        self._leave = leave or _leave
        self._asked = 0
        self._starting = True
        self._server: Server | None = None
        self._over = False
        self._before: dict[int, Any] = {}

    @property
    def asked(self) -> bool:
        """Whether the program is to end."""
        return self._asked > 0

    @property
    def hurried(self) -> bool:
        """Whether it was asked to more than once."""
        return self._asked > 1

    def __enter__(self) -> Self:
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            number = getattr(signal, name, None)
            # Under `nohup` a closed terminal is to be outlived.
            if number is not None and (name != "SIGHUP" or signal.getsignal(number) is not signal.SIG_IGN):
                self._before[number] = signal.signal(number, self._handle)
        threading.Thread(target=self._watch, name="stopping", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        # What is left after a server that was asked to end is Python's own end: one more signal would only spoil it.
        done = self.asked and self._server is not None
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_IGN if done else handler)

    def serving(self, server: Server) -> None:
        """From here on a signal ends the server, and nothing is interrupted any more."""
        self._server = server
        self._starting = False
        server.should_exit = server.should_exit or self.asked

    def closing(self) -> None:
        """From here on nothing is interrupted any more."""
        self._starting = False

    def leave(self) -> None:
        """End the process here and now: something that cannot be waited for is still at work."""
        self._leave()

    # A signal's handler may come between any two steps of the main thread, of itself too: it takes no lock.
    def _handle(self, _: int, __: FrameType | None) -> None:
        self._asked += 1
        if self._server is not None:
            self._server.should_exit = True
            self._server.force_exit = self._server.force_exit or self.hurried
        if self._starting:
            self._starting = False
            raise KeyboardInterrupt

    def _watch(self) -> None:
        end = math.inf
        while not self._over:
            time.sleep(0.1)
            if self.asked:
                end = min(end, time.monotonic() + (HURRIED if self.hurried else LONGEST))
            if time.monotonic() > end:
                self._leave()
                return


def _leave() -> None:
    if "vision.sources.capture" in sys.modules:
        with contextlib.suppress(Exception):  # whatever state it is in, this process ends
            sys.modules["vision.sources.capture"].close_all()
    for child in multiprocessing.active_children():
        child.kill()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(0)
