"""Whether a picture is mirrored, as many webcam programs show it: cards are read all the same, but badly.

An A, an 8 or a Q looks nearly the same in a mirror, a 2 like a 5. So a mirrored deal is read as other cards; what tells
it is that the picture turned back is read more surely. Of ten rendered and filmed deals, looked at once, the right way
round claims 0.94 to 0.99 a card and the wrong one 0.71 to 0.83.
"""

from __future__ import annotations

from typing import Final

from vision.types import ImageReading

SURE: Final = 0.9
"""A picture of which so much is claimed of each card is the right way round."""
MORE: Final = 1.04
"""The other way round must be read so much more surely,"""
LEAST: Final = 2.5
"""and of three cards at least."""


def is_doubtful(reading: ImageReading) -> bool:
    """Whether so little is claimed of the cards that the picture may be mirrored."""
    return _claimed(reading) < SURE * max(1, len(reading.cards))


def is_mirrored(reading: ImageReading, flipped: ImageReading) -> bool:
    """Whether a picture is mirrored, by what it and its mirror image show."""
    straight, back = _claimed(reading), _claimed(flipped)
    each = straight / max(1, len(reading.cards)), back / max(1, len(flipped.cards))
    return back >= LEAST and back > MORE * straight and each[1] > each[0]


def _claimed(reading: ImageReading) -> float:
    return sum(card.presence * float(card.likelihoods.max()) for card in reading.cards)
