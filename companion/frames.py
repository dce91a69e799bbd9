"""The frames of a table's camera as they are due: of a live camera, of a phone, of a film or photos played as a game.

Whoever takes them decides what is looked for in them; here it is said to the session whether the camera is there.
"""

from __future__ import annotations

import functools
import logging
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from companion.lens import PHONE, Lens
from companion.session import Session
from companion.status import CameraState

if TYPE_CHECKING:
    from vision.sources import Frame, Kind

log = logging.getLogger(__name__)

LEAF: Final = 4.0
"""Seconds that a photo is shown while no game is played, long enough to read what was read."""
GONE: Final = "the phone that is the camera sends no pictures: open its page again"


class Frames:
    """``wanted``: set once somebody has come to see the table."""

    def __init__(self, session: Session, lens: Lens, wanted: threading.Event) -> None:
        self._session = session
        self._lens = lens
        self._wanted = wanted

    def of(self, source: str, kind: Kind, stop: threading.Event, *, leaf: bool) -> Iterator[Frame | None]:
        """The frames of a source until ``stop``; None when a live one has just been lost. ``leaf``: photos that are no
        game as far as anybody said are leafed through. Raises SourceError."""
        if source == PHONE:
            return self._phone(stop)
        return self._live(source, stop) if kind.live else self._film(source, stop, leaf=leaf)

    def _live(self, source: str, stop: threading.Event) -> Iterator[Frame | None]:
        """The newest frames of a camera, read in a process of its own."""
        from vision.sources import SourceError, open_source
        from vision.sources.capture import Capture

        ever = False
        with Capture(functools.partial(open_source, source)) as capture:
            while not stop.is_set():
                frame = capture.wait(0.1)
                if frame is not None:
                    if not ever or self._session.camera is not CameraState.WATCHING:
                        self._session.set_camera(CameraState.WATCHING)
                    ever = True
                    yield frame
                elif not ever and capture.words:
                    raise SourceError(capture.words)
                elif capture.changed and capture.lost:
                    self._session.set_camera(CameraState.LOST, f"{capture.trouble}; it is started again by itself")
                    yield None

    def _phone(self, stop: threading.Event) -> Iterator[Frame | None]:
        """The pictures that a phone sends."""
        for frame in self._lens.frames(stop):
            state = CameraState.WATCHING if frame is not None else CameraState.LOST
            if state is not self._session.camera:
                self._session.set_camera(state, "" if frame is not None else GONE)
            yield frame

    def _film(self, text: str, stop: threading.Event, *, leaf: bool) -> Iterator[Frame]:
        """A film runs in its own time, and waits for a machine that is too slow for it: nothing of it is left out, so
        that it is refereed as it was played. It waits at its first picture for the game to begin."""
        from vision.sources import open_source
        from vision.watching.feed import left_out

        session = self._session
        source = open_source(text)
        told = 0

        def tell(before: int) -> int:
            new = left_out(source)[before:]
            for one in new:
                log.warning("%s", one.words)
            return len(new)

        try:
            session.set_camera(CameraState.WATCHING)
            frame = source.read()
            began: float | None = None
            while frame is not None and not stop.is_set():
                told += tell(told)
                if session.game is None:
                    yield frame
                    while leaf and session.game is None and not self._wanted.wait(0.1) and not stop.is_set():
                        continue  # the first photo stays until somebody has come to see it
                    until = time.monotonic() + (LEAF if leaf else 0.1)
                    while session.game is None and time.monotonic() < until and not stop.wait(0.1):
                        continue
                    if leaf and session.game is None:
                        frame = source.read()
                    continue
                if began is None:
                    if frame.number:
                        source.close()
                        source = open_source(text)
                        frame = source.read()
                    began = time.monotonic() - (frame.at if frame else 0.0)
                    continue
                stop.wait(max(0.0, began + frame.at - time.monotonic()))
                yield frame
                frame = source.read()
            tell(told)
        finally:
            source.close()
