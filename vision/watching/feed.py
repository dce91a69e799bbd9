"""Frames to a watcher: as fast as it can take them from files, the newest ones from what is live."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from vision.sources import Frame, Kind, LeftOut, Source, SourceError, kind_of, open_source
from vision.sources.capture import Capture
from vision.sources.watchdog import Policy
from vision.types import Observation
from vision.watching.watcher import Watcher


@dataclass(frozen=True, slots=True)
class Tick:
    """One step of watching: the frame, and what was seen to happen. Without a frame: the camera was just lost, or what
    was left out at the end is told."""

    frame: Frame | None
    observations: tuple[Observation, ...]
    dropped: int = 0
    """Pictures dropped so far because newer ones were there."""
    lost: bool = False
    words: str = ""
    """What to tell a person about the camera; empty if all is well."""
    left_out: tuple[LeftOut, ...] = ()
    """What could not be read between the last frame and this one."""


class Paced:
    """A film played at its own pace, as a camera would deliver it. ``at`` stays the film's own time."""

    def __init__(self, film: Source, rate: float = 1.0) -> None:
        self.kind = film.kind
        self.name = film.name
        self._film = film
        self._rate = rate
        self._start: float | None = None

    def read(self) -> Frame | None:
        frame = self._film.read()
        if frame is None:
            return None
        if self._start is None:
            self._start = time.monotonic() - frame.at / self._rate
        delay = self._start + frame.at / self._rate - time.monotonic()
        if delay > 0:
            time.sleep(delay)
        return frame

    @property
    def left_out(self) -> list[LeftOut]:
        return list(left_out(self._film))

    def close(self) -> None:
        self._film.close()


def open_paced(text: str, rate: float = 1.0) -> Source:
    return Paced(open_source(text), rate)


def watch(
    text: str,
    watcher: Watcher,
    *,
    real_time: bool = False,
    stop: Callable[[], bool] = lambda: False,
    policy: Policy | None = None,
) -> Iterator[Tick]:
    """Watch a source until it ends or ``stop`` says so. ``real_time`` plays a film as if it were a camera.

    A live source that is lost is started again for as long as it takes. Raises SourceError where the source cannot be
    opened at all: the first time for live ones, too.
    """
    kind = kind_of(text)
    if kind.live or (real_time and kind is Kind.FILM):
        opener = functools.partial(open_source, text) if kind.live else functools.partial(open_paced, text)
        yield from watch_live(opener, watcher, stop=stop, policy=policy, endless=kind.live)
        return
    source = open_source(text)
    told = 0
    try:
        while not stop() and (frame := source.read()) is not None:
            new = left_out(source)[told:]
            told += len(new)
            yield Tick(frame, tuple(watcher.see(frame, photo=source.kind is Kind.PHOTOS)), left_out=new)
        if new := left_out(source)[told:]:
            yield Tick(None, (), left_out=new)
    finally:
        source.close()


def left_out(source: Source) -> tuple[LeftOut, ...]:
    """What a source could not read so far; nothing for those that do not tell."""
    return tuple(getattr(source, "left_out", ()))


def watch_live(
    opener: Callable[[], Source],
    watcher: Watcher,
    *,
    stop: Callable[[], bool] = lambda: False,
    policy: Policy | None = None,
    endless: bool = True,
) -> Iterator[Tick]:
    """Watch what ``opener`` opens, in its own process. See :func:`watch`."""
    ever = False
    newest = 0.0
    with Capture(opener, policy) as capture:
        while not stop():
            frame = capture.wait(0.1)
            if frame is not None:
                ever, newest = True, frame.at
                yield Tick(frame, tuple(watcher.see(frame)), capture.dropped)
                continue
            if capture.finished and not endless:
                if new := capture.left_out:
                    yield Tick(None, (), capture.dropped, left_out=new)
                return
            if not ever and capture.words:
                raise SourceError(capture.words)
            if capture.changed and capture.lost:
                words = f"the camera is lost ({capture.trouble}); it is started again by itself"
                yield Tick(None, tuple(watcher.lost(newest)), capture.dropped, True, words)
