"""What a watcher is made with, what it keeps of each place, and what it can be doing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from vision.sources.base import Frame
from vision.table.table import Zone
from vision.types import Image, ImageReading
from vision.watching.gate import Box, Place, Scene
from vision.watching.track import Look


class ReadsCards(Protocol):
    """``vision.reading.reader.Reader``, or what stands in for it in a test."""

    def read(self, image: Image, regions: Sequence[Box] | None = None) -> ImageReading: ...


@runtime_checkable
class LooksCloser(ReadsCards, Protocol):
    """One that can look again, more closely, where something has changed that it cannot make out."""

    def closer(self) -> ReadsCards: ...


@dataclass(frozen=True, slots=True)
class Settings:
    """Times are seconds of the source's clock."""

    settle: float = 0.12  # nothing has moved for so long: look
    agree: int = 2  # so many frames in a row must see the same
    most: int = 6  # after so many frames the majority decides
    gone_after: float = 1.0  # so long a pile must look gone
    revisit: float = 1.5  # look again at what has been still
    deal_settle: float = 1.0  # so long the deal must lie still
    patience: float = 4.0  # so long to wait for a card of the deal that cannot be read


class State(StrEnum):
    """What the watcher is doing, for the screens."""

    LOOKING = "looking"  # for the laid-out deal
    HAND = "hand"
    SETTLING = "settling"
    STILL = "still"
    LOST = "lost"


@dataclass(eq=False)
class Watched:
    """One zone that is read by itself; ``seat`` is None for the pile."""

    zone: Zone
    seat: int | None
    box: Box
    core: Place
    """What must lie still and uncovered for a look."""
    look: Look | None = None
    dirty: bool = True
    read_at: float = -1e9
    before: Image | None = None
    puzzled: int = 0
    again_at: float = -1e9
    """What could not be made out is looked at again from then on."""
    latest: tuple[Image, Frame, Scene] | None = None
    """What the latest frame of the look was seen in."""


@dataclass(eq=False)
class Counts:
    """What was done, for figures: frames seen, frames read, zones committed."""

    frames: int = 0
    reads: int = 0
    commits: int = 0
