"""The addresses under which phones reach this server, and the one that the QR code holds."""

from __future__ import annotations

import ipaddress
import threading
import time
from typing import Final

from companion import network
from companion.refusals import RefusalError

_FRESH: Final = 5.0  # seconds; Wi-Fi comes and goes, and asking the system takes a few milliseconds


class AddressBook:
    """Thread-safe. ``forced`` is the host that the user named on the command line, if any."""

    def __init__(self, port: int, *, scheme: str = "http", forced: str | None = None) -> None:
        self.port = port
        self.scheme = scheme
        self._forced = forced
        self._chosen: str | None = None
        self._lock = threading.Lock()
        self._listed: tuple[float, list[network.Address]] = (-_FRESH, [])

    def offers(self) -> list[dict[str, object]]:
        """Every address to choose from, best first: ``url`` (without the token), ``interface``, ``chosen``."""
        best = self.base()
        return [
            {"url": self._url(entry.host), "interface": entry.interface, "chosen": self._url(entry.host) == best}
            for entry in self._addresses()
        ]

    def base(self) -> str:
        """The chosen address, ``http://192.168.1.20:8080``. Without any network it is this machine's own."""
        listed = [self._url(entry.host) for entry in self._addresses()]
        if self._chosen in listed:
            return str(self._chosen)
        return listed[0] if listed else self._url("localhost")

    def join(self, token: str) -> str:
        """What the QR code holds."""
        return f"{self.base()}/j/{token}"

    def choose(self, url: object) -> None:
        """Take another of the offered addresses. Raises RefusalError ``bad-value``."""
        if url not in [offer["url"] for offer in self.offers()]:
            raise RefusalError("bad-value", "this is not one of the addresses that were offered")
        self._chosen = str(url)

    def host_names(self) -> frozenset[str]:
        """The names that a request's Host may have, beside plain addresses."""
        names = network.host_names()
        return names | {self._forced.lower()} if self._forced else names

    def _url(self, host: str) -> str:
        try:
            shown = f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
        except ValueError:
            shown = host
        default = {"http": 80, "https": 443}[self.scheme]
        return f"{self.scheme}://{shown}" + ("" if self.port == default else f":{self.port}")

    def _addresses(self) -> list[network.Address]:
        with self._lock:
            then, listed = self._listed
            if time.monotonic() - then > _FRESH:
                listed = network.addresses()
                if self._forced:
                    others = [entry for entry in listed if entry.host != self._forced]
                    listed = [network.Address(self._forced, "--host"), *others]
                self._listed = (time.monotonic(), listed)
            return listed
