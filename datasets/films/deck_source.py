"""Where a film's cards come from: drawn by us, cut from deck art, or cut out of photographs of real cards."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import UserError
from datasets import decks
from datasets.photographed import outline
from engine.cards import STANDARD, Card, CardError

Art = NDArray[np.uint8]
"""BGRA, shape (height, width, 4)."""

FACE_HEIGHT = 440
"""Pixels of a card's long side in a loaded deck: about 5 a millimetre."""
CARD_HEIGHT = 88.0
"""Millimetres of a card's long side; the short side follows from the art."""

_PHOTOS = (".jpg", ".jpeg", ".png", ".webp")
_NAMES = {"ace": "A", "king": "K", "queen": "Q", "jack": "J"} | {str(n): str(n) for n in range(2, 11)}


@dataclass(frozen=True)
class Deck:
    """The faces by code (``7H``, ``XX``), the backs, and the card's short side in millimetres."""

    name: str
    faces: Mapping[str, Art]
    back: Art
    width: float

    def has_jokers(self) -> bool:
        return "XX" in self.faces


def load(source: str | None, rng: np.random.Generator) -> Deck:
    """The deck that ``--deck`` names: a folder of photos, a deck of art, or (None, "drawn") the one drawn here.

    Raises UserError where there is no such deck or cards are missing.
    """
    from datasets.films import drawn_deck

    if source is None or source == "drawn":
        return drawn_deck.draw(rng)
    folder = Path(source)
    faces = _photographed(folder) if folder.is_dir() else _art(source)
    missing = [str(card) for card in STANDARD if str(card) not in faces]
    if missing:
        raise UserError(
            "deck-incomplete", f"{source}: {len(missing)} of 52 cards are missing, {', '.join(missing[:6])} first"
        )
    shapes = [face.shape for face in faces.values()]
    aspect = float(np.median([shape[1] / shape[0] for shape in shapes]))
    size = (round(FACE_HEIGHT * aspect), FACE_HEIGHT)
    faces = {code: resized(face, size) for code, face in faces.items()}
    back = faces.pop("back", None)
    if back is None or rng.random() < 0.3:
        back = drawn_deck.back(size, rng)
    return Deck(folder.name if folder.is_dir() else source, faces, back, CARD_HEIGHT * aspect)


def _art(name: str) -> dict[str, Art]:
    cut = decks.load(name)
    return {str(code): np.asarray(art, dtype=np.uint8) for code, art in cut.items()}


def resized(art: Art, size: tuple[int, int]) -> Art:
    """The art at ``size`` (width, height), without dark fringes where it is transparent."""
    premultiplied = art.astype(np.float32)
    premultiplied[..., :3] = premultiplied[..., :3] * (premultiplied[..., 3:] / 255)
    shrinks = size[1] < art.shape[0]
    small = cv2.resize(premultiplied, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC)
    colours = small[..., :3] / np.maximum(small[..., 3:] / 255, 1 / 255)
    return np.clip(np.dstack([colours, small[..., 3:]]), 0, 255).astype(np.uint8)


# --- photographs -----------------------------------------------------------------------------------------------------


def _photographed(folder: Path) -> dict[str, Art]:
    labels = _labels(folder)
    faces: dict[str, Art] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in _PHOTOS:
            continue
        code = labels.get(path.name) or code_of(path.stem)
        if code is None or code in faces:
            continue
        photo = cv2.imread(str(path))
        if photo is None:
            raise UserError("deck-unreadable", f"{path} is not a picture that can be read")
        faces[code] = cut_out(np.asarray(photo, dtype=np.uint8))
    return faces


def _labels(folder: Path) -> dict[str, str]:
    for parent in (folder, *folder.resolve().parents[:2]):
        if (parent / "labels.json").is_file():
            rows = json.loads((parent / "labels.json").read_text(encoding="utf-8"))
            here = [row for row in rows if Path(row["path"]).parent.name == folder.resolve().name]
            return {Path(row["path"]).name: row["cards"][0] for row in here if len(row["cards"]) == 1}
    return {}


def code_of(stem: str) -> str | None:
    """The card that a file's name speaks of (``7H``, ``10c``, ``queen_of_hearts2``), or None."""
    long = re.search(r"(ace|king|queen|jack|10|[2-9])_(?:of_)?(clubs|diamonds|hearts|spades)", stem.lower())
    text = _NAMES[long[1]] + long[2][0] if long else re.split(r"[_\W]+", stem)[-1]
    if text.lower() == "back":
        return "back"
    try:
        card = Card.parse(text)
    except CardError:
        return None
    return str(card) if card.suit or text.upper() == "XX" else None


def cut_out(photo: NDArray[np.uint8]) -> Art:
    """The one card in a photo, upright, its white levelled and its corners round.

    ``photo`` is BGR. The card is either the large bright shape on a darker ground, or the whole photo.
    """
    shrink = min(1.0, 800 / max(photo.shape[:2]))  # a large photo tells no more, and takes four times as long
    small = cv2.resize(photo, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    found = outline(np.asarray(small, np.uint8))
    found = None if found is None else np.asarray(found / shrink, np.float32)
    area = photo.shape[0] * photo.shape[1]
    if found is not None and 0.02 * area < cv2.contourArea(found) < 0.6 * area:
        centre = found.mean(axis=0)
        # In by a hair, so that no dark ground is left along the edge.
        corners = np.asarray(centre + (found - centre) * 0.992, np.float32)
    else:
        corners = _whole(photo)
    wide = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3]))
    high = float(np.linalg.norm(corners[3] - corners[0]) + np.linalg.norm(corners[2] - corners[1]))
    size = (round(FACE_HEIGHT * wide / high), FACE_HEIGHT)
    target = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    flat = cv2.warpPerspective(photo, cv2.getPerspectiveTransform(corners, target), size, flags=cv2.INTER_AREA)
    return np.dstack([_levelled(np.asarray(flat, np.uint8)), rounded(size)])


def _whole(photo: NDArray[np.uint8]) -> NDArray[np.float32]:
    height, width = photo.shape[:2]
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)


def _levelled(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The face as it would look in even, white light: paper at 246, the darkest print near 24."""
    height, width = face.shape[:2]
    small = cv2.resize(face, (width // 5, height // 5), interpolation=cv2.INTER_AREA).astype(np.float64)
    y, x = np.mgrid[-1 : 1 : small.shape[0] * 1j, -1 : 1 : small.shape[1] * 1j]
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    value = small.max(axis=2)
    paper = value >= np.percentile(value, 60)
    # Twice: the second fit leaves out what is darker than the first one's paper.
    for _ in range(2):
        # A breath of damping: what little paper shows may not tell all six terms apart.
        fit = np.linalg.solve(terms[paper].T @ terms[paper] + 1e-3 * np.eye(6), terms[paper].T @ value[paper])
        field = np.maximum(terms @ fit, 8)
        paper = value > 0.9 * field
    small = small * (field.mean() / field)[..., None]
    white = np.array([np.median(small[..., c][paper]) for c in range(3)])
    even = cv2.resize((field.mean() / field).astype(np.float32), (width, height))
    flat = face.astype(np.float32) * even[..., None] / white.astype(np.float32)
    black = min(float(np.percentile(flat.max(axis=2), 0.7)), 0.6)
    flat = (flat - black) / (1 - black) * 222 + 24
    return np.asarray(np.clip(flat, 0, 250), np.uint8)


def rounded(size: tuple[int, int], radius: float = 3.4) -> NDArray[np.uint8]:
    """The alpha of a card with round corners: shape (height, width); ``radius`` in millimetres."""
    width, height = size
    r = round(radius / CARD_HEIGHT * height)
    big = np.zeros((height * 4, width * 4), np.uint8)
    cv2.rectangle(big, (4 * r, 0), (4 * (width - r) - 1, 4 * height), 255, -1)
    cv2.rectangle(big, (0, 4 * r), (4 * width, 4 * (height - r) - 1), 255, -1)
    for cx in (r, width - r):
        for cy in (r, height - r):
            cv2.circle(big, (4 * cx, 4 * cy), 4 * r, 255, -1)
    return np.asarray(cv2.resize(big, size, interpolation=cv2.INTER_AREA), np.uint8)
