"""A served table of three, and the phone of its host."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.set_up import SetUp
from companion.storage import DataFolder
from tests.companion.played import NAMES
from tests.companion.serving import Phone, Served, served
from tests.companion.tables import OPENED


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
