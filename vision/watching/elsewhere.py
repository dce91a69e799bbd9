"""In one deck every face comes once: what is read on the pile is not what lies before a player at that moment."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.plane import Plane
from vision.table.place import Placed, card_corners, place
from vision.types import CardReading, Image, Likelihoods
from vision.watching.evidence import Compared

SURE: Final = 0.9
"""So sure a face must be where it lies to be taken for misread elsewhere."""
LEFT: Final = 0.02
"""How much of its likelihood it keeps elsewhere."""
SAME: Final = 0.1
"""A card of which no more has changed lies where it lay."""
APART: Final = 0.6
"""Card widths from where a card lies to a reading that is of another."""


def possible(
    readings: Sequence[CardReading],
    rows: Sequence[Sequence[Placed]],
    before: Mapping[int | None, Image | None],
    now: Image,
    plane: Plane,
) -> list[CardReading]:
    """The readings, each without the faces that lie in the players' ``rows``, where these look as they did ``before``:
    pictures of each seat's place."""

    def is_there(seat: int, card: Placed) -> bool:
        difference = Compared(plane, before.get(seat), now).changed(card_corners(card.centre, card.angle, -0.1))
        return difference is not None and difference < SAME

    for seat, row in enumerate(rows):
        readings = not_elsewhere(readings, row, plane, functools.partial(is_there, seat))
    return list(readings)


def not_elsewhere(
    readings: Sequence[CardReading], lying: Sequence[Placed], plane: Plane, is_there: Callable[[Placed], bool]
) -> list[CardReading]:
    """The readings, each without the faces of cards that lie elsewhere. ``lying`` are cards whose faces are known;
    ``is_there`` says whether one still lies where it lay: it may just have been played."""
    known = {int(card.likelihoods.argmax()): card for card in lying if card.likelihoods.max() >= SURE}
    result = []
    for reading in readings:
        face = int(reading.likelihoods.argmax())
        card = known.get(face)
        if card is None or np.linalg.norm(place(reading, plane).centre - card.centre) < APART or not is_there(card):
            result.append(reading)
            continue
        likelihoods, left = _without(reading.likelihoods, face)
        corners = tuple(_without(corner, face)[0] for corner in reading.corners)
        result.append(replace(reading, likelihoods=likelihoods, corners=corners, presence=reading.presence * left))
    return result


def _without(likelihoods: Likelihoods, face: int) -> tuple[Likelihoods, float]:
    rest = likelihoods.astype(np.float64)
    rest[face] *= LEFT
    left = float(rest.sum())
    return (rest / left).astype(np.float32), left
