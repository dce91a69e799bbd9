"""The cameras of this machine, to choose from: their names, and a small picture of each.

Two webcams of one model have one name; such cameras are told apart by their numbers.
"""

from __future__ import annotations

import functools
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.errors import UserError
from companion.pictures import small_jpeg

if TYPE_CHECKING:
    from vision.types import Image

WAIT: Final = 6.0
"""Seconds in which a camera must have given a picture."""
WARM_UP: Final = 8
"""Pictures until a camera has found its exposure."""
FRESH: Final = 20.0
"""Seconds for which a small picture is shown again: opening a camera takes a second or two, and lights its lamp."""


@dataclass(frozen=True, slots=True)
class Camera:
    """``source`` is what opens it, ``name`` what people know it by."""

    source: str
    name: str
    number: int


def cameras() -> list[Camera]:
    """The cameras that the system lists, in order."""
    from vision.sources.live import list_cameras

    listed = list_cameras()
    alike = Counter(camera.name for camera in listed)
    return [
        Camera(camera.name, camera.name, camera.number)
        if alike[camera.name] == 1
        else Camera(str(camera.number), f"{camera.name} ({camera.number})", camera.number)
        for camera in listed
    ]


def snapshot(number: int, seconds: float = WAIT) -> tuple[Image | None, str]:
    """A picture of a camera, after it has found its exposure; or None and why there is none."""
    from vision.sources import open_source
    from vision.sources.capture import Capture

    # In a process of its own: a broken driver may block for ever.
    with Capture(functools.partial(open_source, str(number))) as capture:
        end = time.monotonic() + seconds
        newest = None
        count = 0
        while time.monotonic() < end and count < WARM_UP and not capture.words:
            frame = capture.wait(0.2)
            if frame is not None:
                newest, count = frame.image, count + 1
        return newest, "" if newest is not None else capture.words or "gives no picture"


class Thumbnails:
    """Small pictures of the cameras, one looked through at a time. Thread-safe."""

    def __init__(
        self,
        look: Callable[[int], tuple[Image | None, str]] = snapshot,
        listing: Callable[[], list[Camera]] = cameras,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._look = look
        self._listing = listing
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[float, bytes]] = {}

    def of(self, source: str) -> bytes | None:
        """The picture of one of the listed cameras as JPEG; None where it gives none. Raises UserError ``source``."""
        with self._lock:
            then, kept = self._kept.get(source, (0.0, b""))
            if kept and self._clock() - then < FRESH:
                return kept
            camera = next((one for one in self._listing() if one.source == source), None)
            if camera is None:
                raise UserError("source", "this camera is not there (any more)")
            image, _ = self._look(camera.number)
            if image is None:
                return None
            data = small_jpeg(image)
            self._kept[source] = (self._clock(), data)
            return data
