"""What the cards lie on, drawn: cloth, felt, wood, laminate, a checked tablecloth; and what else lies about."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

UNIT = 1.4
"""Pixels of a table texture per millimetre."""
REACH = 1300.0
"""Millimetres of the square that a texture covers, about the table's middle."""

KINDS = ("felt", "cloth", "wood", "laminate", "checks", "stripes")


@dataclass(frozen=True)
class Surface:
    """A table top: ``texture`` BGR over the square of ``REACH`` millimetres, ``gloss`` 0 (felt) to 1 (polished)."""

    kind: str
    texture: Image
    gloss: float

    def to_texture(self) -> NDArray[np.float64]:
        """The matrix, shape (3, 3), from table millimetres to pixels of the texture (y up becomes y down)."""
        half = REACH / 2
        return np.array([[UNIT, 0, UNIT * half], [0, -UNIT, UNIT * half], [0, 0, 1.0]])


def _noise(rng: np.random.Generator, size: int, cell: tuple[float, float]) -> Floats:
    """Smooth noise of about unit deviation whose grains are ``cell`` (x, y) pixels large."""
    shape = (max(2, round(size / cell[1])), max(2, round(size / cell[0])))
    small = rng.standard_normal(shape).astype(np.float32)
    return np.asarray(cv2.resize(small, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


def _hue(rng: np.random.Generator, value: tuple[float, float], saturation: tuple[float, float]) -> Floats:
    hsv = np.array([[[rng.uniform(0, 180), 255 * rng.uniform(*saturation), 255 * rng.uniform(*value)]]])
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def make(rng: np.random.Generator, kind: str | None = None) -> Surface:
    """A table top; ``kind`` one of ``KINDS``, else by chance."""
    kind = kind or str(rng.choice(KINDS, p=[0.24, 0.22, 0.28, 0.14, 0.08, 0.04]))
    size = round(REACH * UNIT)
    makers = {"felt": _felt, "cloth": _cloth, "wood": _wood, "laminate": _laminate, "checks": _checks}
    texture, gloss = makers.get(kind, _stripes)(rng, size)
    return Surface(kind, np.clip(texture, 0, 255).astype(np.uint8), gloss)


def _felt(rng: np.random.Generator, size: int) -> tuple[Floats, float]:
    tones = [(58, 92, 38), (70, 60, 30), (52, 40, 110), (44, 44, 46), (110, 70, 30), (60, 110, 80)]
    base = np.array(tones[int(rng.integers(len(tones)))], np.float32) * rng.uniform(0.8, 1.25)
    fluff = 0.05 * _noise(rng, size, (2, 2)) + 0.03 * _noise(rng, size, (6, 6)) + 0.03 * _noise(rng, size, (240, 240))
    return base * (1 + fluff[..., None]), 0.0


def _cloth(rng: np.random.Generator, size: int) -> tuple[Floats, float]:
    base = _hue(rng, (0.25, 0.95), (0.0, 0.6))
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    thread = rng.uniform(3.0, 5.0)
    weave = 0.035 * (np.sin(x * 2 * np.pi / thread) + np.sin(y * 2 * np.pi / thread))
    slub = 0.03 * _noise(rng, size, (60, 2)) + 0.03 * _noise(rng, size, (2, 60))
    folds = 0.05 * np.clip(_noise(rng, size, (500, 90)), -1.5, 1.5)
    return base * (1 + (weave + slub + folds)[..., None]), 0.0


def _wood(rng: np.random.Generator, size: int) -> tuple[Floats, float]:
    tones = [(70, 110, 165), (45, 75, 120), (100, 145, 190), (35, 50, 80), (140, 170, 200), (90, 105, 120)]
    base = np.array(tones[int(rng.integers(len(tones)))], np.float32) * rng.uniform(0.85, 1.15)
    picture = np.empty((size, size, 3), np.float32)
    plank = round(rng.uniform(90, 220) * UNIT)
    one_board = rng.random() < 0.35
    y = np.arange(size, dtype=np.float32)[:, None]
    warp = _noise(rng, size, (700, 160)) * 14 + _noise(rng, size, (260, 60)) * 3
    for number, top in enumerate(range(0, size, size if one_board else plank)):
        rows = slice(top, top + (size if one_board else plank))
        shift = rng.uniform(0, 500)
        rings = np.sin((y[rows] + warp[rows] + shift) / rng.uniform(5, 9))
        fine = _noise(rng, size, (300, 2))[rows]
        tone = 1 + 0.07 * rings + 0.05 * fine + (rng.normal(0, 0.07) if number else 0)
        picture[rows] = base * tone[..., None]
        if not one_board:
            picture[top : top + 2] *= 0.55
    if rng.random() < 0.5:
        picture = np.ascontiguousarray(np.rot90(picture))
    return picture, float(rng.uniform(0.15, 0.8))


def _laminate(rng: np.random.Generator, size: int) -> tuple[Floats, float]:
    base = _hue(rng, (0.35, 0.97), (0.0, 0.25))
    speck = (_noise(rng, size, (3, 3)) > 2.0).astype(np.float32) * rng.uniform(-0.25, 0.2)
    cloud = 0.04 * _noise(rng, size, (120, 120)) + 0.012 * _noise(rng, size, (2, 2))
    return base * (1 + (speck + cloud)[..., None]), float(rng.uniform(0.3, 0.9))


def _checks(rng: np.random.Generator, size: int) -> tuple[Floats, float]:
    base, other = _hue(rng, (0.75, 0.95), (0.0, 0.15)), _hue(rng, (0.35, 0.8), (0.3, 0.8))
    step = rng.uniform(14, 34) * UNIT
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    mix = ((x // step) % 2 + (y // step) % 2) / 2
    mix = cv2.GaussianBlur(mix, (0, 0), 0.8)[..., None]
    weave = 0.03 * _noise(rng, size, (2, 2)) + 0.03 * _noise(rng, size, (300, 90))
    return (base * (1 - mix) + other * mix) * (1 + weave[..., None]), 0.05


def _stripes(rng: np.random.Generator, size: int) -> tuple[Floats, float]:
    colours = [_hue(rng, (0.3, 0.95), (0.0, 0.4)) for _ in range(3)]
    step = rng.uniform(10, 40) * UNIT
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    turn = rng.uniform(0, np.pi)
    band = ((x * np.cos(turn) + y * np.sin(turn)) // step).astype(int) % 4
    picture = np.asarray([colours[0], colours[1], colours[0], colours[2]], np.float32)[band]
    picture = cv2.GaussianBlur(picture, (0, 0), 0.9)
    return picture * (1 + 0.03 * _noise(rng, size, (2, 2))[..., None]), 0.05


def phone(rng: np.random.Generator) -> Image:
    """A telephone lying screen up, BGRA, 4 pixels a millimetre, 74 by 152 millimetres."""
    width, height = 74 * 4, 152 * 4
    picture = np.zeros((height, width, 4), np.uint8)
    _round_box(picture, (0, 0), (width - 1, height - 1), 34, (38, 36, 36, 255))
    lit = rng.random() < 0.3
    screen = np.array(_hue(rng, (0.3, 0.7), (0.1, 0.5)) if lit else (20, 18, 17))
    _round_box(picture, (10, 10), (width - 11, height - 11), 26, (*(int(v) for v in screen), 255))
    y, x = np.mgrid[0:height, 0:width]
    # The lamp's faint mirror image across the glass.
    glass = np.exp(-(((x - 0.8 * y + rng.uniform(60, 300)) / 120.0) ** 2)) * 40
    picture[..., :3] = np.clip(picture[..., :3] + glass[..., None] * (picture[..., 3:] > 0), 0, 255)
    return picture


def cup(rng: np.random.Generator) -> Image:
    """A cup from above, BGRA, 4 pixels a millimetre, 120 by 120 millimetres, filled with tea, coffee or water."""
    size = 480
    picture = np.zeros((size, size, 4), np.uint8)
    wall = tuple(int(v) for v in _hue(rng, (0.5, 0.98), (0.0, 0.6)))
    drink = [(20, 40, 90), (20, 28, 46), (200, 200, 190), (40, 90, 160)][int(rng.integers(4))]
    centre, radius = (size // 2 - 20, size // 2), 150
    grip = (int(size * 0.84), size // 2)
    cv2.ellipse(picture, grip, (62, 44), 0, 0, 360, (*(int(v * 0.8) for v in wall), 255), 22, cv2.LINE_AA)
    cv2.circle(picture, centre, radius, (*wall, 255), -1, cv2.LINE_AA)
    cv2.circle(picture, centre, radius - 14, (*(int(v * 0.6) for v in wall), 255), -1, cv2.LINE_AA)
    cv2.circle(picture, (centre[0] + 4, centre[1] + 5), radius - 24, (*drink, 255), -1, cv2.LINE_AA)
    shine = (centre[0] - 50, centre[1] - 60)
    cv2.ellipse(picture, shine, (34, 14), -40, 0, 360, (230, 235, 235, 255), -1, cv2.LINE_AA)
    return picture


def _round_box(
    picture: Image, low: tuple[int, int], high: tuple[int, int], radius: int, colour: tuple[int, ...]
) -> None:
    (x0, y0), (x1, y1) = low, high
    cv2.rectangle(picture, (x0 + radius, y0), (x1 - radius, y1), colour, -1)
    cv2.rectangle(picture, (x0, y0 + radius), (x1, y1 - radius), colour, -1)
    for x in (x0 + radius, x1 - radius):
        for y in (y0 + radius, y1 - radius):
            cv2.circle(picture, (x, y), radius, colour, -1, cv2.LINE_AA)
