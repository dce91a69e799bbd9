"""What has changed and cannot be made out is looked at more closely; what a hand hides is looked at later."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.vision.tabletop import Tabletop, dealt, game
from vision.types import Image, ImageReading
from vision.watching.watcher import Watcher


class ShortSighted:
    """Misses one face, unless it looks closely."""

    def __init__(self, table: Tabletop, face: str, *, close: bool = False) -> None:
        self.table, self.face, self.close = table, face, close

    def closer(self) -> ShortSighted:
        return ShortSighted(self.table, self.face, close=True)

    def read(self, image: Image, regions: Sequence[tuple[int, int, int, int]] | None = None) -> ImageReading:
        self.table.misread = lambda card, _: None if card.face == self.face and not self.close else card.face
        return self.table.read(image, regions)


def test_a_card_that_was_missed_is_read_in_a_closer_look() -> None:
    table = Tabletop()
    cinema = dealt(table=table, watcher=Watcher(ShortSighted(table, "QD")))
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    cinema.reach(1, 2, lambda: table.lay("QD", 0.2, 0.1, 0.4))
    cinema.roll(0.5)
    assert game(cinema.seen) == ["DEAL", "LAID 9H", "LAID QD"]


def test_an_arm_beside_the_pile_is_no_card_and_leaves_nothing_behind() -> None:
    table = Tabletop()
    cinema = dealt(table=table)
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    for reach in (6.0, 3.0, 1.7):
        table.hands = [table.arm(1, 2, reach)]
        cinema.frame()
    cinema.roll(2.0)
    table.hands = []
    cinema.roll(2.5)
    assert game(cinema.seen) == ["DEAL", "LAID 9H"]


def test_hands_are_left_out_of_what_is_remembered() -> None:
    table = Tabletop()
    cinema = dealt(table=table)
    clean = table.image()
    table.hands = [table.arm(1, 2, 1.0)]
    for _ in range(4):
        cinema.frame()
    scene = cinema.watcher._gate.see(table.image(), cinema.number / 12)
    kept = scene.without_hands(table.image(), clean)
    assert np.abs(kept.astype(int) - clean).max(axis=2).mean() < 6
    assert np.abs(table.image().astype(int) - clean).max(axis=2).mean() > 6


def test_a_look_that_the_next_hand_ends_counts_by_majority() -> None:
    table = Tabletop()
    cinema = dealt(table=table)
    cinema.reach(0, 2, lambda: table.lay("9H", -0.4, 0.0, 0.1))
    # A corner beneath is read now and then, so that no two frames agree.
    table.misread = lambda card, number: None if card.face == "9H" and number % 2 else card.face
    for reach in (6.0, 2.0):
        table.hands = [table.arm(1, 2, reach)]
        cinema.frame()
    table.lay("QD", 0.3, 0.1, 0.3)
    table.hands = []
    for _ in range(8):
        cinema.frame()
        if cinema.watcher._zones[0].look is not None and cinema.watcher._zones[0].look.frames >= 3:
            break
    assert game(cinema.seen) == ["DEAL", "LAID 9H"]
    table.hands = [table.arm(0, 2, 0.0)]
    cinema.frame()
    cinema.frame()
    assert game(cinema.seen) == ["DEAL", "LAID 9H", "LAID QD"]
