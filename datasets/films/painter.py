"""Paints cards, heaps and things onto the straight picture, with their shadows and their gloss."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.films.camera import Camera
from datasets.films.deck_source import CARD_HEIGHT, Art, Deck, resized
from datasets.films.layout import Pose
from datasets.films.light import GAIN, Light
from datasets.films.surfaces import Surface

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]

THICKNESS = 0.3
"""Millimetres from one card of a heap to the next."""
_PAD = 2


@dataclass(frozen=True)
class Sprite:
    """Something flat, ready to be warped: colours already multiplied by ``alpha``, both 3 channels, a transparent rim.

    ``to_local`` maps its pixels to millimetres about its own middle, y up.
    """

    colour: Image
    alpha: Image
    to_local: Matrix

    @classmethod
    def of(cls, art: Art, height: float, unit: float) -> Sprite:
        """From BGRA art that is ``height`` millimetres high, at about ``unit`` pixels a millimetre."""
        rows = max(8, round(height * unit))
        columns = max(4, round(rows * art.shape[1] / art.shape[0]))
        small = np.pad(resized(art, (columns, rows)), ((_PAD, _PAD), (_PAD, _PAD), (0, 0)))
        alpha = np.ascontiguousarray(np.repeat(small[..., 3:], 3, axis=2))
        colour = cv2.multiply(np.ascontiguousarray(small[..., :3]), alpha, scale=1 / 255)
        step = height / rows
        to_local = np.array(
            [[step, 0, -step * (columns / 2 + _PAD)], [0, -step, step * (rows / 2 + _PAD)], [0, 0, 1.0]]
        )
        return cls(np.asarray(colour, np.uint8), alpha, to_local)


class Painter:
    """Everything that depends on where camera and lamp are. Pictures are BGR of ``camera.canvas_size``."""

    _unit: float
    _sprites: dict[str, Sprite]
    _shape: Sprite

    def __init__(
        self, camera: Camera, surface: Surface, light: Light, deck: Deck, before: Painter | None = None
    ) -> None:
        self.camera, self.surface, self.light, self.deck = camera, surface, light, deck
        self._lit = light.map(camera)
        self._mirror = light.mirror(camera)
        if before is not None:  # the camera has moved a little: what was made for it before still serves
            self._unit, self._sprites, self._shape = before._unit, before._sprites, before._shape
            return
        self._unit = 1.15 * camera.scale()
        self._sprites = {}
        shape = np.zeros((96, round(96 * deck.width / CARD_HEIGHT), 4), np.uint8)
        shape[..., 3] = 255
        self._shape = Sprite.of(np.pad(shape, ((12, 12), (12, 12), (0, 0))), CARD_HEIGHT * 120 / 96, self._unit)

    def table(self) -> Image:
        """The empty, lit table."""
        warp = self.camera.plane() @ np.linalg.inv(self.surface.to_texture())
        size = self.camera.canvas_size
        plain = cv2.warpPerspective(
            self.surface.texture, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
        lit = cv2.multiply(plain, self._lit, scale=GAIN)
        if self.surface.gloss > 0 and self.light.glare > 0:
            sheen = cv2.convertScaleAbs(cv2.GaussianBlur(self._mirror, (0, 0), 12), alpha=0.6 * self.surface.gloss)
            lit = cv2.add(lit, cv2.merge([sheen] * 3))
        return np.asarray(lit, np.uint8)

    def sprite(self, face: str | None) -> Sprite:
        """The sprite of a face, or of the back (None)."""
        key = face or "back"
        if key not in self._sprites:
            art = self.deck.back if face is None else self.deck.faces[face]
            self._sprites[key] = Sprite.of(art, CARD_HEIGHT, self._unit)
        return self._sprites[key]

    def card(
        self,
        picture: Image,
        face: str | None,
        pose: Pose,
        *,
        tip: float = 0.0,
        tilt: tuple[float, float] = (0.0, 0.0),
        shadow: bool = True,
    ) -> None:
        """Paint one card. ``tip`` turns it about its long axis (pi: the other side shows, seen through its own back, so
        callers give the side that faces up); ``tilt`` is where its own slight slant moves the lamp's mirror image."""
        if shadow:
            self.shadow(picture, self._shape, pose)
        frame = self.frame(pose, tip)
        shade = 1.0 - 0.25 * abs(np.sin(tip))
        self.paste(picture, self.sprite(face), frame, shade, tilt)

    def frame(self, pose: Pose, tip: float = 0.0) -> Matrix:
        """The homography, shape (3, 3), from a thing's own millimetres to pixels, lying at ``pose``."""
        c, s = np.cos(pose.turn), np.sin(pose.turn)
        right = np.array([c * np.cos(tip), s * np.cos(tip), np.sin(tip)])
        rise = abs(np.sin(tip)) * self.deck.width / 2
        return self.camera.frame(right, np.array([-s, c, 0.0]), np.array([pose.x, pose.y, pose.z + rise]))

    def paste(
        self, picture: Image, sprite: Sprite, frame: Matrix, shade: float = 1.0, tilt: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        """Warp a sprite into the picture, lit and glossy."""
        place = _placed(picture, sprite.colour, frame @ sprite.to_local)
        if place is None:
            return
        area, shift, size = place
        warp = shift @ frame @ sprite.to_local
        colour = cv2.warpPerspective(sprite.colour, warp, size, flags=cv2.INTER_LINEAR)
        alpha = cv2.warpPerspective(sprite.alpha, warp, size, flags=cv2.INTER_LINEAR)
        colour = cv2.multiply(colour, self._lit[area], scale=GAIN * shade)
        if self.light.glare > 0:
            colour = cv2.add(colour, cv2.multiply(self._gloss(area, tilt), alpha, scale=1 / 255))
        below = picture[area]
        cv2.multiply(below, cv2.bitwise_not(alpha), dst=below, scale=1 / 255)
        cv2.add(below, colour, dst=below)

    def _gloss(self, area: tuple[slice, slice], tilt: tuple[float, float]) -> Image:
        height, width = self._mirror.shape
        rows, columns = area
        dy = int(np.clip(tilt[1], -rows.start, height - rows.stop))
        dx = int(np.clip(tilt[0], -columns.start, width - columns.stop))
        part = self._mirror[rows.start + dy : rows.stop + dy, columns.start + dx : columns.stop + dx]
        return np.asarray(cv2.merge([part, part, part]), np.uint8)

    def shadow(self, picture: Image, shape: Sprite, pose: Pose, depth: float = 1.0) -> None:
        """Darken the picture where ``shape`` at ``pose`` keeps the lamp's light from the table below it."""
        height = pose.z + 1.6
        dx, dy = self.light.shift(pose.at, height)
        frame = self.frame(Pose(pose.x + dx, pose.y + dy, pose.turn, 0.0))
        place = _placed(picture, shape.alpha, frame @ shape.to_local, 12)
        if place is None:
            return
        area, shift, size = place
        warp = shift @ frame @ shape.to_local
        mask = np.asarray(cv2.warpPerspective(shape.alpha[..., 0], warp, size, flags=cv2.INTER_LINEAR), np.uint8)
        spread = 0.8 + self.light.soft * min(height, 60) * self._unit * 0.5
        deep = self.light.shadow * depth * 0.9
        below = picture[area]
        cv2.multiply(below, _kept(blurred(mask, spread), deep), dst=below, scale=1 / 255)

    def heap(self, picture: Image, poses: list[Pose], tone: int = 214) -> None:
        """The white edges of a heap of cards: paint the top card yourself."""
        half = np.array([self.deck.width / 2, CARD_HEIGHT / 2])
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        if poses:
            self.shadow(picture, self._shape, Pose(poses[0].x, poses[0].y, poses[0].turn, len(poses) * THICKNESS))
        for number, pose in enumerate(poses):
            c, s = np.cos(pose.turn), np.sin(pose.turn)
            flat = corners @ np.array([[c, s], [-s, c]]) + pose.at
            pixels = np.round(self.camera.straight(flat, pose.z) * 16).astype(np.int32)
            centre = pixels.mean(axis=0) / 16
            row = int(np.clip(centre[1], 0, self._lit.shape[0] - 1))
            column = int(np.clip(centre[0], 0, self._lit.shape[1] - 1))
            shade = tone - 34 * (number % 2)
            lit = np.clip(self._lit[row, column].astype(float) * GAIN * shade, 0, 255)
            cv2.fillPoly(picture, [pixels], lit.tolist(), cv2.LINE_AA, 4)


def blurred(mask: Image, spread: float) -> Image:
    """A Gaussian blur that stays cheap when it is wide."""
    if spread < 4:
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), spread), np.uint8)
    height, width = mask.shape[:2]
    by = 4 if min(height, width) >= 32 else 1
    small = cv2.resize(mask, (max(1, width // by), max(1, height // by)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(cv2.GaussianBlur(small, (0, 0), spread / by), (width, height)), np.uint8)


def _kept(mask: Image, deep: float) -> Image:
    """Three channels of the light that is left where ``mask`` shades ``deep``."""
    table = np.clip(255 - deep * np.arange(256), 0, 255).astype(np.uint8)
    left = cv2.LUT(mask, table)
    return np.asarray(cv2.merge([left, left, left]), np.uint8)


def _placed(
    picture: Image, art: Image, warp: Matrix, border: int = 1
) -> tuple[tuple[slice, slice], Matrix, tuple[int, int]] | None:
    """The part of the picture that warped art touches, the shift into that part, and its size; None outside."""
    height, width = art.shape[:2]
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1.0]]) @ warp.T
    points = corners[:, :2] / corners[:, 2:]
    low = np.floor(points.min(axis=0)).astype(int) - border
    high = np.ceil(points.max(axis=0)).astype(int) + border
    x0, y0 = max(0, int(low[0])), max(0, int(low[1]))
    x1, y1 = min(picture.shape[1], int(high[0])), min(picture.shape[0], int(high[1]))
    if x1 <= x0 or y1 <= y0:
        return None
    shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
    return (slice(y0, y1), slice(x0, x1)), shift, (x1 - x0, y1 - y0)
