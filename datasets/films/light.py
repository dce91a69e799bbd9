"""The light in the room, and what a camera makes of it: exposure, colour, blur, noise."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.films.camera import Camera

Image = NDArray[np.uint8]

GAIN = 1 / 160
"""What one step of the 8-bit light map multiplies with: 160 leaves a colour as it is."""


@dataclass(frozen=True)
class Light:
    """A lamp above the table in an otherwise evenly lit room.

    ``lamp`` is where it hangs (x, y in millimetres), ``spread`` how wide its pool is, ``ambient`` the share of the
    room's light (0 to 1), ``tint`` the colour of all light (BGR factors), ``shadow`` how deep shadows are and ``soft``
    how blurred (pixels per millimetre of height), ``glare`` how strongly gloss mirrors the lamp.
    """

    lamp: tuple[float, float]
    spread: float
    ambient: float
    tint: tuple[float, float, float]
    shadow: float
    soft: float
    glare: float

    def shift(self, at: NDArray[np.float64], height: float) -> NDArray[np.float64]:
        """How far (x, y) the shadow of something ``height`` above ``at`` falls from it."""
        away = at - np.array(self.lamp)
        return np.asarray(away * (height / 650.0), dtype=np.float64)

    def map(self, camera: Camera) -> Image:
        """Per pixel of the straight picture, by how much it is lit (see ``GAIN``); shape (height, width, 3)."""
        at, width, height = _ground(camera)
        far = np.hypot(at[..., 0] - self.lamp[0], at[..., 1] - self.lamp[1])
        field = self.ambient + (1 - self.ambient) * np.exp(-((far / self.spread) ** 2) / 2)
        middle = self.ambient + (1 - self.ambient) * np.exp(-((np.hypot(*self.lamp) / self.spread) ** 2) / 2)
        field = (field / max(middle, 0.3))[..., None] * np.array(self.tint)
        small = np.clip(field / GAIN, 0, 255).astype(np.float32)
        big = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
        # Dithered, so that a slow gradient makes no bands.
        dither = np.random.default_rng(1).random(big.shape[:2], dtype=np.float32)[..., None]
        return np.asarray(np.clip(big + dither, 0, 255), dtype=np.uint8)

    def mirror(self, camera: Camera) -> Image:
        """Per pixel of the straight picture, how brightly a level glossy surface mirrors the lamp; (height, width)."""
        at, width, height = _ground(camera)
        # The mirror image lies between the lamp and the camera's foot.
        flat = camera.distance * np.cos(camera.elevation)
        foot = np.array(camera.target) + flat * np.array([np.cos(camera.azimuth), np.sin(camera.azimuth)])
        spot = 0.55 * np.array(self.lamp) + 0.45 * foot
        far = np.hypot(at[..., 0] - spot[0], at[..., 1] - spot[1])
        small = (255 * self.glare * np.exp(-((far / 60) ** 2))).clip(0, 255).astype(np.uint8)
        return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _ground(camera: Camera) -> tuple[NDArray[np.float64], int, int]:
    """The table point behind every 8th pixel of the straight picture, and that picture's size."""
    width, height = camera.canvas_size
    x, y = np.meshgrid(np.linspace(0, width, width // 8), np.linspace(0, height, height // 8))
    rays = np.stack([x, y, np.ones_like(x)], axis=-1) @ np.linalg.inv(camera.plane()).T
    return np.asarray(rays[..., :2] / rays[..., 2:], np.float64), width, height


def make(rng: np.random.Generator) -> Light:
    """A light by chance: from even daylight to one warm lamp at the side."""
    turn, far = rng.uniform(0, 2 * np.pi), rng.uniform(80, 420)
    warm = rng.normal(0, 0.09)
    return Light(
        lamp=(float(far * np.cos(turn)), float(far * np.sin(turn))),
        spread=float(rng.uniform(260, 620)),
        ambient=float(rng.uniform(0.3, 0.9)),
        tint=(float(1 - warm), float(rng.normal(1.0, 0.015)), float(1 + warm)),
        shadow=float(rng.uniform(0.2, 0.6)),
        soft=float(rng.uniform(0.12, 0.4)),
        glare=float(rng.choice([0.0, rng.uniform(0.05, 0.25), rng.uniform(0.25, 0.5)], p=[0.3, 0.5, 0.2])),
    )


class Sensor:
    """The camera's inside: from the lit picture to the film's frame, one call a frame.

    ``exposure`` is the middle brightness factor; it drifts slowly by ``drift``, and the colour with it. ``blur`` is the
    lens's, in pixels; ``noise`` the deviation in steps of 255.
    """

    def __init__(self, rng: np.random.Generator, exposure: float, drift: float, blur: float, noise: float) -> None:
        self._rng = rng
        self._exposure, self._drift, self._blur = exposure, drift, blur
        self._phase = rng.uniform(0, 2 * np.pi, 6)
        self._gamma = float(rng.uniform(0.9, 1.12))
        self._tiles = [self._grain(rng, noise) for _ in range(3)] if noise > 0 else []
        self._meter = 0.0

    @staticmethod
    def _grain(rng: np.random.Generator, noise: float) -> NDArray[np.int16]:
        fine = rng.normal(0, noise, (720 + 64, 1280 + 64, 3)).astype(np.float32)
        fine = 0.55 * fine + 0.9 * cv2.GaussianBlur(fine, (0, 0), 0.9)
        return np.asarray(np.round(fine), np.int16)

    def focus(self, picture: Image) -> Image:
        """The picture as sharp as this lens draws it (the part of the work that a still scene needs only once)."""
        if self._blur < 0.3:
            return picture
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), self._blur), np.uint8)

    def expose(self, picture: Image, frame: int, dark: float = 0.0) -> Image:
        """The frame numbered ``frame``. ``dark`` (0 to 1) is how much of the view something dark hides: the exposure
        follows it slowly, as automatic exposure does."""
        self._meter += 0.05 * (dark - self._meter)
        t = frame / 30
        slow = np.sin(t * np.array([0.11, 0.17, 0.047, 0.29, 0.07, 0.13]) + self._phase)
        gain = self._exposure * (1 + self._drift * (0.6 * slow[0] + 0.4 * slow[1]) + 0.12 * self._meter)
        channels = gain * (1 + 0.4 * self._drift * np.array([slow[2], 0.2 * slow[3], slow[4]]))
        steps = np.arange(256)[:, None] / 255 * channels
        bent = np.where(steps < 0.8, steps, 0.8 + 0.2 * np.tanh((steps - 0.8) / 0.2)) ** self._gamma
        table = np.clip(np.round(bent * 255), 0, 255).astype(np.uint8)
        shown = cv2.LUT(picture, table.reshape(256, 1, 3))
        if not self._tiles:
            return np.asarray(shown, np.uint8)
        tile = self._tiles[int(self._rng.integers(len(self._tiles)))]
        y, x = (int(v) for v in self._rng.integers(0, 64, 2))
        height, width = picture.shape[:2]
        return np.asarray(cv2.add(shown, tile[y : y + height, x : x + width], dtype=cv2.CV_8U), np.uint8)
