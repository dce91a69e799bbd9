"""A card of the pile as it was last seen, and whether what is seen now is that card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.cards import FACES, Suit
from vision.table.place import Placed, index_corners
from vision.watching.covering import CHANGED, unchanged
from vision.watching.plays import CLEAR, SURE_FACE
from vision.watching.track import Changed, Track, alike, is_same, same_rank

SAME_FACE: Final = 0.3
"""Two readings that agree less than this (Bhattacharyya) are of two faces."""
SAME_FACE_CHANGED: Final = 0.5
"""The same where pixels have changed: something did happen, so the faces must agree better to be one."""
OWN_SUIT: Final = 0.95
"""A face that is so sure has the suit that it is read with, unless what covers it has the same."""
NEAR: Final = 1.4
"""Card widths within which a card lies that was placed by one of its corners, and perhaps by the wrong one."""


@dataclass(eq=False)
class PileCard:
    """A card of the pile as it was last seen. ``play`` numbers the settled look in which it came."""

    placed: Placed
    play: int
    at: float
    visible: bool = True


def stayed_there(card: PileCard, track: Track, changed: Changed | None, seen: Sequence[Track] = ()) -> float | None:
    """The cost of taking what is seen for a card of the pile that lies where it lay; None if it is another. ``seen``:
    all that is seen now."""
    cost = is_same(card.placed, track.placed)
    if cost is None:
        return None
    still = changed is None or unchanged(track, changed)
    least = SAME_FACE if still else SAME_FACE_CHANGED
    if len(card.placed.anchors) and alike(card.placed.likelihoods, track.likelihoods) >= least:
        return cost
    if card.visible and len(track.anchors) == 1 and same_rank(card.placed.likelihoods, track.likelihoods) > CLEAR:
        # Half covered, a corner is easily read with the suit of what covers it. A suit of its own is of another card.
        own, suit = float(track.likelihoods.max()), _suit(track)
        if own < OWN_SUIT or any(other is not track and _suit(other) == suit for other in seen):
            return cost
    # Another face in the same place: another card on top, unless no pixel has changed and one was misread.
    return cost if card.visible and changed is not None and unchanged(track, changed) else None


def _suit(track: Track) -> Suit | None:
    return FACES[int(track.likelihoods.argmax())].suit


def is_another(cards: Sequence[PileCard], card: PileCard, track: Track) -> bool:
    """Whether what is seen is surely not this card, but one of the others that lie there, or another corner of it."""
    face, own = int(track.likelihoods.argmax()), int(card.placed.likelihoods.argmax())
    sure = min(float(track.likelihoods[face]), float(card.placed.likelihoods[own])) > CLEAR
    return (
        sure
        and face != own
        and any(float(other.placed.likelihoods[face]) > CLEAR for other in cards if other is not card)
    )


def lay_below(cards: Sequence[PileCard], track: Track) -> bool:
    """Whether a card that shows once others are lifted is one of those that they hid: in one deck its face says so,
    though it was placed otherwise when only a corner of it could be seen. It is known better from now on."""
    face = int(track.likelihoods.argmax())
    if float(track.likelihoods[face]) < SURE_FACE:
        return False
    for card in cards:
        known = card.placed
        same = int(known.likelihoods.argmax()) == face and float(known.likelihoods[face]) >= SURE_FACE
        if same and float(np.linalg.norm(known.centre - track.centre)) < NEAR:
            card.placed, card.visible = replace(track.placed, likelihoods=known.likelihoods), True
            return True
    return False


def corner_of(card: PileCard, track: Track) -> bool:
    """Whether one corner is all that is seen of a card that lies there, both read beyond doubt: in one deck it is."""
    face = int(card.placed.likelihoods.argmax())
    sure = min(float(card.placed.likelihoods[face]), float(track.likelihoods[face])) > CLEAR
    return sure and len(track.anchors) == 1 and float(np.linalg.norm(card.placed.centre - track.centre)) < NEAR


def is_shifted(card: PileCard, track: Track, least: float = 0.2) -> bool:
    """Whether a card that was measured both times has been pushed a little, in card widths."""
    measured = len(card.placed.anchors) >= 2 and len(track.anchors) >= 2
    return measured and float(np.linalg.norm(card.placed.centre - track.centre)) > least


def is_away(card: PileCard, changed: Changed | None) -> bool:
    """Whether a card that is no longer read has left: where nothing changed it still lies there, unread."""
    spots = card.placed.anchors if len(card.placed.anchors) else card.placed.index_spots
    for spot in spots:
        difference = changed(index_corners(spot, card.placed.angle)) if changed else None
        if difference is not None and difference < CHANGED:
            return False
    return True
