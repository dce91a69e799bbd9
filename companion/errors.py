"""The one error that a person is meant to read."""

from __future__ import annotations


class UserError(Exception):
    """Something a person can put right: one sentence of what, where and what to do. ``code`` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
