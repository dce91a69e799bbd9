"""Edges of cards as they are in the world: with and without a printed outline, worn, and never cut quite alike.

Deck art mostly has a thin dark outline, and every card of it the same. Real cards have none, and cards cut out of
photographs each have their own. What is to tell an edge that lies over another must know all of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from datasets.films.deck_source import CARD_HEIGHT, FACE_HEIGHT, Art, Deck

STRIPPED: Final = 0.45
"""The share of decks that lose their outline,"""
ROUGH: Final = 0.45
"""and of those of which every card has edges of its own."""
_UNIT: Final = FACE_HEIGHT / CARD_HEIGHT


def edged(deck: Deck, rng: np.random.Generator) -> Deck:
    """The deck with other edges, or as it is."""
    rim = float(rng.uniform(0.6, 2.2)) if rng.random() < STRIPPED else 0.0
    rough = float(rng.uniform(0.3, 1.0)) if rng.random() < ROUGH else 0.0
    faces = {code: _rough(_stripped(face, rim), rough, rng) for code, face in deck.faces.items()}
    return replace(deck, faces=faces)


def _stripped(face: Art, rim: float) -> Art:
    """The outermost ``rim`` millimetres in the colour of the paper."""
    if not rim:
        return face
    opaque = np.pad((face[..., 3] > 127).astype(np.uint8), 1)  # art may fill its picture
    inward = cv2.distanceTransform(opaque, cv2.DIST_L2, 5)[1:-1, 1:-1] / _UNIT
    light = face[..., :3].min(axis=2)
    inside = (inward > rim) & (inward < rim + 8)
    if not inside.any():
        return face
    paper = np.median(face[..., :3][inside & (light >= np.percentile(light[inside], 60))], axis=0)
    share = np.clip((rim + 0.2 - inward) / 0.3, 0, 1)[..., None]
    colours = face[..., :3] * (1 - share) + paper * share
    return np.dstack([colours.astype(np.uint8), face[..., 3]])


def _rough(face: Art, rough: float, rng: np.random.Generator) -> Art:
    """Each side a little trimmed and of a shade of its own, each by up to what ``rough`` (0 to 1) says."""
    if not rough:
        return face
    height, width = face.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / _UNIT
    shade, alpha = np.ones((height, width), np.float32), face[..., 3].astype(np.float32)
    for inward in (x, width / _UNIT - x, y, height / _UNIT - y):
        wide = float(rng.uniform(0.2, 1.2))
        tone = 1 - rough * float(rng.uniform(-0.06, 0.25))
        shade *= 1 - (1 - tone) * np.clip((wide - inward) / 0.3 + 0.5, 0, 1)
        alpha *= np.clip((inward - rough * float(rng.uniform(0, 0.45))) * _UNIT + 0.5, 0, 1)
    colours = np.clip(face[..., :3] * shade[..., None], 0, 255)
    return np.dstack([colours, alpha]).astype(np.uint8)
