"""The socket: snapshot, events, answers; phones that sleep, that are slow, that send nonsense."""

from __future__ import annotations

import contextlib
import json
import logging
import re
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from companion.people import Device
from companion.refusals import STATUS
from companion.room import Room
from companion.server import socket as phones
from companion.server.limits import MOST_MESSAGE, MOST_SOCKETS_EACH
from companion.server.serving import PhoneProtocol
from companion.status import TableState
from companion.storage import DataFolder
from tests.companion.played import CARDS
from tests.companion.serving import Phone, Served, served
from tests.waiting import PATIENCE, until

DOCUMENT = Path(__file__).parents[2] / "docs" / "socket.md"


@pytest.fixture
def host(running: Served) -> Phone:
    phone = running.phone("Host")
    phone.send("new-game")
    phone.send("deal", {"upcards": CARDS})
    phone.send("start", {"seat": "Ann"})
    return phone


def read(open_socket: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        message: dict[str, Any] = json.loads(open_socket.recv(timeout=PATIENCE))
        if message["type"] == kind:
            return message


def closing(open_socket: ClientConnection) -> int | None:
    """The code with which the server closes."""
    try:
        while True:
            open_socket.recv(timeout=PATIENCE)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def test_hello_then_the_whole_table_then_what_happens(host: Phone) -> None:
    with host.socket() as phone:
        assert json.loads(phone.recv())["you"]["role"] == "host"
        snapshot = json.loads(phone.recv())
        assert (snapshot["type"], snapshot["seq"], snapshot["missed"]) == ("snapshot", 2, [])
        assert snapshot["table"]["view"]["turn"] == "Ann"
        phone.send(json.dumps({"id": "a", "based_on": 2, "name": "laid", "fields": {"cards": ["5C"]}}))
        event = read(phone, "event")
        assert (event["seq"], event["entry"]["event"]["cards"], event["table"]["view"]["turn"]) == (3, ["5C"], "Ben")
        answer = read(phone, "answer")
        assert (answer["id"], answer["ok"], answer["ruling"]["verdict"]) == ("a", True, "accepted")
        assert read(phone, "beat")["v"] >= event["v"]


def test_everybody_sees_it_and_a_role_change_is_told(running: Served, host: Phone) -> None:
    ben = running.phone("Ben")
    with ben.socket() as phone:
        read(phone, "snapshot")
        host.send("hand-over", {"device": ben.id})
        assert read(phone, "hello")["you"]["role"] == "host"
        ben.send("laid", {"cards": ["5C"]})
        assert read(phone, "event")["entry"]["source"] == "person"


def test_what_a_sleeping_phone_missed_is_summed_up(host: Phone) -> None:
    with host.socket() as phone:
        boot = read(phone, "snapshot")["boot"]
    host.send("laid", {"cards": ["5C"]})
    host.send("laid", {"cards": ["6C"]})
    with host.socket(f"?since=2&boot={boot}") as phone:
        assert [entry["event"]["cards"] for entry in read(phone, "snapshot")["missed"]] == [["5C"], ["6C"]]
    with host.socket("?since=2&boot=other") as phone:
        assert read(phone, "snapshot")["missed"] == []
    with host.socket("?since=x%00&boot=" + boot) as phone:
        assert read(phone, "snapshot")["missed"] == []


def test_versions_only_grow(running: Served, host: Phone) -> None:
    """A phone that connects in the middle of everything never gets an older table after a newer one."""
    others = [running.phone() for _ in range(3)]
    with host.socket() as phone:
        for other in others:
            with other.socket():
                host.send("name", {"name": f"n{other.id}"})
        host.send("name", {"name": "last"})
        seen = [0]
        while True:
            message = json.loads(phone.recv(timeout=PATIENCE))
            if message["type"] in ("snapshot", "table", "event"):
                assert message["v"] > seen[-1]
                seen.append(message["v"])
                if message["table"]["people"][0]["name"] == "last":
                    break


def test_strangers_are_closed_out(running: Served) -> None:
    with connect(running.base.replace("http", "ws") + "/api/socket", proxy=None, open_timeout=PATIENCE) as stranger:
        assert closing(stranger) == 4001


def test_another_sites_page_gets_no_socket(running: Served, host: Phone) -> None:
    with pytest.raises(InvalidStatus) as refused:
        host.socket(origin="http://evil.example")
    assert refused.value.response.status_code == 403
    with host.socket(origin=running.base) as phone:
        read(phone, "snapshot")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", '"x"', "{}", '{"id": 1}', "[" * 5000, '{"id": "1", "name": "laid"}']
)
def test_nonsense_is_answered_and_forgiven(host: Phone, text: str) -> None:
    with host.socket() as phone:
        read(phone, "snapshot")
        phone.send(text)
        while (message := json.loads(phone.recv(timeout=PATIENCE)))["type"] in ("beat", "table"):
            continue
        assert message["type"] in ("error", "answer")
        assert message["error"]["code"] == "bad-message"
        phone.send(json.dumps({"id": "n", "based_on": 2, "name": "name", "fields": {"name": "Still here"}}))
        assert read(phone, "answer")["ok"]


def test_messages_are_limited(host: Phone) -> None:
    with host.socket() as phone:
        phone.send("x" * (MOST_MESSAGE + 1))
        assert closing(phone) == 4009
    with host.socket() as phone:
        phone.send(b"\x00\x01")
        assert closing(phone) == 4009
    for size in (5 * MOST_MESSAGE, 200_000, 2_000_000):
        with host.socket() as phone:
            phone.send("x" * size)
            assert closing(phone) == 1009


def test_a_phone_that_is_closed_before_it_is_greeted_leaves_no_trace(
    host: Phone, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived, lost = Room.arrived, PhoneProtocol.connection_lost

    def late(room: Room, device: Device) -> None:
        time.sleep(0.3)  # meanwhile the server has closed, over what the phone sent first
        arrived(room, device)

    def later(self: PhoneProtocol, error: Exception | None) -> None:
        self.loop.call_later(0.6, lost, self, error)

    monkeypatch.setattr(PhoneProtocol, "connection_lost", later)
    monkeypatch.setattr(Room, "arrived", late)
    log = logging.getLogger("uvicorn.error")
    log.addHandler(caplog.handler)
    try:
        with host.socket() as phone:
            phone.send("x" * 100_000)
            assert closing(phone) == 1009
        time.sleep(0.8)
    finally:
        log.removeHandler(caplog.handler)
    assert not [record for record in caplog.records if record.exc_info]


def test_the_document_names_the_codes_that_the_socket_closes_with() -> None:
    """Each with the size that it stands for; and no other."""
    text = DOCUMENT.read_text("utf-8")
    line = text[text.index("Close codes:") :].split("\n", 1)[0]
    wanted = {phones.NOT_JOINED, phones.TOO_SLOW, phones.TOO_BIG, phones.TOO_MANY, 1009, 1012}
    assert {int(code) for code in re.findall(r"\b(?:10|40)\d\d\b", line)} == wanted
    assert f"4009 too big (a message over {MOST_MESSAGE // 1024} KiB)" in line
    assert f"1009 far too big (over {4 * MOST_MESSAGE // 1024} KiB" in line


def test_a_device_has_so_many_sockets(host: Phone) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(MOST_SOCKETS_EACH):
            read(stack.enter_context(host.socket()), "snapshot")
        assert closing(stack.enter_context(host.socket())) == 4029


def test_a_client_that_floods_is_closed(host: Phone) -> None:
    with host.socket() as phone:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(2000):
                phone.send("{}")
        assert closing(phone) in (4029, 4008)


def connections(running: Served) -> list[PhoneProtocol]:
    """The phones' connections that the server still holds, with all that waits to be sent on them."""
    return [one for one in running.server.server_state.connections if isinstance(one, PhoneProtocol)]


def test_a_client_that_never_reads_is_dropped_and_delays_nobody(running: Served, host: Phone) -> None:
    ben = running.phone("Ben")
    sleeping = socket.create_connection(("127.0.0.1", int(running.base.rsplit(":", 1)[1])))
    sleeping.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    asked = [
        "GET /api/socket HTTP/1.1",
        f"Host: {running.base[7:]}",
        f"Authorization: Bearer {ben.key}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    sleeping.sendall("\r\n".join([*asked, "", ""]).encode())
    hub = running.app.state.hub
    until(lambda: len(hub.clients) == 1)
    device = running.people.device(host.id)
    padding = [{"id": "7", "seq": 1, "by": "x" * 20_000, "words": "", "at": 0.0}]
    with host.socket() as phone:
        read(phone, "snapshot")
        running.session.flags = padding  # so that the sleeper's buffers fill soon
        for number in range(600):
            message = {"id": f"r{number}", "based_on": 0, "name": "name", "fields": {"name": f"n{number}"}}
            assert running.room.command(device, message)["ok"]
            if number % 10 == 9:
                while (
                    json.loads(phone.recv(timeout=PATIENCE)).get("table", {}).get("people", [{}])[0].get("name")
                    != f"n{number}"
                ):
                    continue
            if len(hub.clients) == 1:
                break
        until(lambda: len(hub.clients) == 1)
        until(lambda: len(connections(running)) == 1)
    sleeping.close()
    until(lambda: not hub.clients)


def test_a_phone_that_went_out_of_the_door_is_noticed(tmp_path: Path) -> None:
    """It closes nothing and answers nothing; what waits for it must not keep its connection open."""
    with DataFolder.open(tmp_path) as folder, served(folder, ws_ping_interval=0.2, ws_ping_timeout=0.4) as running:
        gone = running.phone("Gone")
        # The system's own buffer grows to some megabytes else, and then nothing waits in the server.
        running.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16384)
        silent = socket.create_connection(("127.0.0.1", int(running.base.rsplit(":", 1)[1])))
        silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        asked = [
            "GET /api/socket HTTP/1.1",
            f"Host: {running.base[7:]}",
            f"Authorization: Bearer {gone.key}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        silent.sendall("\r\n".join([*asked, "", ""]).encode())
        until(lambda: len(running.app.state.hub.clients) == 1)
        running.session.flags = [{"id": "7", "seq": 1, "by": "x" * 3_000_000, "words": "", "at": 0.0}]
        running.room.changed()  # more than any buffer on the way holds
        until(lambda: any(not one.writable.is_set() for one in connections(running)))
        until(lambda: not running.app.state.hub.clients)
        until(lambda: not any(person["here"] for person in running.people.listing(())))
        until(lambda: not connections(running))
        silent.close()


def test_the_server_says_goodbye(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path) as folder, contextlib.ExitStack() as stack:
        with served(folder) as table:
            phone = stack.enter_context(table.phone().socket())
            read(phone, "snapshot")
        assert closing(phone) == 1012


# The document


def test_the_document_names_every_message_field_and_command(running: Served, host: Phone) -> None:
    text = DOCUMENT.read_text("utf-8")
    host.send("flag", {"words": "look"})
    with host.socket() as phone:
        messages = [json.loads(phone.recv()), json.loads(phone.recv())]
        phone.send(json.dumps({"id": "a", "based_on": 2, "name": "laid", "fields": {"cards": ["5C"]}}))
        phone.send("{")
        messages += [read(phone, kind) for kind in ("event", "answer", "error", "beat")]
        host.send("name", {"name": "x"})
        messages.append(read(phone, "table"))
    assert {message["type"] for message in messages} == {
        "hello", "snapshot", "event", "answer", "error", "beat", "table"
    }  # fmt: skip
    for message in messages:
        for name in message:
            assert f"`{name}`" in text, (message["type"], name)
    table = messages[1]["table"]
    for name in table:
        assert f"| `{name}` |" in text, name
    for part in ("set_up", "camera", "record", "join"):
        for name in table[part]:
            assert f'"{name}"' in text or f"`{name}`" in text, (part, name)
    for name in [*table["log"][0], *table["flags"][0], *table["people"][0], *table["game"]]:
        assert f'"{name}"' in text, name
    for state in TableState:
        assert f"`{state}`" in text, state
    for command in running.room._desk.names:
        assert f"`{command}`" in text, command


def test_every_refusal_is_documented_and_every_documented_one_exists() -> None:
    lines = (DOCUMENT.parent / "errors.md").read_text("utf-8").split("## From the command line")[0].splitlines()
    rows = [line.split("|") for line in lines if line.startswith("| `")]
    documented = {row[1].strip().strip("`"): int(row[2]) for row in rows}
    assert documented == dict(STATUS)
