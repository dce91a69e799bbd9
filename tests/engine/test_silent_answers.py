"""The answers where the sheets are silent: the default, and that the option changes it. REPORTS rows 20 to 23 too."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Rank
from engine.shithead.dealing import deal_seen
from engine.shithead.legal import legal_ranks
from engine.shithead.moves import Kind, Move
from engine.shithead.play import ImpossibleMove, apply
from engine.shithead.refusal import why_not
from engine.shithead.rules import load
from engine.shithead.state import Phase, State
from engine.zones import Zone
from tests.engine.positions import ANN, BEN, CEM, DORA, EVE, UNSEEN, moves, play, position, ranks, refused, unseen

ALL = "23456789TJQKA"
JOKERS = "hostel jokers=2 joker=reverse"


def test_2_3_and_joker_go_on_a_7() -> None:
    assert ranks(unseen(JOKERS, 2, pile="7H")) == "23456TX"
    strict = unseen(f"{JOKERS} specials-on-seven=no eight=invisible", 2, pile="7H")
    assert ranks(strict) == "23456T", "2 and 3 are lower than 7 in any case"
    assert refused(strict, "0 play 8S") == "not-on-limit"
    assert refused(strict, "0 play XX") == "not-on-limit"


def test_10_goes_on_a_7_unless_the_house_says_no() -> None:
    assert play(unseen("hostel", 2, pile="7H"), "0 play TH").pile.size == 0
    strict = unseen("hostel ten-on-seven=no", 2, pile="7H 3S")
    assert ranks(strict) == "23456"
    assert refused(strict, "0 play TH") == "not-on-limit"


def test_7_on_a_7_is_for_the_option_to_say() -> None:
    assert refused(unseen("hostel", 2, pile="7H"), "0 play 7S") == "not-below"
    assert ranks(unseen("hostel seven=at-most", 2, pile="7H")) == "234567T"
    assert refused(unseen("hostel seven=at-most", 2, pile="7H"), "0 play 8S") == "not-at-most"
    assert ranks(unseen("hostel acting=free", 2, pile="7H")) == "2345678T", "7 and 8 are free to go on anything"


def test_7_and_8_must_beat_unless_they_are_free() -> None:
    assert refused(unseen("hostel", 2, pile="9H"), "0 play 8S") == "too-low"
    assert ranks(unseen("hostel acting=free", 2, pile="KH")) == "2378TKA"


@pytest.mark.parametrize("pile", ["3S", "3S 3H", "2S 3H", "2S", "2S 3H 3C"])
def test_an_invisible_card_on_nothing_or_a_2_asks_for_nothing(pile: str) -> None:
    assert ranks(unseen("hostel", 2, pile=pile)) == ALL


def test_an_invisible_card_alone_may_count_as_itself() -> None:
    assert ranks(unseen("classic eight=invisible", 2, pile="8S")) == ALL
    assert ranks(unseen("classic eight=invisible invisible-alone=itself", 2, pile="8S")) == "289TJQKA"


@pytest.mark.parametrize("pile", ["7H 3S", "7H 3S 3C", "KH 7H 3S 3C 3D"])
def test_the_limit_of_a_7_holds_below_chains_of_invisible_cards(pile: str) -> None:
    assert ranks(unseen("hostel", 2, pile=pile)) == "23456T"
    assert ranks(unseen("hostel seven-through-invisible=no", 2, pile=pile)) == ALL


def test_the_card_below_is_answered_not_the_invisible_card_itself() -> None:
    state = unseen("hostel eight=invisible three=plain", 2, pile="QH 8S 8C")
    assert state.answer is Rank.QUEEN
    assert ranks(state) == "28TQKA", "an engine elsewhere compared with the 8"


def test_an_invisible_card_on_an_8_skips_nobody_again() -> None:
    state = play(unseen("hostel", 4, pile="8H", turn=BEN), "1 play 3S")
    assert (state.turn, state.answer) == (CEM, Rank.EIGHT)


@pytest.mark.parametrize(
    ("rules", "pile", "laid", "burns"),
    [
        ("hostel", "9S 9H 3D 9C", "9D", False),
        ("hostel", "9S 9H 3D", "9C 9D", False),
        ("hostel invisible-breaks-four=no", "9S 9H 3D 9C", "9D", True),
        ("hostel invisible-breaks-four=no", "9S 9H 4D 9C", "9D", False),
        ("hostel", "9S 3D 3H 3C", "3S", True),
        ("hostel", "", "3S 3D 3H 3C", True),
        ("hostel", "KS", "2S 2D 2H 2C", True),
        ("hostel", "2S 2H", "2D 2C", True),
        ("hostel", "6S", "8S 8D 8H 8C", True),
        ("hostel", "7S", "7H", False),
        ("hostel", "6S", "7S 7D 7H 7C", True),
        ("hostel seven=at-most", "7S 7D 7H", "7C", True),
        ("hostel four-specials=no", "9S 3D 3H 3C", "3S", False),
        ("hostel four-specials=no", "9S 9H 9C", "9D", True),
        ("hostel four-burns=no", "9S 9H 9C", "9D", False),
        ("palace+jokers", "9S 9H XX 9C", "9D", False),
        ("palace+jokers joker-breaks-four=no", "9S 9H XX 9C", "9D", True),
        ("palace+jokers", "XX", "XX", False),
        ("classic", "9S 9H 9C", "TD", True),
        ("classic", "4S", "TD TH", True),
        ("classic ten=plain", "9S", "TD TH TS TC", True),
        ("classic ten=plain", "9S", "TD TH TS", False),
        ("classic decks=3", "9S 9S 9H", "9D 9C 9H", True),
    ],
)
def test_what_counts_as_four_of_a_kind(rules: str, pile: str, laid: str, burns: bool) -> None:
    state = apply(unseen(rules, 3, pile=pile) if laid.count(" ") < 3 else four_in_hand(rules, pile), lay(laid))
    assert (state.pile.size == 0) is burns
    assert (len(state.burnt.known) > 0) is burns


def four_in_hand(rules: str, pile: str) -> State:
    return position(rules, "hand ?6 up ?3 down ?3", UNSEEN, "hand ?3 up ?3 down ?3", pile=pile)


def lay(cards: str) -> Move:
    return Move.parse(f"0 play {cards}")


def test_a_burn_wins_over_a_skip() -> None:
    state = play(four_in_hand("hostel", "6S"), "0 play 8S 8D 8H 8C")
    assert (state.turn, state.pile.size) == (ANN, 0)


def test_a_set_of_10s_leaves_the_game_together() -> None:
    state = play(unseen("classic", 2, pile="4S"), "0 play TD TH")
    assert (state.burnt.known[-2:], state.turn) == (lay("TD TH").cards, ANN)
    assert refused(unseen("classic ten-sets=no", 2, pile="4S"), "0 play TD TH") == "one-at-a-time"


@pytest.mark.parametrize(
    ("first", "may"),
    [("2S", ALL), ("3S", ALL), ("7S", "23456T"), ("TS", "23TJQKA"), ("8S", "2389TJQKA"), ("KS", "23TKA")],
)
def test_the_turned_first_card_is_answered_by_rank_and_acts_on_nobody(first: str, may: str) -> None:
    upcards = [lay("4H 5H 6H").cards, lay("JH QH KH").cards, lay("4D 5D 6D").cards]
    state = play(deal_seen(load("hostel"), upcards, lay(first).cards[0]), "1 start")
    assert (state.turn, state.pile.size, ranks(state)) == (BEN, 1, may)


def test_a_joker_turned_first_lets_anything_follow() -> None:
    upcards = [lay("4H 5H 6H").cards, lay("JH QH KH").cards]
    state = play(
        deal_seen(load("hostel").change({"jokers": 1, "joker": "reverse"}), upcards, lay("XX").cards[0]), "1 start"
    )
    assert (state.direction, state.turn, ranks(state)) == (1, BEN, ALL + "X")


def test_the_turned_first_card_counts_towards_four() -> None:
    upcards = [lay("4H 5H 6H").cards, lay("JH QH KH").cards]
    for text, burns in (("yes", True), ("no", False)):
        rules = load("hostel").change({"first-card-counts": text})
        state = play(deal_seen(rules, upcards, lay("9S").cards[0]), "1 start", "1 play 9H 9D 9C")
        assert (state.pile.size == 0) is burns


def test_the_turned_first_card_acts_where_the_option_says_so() -> None:
    upcards = [lay("4H 5H 6H").cards, lay("JH QH KH").cards, lay("4D 5D 6D").cards]
    rules = load("hostel").change({"first-card-acts": True, "nine": "reverse"})
    assert play(deal_seen(rules, upcards, lay("8S").cards[0]), "1 start").turn == CEM
    assert play(deal_seen(rules, upcards, lay("9S").cards[0]), "1 start").direction == -1
    burnt = play(deal_seen(rules, upcards, lay("TS").cards[0]), "1 start")
    assert (burnt.turn, burnt.pile.size, burnt.burnt.size) == (BEN, 0, 1)


def test_an_odd_number_of_8s_with_two_players_is_the_same_player_again() -> None:
    assert play(unseen("hostel", 2, pile="6S"), "0 play 8S").turn == ANN
    assert play(unseen("hostel", 2, pile="6S"), "0 play 8S 8H").turn == BEN
    assert play(unseen("hostel skip-self=no", 2, pile="6S"), "0 play 8S 8H 8C").turn == BEN


def test_8s_count_only_players_still_in() -> None:
    state = position("hostel", UNSEEN, "", "hand ?3", "hand ?3", pile="6S")
    assert play(state, "0 play 8S").turn == DORA
    last = position("hostel", "hand 8S", "hand ?3", "hand ?3", pile="6S")
    assert play(last, "0 play 8S").turn == CEM, "Ann is out and counts no more: Ben is skipped"


def test_reversing_with_two_players_changes_nothing() -> None:
    state = play(unseen("palace+jokers", 2, pile="6S"), "0 play XX")
    assert (state.turn, state.direction) == (BEN, 1)
    assert play(unseen("palace+jokers reverse-for-two=skip", 2, pile="6S"), "0 play XX").turn == ANN
    assert play(unseen("classic nine=reverse", 2, pile="6S"), "0 play 9S").turn == BEN


def test_two_reversing_9s_turn_the_direction_twice() -> None:
    assert play(unseen("classic nine=reverse", 4, pile="6S"), "0 play 9S").turn == DORA
    assert play(unseen("classic nine=reverse", 4, pile="6S"), "0 play 9S 9H").turn == BEN


@pytest.mark.parametrize(("direction", "following"), [(1, CEM), (-1, ANN)])
@pytest.mark.parametrize("event", ["1 play TH", "1 play KH KD", "1 pick-up", "1 play 9H", "1 play 4C 4D"])
def test_the_next_player_still_in_goes_on_after_every_kind_of_event(event: str, direction: int, following: int) -> None:
    """Ben goes out (or picks up) next to Dora who is out already, in both directions."""
    cards = event.removeprefix("1 play ") if "play" in event else "4H"
    seats = ["hand ?4", f"hand {cards}", "hand ?4", ""]
    pile = "4S 4H" if "4C" in event else "5S"
    state = replace(position("classic", *seats, pile=pile, turn=BEN), direction=direction)
    after = play(state, event)
    assert after.turn == following
    assert after.lead == 0
    assert (BEN in after.out) is ("play" in event)


def test_a_burn_with_the_last_card_hands_on_to_the_next_player_still_in() -> None:
    state = position("palace", "hand 9S", "", "hand ?3", "hand ?3", pile="9H 9C 9D")
    after = play(state, "0 play 9S")
    assert (after.turn, after.lead, after.pile.size, after.out) == (CEM, 0, 0, (BEN, ANN))


def test_an_empty_pile_cannot_be_picked_up() -> None:
    state = unseen("classic", 2)
    assert refused(state, "0 pick-up") == "nothing-to-pick-up"
    assert not legal_ranks(state).pick_up
    with pytest.raises(ImpossibleMove, match="nothing to pick up"):
        apply(state, Move.parse("0 pick-up"))


def test_a_restricted_leader_may_pass_and_gives_no_upcard_away() -> None:
    state = position("palace", "up 4H 5H 6H down ?3", UNSEEN, lead=10)
    assert moves(state) == ["0 pass"]
    after = play(state, "0 pass")
    assert (after.turn, after.lead, after.players[ANN].up.size) == (BEN, 0, 3)
    assert ranks(after) == ALL
    assert refused(after, "1 pass") == "no-pass"


def test_who_will_not_meet_the_restriction_may_pass_unless_forced_to_play() -> None:
    state = position("palace", "hand KH 4S", UNSEEN, lead=10)
    assert moves(state) == ["0 play KH", "0 pass"]
    forced = position("palace voluntary-pick-up=no", "hand KH 4S", UNSEEN, lead=10)
    assert moves(forced) == ["0 play KH"]
    assert refused(forced, "0 pass") == "must-play"


@pytest.mark.parametrize(
    ("burnt", "may"),
    [("9", "2TJQKA"), ("K", "2TA"), ("A", "2T"), ("2", ALL), ("4", "256789TJQKA")],
)
def test_what_meets_the_lead_after_four_of_a_kind(burnt: str, may: str) -> None:
    state = position("palace", "hand ?6 up ?3 down ?3", UNSEEN, pile="")
    state = play(state, f"0 play {burnt}S {burnt}H {burnt}D {burnt}C")
    assert (state.turn, ranks(state)) == (ANN, may)
    assert legal_ranks(state).passing is (burnt != "2")


def test_jokers_meet_every_lead() -> None:
    state = position("palace+jokers", "hand ?6 up ?3 down ?3", UNSEEN, lead=15)
    assert ranks(state) == "2TX"
    assert refused(state, "0 play AS") == "lead-special"
    assert ranks(position("palace+jokers lead-specials=no", "hand ?6", UNSEEN, lead=12)) == "QKA"


def test_a_turned_downcard_that_does_not_meet_the_lead_goes_to_the_hand() -> None:
    state = play(position("palace", "down ?3", UNSEEN, lead=10), "0 turn 4H")
    assert (str(state.players[ANN].hand), state.turn, state.lead) == ("4H", BEN, 0)


def test_after_a_joker_the_card_below_is_answered() -> None:
    state = unseen("palace+jokers", 3, pile="KS XX XX")
    assert state.answer is Rank.KING
    assert ranks(unseen("palace+jokers joker-answer=anything", 3, pile="KS XX")) == ALL + "X"
    assert ranks(unseen("palace+jokers", 3, pile="XX")) == ALL + "X"


def test_after_a_pick_up_the_next_player_leads() -> None:
    state = play(unseen("classic", 3, pile="4S 9H"), "0 pick-up")
    assert (state.turn, state.pile.size, ranks(state)) == (BEN, 0, ALL)
    assert play(unseen("classic after-pick-up=picker", 3, pile="4S 9H"), "0 pick-up").turn == ANN


def test_picking_up_is_possible_with_a_playable_card() -> None:
    state = position("classic", "hand KH 2S 4D up ?3 down ?3", UNSEEN, pile="9S", stock=3)
    assert "0 pick-up" in moves(state)
    forced = position("classic voluntary-pick-up=no", "hand KH 2S 4D up ?3 down ?3", UNSEEN, pile="9S", stock=3)
    assert "0 pick-up" not in moves(forced)
    assert refused(forced, "0 pick-up") == "must-play"


def test_a_pick_up_from_an_unknown_hand_is_always_believed() -> None:
    assert why_not(unseen("classic voluntary-pick-up=no", 2, pile="9S"), Move.parse("0 pick-up")) is None
    partly = position("classic voluntary-pick-up=no", "hand 4S ?2 up ?3 down ?3", UNSEEN, pile="9S")
    assert why_not(partly, Move.parse("0 pick-up")) is None
    proven = position("classic voluntary-pick-up=no", "hand KS ?2 up ?3 down ?3", UNSEEN, pile="9S")
    assert refused(proven, "0 pick-up") == "must-play"


def test_downcards_are_turned_one_at_a_time() -> None:
    state = position("classic", "down ?3", UNSEEN, pile="4S")
    assert refused(state, "0 turn 9H 9S") == "one-at-a-time"
    with pytest.raises(ImpossibleMove):
        apply(state, Move.parse("0 turn 9H 9S"))


def test_upcards_of_one_rank_go_together() -> None:
    state = position("classic", "up 9H 9S 4D down ?3", UNSEEN, pile="4S")
    assert "0 play up 9H 9S" in moves(state)
    single = position("classic upcard-sets=no", "up 9H 9S 4D down ?3", UNSEEN, pile="4S")
    assert refused(single, "0 play up 9H 9S") == "one-at-a-time"
    assert "0 play up 9H" in moves(single)


def test_sets_come_from_one_zone() -> None:
    state = position("classic", "hand 9H up 9S 4D KC down ?3", UNSEEN, pile="8S")
    assert refused(state, "0 play 9H up 9S") == "no-join"
    two_left = position("hostel", "hand 9H 9D up 9S 4D KC down ?3", UNSEEN, pile="8S")
    assert refused(two_left, "0 play 9H 9D up 9S") == "join-one-card"
    assert refused(unseen("classic sets=one", 2, pile="4S"), "0 play 9H 9S") == "one-at-a-time"
    assert refused(unseen("classic", 2, pile="4S"), "0 play 9H KS") == "mixed-ranks"
    assert refused(unseen("palace+jokers", 2, pile="4S"), "0 play XX XX") == "joker-alone"


def test_an_illegal_card_that_stands_is_part_of_the_game() -> None:
    state = apply(unseen("classic", 3, pile="9S"), Move.parse("0 play 4H"))
    assert (state.turn, state.answer) == (BEN, Rank.FOUR)
    out_of_turn = apply(unseen("classic", 3, pile="4S"), Move.parse("2 play 9H"))
    assert out_of_turn.turn == ANN


def test_an_endless_game_may_be_called_and_most_cards_lose() -> None:
    state = position("classic", "hand ?3", "hand ?5", "hand ?4", pile="9S")
    assert refused(state, "0 call") == "not-yet"
    late = replace(state, turns=300)
    outcome = play(late, "0 call").outcome
    assert outcome is not None
    assert (outcome.loser, outcome.called, outcome.tied) == (BEN, True, ())
    level = replace(late, players=(state.players[1], state.players[1], state.players[2]))
    outcome = apply(level, Move(Kind.CALL, 0)).outcome
    assert outcome is not None
    assert (outcome.loser, outcome.tied) == (None, (ANN, BEN))


def test_a_late_drawer_is_still_owed_the_cards() -> None:
    state = apply(unseen("classic", 3, pile="4S", stock=2), Move.parse("0 play 9H 9S"), draw=False)
    assert (state.owed(ANN), state.turn) == (2, BEN)
    state = apply(state, Move.parse("1 play JH"), draw=False)
    assert (state.owed(ANN), state.owed(BEN)) == (2, 1)
    state = play(state, "0 draw 2")
    assert (state.owed(ANN), state.owed(BEN), state.players[ANN].hand.size) == (0, 0, 3)
    assert state.phase is Phase.PLAY


def test_who_owes_cards_and_has_no_hand_draws_first() -> None:
    state = position("classic", "up KH KS 5D down ?3", UNSEEN, pile="QS", stock=4)
    assert moves(state) == ["0 draw 3"]
    assert refused(state, "0 play up KH") == "draw-first"
    assert legal_ranks(state).zone == "draw"


def test_a_hand_above_its_size_draws_nothing() -> None:
    state = position("classic", "hand KH 5S 5C 6D up ?3 down ?3", UNSEEN, pile="QS", stock=4)
    assert play(state, "0 play KH").players[ANN].hand == Zone(state.players[ANN].hand.known[1:])


def test_four_completed_out_of_turn() -> None:
    rules = "palace four-out-of-turn=yes"
    state = position(rules, "hand ?3", "hand ?3", "hand 9S 9H 4S up ?3", pile="4H 9C 9D", turn=BEN)
    assert "2 complete 9S 9H" in moves(state)
    assert refused(state, "2 complete 9S") == "not-four"
    after = play(state, "2 complete 9S 9H")
    assert (after.turn, after.pile.size, after.lead) == (CEM, 0, 10)
    off = position("palace", "hand ?3", "hand ?3", "hand 9S 9H 4S up ?3", pile="4H 9C 9D", turn=BEN)
    assert refused(off, "2 complete 9S 9H") == "no-out-of-turn"


def test_a_card_just_drawn_may_follow() -> None:
    state = apply(unseen("hostel follow-up=yes", 4, pile="6S", stock=9), Move.parse("0 play 8H"), draw=False)
    assert state.turn == CEM
    assert refused(state, "0 follow 8S") == "not-drawn"
    state = play(state, "0 draw 3 8S 4H 5H")
    followed = play(state, "0 follow 8S")
    assert (followed.turn, followed.pile.size, followed.turns) == (DORA, 3, 1), "two 8s skip two"
    moved_on = play(state, "2 play 9H")
    assert refused(moved_on, "0 follow 8S") == "no-follow-up"


def test_the_top_stock_card_may_be_turned_instead_of_picking_up() -> None:
    state = position("classic flip-stock=yes", "hand 4S ?2 up ?3 down ?3", "hand ?3", pile="9S", stock=5)
    fits = play(state, "0 flip KH")
    assert (fits.turn, fits.top, fits.stock.size) == (BEN, lay("KH").cards[0], 4)
    fails = play(state, "0 flip 5H")
    assert (fails.turn, str(fails.players[ANN].hand)) == (BEN, "4S 9S 5H ?2")
    assert refused(unseen("classic", 2, pile="9S", stock=4), "0 flip KH") == "no-flip"


def test_a_shooting_ace_is_answered_only_by_aces_and_cards_for_anything() -> None:
    state = unseen("classic ace=shooting seven=under acting=free jokers=1 joker=reverse", 2, pile="AS")
    assert ranks(state) == "27TAX"
    assert refused(state, "0 play KS") == "only-same"


def test_low_cards_may_be_the_or_lower_card_and_jacks_may_act() -> None:
    assert ranks(unseen("classic five=at-most", 2, pile="5S")) == "2345T"
    assert ranks(unseen("classic six=under", 2, pile="6S")) == "2345T"
    assert play(unseen("classic jack=skip", 3, pile="6S"), "0 play JS").turn == CEM
    assert play(unseen("classic jack=reverse", 3, pile="6S"), "0 play JS").turn == CEM
    assert play(unseen("classic eight=reverse", 5, pile="6S"), "0 play 8S").turn == EVE
