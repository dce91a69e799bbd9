"""Upright index crops for the classifier, cut from rendered scenes exactly as the reader cuts them from a picture."""

from __future__ import annotations

import zlib
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from companion.errors import UserError
from datasets.camera import Generator
from datasets.decks import DATA
from datasets.looked_at import looked_at
from datasets.scenes import read_rows
from engine.cards import Card, Rank, Suit
from vision.geometry import FARTHER, farther, turned, widened
from vision.reading.classify import NO_INDEX
from vision.reading.detect import CornerNet, Detector
from vision.reading.pyramid import CROP, Pyramid

NO_SUIT: Final = -100
"""The suit's label where there is none: torch's cross entropy leaves it out."""
READABLE: Final = 0.72
"""An index is taught from this visible share on; below HIDDEN it may count as background."""
HIDDEN: Final = 0.2
SMALL: Final = 13.0
"""Pixels; lower indices are rarely read right by anyone."""
FOUND: Final = 0.08
"""The least score of what a detector finds in the scenes, for the classifier to learn from."""


Crops = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]
"""Pictures (n, 64, 40, 3) in BGR, and their rank and suit labels (n,)."""


def targets(card: str) -> tuple[int, int]:
    """The classifier's rank and suit labels for a card code."""
    parsed = Card.parse(card)
    return parsed.rank - Rank.TWO, NO_SUIT if parsed.suit is None else list(Suit).index(parsed.suit)


def box(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """The oriented box (5,) that a detector would give for an index's corners, its first side the index's top."""
    (x, y), (width, height), degrees = cv2.minAreaRect(corners)
    angle = np.radians(degrees)
    top = corners[1] - corners[0]
    want = np.arctan2(top[1], top[0])
    # minAreaRect knows no top: of the four ways to name its sides take the one that turns as the index does.
    quarter = int(np.round((want - angle) / (np.pi / 2)))
    if quarter % 2:
        width, height = height, width
    return np.array([x, y, width, height, angle + quarter * np.pi / 2], np.float32)


def jittered(boxes: NDArray[np.float32], generator: Generator) -> NDArray[np.float32]:
    """Boxes (n, 5) as wrong as a detector's are."""
    result = boxes.copy()
    n = len(boxes)
    shift = generator.normal(0, 0.06, (n, 2)) * boxes[:, 2:4]
    cos, sin = np.cos(boxes[:, 4]), np.sin(boxes[:, 4])
    result[:, 0] += shift[:, 0] * cos - shift[:, 1] * sin
    result[:, 1] += shift[:, 0] * sin + shift[:, 1] * cos
    result[:, 2:4] *= np.exp(generator.normal(0, 0.08, (n, 2)) + generator.normal(0, 0.05, (n, 1)))
    result[:, 4] += generator.normal(0, 0.06, n)
    return result.astype(np.float32)


def cut(
    image: NDArray[np.uint8],
    indices: list[Any],
    generator: Generator,
    repeats: int = 2,
    detector: Detector | None = None,
    afar: float = 0.3,
) -> Crops:
    """Crops (n, 64, 40, 3) of one scene with their rank and suit labels (n,): indices, the same upside down or on
    their side (no index), and boxes anywhere else (no index). The share ``afar`` is as a second, farther look sees it.
    With a detector also all that a reader would look at.
    """
    boxes: list[NDArray[np.float32]] = []
    far: list[bool] = []
    ranks: list[int] = []
    suits: list[int] = []
    centres = np.array([np.reshape(row[1], (4, 2)).mean(0) for row in indices if row[2] > HIDDEN]).reshape(-1, 2)
    sizes = [12.0]
    for card, corners, visible in indices:
        quad = np.array(corners, np.float32).reshape(4, 2)
        one = box(quad)
        if visible < READABLE or _small(corners, generator):
            continue
        sizes.append(float(one[3]))
        rank, suit = targets(card)
        for way, label in (
            [(0, rank)] * (repeats + int(generator.random() < 0.4))
            + [(2, NO_INDEX)]
            + [(int(generator.choice([1, 3])), NO_INDEX)] * int(generator.random() < 0.12)
        ):
            boxes.append(turned(jittered(one[None], generator), way)[0])
            ranks.append(label)
            suits.append(suit if label == rank else NO_SUIT)
            far.append(bool(generator.random() < afar))
    height, width = image.shape[:2]
    for _ in range(3):
        size = float(generator.choice(sizes)) * float(generator.uniform(0.6, 1.5))
        x, y = generator.uniform(0, width), generator.uniform(0, height)
        if len(centres) and np.linalg.norm(centres - (x, y), axis=1).min() < 0.7 * size:
            continue
        angle = generator.uniform(-np.pi, np.pi)
        boxes.append(np.array([x, y, size * generator.uniform(0.4, 0.65), size, angle], np.float32))
        far.append(False)
        ranks.append(NO_INDEX)
        suits.append(NO_SUIT)
    pyramid = Pyramid(image)
    quads = widened(np.array(boxes, np.float32).reshape(-1, 5))
    more = np.array(far, bool)
    quads[more] = farther(quads[more], FARTHER * float(np.exp(generator.normal(0, 0.07))))
    crops = pyramid.cut_out(quads)
    if detector is not None:
        places, shown = _looked_at(image, indices, detector, generator)
        crops = np.concatenate([crops, pyramid.cut_out(places)])
        labels = [(NO_INDEX, NO_SUIT) if card is None else targets(card) for card in shown]
        ranks += [rank for rank, _ in labels]
        suits += [suit for _, suit in labels]
    return crops, np.array(ranks, np.int64), np.array(suits, np.int64)


def _looked_at(
    image: NDArray[np.uint8], indices: list[Any], detector: Detector, generator: Generator
) -> tuple[NDArray[np.float32], list[str | None]]:
    """Places to cut and the card that each shows; those that show an index which is hardly readable are left out."""
    seen = [row for row in indices if row[2] > HIDDEN]
    places, shown = looked_at(image, seen, detector, generator)
    keep = [i < 0 or (seen[i][2] >= READABLE and not _small(seen[i][1], generator)) for i in shown]
    cards = [None if i < 0 else str(seen[i][0]) for i, kept in zip(shown, keep, strict=True) if kept]
    return places[np.array(keep, bool)], cards


def _small(corners: list[float], generator: Generator) -> bool:
    """Of indices too small to read only a few are taken, so that the net learns to say that it cannot tell."""
    one = box(np.array(corners, np.float32).reshape(4, 2))
    return bool(one[3] < SMALL or one[2] < SMALL / 2.4) and bool(generator.random() > 0.2)


def _shard(task: tuple[Path, Path, Path, int, int, Path | None]) -> Path:
    kept, folder, truth, seed, repeats, weights = task
    if kept.is_file():
        return kept
    cv2.setNumThreads(1)
    detector = None if weights is None else CornerNet(weights, FOUND)
    parts = []
    for row in read_rows(truth):
        image = cv2.imread(str(folder / "images" / row["image"]))
        if image is not None:
            generator = np.random.default_rng([seed, int(row["image"].split(".")[0])])
            parts.append(cut(np.asarray(image, np.uint8), row["indices"], generator, repeats, detector))
    pixels, ranks, suits = map(np.concatenate, zip(*parts, strict=True))
    part = kept.with_suffix(".part.npz")
    np.savez(part, pixels=pixels, ranks=ranks, suits=suits)
    part.rename(kept)
    return kept


def all_crops(
    folder: Path,
    seed: int = 0,
    repeats: int = 2,
    shards: int | None = None,
    weights: Path | None = None,
    workers: int = 2,
) -> Crops:
    """The crops of every rendered scene in `folder`, or of its first `shards` runs of scenes. Raises UserError.

    With the ``weights`` of a corner detector (ONNX) also what it and the search for edges find in the scenes. What has
    been cut is kept in ``data/crops`` and cut again only when the detector is another.
    """
    truths = sorted((folder / "truth").glob("*.jsonl"))[:shards]
    if not truths:
        raise UserError("no-scenes", f"No scenes in {folder}: run `python -m datasets.scenes` first.")
    by = 0 if weights is None else zlib.crc32(weights.read_bytes())
    kept = DATA / "crops" / f"{folder.name}-{seed}-{repeats}-{by:08x}"
    kept.mkdir(parents=True, exist_ok=True)
    tasks = [(kept / f"{file.stem}.npz", folder, file, seed, repeats, weights) for file in truths]
    with ProcessPoolExecutor(workers) as executor:
        bar = tqdm(executor.map(_shard, tasks), total=len(tasks), desc=f"crops of {folder.name}", unit="shard")
        files = list(bar)
    labels = [(np.load(file)["ranks"], np.load(file)["suits"]) for file in files]
    pixels = np.empty((sum(len(ranks) for ranks, _ in labels), CROP[1], CROP[0], 3), np.uint8)
    at = 0
    for file, (ranks, _) in zip(files, labels, strict=True):  # one by one: together they are several GB
        pixels[at : at + len(ranks)] = np.load(file)["pixels"]
        at += len(ranks)
    return pixels, np.concatenate([ranks for ranks, _ in labels]), np.concatenate([suits for _, suits in labels])
