"""A game by taps, from the first name to the loser; plays corrected, questions answered, the host's word."""

from __future__ import annotations

import json
import re
from random import Random

import pytest
from playwright.sync_api import Page, expect

from engine.shithead import rules as rule_sets
from engine.shithead.bots import BOTS
from engine.shithead.moves import Kind, Move
from engine.shithead.simulate import play_game
from tests.browser.conftest import PHONE, SMALL_PHONE, Open, Table
from tests.waiting import until

pytestmark = pytest.mark.browser


def tap(page: Page, rank: str, count: int = 1) -> None:
    """Two taps: the rank, then how many."""
    page.locator(".pad .ranks .rank", has_text=re.compile(f"^{rank}$")).click()
    page.locator(".pad-second .time").nth(count - 1).click()


def hero(page: Page, player: str, headline: str) -> None:
    expect(page.locator(".hero-turn strong")).to_have_text(player)
    expect(page.locator(".hero-legal b")).to_have_text(headline)


def test_a_table_is_set_up_and_plays_by_taps_alone(open_page: Open, table: Table) -> None:
    table.say("end-game")
    table.say("set-up", players=[], rules="classic", options={}, forfeit="")
    page = open_page(start=False)
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Start with sound").click()
    expect(page.locator(".names input").first).to_have_value("Ann")
    for number, name in enumerate(("Ben", "Cem"), start=2):
        page.locator(".add input").fill(name)
        page.locator(".add button").click()
        expect(page.locator(".names li")).to_have_count(number)
    page.get_by_role("radio", name="Hostel").click()
    expect(page.get_by_role("radio", name="Hostel")).to_have_attribute("aria-checked", "true")
    page.get_by_role("button", name="makes the tea").click()
    page.get_by_role("button", name="Deal the cards").click()
    expect(page.locator(".chip")).to_have_text("By hand")
    page.get_by_role("button", name="Dealt: start").click()
    expect(page.locator(".chip")).to_have_text("Exchange")
    page.get_by_role("button", name="Ready: Ben plays first").click()

    hero(page, "Ben", "Any card")
    tap(page, "7")
    hero(page, "Cem", "6 or lower")
    expect(page.locator(".hero-also")).to_have_text("2 and 10 always")
    expect(page.locator(".hero-because")).to_contain_text("because of the 7")
    tap(page, "3")
    expect(page.locator(".pile-note")).to_have_text("answer the 7")
    hero(page, "Your turn", "6 or lower")  # through the invisible 3
    expect(page.locator(".hero")).to_have_class(re.compile("mine"))
    tap(page, "4", 2)
    expect(page.locator(".counts dd").first).to_have_text("5")  # with the first card, turned from the stock
    tap(page, "10")
    expect(page.locator(".ticker")).to_contain_text("10 burns the pile")
    expect(page.locator(".ticker")).to_contain_text("Ben again")
    expect(page.locator(".counts dd").nth(2)).to_have_text("6")
    tap(page, "8")
    expect(page.locator(".ticker")).to_contain_text("Skipped: Cem")
    hero(page, "Your turn", "8 or higher")
    page.get_by_role("button", name="Picked up").click()
    hero(page, "Ben", "Any card")
    expect(page.locator(".row", has_text="Ann")).to_contain_text("holds 8")


def test_a_typed_name_survives_every_tap(open_page: Open, table: Table) -> None:
    table.say("end-game")
    players = [{"name": name} for name in ("Ann", "Ben", "Cem")]
    table.say("set-up", players=players, rules="classic", options={}, forfeit="")
    page = open_page(allow="Failed to load resource")
    fields = page.locator(".names input")

    def names() -> list[str]:
        return [player["name"] for player in table.snapshot["table"]["set_up"]["players"]]

    def shown(*wanted: str) -> None:
        for index, name in enumerate(wanted):
            expect(fields.nth(index)).to_have_value(name)
        expect(fields).to_have_count(len(wanted))
        until(lambda: names() == list(wanted))

    fields.first.fill("Zoe")
    page.locator(".add button").click()
    shown("Zoe", "Ben", "Cem", "Player 4")
    fields.nth(1).fill("Bea")
    page.locator(".names li").nth(2).locator("button").first.click()
    shown("Zoe", "Cem", "Bea", "Player 4")
    fields.nth(0).fill("Zora")
    page.locator(".names li").nth(3).locator("button").last.click()
    shown("Zora", "Cem", "Bea")
    fields.nth(1).fill("")
    fields.nth(1).blur()
    shown("Zora", "Cem", "Bea")
    fields.nth(1).fill("Bea")  # refused: the field shows what is kept
    fields.nth(1).blur()
    expect(page.locator(".toast.fault")).to_contain_text("two players are called")
    shown("Zora", "Cem", "Bea")
    page.locator(".add input").fill("Dan")
    table.say("sit", seat=2)  # the page is drawn anew while somebody types
    fields.nth(2).fill("Bo")
    # As on an iPhone, where a tapped button leaves the field as it is.
    page.get_by_role("button", name="Deal the cards").evaluate("button => button.click()")
    expect(page.get_by_role("button", name="Dealt: start")).to_be_visible()
    until(lambda: names() == ["Zora", "Cem", "Bo", "Dan"])


def test_what_was_played_is_said_and_written(open_page: Open, table: Table) -> None:
    table.deal(rules="hostel")
    page = open_page()
    page.evaluate("window.spoken.length = 0")
    table.lay("7H")
    expect(page.locator("#polite")).to_have_text("Ann plays 7. Ben, your turn: 6 or lower, 2 and 10 always.")
    table.lay("KS")
    expect(page.locator("#urgent")).to_contain_text("Ben cannot play king. King is not lower than 7.")
    spoken = page.evaluate("window.spoken")
    assert spoken[0] == "Ann plays 7. Ben, your turn: 6 or lower, 2 and 10 always."
    assert spoken[1].startswith("Ben cannot play king. King is not lower than 7.")
    page.get_by_role("button", name="Sound off").click()
    table.say("take-back")
    expect(page.locator("#polite")).to_contain_text("Ben takes back king")
    assert len(page.evaluate("window.spoken")) == 2


def test_an_illegal_play_is_shown_with_its_reason_and_people_decide(open_page: Open, table: Table) -> None:
    table.deal()
    table.lay("9H")
    page = open_page()
    tap(page, "4")
    expect(page.locator(".chip")).to_have_text("Please check")
    expect(page.locator(".pending")).to_contain_text("Ben cannot play 4")
    expect(page.locator(".pending")).to_contain_text("4 is lower than 9")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".pending")).to_have_count(0)
    hero(page, "Ben", "9 or higher")
    tap(page, "4")
    page.get_by_role("button", name="Let it stand").click()
    hero(page, "Cem", "4 or higher")


COVERED = """(selector) => [...document.querySelectorAll(selector)]
  .map((node) => [node, node.getBoundingClientRect()])
  .filter(([, box]) => box.width && box.top >= 0 && box.bottom <= innerHeight)
  .filter(([node, box]) => {
    const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return there && !node.contains(there) && there.closest('.toast, .asked, .banner');
  })
  .map(([node]) => node.textContent)"""


@pytest.mark.parametrize("size", [PHONE, SMALL_PHONE, (740, 360)])
def test_no_notice_covers_what_is_to_be_tapped(size: tuple[int, int], open_page: Open, table: Table) -> None:
    """An illegal play with its choices, a refusal of the server, a note that something was done."""
    table.deal()
    table.lay("9H")
    kept = json.dumps({"language": "de", "begun": True, "sound": False})  # its words are long
    page = open_page(size=size, preferences=kept, allow="Failed to load resource")
    tap(page, "4")
    expect(page.locator(".pending")).to_be_visible()
    expect(page.locator(".toast")).to_have_count(0)  # the table shows already what is wrong, and why
    controls = "main button, .tab"
    assert page.evaluate(COVERED, controls) == []
    page.evaluate("import('/static/js/parts.js').then((parts) => parts.tell('x '.repeat(60), 'fault'))")
    expect(page.locator(".toast.fault")).to_be_visible()
    assert page.evaluate(COVERED, controls) == []
    page.locator(".toast").click()
    expect(page.locator(".toast")).to_have_count(0)
    table.say("take-back")
    asking = open_page("player", size=size, preferences=kept)
    table.lay({"TS": 0.55, "JS": 0.45})
    expect(asking.locator(".asked")).to_be_visible()
    assert asking.evaluate(COVERED, controls) == []


def test_where_the_upcards_do_not_say_who_starts_the_table_is_asked(open_page: Open, table: Table) -> None:
    table.deal()
    table.say("end-game")
    table.say("new-game")
    table.say("deal", upcards={})
    page = open_page()
    block = page.locator(".block", has_text="Who plays first?")
    expect(block).to_contain_text("Whoever has the lowest card plays first.")
    expect(block.locator(".button.main")).to_have_count(0)
    block.get_by_role("button", name="Cem").click()
    hero(page, "Cem", "Any card")
    table.say("end-game")
    table.say("new-game")
    upcards = {"Ann": ["9H", "8C", "TC"], "Ben": ["5H", "6H", "7H"], "Cem": ["8H", "JH", "QH"]}
    table.say("deal", upcards=upcards)
    expect(block).to_contain_text("Ben plays first with a 5, unless somebody holds a lower card.")
    block.get_by_role("button", name="Ready: Ben plays first").click()
    hero(page, "Ben", "Any card")


def test_a_starter_against_the_rules_is_for_people_to_settle(open_page: Open, table: Table) -> None:
    table.deal()
    table.say("end-game")
    table.say("new-game")
    table.say("deal", upcards={"Ann": ["3H", "8C", "TC"], "Ben": ["5H", "6H", "7H"], "Cem": ["8H", "JH", "QH"]})
    page = open_page()
    block = page.locator(".block", has_text="Who plays first?")
    block.get_by_role("button", name="Cem").click()
    expect(block.locator(".pending")).to_contain_text("Ann plays first")
    block.get_by_role("button", name="Let it stand").click()
    hero(page, "Cem", "Any card")


def test_a_play_is_corrected_and_all_that_followed_is_recomputed(open_page: Open, table: Table) -> None:
    table.deal()
    table.lay("5H")
    table.lay("9S")
    table.lay("JD")
    page = open_page()
    hero(page, "Ann", "J or higher")
    page.get_by_role("button", name="Plays").click()
    page.locator(".entry", has_text="Ben: 9").locator("button").click()
    page.get_by_role("button", name="Correct this play").click()
    form = page.locator(".event-form")
    form.locator(".rank", has_text=re.compile("^6$")).click()
    expect(form.locator(".time")).to_have_text(["×1", "×2", "×3", "×4"])  # one deck has no fifth
    form.locator(".time", has_text="×2").click()
    form.get_by_label("hearts", exact=True).click()
    form.get_by_role("button", name="Save").click()
    expect(page.locator(".entry", has_text="corrected").first).to_contain_text("Ben: 6")
    expect(page.locator(".sheet")).to_have_count(0)
    page.get_by_role("button", name="My seat").click()
    expect(page.locator(".counts dd").first).to_have_text("4")
    log = {entry["seq"]: entry for entry in table.snapshot["table"]["log"]}
    corrected = next(entry for entry in log.values() if entry["state"] == "corrected")
    assert corrected["event"]["cards"] == ["9S"]  # the record keeps both
    assert [card[0] for card in corrected["now"]["cards"]] == ["6", "6"]


def test_a_new_game_opens_on_the_own_seat(open_page: Open, table: Table) -> None:
    table.deal()
    page = open_page()
    page.get_by_role("button", name="Plays").click()
    page.reload()
    expect(page.locator(".tab[aria-current=page]")).to_have_text("Plays")  # the same game: where the reader was
    table.deal()
    expect(page.locator(".tab[aria-current=page]")).to_have_text("My seat")
    hero(page, "Ann", "Any card")
    expect(page.locator(".row-name b")).to_have_text(["Ann", "Ben", "Cem"])
    table.say("sit", seat=1)  # the host's phone
    expect(page.locator(".row-name b")).to_have_text(["Ben", "Ann", "Cem"])  # the own row is first, whoever is to move
    table.say("sit", seat=None)


def test_plays_are_undone_and_missed_ones_added(open_page: Open, table: Table) -> None:
    table.deal()
    table.lay("5H")
    table.lay("9S")
    page = open_page()
    page.get_by_role("button", name="Plays").click()
    page.get_by_role("button", name="Undo: Ben: 9♠").click()
    expect(page.locator(".entry", has_text="undone")).to_have_count(1)
    page.locator(".entry", has_text="Ann: 5").locator("button").click()
    page.get_by_role("button", name="A play was missed before it").click()
    page.locator(".event-form .rank", has_text=re.compile("^4$")).click()
    page.locator(".event-form").get_by_role("button", name="Ann").click()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".entry", has_text="Ann: 4")).to_have_count(1)
    view = table.snapshot["table"]["view"]
    assert view["pile"]["count"] == 2
    page.get_by_role("button", name="Undo: Ann: 5♥").click()  # the one that stands last, not the one told last
    expect(page.locator(".toast")).to_contain_text("Taken back: Ann: 5♥")
    assert [card[0] for card in table.snapshot["table"]["view"]["pile"]["cards"]] == ["4"]
    page.get_by_role("button", name="Put it back: Ann: 5♥").click()
    expect(page.get_by_role("button", name="Put it back")).to_have_count(0)
    assert [card[0] for card in table.snapshot["table"]["view"]["pile"]["cards"]] == ["4", "5"]


def test_a_doubtful_reading_asks_and_a_tap_answers(open_page: Open, table: Table) -> None:
    table.deal()
    table.lay("5H")
    table.lay({"6H": 0.55, "9H": 0.45})
    page = open_page()
    expect(page.locator(".chip")).to_have_text("Please check")
    candidates = page.locator(".sheet .candidate")
    expect(candidates).to_have_count(2)
    expect(candidates.first).to_contain_text("6")
    candidates.nth(1).click()
    hero(page, "Cem", "9 or higher")
    table.lay({"JH": 0.5, "QH": 0.5})
    page.get_by_role("button", name="Something else").click()
    page.locator(".event-form .rank", has_text=re.compile("^K$")).click()
    page.get_by_role("button", name="That is what happened").click()
    hero(page, "Ann", "K or higher")


def test_a_player_flags_and_the_host_decides(open_page: Open, table: Table) -> None:
    table.deal(taps="host")
    table.lay("9H")
    player, host = open_page("player"), open_page()
    expect(player.locator(".pad button")).to_have_count(0)  # only to look at: the host taps
    expect(host.locator(".pad .rank").first).to_be_enabled()
    player.get_by_role("button", name="Plays").click()
    player.locator(".entry", has_text="Ann: 9").locator("button").click()
    expect(player.get_by_role("button", name="Correct this play")).to_have_count(0)
    player.get_by_role("dialog").get_by_role("button", name="Something is wrong").click()
    player.get_by_label("What is wrong?").fill("that was a 6")
    player.get_by_role("button", name="Tell the host").click()
    host.locator(".banner.flagged").click()
    expect(host.locator(".banner.flagged")).to_contain_text("that was a 6")
    host.get_by_role("button", name="Settled").click()
    expect(host.locator(".banner.flagged")).to_have_count(0)


def events(moves: tuple[Move, ...]) -> list[tuple[str, dict[str, object]]]:
    """The moves of a self-played game as people would say them."""
    said: list[tuple[str, dict[str, object]]] = []
    for move in moves:
        if move.kind is Kind.PLAY:
            said.append(("laid", {"cards": [str(card) for card in move.laid]}))
        elif move.kind is Kind.TURN:
            said.append(("turned", {"card": str(move.cards[0])}))
        elif move.kind is Kind.PICK_UP:
            said.append(("pick-up", {}))
        else:
            assert move.kind in (Kind.EXCHANGE, Kind.START, Kind.DRAW), move
    return said


def test_a_whole_game_ends_with_a_loser_and_a_rematch(open_page: Open, table: Table) -> None:
    """Two players who never exchange; the phone is there when the last card falls."""
    chosen = rule_sets.load("classic")
    games = (play_game(chosen, [BOTS["greedy"]] * 2, Random(seed)) for seed in range(40))
    game = min((one for one in games if one.outcome.loser is not None), key=lambda one: len(one.moves))
    names = ["Ann", "Ben"]
    starter = next(move.seat for move in game.moves if move.kind is Kind.START)
    table.say("end-game")
    players = [{"name": name} for name in names]
    table.say(
        "set-up", players=players, rules="classic", options={}, forfeit="makes the tea", taps="everyone", dealer=0
    )
    table.say("new-game")
    upcards = [list(map(str, player.up.known)) for player in game.deal.players]
    for move in game.moves:
        if move.kind is Kind.EXCHANGE:
            upcards[move.seat] = list(map(str, move.up))
    table.say("deal", upcards=dict(zip(names, upcards, strict=True)))
    table.say("start", seat=names[starter])
    for name, fields in events(game.moves)[:-1]:
        table.say(name, **fields)
    page = open_page()
    expect(page.locator(".chip")).to_have_text("By hand")
    name, fields = events(game.moves)[-1]
    table.say(name, **fields)
    assert game.outcome.loser is not None
    lost, won = names[game.outcome.loser], names[1 - game.outcome.loser]
    expect(page.locator(".ending h1")).to_have_text(f"{lost} lost")
    expect(page.locator(".chip")).to_have_text("Game over")
    expect(page.locator(".forfeit")).to_have_text(f"{lost} makes the tea")
    expect(page.locator(".places li").first).to_contain_text(won)
    expect(page.locator("#urgent")).to_contain_text(f"{lost} loses the game")
    swedish = open_page("player", preferences=json.dumps({"language": "sv", "begun": True}))
    expect(swedish.locator(".forfeit")).to_have_text(f"{lost} kokar te")

    page.get_by_role("button", name="See it again").click()
    slider = page.get_by_label("Place in the game")
    slider.fill(slider.get_attribute("max") or "")
    expect(page.locator(".row", has_text=lost)).to_contain_text("lost")
    page.get_by_role("button", name="Back").first.click()
    expect(page.locator(".game").first).to_contain_text(f"{lost} lost")
    page.get_by_role("button", name="Back").first.click()
    page.get_by_role("button", name="Statistics").click()
    expect(page.locator(".block", has_text=won)).to_contain_text("lost 0 % of games")
    page.get_by_role("button", name="Back").first.click()
    page.get_by_role("button", name="Rematch").click()
    page.get_by_role("button", name="Dealt: start").click()
    expect(page.locator(".chip")).to_have_text("Exchange")
    assert table.snapshot["table"]["set_up"]["dealer"] == names.index(lost)  # the loser deals
