"""A served table of three, and the phone of its host."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.set_up import SetUp
from companion.storage import DataFolder
from tests.companion.played import NAMES
from tests.companion.serving import Phone, Served, served
from tests.companion.tables import OPENED

SIGNALS = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """The tests' own are back afterwards. One that is ignored, as under ``nohup``, would stay so here and in every
    program that a test starts: it is not."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, handler in before.items():
        if handler is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[DataFolder]:
    with DataFolder.open(tmp_path) as made:
        yield made
        while OPENED:
            OPENED.pop().close()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Served]:
    with DataFolder.open(tmp_path) as folder, served(folder, SetUp().change({"players": list(NAMES)})) as table:
        yield table


@pytest.fixture
def host(running: Served) -> Phone:
    return running.phone("Host")
