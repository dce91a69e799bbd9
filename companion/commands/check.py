"""``pilewatch check``: say in words whether camera, light and table are good enough."""

from __future__ import annotations

import argparse
import json
import time
from typing import TYPE_CHECKING

from companion.errors import UserError

if TYPE_CHECKING:
    from vision.sources import Frame

WARM_UP = 12
"""Pictures that a camera needs to find its exposure,"""
PATIENCE = 6.0
"""and the seconds after which a slow stream's newest will do."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", help="camera (number or name), film, stream address, photo or folder of photos")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """0 if all is well, 1 if something should be put right."""
    from companion.commands.watch import _reader
    from vision.reading.mirrored import is_doubtful
    from vision.sources import public_name
    from vision.table.checkup import examine

    frame = _picture(args.source)
    reader = _reader()
    reading = reader.read(frame.image)
    flipped = reader.read(frame.image[:, ::-1].copy()) if is_doubtful(reading) else None
    findings = examine(frame.image, reading, flipped)
    good = all(finding.good for finding in findings)
    if args.json:
        values = [
            {"code": item.code, "good": item.good, "value": round(item.value, 3), "words": item.words}
            for item in findings
        ]
        print(json.dumps({"source": public_name(args.source), "good": good, "findings": values}))
    else:
        for finding in findings:
            print(f"{'ok  ' if finding.good else 'fix '} {finding.words}")
        print("Ready to play." if good else "Put that right, and check again.")
    return 0 if good else 1


def _picture(text: str) -> Frame:
    """A picture that speaks for the source: of a camera one after it has found its exposure, of files the first."""
    from vision.sources import SourceError, open_source, public_name
    from vision.watching.feed import left_out

    try:
        source = open_source(text)
    except SourceError as error:
        raise UserError("source", str(error)) from None
    try:
        began = time.monotonic()
        frame = source.read()
        for _ in range(WARM_UP if source.kind.live else 0):
            if time.monotonic() - began > PATIENCE:
                break
            frame = source.read() or frame
    finally:
        source.close()
    if frame is None:
        why = [one.words for one in left_out(source)]
        raise UserError("source", why[0] if why else f"{public_name(text)} gives no picture")
    return frame
