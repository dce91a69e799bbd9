"""When the camera may have been nudged: all places stir and there is no hand. Where to is ``register``'s to say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vision.watching.gate import Scene
from vision.watching.register import MOVED
from vision.watching.upcards import Row
from vision.watching.watched import Watched

TELLING: Final = 3
"""So many face-up cards that lie free tell where a nudged camera looks now."""
FORGOTTEN: Final = 3.0
"""Seconds after which what could not be looked into is let be."""
STIRS: Final = 0.05
"""What has been still for less than these seconds stirs."""


class Suspicion:
    """Follows the frames; raised until :meth:`least` settles it."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._jolted = False

    @property
    def waits(self) -> bool:
        """Whether the camera is suspected to have been nudged."""
        return self._since is not None

    def see(self, zones: Sequence[Watched], scene: Scene, at: float) -> None:
        """Take in a frame, or a glimpse of one."""
        if self._since is not None and at - self._since > FORGOTTEN:
            self._since, self._jolted = None, False
        stirring = [zone for zone in zones if scene.still_for(zone.core) < STIRS]
        if len(stirring) == len(zones) and len(zones) >= 3 and not scene.hands:
            self._since, self._jolted = at, self._jolted or scene.jolted

    def least(self, zones: Sequence[Watched], rows: Sequence[Row], scene: Scene, settle: float) -> float | None:
        """How little, in card widths, a camera that is suspected to be nudged must look elsewhere to count as moved;
        None while too little lies still and free to tell. ``settle``: seconds for which a place must be still."""
        free = [zone for zone in zones if not scene.covering(zone.core) and scene.still_for(zone.core) >= 2 * settle]
        told = sum(len(rows[zone.seat].cards) for zone in free if zone.seat is not None)
        if (scene.hands or len(free) < len(zones)) and told < TELLING:
            return None
        least = 0.0 if self._jolted else MOVED
        self._since, self._jolted = None, False
        return least
