"""What truly happened in a film, and from which frame on it can be seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Happened:
    """One event, as the records write it, and the first frame in which the table lies still after it."""

    frame: int
    event: dict[str, object]


class Log:
    """Events in their order; each is told when it has happened, and noted once it lies open to the camera."""

    def __init__(self) -> None:
        self.happened: list[Happened] = []
        self._waiting: list[tuple[dict[str, object], Callable[[], bool]]] = []

    @property
    def waiting(self) -> bool:
        """Whether something that has happened is still covered."""
        return bool(self._waiting)

    def tell(self, event: dict[str, object], is_open: Callable[[], bool]) -> None:
        self._waiting.append((event, is_open))

    def note(self, frame: int) -> None:
        """A frame has been taken: whatever lies open in it is noted, never out of order."""
        while self._waiting and self._waiting[0][1]():
            event, _ = self._waiting.pop(0)
            self.happened.append(Happened(frame, event))
