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
from datasets.films import drawn_deck
from vision.images import load
from vision.reading.detect import session
from vision.reading.reader import Reader
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
    cv2.setNumThreads(threads)
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
    """The photo at 1280x720, or a table with the upcards of three players and a pile of four overlapping cards."""
    if photo is not None:
        return cv2.resize(load(photo), FRAME, interpolation=cv2.INTER_AREA).astype(np.uint8)
    generator = np.random.default_rng(7)
    deck = drawn_deck.draw(generator)
    table = np.clip(generator.normal((60, 105, 40), 5, (FRAME[1], FRAME[0], 3)), 0, 255).astype(np.float32)
    places = [(180.0 + 110 * i, 590.0, 0.05 * i) for i in range(3)]
    places += [(160.0, 120.0 + 90 * i, 1.5) for i in range(3)]
    places += [(900.0 + 110 * i, 130.0, 3.1) for i in range(3)]
    places += [(640.0 + 25 * i, 330.0 + 18 * i, 0.4 * i) for i in range(4)]
    for code, (x, y, angle) in zip(generator.permutation(sorted(deck.faces)), places, strict=False):
        art = deck.faces[str(code)]
        turn = cv2.getRotationMatrix2D((art.shape[1] / 2, art.shape[0] / 2), -np.degrees(angle), 130 / art.shape[0])
        turn[:, 2] += (x - art.shape[1] / 2, y - art.shape[0] / 2)
        drawn = cv2.warpAffine(cv2.GaussianBlur(art, (0, 0), 1.4), turn, FRAME).astype(np.float32)
        alpha = drawn[..., 3:] / 255
        table = (table * (1 - alpha) + drawn[..., :3] * alpha).astype(np.float32)
    return np.clip(table, 0, 255).astype(np.uint8)
