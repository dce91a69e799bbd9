"""A deck drawn here, from strokes and curves of our own: for films without any art, for tests, for the sample game."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.films.deck_source import CARD_HEIGHT, FACE_HEIGHT, Art, Deck, rounded
from engine.cards import FACES, Card, Rank, Suit

Floats = NDArray[np.float64]
Colour = tuple[int, int, int]

WIDTH_MM = 63.0
_OVER = 3  # drawn this much larger, then shrunk

# Each rank as strokes on a grid 10 wide and 14 high, y down: a list of points, or an arc (cx, cy, rx, ry, from, to) in
# degrees, clockwise from the right as the picture shows it.
_STROKES: dict[str, list[list[tuple[float, float]] | tuple[float, ...]]] = {
    "2": [(5, 4, 4, 4, 190, 380), [(8.8, 5.3), (1, 14), (9.2, 14)]],
    "3": [[(1.2, 0.4), (8.6, 0.4), (4.2, 5.6)], (4.8, 9.7, 4.1, 4.2, -100, 150)],
    "4": [[(7, 14), (7, 0.3), (0.6, 10), (9.8, 10)]],
    "5": [[(8.6, 0.3), (2, 0.3), (1.5, 6.4)], (4.9, 9.4, 4.2, 4.5, -140, 150)],
    "6": [(5, 9.7, 4, 4.2, 0, 360), [(7.4, 0.2), (3.6, 4.2), (1.1, 8.6)]],
    "7": [[(0.8, 0.3), (9.2, 0.3), (4, 14)]],
    "8": [(5, 3.6, 3.4, 3.4, 0, 360), (5, 10.4, 4.1, 3.6, 0, 360)],
    "9": [(5, 4.3, 4, 4.2, 0, 360), [(2.6, 13.8), (6.4, 9.8), (8.9, 5.4)]],
    "T": [[(1, 0.2), (1, 14)], (6.6, 7.1, 2.9, 6.8, 0, 360)],
    "J": [[(4, 0.3), (9.4, 0.3)], [(7, 0.3), (7, 9.6)], (3.9, 9.8, 3.1, 4.2, 0, 170)],
    "Q": [(5, 7, 4.2, 6.8, 0, 360), [(5.4, 9.6), (9.6, 14.4)]],
    "K": [[(1.6, 0.2), (1.6, 14)], [(9, 0.2), (1.8, 8.2)], [(4, 5.8), (9.4, 14)]],
    "O": [(5, 7, 4.2, 6.8, 0, 360)],
    "E": [[(9, 0.3), (1.4, 0.3), (1.4, 13.8), (9, 13.8)], [(1.4, 7), (7.6, 7)]],
    "R": [[(1.4, 14), (1.4, 0.3), (5, 0.3)], (5, 4, 4, 3.7, -90, 90), [(5, 7.7), (1.4, 7.7)], [(4.6, 7.7), (9.4, 14)]],
    "A": [[(0.3, 14), (5, 0.2), (9.7, 14)], [(2.1, 9.4), (7.9, 9.4)]],
}
_SPOTS: dict[int, list[tuple[float, float]]] = {
    2: [(0, -1), (0, 1)],
    3: [(0, -1), (0, 0), (0, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    7: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, -0.5)],
    8: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, -0.5), (0, 0.5)],
    9: [(-1, -1), (1, -1), (-1, -0.33), (1, -0.33), (-1, 0.33), (1, 0.33), (-1, 1), (1, 1), (0, 0)],
    10: [(x, y) for x in (-1.0, 1.0) for y in (-1, -0.33, 0.33, 1)] + [(0, -0.66), (0, 0.66)],
}


def draw(rng: np.random.Generator) -> Deck:
    """The whole deck, jokers included; ``rng`` varies colours, stroke, size of the indices and the back."""
    size = (round(FACE_HEIGHT * WIDTH_MM / CARD_HEIGHT), FACE_HEIGHT)
    red: Colour = (int(rng.integers(20, 50)), int(rng.integers(15, 45)), int(rng.integers(175, 215)))
    dark: Colour = (int(rng.integers(20, 45)), int(rng.integers(18, 35)), int(rng.integers(15, 35)))
    style = {"height": float(rng.uniform(8.2, 10.5)), "stroke": float(rng.uniform(1.25, 1.75))}
    faces: dict[str, Art] = {}
    for card in FACES:
        colour = red if card.suit in (Suit.HEARTS, Suit.DIAMONDS) else dark
        faces[str(card)] = _face(card, size, colour, red, style)
    return Deck("drawn", faces, back(size, rng), WIDTH_MM)


def back(size: tuple[int, int], rng: np.random.Generator) -> Art:
    """A card's back of ``size`` (width, height): a white border and a lattice, rosettes or stripes in one colour."""
    width, height = size
    hue = [(150, 60, 20), (40, 30, 170), (60, 110, 30), (110, 40, 110), (30, 30, 30), (140, 110, 20)]
    ink = np.array(hue[int(rng.integers(len(hue)))], np.float32) * rng.uniform(0.85, 1.2)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) * (CARD_HEIGHT / height)
    step = rng.uniform(2.6, 5.5)
    kind = int(rng.integers(4))
    u, v = (x + y) * np.pi / step, (x - y) * np.pi / step
    if kind == 0:
        tone = np.maximum(np.cos(u), np.cos(v)) > 0.86
    elif kind == 1:
        tone = np.cos(u) * np.cos(v) > 0.3
    elif kind == 2:
        tone = np.cos(np.hypot((x % (2 * step)) - step, (y % (2 * step)) - step) * 2.4) > 0.25
    else:
        tone = (np.cos(u) > 0.55) ^ (np.cos(v) > 0.55)
    soft = cv2.GaussianBlur(tone.astype(np.float32), (0, 0), 0.8)[..., None]
    picture = ink * (1 - soft) + np.array([228, 232, 232], np.float32) * soft
    border = rng.choice([0.0, 2.6, 3.6])
    inside = (np.minimum(x, x.max() - x) > border) & (np.minimum(y, y.max() - y) > border)
    picture[~inside] = (240, 244, 244)
    return np.dstack([np.clip(picture, 0, 255).astype(np.uint8), rounded(size)])


class _Sheet:
    """A white card, drawn on in millimetres from its top left corner."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.unit = _OVER * size[1] / CARD_HEIGHT
        self.picture = np.full((size[1] * _OVER, size[0] * _OVER, 3), (247, 250, 250), np.uint8)
        self.turned = False

    def _pixels(self, points: Floats) -> NDArray[np.int32]:
        if self.turned:
            points = np.array([WIDTH_MM, CARD_HEIGHT]) - points
        return np.round(points * self.unit * 16).astype(np.int32)

    def line(self, points: Floats, width: float, colour: Colour) -> None:
        thick = max(1, round(width * self.unit))
        cv2.polylines(self.picture, [self._pixels(points)], False, colour, thick, cv2.LINE_AA, 4)

    def fill(self, points: Floats, colour: Colour) -> None:
        cv2.fillPoly(self.picture, [self._pixels(points)], colour, cv2.LINE_AA, 4)

    def done(self) -> Art:
        small = cv2.resize(self.picture, self.size, interpolation=cv2.INTER_AREA)
        return np.dstack([np.asarray(small, np.uint8), rounded(self.size)])


def _face(card: Card, size: tuple[int, int], colour: Colour, red: Colour, style: dict[str, float]) -> Art:
    sheet = _Sheet(size)
    for sheet.turned in (False, True):
        _index(sheet, card, colour, style)
        if card.suit is None or card.rank in (Rank.JACK, Rank.QUEEN, Rank.KING):
            _court(sheet, card, colour, red)
    sheet.turned = False
    if card.suit is not None and card.rank is Rank.ACE:
        sheet.fill(_pip(card.suit) * 9 + np.array([WIDTH_MM / 2, CARD_HEIGHT / 2]), colour)
    elif card.suit is not None and card.rank in _SPOTS:
        for x, y in _SPOTS[card.rank]:
            pip = _pip(card.suit) * 5.6 * (-1 if y > 0.01 else 1)
            sheet.fill(pip + np.array([WIDTH_MM / 2 + 12.5 * x, CARD_HEIGHT / 2 + 29 * y]), colour)
    return sheet.done()


def _index(sheet: _Sheet, card: Card, colour: Colour, style: dict[str, float]) -> None:
    high = style["height"]
    unit = high / 14
    if card.suit is None:  # a joker: its name downwards, a letter at a time
        for place, letter in enumerate("JOKER"):
            for stroke in _glyph(letter):
                sheet.line(stroke * unit * 0.5 + [3.6, 4.2 + 0.62 * high * place], style["stroke"] * 0.7, colour)
        return
    for stroke in _glyph(card.rank.letter):
        sheet.line(stroke * unit * [0.82, 1] + [2.9, 4], style["stroke"], colour)
    sheet.fill(_pip(card.suit) * 2.9 + [2.9 + 4.1 * unit, 4 + high + 4.4], colour)


def _glyph(letter: str) -> list[Floats]:
    strokes = []
    for stroke in _STROKES[letter]:
        if isinstance(stroke, tuple):
            cx, cy, rx, ry, start, end = stroke
            angle = np.radians(np.linspace(start, end, 40))
            strokes.append(np.stack([cx + rx * np.cos(angle), cy + ry * np.sin(angle)], axis=1))
        else:
            strokes.append(np.array(stroke, np.float64))
    return strokes


def _court(sheet: _Sheet, card: Card, colour: Colour, red: Colour) -> None:
    """Half a figure: a frame, a crown or a cap, a face, a robe in bands; each rank and suit with its own pattern."""
    left, right, middle = 12.0, WIDTH_MM - 12.0, CARD_HEIGHT / 2
    frame = np.array([[left, middle], [left, 6], [right, 6], [right, middle]], np.float64)
    seed = (card.rank * 7 + (list(Suit).index(card.suit) if card.suit else 4)) % 5
    gold, blue = (40, 180, 225), (150, 70, 30)
    robe = [red, blue, gold, (60, 60, 60), (70, 130, 50)]
    for band in range(4):
        y = middle - 5.2 * band
        half = 17 - 2.6 * band
        ring = [[31.5 - half, y], [31.5 - half + 2.4, y - 5.2], [31.5 + half - 2.4, y - 5.2], [31.5 + half, y]]
        sheet.fill(np.array(ring), robe[(seed + band) % 5])
    sheet.fill(_ellipse(31.5, 18.5, 6.4, 7.4), (190, 210, 236))
    sheet.line(_ellipse(31.5, 18.5, 6.4, 7.4), 0.5, (40, 40, 40))
    sheet.line(np.array([[29, 17.5], [30.4, 17.5]]), 0.6, (40, 40, 40))
    sheet.line(np.array([[32.8, 17.5], [34.2, 17.5]]), 0.6, (40, 40, 40))
    sheet.line(np.array([[29.8, 22], [33.4, 22]]), 0.6, (60, 60, 160))
    hat: list[list[float]]
    if card.rank is Rank.JACK:
        hat = [[24, 14], [25, 9], [38, 8], [40, 13]]
    elif card.rank is Rank.QUEEN:
        hat = [[25, 13.5], [24, 8], [28, 11], [31.5, 7.4], [35, 11], [39, 8], [38, 13.5]]
    else:
        hat = [[24, 13.5], [23, 7.4], [27.5, 10], [29, 7.2], [31.5, 10], [34, 7.2], [35.5, 10], [40, 7.4], [39, 13.5]]
    sheet.fill(np.array(hat), gold if card.suit else colour)
    sheet.line(np.array([*hat, hat[0]]), 0.5, (40, 40, 40))
    if card.suit is not None:
        sheet.fill(_pip(card.suit) * 4 + [left + 5.6, 12.4], colour)
    sheet.line(frame, 0.5, (120, 80, 40))


def _ellipse(cx: float, cy: float, rx: float, ry: float) -> Floats:
    angle = np.linspace(0, 2 * np.pi, 60)
    return np.stack([cx + rx * np.cos(angle), cy + ry * np.sin(angle)], axis=1)


def _pip(suit: Suit) -> Floats:
    """A suit's outline about the origin, within a unit of it, y down."""
    if suit is Suit.DIAMONDS:
        return np.array([[0, -1.1], [0.8, 0], [0, 1.1], [-0.8, 0]])
    angle = np.linspace(0, 2 * np.pi, 80)
    # The usual heart curve, scaled to the unit.
    x = 16 * np.sin(angle) ** 3 / 17
    y = -(13 * np.cos(angle) - 5 * np.cos(2 * angle) - 2 * np.cos(3 * angle) - np.cos(4 * angle)) / 15.5
    if suit is Suit.HEARTS:
        return np.stack([x, y - 0.08], axis=1)
    stem = np.array([[0.08, 0.3], [0.14, 0.75], [0.42, 1.08], [-0.42, 1.08], [-0.14, 0.75], [-0.08, 0.3]])
    if suit is Suit.SPADES:
        leaf = np.stack([x, -y * 0.98 - 0.22], axis=1)
        # From the bottom notch round the leaf and down the stem.
        return np.concatenate([leaf, leaf[:1], stem])
    parts = []
    for cx, cy, start in ((0.46, 0.25, -110), (-0.46, 0.25, 20), (0, -0.5, -215)):
        turn = np.radians(np.linspace(start, start + 250, 40))
        parts.append(np.stack([cx + 0.47 * np.cos(turn), cy + 0.47 * np.sin(turn)], axis=1))
    right, leftward, top = parts
    return np.concatenate([top, right, stem, leftward])
