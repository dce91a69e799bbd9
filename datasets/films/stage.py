"""The table as it stands at one moment: cards that lie, arms over them, and how a frame of it is painted."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from datasets.films.camera import Camera
from datasets.films.hands import Body, sprite
from datasets.films.layout import Layout, Pose
from datasets.films.light import Light
from datasets.films.painter import THICKNESS, Painter, Sprite
from datasets.films.surfaces import Surface

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(eq=False)
class Piece:
    """A card on the table. ``face`` is what it is, whichever side is up; ``tip`` turns it over (0: flat)."""

    face: str
    up: bool
    pose: Pose
    tilt: tuple[float, float] = (0.0, 0.0)
    tip: float = 0.0

    @property
    def side(self) -> str | None:
        """The face if it shows, None for the back."""
        return self.face if self.up else None


@dataclass(eq=False)
class Prop:
    """Something else that lies about."""

    sprite: Sprite
    pose: Pose


@dataclass(eq=False)
class Arm:
    """A player's arm over the table. ``held`` are cards with their place in the hand's own millimetres."""

    seat: int
    at: Floats
    shoulder: Floats
    z: float = 60.0
    grip: str = "pinch"
    held: list[tuple[Piece, Pose]] = field(default_factory=list)
    over: bool = True

    @property
    def turn(self) -> float:
        """The direction from shoulder to hand, as the turn of something upright."""
        dx, dy = self.at - self.shoulder
        return float(np.arctan2(dy, dx) - np.pi / 2)

    def place(self, local: Pose) -> Pose:
        """Where something held lies on the table."""
        c, s = np.cos(self.turn), np.sin(self.turn)
        x, y = self.at[0] + c * local.x - s * local.y, self.at[1] + s * local.x + c * local.y
        return Pose(float(x), float(y), self.turn + local.turn, local.z + self.z)


class Stage:
    """All that the camera sees. Change ``pieces``, ``stock`` and ``arms``, then :meth:`picture` paints them.

    ``pieces`` lie in painting order. What lies still is painted once and kept; call :meth:`changed` after a change of
    what lies, unless a piece was merely added on top (:meth:`add`).
    """

    def __init__(self, painter: Painter, layout: Layout, bodies: list[Body], rng: np.random.Generator) -> None:
        self.painter, self.layout, self.rng = painter, layout, rng
        self.pieces: list[Piece] = []
        self.stock: list[Pose] = []
        self.props: list[Prop] = []
        self.arms: list[Arm] = []
        self._bodies = bodies
        self._hands: dict[tuple[int, str], Sprite] = {}
        self._kept: Image | None = None
        self._empty: Image | None = None
        self.hides = 0.0
        self.dirty = True

    def changed(self) -> None:
        """What lies has changed: it is painted anew."""
        self._kept = None

    def add(self, piece: Piece) -> None:
        """A piece comes to lie on top."""
        self.pieces.append(piece)
        if self._kept is not None:
            self._paint_piece(self._kept, piece)
            self.dirty = True

    def remove(self, pieces: list[Piece]) -> None:
        """These pieces lie no more."""
        self.pieces = [piece for piece in self.pieces if piece not in pieces]
        self.changed()

    def look_from(self, camera: Camera, surface: Surface, light: Light) -> None:
        """The camera has moved."""
        self.painter = Painter(camera, surface, light, self.painter.deck, self.painter)
        self._empty = self._kept = None

    def still(self) -> Image:
        """The straight picture of what lies, without arms; not to be painted on."""
        if self._empty is None:
            self._empty = self.painter.table()
            for prop in self.props:
                self.painter.shadow(self._empty, prop.sprite, prop.pose)
                self.painter.paste(self._empty, prop.sprite, self.painter.frame(prop.pose))
        if self._kept is None:
            self._kept = self._empty.copy()
            self._paint_stock(self._kept)
            for piece in self.pieces:
                self._paint_piece(self._kept, piece)
            self.dirty = True
        return self._kept

    def picture(self) -> Image:
        """The straight picture with everything."""
        lying = self.still()
        arms = [arm for arm in self.arms if arm.over]
        self.hides = 0.12 * len(arms)
        if not arms:
            return lying
        self.dirty = True
        picture = lying.copy()
        for arm in arms:
            hand = self._hand(arm.seat, arm.grip)
            lies = Pose(float(arm.at[0]), float(arm.at[1]), arm.turn, arm.z + 14)
            self.painter.shadow(picture, hand, lies, 0.9)
            for piece, local in arm.held:
                self.painter.card(picture, piece.side, arm.place(local), tip=piece.tip, tilt=piece.tilt)
            self.painter.paste(picture, hand, self.painter.frame(lies))
        return picture

    def _paint_piece(self, picture: Image, piece: Piece) -> None:
        self.painter.card(picture, piece.side, piece.pose, tip=piece.tip, tilt=piece.tilt)

    def _paint_stock(self, picture: Image) -> None:
        if self.stock:
            self.painter.heap(picture, self.stock)
            self.painter.card(picture, None, self.stock[-1], shadow=False)

    def _hand(self, seat: int, grip: str) -> Sprite:
        if (seat, grip) not in self._hands:
            place = self.layout.seats[seat]
            turn = place.away + np.pi / 2  # an arm's turn when it reaches straight to the middle
            lamp = np.array(self.painter.light.lamp) - place.at
            lamp = lamp / max(float(np.linalg.norm(lamp)), 1.0)
            c, s = np.cos(turn), np.sin(turn)
            local = (float(c * lamp[0] + s * lamp[1]), float(-s * lamp[0] + c * lamp[1]))
            chance = np.random.default_rng([seat, len(grip), int(self._bodies[seat].skin[0])])
            self._hands[seat, grip] = sprite(self._bodies[seat], grip, local, chance)
        return self._hands[seat, grip]


def heap_of(count: int, at: Floats, turn: float, rng: np.random.Generator) -> list[Pose]:
    """A squared-up heap of ``count`` cards, lowest first."""
    lean = rng.normal(0, 0.02, 2)
    return [
        Pose(
            float(at[0] + rng.normal(0, 0.25) + lean[0] * i),
            float(at[1] + rng.normal(0, 0.25) + lean[1] * i),
            turn + float(rng.normal(0, 0.006)),
            THICKNESS * (i + 1),
        )
        for i in range(count)
    ]
