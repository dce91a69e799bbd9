"""The recorded games over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from fastapi import APIRouter
from starlette.responses import FileResponse, Response, StreamingResponse

from companion.server.joining import AnyRoom, Host, Joined

router = APIRouter(tags=["games"])


@router.get("/api/games")
def games(room: AnyRoom, _: Joined) -> list[dict[str, Any]]:
    """All games, newest first."""
    return room.library.listing(room.game_id)


@router.get("/api/games.zip", response_class=Response)
def download_all(room: AnyRoom, _: Joined) -> StreamingResponse:
    """All records and pictures (application/zip)."""
    return StreamingResponse(_pieces(room.library.pack()), media_type="application/zip", headers=_named("games.zip"))


@router.get("/api/games/{game}")
def game(game: str, room: AnyRoom, _: Joined) -> dict[str, Any]:
    """One game, with its whole log."""
    return room.library.one(game, room.game_id)


@router.get("/api/games/{game}/positions")
def positions(game: str, room: AnyRoom, _: Joined) -> list[dict[str, Any]]:
    """The table after each event that counts."""
    return room.library.positions(game)


@router.get("/api/games/{game}/record", response_class=Response)
def download(game: str, room: AnyRoom, _: Joined) -> Response:
    """The record itself (application/jsonl)."""
    return Response(room.library.record(game), media_type="application/jsonl", headers=_named(f"{game}.jsonl"))


@router.get("/api/games/{game}/pictures/{name}", response_class=Response)
def picture(game: str, name: str, room: AnyRoom, _: Joined) -> Response:
    """A doubtful moment (image/jpeg)."""
    return Response(room.library.picture(game, name), media_type="image/jpeg")


@router.get("/api/games/{game}/videos/{name}", response_class=Response)
def video(game: str, name: str, room: AnyRoom, _: Joined) -> FileResponse:
    """The film of the game (video/webm), in pieces where a browser asks for them."""
    return FileResponse(room.library.video(game, name), media_type="video/webm")


@router.delete("/api/games/{game}")
def delete(game: str, room: AnyRoom, _: Host) -> dict[str, Any]:
    """Delete a game for good."""
    room.library.delete(game, room.game_id)
    return {"deleted": game}


@router.get("/api/statistics")
def statistics(room: AnyRoom, _: Joined) -> dict[str, Any]:
    """Who lost how often, and what else can be counted, per player's name."""
    return room.library.statistics()


def _named(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="pilewatch-{name}"'}


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(1 << 16):
            yield piece
