"""Where things lie on the table: the seats' rows, the pile, the stock, the burnt heap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STEP = 69.0
"""Millimetres from one upcard of a row to the next."""


@dataclass(frozen=True)
class Pose:
    """Where a card lies: its middle, its turn, and its height above the table, in millimetres and radians."""

    x: float
    y: float
    turn: float
    z: float = 0.0

    @property
    def at(self) -> Floats:
        return np.array([self.x, self.y])

    def moved(self, dx: float, dy: float, turn: float = 0.0) -> Pose:
        return Pose(self.x + dx, self.y + dy, self.turn + turn, self.z)


@dataclass(frozen=True)
class Seat:
    """A player's place: the middle of the row of upcards, the direction ``away`` from the table's middle."""

    at: Floats
    away: float

    @property
    def out(self) -> Floats:
        """The unit vector that points to the player."""
        return np.array([np.cos(self.away), np.sin(self.away)])

    def slot(self, number: int) -> Pose:
        """Where the row's card 0, 1 or 2 lies, upright for its player, left to right as the player sees it."""
        right = np.array([-self.out[1], self.out[0]])
        x, y = self.at + right * STEP * (number - 1)
        return Pose(float(x), float(y), self.away + np.pi / 2)

    def shoulder(self, side: float) -> Floats:
        """A point behind the table's edge that the arm comes from; ``side`` shifts it, in millimetres."""
        right = np.array([-self.out[1], self.out[0]])
        return np.asarray(self.at + self.out * 470 + right * side)


@dataclass(frozen=True)
class Layout:
    """The plan of one table, seats in playing order (clockwise, as seen from above)."""

    seats: tuple[Seat, ...]
    pile: Floats
    stock: Floats
    burnt: Floats
    stock_turn: float

    def outline(self) -> Floats:
        """Points (n, 2) that the film must hold: the rows' and heaps' corners with a little room."""
        points = []
        for seat in self.seats:
            right = np.array([-seat.out[1], seat.out[0]])
            points += [seat.at + right * u * 106 + seat.out * v * 48 for u in (-1, 1) for v in (-1, 1)]
        for heap in (self.stock, self.burnt, self.pile):
            points += [heap + np.array([u, v]) * 52 for u in (-1, 1) for v in (-1, 1)]
        return np.array(points, dtype=np.float64)

    def spots(self) -> Floats:
        """The middles of all that has its place here; shape (n, 2)."""
        return np.array([*(seat.at for seat in self.seats), self.pile, self.stock, self.burnt])


def _seat(x: float, y: float, degrees: float) -> Seat:
    return Seat(np.array([x, y], dtype=np.float64), float(np.radians(degrees)))


def make(players: int, rng: np.random.Generator) -> Layout:
    """A plan for 2 to 6 players: at a round table, or along the sides of a long one."""
    if players <= 5 and (players == 2 or rng.random() < 0.45):
        return _round(players, rng)
    return _long(players, rng)


def _round(players: int, rng: np.random.Generator) -> Layout:
    radius = {2: 148, 3: 168, 4: 180, 5: 192}[players] + rng.uniform(0, 8)
    start = rng.uniform(0, 360)
    angles = [start - 360 / players * i for i in range(players)]
    seats = tuple(_seat(radius * np.cos(np.radians(a)), radius * np.sin(np.radians(a)), a) for a in angles)
    gaps = [a + 180 / players for a in angles]
    rng.shuffle(gaps)
    room = 112 if players == 2 else 104 + 4 * (players - 3)
    heaps = [room * np.array([np.cos(np.radians(g)), np.sin(np.radians(g))]) for g in gaps[:2]]
    far = {2: 1.2, 3: 1.12}.get(players, 1.06)
    return Layout(seats, np.zeros(2), heaps[0], heaps[1] * far, float(np.radians(gaps[0]) + rng.normal(0, 0.1)))


def _long(players: int, rng: np.random.Generator) -> Layout:
    far = 152 + rng.uniform(0, 10)
    near, across = 124 + rng.uniform(0, 10), 268 + rng.uniform(0, 10)
    sides = [_seat(-near, -far, -90), _seat(-near, far, 90), _seat(near, far, 90), _seat(near, -far, -90)]
    if players == 3:
        sides = [_seat(-near, -far, -90), _seat(rng.uniform(-20, 20), far, 90), _seat(near, -far, -90)]
    elif players >= 5:
        sides.insert(3, _seat(across, 0, 0))
        if players == 6:
            sides.insert(1, _seat(-across, 0, 180))
    elif players == 2:
        sides = [_seat(0, -far, -90), _seat(0, far, 90)]
    pull = 1 if rng.random() < 0.5 or players >= 5 else -1
    turn = float(np.pi / 2 + rng.normal(0, 0.1))
    return Layout(
        tuple(sides), np.zeros(2), np.array([-112.0 * pull, rng.normal(0, 6)]), np.array([132.0 * pull, 0]), turn
    )
