"""Watches each seat's downcards: how many of them are left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.plane import Spots
from vision.sources.base import Frame
from vision.table.cloth import Cloth
from vision.table.place import Placed
from vision.table.table import Table
from vision.types import Image, Observation, Seen
from vision.watching.gate import Scene
from vision.watching.heap import BARE, BARER, HeapPlace

DEALT: Final = 3
RADIUS: Final = 0.35
"""Card widths around the middle of an upcard in which the card beneath it lies."""
COVERS: Final = 0.6
"""Card widths within which an upcard lies on a downcard."""


class DownPlaces:
    """The downcards of a table that is watched: each under an upcard as it was dealt. Once that has left, the back that
    shows is looked at. What it tells is an observation of the kind ``DOWNCARDS``, when ``left`` changes."""

    def __init__(self, settle: float) -> None:
        self._settle = settle
        self._seats: list[list[tuple[Spots, HeapPlace]]] = []
        self._told: list[int] = []

    def dealt(self, table: Table, rows: Sequence[Sequence[Placed]]) -> None:
        """The upcards as they were dealt, by seat. A seat where not all could be read is not watched."""
        self._seats = []
        for row in rows:
            places = [(card.centre, HeapPlace(self._settle, RADIUS)) for card in row if len(row) == DEALT]
            for centre, place in places:
                place.put(table, centre)
            self._seats.append(places)
        self._told = [DEALT] * len(self._seats)

    def see(
        self,
        table: Table,
        image: Image,
        frame: Frame,
        scene: Scene,
        cloth: Cloth | None,
        rows: Sequence[Sequence[Placed]],
        backs: float,
        untold: bool,
    ) -> list[Observation]:
        """What one frame has to tell. ``rows`` are the cards that lie face up before each seat now, ``backs`` how much
        of a back looks like the table. While something is ``untold`` that happened before, nothing."""
        found = []
        for seat, places in enumerate(self._seats):
            gone = 0
            for centre, place in places:
                if place.known:
                    place.look(table, image, scene, frame.at, cloth, max(BARE, backs + BARER))
                elif not untold and place.free(scene) and not _covered(centre, rows[seat]):
                    place.lies(image)
                gone += place.seen(frame.at) is False
            left = DEALT - gone
            if not untold and places and left != self._told[seat] and _sure(places, frame):
                self._told[seat] = left
                found.append(Observation(Seen.DOWNCARDS, frame.at, frame.number, seat=seat, seat_score=0.98, left=left))
        return found


def _covered(centre: Spots, row: Sequence[Placed]) -> bool:
    return any(float(np.linalg.norm(card.centre - centre)) < COVERS for card in row)


def _sure(places: Sequence[tuple[Spots, HeapPlace]], frame: Frame) -> bool:
    """Whether each place says clearly what lies there: a number is not told while a hand is over one of them."""
    return all(not place.known or place.seen(frame.at) is not None for _, place in places)
