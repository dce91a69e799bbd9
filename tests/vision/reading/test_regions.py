"""Rectangles cut, grown and put together."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import Rect
from vision.reading.regions import apart, grown, within

rects = st.builds(
    lambda x, y, w, h: (x, y, x + w, y + h),
    st.integers(-50, 300), st.integers(-50, 300), st.integers(1, 80), st.integers(1, 80),
)  # fmt: skip
WHOLE: Rect = (0, 0, 200, 150)


@given(st.lists(rects, max_size=12))
def test_apart_covers_everything_and_overlaps_nothing(given_: list[Rect]) -> None:
    result = apart(given_)
    for a, b in combinations(result, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    for rect in given_:
        assert any(r[0] <= rect[0] and r[1] <= rect[1] and r[2] >= rect[2] and r[3] >= rect[3] for r in result)


@given(st.lists(rects, max_size=12))
def test_within_stays_within(given_: list[Rect]) -> None:
    for left, top, right, bottom in within(given_, WHOLE):
        assert 0 <= left < right <= 200
        assert 0 <= top < bottom <= 150


def test_examples() -> None:
    assert within([(0.2, 0.7, 10.1, 12.0), (-9, -9, -1, -1)], WHOLE) == [(0, 0, 11, 12)]
    assert grown([(10, 10, 20, 20)], 5) == [(5, 5, 25, 25)]
    assert apart([(0, 0, 10, 10), (20, 20, 30, 30), (5, 5, 25, 25)]) == [(0, 0, 30, 30)]
