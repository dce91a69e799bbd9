"""Small decks made on the spot: the packaged art is not there when tests run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets import decks, layout, scenes
from datasets.decks import Deck, Picture

QUARTERS = {
    "top left": (255, 0, 255),
    "top right": (0, 255, 0),
    "bottom left": (255, 0, 0),
    "bottom right": (0, 200, 255),
}
"""BGR colours of the four quarters of every index on the marked cards: a mirrored or turned one is told at once."""


def marked_card(four: bool, height: int = 500, width: int = 350) -> Picture:
    """A white card whose index boxes, and nothing else, are painted in four colours."""
    card = np.full((height, width, 3), 255, np.uint8)
    upright = [box for box in layout.index_boxes(four) if box[0, 1] < box[3, 1]]
    for _ in range(2):  # the indices of one end, then, the card turned, those of the other
        for box in upright:
            x0, y0 = np.round(box[0] * (width, height)).astype(int)
            x1, y1 = np.round(box[2] * (width, height)).astype(int)
            xm, ym = (x0 + x1) // 2, (y0 + y1) // 2
            card[y0:ym, x0:xm] = QUARTERS["top left"]
            card[y0:ym, xm:x1] = QUARTERS["top right"]
            card[ym:y1, x0:xm] = QUARTERS["bottom left"]
            card[ym:y1, xm:x1] = QUARTERS["bottom right"]
        card = np.ascontiguousarray(card[::-1, ::-1])
    return np.dstack([card, np.full((height, width), 255, np.uint8)])


def _deck(folder: Path, name: str, four: bool) -> Deck:
    (folder / name).mkdir(parents=True)
    for face in ("7H", "TS", "KD"):
        cv2.imwrite(str(folder / name / f"{face}.png"), marked_card(four))
    back = np.full((500, 350, 4), 255, np.uint8)
    back[..., :3] = (90, 60, 60)
    cv2.imwrite(str(folder / name / "back.png"), back)
    return Deck(name, "tests", "none", "plain", "English", held_out=four, corners=4 if four else 2)


@pytest.fixture
def marked_decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Deck]]:
    """A two-corner and a four-corner deck of marked cards, in a folder that takes the place of ``data/decks``."""
    folder = tmp_path / "decks"
    rows = [_deck(folder, "two", four=False), _deck(folder, "four", four=True)]
    (folder / "manifest.json").write_text(json.dumps([asdict(row) for row in rows]), encoding="utf-8")
    monkeypatch.setattr(decks, "FOLDER", folder)
    monkeypatch.setattr(scenes, "_TABLES", 5)
    caches = (scenes._sizes, scenes._faces, scenes._inked)
    for cache in caches:
        cache.cache_clear()
    yield rows
    for cache in caches:
        cache.cache_clear()
