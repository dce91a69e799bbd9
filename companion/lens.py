"""A phone in place of a camera: it sends pictures over the network, the newest one is looked at.

Browsers open a camera only for a page that came over https (or from the machine itself), so this needs ``--cert``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from companion.refusals import RefusalError

if TYPE_CHECKING:
    from vision.sources import Frame

PHONE: Final = "phone"
"""The name of this source."""
MOST: Final = 4096
"""Pixels along a side. A small file may unfold into a very large picture."""
WIDTH: Final = 1920
"""Pixels; larger pictures are reduced."""
LOST: Final = 4.0
"""Seconds without a picture after which the camera counts as lost."""


class Lens:
    """Takes the pictures of one phone at a time. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._come = threading.Condition()
        self._newest: Frame | None = None
        self._number = 0
        self._holder: tuple[str, float] | None = None

    def put(self, device: str, data: bytes) -> None:
        """Take a JPEG picture from a device. Raises RefusalError ``bad-message`` for what is none, ``not-allowed``
        while another device is the camera."""
        import cv2
        import numpy as np

        from vision.sources import Frame

        now = self._clock()
        with self._come:
            if self._holder and self._holder[0] != device and now - self._holder[1] < LOST:
                raise RefusalError("not-allowed", "another phone is the camera just now")
        size = jpeg_size(data)
        if size is None or not all(16 <= side <= MOST for side in size):
            raise RefusalError("bad-message", f"a JPEG picture of 16 to {MOST} pixels a side was expected")
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            raise RefusalError("bad-message", "the picture is damaged")
        if image.shape[1] > WIDTH:
            height = round(WIDTH * image.shape[0] / image.shape[1])
            image = cv2.resize(image, (WIDTH, height), interpolation=cv2.INTER_AREA)
        with self._come:
            self._holder = (device, now)
            self._newest = Frame(np.asarray(image, np.uint8), now, self._number)
            self._number += 1
            self._come.notify_all()

    def frames(self, stop: threading.Event) -> Iterator[Frame | None]:
        """The newest pictures as they come, until ``stop``; None when the phone has just been lost."""
        given, lost = -1, False
        while not stop.is_set():
            with self._come:
                if self._number == given + 1:
                    self._come.wait(0.2)
                newest = self._newest
            if newest is not None and newest.number > given:
                given, lost = newest.number, False
                yield newest
            elif newest is not None and not lost and self._clock() - newest.at > LOST:
                lost = True
                yield None


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a JPEG from its header, without unfolding it; None for what is no JPEG."""
    if data[:2] != b"\xff\xd8":
        return None
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9]), int.from_bytes(data[at + 5 : at + 7])
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4])
    return None
