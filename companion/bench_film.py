"""``pilewatch bench film``: how large the video of a game becomes, and what writing it costs while the game goes on.

A film (the bundled sample, or one of your own table) is recorded again as the host's switch would have it recorded.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from companion.errors import UserError
from companion.filming import RATE, Film


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("film", nargs="?", help="a film of your own table (else: the sample game)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    from companion.eyes import SAMPLE

    measured = measure(args.film or str(SAMPLE))
    if args.json:
        print(json.dumps(measured))
        return 0
    print(f"{measured['seconds']:.0f} s of film, {measured['width']} x {measured['height']}, {RATE} pictures a second")
    print(f"size        {measured['bytes'] / 1e6:.1f} MB, {measured['megabytes_a_minute']:.1f} MB a minute")
    print(f"writing     {100 * measured['share']:.0f} % of one core while a game goes on")
    return 0


def measure(source: str) -> dict[str, Any]:
    """Record a film again: ``seconds``, ``bytes``, ``megabytes_a_minute``, ``width`` and ``height`` of the film that
    was read, ``share``: seconds of processor time for a second of film. Raises UserError ``source``."""
    from vision.sources import SourceError, open_source

    try:
        opened = open_source(source)
    except SourceError as error:
        raise UserError("source", str(error)) from None
    with tempfile.TemporaryDirectory() as folder:
        film = Film(Path(folder) / "1.webm")
        last, size, spent = 0.0, (0, 0), 0.0
        try:
            while (frame := opened.read()) is not None:
                last, size = frame.at, (frame.image.shape[1], frame.image.shape[0])
                before = time.process_time()
                film.offer(frame.image, frame.at)
                while not film.idle:
                    time.sleep(0.001)
                spent += time.process_time() - before
        finally:
            opened.close()
            before = time.process_time()
            film.close()
            spent += time.process_time() - before
        written = film.path.stat().st_size if film.path.is_file() else 0
    if not written or last <= 0:
        raise UserError("source", f"{source} is no film that could be recorded again")
    return {
        "seconds": round(last, 1),
        "width": size[0],
        "height": size[1],
        "bytes": written,
        "megabytes_a_minute": round(60 * written / last / 1e6, 2),
        "share": round(spent / last, 3),
    }
