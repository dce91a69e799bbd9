"""Finding index corners: pictures in, oriented boxes with scores out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from vision.geometry import Boxes, Rect, box_points, suppress, upright
from vision.reading.pyramid import Pyramid
from vision.types import Image

STRIDE: Final = 32
"""The detector takes pictures whose sides this divides."""
ALIKE: Final = 0.35
"""Two boxes more alike than this are one index corner found twice."""

GREY: Final = 114
"""What surrounds a picture; the detector was trained so."""
GAP: Final = 16
"""Pixels between pictures that the detector sees beside each other."""
EDGE: Final = 3
"""Pixels. An index so near to the edge of a region may go on beyond it."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Index boxes in pixels, (n, 5), and their scores (n,), best first."""

    boxes: Boxes
    scores: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.scores)

    def only(self, which: NDArray[np.bool_]) -> Found:
        return Found(self.boxes[which], self.scores[which])

    def above(self, threshold: float) -> Found:
        return self.only(self.scores >= threshold)

    def merged(self, other: Found) -> Found:
        """Both, what is alike once, best first."""
        boxes, scores = np.concatenate([self.boxes, other.boxes]), np.concatenate([self.scores, other.scores])
        order = suppress(boxes, scores, ALIKE)
        return Found(boxes[order], scores[order])


class Detector(Protocol):
    """Finds index corners in one picture as it is, at no other scale."""

    def __call__(self, image: Image) -> Found: ...


def session(model: Path, threads: int = 1) -> onnxruntime.InferenceSession:
    """An ONNX Runtime session that leaves the processor alone while it waits."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Spinning threads were slower than one thread on a busy two-core machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    options.enable_mem_pattern = False  # the pictures' sizes differ
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def blob(image: Image) -> NDArray[np.float32]:
    """BGR bytes (h, w, 3) to RGB floats 0 to 1, (1, 3, H, W), grey on the right and below up to a multiple of 32."""
    height, width = image.shape[:2]
    right, below = -width % STRIDE, -height % STRIDE
    if right or below:
        grey = (GREY, GREY, GREY)
        image = cv2.copyMakeBorder(image, 0, below, 0, right, cv2.BORDER_CONSTANT, value=grey).astype(np.uint8)
    return np.asarray(cv2.dnn.blobFromImage(image, 1 / 255, swapRB=True), np.float32)


def decode(output: NDArray[np.float32], threshold: float) -> Found:
    """The net's output (1, 6, N), rows x, y, width, height, score, angle, to boxes above the threshold, each once."""
    rows = output[0]
    keep = rows[4] >= threshold
    boxes = upright(rows[:, keep][[0, 1, 2, 3, 5]].T.astype(np.float32))
    scores = rows[4, keep].astype(np.float32)
    order = suppress(boxes, scores, ALIKE)
    return Found(boxes[order], scores[order])


class CornerNet:
    """The detector that ships, ``models/corners.onnx``."""

    def __init__(self, model: Path, threshold: float, threads: int = 1) -> None:
        self._session = session(model, threads)
        self._threshold = threshold

    def __call__(self, image: Image) -> Found:
        (output,) = self._session.run(None, {self._session.get_inputs()[0].name: blob(image)})
        return decode(output, self._threshold)


def find(detector: Detector, pyramid: Pyramid, looks: Sequence[tuple[Rect, float]]) -> Found:
    """Index corners in regions of a picture, each seen at a scale, in the picture's own pixels."""
    whole = (0, 0, *pyramid.size)
    boxes, scores = [np.empty((0, 5), np.float32)], [np.empty(0, np.float32)]
    parts = [pyramid.part(region, scale) for region, scale in looks]
    for found, (part, shown) in zip(_each(detector, [part for part, _ in parts]), parts, strict=True):
        left, top, right, bottom = shown
        back = np.array([(right - left) / part.shape[1], (bottom - top) / part.shape[0]], np.float32)
        at = found.boxes.copy()
        at[:, :2] = at[:, :2] * back + (left, top)
        at[:, 2:4] *= back.mean()
        complete = _within(at, shown, whole)
        boxes.append(at[complete])
        scores.append(found.scores[complete])
    return Found(np.concatenate(boxes), np.concatenate(scores))


def _each(detector: Detector, parts: Sequence[Image]) -> list[Found]:
    """What is found in each of several pictures, laid side by side: one large picture takes less time than many."""
    if len(parts) < 2:
        return [detector(part) for part in parts]
    corners, (width, height) = _beside_each_other([(part.shape[1] + GAP, part.shape[0] + GAP) for part in parts])
    together = np.full((height - GAP, width - GAP, 3), GREY, np.uint8)
    for part, (x, y) in zip(parts, corners, strict=True):
        together[y : y + part.shape[0], x : x + part.shape[1]] = part
    found = detector(together)
    result = []
    for part, (x, y) in zip(parts, corners, strict=True):
        at = found.boxes.copy()
        at[:, :2] -= (x, y)
        own = ((at[:, :2] >= 0) & (at[:, :2] < (part.shape[1], part.shape[0]))).all(1)
        result.append(Found(at[own], found.scores[own]))
    return result


def _beside_each_other(sizes: Sequence[tuple[int, int]]) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """Where rectangles go, in rows from the highest to the lowest, and the width and height of all together."""
    widest, total = max(width for width, _ in sizes), sum(width for width, _ in sizes)
    rows = {max(widest, round(total / count)) for count in range(1, len(sizes) + 1)}
    return min((_in_rows(sizes, room) for room in rows), key=lambda each: each[1][0] * each[1][1])


def _in_rows(sizes: Sequence[tuple[int, int]], room: int) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """The same in rows of so many pixels."""
    corners = [(0, 0)] * len(sizes)
    x = y = row = across = 0
    for i in sorted(range(len(sizes)), key=lambda i: -sizes[i][1]):
        if x + sizes[i][0] > room:
            x, y, row = 0, y + row, 0
        corners[i] = (x, y)
        x, row = x + sizes[i][0], max(row, sizes[i][1])
        across = max(across, x)
    return corners, (across, y + row)


def _within(boxes: Boxes, region: Rect, whole: Rect) -> NDArray[np.bool_]:
    """Which boxes lie within a region; where its edge is the picture's own, they may reach over it."""
    if region == whole:
        return np.ones(len(boxes), bool)
    points = box_points(boxes)
    low, high = points.min(1), points.max(1)
    result = np.ones(len(boxes), bool)
    for axis in (0, 1):
        if region[axis] > whole[axis]:
            result &= low[:, axis] > region[axis] + EDGE
        if region[axis + 2] < whole[axis + 2]:
            result &= high[:, axis] < region[axis + 2] - EDGE
    return result
