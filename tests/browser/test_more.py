"""What is not the game itself: a reload in mid-game, odd names, cameras to choose from, films, the code's address."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from companion.filming import Film
from tests.browser.conftest import SMALL_PHONE, TV, Open, Table
from tests.browser.test_page import CATALOGUES, overflow
from tests.waiting import PATIENCE

pytestmark = pytest.mark.browser

# The page's own state, changed as a message of the server would change it; whatever the server sends afterwards, be it
# that somebody's phone has gone, is changed likewise.
WITH = """(changes) => import('/static/js/store.js').then((store) => {
  const own = window.changed || (window.changed = { fields: {} });
  Object.keys(changes).forEach((key) => { own.fields[key] = Object.assign({}, own.fields[key], changes[key]); });
  const change = () => {
    if (store.state.table !== own.table) own.served = store.state.table;
    own.table = Object.assign({}, own.served);
    Object.keys(own.fields).forEach((key) => {
      own.table[key] = Object.assign({}, own.served[key], own.fields[key]);
    });
    store.state.table = own.table;
  };
  if (!own.listens) store.subscribe(() => store.state.table !== own.table && change());
  own.listens = true;
  change();
  store.update({});
})"""
# The table as the server says it is.
AS_IT_IS = """() => import('/static/js/store.js').then((store) => {
  window.changed.fields = {};
  store.update({ table: window.changed.served });
})"""


def eventually(page: Page, condition: str) -> None:
    """Wait until something is so. The page's policy forbids what Playwright's own waiting does."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(50)


def test_a_phone_reloaded_in_the_middle_of_a_question_is_back_at_it(open_page: Open, table: Table) -> None:
    table.deal()
    page = open_page()
    table.lay({"9H": 0.6, "6H": 0.4})
    expect(page.locator(".ask .candidate")).to_have_count(2)
    page.reload()
    expect(page.locator(".ask .candidate")).to_have_count(2)
    expect(page.locator(".welcome")).to_have_count(0)
    expect(page.locator(".banner.wake")).to_have_text("Tap to hear the calls")
    page.locator(".ask .candidate").first.click()
    expect(page.locator(".hero-turn")).to_contain_text("Ben")
    expect(page.locator(".banner.wake")).to_have_count(0)
    table.lay("JH")
    expect(page.locator("#polite")).to_contain_text("Ben plays jack")
    eventually(page, "() => window.spoken.length > 0")


def test_the_welcome_comes_back_when_no_game_is_going_on(open_page: Open, table: Table) -> None:
    table.deal()
    page = open_page()
    expect(page.locator(".hero-turn")).to_contain_text("Ann")
    table.say("end-game")
    page.reload()
    expect(page.locator(".welcome")).to_be_visible()


ODD = ["W" * 24, "<b>Bob</b><img src=x>", "שרה בת אברהם", "🦄🦄🦄🦄🦄🦄🦄🦄🦄🦄🦄🦄", "Zoë̈̈̈ {player}"]


def test_odd_names_are_shown_as_they_are_and_fit(open_page: Open, table: Table) -> None:
    players = [{"name": name} for name in ODD]
    table.deal("Ann Ben")
    table.say("end-game")
    table.say("set-up", players=players, dealer=4)
    table.say("new-game")
    table.say("deal", upcards={})
    table.say("start", seat=ODD[0])
    page = open_page(size=SMALL_PHONE)
    tv = open_page("tv", TV, route="tv")
    for turn in range(len(ODD)):
        expect(page.locator(".hero-turn .display")).to_have_text(ODD[turn])
        assert overflow(page) == [], ODD[turn]
        assert overflow(tv) == [], ODD[turn]
        table.lay("7H" if turn == 0 else ["7S", "7D", "8C", "8D"][turn - 1])
    for tab in range(1, 4):
        page.locator(".tab").nth(tab).click()
        assert overflow(page) == [], tab
    page.evaluate("window.location.hash = 'records'")
    expect(page.locator(".game h2").first).to_contain_text("<b>Bob</b>")
    assert overflow(page) == []
    assert page.locator("#app b b, img[src=x]").count() == 0


def test_what_the_camera_lacks_is_told_while_setting_up(open_page: Open, table: Table) -> None:
    table.deal("Ann Ben")
    table.say("end-game")
    page = open_page()
    small = "the indices are 9 pixels high, too small: bring the camera closer, or use a larger picture"
    findings = [
        {"code": "light", "good": True, "words": "the light is good"},
        {"code": "size", "good": False, "words": small},
    ]
    page.evaluate(WITH, {"camera": {"mode": "camera", "state": "watching", "findings": findings}})
    expect(page.locator(".set-up .finding")).to_have_count(1)
    expect(page.locator(".set-up .finding")).to_contain_text("9 pixels high, too small")
    page.evaluate(WITH, {"camera": {"findings": findings[:1]}})
    expect(page.locator(".set-up .finding.good")).to_have_text("Light, focus and size are good.")


def test_every_camera_is_shown_with_its_picture(open_page: Open, table: Table) -> None:
    table.deal("Ann Ben")
    picture = cv2.imencode(".jpg", np.full((90, 160, 3), 90, np.uint8))[1].tobytes()
    listed = [
        {"source": name, "name": name, "picture": f"/api/camera-picture.jpg?source={name}", "watched": False}
        for name in ("Webcam", "Lamp")
    ]

    def cameras(page: Page) -> None:
        page.route(re.compile("/api/cameras$"), lambda route: route.fulfill(json=listed))
        page.route(re.compile("source=Webcam"), lambda route: route.fulfill(body=picture, content_type="image/jpeg"))

    page = open_page(route="camera", before=cameras, allow="404|409")
    page.get_by_role("button", name="Look for cameras").click()
    choices = page.locator(".camera-choice")
    expect(choices).to_have_count(2)
    expect(choices.first.locator("img")).to_be_visible()
    expect(choices.nth(1)).to_contain_text("There is no picture at the moment.")
    choices.nth(1).click()
    expect(page.locator(".toast.fault")).to_have_text("That camera is not there.")


def test_the_code_can_hold_another_address(open_page: Open, table: Table) -> None:
    table.deal("Ann Ben")
    page = open_page(preferences=json.dumps({"tab": "more"}))
    addresses = [
        {"url": table.url, "interface": "wlan0", "chosen": True},
        {"url": "http://10.0.0.7:8080", "interface": "tun0", "chosen": False},
    ]
    page.evaluate(WITH, {"join": {"addresses": addresses}})
    page.get_by_text("Another address for the code").click()
    expect(page.locator(".addresses .choice")).to_have_count(2)
    other = page.locator(".addresses .choice", has_text="10.0.0.7")
    page.locator(".addresses .choice").first.click()
    page.evaluate(AS_IT_IS)
    expect(other).to_have_count(0)
    expect(page.locator(".toast.fault")).to_have_count(0)
    page.evaluate(WITH, {"join": {"addresses": addresses}})
    other.click()
    expect(page.locator(".toast.fault")).to_be_visible()  # the server offers no such address


def test_a_film_of_the_game_runs_beside_its_replay(open_page: Open, table: Table) -> None:
    table.deal("Ann Ben")
    table.lay("9H")
    game = table.snapshot["table"]["game"]["id"]
    film = Film(Path(table.folder) / "games" / game / "videos" / f"{int(time.time())}.webm")
    for number in range(12):
        film.offer(np.full((180, 320, 3), 20 * number, np.uint8), number / 3)
        time.sleep(0.05)
    film.close()
    page = open_page(route=f"game/{game}")
    video = page.locator(".films video")
    expect(video).to_be_visible()
    eventually(page, "() => document.querySelector('.films video').readyState > 0")
    assert video.evaluate("(film) => film.duration") > 1
    expect(page.locator(".films a")).to_have_attribute("href", re.compile(rf"/api/games/{game}/videos/\d+\.webm"))
    table.say("end-game")


def test_everybody_sees_that_the_video_is_recorded(open_page: Open, table: Table) -> None:
    table.deal("Ann Ben")
    page = open_page("player")
    expect(page.locator(".filming")).to_have_count(0)
    page.evaluate(WITH, {"camera": {"filming": "on"}})
    expect(page.get_by_role("img", name="The video is being recorded")).to_be_visible()


def test_the_computer_s_own_voice_is_offered_only_where_it_has_one(open_page: Open, table: Table) -> None:
    page: Any = open_page(route="settings")
    page.evaluate(WITH, {"voice": {"able": False, "on": False}})
    expect(page.get_by_text("The laptop has no speech program")).to_be_visible()
    page.evaluate(WITH, {"voice": {"able": True, "on": False}})
    page.get_by_role("switch", name="The laptop speaks the calls too").click()
    table.comes_to(lambda now: now["set_up"]["voice"] is True)
    page.evaluate(AS_IT_IS)
    expect(page.get_by_text("The laptop has no speech program")).to_be_visible()
    table.say("set-up", voice=False)


def test_the_big_screen_speaks_once_somebody_has_tapped_its_loudspeaker(open_page: Open, table: Table) -> None:
    table.deal("Ann Ben")
    page = open_page("tv", TV, route="tv")
    table.lay("4H")
    expect(page.locator("#polite")).to_contain_text("Ann plays 4")
    assert page.evaluate("window.spoken") == []
    page.get_by_role("button", name="Sound on").click()
    table.lay("9H")
    eventually(page, "() => window.spoken.some((said) => said.startsWith('Ben plays 9'))")
    page.get_by_role("button", name="Sound off").click()
    spoken = page.evaluate("window.spoken.length")
    table.lay("JH")
    expect(page.locator("#polite")).to_contain_text("Ann plays jack")
    assert page.evaluate("window.spoken.length") == spoken


def test_a_phone_sends_its_camera_s_pictures(open_page: Open, table: Table) -> None:
    """The machine itself counts as a secure address; the camera is a canvas here."""
    table.deal("Ann Ben")
    table.say("end-game")
    page = open_page(route="camera", allow="Failed to load|404")
    page.evaluate(
        """() => {
          const canvas = document.createElement('canvas');
          canvas.width = 640; canvas.height = 360;
          const draw = canvas.getContext('2d');
          setInterval(() => { draw.fillStyle = 'green'; draw.fillRect(0, 0, 640, 360); }, 50);
          navigator.mediaDevices.getUserMedia = () => Promise.resolve(canvas.captureStream(10));
        }"""
    )
    page.get_by_role("button", name="Use this phone as the camera").click()
    expect(page.locator(".lens [role=status]")).to_have_text("The pictures arrive.")
    assert table.snapshot["table"]["camera"]["mode"] == "phone"
    page.get_by_role("button", name="Stop sending pictures").click()
    expect(page.locator(".camera")).to_be_visible()
    table.say("camera", source=None)


def test_whoever_gets_or_loses_the_host_s_role_is_told(open_page: Open, table: Table) -> None:
    table.deal()
    host, player = open_page(), open_page("player")

    def hand_over(giver: Page, seat: str) -> None:
        giver.get_by_role("button", name="More", exact=True).click()
        giver.get_by_role("link", name="People").click()
        giver.locator(".person:not(:disabled)", has_text=seat).first.click()
        giver.get_by_role("button", name="Make this one the host").click()

    for phone, seat in ((host, 0), (player, 1)):
        phone.evaluate(
            "(seat) => import('/static/js/connection.js').then((line) => line.command('sit', { seat: seat }))", seat
        )
    hand_over(host, "Ben")
    expect(host.locator(".toast")).to_have_text("Another phone is the host now.")
    expect(player.locator(".toast")).to_have_text("This phone is the host now.")
    hand_over(player, "Ann")
    expect(host.locator(".toast")).to_have_text("This phone is the host now.")
    table.say("sit", seat=None)


LISTEN = """() => { window.told = []; new MutationObserver(() => {
  document.querySelectorAll('.toast').forEach((toast) => window.told.push(toast.textContent.trim()));
}).observe(document.body, { subtree: true, childList: true }); }"""
LOST = "window.told.indexOf('Another phone is the host now.') >= 0"


def test_who_opens_the_host_link_elsewhere_takes_the_role_and_both_are_told(
    browser: Browser, open_page: Open, table: Table
) -> None:
    host = open_page()
    with browser.new_context(locale="en-GB") as elsewhere:
        laptop = elsewhere.new_page()
        host.evaluate(LISTEN)
        laptop.goto(table.host_link)
        expect(laptop.locator(".welcome .banner.took")).to_contain_text("until a moment ago another one was")
        host.wait_for_function(LOST)
        host.reload()
        expect(host.locator(".page, .welcome").first).to_be_visible()
        expect(host.locator(".toast")).to_have_count(0)  # told once
        laptop.locator(".welcome-form .button.main").click()
        laptop.locator(".banner.took .button").click()
        expect(laptop.locator(".banner.took")).to_have_count(0)
        laptop.reload()
        expect(laptop.locator(".page, .welcome").first).to_be_visible()
        expect(laptop.locator(".banner.took")).to_have_count(0)
        laptop.evaluate(LISTEN)
        host.goto("about:blank")
        host.goto(table.host_link)  # with it the first one has the role back
        expect(host.locator(".banner.took")).to_be_visible()
        laptop.wait_for_function(LOST)
        host.goto("about:blank")
        host.goto(table.host_link)
        expect(host.locator(".page, .welcome").first).to_be_visible()
        expect(host.locator(".banner.took")).to_have_count(0)  # it was nobody else's


def test_the_role_that_went_while_nobody_looked_is_told_at_the_next_look(
    browser: Browser, open_page: Open, table: Table
) -> None:
    host = open_page()
    host.wait_for_function("localStorage.getItem('pilewatch-preferences').includes('\"host\":true')")
    host.goto("about:blank")
    with browser.new_context(locale="en-GB") as elsewhere:
        elsewhere.new_page().goto(table.host_link)
    host.goto(table.url)
    expect(host.locator(".toast")).to_have_text("Another phone is the host now.")
    host.goto("about:blank")
    host.goto(table.host_link)
    expect(host.locator(".banner.took")).to_be_visible()


def test_what_was_said_of_a_game_goes_with_it(open_page: Open, table: Table) -> None:
    table.deal()
    table.lay("9H")
    page = open_page()
    table.lay("4S")
    expect(page.locator("#urgent")).to_contain_text("4 is lower than 9")
    table.say("end-game")
    expect(page.locator("#urgent")).to_be_empty()
    expect(page.locator("#polite")).to_be_empty()


def test_what_the_camera_only_saw_is_no_play_on_the_page(open_page: Open, table: Table) -> None:
    table.deal()
    table.lay("9H")
    page = open_page(preferences=json.dumps({"tab": "plays", "begun": True}))
    expect(page.locator(".entry")).to_have_count(3)
    page.evaluate(
        """() => import('/static/js/store.js').then((store) => {
          const log = store.state.table.log;
          const last = log[log.length - 1];
          const seen = { seq: last.seq + 1, event: { event: 'stock', left: 0 }, messages: [], evidence: true };
          const grown = { log: log.concat(Object.assign({}, last, seen)) };
          store.update({ table: Object.assign({}, store.state.table, grown) });
        })"""
    )
    expect(page.locator(".entry")).to_have_count(3)
    expect(page.get_by_role("button", name="Undo: Ann")).to_be_visible()
    page.locator(".entry").last.click()  # the deal: it can be removed, not corrected into a play
    expect(page.get_by_role("button", name="Correct this play")).to_have_count(0)
    page.get_by_role("button", name="Close").click()
    page.locator(".entry").first.click()
    expect(page.get_by_role("button", name="Correct this play")).to_be_visible()


def test_a_page_left_with_a_sheet_open_leaves_the_next_at_its_top(open_page: Open, table: Table) -> None:
    table.deal()
    open_page("player")
    page = open_page(size=SMALL_PHONE, route="people")
    page.locator("button.person:not(:disabled)").last.click()
    expect(page.locator(".sheet")).to_be_visible()
    page.evaluate("window.location.hash = 'set-up'")
    expect(page.locator(".set-up")).to_be_visible()
    page.wait_for_timeout(300)
    assert page.evaluate("window.scrollY") == 0


LINES = """(node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
}"""


@pytest.mark.parametrize("language", ["en", "de", "sv", "fr", "nl"])
def test_names_of_pages_and_of_players_keep_their_words_whole(language: str, open_page: Open, table: Table) -> None:
    table.deal("Ann Ben Cem Sebastian-Alexandre")
    page = open_page(size=SMALL_PHONE, route="set-up", preferences=json.dumps({"language": language, "begun": True}))
    assert overflow(page) == []
    inside = """() => { const box = document.querySelector('.sketch').getBoundingClientRect();
      return [...document.querySelectorAll('.token')].every((token) => {
        const own = token.getBoundingClientRect();
        const whole = token.scrollWidth <= token.clientWidth && (token.textContent.length > 9 || own.height < 50);
        const across = own.left >= box.left && own.right <= box.right;
        return whole && across && own.top >= box.top && own.bottom <= box.bottom;
      }); }"""
    assert page.evaluate(inside)
    page.evaluate(
        "() => import('/static/js/store.js').then((store) => store.update("
        "{ table: Object.assign({}, store.state.table, { state: 'hand over the table' }) }))"
    )
    game = table.snapshot["table"]["game"]["id"]
    texts = json.loads((CATALOGUES / f"{language}.json").read_text("utf-8"))
    for route in ("settings", "people", "records", "statistics", "camera", "about", f"game/{game}"):
        page.evaluate("(route) => { window.location.hash = route; }", route)
        brand = page.locator(".brand")
        expect(brand).to_have_text(texts["page.replay" if route.startswith("game/") else f"page.{route}"])
        words = brand.inner_text().split()
        lines = brand.evaluate(LINES)
        assert lines <= len(words), (route, words)
        assert overflow(page) == [], route
