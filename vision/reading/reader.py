"""Reading one picture: index corners found, named in the direction that makes sense, joined into cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Self

import numpy as np

import models
from engine.cards import FACES, Rank, Suit
from vision.geometry import Rect, box_points, suppress, turned
from vision.reading import deck_profile
from vision.reading.claims import REPORTED, Standing, calibrated, claiming, standing
from vision.reading.classify import Classifier, IndexNet, Logits, Named, combined, name
from vision.reading.deck_profile import Profile
from vision.reading.detect import Detector, Found
from vision.reading.doubles import each_once
from vision.reading.join import Corner, Joined, differ, join
from vision.reading.looking import SIDES, looked_for
from vision.reading.outlines import PRESENT, confirmed, edged, face_down, settled, with_edges
from vision.reading.pyramid import Crops, Pyramid
from vision.reading.quads import find_all_quads
from vision.reading.regions import apart, grown, within
from vision.reading.second_look import looked_again
from vision.reading.weights import load_detector
from vision.types import CardReading, Image, ImageReading, Points

SQUARE: Final = 0.75
"""Width to height from which on a box may just as well lie on its side: all four directions are tried."""
CLEAR: Final = 0.9
"""A face that is so likely the way up that was tried first is not tried another way up."""
MARGIN: Final = 16
"""Regions are read with so much around them, as a share of the picture's longer side, that an index fits in."""
SAME: Final = 0.15
"""Two named corners more alike than this are one, the surer one;"""
OTHER: Final = 0.45
"""unless both are sure of their faces, and these differ: an index often lies right above the one of the card below."""


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
        least: float = REPORTED,
    ) -> None:
        self._detector = detector
        self._classifier = classifier
        self._calibration = calibration
        self._profile = profile
        self._sides = sides
        self._least = least

    @classmethod
    def load(
        cls,
        threads: int = 1,
        deck: str | None = None,
        weights: str | Path | None = None,
        sides: Sequence[int] | None = None,
        least: float = REPORTED,
    ) -> Self:
        """The nets that ship, on so many threads each; with the profile of a deck learned by ``pilewatch deck learn``.

        ``weights`` names another detector's file, ``sides`` the scales to look at, ``least`` the least claim to a rank
        that is reported (``vision.reading.claims``: ``REPORTED``, or ``DOUBTFUL`` for a watcher). Raises
        models.ModelError where the nets are missing, vision.reading.deck_profile.ProfileError where the deck is not
        known, vision.reading.weights.WeightsError.
        """
        calibration = models.calibration()
        profile = None if deck is None else deck_profile.load(deck, calibration.version)
        detector = load_detector(
            Path(weights) if weights else models.path(models.CORNERS), calibration.corner_threshold, threads
        )
        return cls(
            detector, IndexNet(models.path(models.INDICES), threads), calibration, profile, sides or SIDES, least
        )

    def knowing(self, profile: Profile) -> Reader:
        """The same nets with what is known of a deck."""
        return Reader(self._detector, self._classifier, self._calibration, profile, self._sides, self._least)

    def closer(self) -> Reader:
        """The same nets, looking at everything as closely as else at what is small: slower, for a second look."""
        return Reader(self._detector, self._classifier, self._calibration, self._profile, self._sides[-1:], self._least)

    def read(self, image: Image, regions: Sequence[Rect] | None = None) -> ImageReading:
        """All cards in a BGR picture of any size.

        With ``regions`` only these pixel rectangles (left, top, right, bottom) and a margin around them are looked
        at; cards are returned that have a whole index there.
        """
        height, width = image.shape[:2]
        areas = _areas(image, regions)
        cards, others = self._cards(image, areas)
        fitted = self._calibration.claims
        readings = [calibrated(_card(card), standing(card, cards, areas), fitted) for card in cards]
        readings.sort(key=lambda card: -card.score)
        backs, shapes = face_down(image, others, cards)
        reading = ImageReading(width, height, tuple(readings), tuple(backs), tuple(shapes))
        return claiming(reading, self._least)

    def uncalibrated(self, image: Image) -> list[tuple[CardReading, Standing]]:
        """All that is found in a picture, with what each card claims before calibration and how it stands."""
        areas = _areas(image, None)
        cards, _ = self._cards(image, areas)
        return [(_card(card), standing(card, cards, areas)) for card in cards]

    def joined(self, image: Image) -> list[Joined]:
        """The face-up cards with all that is known of each corner."""
        return self._cards(image, _areas(image, None))[0]

    def _cards(self, image: Image, areas: Sequence[Rect]) -> tuple[list[Joined], list[Points]]:
        """Face-up cards, and quadrilaterals that may be face-down ones."""
        height, width = image.shape[:2]
        whole = (0, 0, width, height)
        pyramid = Pyramid(image)
        quads = find_all_quads(pyramid, areas)
        faces, blanks = edged(pyramid, quads, self._named)
        found = looked_for(self._detector, pyramid, areas, faces, self._sides)
        kept, corners = settled(faces, self._corners(pyramid, found))
        if len(kept) < len(faces):  # edges of several cards: what the detector finds within them counts after all
            doubted = [(*face.outline.min(0), *face.outline.max(0)) for face in faces if face not in kept]
            around = grown(within(doubted, whole), max(width, height) // MARGIN)
            spots = [spot for area in areas for spot in within(around, area)]
            found = found.merged(looked_for(self._detector, pyramid, apart(spots), kept, self._sides))
            kept, corners = settled(kept, self._corners(pyramid, found))
        faces = kept
        cards = [*faces, *confirmed(pyramid, with_edges(join(corners), quads), self._named)]
        cards = each_once(cards, width, height)
        if self._profile is not None:  # it settles what the cards are called, not how many there are
            cards = self._profile.renamed(cards)
        return looked_again(pyramid, cards, self._named), blanks

    def _corners(self, pyramid: Pyramid, found: Found) -> list[Corner]:
        """Name the boxes that are index corners; each is turned the way it reads best."""
        boxes, count = found.boxes.copy(), len(found)
        rank, suit = np.empty((count, len(Rank) + 1), np.float32), np.empty((count, len(Suit)), np.float32)
        likelihoods, presence = np.ones((count, len(FACES)), np.float32), np.full(count, -1, np.float32)
        for quarters in (0, 2, 1, 3):
            unsure = presence * likelihoods.max(1, initial=0) < CLEAR
            at = np.flatnonzero(unsure & (found.boxes[:, 2] > SQUARE * found.boxes[:, 3] if quarters % 2 else True))
            if not len(at):
                continue
            ways = turned(found.boxes[at], quarters)
            ranks, suits, named = self._named(pyramid.cut(ways))
            better = named.presence > presence[at]
            at = at[better]
            boxes[at], rank[at], suit[at] = ways[better], ranks[better], suits[better]
            likelihoods[at], presence[at] = named.likelihoods[better], named.presence[better]
        chosen = np.flatnonzero(presence >= PRESENT)
        limits = np.where(differ(likelihoods[chosen]), OTHER, SAME)
        chosen = chosen[suppress(boxes[chosen], presence[chosen] * found.scores[chosen], limits)]
        points = box_points(boxes)
        return [
            Corner(points[k], likelihoods[k], float(presence[k]), float(found.scores[k]), rank[k], suit[k])
            for k in chosen.tolist()
        ]

    def _named(self, crops: Crops) -> tuple[Logits, Logits, Named]:
        """What the classifier says of crops, and what that means."""
        rank, suit = self._classifier(crops)
        return rank, suit, name(rank, suit, self._calibration.rank_temperature, self._calibration.suit_temperature)


def _areas(image: Image, regions: Sequence[Rect] | None) -> list[Rect]:
    """What is to be read: the whole picture, or regions with a margin, none over another."""
    height, width = image.shape[:2]
    whole = (0, 0, width, height)
    return [whole] if regions is None else apart(within(grown(regions, max(width, height) // MARGIN), whole))


def _card(joined: Joined) -> CardReading:
    return CardReading(
        outline=joined.outline,
        indices=tuple(corner.points for corner in joined.corners),
        likelihoods=combined([corner.likelihoods for corner in joined.corners]),
        presence=float(1 - np.prod([1 - corner.presence for corner in joined.corners])),
        corners=tuple(corner.likelihoods for corner in joined.corners),
    )
