"""What the server says in English alone reaches every reader in the own language: rules, contradictions, the camera."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from companion.set_up import LANGUAGES
from engine.shithead import rules
from engine.shithead.explain import explain
from engine.shithead.options import RANK_FIELDS
from tests.browser.conftest import Table

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def reader(browser: Any, table: Table) -> Iterator[Page]:
    page: Page = browser.new_page(locale="en-GB")
    page.goto(table.url)
    page.wait_for_selector(".not-joined")
    yield page
    page.close()


def translated(page: Page, language: str, sentences: list[str]) -> list[str]:
    said: list[str] = page.evaluate(
        """([language, sentences]) => Promise.all([import('/static/js/words.js'), import('/static/js/told.js')])
          .then(([words, told]) => words.loadLanguage(language).then(() => sentences.map(told.told)))""",
        [language, sentences],
    )
    return said


def some_rules() -> Iterator[rules.RuleSet]:
    """Every shipped set, every single change of an option, and many changes at once."""
    draw = Random(7)
    options = {name: list(option.values) for name, option in rules.OPTIONS.items() if not option.free_text}
    for name in rules.names():
        base = rules.load(name).change({"forfeit": "makes the tea"})
        yield base
        changes = [{option: value} for option, values in options.items() for value in values]
        many = [{option: draw.choice(values) for option, values in options.items()} for _ in range(150)]
        ranks = [dict.fromkeys(pair, "burns") for pair in combinations(list(RANK_FIELDS)[:4], 2)]
        for change in [*changes, *many, *ranks]:
            try:
                yield base.change(change)
            except rules.RuleError:
                continue


def contradictions() -> Iterator[str]:
    for change in (
        {"joker": "reverse"},
        {"jokers": 1},
        {"deal": "six-up", "hand-size": 4},
        {"two": "under"},
        {"four-burns": False, "four-out-of-turn": True},
        {"sets": "one", "join-last-card": True},
    ):
        with pytest.raises(rules.RuleError) as caught:
            rules.load("classic").change(change)
        yield from caught.value.faults
    for decks in (1, 2, 3):
        for players in (0, 1, *range(5, 20)):
            try:
                rules.load("hostel").change({"decks": decks}).check_players(players)
            except rules.RuleError as error:
                yield from error.faults


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_set_is_explained_in_every_language(reader: Page, language: str) -> None:
    sentences = sorted({sentence for made in some_rules() for sentence in explain(made)} | set(contradictions()))
    assert len(sentences) > 300
    said = translated(reader, language, sentences)
    assert [words for words in said if words.startswith("[") or "{" in words] == []
    if language == "en":
        other = {one for one, words in zip(sentences, said, strict=True) if one != words and "hands need" not in one}
        assert len(other) <= 6, "English is shown as the rules say it, but for the game's rude name and option names"
        assert not any("shithead" in words.lower() or "=" in words for words in said)
    else:
        # "10s" may be a word, and so is a Swedish 7; the other numbers are all there.
        words_for_numbers = ("played one at a time.", "=", "needs at least two", "After four")
        lost = [
            (one, words)
            for one, words in zip(sentences, said, strict=True)
            if digits(one) - digits(words) and not any(part in one for part in words_for_numbers)
        ]
        assert language == "sv" or lost == []
        assert [words for one, words in zip(sentences, said, strict=True) if one == words] == []


def digits(text: str) -> set[str]:
    return set("".join(letter if letter.isdigit() else " " for letter in text).split())


FILLED = {
    "where": "at the top left",
    "' and the '.join(sides)": "left and the lower",
    "name": "camera 1",
    "capture.trouble": "frozen",
}


def filled(text: ast.JoinedStr) -> str:
    """What an f-string says, with something plausible for what is filled in."""
    said = ""
    for part in text.values:
        if isinstance(part, ast.Constant):
            said += str(part.value)
        elif isinstance(part, ast.FormattedValue):
            share = part.format_spec is not None and "%" in ast.unparse(part.format_spec)
            said += FILLED.get(ast.unparse(part.value), "12%" if share else "12")
    return said


def of_the_camera() -> list[str]:
    """The sentences of the modules that judge the picture, in the words that a screen may have to show."""
    said = set()
    for path in ("vision/table/checkup.py", "vision/watching/deal.py", "vision/table/layout.py", "companion/eyes.py"):
        tree = ast.parse((ROOT / path).read_text("utf-8"))
        inner = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        documented = {
            node.body[0].value
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        loose = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if node in inner or node in documented or node in loose:
                continue
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                said.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                said.add(filled(node))
    terminal = (
        "No camera",
        "A phone is the camera, once",
        "this camera is not there",
        "watching ",
        "a picture of %s",
        "Watching ",
    )
    said = {words for words in said if words.strip(" ").count(" ") >= 2 and not words.startswith(terminal)}
    plugged = "webcam cannot be opened; is it plugged in, reachable and not in use by another program?"
    full = "/data/record.jsonl could not be written: the disk is full; free some space, the game goes on meanwhile"
    found = "; look in the camera's app for the address of its video (often it ends in /video)"
    streams = {
        "http://10.0.0.5:8080 wants a name and a password: http://name:password@ before the rest of the address",
        "http://10.0.0.5:8080/x answers that there is no video (404)" + found,
        "http://10.0.0.5:8080/ answers with a web page and not with a video" + found,
    }
    return sorted(said | streams | {"no glare", plugged, full})


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_what_the_camera_lacks_is_said_in_every_language(reader: Page, language: str) -> None:
    sentences = of_the_camera()
    assert len(sentences) > 25, sentences
    said = dict(zip(sentences, translated(reader, language, sentences), strict=True))
    assert {one: words for one, words in said.items() if words.startswith("[") or words == one} == {}


def test_a_sentence_that_nobody_translated_is_shown_marked(reader: Page) -> None:
    assert translated(reader, "de", ["a new sentence, said by nobody"]) == ["[en] a new sentence, said by nobody"]
    assert translated(reader, "en", ["a new sentence, said by nobody"]) == ["a new sentence, said by nobody"]
    assert translated(reader, "de", ["no glare"]) == ["keine Spiegelung"]
