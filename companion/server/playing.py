"""The table over HTTP: commands, the polling that stands in for the socket, the rules, the camera's picture."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from companion import rule_book
from companion.lens import PHONE
from companion.people import Role
from companion.refusals import RefusalError
from companion.server.faults import Json
from companion.server.joining import AnyRoom, Host, Joined, limits_of
from companion.set_up import LANGUAGES

router = APIRouter(tags=["playing"])
KNOWN: Final = f"^({'|'.join(LANGUAGES)})$"
"""The languages, as a pattern."""


class RulesRequest(BaseModel):
    """A combination of rules that somebody considers."""

    model_config = ConfigDict(extra="forbid")
    rules: str = Field(max_length=80, description="a rule set, with variations: palace+jokers")
    options: dict[str, Any] = Field(default_factory=dict, description="what differs from it")
    players: int = Field(2, ge=0, le=20)


@router.post("/api/command")
def command(body: Annotated[dict[str, Any], Body()], request: Request, room: AnyRoom, device: Joined) -> JSONResponse:
    """One command, as over the socket; the answer is the message `answer`."""
    limits_of(request).commands.take(device.id)
    answer = room.command(device, body)
    error = answer.get("error")
    return Json(answer, status_code=RefusalError(error["code"], "").status if error else 200)


@router.get("/api/poll")
def poll(
    room: AnyRoom,
    device: Joined,
    since: Annotated[str | None, Query(max_length=20)] = None,
    boot: Annotated[str | None, Query(max_length=64)] = None,
    v: Annotated[str | None, Query(max_length=20)] = None,
) -> Response:
    """What the socket would have said; 204 when nothing is newer than `v` of this `boot`."""
    room.polled(device)
    if boot == room.boot and v == str(room.version):
        return Response(status_code=204)
    return JSONResponse({"hello": room.hello(device), "snapshot": room.snapshot(since, boot)})


@router.get("/api/rules")
def rules(_: Joined) -> dict[str, Any]:
    """The rule sets and every option, each in plain words."""
    return rule_book.listing()


@router.post("/api/rules/check")
def check_rules(body: RulesRequest, _: Joined) -> dict[str, Any]:
    """Whether a combination of rules makes sense for so many players, and what it means in plain words."""
    return rule_book.check(body.rules, body.options, body.players)


@router.get("/api/camera.jpg", response_class=Response)
def camera(
    room: AnyRoom, _: Joined, overlay: bool = True, language: Annotated[str, Query(pattern=KNOWN)] = LANGUAGES[0]
) -> Response:
    """The newest frame (image/jpeg), with what was seen in it drawn in, in the letters of a language."""
    picture = room.eyes.picture(language if overlay else None)
    if picture is None:
        raise RefusalError("no-picture", "there is no camera picture at the moment")
    return Response(picture, media_type="image/jpeg")


@router.post("/api/lens", status_code=204, response_class=Response)
async def lens(request: Request, room: AnyRoom, device: Joined) -> Response:
    """A picture (image/jpeg, 1 MiB at most) from a phone that is the camera, where the host has chosen that."""
    limits_of(request).pictures.take(device.id)
    if room.people.role(device) is Role.VIEWER:
        raise RefusalError("not-allowed", "only who plays may do this")
    if room.eyes.mode != PHONE:
        raise RefusalError("unknown-camera", "the table does not ask a phone for pictures")
    data = await request.body()
    await run_in_threadpool(room.eyes.lens.put, device.id, data)
    return Response(status_code=204)


@router.get("/api/camera-picture.jpg", response_class=Response)
def thumbnail(room: AnyRoom, _: Host, source: Annotated[str, Query(max_length=300)]) -> Response:
    """A small picture (image/jpeg) of one of the machine's cameras, which need not be the one that is watched."""
    picture = room.eyes.thumbnail(source)
    if picture is None:
        raise RefusalError("no-picture", "this camera gives no picture")
    return Response(picture, media_type="image/jpeg")


@router.get("/api/cameras")
def cameras(room: AnyRoom, _: Host) -> list[dict[str, Any]]:
    """The cameras of the machine, to choose from."""
    return room.eyes.cameras()
