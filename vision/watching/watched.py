"""What a watcher is made with, what it keeps of each place, and what it can be doing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol, runtime_checkable

from vision.sources.base import Frame
from vision.table.table import Zone
from vision.types import Image, ImageReading, Likelihoods
from vision.watching.gate import Box, Place, Scene
from vision.watching.track import Look, rank_vector

SOON: Final = 0.2
"""Seconds after which a pile is looked at again from which something is missing."""


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

    def is_due(self, scene: Scene, at: float, settings: Settings, pending: bool) -> bool:
        """Whether to read it in this frame; where it stirs or is covered, what the look has seen so far is forgotten.
        ``pending``: whether something is missing from the pile that may soon count as gone."""
        # A look that has begun goes on beside the hand that leaves, or the next one that comes.
        if scene.still_for(self.core) < settings.settle or scene.covering(self.core, self.look is not None):
            self.look, self.dirty, self.again_at = None, True, at
            return False
        if self.dirty and self.look is None and at < self.again_at:
            return False
        soon = self.seat is None and pending
        return self.dirty or at - self.read_at >= (SOON if soon else settings.revisit)

    def is_ready(self, look: Look, settings: Settings, pending: bool) -> bool:
        """Whether its look has seen enough for what it shows to be taken for true."""
        if look.frames >= settings.most:
            return True
        if self.seat is None and not look.tracks and pending:
            return True  # it still looks empty; for how long it must is the pile's to say
        sure = all(track.likelihoods.max() > 0.3 and _rank_margin(track.likelihoods) for track in look.tracks)
        return look.steady >= settings.agree + (0 if sure else 1)

    def ends(self, scene: Scene, settings: Settings) -> bool:
        """Whether a look that has seen enough for a majority ends undecided, the next hand being there already."""
        if self.seat is not None or self.look is None or self.look.frames < max(3, settings.agree):
            return False
        return bool(scene.covering(self.core)) or scene.still_for(self.core) < settings.settle


@dataclass(eq=False)
class Counts:
    """What was done, for figures: frames seen, frames read, zones committed."""

    frames: int = 0
    reads: int = 0
    commits: int = 0


def _rank_margin(likelihoods: Likelihoods) -> bool:
    return bool(rank_vector(likelihoods).max() > 0.85)
