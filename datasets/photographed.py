"""Decks cut out of photographs of single cards: real print, real paper, for a share of the training scenes.

Only photographs that may be trained on are read: the folder ``train`` beside their ``labels.json``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks import BACK, FOLDER, HEIGHT, ROOT, Deck, Picture


def folder() -> Path:
    """Where the photographs lie: ``PILEWATCH_SHARED``, or ``../shared`` beside the checkout."""
    return Path(os.environ.get("PILEWATCH_SHARED", ROOT.parent / "shared")) / "photos"


def outline(photo: NDArray[np.uint8]) -> NDArray[np.float32] | None:
    """The corners of the one bright card in the photo, clockwise from the top left; None if there is no such card."""
    grey = cv2.GaussianBlur(photo.min(axis=2), (0, 0), 2)
    _, bright = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    bright = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
    contours, _ = cv2.findContours(bright, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    sides = _sides(hull[:, 0].astype(np.float64))
    if sides is None:
        return None
    quad = sides - sides.mean(0)
    quad = sides[np.argsort(np.arctan2(quad[:, 1], quad[:, 0]))]  # clockwise from the top left
    wide, tall = float(np.linalg.norm(quad[1] - quad[0])), float(np.linalg.norm(quad[3] - quad[0]))
    return quad.astype(np.float32) if 1.2 < tall / max(wide, 1.0) < 1.8 and tall > 150 else None


def _sides(hull: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Where the four sides of a rounded quadrilateral would meet: a line is fitted to the middle of each side."""
    box = cv2.boxPoints(cv2.minAreaRect(hull.astype(np.float32)))
    dense = np.vstack([np.linspace(a, b, 60, endpoint=False) for a, b in zip(hull, np.roll(hull, -1, 0), strict=True)])
    lines = []
    for a, b in zip(box, np.roll(box, -1, 0), strict=True):
        along, length = (b - a) / np.linalg.norm(b - a), np.linalg.norm(b - a)
        offset = dense - a
        share = offset @ along / length
        far = np.abs(offset @ np.array([-along[1], along[0]]))
        near = dense[(share > 0.12) & (share < 0.88) & (far < 0.08 * length)]
        if len(near) < 10:
            return None
        vx, vy, px, py = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((np.array([-vy, vx]), float(-vy * px + vx * py)))
    corners = []
    for (n1, c1), (n2, c2) in zip(lines, lines[1:] + lines[:1], strict=True):
        matrix = np.array([n1, n2])
        if abs(np.linalg.det(matrix)) < 0.3:
            return None
        corners.append(np.linalg.solve(matrix, [c1, c2]))
    return np.array(corners)


def flatten(photo: NDArray[np.uint8], quad: NDArray[np.float32]) -> Picture:
    """The card seen straight on, its paper levelled to white, with round corners."""
    wide, tall = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0])
    width = round(HEIGHT * float(wide / tall))
    target = np.array([[0, 0], [width, 0], [width, HEIGHT], [0, HEIGHT]], np.float32)
    card = cv2.warpPerspective(photo, cv2.getPerspectiveTransform(quad, target), (width, HEIGHT), flags=cv2.INTER_AREA)
    paper = np.percentile(card.reshape(-1, 3), 75, axis=0)
    card = np.clip(card.astype(np.float32) * (246 / np.maximum(paper, 40)), 0, 255).astype(np.uint8)
    alpha = np.zeros((HEIGHT, width), np.uint8)
    radius = round(0.05 * HEIGHT)
    cv2.rectangle(alpha, (radius, 2), (width - 1 - radius, HEIGHT - 3), 255, -1)
    cv2.rectangle(alpha, (2, radius), (width - 3, HEIGHT - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, HEIGHT - 1 - radius):
            cv2.circle(alpha, (x, y), radius - 2, 255, -1, cv2.LINE_AA)
    return np.dstack([card, alpha])


def cut_all(target: Path = FOLDER) -> list[Deck]:
    """Cut every train photo's card into decks named after their source; returns their manifest rows."""
    labels = folder() / "labels.json"
    if not labels.is_file():
        return []
    rows: dict[str, Deck] = {}
    for row in json.loads(labels.read_text(encoding="utf-8")):
        if not row["path"].startswith("train/") or len(row["cards"]) != 1 or len(row["cards"][0]) != 2:
            continue
        source = row["path"].split("/")[1]
        name = "photo-" + source.split("+")[0].lower()
        four = source.startswith("kalkaran") or row["cards"][0][0] in "JQK"  # indices in all four corners
        if four and not source.startswith("kalkaran"):
            name += "-courts"
        photo = cv2.imread(str(folder() / row["path"]))
        quad = None if photo is None else outline(np.asarray(photo, np.uint8))
        if photo is None or quad is None:
            continue
        (target / name).mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(target / name / f"{row['cards'][0]}.png"), flatten(np.asarray(photo, np.uint8), quad))
        rows[name] = Deck(name, row["source"], row["licence"], "photographs", "", False, corners=4 if four else 2)
    for name in rows:
        if not (target / name / f"{BACK}.png").is_file():
            plain = np.full((HEIGHT, round(HEIGHT * 0.66), 4), 255, np.uint8)
            plain[..., :3] = (120, 50, 30)
            cv2.imwrite(str(target / name / f"{BACK}.png"), plain)
    return list(rows.values())
