"""``pilewatch check``: which picture speaks for a source."""

from __future__ import annotations

import time

import numpy as np
import pytest

from companion.commands import check
from vision import sources
from vision.sources import Frame, Kind


class Slow:
    """A camera that sends a picture every so many seconds of a clock that it moves itself."""

    kind, name = Kind.STREAM, "slow"

    def __init__(self, every: float) -> None:
        self.every, self.now, self.closed, self.count = every, 100.0, False, 0

    def read(self) -> Frame | None:
        self.now += self.every
        self.count += 1
        return Frame(np.zeros((48, 64, 3), np.uint8), self.now, self.count - 1)

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize(("every", "pictures"), [(0.03, check.WARM_UP + 1), (2.0, 4), (30.0, 1)])
def test_a_slow_stream_is_judged_by_what_has_come_in_a_few_seconds(
    every: float, pictures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Slow(every)
    monkeypatch.setattr(sources, "open_source", lambda _: source)
    monkeypatch.setattr(time, "monotonic", lambda: source.now)
    assert check._picture("http://camera/").number == pictures - 1
    assert source.closed
