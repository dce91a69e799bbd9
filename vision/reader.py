"""Reading one picture: index corners found, named in the direction that makes sense, joined into cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

import models
from vision import deck_profile
from vision.classify import Classifier, Crops, IndexNet, Logits, Named, Pyramid, name
from vision.deck_profile import Profile
from vision.detect import Detector, Found, find
from vision.geometry import Boxes, Rect, box_points, suppress, turned
from vision.join import Corner, Joined, join
from vision.outlines import PRESENT, backs, confirmed, edged, own_places, settled, with_edges
from vision.quads import find_all_quads
from vision.types import CardReading, Image, ImageReading, Points
from vision.weights import load_detector

SIDES: Final = (960,)
"""The longest side, in pixels, of the pictures that the detector sees."""
SQUARE: Final = 0.75
"""Width to height from which on a box may just as well lie on its side: all four directions are tried."""
LEAST: Final = 0.4
"""Cards of whose rank less is known than this are not reported: hardly one in ten of them is right."""
MARGIN: Final = 16
"""Regions are read with so much around them, as a share of the picture's longer side, that an index fits in."""
SAME: Final = 0.15
"""Two named corners more alike than this are one, the surer one."""


class Reader:
    """Reads cards. Holds the nets; may be used from one thread at a time.

    ``Reader.load()`` takes the nets that ship; the constructor takes any pair, which is how tests hand in fakes.
    """

    def __init__(
        self,
        detector: Detector,
        classifier: Classifier,
        calibration: models.Calibration,
        profile: Profile | None = None,
        sides: Sequence[int] = SIDES,
    ) -> None:
        self._detector = detector
        self._classifier = classifier
        self._calibration = calibration
        self._profile = profile
        self._sides = sides

    @classmethod
    def load(
        cls,
        threads: int = 1,
        deck: str | None = None,
        weights: str | Path | None = None,
        sides: Sequence[int] | None = None,
    ) -> Self:
        """The nets that ship, on so many threads each; with the profile of a deck learned by ``pilewatch deck learn``.

        ``weights`` names another detector's file, ``sides`` the scales to look at. Raises models.ModelError where the
        nets are missing, vision.deck_profile.ProfileError where the deck is not known, vision.weights.WeightsError.
        """
        calibration = models.calibration()
        profile = None if deck is None else deck_profile.load(deck, calibration.version)
        detector = load_detector(
            Path(weights) if weights else models.path(models.CORNERS), calibration.corner_threshold, threads
        )
        return cls(detector, IndexNet(models.path(models.INDICES), threads), calibration, profile, sides or SIDES)

    def knowing(self, profile: Profile) -> Reader:
        """The same nets with what is known of a deck."""
        return Reader(self._detector, self._classifier, self._calibration, profile, self._sides)

    def read(self, image: Image, regions: Sequence[Rect] | None = None) -> ImageReading:
        """All cards in a BGR picture of any size.

        With ``regions`` only these pixel rectangles (left, top, right, bottom) and a margin around them are looked
        at; cards are returned that have a whole index there.
        """
        cards, others = self._cards(image, regions)
        height, width = image.shape[:2]
        readings = sorted((_card(card) for card in cards), key=lambda card: -card.score)
        readings = [card for card in readings if card.presence * max(card.rank_scores.values()) >= LEAST]
        return ImageReading(width, height, tuple(readings), tuple(backs(image, others, cards)))

    def joined(self, image: Image) -> list[Joined]:
        """The face-up cards with all that is known of each corner."""
        return self._cards(image, None)[0]

    def _cards(self, image: Image, regions: Sequence[Rect] | None) -> tuple[list[Joined], list[Points]]:
        """Face-up cards, and quadrilaterals that may be face-down ones."""
        height, width = image.shape[:2]
        areas = [(0, 0, width, height)] if regions is None else _tidy(regions, width, height)
        pyramid = Pyramid(image)
        quads = find_all_quads(image, areas)
        found = find(self._detector, image, _scales(width, height, self._sides), areas)
        faces, blanks = edged(pyramid, quads, self._name)
        elsewhere = ~own_places(found.boxes, faces)
        corners = self._corners(pyramid, Found(found.boxes[elsewhere], found.scores[elsewhere]))
        faces, corners = settled(faces, corners)
        cards = [*faces, *confirmed(pyramid, with_edges(join(corners), quads), self._name)]
        return cards, blanks

    def _corners(self, pyramid: Pyramid, found: Found) -> list[Corner]:
        """Name the boxes that are index corners; each is turned the way it reads best."""
        ways, of = _ways_up(found.boxes)
        rank, suit, named = self._name(pyramid.cut(ways))
        best = np.array(
            [max(np.flatnonzero(of == i), key=lambda k: float(named.presence[k])) for i in range(len(found))], np.intp
        )
        boxes, rank, suit, presence = ways[best], rank[best], suit[best], named.presence[best]
        likelihoods = named.likelihoods[best]
        chosen = np.flatnonzero(presence >= PRESENT)
        chosen = chosen[suppress(boxes[chosen], presence[chosen] * found.scores[chosen], SAME)]
        points = box_points(boxes)
        return [
            Corner(points[k], likelihoods[k], float(presence[k]), float(found.scores[k]), rank[k], suit[k])
            for k in chosen.tolist()
        ]

    def _name(self, crops: Crops) -> tuple[Logits, Logits, Named]:
        """What the classifier says of crops, and what that means; with what is known of the deck."""
        rank, suit = self._classifier(crops)
        named = name(rank, suit, self._calibration.rank_temperature, self._calibration.suit_temperature)
        return rank, suit, named if self._profile is None else self._profile.refine(rank, suit, named)


def _card(joined: Joined) -> CardReading:
    return CardReading(
        outline=joined.outline,
        indices=tuple(corner.points for corner in joined.corners),
        likelihoods=combined([corner.likelihoods for corner in joined.corners]),
        presence=float(1 - np.prod([1 - corner.presence for corner in joined.corners])),
    )


def combined(likelihoods: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """One card's likelihoods from those of its corners. They share deck and light, so they count less than apart."""
    if len(likelihoods) == 1:
        return likelihoods[0]
    weight = len(likelihoods) ** -0.5
    logs = np.log(np.maximum(np.stack(likelihoods), 1e-9)).sum(0) * weight
    powers = np.exp(logs - logs.max())
    result: NDArray[np.float32] = (powers / powers.sum()).astype(np.float32)
    return result


def _ways_up(boxes: Boxes) -> tuple[Boxes, NDArray[np.intp]]:
    """Every way up of every box that is to be tried, and which box each belongs to."""
    every = np.arange(len(boxes))
    square = every[boxes[:, 2] > SQUARE * boxes[:, 3]]
    ways = [boxes, turned(boxes, 2), turned(boxes[square], 1), turned(boxes[square], 3)]
    return np.concatenate(ways).astype(np.float32), np.concatenate([every, every, square, square])


def _scales(width: int, height: int, sides: Sequence[int]) -> list[float]:
    longest = max(width, height)
    scales = [min(1.0, side / longest) for side in sides]
    return sorted(set(scales), reverse=True)


def _tidy(regions: Sequence[Rect], width: int, height: int) -> list[Rect]:
    """Regions a little larger, within the picture, and none overlapping another."""
    margin = max(width, height) // MARGIN
    rects = [
        (max(0, left - margin), max(0, top - margin), min(width, right + margin), min(height, bottom + margin))
        for left, top, right, bottom in regions
    ]
    rects = [rect for rect in rects if rect[0] < rect[2] and rect[1] < rect[3]]
    merged = True
    while merged:
        merged = False
        for i, a in enumerate(rects):
            for b in rects[i + 1 :]:
                if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
                    rects.remove(a)
                    rects.remove(b)
                    rects.append((min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])))
                    merged = True
                    break
            if merged:
                break
    return rects
