"""What holds in every game, under every combination of options: played at random by hypothesis."""

# ruff: noqa: PT017 (either outcome is right, and both are looked at)
from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.cards import STANDARD
from engine.shithead.bots import BOTS
from engine.shithead.dealing import deal, deal_seen
from engine.shithead.legal import legal_moves, legal_ranks, playing_from
from engine.shithead.moves import Kind, Move, MoveError
from engine.shithead.play import ImpossibleMove, apply
from engine.shithead.refusal import why_not
from engine.shithead.rules import RuleSet, load
from engine.shithead.state import Phase, State, hide
from engine.shithead.text import TextError, dump, parse
from engine.zones import Zone
from tests.engine.test_reference import any_rules


def reshuffled(state: State, seat: int | None, rng: Random) -> State:
    """The same for ``seat`` (None: for the whole table), with all that it cannot see dealt anew."""
    zones = [state.stock.known, *(player.down.known for player in state.players)]
    hidden = [card for zone in zones for card in zone]
    for index, player in enumerate(state.players):
        if index != seat:
            own = list(player.hand.known)
            for card in player.shown:
                own.remove(card)
            hidden += own
    rng.shuffle(hidden)
    players = []
    for index, player in enumerate(state.players):
        hand = player.hand
        if index != seat:
            hand = Zone((*player.shown, *(hidden.pop() for _ in range(hand.size - len(player.shown)))))
        down = Zone(tuple(hidden.pop() for _ in range(player.down.size)))
        players.append(player._replace(hand=hand, down=down))
    return replace(state, players=tuple(players), stock=Zone(tuple(hidden)), follow=None)


def watched(seen: State, move: Move) -> State:
    """The move at a table that is watched: cards are drawn where a hand visits the stock."""
    after = apply(seen, move, draw=False)
    owed = after.owed(move.seat)
    if owed and move.cards and move.kind in (Kind.PLAY, Kind.COMPLETE, Kind.FOLLOW):
        after = apply(after, Move(Kind.DRAW, move.seat, number=owed))
    return after


class AnyGame(RuleBasedStateMachine):
    """One game, known whole and as the table sees it, side by side."""

    @initialize(rules=any_rules(), seed=st.integers(0, 10**6), players=st.integers(2, 5))
    def begin(self, rules: RuleSet, seed: int, players: int) -> None:
        players = min(players, rules.max_players)
        self.rng = Random(seed)
        self.state = deal(rules, players, self.rng, dealer=seed % players)
        upcards = [(*player.up.known, *player.shown) for player in self.state.players]
        first = self.state.pile.known[0] if self.state.pile.known else None
        self.seen = deal_seen(rules, upcards, first, dealer=seed % players)

    @precondition(lambda self: self.state.phase is not Phase.OVER)
    @rule(choice=st.integers(0, 10**6), willing=st.booleans())
    def move(self, choice: int, willing: bool) -> None:
        moves = legal_moves(self.state)
        assert moves, "nobody can move and the game is not over"
        plays = [move for move in moves if move.kind not in (Kind.PICK_UP, Kind.EXCHANGE)]
        move = (plays if willing and plays else moves)[choice % len(plays if willing and plays else moves)]
        assert why_not(self.state, move) is None
        assert why_not(self.seen, move) is None, "the table, which sees less, refuses what is allowed"
        assert Move.parse(str(move)) == move
        turns = self.state.turns
        self.state = apply(self.state, move)
        self.seen = watched(self.seen, move)
        assert self.state.turns - turns in (0, 1)

    @invariant()
    def nothing_is_wrong(self) -> None:
        if hasattr(self, "state"):
            assert self.state.faults() == []
            assert self.seen.faults() == []
            assert self.state.is_known

    @invariant()
    def texts_round_trip(self) -> None:
        if hasattr(self, "state"):
            assert parse(dump(self.state)) == self.state
            assert parse(dump(self.seen)) == self.seen

    @invariant()
    def the_table_sees_what_hiding_leaves(self) -> None:
        if hasattr(self, "state"):
            assert hide(self.state) == self.seen
            assert hide(self.seen) == self.seen

    @invariant()
    def hidden_cards_show_nowhere(self) -> None:
        if hasattr(self, "state"):
            plain = replace(self.state, follow=None)
            for seat in (None, *range(len(plain.players))):
                assert hide(plain, seat) == hide(reshuffled(plain, seat, self.rng), seat)

    @invariant()
    def bots_do_not_look_at_hidden_cards(self) -> None:
        if not hasattr(self, "state") or self.state.phase is not Phase.PLAY:
            return
        state = replace(self.state, follow=None)
        seat = state.turn
        other = reshuffled(state, seat, self.rng)
        mine = [[move for move in legal_moves(one) if move.seat == seat] for one in (state, other)]
        for bot in BOTS.values():
            first, second = (bot.choose(one, moves, Random(1)) for one, moves in zip((state, other), mine, strict=True))
            if first.kind in (Kind.TURN, Kind.FLIP):
                assert (second.kind, mine[0].index(first)) == (first.kind, mine[1].index(second))
            else:
                assert first == second

    @invariant()
    def what_is_legal_is_among_the_legal_ranks(self) -> None:
        if hasattr(self, "state") and self.state.phase is Phase.PLAY:
            told = legal_ranks(self.seen)
            moves = [move for move in legal_moves(self.state) if move.seat == self.state.turn]
            assert {move.rank for move in moves if move.kind is Kind.PLAY} <= set(told.ranks)
            assert told.zone == playing_from(self.state, self.state.turn)
            kinds = {move.kind for move in moves}
            assert Kind.PASS not in kinds or told.passing
            assert (Kind.TURN in kinds) is told.turn_down
            assert Kind.PICK_UP not in kinds or told.pick_up
            assert Kind.FLIP not in kinds or told.flip


AnyGame.TestCase.settings = settings(
    max_examples=15, stateful_step_count=45, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestAnyGame = AnyGame.TestCase


@settings(deadline=None)
@given(st.text(alphabet="0123456789playpick-upturn?XKHSDC ;", max_size=60))
def test_any_text_is_a_move_or_says_why_not(text: str) -> None:
    try:
        assert Move.parse(str(Move.parse(text))) == Move.parse(text)
    except MoveError as error:
        assert str(error)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_broken_state_text_is_refused_and_never_crashes(data: st.DataObject) -> None:
    text = dump(deal(load("hostel"), 3, Random(4)))
    place = data.draw(st.integers(0, len(text) - 1))
    junk = data.draw(st.text(max_size=4))
    try:
        state = parse(text[:place] + junk + text[place + data.draw(st.integers(0, 9)) :])
    except TextError as error:
        assert str(error)
    else:
        assert isinstance(state.faults(), list)


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_any_move_at_all_is_done_or_refused_with_a_reason(data: st.DataObject) -> None:
    """apply() and why_not() take what a referee might be told, possible or not."""
    state = deal(load("palace+jokers"), 3, Random(data.draw(st.integers(0, 50))))
    state = apply(state, Move(Kind.START, state.starters[0]))
    state = hide(state) if data.draw(st.booleans()) else state
    for _ in range(6):
        cards = tuple(data.draw(st.lists(st.sampled_from(STANDARD), max_size=2)))
        up = tuple(data.draw(st.lists(st.sampled_from(STANDARD), max_size=1)))
        kind = data.draw(st.sampled_from(list(Kind)))
        move = Move(kind, data.draw(st.integers(0, 2)), cards, up, data.draw(st.integers(0, 3)))
        legal = why_not(state, move) is None
        try:
            state = apply(state, move)
        except ImpossibleMove as error:
            assert error.code
            assert str(error)
            assert not legal or kind in (Kind.TURN, Kind.FLIP, Kind.DRAW), (str(move), error.code)
        total = sum(zone.size for zone in state.zones.values())
        assert total == state.rules.deck_size
        if state.phase is Phase.OVER:
            return


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("seat 0 hand 4H ?2; seat 1 hand 4H", "4H is in the game 2 times"),
        ("seat 0 hand ?60; seat 1 hand ?3", "63 cards in all, the deck has 52"),
        ("seat 0 hand 4? 4? 4? 4? 4?; seat 1 hand ?3", "there are 5 cards of rank 4"),
        ("turn 7; seat 0 hand ?3; seat 1 hand ?3", "it is nobody's turn"),
        ("out 1; seat 0 hand ?3; seat 1 hand ?3", "seat 1 is out with cards"),
        ("seat 0; seat 1 hand ?3", "seat 0 has no card but is in"),
        ("lead 10; pile 4H; seat 0 hand ?3; seat 1 hand ?3", "a lead is restricted although the pile is not empty"),
        ("seat 0 hand XX; seat 1 hand ?3", "XX is in the game 1 times, the deck has none"),
        ("seat 0 hand ?2 shown 4H; seat 1 hand ?3", "seat 0 has shown cards that are not in the hand"),
    ],
)
def test_faults_tell_all_that_is_wrong(text: str, fault: str) -> None:
    head = "" if text.startswith("turn") else "turn 0; "
    state = parse(f"rules classic; phase play; {head}{text}")
    found = state.faults()
    assert any(one.startswith(fault) for one in found), found


def test_several_faults_are_told_at_once() -> None:
    state = parse("rules hostel; phase play; out 3; lead 4; pile 4H; seat 0 hand 4H; seat 1")
    assert len(state.faults()) >= 5
