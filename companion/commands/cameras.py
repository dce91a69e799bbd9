"""``pilewatch cameras``: which cameras there are, with a picture of each."""

from __future__ import annotations

import argparse
import functools
import json
from pathlib import Path

from companion.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, metavar="DIR", help="save a picture of each camera here")
    parser.add_argument("--json", action="store_true", help="print one JSON object a camera")
    parser.add_argument("--seconds", type=float, default=6.0, help="how long to wait for each (default %(default)s)")


def run(args: argparse.Namespace) -> int:
    """0 if there is a camera."""
    from vision.sources.live import list_cameras

    cameras = list_cameras()
    if args.out is not None:
        try:
            args.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError("out", f"{args.out} cannot be made: {error.strerror}") from None
    if not cameras:
        if not args.json:
            print("No camera is found. Plug one in, or name a film, a folder of photos or a stream's address.")
        return 1
    for camera in cameras:
        picture, words = _picture(camera.number, args.out, args.seconds)
        if args.json:
            value = {"number": camera.number, "name": camera.name, "picture": picture, "problem": words or None}
            print(json.dumps(value), flush=True)
        else:
            print(f"{camera.number}  {camera.name}  {words or picture or 'gives pictures'}", flush=True)
    return 0


def _picture(number: int, folder: Path | None, seconds: float) -> tuple[str | None, str]:
    """Where the camera's picture was saved, and what is wrong with it, if anything."""
    import time

    import cv2

    from vision.capture import Capture
    from vision.sources import open_source

    # In a process of its own: a broken driver may block for ever.
    with Capture(functools.partial(open_source, str(number))) as capture:
        end = time.monotonic() + seconds
        newest = None
        count = 0
        while time.monotonic() < end and count < 8 and not capture.words:
            frame = capture.wait(0.2)
            if frame is not None:
                newest, count = frame, count + 1
        if newest is None:
            return None, capture.words or "gives no picture"
        if folder is None:
            return None, ""
        path = folder / f"camera-{number}.jpg"
        height, width = newest.image.shape[:2]
        cv2.imwrite(str(path), cv2.resize(newest.image, (480, max(1, round(480 * height / width)))))
        return str(path), ""
