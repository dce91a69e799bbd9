"""Is the picture good enough? Light, focus, glare, size of the indices, coverage: what is wrong, and what to move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.reading.mirrored import is_mirrored
from vision.types import Image, ImageReading

THERE: Final = 0.5
"""Presence from which something counts as a card: likelier one than not."""
ENOUGH: Final = 0.7
"""Share of the cards that must be sure. Some lie badly in any picture; a watcher sees them again and again."""
DARK: Final = 45.0
"""Mean grey level of the cards' surroundings below which noise eats the print (0 to 255)."""
GLARE: Final = 0.01
"""Share of the picture that is burnt out beyond what white cards are."""
SMALL: Final = 14.0
"""Index height in pixels below which ranks are guessed."""
FAIR: Final = 20.0
"""Index height in pixels from which reading is sure."""
SOFT: Final = 2.2
"""Ratio of fine to coarse detail at the indices below which the picture is out of focus."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was judged: a stable ``code``, whether it is well, the measured ``value``, and words."""

    code: str
    good: bool
    value: float
    words: str


def examine(image: Image, reading: ImageReading, flipped: ImageReading | None = None) -> list[Finding]:
    """Judge one picture of a table with cards on it, in the order in which a person would put things right.

    ``flipped`` is what the mirrored picture shows, where somebody has looked.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    findings = [_light(grey), _glare(grey)]
    if flipped is not None and is_mirrored(reading, flipped):
        words = (
            "the picture is mirrored; switch mirroring off in the camera's program (it is read rightly all the same)"
        )
        findings.append(Finding("mirrored", False, float(len(flipped.cards)), words))
        reading = flipped
    cards = [card for card in reading.cards if card.presence >= THERE]
    if not cards:
        words = "no card can be read; lay some cards face up on the table and check again"
        return [*findings, Finding("cards", False, 0.0, words)]
    sure = sum(card.sure for card in cards) / len(cards)
    told = f"cards read: {len(cards)}, {sure:.0%} of them surely"
    findings.append(Finding("cards", sure >= ENOUGH, float(len(cards)), told))
    findings.append(_size([float(np.linalg.norm(quad[3] - quad[0])) for card in cards for quad in card.indices]))
    findings.append(_focus(grey, reading))
    findings.append(_coverage(reading))
    return findings


def _light(grey: Image) -> Finding:
    level = float(np.median(cv2.resize(grey, (64, 64), interpolation=cv2.INTER_AREA)))
    bright = float(np.percentile(grey, 99))
    if bright < 110:
        return Finding("light", False, bright, "it is too dark: switch a lamp on, or open the camera's exposure")
    if level < DARK and bright < 160:
        return Finding("light", False, level, "it is rather dark: one more lamp beside the camera would help")
    if level > 225:
        return Finding("light", False, level, "the picture is too bright: close the camera's exposure, or dim the lamp")
    return Finding("light", True, level, "the light is good")


def _glare(grey: Image) -> Finding:
    burnt = (grey >= 253).astype(np.uint8)
    # White cards are bright all over; a reflection is a patch that is burnt out and smooth at once.
    burnt = np.asarray(cv2.morphologyEx(burnt, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)), np.uint8)
    share = float(burnt.mean())
    if share <= GLARE:
        return Finding("glare", True, share, "no glare")
    y, x = (float(value.mean()) for value in np.nonzero(burnt))
    where = _where(x / grey.shape[1], y / grey.shape[0])
    words = f"a lamp or window is reflected {where} ({share:.0%} of the picture): move the lamp, or tilt the camera"
    return Finding("glare", False, share, words)


def _size(heights: list[float]) -> Finding:
    height = float(np.median(heights)) if heights else 0.0
    if height < SMALL:
        words = f"the indices are {height:.0f} pixels high, too small: bring the camera closer, or use a larger picture"
        return Finding("size", False, height, words)
    if height < FAIR:
        words = f"the indices are {height:.0f} pixels high; {FAIR:.0f} would be surer: a little closer"
        return Finding("size", True, height, words)
    return Finding("size", True, height, f"the indices are {height:.0f} pixels high, large enough")


def _focus(grey: Image, reading: ImageReading) -> Finding:
    """How much finer than a soft copy the print is, at the indices."""
    fine = np.abs(cv2.Laplacian(grey.astype(np.float32), cv2.CV_32F))
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.5)
    coarse = np.abs(cv2.Laplacian(soft, cv2.CV_32F))
    ratios = []
    for card in reading.cards:
        for quad in card.indices:
            x0, y0 = np.maximum(quad.min(axis=0).astype(int), 0)
            x1, y1 = quad.max(axis=0).astype(int) + 1
            part, base = fine[y0:y1, x0:x1], coarse[y0:y1, x0:x1]
            if part.size:
                ratios.append(float(np.percentile(part, 95) / max(float(np.percentile(base, 95)), 1.0)))
    ratio = float(np.median(ratios)) if ratios else 0.0
    if ratio < SOFT:
        return Finding("focus", False, ratio, "the print is not sharp: focus the camera on the table, or wipe its lens")
    return Finding("focus", True, ratio, "the picture is sharp")


def _coverage(reading: ImageReading) -> Finding:
    corners = np.concatenate([card.outline for card in reading.cards])
    low, high = corners.min(axis=0), corners.max(axis=0)
    sides = [
        name
        for name, outside in (
            ("left", low[0] < 0),
            ("upper", low[1] < 0),
            ("right", high[0] > reading.width),
            ("lower", high[1] > reading.height),
        )
        if outside
    ]
    share = float(np.prod(high - low) / (reading.width * reading.height))
    if sides:
        words = f"cards are cut off at the {' and the '.join(sides)} edge: move the camera back, or turn it there"
        return Finding("coverage", False, share, words)
    if share < 0.1 and len(reading.cards) >= 4:
        return Finding("coverage", True, share, "the cards fill little of the picture: the camera may come closer")
    return Finding("coverage", True, share, "all cards are in the picture")


def _where(x: float, y: float) -> str:
    row = "at the top" if y < 1 / 3 else "at the bottom" if y > 2 / 3 else "in the middle"
    column = " left" if x < 1 / 3 else " right" if x > 2 / 3 else ""
    return row + column
