"""The texts in five languages: complete, with the same parameters everywhere, and no card named like another."""

from __future__ import annotations

import json
import re
import string
from functools import cache
from pathlib import Path

import pytest

from companion.people import Role
from companion.refusals import STATUS
from companion.set_up import LANGUAGES, TAPS
from companion.status import CameraState, TableState
from engine.cards import Rank, Suit
from engine.shithead import rules
from engine.shithead.events import KINDS
from engine.shithead.options import RANK_FIELDS, Power
from engine.shithead.words import TEXTS

COMPANION = Path(__file__).parents[2] / "companion"
SCRIPTS = sorted((COMPANION / "page" / "js").rglob("*.js"))
Text = str | dict[str, str]


@cache
def catalogue(language: str) -> dict[str, Text]:
    loaded: dict[str, Text] = json.loads((COMPANION / "catalogue" / f"{language}.json").read_text("utf-8"))
    return loaded


def forms(text: Text) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def parameters(text: Text) -> set[str]:
    return {name for form in forms(text) for _, name, _, _ in string.Formatter().parse(form) if name}


def engine_parameters(code: str) -> set[str]:
    text = TEXTS[code]
    return {
        name
        for form in (text if isinstance(text, tuple) else (text,))
        for _, name, _, _ in string.Formatter().parse(form)
        if name
    }


def test_a_catalogue_for_each_language_and_no_other() -> None:
    assert {path.stem for path in (COMPANION / "catalogue").glob("*.json")} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_in_every_language_with_the_same_parameters(language: str) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert set(other) == set(english)
    for key, text in english.items():
        assert parameters(other[key]) == parameters(text), key
        assert isinstance(other[key], str) == isinstance(text, str), key
        if isinstance(other[key], dict):
            assert set(other[key]) == {"one", "other"}, key
        assert all(form.strip() == form and form for form in forms(other[key])), key


@pytest.mark.parametrize("code", sorted(TEXTS))
def test_every_code_of_the_referee_has_a_text_that_asks_for_nothing_else(code: str) -> None:
    key = f"say.{code}"
    assert key in catalogue("en"), f"the referee says {code!r}: {TEXTS[code]!r}"
    assert parameters(catalogue("en")[key]) <= engine_parameters(code), key


def test_no_text_for_a_code_that_the_referee_never_says() -> None:
    assert {key[4:] for key in catalogue("en") if key.startswith("say.")} <= set(TEXTS)


def test_what_the_server_and_the_rules_name_has_a_text() -> None:
    wanted = {
        *(f"state.{state.value.replace(' ', '-')}" for state in TableState),
        *(f"camera.state.{state.value}" for state in CameraState),
        *(f"fault.{code}" for code in STATUS),
        *(f"role.{role.value}" for role in Role),
        *(f"taps.{taps}" for taps in TAPS),
        *(f"power.{power.value}" for power in Power),
        *(f"play.{kind}" for kind in KINDS if kind != "show"),
        *(f"rules.{name}" for name in rules.names()),
        *(f"rules.title.{name}" for name in rules.names()),
        *(f"rank.{rank.letter}" for rank in Rank),
        *(f"rank-name.{rank.letter}" for rank in Rank),
        *(f"suit.{suit.value}" for suit in Suit),
        *(f"suit-letter.{suit.value}" for suit in Suit),
    }
    for name, option in rules.OPTIONS.items():
        if name == "forfeit":
            continue
        if name not in RANK_FIELDS or name == "joker":
            wanted.add(f"option.{name}")
            wanted |= {f"option.{name}.{value}" for value in option.values if isinstance(value, str)}
    assert wanted - set(catalogue("en")) == set()


def test_every_text_that_the_page_asks_for_is_there() -> None:
    source = "\n".join(path.read_text("utf-8") for path in SCRIPTS)
    asked = set(re.findall(r"""\b(?:t|has)\(\s*"([a-z][\w.-]*[\w])"\s*[,)]""", source))
    asked |= {key for pair in re.findall(r"""\bt\([^"()]*\? "([\w.-]+)" : "([\w.-]+)\"""", source) for key in pair}
    assert len(asked) > 150, "the pattern no longer finds what the page asks for"
    assert asked - set(catalogue("en")) == set()


def test_no_text_is_left_that_nobody_asks_for() -> None:
    source = "\n".join(path.read_text("utf-8") for path in SCRIPTS)
    prefixes = tuple(set(re.findall(r"""["`]([a-z-]+(?:\.[a-z-]+)*\.)["`$]""", source)) | {"state.", "_"})
    # The letters on the camera's picture are drawn by the server.
    literal = set(re.findall(r"""["`]([a-z_][\w.-]*)["`]""", source + (COMPANION / "pictures.py").read_text("utf-8")))
    unused = {key for key in catalogue("en") if key not in literal and not key.startswith(prefixes)}
    assert unused == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("prefix", ["rank.", "rank-name.", "suit.", "suit-letter."])
def test_no_two_cards_share_a_name(language: str, prefix: str) -> None:
    letters = [rank.letter for rank in Rank] if prefix.startswith("rank") else [suit.value for suit in Suit]
    names = [str(catalogue(language)[prefix + letter]).lower() for letter in letters]
    assert len(set(names)) == len(letters)


@pytest.mark.parametrize(
    ("language", "letters"), [("en", "J Q K"), ("de", "B D K"), ("sv", "Kn D K"), ("fr", "V D R"), ("nl", "B V H")]
)
def test_court_cards_carry_the_letters_of_the_country(language: str, letters: str) -> None:
    assert " ".join(str(catalogue(language)[f"rank.{rank}"]) for rank in "JQK") == letters


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_other_languages_are_translated(language: str) -> None:
    """A sentence that is English to the letter was forgotten; short words may well agree."""
    english = catalogue("en")
    same = [key for key, text in catalogue(language).items() if text == english[key]]
    assert [key for key in same if len(forms(english[key])[0].split()) > 3 and not parameters(english[key])] == []
