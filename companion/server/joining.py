"""How a device comes to the table: by the link of the QR code, or by a program's request."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response

from companion import network
from companion.people import Device, Role
from companion.refusals import RefusalError
from companion.room import PROTOCOL, Room
from companion.server.access import COOKIE_AGE, cookie_name, device_of, key_of
from companion.server.limits import Limits

router = APIRouter()


def room_of(connection: HTTPConnection) -> Room:
    """The room that the app serves."""
    room: Room = connection.app.state.room
    return room


def limits_of(connection: HTTPConnection) -> Limits:
    """The app's counters of who asked how often."""
    limits: Limits = connection.app.state.limits
    return limits


def joined(connection: HTTPConnection) -> Device:
    """The device that asks, if it has joined and does not ask too often. Raises RefusalError."""
    device = device_of(connection, room_of(connection).people)
    limits_of(connection).requests.take(device.id)
    return device


def host(connection: HTTPConnection) -> Device:
    """The device that asks, if it is the host. Raises RefusalError."""
    device = joined(connection)
    if room_of(connection).people.role(device) is not Role.HOST:
        raise RefusalError("not-allowed", "only the host may do this")
    return device


AnyRoom = Annotated[Room, Depends(room_of)]
Joined = Annotated[Device, Depends(joined)]
Host = Annotated[Device, Depends(host)]


class JoinRequest(BaseModel):
    """A program that wants to join."""

    model_config = ConfigDict(extra="forbid", strict=True)
    token: str = Field(max_length=200, description="the last part of the link in the QR code")
    name: str = Field("", max_length=200, description="how the device is shown to the others")


@router.get("/j/{token}", include_in_schema=False)
def follow_link(token: str, request: Request, room: AnyRoom, to: Annotated[str, Query(max_length=20)] = "") -> Response:
    """The link in the QR code: remembers the device by a cookie and shows the page."""
    limits_of(request).joins.take(_caller(request))
    viewer = to == "tv"
    before = room.people.host
    device, key = room.join(token, viewer=viewer, key=key_of(request))
    took = before is not None and room.people.host == device.id != before
    answer = RedirectResponse("/#tv" if viewer else "/#took" if took else "/", status_code=303)
    answer.set_cookie(
        cookie_name(request),
        key,
        max_age=COOKIE_AGE,
        httponly=True,
        samesite="lax",  # strict would be withheld when a QR scanner's own browser hands the link on
        secure=request.url.scheme == "https",
    )
    return answer


@router.post("/api/join", tags=["joining"])
def join(body: JoinRequest, request: Request, room: AnyRoom) -> dict[str, Any]:
    """Join as a program. The key goes into the header `Authorization: Bearer KEY` of every other request."""
    limits_of(request).joins.take(_caller(request))
    device, key = room.join(body.token, body.name, key=key_of(request))
    return {"key": key, "you": room.you(device)}


@router.get("/api/hello", tags=["joining"])
def hello(room: AnyRoom) -> dict[str, Any]:
    """What this is, for whoever has not joined yet."""
    return {"protocol": PROTOCOL, "server": version("pilewatch"), "boot": room.boot}


@router.get("/api/qr.svg", tags=["joining"], response_class=Response)
def qr_code(room: AnyRoom, _: Joined) -> Response:
    """The join address as a QR code (image/svg+xml)."""
    return Response(network.qr_svg(room.join_url()), media_type="image/svg+xml")


def _caller(request: Request) -> str:
    return request.client.host if request.client else "?"
