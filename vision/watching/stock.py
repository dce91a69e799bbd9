"""Watches the stock: whether it still lies there, or is used up."""

from __future__ import annotations

from collections.abc import Sequence

from vision.sources.base import Frame
from vision.table.cloth import Cloth
from vision.table.table import Table
from vision.types import Image, Observation, Seen
from vision.watching.gate import Scene
from vision.watching.heap import HeapPlace


class StockPlace:
    """The stock of a table that is watched. What it tells is an observation of the kind ``STOCK_LIES``: ``present``
    True where the heap lies there (told once after each play), False where it is used up."""

    def __init__(self, settle: float) -> None:
        self._place = HeapPlace(settle)
        self._played = False
        """Whether something was played since the heap was told to lie there."""
        self._told = True
        """What was told last; a stock lies there as the game begins."""

    @property
    def gone(self) -> bool:
        """Whether the stock is used up."""
        return not self._told

    @property
    def bare(self) -> float:
        """How much of a back looks like the table, as far as is known."""
        return self._place.bare

    def lies(self, table: Table, image: Image) -> None:
        """The heap lies as it does in this picture. Called for the deal."""
        self._place.put(table, None if table.stock is None else table.stock.centre)
        self._place.lies(image)
        self._told = True

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
        self._place.look(table, image, scene, frame.at, cloth)
        self._played |= any(one.kind in (Seen.LAID, Seen.GONE) for one in seen)
        lies = self._place.seen(frame.at)
        if untold or lies is None or (lies is self._told and not (lies and self._played)):
            return []
        self._told, self._played = lies, False
        return [Observation(Seen.STOCK_LIES, frame.at, frame.number, present=lies)]
