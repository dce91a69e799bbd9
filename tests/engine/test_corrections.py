"""A correction is told what speaks against it: that it cannot be, or what it makes of the plays that came later."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Rank
from engine.shithead import rules
from engine.shithead.belief import Verdict
from engine.shithead.consequences import is_taken, misfits
from engine.shithead.events import Correct, Event, Insert, Laid, Reading, Undo
from engine.shithead.game import Game
from engine.shithead.referee import rule
from engine.shithead.telling import deal_event, events_of
from tests.engine.referees import NAMES, Told, codes, dealt
from tests.engine.selfplay import play

UPCARDS = {"Ann": ["3H", "9C", "KD"], "Ben": ["4H", "9D", "KC"], "Cem": ["5H", "9S", "KS"]}


def started() -> Told:
    told = dealt(upcards=UPCARDS)
    told.laid("6C")
    told.laid("7C")
    told.laid("8C")
    return told


@pytest.mark.parametrize(
    ("seq", "cards", "first"),
    [
        (3, ["6?", "6?", "6?", "6?"], "has-at-most"),  # three cards were in hand
        (4, ["9?", "9?"], "has-at-most"),  # three nines lie among the upcards
        (5, ["7C"], None),  # it lies there already, as another's: a suit may be misread
        (4, ["6D"], None),
        (3, ["QH"], "then-illegal"),
        (3, ["8C"], "then-illegal"),
    ],
)
def test_what_cannot_be_is_told_with_the_correction(seq: int, cards: list[str], first: str | None) -> None:
    told = started()
    answer = told("correct", seq=seq, with_={"event": "laid", "cards": cards})
    said = [code for code in codes(answer)[1:] if code in ("has-at-most", "has-none", "cannot-be", "then-illegal")]
    assert said[:1] == ([first] if first else [])


def test_a_card_that_is_gone_is_refused_however_it_is_said() -> None:
    told = dealt(upcards={**UPCARDS, "Ann": ["9H", "9C", "KD"]})
    told.laid("6C")
    told.laid("7C")
    told.laid("8C")
    for event in ("correct", "insert"):
        place = {"seq": 4} if event == "correct" else {"before": 5}
        answer = Told.__call__(told, event, **place, with_={"event": "laid", "cards": ["9?", "9?"]})
        assert "has-none" in codes(answer) or "has-at-most" in codes(answer), event


def test_a_correction_says_which_later_play_it_would_rename() -> None:
    told = started()
    told("pick-up")
    told.laid("9H")  # the last nine
    answer = told("correct", seq=4, with_={"event": "laid", "cards": ["9H"]})
    assert codes(answer)[1:3] == ["then-illegal", "then-otherwise"]


def test_a_person_who_insists_is_believed_where_cards_were_only_counted() -> None:
    """Four sixes out of a hand that was counted to be three: one card more than was counted."""
    told = started()
    before = sum_of_cards(told)
    answer = told("correct", seq=3, with_={"event": "laid", "cards": ["6C", "6D", "6H", "6S"]})
    assert answer["verdict"] == "accepted"
    assert is_taken(told.referee.game, 3)
    assert sum_of_cards(told) == before


def sum_of_cards(told: Told) -> int:
    state = told.state
    hands = sum(player.size for player in state.players)
    return hands + state.pile.size + state.burnt.size + state.stock.size


def test_nothing_speaks_against_going_back() -> None:
    game = started().referee.game
    for edit in (Undo(to=3), Correct(seq=5, event=None)):
        assert misfits(game, rule(game, edit).game, edit) == []


def played(seed: int) -> Game:
    game = Game.start(rules.load("classic"), NAMES[:3])
    told: list[Event] = []
    for before, move, after in play(rules.load("classic"), 3, Random(seed), 40):
        told += [*([] if told else [deal_event(before)]), *events_of(before, move, after)]
    for event in told:
        game = rule(game, event).game
    return game


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 9), st.data())
def test_what_is_corrected_counts_or_is_told_not_to(seed: int, data: st.DataObject) -> None:
    """Whatever a person corrects or adds: either the game takes it as it was said, or something speaks against it; and
    a play is only taken for another one, or for none, where that is told."""
    game = played(seed)
    entry = data.draw(st.sampled_from([one for one in game.line if isinstance(one.event, Laid)]))
    rank = data.draw(st.sampled_from([rank for rank in Rank if rank is not Rank.JOKER]))
    cards = (Reading.of(f"{rank.letter}?"),) * data.draw(st.integers(1, 4))
    assert isinstance(entry.event, Laid)
    event = replace(entry.event, cards=cards)
    edit: Event = Correct(seq=entry.seq, event=event) if data.draw(st.booleans()) else Insert(entry.seq, event)
    ruling = rule(game, edit)
    after = ruling.game
    seq = entry.seq if isinstance(edit, Correct) else after.seq
    said = misfits(game, after, edit)
    assert is_taken(after, seq) or (said and ruling.verdict is Verdict.DOUBTFUL)
    if not said:
        was = {one.seq: one.event for one in game.belief.top.path or ()}
        now = {one.seq: one.event for one in after.belief.top.path or ()}
        assert now[seq].cards[0].card.rank is rank  # type: ignore[attr-defined]
        for one in after.line:
            if isinstance(one.event, Laid) and one.seq in was and one.seq != seq:
                assert isinstance(was[one.seq], Laid) == isinstance(now[one.seq], Laid)
    assert all(not hypothesis.state.faults() for hypothesis in after.belief.hypotheses)
