"""A camera that does as it is told, for the capture's tests. In a module of its own: it runs in another process."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

import numpy as np

from vision.sources import Frame, Kind, SourceError


class Scripted:
    """Plays steps: ``("good", n)`` n pictures at 50 a second, ``("same", n)``, ``("black", n)``, ``("size", n)``,
    ``("tall", n)``, ``("block", seconds)``, ``("stop", 0)``, ``("crash", 0)``."""

    kind = Kind.CAMERA
    name = "scripted"

    def __init__(self, steps: Sequence[tuple[str, float]]) -> None:
        self._steps = list(steps)
        self._left = 0.0
        self._number = 0
        self._last = np.full((48, 64, 3), 99, np.uint8)

    def read(self) -> Frame | None:
        while self._steps:
            what, amount = self._steps[0]
            if what == "stop":
                return None
            if what == "crash":
                os._exit(3)
            if what == "block":
                time.sleep(amount)
                self._steps.pop(0)
                continue
            if self._left <= 0:
                self._left = amount
            self._left -= 1
            if self._left <= 0:
                self._steps.pop(0)
            time.sleep(0.02)
            self._number += 1
            return Frame(self._picture(what), time.monotonic(), self._number - 1)
        return None

    def _picture(self, what: str) -> np.ndarray:
        noise = np.random.default_rng(self._number)
        if what == "black":
            return noise.integers(0, 6, (48, 64, 3), dtype=np.uint8)
        if what == "size":
            return noise.integers(80, 120, (96, 128, 3), dtype=np.uint8)
        if what == "tall":
            return noise.integers(80, 120, (64, 48, 3), dtype=np.uint8)
        if what != "same":
            self._last = noise.integers(80, 120, (48, 64, 3), dtype=np.uint8)
        return self._last.copy()

    def close(self) -> None:
        pass


def open_scripted(steps: Sequence[tuple[str, float]]) -> Scripted:
    return Scripted(steps)


def open_refused() -> Scripted:
    raise SourceError("the scripted camera is out")
