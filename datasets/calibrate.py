"""``python -m datasets.calibrate``: fit the constants in ``models/calibration.json`` to held-out decks.

The classifier's temperatures (Guo et al. 2017, "On calibration of modern neural networks") make its confidence true on
crops of rendered scenes of decks that no net has seen. The detector's threshold is the highest that still finds nearly
all that it would find at a very low one: what it finds wrongly costs time alone, the classifier throws it out again.
Last, what whole readings claim of their ranks is made true on held-out scenes, by how a card stands among others.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import asdict, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

import models
from companion.errors import UserError
from datasets import crops
from datasets.judged_scenes import judged_scenes
from datasets.scenes import FOLDER as SCENES
from datasets.scenes import SEEN, read_truth
from vision.geometry import overlaps
from vision.reading.claims import Standing
from vision.reading.classify import NO_INDEX, IndexNet, softmax
from vision.reading.detect import CornerNet
from vision.reading.reader import Reader

SAME: Final = 0.4
"""A found box this much like a true one has found it."""
LOW: Final = 0.05
ENOUGH: Final = 30
"""Claims of one standing, so that something is fitted to them."""


def log_loss(logits: NDArray[np.float32], labels: NDArray[np.int64], temperature: float) -> float:
    """The mean negative log-likelihood of labels (n,) under logits (n, k) divided by a temperature."""
    chosen = softmax(logits / temperature)[np.arange(len(labels)), labels]
    return float(-np.log(np.maximum(chosen, 1e-9)).mean())


def temperature(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> float:
    """The temperature with the least log loss, between a quarter and four."""
    tried = np.exp(np.linspace(np.log(0.25), np.log(4), 81))
    return float(tried[int(np.argmin([log_loss(logits, labels, t) for t in tried]))])


def recall_by_threshold(limit: int) -> list[tuple[float, float, float]]:
    """Threshold, recall and precision of index boxes over `limit` held-out scenes at their own size."""
    net = CornerNet(models.path(models.CORNERS), LOW)
    true_scores: list[float] = []
    false_scores: list[float] = []
    missed = 0
    for number, row in enumerate(read_truth(SCENES / "val")):
        if number >= limit:
            break
        image = cv2.imread(str(SCENES / "val" / "images" / row["image"]))
        if image is None:
            continue
        quads = [(np.array(q, np.float32).reshape(4, 2), visible) for _, q, visible in row["indices"]]
        every = np.array([crops.box(quad) for quad, _ in quads], np.float32).reshape(-1, 5)
        wanted = np.array([visible >= SEEN for _, visible in quads], bool)
        found = net(np.asarray(image, np.uint8))
        alike = overlaps(found.boxes, every) if len(every) and len(found) else np.zeros((len(found), len(every)))
        if alike.size:
            best = alike.argmax(1)
            hit = alike.max(1) >= SAME
            true_scores += [float(s) for s, h, b in zip(found.scores, hit, best, strict=True) if h and wanted[b]]
            false_scores += [float(s) for s, h in zip(found.scores, hit, strict=True) if not h]
            missed += int((wanted & ~(alike >= SAME).any(0)).sum())
        else:
            false_scores += [float(s) for s in found.scores]
            missed += int(wanted.sum())
    right, wrong = np.array(true_scores), np.array(false_scores)
    total = len(right) + missed
    rows = []
    for threshold in np.arange(LOW, 0.6, 0.05):
        hits, others = int((right >= threshold).sum()), int((wrong >= threshold).sum())
        rows.append((round(float(threshold), 2), hits / max(1, total), hits / max(1, hits + others)))
    return rows


def claims_of_scenes(calibration: models.Calibration, count: int) -> dict[Standing, list[tuple[float, bool]]]:
    """What readings of held-out scenes claim of their ranks, uncorrected, and whether it is right, by standing."""
    detector = CornerNet(models.path(models.CORNERS), calibration.corner_threshold, 1)
    reader = Reader(detector, IndexNet(models.path(models.INDICES)), calibration)
    claims: dict[Standing, list[tuple[float, bool]]] = {how: [] for how in Standing}
    for scene in tqdm(judged_scenes(count), total=count, desc="claims", unit="scene"):
        left = Counter(card.rank for card in scene.must)
        spare = Counter(card.rank for card in scene.may)
        for card, how in sorted(reader.uncalibrated(scene.image), key=lambda each: -each[0].score):
            rank = card.rank
            if not left[rank] and spare[rank]:
                spare[rank] -= 1
                continue
            claims[how].append((card.presence * card.rank_scores[rank], left[rank] > 0))
            left[rank] -= int(left[rank] > 0)
    return claims


def platt(claimed: NDArray[np.float64], right: NDArray[np.bool_]) -> tuple[float, float]:
    """Slope and shift of the claims' log odds with the least log loss (Platt 1999), his two pseudo-counts included."""
    bounded = np.clip(claimed, 1e-6, 1 - 1e-6)
    odds = np.log(bounded / (1 - bounded))
    hits, misses = int(right.sum()), int((~right).sum())
    wanted = np.where(right, (hits + 1) / (hits + 2), 1 / (misses + 2))

    def loss(slope: float, shift: float) -> float:
        p = np.clip(1 / (1 + np.exp(-(slope * odds + shift))), 1e-9, 1 - 1e-9)
        return float(-(wanted * np.log(p) + (1 - wanted) * np.log(1 - p)).sum())

    slope, shift, step = 1.0, 0.0, 0.5
    while step > 0.002:  # two numbers and a smooth, convex loss: walking downhill is enough
        near = [(slope + a * step, shift + b * step) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        best = min((each for each in near if each[0] > 0), key=lambda each: loss(*each))
        if best == (slope, shift):
            step /= 2
        slope, shift = best
    return round(slope, 3), round(shift, 3)


def main() -> int:
    """``python -m datasets.calibrate``."""
    parser = argparse.ArgumentParser(prog="python -m datasets.calibrate", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--version", required=True, help="the name of this pair of nets, such as 2026-12-01")
    parser.add_argument("--scenes", type=int, default=400, help="held-out scenes (default 400)")
    args = parser.parse_args()
    pixels, ranks, suits = crops.all_crops(SCENES / "val", seed=9, repeats=1)
    net = IndexNet(models.path(models.INDICES))
    outputs = [net(pixels[i : i + 256]) for i in range(0, len(pixels), 256)]
    rank, suit = np.concatenate([o[0] for o in outputs]), np.concatenate([o[1] for o in outputs])
    real, suited = ranks != NO_INDEX, suits >= 0
    rank_t, suit_t = temperature(rank, ranks), temperature(suit[suited], suits[suited])
    print(f"{len(ranks)} crops: rank right {np.mean(rank[real].argmax(1) == ranks[real]):.4f}, "
          f"suit {np.mean(suit[suited].argmax(1) == suits[suited]):.4f}, "
          f"no index told {np.mean(rank[~real].argmax(1) == NO_INDEX):.4f}")  # fmt: skip
    print(
        f"rank temperature {rank_t:.2f}, log loss {log_loss(rank, ranks, 1):.4f} to {log_loss(rank, ranks, rank_t):.4f}"
    )
    rows = recall_by_threshold(args.scenes)
    for threshold, recall, precision in rows:
        print(f"detector at {threshold:.2f}: recall {recall:.4f}, precision {precision:.4f}")
    good = [threshold for threshold, recall, _ in rows if recall >= rows[0][1] - 0.015]
    fitted = models.Calibration(args.version, round(rank_t, 3), round(suit_t, 3), min(0.3, max(good)))
    claims = {}
    for how, rows_of in claims_of_scenes(fitted, args.scenes).items():
        claimed, right = np.array([c for c, _ in rows_of]), np.array([r for _, r in rows_of], np.bool_)
        if len(rows_of) >= ENOUGH:
            claims[str(how)] = platt(claimed, right)
            print(f"{how}: {len(rows_of)} claims of {claimed.mean():.3f} on average, {right.mean():.3f} right")
    fields = asdict(replace(fitted, claims=claims))
    (models.FOLDER / models.CALIBRATION).write_text(json.dumps(fields, indent=2) + "\n", encoding="utf-8")
    print(fields)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        sys.exit(f"{error} [{error.code}]")
