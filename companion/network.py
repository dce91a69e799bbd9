"""Which address of this machine the phones should use, and the QR code that holds it.

A laptop has many addresses: the home network's, Docker's, a VPN's. A phone on the sofa reaches only the first. The
choice is a pure function of the interfaces (:func:`rank`), so that every odd machine becomes one row of a test table.
IPv4 only: a link-local IPv6 address cannot be typed into a phone's browser.
"""

from __future__ import annotations

import io
import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass

import psutil
import segno

# Interfaces made by software, by the names that Linux, macOS and Windows give them.
_VIRTUAL = re.compile(
    r"^(lo\d*$|docker|br-|veth|virbr|vmnet|vboxnet|vnic|lxc|lxd|cni|flannel|cali|kube|podman|nerdctl|dummy|ifb|sit|gre|"
    r"tun|tap|wg|tailscale|ts\d|zt|utun|ppp|ipsec|nordlynx|proton|mullvad|cscotun|gpd|bridge\d|awdl|llw|anpi|ham\d|"
    r"vEthernet|VMware|VirtualBox|Hyper-V|Loopback|Bluetooth|OpenVPN|WireGuard|Tailscale|ZeroTier|NordLynx|TAP-)",
    re.IGNORECASE,
)
_PRIVATE = tuple(ipaddress.ip_network(block) for block in ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12"))
_CARRIER = ipaddress.ip_network("100.64.0.0/10")  # carrier-grade NAT; Tailscale's addresses are in here


@dataclass(frozen=True, slots=True)
class Interface:
    """One network interface: its name, whether it is up, and its IPv4 addresses as text."""

    name: str
    addresses: tuple[str, ...]
    up: bool = True


@dataclass(frozen=True, slots=True)
class Address:
    """An address that a phone may try, and the interface that it belongs to."""

    host: str
    interface: str


def rank(interfaces: Iterable[Interface], default_route: str | None = None) -> list[Address]:
    """The addresses worth offering, the likeliest home network first; empty when there is no network.

    ``default_route`` is the address (or the name of the interface) that the operating system would send from. It
    decides between real interfaces, never in favour of a VPN. Loopback is never offered, link-local addresses only
    where there is nothing else.
    """
    scored: list[tuple[tuple[int, ...], Address]] = []
    for order, interface in enumerate(interfaces):
        if not interface.up:
            continue
        for text in interface.addresses:
            try:
                address = ipaddress.IPv4Address(text)
            except ValueError:
                continue
            if address.is_loopback or address.is_unspecified or address.is_multicast:
                continue
            block = next((i for i, network in enumerate(_PRIVATE) if address in network), len(_PRIVATE))
            worst = address.is_link_local
            foreign = bool(_VIRTUAL.match(interface.name)) or address in _CARRIER
            public = block == len(_PRIVATE)
            elsewhere = default_route not in (text, interface.name)
            scored.append(((worst, foreign, public, elsewhere, block, order), Address(text, interface.name)))
    scored.sort(key=lambda pair: pair[0])
    usable = [pair for pair in scored if not pair[0][0]]
    return [address for _, address in usable or scored]


def interfaces() -> list[Interface]:
    """This machine's interfaces, as the operating system lists them."""
    states = psutil.net_if_stats()
    found = []
    for name, addresses in psutil.net_if_addrs().items():
        texts = tuple(entry.address for entry in addresses if entry.family == socket.AF_INET)
        found.append(Interface(name, texts, up=name not in states or states[name].isup))
    return found


def default_route() -> str | None:
    """The address that packets to elsewhere would leave from; None without a network. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: connecting a UDP socket only asks the routes
            return str(probe.getsockname()[0])
        except OSError:
            return None


def addresses() -> list[Address]:
    """The addresses of this machine that phones may try, best first."""
    return rank(interfaces(), default_route())


def host_names() -> frozenset[str]:
    """The names under which this machine may be called in a URL, in lower case, beside any plain IP address."""
    name = socket.gethostname().lower()
    short = name.split(".", 1)[0]
    return frozenset(
        {"localhost", name, short, f"{short}.local", f"{short}.lan", f"{short}.home", f"{short}.fritz.box"}
    )


def is_ip_address(host: str) -> bool:
    """Whether a URL's host is a plain address. A rebound DNS name never is, so these are safe to serve."""
    try:
        ipaddress.ip_address(host.strip("[]").split("%", 1)[0])
    except ValueError:
        return False
    return True


def qr_terminal(url: str) -> str:
    """The QR code in half-block characters, to print in a terminal."""
    out = io.StringIO()
    segno.make(url, error="m", micro=False).terminal(out, compact=True, border=2)
    return out.getvalue()


def qr_svg(url: str) -> bytes:
    """The QR code as an SVG image; dark on light in both themes, since scanners want it so."""
    out = io.BytesIO()
    segno.make(url, error="m", micro=False).save(
        out, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False
    )
    return out.getvalue()
