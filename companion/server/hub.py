"""Who is listening: one bounded queue per socket, so that a slow phone delays nobody.

The table changes in whatever thread a camera or a request runs in. :meth:`Hub.publish` may be called from any of them;
a message is written as JSON once and handed to each client's queue on the event loop. A client whose queue is full is
dropped: it will come back and get a snapshot.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Mapping
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket

from companion.people import Device

log = logging.getLogger(__name__)

QUEUE: Final = 32
"""Messages that may wait for one client."""
BEAT: Final = 1.0
"""Seconds between two signs of life."""


def text_of(message: Mapping[str, object]) -> str:
    """The message as it goes over the wire."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    # Half a surrogate, which JSON may carry and UTF-8 may not, must not cost anybody the connection.
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


class Client:
    """One open socket, and what waits to be sent to it. ``knows`` is the version of the table that it has seen."""

    def __init__(self, socket: WebSocket, device: Device) -> None:
        self.socket = socket
        self.device = device
        self.knows = -1
        self.too_slow = asyncio.Event()
        self._queue: asyncio.Queue[tuple[int | None, str]] = asyncio.Queue(QUEUE)

    def offer(self, text: str, version: int | None = None) -> None:
        """Queue a message. When the queue is full the client is given up: :attr:`too_slow` is set."""
        try:
            self._queue.put_nowait((version, text))
        except asyncio.QueueFull:
            self.too_slow.set()

    async def send_all(self) -> None:
        """Send what is queued, but no table that is older than what was sent; until the socket breaks."""
        while True:
            version, text = await self._queue.get()
            if version is None or version > self.knows:
                await self.socket.send_text(text)


class Hub:
    """All open sockets of the table."""

    def __init__(self) -> None:
        self.clients: set[Client] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def bind(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Name the event loop that the sockets live on; None when it ends."""
        self._loop = loop

    def publish(self, message: Mapping[str, object], device: str | None = None) -> None:
        """Send a message to everybody, or to one device, from any thread. Its ``v`` is the version of the table."""
        loop = self._loop
        if loop is None or not self.clients:
            return
        version = message.get("v")
        with contextlib.suppress(RuntimeError):  # the loop has just been closed
            loop.call_soon_threadsafe(
                self._offer, text_of(message), version if isinstance(version, int) else None, device
            )

    def _offer(self, text: str, version: int | None, device: str | None) -> None:
        for client in self.clients:
            if device is None or client.device.id == device:
                client.offer(text, version)

    async def beat(self, tick: Callable[[], int]) -> None:
        """Tell everybody, each second, that the server lives and how new the table is; until cancelled."""
        version = 0
        while True:
            try:
                version = await run_in_threadpool(tick)
            except Exception:  # whatever it is, the phones must not think that the table is gone
                log.exception("a second of the table failed")
            self._offer(text_of({"type": "beat", "v": version}), None, None)
            await asyncio.sleep(BEAT)
