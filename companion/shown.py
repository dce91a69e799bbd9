"""What a camera shows just now: the newest picture, what was read in it, and whether it is good enough to read from."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Final

from companion.pictures import jpeg, named, small_jpeg

if TYPE_CHECKING:
    from vision.table.checkup import Finding
    from vision.types import Image, ImageReading
    from vision.watching.watched import ReadsCards

JUDGED: Final = 3.0
"""Seconds between two judgements of light, focus and size."""


class Shown:
    """Thread-safe: the camera's thread writes, the server's threads read."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: tuple[Image, ImageReading | None, str] | None = None
        self._encoded: tuple[object, dict[str | None, bytes]] = (None, {})
        self._findings: list[Finding] = []
        self._judged_at = -1e9

    @property
    def reading(self) -> ImageReading | None:
        """What was read in the newest picture."""
        with self._lock:
            return self._latest[1] if self._latest else None

    def show(self, image: Image, reading: ImageReading | None, name: str) -> None:
        """Here is the newest picture. ``name``: its file's, where it is a photo."""
        with self._lock:
            self._latest = (image, reading, name)

    def judge(self, image: Image, reading: ImageReading, reader: ReadsCards) -> None:
        """Now and then: are light, focus and size good enough? Whether the picture is mirrored is looked for where
        the cards are read badly."""
        if time.monotonic() - self._judged_at < JUDGED:
            return
        from vision.reading.mirrored import is_doubtful
        from vision.table.checkup import examine

        flipped = reader.read(image[:, ::-1].copy()) if is_doubtful(reading) else None
        findings = examine(image, reading, flipped)
        with self._lock:
            self._findings, self._judged_at = findings, time.monotonic()

    def clear(self) -> None:
        """There is no picture any more."""
        with self._lock:
            self._latest, self._findings, self._judged_at = None, [], -1e9

    def playing(self) -> None:
        """A game goes on: nobody is setting the camera up."""
        with self._lock:
            self._findings = []

    def describe(self) -> dict[str, Any]:
        """``picture`` (is there one), ``seen`` (the cards in it, the doubtful ones with ``?``), ``findings``."""
        with self._lock:
            latest, findings = self._latest, self._findings
        seen = {"photo": latest[2], "cards": named(latest[1])} if latest and latest[1] is not None else None
        told = [{"code": one.code, "good": one.good, "words": one.words} for one in findings]
        return {"picture": latest is not None, "seen": seen, "findings": told}

    def jpeg(self, language: str | None = None) -> bytes | None:
        """The newest picture; with a ``language`` what was read is drawn in, in its letters. None where there is no
        picture."""
        with self._lock:
            latest, (of, encoded) = self._latest, self._encoded
        if latest is None:
            return None
        if of is latest and language in encoded:
            return encoded[language]
        data = jpeg(latest[0], latest[1] if language else None, language or "en")
        with self._lock:
            kept = self._encoded[1] if self._encoded[0] is latest else {}
            self._encoded = (latest, {**kept, language: data})
        return data

    def small(self) -> bytes | None:
        """The newest picture, small."""
        with self._lock:
            latest = self._latest
        return small_jpeg(latest[0]) if latest is not None else None
