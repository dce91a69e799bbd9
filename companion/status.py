"""The named states of the table, as every screen shows them; and which one it is, as a pure function."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TableState(StrEnum):
    """What the table is waiting for."""

    SET_UP = "set-up"
    EXCHANGE = "exchange"
    LOOKING = "looking"
    HAND = "hand over the table"
    SETTLING = "settling"
    YOUR_TURN = "your turn"
    PLEASE_CHECK = "please check"
    BY_HAND = "by hand"
    CAMERA_LOST = "camera lost"
    GAME_OVER = "game over"


class CameraState(StrEnum):
    """What the camera does. ``ENDED``: a film or a folder of photos has been played to its end."""

    OFF = "off"
    STARTING = "starting"
    WATCHING = "watching"
    LOST = "lost"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the state depends on.

    ``phase`` is the referee's, None without a game. ``doubt``: a question or a flag is open, or an illegal play lies
    on the table. ``by_hand``: the camera's observations are left aside by choice. ``hand``: a hand is over the table.
    ``settling``: something changed and has not come to rest.
    """

    phase: str | None = None
    doubt: bool = False
    camera: CameraState = CameraState.OFF
    by_hand: bool = False
    hand: bool = False
    settling: bool = False


def state_of(facts: Facts) -> TableState:
    """The one state that the screens show, the most pressing first."""
    if facts.phase is None:
        return TableState.SET_UP
    if facts.phase == "over":
        return TableState.GAME_OVER
    if facts.camera is CameraState.LOST and not facts.by_hand:
        return TableState.CAMERA_LOST
    if facts.doubt:
        return TableState.PLEASE_CHECK
    watching = facts.camera in (CameraState.STARTING, CameraState.WATCHING) and not facts.by_hand
    if watching and facts.hand:
        return TableState.HAND
    if watching and facts.settling:
        return TableState.SETTLING
    if facts.phase == "exchange":
        return TableState.EXCHANGE
    if not watching:
        return TableState.BY_HAND
    if facts.phase == "set-up" or facts.camera is CameraState.STARTING:
        return TableState.LOOKING
    return TableState.YOUR_TURN
