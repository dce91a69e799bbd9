"""The stock: who owes a draw, who forgot it, and the house rule of turning its top card instead of picking up."""

from __future__ import annotations

import pytest

from tests.engine.referees import HIDDEN, Told, codes, dealt, table

# Drawing from the stock


def dealt_hostel(**deal: object) -> Told:
    told = dealt("hostel", 3, first="4C", dealer="Cem", **deal)
    assert told.state.turn == 0
    return told


def test_the_first_forgotten_draw_is_noticed_where_draws_are_told_from_the_deal_on() -> None:
    told = dealt_hostel(draws=True)
    assert told.laid("5D", seat="Ann")["view"]["players"][0]["owed"] == 1
    answer = told.laid("6D", seat="Ben")
    assert answer["messages"][0] == {
        "code": "forgotten-draw-penalty",
        "words": "Ann forgot to draw one card: a penalty",
        "player": "Ann",
        "count": 1,
    }
    assert answer["view"]["players"][0]["owed"] == 1


def test_the_first_forgotten_draw_is_noticed_once_somebody_else_is_seen_to_draw() -> None:
    told = dealt_hostel()
    told.laid("5D", seat="Ann")
    assert codes(told.laid("6D", seat="Ben"))[0] == "played"
    answer = told("drawn", seat="Ben")
    assert codes(answer) == ["forgotten-draw-penalty", "drew"]
    assert [player["owed"] for player in answer["view"]["players"]] == [1, 0, 0]


def test_a_forgotten_draw_is_said_when_the_next_player_plays_and_only_once() -> None:
    told = dealt_hostel(draws=True)
    told.laid("5D", seat="Ann")
    told.laid("6D", seat="Ben")
    assert codes(told("drawn", seat="Ben")) == ["drew"]
    assert "forgotten-draw-penalty" not in codes(told.laid("6S", seat="Cem"))
    assert codes(told("drawn", seat="Ann")) == ["drew"]
    assert told.view["players"][0]["owed"] == 0
    assert codes(told("pick-up", seat="Ann"))[0] == "forgotten-draw-penalty"  # now it is Cem who has not drawn


def test_who_plays_again_after_a_burn_may_draw_for_both() -> None:
    told = dealt_hostel(draws=True)
    told.laid("TD", seat="Ann")
    assert codes(told.laid("9D", "9S", seat="Ann"))[0] == "played"
    assert told("drawn", seat="Ann")["view"]["players"][0]["owed"] == 0
    assert codes(told.laid("JD", seat="Ben"))[0] == "played"


def test_without_a_penalty_who_draws_late_is_not_blamed_but_who_plays_again_is_reminded() -> None:
    told = dealt("classic", 2, draws=True)
    told.laid("5D", seat="Ann")
    assert codes(told.laid("6D", seat="Ben"))[0] == "played"
    assert codes(told("drawn", seat="Ann")) == ["drew"]
    told.laid("7D", seat="Ann")
    assert codes(told.laid("8D", seat="Ben"))[:2] == ["forgot-to-draw", "played"]
    assert [player["owed"] for player in told.view["players"]] == [1, 2]


def test_where_no_draw_is_ever_told_nobody_has_forgotten_one() -> None:
    told = dealt_hostel()
    for round_number, (low, high) in enumerate((("5", "6"), ("9", "J"), ("Q", "K"))):
        for card, seat in ((f"{low}D", "Ann"), (f"{low}S", "Ben"), (f"{high}D", "Cem")):
            answer = told.laid(card, seat=seat)
            assert not {"forgot-to-draw", "forgotten-draw-penalty"} & set(codes(answer)), round_number
    assert codes(told("drawn", seat="Cem")) == ["drew"]  # the first one that is told, far too late to say who forgot


def test_a_draw_told_late_is_not_owed_again_when_the_next_play_is_taken_back() -> None:
    told = dealt_hostel(draws=True)
    told.laid("5D", seat="Ann")
    told.laid("6D", seat="Ben")
    told("drawn", seat="Ann")
    assert told("take-back")["view"]["players"][0]["owed"] == 0


def test_a_draw_that_was_seen_before_the_play_was_read_is_not_forgotten() -> None:
    told = dealt_hostel(draws=True)
    told.laid("5D", seat="Ann")
    told("drawn", seat="Ann")
    told("drawn", seat="Ben")  # his hand at the stock uncovers what he has laid
    assert told.laid("6D", seat="Ben")["view"]["players"][1]["owed"] == 0
    assert codes(told.laid("7D", seat="Cem"))[0] == "played"


def test_a_hand_at_the_stock_that_may_be_anothers_is_his_who_owes_a_draw() -> None:
    for score, drew in ((0.6, "Ben"), (0.99, None)):
        told = dealt_hostel(draws=True)
        told.laid("5D", seat="Ann")
        told("drawn", seat="Ann")
        told.laid("6D", seat="Ben")
        answer = told("drawn", seat="Cem", seat_score=score)
        assert ("drew" in codes(answer)) is (drew is not None)
        assert answer["view"]["players"][1]["owed"] == (0 if drew else 1)


CAMERA = {"source": "camera"}


def rounds(rules: str, players: str) -> list[list[str]]:
    """What is said at each play of three rounds, in which a camera sees the last player's draws and no others."""
    told = dealt(rules, 3, first="4C", dealer=players.split()[-1], draws=True, **CAMERA)
    said = []
    for rank, suits in (("5", "DSH"), ("6", "DSH"), ("9", "DSH"), ("J", "DSH")):
        for suit, seat in zip(suits, players.split(), strict=True):
            said.append(codes(told.laid(f"{rank}{suit}", seat=seat, **CAMERA)))
        told("drawn", seat=players.split()[-1], **CAMERA)
    return said


@pytest.mark.parametrize(("rules", "code"), [("hostel", "draw-not-seen-penalty"), ("classic", "draw-not-seen")])
def test_a_camera_that_misses_draws_accuses_nobody_and_falls_silent(rules: str, code: str) -> None:
    said = rounds(rules, "Ann Ben Cem")
    spoken = [one for codes_ in said for one in codes_]
    assert not {"forgot-to-draw", "forgotten-draw-penalty"} & set(spoken)
    assert 1 <= spoken.count(code) <= 4
    assert not any(code in codes_ for codes_ in said[-3:])


def test_what_a_camera_has_not_seen_to_be_drawn_is_not_owed_for_ever() -> None:
    told = dealt("classic", 3, first="4C", dealer="Cem", draws=True, **CAMERA)
    owed = []
    for rank in "569J":
        for suit, seat in zip("DSH", ("Ann", "Ben", "Cem"), strict=True):
            view = told.laid(f"{rank}{suit}", seat=seat, **CAMERA)["view"]
        owed.append(view["players"][0]["owed"])
    assert max(owed) <= 2


def test_a_draw_that_a_camera_sees_late_is_made() -> None:
    told = dealt("classic", 2, draws=True, **CAMERA)
    told.laid("5D", seat="Ann", **CAMERA)
    told.laid("6D", seat="Ben", **CAMERA)
    told("drawn", seat="Ben", **CAMERA)
    assert codes(told.laid("7D", seat="Ann", **CAMERA))[:2] == ["draw-not-seen", "played"]
    assert codes(told("drawn", seat="Ann", **CAMERA)) == ["drew"]
    assert [player["owed"] for player in told.view["players"]] == [0, 0]


@pytest.mark.parametrize(("at", "owed"), [(10.3, 0), (14.0, 1)])
def test_who_draws_just_before_a_play_is_read_has_drawn_for_it(at: float, owed: int) -> None:
    """After a burn one visit draws for both plays, and the second is read once the hand has gone."""
    told = dealt("classic", 2, draws=True, **CAMERA)
    told.laid("TD", seat="Ann", at=8.0, **CAMERA)
    told("drawn", seat="Ann", at=10.0, **CAMERA)
    assert told.laid("KD", seat="Ann", at=at, **CAMERA)["view"]["players"][0]["owed"] == owed


# Turning the top card of the stock instead of picking up

FLIP = "classic flip-stock=yes"


def test_a_stock_card_turned_onto_the_pile_is_played_or_taken_with_it() -> None:
    for card, pile, hand, turn in (("JD", 2, 3, "Ben"), ("4D", 0, 5, "Ben")):
        told = table(FLIP, HIDDEN, HIDDEN, pile="9H", stock=9)
        answer = told("flipped", card=card, seat="Ann")
        assert answer["verdict"] == "accepted"
        view = answer["view"]
        assert (view["pile"]["count"], view["players"][0]["hand"], view["turn"]) == (pile, hand, turn)
        assert view["stock"] == 8
        assert codes(answer)[0] == "flipped"


def test_a_stock_card_is_turned_only_where_the_house_says_so() -> None:
    answer = table("classic", HIDDEN, HIDDEN, pile="9H", stock=9)("flipped", card="JD", seat="Ann")
    assert (answer["verdict"], codes(answer)[1]) == ("illegal", "no-flip")


def test_a_card_that_does_not_fit_after_a_hand_was_at_the_stock_came_from_there() -> None:
    told = table(FLIP, HIDDEN, HIDDEN, pile="9H", stock=9)
    told("drawn", seat="Ann")  # nothing is owed to her
    answer = told.laid("4D")
    assert answer["as"] == {"event": "flipped", "card": "4D", "seat": "Ann"}
    assert answer["verdict"] == "accepted"
    assert answer["view"]["players"][0]["known"] == ["4D", "9H"]


def test_a_card_that_fits_after_a_hand_was_at_the_stock_came_from_there_too() -> None:
    told = table(FLIP, HIDDEN, HIDDEN, pile="9H", stock=9)
    told("drawn", seat="Ann")
    answer = told.laid("JD")
    assert answer["as"]["event"] == "flipped"
    assert (answer["view"]["stock"], answer["view"]["players"][0]["hand"]) == (8, 3)


def test_without_a_hand_at_the_stock_a_card_that_does_not_fit_is_asked() -> None:
    answer = table(FLIP, HIDDEN, HIDDEN, pile="9H", stock=9).laid("4D")
    assert [one["event"]["event"] for one in answer["question"]["candidates"]] == ["flipped", "laid"]
    assert table("classic", HIDDEN, HIDDEN, pile="9H", stock=9).laid("4D")["verdict"] == "illegal"


def test_a_flipped_card_told_by_two_is_flipped_once() -> None:
    told = table(FLIP, HIDDEN, HIDDEN, pile="9H", stock=9)
    told("flipped", card="JD", seat="Ann")
    assert codes(told.laid("JD")) == ["already-said"]


def test_a_10_turned_from_the_stock_may_be_followed_by_another() -> None:
    told = table(FLIP, HIDDEN, HIDDEN, pile="9H", stock=9)
    assert told("flipped", card="T?", seat="Ann")["view"]["turn"] == "Ann"
    assert told.laid("T?", seat="Ann")["verdict"] == "accepted"


def test_a_10_turned_from_the_stock_is_not_led_again() -> None:
    told = table(FLIP, HIDDEN, HIDDEN, pile="9H", stock=9)
    told("flipped", card="TH", seat="Ann")
    assert codes(told.laid("TH")) == ["already-said"]


# The stock as it is seen to lie

SEES = {"source": "camera"}
PAIR_PERHAPS = {"1": 0.92, "2": 0.08}


def near_the_end(stock: int) -> Told:
    """Ann has laid a 9, or perhaps two; then Ben has played."""
    told = table("classic", HIDDEN, HIDDEN, pile="5S", stock=stock)
    told.laid({"9H": 0.99}, count=PAIR_PERHAPS, **SEES)
    told.laid({"JH": 0.99}, **SEES)
    return told


def chance_of(told: Told, stock: int) -> float:
    return sum(one.weight for one in told.referee.game.belief.hypotheses if one.state.stock.size == stock)


def pair(told: Told) -> float:
    """How likely it is that two 9s lie there."""
    hypotheses = told.referee.game.belief.hypotheses
    return sum(one.weight for one in hypotheses if [card.rank.letter for card in one.state.pile.known].count("9") > 1)


def test_a_stock_that_ends_a_card_early_says_that_a_set_hid_one() -> None:
    told = near_the_end(3)
    assert told.view["stock"] == 1
    answer = told("stock", left=0, **SEES)
    assert chance_of(told, 0) > 0.4
    assert (answer["verdict"], codes(answer)) == ("nothing", [])  # phones do not speak of it
    told.laid({"QH": 0.99}, **SEES)
    told.laid({"KH": 0.99}, **SEES)
    assert chance_of(told, 0) > 0.9


def test_a_stock_that_still_lies_there_speaks_for_small_sets() -> None:
    told = near_the_end(3)
    before = chance_of(told, 0)
    told("stock", **SEES)
    assert chance_of(told, 0) == pytest.approx(before, abs=0.02)  # Ben may have the last card still to draw
    told.laid({"QH": 0.99}, **SEES)
    told.laid({"KH": 0.99}, **SEES)
    before = pair(told)
    told("stock", **SEES)
    assert pair(told) < before / 2


def test_one_false_sighting_of_the_stock_changes_nothing_for_long() -> None:
    told = table("classic", HIDDEN, HIDDEN, pile="5S", stock=20)
    told.laid({"9H": 0.99}, count=PAIR_PERHAPS, **SEES)
    before = chance_of(told, 19)
    for left in (0, None):
        told("stock", left=left, **SEES)
        assert chance_of(told, 19) == pytest.approx(before, abs=0.02)


def test_the_stock_seen_again_and_again_is_seen_once() -> None:
    told = near_the_end(3)
    told("stock", left=0, **SEES)
    once = chance_of(told, 0)
    for _ in range(5):
        told("stock", left=0, **SEES)
    assert chance_of(told, 0) == pytest.approx(once, abs=0.05)


@pytest.mark.parametrize(("stock", "left"), [(20, 0), (20, 7), (2, 6), (1, 1)])
def test_a_persons_word_on_the_stock_counts(stock: int, left: int) -> None:
    told = table("classic", "hand ?3 up ?3 down ?3", "hand ?3 up ?3 down ?3", pile="?9", stock=stock)
    answer = told("stock", left=left)
    assert answer["view"]["stock"] == left
    assert told.state.faults() == []
    told.laid("9H")
    assert told.view["stock"] == max(0, left - 1)


def test_a_person_who_says_that_the_stock_still_lies_there_is_believed() -> None:
    told = table("classic", HIDDEN, HIDDEN, pile="?9", stock=0)
    assert told("stock")["view"]["stock"] == 1
