"""The address in the QR code: a table of machines, and what must hold for every machine."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.network import Interface, is_ip_address, qr_svg, qr_terminal, rank

LO = Interface("lo", ("127.0.0.1",))
WIFI = Interface("wlp3s0", ("192.168.1.20",))
CABLE = Interface("enp0s31f6", ("192.168.1.7",))
DOCKER = Interface("docker0", ("172.17.0.1",))
BRIDGE = Interface("br-1a2b3c4d5e6f", ("172.18.0.1",))
TUN = Interface("tun0", ("10.8.0.6",))
WIREGUARD = Interface("wg0", ("10.2.0.2",))
TAILSCALE = Interface("tailscale0", ("100.101.102.103",))
VIRT = Interface("virbr0", ("192.168.122.1",))

MACHINES = {
    "only Wi-Fi": ([LO, WIFI], "192.168.1.20", "192.168.1.20"),
    "Docker beside Wi-Fi": ([LO, DOCKER, BRIDGE, WIFI], "192.168.1.20", "192.168.1.20"),
    "a VPN has taken the default route": ([LO, TUN, WIFI], "10.8.0.6", "192.168.1.20"),
    "WireGuard has taken the default route": ([LO, WIREGUARD, WIFI], "wg0", "192.168.1.20"),
    "Tailscale": ([LO, TAILSCALE, WIFI], "192.168.1.20", "192.168.1.20"),
    "libvirt's 192.168 is not the home's": ([LO, VIRT, Interface("eth0", ("10.0.0.5",))], "10.0.0.5", "10.0.0.5"),
    "cable and Wi-Fi: the default route decides": ([LO, WIFI, CABLE], "192.168.1.7", "192.168.1.7"),
    "the default route by name": ([LO, WIFI, CABLE], "enp0s31f6", "192.168.1.7"),
    "a public address beside a private one": (
        [LO, Interface("eth0", ("203.0.113.9",)), WIFI],
        "203.0.113.9",
        "192.168.1.20",
    ),
    "no internet, so no default route": ([LO, DOCKER, WIFI], None, "192.168.1.20"),
    "Wi-Fi switched off": ([LO, Interface("wlan0", ("192.168.1.20",), up=False), CABLE], None, "192.168.1.7"),
    "no network at all": ([LO], None, None),
    "only a link-local address": ([LO, Interface("eth0", ("169.254.3.4",))], None, "169.254.3.4"),
    "link-local beside a real one": ([Interface("eth0", ("169.254.3.4",)), WIFI], "169.254.3.4", "192.168.1.20"),
    "in a container, nothing but its own": ([LO, Interface("eth0", ("172.17.0.2",))], "172.17.0.2", "172.17.0.2"),
    "only Docker is left": ([LO, DOCKER], None, "172.17.0.1"),
    "macOS with a VPN": (
        [Interface("lo0", ("127.0.0.1",)), Interface("utun4", ("10.9.0.2",)), Interface("en0", ("192.168.0.3",))],
        "utun4",
        "192.168.0.3",
    ),
    "Windows with WSL": (
        [
            Interface("vEthernet (WSL)", ("172.29.96.1",)),
            Interface("Loopback Pseudo-Interface 1", ("127.0.0.1",)),
            Interface("WLAN", ("192.168.178.31",)),
        ],
        None,
        "192.168.178.31",
    ),
    "a laptop's own hotspot": ([LO, Interface("wlan0", ("10.42.0.1",)), TAILSCALE], "100.101.102.103", "10.42.0.1"),
    "not an address": ([LO, Interface("eth0", ("", "fe80::1", "192.168.5.5"))], None, "192.168.5.5"),
}


@pytest.mark.parametrize(("interfaces", "route", "best"), MACHINES.values(), ids=MACHINES)
def test_the_home_networks_address_is_chosen(interfaces: list[Interface], route: str | None, best: str | None) -> None:
    ranked = rank(interfaces, route)
    assert (ranked[0].host if ranked else None) == best


def test_the_others_are_offered_after_it() -> None:
    ranked = rank([LO, DOCKER, TAILSCALE, WIFI, CABLE], "192.168.1.20")
    assert [address.host for address in ranked] == ["192.168.1.20", "192.168.1.7", "172.17.0.1", "100.101.102.103"]


NAMES = st.sampled_from(["lo", "eth0", "wlan0", "docker0", "tun0", "wg0", "en0", "veth12", "tailscale0", "br-77"])


@given(
    st.lists(st.builds(Interface, NAMES, st.lists(st.ip_addresses(v=4).map(str), max_size=3).map(tuple), st.booleans()))
)
def test_loopback_never_and_only_what_the_machine_has(interfaces: list[Interface]) -> None:
    ranked = rank(interfaces, None)
    own = {(text, interface.name) for interface in interfaces if interface.up for text in interface.addresses}
    assert {(address.host, address.interface) for address in ranked} <= own
    assert not any(address.host.startswith("127.") for address in ranked)


def test_plain_addresses_are_told_from_names() -> None:
    assert is_ip_address("192.168.1.20")
    assert is_ip_address("[fe80::1]")
    assert not is_ip_address("evil.example")
    assert not is_ip_address("192.168.1.20.evil.example")


def test_the_qr_code_prints_and_draws() -> None:
    url = "http://192.168.1.20:8080/j/0123456789abcdef0123456789abcdef"
    svg = qr_svg(url)
    assert svg.startswith(b"<svg")
    assert b"script" not in svg
    dots = {" ": (1, 1), "█": (0, 0), "▀": (0, 1), "▄": (1, 0)}
    rows = [[dots[letter] for letter in line] for line in qr_terminal(url).splitlines()]
    # In a terminal with light letters on black, a full block is light.
    pixels = np.array([[1 - dot[half] for dot in row] for row in rows for half in (0, 1)], dtype=np.uint8) * 255
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(np.kron(pixels, np.ones((8, 8), dtype=np.uint8)))
    assert text == url
