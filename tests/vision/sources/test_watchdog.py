"""The watchdog's policy, second by second, and the capture it watches over."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from tests.vision.scripted import open_refused, open_scripted
from tests.waiting import PATIENCE, until
from vision.sources import Frame
from vision.sources.capture import _COUNT, Capture, fitting
from vision.sources.watchdog import Do, Policy, Report, Trouble, Watch, step

TICK = 0.1


class Camera:
    """A clock and a camera for the pure policy: ``run`` lets time pass and notes what it was told to do, and when."""

    def __init__(self) -> None:
        self.now = 0.0
        self.watch = Watch(0.0)
        self.policy = Policy()
        self.pictures = 0
        self.print = 0
        self.done: list[tuple[float, Do]] = []

    def run(
        self, seconds: float, comes: bool = True, same: bool = False, black: bool = False, ended: bool = False
    ) -> list[tuple[float, Do]]:
        before = len(self.done)
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            self.pictures += comes
            self.print += comes and not same
            report = Report(self.pictures, self.print, black, ended)
            self.watch, todo = step(self.watch, report, self.now, self.policy)
            if todo is not Do.NOTHING:
                self.done.append((round(self.now, 1), todo))
            if todo is Do.RESTART:
                self.pictures = 0
        return self.done[before:]


def test_a_working_camera_is_left_alone() -> None:
    assert Camera().run(60) == []


def test_silence_is_noticed_within_two_seconds_and_the_camera_started_again() -> None:
    camera = Camera()
    camera.run(5)
    done = camera.run(2, comes=False)
    assert done[0][1] is Do.LOST
    assert done[0][0] - 5 <= 2
    assert done[1][1] is Do.RESTART


def test_the_same_picture_again_and_again_is_a_lost_camera() -> None:
    camera = Camera()
    camera.run(5)
    done = camera.run(2, same=True)
    assert [what for _, what in done] == [Do.LOST, Do.RESTART]
    assert done[0][0] - 5 <= 2


def test_a_covered_camera_is_lost_but_not_started_again() -> None:
    camera = Camera()
    camera.run(5)
    assert [what for _, what in camera.run(30, black=True)] == [Do.LOST]
    assert camera.watch.trouble is Trouble.BLACK
    assert [what for _, what in camera.run(1)] == [Do.BACK]


def test_it_comes_back_by_itself() -> None:
    camera = Camera()
    camera.run(5)
    camera.run(2, comes=False)
    assert [what for _, what in camera.run(3)] == [Do.BACK]


def test_six_crashes_back_off_and_peace_forgives_them() -> None:
    camera = Camera()
    times = []
    for _ in range(6):
        camera.run(1)
        done = camera.run(20, comes=False, ended=True)
        times += [at for at, what in done if what is Do.RESTART][:1]
        camera.watch = Watch(camera.now, lost=True, trouble=Trouble.ENDED, restarts=camera.watch.restarts)
        camera.pictures = 0
    assert camera.watch.restarts >= 6
    pause = [at for at, what in camera.run(40, comes=False, ended=True) if what is Do.RESTART]
    assert pause[1] - pause[0] >= camera.policy.delays[-1]
    camera.run(camera.policy.healthy + 2)
    assert camera.watch.restarts == 0


def test_a_slow_start_is_given_time() -> None:
    camera = Camera()
    assert camera.run(7, comes=False) == []
    assert [what for _, what in camera.run(3, comes=False)][:1] == [Do.LOST]


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans(), st.booleans()), max_size=60))
def test_lost_and_back_take_turns_whatever_happens(phases: list[tuple[bool, bool, bool, bool]]) -> None:
    camera = Camera()
    for comes, same, black, ended in phases:
        camera.run(0.7, comes, same, black, ended)
    told = [what for _, what in camera.done if what is not Do.RESTART]
    assert all(what is (Do.LOST if number % 2 == 0 else Do.BACK) for number, what in enumerate(told))
    # It is started again only while it is lost.
    lost = False
    for _, what in camera.done:
        lost = (lost or what is Do.LOST) and what is not Do.BACK
        assert what is not Do.RESTART or lost


QUICK = Policy(silence=1.0, start=PATIENCE, delays=(0.0, 0.2), healthy=5.0)


def collect(capture: Capture, until: Callable[[], bool], most: float = PATIENCE) -> list[Frame]:
    frames = []
    end = time.monotonic() + most
    while not until() and time.monotonic() < end:
        frame = capture.wait(0.02)
        frames += [frame] if frame is not None else []
    assert until(), "it never happened"
    return frames


def test_a_camera_that_blocks_is_ended_and_started_again() -> None:
    opener = functools.partial(open_scripted, [("good", 10), ("block", 600)])
    with Capture(opener, QUICK) as capture:
        first = collect(capture, lambda: capture.lost)
        assert first
        assert capture.trouble == "silent"
        collect(capture, lambda: capture.restarts > 0 and not capture.lost)


def test_a_camera_that_crashes_and_one_that_repeats_itself() -> None:
    with Capture(functools.partial(open_scripted, [("good", 5), ("crash", 0)]), QUICK) as capture:
        collect(capture, lambda: capture.lost)
        assert capture.trouble == "ended"
    with Capture(functools.partial(open_scripted, [("good", 5), ("same", 500)]), QUICK) as capture:
        collect(capture, lambda: capture.lost)
        assert capture.trouble == "frozen"


def test_a_slow_detector_gets_the_newest_picture_and_the_rest_is_counted() -> None:
    opener = functools.partial(open_scripted, [("good", 60), ("size", 5), ("block", 600)])
    with Capture(opener, QUICK) as capture:
        first = collect(capture, lambda: not capture.opening)
        until(lambda: capture._numbers[_COUNT] == 65)  # the detector is busy with one picture while the others come
        last = capture.poll()
        assert last is not None
        assert (last.number, last.image.shape) == (64, (96, 128, 3)), "never from a queue"
        numbers = [frame.number for frame in first]
        assert numbers == sorted(set(numbers))
        assert capture.dropped == 64 - len(numbers)
        assert capture.poll() is None


def test_of_the_pictures_that_were_dropped_a_glimpse_is_kept_of_each() -> None:
    opener = functools.partial(open_scripted, [("good", 1), ("block", 0.2), ("good", 20), ("block", 600)])
    with Capture(opener, QUICK) as capture:
        collect(capture, lambda: capture._given == 1)
        until(lambda: capture._numbers[_COUNT] == 21)
        last = capture.poll()
        assert last is not None
        assert len(last.missed) == 19
        times = [glimpse.at for glimpse in last.missed]
        assert times == sorted(set(times))
        assert times[-1] < last.at
        assert {glimpse.small.shape for glimpse in last.missed} == {(240, 320, 3)}
        assert len({glimpse.small.tobytes() for glimpse in last.missed}) == 19, "of each picture its own"


def test_glimpses_reach_back_two_seconds_and_are_of_one_size() -> None:
    opener = functools.partial(open_scripted, [("good", 1), ("good", 20), ("tall", 60), ("good", 20), ("block", 600)])
    with Capture(opener, QUICK) as capture:
        collect(capture, lambda: capture._given >= 1)
        until(lambda: capture._numbers[_COUNT] == 101)
        last = capture.poll()
        assert last is not None
        assert len(last.missed) == 19, "those held upright are none of this picture's"
        assert {glimpse.small.shape for glimpse in last.missed} == {(240, 320, 3)}


def test_a_camera_that_cannot_be_opened_says_why() -> None:
    with Capture(open_refused, QUICK) as capture:
        collect(capture, lambda: bool(capture.words))
        assert capture.words == "the scripted camera is out"


def test_large_pictures_are_reduced() -> None:
    import numpy as np

    assert fitting(np.zeros((2160, 3840, 3), np.uint8)).shape == (1080, 1920, 3)
    assert fitting(np.zeros((720, 1280, 3), np.uint8)).shape == (720, 1280, 3)
