"""``pilewatch run`` as people start it: killed at any moment and started again, refused clearly, on a full disk."""

from __future__ import annotations

import random
import re
import resource
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from companion import network
from companion.cli import main
from engine.records import load
from tests.companion.played import commands, played
from tests.companion.serving import Phone, Program
from tests.waiting import PATIENCE, until


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs the command with options that it refuses, and returns what it says."""

    def run(*options: str) -> str:
        assert main(["run", "--no-camera", *options]) == 1
        said = capsys.readouterr().err
        assert len(said.strip().splitlines()) == 1
        return said

    return run


def play(phone: Phone, told: list[tuple[str, dict[str, object]]], acknowledged: list[int]) -> None:
    """Enter plays until the server is gone; remember what it acknowledged."""
    try:
        while len(acknowledged) < len(told):
            number = len(acknowledged)
            body = {"id": f"p{number}", "based_on": number, "name": told[number][0], "fields": told[number][1]}
            answer = phone.http.post("/api/command", json=body)
            if answer.status_code == 429:
                time.sleep(0.05)
            elif answer.json()["ok"]:
                acknowledged.append(answer.json()["seq"])
    except httpx.TransportError:
        return


def await_plays(number: int, acknowledged: list[int], playing: threading.Thread) -> None:
    """Until so many more were acknowledged; fewer where there are no more."""
    enough = len(acknowledged) + number
    until(lambda: len(acknowledged) >= enough or not playing.is_alive())


def test_killed_at_random_moments_no_acknowledged_play_is_lost(tmp_path: Path) -> None:
    chance = random.Random(7)
    told = list(commands(played(seed=5)))[:80]
    acknowledged: list[int] = []
    key = None
    for round_ in range(4):
        program = Program(tmp_path, "--players", "Ann,Ben,Cem")
        try:
            phone = program.phone(key)
            key = phone.key
            if round_ == 0:
                assert phone.send("new-game")["ok"]
            snapshot = phone.snapshot()
            # The play that was under way when the server died may have been recorded; it is sent again all the same.
            assert len(acknowledged) <= snapshot["seq"] <= len(acknowledged) + 1
            playing = threading.Thread(target=play, args=(phone, told, acknowledged))
            playing.start()
            await_plays(chance.randint(3, 12), acknowledged, playing)
            time.sleep(chance.uniform(0.0, 0.2))
        finally:
            program.process.kill()
            playing.join(PATIENCE)
            assert program.end(signal.SIGKILL) == -signal.SIGKILL
    assert len(acknowledged) > 10
    assert acknowledged == list(range(1, len(acknowledged) + 1))
    record = next(tmp_path.glob("games/*/record.jsonl"))
    loaded = load(record)
    assert len(loaded.events) >= len(acknowledged)
    assert [line.event["event"] for line in loaded.events[: len(acknowledged)]] == [
        name for name, _ in told[: len(acknowledged)]
    ]


def test_it_ends_politely_and_goes_on_with_the_host(tmp_path: Path) -> None:
    program = Program(tmp_path, "--rules", "hostel", "--players", "Ann,Ben")
    phone = program.phone()
    assert phone.table()["set_up"]["rules"] == "hostel"
    assert phone.send("new-game")["ok"]
    assert program.end(signal.SIGINT) in (0, 130, -signal.SIGINT)
    again = Program(tmp_path)
    try:
        back = again.phone(phone.key)
        assert back.http.get("/api/poll").json()["hello"]["you"]["role"] == "host"
        assert back.table()["state"] == "by hand"
        assert [player["name"] for player in back.table()["view"]["players"]] == ["Ann", "Ben"]
    finally:
        again.end()


def test_refusals_are_one_sentence(tmp_path: Path, refused: Callable[..., str]) -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert "[port-taken]" in refused("--port", port, "--data", str(tmp_path / "a"))
    assert "[bad-value]" in refused("--port", "0", "--rules", "poker", "--data", str(tmp_path / "a"))
    assert "[faulty-set-up]" in refused("--port", "0", "--players", "Ann", "--data", str(tmp_path / "a"))
    assert "[certificate]" in refused("--port", "0", "--key", "x", "--data", str(tmp_path / "a"))
    program = Program(tmp_path / "b")
    try:
        assert "[data-in-use]" in refused("--port", "0", "--data", str(tmp_path / "b"))
    finally:
        program.end()


def test_a_full_disk_is_said_and_nothing_is_acknowledged(tmp_path: Path) -> None:
    """The operating system refuses to let the record grow, as a full disk does."""
    program = Program(tmp_path, "--players", "Ann,Ben,Cem")
    try:
        phone = program.phone()
        assert phone.send("new-game")["ok"]
        assert phone.send("deal", {"upcards": {}})["ok"]
        record = next(tmp_path.glob("games/*/record.jsonl"))
        size = record.stat().st_size
        resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (size + 30, resource.RLIM_INFINITY))
        answer = phone.send("start", {"seat": "Ann"})
        assert answer["error"]["code"] == "not-recorded"
        assert (record.stat().st_size, phone.snapshot()["seq"]) == (size, 1)
        assert phone.table()["record"]["ok"] is False
        resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        assert phone.send("start", {"seat": "Ann"})["ok"]
        assert phone.table()["record"]["ok"] is True
    finally:
        program.end()


def test_on_a_full_disk_names_seats_and_settings_are_said_to_be_unsaved_until_they_are(tmp_path: Path) -> None:
    program = Program(tmp_path, "--players", "Ann,Ben,Cem")
    try:
        host = program.phone()
        assert host.table()["record"]["unsaved"] == []
        resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY))
        assert host.send("name", {"name": "Ann's phone"})["ok"], "nobody is kept from the table"
        assert host.table()["record"]["unsaved"] == ["people"]
        assert host.send("set-up", {"forfeit": "makes tea"})["ok"]
        late = program.phone()
        assert late.send("sit", {"seat": 1})["ok"]
        assert late.table()["record"]["unsaved"] == ["people", "set-up"]
        resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        until(lambda: host.table()["record"]["unsaved"] == [])
    finally:
        program.end()
    again = Program(tmp_path)
    try:
        names = {person["name"] for person in again.phone(host.key).table()["people"]}
        assert "Ann's phone" in names
        table = again.phone(late.key).snapshot()["table"]
        assert table["set_up"]["forfeit"] == "makes tea"
        assert again.phone(late.key).http.get("/api/poll").json()["hello"]["you"]["seat"] == 1
    finally:
        again.end()


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Starts everything but the serving itself, and returns what was printed."""

    def start(*options: str) -> str:
        monkeypatch.setattr("companion.server.serving.serve", lambda *_: None)
        assert main(["run", "--no-camera", "--port", "0", "--data", str(tmp_path), *options]) == 0
        return capsys.readouterr().out

    return start


def test_without_a_network_it_says_that_no_phone_can_come(
    started: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "No network" not in started("--host", "127.0.0.1")
    monkeypatch.setattr(network, "addresses", list)
    said = started()
    assert "No network is found" in said
    assert said.count("/j/") == 2


def test_the_computer_s_own_voice_is_asked_for_in_a_language(
    started: Callable[..., str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/espeak-ng" if name == "espeak-ng" else None)
    assert "Speaking with" not in started()
    assert "Speaking with espeak-ng." in started("--speak", "de")
    assert "Speaking with espeak-ng." in started(), "it is remembered"
    assert main(["run", "--no-camera", "--port", "0", "--data", str(tmp_path / "other"), "--speak", "klingon"]) == 1
    assert "language must be one of en, de, sv, fr, nl [bad-value]" in capsys.readouterr().err


def test_with_a_certificate_all_goes_over_https(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed: it makes the certificate")
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    asked = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=pilewatch"]
    subprocess.run([openssl, *asked, "-keyout", str(key), "-out", str(cert)], check=True, capture_output=True)
    program = Program(tmp_path / "data", "--host", "127.0.0.1", "--cert", str(cert), "--key", str(key))
    try:
        assert f"https://127.0.0.1:{program.port}/j/" in "\n".join(program.lines)
        trust = ssl.create_default_context()
        trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
        with httpx.Client(
            base_url=f"https://127.0.0.1:{program.port}", verify=trust, trust_env=False, timeout=PATIENCE
        ) as phone:
            until(lambda: reached(phone))
            joined = phone.get(f"/j/{program.token}")
            assert joined.status_code == 303
            assert "Secure" in joined.headers["set-cookie"]
            assert f"wss://127.0.0.1:{program.port}" in joined.headers["content-security-policy"]
            assert phone.get("/api/poll").status_code == 200
    finally:
        program.end(signal.SIGTERM)


def reached(phone: httpx.Client) -> bool:
    try:
        return phone.get("/api/hello").status_code == 200
    except httpx.TransportError:
        return False


def test_ctrl_c_while_a_picture_is_read_ends_without_an_abort(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion.cli", "run", "--sample", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as started:
        assert started.stdout is not None
        opened = next(found for line in started.stdout if (found := re.search(r"localhost:(\d+)/j/(\w+)", line)))
        phone = Phone(f"http://127.0.0.1:{opened[1]}", opened[2])
        with phone.socket():
            until(lambda: phone.table()["camera"]["state"] == "watching")
        time.sleep(1)  # by now a net is at work on one picture after the other
        started.send_signal(signal.SIGINT)
        said = started.stdout.read().partition("Ctrl+C.\n")[2]
        status = started.wait(PATIENCE)
        phone.close()
    assert status in (0, 130, -signal.SIGINT)
    assert said == ""
