"""Runs the server on a socket that is bound already, so that a taken port is known before anything else starts."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from companion.errors import UserError
from companion.server.limits import MOST_MESSAGE
from companion.stopping import Stopping

PORTS: Final = range(65536)
CLOSING: Final = 1.0
"""Seconds that the application has to end in where nobody wants to wait."""


class PhoneProtocol(WebSocketsSansIOProtocol):
    """uvicorn's, but a connection whose phone does not take what was sent is cut when its handler ends.

    Closing politely would wait for the very buffer that the phone does not empty.
    """

    async def run_asgi(self) -> None:
        await super().run_asgi()
        if not self.writable.is_set():
            self.transport.abort()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        if not self.writable.is_set() or self.transport.get_write_buffer_size():
            self.transport.abort()


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises UserError ``port-taken``, ``port-forbidden``, ``address-unknown``."""
    if port not in PORTS:
        raise UserError("port-forbidden", f"there is no port {port}; choose one from 1024 to 65535 with --port")
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if host == "::":
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listening.bind((host, port))
        listening.listen(512)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            words = f"port {port} is taken by another program (another Pilewatch?); choose another with --port"
            raise UserError("port-taken", words) from None
        if error.errno in (errno.EACCES, errno.EPERM):
            raise UserError("port-forbidden", f"port {port} needs an administrator; choose one above 1023") from None
        raise UserError("address-unknown", f"cannot listen at {host}: {error.strerror}; leave --host out") from None
    return listening


class PhoneServer(uvicorn.Server):
    """uvicorn's, but signals are for the whole program to take (:mod:`companion.stopping`), and nobody is told of
    what is broken off by the end."""

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        _quiet(on=False)
        await super().serve(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # A request that is not whole is cancelled here, all else with the event loop: each with a traceback in the log.
        _quiet(on=True)
        await super().shutdown(sockets)
        if self.force_exit:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.lifespan.shutdown(), CLOSING)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _quiet(*, on: bool) -> None:
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).disabled = on


def server(app: FastAPI, **options: Any) -> PhoneServer:
    """The configured server; ``options`` are uvicorn's own (certificates)."""
    settings: dict[str, Any] = {
        "ws": PhoneProtocol,
        "ws_max_size": 4 * MOST_MESSAGE,
        "ws_ping_interval": 10,
        "ws_ping_timeout": 15,  # a phone that went out of the door closes nothing; this is how it is noticed
        "ws_per_message_deflate": False,  # a message is written once for all; squeezing it would be once each
        "log_level": "warning",
        "access_log": False,  # the log would hold join tokens
        "server_header": False,
        "timeout_graceful_shutdown": 2,
        "timeout_keep_alive": 15,
        "limit_concurrency": 1500,
    }
    return PhoneServer(uvicorn.Config(app, **{**settings, **options}))


def serve(
    app: FastAPI, listening: socket.socket, stopping: Stopping, cert: Path | None = None, key: Path | None = None
) -> None:
    """Serve until the program is asked to end."""
    options: dict[str, Any] = {}
    if cert is not None:
        options = {"ssl_certfile": str(cert), "ssl_keyfile": str(key) if key else None}
    running = server(app, **options)
    stopping.serving(running)
    if not stopping.asked:
        asyncio.run(running.serve(sockets=[listening]))
