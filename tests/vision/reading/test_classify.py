"""Crops out of pictures, and logits to likelihoods."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine.cards import FACES, Card, Rank, Suit
from vision.geometry import Rect, box_points
from vision.reading.classify import NO_INDEX, name
from vision.reading.detect import ALIKE, Found, _beside_each_other, blob, decode, find
from vision.reading.pyramid import Pyramid
from vision.types import Image


def gradient(width: int = 400, height: int = 300) -> Image:
    """Blue grows to the right, green downwards."""
    y, x = np.mgrid[0:height, 0:width]
    return np.stack([x * 255 / width, y * 255 / height, np.zeros_like(x)], -1).astype(np.uint8)


@pytest.mark.parametrize("angle", [0, np.pi / 2, np.pi, 2.5])
@pytest.mark.parametrize("size", [(16, 33), (40, 80), (100, 180)])
def test_crops_are_upright_and_wider_than_the_box(angle: float, size: tuple[int, int]) -> None:
    image = gradient()
    box = np.array([[200, 150, *size, angle]], np.float32)
    (crop,) = Pyramid(image).cut(box)
    assert crop.shape == (64, 40, 3)
    wide = box.copy()
    wide[:, 2:4] *= 1.2
    for corner, pixel in zip(box_points(wide)[0], (crop[0, 0], crop[0, -1], crop[-1, -1], crop[-1, 0]), strict=True):
        wanted = np.array([corner[0] * 255 / 400, corner[1] * 255 / 300])
        assert np.abs(pixel[:2] - wanted).max() < 6


def test_crops_beyond_the_picture_repeat_its_edge() -> None:
    (crop,) = Pyramid(gradient()).cut(np.array([[0, 0, 40, 80, 0.0]], np.float32))
    assert crop[0, 0, 0] == 0
    assert not crop[..., 2].any()


def test_large_crops_do_not_alias() -> None:
    stripes = np.zeros((1200, 1200, 3), np.uint8)
    stripes[:, ::2] = 255
    (crop,) = Pyramid(stripes).cut(np.array([[600, 600, 400, 640, 0.0]], np.float32))
    assert crop.std() < 4
    assert abs(float(crop.mean()) - 127) < 3


def logits(rank: int, suit: int | None, height: float = 9.0) -> tuple[np.ndarray, np.ndarray]:
    ranks, suits = np.zeros((1, 15), np.float32), np.zeros((1, 4), np.float32)
    ranks[0, rank] = height
    if suit is not None:
        suits[0, suit] = height
    return ranks, suits


@pytest.mark.parametrize("face", FACES, ids=str)
def test_every_face_has_its_logits(face: Card) -> None:
    suit = None if face.suit is None else list(Suit).index(face.suit)
    named = name(*logits(face.rank - Rank.TWO, suit))
    assert FACES[int(named.likelihoods[0].argmax())] == face
    assert named.likelihoods.sum() == pytest.approx(1, abs=1e-5)
    assert named.presence[0] > 0.95


def test_an_uncertain_suit_leaves_the_rank_certain() -> None:
    named = name(*logits(Rank.SEVEN - Rank.TWO, None))
    sevens = [i for i, face in enumerate(FACES) if face.rank is Rank.SEVEN]
    assert named.likelihoods[0, sevens].sum() > 0.95
    assert named.likelihoods[0, sevens].max() < 0.3


def test_no_index_has_no_presence_but_still_a_face() -> None:
    named = name(*logits(NO_INDEX, 0, 30.0))
    assert named.presence[0] < 1e-6
    assert named.likelihoods.sum() == pytest.approx(1, abs=1e-5)


@given(
    arrays(np.float32, (3, 15), elements=st.floats(-80, 80, width=32)),
    arrays(np.float32, (3, 4), elements=st.floats(-80, 80, width=32)),
    st.floats(0.3, 5),
)
def test_any_logits_give_probabilities(rank: np.ndarray, suit: np.ndarray, temperature: float) -> None:
    named = name(rank, suit, temperature, temperature)
    assert np.isfinite(named.likelihoods).all()
    assert np.allclose(named.likelihoods.sum(1), 1, atol=1e-4)
    assert ((named.presence >= 0) & (named.presence <= 1)).all()


def test_a_higher_temperature_doubts_more() -> None:
    sure, doubtful = (name(*logits(5, 1), t, t).likelihoods.max() for t in (1.0, 3.0))
    assert sure > doubtful


def test_decoding_keeps_each_index_once() -> None:
    # x, y, width, height, score, angle: one index three times (once lying, once turned by half a turn), one below the
    # threshold, one elsewhere.
    rows = np.array(
        [
            [100, 80, 20, 40, 0.9, 0.1],
            [101, 80, 41, 20, 0.8, 0.1 + np.pi / 2],
            [100, 81, 20, 40, 0.7, 0.1 - np.pi],
            [300, 80, 20, 40, 0.2, 0.0],
            [200, 80, 20, 40, 0.5, 0.0],
        ],
        np.float32,
    )
    found = decode(rows.T[None], 0.25)
    assert found.scores.tolist() == pytest.approx([0.9, 0.5])
    assert np.allclose(found.boxes[0], [100, 80, 20, 40, 0.1], atol=1e-5)
    assert (found.boxes[:, 2] <= found.boxes[:, 3]).all()
    assert len(decode(np.zeros((1, 6, 0), np.float32), 0.25)) == 0
    assert 0 < ALIKE < 1


@pytest.mark.parametrize("size", [(1280, 720), (33, 31), (640, 641), (1, 1)])
def test_the_net_sees_rgb_padded_to_its_stride(size: tuple[int, int]) -> None:
    image = np.zeros((size[1], size[0], 3), np.uint8)
    image[..., 0] = 255  # blue
    seen = blob(image)
    assert seen.shape[:2] == (1, 3)
    assert seen.shape[2] % 32 == seen.shape[3] % 32 == 0
    assert seen[0, :, 0, 0].tolist() == [0, 0, 1]
    assert seen.dtype == np.float32


def test_boxes_come_back_in_the_pictures_own_pixels() -> None:
    from tests.vision.painted import detector, lying, paint, table

    image = table()
    paint(image, "7H", lying(640, 360, 0.5, 200))
    whole = (0, 0, 1280, 720)
    full, half = (find(detector, Pyramid(image), [(whole, scale)]) for scale in (1.0, 0.5))
    order = np.argsort(full.boxes[:, 0]), np.argsort(half.boxes[:, 0])
    assert np.allclose(full.boxes[order[0]], half.boxes[order[1]], atol=2.5)
    assert len(full.merged(half)) == len(full) == 2


def test_resizing_never_loses_the_picture() -> None:
    pyramid = Pyramid(gradient(4, 3))
    assert pyramid.part((0, 0, 4, 3), 0.01)[0].shape == (1, 1, 3)
    assert pyramid.part((0, 0, 4, 3), 2.0)[0].shape == (6, 8, 3)


@given(st.integers(1, 300), st.integers(1, 300), st.floats(0.02, 1.5), st.data())
def test_a_part_shows_its_region_and_hardly_more(width: int, height: int, scale: float, data: st.DataObject) -> None:
    left, top = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    right, bottom = data.draw(st.integers(left + 1, width)), data.draw(st.integers(top + 1, height))
    part, shown = Pyramid(gradient(width, height)).part((left, top, right, bottom), scale)
    assert min(part.shape[:2]) >= 1
    more = 2 / scale + 1
    for at, wanted, size in zip(shown, (left, top, right, bottom), (width, height) * 2, strict=True):
        assert abs(at - wanted) <= more
        assert 0 <= at <= size
    assert np.all(np.subtract(shown[:2], (left, top)) <= 1)
    assert np.all(np.subtract(shown[2:], (right, bottom)) >= -1)


def test_many_regions_are_seen_at_once() -> None:
    """Side by side in one picture, each at its own scale, and as if each were seen alone."""
    from tests.vision.painted import detector, lying, paint, table

    image = table()
    looks: list[tuple[Rect, float]] = []
    for i in range(7):
        x, y = 150 + 150 * i, 150 + 60 * i
        paint(image, "7H", lying(x, y, 0.6 * i, 60 + 6 * i))
        looks.append(((x - 75, y - 75 - 5 * i, x + 75, y + 75 + 5 * i), 0.5 + 0.08 * i))
    calls = 0

    def counting(image: Image) -> Found:
        nonlocal calls
        calls += 1
        return detector(image)

    pyramid = Pyramid(image)
    together = find(counting, pyramid, looks)
    assert calls == 1
    alone = [find(detector, pyramid, [look]) for look in looks]
    assert len(together) == sum(map(len, alone)) == 14
    for boxes in (found.boxes for found in alone):
        assert max(np.abs(together.boxes - box).max(1).min() for box in boxes) < 0.5


@given(st.lists(st.tuples(st.integers(1, 300), st.integers(1, 300)), min_size=1, max_size=20))
def test_pictures_side_by_side_do_not_overlap(sizes: list[tuple[int, int]]) -> None:
    corners, (width, height) = _beside_each_other(sizes)
    taken = np.zeros((height, width), np.uint8)
    for (x, y), (across, down) in zip(corners, sizes, strict=True):
        assert x + across <= width
        assert y + down <= height
        taken[y : y + down, x : x + across] += 1
    assert taken.max() == 1
