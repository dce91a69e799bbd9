"""The worked examples of the rules, told through the protocol. Ann is seat 0, Ben 1, Cem 2, Dora 3, Eve 4."""

from __future__ import annotations

import pytest

from engine.shithead.game import Game, GameError
from engine.shithead.rules import load
from tests.engine.referees import HIDDEN, NAMES, UNSEEN, codes, table, words


def test_1_classic_a_4_on_a_9_is_illegal_and_says_why() -> None:
    ann = table("classic", HIDDEN, HIDDEN, pile="9S").laid("4H")
    assert ann["verdict"] == "illegal"
    assert "4 is lower than 9" in words(ann)
    assert ann["may"] == ["take-back", "pick-up", "stand"]
    assert ann["view"]["turn"] == "Ann"
    assert ann["view"]["pending"]["cards"] == ["4H"]


def test_2_classic_a_10_burns_and_the_same_player_leads_anything() -> None:
    ben = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="4H AS", turn=1).laid("TD")
    assert ben["verdict"] == "accepted"
    assert words(ben) == "Ben plays 10; 10 burns the pile; Ben again"
    assert (ben["view"]["pile"]["count"], ben["view"]["legal"]["words"]) == (0, "any card")


def test_3_palace_the_lead_after_a_10() -> None:
    told = table("palace", HIDDEN, HIDDEN, HIDDEN, pile="AS", turn=1)
    assert told.laid("TD")["view"]["legal"]["words"] == "2 or 10 and higher; or pass"
    refused = told.laid("9H")
    assert refused["verdict"] == "illegal"
    assert "must be 10 or higher" in words(refused)
    told("take-back")
    assert codes(told.laid("TH"))[1:] == ["burns", "again"]
    assert told.laid("2H")["view"]["turn"] == "Cem"


def test_4_hostel_on_a_7() -> None:
    told = table("hostel", HIDDEN, HIDDEN, pile="7H")
    assert told.view["legal"]["ranks"] == list("23456T")
    assert told.view["legal"]["words"] == "2, 10, or 6 and lower; or pick up"
    for rank in "789JQKA":
        illegal = told.laid(f"{rank}S")
        assert illegal["verdict"] == "illegal"
        assert "is not lower than 7" in words(illegal)
        told("take-back")


def test_5_hostel_a_3_on_a_7_leaves_the_7() -> None:
    told = table("hostel", HIDDEN, HIDDEN, HIDDEN, pile="7H")
    answer = told.laid("3S")
    assert "3 is invisible: 7 is still to be answered" in words(answer)
    assert answer["view"]["top"] == "7"
    assert answer["view"]["legal"]["because"]["through_rank"] == "3"


def test_6_hostel_a_3_on_nothing() -> None:
    answer = table("hostel", HIDDEN, HIDDEN, HIDDEN).laid("3S")
    assert answer["view"]["top"] is None
    assert answer["view"]["legal"]["words"] == "any card; or pick up"


def test_7_hostel_two_8s_skip_two() -> None:
    answer = table("hostel", HIDDEN, HIDDEN, HIDDEN, HIDDEN, pile="6S", turn=2).laid("8S", "8H")
    assert words(answer) == "Cem plays two 8s; Dora and Ann are skipped; it is Ben's turn"


def test_8_hostel_three_8s_skip_the_player_too() -> None:
    answer = table("hostel", HIDDEN, HIDDEN, HIDDEN, pile="5S").laid("8S", "8H", "8D")
    assert words(answer) == "Ann plays three 8s; Ben, Cem and Ann are skipped; it is Ben's turn"


def test_9_hostel_a_3_between_breaks_four_of_a_kind() -> None:
    answer = table("hostel", HIDDEN, HIDDEN, pile="9S 9H 3S 9D").laid("9C")
    assert (answer["view"]["pile"]["count"], answer["view"]["turn"]) == (5, "Ben")


def test_10_classic_four_of_a_kind_by_two_players() -> None:
    answer = table("classic", "hand 6S 6H ?1 up ?3 down ?3", HIDDEN, pile="4S 6D 6C").laid("6S", "6H")
    assert words(answer) == "Ann plays two 6s; four 6s burn the pile; Ann again"
    assert answer["view"]["burnt"] > 4


def test_11_classic_from_the_upcards() -> None:
    told = table("classic", "up KH KC 5D down ?3", HIDDEN, pile="QS")
    assert told.view["legal"]["words"] == "king; or pick up"
    assert told.view["legal"]["cards"] == ["KC", "KH"]
    assert told.laid("KH", "KC")["view"]["players"][0]["up"] == ["5D"]


def test_12_palace_a_pick_up_takes_an_upcard_along() -> None:
    told = table("palace", "up KH KC 5D down ?3", HIDDEN, pile="AS")
    asked = told("gone")
    assert asked["verdict"] == "doubtful"
    assert [candidate["event"]["with"] for candidate in asked["question"]["candidates"]] in (["KC", "5D"], ["KH", "5D"])
    told("undo", to=0)
    answer = told("pick-up", with_="5D")
    assert answer["verdict"] == "accepted"
    assert answer["view"]["players"][0]["up"] == ["KH", "KC"]
    assert sorted(answer["view"]["players"][0]["known"]) == ["5D", "AS"]


def test_13_classic_the_last_downcard_is_a_10() -> None:
    answer = table("classic", "down ?1", HIDDEN, HIDDEN, pile="AS").referee.tell('{"event": "turned", "card": "TH"}')
    assert words(answer) == "Ann turns 10; 10 burns the pile; Ann is out; it is Ben's turn"


def test_14_classic_a_downcard_that_does_not_fit() -> None:
    told = table("classic", "down ?3", HIDDEN, HIDDEN, pile="4S JS")
    answer = told("turned", card="5H")
    assert words(answer) == "Ann turns 5; it does not fit: Ann takes it with the pile; it is Ben's turn"
    assert sorted(answer["view"]["players"][0]["known"]) == ["4S", "5H", "JS"]
    assert told("gone")["verdict"] == "nothing"


def test_15_hostel_the_last_hand_card_is_joined_by_an_upcard() -> None:
    for hand in ("9H", "?1"):
        answer = table("hostel", f"hand {hand} up 9S 4D KD down ?3", HIDDEN, pile="8S").laid("9H", "9S")
        assert answer["verdict"] == "accepted"
        assert (answer["view"]["players"][0]["hand"], answer["view"]["players"][0]["up"]) == (0, ["4D", "KD"])


def test_16_palace_a_joker_turns_the_direction() -> None:
    answer = table("palace+jokers", *[HIDDEN] * 5, pile="KS").laid("XX")
    assert words(answer) == "Ann plays joker; the direction of play turns; it is Eve's turn"
    assert (answer["view"]["top"], answer["view"]["direction"]) == ("K", -1)


def test_17_two_decks_the_fourth_4_burns() -> None:
    told = table("classic decks=2", HIDDEN, HIDDEN, pile="4S 4H 4D")
    assert codes(told.laid("4H"))[1:] == ["burns-four", "again"]
    assert told.laid("4C")["view"]["pile"]["count"] == 1
    whole = table("classic decks=2", "hand ?6 up ?3 down ?3", HIDDEN).laid("4S", "4S", "4D", "4C", "4H")
    assert codes(whole)[1:] == ["burns-four", "again"]


def test_18_palace_out_with_a_10_the_next_player_leads_anything() -> None:
    answer = table("palace", "hand TD", HIDDEN, HIDDEN, pile="AS").laid("TD")
    assert codes(answer) == ["played", "burns", "goes-out", "turn"]
    assert answer["view"]["legal"]["words"] == "any card"
    told = table("palace", "hand TD ?1 up ?3 down ?3", HIDDEN, HIDDEN, pile="AS")
    assert told.laid("TD")["view"]["legal"]["words"] == "2 or 10 and higher; or pass"
    assert told("pass")["view"]["legal"]["words"] == "any card"


def test_19_hostel_five_players_are_refused() -> None:
    with pytest.raises(GameError, match="five hands need 56 cards, the deck has 52"):
        Game.start(load("hostel"), NAMES[:5])


def test_a_whole_deal_says_who_starts() -> None:
    upcards = {"Ann": ["4S", "5D", "KH"], "Ben": ["3H", "9D", "KC"], "Cem": ["3D", "AS", "AH"]}
    for dealer, starter in (("Ann", "Ben"), ("Ben", "Cem"), ("Cem", "Ben")):
        told = table("classic", UNSEEN, HIDDEN, HIDDEN)
        told.referee.game = Game.start(load("classic"), NAMES[:3])
        assert words(told("deal", upcards=upcards, dealer=dealer)) == f"{starter} plays first"


def test_those_who_are_out_are_named_in_their_order() -> None:
    told = table("classic", "hand 9C", HIDDEN, "hand TC", pile="5S", turn=2)
    assert told.view["out"] == []
    told.laid("TC", seat="Cem")
    told.laid("9C", seat="Ann")
    assert told.view["out"] == told.view["outcome"]["out"] == ["Cem", "Ann"]
    assert [player["out"] for player in told.view["players"]] == [True, False, True]
