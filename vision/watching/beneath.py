"""Whether more cards came than can be seen: of a set laid squared, the upper card hides the others but for their edges.

A card that lies under another one of its own set, and not quite straight under it, shows a strip of paper beside it
where there was none: a wide one in single pixels, of a thin one the line along its edge (``rims``). Where nothing but
the upper card has come there is none, or it lies exactly under it.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import CARD_HEIGHT, Spots, spots_between
from vision.table.place import inside_card, turn
from vision.watching.evidence import Compared
from vision.watching.lower import shows_lower
from vision.watching.rims import squared
from vision.watching.track import Track

Odds = tuple[float, ...]
"""How many times as likely 1, 2 and 3 cards more are than none."""
UNKNOWN: Final[Odds] = (1.0, 1.0, 1.0)

HIDDEN: Final = (0.08, 0.01, 0.004)
"""How often a play has one, two and three cards more than can be seen. Of 397 plays in the ``truth.jsonl`` of ten
games that ``pilewatch render`` filmed, 81 in a hundred are of one card, 17 of two, 2 of three, 0.8 of four; that half
of the sets are laid squared is a habit of people, not a measurement. It leaves the referee room to find that two sevens
must have been three, or four that burn."""

GRID: Final = 32
"""Samples per card width."""
REACH: Final = 0.5
"""How far beside the upper card the edge of one of its own set lies, in card widths."""
SLACK: Final = 0.01
"""How much larger than assumed a card may be on each side, in card widths."""
ASTRAY: Final = np.arange(-0.15, 0.151, 0.025)
"""How far a card may lie from where its indices put it, in card widths: one of them may be another card's."""
ASKEW: Final = (-0.08, -0.04, 0.0, 0.04, 0.08)
"""The same for its direction, in radians."""
TOUCHING: Final = 0.12
"""What lies under a card shows from its edge on."""
PAPER: Final = 0.8
"""What is darker than this, beside the paper of the upper card, is no card's edge but a shadow upon others."""
NEAR: Final = 0.25
DISTURBED: Final = 0.4
"""If more than so much of what has changed around a card is farther off than ``NEAR``, the pile has been pushed."""

NOTHING: Final = 0.006
"""So little, in cards, changes beside a card by noise."""
PUSHED: Final = 0.4
"""Of a lower card of which more shows an index shows too: the pile has been pushed, or something else has happened."""

LEAST: Final = 0.1
"""What is left at least of what an outline says where the net sees nothing."""
UNSURE: Final = 5.0
"""What the net says at most of a card whose place is known by one corner alone, or beside which others have moved."""
A_STRIP: Final = 0.01
PLAIN: Final = 20.0
MOST: Final = 80.0
"""A strip as large as ``A_STRIP`` is ``PLAIN`` times as frequent with another card beneath; larger ones more so. One in
a hundred single cards of films rendered in other decks had one larger than ``NOTHING``."""


def more_beneath(compared: Compared, new: Sequence[Track], moved: bool = False) -> Odds:
    """How many times as likely the pictures are if 1, 2 or 3 cards more came than these that can be seen; 1 where they
    do not say. ``moved``: other cards may have changed the picture around it as well; then what shows beside it says
    nothing, but that nothing does says that it is alone."""
    if len(new) != 1 or compared.before is None:
        return UNKNOWN  # who lays cards side by side hides none
    card = new[0]
    thin = squared(compared.before, compared.now, compared.plane, card.centre, card.angle)
    if shows_lower(compared, card):
        # An outline may be that of a card which lay there before: then the net, which knows that, sees none.
        return tuple(min(MOST, MOST * max(LEAST, odds)) for odds in thin)
    if moved:
        return tuple(min(1.0, max(1 / UNSURE, odds)) for odds in thin)
    wide = strip(compared, card)
    if wide is None or wide > PUSHED:
        most = UNSURE if len(card.anchors) == 1 else 1.0
        return tuple(min(most, max(1 / UNSURE, odds)) for odds in thin)
    return thin if wide < NOTHING else tuple(max(odds, min(MOST, PLAIN * wide / A_STRIP)) for odds in thin)


def counts(shown: int, more: Odds, most: int) -> dict[int, float]:
    """How many cards came, where ``shown`` can be seen and pictures are ``more`` times as likely if there are more: one
    squared up under another shows nothing of itself. ``most``: so many of a rank there are."""
    chances = HIDDEN[: max(0, most - shown)]
    hidden = {shown + extra: p * ratio for extra, (p, ratio) in enumerate(zip(chances, more, strict=False), 1)}
    odds = {shown: 1 - sum(chances), **hidden}
    return {count: p / sum(odds.values()) for count, p in odds.items()} if hidden else {}


def strip(compared: Compared, card: Track) -> float | None:
    """How much paper has come to lie beside a card, in cards, and touches it: elsewhere somebody has drawn from the
    stock. The card is taken to lie where it explains most of what has changed.

    None where it cannot be told: the place of the card is not measured, no picture is from before, or the pile has been
    pushed as well.
    """
    if compared.before is None or len(card.anchors) < 2:
        return None
    spots, (rows, columns) = _around()
    spots = card.centre + spots @ turn(card.angle).T
    came = compared.differs(spots)
    if came is None:
        return None
    bare = compared.bare_at(spots)
    light = compared.light(spots)
    where = _places()
    paper = float(np.percentile(light[where[len(where) // 2] > 0], 75))
    came &= light >= PAPER * paper
    if bare is not None:
        came &= ~bare
    best = where[int((where @ came.astype(np.float32)).argmax())] > 0
    beside = (came & ~best).reshape(rows, columns).astype(np.uint8)
    joined = cv2.morphologyEx(beside, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    off = cv2.distanceTransform((~best).reshape(rows, columns).astype(np.uint8), cv2.DIST_L2, 3) / GRID
    count, labels, _, _ = cv2.connectedComponentsWithStats(np.asarray(joined, np.uint8), connectivity=8)
    parts = [labels == label for label in range(1, count)]
    if (beside & (off > NEAR)).sum() > DISTURBED * beside.sum():
        return None
    sizes = [int(beside[part].sum()) for part in parts if (off[part] <= TOUCHING).any()]
    return sum(size for size in sizes if size >= 6) / GRID**2 / CARD_HEIGHT


@functools.cache
def _around() -> tuple[Spots, tuple[int, int]]:
    """Spots all around a card, row by row, in card widths from its middle, and the number of rows and columns."""
    high = np.array([0.5, CARD_HEIGHT / 2]) + REACH
    return spots_between(-high, high, 1 / GRID)


@functools.cache
def _places() -> NDArray[np.float32]:
    """Which of those spots, 1 or 0, a card covers at every place where it may lie, the likeliest in the middle."""
    spots, _ = _around()
    places = [(np.array([x, y]), angle) for x in ASTRAY for y in ASTRAY for angle in ASKEW]
    return np.stack([inside_card(spots, spot, angle, SLACK) for spot, angle in places]).astype(np.float32)
