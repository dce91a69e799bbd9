"""``pilewatch bench server``: many phones at one table: how late each hears of a play, and the memory that it takes.

The server is the program that people start, in a process of its own. The phones are sockets in this process; the host's
plays a game that simple bots made up. A play is delivered to a phone when its whole message is there, counted from the
moment in which the host's phone sent it, so the referee and the record on the disk are in the figure. Beside it stands,
from the same run, a bare WebSocket server that sends the same bytes to as many sockets and does nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import psutil
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, broadcast, serve

from companion.errors import UserError

EVENT: Final = re.compile(r'\{"type":"event","entry":\{"seq":(\d+),')
NAMES: Final = ("Ann", "Ben", "Cem", "Dora")
MOST: Final = 500
START: Final = 60.0
"""Seconds in which the server must answer."""
PATIENCE: Final = 40.0
"""Seconds in which the server should have noticed that a phone never reads."""
EACH: Final = 7
"""Sockets for each device that joins: joining is slow on purpose, and phones have several tabs."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``pilewatch bench server``."""
    parser.add_argument("--phones", type=int, default=200, help="phones that listen (default: %(default)s)")
    parser.add_argument("--deaf", type=int, default=3, help="phones more that never read (default: %(default)s)")
    parser.add_argument("--plays", type=int, default=60, help="plays to deliver (default: %(default)s)")
    parser.add_argument("--pause", type=float, default=0.2, help="seconds between two plays (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Measure and print. Raises UserError ``bench-phones``, ``bench-server``."""
    if not 1 <= args.phones + args.deaf <= MOST or args.plays < 1:
        raise UserError("bench-phones", f"1 to {MOST} phones can be measured, over one play or more")
    figures = asyncio.run(_measure(args))
    if args.json:
        print(json.dumps(figures))
        return 0
    table, bare, memory = figures["table"], figures["bare"], figures["memory"]
    print(f"{args.phones} phones, {figures['plays']} plays of {figures['bytes'] / 1000:.0f} kB, ms until delivered:")
    for name, row in (("table", table), ("bare sockets", bare)):
        print(f"  {name:<14}p50 {row['p50']:>7.1f}   p99 {row['p99']:>7.1f}   last {row['last']:>7.1f}")
    print(f"  ratio         p50 {table['p50'] / bare['p50']:>7.1f}x  p99 {table['p99'] / bare['p99']:>7.1f}x")
    print(f"  not delivered: {figures['lost']}; phones that never read: {args.deaf}, dropped: {figures['dropped']}")
    print(
        f"server's memory: {memory['empty']:.0f} MB without a phone, {memory['joined']:.0f} MB with all, "
        f"{memory['end']:.0f} MB at the end"
    )
    return 0


async def _measure(args: argparse.Namespace) -> dict[str, Any]:
    with (
        tempfile.TemporaryDirectory() as folder,
        _program(Path(folder)) as (table, process),
        _bare_program() as port,
    ):
        memory = {"empty": _megabytes(process)}
        await asyncio.to_thread(table.expect, 1 + args.phones + args.deaf)
        host = Host(await table.phone())
        plays = _plays()
        for _ in range(3):  # set-up, the game, the deal
            await host.tell(*next(plays))
        phones = [Phone(await table.phone()) for _ in range(args.phones)]
        deaf = [table.deaf() for _ in range(args.deaf)]
        await asyncio.sleep(1.5)
        memory["joined"] = _megabytes(process)
        bare = [await _bare_phone(port) for _ in range(args.phones + 1)]
        sent: dict[int, float] = {}
        bare_sent: dict[int, float] = {}
        size = 0
        for _, (name, fields) in zip(range(args.plays), plays, strict=False):
            began = time.perf_counter()
            seq, size = await host.tell(name, fields)
            sent[seq] = began
            await asyncio.sleep(args.pause)
            # Turn by turn, so that whatever else the machine does slows both.
            bare_sent[seq] = time.perf_counter()
            await bare[0].socket.send(f"{seq} {size}")
            await asyncio.sleep(args.pause)
        await asyncio.sleep(1.5)
        memory["end"] = _megabytes(process)
        late, bare_late = _late(sent, phones), _late(bare_sent, bare[1:])
        dropped = await _dropped(deaf, process)
        await _close(host, *phones, *bare)
    return {
        "phones": args.phones,
        "plays": len(sent),
        "bytes": size,
        "table": _row(late),
        "bare": _row(bare_late),
        "lost": len(sent) * args.phones - len(late),
        "dropped": dropped,
        "memory": memory,
    }


# The table


@contextlib.contextmanager
def _program(folder: Path) -> Iterator[tuple[Table, psutil.Process]]:
    """``pilewatch run`` in a process of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "companion.cli", "run", "--no-camera", "--host", "127.0.0.1"]
    process = subprocess.Popen(
        [*command, "--port", str(port), "--data", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = "".join(next(process.stdout, "") for _ in range(3))
        token = re.search(r"/j/([0-9a-f]{32})", said)
        if token is None:
            raise UserError("bench-server", "the server did not start; `pilewatch run` says why")
        yield Table(f"127.0.0.1:{port}", token[1]), psutil.Process(process.pid)
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        if process.stdout is not None:
            process.stdout.close()


class Table:
    """A served table that phones come to. ``base`` is host and port."""

    def __init__(self, base: str, token: str) -> None:
        self.base = base
        self._token = token
        self._keys: list[str] = []
        self._used = 0

    def phone(self) -> connect:
        """A phone's socket, to be entered."""
        return connect(
            f"ws://{self.base}/api/socket",
            additional_headers={"Authorization": f"Bearer {self._next_key()}"},
            compression=None,
            max_size=None,
            ping_interval=None,
            proxy=None,
        )

    def deaf(self) -> socket.socket:
        """A phone that opens its socket and never reads."""
        made = socket.socket()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        host, port = self.base.split(":")
        made.connect((host, int(port)))
        lines = (
            "GET /api/socket HTTP/1.1",
            f"Host: {self.base}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            f"Authorization: Bearer {self._next_key()}",
        )
        made.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return made

    def expect(self, phones: int) -> None:
        """Get the keys for so many phones. Blocks for as long as the server makes those who join wait."""
        self._keys = [self._join() for _ in range(-(-phones // EACH))]

    def _next_key(self) -> str:
        self._used += 1
        return self._keys[(self._used - 1) // EACH]

    def _join(self) -> str:
        body = json.dumps({"token": self._token}).encode()
        request = urllib.request.Request(f"http://{self.base}/api/join", body, {"Content-Type": "application/json"})
        end = time.monotonic() + START
        while True:
            try:
                with urllib.request.urlopen(request, timeout=10) as answer:
                    return str(json.load(answer)["key"])
            except urllib.error.HTTPError as error:
                error.close()
                if error.code != 429 or time.monotonic() > end:
                    raise UserError("bench-server", f"the server lets no phone join ({error.code})") from None
            except OSError as error:
                if time.monotonic() > end:
                    raise UserError("bench-server", f"the server does not answer: {error}") from None
            time.sleep(0.1)


class Phone:
    """A phone that listens, and remembers when it heard of which play."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: dict[int, float] = {}
        self.size = 0
        self.answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self.socket:
            now = time.perf_counter()
            if not isinstance(message, str):
                continue
            event = EVENT.match(message)
            if event is not None:
                self.heard[int(event[1])] = now
                self.size = len(message)
            elif message.startswith('{"type":"answer"'):
                self.answers.put_nowait(json.loads(message))


class Host(Phone):
    """The phone that says what was played."""

    def __init__(self, socket: ClientConnection) -> None:
        super().__init__(socket)
        self._seq = 0

    async def tell(self, name: str, fields: dict[str, Any]) -> tuple[int, int]:
        """Give a command; the number of the event that came of it, and the length of the message that tells it."""
        command = {"id": f"b{time.perf_counter_ns()}", "based_on": self._seq, "name": name, "fields": fields}
        await self.socket.send(json.dumps(command))
        answer = await asyncio.wait_for(self.answers.get(), START)
        if not answer["ok"]:
            raise UserError("bench-server", f"{name} was refused: {answer['error']['words']}")
        self._seq = int(answer["seq"])
        return self._seq, self.size


async def _close(*phones: Phone) -> None:
    """Close all at once, while they still read: closing waits for what the other end says to it."""
    await asyncio.gather(*(phone.socket.close() for phone in phones), return_exceptions=True)
    for phone in phones:
        phone.reading.cancel()
    await asyncio.gather(*(phone.reading for phone in phones), return_exceptions=True)


async def _dropped(deaf: list[socket.socket], process: psutil.Process) -> int:
    """How many of the phones that never read the server has dropped, within a while. Only the server's own list tells:
    what it sent before lies in between, and keeps the news from the phone."""
    wanted = {one.getsockname() for one in deaf}
    end = time.monotonic() + PATIENCE
    left = wanted
    while left and time.monotonic() < end:
        await asyncio.sleep(0.5)
        left = wanted & {tuple(entry.raddr) for entry in process.net_connections("tcp") if entry.raddr}
    for one in deaf:
        one.close()
    return len(wanted) - len(left)


def _plays() -> Iterator[tuple[str, dict[str, Any]]]:
    """A game of four, as the commands that a host's phone would send."""
    from engine.shithead import rules, wire
    from engine.shithead.bots import BOTS
    from engine.shithead.events import Event
    from engine.shithead.play import apply
    from engine.shithead.simulate import play_game
    from engine.shithead.telling import deal_event, events_of

    yield "set-up", {"players": [{"name": name} for name in NAMES], "rules": "classic", "options": {}}
    yield "new-game", {}
    made = play_game(rules.load("classic"), [BOTS["cautious"]] * len(NAMES), Random(1))
    state = made.deal
    told: list[Event] = [deal_event(state)]
    for move in made.moves:
        after = apply(state, move)
        told.extend(events_of(state, move, after))
        state = after
    for event in told:
        fields = wire.dump(event, NAMES)
        yield str(fields.pop("event")), fields


# The yardstick


@contextlib.contextmanager
def _bare_program() -> Iterator[int]:
    """A server that does nothing but send as many bytes as it is asked for to everybody: its port."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_bare_server, args=(theirs,), daemon=True)
    process.start()
    try:
        yield int(ours.recv())
    finally:
        process.terminate()
        process.join(10)


async def _bare_phone(port: int) -> Phone:
    address = f"ws://127.0.0.1:{port}"
    return Phone(await connect(address, compression=None, max_size=None, ping_interval=None, proxy=None))


def _bare_server(pipe: Any) -> None:
    clients: set[ServerConnection] = set()

    async def handle(client: ServerConnection) -> None:
        clients.add(client)
        try:
            async for asked in client:
                number, size = str(asked).split()
                head = f'{{"type":"event","entry":{{"seq":{number},'
                broadcast(clients, head + "x" * (int(size) - len(head)))
        finally:
            clients.discard(client)

    async def main() -> None:
        async with serve(handle, "127.0.0.1", 0, compression=None, ping_interval=None) as running:
            pipe.send(next(iter(running.sockets)).getsockname()[1])
            await asyncio.get_running_loop().create_future()

    asyncio.run(main())


def _late(sent: dict[int, float], phones: list[Phone]) -> list[float]:
    """Milliseconds until each phone had each message."""
    return [1000 * (phone.heard[one] - at) for one, at in sent.items() for phone in phones if one in phone.heard]


def _row(late: list[float]) -> dict[str, float]:
    ordered = sorted(late) or [0.0]
    return {
        "p50": round(ordered[len(ordered) // 2], 2),
        "p99": round(ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))], 2),
        "last": round(ordered[-1], 2),
    }


def _megabytes(process: psutil.Process) -> float:
    return round(float(process.memory_info().rss) / 1e6, 1)
