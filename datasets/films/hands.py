"""Hands and arms, modelled as tubes and shaded: every tone of skin, sleeves of every kind, right and left.

A hand's own millimetres: the origin is where it holds or touches, y runs forward through the fingers, the arm comes
from below (negative y). It is seen from above, palm down.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.films.painter import Sprite

Floats = NDArray[np.float32]

UNIT = 1.7
"""Pixels of a sprite per millimetre."""
ARM = 640.0
"""Millimetres of arm behind the hand: enough to reach out of any picture."""
_HALF, _FRONT, _BACK = 100.0, 95.0, 175.0  # the part that is modelled finely: half its width, before and behind

# Fingers as (base, joint, tip, radius at base, radius at tip) from the forefinger on, and the thumb, for a right hand.
_SPREAD = (
    ((-27, -26), (-36, 16), (-38, 46), 10.0, 7.6),
    ((-9, -20), (-11, 28), (-12, 60), 10.2, 7.6),
    ((9, -22), (12, 24), (14, 54), 9.6, 7.2),
    ((25, -30), (33, 6), (38, 30), 8.4, 6.4),
    ((-34, -76), (-60, -46), (-70, -14), 13.5, 9.5),
)
_PINCH = (
    ((-25, -44), (-24, -10), (-13, 14), 10.0, 7.4),
    ((-8, -40), (-6, -2), (0, 20), 10.2, 7.6),
    ((9, -42), (12, -8), (11, 14), 9.6, 7.2),
    ((24, -50), (28, -20), (23, 2), 8.4, 6.4),
    ((-32, -86), (-46, -54), (-26, -8), 13.0, 9.3),
)
_FOREARM: list[tuple[float, ...]] = [
    (0, -108, 2, -150, 24.0, 26.0, 3.0),
    (2, -150, 6, -320, 26.0, 38.0, 3.0),
    (6, -320, 8, -ARM, 38.0, 46.0, 3.0),
]
POSES = {"spread": _SPREAD, "pinch": _PINCH}
_SKIN = (
    (182, 204, 238),
    (160, 186, 228),
    (132, 164, 214),
    (104, 140, 198),
    (74, 106, 164),
    (52, 76, 124),
    (38, 52, 84),
)


@dataclass(frozen=True)
class Body:
    """What makes one player's hands: ``skin`` BGR, ``left`` handed, ``size`` (1: 185 mm long), sleeve and its end."""

    skin: tuple[float, float, float]
    left: bool
    size: float
    sleeve: tuple[float, float, float]
    pattern: str
    cuff: float
    nails: float

    @classmethod
    def make(cls, rng: np.random.Generator) -> Body:
        """Somebody by chance; one in four with bare forearms."""
        tone = np.array(_SKIN[int(rng.integers(len(_SKIN)))]) * rng.uniform(0.92, 1.06)
        hsv = np.array([[[rng.uniform(0, 180), rng.uniform(0, 190), rng.uniform(25, 235)]]]).astype(np.uint8)
        sleeve = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
        return cls(
            skin=(float(tone[0]), float(tone[1]), float(tone[2])),
            left=bool(rng.random() < 0.2),
            size=float(rng.uniform(0.86, 1.08)),
            sleeve=(float(sleeve[0]), float(sleeve[1]), float(sleeve[2])),
            pattern=str(rng.choice(["plain", "stripes", "knit", "checks"])),
            cuff=float(rng.uniform(330, 420) if rng.random() < 0.25 else rng.uniform(112, 190)),
            nails=float(rng.choice([0.0, rng.uniform(0, 180)], p=[0.85, 0.15])),
        )


def sprite(body: Body, pose: str, lamp: tuple[float, float], rng: np.random.Generator) -> Sprite:
    """A player's arm in a pose. ``lamp`` is the unit direction (in the hand's own x, y) that the light comes from."""
    hand = _relief(_fingers(pose, rng), (-_BACK, _FRONT))
    arm = _relief(_FOREARM, (-ARM, _FRONT))
    rows = hand.shape[0]
    height = arm.copy()
    height[:rows] = np.maximum(height[:rows], hand)
    mask = np.clip(height / 3.0, 0, 1)
    colour = _skin(body, pose, height, rng)
    sleeve, cover = _sleeve(body, rng, height.shape)
    height = np.where(cover > 0, sleeve, height)
    mask = np.maximum(mask * (cover == 0), np.clip(sleeve / 4.0, 0, 1) * cover)
    colour = np.where(cover[..., None] > 0, _cloth(body, rng, height), colour)
    shade = _shade(height, lamp if not body.left else (-lamp[0], lamp[1]))
    picture = np.clip(colour * shade[..., None], 0, 255)
    mask = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 0.7)
    art = np.dstack([picture, 255 * mask]).astype(np.uint8)
    if body.left:
        art = np.ascontiguousarray(art[:, ::-1])
    alpha = np.ascontiguousarray(np.repeat(art[..., 3:], 3, axis=2))
    step = body.size / UNIT
    to_local = np.array([[step, 0, -_HALF * body.size], [0, -step, _FRONT * body.size], [0, 0, 1.0]])
    premultiplied = cv2.multiply(np.ascontiguousarray(art[..., :3]), alpha, scale=1 / 255)
    return Sprite(np.asarray(premultiplied, np.uint8), alpha, to_local)


def _grid(span: tuple[float, float]) -> tuple[Floats, Floats]:
    rows, columns = round((span[1] - span[0]) * UNIT), round(2 * _HALF * UNIT)
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32) / UNIT
    return x - _HALF, span[1] - y


def _relief(tubes: list[tuple[float, ...]], span: tuple[float, float]) -> Floats:
    """The height of the tubes' upper side over the plane; 0 beside them. A tube is (x0, y0, x1, y1, r0, r1, lift)."""
    x, y = _grid(span)
    top = np.zeros_like(x)
    for x0, y0, x1, y1, r0, r1, lift in tubes:
        dx, dy = x1 - x0, y1 - y0
        along = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
        radius = r0 + (r1 - r0) * along
        inside = radius**2 - (x - x0 - along * dx) ** 2 - (y - y0 - along * dy) ** 2
        top = np.maximum(top, np.where(inside > 0, lift + np.sqrt(np.maximum(inside, 0)), 0))
    return top.astype(np.float32)


def _fingers(pose: str, rng: np.random.Generator) -> list[tuple[float, ...]]:
    tubes: list[tuple[float, ...]] = []
    for base, joint, tip, wide, narrow in POSES[pose]:
        sway = rng.normal(0, 1.6, 2)
        jx, jy = joint[0] + sway[0], joint[1] + sway[1]
        middle = (wide + narrow) / 2
        lift = 10.0 if pose == "pinch" else 4.0
        tubes.append((*base, jx, jy, wide, middle + 0.6, lift))
        tubes.append((jx, jy, tip[0] + sway[0] * 1.5, tip[1] + sway[1], middle, narrow, lift - 3))
    tubes.extend((base[0] * 0.6, -106, *base, 15.0, 11.5, 5.0) for base, *_ in POSES[pose][:4])
    tubes.append((-13, -98, -31, -72, 16.0, 14.0, 3.0))
    return tubes


def _skin(body: Body, pose: str, height: Floats, rng: np.random.Generator) -> Floats:
    x, y = _grid((-ARM, _FRONT))
    skin = np.array(body.skin, np.float32)
    small = rng.standard_normal((height.shape[0] // 6, height.shape[1] // 6)).astype(np.float32)
    mottle = cv2.resize(small, height.shape[::-1], interpolation=cv2.INTER_CUBIC) * 0.022
    fine = rng.standard_normal(height.shape).astype(np.float32) * 0.018
    colour = skin * (1 + mottle + fine)[..., None]
    for base, joint, tip, _, narrow in POSES[pose]:
        for centre, deep in ((base, 0.5), (joint, 0.8)):  # redder knuckles
            near = np.exp(-((x - centre[0]) ** 2 + (y - centre[1]) ** 2) / 60.0)[..., None] * deep
            colour = colour * (1 - near * np.array([0.14, 0.1, 0.02], np.float32))
        along = np.array(tip, np.float32) - np.array(joint, np.float32)
        along /= np.linalg.norm(along)
        u = (x - tip[0]) * along[0] + (y - tip[1]) * along[1]
        v = -(x - tip[0]) * along[1] + (y - tip[1]) * along[0]
        nail = (((u - 0.2 * narrow) / (0.85 * narrow)) ** 2 + (v / (0.62 * narrow)) ** 2 < 1)[..., None]
        tone = skin * 0.75 + np.array([190, 195, 225], np.float32) * 0.25
        if body.nails:
            hsv = np.array([[[body.nails, 190, 170]]]).astype(np.uint8)
            tone = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
        colour = np.where(nail, tone * 1.04, colour)
    return np.asarray(colour, np.float32)


def _sleeve(body: Body, rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Floats, NDArray[np.bool_]]:
    x, y = _grid((-ARM, _FRONT))
    along = np.clip((-y - body.cuff) / (ARM - body.cuff), 0, 1)
    folds = cv2.resize(
        rng.standard_normal((shape[0] // 40, 6)).astype(np.float32), shape[::-1], interpolation=cv2.INTER_CUBIC
    )
    radius = 41 + 22 * along + 2.0 * folds
    hem = body.cuff + 0.0022 * (x - 4) ** 2 * -1 + 3
    cover = (-y > hem) & (np.abs(x - 5 * along) < radius)
    round_top = np.sqrt(np.maximum(radius**2 - (x - 5 * along) ** 2, 0)) + 2.6 * folds
    return np.where(cover, np.maximum(round_top, 1), 0).astype(np.float32), cover


def _cloth(body: Body, rng: np.random.Generator, height: Floats) -> Floats:
    x, y = _grid((-ARM, _FRONT))
    tone = np.ones_like(height) * (1 + rng.standard_normal(height.shape).astype(np.float32) * 0.03)
    if body.pattern == "stripes":
        tone *= 1 - 0.35 * (np.sin(y * 2 * np.pi / 17) > 0.2)
    elif body.pattern == "knit":
        tone *= 1 + 0.1 * np.sin(x * 2 * np.pi / 5.5) * np.sin(y * 2 * np.pi / 4)
    elif body.pattern == "checks":
        tone *= (1 - 0.22 * (np.sin(y * 2 * np.pi / 26) > 0)) * (1 - 0.22 * (np.sin(x * 2 * np.pi / 26) > 0))
    hem = (-y > body.cuff) & (-y < body.cuff + 14)
    tone = np.where(hem, tone * 0.86, tone)
    return np.asarray(np.array(body.sleeve, np.float32) * tone[..., None], np.float32)


def _shade(height: Floats, lamp: tuple[float, float]) -> Floats:
    smooth = cv2.GaussianBlur(height, (0, 0), 1.6)
    slope_y, slope_x = np.gradient(smooth, 1 / UNIT)
    slope_y = -slope_y
    norm = np.sqrt(1 + slope_x**2 + slope_y**2)
    lambert = (0.85 - 0.42 * slope_x * lamp[0] - 0.42 * slope_y * lamp[1]) / norm
    # Where neighbours tower over a place little light comes in: between fingers, under the cuff.
    hidden = np.clip((cv2.GaussianBlur(height, (0, 0), 7) - height) / 22, 0, 0.55)
    return np.asarray(np.clip(0.34 + 0.78 * np.clip(lambert, 0, 1.2) - hidden, 0.08, 1.25), np.float32)
