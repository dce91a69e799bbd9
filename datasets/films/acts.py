"""What hands do at the table, a frame at a time.

Each act is a generator that changes the stage and yields once for each frame; acts that go on at the same time are
stepped in turn (:func:`together`). Lengths are millimetres, times seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from datasets.films.layout import Pose
from datasets.films.painter import THICKNESS
from datasets.films.stage import Arm, Piece, Stage

Act = Iterator[None]
Floats = NDArray[np.float64]

REACH = 42.0
"""How far before the hand's middle a carried card's middle is."""


class Hands:
    """The acts of one film. ``rate`` is frames a second, ``pace`` stretches all times."""

    def __init__(self, stage: Stage, rng: np.random.Generator, rate: float, pace: float) -> None:
        self.stage, self.rng, self.rate, self.pace = stage, rng, rate, pace

    # --- the elements -------------------------------------------------------------------------------------------------

    def wait(self, seconds: float) -> Act:
        for _ in range(round(seconds * self.pace * self.rate)):
            yield

    def move(
        self,
        arm: Arm,
        to: Floats,
        z: float,
        seconds: float,
        lift: float = 18.0,
        along: Callable[[float], None] | None = None,
    ) -> Act:
        """The hand goes to ``to`` on a slightly bent path, quickest midway, rising by ``lift``.

        ``along`` is called each frame with the share of the way, 0 to 1.
        """
        start, z0 = arm.at.copy(), arm.z
        way = to - start
        side = np.array([-way[1], way[0]]) * float(self.rng.normal(0, 0.06))
        frames = max(2, round(seconds * self.pace * self.rate * float(self.rng.uniform(0.85, 1.2))))
        for number in range(1, frames + 1):
            t = number / frames
            s = t**3 * (10 - 15 * t + 6 * t * t)
            arm.at = start + way * s + side * np.sin(np.pi * s)
            arm.z = z0 + (z - z0) * s + lift * float(np.sin(np.pi * s))
            if along is not None:
                along(s)
            yield

    def enter(self, seat: int, grip: str = "pinch") -> Arm:
        """A player's arm, still out of sight."""
        place = self.stage.layout.seats[seat]
        shoulder = place.shoulder(float(self.rng.normal(40, 45)))
        arm = Arm(seat, self.home(seat), shoulder, grip=grip)
        self.stage.arms.append(arm)
        return arm

    def home(self, seat: int) -> Floats:
        """Where a player's hand rests, out of the picture."""
        place = self.stage.layout.seats[seat]
        side = np.array([-place.out[1], place.out[0]])
        return np.asarray(place.at + place.out * 265 + side * float(self.rng.normal(10, 30)))

    def leave(self, arm: Arm, seconds: float = 0.5) -> Act:
        """The hand goes out of the picture."""
        yield from self.move(arm, self.home(arm.seat), 50, seconds)
        self.gone(arm)

    def gone(self, arm: Arm) -> None:
        if arm in self.stage.arms:
            self.stage.arms.remove(arm)

    def tilt(self) -> tuple[float, float]:
        return float(self.rng.normal(0, 45)), float(self.rng.normal(0, 45))

    def clear(self, arm: Arm, at: Floats, room: float = 105.0) -> bool:
        """Whether nothing of the arm is over what lies at ``at``."""
        if arm not in self.stage.arms:
            return True
        line = arm.shoulder - arm.at
        tip = arm.at - line / np.linalg.norm(line) * 60
        along = np.clip(np.dot(at - tip, line) / np.dot(line, line), 0, 1)
        return bool(np.linalg.norm(tip + along * (arm.shoulder - tip) - at) > room)

    # --- holding ------------------------------------------------------------------------------------------------------

    def take(self, arm: Arm, pieces: Sequence[Piece]) -> None:
        """The hand takes up cards just as they lie."""
        self.stage.remove(list(pieces))
        c, s = np.cos(arm.turn), np.sin(arm.turn)
        for piece in pieces:
            dx, dy = piece.pose.at - arm.at
            local = Pose(c * dx + s * dy, -s * dx + c * dy, piece.pose.turn - arm.turn, piece.pose.z - arm.z)
            arm.held.append((piece, local))

    def drop(self, arm: Arm, places: Sequence[Pose], count: int | None = None) -> list[Piece]:
        """The hand leaves its first ``count`` cards (all: None) at ``places``."""
        count = len(arm.held) if count is None else count
        left = [piece for piece, _ in arm.held[:count]]
        arm.held = arm.held[count:]
        for piece, place in zip(left, places, strict=True):
            piece.pose, piece.tip = place, 0.0
            piece.tilt = self.tilt()
            self.stage.add(piece)
        return left

    def carry(
        self, arm: Arm, targets: Sequence[Pose], seconds: float, along: Callable[[float], None] | None = None
    ) -> Act:
        """The hand brings what it holds to ``targets``; on the way the cards turn as they will lie."""
        spot = self._spot(arm, targets[0])
        probe = Arm(arm.seat, spot, arm.shoulder)
        c, s = np.cos(probe.turn), np.sin(probe.turn)
        pieces = [piece for piece, _ in arm.held]
        starts = [local for _, local in arm.held]
        goals = []
        for number, target in enumerate(targets):
            dx, dy = target.at - spot
            goals.append(Pose(c * dx + s * dy, -s * dx + c * dy, target.turn - probe.turn, THICKNESS * number))

        def mix(share: float) -> None:
            arm.held = [(p, _between(a, b, share)) for p, a, b in zip(pieces, starts, goals, strict=True)]
            if along is not None:
                along(share)

        yield from self.move(arm, spot, 4.0 + targets[0].z, seconds, 30, mix)

    def bring(self, arm: Arm, pieces: Sequence[Piece], targets: Sequence[Pose], seconds: float) -> Act:
        """Carry cards from out of sight to ``targets``, held just as they will lie."""
        spot = self._spot(arm, targets[0])
        turn = Arm(arm.seat, spot, arm.shoulder).turn
        c, s = np.cos(turn), np.sin(turn)
        for number, (piece, target) in enumerate(zip(pieces, targets, strict=True)):
            dx, dy = target.at - spot
            arm.held.append((piece, Pose(c * dx + s * dy, -s * dx + c * dy, target.turn - turn, THICKNESS * number)))
        yield from self.carry(arm, targets, seconds)

    def _spot(self, arm: Arm, target: Pose) -> Floats:
        """Where the hand must be for a card that it holds before it to lie at ``target``."""
        return np.asarray(target.at - self.forward(arm, target.at) * REACH)

    # --- acts ---------------------------------------------------------------------------------------------------------

    def lay(self, arm: Arm, pieces: Sequence[Piece], targets: Sequence[Pose], way: str) -> Act:
        """Lay a set on ``targets``: ``together``, ``dealt`` or ``one-by-one``; the hand stays over the last card."""
        if way == "one-by-one":
            for number, (piece, target) in enumerate(zip(pieces, targets, strict=True)):
                if number:
                    yield from self.move(arm, self.home(arm.seat), 45, 0.32)
                yield from self.bring(arm, [piece], [target], 0.42)
                self.drop(arm, [target])
                yield from self.wait(0.06)
            return
        yield from self.bring(arm, pieces, targets, 0.55)
        if way == "dealt":
            for target in targets[:-1]:
                self.drop(arm, [target], 1)
                yield from self.wait(float(self.rng.uniform(0.15, 0.3)))
                yield from self.move(arm, arm.at + self.rng.normal(0, 5, 2), arm.z, 0.12, 4)
            self.drop(arm, targets[-1:])
        else:
            self.drop(arm, targets)
        yield from self.wait(float(self.rng.uniform(0.05, 0.15)))

    def collect(self, arm: Arm, pieces: Sequence[Piece], at: Floats, *, gather: bool = True) -> Act:
        """The hand covers cards that lie about ``at``, pushes them together and holds them."""
        arm.grip = "spread"
        yield from self.move(arm, at - self.forward(arm, at) * 22, 6, 0.5)
        if gather and len(pieces) > 1:
            yield from self.squeeze(pieces, at, float(self.rng.uniform(0.3, 0.6)), 0.4)
        self.take(arm, pieces)

    def forward(self, arm: Arm, at: Floats) -> Floats:
        way = at - arm.shoulder
        return np.asarray(way / np.linalg.norm(way))

    def squeeze(self, pieces: Sequence[Piece], at: Floats, to: float, seconds: float) -> Act:
        """Cards are pushed towards ``at`` and one direction: what is left of their disorder is the share ``to``."""
        poses = [piece.pose for piece in pieces]
        turn = poses[-1].turn
        frames = max(2, round(seconds * self.pace * self.rate))
        for number in range(1, frames + 1):
            share = 1 - (1 - to) * number / frames
            for piece, pose in zip(pieces, poses, strict=True):
                x, y = at + (pose.at - at) * share
                off = (pose.turn - turn + np.pi / 2) % np.pi - np.pi / 2  # a card looks the same after half a turn
                piece.pose = Pose(float(x), float(y), pose.turn - off * (1 - share), pose.z)
            self.stage.changed()
            yield

    def carry_off(self, arm: Arm) -> Act:
        """The hand goes out of sight with all it holds."""
        yield from self.move(arm, self.home(arm.seat) + self.stage.layout.seats[arm.seat].out * 60, 30, 0.6, 10)
        arm.held = []
        self.gone(arm)

    def lift(self, arm: Arm, pieces: Sequence[Piece]) -> Act:
        """The hand takes cards that lie and goes out of sight with them."""
        arm.grip = "pinch"
        at = pieces[-1].pose.at
        yield from self.move(arm, at - self.forward(arm, at) * REACH * 0.8, 4, 0.45)
        self.take(arm, pieces)
        yield from self.wait(0.05)
        yield from self.carry_off(arm)

    def draw(self, arm: Arm, count: int, taken: Callable[[], None]) -> Act:
        """The hand takes ``count`` cards from the stock, unseen. ``taken`` is called when they have left it."""
        arm.grip = "pinch"
        at = self.stage.layout.stock
        yield from self.move(arm, at - self.forward(arm, at) * REACH * 0.8, 8 + len(self.stage.stock) * THICKNESS, 0.42)
        backs = [Piece("", False, pose) for pose in self.stage.stock[len(self.stage.stock) - count :]]
        del self.stage.stock[len(self.stage.stock) - count :]
        self.take(arm, backs)
        taken()
        yield from self.carry_off(arm)

    def turn_over(self, arm: Arm, piece: Piece, target: Pose) -> Act:
        """The hand takes a card that lies face down, turns it on the way and lays it at ``target``."""
        yield from self.pick(arm, [piece])
        turning = self._flip(piece, 0.5)
        yield from self.carry(arm, [target], 0.62, lambda _: next(turning, None))
        for _ in turning:
            yield
        self.drop(arm, [target])
        yield from self.wait(0.08)

    def flip_held(self, arm: Arm) -> Act:
        """All that the hand holds is turned over, as one."""
        turning = [self._flip(piece, 0.35) for piece, _ in arm.held]
        arm.held.reverse()
        for _ in zip(*turning, strict=True):
            yield

    def pick(self, arm: Arm, pieces: Sequence[Piece]) -> Act:
        """The hand takes table cards, one after the other, and holds them over the table."""
        arm.grip = "pinch"
        for piece in pieces:
            at = piece.pose.at
            yield from self.move(arm, at - self.forward(arm, at) * REACH, 4, 0.45 if piece is pieces[0] else 0.25)
            yield from self.wait(0.06)
            self.take(arm, [piece])

    def _flip(self, piece: Piece, seconds: float) -> Act:
        was_up = piece.up
        frames = max(4, round(seconds * self.pace * self.rate))
        for number in range(1, frames + 1):
            angle = np.pi * number / frames
            piece.up = was_up != (angle > np.pi / 2)
            piece.tip = float(angle if angle <= np.pi / 2 else angle - np.pi)
            yield
        piece.tip = 0.0


def _between(start: Pose, end: Pose, share: float) -> Pose:
    """The pose on the way, turning the shorter way round."""
    off = (end.turn - start.turn + np.pi) % (2 * np.pi) - np.pi
    return Pose(
        start.x + (end.x - start.x) * share,
        start.y + (end.y - start.y) * share,
        start.turn + off * share,
        start.z + (end.z - start.z) * share,
    )


def together(first: Act, second: Act) -> Act:
    """Two acts at the same time, until both are over."""
    running = [first, second]
    while running:
        for act in list(running):
            if next(act, running) is running:
                running.remove(act)
        if running:
            yield
