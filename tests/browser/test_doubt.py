"""A correction that does not fit is asked about before it is saved; nothing is lost, and a person may insist."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.browser.conftest import Open, Table
from tests.waiting import until

pytestmark = pytest.mark.browser
UPCARDS = {"Ann": ["3H", "9C", "KD"], "Ben": ["4H", "9D", "KC"], "Cem": ["5H", "9S", "KS"]}


def correct_to(page: Page, play: str, rank: str, count: int) -> None:
    page.locator(".entry", has_text=play).locator("button").click()
    page.get_by_role("button", name="Correct this play").click()
    form = page.locator(".event-form")
    form.locator(".rank", has_text=re.compile(f"^{rank}$")).click()
    form.locator(".time", has_text=f"×{count}").click()
    form.get_by_role("button", name="Save").click()


def begun(table: Table) -> None:
    table.deal()
    table.say("correct", seq=1, **{"with": {"event": "deal", "upcards": UPCARDS}})
    for card in ("6C", "7C", "8C"):
        table.lay(card)


def test_a_correction_that_cannot_be_is_asked_about_first(open_page: Open, table: Table) -> None:
    begun(table)
    page = open_page()
    page.get_by_role("button", name="Plays").click()
    before = table.snapshot
    correct_to(page, "Ann: 6", "6", 4)
    doubt = page.locator(".sheet.doubt")
    expect(doubt).to_contain_text("Ann cannot have had more than 3 cards of rank 6 there.")
    page.keyboard.press("Escape")
    expect(doubt).to_have_count(0)
    expect(page.locator(".event-form")).to_be_visible()  # nothing that was filled in is lost
    now = table.snapshot  # but for who is there: a phone that went may be noticed late
    assert (now["seq"], now["table"]["log"], now["table"]["view"]) == (
        before["seq"],
        before["table"]["log"],
        before["table"]["view"],
    )
    page.locator(".event-form").get_by_role("button", name="Save").click()
    doubt.get_by_role("button", name="Save it all the same").click()
    expect(page.locator(".sheet")).to_have_count(0)
    expect(page.locator(".entry", has_text="corrected").first).to_contain_text("6")
    assert table.snapshot["seq"] == before["seq"] + 1


def test_what_becomes_of_later_plays_is_told_first(open_page: Open, table: Table) -> None:
    begun(table)
    page = open_page()
    page.get_by_role("button", name="Plays").click()
    correct_to(page, "Ben: 7", "Q", 1)
    doubt = page.locator(".sheet.doubt")
    expect(doubt).to_contain_text("The 8 that was played later is illegal then.")
    doubt.get_by_role("button", name="Back").click()
    expect(doubt).to_have_count(0)
    page.get_by_role("dialog", name="Correct this play").locator(".cross").click()
    expect(page.locator(".event-form")).to_have_count(0)
    page.locator(".sheet .cross").click()  # of the play itself
    expect(page.locator(".sheet")).to_have_count(0)
    expect(page.locator(".entry", has_text="Ben: 7")).to_have_count(1)
    expect(page.locator(".entry .mark", has_text="corrected")).to_have_count(0)


def test_a_play_by_taps_that_cannot_be_is_the_hosts_to_insist_on(open_page: Open, table: Table) -> None:
    begun(table)
    table.say("correct", seq=1, **{"with": {"event": "deal", "upcards": UPCARDS}})
    seq = table.snapshot["seq"]
    for role, insists in (("player", 0), ("host", 1)):
        page = open_page(role)
        pad = page.locator(".pad")
        pad.locator(".rank", has_text=re.compile("^Q$")).click()
        pad.locator(".time", has_text="×4").click()
        doubt = page.locator(".sheet.doubt")
        expect(doubt).to_contain_text("Ann cannot have had more than 3 cards of rank Q there.")
        expect(doubt.get_by_role("button", name="Save it all the same")).to_have_count(insists)
        assert table.snapshot["seq"] == seq
    doubt.get_by_role("button", name="Save it all the same").click()
    expect(doubt).to_have_count(0)
    assert table.snapshot["table"]["view"]["burnt"] == 7


def test_many_flags_are_settled_with_one_tap_and_a_question(open_page: Open, table: Table) -> None:
    table.deal()
    for card in ("5C", "6C", "7C", "8C"):
        table.lay(card)
        table.say("flag", words=f"was that the {card}?")
    page = open_page()
    page.locator(".banner.flagged").click()
    expect(page.locator(".banner.flagged").last).to_contain_text("Ann: 8")  # the play that it is about
    asked: list[str] = []

    def answer(yes: bool) -> None:
        def take(dialog: Dialog) -> None:
            asked.append(dialog.message)
            dialog.accept() if yes else dialog.dismiss()

        page.once("dialog", take)
        page.get_by_role("button", name="Settle all 4").click()

    answer(False)
    expect(page.locator(".banner.flagged")).to_have_count(4)
    answer(True)
    expect(page.locator(".banner.flagged")).to_have_count(0)
    assert asked == ["Settle all 4 notes? They are gone then, with what was written in them."] * 2
    table.say("flag", words="one more")
    expect(page.locator(".banner.flagged")).to_have_count(1)
    expect(page.get_by_role("button", name="Settle all")).to_have_count(0)


def in_game(table: Table) -> list[str]:
    log = table.snapshot["table"]["log"]
    kinds = [entry["event"]["event"] for entry in log if entry["state"] == "valid"]
    return [kind for kind in kinds if kind not in ("undo", "back")]


@pytest.mark.parametrize(
    ("entry", "button", "question"),
    [
        ("Ann leads", "Go back to just after it", "3 plays after it are taken back"),
        ("The deal", "Go back to just after it", "4 plays after it are taken back"),
        ("The deal", "This never happened", "without it the 4 plays after it no longer fit"),
    ],
)
def test_no_single_tap_throws_a_game_away(
    entry: str, button: str, question: str, open_page: Open, table: Table
) -> None:
    table.deal()
    for card in ("5C", "6C", "7C"):
        table.lay(card)
    page = open_page()
    page.get_by_role("button", name="Plays").click()
    page.locator(".entry", has_text=entry).locator("button").click()
    before = table.snapshot["seq"]
    page.get_by_role("button", name=button).click()
    sure = page.locator(".sheet.doubt")
    expect(sure).to_contain_text(question)
    sure.get_by_role("button", name="Back", exact=True).click()
    expect(sure).to_have_count(0)
    assert table.snapshot["seq"] == before
    page.get_by_role("button", name=button).click()
    sure.get_by_role("button", name="Take back").click()
    if button == "Go back to just after it":
        expect(page.locator(".sheet")).to_have_count(0)
        until(lambda: in_game(table) == (["deal", "start"] if entry == "Ann leads" else ["deal"]))
    else:
        expect(page.locator(".sheet, .toast").first).to_be_visible()


def test_one_play_is_taken_back_at_once_and_more_are_asked(open_page: Open, table: Table) -> None:
    table.deal()
    for card in ("5C", "6C", "7C"):
        table.lay(card)
    page = open_page()
    page.get_by_role("button", name="Plays").click()
    page.locator(".entry", has_text="Ben: 6").locator("button").click()
    page.get_by_role("button", name="Go back to just after it").click()
    expect(page.locator(".sheet")).to_have_count(0)
    expect(page.locator(".toast")).to_contain_text("Taken back: Cem: 7♣")
    page.locator(".toast").get_by_role("button", name="Put it back").click()
    expect(page.locator(".toast")).to_have_text("Put back.")
    until(lambda: in_game(table) == ["deal", "start", "laid", "laid", "laid"])
    page.locator(".entry", has_text="Ann: 5").locator("button").click()
    page.get_by_role("button", name="Go back to just after it").click()
    sure = page.locator(".sheet.doubt")
    expect(sure).to_contain_text("2 plays after it are taken back")
    sure.get_by_role("button", name="Take back").click()
    expect(page.locator(".toast")).to_contain_text("2 plays were taken back.")
    until(lambda: in_game(table) == ["deal", "start", "laid"])
    page.get_by_role("button", name="Put 2 plays back").click()
    expect(page.get_by_role("button", name="Undo: Cem: 7♣")).to_be_visible()
    until(lambda: in_game(table) == ["deal", "start", "laid", "laid", "laid"])
