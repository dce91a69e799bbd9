"""What can be told to be wrong before anything is started: the address, the certificate, the source."""

from __future__ import annotations

import functools
import ipaddress
import re
import ssl
import time
from pathlib import Path
from typing import Final

from companion.errors import UserError
from companion.lens import PHONE

ANSWER: Final = 15.0
"""Seconds in which a stream must have given a picture. OpenCV itself gives up an address after five."""
_LABEL: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)", re.IGNORECASE)


def check_host(host: str) -> str:
    """The host of ``--host`` as it stands in a link: an address or a name, nothing around it. Raises UserError
    ``address-unknown``."""
    bare = host.strip()
    if bare.startswith("[") and bare.endswith("]"):
        bare = bare[1:-1]
    try:
        address = ipaddress.ip_address(bare)
    except ValueError:
        labels = bare.removesuffix(".").split(".")
        if len(bare) <= 253 and not labels[-1].isdigit() and all(_LABEL.fullmatch(label) for label in labels):
            return bare
        raise UserError(
            "address-unknown",
            f"--host {host!r} is no address: give one like 192.168.1.20, or this computer's name, without http:// and "
            "port; left out, the best one is chosen",
        ) from None
    if address.is_unspecified or address.is_multicast or bare == "255.255.255.255":
        raise UserError("address-unknown", f"no phone can open {bare}; leave --host out, and the best one is chosen")
    return bare


def listens_at(host: str | None) -> str:
    """Where the server listens when the links hold ``host``: everywhere, but for a link to this computer itself."""
    if host is None:
        return "0.0.0.0"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host if host.lower().removesuffix(".") == "localhost" else "0.0.0.0"
    if address.is_loopback:
        return host
    return "0.0.0.0" if address.version == 4 else "::"


def check_certificate(cert: Path, key: Path | None) -> None:
    """Whether https can be served with these files. Raises UserError ``certificate``."""
    for file in (cert, key):
        if file is None:
            continue
        try:
            if file.exists() and not file.is_file():
                raise UserError("certificate", f"{file} cannot be read (it is no file); check the path")
            with file.open("rb"):
                pass
        except OSError as error:
            raise UserError("certificate", f"{file} cannot be read ({error.strerror}); check the path") from None
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password=_locked)
    except _LockedError:
        words = f"the private key in {key or cert} asks for a passphrase; give one without, for example made by mkcert"
        raise UserError("certificate", words) from None
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        reason = str(error).replace("_", " ").lower()
        if "key values mismatch" in reason:
            why = f"the private key in {key or cert} belongs to another certificate than {cert}"
        elif "pem" in reason or "no start line" in reason:
            why = f"{cert} with {key or cert} holds no certificate and private key in PEM form"
        else:
            why = f"{cert} with {key or cert} cannot be used: {error}"
        raise UserError("certificate", f"{why}; make new ones, for example with mkcert") from None


class _LockedError(Exception):
    """The private key is encrypted. Without this, OpenSSL would ask for its passphrase on the terminal."""


def _locked() -> str:
    raise _LockedError


def check_source(source: str) -> None:
    """Whether what ``--source`` names is there: a film, photos, a camera that the system lists, a stream that gives a
    picture within :data:`ANSWER` seconds. What goes away later is waited for. Raises UserError ``source``."""
    from vision.sources import Kind, SourceError, kind_of, open_source

    if source == PHONE:
        return
    kind = kind_of(source)
    try:
        if not source.strip():
            raise UserError(
                "source", "--source is empty: name a camera, a film, or a folder of photos, or leave it out"
            )
        if kind is Kind.STREAM:
            _check_stream(source)
        elif kind is Kind.CAMERA:
            _check_camera(source)
        else:
            opened = open_source(source)
            try:
                if opened.read() is None:
                    raise SourceError(f"there is no picture in {source} that can be read")
            finally:
                opened.close()
    except SourceError as error:
        raise UserError("source", f"{error}; check the path after --source") from None
    except OSError as error:
        words = f"{source} cannot be read ({error.strerror}); check the path after --source"
        raise UserError("source", words) from None


def _check_camera(source: str) -> None:
    from vision.sources import SourceError
    from vision.sources.live import find_camera, list_cameras

    listed = list_cameras()
    try:
        find_camera(source.removeprefix("/dev/video"), listed)
    except SourceError:
        there = ", ".join(f"{camera.number} ({camera.name})" for camera in listed)
        cameras = f"the cameras are: {there}" if there else "no camera is plugged in"
        words = f"there is no camera, film or folder {source}, and {cameras}; check what stands after --source"
        raise UserError("source", words) from None


def _check_stream(address: str) -> None:
    from vision.sources import open_source, public_name
    from vision.sources.capture import Capture

    # In a process of its own: one that never answers may block for ever.
    with Capture(functools.partial(open_source, address)) as capture:
        end = time.monotonic() + ANSWER
        while time.monotonic() < end and not capture.words:
            if capture.wait(0.1) is not None:
                return
    words = f"no picture comes from {public_name(address)}; see whether a player such as VLC shows it with that address"
    raise UserError("source", words)
