"""A referee that a camera tells of a game, with all its errors, follows it; and each error by itself is got over."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.camera import Followed, Noise, follow
from tests.engine.referees import HIDDEN, Told, codes, table

SEES = {"source": "camera"}


@pytest.mark.parametrize("hands", [None, 0.85])
def test_most_plays_of_a_game_that_is_badly_seen_are_right(hands: float | None) -> None:
    found = Followed()
    for rules, players, seed in (("classic", 3, 2), ("hostel", 4, 2)):
        found.add(follow(rules, players, seed, Noise(seat=hands))[0])
    assert found.right > 0.85 * found.plays, found
    assert found.turns_right > 0.85 * found.turns, found
    assert found.questions * 12 < found.events, found


def test_a_game_that_is_seen_without_an_error_is_followed_to_its_end() -> None:
    exact = Noise(misread=0, blurred=0, squared=0, missed=0, invented=0, seat=0.95)
    found, _ = follow("classic", 4, 5, exact)
    assert found.right >= 0.97 * found.plays, found
    assert found.losers == 1


def watched(pile: str = "5S", **more: Any) -> Told:
    """Three players; Ann's turn, Cem has shown that he holds the jack of hearts."""
    return table("classic", HIDDEN, "hand ?3 up KH KC QD down ?3", "hand JH ?2 up ?3 down ?3", pile=pile, **more)


def test_a_play_that_was_not_seen_is_found_by_whose_card_comes_next() -> None:
    told = watched(stock=10)
    told.laid({"9H": 0.99}, **SEES)  # Ann; what Ben then plays is not seen
    answer = told.laid({"JH": 0.99}, **SEES)
    assert answer["as"]["seat"] == "Cem"
    assert answer["view"]["turn"] == "Ann"


def test_an_upcard_on_the_pile_is_its_owners_however_the_hands_were_counted() -> None:
    told = watched()
    told.laid({"9H": 0.99}, **SEES)
    told.laid({"KH": 0.99}, **SEES)
    answer = told("upcards", seat="Ben", cards=[{"KC": 0.99}, {"QD": 0.99}], **SEES)
    assert answer["view"]["turn"] == "Cem"
    assert answer["view"]["pending"] is None
    assert answer["view"]["players"][1]["hand"] == 0


def test_a_pile_that_had_not_gone_is_still_there() -> None:
    told = watched(pile="5S 9C QS", stock=10)
    told("gone", confidence=0.5, **SEES)
    answer = told.laid({"KD": 0.99}, **SEES)
    for card in ("KS", "JH"):  # Cem's jack goes on no king: he leads, so the pile went after it, not before
        answer = told("gone", **SEES) if card == "JH" else told.laid({card: 0.99}, **SEES)
    answer = told.laid({"JH": 0.99}, **SEES)
    assert answer["view"]["pending"] is None
    assert answer["as"]["seat"] == "Cem"


@pytest.mark.parametrize(("aside", "turn"), [(True, "Ann"), (False, "Cem"), (None, "Cem")])
def test_a_pile_that_lies_elsewhere_was_burnt_though_the_fourth_was_misread(aside: bool | None, turn: str) -> None:
    told = watched(pile="5S 8H 8C 8D", stock=10)
    told.laid({"9S": 0.8, "8S": 0.15}, **SEES)
    answer = told("gone", **({} if aside is None else {"aside": aside}), **SEES)
    assert answer["view"]["turn"] == turn  # of who has burnt; or of the one after Ben, who has picked up
    assert answer["as"]["event"] == ("burn" if aside else "pick-up")


def test_a_set_that_burns_was_four_though_one_card_of_it_was_seen() -> None:
    told = table("classic", "hand ?8 up ?3 down ?3", HIDDEN, HIDDEN, pile="3S", stock=0)
    count = {"1": 0.93, "2": 0.058, "3": 0.008, "4": 0.004}
    before = told.laid({"4H": 0.999}, count=count, seat="Ann", seat_score=0.95, **SEES)["view"]["burnt"]
    answer = told("gone", aside=True, seat="Ann", seat_score=0.98, **SEES)
    assert answer["as"]["event"] == "burn"
    assert answer["view"]["turn"] == "Ann"
    assert answer["view"]["burnt"] == before + 5


def test_a_card_that_is_seen_again_is_none() -> None:
    told = watched(pile="5S JC", stock=10)
    told.laid({"QH": 0.99}, **SEES)
    answer = told.laid({"JC": 0.99}, **SEES)  # it lies in the pile
    assert answer["view"]["turn"] == "Ben"
    answer = told.laid({"KS": 0.99}, **SEES)
    assert answer["view"]["pile"]["count"] == 4
    assert answer["view"]["turn"] == "Cem"


def test_a_person_is_not_doubted_so() -> None:
    told = watched(stock=10)
    answer = told.laid("4H")
    assert answer["verdict"] == "illegal"
    assert len(told.referee.game.belief.hypotheses) == 1


def test_who_takes_up_all_that_they_have_just_laid_has_taken_it_back() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, stock=10)
    told.laid({"9H": 0.99}, seat="Ann", seat_score=0.95, at=62.4, **SEES)
    answer = told("gone", seat="Ann", seat_score=0.95, at=64.7, **SEES)
    assert (answer["as"]["event"], answer["verdict"]) == ("take-back", "accepted")
    answer = told.laid({"5S": 0.99}, seat="Ann", seat_score=0.9, at=65.5, **SEES)
    assert answer["verdict"] == "accepted"
    assert (answer["view"]["turn"], answer["view"]["pile"]["count"]) == ("Ben", 1)


@pytest.mark.parametrize(
    ("pile", "seat", "at"),
    [
        ("", "Ben", 64.7),  # the next hand
        ("", None, 64.7),  # nobody saw whose
        ("5S", "Ann", 64.7),  # more lay there than what was laid last
        ("", "Ann", 80.0),  # long after
    ],
)
def test_another_hand_or_a_larger_pile_is_no_taking_back(pile: str, seat: str | None, at: float) -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, pile=pile, stock=10)
    told.laid({"9H": 0.99}, seat="Ann", seat_score=0.95, at=62.4, **SEES)
    answer = told("gone", at=at, **({"seat": seat, "seat_score": 0.95} if seat else {}), **SEES)
    assert answer["as"]["event"] != "take-back"
    assert (answer["as"]["event"] == "pick-up") == (seat != "Ann")


def test_an_illegal_card_on_the_bare_table_that_goes_is_taken_back() -> None:
    told = table("classic", HIDDEN, HIDDEN, HIDDEN, stock=10)
    assert told.laid("9H", seat="Cem")["verdict"] == "illegal"
    answer = told("gone", seat="Cem", seat_score=0.95, at=3, **SEES)
    assert answer["as"]["event"] == "take-back"
    assert answer["view"]["pending"] is None


@pytest.mark.parametrize("hand", [1, 2, 3])
def test_upcards_join_the_last_card_of_a_hand_one_by_one(hand: int) -> None:
    """However many cards the hand was counted to have: an upcard that lies there says that it has run out."""
    told = table(
        "hostel", f"hand ?{hand} up 2D 6S JS down ?3", "hand ?3 up ?3 down ?3", "hand ?3 up ?3 down ?3", pile="6C"
    )
    told.laid({"2C": 0.99}, seat="Ann", seat_score=0.95, at=51.8, **SEES)
    answer = told.laid({"2D": 0.99}, seat="Ann", seat_score=0.89, at=53.0, **SEES)
    assert answer["verdict"] == "accepted"
    assert answer["view"]["turn"] == "Ben"
    assert answer["view"]["pile"]["count"] == 3
    assert answer["view"]["players"][0]["hand"] == 0


@pytest.mark.parametrize("seen", [{"seat": "Ann", "seat_score": 0.45}, {"seat": "Ann", "seat_score": 0.9}, {}])
@pytest.mark.parametrize("cards", ["9S 9H", "9S 9H 9D"])
def test_cards_of_a_rank_laid_one_by_one_are_one_play(cards: str, seen: dict[str, Any]) -> None:
    told = table("classic", "hand ?5 up ?3 down ?3", "hand ?5 up ?3 down ?3", "hand ?5 up ?3 down ?3", pile="6C")
    for number, card in enumerate(cards.split()):
        answer = told.laid({card: 0.99}, at=55.2 + number, **(seen or {}), **SEES)
    told.laid({"QH": 0.99}, at=59.0, seat="Ben", seat_score=0.9, **SEES)
    answer = told.view
    assert answer["turn"] == "Cem"
    assert answer["players"][0]["hand"] == 5 - len(cards.split())


@pytest.mark.parametrize("source", ["camera", "person"])
def test_a_camera_that_sees_the_same_again_is_not_answered(source: str) -> None:
    """Nor spoken to by every phone at the table; a person who says so is."""
    told = watched(stock=10)
    answer = told("upcards", seat="Ben", cards=["KH", "KC", "QD"], source=source)
    assert answer["verdict"] == "nothing"
    assert codes(answer) == ([] if source == "camera" else ["already-said"])
    answer = told("drawn", seat="Cem", source=source)
    assert answer["verdict"] == "nothing"
    assert codes(answer) == ([] if source == "camera" else ["nothing-owed"])


def test_a_pile_that_was_picked_up_unseen_is_followed_by_a_lead() -> None:
    """A 4 goes on no king, and it is not Ben's turn: so Ann has picked up, or played what nobody saw."""
    told = watched("5S KD", stock=10)
    answer = told.laid({"4C": 0.99}, seat="Ben", seat_score=0.8, **SEES)
    assert answer["verdict"] == "accepted"
    assert answer["view"]["pending"] is None
    assert answer["view"]["turn"] == "Cem"
    took = [one for one in told.referee.game.belief.hypotheses if one.state.pile.size == 1]
    assert sum(one.weight for one in took) > 0.1
