"""Oriented boxes: corners, turning, likeness, suppression."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import Boxes, box_points, overlaps, suppress, turned, upright

boxes = st.builds(
    lambda x, y, w, h, a: np.array([[x, y, w, h, a]], np.float32),
    st.floats(-500, 500), st.floats(-500, 500), st.floats(2, 100), st.floats(2, 100), st.floats(-6, 6),
)  # fmt: skip


@given(boxes)
def test_upright_keeps_the_box(box: Boxes) -> None:
    stood = upright(box)
    assert stood[0, 2] <= stood[0, 3]
    before = sorted(map(tuple, box_points(box)[0].round(1).tolist()))
    after = sorted(map(tuple, box_points(stood)[0].round(1).tolist()))
    assert np.allclose(before, after, atol=0.3)


@given(boxes, st.integers(0, 7))
def test_turning_starts_at_another_corner(box: Boxes, quarters: int) -> None:
    assert np.allclose(box_points(turned(box, quarters))[0], np.roll(box_points(box)[0], -quarters, 0), atol=0.05)


@given(boxes, boxes)
def test_overlap_is_a_likeness(first: Boxes, second: Boxes) -> None:
    alike = overlaps(first, second)[0, 0]
    assert 0 <= alike <= 1
    assert alike == pytest.approx(overlaps(second, first)[0, 0], abs=1e-4)
    assert overlaps(first, first)[0, 0] > 0.97
    assert overlaps(first, turned(first, 2))[0, 0] > 0.97


def test_overlap_falls_with_distance_turn_and_size() -> None:
    box = np.array([[100, 100, 20, 40, 0.3]], np.float32)
    others = np.array(
        [[105, 100, 20, 40, 0.3], [140, 100, 20, 40, 0.3], [100, 100, 20, 40, 1.8], [100, 100, 60, 120, 0.3]],
        np.float32,
    )
    near, far, crossing, larger = overlaps(box, others)[0]
    assert 1 > near > 0.4 > 0.1 > far
    assert crossing < 0.7
    assert larger < 0.6


def test_suppress_keeps_the_best_of_each_cluster() -> None:
    every = np.array([[0, 0, 20, 40, 0], [2, 1, 20, 40, 0.05], [100, 0, 20, 40, 0], [101, 0, 21, 40, 3.14]], np.float32)
    assert suppress(every, np.array([0.5, 0.9, 0.8, 0.3], np.float32), 0.35).tolist() == [1, 2]
    assert suppress(every[:0], np.empty(0, np.float32), 0.35).tolist() == []
    limits = np.full((4, 4), 0.35)
    limits[:2, :2] = 0.95  # two that are alike and yet known to be two
    assert suppress(every, np.array([0.5, 0.9, 0.8, 0.3], np.float32), limits).tolist() == [1, 2, 0]
