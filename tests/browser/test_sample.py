"""The sample game: every page says what it is, in every language, and how to play at a table of one's own."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import TV, Open, Table

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    made = Table(tmp_path_factory.mktemp("sample"), "--sample")
    yield made
    made.close()


def catalogue(language: str) -> dict[str, str]:
    path = Path(__file__).parents[2] / "companion" / "catalogue" / f"{language}.json"
    texts: dict[str, str] = json.loads(path.read_text("utf-8"))
    return texts


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_page_says_that_it_is_the_sample(language: str, open_page: Open) -> None:
    words = catalogue(language)
    kept = json.dumps({"language": language})
    page = open_page("player", start=False, preferences=kept)
    expect(page.locator(".welcome .sample")).to_contain_text(words["sample.title"])
    expect(page.locator(".welcome .sample")).to_contain_text(words["sample.how.guest"])
    page.locator(".welcome-form .button.main").click()
    for route in ("", "settings", "camera", "records"):
        page.goto(page.url.split("#")[0] + f"#{route}")
        expect(page.locator(".page .sample")).to_contain_text(words["sample.how.guest"])
    big = open_page("tv", TV, route="tv", preferences=kept)
    expect(big.locator(".tv .sample")).to_contain_text(words["sample.title"])
    assert big.evaluate("document.documentElement.scrollHeight") <= TV[1], "all of it on one screen"


def test_the_own_cards_are_seen_without_scrolling(open_page: Open, table: Table) -> None:
    """Whose turn it is, what may be played, the pile and the own row, above the tabs, beside the sample's banner."""
    page = open_page(preferences=json.dumps({"begun": True, "tab": "seat", "sound": False}))
    table.comes_to(lambda now: now.get("view") and now["view"]["phase"] in ("exchange", "play"))
    with contextlib.suppress(AssertionError):  # the camera may have seen it, if the machine is not busy
        table.say("start", seat=table.snapshot["table"]["view"]["players"][0]["name"])
    table.say("sit", seat=0)
    expect(page.locator(".seat-view .rows.own .laid-row").first).to_be_visible()
    for language, size in itertools.product(("en", "de", "fr"), [(375, 667), (360, 800), (390, 844), (844, 390)]):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate(
            "(language) => import('/static/js/store.js').then((store) => store.prefer({ language: language }))",
            language,
        )
        expect(page.locator(".tab").first).to_have_text(catalogue(language)["tab.seat"])
        below = page.locator(".tab-bar").bounding_box()
        assert below is not None
        for part in (".hero-legal", ".seat-view .pile-mat", ".rows.own .row"):
            box = page.locator(part).bounding_box()
            assert box is not None
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= below["y"] + 1, (part, language, size)


def test_the_host_leaves_it_for_a_table_of_their_own(open_page: Open, table: Table) -> None:
    page = open_page(start=False)
    expect(page.locator(".welcome .sample")).to_contain_text("plug a webcam into the laptop")
    page.locator(".welcome-form .button.main").click()
    page.get_by_role("button", name="Set up our own table").click()
    expect(page.locator(".set-up")).to_be_visible()
    expect(page.locator(".sample")).to_have_count(0)
    assert table.snapshot["table"]["camera"]["mode"] == "off"
