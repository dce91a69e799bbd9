"""A made-up table for tests: draws cards and hands, and reads itself as a net that sees perfectly would."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import FACES, Card
from vision.plane import Spots
from vision.sources import Frame
from vision.sources.glimpse import Glimpse, reduced
from vision.table.place import INDEX_OFFSET, card_corners
from vision.types import BackReading, CardReading, Image, ImageReading, Observation, Seen
from vision.watching.watcher import Watcher

ANN, BEN = ("3C", "7S", "9D"), ("KC", "2H", "JH")
"""Two players' upcards."""
WIDTH, HEIGHT, CARD = 576, 432, 36.0
_PAINT = np.random.default_rng(5).integers(0, 200, (len(FACES), 3))

_NOISE = np.random.default_rng(6).normal(0, 2, (5, HEIGHT, WIDTH, 3)).astype(np.float32)
_CLOTH = np.full((HEIGHT, WIDTH, 3), (60, 90, 40), np.float32)
# A weave, so that the cloth is no flat colour.
_CLOTH += 4 * np.sin(np.arange(WIDTH) / 3)[None, :, None] + 3 * np.cos(np.arange(HEIGHT) / 4)[:, None, None]


@dataclass(frozen=True)
class Lying:
    """A card on the table: place in card widths from the middle of the picture; ``face`` None is face down."""

    face: str | None
    x: float
    y: float
    turn: float = 0.0

    @property
    def centre(self) -> Spots:
        return np.array([self.x, self.y])


@dataclass
class Tabletop:
    """``cards`` from the lowest to the top. ``hands`` are polygons in pixels. ``camera`` shifts the picture in pixels;
    ``light`` multiplies it; ``shadows`` are polygons that darken."""

    cards: list[Lying] = field(default_factory=list)
    hands: list[list[tuple[float, float]]] = field(default_factory=list)
    shadows: list[list[tuple[float, float]]] = field(default_factory=list)
    camera: tuple[float, float, float] = (0.0, 0.0, 0.0)  # x, y, turn
    light: float = 1.0
    checks: float = 0.0
    """How strongly the cloth is checked, in grey levels; then it moves with the camera."""
    misread: Callable[[Lying, int], str | None] | None = None
    """What to read instead of a card in the n-th reading; None to miss it."""
    readings: int = 0
    seed: int = 0

    # people at the table

    def lay(self, face: str | None, x: float, y: float, turn: float = 0.0) -> Lying:
        card = Lying(face, x, y, turn)
        self.cards.append(card)
        return card

    def take(self, *cards: Lying) -> tuple[Lying, ...]:
        """Take cards off the table; returns them."""
        self.cards = [card for card in self.cards if not any(card is other for other in cards)]
        return cards

    def move(self, card: Lying, x: float, y: float, turn: float = 0.0) -> Lying:
        index = next(i for i, other in enumerate(self.cards) if other is card)
        self.cards[index] = replace(card, x=x, y=y, turn=turn)
        return self.cards[index]

    def deal(self, rows: Sequence[Sequence[str]], radius: float = 3.9, stock: bool = True) -> None:
        """A row per seat, clockwise from the lower edge, each from its player's left."""
        for seat, row in enumerate(rows):
            angle = np.pi / 2 + 2 * np.pi * seat / len(rows)
            outward = np.array([np.cos(angle), np.sin(angle)])
            right = np.array([outward[1], -outward[0]])
            for place, face in enumerate(row):
                spot = outward * radius + right * (place - (len(row) - 1) / 2) * 1.2
                self.lay(face, float(spot[0]), float(spot[1]), float(angle - np.pi / 2))
        if stock:
            self.lay(None, -2.6, 0.0)

    def arm(self, seat: int, of: int, reach: float = 0.0) -> list[tuple[float, float]]:
        """An arm from a seat's edge to ``reach`` card widths short of the pile, in pixels."""
        angle = np.pi / 2 + 2 * np.pi * seat / of
        outward = np.array([np.cos(angle), np.sin(angle)])
        across = np.array([-outward[1], outward[0]])
        spots = [outward * 12 - across * 0.6, outward * 12 + across * 0.6, outward * reach + across * 0.6]
        spots.append(outward * reach - across * 0.6)
        return [(float(x), float(y)) for x, y in self.pixels(np.array(spots))]

    # the camera

    def pixels(self, spots: Spots) -> Spots:
        x, y, turn = self.camera
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        moved: Spots = spots * CARD @ spin.T + [WIDTH / 2 + x, HEIGHT / 2 + y]
        return moved

    def image(self) -> Image:
        self.seed += 1
        picture = _CLOTH.copy()
        if self.checks:
            x, y = np.arange(WIDTH) - self.camera[0], np.arange(HEIGHT) - self.camera[1]
            picture += self.checks * (np.sign(np.sin(x / 9))[None, :, None] + np.sign(np.sin(y / 9))[:, None, None])
        for card in self.cards:
            self._draw(picture, card)
        for shadow in self.shadows:
            mask = np.zeros((HEIGHT, WIDTH), np.uint8)
            cv2.fillPoly(mask, [np.round(np.array(shadow)).astype(np.int32)], 1)
            picture[mask > 0] *= 0.72
        for hand in self.hands:
            cv2.fillPoly(picture, [np.round(np.array(hand)).astype(np.int32)], (140, 170, 220))
        noisy = cv2.scaleAdd(picture, self.light, _NOISE[self.seed % len(_NOISE)])
        return np.asarray(cv2.convertScaleAbs(noisy), np.uint8)

    def _draw(self, picture: NDArray[np.float32], card: Lying) -> None:
        corners = np.round(self.pixels(card_corners(card.centre, card.turn))).astype(np.int32)
        cv2.fillPoly(picture, [corners], (230, 230, 230) if card.face else (150, 70, 40))
        cv2.polylines(picture, [corners], True, (120, 120, 120), 1, cv2.LINE_AA)
        if not card.face:
            return
        number = FACES.index(Card.parse(card.face))
        colour = tuple(int(value) for value in _PAINT[number])
        for quad in self._indices(card):
            cv2.fillPoly(picture, [np.round((quad - quad.mean(0)) * 0.7 + quad.mean(0)).astype(np.int32)], colour)
        for step in range(1 + number % 5):
            spot = self.pixels(card.centre[None] + [[0.0, 0.15 * (step - number % 5 / 2)]])[0]
            cv2.circle(picture, (int(spot[0]), int(spot[1])), 4, colour, -1)

    def _indices(self, card: Lying) -> list[Spots]:
        spin = np.array([[np.cos(card.turn), -np.sin(card.turn)], [np.sin(card.turn), np.cos(card.turn)]])
        quads = []
        for sign in (1, -1):
            box = np.array([[-0.085, -0.175], [0.085, -0.175], [0.085, 0.175], [-0.085, 0.175]])
            quads.append(self.pixels(card.centre + sign * (INDEX_OFFSET + box) @ spin.T))
        return quads

    def read(self, image: Image, regions: Sequence[tuple[int, int, int, int]] | None = None) -> ImageReading:
        """What a perfect reader sees: cards with an index corner that nothing covers."""
        del image
        self.readings += 1
        owner = np.full((HEIGHT, WIDTH), -1, np.int32)
        for number, card in enumerate(self.cards):
            cv2.fillPoly(owner, [np.round(self.pixels(card_corners(card.centre, card.turn))).astype(np.int32)], number)
        for hand in self.hands:
            cv2.fillPoly(owner, [np.round(np.array(hand)).astype(np.int32)], -2)
        cards, backs = [], []
        for number, card in enumerate(self.cards):
            outline = self.pixels(card_corners(card.centre, card.turn)).astype(np.float32)
            if card.face is None:
                backs.append(BackReading(outline, 0.9))
                continue
            seen = []
            for quad in self._indices(card):
                mask = np.zeros(owner.shape, np.uint8)
                cv2.fillPoly(mask, [np.round(quad).astype(np.int32)], 1)
                middle = quad.mean(axis=0)
                inside = regions is None or any(
                    x0 <= middle[0] <= x1 and y0 <= middle[1] <= y1 for x0, y0, x1, y1 in regions
                )
                if inside and mask.any() and (owner[mask > 0] == number).mean() >= 0.85:
                    seen.append(quad.astype(np.float32))
            face = self.misread(card, self.readings) if self.misread else card.face
            if seen and face is not None:
                cards.append(CardReading(outline, tuple(seen), likelihoods(face), 0.97))
        return ImageReading(WIDTH, HEIGHT, tuple(cards), tuple(backs))


def likelihoods(*faces: str, sure: float = 0.95) -> NDArray[np.float32]:
    """Mostly the faces named, in equal parts."""
    vector = np.full(len(FACES), (1 - sure) / len(FACES), np.float32)
    for face in faces:
        vector[FACES.index(Card.parse(face))] += sure / len(faces)
    scaled: NDArray[np.float32] = (vector / vector.sum()).astype(np.float32)
    return scaled


class Cinema:
    """Films a table: ``roll`` lets time pass, ``during`` plays what people do. All observations are kept. The watcher
    is as slow as it is told: of ``every`` so many frames it gets one whole, and glimpses of the others."""

    def __init__(self, table: Tabletop, watcher: Watcher | None = None, rate: float = 12.0, every: int = 1) -> None:
        self.table = table
        self.watcher = watcher or Watcher(table)
        self.rate = rate
        self.every = every
        self.missed: list[Glimpse] = []
        self.number = 0
        self.seen: list[Observation] = []

    def frame(self) -> list[Observation]:
        image, at = self.table.image(), self.number / self.rate
        self.number += 1
        if self.number % self.every:
            self.missed.append(Glimpse(reduced(image), at))
            return []
        observations = self.watcher.see(Frame(image, at, self.number - 1, missed=tuple(self.missed)))
        self.missed = []
        self.seen += observations
        return observations

    def roll(self, seconds: float) -> list[Observation]:
        return list(itertools.chain.from_iterable(self.frame() for _ in range(round(seconds * self.rate))))

    def nudge(self, much: float = 1.0, turn: float = 1.0) -> None:
        """The camera is pushed, within three frames."""
        for x, y, angle in ((6, 3, 0.01), (12, 7, 0.02), (14, 8, 0.03)):
            self.table.camera = (much * x, much * y, turn * angle)
            self.frame()

    def photo(self) -> list[Observation]:
        observations = self.watcher.see(Frame(self.table.image(), float(self.number), self.number), photo=True)
        self.number += 1
        self.seen += observations
        return observations

    def reach(self, seat: int, of: int, act: Callable[[], object], reach: float = 0.0) -> list[Observation]:
        """An arm comes in, ``act`` happens under it, it leaves again; then half a second of peace."""
        before = len(self.seen)
        steps = [9.0, 7.0, 5.0, 3.5, 2.0, 1.0, reach]
        for step in steps:
            self.table.hands = [self.table.arm(seat, of, max(step, reach))]
            self.frame()
        act()
        for step in reversed(steps):
            self.table.hands = [self.table.arm(seat, of, max(step, reach))]
            self.frame()
        self.table.hands = []
        self.roll(0.8)
        return self.seen[before:]


def dealt(
    rows: tuple[tuple[str, ...], ...] = (ANN, BEN),
    table: Tabletop | None = None,
    watcher: Watcher | None = None,
    every: int = 1,
) -> Cinema:
    """A table, once the deal that lies on it has been seen."""
    table = table or Tabletop()
    table.deal(rows)
    cinema = Cinema(table, watcher, every=every)
    cinema.roll(1.6 if every == 1 else 3.0)
    return cinema


def game(observations: Sequence[Observation]) -> list[str]:
    """What matters to a game, in short: ``LAID 7H``, ``GONE`` ... (hands are left out)."""
    short = []
    for observation in observations:
        if observation.kind in (Seen.HAND, Seen.STOCK, Seen.STOCK_LIES, Seen.DOWNCARDS):
            continue
        words = [observation.kind.value.upper(), *(str(sight.card) for sight in observation.cards)]
        short.append(" ".join(words))
    return short
