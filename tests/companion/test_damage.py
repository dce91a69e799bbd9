"""What a damaged disk leaves of a table: its record, its memory; what goes on, and what people are told."""

from __future__ import annotations

import json

import pytest

from companion.address_book import AddressBook
from companion.people import People
from companion.room import Room
from companion.set_up import SetUp
from companion.status import TableState
from companion.storage import DataFolder
from tests.companion.tables import dealt, opened, state, table, tell


def test_a_torn_last_line_was_never_acknowledged(folder: DataFolder) -> None:
    session = table(folder)
    game = dealt(session)
    tell(session, "laid", cards=["5C"])
    session.close()
    path = folder.record(game.id)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    resumed = opened(folder).game
    assert resumed is not None
    assert resumed.seq == 2
    assert resumed.turn == 0


def test_a_damaged_record_is_continued_from_what_is_sound(folder: DataFolder) -> None:
    session = table(folder)
    game = dealt(session)
    tell(session, "laid", cards=["5C"])
    tell(session, "laid", cards=["6C"])
    session.close()
    path = folder.record(game.id)
    lines = path.read_bytes().split(b"\n")
    lines[3] = lines[3].replace(b"5C", b"6C")
    path.write_bytes(b"\n".join(lines))
    resumed = opened(folder).game
    assert resumed is not None
    assert resumed.id != game.id, "the damaged record is left as it is"
    assert resumed.seq == 2


@pytest.mark.parametrize(("line", "code"), [(3, "record-damaged"), (5, "record-damaged"), (0, "record-lost")])
def test_a_damaged_record_is_told_on_the_screens(folder: DataFolder, line: int, code: str) -> None:
    """Wherever it is damaged, its last line too: what is lost was acknowledged once."""
    session = table(folder)
    game = dealt(session)
    for card in ("5C", "6C", "7C"):
        tell(session, "laid", cards=[card])
    session.close()
    path = folder.record(game.id)
    lines = path.read_bytes().split(b"\n")
    lines[line] = lines[line].replace(b'"', b"'", 1)
    path.write_bytes(b"\n".join(lines))
    again = opened(folder)
    assert again.restored is not None
    assert (again.restored["code"], again.restored["game"]) == (code, game.id)
    assert again.restored.get("count") == (None if code == "record-lost" else line - 1)
    room = Room(again, People(folder), AddressBook(8080))
    assert room.table()["record"]["restored"] == again.restored
    again.new_game()
    assert room.table()["record"]["restored"] is None
    again.close()
    assert opened(folder).restored is None


@pytest.mark.parametrize("damage", [b"", b"{", b'{"set_up": 3, "game": 7, "number": "x", "flags": [1]}', b"[]"])
def test_a_damaged_memory_starts_afresh(folder: DataFolder, damage: bytes) -> None:
    (folder.root / "table.json").write_bytes(damage)
    session = opened(folder)
    assert state(session) == TableState.SET_UP
    assert session.set_up == SetUp()


def test_a_remembered_set_up_keeps_what_makes_sense(folder: DataFolder) -> None:
    saved = {"players": [{"name": "Ann"}, {"name": "Ben"}], "rules": "gone-rules", "language": "sv", "unknown": 1}
    (folder.root / "table.json").write_text(json.dumps({"set_up": saved}))
    session = opened(folder)
    assert (session.set_up.names, session.set_up.rules, session.set_up.language) == (("Ann", "Ben"), "classic", "sv")
