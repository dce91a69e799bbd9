"""``python -m datasets.calibrate``: fit the constants in ``models/calibration.json`` to held-out decks.

The classifier's temperatures (Guo et al. 2017, "On calibration of modern neural networks") make its confidence true on
crops of rendered scenes of decks that no net has seen. The detector's threshold is the highest that still finds nearly
all that it would find at a very low one: what it finds wrongly costs time alone, the classifier throws it out again.
Last, what whole readings claim of their ranks is raised to the power that makes it truest on held-out scenes.
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

import models
from companion.errors import UserError
from datasets import crops
from datasets.judged_scenes import judged_scenes
from datasets.scenes import FOLDER as SCENES
from datasets.scenes import SEEN, read_truth
from vision.classify import NO_INDEX, IndexNet, softmax
from vision.detect import CornerNet
from vision.geometry import overlaps
from vision.reader import Reader

SAME: Final = 0.4
"""A found box this much like a true one has found it."""
LOW: Final = 0.05


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


def claims_of_scenes(calibration: models.Calibration, count: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """What readings of held-out scenes claim of their ranks, uncorrected, and which of them are right; both (n,)."""
    detector = CornerNet(models.path(models.CORNERS), calibration.corner_threshold, 1)
    reader = Reader(detector, IndexNet(models.path(models.INDICES)), replace(calibration, claim_power=1.0), least=LOW)
    claimed, right = [], []
    for scene in judged_scenes(count):
        left = Counter(card.rank for card in scene.must)
        spare = Counter(card.rank for card in scene.may)
        for card in reader.read(scene.image).cards:
            rank = card.card.rank
            if not left[rank] and spare[rank]:
                spare[rank] -= 1
                continue
            claimed.append(card.presence * max(card.rank_scores.values()))
            right.append(left[rank] > 0)
            left[rank] -= int(left[rank] > 0)
    return np.array(claimed, np.float64), np.array(right, np.bool_)


def claim_power(claimed: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """The power of the claims with the least log loss, between a third and five."""

    def loss(power: float) -> float:
        p = np.clip(claimed**power, 1e-4, 1 - 1e-4)
        return float(-np.where(right, np.log(p), np.log(1 - p)).mean())

    powers: list[float] = np.geomspace(1 / 3, 5, 80).tolist()
    return min(powers, key=loss)


def main() -> int:
    """``python -m datasets.calibrate``."""
    parser = argparse.ArgumentParser(prog="python -m datasets.calibrate", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--version", required=True, help="the name of this pair of nets, such as 2026-12-01")
    parser.add_argument("--scenes", type=int, default=200, help="held-out scenes for the detector (default 200)")
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
    claimed, right = claims_of_scenes(fitted, args.scenes)
    fields = asdict(replace(fitted, claim_power=round(claim_power(claimed, right), 2)))
    (models.FOLDER / models.CALIBRATION).write_text(json.dumps(fields, indent=2) + "\n", encoding="utf-8")
    print(fields)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        sys.exit(f"{error} [{error.code}]")
