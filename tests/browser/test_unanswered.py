"""A tap without an answer: what is not known is not denied, nothing counts twice, the truth is told with contact."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import Open, Table

pytestmark = pytest.mark.browser
ALLOWED = "WebSocket|ERR_|Failed to"


class Wifi:
    """The air between a phone and the table: its socket looks open while nothing arrives any more.

    A phone that hears nothing but can speak still hears that the table lives until it has spoken: what it says is sent.
    """

    def __init__(self, page: Page) -> None:
        self.hears = self.speaks = self.beats = True
        page.route_web_socket(re.compile("/api/socket"), self._connect)
        page.route(
            re.compile("/api/(poll|command)"),
            lambda route: route.continue_() if self.hears and self.speaks else route.abort(),
        )

    def _connect(self, phone: WebSocketRoute) -> None:
        if not (self.hears and self.speaks):
            phone.close(code=1001)
            return
        server = phone.connect_to_server()

        def said(words: str | bytes) -> None:
            self.beats = self.hears
            if self.speaks:
                server.send(words)

        def heard(words: str | bytes) -> None:
            if self.hears or (self.speaks and self.beats and '"beat"' in str(words)):
                phone.send(words)

        phone.on_message(said)
        server.on_message(heard)


def tap(page: Page, rank: str) -> None:
    page.locator(".pad .ranks .rank", has_text=re.compile(f"^{rank}$")).click()
    page.locator(".pad-second .time").first.click()


def laid(table: Table) -> list[str]:
    return [
        entry["event"]["cards"][0][0] for entry in table.snapshot["table"]["log"] if entry["event"]["event"] == "laid"
    ]


def open_over(open_page: Open) -> tuple[Page, Wifi]:
    lines: list[Wifi] = []
    page = open_page(before=lambda page: lines.append(Wifi(page)), allow=ALLOWED)
    expect(page.locator(".hero-turn")).to_contain_text("Ann")
    return page, lines[0]


def test_a_play_that_arrived_without_an_answer_counts_once_and_is_told(open_page: Open, table: Table) -> None:
    table.deal()
    page, wifi = open_over(open_page)
    wifi.hears = False
    tap(page, "9")
    unknown = page.locator(".unanswered")
    expect(unknown).to_contain_text("not known yet")
    assert laid(table) == ["9"]
    tap(page, "9")  # whoever taps again all the same
    page.wait_for_timeout(2500)  # long enough that what comes then was missed
    expect(page.locator(".toast")).to_have_count(0)  # nothing says that nothing was changed
    wifi.hears = True
    expect(page.locator(".toast")).to_contain_text("your tap counts, once")
    expect(unknown).to_have_count(0)
    expect(page.locator(".hero-turn")).to_contain_text("Ben")
    expect(page.locator(".banner.missed")).to_have_count(0)  # one's own play is not missed
    assert laid(table) == ["9"]


@pytest.mark.parametrize("others", [False, True], ids=["nobody-played", "the-game-went-on"])
def test_a_play_that_never_arrived_is_repeated_or_told(others: bool, open_page: Open, table: Table) -> None:
    table.deal()
    page, wifi = open_over(open_page)
    wifi.speaks = False
    tap(page, "9")
    wifi.hears = False
    expect(page.locator(".unanswered")).to_be_visible()
    assert laid(table) == []
    if others:
        table.lay("8H")
    wifi.hears = wifi.speaks = True
    said = "did not reach the table, and the game has gone on" if others else "your tap counts, once"
    expect(page.locator(".toast")).to_contain_text(said)
    expect(page.locator(".unanswered")).to_have_count(0)
    assert laid(table) == (["8"] if others else ["9"])


def test_only_what_was_never_sent_is_said_to_have_changed_nothing(open_page: Open, table: Table) -> None:
    table.deal()
    page, wifi = open_over(open_page)
    wifi.hears = wifi.speaks = False
    expect(page.locator(".chip.stale")).to_be_visible()
    tap(page, "9")
    expect(page.locator(".toast.fault")).to_contain_text("nothing was changed")
    wifi.hears = wifi.speaks = True
    expect(page.locator(".chip.stale")).to_have_count(0)
    page.wait_for_timeout(500)
    assert laid(table) == []


def test_a_choice_that_was_lost_does_not_come_back_over_a_newer_one(open_page: Open, table: Table) -> None:
    table.say("end-game")
    table.say("set-up", players=["Ann", "Ben"], forfeit="", dealer=None)
    lines: list[Wifi] = []
    page = open_page(before=lambda page: lines.append(Wifi(page)), allow=ALLOWED)
    tea, drinks = (page.get_by_role("button", name=words) for words in ("makes the tea", "fetches the drinks"))
    expect(tea).to_be_visible()
    lines[0].speaks = False
    tea.click()
    page.get_by_role("combobox").select_option(label="Ben")
    lines[0].speaks = True
    drinks.click()
    expect(drinks).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("combobox")).to_have_value("1")  # lost too, and repeated: nothing newer was said
    expect(page.locator(".unanswered")).to_have_count(0)
    assert table.snapshot["table"]["set_up"]["forfeit"] == "fetches the drinks"
