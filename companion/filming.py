"""Records the video of a game beside its record, where the table has asked for it. Off unless somebody switches it on.

VP8 in WebM is what every browser plays without an extra. It is written in a thread of its own, three pictures a second:
a machine that is busy loses pictures of the film, never of the game.
"""

from __future__ import annotations

import logging
import queue
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from companion.session import Session
    from vision.types import Image

log = logging.getLogger(__name__)

RATE: Final = 3
"""Pictures a second."""
WIDTH: Final = 1280
"""Pixels; larger pictures are reduced."""
FREE: Final = 1 << 30
"""Bytes that are left free on the disk: the record of the game needs them more."""
LONGEST_GAP: Final = 5.0
"""Seconds for which the last picture stands while none comes; a longer pause is left out."""


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def _unused(folder: Path) -> Path:
    """A name that says when the film began; the clock may have been set back since the last one."""
    now = int(time.time())
    while (folder / f"{now}.webm").exists():
        now += 1
    return folder / f"{now}.webm"


class Filming:
    """Films the game that a session plays while its set-up says so. ``offer`` never waits."""

    def __init__(
        self, session: Session, *, free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
    ) -> None:
        self._session = session
        self._free = free
        self._film: Film | None = None
        self._game: str | None = None
        self._full = False

    @property
    def state(self) -> str:
        """``off``, ``on``, or ``disk full``."""
        return "on" if self._film is not None else "disk full" if self._full else "off"

    def offer(self, image: Image, at: float) -> None:
        """Take a picture of the game, at a time in seconds."""
        game = self._session.game
        wanted = game.id if game is not None and game.phase != "over" and self._session.set_up.record_video else None
        if wanted != self._game:
            self.stop()
            self._game = wanted
        if wanted is None or self._full:
            return
        folder = self._session.folder.videos(wanted)
        if self._film is None:
            self._film = Film(_unused(folder))
        if self._film.frames % (10 * RATE) == 0 and self._free(self._session.folder.root) < FREE:
            log.warning("the disk is nearly full: the video is not recorded any further")
            self.stop()
            self._game, self._full = wanted, True
            return
        self._film.offer(image, at)

    def stop(self) -> None:
        """End the film; it can be watched then. Stopping twice is harmless."""
        film, self._film = self._film, None
        self._game, self._full = None, False
        if film is not None:
            film.close()


class Film:
    """One video file. It begins with the first picture offered."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.frames = 0
        """Pictures taken so far."""
        self._waiting: queue.Queue[tuple[Image, int] | None] = queue.Queue(2)
        self._last: float | None = None
        self._thread = threading.Thread(target=self._write, name="film", daemon=True)
        self._thread.start()

    def offer(self, image: Image, at: float) -> None:
        """Take a picture, if it is due and the writer keeps up."""
        since = 1 / RATE if self._last is None else min(at - self._last, LONGEST_GAP)
        due = int(since * RATE + 1e-6)
        if due < 1:
            return
        try:
            self._waiting.put_nowait((image, due))
        except queue.Full:
            return  # the next one stands for this one too
        self._last = at if self._last is None or at - self._last > LONGEST_GAP else self._last + due / RATE
        self.frames += 1

    @property
    def idle(self) -> bool:
        """Whether all that was offered is taken up by the writer."""
        return self._waiting.empty()

    def close(self) -> None:
        """Write what waits and close the file."""
        self._waiting.put(None)
        self._thread.join(timeout=20)

    def _write(self) -> None:
        import cv2

        from vision.sources.base import SourceError, as_text

        writer: cv2.VideoWriter | None = None
        while (item := self._waiting.get()) is not None:
            image, times = item
            height, width = image.shape[:2]
            size = (width, height) if width <= WIDTH else (WIDTH, round(WIDTH * height / width))
            size = (size[0] // 2 * 2, size[1] // 2 * 2)
            if writer is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                try:
                    name = as_text(self.path)
                except SourceError as error:
                    log.warning("%s: the video is not recorded", error)
                    name = ""  # a writer that was not opened takes pictures and keeps none
                writer = cv2.VideoWriter(name, cv2.VideoWriter.fourcc(*"VP80"), RATE, size)
                if name and not writer.isOpened():
                    log.warning("%s cannot be written: the video is not recorded", self.path)
                first = size
            picture = cv2.resize(image, first, interpolation=cv2.INTER_AREA) if (width, height) != first else image
            for _ in range(times):
                writer.write(picture)
        if writer is not None:
            writer.release()
