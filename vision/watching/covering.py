"""What can be seen of a card that lies among others: where it is covered, changed, or where bare table shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.plane import CARD_HEIGHT, Spots
from vision.table.place import Placed, card_corners, index_corners, inside_card, turn
from vision.watching.track import Changed, Track

CHANGED: Final = 0.1
"""An index corner of which so many pixels differ is another one, or has gone."""


OPPOSITE: Final = 1.12
"""Corners of one card farther apart than this, in card widths, are opposite ones."""

ALL_OVER: Final = np.array(
    [(x, y * CARD_HEIGHT) for x in np.linspace(-0.42, 0.42, 5) for y in np.linspace(-0.44, 0.44, 7)]
)
"""Places all over a card, in card widths from its middle."""


def covered(card: Placed, above: Sequence[Track]) -> bool:
    """Whether all that showed of a card may be under others that came later, together."""
    spots: Spots = card.anchors if len(card.anchors) else card.index_spots
    hidden = np.zeros(len(spots), bool)
    for track in above:
        hidden |= inside_card(spots, track.centre, track.angle, 0.06)
    return bool(hidden.all())


def patches(card: Placed, above: Sequence[Track]) -> list[Spots]:
    """Small patches all over a card, where no newer card lies."""
    spots = card.centre + ALL_OVER @ turn(card.angle).T
    hidden = np.zeros(len(spots), bool)
    for track in above:
        hidden |= inside_card(spots, track.centre, track.angle, 0.12)
    corners = card_corners(np.zeros(2), card.angle) * 0.1
    return [spot + corners for spot in spots[~hidden]]


def on_bare_table(track: Track, bare: Changed | None) -> bool:
    """Whether a reading is of the table itself, its pattern or a stain."""
    free = [bare(index_corners(spot, track.angle)) for spot in track.anchors] if bare else []
    return bool(free) and all(share is not None and share > 0.8 for share in free)


def unchanged(track: Track, changed: Changed) -> bool:
    differences = [changed(index_corners(spot, track.angle)) for spot in track.anchors]
    return bool(differences) and all(difference is not None and difference < CHANGED for difference in differences)


def lies_open(track: Track) -> bool:
    """Whether two opposite corners of a card were seen: decks with four show two of one side beside another card."""
    apart = [float(np.linalg.norm(one - other)) for one in track.anchors for other in track.anchors]
    return max(apart, default=0.0) > OPPOSITE
