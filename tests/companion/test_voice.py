"""The machine's own voice: what it says, by which program, and that nothing ever waits for it."""

from __future__ import annotations

import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.address_book import AddressBook
from companion.calls import Caller
from companion.people import People
from companion.room import Room
from companion.session import Session
from companion.set_up import LANGUAGES, SetUp
from companion.storage import DataFolder
from companion.voice import Voice, program
from tests.companion.played import commands, played
from tests.waiting import until


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with DataFolder.open(tmp_path / "data") as folder:
        made = Session(folder, SetUp().change({"players": ["Ann", "Ben", "Cem"]}))
        yield made
        made.close()


def script(folder: Path, body: str) -> list[str]:
    path = folder / "speak"
    path.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)
    return [str(path), "{}"]


def table_of(session: Session) -> dict[str, Any]:
    game = session.playing()
    return {"state": session.state.value, **game.showing()}


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Ann plays jack. Ben, your turn: jack or higher, 2 and 10 always."),
        ("de", "Ann spielt Bube. Ben ist dran: Bube oder höher, 2 und 10 immer."),
        ("sv", "Ann spelar knekt. Ben, din tur: knekt eller högre, 2 och 10 alltid."),
        ("fr", "Ann joue valet. Ben, à toi : valet ou plus haut, 2 et 10 toujours."),
        ("nl", "Ann speelt boer. Ben, jouw beurt: boer of hoger, 2 en 10 altijd."),
    ],
)
def test_a_play_is_called_in_every_language(session: Session, language: str, told: str) -> None:
    session.new_game()
    session.tell({"event": "deal", "upcards": {}})
    session.tell({"event": "start", "seat": "Ann"})
    session.tell({"event": "laid", "cards": ["JH"]})
    assert Caller(language).call(table_of(session), session.playing().log[-1]) == (told, False)


@pytest.mark.parametrize(("language", "told"), [("en", "makes the tea"), ("sv", "kokar te"), ("fr", "fait le thé")])
def test_an_offered_forfeit_is_said_in_the_language_of_whoever_hears_it(language: str, told: str) -> None:
    owes = {"code": "owes", "player": "Ann", "forfeit": "makes the tea"}
    assert Caller(language).message(owes) == f"Ann {told}"
    assert Caller(language).message({**owes, "forfeit": "sings"}) == "Ann sings", "the table's own stays as it is"


def test_an_illegal_play_and_the_end_cut_in(session: Session) -> None:
    session.new_game()
    session.tell({"event": "deal", "upcards": {}})
    session.tell({"event": "start", "seat": "Ann"})
    session.tell({"event": "laid", "cards": ["JH"]})
    session.tell({"event": "laid", "cards": ["4H"]})
    words, urgent = Caller("en").call(table_of(session), session.playing().log[-1])
    assert urgent
    assert "4 is lower than jack" in words
    assert "Please check on the phone." in words


def calls(session: Session, *told: dict[str, Any]) -> list[str]:
    """What is said of each of these events."""
    caller = Caller("en")
    said = []
    for event in told:
        session.tell(event)
        said.append(caller.call(table_of(session), session.playing().log[-1])[0])
    return said


def test_a_turn_is_called_once_whatever_else_is_seen(session: Session) -> None:
    """Draws, a burnt pile that goes, what is seen again: nobody is told again that it is their turn."""
    session.new_game()
    session.tell({"event": "deal", "upcards": {}, "draws": True})
    session.tell({"event": "start", "seat": "Ann"})
    assert calls(
        session,
        {"event": "laid", "cards": ["4H"]},
        {"event": "drawn", "seat": "Ann"},
        {"event": "laid", "cards": ["TH"]},
        {"event": "gone"},
        {"event": "drawn", "seat": "Ben"},
        {"event": "laid", "cards": ["5H"]},
        {"event": "laid", "cards": ["4S"]},
        {"event": "take-back"},
    ) == [
        "Ann plays 4. Ben, your turn: 4 or higher, 2 always.",
        "Ann draws one card.",
        "Ben plays 10. 10 burns the pile. Ben again. Ben, your turn: Any card.",
        "",
        "Ben draws one card.",
        "Ben plays 5. Cem, your turn: 5 or higher, 2 always.",
        "Cem cannot play 4. 4 is lower than 5. Please check on the phone.",
        "Cem takes back 4. Cem, your turn: 5 or higher, 2 always.",
    ]


def test_an_open_flag_hides_nobodys_turn(session: Session) -> None:
    session.new_game()
    session.tell({"event": "deal", "upcards": {}})
    session.tell({"event": "start", "seat": "Ann"})
    session.flag(None, "Ben", "was that right?")
    assert calls(session, {"event": "laid", "cards": ["4H"]}) == ["Ann plays 4. Ben, your turn: 4 or higher, 2 always."]


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """A whole game: the table after every event, and the event's entry in the log."""
    found = []
    with DataFolder.open(tmp_path_factory.mktemp("game")) as folder:
        session = Session(folder, SetUp().change({"players": ["Ann", "Ben", "Cem"]}))
        session.new_game()
        for name, fields in commands(played(seed=4)):
            session.tell({"event": name, **fields})
            found.append((table_of(session), dict(session.playing().log[-1])))
        session.close()
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_is_called_without_a_hole(
    moments: list[tuple[dict[str, Any], dict[str, Any]]], language: str
) -> None:
    caller = Caller(language)
    said = [caller.call(table, entry)[0] for table, entry in moments]
    assert len(said) > 30
    assert [words for words in said if "{" in words or "None" in words or "[" in words] == []
    assert said[-1]


def test_the_program_gets_the_words_on_its_input_whatever_a_player_is_called(tmp_path: Path) -> None:
    heard, arguments = tmp_path / "heard", tmp_path / "arguments"
    voice = Voice(script(tmp_path, f'echo "$@" >> {arguments}; cat >> {heard}'))
    name = f"-v; $(touch {tmp_path}/owned) `id` 'Ünal 😀"
    voice.say("de", f"{name} spielt 4.")
    until(lambda: heard.exists() and heard.read_text("utf-8").endswith("\n"))
    assert heard.read_text("utf-8") == f"{name} spielt 4.\n"
    assert arguments.read_text("utf-8") == "de\n"
    assert not (tmp_path / "owned").exists()


def test_a_program_that_hangs_or_is_broken_holds_nobody_up(tmp_path: Path) -> None:
    voice = Voice(script(tmp_path, "sleep 60"))
    began = time.monotonic()
    for number in range(50):
        voice.say("en", f"call {number}")
    assert time.monotonic() - began < 30, "the program itself takes a minute"
    voice.close()
    broken = Voice([str(tmp_path / "there is no such program")])
    broken.say("en", "hello")
    time.sleep(0.1)
    broken.say("en", "hello again")


def test_an_urgent_call_replaces_what_waits(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    voice = Voice(script(tmp_path, f"cat >> {heard}; exec sleep 5"))
    voice.say("en", "first")
    until(lambda: heard.exists() and heard.read_text() == "first\n")
    voice.say("en", "second")
    voice.say("en", "stop", urgent=True)
    until(lambda: heard.read_text() != "first\n")
    assert heard.read_text() == "first\nstop\n"
    voice.close()


def test_where_no_program_is_the_table_says_so_and_plays_on(session: Session) -> None:
    assert program(lambda _: None, "linux") is None
    assert program(lambda name: f"/usr/bin/{name}" if name == "espeak" else None, "linux") == [
        *("espeak", "-v", "{}", "--stdin"),
    ]
    assert program(lambda name: name, "darwin") == ["say", "-f", "-"]
    voice = Voice(None)
    assert "install espeak-ng" in voice.sentence()
    room = Room(session, People(session.folder), AddressBook(8080), voice=voice)
    session.agree({"voice": True})
    assert room.table()["voice"] == {"able": False, "on": True}
    session.new_game()
    session.tell({"event": "deal", "upcards": {}})


def test_the_voice_is_off_unless_somebody_wants_it(session: Session, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    Room(session, People(session.folder), AddressBook(8080), voice=Voice(script(tmp_path, f"cat >> {heard}")))
    session.new_game()
    session.tell({"event": "deal", "upcards": {}})
    session.tell({"event": "start", "seat": "Ann"})
    session.agree({"voice": True, "language": "nl"})
    session.tell({"event": "laid", "cards": ["4H"]})
    until(lambda: heard.exists() and heard.read_text().endswith("\n"))
    assert heard.read_text().startswith("Ann speelt 4.")
