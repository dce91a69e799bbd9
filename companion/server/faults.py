"""How errors leave the server: always the same JSON shape, never a traceback."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.refusals import RefusalError

log = logging.getLogger(__name__)

INTERNAL = RefusalError("internal", "something went wrong inside Pilewatch; the game is safe, try again")


class Json(JSONResponse):
    """JSON in UTF-8 whatever is in it: half a surrogate, which JSON may carry and UTF-8 may not, becomes a ``?``."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(
            "utf-8", "replace"
        )


def response(refusal: RefusalError) -> JSONResponse:
    """The answer that carries a refusal."""
    headers = {"Cache-Control": "no-store"}
    if refusal.code == "too-many":
        headers["Retry-After"] = "1"
    return Json({"error": refusal.as_json()}, status_code=refusal.status, headers=headers)


def install(app: FastAPI) -> None:
    """Give the app one handler for each way in which a request can fail."""
    handlers: dict[type[Exception], Callable[[Request, Exception], Awaitable[Response]]] = {
        RefusalError: _refused,
        RequestValidationError: _invalid,
        HTTPException: _http,
        Exception: _unexpected,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)


async def _refused(_: Request, error: Exception) -> Response:
    return response(error if isinstance(error, RefusalError) else INTERNAL)


async def _invalid(_: Request, error: Exception) -> Response:
    faults = error.errors() if isinstance(error, RequestValidationError) else []
    if any(fault["type"] == "json_invalid" for fault in faults):
        return response(RefusalError("bad-message", "the body of the request is not JSON"))
    where = [".".join(str(part) for part in fault["loc"]) for fault in faults[:5]]
    return response(RefusalError("bad-value", f"not understood: {', '.join(where) or 'the request'}", where=where))


async def _http(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == 404:
        return response(RefusalError("not-found", "there is nothing at this address"))
    if status == 405:
        return response(RefusalError("wrong-method", "this address is not used that way"))
    return response(RefusalError("bad-message", "the request was not understood") if status < 500 else INTERNAL)


async def _unexpected(request: Request, error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return response(INTERNAL)
