"""A face-down heap, or a single card: whether it still lies in its place, or bare table shows where it was.

A heap looks alike from its first card to its last. So the place is compared with what it looked like when it was known
to lie there: its end is one change of all the place, to bare table, that stays. Where backs look like the table nothing
is told.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.plane import Numbers
from vision.table.cloth import Cloth
from vision.table.table import Table, Zone
from vision.types import Image
from vision.watching.evidence import Compared
from vision.watching.gate import Mask, Scene
from vision.watching.zones import cells_of

RADIUS: Final = 0.4
"""Card widths around the middle of a heap in which its cards lie, though it is nudged a little."""
AROUND: Final = 0.3
"""Card widths beyond that in which no hand may be."""
SAME: Final = 0.25
"""The place looks as it did where no more of it than this has changed."""
OTHER: Final = 0.75
"""It is another where so much has,"""
BARER: Final = 0.15
"""and it is barer than the heap was: some backs look half like the cloth."""
MUCH_BARER: Final = 0.3
"""Or else by so much, and something has changed: such a back is hardly told from the cloth by what has changed."""
BARE: Final = 0.75
"""How much of bare table looks like the table around it."""
COVERED: Final = 0.3
"""Where no more than this looks like the table, something lies."""
OFTEN: Final = 0.3
"""Seconds between two looks."""
AGREE: Final = 4
"""So many looks in a row must see the same,"""
FOR: Final = 1.2
"""for so many seconds: who lifts the last card may put it back at once."""


class HeapPlace:
    """One place where cards lie face down."""

    def __init__(self, settle: float, radius: float = RADIUS) -> None:
        self._settle, self._radius = settle, radius
        self._table: Table | None = None
        self._centre: Numbers | None = None
        self._spot: Zone | None = None
        self._cells: Mask | None = None
        self._heap: Image | None = None
        self.bare = 0.0
        """How much of the heap looks like the table."""
        self._looked = -1e9
        self._since = 0.0
        self._times = 0
        self._seen: bool | None = None

    @property
    def known(self) -> bool:
        """Whether it is known what the heap looks like."""
        return self._heap is not None

    def put(self, table: Table, centre: Numbers | None) -> None:
        """Where the heap lies, in card widths; None: nowhere. How it looks is not known yet."""
        self._centre, self._heap = centre, None
        self._place(table)

    def lies(self, image: Image) -> None:
        """The heap lies as it does in this picture."""
        self._heap, self.bare = image, 1.0

    def free(self, scene: Scene) -> bool:
        """Whether the place lies still and no hand is over it."""
        if self._cells is None:
            return False
        return scene.still_for(self._cells) >= self._settle and not scene.covering(self._cells)

    def seen(self, at: float) -> bool | None:
        """Whether the heap lies there, as several looks agree; None where that cannot be told."""
        return self._seen if self._times >= AGREE and at - self._since >= FOR else None

    def look(
        self, table: Table, image: Image, scene: Scene, at: float, cloth: Cloth | None, least: float = BARE
    ) -> None:
        """Look at the place, if it lies free. ``least``: how much of it must look like the table to be bare."""
        if table is not self._table:
            self._moved(table)
        if self._spot is None or self._heap is None or at - self._looked < OFTEN or not self.free(scene):
            return
        self._looked = at
        lies = self._lies(Compared(table.plane, self._heap, image, cloth), self._spot, least)
        if lies is None or lies is not self._seen:
            self._seen, self._since, self._times = lies, at, 0
        self._times += 1

    def _place(self, table: Table) -> None:
        self._table = table
        self._spot = None if self._centre is None else Zone.disc(self._centre, self._radius)
        self._cells = None if self._centre is None else cells_of(table, Zone.disc(self._centre, self._radius + AROUND))
        self._seen, self._times = None, 0

    def _moved(self, table: Table) -> None:
        """The camera has been nudged, or the picture has another size: the heap is seen from elsewhere."""
        old = self._table
        self._place(table)
        if old is not None and self._heap is not None and table.plane is not old.plane:
            matrix = np.linalg.inv(table.plane.matrix) @ old.plane.matrix
            self._heap = cv2.warpPerspective(self._heap, matrix, (table.width, table.height)).astype(np.uint8)

    def _lies(self, compared: Compared, spot: Zone, least: float) -> bool | None:
        """Whether the heap lies there now; None where that cannot be told."""
        changed, bare = compared.changed(spot.outline), compared.bare(spot.outline)
        if changed is None:
            return None
        if bare is not None and bare >= least and changed > SAME:
            barer = bare - self.bare
            if barer >= (BARER if changed >= OTHER else MUCH_BARER):
                return False
        if changed > SAME and (bare is None or bare > COVERED or self._seen is False):
            return None
        # What is no bare table is the heap still, seen through a shadow before, or pushed a little.
        # The light drifts: the heap is remembered as it looks now.
        self._heap, self.bare = compared.now, bare or 0.0
        return True
