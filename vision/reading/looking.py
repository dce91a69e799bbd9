"""Where the detector looks, and how closely: not at bare cloth, and no closer than the size of the indices asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Rect
from vision.reading.detect import Detector, Found, find
from vision.reading.join import Joined
from vision.reading.outlines import CLEAR, own_places, trust
from vision.reading.pyramid import Pyramid
from vision.reading.regions import apart, within
from vision.types import Image, Points

SIDES: Final = (256, 512, 1280)
"""Longest side, in pixels, of the picture in the detector's looks at all of it, and in the last, closer one."""
TAKEN: Final = 0.2
"""The least score of a box that is read. Less (calibration's ``corner_threshold``) is worth a closer look."""
LARGE: Final = 64
"""Pixels. An index that would be higher in the next closer picture is seen well enough in this one."""
ENOUGH: Final = 30.0
"""Pixels. No closer look makes indices higher than this, where the look before was sure of some."""
ROW: Final = 56.0
"""Pixels an index is high in the look at several that lie side by side,"""
NEXT: Final = 1.5
"""so near to each other, in heights,"""
PARALLEL: Final = 0.5
"""and turned alike, in radians;"""
FINER: Final = 1.2
"""if that is so much closer than the looks before;"""
ENLARGED: Final = 1.5
"""more than this enlarged, a picture shows nothing more."""
SURE: Final = 0.5
"""The least score of a box that is read in that look: so close an index is seen clearly."""
AROUND: Final = 1.5
"""How far around a box the closer look reaches, in heights of the box."""
SEARCHED: Final = 640
"""Longest side, in pixels, of the picture in which bare places are told from others."""
CELL: Final = 8
"""Pixels of that picture a side. A place is bare or not as a whole."""
CORNER: Final = 1e-4
"""The least second eigenvalue of the gradients around a place (Shi and Tomasi 1994) that is not bare. Nothing straight
has as much, be it as sharp as a table's edge; of 1,000 indices that can be read, 999 have more."""
CONTEXT: Final = 0.4
"""How far around what is not bare is looked at with it, as a share of its longer side: an index ends beyond its ink."""
CONTEXTS: Final = (1, 4)
"""The least and the most, in cells."""
BESIDE: Final = 0.35
"""The same as a share of a card's width: so far may the index of a card lie on another of which all edges are seen."""
BORDER: Final = 2
"""Cells around a card's edge that its corners make look printed."""
LARGER: Final = 1.18
"""How much larger than others, side to side, a card may look. Two cards of which both show an index look larger."""
SEVERAL: Final = 5
"""So many cards tell how their size changes over the picture."""
FLAT: Final = 0.01
"""How firmly it is held that it does not: as firmly as cards a tenth of the picture apart tell."""
MOST: Final = 0.7
"""The share of an area from which on it is looked at in one piece."""


def looked_for(
    detector: Detector, pyramid: Pyramid, areas: Sequence[Rect], faces: Sequence[Joined], sides: Sequence[int] = SIDES
) -> Found:
    """Boxes that are not the indices of ``faces``: coarse looks at all, a closer one at what is small in them."""
    longest = max(pyramid.size)
    *coarse, fine = sorted({min(1.0, side / longest) for side in sides})
    places = unexplained(pyramid, areas, _certain(faces))
    near = coarse[-1] if coarse else fine
    first = _beside(find(detector, pyramid, [(place, near) for place in places]), faces)
    for scale, next_ in pairwise(coarse):  # an index may be larger than any that the detector knows
        roomy = [place for place in places if max(place[2] - place[0], place[3] - place[1]) * next_ >= LARGE]
        found = _beside(find(detector, pyramid, [(place, scale) for place in roomy]), faces)
        first = first.merged(found.only(found.boxes[:, 3] * next_ > LARGE))
    if not coarse:
        return first.above(TAKEN)
    small = first.only(first.boxes[:, 3] * fine < LARGE)
    reach = small.boxes[:, 3] * (0.5 + AROUND)
    spots = np.concatenate([small.boxes[:, :2] - reach[:, None], small.boxes[:, :2] + reach[:, None]], 1)
    known = small.above(TAKEN)
    closer = apart([spot for area in areas for spot in within(spots, area)])
    second = find(detector, pyramid, [(spot, _closer(known, spot, near, fine)) for spot in closer])
    seen = first.above(TAKEN).merged(_beside(second, faces).above(TAKEN))
    third = find(detector, pyramid, fans(seen, areas, lambda spot: _closer(known, spot, near, fine)))
    return seen.merged(_beside(third, faces).above(SURE))


def fans(found: Found, areas: Sequence[Rect], before: Callable[[Rect], float]) -> list[tuple[Rect, float]]:
    """Where indices lie side by side, and the scale at which a net tells one from the next: of three in a row, each
    half as far from the next as it is high, the middle one was missed at half that scale. ``before`` says at which
    scale a place has been looked at."""
    x, y, _, heights, angles = found.boxes.T
    apart_ = np.hypot(x[:, None] - x, y[:, None] - y) / np.maximum(heights[:, None], heights)
    turned = np.abs((angles[:, None] - angles + np.pi) % (2 * np.pi) - np.pi)
    beside = (apart_ < NEXT) & (turned < PARALLEL)
    np.fill_diagonal(beside, False)
    row = found.boxes[beside.any(1)]
    reach = row[:, 3] * (0.5 + AROUND)
    spots = np.concatenate([row[:, :2] - reach[:, None], row[:, :2] + reach[:, None]], 1)
    looks = []
    for spot in apart([spot for area in areas for spot in within(spots, area)]):
        inside = (row[:, 0] >= spot[0]) & (row[:, 0] < spot[2]) & (row[:, 1] >= spot[1]) & (row[:, 1] < spot[3])
        scale = min(ROW / float(np.median(row[inside, 3])), ENLARGED) if inside.any() else 0.0
        if scale > FINER * before(spot):
            looks.append((spot, scale))
    return looks


def unexplained(pyramid: Pyramid, areas: Sequence[Rect], cards: Sequence[Points]) -> list[Rect]:
    """The parts of areas in which there is anything to see but these cards, none over another.

    An area itself where that is most of it.
    """
    scale = min(1.0, SEARCHED / max(pyramid.size))
    widest = max((float(np.linalg.norm(card[1] - card[0])) for card in cards), default=0.0)
    beside = int(np.ceil(BESIDE * widest * scale / CELL))
    result: list[Rect] = []
    for area in areas:
        part, shown = pyramid.part(area, scale)
        cells = _printed(part)
        if not cells.size:
            result.append(area)
            continue
        covered = np.zeros_like(cells)
        for card in cards:
            outline = np.rint((card - shown[:2]) * (16 * scale / CELL) - 8).astype(np.int32)
            cv2.fillConvexPoly(covered, outline, 1, shift=4)
            cv2.polylines(covered, [outline], True, 1, shift=4, thickness=BORDER)
        cells &= 1 - covered
        near = cv2.max(cv2.dilate(cells, _around(1)), cv2.min(cv2.dilate(cells, _around(beside)), covered))
        *_, parts, _ = cv2.connectedComponentsWithStats(near)
        low, size = parts[1:, :2], parts[1:, 2:4]
        context = np.clip(np.ceil(CONTEXT * size.max(1, initial=0)), *CONTEXTS)[:, None]
        rects = np.hstack([low - context, low + size + context]) * (CELL / scale) + shown[:2] * 2
        pieces = apart(within(rects.tolist(), area))
        result += pieces if sum(map(_size, pieces)) < MOST * _size(area) else [area]
    return result


def _certain(faces: Sequence[Joined]) -> list[Points]:
    """The outlines of the faces that are clear, and no larger than others: larger edges may be those of two cards."""
    clear = [face.outline for face in faces if trust(face) > CLEAR]
    if len(clear) < 2:
        return []
    sizes = np.log([cv2.contourArea(outline) for outline in clear]) / 2
    if len(clear) < SEVERAL:
        beyond = sizes - sizes.min()
    else:  # nearer cards are larger: by how much does each differ from what all others say of its place?
        places = np.column_stack([[outline.mean(0) for outline in clear], np.ones(len(clear))])
        places[:, :2] /= np.abs(places[:, :2]).max()
        weight = places @ np.linalg.inv(places.T @ places + np.diag([FLAT, FLAT, 0])) @ places.T
        beyond = (sizes - weight @ sizes) / (1 - weight.diagonal())
    return [outline for outline, more in zip(clear, beyond, strict=True) if more < np.log(LARGER)]


def _around(cells: int) -> NDArray[np.uint8]:
    return np.ones((2 * cells + 1, 2 * cells + 1), np.uint8)


def _printed(image: Image) -> NDArray[np.uint8]:
    """The cells of a picture that show more than a straight edge: 1, else 0."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    corners = np.asarray(cv2.cornerMinEigenVal(grey, CELL + 1))
    return np.ascontiguousarray(corners[CELL // 2 :: CELL, CELL // 2 :: CELL] > CORNER, np.uint8)


def _closer(known: Found, spot: Rect, least: float, most: float) -> float:
    """The scale at which the smallest of the known boxes in a spot is high enough."""
    x, y = known.boxes[:, 0], known.boxes[:, 1]
    heights = known.boxes[(x >= spot[0]) & (x < spot[2]) & (y >= spot[1]) & (y < spot[3]), 3]
    return float(np.clip(ENOUGH / heights.min(), least, most)) if len(heights) else most


def _beside(found: Found, faces: Sequence[Joined]) -> Found:
    return found.only(~own_places(found.boxes, faces))


def _size(rect: Rect) -> int:
    return (rect[2] - rect[0]) * (rect[3] - rect[1])
