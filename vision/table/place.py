"""Where a card lies on the table: a reading's pixels turned into a place in card widths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.cards import FACES, Card
from vision.plane import CARD_HEIGHT, Plane, Spots
from vision.types import CardReading, Likelihoods

# From the middle of a card to that of its index corner, in card widths (docs/architecture.md names the crop).
INDEX_OFFSET: Final = np.array([0.1 - 0.5, (0.14 - 0.5) * CARD_HEIGHT])
_SLOTS: Final = INDEX_OFFSET * np.array([[1, 1], [-1, -1], [-1, 1], [1, -1]])
"""Index corners as printed: top left and bottom right, and of decks with four the other two."""
_PAIRS: Final = ((0, 1, 0.0), (2, 3, 0.02), (0, 3, 0.1), (2, 1, 0.1), (0, 2, 0.1), (3, 1, 0.1))
"""Which two of them a reading may have seen, and what it costs to think so: most decks have the first two alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """One face-up card on the table.

    ``centre`` in card widths, ``angle`` in radians modulo pi (a card looks the same upside down). ``anchors`` are the
    index corners that were seen, shape (n, 2) in card widths: they are measured, the rest of the card is inferred.
    """

    centre: Spots
    angle: float
    anchors: Spots
    likelihoods: Likelihoods
    presence: float
    reading: CardReading | None = None

    @property
    def card(self) -> Card:
        return FACES[int(np.argmax(self.likelihoods))]

    @property
    def score(self) -> float:
        return float(self.likelihoods.max())

    @property
    def corners(self) -> Spots:
        """The whole card, shape (4, 2), in card widths."""
        return card_corners(self.centre, self.angle)

    @property
    def index_spots(self) -> Spots:
        """Where both index corners should be, shape (2, 2)."""
        offset = INDEX_OFFSET @ turn(self.angle).T
        return np.stack([self.centre + offset, self.centre - offset])


def card_corners(centre: Spots, angle: float, grow: float = 0.0) -> Spots:
    """A card's four corners in card widths, ``grow`` wider on every side."""
    half = np.array([0.5 + grow, CARD_HEIGHT / 2 + grow])
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    corners: Spots = centre + (signs * half) @ turn(angle).T
    return corners


def index_corners(spot: Spots, angle: float) -> Spots:
    """The corners of an index corner around its middle, shape (4, 2), in card widths."""
    half = np.array([0.085, 0.125 * CARD_HEIGHT])
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    corners: Spots = spot + (signs * half) @ turn(angle).T
    return corners


def inside_card(spots: Spots, centre: Spots, angle: float, grow: float = 0.0) -> np.ndarray:
    """Which of ``spots``, shape (n, 2), a card at this place covers; shape (n,), bool."""
    local = (np.asarray(spots) - centre) @ turn(angle)
    covered: np.ndarray = (np.abs(local[:, 0]) <= 0.5 + grow) & (np.abs(local[:, 1]) <= CARD_HEIGHT / 2 + grow)
    return covered


def turned_by(first: float, second: float) -> float:
    """The angle between two directions that are equal modulo pi; 0 to pi/2."""
    return abs((first - second + np.pi / 2) % np.pi - np.pi / 2)


def place(reading: CardReading, plane: Plane) -> Placed:
    """The place of a reading on the table.

    Two index corners give it exactly; of one, the card's known size gives the rest; without any, the outline does.
    """
    outline = plane.to_plane(reading.outline)
    middle = outline.mean(axis=0)
    anchors = np.array([plane.to_plane(index).mean(axis=0) for index in reading.indices]).reshape(-1, 2)
    edge = (outline[1] - outline[0]) + (outline[2] - outline[3])
    angle = float(np.arctan2(edge[1], edge[0]))
    pair = _two_of_four(anchors, angle, middle)
    if pair is not None:
        centre, angle = pair
    elif len(anchors):
        quad = plane.to_plane(reading.indices[0])
        across = (quad[1] - quad[0]) + (quad[2] - quad[3])
        measured = float(np.arctan2(across[1], across[0]))
        # The outline's edges are longer and so steadier, unless the two disagree.
        angle = angle if turned_by(measured, angle) < 0.3 else measured
        offset = INDEX_OFFSET @ turn(angle).T
        centre = min((anchors[0] - offset, anchors[0] + offset), key=lambda spot: float(np.linalg.norm(spot - middle)))
    else:
        centre = middle
    return Placed(centre, angle % np.pi, anchors, reading.likelihoods, reading.presence, reading)


def on_the_other_side(card: Placed) -> Placed:
    """The same card if the one corner seen of it is not its top left but its top right, as decks with four have."""
    aside = turn(card.angle)[:, 0]
    return replace(card, centre=card.centre - 2 * ((card.centre - card.anchors[0]) @ aside) * aside)


def place_all(readings: Sequence[CardReading], plane: Plane) -> list[Placed]:
    return [place(reading, plane) for reading in readings]


def turn(angle: float) -> Spots:
    """The rotation by an angle, shape (2, 2)."""
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _two_of_four(anchors: Spots, outline_angle: float, middle: Spots) -> tuple[Spots, float] | None:
    """Centre and angle of the card of which two anchors are index corners, if any two are: as far apart as two of the
    four places where decks print them, in a direction and about a middle that agree with the outline."""
    best: tuple[float, Spots, float] | None = None
    for first in range(len(anchors)):
        for second in range(first + 1, len(anchors)):
            across = anchors[second] - anchors[first]
            for one, other, cost in _PAIRS:
                for start, end in ((one, other), (other, one)):
                    wanted = _SLOTS[end] - _SLOTS[start]
                    angle = float(np.arctan2(across[1], across[0]) - np.arctan2(wanted[1], wanted[0]))
                    centre = (anchors[first] + anchors[second] - (_SLOTS[start] + _SLOTS[end]) @ turn(angle).T) / 2
                    fault = abs(float(np.linalg.norm(across) / np.linalg.norm(wanted)) - 1) + cost
                    fault += turned_by(angle, outline_angle) + 0.2 * float(np.linalg.norm(centre - middle))
                    if fault < 0.5 and (best is None or fault < best[0]):
                        best = (fault, centre, angle)
    return (best[1], best[2]) if best else None
