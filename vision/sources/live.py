"""Cameras and network streams."""

from __future__ import annotations

import platform
import re
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.sources.base import Frame, Kind, SourceError, as_text
from vision.sources.unanswered import why_shut


@dataclass(frozen=True, slots=True)
class CameraName:
    """A camera that the system lists. ``number`` is the system's own and may change; ``name`` is its maker's."""

    number: int
    name: str


def list_cameras(root: Path = Path("/sys/class/video4linux")) -> list[CameraName]:
    """The cameras that the system knows, in order.

    On Linux from ``root``; devices without pictures (a camera's second, metadata-only node) are left out where the
    system tells. Elsewhere numbers 0 to 3 are tried, because there is no list to be had without a dialogue.
    """
    if root.is_dir():
        cameras = []
        for entry in root.iterdir():
            match = re.fullmatch(r"video(\d+)", entry.name)
            if match and _first_line(entry / "index", "0") == "0":
                cameras.append(CameraName(int(match[1]), _first_line(entry / "name", entry.name)))
        return sorted(cameras, key=lambda camera: camera.number)
    if platform.system() == "Linux":
        return []
    found = []
    for number in range(4):
        capture = cv2.VideoCapture(number)
        if capture.isOpened():
            found.append(CameraName(number, f"camera {number}"))
        capture.release()
    return found


def find_camera(wanted: str, cameras: list[CameraName]) -> CameraName:
    """The camera of a number or of (part of) a name. Raises SourceError, naming those that there are."""
    exact = [camera for camera in cameras if wanted in (str(camera.number), camera.name)]
    part = [camera for camera in cameras if wanted.lower() in camera.name.lower() and not wanted.isdigit()]
    if exact or part:
        return (exact or part)[0]
    listed = ", ".join(f"{camera.number} ({camera.name})" for camera in cameras) or "none"
    raise SourceError(f"there is no camera {wanted!r}; the system lists: {listed}")


class Live:
    """A camera or a stream, opened by OpenCV. ``at`` is ``time.monotonic``."""

    def __init__(self, address: int | str, name: str, kind: Kind, size: tuple[int, int] = (1280, 720)) -> None:
        self.kind = kind
        self.name = name
        options = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 5000]
        if isinstance(address, str):
            self._capture = cv2.VideoCapture(as_text(address), cv2.CAP_FFMPEG, options)
        else:
            self._capture = cv2.VideoCapture(address)
        if not self._capture.isOpened():
            known = why_shut(address, name) if isinstance(address, str) else ""
            raise SourceError(
                known or f"{name} cannot be opened; is it plugged in, reachable and not in use by another program?"
            )
        if isinstance(address, int):
            # Motion JPEG lets a USB 2 camera send 720p at its full rate; raw frames come at ten a second.
            self._capture.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._number = 0

    def read(self) -> Frame | None:
        good, image = self._capture.read()
        if not good or image is None or not image.size:
            return None
        self._number += 1
        return Frame(np.asarray(image, np.uint8), time.monotonic(), self._number - 1)

    def close(self) -> None:
        self._capture.release()


def _first_line(path: Path, otherwise: str) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip().splitlines()[0]
    except (OSError, IndexError):
        return otherwise
