"""What a table looked like before: its bare cloth, itself without a pile, and before the cards came that lie on top."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.plane import Plane
from vision.table.cloth import Cloth
from vision.types import Image
from vision.watching.evidence import Compared
from vision.watching.follow import Follower
from vision.watching.register import Shift
from vision.watching.track import Changed

LEARNT: Final = 2.0
"""Seconds after which the cloth is learnt anew where there is time for it: light drifts slowly;"""
STALE: Final = 8.0
"""and after which it must be. Learning takes as long as half a reading, for which nobody should wait."""


class Remembered:
    """Pictures must be of one size and view: where it is another, :meth:`forget`; where it is nudged, :meth:`moved`."""

    def __init__(self) -> None:
        self.cloth: Cloth | None = None
        self.before_play: Image | None = None
        """Before the cards laid last came."""
        self._empty: Image | None = None
        self._white: NDArray[np.float32] | None = None
        self._printed: NDArray[np.float64] | None = None
        self._learnt_at = -1e9

    def forget(self) -> None:
        """All but what cards look like on this table."""
        self.cloth = self.before_play = self._empty = None

    def moved(self, shift: Shift) -> None:
        """The camera was nudged: all as it would look now. The cloth is learnt anew."""
        self.cloth = None
        self.before_play = None if self.before_play is None else shift.moved(self.before_play)
        self._empty = None if self._empty is None else shift.moved(self._empty)

    def look(self, follower: Follower, image: Image, at: float, *, idle: bool = True) -> None:
        """Learn the cloth, if it is time to; ``idle``: nothing waits for it."""
        if self.cloth is not None and at - self._learnt_at < (LEARNT if idle else STALE):
            return
        table = follower.table
        occupied = [table.pile.outline, *(seat.outline for seat in table.seats)]
        occupied += [zone.outline for zone in (table.stock, table.burnt) if zone is not None]
        cards = [card.corners for row in follower.rows for card in row.cards]
        self.cloth = Cloth.learn(image, table.plane, occupied, cards, self._white, self._printed)
        self._learnt_at, self._white, self._printed = at, self.cloth.white, self.cloth.printed

    def keep_empty(self, follower: Follower, image: Image) -> None:
        """Keep a picture of the table without a pile, if this is one."""
        if not follower.pile.cards:
            self._empty = image

    def compared(self, plane: Plane, before: Image | None, image: Image) -> Compared:
        """A picture beside one from before, and beside the bare table."""
        return Compared(plane, before, image, self.cloth, self._empty)

    def since_play(self, plane: Plane, image: Image) -> Changed | None:
        """How much differs from before the cards laid last came."""
        return None if self.before_play is None else Compared(plane, self.before_play, image).changed
