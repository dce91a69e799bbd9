"""The protocol of a source."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from vision.sources.glimpse import Glimpse
from vision.types import Image


class SourceError(Exception):
    """A source that cannot be opened: one sentence of what, where and what to do."""


def as_text(name: object) -> str:
    """A path or an address as OpenCV may be given it. Raises SourceError where it is no text: OpenCV would crash."""
    text = str(name)
    try:
        text.encode()
    except UnicodeEncodeError:
        shown = text.encode(errors="backslashreplace").decode()  # what cannot be printed must not end a message either
        raise SourceError(f"{shown} is a name with letters that are no text; rename the file or its folder") from None
    return text


class Kind(StrEnum):
    """``CAMERA`` and ``STREAM`` are live: what is not read in time is lost. ``FILM`` and ``PHOTOS`` wait."""

    CAMERA = "camera"
    STREAM = "stream"
    FILM = "film"
    PHOTOS = "photos"

    @property
    def live(self) -> bool:
        return self in (Kind.CAMERA, Kind.STREAM)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture. ``at`` is seconds on the source's own clock: for films and photos from the start of the film (five
    seconds a photo), for live sources a monotonic clock. ``number`` counts from 0. ``name`` is a photo's file name.
    ``missed`` are glimpses of those of a live source that came just before and were dropped, in order."""

    image: Image
    at: float
    number: int
    name: str = ""
    missed: tuple[Glimpse, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something of a source that could not be read and was left out: a file's name, a stable code, one sentence."""

    name: str
    code: str
    words: str


class Source(Protocol):
    """Read until None. ``read`` blocks as long as the device does, so live sources are read in their own process."""

    kind: Kind
    name: str

    def read(self) -> Frame | None:
        """The next picture, or None at the end (live: when the device has gone)."""

    def close(self) -> None: ...
