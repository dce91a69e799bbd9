"""How long reading takes, beside a yardstick that everybody can rebuild: a plain YOLO11n at 640 px in ONNX Runtime.

Both run in one process with the same threads and settings, turn by turn, so that whatever else the machine does slows
both; what counts is their ratio. The yardstick is timed alone, without loading or scaling a picture for it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from datasets.bench_yolo import COMMAND, YARDSTICK
from vision.detect import session
from vision.images import load
from vision.reader import Reader
from vision.types import Image

FRAME: Final = (1280, 720)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--threads", metavar="N", type=int, nargs="+", default=[1, 2], help="thread counts (%(default)s)"
    )
    parser.add_argument("--rounds", metavar="N", type=int, default=15, help="turns of each (%(default)s)")
    parser.add_argument("--photo", metavar="FILE", type=Path, help="a frame of your own table")
    parser.add_argument("--yardstick", metavar="FILE", type=Path, default=YARDSTICK, help="the YOLO11n (%(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    image = frame(args.photo)
    figures = [measure(image, threads, args.rounds, args.yardstick) for threads in args.threads]
    if args.json:
        print(json.dumps({"frame": FRAME, "rounds": args.rounds, "threads": figures}))
        return 0
    for figure in figures:
        print(f"{figure['threads']} thread(s), frame {FRAME[0]}x{FRAME[1]}, {figure['cards']} cards, median ms:")
        for name in ("read", "read one changed region", "YOLO11n at 640"):
            if name in figure:
                ratio = (
                    f"{figure[name] / figure['YOLO11n at 640']:8.2f} x YOLO11n" if "YOLO11n at 640" in figure else ""
                )
                print(f"  {name:25} {figure[name]:8.1f} {ratio}")
    if not args.yardstick.is_file():
        print(f"No YOLO11n to compare with: {COMMAND} makes {args.yardstick}.")
    return 0


def measure(image: Image, threads: int, rounds: int, yardstick: Path) -> dict[str, float]:
    """Median milliseconds of each, taken in turns after one round to warm up."""
    reader = Reader.load(threads)
    changed = (FRAME[0] // 2 - 120, FRAME[1] // 2 - 120, FRAME[0] // 2 + 120, FRAME[1] // 2 + 120)
    jobs: dict[str, Callable[[], object]] = {
        "read": lambda: reader.read(image),
        "read one changed region": lambda: reader.read(image, [changed]),
    }
    if yardstick.is_file():
        net = session(yardstick, threads)
        blob = {net.get_inputs()[0].name: np.random.default_rng(1).random((1, 3, 640, 640), np.float32)}
        jobs["YOLO11n at 640"] = lambda: net.run(None, blob)
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for turn in range(rounds + 1):
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            if turn:
                times[name].append(1000 * (time.perf_counter() - start))
    medians = {name: round(statistics.median(taken), 2) for name, taken in times.items()}
    return {"threads": threads, "cards": len(reader.read(image).cards), **medians}


def frame(photo: Path | None) -> Image:
    """The photo at 1280x720, or a plain table with a dozen white cards with dark index marks."""
    if photo is not None:
        return cv2.resize(load(photo), FRAME, interpolation=cv2.INTER_AREA).astype(np.uint8)
    image = np.full((FRAME[1], FRAME[0], 3), (60, 110, 40), np.uint8)
    noise = np.random.default_rng(7)
    for i in range(12):
        x, y = 60 + 300 * (i % 4), 50 + 220 * (i // 4)
        cv2.rectangle(image, (x, y), (x + 126, y + 176), (245, 245, 245), -1)
        for left, top, flip in ((x + 5, y + 5, False), (x + 121, y + 171, True)):
            side = -1 if flip else 1
            colour = (20, 20, 200) if i % 2 else (30, 30, 30)
            cv2.putText(image, "79AK"[i % 4], (left, top + 18) if not flip else (left - 12, top), 2, 0.7, colour, 2)
            cv2.circle(image, (left + side * 8, top + side * 30), 6, colour, -1)
    return np.clip(image + noise.normal(0, 4, image.shape), 0, 255).astype(np.uint8)
