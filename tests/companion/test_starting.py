"""What is wrong with the options is told at once, in one sentence, and nothing was started for it."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import starting
from companion.cli import main
from companion.errors import UserError
from companion.starting import check_certificate, check_host, check_source, listens_at
from tests.companion.stream import network_camera, silent_address


def refused(*options: str, capsys: pytest.CaptureFixture[str], data: Path) -> str:
    """What the command says and ends with; the data folder must not even have been made."""
    assert main(["run", "--port", "0", "--data", str(data), *options]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1
    assert not data.exists()
    return said.err


@pytest.fixture
def odd_files(tmp_path: Path) -> Path:
    (tmp_path / "empty").mkdir()
    (tmp_path / "unreadable").mkdir()
    (tmp_path / "unreadable" / "1.jpg").write_bytes(b"no picture")
    (tmp_path / "noise.mp4").write_bytes(b"no film" * 99)
    (tmp_path / "noise.jpg").write_bytes(b"no photo")
    return tmp_path


@pytest.mark.parametrize(
    "source",
    ["typo.mp4", "typo.jpg", "typo", "no/folder", "empty", "unreadable", "noise.mp4", "noise.jpg", "7", "/dev/video77"],
)
def test_a_source_that_is_not_there(source: str, odd_files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = source if source[0] in "/7" else str(odd_files / source)
    said = refused("--source", named, capsys=capsys, data=odd_files / "data")
    assert said.endswith("[source]\n")
    assert Path(source).name.removeprefix("/dev/video") in said
    assert "--source" in said, "what to do"


def test_a_name_that_no_camera_has_tells_which_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    from vision.sources.live import CameraName

    monkeypatch.setattr("vision.sources.live.list_cameras", lambda: [CameraName(0, "Built-in"), CameraName(2, "C920")])
    check_source("c920")
    check_source("0")
    check_source("/dev/video2")
    with pytest.raises(UserError, match=r"0 \(Built-in\), 2 \(C920\)"):
        check_source("Logitec")


def test_sources_that_are_there(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.full((48, 64, 3), 90, np.uint8))
    check_source(str(tmp_path))
    check_source(str(tmp_path / "1.png"))
    check_source("phone")
    with network_camera() as address:
        check_source(address)


def test_an_address_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "ANSWER", 2.5)
    with silent_address() as address, pytest.raises(UserError, match="no picture comes from") as told:
        check_source(address)
    assert told.value.code == "source"
    assert "secret" not in str(told.value)


def test_an_address_where_nobody_is(odd_files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused("--source", "http://127.0.0.1:9/video", capsys=capsys, data=odd_files / "data")
    assert "no picture comes from http://127.0.0.1:9/video" in said


@pytest.mark.parametrize(
    "host",
    ["", " ", "http://192.168.1.2", "192.168.1.2:8080", "192.168.1.2/24", "999.1.1.1", "1.2.3", "0.0.0.0", "::", "a b",
     "-x", "x-", "a..b", "[::1", "ex ample.org", "user@host", "224.0.0.1", "x" * 64, "ß\n"],
)  # fmt: skip
def test_a_host_that_is_none(host: str) -> None:
    with pytest.raises(UserError) as told:
        check_host(host)
    assert told.value.code == "address-unknown"
    assert "\n" not in str(told.value)


def test_a_wrong_host_is_told_before_anything_starts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused("--host", "http://192.168.1.2", capsys=capsys, data=tmp_path / "data")
    assert said.endswith("[address-unknown]\n")


@pytest.mark.parametrize(
    ("host", "where"),
    [("192.168.1.20", "0.0.0.0"), ("127.0.0.1", "127.0.0.1"), ("localhost", "localhost"), ("::1", "::1"),
     ("[::1]", "::1"), ("fd00::2", "::"), ("laptop.local", "0.0.0.0"), ("my_laptop", "0.0.0.0"),
     ("127.example.org", "0.0.0.0"), ("table.example.org.", "0.0.0.0")],
)  # fmt: skip
def test_hosts_and_where_the_server_then_listens(host: str, where: str) -> None:
    assert listens_at(check_host(host)) == where


@given(st.text(max_size=30))
def test_whatever_is_taken_for_a_host_makes_a_link(host: str) -> None:
    with contextlib.suppress(UserError):
        taken = check_host(host)
        assert taken.isprintable()
        assert not set(taken) & set(" /?#@\\<>\"'")


@pytest.fixture(scope="module")
def pems(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``a.pem`` with ``a.key``, ``b.pem`` with ``b.key``, and ``locked.key`` of ``a``."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed: it makes the certificates")
    folder = tmp_path_factory.mktemp("pems")
    for name in "ab":
        asked = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=pilewatch"]
        paths = ["-keyout", str(folder / f"{name}.key"), "-out", str(folder / f"{name}.pem")]
        subprocess.run([openssl, *asked, *paths], check=True, capture_output=True)
    lock = [
        "rsa",
        "-aes128",
        "-passout",
        "pass:secret",
        "-in",
        str(folder / "a.key"),
        "-out",
        str(folder / "locked.key"),
    ]
    subprocess.run([openssl, *lock], check=True, capture_output=True)
    (folder / "both.pem").write_bytes((folder / "a.pem").read_bytes() + (folder / "a.key").read_bytes())
    (folder / "noise.pem").write_bytes(b"\0no certificate")
    (folder / "nothing.pem").touch()
    return folder


@pytest.mark.parametrize(
    ("cert", "key", "why"),
    [
        ("no.pem", None, "cannot be read"),
        ("a.pem", "no.key", "no.key cannot be read"),
        (".", None, "cannot be read"),
        ("noise.pem", None, "no certificate and private key"),
        ("nothing.pem", None, "no certificate and private key"),
        ("a.pem", None, "no certificate and private key"),
        ("a.key", "a.key", "no certificate and private key"),
        ("a.pem", "noise.pem", "no certificate and private key"),
        ("a.pem", "b.key", "belongs to another certificate"),
        ("a.pem", "locked.key", "passphrase"),
    ],
)
def test_a_certificate_that_cannot_be_used(
    cert: str, key: str | None, why: str, pems: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--cert", str(pems / cert), *(["--key", str(pems / key)] if key else [])]
    said = refused(*options, capsys=capsys, data=tmp_path / "data")
    assert why in said
    assert said.endswith("[certificate]\n")


def test_certificates_that_can_be_used(pems: Path) -> None:
    check_certificate(pems / "a.pem", pems / "a.key")
    check_certificate(pems / "both.pem", None)


def test_options_that_exclude_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--no-camera", "--sample"], ["--no-camera", "--source", "0"], ["--sample", "--source", "0"]):
        assert refused(*options, capsys=capsys, data=tmp_path / "data").endswith("[usage]\n")


def test_what_was_there_and_goes_away_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.eyes import Eyes
    from companion.session import Session
    from companion.status import CameraState
    from companion.storage import DataFolder
    from tests.vision.tabletop import Tabletop
    from tests.waiting import until

    monkeypatch.setattr("companion.eyes.PAUSES", (0.05,))
    photos = tmp_path / "photos"
    photos.mkdir()
    cv2.imwrite(str(photos / "1.png"), np.full((48, 64, 3), 90, np.uint8))
    check_source(str(photos))
    with DataFolder.open(tmp_path / "data") as folder:
        session = Session(folder)
        eyes = Eyes(session, str(photos), mode="file", load_reader=Tabletop)
        photos.rename(tmp_path / "elsewhere")
        eyes.start()
        try:
            until(lambda: session.camera is CameraState.LOST)
            (tmp_path / "elsewhere").rename(photos)
            until(lambda: session.camera is CameraState.WATCHING)
        finally:
            assert eyes.stop(patience=10)
