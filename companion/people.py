"""Who is at the table with which device, and what each of them may do.

A device joins with the token of the QR code and gets a key of its own; only the key's hash is kept. The first device
that joins is the host, and so is whoever joins with the host token, which is shown on the host machine alone. The host
may hand the role over for the evening; when the server starts again, the first host has it back.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

from companion.refusals import RefusalError
from companion.set_up import JOINERS, printable
from companion.storage import DataFolder

TOKEN_BYTES: Final = 16  # 128 bit
MOST_DEVICES: Final = 500
NAME_LENGTH: Final = 40
POLLING: Final = 10.0
"""Seconds after its last question for which a polling device counts as here."""
_FILE: Final = "people.json"


class Role(StrEnum):
    """What a device is for. Each role may do all that the one before it may."""

    VIEWER = "viewer"
    PLAYER = "player"
    HOST = "host"


@dataclass(slots=True)
class Device:
    """One phone, tablet or TV. ``seat`` is a player's name, so that it outlives a change of the seating."""

    id: str
    key_hash: str
    name: str
    role: Role = Role.PLAYER
    decider: bool = False
    seat: str | None = None
    seen: float = 0.0


class People:
    """All devices that ever joined. Thread-safe; every change is on the disk when the method returns, or known to be
    unsaved (:attr:`DataFolder.unsaved`)."""

    def __init__(self, folder: DataFolder, *, renew: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        """``renew`` forgets every device and makes new tokens."""
        self._folder = folder
        self._clock = clock
        self._lock = threading.RLock()
        saved = {} if renew else folder.read(_FILE)
        self.join_token = _token(saved.get("join_token"))
        self.host_token = _token(saved.get("host_token"))
        self._devices: dict[str, Device] = {}
        listed = saved.get("devices")
        for entry in listed if isinstance(listed, list) else []:
            try:
                device = Device(**{**entry, "role": Role(entry["role"])})
            except (TypeError, ValueError, KeyError):
                continue  # damaged by hand; that device joins again
            self._devices[device.id] = device
        first = saved.get("host")
        self._first_host = first if isinstance(first, str) and first in self._devices else None
        self._host = self._first_host
        self._here: dict[str, int] = {}
        self._polling: dict[str, float] = {}
        self._save()

    def join(self, token: str, name: str = "", *, viewer: bool = False, key: str | None = None) -> tuple[Device, str]:
        """Let a device in and return it with its key. One that knows a ``key`` already stays who it is.

        Raises RefusalError ``wrong-token``, ``too-many``.
        """
        given = token.encode("utf-8", "replace")
        is_host = hmac.compare_digest(given, self.host_token.encode())
        if not is_host and not hmac.compare_digest(given, self.join_token.encode()):
            raise RefusalError("wrong-token", "this link is not for this table (any more): scan the QR code again")
        with self._lock:
            device = self.identify(key) if key else None
            if device is None or key is None:
                self._make_room()
                key = secrets.token_hex(TOKEN_BYTES)
                number = 1 + max((int(other) for other in self._devices), default=0)
                device = Device(str(number), _hash(key), _clean(name) or f"{'TV' if viewer else 'Phone'} {number}")
                self._devices[device.id] = device
                device.role = Role.VIEWER if viewer and not is_host else Role.PLAYER
            device.seen = time.time()
            if is_host or (self._first_host is None and device.role is Role.PLAYER):
                device.role = Role.PLAYER
                self._first_host = self._host = device.id
            self._save()
            return device, key

    def identify(self, key: str) -> Device | None:
        """The device with this key."""
        hashed = _hash(key)
        with self._lock:
            return next((d for d in self._devices.values() if hmac.compare_digest(d.key_hash, hashed)), None)

    def find(self, identifier: str) -> Device | None:
        """The device with this public id, if there (still) is one."""
        return self._devices.get(identifier)

    def device(self, identifier: object) -> Device:
        """The device with this public id. Raises RefusalError ``unknown-device``."""
        found = self._devices.get(identifier) if isinstance(identifier, str) else None
        if found is None:
            raise RefusalError("unknown-device", "there is no such device at the table")
        return found

    @property
    def host(self) -> str | None:
        """The public id of the host's device; None where nobody has joined yet."""
        return self._host

    def role(self, device: Device) -> Role:
        return Role.HOST if device.id == self._host else device.role

    def may_decide(self, device: Device) -> bool:
        """Whether this device's word settles a doubt: the host's, and that of those whom the host named."""
        return device.id == self._host or (device.decider and device.role is not Role.VIEWER)

    def rename(self, device: Device, name: str) -> None:
        """Raises RefusalError ``bad-value`` for an empty name."""
        cleaned = _clean(name)
        if not cleaned:
            raise RefusalError("bad-value", "a name needs at least one letter")
        self._change(device, name=cleaned)

    def sit(self, device: Device, player: str | None) -> None:
        self._change(device, seat=player)

    def set_decider(self, device: Device, on: bool) -> None:
        self._change(device, decider=on)

    def set_role(self, device: Device, role: Role) -> None:
        """Make a device a player or a viewer. Raises RefusalError ``bad-value`` for the host, who hands over first."""
        if role is Role.HOST or device.id == self._host:
            raise RefusalError("bad-value", "the host's role is handed over, not changed")
        self._change(device, role=role)

    def hand_over(self, device: Device) -> None:
        """Make another device the host until the server starts again."""
        with self._lock:
            self._host = device.id

    def arrived(self, device: Device) -> None:
        """A connection of this device has opened."""
        with self._lock:
            self._here[device.id] = self._here.get(device.id, 0) + 1
            device.seen = time.time()

    def polled(self, device: Device) -> bool:
        """A device without a socket has asked. Returns whether it is new here."""
        with self._lock:
            new = device.id not in self._here and device.id not in self._polling
            self._polling[device.id] = self._clock()
            device.seen = time.time()
            return new

    def forget_pollers(self) -> bool:
        """Forget those that have not asked for a while. Returns whether anybody is gone by it."""
        with self._lock:
            gone = [one for one, when in self._polling.items() if self._clock() - when > POLLING]
            for one in gone:
                del self._polling[one]
            return bool(gone)

    def left(self, device: Device) -> None:
        """A connection of this device has closed."""
        with self._lock:
            remaining = self._here.pop(device.id, 0) - 1
            if remaining > 0:
                self._here[device.id] = remaining

    def you(self, device: Device, players: Sequence[str]) -> dict[str, object]:
        """What a device is told of itself."""
        return {
            "id": device.id,
            "name": device.name,
            "role": self.role(device).value,
            "decider": self.may_decide(device),
            "seat": players.index(device.seat) if device.seat in players else None,
        }

    def called(self, device: Device, players: Sequence[str]) -> str:
        """What the others know a device by: who sits there with it, else its own name."""
        return device.seat if device.seat is not None and device.seat in players else device.name

    def listing(self, players: Sequence[str]) -> list[dict[str, object]]:
        """Everybody who is here or has a seat, for the screens; the host first."""
        with self._lock:
            here = self._here.keys() | self._polling.keys()
            shown = [d for d in self._devices.values() if d.id in here or d.seat in players or d.id == self._host]
            shown.sort(key=lambda d: (d.id != self._host, int(d.id)))
            return [{**self.you(d, players), "here": d.id in here} for d in shown]

    def _change(self, device: Device, **values: object) -> None:
        with self._lock:
            for field, value in values.items():
                setattr(device, field, value)
            self._save()

    def _make_room(self) -> None:
        """Forget whoever was away longest. Raises RefusalError ``too-many`` when everybody is here."""
        while len(self._devices) >= MOST_DEVICES:
            away = [d for d in self._devices.values() if d.id not in self._here and d.id != self._first_host]
            if not away:
                raise RefusalError("too-many", f"{MOST_DEVICES} devices are at the table already")
            del self._devices[min(away, key=lambda d: d.seen).id]

    def _save(self) -> None:
        # A full disk must not keep anybody from the table; the screens say that it is not saved.
        self._folder.keep(
            _FILE,
            {
                "join_token": self.join_token,
                "host_token": self.host_token,
                "host": self._first_host,
                "devices": [asdict(device) for device in self._devices.values()],
            },
        )


def _token(saved: object) -> str:
    valid = isinstance(saved, str) and len(saved) == 2 * TOKEN_BYTES
    return str(saved) if valid else secrets.token_hex(TOKEN_BYTES)


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def _clean(name: str) -> str:
    return printable(name)[:NAME_LENGTH].strip().rstrip(JOINERS)
