"""When a camera counts as lost, and when to start it again: a pure function of what was reported and when.

All times are seconds of a monotonic clock; the wall clock may jump.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

_PATIENCE: Final = 1.4


class Trouble(StrEnum):
    """Why a camera is lost."""

    SILENT = "silent"  # no picture comes
    FROZEN = "frozen"  # the same picture comes again and again
    BLACK = "black"  # the pictures are black
    ENDED = "ended"  # the device has gone, or the program that reads it has


class Do(StrEnum):
    """What the caller is to do now."""

    NOTHING = "nothing"
    LOST = "lost"  # say that the camera is lost
    BACK = "back"  # say that it is back
    RESTART = "restart"  # start the capture anew


@dataclass(frozen=True, slots=True)
class Policy:
    """``silence``: seconds without a picture, with the same one or with black ones until the camera is lost;
    ``start``: seconds that opening a camera may take; ``delays``: seconds to wait before each restart (the last one
    stays); ``healthy``: seconds of pictures after which the delays begin anew."""

    silence: float = _PATIENCE
    start: float = 8.0
    delays: tuple[float, ...] = (0.0, 1.0, 2.0, 4.0, 8.0, 15.0)
    healthy: float = 20.0


@dataclass(frozen=True, slots=True)
class Report:
    """What the capture has to say. ``pictures`` counts those that came since it was started (0: none yet);
    ``fingerprint`` is equal for equal pictures; ``black``: the newest shows nothing; ``ended``: it has stopped."""

    pictures: int = 0
    fingerprint: int = 0
    black: bool = False
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Watch:
    """What the watchdog remembers."""

    started: float
    """When the capture was last started."""
    first: float | None = None
    """When the first picture came, since then."""
    picture: float | None = None
    """When the last picture came."""
    change: float | None = None
    """When the last picture came that differed from the one before."""
    bright: float | None = None
    """When the last picture came that was not black."""
    pictures: int = 0
    fingerprint: int = 0
    lost: bool = False
    trouble: Trouble | None = None
    restarts: int = 0
    restart_at: float | None = None
    good_since: float | None = None


def step(watch: Watch, report: Report, now: float, policy: Policy) -> tuple[Watch, Do]:
    """The watchdog's next memory, and what to do. Call it several times a second."""
    watch = _note(watch, report, now)
    trouble = _trouble(watch, report, now, policy)
    if trouble is None:
        # One picture may be the old one that a stuck driver still holds: two that differ prove that it lives.
        good = watch.change is not None and watch.bright is not None
        if good and watch.lost:
            return replace(watch, lost=False, trouble=None, restart_at=None, good_since=now), Do.BACK
        if good and watch.good_since is None:
            watch = replace(watch, good_since=now)
        if watch.good_since is not None and now - watch.good_since >= policy.healthy:
            watch = replace(watch, restarts=0)
        return watch, Do.NOTHING
    if not watch.lost:
        return replace(watch, lost=True, trouble=trouble, good_since=None), Do.LOST
    watch = replace(watch, trouble=trouble, good_since=None)
    if trouble is Trouble.BLACK:
        return watch, Do.NOTHING  # the device works: a cover, or the light; starting it anew helps nobody
    if watch.restart_at is None:
        delay = policy.delays[min(watch.restarts, len(policy.delays) - 1)]
        watch = replace(watch, restart_at=now + delay)
    if watch.restart_at is not None and now >= watch.restart_at:
        again = Watch(started=now, lost=True, trouble=trouble, restarts=watch.restarts + 1)
        return again, Do.RESTART
    return watch, Do.NOTHING


def _note(watch: Watch, report: Report, now: float) -> Watch:
    if report.pictures <= watch.pictures:
        return watch
    changed = watch.first is not None and report.fingerprint != watch.fingerprint
    return replace(
        watch,
        first=now if watch.first is None else watch.first,
        picture=now,
        change=now if changed else watch.change,
        bright=watch.bright if report.black else now,
        pictures=report.pictures,
        fingerprint=report.fingerprint,
    )


def _trouble(watch: Watch, report: Report, now: float, policy: Policy) -> Trouble | None:
    if report.ended:
        return Trouble.ENDED
    if watch.picture is None or watch.first is None:
        return Trouble.SILENT if now - watch.started > policy.start else None
    if now - watch.picture > policy.silence:
        return Trouble.SILENT
    if now - (watch.first if watch.change is None else watch.change) > policy.silence:
        return Trouble.FROZEN
    if now - (watch.first if watch.bright is None else watch.bright) > policy.silence:
        return Trouble.BLACK
    return None
