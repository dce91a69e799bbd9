"""The worked examples of the rules, by number. Ann is seat 0, Ben 1, Cem 2, Dora 3, Eve 4."""

from __future__ import annotations

import pytest

from engine.cards import Card, Rank
from engine.shithead.legal import Reason, legal_ranks
from engine.shithead.moves import Move
from engine.shithead.play import apply
from engine.shithead.refusal import why_not
from engine.shithead.rules import RuleError, load
from engine.shithead.state import Phase
from tests.engine.positions import ANN, BEN, CEM, EVE, UNSEEN, moves, play, position, ranks, refused, unseen


def test_1_classic_a_4_on_a_9_is_illegal_because_it_is_lower() -> None:
    state = unseen("classic", 2, pile="9S")
    assert why_not(state, Move.parse("0 play 4H")) == Reason("too-low", Rank.FOUR, Rank.NINE)


def test_2_classic_a_10_on_an_ace_burns_and_ben_leads_anything() -> None:
    state = play(unseen("classic", 3, pile="4H AS", turn=BEN), "1 play TD")
    assert state.pile.size == 0
    assert state.burnt.known == (Card.parse("4H"), Card.parse("AS"), Card.parse("TD"))
    assert state.turn == BEN
    assert ranks(state) == "23456789TJQKA"


def test_3_palace_ben_must_lead_10_or_higher_burn_again_or_play_a_2() -> None:
    state = play(unseen("palace", 3, pile="AS", turn=BEN), "1 play TD")
    assert state.turn == BEN
    assert ranks(state) == "2TJQKA"
    assert refused(state, "1 play 9H") == "lead-too-low"
    assert why_not(state, Move.parse("1 play 9H")) == Reason("lead-too-low", Rank.NINE, Rank.TEN)
    again = play(state, "1 play TH")
    assert (again.turn, again.pile.size, ranks(again)) == (BEN, 0, "2TJQKA")
    assert play(state, "1 play 2H").turn == CEM


def test_4_hostel_on_a_7_lower_cards_and_those_that_go_on_anything() -> None:
    state = unseen("hostel", 2, pile="7H")
    assert ranks(state) == "23456T"
    for letter in "789JQKA":
        assert refused(state, f"0 play {letter}S") == "not-below"


def test_5_hostel_a_3_on_a_7_leaves_the_7_to_be_answered() -> None:
    state = play(unseen("hostel", 3, pile="7H"), "0 play 3S")
    assert state.answer is Rank.SEVEN
    assert ranks(state) == "23456T"
    assert legal_ranks(state).because == Reason("below", other=Rank.SEVEN, through=Rank.THREE)


def test_6_hostel_a_3_led_on_nothing_lets_anything_follow() -> None:
    state = play(unseen("hostel", 3), "0 play 3S")
    assert state.answer is None
    assert ranks(state) == "23456789TJQKA"


def test_7_hostel_two_8s_with_four_players_skip_dora_and_ann() -> None:
    assert play(unseen("hostel", 4, pile="6S", turn=CEM), "2 play 8H 8S").turn == BEN


def test_8_hostel_three_8s_with_three_players_come_round_past_ann() -> None:
    assert play(unseen("hostel", 3, pile="5S"), "0 play 8H 8S 8C").turn == BEN


def test_9_hostel_a_3_in_between_breaks_four_of_a_kind() -> None:
    state = play(unseen("hostel", 3, pile="9S 9H 3D 9C"), "0 play 9D")
    assert state.pile.size == 5
    assert state.turn == BEN


def test_10_classic_two_6s_on_two_6s_burn_and_ann_goes_on() -> None:
    state = position("classic", "hand 6H 6S KD up ?3 down ?3", UNSEEN, pile="4H 6C 6D", stock=5)
    state = play(state, "0 play 6H 6S")
    assert (state.pile.size, state.turn, state.burnt.known[-1]) == (0, ANN, Card.parse("6S"))


def test_11_classic_from_the_upcards_a_king_two_kings_or_a_pick_up() -> None:
    state = position("classic", "up KH KS 5D down ?3", UNSEEN, pile="QS")
    assert moves(state) == ["0 play up KH", "0 play up KH KS", "0 pick-up"]


def test_12_palace_on_an_ace_she_picks_up_with_one_upcard_of_her_choice() -> None:
    state = position("palace", "up KH KS 5D down ?3", UNSEEN, pile="QS AS")
    assert moves(state) == ["0 pick-up up KH", "0 pick-up up KS", "0 pick-up up 5D"]
    assert refused(state, "0 pick-up") == "take-an-upcard"
    after = play(state, "0 pick-up up 5D")
    assert str(after.players[ANN].hand) == "QS AS 5D"
    assert str(after.players[ANN].up) == "KH KS"
    assert after.turn == BEN


def test_13_classic_a_10_as_last_downcard_burns_and_she_is_out() -> None:
    state = play(position("classic", "down ?1", UNSEEN, UNSEEN, pile="KS"), "0 turn TH")
    assert state.out == (ANN,)
    assert state.pile.size == 0
    assert (state.turn, state.lead) == (BEN, 0)


def test_14_classic_a_5_turned_on_a_jack_is_taken_with_the_pile() -> None:
    state = play(position("classic", "down ?2", UNSEEN, UNSEEN, pile="4H JS"), "0 turn 5D")
    assert str(state.players[ANN].hand) == "4H JS 5D"
    assert state.players[ANN].down.size == 1
    assert (state.turn, state.pile.size) == (BEN, 0)
    assert ranks(state) == "23456789TJQKA"


def test_15_hostel_the_last_hand_card_is_joined_by_an_upcard() -> None:
    state = position("hostel", "hand 9H up 9S 4D KC down ?3", UNSEEN, pile="8S")
    assert "0 play 9H up 9S" in moves(state)
    after = play(state, "0 play 9H up 9S")
    assert (after.players[ANN].hand.size, str(after.players[ANN].up)) == (0, "4D KC")
    with_stock = position("hostel", "hand 9H up 9S 4D KC down ?3", UNSEEN, pile="8S", stock=1)
    assert refused(with_stock, "0 play 9H up 9S") == "join-one-card"


def test_16_palace_a_joker_turns_the_direction_and_eve_answers_the_king() -> None:
    state = play(unseen("palace+jokers", 5, pile="KS"), "0 play XX")
    assert (state.turn, state.direction, state.answer) == (EVE, -1, Rank.KING)
    assert ranks(state) == "2TKAX"


def test_17_two_decks_the_fourth_4_burns_and_a_set_of_five_burns_whole() -> None:
    state = play(unseen("classic decks=2", 3, pile="4H", turn=BEN), "1 play 4S", "2 play 4C")
    assert state.pile.size == 3
    state = play(state, "0 play 4D")
    assert (state.pile.size, state.turn) == (0, ANN)
    assert play(state, "0 play 4H").pile.size == 1
    whole = play(position("classic decks=2", "hand ?5 up ?3 down ?3", UNSEEN, pile="3S"), "0 play 4H 4S 4C 4D 4H")
    assert (whole.pile.size, whole.turn) == (0, ANN)


def test_18_palace_who_goes_out_with_a_10_binds_nobody() -> None:
    state = position("palace", "hand TH", UNSEEN, UNSEEN, pile="KS")
    after = play(state, "0 play TH")
    assert (after.out, after.turn, after.lead) == ((ANN,), BEN, 0)
    assert ranks(after) == "23456789TJQKA"
    stayed = play(position("palace", "hand TH 4S", UNSEEN, UNSEEN, pile="KS"), "0 play TH")
    assert (stayed.turn, ranks(stayed)) == (ANN, "2TJQKA")
    assert moves(stayed) == ["0 pass"]
    passed = play(stayed, "0 pass")
    assert (passed.turn, passed.lead) == (BEN, 0)


def test_19_hostel_with_five_players_is_refused() -> None:
    with pytest.raises(RuleError, match="five hands need 56 cards, the deck has 52"):
        load("hostel").check_players(5)


def test_the_last_player_with_cards_loses() -> None:
    state = position("classic", "hand KH", "hand 4S 5S", pile="9S")
    state = apply(state, Move.parse("0 play KH"))
    assert state.phase is Phase.OVER
    assert state.outcome is not None
    assert (state.outcome.loser, state.outcome.out, state.outcome.winner) == (BEN, (ANN,), ANN)
