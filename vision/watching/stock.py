"""Watches the stock's place: whether the heap still lies there, or bare table shows where it was.

A heap looks alike from its first card to its last. So the place is compared with what it looked like when the cards
were dealt: the end of the stock is one change of it all, to bare table, that stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.sources.base import Frame
from vision.table.cloth import Cloth
from vision.table.table import Table, Zone
from vision.types import Image, Observation, Seen
from vision.watching.evidence import Compared
from vision.watching.gate import Mask, Scene
from vision.watching.zones import cells_of

RADIUS: Final = 0.4
"""Card widths around the middle of the stock in which its cards lie, though it is nudged a little."""
AROUND: Final = 0.7
"""Card widths around it in which no hand may be."""
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
OFTEN: Final = 0.3
"""Seconds between two looks."""
AGREE: Final = 4
"""So many looks in a row must see the same,"""
FOR: Final = 1.2
"""for so many seconds: who draws the last card may put it back at once."""


class StockPlace:
    """The stock of a table that is watched. What it tells is an observation of the kind ``STOCK_LIES``: ``present``
    True where the heap lies there (told once after each play), False where it is used up."""

    def __init__(self, settle: float) -> None:
        self._settle = settle
        self._table: Table | None = None
        self._spot: Zone | None = None
        self._cells: Mask | None = None
        self._heap: Image | None = None
        self._bare = 1.0
        self._looked = -1e9
        self._seen: bool | None = None
        self._since = 0.0
        self._times = 0
        self._played = False
        """Whether something was played since the heap was told to lie there."""
        self._told = True
        """What was told last; a stock lies there as the game begins."""

    def lies(self, table: Table, image: Image) -> None:
        """The heap lies as it does in this picture. Called for the deal."""
        self._place(table)
        self._heap, self._bare, self._told = image, 1.0, True

    def _place(self, table: Table) -> None:
        self._table = table
        self._spot = None if table.stock is None else Zone.disc(table.stock.centre, RADIUS)
        self._cells = None if table.stock is None else cells_of(table, Zone.disc(table.stock.centre, AROUND))
        self._seen, self._times = None, 0

    def see(
        self,
        table: Table,
        image: Image,
        frame: Frame,
        scene: Scene,
        cloth: Cloth | None,
        seen: Sequence[Observation],
        untold: bool,
    ) -> list[Observation]:
        """What one frame has to tell, beside what was ``seen`` in it. While something is ``untold`` that happened
        before, nothing: whoever drew the last card has played first."""
        self._look(table, image, scene, frame.at, cloth)
        self._played |= any(one.kind in (Seen.LAID, Seen.GONE) for one in seen)
        if untold or self._seen is None or self._times < AGREE or frame.at - self._since < FOR:
            return []
        if self._seen is self._told and not (self._seen and self._played):
            return []
        self._told, self._played = self._seen, False
        return [Observation(Seen.STOCK_LIES, frame.at, frame.number, present=self._seen)]

    def _look(self, table: Table, image: Image, scene: Scene, at: float, cloth: Cloth | None) -> None:
        """Look at the place, if it lies still and uncovered."""
        if table is not self._table:
            self._moved(table)
        if self._spot is None or self._cells is None or self._heap is None or at - self._looked < OFTEN:
            return
        if scene.still_for(self._cells) < self._settle or scene.covering(self._cells):
            return
        self._looked = at
        lies = self._lies(Compared(table.plane, self._heap, image, cloth), self._spot)
        if lies is None or lies is not self._seen:
            self._seen, self._since, self._times = lies, at, 0
        self._times += 1

    def _moved(self, table: Table) -> None:
        """The camera has been nudged, or the picture has another size: the heap is seen from elsewhere."""
        old = self._table
        self._place(table)
        if old is not None and self._heap is not None and table.plane is not old.plane:
            matrix = np.linalg.inv(table.plane.matrix) @ old.plane.matrix
            self._heap = cv2.warpPerspective(self._heap, matrix, (table.width, table.height)).astype(np.uint8)

    def _lies(self, compared: Compared, spot: Zone) -> bool | None:
        """Whether the heap lies there now; None where that cannot be told."""
        changed, bare = compared.changed(spot.outline), compared.bare(spot.outline)
        if changed is None:
            return None
        if bare is not None and bare >= BARE and changed > SAME:
            barer = bare - self._bare
            if barer >= (BARER if changed >= OTHER else MUCH_BARER):
                return False
        if changed > SAME:
            return None
        # The light drifts: the heap is remembered as it looks now.
        self._heap, self._bare = compared.now, bare or 0.0
        return True
