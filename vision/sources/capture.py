"""A live source in a process of its own: the newest picture is handed on, the others are dropped and counted.

A camera driver may block for ever inside one call; only another process can be ended then. The pictures pass through
three slots of shared memory without a lock, so that a process that is killed while it writes wedges nobody. Beside them
a ring keeps a glimpse of every picture for about two seconds, for what was dropped.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import signal
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict
from multiprocessing import shared_memory
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sources.base import Frame, LeftOut, Source, SourceError
from vision.sources.glimpse import WIDTH, Glimpse, reduced, size_of
from vision.sources.watchdog import Do, Policy, Report, Watch, step
from vision.types import Image

MOST: Final = (1920, 1080)
"""Larger pictures are reduced to this size: nothing more is read from them."""
_SLOTS: Final = 3
_RING: Final = 60
_SMALL: Final = WIDTH * 2 * WIDTH * 3
"""Bytes of a glimpse at most: of a picture held upright, up to twice as high as wide."""
_BYTES: Final = MOST[0] * MOST[1] * 3
_FRONT: Final = 4096
_TEXT: Final = 3072
_WORDS: Final = 1000
# Numbers at the front of the shared memory: status, count of pictures, newest slot, fingerprint, darkness; per slot the
# picture's count, its time, height and width; per glimpse its picture's count, time and height. One float64 each:
# aligned, so no reader sees half a number.
_STATUS, _COUNT, _NEWEST, _PRINT, _BLACK, _SLOT0 = 0, 1, 2, 3, 4, 5
_RING0: Final = _SLOT0 + 4 * _SLOTS
_NUMBERS: Final = _RING0 + 3 * _RING
_STARTING, _RUNNING, _ENDED, _FAILED = 0.0, 1.0, 2.0, 3.0
Opener = Callable[[], Source]
_open: Final[set[Capture]] = set()


class Capture:
    """Reads a source in another process. ``opener`` must be picklable (a function of a module, or a partial of one).

    Call :meth:`poll` often; it returns the newest picture that was not handed on yet, or None.
    """

    def __init__(
        self, opener: Opener, policy: Policy | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._opener = opener
        self._policy = policy or Policy()
        self._clock = clock
        self._context = multiprocessing.get_context("spawn")
        self.dropped = 0
        """Pictures that came and were never handed on."""
        self.restarts = 0
        self.lost = False
        self.changed = False
        """Whether ``lost`` changed with the last :meth:`poll`."""
        self._given = 0
        self._base = 0
        self._process: multiprocessing.process.BaseProcess | None = None
        self._memory: shared_memory.SharedMemory | None = None
        _open.add(self)
        self._start()
        self._watch = Watch(clock())

    def __enter__(self) -> Capture:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def words(self) -> str:
        """Why the source could not be opened, as it said itself; empty if it could."""
        if self._memory is None or self._numbers[_STATUS] != _FAILED:
            return ""
        return _read_text(self._memory)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What a source that has come to its end could not read."""
        if self._memory is None or not self.finished or not (text := _read_text(self._memory)):
            return ()
        return tuple(LeftOut(one["name"], one["code"], one["words"]) for one in json.loads(text))

    @property
    def trouble(self) -> str:
        """Why the camera is lost, in a word; empty if it is not."""
        return self._watch.trouble.value if self._watch.trouble is not None and self.lost else ""

    @property
    def opening(self) -> bool:
        """Whether no picture has come yet since the capture was started."""
        return bool(self._numbers[_COUNT] == 0)

    @property
    def finished(self) -> bool:
        """Whether the source came to its end (a film that is played at its own pace does)."""
        return bool(self._numbers[_STATUS] == _ENDED)

    def poll(self) -> Frame | None:
        """The newest picture, if there is a new one, after the watchdog had its say."""
        numbers = self._numbers
        dead = self._process is None or not self._process.is_alive()
        report = Report(
            pictures=int(numbers[_COUNT]),
            fingerprint=int(numbers[_PRINT]),
            black=bool(numbers[_BLACK]),
            ended=dead or bool(numbers[_STATUS] >= _ENDED),
        )
        self._watch, todo = step(self._watch, report, self._clock(), self._policy)
        self.changed = todo in (Do.LOST, Do.BACK)
        self.lost = self._watch.lost
        if todo is Do.RESTART:
            self._restart()
            return None
        return None if self.lost else self._take()

    def wait(self, seconds: float) -> Frame | None:
        """Like :meth:`poll`, waiting up to ``seconds`` for a picture or a change."""
        until = self._clock() + seconds
        while True:
            frame = self.poll()
            if frame is not None or self.changed or self._clock() >= until:
                return frame
            time.sleep(0.004)

    def close(self) -> None:
        """End the process and free the memory. May be called twice."""
        _open.discard(self)
        self._stop()

    # inside

    @property
    def _numbers(self) -> NDArray[np.float64]:
        assert self._memory is not None
        return np.ndarray((_NUMBERS,), np.float64, self._memory.buf)

    def _take(self) -> Frame | None:
        numbers = self._numbers
        for _ in range(3):
            slot = int(numbers[_NEWEST])
            at = _SLOT0 + 4 * slot
            count, when, height, width = (float(value) for value in numbers[at : at + 4])
            if count <= self._given or not height or not width:
                return None
            image = _slot(self._memory, slot)[: int(height * width * 3)].copy().reshape(int(height), int(width), 3)
            if numbers[at] == count:  # it was not overwritten while it was copied
                missed = self._missed(int(count), image.shape[:2])
                self.dropped += int(count) - self._given - 1
                self._given = int(count)
                return Frame(image, when, self._base + int(count) - 1, missed=missed)
        return None

    def _missed(self, count: int, shape: tuple[int, ...]) -> tuple[Glimpse, ...]:
        """Glimpses of the pictures between the one handed on last and this one, as far as the ring still has them."""
        assert self._memory is not None
        found, numbers = [], self._numbers
        rows, columns = size_of(*shape)
        for number in range(max(self._given + 1, count - _RING + 1), count):
            slot = number % _RING
            at = _RING0 + 3 * slot
            known, when, height = (float(value) for value in numbers[at : at + 3])
            if known == number and height == rows:
                small = _small(self._memory, slot)[: rows * columns * 3].copy().reshape(rows, columns, 3)
                if numbers[at] == number:  # it was not overwritten while it was copied
                    found.append(Glimpse(small, when))
        return tuple(found)

    def _start(self) -> None:
        self._memory = shared_memory.SharedMemory(create=True, size=_FRONT + _SLOTS * _BYTES + _RING * _SMALL)
        self._numbers[:] = 0
        self._process = self._context.Process(
            target=_child, args=(self._opener, self._memory.name), daemon=True, name="pilewatch-capture"
        )
        with _deaf():
            self._process.start()
        self._given = 0

    def _restart(self) -> None:
        self._base += int(self._numbers[_COUNT])
        self._stop()
        self._start()
        self.restarts += 1

    def _stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.join(1)
            if self._process.is_alive():
                self._process.kill()
                self._process.join(1)
            self._process = None
        if self._memory is not None:
            memory, self._memory = self._memory, None
            with contextlib.suppress(BufferError):
                memory.close()
            with contextlib.suppress(FileNotFoundError):
                memory.unlink()


def close_all() -> None:
    """End every process that reads a source, for a program that ends in the middle of things."""
    for capture in list(_open):
        capture.close()


def _text(memory: shared_memory.SharedMemory) -> NDArray[np.uint8]:
    return np.ndarray((_WORDS,), np.uint8, memory.buf, _TEXT)


def _read_text(memory: shared_memory.SharedMemory) -> str:
    return _text(memory).tobytes().split(b"\0")[0].decode("utf-8", "replace")


def _put_text(memory: shared_memory.SharedMemory, text: str) -> None:
    words = text.encode()[:_WORDS]
    _text(memory)[: len(words)] = np.frombuffer(words, np.uint8)


def _slot(memory: shared_memory.SharedMemory | None, slot: int) -> NDArray[np.uint8]:
    assert memory is not None
    return np.ndarray((_BYTES,), np.uint8, memory.buf, _FRONT + slot * _BYTES)


def _small(memory: shared_memory.SharedMemory, slot: int) -> NDArray[np.uint8]:
    return np.ndarray((_SMALL,), np.uint8, memory.buf, _FRONT + _SLOTS * _BYTES + slot * _SMALL)


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """A process that is started in here does not hear Ctrl+C: the terminal sends it to all, but only one is to act."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    """End this process when its parent has, however that came: nobody else would let go of the camera."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _child(opener: Opener, name: str) -> None:
    """Read the source until it ends, or until this process is ended."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    cv2.setNumThreads(1)
    memory = shared_memory.SharedMemory(name)
    # A spawned process shares its parent's resource tracker, so the memory stays registered once, by the parent.
    numbers = np.ndarray((_NUMBERS,), np.float64, memory.buf)
    try:
        source = opener()
    except Exception as error:
        _put_text(memory, str(error) if isinstance(error, SourceError) else f"{type(error).__name__}: {error}")
        numbers[_STATUS] = _FAILED
        return
    numbers[_STATUS] = _RUNNING
    count = 0
    while (frame := source.read()) is not None:
        count += 1
        _put(memory, numbers, frame, count)
    told = [asdict(one) for one in getattr(source, "left_out", ())]
    while told and len((text := json.dumps(told, ensure_ascii=False)).encode()) > _WORDS:
        told.pop()
    if told:
        _put_text(memory, text)
    numbers[_STATUS] = _ENDED
    source.close()


def _put(memory: shared_memory.SharedMemory, numbers: NDArray[np.float64], frame: Frame, count: int) -> None:
    image = fitting(frame.image)
    _put_glimpse(memory, numbers, image, frame.at, count)
    slot = count % _SLOTS
    at = _SLOT0 + 4 * slot
    numbers[at] = -1
    _slot(memory, slot)[: image.size] = image.ravel()
    numbers[at + 1 : at + 4] = frame.at, image.shape[0], image.shape[1]
    numbers[at] = count
    numbers[_PRINT] = float(zlib.crc32(np.ascontiguousarray(image[::3, ::3]).tobytes()))
    numbers[_BLACK] = float(image[::8, ::8].max() < 24)
    numbers[_NEWEST] = slot
    numbers[_COUNT] = count


def _put_glimpse(
    memory: shared_memory.SharedMemory, numbers: NDArray[np.float64], image: Image, when: float, count: int
) -> None:
    small = reduced(image)
    if small.size > _SMALL:
        return
    slot = count % _RING
    at = _RING0 + 3 * slot
    numbers[at] = -1
    _small(memory, slot)[: small.size] = small.ravel()
    numbers[at + 1 : at + 3] = when, small.shape[0]
    numbers[at] = count


def fitting(image: Image) -> Image:
    """The picture, reduced if it is larger than :data:`MOST`."""
    height, width = image.shape[:2]
    scale = min(MOST[0] / width, MOST[1] / height, 1.0)
    if scale < 1:
        size = (max(1, int(width * scale)), max(1, int(height * scale)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return image
