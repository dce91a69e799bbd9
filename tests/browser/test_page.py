"""The page on every screen: no contact and back, missed plays, languages, sizes, looks, voices for the blind."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from companion.set_up import LANGUAGES
from tests.browser.conftest import PHONE, SMALL_PHONE, TV, Open, Table

pytestmark = pytest.mark.browser

CATALOGUES = Path(__file__).parents[2] / "companion" / "catalogue"
SCREENS = ("", "settings", "people", "records", "statistics", "camera", "about")
TABS = ("seat", "table", "plays", "more")


class Line:
    """The phone's socket, which the test can cut."""

    def __init__(self, page: Page) -> None:
        self.cut = False
        self._open: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("/api/socket"), self._connect)
        page.route(re.compile("/api/poll"), lambda route: route.abort() if self.cut else route.continue_())

    def _connect(self, phone: WebSocketRoute) -> None:
        if self.cut:
            phone.close(code=1001)
            return
        phone.connect_to_server()
        self._open.append(phone)

    def drop(self) -> None:
        self.cut = True
        for phone in self._open:
            phone.close(code=1001)
        self._open.clear()


def overflow(page: Page) -> list[str]:
    """What sticks out of the screen sideways, but for what its own frame clips or scrolls."""
    found: list[str] = page.evaluate(
        """() => {
          const wide = document.documentElement.clientWidth;
          const clipped = (node) => {
            for (let up = node.parentElement; up; up = up.parentElement) {
              if (getComputedStyle(up).overflowX !== 'visible') return true;
            }
            return false;
          };
          return [...document.querySelectorAll('body *')]
            .filter((node) => !node.closest('svg') && !node.closest('.for-ears'))
            .map((node) => [node, node.getBoundingClientRect()])
            .filter(([, box]) => box.width && (box.right > wide + 1 || box.left < -1))
            .map(([node]) => node)
            .filter((node) => !clipped(node))
            .map((node) => node.tagName + '.' + node.className + ': ' + node.textContent.slice(0, 40));
        }"""
    )
    return found


def small_targets(page: Page) -> list[str]:
    """What is to be tapped and smaller than a fingertip, 44 pixels."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('button, select, input, a.button, a.way')]
          .map((node) => [node, node.getBoundingClientRect()])
          .filter(([node, box]) => box.width && (box.width < 43.5 || box.height < 43.5))
          .map(([node, box]) => `${node.className} ${node.textContent.slice(0, 20)} ${box.width}x${box.height}`)"""
    )
    return found


def nameless(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('button, input, select, [role=img], img')]
          .filter((node) => !node.closest('[aria-hidden=true]'))
          .filter((node) => !(node.textContent.trim() || node.getAttribute('aria-label') || node.getAttribute('alt')
            || (node.labels && node.labels.length)))
          .map((node) => node.outerHTML.slice(0, 80))"""
    )
    return found


MEETING = """([one, other]) => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((node) => node.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return boxes(one).some((a) => boxes(other).some((b) => meet(a, b)));
}"""


def test_names_of_any_length_and_script_leave_the_layout_as_it_is(open_page: Open, table: Table) -> None:
    arabic = "مرحبا بالعالم"
    table.say("end-game")
    names = ["W" * 24, arabic, "Maximiliane-Wilhelmine v", "i" * 24, "W" * 23 + "M"]
    table.say("set-up", players=[{"name": name} for name in names], rules="classic", options={}, forfeit="", dealer=4)
    phone = open_page(size=SMALL_PHONE, start=False)
    assert overflow(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") == SMALL_PHONE[0]
    phone.locator(".welcome-form .button.main").click()
    assert overflow(phone) == []
    table.say("new-game")
    expect(phone.locator(".deal-row")).to_have_count(5)
    assert overflow(phone) == []
    table.say("deal", upcards={})
    table.say("start", seat=names[0])
    expect(phone.locator(".row")).to_have_count(5)
    assert overflow(phone) == []
    big = open_page("tv", TV, route="tv")
    expect(big.locator(".round-seat")).to_have_count(5)
    assert overflow(big) == []
    for covered in (".pile-mat", ".tv-side > *"):
        assert not big.evaluate(MEETING, [".round-seat", covered])
    assert big.evaluate("document.querySelector('.tv-side').scrollHeight <= innerHeight")
    table.lay("4H")
    table.lay("9H")
    phone.get_by_role("button", name="Plays").click()
    entry = phone.locator(".entry").first
    expect(entry).to_contain_text(f"\u2068{arabic}\u2069: 9")  # the colon and the suit stay where they are


def test_a_lost_connection_is_told_at_once_and_mended(open_page: Open, table: Table) -> None:
    table.deal()
    page = open_page(allow="WebSocket|ERR_|Failed to fetch|Failed to load")
    expect(page.locator(".hero-turn")).to_contain_text("Ann")
    table.stop()
    expect(page.locator(".chip.stale")).to_be_visible()
    expect(page.locator(".banner.bad")).to_contain_text("No contact with the table")
    page.locator(".pad .ranks .rank").first.click()
    page.locator(".pad-second .time").first.click()
    expect(page.locator(".toast.fault")).to_contain_text("nothing was changed")
    table.start()
    expect(page.locator(".chip")).to_have_text("By hand")
    expect(page.locator(".banner.bad")).to_have_count(0)
    table.lay("9H")
    expect(page.locator(".hero-turn")).to_contain_text("Ben")


def test_plays_missed_in_sleep_are_summed_up_and_not_spoken(open_page: Open, table: Table) -> None:
    table.deal()
    lines: list[Line] = []
    page = open_page(before=lambda page: lines.append(Line(page)), allow="WebSocket|ERR_|Failed to")
    table.lay("4H")
    expect(page.locator("#polite")).to_contain_text("Ann plays 4")
    spoken = page.evaluate("window.spoken.length")
    lines[0].drop()
    table.lay("5H")
    table.lay("6H")
    expect(page.locator(".chip.stale")).to_be_visible()
    page.wait_for_timeout(3000)  # what comes within a breath is no news from yesterday, and is spoken
    lines[0].cut = False
    missed = page.locator(".banner.missed")
    expect(missed).to_contain_text("While you were away: 2 plays")
    expect(missed).to_contain_text("Ben: 5♥")
    expect(missed).to_contain_text("Cem: 6♥")
    assert page.evaluate("window.spoken.length") == spoken
    page.set_viewport_size({"width": 844, "height": 390})
    page.evaluate("() => import('/static/js/store.js').then((store) => store.update({}))")
    expect(missed.get_by_text("Ben: 5♥")).to_be_hidden()  # it lies folded over the pad, which stays in sight
    pad, bar = page.locator(".pad").bounding_box(), page.locator(".tab-bar").bounding_box()
    assert pad
    assert bar
    assert pad["y"] + pad["height"] <= bar["y"]
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    missed.get_by_role("button").click()
    expect(missed).to_have_count(0)
    table.lay("7H")
    expect(page.locator("#polite")).to_contain_text("Ann plays 7")
    assert page.evaluate("window.spoken.length") == spoken + 1


def test_where_sockets_do_not_get_through_the_page_polls(open_page: Open, table: Table) -> None:
    table.deal()

    def block(page: Page) -> None:
        page.route_web_socket(re.compile("/api/socket"), lambda phone: phone.close(code=1001))

    page = open_page(before=block)
    expect(page.locator(".hero-turn")).to_contain_text("Ann")
    table.lay("9H")
    expect(page.locator(".hero-turn")).to_contain_text("Ben")
    expect(page.locator("#polite")).to_contain_text("Ann plays 9")
    page.locator(".pad .ranks .rank", has_text=re.compile("^J$")).click()
    page.locator(".pad-second .time").first.click()
    expect(page.locator(".hero-turn")).to_contain_text("Cem")
    expect(page.locator(".chip.stale")).to_have_count(0)


def test_a_phone_without_the_link_is_told_to_scan(browser: Any, table: Table) -> None:
    page = browser.new_page()
    page.goto(table.url)
    expect(page.get_by_role("heading", name="Scan the QR code")).to_be_visible()
    page.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_fits_and_leaves_nothing_untranslated(open_page: Open, table: Table, language: str) -> None:
    players = "Maximiliane Ben Cem-Okan Dora"
    table.deal(players, rules="hostel", forfeit="makes the tea")
    table.lay("7H")
    table.lay("3D")
    table.say("sit", seat=1)
    preferences = json.dumps({"language": language, "sound": False})
    page = open_page(size=SMALL_PHONE, preferences=preferences)
    texts = json.loads((CATALOGUES / f"{language}.json").read_text("utf-8"))
    expect(page.locator(".hero-legal b")).to_have_text(texts["legal.lower"].replace("{rank}", "6"))
    assert page.evaluate("document.documentElement.lang") == language
    letters = page.locator(".pad .rank").all_inner_texts()
    assert letters == [texts[f"rank.{rank}"] for rank in "3456789TJQKA2"]
    pad, bar = page.locator(".pad").bounding_box(), page.locator(".tab-bar").bounding_box()
    assert pad
    assert bar
    assert pad["y"] + pad["height"] <= bar["y"], "all ranks are in sight, under a long reason too"
    table.say("sit", seat=None)
    found = {}
    for name in [*TABS, *(screen for screen in SCREENS if screen)]:
        if name in TABS:
            page.evaluate("window.location.hash = ''")
            page.locator(".tab").nth(TABS.index(name)).click()
        else:
            page.evaluate(f"window.location.hash = '{name}'")
            expect(page.locator(".brand")).to_have_text(texts[f"page.{name}"])
        text = page.locator("#app").inner_text()
        found[name] = [overflow(page)]
        english = r"|\bPhone \d|makes the tea" if language != "en" else ""  # the server's own words for what has none
        found[name] += [re.findall(rf"\[(?:en\]|[a-z-]+\.)[^\n]*|\{{\w+\}}{english}", text)]
    assert {name: faults for name, faults in found.items() if faults != [[], []]} == {}


def test_a_text_that_is_missing_falls_back_visibly(open_page: Open, table: Table) -> None:
    table.deal()

    def hole(page: Page) -> None:
        texts = json.loads((CATALOGUES / "de.json").read_text("utf-8"))
        del texts["rank-name.J"], texts["hero.plays"]
        page.route(re.compile("/catalogue/de.json"), lambda route: route.fulfill(json=texts))

    page = open_page(before=hole, preferences=json.dumps({"language": "de"}))
    expect(page.locator(".hero-plays")).to_have_text("[en] to play")
    names = page.evaluate("import('/static/js/words.js').then((words) => ['J', 'Q'].map(words.rankName))")
    assert names == ["[en] jack", "Dame"]


@pytest.mark.parametrize("look", ["light", "dark"])
def test_large_text_in_both_looks_still_fits(open_page: Open, table: Table, look: str) -> None:
    table.deal(rules="hostel")
    table.lay("7H")
    preferences = json.dumps({"look": look, "large": True, "language": "en"})
    page = open_page(size=SMALL_PHONE, preferences=preferences)
    expect(page.locator(".hero-legal b")).to_have_text("6 or lower")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(241, 230, 210)", "dark": "rgb(23, 19, 16)"}[look]
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "20px"
    assert overflow(page) == []


def test_the_phone_s_own_dark_look_is_followed(open_page: Open, table: Table) -> None:
    table.deal()
    page = open_page(color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(23, 19, 16)"


def test_the_big_screen_shows_all_without_scrolling(open_page: Open, table: Table) -> None:
    table.deal("Ann Ben Cem Dora Eve", rules="classic")
    table.lay("9H")
    table.lay("JC")
    page = open_page("tv", TV, route="tv")
    expect(page.locator(".tv .hero-turn")).to_contain_text("Cem")
    expect(page.locator(".round-seat")).to_have_count(5)
    inside = page.evaluate(
        """() => [...document.querySelectorAll('.round-seat, .join, .hero, .chip, .pile-mat, .counts')]
          .map((node) => node.getBoundingClientRect())
          .every((box) => box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight)"""
    )
    assert inside
    sizes = page.evaluate(
        """() => ['.hero-turn .display', '.hero-legal b', '.round-name b', '.chip']
          .map((name) => parseFloat(getComputedStyle(document.querySelector(name)).fontSize))"""
    )
    assert sizes[0] >= 80
    assert sizes[1] >= 80
    assert min(sizes[2:]) >= 30
    picture = page.locator(".join img")
    box = picture.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 190
    assert picture.evaluate("(image) => image.complete && image.naturalWidth > 0")
    expect(page.locator(".join-url")).to_have_text(f"127.0.0.1:{table.port}")


def test_sideways_and_upright_nothing_sticks_out(open_page: Open, table: Table) -> None:
    table.deal("Ann Ben Cem Dora", rules="hostel")
    table.lay("7H")
    page = open_page(size=(844, 390))
    for size in ((844, 390), (768, 1024), (1280, 800), PHONE):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for tab in range(2):
            page.locator(".tab").nth(tab).click()
            assert overflow(page) == [], (size, TABS[tab])


def test_fingers_and_screen_readers_find_everything(open_page: Open, table: Table) -> None:
    table.deal("Ann Ben Cem", rules="hostel")
    table.lay("7H")
    page = open_page(size=SMALL_PHONE)
    found = {}
    for index, tab in enumerate(TABS):
        page.locator(".tab").nth(index).click()
        found[tab] = [small_targets(page), nameless(page)]
    for screen in ("settings", "people", "records"):
        page.evaluate(f"window.location.hash = '{screen}'")
        expect(page.locator(".top-bar .icon-button")).to_have_count(2)
        found[screen] = [small_targets(page), nameless(page)]
    assert {name: faults for name, faults in found.items() if faults != [[], []]} == {}
    page.evaluate("window.location.hash = ''")
    page.locator(".tab").first.click()
    expect(page.get_by_role("button", name="queen, not now")).to_be_visible()
    expect(page.get_by_role("button", name="5, may be played")).to_be_visible()
    assert page.get_by_role("img", name="7 of hearts").count() >= 1


def test_set_up_places_people_by_dragging(open_page: Open, table: Table) -> None:
    table.deal("Ann Ben Cem")
    table.say("end-game")
    page = open_page()
    page.locator(".token", has_text="Cem").hover()  # waits until nothing moves any more
    sketch = page.locator(".sketch").bounding_box()
    assert sketch
    page.mouse.down()
    page.mouse.move(sketch["x"] + 0.12 * sketch["width"], sketch["y"] + 0.7 * sketch["height"], steps=4)
    page.mouse.up()
    expect(page.locator(".names input").nth(1)).to_have_value("Cem")  # clockwise, Cem now sits between Ann and Ben
    table.comes_to(lambda now: [player["name"] for player in now["set_up"]["players"]] == ["Ann", "Cem", "Ben"])
    players = table.snapshot["table"]["set_up"]["players"]
    assert players[1]["x"] == pytest.approx(0.12, abs=0.02)
    assert players[1]["y"] == pytest.approx(0.7, abs=0.02)


def test_rules_that_contradict_each_other_are_explained(open_page: Open, table: Table) -> None:
    table.deal("Ann Ben Cem Dora Eve")
    table.say("end-game")
    page = open_page()
    page.get_by_role("radio", name="Hostel").click()
    expect(page.locator(".go .fault")).to_contain_text("5 hands need 56 cards, the deck has 52")
    expect(page.get_by_role("button", name="Deal the cards")).to_be_disabled()
    page.get_by_role("button", name="House rules").click()
    page.get_by_label("The joker", exact=True).select_option("reverse")
    expect(page.locator(".toast.fault")).to_contain_text("there are no jokers in the deck")


@pytest.mark.parametrize(
    ("ranks", "because", "headline", "also"),
    [
        ("9TJQKA2", ("at-least", "9"), "9 or higher", "2 always"),
        ("JQKA2T", ("at-least", "J"), "J or higher", "2 and 10 always"),
        ("A2T", ("at-least", "A"), "A", "2 and 10 always"),
        ("34562T", ("below", "7"), "6 or lower", "2 and 10 always"),
        ("345672T", ("at-most", "7"), "7 or lower", "2 and 10 always"),
        ("23456789TJQKA", ("anything", None), "Any card", ""),
        ("23456789TJQKAX", ("after-reset", "2"), "Any card", ""),
        ("2TA", ("only-same", "A"), "2, 10 or A", ""),
        ("TJQKA2X", ("lead-at-least", "T"), "10 or higher", "2 and Joker always"),
        ("2T", ("lead-special", None), "2 or 10", ""),
        ("", ("at-least", "A"), "No card fits", ""),
    ],
)
def test_what_may_be_played_in_words(
    phrases: Page, ranks: str, because: tuple[str, str | None], headline: str, also: str
) -> None:
    legal = {"ranks": list(ranks), "because": {"code": because[0], "other_rank": because[1]}}
    said = phrases.evaluate(
        "(legal) => import('/static/js/model.js').then((model) => model.legalPhrase({ legal }))", legal
    )
    assert (said["headline"], said["also"]) == (headline, also)


@pytest.fixture(scope="module")
def phrases(browser: Any, table: Table) -> Any:
    page = browser.new_page(locale="en-GB")
    page.goto(table.url)
    page.wait_for_selector(".not-joined")
    yield page
    page.close()
