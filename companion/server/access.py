"""Who may reach the server at all: Host and Origin of a request, the key of a device, the headers of every answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.network import is_ip_address
from companion.people import Device, People
from companion.refusals import RefusalError
from companion.server import faults

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
COOKIE_AGE: Final = 180 * 24 * 3600  # seconds


class Gatekeeper:
    """Checks Host and Origin before anything else, and puts the security headers on every answer.

    A page of another site must not drive the table through a visitor's browser: its requests carry a foreign Origin.
    And a foreign name must not be pointed at this machine (DNS rebinding): only plain addresses and this machine's own
    names are served.
    """

    def __init__(self, app: ASGIApp, host_names: Callable[[], frozenset[str]]) -> None:
        self.app = app
        self.host_names = host_names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        secure = scope.get("scheme") in ("https", "wss")

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _harden(MutableHeaders(scope=message), host, secure, scope["path"])
            await send(message)

        refusal = self._refusal(scope, headers, host)
        if refusal is None:
            await self.app(scope, receive, guarded)
        elif scope["type"] == "http":
            await faults.response(refusal)(scope, receive, guarded)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 4003, "reason": refusal.code})

    def _refusal(self, scope: Scope, headers: Headers, host: str) -> RefusalError | None:
        name = _host_name(host)
        if not name or not (is_ip_address(name) or name in self.host_names()):
            return RefusalError("wrong-host", "this server is reached by its address; scan the QR code")
        if scope["type"] == "http" and scope["method"] in SAFE_METHODS:
            return None
        origin = headers.get("origin")
        if origin is None:
            # Browsers send Origin with all that changes something. Without it a cookie proves nothing.
            bearer = headers.get("authorization", "").lower().startswith("bearer ")
            if "cookie" in headers and not bearer:
                return RefusalError("wrong-origin", "a program sends its key in the Authorization header")
        elif origin.lower() not in (f"http://{host.lower()}", f"https://{host.lower()}"):
            return RefusalError("wrong-origin", "another site's page may not do this")
        return None


def cookie_name(connection: HTTPConnection) -> str:
    """Cookies know no ports, so two tables on one machine need two names."""
    return f"pilewatch_{connection.url.port or (443 if connection.url.scheme in ('https', 'wss') else 80)}"


def key_of(connection: HTTPConnection) -> str | None:
    """The key that a request carries."""
    scheme, _, value = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return value.strip() or None
    return connection.cookies.get(cookie_name(connection))


def device_of(connection: HTTPConnection, people: People) -> Device:
    """The device that asks. Raises RefusalError ``not-joined``."""
    key = key_of(connection)
    device = people.identify(key) if key else None
    if device is None:
        raise RefusalError("not-joined", "this device is not at the table: scan the QR code")
    return device


def _host_name(host: str) -> str:
    if host.startswith("["):
        return host[: host.find("]") + 1].lower()
    return host.rsplit(":", 1)[0].lower() if host.count(":") == 1 else host.lower()


def _harden(headers: MutableHeaders, host: str, secure: bool, path: str) -> None:
    # Older Safari does not count a socket as 'self', so its address is named.
    socket = f"{'wss' if secure else 'ws'}://{host}"
    headers["Content-Security-Policy"] = (
        f"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
        f"media-src 'self'; manifest-src 'self'; connect-src 'self' {socket}; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    )
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "no-referrer"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    headers["X-Frame-Options"] = "DENY"
    if path.startswith(("/api/", "/j/")):
        headers.setdefault("Cache-Control", "no-store")
