"""The machine's voice and the phones say the same, in every language, over whole games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from companion.calls import Caller
from companion.session import Session
from companion.set_up import LANGUAGES, SetUp
from companion.storage import DataFolder
from tests.browser.conftest import Table
from tests.companion.played import commands, played

pytestmark = pytest.mark.browser

# As `hearEntries` does it, without saying it.
CALLS = """([language, moments]) => Promise.all(['words', 'calls'].map((name) => import(`/static/js/${name}.js`)))
  .then(([words, calls]) => words.loadLanguage(language).then(() => {
    let called = '';
    return moments.map(([table, entry]) => {
      words.namesFrom(() => table.view ? table.view.players.map((player) => player.name) : []);
      const call = calls.callOf([entry], table, called);
      called = call.called;
      return [call.words, call.urgent];
    });
  }))"""


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> list[list[dict[str, Any]]]:
    """Every moment of some games: the table, and the entry of the log that led to it."""
    found = []
    for number, rules in enumerate(("classic", "palace+jokers", "hostel")):
        with DataFolder.open(tmp_path_factory.mktemp("games")) as folder:
            session = Session(folder, SetUp().change({"players": ["Ann", "Ben", "Cem"], "rules": rules}))
            session.new_game()
            for name, fields in commands(played(rules, seed=number)):
                session.tell({"event": name, **fields})
                game = session.playing()
                found.append([{"state": session.state.value, **game.showing()}, dict(game.log[-1])])
            session.close()
    return found


@pytest.fixture(scope="module")
def reader(browser: Any, table: Table) -> Iterator[Page]:
    page: Page = browser.new_page(locale="en-GB")
    page.goto(table.url)
    page.wait_for_selector(".not-joined")
    yield page
    page.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_phone_and_machine_say_the_same(reader: Page, moments: list[list[dict[str, Any]]], language: str) -> None:
    assert len(moments) > 150
    spoken = reader.evaluate(CALLS, [language, moments])
    caller = Caller(language)
    assert [list(caller.call(table, entry)) for table, entry in moments] == spoken
