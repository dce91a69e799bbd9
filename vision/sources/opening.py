"""From what a person types to a source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from vision.images import SUFFIXES
from vision.sources.base import Kind, Source, SourceError
from vision.sources.files import FILM_SUFFIXES, Film, Photos
from vision.sources.live import Live, find_camera, list_cameras

_ADDRESS = re.compile(r"(rtsps?|https?|rtmp|udp|tcp)://", re.IGNORECASE)


def kind_of(text: str) -> Kind:
    """What a source's text names, without opening it. Anything that is no address and no path is a camera."""
    if _ADDRESS.match(text):
        return Kind.STREAM
    path = Path(text)
    if path.is_dir() or path.suffix.lower() in SUFFIXES:
        return Kind.PHOTOS
    if path.is_file() or path.suffix.lower() in FILM_SUFFIXES:
        return Kind.FILM
    return Kind.CAMERA


def public_name(text: str) -> str:
    """A source as everybody may see it: an address without the user's name and password."""
    return re.sub(r"(?<=://)[^/?#]*@", "", text) if _ADDRESS.match(text) else text


def open_source(text: str, more: Sequence[str] = ()) -> Source:
    """Open a camera (number or name), a film, a stream (``rtsp://``, ``http://``) or photos (a folder, or files).

    Raises SourceError with one sentence where it cannot be.
    """
    kind = kind_of(text)
    if kind is Kind.STREAM:
        return Live(text, public_name(text), kind)
    path = Path(text)
    if kind is Kind.PHOTOS:
        if path.is_dir():
            return Photos.folder(path)
        paths = [path, *map(Path, more)]
        missing = [item for item in paths if not item.is_file()]
        if missing:
            raise SourceError(f"{missing[0]}: no such file")
        return Photos(paths, path.name)
    if kind is Kind.FILM:
        return Film(path)
    if "/" in text and not text.startswith("/dev/"):
        raise SourceError(f"{text}: no such file or folder")
    wanted = text.removeprefix("/dev/video") if text.startswith("/dev/video") else text
    camera = find_camera(wanted, list_cameras())
    return Live(camera.number, camera.name, kind)
