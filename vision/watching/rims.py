"""How many cards lie squared under the one that came, as a small net tells that looks along its four sides.

A card of a set that lies a millimetre beside the upper one shows as a second thin line along a side. A pixel or two
wide, it is less than thresholds on single pixels can tell from noise and shadow, but it is long and straight. The net
sees each side as it was before and as it is now, so that what lay there before does not count (``datasets/rims.py``).
"""

from __future__ import annotations

import functools
from typing import Final

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

import models
from vision.plane import CARD_HEIGHT, Plane, Spots
from vision.reading.detect import session
from vision.table.place import turn
from vision.types import Image
from vision.watching.evidence import gain

ROWS: Final = 30
COLUMNS: Final = 160
"""Size of the picture of one side in pixels: outward is up."""
OUTSIDE: Final = 0.14
INSIDE: Final = 0.1
BEYOND: Final = 0.1
"""How far a picture reaches out from the side, into the card, and beyond both ends of the side, in card widths."""
SHARES: Final = (0.5, 0.28, 0.15, 0.07)
"""How often 0, 1, 2 and 3 cards lie under the upper one among the pictures that the net is trained on."""

PLACES: Final = ((0, 0, 0), (0.012, 0, 0.008), (-0.012, 0, -0.008), (0, 0.012, -0.008), (0, -0.012, 0.008))
"""By how much the card may lie otherwise than its reading says: card widths across and down, and radians."""
DOUBTING: Final = 0.25
"""Of what the net says of these the lower quarter is believed: a single card that it takes for a set at the first look
seldom looks so from everywhere."""
CLAIMS: Final = 0.85
"""By what its claims are multiplied (logarithms of odds): on films they held less often than on its own stills."""
LEAST: Final = 0.02
GREATEST: Final = 200.0
"""However sure the net is, it has never seen this deck on this table."""


def squared(before: Image, now: Image, plane: Plane, centre: Spots, angle: float) -> tuple[float, ...]:
    """How many times as likely the pictures are if 1, 2 and 3 cards have come to lie under the one at ``centre`` (card
    widths, its angle in radians) than if none has. Raises ModelError where the net is missing.

    Where it looks like a set, the net is asked again with the card placed a little otherwise, and in a mirror: a line
    that is there stays, what the net only fancies does not.
    """
    odds = _odds(rims(before, now, plane, centre, angle)[None])
    if odds.max() > 0:
        sides = np.stack(
            [rims(before, now, plane, centre + np.array([x, y]), angle + turned) for x, y, turned in PLACES]
        )
        odds = _odds(np.concatenate([sides, sides[..., ::-1]]))
    sure = np.exp(CLAIMS * np.quantile(odds, DOUBTING, axis=0))
    return tuple(float(ratio) for ratio in np.clip(sure, LEAST, GREATEST))


def _odds(sides: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Of pictures (n, 4, 6, ROWS, COLUMNS) the logarithms, (n, 3), of how many times as likely 1, 2 and 3 cards under
    the upper one make them as none."""
    (logits,) = _net().run(["counts"], {"sides": np.ascontiguousarray(sides, np.float32) / 255})
    odds: NDArray[np.float64] = np.asarray(logits, np.float64) - np.log(SHARES)
    return odds[:, 1:] - odds[:, :1]


def load() -> None:
    """Read the net now, not when the first card is laid. Raises ModelError where it is missing."""
    _net()


@functools.cache
def _net() -> onnxruntime.InferenceSession:
    return session(models.path(models.RIMS))


def rims(before: Image, now: Image, plane: Plane, centre: Spots, angle: float) -> NDArray[np.uint8]:
    """The four sides of the card at ``centre`` (card widths) turned by ``angle``: (4, 6, ROWS, COLUMNS), the colours of
    ``now``, exposed as ``before``, and those of ``before``."""
    spots = centre + _sides() @ turn(angle).T
    places = plane.to_pixels(spots).astype(np.float32).reshape(4 * ROWS, COLUMNS, 2)
    cuts = [
        cv2.remap(image, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for image in (now, before)
    ]
    cuts[0] = np.clip(cuts[0].astype(np.float32) * gain(before, now), 0, 255).astype(np.uint8)
    both = np.concatenate(cuts, axis=2).reshape(4, ROWS, COLUMNS, 6)
    return np.ascontiguousarray(both.transpose(0, 3, 1, 2))


def _sides() -> Spots:
    """Where the pixels of the four sides lie about the card's middle, shape (4 * ROWS * COLUMNS, 2), in card widths."""
    out, along = np.linspace(OUTSIDE, -INSIDE, ROWS), np.linspace(-1, 1, COLUMNS)
    half = np.array([0.5, CARD_HEIGHT / 2])
    sides = []
    for axis, sign in ((1, -1), (0, 1), (1, 1), (0, -1)):
        normal, length = np.zeros(2), np.zeros(2)
        normal[axis] = sign
        length[1 - axis] = half[1 - axis] + BEYOND
        sides.append(normal * (half[axis] + out)[:, None, None] + (sign * length) * along[None, :, None])
    return np.concatenate([side.reshape(-1, 2) for side in sides])
