"""Where cards come to lie: nobody lays them quite straight, and every film has its own untidiness."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from datasets.films.layout import Layout, Pose
from datasets.films.painter import THICKNESS

Floats = NDArray[np.float64]


class Places:
    """The poses of cards at one table."""

    def __init__(self, layout: Layout, rng: np.random.Generator) -> None:
        self.layout, self.rng = layout, rng
        self._untidy = float(rng.uniform(3.0, 9.0))
        self._crooked = float(rng.uniform(0.08, 0.4))

    def downcard(self, seat: int, number: int) -> Pose:
        """A seat's downcard 0, 1 or 2."""
        off = self.rng.normal(0, 2.2, 2)
        slot = self.layout.seats[seat].slot(number)
        return slot.moved(float(off[0]), float(off[1]), float(self.rng.normal(0, 0.035)))

    def upcard(self, seat: int, number: int) -> Pose:
        """The upcard on it, a little off, so that the back below may show."""
        place = self.layout.seats[seat].slot(number)
        off = self.rng.normal(0, 2.4, 2) - self.layout.seats[seat].out * float(self.rng.uniform(-1, 5))
        turn = place.turn + float(self.rng.normal(0, 0.04))
        return Pose(place.x + float(off[0]), place.y + float(off[1]), turn, 2 * THICKNESS)

    def on_pile(self, seat: int, below: int) -> Pose:
        """A card that a seat lays on a pile of ``below`` cards; one in four the wrong way round."""
        upright = self.layout.seats[seat].away + np.pi / 2 + (np.pi if self.rng.random() < 0.25 else 0)
        x, y = self.layout.pile + np.clip(self.rng.normal(0, self._untidy, 2), -18, 18)
        turn = float(upright + self.rng.normal(0, self._crooked))
        return Pose(float(x), float(y), turn, THICKNESS * (below + 1))

    def set_on_pile(self, seat: int, count: int, form: str, below: int) -> list[Pose]:
        """A set of ``count`` cards: ``fan``, ``row``, ``loose`` (each by itself) or ``squared``."""
        first = self.on_pile(seat, below)
        poses = [first]
        right = np.array([np.cos(first.turn), np.sin(first.turn)])
        step, bend = float(self.rng.uniform(13, 19)), float(self.rng.normal(-0.06, 0.05))
        drift = np.array([right[1], -right[0]]) * float(self.rng.uniform(-4, 4))
        for number in range(1, count):
            z = first.z + THICKNESS * number
            if form == "loose":
                other = self.on_pile(seat, below)
                poses.append(Pose(other.x, other.y, other.turn, z))
                continue
            if form == "fan":
                off, turn = (right * step + drift) * number, bend * number
            elif form == "row":
                off, turn = right * 0.7 * step * number + self.rng.normal(0, 3, 2), float(self.rng.normal(0, 0.1))
            else:
                off, turn = self.rng.normal(0, 0.9, 2), float(self.rng.normal(0, 0.012))
            poses.append(Pose(first.x + float(off[0]), first.y + float(off[1]), first.turn + turn, z))
        if form in ("fan", "row") and count > 1:
            middle = np.mean([pose.at for pose in poses], axis=0) - first.at
            poses = [pose.moved(float(-middle[0]), float(-middle[1])) for pose in poses]
        return poses

    def burnt(self, count: int, below: int) -> list[Pose]:
        """A pile of ``count`` cards, pushed onto a burnt heap of ``below``."""
        turn = float(self.rng.normal(0, 0.6)) + self.layout.stock_turn
        poses = []
        for number in range(count):
            x, y = self.layout.burnt + self.rng.normal(0, 6.5, 2)
            height = THICKNESS * (below + number + 1)
            poses.append(Pose(float(x), float(y), turn + float(self.rng.normal(0, 0.25)), height))
        return poses
