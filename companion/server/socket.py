"""The WebSocket of a phone: a snapshot first, then everything that happens; commands the other way."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping
from typing import Any, Final

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from companion.refusals import RefusalError
from companion.room import Room
from companion.server.access import device_of
from companion.server.hub import Client, Hub, text_of
from companion.server.joining import limits_of, room_of
from companion.server.limits import MOST_MESSAGE, MOST_SOCKETS, MOST_SOCKETS_EACH, Limits

router = APIRouter()

NOT_JOINED: Final = 4001
TOO_SLOW: Final = 4008
TOO_BIG: Final = 4009
TOO_MANY: Final = 4029
CLOSING: Final = 1.0
"""Seconds that a dropped client has to take the reason."""
STRIKES: Final = 100
"""Messages over the rate, or not understood, in one connection before it is closed."""


@router.websocket("/api/socket")
async def socket(websocket: WebSocket) -> None:
    """One phone, from connecting to leaving."""
    room, hub = room_of(websocket), _hub(websocket)
    await websocket.accept()
    try:
        device = device_of(websocket, room.people)
    except RefusalError as refusal:
        await _close(websocket, NOT_JOINED, refusal.code)
        return
    own = sum(client.device.id == device.id for client in hub.clients)
    if len(hub.clients) >= MOST_SOCKETS or own >= MOST_SOCKETS_EACH:
        await _close(websocket, TOO_MANY, "too-many")
        return
    client = Client(websocket, device)
    query = websocket.query_params
    await run_in_threadpool(room.arrived, device)
    try:
        await _say(websocket, room.hello(device))
        # From here on all that happens is queued for this client; what the snapshot already holds is left out.
        hub.clients.add(client)
        snapshot = await run_in_threadpool(room.snapshot, query.get("since"), query.get("boot"))
        client.knows = int(str(snapshot["v"]))
        await _say(websocket, snapshot)
        await _serve(client, room, limits_of(websocket))
    except WebSocketDisconnect:
        return
    finally:
        hub.clients.discard(client)
        await run_in_threadpool(room.left, device)


async def _serve(client: Client, room: Room, limits: Limits) -> None:
    """Read and write until either ends."""
    reading = asyncio.ensure_future(_read(client, room, limits))
    writing = asyncio.ensure_future(client.send_all())
    slow = asyncio.ensure_future(client.too_slow.wait())
    tasks: set[asyncio.Future[Any]] = {reading, writing, slow}
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        code = TOO_SLOW if slow.done() else None
        if code is None and reading.done() and not reading.cancelled() and reading.exception() is None:
            code = reading.result()
    finally:
        for task in tasks:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, Exception) and not isinstance(outcome, WebSocketDisconnect | RuntimeError):
                raise outcome
    if code is not None:
        await _close(client.socket, code, {TOO_SLOW: "too-slow", TOO_BIG: "too-big", TOO_MANY: "too-many"}[code])


async def _read(client: Client, room: Room, limits: Limits) -> int:
    """Take commands one after the other. Returns the code to close with."""
    strikes = 0
    while True:
        received = await client.socket.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received.get("code", 1006))
        raw = received.get("text")
        if raw is None or len(raw.encode()) > MOST_MESSAGE:
            return TOO_BIG
        try:
            limits.commands.take(client.device.id)
            message = parse(raw)
        except RefusalError as refusal:
            strikes += 1
            if strikes > STRIKES:
                return TOO_MANY
            client.offer(text_of({"type": "error", "error": refusal.as_json()}))
            continue
        answer = await run_in_threadpool(room.command, client.device, message)
        client.offer(text_of(answer))


def parse(raw: str) -> Mapping[str, object]:
    """The JSON object that a phone sent. Raises RefusalError ``bad-message``."""
    try:
        message = json.loads(raw)
    except (ValueError, RecursionError):
        raise RefusalError("bad-message", "a message must be JSON") from None
    if not isinstance(message, dict):
        raise RefusalError("bad-message", "a message must be a JSON object")
    return message


async def _say(websocket: WebSocket, message: Mapping[str, object]) -> None:
    """Raises WebSocketDisconnect where the socket has closed meanwhile, over what the phone sent first, say."""
    try:
        await websocket.send_text(text_of(message))
    except RuntimeError:
        raise WebSocketDisconnect(1006) from None


async def _close(websocket: WebSocket, code: int, reason: str) -> None:
    with contextlib.suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
        await asyncio.wait_for(websocket.close(code, reason), CLOSING)


def _hub(websocket: WebSocket) -> Hub:
    hub: Hub = websocket.app.state.hub
    return hub
