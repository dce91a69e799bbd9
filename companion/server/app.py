"""Puts the server together: the room it serves, the gatekeeper before it, the routes and the socket in it."""

from __future__ import annotations

import asyncio
import contextlib
import mimetypes
from collections.abc import AsyncIterator
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from starlette.responses import FileResponse, Response
from starlette.types import Scope

from companion.room import Room
from companion.server import faults, games, joining, playing, socket
from companion.server.access import Gatekeeper
from companion.server.hub import Hub
from companion.server.limits import BodyLimit, Limits

PAGE: Final = Path(str(files("companion") / "page"))
CATALOGUE: Final = Path(str(files("companion") / "catalogue"))

# Some systems' own tables say text/plain for these, and browsers then refuse to run them.
for suffix, kind in {
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}.items():
    mimetypes.add_type(kind, suffix)


class Fresh(StaticFiles):
    """Static files that a browser asks about each time, so that an update is never half there."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        return response


def create_app(room: Room) -> FastAPI:
    """The server of one table."""
    hub = Hub()

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        hub.bind(asyncio.get_running_loop())
        room.publish = hub.publish
        beating = asyncio.create_task(hub.beat(room.tick))
        try:
            yield
        finally:
            beating.cancel()
            hub.bind(None)

    app = FastAPI(
        title="Pilewatch",
        summary="The referee's table: who plays, what lies, what was recorded.",
        description="Moving things go over the socket `/api/socket`; its messages are described in `docs/socket.md`.",
        version=version("pilewatch"),
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,  # both would fetch their scripts from the internet
        redoc_url=None,
        responses={"default": {"description": "A refusal: one shape for all, its codes in docs/errors.md"}},
    )
    app.state.room = room
    app.state.hub = hub
    app.state.limits = Limits()
    faults.install(app)
    app.include_router(joining.router)
    app.include_router(playing.router)
    app.include_router(games.router)
    app.include_router(socket.router)
    app.mount("/static", Fresh(directory=PAGE), name="static")
    app.mount("/catalogue", Fresh(directory=CATALOGUE), name="catalogue")

    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(PAGE / "index.html", headers={"Cache-Control": "no-cache"})

    app.add_middleware(BodyLimit)
    app.add_middleware(Gatekeeper, host_names=room.addresses.host_names)
    return app
