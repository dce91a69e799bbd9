"""What lies around, under and over the cards: tables, papers, chips, phones, letters that are no index, hands."""

from __future__ import annotations

from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets import drawn, glyphs
from datasets.camera import Canvas, Generator, smooth_noise

_FONTS: Final = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_PLAIN, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
)  # fmt: skip
WORDS: Final = 360
_LETTERS: Final = ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789", "AJKQ0123456789")


def colour(generator: Generator, low: int = 0, high: int = 256) -> NDArray[np.float32]:
    """A random BGR colour."""
    return generator.integers(low, high, 3).astype(np.float32)


def table(generator: Generator, size: int) -> Canvas:
    """A square piece of table: cloth, wood, tiles, a carpet, a pattern, or plain."""
    kind = generator.choice(["cloth", "wood", "noise", "stripes", "tiles", "plain", "carpet", "patches"],
                            p=[0.2, 0.2, 0.12, 0.1, 0.08, 0.13, 0.1, 0.07])  # fmt: skip
    base = colour(generator)
    base += (base.mean() - base) * np.array(generator.uniform(0, 1), np.float32)  # few tables are gaudy
    if generator.random() < 0.3:
        base[:] = generator.uniform(10, 245)  # grey, black, white
    elif generator.random() < 0.25:
        base = np.array(
            [generator.uniform(20, 80), generator.uniform(60, 130), generator.uniform(10, 60)], np.float32
        )  # baize
    canvas = np.empty((size, size, 3), np.float32)
    canvas[:] = base
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    angle = generator.uniform(0, np.pi)
    u, v = np.cos(angle) * x + np.sin(angle) * y, -np.sin(angle) * x + np.cos(angle) * y
    if kind == "wood":
        base = np.array(
            [generator.uniform(20, 130), generator.uniform(50, 165), generator.uniform(80, 210)], np.float32
        )
        other = base * float(generator.uniform(0.4, 0.8))
        bend = smooth_noise(generator, size, size, generator.uniform(60, 200)) * generator.uniform(3, 20)
        grain = np.sin((v + bend) / generator.uniform(1.5, 12)) * 0.5 + 0.5
        grain = grain * 0.6 + 0.4 * (smooth_noise(generator, size, size, 3) * 0.5 + 0.5)
        canvas = base + (other - base) * np.clip(grain, 0, 1)[..., None]
        if generator.random() < 0.4:
            canvas[(v % generator.uniform(40, 150)) < 1.5] *= 0.4
    elif kind == "cloth":
        pitch = generator.uniform(1.2, 4)
        canvas += (np.sin(u * np.pi / pitch) * np.sin(v * np.pi / pitch) * generator.uniform(0, 25))[..., None]
        canvas += (smooth_noise(generator, size, size, generator.uniform(20, 120)) * generator.uniform(0, 25))[
            ..., None
        ]
    elif kind in ("noise", "carpet"):
        for cell in (1.5, 3, 6, 14, 40) if kind == "noise" else (1.2, 2.2, 4):
            tint = np.ones(3, np.float32) if kind == "carpet" else colour(generator) / 160
            canvas += smooth_noise(generator, size, size, cell)[..., None] * generator.uniform(3, 22) * tint
    elif kind == "stripes":
        stripe = np.sin(u * np.pi / generator.uniform(4, 50)) > generator.uniform(-0.6, 0.6)
        canvas[stripe] = colour(generator)
        if generator.random() < 0.4:
            canvas[np.sin(v * np.pi / generator.uniform(4, 50)) > 0.3] *= 0.7
    elif kind == "tiles":
        pitch = generator.uniform(25, 140)
        seam = ((u % pitch) < 2.5) | ((v % pitch) < 2.5)
        if generator.random() < 0.5:
            canvas[(((u // pitch) + (v // pitch)) % 2) > 0] = colour(generator)
        canvas[seam] = colour(generator)
    elif kind == "patches":
        for _ in range(int(generator.integers(8, 40))):
            centre = generator.uniform(0, size, 2)
            points = centre + generator.normal(0, generator.uniform(10, 70), (int(generator.integers(3, 7)), 2))
            cv2.fillPoly(canvas, [points.astype(np.int32)], colour(generator).tolist(), cv2.LINE_AA)
    canvas += smooth_noise(generator, size, size, generator.uniform(1, 3))[..., None] * generator.uniform(0, 8)
    return np.asarray(np.clip(canvas, 0, 255), np.float32)


def _letters(canvas: Canvas, generator: Generator, scale: float) -> None:
    """Print at any angle: single letters and digits, words, lines of text."""
    size = canvas.shape[0]
    word = "".join(generator.choice(list("23456789JQKABDHRVT10abcdefghiklmnoprstu&%#"), int(generator.integers(1, 9))))
    font = _FONTS[int(generator.integers(len(_FONTS)))]
    zoom, thick = scale / 24 * generator.uniform(0.5, 1.6), int(generator.integers(1, 4))
    (width, height), _ = cv2.getTextSize(word, font, zoom, thick)
    print_ = np.zeros((height * 2 + 4, width + 8), np.uint8)
    cv2.putText(print_, word, (4, int(height * 1.5)), font, zoom, 255, thick, cv2.LINE_AA)
    patch = print_.astype(np.float32) / 255
    turn = cv2.getRotationMatrix2D((patch.shape[1] / 2, patch.shape[0] / 2), generator.uniform(0, 360), 1)
    turn[:, 2] += generator.uniform(0, size, 2) - (patch.shape[1] / 2, patch.shape[0] / 2)
    ink = cv2.warpAffine(patch, turn, (size, size))[..., None]
    canvas[:] = canvas * (1 - ink) + colour(generator) * ink


@cache
def words() -> tuple[NDArray[np.uint8], ...]:
    """Words in the fonts that we have, white on black, 64 pixels high; none where there are no fonts."""
    generator = np.random.default_rng(11)
    fonts = [font for font in drawn.FONTS if glyphs.has_font(font[0])]
    result = []
    for number in range(WORDS if fonts else 0):
        font = fonts[number % len(fonts)]
        length = int(generator.choice([1, 2, 4, 6, 9], p=[0.15, 0.15, 0.25, 0.25, 0.2]))
        word = "".join(generator.choice(list(_LETTERS[number % len(_LETTERS)]), length))
        mask = glyphs.text(word, *font)
        size = (max(4, round(mask.shape[1] * 64 / mask.shape[0])), 64)
        result.append(np.asarray(cv2.resize(255 * mask, size, interpolation=cv2.INTER_AREA), np.uint8))
    return tuple(result)


def _print(canvas: Canvas, generator: Generator, scale: float) -> None:
    """A title or a few lines of print, as on books, boxes and letters."""
    if not words():
        return
    height = max(6, int(scale * np.exp(generator.uniform(np.log(0.3), np.log(1.6)))))
    width = int(height * generator.uniform(3, 12))
    lines = int(generator.integers(1, 5))
    page = np.zeros((int(lines * height * 1.4), width), np.uint8)
    for line in range(lines):
        x = int(generator.uniform(0, height))
        while x < width - 4:
            word = words()[int(generator.integers(len(words())))]
            size = (max(2, round(word.shape[1] * height / word.shape[0])), height)
            ink = cv2.resize(word, size, interpolation=cv2.INTER_AREA)[:, : width - x]
            top = int(line * height * 1.4)
            page[top : top + height, x : x + ink.shape[1]] = ink
            x += size[0] + height // 2
    quad = _quad(generator, canvas.shape[0], width, page.shape[0])
    if generator.random() < 0.6:  # on paper of its own
        paper = colour(generator) if generator.random() < 0.4 else np.array(generator.uniform(170, 255), np.float32)
        _lay(canvas, paper, quad, np.ones(page.shape, np.float32))
    tone = colour(generator) if generator.random() < 0.5 else np.array(generator.uniform(0, 80), np.float32)
    _lay(canvas, tone, quad, np.float32(1 / 255) * page.astype(np.float32))


def _quad(generator: Generator, size: int, width: float, height: float) -> NDArray[np.float32]:
    """The corners of a rectangle somewhere on the picture, at any angle."""
    angle = generator.uniform(0, 2 * np.pi)
    across = np.array([np.cos(angle), np.sin(angle)]) * width / 2
    down = np.array([-np.sin(angle), np.cos(angle)]) * height / 2
    centre = generator.uniform(-0.1 * size, 1.1 * size, 2)
    return np.array(
        [centre - across - down, centre + across - down, centre + across + down, centre - across + down], np.float32
    )


def _paper(canvas: Canvas, generator: Generator, scale: float) -> None:
    """A sheet, a book or a phone: a plain rectangle, perhaps with print and a picture on it."""
    size = canvas.shape[0]
    width, height = scale * generator.uniform(1.2, 9), scale * generator.uniform(1.2, 9)
    quad = _quad(generator, size, width, height)
    across, down = max(8, int(width)), max(8, int(height))
    page = np.empty((down, across, 3), np.float32)
    page[:] = colour(generator) if generator.random() < 0.5 else generator.uniform(180, 255)
    page = page.astype(np.uint8)  # OpenCV prints on bytes alone
    ink = colour(generator, 0, 120).tolist()
    for _ in range(int(generator.integers(0, 14))):
        x, y = int(generator.integers(0, across)), int(generator.integers(0, down))
        if generator.random() < 0.75:
            word = "".join(generator.choice(list("0123456789JQKAabcdefghiklmnoprstu "), int(generator.integers(1, 14))))
            font, zoom = _FONTS[int(generator.integers(len(_FONTS)))], scale / 24 * float(generator.uniform(0.2, 1.2))
            cv2.putText(page, word, (x // 2, y), font, zoom, ink, int(generator.integers(1, 3)), cv2.LINE_AA)
        else:
            cv2.circle(
                page, (x, y), int(generator.uniform(0.1, 0.6) * scale), colour(generator).tolist(), -1, cv2.LINE_AA
            )
    _lay(canvas, page.astype(np.float32), quad, np.ones(page.shape[:2], np.float32))


def _lay(canvas: Canvas, picture: Canvas, quad: NDArray[np.float32], mask: NDArray[np.float32]) -> None:
    """Lay a rectangular picture, or one colour, over the canvas so that its corners come to `quad`; ``mask``, as large
    as the rectangle, is how much of it covers what lies there, 0 to 1."""
    size = (canvas.shape[1], canvas.shape[0])
    h, w = mask.shape
    matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32), quad)
    cover = cv2.warpPerspective(mask, matrix, size)[..., None]
    laid = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR) if picture.ndim == 3 else picture
    canvas[:] = canvas * (1 - cover) + laid * cover


def _chip(canvas: Canvas, generator: Generator, scale: float) -> None:
    """A poker chip, a coin or a cup seen from above."""
    size = canvas.shape[0]
    centre = generator.integers(0, size, 2).tolist()
    radius = int(scale * generator.uniform(0.4, 2.2))
    cv2.circle(canvas, centre, radius, colour(generator).tolist(), -1, cv2.LINE_AA)
    if generator.random() < 0.7:
        light = colour(generator, 150).tolist()
        for k in range(int(generator.integers(4, 10))):
            start = k * 50 + float(generator.uniform(0, 5))
            cv2.ellipse(
                canvas, centre, (int(radius * 0.88),) * 2, 0, start, start + 20, light, max(1, radius // 5), cv2.LINE_AA
            )
    cv2.circle(canvas, centre, int(radius * generator.uniform(0.4, 0.8)), colour(generator).tolist(),
               -1 if generator.random() < 0.5 else max(1, radius // 10), cv2.LINE_AA)  # fmt: skip
    if generator.random() < 0.4:
        ink = np.zeros((size, size), np.uint8)
        word, at = str(generator.choice([1, 5, 10, 25, 50, 100])), (centre[0] - radius // 2, centre[1] + radius // 4)
        cv2.putText(ink, word, at, cv2.FONT_HERSHEY_SIMPLEX, max(0.2, radius / 30), 255, 2, cv2.LINE_AA)
        canvas[ink > 127] = colour(generator)


def _stick(canvas: Canvas, generator: Generator, scale: float) -> None:
    """A pen, a cable, an edge of the table."""
    size = canvas.shape[0]
    ends = generator.integers(-size // 4, size + size // 4, (2, 2)).tolist()
    cv2.line(
        canvas,
        ends[0],
        ends[1],
        colour(generator).tolist(),
        int(max(1, scale * generator.uniform(0.05, 0.5))),
        cv2.LINE_AA,
    )


def clutter(canvas: Canvas, generator: Generator, scale: float) -> None:
    """Strew a few things that are no cards. `scale` is an index's height in pixels."""
    for _ in range(int(generator.poisson(2.5))):
        thing = (_letters, _print, _paper, _chip, _stick)[int(generator.choice(5, p=[0.2, 0.25, 0.25, 0.17, 0.13]))]
        thing(canvas, generator, scale)


def hand(canvas: Canvas, generator: Generator, scale: float) -> NDArray[np.bool_]:
    """A hand over the cards, drawn as a palm, fingers and a sleeve; returns where it covers, shape (height, width)."""
    size = canvas.shape[0]
    skin = np.array([generator.uniform(40, 170), generator.uniform(60, 190), generator.uniform(90, 235)], np.float32)
    skin = np.sort(skin)
    cover = np.zeros((size, size), np.float32)
    middle = generator.uniform(0, size, 2)
    away = generator.uniform(0, 2 * np.pi)
    palm = scale * generator.uniform(1.0, 2.4)
    cv2.ellipse(cover, (middle.tolist(), (2 * palm, 1.6 * palm), np.degrees(away)), 1.0, -1, cv2.LINE_AA)
    for offset in np.linspace(-0.75, 0.75, 5) + generator.normal(0, 0.08, 5):
        direction = away + offset
        start = middle + palm * 0.7 * np.array([np.cos(direction), np.sin(direction)])
        bend = direction + generator.normal(0, 0.35)
        end = start + palm * generator.uniform(0.7, 1.5) * np.array([np.cos(bend), np.sin(bend)])
        thick = int(max(2, palm * generator.uniform(0.3, 0.45)))
        cv2.line(cover, start.astype(int).tolist(), end.astype(int).tolist(), 1.0, thick, cv2.LINE_AA)
    sleeve = np.zeros_like(cover)
    back = middle - 6 * palm * np.array([np.cos(away), np.sin(away)])
    wrist = middle - palm * 1.1 * np.array([np.cos(away), np.sin(away)])
    cv2.line(sleeve, back.astype(int).tolist(), wrist.astype(int).tolist(), 1.0, int(palm * 1.3), cv2.LINE_AA)
    cv2.line(cover, wrist.astype(int).tolist(), middle.astype(int).tolist(), 1.0, int(palm), cv2.LINE_AA)
    shade = cv2.GaussianBlur(cover, (0, 0), max(1.0, palm * 0.2)) * 0.5 + 0.55
    tone = smooth_noise(generator, size, size, max(2.0, palm * 0.3)) * 6
    shadow = cv2.GaussianBlur(np.maximum(cover, sleeve), (0, 0), max(1.0, palm * 0.35))
    canvas *= 1 - generator.uniform(0.1, 0.5) * np.roll(shadow, (int(palm * 0.3), int(palm * 0.2)), (0, 1))[..., None]
    canvas[:] = canvas * (1 - cover[..., None]) + (skin * shade[..., None] + tone[..., None]) * cover[..., None]
    cloth = colour(generator) * (1 + smooth_noise(generator, size, size, max(2.0, palm * 0.4))[..., None] * 0.08)
    canvas[:] = canvas * (1 - sleeve[..., None]) + cloth * sleeve[..., None]
    return np.asarray(np.maximum(cover, sleeve) > 0.3)
