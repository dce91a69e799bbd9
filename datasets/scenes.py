"""Rendered scenes with truth: ``python -m datasets.scenes`` makes what both nets learn from.

Each scene is a 320 px picture of cards on a table. An index is labelled for the detector (ultralytics' oriented boxes)
when 85 % of it is seen; ``truth.jsonl`` tells every index's card, corners and visible share, from which the crops for
the classifier are cut. Nothing is ever mirrored. A scene depends on the seed, its number and the decks alone.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from companion.errors import UserError
from datasets import backdrops, camera, decks, layout
from datasets.camera import Canvas, Generator
from datasets.decks import BACK, DATA, Deck, Picture

SIZE: Final = 320
SEEN: Final = 0.85
"""The least visible share of an index that the detector is to find."""
_HEIGHTS: Final = (360, 254, 180, 127, 90, 64, 45)
_TABLES, _TABLE_SIZE = 300, 448
FOLDER: Final = DATA / "scenes"


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """One index of one card: the card's code, its corners from the upright top left, and the share that is seen."""

    card: str
    corners: NDArray[np.float32]
    visible: float


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A rendered picture (BGR, 320 x 320) and every index in it."""

    image: NDArray[np.uint8]
    indices: tuple[Index, ...]
    deck: str


@cache
def _sizes(deck: str, face: str) -> tuple[Picture, ...]:
    """A card's picture at falling sizes, so that a small card is not drawn from a large picture's stray pixels."""
    picture = cv2.imread(str(decks.FOLDER / deck / f"{face}.png"), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise UserError(
            "no-face", f"{face}.png is missing in {decks.FOLDER / deck}: run `python -m datasets.decks` again."
        )
    aspect = picture.shape[1] / picture.shape[0]
    sizes = []
    for height in _HEIGHTS:
        picture = cv2.resize(picture, (max(2, round(aspect * height)), height), interpolation=cv2.INTER_AREA)
        sizes.append(np.asarray(picture, np.uint8))
    return tuple(sizes)


@lru_cache(maxsize=_TABLES)
def _table(number: int) -> Picture:
    """One of a fixed set of tables, larger than a scene."""
    table = backdrops.table(np.random.default_rng([3, number]), _TABLE_SIZE)
    return np.asarray(table, np.uint8)


@lru_cache(maxsize=256)
def _faces(deck: str) -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in (decks.FOLDER / deck).glob("*.png") if file.stem != BACK))


@lru_cache(maxsize=20000)
def _inked(deck: str, face: str, corner: int) -> bool:
    """Whether anything is printed where the index should be (some jokers have none)."""
    picture = _sizes(deck, face)[0]
    h, w = picture.shape[:2]
    box = layout.index_boxes(True)[corner] * (w, h)
    (x0, y0), (x1, y1) = box.min(0).astype(int), box.max(0).astype(int)
    grey = picture[..., :3].astype(np.float32).min(2)
    return float((grey[y0:y1, x0:x1] < np.percentile(grey, 80) - 50).mean()) > 0.035


def weight(deck: Deck) -> float:
    """How often a deck is taken: everyday ones more often than fancy ones."""
    if deck.style in ("fancy", "cartoon", "plain", "large indices"):
        return 0.5
    if deck.style == "photographs":
        return 3.0
    return 1.0 if deck.drawn else 1.6


def _paint(canvas: Canvas, owner: NDArray[np.int16], picture: Picture, quad: NDArray[np.float64], number: int,
           generator: Generator, shadow: float, tone: NDArray[np.float32], wear: float) -> None:  # fmt: skip
    """Lay one card over the canvas, with its shadow, and mark its pixels in `owner`."""
    height, width = canvas.shape[:2]
    reach = int(2 + shadow * 3)
    x0, y0 = np.floor(quad.min(0)).astype(int) - reach
    x1, y1 = np.ceil(quad.max(0)).astype(int) + reach
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(width, x1), min(height, y1)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    h, w = picture.shape[:2]
    matrix = cv2.getPerspectiveTransform(
        np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5, (quad - (x0, y0)).astype(np.float32)
    )
    drawn = cv2.warpPerspective(picture, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    alpha = drawn[..., 3:].astype(np.float32) / 255
    region = canvas[y0:y1, x0:x1]
    if shadow > 0.3:
        blurred = cv2.GaussianBlur(alpha[..., 0], (0, 0), shadow)
        shift = np.array([[1, 0, shadow * 0.6], [0, 1, shadow * 0.8]], np.float32)
        dark = cv2.warpAffine(blurred, shift, (x1 - x0, y1 - y0))
        region *= (1 - 0.45 * dark)[..., None]
    colour = drawn[..., :3].astype(np.float32) * tone
    if wear > 0.05:
        colour -= np.abs(camera.smooth_noise(generator, y1 - y0, x1 - x0, 9.0))[..., None] * (18 * wear)
        if generator.random() < wear:
            ends = generator.uniform(0, [x1 - x0, y1 - y0], (2, 2)).astype(int)
            shade = float(generator.uniform(60, 240))
            cv2.line(colour, ends[0].tolist(), ends[1].tolist(), (shade, shade, shade), 1, cv2.LINE_AA)
    region[:] = region * (1 - alpha) + colour * alpha
    owner[y0:y1, x0:x1][alpha[..., 0] > 0.5] = number


def render(seed: int, number: int, pool: Sequence[Deck], size: int = SIZE, easy: float = camera.EASY) -> Scene:
    """Scene `number` of the series `seed`, with cards of one of the decks in `pool`; the share `easy` well taken."""
    generator = np.random.default_rng([seed, number])
    weights = np.array([weight(deck) for deck in pool])
    deck = pool[int(generator.choice(len(pool), p=weights / weights.sum()))]
    low, high = (10, 60) if generator.random() < 0.9 else (55, 95)
    index_height = float(np.exp(generator.uniform(np.log(low), np.log(high))))
    card_height = index_height / (layout.INDEX_Y[1] - layout.INDEX_Y[0])
    canvas = _backdrop(generator, size)
    owner = np.full((size, size), -1, np.int16)
    if generator.random() < 0.6:
        backdrops.clutter(canvas, generator, index_height)
    homography = layout.view(generator, size) @ np.diag([card_height, card_height, 1])
    faces = _faces(deck.name)
    shadow = float(generator.uniform(0, 0.06)) * card_height if generator.random() < 0.75 else 0.0
    scene_tone = 1 - np.array(generator.uniform(0, [0.14, 0.08, 0.05]), np.float32)
    wear = float(generator.uniform(0, 1)) ** 3
    share_of_backs = float(generator.choice([0.0, 0.1, 0.4], p=[0.6, 0.3, 0.1]))
    found: list[tuple[str, NDArray[np.float32], int]] = []
    boxes = layout.index_boxes(deck.corners == 4)
    for count, place in enumerate(layout.places(generator, 0.55 * size / card_height)):
        face = BACK if generator.random() < share_of_backs else str(faces[int(generator.integers(len(faces)))])
        sizes = _sizes(deck.name, face)
        aspect = sizes[0].shape[1] / sizes[0].shape[0]
        outline = layout.corners(aspect, place)
        quad = cv2.perspectiveTransform(outline[None], homography)[0]
        if quad.max() > 6 * size or quad.min() < -5 * size or cv2.contourArea(quad.astype(np.float32)) < 200:
            continue
        tall = max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[2] - quad[1]))
        picture = next((p for p in reversed(sizes) if p.shape[0] >= tall * 0.95), sizes[0])
        tone = scene_tone * np.array(generator.normal(0.97, 0.035), np.float32)
        _paint(canvas, owner, picture, quad, count, generator, shadow, tone, wear)
        if face != BACK:
            matrix = cv2.getPerspectiveTransform(
                np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32), quad.astype(np.float32)
            )
            for corner, box in enumerate(boxes):
                if _inked(deck.name, face, corner):
                    found.append((face, cv2.perspectiveTransform(box[None].astype(np.float32), matrix)[0], count))
    if generator.random() < 0.12:
        before = canvas.copy()
        backdrops.clutter(canvas, generator, index_height)
        owner[np.abs(canvas - before).max(2) > 4] = -1
    if generator.random() < 0.2:
        owner[backdrops.hand(canvas, generator, card_height * 0.35)] = -1
    camera.light(canvas, generator)
    if generator.random() < 0.35:
        camera.glare(canvas, generator, owner >= 0)
    image = camera.shoot(canvas, generator, index_height, easy)
    indices = tuple(Index(card, quad, _visible(owner, quad, count)) for card, quad, count in found)
    return Scene(image, indices, deck.name)


def _backdrop(generator: Generator, size: int) -> Canvas:
    """A piece of one of the tables, turned (tables may be mirrored, cards never) and tinted."""
    wide = np.rot90(_table(int(generator.integers(_TABLES))), int(generator.integers(4)))
    if generator.random() < 0.5:
        wide = wide[::-1]
    x, y = generator.integers(0, max(1, wide.shape[0] - size), 2)
    piece = np.ascontiguousarray(wide[y : y + size, x : x + size])
    if piece.shape[0] != size:
        piece = np.asarray(cv2.resize(piece, (size, size), interpolation=cv2.INTER_LINEAR), np.uint8)
    return piece.astype(np.float32) * np.array(generator.uniform(0.75, 1.2, 3), np.float32)


def _visible(owner: NDArray[np.int16], quad: NDArray[np.float32], number: int) -> float:
    """The share of a quadrilateral that shows card `number`, counting what lies outside the picture as hidden."""
    x0, y0 = np.floor(quad.min(0)).astype(int)
    x1, y1 = np.ceil(quad.max(0)).astype(int) + 1
    if x1 <= 0 or y1 <= 0 or x0 >= owner.shape[1] or y0 >= owner.shape[0]:
        return 0.0
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad - (x0, y0)).astype(np.int32), 1)
    total = int(mask.sum())
    cx0, cy0, cx1, cy1 = max(0, x0), max(0, y0), min(owner.shape[1], x1), min(owner.shape[0], y1)
    part = mask[cy0 - y0 : cy1 - y0, cx0 - x0 : cx1 - x0].astype(bool)
    return float((part & (owner[cy0:cy1, cx0:cx1] == number)).sum() / max(1, total))


def label(scene: Scene, size: int = SIZE) -> str:
    """The scene's visible indices as ultralytics' oriented boxes: class and four corners, shares of the picture."""
    lines = []
    for index in scene.indices:
        if index.visible >= SEEN:
            points = np.clip(index.corners / size, 0, 1).ravel()
            lines.append("0 " + " ".join(f"{value:.5f}" for value in points))
    return "\n".join(lines)


def _shard(task: tuple[Path, int, int, int, list[Deck]]) -> int:
    """Render one run of scenes into `folder`; it counts as done once its truth file is there."""
    folder, seed, first, count, pool = task
    cv2.setNumThreads(1)
    truth: list[dict[str, Any]] = []
    for number in range(first, first + count):
        scene = render(seed, number, pool)
        name = f"{number:06d}"
        cv2.imwrite(str(folder / "images" / f"{name}.jpg"), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        (folder / "labels" / f"{name}.txt").write_text(label(scene) + "\n", encoding="ascii")
        rows = [
            [index.card, [round(float(v), 2) for v in index.corners.ravel()], round(index.visible, 3)]
            for index in scene.indices
            if index.visible > 0.02
        ]
        truth.append({"image": f"{name}.jpg", "deck": scene.deck, "indices": rows})
    text = "".join(json.dumps(row) + "\n" for row in truth)
    part = folder / "truth" / f"{first:06d}.part"
    part.write_text(text, encoding="utf-8")
    part.rename(part.with_suffix(".jsonl"))
    return count


def write(folder: Path, seed: int, count: int, pool: list[Deck], workers: int, shard: int = 200) -> None:
    """Render `count` scenes into `folder`; what an earlier run has finished stays."""
    for part in ("images", "labels", "truth"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    tasks = [
        (folder, seed, first, min(shard, count - first), pool)
        for first in range(0, count, shard)
        if not (folder / "truth" / f"{first:06d}.jsonl").is_file()
    ]
    cv2.setNumThreads(1)  # before the first use: OpenCV's threads do not survive a fork
    if tasks:  # load everything once, here: the workers are forked and share it
        for deck in tqdm(pool, desc="loading", unit="deck"):
            for face in (*_faces(deck.name), BACK):
                _sizes(deck.name, face)
        for table in range(_TABLES):
            _table(table)
        backdrops.words()
    with (
        ProcessPoolExecutor(workers, mp_context=get_context("fork")) as executor,
        tqdm(total=count, desc=folder.name, unit="scene") as bar,
    ):
        bar.update(count - sum(task[3] for task in tasks))
        for done in executor.map(_shard, tasks):
            bar.update(done)


def read_rows(file: Path) -> Iterator[dict[str, Any]]:
    """The rows of one shard: ``image``, ``deck``, ``indices`` as [card, eight corner values, visible share]."""
    for line in file.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def read_truth(folder: Path) -> Iterator[dict[str, Any]]:
    """The rows of every finished shard."""
    for file in sorted((folder / "truth").glob("*.jsonl")):
        yield from read_rows(file)


def main() -> int:
    """``python -m datasets.scenes``."""
    parser = argparse.ArgumentParser(prog="python -m datasets.scenes", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--train", type=int, default=32000, help="scenes of training decks (default 32000)")
    parser.add_argument("--val", type=int, default=600, help="scenes of held-out decks (default 600)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--nice", type=int, default=10, help="give way to other programs (default 10)")
    args = parser.parse_args()
    os.nice(args.nice)
    known = decks.manifest()
    for name, count, held_out in (("val", args.val, True), ("train", args.train, False)):
        pool = [deck for deck in known if deck.held_out is held_out]
        if not pool:
            raise UserError("no-decks", f"No deck for {name}: run `python -m datasets.decks` again.")
        write(FOLDER / name, args.seed + held_out, count, pool, args.workers)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        sys.exit(f"{error} [{error.code}]")
