"""``python -m datasets.otherwise GAME...``: a film judged again as if it had been filmed otherwise.

Whoever follows a film follows it upside down as well, mirrored, in another light, from farther off, with a camera that
shakes. Nothing is known of the truth but that it stays the same, so no film need be made for it; ``table.toml`` is left
aside. With ``--kinds`` only some are tried. A film of a minute and a half takes about as long for each kind.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from companion.commands.watch import _reader
from datasets.evaluate_games import judge
from vision.sources import Frame
from vision.types import Image

Change = Callable[[Image, int], Image]
"""A picture, and its number in the film, as it would have been filmed otherwise."""


def _light(change: Callable[[np.ndarray], np.ndarray]) -> Change:
    levels = np.clip(255 * change(np.arange(256) / 255), 0, 255).astype(np.uint8)
    return lambda image, _: np.asarray(cv2.LUT(image, levels), np.uint8)


def _tint(blue: float, green: float, red: float) -> Change:
    return lambda image, _: np.clip(image * np.array([blue, green, red]), 0, 255).astype(np.uint8)


def _moved(image: Image, x: float, y: float, turn: float, size: float = 1.0) -> Image:
    """The picture moved by pixels, turned by degrees and made smaller about its middle; the edge goes on outside."""
    height, width = image.shape[:2]
    move = cv2.getRotationMatrix2D((width / 2, height / 2), turn, size)
    move[:, 2] += np.array([x, y])
    way = cv2.INTER_AREA if size < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.warpAffine(image, move, (width, height), flags=way, borderMode=cv2.BORDER_REFLECT), np.uint8)


def _noise(image: Image, number: int) -> Image:
    return np.clip(image + np.random.default_rng(number).normal(0, 9, image.shape), 0, 255).astype(np.uint8)


def _shaken(image: Image, number: int) -> Image:
    x, y = np.clip(np.random.default_rng(number).normal(0, 0.6, 2), -1.5, 1.5)
    return _moved(image, float(x), float(y), 0.0)


def _nudged(image: Image, number: int) -> Image:
    """Three nudges."""
    times = sum(number >= when for when in (300, 700, 1100))
    x, y, turn = ((0, 0, 0.0), (14, -9, 0.6), (-12, 16, -0.9), (25, 10, 1.1))[times]
    return _moved(image, x, y, turn) if times else image


def _other_cloth(image: Image, _: int) -> Image:
    """What is green becomes blue: the table of the film that is shared."""
    hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
    green = (hsv[..., 0] > 35) & (hsv[..., 0] < 95)
    hsv[..., 0][green] = (hsv[..., 0][green].astype(int) + 60) % 180
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)


def _jpeg(image: Image, _: int) -> Image:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 30])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


KINDS: Final[Mapping[str, Change]] = {
    "turned by 90": lambda image, _: np.ascontiguousarray(np.rot90(image)),
    "upside down": lambda image, _: np.ascontiguousarray(image[::-1, ::-1]),
    "turned by 30": lambda image, _: _moved(image, 0, 0, 30, 0.72),
    "mirrored": lambda image, _: np.ascontiguousarray(image[:, ::-1]),
    "dark": _light(lambda light: 0.45 * light**1.1),
    "bright": _light(lambda light: 1.35 * light + 0.03),
    "flat": _light(lambda light: 0.25 + 0.5 * light),
    "warm": _tint(0.6, 0.9, 1.1),
    "cold": _tint(1.15, 0.95, 0.75),
    "flickering": lambda image, number: np.clip(image * (1 + 0.07 * np.sin(2.1 * number)), 0, 255).astype(np.uint8),
    "drifting": lambda image, number: np.clip(image * (1 + 0.25 * np.sin(number / 300)), 0, 255).astype(np.uint8),
    "noisy": _noise,
    "blurred": lambda image, _: np.asarray(cv2.GaussianBlur(image, (0, 0), 1.3), np.uint8),
    "jpeg": _jpeg,
    "far": lambda image, _: _moved(image, 0, 0, 0, 0.8),
    "small": lambda image, _: np.asarray(cv2.resize(image, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)),
    "shaken": _shaken,
    "nudged": _nudged,
    "other cloth": _other_cloth,
}


def changed(kind: str) -> Callable[[Frame], Frame]:
    """What makes of a frame one that was filmed otherwise."""
    change = KINDS[kind]
    return lambda frame: replace(frame, image=change(frame.image, frame.number))


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m datasets.otherwise", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", metavar="GAME", nargs="+", type=Path, help="folder of a film, or *.truth.json")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, metavar="KIND", help=f"of: {', '.join(KINDS)}")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)  # small pictures: more threads only take turns
    reader = _reader()
    for game in args.games:
        for kind in args.kinds or KINDS:
            told = judge(game, reader, use_table=False, otherwise=changed(kind)).as_json()
            print(
                f"{told['game']}, {kind}: {told['right_share']} right of {told['plays']}, {told['asked']} asked, "
                f"{told['wrong']} wrong, {told['missed']} missed, {told['invented']} invented",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
