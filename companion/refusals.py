"""All that the server refuses, with its stable code. ``docs/errors.md`` describes each; a test holds it to that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

STATUS: Final[Mapping[str, int]] = {
    # who asks
    "not-joined": 401,
    "wrong-token": 403,
    "wrong-origin": 403,
    "wrong-host": 421,
    "not-allowed": 403,
    # what is asked
    "bad-message": 400,
    "bad-value": 422,
    "unknown-command": 422,
    "unknown-device": 404,
    "unknown-seat": 422,
    "unknown-game": 404,
    "unknown-flag": 404,
    "not-found": 404,
    "no-picture": 404,
    "wrong-method": 405,
    "too-big": 413,
    "too-many": 429,
    # the state of the table
    "stale": 409,
    "no-game": 409,
    "game-is-playing": 409,
    "faulty-set-up": 422,
    "event-refused": 422,
    "doubtful": 409,
    "unknown-camera": 409,
    # the machine
    "not-recorded": 507,
    "internal": 500,
}
"""HTTP status for each code."""


class RefusalError(Exception):
    """Something that the server does not do: a code of :data:`STATUS`, one sentence for a person, further fields."""

    def __init__(self, code: str, words: str, **more: object) -> None:
        super().__init__(words)
        self.code = code
        self.words = words
        self.more = more

    @property
    def status(self) -> int:
        return STATUS[self.code]

    def as_json(self) -> dict[str, object]:
        """The one shape in which an error leaves the server (the value of ``error``)."""
        return {"code": self.code, "words": self.words, **self.more}
