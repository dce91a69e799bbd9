"""Decks of our own drawing, for the kinds of index that the packaged art lacks.

What keeps nets trained on drawings from real photos is above all the print: jumbo indices with narrow pips, tiny ones,
four corners, four colours, heavy and thin fonts, court letters of other languages. Each deck here takes the court
figures and the joker of one packaged deck and draws everything else anew from a seed. Letters that mean two ranks
(V: a jack in French, a queen in Dutch) are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets import decks, glyphs
from datasets.decks import HEIGHT, Deck, Picture
from engine.cards import FACES, Card, Rank

FONTS: Final[tuple[tuple[str, int], ...]] = (
    ("DejaVu Sans", 400), ("DejaVu Sans", 700), ("DejaVu Serif", 400), ("DejaVu Serif", 700),
    ("Liberation Sans", 400), ("Liberation Sans", 700), ("Liberation Sans Narrow", 700), ("Liberation Serif", 400),
    ("Liberation Serif", 700), ("C059", 400), ("C059", 700), ("Roboto Slab", 700), ("Inter", 600), ("P052", 700),
    ("Nimbus Sans Narrow", 700), ("Nimbus Sans Narrow", 400), ("URW Gothic", 600), ("Bebas Neue", 700),
    ("Roboto Slab", 400), ("Roboto Condensed", 700), ("GFS Didot", 400), ("Old Standard TT", 700), ("CMU Serif", 700),
    ("CMU Concrete", 400), ("Yanone Kaffeesatz", 700), ("Lato", 900), ("FreeSerif", 700), ("Charis SIL", 700),
    ("Open Sans Condensed", 700), ("PT Serif", 700), ("TeX Gyre Schola", 400), ("Linux Libertine O", 700),
    ("Dosis", 600),
)  # fmt: skip
"""Family and weight; fonts that the system lacks are passed over (``datasets/README.md`` lists Debian's packages)."""
HELD_OUT_FONTS: Final = (("League Spartan", 600), ("Caladea", 700), ("PT Sans Narrow", 700), ("Vollkorn", 600))

LETTERS: Final[dict[str, dict[Rank, tuple[str, ...]]]] = {
    "English": {Rank.ACE: ("A",), Rank.KING: ("K",), Rank.QUEEN: ("Q",), Rank.JACK: ("J",)},
    "German": {Rank.ACE: ("A",), Rank.KING: ("K",), Rank.QUEEN: ("D",), Rank.JACK: ("B",)},
    "Dutch": {Rank.ACE: ("A",), Rank.KING: ("H",), Rank.QUEEN: (), Rank.JACK: ("B",)},
    "French": {Rank.ACE: ("1", "A"), Rank.KING: ("R",), Rank.QUEEN: ("D",), Rank.JACK: ()},
    "Swedish": {Rank.ACE: ("A", "E"), Rank.KING: ("K",), Rank.QUEEN: ("D",), Rank.JACK: ("Kn",)},
    "Russian": {Rank.ACE: ("Т",), Rank.KING: ("К",), Rank.QUEEN: ("Д",), Rank.JACK: ("В",)},
}
"""Court letters by language; no letter where it would be a V."""
_LANGUAGES: Final = (
    ("English",) * 11 + ("German",) * 4 + ("Dutch",) * 2 + ("French",) * 2 + ("Swedish",) * 2 + ("Russian",)
)

Colour = tuple[int, int, int]
_REDS: Final[tuple[Colour, ...]] = ((30, 20, 200), (40, 30, 225), (20, 10, 160), (60, 50, 235), (45, 20, 190))
_BLACKS: Final[tuple[Colour, ...]] = ((20, 20, 20), (0, 0, 0), (45, 35, 30), (30, 30, 40))


@dataclass(frozen=True, slots=True)
class Style:
    """How one drawn deck looks. Lengths are shares of the card's height, BGR colours."""

    language: str
    letters: dict[Rank, str]
    font: tuple[str, int]
    suit_style: str
    colours: dict[str, Colour]
    paper: Colour
    aspect: float
    corners: int
    rank_height: float
    stretch: float
    suit_height: float
    gap: float
    margin_x: float
    margin_y: float
    pip_spread: float
    pip_height: float
    frame: bool
    joker: str


def style(generator: np.random.Generator, *, held_out: bool) -> Style:
    """A style drawn by chance."""
    fonts = [font for font in (HELD_OUT_FONTS if held_out else FONTS) if glyphs.has_font(font[0])] or [("serif", 400)]
    language = str(generator.choice(_LANGUAGES))
    letters = {rank: str(generator.choice(options)) for rank, options in LETTERS[language].items() if len(options)}
    red, black = (_REDS[generator.integers(len(_REDS))], _BLACKS[generator.integers(len(_BLACKS))])
    colours = {"H": red, "D": red, "C": black, "S": black}
    if generator.random() < 0.25:
        colours |= (
            {"D": (200, 90, 20), "C": (50, 130, 20)}
            if generator.random() < 0.6
            else {"D": (20, 140, 240), "S": (60, 130, 30)}
        )
    size = generator.choice(["small", "normal", "large", "jumbo"], p=[0.25, 0.3, 0.2, 0.25])
    low, high = {"small": (0.05, 0.075), "normal": (0.08, 0.105), "large": (0.105, 0.135), "jumbo": (0.135, 0.19)}[
        str(size)
    ]
    rank_height = float(generator.uniform(low, high))
    suit_ratio = float(generator.uniform(0.55, 1.05) if size != "jumbo" else generator.uniform(0.5, 0.8))
    paper_shade = int(generator.integers(244, 256))
    warmth = int(generator.integers(0, 22)) if generator.random() < 0.4 else 0
    return Style(
        language=language,
        letters=letters,
        font=fonts[int(generator.integers(len(fonts)))],
        suit_style=str(generator.choice(list(glyphs.SUIT_PATHS))),
        colours=colours,
        paper=(paper_shade - warmth, paper_shade - warmth // 3, paper_shade),
        aspect=float(generator.choice([0.714, 0.714, 0.64, 0.66, 0.70])),
        corners=4 if generator.random() < 0.3 else 2,
        rank_height=rank_height,
        stretch=float(generator.uniform(0.7, 1.1)),
        suit_height=rank_height * suit_ratio,
        gap=float(generator.uniform(0.006, 0.022)),
        margin_x=float(generator.uniform(0.016, 0.04)),
        margin_y=float(generator.uniform(0.018, 0.045)),
        pip_spread=float(
            generator.uniform(0.12, 0.17) if size in ("large", "jumbo") else generator.uniform(0.15, 0.22)
        ),
        pip_height=float(generator.uniform(0.10, 0.16)),
        frame=bool(generator.random() < 0.5),
        joker=str(generator.choice(["stacked", "turned", "star", "star and word", "word"])),
    )


def _stamp(canvas: NDArray[np.float32], mask: glyphs.Mask, centre: tuple[float, float], height: float, colour: Colour,
           stretch: float = 1.0, turned: bool = False, width: float | None = None) -> None:  # fmt: skip
    """Ink `mask` on the canvas (BGR float) around `centre`, `height` pixels high. Turned is by half a turn."""
    h = max(2, round(height))
    w = max(2, round(width if width is not None else mask.shape[1] * height / mask.shape[0] * stretch))
    small = cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA)
    if turned:
        small = small[::-1, ::-1]
    x, y = round(centre[0] - w / 2), round(centre[1] - h / 2)
    x0, y0, x1, y1 = max(0, x), max(0, y), min(canvas.shape[1], x + w), min(canvas.shape[0], y + h)
    if x0 >= x1 or y0 >= y1:
        return
    part = small[y0 - y : y1 - y, x0 - x : x1 - x, None]
    region = canvas[y0:y1, x0:x1]
    region[:] = region * (1 - part) + np.array(colour, np.float32) * part


def _pips(rank: int, spread: float, top: float = 0.17) -> list[tuple[float, float]]:
    """Where the pips of a number card stand, as shares of width and height."""
    left, right, bottom = 0.5 - spread, 0.5 + spread, 1 - top
    third = top + (bottom - top) / 3
    columns = {
        4: [top, bottom], 5: [top, bottom], 6: [top, 0.5, bottom], 7: [top, 0.5, bottom], 8: [top, 0.5, bottom],
        9: [top, third, 1 - third, bottom], 10: [top, third, 1 - third, bottom],
    }  # fmt: skip
    middle = {
        1: [0.5], 2: [top, bottom], 3: [top, 0.5, bottom], 5: [0.5], 7: [(top + 0.5) / 2],
        8: [(top + 0.5) / 2, 1 - (top + 0.5) / 2], 9: [0.5], 10: [(top + third) / 2, 1 - (top + third) / 2],
    }  # fmt: skip
    return [(x, y) for y in columns.get(rank, []) for x in (left, right)] + [(0.5, y) for y in middle.get(rank, [])]


@dataclass(slots=True)
class _Column:
    """An index in the making: signs are placed one below the other along one edge of the card."""

    canvas: NDArray[np.float32]
    edge: float
    top: float
    width: float
    right: bool
    turned: bool

    def place(self, mask: glyphs.Mask, size: float, colour: Colour, stretch: float = 1.0, widest: float = 1e9) -> None:
        """Draw one sign `size` pixels high below the last one."""
        height, width = self.canvas.shape[:2]
        x, y = self.edge + self.width / 2, self.top + size / 2
        centre = (width - x if self.right else x, height - y if self.turned else y)
        wide = min(mask.shape[1] * size / mask.shape[0] * stretch, widest)
        _stamp(self.canvas, mask, centre, size, colour, turned=self.turned, width=wide)
        self.top += size


def _index(canvas: NDArray[np.float32], card: Card, look: Style) -> None:
    """Draw the card's index at the top left corner and its opposite (at all four in a four-corner deck)."""
    height = canvas.shape[0]
    corners = [(False, False), (True, True)] + [(True, False), (False, True)] * (look.corners == 4)
    for right, turned in corners:
        column = _Column(canvas, look.margin_x * height, look.margin_y * height, 0.0, right, turned)
        if card.rank is Rank.JOKER:
            _joker_index(column, look, height)
            continue
        assert card.suit is not None
        colour = look.colours[card.suit.value]
        word = look.letters[card.rank] if card.rank in look.letters else str(int(card.rank))
        size, usual = look.rank_height * height, glyphs.text("8", *look.font)
        column.width = max(usual.shape[1] * size / usual.shape[0] * look.stretch, look.suit_height * height * 0.9)
        column.place(glyphs.text(word, *look.font), size, colour, look.stretch, max(column.width * 1.25, 0.06 * height))
        column.top += look.gap * height
        sign = glyphs.suit(card.suit.value, look.suit_style)
        column.place(sign, look.suit_height * height, colour, 1.0, column.width * 1.3)


def _joker_index(column: _Column, look: Style, height: int) -> None:
    """A joker's corner: a star, the word down the side or across."""
    colour = look.colours["H"] if look.margin_x < 0.028 else look.colours["S"]
    column.width = 0.09 * height
    if look.joker.startswith("star"):
        column.place(glyphs.text("★", "DejaVu Sans"), 0.07 * height, colour, 1.0, column.width)
        column.top += 0.015 * height
    if look.joker in ("stacked", "star and word"):
        for letter in "JOKER":
            column.place(glyphs.text(letter, *look.font), 0.036 * height, colour, look.stretch, column.width)
            column.top += 0.009 * height
    elif look.joker == "turned":
        word = np.ascontiguousarray(glyphs.text("JOKER", *look.font).T[:, ::-1])
        column.place(word, 0.22 * height, colour, 1.0, 0.055 * height)
    elif look.joker == "word":
        column.width = 0.17 * height
        column.place(glyphs.text("JOKER", *look.font), 0.045 * height, colour, look.stretch, column.width)


def face(card: Card, look: Style, art: dict[str, Picture]) -> Picture | None:
    """One card in this style, its figure taken from `art`; None where there is no unambiguous letter or no figure."""
    courts = {Rank.JACK, Rank.QUEEN, Rank.KING}
    if card.rank in courts | {Rank.ACE} and card.rank not in look.letters:
        return None
    width = round(HEIGHT * look.aspect)
    canvas = np.empty((HEIGHT, width, 3), np.float32)
    canvas[:] = look.paper
    if card.rank in courts or card.rank is Rank.JOKER:
        figure = art.get(str(card))
        if figure is None:
            if card.rank is not Rank.JOKER:
                return None
        else:
            h, w = figure.shape[:2]
            inner = figure[round(0.05 * h) : round(0.95 * h), round(0.185 * w) : round(0.815 * w)].astype(np.float32)
            x0 = round((0.21 if look.rank_height > 0.12 else 0.19) * width)
            y0 = round(0.06 * HEIGHT)
            room = (width - 2 * x0, HEIGHT - 2 * y0)
            inner = np.asarray(cv2.resize(inner, room, interpolation=cv2.INTER_AREA), np.float32)
            alpha = inner[..., 3:] / 255
            region = canvas[y0 : HEIGHT - y0, x0 : width - x0]
            region[:] = region * (1 - alpha) + inner[..., :3] * alpha * (np.array(look.paper, np.float32) / 255)
            if look.frame:
                cv2.rectangle(
                    canvas, (x0 - 3, y0 - 3), (width - x0 + 2, HEIGHT - y0 + 2), look.colours["S"], 2, cv2.LINE_AA
                )
    else:
        assert card.suit is not None
        number = 1 if card.rank is Rank.ACE else int(card.rank)
        size = HEIGHT * (look.pip_height * 1.6 if number == 1 else look.pip_height)
        for x, y in _pips(number, look.pip_spread):
            mask = glyphs.suit(card.suit.value, look.suit_style)
            _stamp(canvas, mask, (x * width, y * HEIGHT), size, look.colours[card.suit.value], turned=y > 0.5)
    _index(canvas, card, look)
    return _rounded(canvas)


def _rounded(canvas: NDArray[np.float32]) -> Picture:
    """The card with its round corners cut off."""
    height, width = canvas.shape[:2]
    radius = round(0.045 * height)
    alpha = np.zeros((height, width), np.uint8)
    cv2.rectangle(alpha, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(alpha, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(alpha, (x, y), radius, 255, -1, cv2.LINE_AA)
    return np.dstack([np.clip(canvas, 0, 255).astype(np.uint8), alpha])


def back(generator: np.random.Generator, aspect: float) -> Picture:
    """A card back: a lattice of one colour within a margin."""
    width = round(HEIGHT * aspect)
    canvas = np.full((HEIGHT, width, 3), 250, np.float32)
    ink = np.array(
        generator.choice([(150, 40, 20), (30, 20, 170), (60, 90, 20), (40, 40, 40), (120, 20, 90)]), np.float32
    )
    y, x = np.mgrid[0:HEIGHT, 0:width].astype(np.float32)
    step = float(generator.uniform(10, 34))
    kind = int(generator.integers(3))
    wave = (
        (np.sin((x + y) * np.pi / step), np.sin((x - y) * np.pi / step))
        if kind
        else (np.sin(x * np.pi / step), np.sin(y * np.pi / step))
    )
    pattern = (np.abs(wave[0] * wave[1]) if kind != 2 else np.maximum(wave[0], wave[1])) > float(
        generator.uniform(0.2, 0.6)
    )
    margin = round(float(generator.uniform(0.0, 0.06)) * HEIGHT)
    inside = (x >= margin) & (x < width - margin) & (y >= margin) & (y < HEIGHT - margin)
    canvas[inside & pattern] = ink
    canvas[inside & ~pattern] = ink * 0.35 + 165 if generator.random() < 0.5 else (250, 250, 250)
    return _rounded(np.asarray(cv2.GaussianBlur(canvas, (0, 0), 0.8), np.float32))


def draw_all(count: int, art: Sequence[Deck], *, again: bool = False) -> list[Deck]:
    """Draw `count` decks into ``data/decks``, one in ten of them held out, and return their manifest rows."""
    rows = []
    for number in tqdm(range(count), desc="drawing", unit="deck", disable=not count):
        held_out = number % 10 == 9
        generator = np.random.default_rng([7, number])
        base = [deck for deck in art if deck.held_out is held_out]
        if not base:
            continue
        source = base[int(generator.integers(len(base)))]
        look = style(generator, held_out=held_out)
        row = Deck(
            name=f"drawn-{number:02d}",
            package=source.package,
            licence=source.licence,
            style=f"{look.font[0]} {look.font[1]}, rank {look.rank_height:.3f}, figures of {source.name}",
            letters=(look.letters and look.language) or "English",
            held_out=held_out,
            drawn=True,
            corners=look.corners,
        )
        rows.append(row)
        target = decks.FOLDER / row.name
        if not again and (target / f"{decks.BACK}.png").is_file():
            continue
        target.mkdir(parents=True, exist_ok=True)
        figures = decks.load(source.name)
        for card in FACES:
            picture = face(card, look, figures)
            if picture is not None:
                cv2.imwrite(str(target / f"{card}.png"), picture, [cv2.IMWRITE_PNG_COMPRESSION, 4])
        cv2.imwrite(str(target / f"{decks.BACK}.png"), back(generator, look.aspect))
    return rows
