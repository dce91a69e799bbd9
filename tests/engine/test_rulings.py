"""Rulings on what is read in part: likelihoods and whereabouts, piles that go, people who decide."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from engine.cards import Rank
from tests.engine.referees import HIDDEN, UNSEEN, Told, codes, dealt, table, words

# What the rules and the whereabouts say about a reading


@pytest.mark.parametrize(
    ("pile", "reading", "verdict", "taken"),
    [
        ("9S", {"4H": 1.0}, "illegal", "4"),
        ("9S", {"4H": 0.995, "KH": 0.001}, "illegal", "4"),
        ("9S", {"4H": 0.95}, "doubtful", "4"),  # a twentieth may be anything
        ("8S", {"6H": 0.55, "9H": 0.45}, "accepted", "9"),  # likely, but 6 could not be played
        ("8S", {"6H": 0.2, "9H": 0.8}, "accepted", "9"),
        ("5S", {"6H": 0.55, "9H": 0.45}, "doubtful", "6"),  # both could be: a person must say
        ("9S", {"4H": 0.6, "AH": 0.4}, "accepted", "A"),
        ("9S", {"4H": 0.97, "AH": 0.03}, "doubtful", "4"),  # an illegal play, or a misread one
        ("2S", {"6H": 0.97, "9H": 0.03}, "accepted", "6"),
        ("KS", {"6H": 0.6}, "doubtful", None),  # four tenths may be anything that fits
    ],
)
def test_likelihood_times_legality(pile: str, reading: dict[str, float], verdict: str, taken: str | None) -> None:
    answer = table("classic", HIDDEN, HIDDEN, pile=pile).laid(reading)
    assert answer["verdict"] == verdict
    if taken is not None:
        assert answer["as"]["cards"][0][0] == taken
    if verdict == "doubtful":
        chances = [candidate["p"] for candidate in answer["question"]["candidates"]]
        assert len(chances) >= 2
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) <= 1.0001
        assert answer["messages"][0]["code"] == "please-check"


def test_a_burnt_card_is_not_seen_again() -> None:
    told = table("classic", HIDDEN, HIDDEN, pile="5S")
    told.laid("TH")
    told("gone")
    answer = told.laid({"TH": 0.55, "JH": 0.45})
    assert (answer["verdict"], answer["as"]["cards"]) == ("accepted", ["JH"])
    assert told.laid("TH")["as"]["cards"] == ["T?"]


def test_an_uncertain_suit_is_no_doubt_and_invents_no_second_card() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S")
    answer = told.laid({"7C": 0.5, "7S": 0.5})
    assert (answer["verdict"], answer["as"]["cards"]) == ("accepted", ["7?"])
    assert told.laid("7C")["verdict"] == "accepted"
    assert told.laid("7S")["verdict"] == "accepted"
    assert told.state.faults() == []


def test_the_very_same_card_twice_is_taken_for_another_of_its_rank() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S")
    told.laid("7H")
    answer = told.laid("7H")
    assert (answer["verdict"], answer["as"]["cards"]) == ("accepted", ["7?"])
    assert "elsewhere" in codes(answer)
    assert told.state.faults() == []


def test_in_two_decks_there_are_two_of_it() -> None:
    told = table("classic decks=2", HIDDEN, HIDDEN, HIDDEN, pile="5S")
    assert told.laid("7H")["as"]["cards"] == ["7H"]
    assert told.laid("7H")["as"]["cards"] == ["7H"]
    assert told.laid("7H")["as"]["cards"] == ["7?"]


def test_the_last_unseen_card_of_a_rank_gets_its_suit_from_the_others() -> None:
    told = table("classic four-burns=no", HIDDEN, HIDDEN, HIDDEN, pile="7C 7D 7S")
    assert told.laid("7?")["as"]["cards"] == ["7H"]


def test_a_fifth_7_is_asked_and_never_taken() -> None:
    told = table("classic four-burns=no", HIDDEN, HIDDEN, HIDDEN, pile="7C 7D 7S 7H 5D 2C")
    answer = told.laid({"7H": 0.9, "AS": 0.1})
    assert answer["as"]["cards"] == ["AS"]
    assert told.state.faults() == []
    told("undo", to=0)
    answer = told.laid("7H")
    assert answer["verdict"] == "doubtful"
    assert len(answer["question"]["candidates"]) >= 2
    assert told.laid("2D")["verdict"] in ("accepted", "doubtful")  # and the game goes on
    assert told.state.faults() == []


def test_anns_upcard_is_not_played_by_ben() -> None:
    told = table("classic", UNSEEN, HIDDEN, pile="5S", turn=1)
    answer = told.laid({"KH": 0.6, "JH": 0.4})
    assert answer["as"]["cards"][0] in ("K?", "JH")
    assert "KH" not in str(answer["as"]["cards"])
    assert told.laid({"QD": 0.9, "QS": 0.1})["as"]["cards"] == ["Q?"]


def test_a_known_hand_corrects_the_reading() -> None:
    told = table("classic", "hand 6D 4C up ?3 down ?3", HIDDEN, pile="5S")
    answer = told.laid({"9D": 0.8, "6D": 0.2})
    assert (answer["verdict"], answer["as"]["cards"]) == ("accepted", ["6D"])


def test_a_known_hand_against_a_clear_reading_is_asked() -> None:
    told = table("classic", "hand 6D 4C up ?3 down ?3", HIDDEN, HIDDEN, pile="3S")
    answer = told.laid("KD")
    assert answer["verdict"] == "doubtful"
    ranks = {candidate["event"]["cards"][0][0] for candidate in answer["question"]["candidates"]}
    assert {"6", "4"} <= ranks
    # A person may insist: what was believed of the hand gives way.
    insisted = told(
        "answer", question=answer["question"]["id"], choice={"event": "laid", "cards": ["KD"], "seat": "Ann"}
    )
    assert insisted["view"]["pile"]["cards"][-1] == "KD"
    assert insisted["view"]["turn"] == "Ben"
    assert told.state.faults() == []


def test_upcards_are_played_only_from_where_they_lie() -> None:
    told = table("classic", "up KH KC 5D down ?3", HIDDEN, pile="QS")
    assert told.laid({"KS": 0.7, "KH": 0.3})["as"]["cards"] == ["KH"]


def test_a_card_from_the_upcards_while_there_is_a_hand() -> None:
    told = table("classic", "hand ?2 up KH KC 5D down ?3", HIDDEN, pile="QS")
    answer = told.laid("KH")
    assert answer["verdict"] == "illegal"
    assert "hand-first" in codes(answer)


def test_a_mixed_set_is_no_set() -> None:
    answer = table("classic", HIDDEN, HIDDEN, pile="5S").laid("7H", "9H")
    assert answer["verdict"] == "illegal"
    assert "mixed-ranks" in codes(answer)


def test_two_readings_of_a_set_help_each_other() -> None:
    answer = table("classic", HIDDEN, HIDDEN, pile="5S").laid({"6H": 0.6, "9H": 0.4}, {"6D": 0.9, "9D": 0.1})
    assert (answer["verdict"], [card[0] for card in answer["as"]["cards"]]) == ("accepted", ["6", "6"])


# The pile that goes


def test_a_pile_that_goes_was_picked_up_by_whoever_is_to_move() -> None:
    answer = table("classic", HIDDEN, HIDDEN, pile="5S KH").referee.tell('{"event": "gone"}')
    assert words(answer) == "Ann picks up 2 cards; it is Ben's turn"
    view: Any = answer["view"]
    assert view["players"][0]["known"] == ["5S", "KH"]
    assert view["players"][0]["hand"] == 5


def test_a_pile_that_goes_after_a_10_was_burnt() -> None:
    told = table("classic", HIDDEN, HIDDEN, pile="5S KH")
    told.laid("TH")
    answer = told("gone")
    assert (answer["verdict"], answer["as"]) == ("accepted", {"event": "burn"})
    assert answer["view"]["turn"] == "Ann"
    assert told("gone")["verdict"] == "nothing"


def test_a_pile_that_goes_in_part_is_said() -> None:
    told = table("classic", HIDDEN, HIDDEN, pile="5S KH 2C")
    assert codes(told("gone", left=1)) == ["partly-gone"]
    assert told("gone")["view"]["players"][0]["hand"] == 6


def test_picking_up_when_able_is_legal_and_an_empty_pile_is_not() -> None:
    told = table("classic", "hand KS ?2 up ?3 down ?3", HIDDEN, pile="5S")
    assert told("pick-up")["verdict"] == "accepted"
    assert told("pick-up", seat="Ben")["verdict"] == "illegal"
    forced = table("classic voluntary-pick-up=no", "hand KS ?2 up ?3 down ?3", HIDDEN, pile="5S")
    answer = forced("pick-up")
    assert answer["verdict"] == "illegal"
    assert "must-play" in codes(answer)
    unknown = table("classic voluntary-pick-up=no", HIDDEN, HIDDEN, pile="5S")
    assert unknown("pick-up")["verdict"] == "accepted"  # nobody can judge a hand that nobody has seen


def test_palace_an_upcard_laid_just_before_a_pick_up_belongs_to_it() -> None:
    told = table("palace", "up KH KC 5D down ?3", HIDDEN, pile="AS")
    assert told.laid("5D")["verdict"] == "illegal"
    answer = told("gone")
    assert words(answer) == "Ann picks up 2 cards, 5D among them; it is Ben's turn"
    legal = table("palace", "up KH KC 5D down ?3", HIDDEN, HIDDEN, pile="QS")
    legal.laid("KH", at=1.0)
    answer = legal("gone", at=2.5, seat="Ann", source="camera")
    assert answer["view"]["players"][0]["up"] == ["KC", "5D"]
    assert answer["view"]["players"][0]["hand"] == 2


def test_palace_which_upcard_went_along_is_seen_later() -> None:
    told = table("palace", "up KH 9C 5D down ?3", HIDDEN, pile="AS")
    assert told("gone")["verdict"] == "doubtful"
    answer = told("upcards", seat="Ann", cards=["KH", "5D"])
    assert answer["question"] is None
    assert answer["view"]["players"][0]["up"] == ["KH", "5D"]
    before = table("palace", "up KH 9C 5D down ?3", HIDDEN, pile="AS")
    before("upcards", seat="Ann", cards=["KH", "5D"])
    answer = before("gone")
    assert (answer["verdict"], answer["as"]["with"]) == ("accepted", "9C")


# Upcards and downcards


def test_upcards_that_are_gone_are_those_that_were_laid() -> None:
    told = table("classic", "up KH 9C 5D down ?3", HIDDEN, pile="QS")
    told.laid("KH")
    assert told("upcards", seat="Ann", cards=["9C", "5D"])["verdict"] == "nothing"
    other = table("classic", "up KH 9C 5D down ?3", HIDDEN, pile="QS")
    assert other("upcards", seat="Ann", cards=["9C", "5D"])["verdict"] == "nothing"
    assert other.laid("KH")["view"]["players"][0]["up"] == ["9C", "5D"]


def test_upcards_read_anew() -> None:
    told = table("classic", "hand ?3 up KH ?2 down ?3", HIDDEN, pile="QS")
    assert told("upcards", seat="Ann", cards=["KH", "9C", "5D"])["view"]["players"][0]["up"] == ["KH", "9C", "5D"]
    assert told("upcards", seat="Ann", cards=["5D", "KH", "9C"])["verdict"] == "nothing"


def test_an_exchange_puts_a_known_card_into_a_hand() -> None:
    told = dealt()
    told("undo", to=0)
    told("deal", upcards={"Ann": ["4S", "5D", "KH"], "Ben": ["3H", "9D", "KC"], "Cem": ["6D", "AS", "AH"]})
    answer = told("exchange", seat="Ann", upcards=["2S", "5D", "KH"])
    ann = answer["view"]["players"][0]
    assert (ann["known"], sorted(ann["up"]), ann["hand"]) == (["4S"], ["2S", "5D", "KH"], 3)
    assert told.laid("3S")["view"]["turn"] == "Cem"
    assert told.view["players"][1]["known"] == []


def test_a_downcard_told_twice_is_turned_once() -> None:
    told = table("classic", "down ?3", HIDDEN, HIDDEN, pile="4S")
    told("turned", card="5H", seat="Ann")
    assert told.laid("5H")["verdict"] == "nothing"
    assert told.view["players"][0]["down"] == 2


def test_a_card_laid_where_only_downcards_are_left_is_a_turned_one() -> None:
    told = table("classic", "down ?3", HIDDEN, HIDDEN, pile="JS")
    answer = told.laid("5H")
    assert "does-not-fit" in codes(answer)
    assert answer["view"]["turn"] == "Ben"


# What is against the rules, and what becomes of it


def illegal_four() -> Told:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="9S")
    assert told.laid("4H")["verdict"] == "illegal"
    return told


def test_the_host_lets_it_stand() -> None:
    answer = illegal_four()("stand")
    assert (answer["view"]["top"], answer["view"]["turn"], answer["may"]) == ("4", "Ben", [])


def test_the_next_play_lets_it_stand() -> None:
    told = illegal_four()
    answer = told.laid("5H")
    assert codes(answer)[0] == "stands-by-play"
    assert (answer["view"]["pile"]["cards"], answer["view"]["turn"]) == (["9S", "4H", "5H"], "Cem")


def test_the_same_player_laying_another_has_taken_it_back() -> None:
    told = illegal_four()
    answer = told.laid("JH", seat="Ann")
    assert (answer["view"]["pile"]["cards"], answer["view"]["turn"]) == (["9S", "JH"], "Ben")


def test_picking_up_after_it_takes_the_card_back_into_the_hand() -> None:
    for event in ("gone", "pick-up"):
        answer = illegal_four()(event)
        assert answer["view"]["turn"] == "Ben"
        assert answer["view"]["players"][0]["known"] == ["4H", "9S"]
        assert answer["view"]["players"][0]["hand"] == 4


def test_a_burn_that_is_none_is_said_and_may_stand() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="9S 9H")
    told.laid("9D")
    answer = told("burn")
    assert answer["verdict"] == "illegal"
    assert "no-burn" in codes(answer)
    stood = told("stand")
    assert (stood["view"]["pile"]["count"], stood["view"]["turn"]) == (0, "Ann")


@pytest.mark.parametrize("rank", [rank.letter for rank in Rank if rank is not Rank.JOKER])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_from_nothing_seen_anything_can_be_entered(rank: str, count: int) -> None:
    told = dealt("hostel", dealer="Cem")
    answer = told("laid", cards=[f"{rank}?"], count=count)
    assert answer["verdict"] == "accepted"
    assert answer["messages"][0]["count"] == count
    assert told.state.faults() == []


def test_the_game_never_locks() -> None:
    """Whatever is told after whatever, the next play is taken and the cards are conserved."""
    events: list[dict[str, Any]] = [
        {"event": "laid", "cards": ["4H"]},
        {"event": "laid", "cards": [{"6H": 0.5, "9H": 0.5}]},
        {"event": "laid", "cards": ["KD"], "seat": "Cem"},
        {"event": "laid", "cards": ["9S"], "count": {"1": 0.5, "2": 0.5}},
        {"event": "gone"},
        {"event": "gone", "left": 1},
        {"event": "pick-up", "seat": "Ben"},
        {"event": "burn"},
        {"event": "turned", "card": "8C"},
        {"event": "pass"},
        {"event": "take-back"},
        {"event": "upcards", "seat": "Ann", "cards": ["2H", "3C"]},
        {"event": "call"},
    ]
    for several in itertools.product(events, repeat=2):
        told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="7S 9C", turn=1)
        for event in several:
            told(**event)
        assert told.state.faults() == [], several
        answer = told.laid("2S")
        assert answer["verdict"] != "error"
        if answer["verdict"] == "illegal":
            answer = told("stand")
        assert answer["verdict"] in ("accepted", "doubtful", "nothing"), several
        assert told.state.faults() == [], several


def test_who_takes_a_turned_card_and_leads_may_lead_with_it() -> None:
    told = table("classic after-pick-up=picker", "down ?2", HIDDEN, pile="9H")
    assert told("turned", card="4D", seat="Ann")["view"]["turn"] == "Ann"
    assert told.laid("4D", seat="Ann")["verdict"] == "accepted"


def test_which_upcard_went_along_is_asked_in_those_words() -> None:
    told = table("palace", "up KH 5C QD down ?3", HIDDEN, pile="AS")
    assert told("pick-up", seat="Ann")["question"]["asks"]["words"] == "which upcard did Ann take along?"


# Suits that nobody could tell


def test_one_of_two_known_cards_leaves_the_other_without_a_suit() -> None:
    told = table("classic", "hand QC QH down ?3", HIDDEN, HIDDEN, pile="5S")
    answer = told.laid("Q?")
    assert answer["view"]["pile"]["cards"] == ["5S", "Q?"]
    assert answer["view"]["players"][0]["known"] == []  # shown to nobody
    assert str(told.state.players[0].hand) == "Q?"
    told.laid("KD", seat="Ben")
    told("pick-up", seat="Cem")
    for card in ("QC", "QH"):
        assert told.laid(card, seat="Ann")["verdict"] in ("accepted", "nothing"), card
        told("take-back")


def test_a_squared_set_out_of_a_known_hand_may_hide_any_of_its_cards() -> None:
    told = table("classic", "hand QS QC QH down ?3", HIDDEN, pile="5S")
    told.laid("QS", count={"1": 0.5, "2": 0.5})
    told("pick-up", seat="Ben")
    assert told.laid("QC", seat="Ann")["verdict"] == "accepted"
    told.laid("KD", seat="Ben")
    answer = told("turned", card="4D", seat="Ann")  # so there were two
    assert (answer["verdict"], answer["question"]) == ("accepted", None)


def test_upcards_read_again_without_their_suits_have_not_been_exchanged() -> None:
    told = dealt("classic", 2, upcards={"Ann": ["KS", "KH", "5C"]})
    told("undo", to=1)
    for upcards in (["K?", "K?", "5C"], ["K?", "??", "5?"]):
        assert codes(told("exchange", seat="Ann", upcards=upcards)) == ["already-said"]
    answer = told("exchange", seat="Ann", upcards=["K?", "2H", "5C"])
    assert codes(answer) == ["exchanged"]
    assert sorted(answer["view"]["players"][0]["up"]) == ["2H", "5C", "KS"]


def test_an_upcard_is_not_the_card_that_still_waits_for_its_ruling() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile="5S", turn=1)
    told.laid("9D", seat="Cem")  # out of turn
    told("upcards", seat="Ben", cards=["9D", "6S", "6D"])
    told("stand")
    for hypothesis in told.referee.game.belief.hypotheses:
        assert hypothesis.state.faults() == []


def test_what_is_taken_back_and_put_back_is_named() -> None:
    told = dealt()
    for card in ("5H", "6H", "7H"):
        told.laid(card)
    one = told("back", to=4)
    assert words(one).startswith("taken back: Cem, 7; ")
    assert words(told("undo", to=5)).startswith("counts again: Cem, 7; ")
    assert words(told("correct", seq=4, with_=None)).startswith("taken back: Ben, 6")
    assert codes(told("undo", to=5))[0] == "put-back"
    two = told("back", to=3)
    assert (codes(two)[0], two["messages"][0]["count"]) == ("undone-plays", 2)
    assert codes(told("undo", to=5))[0] == "put-back-plays"
