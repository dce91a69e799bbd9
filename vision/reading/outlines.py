"""Cards seen by their edges, beside those seen by their indices: truer outlines, faces known by them, backs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import (
    ACROSS,
    BOTTOM_LEFT,
    BOTTOM_RIGHT,
    SLOTS,
    TOP_LEFT,
    TOP_RIGHT,
    WIDENED,
    Boxes,
    on_quads,
)
from vision.reading.backs import back_score, straightened
from vision.reading.classify import Logits, Named
from vision.reading.join import AGREE, Corner, Joined
from vision.reading.pyramid import Pyramid
from vision.types import BackReading, Image, Likelihoods, Points

FITS: Final = 0.65
"""The least share (intersection over union) of an outline that edges have to cover to be the same card's."""
PRESENT: Final = 0.5
"""The least probability that a corner is an index."""
RANKS_AGREE: Final = 0.3
"""The least probability that two opposite corners show one rank, where the detector has seen neither."""
CLEAR: Final = 0.5
"""The probability from which on a card needs no further look."""
FOUR_AGREE: Final = 0.4
"""The same of two neighbouring corners: most decks have none there, but something that may be taken for one."""
LIKELY: Final = 0.7
"""Two opposite corners of which each shows a face that is likelier than this,"""
OTHER: Final = 0.1
"""and that show the same with less probability than this, are of two cards between which a third may lie."""
NEAR: Final = 0.14
"""How far from its place, as a share of the card's size, an index that the detector found may be."""
SURE: Final = 0.8
BACK: Final = 0.5
SQUARE: Final = 0.8
"""Shorter to longer side from which on either may be a card's upper one."""
SLANTED: Final = 0.88
"""One side to the opposite one below which a slant may make a card's height look less than its width."""
SIZES: Final = 1.8
"""How much larger or smaller than the other cards of the picture a back may be, side to side."""

OPPOSITE: Final = (TOP_LEFT, BOTTOM_RIGHT)
"""The slots that every deck fills."""

Name = Callable[[NDArray[np.uint8]], tuple[Logits, Logits, Named]]


def with_edges(cards: Sequence[Joined], quads: Sequence[Points]) -> list[Joined]:
    """The cards, with their edges where these are among the quadrilaterals. Nothing of another card shows within."""
    result = []
    spots = [np.stack([corner.points.mean(0) for corner in card.corners]) for card in cards]
    sure = [
        np.stack([min(corner.presence, float(corner.likelihoods.max())) > SURE for corner in card.corners])
        for card in cards
    ]
    for n, card in enumerate(cards):
        rough = card.outline
        others = [spot for k in range(len(cards)) if k != n for spot in spots[k][sure[k]]]
        fits = [
            (shared(rough, quad), i)
            for i, quad in enumerate(quads)
            if _contains(quad, spots[n]) and not any(_contains(quad, spot[None]) for spot in others)
        ]
        share, best = max(fits, default=(0.0, -1))
        if share >= FITS:
            turns = [np.roll(quads[best], turn, 0) for turn in range(4)]
            result.append(replace(card, edges=min(turns, key=lambda turn: float(np.abs(turn - rough).sum()))))
        else:
            result.append(card)
    return result


def confirmed(pyramid: Pyramid, cards: Sequence[Joined], name: Name) -> list[Joined]:
    """The cards, with the opposite corner of those of which only one was seen though all four edges were."""
    lone = [i for i, card in enumerate(cards) if card.edges is not None and len(card.corners) == 1]
    result = list(cards)
    if not lone:
        return result
    quads = [cards[i].outline for i in lone]
    places = _slots(quads, WIDENED[list(OPPOSITE)]).reshape(-1, 4, 2)
    boxes = _slots(quads)
    rank, suit, named = name(pyramid.cut_out(places))
    for k, (i, quad) in enumerate(zip(lone, quads, strict=True)):
        seen = cards[i].corners[0]
        points = boxes[k]
        corners = []
        for n, slot in enumerate(OPPOSITE):
            at = len(OPPOSITE) * k + n
            if (
                named.presence[at] >= PRESENT
                and np.linalg.norm(points[slot].mean(0) - seen.points.mean(0)) > _size(quad) / 4
            ):
                corner = Corner(points[slot], named.likelihoods[at], float(named.presence[at]), 1.0, rank[at], suit[at])
                if corner.agreement(seen) >= AGREE:
                    corners.append((slot, corner))
        if corners:
            slot, corner = max(corners, key=lambda each: each[1].agreement(seen))
            result[i] = Joined((seen, corner), (ACROSS[slot], slot), quad)
    return result


def edged(pyramid: Pyramid, quads: Sequence[Points], name: Name) -> tuple[list[Joined], list[Points]]:
    """Face-up cards among the quadrilaterals, and those that show no index. Opposite corners must show one rank."""
    if not quads:
        return [], []
    ordered = sorted(quads, key=lambda quad: -_size(quad))
    over = _covering(ordered)
    looks = [_Look(way, n, turned > 0) for n, quad in enumerate(ordered) for turned, way in enumerate(_ways(quad))]
    # Most cards are clear from the two corners that every deck fills, and what lies within a clear card is no card.
    rest: list[_Look] = []
    left = looks
    while left:
        outer = [look for look in left if not any(over[look.n, other.n] for other in left if other.n < look.n)]
        clear: list[_Look] = []
        for turned in (False, True):  # the likelier way up first
            way = [look for look in outer if look.turned is turned and not any(look.n == other.n for other in clear)]
            _look(pyramid, way, OPPOSITE, name)
            clear += [look for look in way if look.is_clear]
        known = np.asarray(over[:, [look.n for look in clear]].any(axis=1))
        rest += [look for look in outer if not known[look.n]]
        tried = {look.n for look in outer}
        left = [look for look in left if look.n not in tried and not known[look.n]]
    _look(pyramid, rest, (TOP_RIGHT, BOTTOM_LEFT), name)
    faces: list[Joined] = []
    for face in sorted((look.face for look in looks if look.face), key=lambda face: -trust(face)):
        if not any(_covers(face.outline, other.outline) for other in faces):
            faces.append(face)
    blank = {look.n: True for look in rest}
    for look in rest:
        blank[look.n] &= max(corner.presence for corner in look.corners.values()) < PRESENT
    return faces, [look.quad for look in rest if blank[look.n]]


@dataclass(slots=True)
class _Look:
    """One way up of a quadrilateral (the ``n``th largest), the less likely if ``turned``, and what its corners show if
    it is a card."""

    quad: Points
    n: int
    turned: bool = False
    corners: dict[int, Corner] = field(default_factory=dict)

    @property
    def face(self) -> Joined | None:
        return _face(self.corners, self.quad)

    @property
    def is_clear(self) -> bool:
        face = self.face
        return face is not None and trust(face) > CLEAR


def _look(pyramid: Pyramid, looks: Sequence[_Look], slots: Sequence[int], name: Name) -> None:
    """Name the corners in these slots of all the quadrilaterals at once."""
    if not looks:
        return
    quads = [look.quad for look in looks]
    places, boxes = _slots(quads, WIDENED[list(slots)]), _slots(quads)
    rank, suit, named = name(pyramid.cut_out(places.reshape(-1, 4, 2)))
    at = 0
    for look, points in zip(looks, boxes, strict=True):
        for slot in slots:
            presence = float(named.presence[at])
            look.corners[slot] = Corner(points[slot], named.likelihoods[at], presence, 1.0, rank[at], suit[at])
            at += 1


def _ways(quad: Points) -> list[Points]:
    """A quadrilateral with its shorter side up; at a slant the longer side may be a card's upper one too."""
    return [quad, np.roll(quad, 1, 0)] if _may_lie_either_way(quad) else [quad]


def trust(face: Joined) -> float:
    """How surely both ends of a face show an index, and one of the same rank. Of four corners, two suffice."""
    half = len(face.corners) // 2
    ends = zip(
        face.corners[:half], face.corners[half:], strict=True
    )  # the slots are in order: opposite ones go together
    return max(first.presence * last.presence * first.rank_agreement(last) for first, last in ends)


def own_places(boxes: Boxes, faces: Sequence[Joined]) -> NDArray[np.bool_]:
    """Which boxes (n, 5) stand where a face known by its edges has its indices: there is nothing to learn from them."""
    if not faces or not len(boxes):
        return np.zeros(len(boxes), bool)
    outlines = [face.outline for face in faces]
    places, reach = _slots(outlines).mean(2), NEAR * np.array([_size(outline) for outline in outlines])
    away = np.linalg.norm(boxes[:, None, None, :2] - places, axis=3).min(2)
    return np.asarray((away < reach).any(1))


def settled(faces: Sequence[Joined], corners: Sequence[Corner]) -> tuple[list[Joined], list[Corner]]:
    """The faces that the detector does not contradict, and its corners that lie on none of them.

    A face known by its edges has its indices where a card has them. A sure index elsewhere within it says that the
    edges are those of several cards; an unsure one is a pip or a piece of a court.
    """
    kept: list[Joined] = []
    free = list(corners)
    for face in faces:
        quad = face.outline
        within = [corner for corner in free if _contains(quad, corner.points.mean(0, keepdims=True))]
        places, reach = _slots([quad])[0].mean(1), NEAR * _size(quad)
        strays = [
            corner
            for corner in within
            if float(np.linalg.norm(places - corner.points.mean(0), axis=1).min()) > reach
            and min(corner.presence, float(corner.likelihoods.max())) > SURE
        ]
        if not strays:
            kept.append(face)
            free = [corner for corner in free if corner not in within]
    return kept, free


def _face(corners: Mapping[int, Corner], quad: Points) -> Joined | None:
    pairs = ((TOP_LEFT, BOTTOM_RIGHT), (TOP_RIGHT, BOTTOM_LEFT))
    good = [
        pair
        for pair in pairs
        if all(k in corners and corners[k].presence >= PRESENT for k in pair)
        and corners[pair[0]].rank_agreement(corners[pair[1]]) >= RANKS_AGREE
        # Edges with a seven of hearts at one end and a seven of clubs at the other are those of two cards of a set.
        and not unlike(corners[pair[0]].likelihoods, corners[pair[1]].likelihoods)
    ]
    slots = tuple(sorted(slot for pair in good for slot in pair))
    if len(good) == 2 and corners[TOP_LEFT].rank_agreement(corners[TOP_RIGHT]) < FOUR_AGREE:
        slots = max(good, key=lambda pair: corners[pair[0]].rank_agreement(corners[pair[1]]))
    return Joined(tuple(corners[k] for k in slots), slots, quad) if slots else None


def face_down(image: Image, quads: Sequence[Points], cards: Sequence[Joined]) -> tuple[list[BackReading], list[Points]]:
    """Face-down cards among quadrilaterals that show no index; and those of a card's size that may be one, though no
    pattern tells it: of a fine one hardly anything is left from afar."""
    known = [_size(card.outline) for card in cards]
    result: list[BackReading] = []
    shapes: list[Points] = []
    taken = [card.outline for card in cards]
    for quad in sorted(quads, key=lambda quad: -_size(quad)):
        if known and not min(known) / SIZES < _size(quad) < max(known) * SIZES:
            continue
        if any(_covers(quad, outline) for outline in taken):
            continue
        score = back_score(straightened(image, quad))
        if score > BACK:
            result.append(BackReading(quad, score))
            taken.append(quad)
        elif known:
            shapes.append(quad)
    return result, [quad for quad in shapes if not any(_covers(quad, outline) for outline in taken)]


def _slots(quads: Sequence[Points], slots: NDArray[np.float32] = SLOTS) -> NDArray[np.float32]:
    """Where boxes on a card, (m, 4, 2), are on quadrilaterals: (n, m, 4, 2)."""
    return on_quads(np.stack(quads), slots.reshape(-1, 2)).reshape(len(quads), -1, 4, 2)


def unlike(first: Likelihoods, second: Likelihoods) -> bool:
    """Whether both ends of what may be one card show a face each, as far as can be told, and not the same."""
    return bool(min(first.max(), second.max()) > LIKELY and first @ second < OTHER)


def shared(first: Points, second: Points) -> float:
    """Intersection over union."""
    shared, _ = cv2.intersectConvexConvex(first.astype(np.float32), second.astype(np.float32))
    return float(shared / max(abs(cv2.contourArea(first)) + abs(cv2.contourArea(second)) - shared, 1e-6))


def _covers(first: Points, second: Points) -> bool:
    """Whether two outlines share most of the smaller one."""
    shared, _ = cv2.intersectConvexConvex(first.astype(np.float32), second.astype(np.float32))
    return bool(shared > 0.5 * min(abs(cv2.contourArea(first)), abs(cv2.contourArea(second))))


def _covering(quads: Sequence[Points]) -> NDArray[np.bool_]:
    """Which quadrilaterals share most of the smaller one with which others, (n, n); each with itself."""
    low, high = np.min(quads, 1), np.max(quads, 1)
    result = ((low[:, None] < high) & (low < high[:, None])).all(2)
    for i, j in np.argwhere(np.tril(result, -1)).tolist():
        result[i, j] = result[j, i] = _covers(quads[i], quads[j])
    return np.asarray(result)


def _contains(quad: Points, points: Points) -> bool:
    contour = quad.reshape(-1, 1, 2).astype(np.float32)
    return all(cv2.pointPolygonTest(contour, (float(x), float(y)), False) >= 0 for x, y in points)


def _may_lie_either_way(quad: Points) -> bool:
    sides = [float(np.linalg.norm(quad[i] - quad[i - 1])) for i in range(4)]
    first, second = sides[1] + sides[3], sides[0] + sides[2]
    if min(first, second) > SQUARE * max(first, second):
        return True
    return any(min(a, b) < SLANTED * max(a, b) for a, b in ((sides[0], sides[2]), (sides[1], sides[3])))


def _size(quad: Points) -> float:
    return float(np.sqrt(abs(cv2.contourArea(quad.astype(np.float32)))))
