"""How long the tests wait for what should be so any moment."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 90.0
"""Seconds. Nobody who passes waits so long, and a busy machine fails nobody."""


def until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to be so in time"
        time.sleep(0.01)
