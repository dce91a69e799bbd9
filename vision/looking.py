"""Where the detector looks, and how closely: not at bare cloth, and no closer than the size of the indices asks for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import Detector, Found, find
from vision.geometry import Rect
from vision.join import Joined
from vision.outlines import CLEAR, own_places, trust
from vision.pyramid import Pyramid
from vision.regions import apart, within
from vision.types import Image, Points

SIDES: Final = (256, 512, 1280)
"""Longest side, in pixels, of the picture in the detector's looks at all of it, and in the last, closer one."""
TAKEN: Final = 0.2
"""The least score of a box that is read. Less (calibration's ``corner_threshold``) is worth a closer look."""
LARGE: Final = 64
"""Pixels. An index that would be higher in the next closer picture is seen well enough in this one."""
ENOUGH: Final = 26.0
"""Pixels. No closer look makes the least of the indices there higher than this, if the look before was sure of it."""
AROUND: Final = 1.5
"""How far around a box the closer look reaches, in heights of the box."""
SEARCHED: Final = 640
"""Longest side, in pixels, of the picture in which bare places are told from others."""
CELL: Final = 8
"""Pixels of that picture, within which something has to be darker or brighter than the rest."""
INK: Final = 18
"""By so many levels of 255. Of 1,000 indices that can be read 999 differ from their paper by more than 20."""
CONTEXT: Final = 2
"""So many cells around what is not bare are looked at with it."""
BESIDE: Final = 0.35
"""The same as a share of a card's width: so far may the index of a card lie on another of which all edges are seen."""
BORDER: Final = 1.06
"""How much larger than a card is what its edges darken."""
MOST: Final = 0.7
"""The share of an area from which on it is looked at in one piece."""
ROOM: Final = 64
"""The least width and height in pixels of a place in which a large index may stand that fits in."""


def looked_for(
    detector: Detector, pyramid: Pyramid, areas: Sequence[Rect], faces: Sequence[Joined], sides: Sequence[int] = SIDES
) -> Found:
    """Boxes that are not the indices of ``faces``: coarse looks at all, a closer one at what is small in them."""
    longest = max(pyramid.size)
    *coarse, fine = sorted({min(1.0, side / longest) for side in sides})
    places = unexplained(pyramid, areas, [face.outline for face in faces if trust(face) > CLEAR])
    first = _beside(find(detector, pyramid, coarse[-1] if coarse else fine, places), faces)
    for scale, next_ in pairwise(coarse):  # an index may be larger than any that the detector knows
        roomy = [place for place in places if min(place[2] - place[0], place[3] - place[1]) * scale >= ROOM]
        found = _beside(find(detector, pyramid, scale, roomy), faces)
        first = first.merged(found.only(found.boxes[:, 3] * next_ > LARGE))
    if not coarse:
        return first.above(TAKEN)
    small = first.only(first.boxes[:, 3] * fine < LARGE)
    reach = small.boxes[:, 3] * (0.5 + AROUND)
    spots = np.concatenate([small.boxes[:, :2] - reach[:, None], small.boxes[:, :2] + reach[:, None]], 1)
    result = first.above(TAKEN)
    for spot in apart([spot for area in areas for spot in within(spots, area)]):
        closer = _closer(small.above(TAKEN), spot, coarse[-1], fine)
        result = result.merged(_beside(find(detector, pyramid, closer, [spot]), faces).above(TAKEN))
    return result


def unexplained(pyramid: Pyramid, areas: Sequence[Rect], cards: Sequence[Points]) -> list[Rect]:
    """The parts of areas in which there is anything to see but these cards, none over another.

    An area itself where that is most of it.
    """
    level, scale = pyramid.level(max(pyramid.size) / SEARCHED)
    beside = max((BESIDE * float(np.linalg.norm(card[1] - card[0])) * scale for card in cards), default=0.0)
    context = max(CONTEXT, int(np.ceil(beside / CELL)))
    result: list[Rect] = []
    for area in areas:
        left, top, right, bottom = (int(edge * scale) for edge in area)
        part = level[top : bottom + 1, left : right + 1]
        inked = _inked(part)
        if not inked.size:
            result.append(area)
            continue
        for card in cards:
            grown = (card - card.mean(0)) * BORDER + card.mean(0)
            cv2.fillConvexPoly(inked, np.rint((grown * scale - (left, top)) / CELL - 0.5).astype(np.int32), 0)
        around = np.ones((2 * context + 1, 2 * context + 1), np.uint8)
        *_, parts, _ = cv2.connectedComponentsWithStats(cv2.dilate(inked, around))
        corners = parts[1:, :2], parts[1:, :2] + parts[1:, 2:4]
        pieces = apart(within((np.hstack(corners) * (CELL / scale) + area[:2] * 2).tolist(), area))
        result += pieces if sum(map(_size, pieces)) < MOST * _size(area) else [area]
    return result


def _inked(image: Image) -> NDArray[np.uint8]:
    """The cells of a picture in which something is darker or brighter than the rest: 1, else 0."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    window = np.ones((CELL + 1, CELL + 1), np.uint8)
    contrast = cv2.subtract(cv2.dilate(grey, window), cv2.erode(grey, window))
    return np.asarray(contrast[CELL // 2 :: CELL, CELL // 2 :: CELL] > INK, np.uint8)


def _closer(known: Found, spot: Rect, least: float, most: float) -> float:
    """The scale at which the smallest of the known boxes in a spot is high enough."""
    x, y = known.boxes[:, 0], known.boxes[:, 1]
    heights = known.boxes[(x >= spot[0]) & (x < spot[2]) & (y >= spot[1]) & (y < spot[3]), 3]
    return float(np.clip(ENOUGH / heights.min(), least, most)) if len(heights) else most


def _beside(found: Found, faces: Sequence[Joined]) -> Found:
    return found.only(~own_places(found.boxes, faces))


def _size(rect: Rect) -> int:
    return (rect[2] - rect[0]) * (rect[3] - rect[1])
