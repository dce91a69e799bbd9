"""After a nudge: where the camera looks now, from cards that have stayed where they were, or from the whole picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.plane import Matrix, Plane, project
from vision.table.place import Placed
from vision.types import Image
from vision.watching.track import alike, pair

MOVED = 0.12
"""Card widths by which the picture must have shifted to be called a nudge."""


@dataclass(frozen=True, eq=False)
class Shift:
    """What was at pixel p is now at ``matrix`` p; ``size`` is how far that is at the cards, in card widths."""

    matrix: Matrix
    size: float

    def moved(self, image: Image) -> Image:
        """A picture from before as it would look now."""
        size = (image.shape[1], image.shape[0])
        warped = cv2.warpPerspective(image, self.matrix, size, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(warped, np.uint8)


def nudge(
    known: Sequence[Placed],
    seen: Sequence[Placed],
    plane: Plane,
    before: Image | None,
    now: Image,
    least: float = MOVED,
) -> Shift | None:
    """How the camera was moved between two pictures; None where it was not, by ``least`` card widths, or that cannot be
    told. ``known`` are the players' cards, ``seen`` what lies there now, placed by the old plane."""
    shift = by_cards(known, seen, plane)
    if shift is None and len(known) < 3 and before is not None and before.shape == now.shape:
        shift = by_picture(before, now, plane)
    return None if shift is None or shift.size < least else shift


def by_cards(known: Sequence[Placed], seen: Sequence[Placed], plane: Plane) -> Shift | None:
    """The shift under which the known cards lie where they are seen now.

    ``seen`` is placed by the old plane. None with fewer than three faces found again, or where they do not move alike
    (then cards were moved, not the camera).
    """
    matches = pair(known, seen, _same_face)
    if len(matches) < 3:
        return None
    before = plane.to_pixels([known[i].centre for i, _ in matches])
    now = plane.to_pixels([seen[j].centre for _, j in matches])
    width = plane.card_width(before.mean(axis=0))
    matrix, inliers = cv2.estimateAffinePartial2D(before, now, method=cv2.RANSAC, ransacReprojThreshold=0.12 * width)
    if matrix is None or inliers is None or int(inliers.sum()) < max(3, round(0.6 * len(matches))):
        return None
    full = np.vstack([np.asarray(matrix, np.float64), [0.0, 0.0, 1.0]])
    return Shift(full, float(np.linalg.norm(project(full, before) - before, axis=1).mean() / width))


def by_picture(before: Image, now: Image, plane: Plane) -> Shift | None:
    """The shift and turn under which two pictures agree best; None where they do not agree well."""
    width = 480
    scale = width / before.shape[1]
    size = (width, max(8, round(before.shape[0] * scale)))
    first, second = (
        cv2.GaussianBlur(
            cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY), (5, 5), 0
        ).astype(np.float32)
        for image in (before, now)
    )
    (dx, dy), _ = cv2.phaseCorrelate(first, second, cv2.createHanningWindow(size, cv2.CV_32F))
    warp = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 50, 1e-4)
    try:
        agreement, found = cv2.findTransformECC(first, second, warp, cv2.MOTION_EUCLIDEAN, criteria)
    except cv2.error:
        return None
    if agreement < 0.9:
        return None
    shrink = np.diag([scale, scale, 1.0])
    matrix: Matrix = np.linalg.inv(shrink) @ np.vstack([np.asarray(found, np.float64), [0, 0, 1]]) @ shrink
    height, long = before.shape[:2]
    spots = np.array([[long * x, height * y] for x in (0.3, 0.7) for y in (0.3, 0.7)])
    away = float(np.linalg.norm(project(matrix, spots) - spots, axis=1).mean())
    return Shift(matrix, away / plane.card_width([long / 2, height / 2]))


def _same_face(known: Placed, seen: Placed) -> float | None:
    agreement = alike(known.likelihoods, seen.likelihoods)
    apart = float(np.linalg.norm(known.centre - seen.centre))
    return 1 - agreement + 0.01 * apart if agreement > 0.6 and apart < 4 else None
