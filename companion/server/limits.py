"""How much and how often: token buckets, and the size of a request's body."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.refusals import RefusalError
from companion.server import faults

MOST_BODY: Final = 64 * 1024
"""Bytes in the body of an HTTP request."""
MOST_PICTURE: Final = 1024 * 1024
"""Bytes of a picture that a phone sends as the camera, to :data:`PICTURES`."""
PICTURES: Final = "/api/lens"
MOST_MESSAGE: Final = 16 * 1024
"""Bytes in one message from a phone; the longest command is far below it."""
MOST_SOCKETS: Final = 512
"""Open sockets of all devices together."""
MOST_SOCKETS_EACH: Final = 8
"""Open sockets of one device; a few tabs, and those that a sleeping phone left behind."""


class Rate:
    """A token bucket per key: ``burst`` at once, ``per_second`` lasting. Remembers the last ``keys`` keys only."""

    def __init__(
        self, per_second: float, burst: int, *, keys: int = 2048, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_second = per_second
        self._burst = float(burst)
        self._keys = keys
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, key: str) -> bool:
        """Take one token for ``key``, where there is one."""
        now = self._clock()
        tokens, then = self._buckets.pop(key, (self._burst, now))
        tokens = min(self._burst, tokens + (now - then) * self._per_second)
        allowed = tokens >= 1
        self._buckets[key] = (tokens - 1 if allowed else tokens, now)
        while len(self._buckets) > self._keys:
            self._buckets.popitem(last=False)
        return allowed

    def take(self, key: str) -> None:
        """Raises RefusalError ``too-many`` where :meth:`allows` says no."""
        if not self.allows(key):
            raise RefusalError("too-many", "that was too much at once: wait a moment")


class Limits:
    """How often each may do what, per device (joining: per address)."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.joins = Rate(per_second=0.5, burst=20, clock=clock)
        self.requests = Rate(per_second=20, burst=100, clock=clock)
        self.commands = Rate(per_second=10, burst=40, clock=clock)
        self.pictures = Rate(per_second=8, burst=16, clock=clock)


class BodyLimit:
    """Refuses a request whose body is larger than :data:`MOST_BODY`, whatever its Content-Length claims. The body is
    read before the app is called: a large one never reaches it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        most = MOST_PICTURE if scope["path"] == PICTURES else MOST_BODY
        body = b""
        more = True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > most:
                refusal = RefusalError("too-big", f"a request may hold {most // 1024} KiB at most")
                await faults.response(refusal)(scope, receive, send)
                return
        given = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def again() -> Message:
            return next(given, None) or await receive()

        await self.app(scope, again, send)
