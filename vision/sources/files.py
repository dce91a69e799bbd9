"""Films and folders of photos."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.sources.base import Frame, Kind, SourceError

PHOTO_SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
FILM_SUFFIXES: Final = frozenset({".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".ogv", ".mpg", ".mpeg", ".mjpeg"})

PHOTO_SECONDS: Final = 5.0
"""Seconds from one photo to the next on their clock: long enough that two photos are never one movement."""


class Film:
    """A video file. A damaged film is read as far as it goes; ``damaged`` says how many frames could not be."""

    kind: Kind = Kind.FILM

    def __init__(self, path: Path) -> None:
        self.name = path.name
        if not path.is_file():
            raise SourceError(f"{path}: no such file")
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise SourceError(f"{path} is no film that can be played; convert it to MP4 (H.264)")
        rate = float(self._capture.get(cv2.CAP_PROP_FPS))
        self.rate = rate if np.isfinite(rate) and 0.1 <= rate <= 1000 else 30.0
        self.frames = max(0, int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT)))
        self.damaged = 0
        self._number = 0

    def read(self) -> Frame | None:
        # A few frames that cannot be decoded are skipped; a run of them is the end.
        for _ in range(30):
            good, image = self._capture.read()
            number = self._number
            self._number += 1
            if good and image is not None and image.size:
                return Frame(np.asarray(image, np.uint8), number / self.rate, number)
            if not self.frames or number >= self.frames:
                break
            self.damaged += 1
        return None

    def close(self) -> None:
        self._capture.release()


class Photos:
    """Photos in the order of their names (``2.jpg`` before ``10.jpg``). Each shows a table at rest.

    What cannot be read as a picture is skipped and named in ``skipped``.
    """

    kind: Kind = Kind.PHOTOS

    def __init__(self, paths: Sequence[Path], name: str) -> None:
        self.name = name
        self._paths = list(paths)
        self._next = 0
        self.skipped: list[str] = []

    @classmethod
    def folder(cls, path: Path) -> Photos:
        paths = [item for item in path.iterdir() if item.suffix.lower() in PHOTO_SUFFIXES and item.is_file()]
        if not paths:
            raise SourceError(f"{path} has no photos (JPEG, PNG, WebP, BMP or TIFF)")
        return cls(sorted(paths, key=lambda item: natural(item.name)), path.name)

    def __len__(self) -> int:
        return len(self._paths)

    def read(self) -> Frame | None:
        while self._next < len(self._paths):
            path, number = self._paths[self._next], self._next
            self._next += 1
            image = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR) if path.stat().st_size else None
            if image is not None and image.size:
                return Frame(np.asarray(image, np.uint8), PHOTO_SECONDS * number, number, path.name)
            self.skipped.append(path.name)
        return None

    def close(self) -> None:
        self._next = len(self._paths)


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """A sort key by which ``photo-2`` comes before ``photo-10``."""
    parts = re.findall(r"\d+|\D+", name.lower())
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in parts)
