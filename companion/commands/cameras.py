"""``pilewatch cameras``: which cameras there are, with a picture of each."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from companion.errors import UserError
from companion.terminal import tell


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, metavar="DIR", help="save a picture of each camera here")
    parser.add_argument("--json", action="store_true", help="print one JSON object a camera")
    parser.add_argument("--seconds", type=float, default=6.0, help="how long to wait for each (default %(default)s)")


def run(args: argparse.Namespace) -> int:
    """0 if there is a camera."""
    from companion.cameras import cameras

    listed = cameras()
    if args.out is not None:
        try:
            args.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError("out", f"{args.out} cannot be made: {error.strerror}") from None
    if not listed:
        if not args.json:
            print("No camera is found. Plug one in, or name a film, a folder of photos or a stream's address.")
        return 1
    for camera in listed:
        picture, words = _picture(camera.number, args.out, args.seconds)
        if args.json:
            value = {"number": camera.number, "name": camera.name, "picture": picture, "problem": words or None}
            print(json.dumps(value), flush=True)
        else:
            tell(f"{camera.number}  {camera.name}  {words or picture or 'gives pictures'}")
    return 0


def _picture(number: int, folder: Path | None, seconds: float) -> tuple[str | None, str]:
    """Where the camera's picture was saved, and what is wrong with it, if anything."""
    from companion.cameras import snapshot
    from companion.pictures import small_jpeg

    image, words = snapshot(number, seconds)
    if image is None or folder is None:
        return None, words
    path = folder / f"camera-{number}.jpg"
    try:
        path.write_bytes(small_jpeg(image))
    except OSError as error:
        raise UserError("out", f"{path} cannot be written: {error.strerror}") from None
    return str(path), ""
