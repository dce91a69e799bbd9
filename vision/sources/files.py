"""Films and folders of photos."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.images import SUFFIXES, ImageError, load
from vision.sources.base import Frame, Kind, LeftOut, SourceError, as_text

FILM_SUFFIXES: Final = frozenset({".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".ogv", ".mpg", ".mpeg", ".mjpeg"})

COUNTED: Final = frozenset({".mp4", ".m4v", ".mov"})
"""Films that list their pictures; of others the number is only worked out from their length."""
A_RUN: Final = 30
"""Pictures in a row that cannot be read: the end of a film of which nobody knows how long it is."""
FEWER: Final = 3
"""So many pictures fewer than it lists, or one in a hundred, a film may have without being damaged."""
PHOTO_SECONDS: Final = 5.0
"""Seconds from one photo to the next on their clock: long enough that two photos are never one movement."""


class Film:
    """A video file. Of a damaged film all is read that can be; at its end :attr:`left_out` says how much could not."""

    kind: Kind = Kind.FILM

    def __init__(self, path: Path) -> None:
        self.name = path.name
        if not path.is_file():
            raise SourceError(f"{path}: no such file")
        self._capture = cv2.VideoCapture(as_text(path))
        if not self._capture.isOpened():
            raise SourceError(f"{path} is no film that can be played; convert it to MP4 (H.264)")
        rate = float(self._capture.get(cv2.CAP_PROP_FPS))
        self.rate = rate if np.isfinite(rate) and 0.1 <= rate <= 1000 else 30.0
        self.frames = max(0, int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT)))
        self._counted = path.suffix.lower() in COUNTED and self.frames > 0
        self._damaged = 0
        self._number = 0
        self._ended = False

    def read(self) -> Frame | None:
        bad = 0
        # Frames that cannot be decoded are skipped; where nobody knows how many are to come, a run of them is the end.
        while not self._ended:
            good, image = self._capture.read()
            number = self._number
            self._number += 1
            if good and image is not None and image.size:
                self._damaged += bad
                return Frame(np.asarray(image, np.uint8), number / self.rate, number)
            bad += 1
            self._ended = self._number >= self.frames if self._counted else bad >= A_RUN or number >= self.frames
        if self._counted and bad > max(FEWER, self.frames // 100):
            self._damaged += bad
        return None

    @property
    def left_out(self) -> list[LeftOut]:
        """What could not be read, once it has come to its end."""
        if not self._damaged or not self._ended:
            return []
        were = "picture could not be read and was" if self._damaged == 1 else "pictures could not be read and were"
        words = f"{self.name} is damaged: {self._damaged} of its {were} left out"
        return [LeftOut(self.name, "film-damaged", words)]

    def close(self) -> None:
        self._capture.release()


class Photos:
    """Photos in the order of their names (``2.jpg`` before ``10.jpg``). Each shows a table at rest.

    What cannot be read as a picture is skipped and told of in ``left_out``.
    """

    kind: Kind = Kind.PHOTOS

    def __init__(self, paths: Sequence[Path], name: str) -> None:
        self.name = name
        self._paths = list(paths)
        self._next = 0
        self.left_out: list[LeftOut] = []

    @classmethod
    def folder(cls, path: Path) -> Photos:
        paths = [item for item in path.iterdir() if item.suffix.lower() in SUFFIXES and item.is_file()]
        if not paths:
            raise SourceError(f"{path} has no photos (JPEG, PNG, WebP, BMP or TIFF)")
        return cls(sorted(paths, key=lambda item: natural(item.name)), path.name)

    def __len__(self) -> int:
        return len(self._paths)

    def read(self) -> Frame | None:
        while self._next < len(self._paths):
            path, number = self._paths[self._next], self._next
            self._next += 1
            try:
                image = load(path)
            except ImageError as error:
                self.left_out.append(LeftOut(path.name, error.code, str(error).removesuffix(".")))
                continue
            return Frame(image, PHOTO_SECONDS * number, number, path.name)
        return None

    def close(self) -> None:
        self._next = len(self._paths)


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """A sort key by which ``photo-2`` comes before ``photo-10``."""
    parts = re.findall(r"\d+|\D+", name.lower())
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in parts)
