"""Rectangles of pixels: cut to a picture, grown, and put together where they overlap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from vision.geometry import Rect


def grown(rects: Iterable[Rect], margin: int) -> list[Rect]:
    """Each with a margin on every side."""
    return [(left - margin, top - margin, right + margin, bottom + margin) for left, top, right, bottom in rects]


def within(rects: Iterable[Sequence[float]], whole: Rect) -> list[Rect]:
    """The parts that lie in ``whole``, in whole pixels; what lies outside is left out."""
    result = []
    for left, top, right, bottom in rects:
        rect = (
            max(whole[0], int(np.floor(left))),
            max(whole[1], int(np.floor(top))),
            min(whole[2], int(np.ceil(right))),
            min(whole[3], int(np.ceil(bottom))),
        )
        if rect[0] < rect[2] and rect[1] < rect[3]:
            result.append(rect)
    return result


def apart(rects: Iterable[Rect]) -> list[Rect]:
    """The same area and perhaps more in rectangles of which none overlaps another."""
    result: list[Rect] = []
    for rect in rects:
        left, top, right, bottom = rect
        while True:
            hit = next((r for r in result if left < r[2] and r[0] < right and top < r[3] and r[1] < bottom), None)
            if hit is None:
                break
            result.remove(hit)
            left, top, right, bottom = min(left, hit[0]), min(top, hit[1]), max(right, hit[2]), max(bottom, hit[3])
        result.append((left, top, right, bottom))
    return result
