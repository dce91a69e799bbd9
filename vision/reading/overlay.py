"""Draw what was read onto a picture: outlines, and labels that can be read across a room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import FACES, Card, Rank, Suit
from vision.types import SURE, CardReading, Image, ImageReading, Points

SUIT_COLOUR: Final = {
    Suit.CLUBS: (40, 130, 20),
    Suit.DIAMONDS: (215, 95, 0),
    Suit.HEARTS: (30, 20, 215),
    Suit.SPADES: (25, 25, 25),
}
"""Four colours, BGR, so that spades and clubs differ at a glance."""
SEEN: Final = (70, 200, 60)
DOUBT: Final = (0, 165, 255)
BACK: Final = (200, 140, 90)
_PAPER: Final = (255, 255, 255)
_INK: Final = (25, 25, 25)
_FONT: Final = cv2.FONT_HERSHEY_DUPLEX
_LONGEST: Final = 2400
"""Overlays of larger pictures are scaled down to so many pixels a side."""


@dataclass(frozen=True, slots=True)
class Lettering:
    """What is written on a picture: the letters of the ranks and suits, and two words. ASCII: the font has no more."""

    ranks: Mapping[Rank, str]
    suits: Mapping[Suit, str]
    either: str
    back: str

    def rank(self, card: Card) -> str:
        return self.ranks[card.rank]

    def card(self, card: Card) -> str:
        return self.ranks[card.rank] + (self.suits[card.suit] if card.suit else "")


ENGLISH: Final = Lettering(
    {**{rank: rank.letter for rank in Rank}, Rank.TEN: "10", Rank.JOKER: "Joker"},
    {suit: suit.value for suit in Suit},
    "or",
    "back",
)


def draw(image: Image, reading: ImageReading, lettering: Lettering = ENGLISH) -> Image:
    """A copy of the picture with every card and back marked; pictures beyond 2400 pixels a side come out smaller.
    What is not sure is amber and names the next best face."""
    scale = min(1.0, _LONGEST / max(reading.width, reading.height))
    size = (max(1, round(reading.width * scale)), max(1, round(reading.height * scale)))
    result: Image = (
        cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.uint8) if scale < 1 else image.copy()
    )
    thick = max(2, round(max(size) / 500))
    for back in reading.backs:
        _outline(result, back.outline * scale, BACK, thick)
        _plate(result, back.outline.mean(0) * scale, _size(back.outline * scale, size), "", None, lettering.back, BACK)
    for card in reading.cards:
        _outline(result, card.outline * scale, SEEN if card.sure else DOUBT, thick)
    # Labels last, the surest on top, so that none is crossed by a line.
    for card in sorted(reading.cards, key=lambda card: card.score):
        at, height = _place(card) * scale, _size(card.outline * scale, size)
        edge = SEEN if card.sure else DOUBT
        _plate(result, at, height, lettering.rank(card.card), card.card.suit, _doubt(card, lettering), edge)
    return result


def _doubt(card: CardReading, lettering: Lettering) -> str:
    """What else it might be, or how sure this is; empty where there is no doubt."""
    if card.sure:
        return ""
    second = FACES[int(np.argsort(card.likelihoods)[-2])]
    other = f" {lettering.either} {lettering.card(second)}" if card.likelihoods.max() < SURE else ""
    return f"{card.score:.2f}{other}"


def _place(card: CardReading) -> Points:
    """Where the label goes: on the card's middle, or above its only visible corner, as cards in a fan hide the rest."""
    if len(card.indices) > 1:
        return np.asarray(card.outline.mean(0), np.float32)
    top, bottom = card.indices[0][:2].mean(0), card.indices[0][2:].mean(0)
    return np.asarray(top + (top - bottom) * 0.75, np.float32)


def _size(outline: Points, picture: tuple[int, int]) -> float:
    """Height of a label in pixels: a quarter of the card, but readable and not larger than a tenth of the picture."""
    height = float(np.linalg.norm(outline[3] - outline[0]))
    return float(np.clip(height / 4, max(16.0, max(picture) / 60), max(20.0, max(picture) / 12)))


def _outline(image: Image, outline: Points, colour: tuple[int, int, int], thick: int) -> None:
    points = np.rint(outline * 16).astype(np.int32).reshape(-1, 1, 2)
    # A dark line under the bright one shows on any table.
    cv2.polylines(image, [points], True, (0, 0, 0), thick + 2, cv2.LINE_AA, 4)
    cv2.polylines(image, [points], True, colour, thick, cv2.LINE_AA, 4)


def _plate(
    image: Image, at: Points, height: float, rank: str, suit: Suit | None, note: str, edge: tuple[int, int, int]
) -> None:
    """A white plate with rank and suit, and a smaller note below them; kept within the picture."""
    big, small = height / 22, height / 46
    stroke, fine = max(1, round(height / 11)), max(1, round(height / 26))
    (rank_width, rank_height), _ = cv2.getTextSize(rank or "0", _FONT, big, stroke)
    rank_width = rank_width if rank else 0
    (note_width, note_height), _ = cv2.getTextSize(note, _FONT, small, fine)
    suit_width = rank_height if suit else 0
    pad = max(3, round(height / 7))
    inner = max(rank_width + (suit_width + pad if suit else 0), note_width)
    tall = (rank_height if rank else 0) + (note_height + (pad if rank else 0) if note else 0)
    left = int(np.clip(at[0] - inner / 2 - pad, 0, max(0, image.shape[1] - inner - 2 * pad)))
    top = int(np.clip(at[1] - tall / 2 - pad, 0, max(0, image.shape[0] - tall - 2 * pad)))
    right, bottom = left + inner + 2 * pad, top + tall + 2 * pad
    cv2.rectangle(image, (left, top), (right, bottom), _PAPER, -1)
    cv2.rectangle(image, (left, top), (right, bottom), edge, max(2, pad // 2), cv2.LINE_AA)
    x, y = left + pad, top + pad
    if rank:
        colour = SUIT_COLOUR[suit] if suit else _INK
        x += (inner - rank_width - (suit_width + pad if suit else 0)) // 2
        cv2.putText(image, rank, (x, y + rank_height), _FONT, big, colour, stroke, cv2.LINE_AA)
        if suit:
            _pip(image, suit, x + rank_width + pad + suit_width / 2, y + rank_height / 2, suit_width / 2)
        y += rank_height + pad
    if note:
        x = left + pad + (inner - note_width) // 2
        cv2.putText(image, note, (x, y + note_height), _FONT, small, _INK, fine, cv2.LINE_AA)


def _pip(image: Image, suit: Suit, x: float, y: float, radius: float) -> None:
    colour = SUIT_COLOUR[suit]

    def disc(u: float, v: float, r: float) -> None:
        centre = (round((x + u * radius) * 16), round((y + v * radius) * 16))
        cv2.circle(image, centre, round(r * radius * 16), colour, -1, cv2.LINE_AA, 4)

    def shape(*points: tuple[float, float]) -> None:
        around: NDArray[np.float64] = np.array([(x, y)]) + np.array(points) * radius
        cv2.fillPoly(image, [np.rint(around * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)

    stem = ((-0.08, 0.0), (0.08, 0.0), (0.35, 1.0), (-0.35, 1.0))
    match suit:
        case Suit.DIAMONDS:
            shape((0, -1.05), (0.78, 0), (0, 1.05), (-0.78, 0))
        case Suit.HEARTS:
            disc(-0.46, -0.38, 0.5)
            disc(0.46, -0.38, 0.5)
            shape((-0.88, -0.1), (0, -0.3), (0.88, -0.1), (0, 1.0))
        case Suit.SPADES:
            disc(-0.45, 0.25, 0.47)
            disc(0.45, 0.25, 0.47)
            shape((0, -1.05), (0.86, 0.05), (0, 0.4), (-0.86, 0.05))
            shape(*stem)
        case Suit.CLUBS:
            disc(0, -0.52, 0.46)
            disc(-0.5, 0.22, 0.46)
            disc(0.5, 0.22, 0.46)
            shape((-0.2, -0.3), (0.2, -0.3), (0.4, 0.3), (-0.4, 0.3))
            shape(*stem)
