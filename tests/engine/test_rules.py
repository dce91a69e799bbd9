"""Rule sets: as the sheets give them, checked as a whole, and in words that follow the data."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli import main
from engine.cards import Rank
from engine.shithead.explain import explain, sections
from engine.shithead.options import RANK_FIELDS, Power
from engine.shithead.refusal import is_legal
from engine.shithead.rules import OPTIONS, RuleError, RuleSet, load, names, option_name, variations
from engine.shithead.table import ranks_in
from tests.engine.positions import lay_on, unseen


def test_the_three_sheets_are_shipped() -> None:
    assert names() == ("classic", "palace", "hostel")
    assert [load(name).max_players for name in names()] == [5, 5, 4]
    assert set(variations("palace")) == {"jokers", "six-up", "winner"}
    assert load("palace+jokers").max_players == 6


@pytest.mark.parametrize(
    ("name", "special"),
    [
        ("classic", {"two": "resets", "ten": "burns"}),
        ("palace", {"two": "resets", "ten": "burns"}),
        ("hostel", {"two": "resets", "three": "invisible", "seven": "under", "eight": "skip", "ten": "burns"}),
    ],
)
def test_special_cards_are_those_of_the_sheet(name: str, special: dict[str, str]) -> None:
    options = load(name).options
    assert {rank: options[rank] for rank in RANK_FIELDS if options[rank] not in ("plain", "none")} == special


@pytest.mark.parametrize(
    ("changes", "because"),
    [
        ({"eight": ["invisible", "skip"]}, "looked through as if it were not there"),
        ({"8": "skip+invisible"}, "looked through as if it were not there"),
        ({"9": "reverse,at-most"}, "cannot turn the direction and set a limit"),
        ({"joker": "reverse"}, "there are no jokers in the deck"),
        ({"jokers": 2}, "they do nothing"),
        ({"deal": "six-up", "hand-size": 5}, "a hand of 3, not of 5"),
        ({"2": "under"}, "nothing is lower than a 2"),
        ({"four-burns": "no", "four-out-of-turn": "yes"}, "do not burn"),
        ({"sets": "one", "join-last-card": "yes"}, "one at a time"),
        ({"hand-size": 0}, "a whole number from 1 to 10"),
        ({"hand-size": "many"}, "a whole number from 1 to 10"),
        ({"decks": True}, "a whole number from 1 to 3"),
        ({"four-burns": 1}, "no or yes"),
        ({"seven": "lower"}, "at-most"),
        ({"ace": "shoot"}, "shooting"),
        ({"king": "shooting"}, "choose plain"),
        ({"colour": "red"}, "there is no option 'colour'"),
        ({"forfeit": "tea\nfor all"}, "a short text"),
    ],
)
def test_what_contradicts_is_refused_with_its_reason(changes: dict[str, object], because: str) -> None:
    with pytest.raises(RuleError, match=because):
        load("classic").change(changes)


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(RuleError) as error:
        load("classic").change({"joker": "reverse", "deal": "six-up", "hand-size": 4})
    assert len(error.value.faults) == 2
    with pytest.raises(RuleError) as error:
        load("classic").change({"decks": 9, "colour": "red"})
    assert len(error.value.faults) == 2


@pytest.mark.parametrize(
    ("rules", "players", "because"),
    [
        ("classic", 6, "six hands need 54 cards, the deck has 52"),
        ("palace+jokers", 7, "seven hands need 63 cards, the deck has 54"),
        ("hostel", 5, "five hands need 56 cards, the deck has 52"),
        ("classic", 1, "at least two players"),
        ("classic decks=2", 12, "12 hands need 108 cards, two decks have 104"),
    ],
)
def test_more_players_than_the_deck_deals_are_refused(rules: str, players: int, because: str) -> None:
    with pytest.raises(RuleError, match=because):
        RuleSet.parse(rules).check_players(players)


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    with pytest.raises(RuleError, match="choose classic, palace, hostel"):
        load("poker")
    with pytest.raises(RuleError, match=r"palace\+six-up"):
        load("palace+wild")
    assert option_name("T") == option_name("10") == option_name("ten") == "ten"


@st.composite
def changes(draw: st.DrawFn) -> dict[str, Any]:
    chosen = draw(st.lists(st.sampled_from(sorted(OPTIONS)), max_size=6, unique=True))
    return {
        name: draw(st.sampled_from(OPTIONS[name].values) if OPTIONS[name].values else st.text(max_size=20))
        for name in chosen
    }


@settings(deadline=None)
@given(name=st.sampled_from(["classic", "palace", "hostel", "house"]), wanted=changes())
def test_rule_sets_round_trip_as_text_and_as_data(name: str, wanted: dict[str, Any]) -> None:
    base = load(name) if name in names() else RuleSet(name)
    try:
        rules = base.change(wanted)
    except RuleError:
        return
    assert RuleSet.parse(str(rules)) == rules
    assert RuleSet.make(rules.name, rules.options) == rules
    assert all(sentence.endswith(".") for sentence in explain(rules))


EVERYTHING = load("hostel").change(
    {
        "jokers": 1,
        "joker": "reverse",
        "nine": "reverse",
        "hand-size": 3,
        "four-out-of-turn": True,
        "lead-after-four": "higher",
    }
)
"""A rule set in which every option matters."""


@pytest.mark.parametrize("name", ["Oma's rules", "a;b", "", "my+house", "x=1", "a\nb"])
def test_a_name_that_no_text_form_could_hold_is_refused(name: str) -> None:
    with pytest.raises(RuleError, match="cannot name a rule set"):
        RuleSet.make(name)


@pytest.mark.parametrize("option", sorted(OPTIONS))
def test_every_option_has_its_words(option: str) -> None:
    """A rule that is enforced and not explained would be found here."""
    before = explain(EVERYTHING)
    item = OPTIONS[option]
    for value in item.values or ("make tea",):
        if value == EVERYTHING.options[option]:
            continue
        also: dict[str, object] = {"four-out-of-turn": False} if option == "four-burns" else {}
        also |= {"joker": "none", "jokers": 0} if option in ("joker", "jokers") and value in ("none", 0) else {}
        also |= {"join-last-card": False} if option == "sets" else {}
        try:
            rules = EVERYTHING.change({**also, option: value})
        except RuleError:
            continue
        assert explain(rules) != before, f"{option}={value} changes no word"


@pytest.mark.parametrize("name", ["classic", "palace+jokers", "palace+six-up", "hostel"])
def test_what_goes_on_what_is_explained_as_it_is_enforced(name: str) -> None:
    """The sentence "On a 7: .." holds the very ranks that are legal on a 7."""
    rules = load(name)
    words = {part.title: part.sentences for part in sections(rules)}["What goes on what"]
    letters = {"jack": "J", "queen": "Q", "king": "K", "ace": "A", "joker": "X", "10": "T"}
    checked = 0
    for sentence in words:
        if sentence.startswith("On a") and not sentence.startswith("On an ordinary"):
            top, _, may = sentence.removesuffix(".").partition(": ")
            rank = top.split()[-1]
            state = unseen(str(rules), 2, pile=f"{letters.get(rank, rank)}H")
            legal = {r.letter for r in Rank if is_legal(state, lay_on(r)) and (r is not Rank.JOKER or rules.jokers)}
            said = {letters.get(word, word) for word in may.replace(" and ", ", ").split(", ")}
            assert legal == (set("23456789TJQKA" + "X" * bool(rules.jokers)) if may == "anything" else said), sentence
            checked += 1
    assert checked


def test_the_table_is_what_the_powers_say() -> None:
    table = load("hostel").table
    assert "".join(rank.letter for rank in ranks_in(table.on[Rank.QUEEN])) == "23TQKAX"
    assert load("hostel").powers[Rank.SEVEN] is Power.UNDER


def test_the_command_lists_explains_and_changes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in names())
    assert main(["rules", "hostel", "--set", "7=at-most"]) == 0
    assert "a 7 or lower" in capsys.readouterr().out
    assert main(["rules", "--options"]) == 0
    listed = capsys.readouterr().out
    assert all(option in listed for option in OPTIONS)
    assert main(["rules", "hostel", "--json"]) == 0
    assert '"max_players": 4' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "because"),
    [
        (["rules", "poker"], "choose classic, palace, hostel"),
        (["rules", "hostel", "--set", "8=skip", "--set", "8=invisible"], "looked through"),
        (["rules", "hostel", "--set", "8"], "write OPTION=VALUE"),
    ],
)
def test_the_command_says_what_is_wrong(arguments: list[str], because: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 1
    assert because in capsys.readouterr().err
