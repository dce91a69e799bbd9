"""Whether more cards came than can be seen: of a set laid squared, the upper card hides the others but for their edges.

A card that lies under another one of its own set, and not quite straight under it, has changed the picture in a strip
beside it. Where nothing but the upper card has changed, there is none, or it lies exactly under it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.plane import CARD_HEIGHT, Spots, spots_between
from vision.table.place import card_corners, inside_card
from vision.watching.evidence import Compared
from vision.watching.track import Track

HIDDEN: Final = (0.08, 0.01, 0.004)
"""How often a play has one, two and three cards more than can be seen. Of 397 plays in the ``truth.jsonl`` of ten
games that ``pilewatch render`` filmed, 81 in a hundred are of one card, 17 of two, 2 of three, 0.8 of four; that half
of the sets are laid squared is a habit of people, not a measurement. It leaves the referee room to find that two sevens
must have been three, or four that burn."""

GRID: Final = 32
"""Samples per card width."""
REACH: Final = 0.5
"""How far beside the upper card the edge of one of its own set lies, in card widths."""
SLACK: Final = 0.05
"""How exactly a card's place is known, in card widths."""
TOUCHING: Final = 0.12
"""What lies under a card shows from its edge on."""
SHADOW: Final = 0.72
"""Darker than this no shadow makes the table."""

MEASURED: Final = 0.1
"""Two corners that lie farther from or nearer to each other than a card's by this are not both this card's."""
NOTHING: Final = 0.004
"""So little, in cards, changes beside a card by noise and by its own shadow."""
PUSHED: Final = 0.15
"""A lower card of which more shows shows its index too: the pile has been pushed, or something else has happened."""
STRAIGHT: Final = 0.7
"""How often the cards of a squared set lie so exactly on each other that no strip of the lower one shows: people who
square a set at all do it well. A habit, not a measurement."""
A_STRIP: Final = 0.01
PLAIN: Final = 10.0
MOST: Final = 50.0
"""A strip as large as ``A_STRIP`` is ``PLAIN`` times as frequent with another card beneath; larger ones more so."""


def more_beneath(compared: Compared, new: Sequence[Track], across: Spots) -> float:
    """How many times as likely the pictures are if more cards came than these that can be seen; 1 where they do not
    say. ``across``: from one index corner of a card to the other, in card widths."""
    if len(new) != 1:
        return 1.0  # who lays cards side by side hides none
    lengths = [float(np.linalg.norm(track.anchors[0] - track.anchors[-1])) for track in new if len(track.anchors)]
    if any(abs(length - float(np.linalg.norm(across))) > MEASURED for length in lengths):
        return 1.0
    changed = strip(compared, new)
    if changed is None or changed > PUSHED:
        return 1.0
    return STRAIGHT if changed < NOTHING else min(MOST, PLAIN * (changed / A_STRIP) ** 2)


def counts(shown: int, more: float, most: int) -> dict[int, float]:
    """How many cards came, where ``shown`` can be seen and pictures are ``more`` times as likely if there are more: one
    squared up under another shows nothing of itself. ``most``: so many of a rank there are."""
    hidden = {shown + extra: p for extra, p in enumerate(HIDDEN, 1) if shown + extra <= most}
    odds = {shown: 1 - sum(hidden.values()), **{count: more * p for count, p in hidden.items()}}
    return {count: p / sum(odds.values()) for count, p in odds.items()} if hidden else {}


def strip(compared: Compared, new: Sequence[Track]) -> float | None:
    """How much has changed beside cards that came, in cards, where it touches them: elsewhere somebody has drawn from
    the stock.

    None where it cannot be told: the places of the cards that came are not measured, or no picture is from before.
    """
    if compared.before is None or not new or any(len(track.anchors) < 2 for track in new):
        return None
    spots, shape = _around(new)
    came = compared.differs(spots)
    dark = compared.shaded(spots, SHADOW)
    if came is None or dark is None:
        return None
    near = np.zeros(len(spots), bool)
    own = np.zeros(len(spots), bool)
    edge = np.zeros(len(spots), bool)
    for track in new:
        edge |= inside_card(spots, track.centre, track.angle, TOUCHING)
        near |= inside_card(spots, track.centre, track.angle, REACH)
        own |= inside_card(spots, track.centre, track.angle, SLACK)
    beside = (came & ~dark & near & ~own).reshape(shape).astype(np.uint8)
    joined = cv2.morphologyEx(beside, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, labels, _, _ = cv2.connectedComponentsWithStats(joined.astype(np.uint8), connectivity=8)
    touching = edge.reshape(shape)
    parts = [labels == label for label in range(1, count)]
    sizes = [float(beside[part].sum()) for part in parts if touching[part].any()]
    return sum(size for size in sizes if size >= 6) / GRID**2 / CARD_HEIGHT


def _around(cards: Sequence[Track]) -> tuple[Spots, tuple[int, int]]:
    """Spots all around some cards, row by row, and the number of rows and columns."""
    corners = np.concatenate([card_corners(card.centre, card.angle, REACH) for card in cards])
    low, high = corners.min(axis=0), corners.max(axis=0)
    return spots_between(low, high, 1 / GRID)
