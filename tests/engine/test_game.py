"""A game is its list of events: undo, correction and insertion change the list, and folding it again gives the same."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.log import EditError
from engine.records import Record, load
from engine.shithead import rules, wire
from engine.shithead.belief import Verdict
from engine.shithead.events import Answer, Back, Burn, Correct, Event, Gone, Insert, Laid, Reading, Undo
from engine.shithead.folding import step
from engine.shithead.game import Game, GameError, from_header, header, replayed
from engine.shithead.referee import rule
from engine.shithead.telling import deal_event, events_of
from tests.engine.referees import NAMES, codes, dealt, words
from tests.engine.selfplay import play


def events(name: str, players: int, seed: int, most: int = 60) -> list[Event]:
    told: list[Event] = []
    for before, move, after in play(rules.load(name), players, Random(seed), most):
        told += [*([] if told else [deal_event(before)]), *events_of(before, move, after)]
    return told


def played(name: str = "classic", players: int = 3, seed: int = 1, most: int = 60) -> Game:
    game = Game.start(rules.load(name), NAMES[:players])
    for event in events(name, players, seed, most):
        game = rule(game, event).game
    return game


def folded(game: Game) -> None:
    """What was folded step by step is what the line gives when it is folded whole."""
    belief = game.beliefs[0]
    for entry in game.line:
        belief = step(belief, entry.seq, entry.event, insisted=entry.insisted)
    assert belief == game.belief
    assert len(game.beliefs) == len(game.line) + 1


def test_a_correction_far_back_is_folded_through_and_keeps_both() -> None:
    game = played()
    seq = next(entry.seq for entry in game.line if isinstance(entry.event, Laid))
    was = game.line[seq - 1].event
    assert isinstance(was, Laid)
    other = replace(was, cards=(Reading.of("2?"),))
    ruling = rule(game, Correct(seq=seq, event=other))
    assert ruling.verdict in (Verdict.ACCEPTED, Verdict.ILLEGAL)
    assert ruling.messages[0].code == "corrected"
    after = ruling.game
    assert after.log[seq - 1].event == was
    assert after.log[-1].event == Correct(seq=seq, event=other)
    assert [entry.seq for entry in after.line] == [entry.seq for entry in game.line]
    folded(after)
    assert game.line[seq - 1].event == was  # the game before is untouched


def test_undo_is_undone_by_undo() -> None:
    game = played()
    back = game.with_event(Undo(to=10))
    assert [entry.seq for entry in back.line] == list(range(1, 11))
    assert back.state == game.beliefs[10].state
    again = back.with_event(Undo(to=game.seq))
    assert again.state == game.state
    assert again.line == game.line
    assert back.with_event(Undo(to=0)).line == ()


def test_undo_takes_back_a_correction() -> None:
    game = played()
    corrected = game.with_event(Correct(seq=5, event=None))
    assert corrected.with_event(Undo(to=game.seq)).line == game.line


def test_going_back_goes_by_the_line_and_keeps_what_was_corrected_before() -> None:
    game = played(most=20)
    added = game.with_event(Insert(before=8, event=Burn()))
    corrected = added.with_event(Correct(seq=3, event=None))
    back = corrected.with_event(Back(to=added.seq))
    assert [entry.seq for entry in back.line] == [1, 2, 4, 5, 6, 7, added.seq]
    folded(back)
    assert back.with_event(Undo(to=corrected.seq)).line == corrected.line
    assert corrected.with_event(Back(to=0)).line == ()


def test_removing_and_inserting_give_the_same_game_again() -> None:
    game = played()
    seq = 20
    event = game.line[seq - 1].event
    removed = game.with_event(Correct(seq=seq, event=None))
    assert seq not in [entry.seq for entry in removed.line]
    folded(removed)
    back = removed.with_event(Insert(before=seq + 1, event=event))
    assert back.state == game.state
    folded(back)


def test_inserting_at_the_end_is_adding() -> None:
    game = played(most=10)
    assert game.with_event(Insert(before=game.seq + 1, event=Gone())).state == game.with_event(Gone()).state


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Correct(seq=999, event=None), "unknown-seq"),
        (Correct(seq=0, event=Burn()), "unknown-seq"),
        (Insert(before=999, event=Burn()), "unknown-seq"),
        (Undo(to=999), "unknown-seq"),
        (Back(to=999), "unknown-seq"),
        (Answer(question="q5", choice=0), "unknown-question"),
        (Answer(question="zzz", choice=0), "unknown-question"),
        (Answer(question="q²", choice=0), "unknown-question"),
        (Answer(question="q999", choice=Burn()), "unknown-seq"),
    ],
)
def test_correcting_what_is_not_there_is_an_error_and_is_not_logged(event: Event, code: str) -> None:
    game = played(most=10)
    ruling = rule(game, event)
    assert (ruling.verdict, ruling.seq, ruling.game) == (Verdict.ERROR, None, game)
    assert ruling.messages[0].code == code
    with pytest.raises(EditError):
        game.with_event(event)


def test_an_answer_with_a_candidate_that_is_not_there() -> None:
    told = dealt()
    asked = told.laid({"6H": 0.5, "9H": 0.5})
    answer = told("answer", question=asked["question"]["id"], choice=17)
    assert (answer["verdict"], codes(answer)) == ("error", ["unknown-choice"])
    assert told("answer", question=asked["question"]["id"], choice=1)["verdict"] == "accepted"


def test_a_correction_says_that_a_later_play_is_illegal_now() -> None:
    told = dealt()
    told.laid("5H")
    told.laid("6H")
    told.laid("8H")
    told.laid("9H")
    answer = told("correct", seq=4, with_={"event": "laid", "cards": ["KH"], "seat": "Ben"})
    assert codes(answer)[:2] == ["corrected", "then-illegal"]
    assert answer["view"]["pile"]["cards"] == ["5H", "KH", "8H", "9H"]  # it was let stand by what followed
    assert answer["view"]["turn"] == "Ben"


def test_correcting_the_last_event_says_what_it_did() -> None:
    told = dealt()
    told.laid("5H")
    answer = told("correct", seq=3, with_={"event": "laid", "cards": ["TH"], "seat": "Ann"})
    assert words(answer) == "corrected; Ann plays 10; 10 burns the pile; Ann again"


@pytest.mark.parametrize(("name", "players"), [("classic", 3), ("palace+jokers", 4), ("hostel", 2)])
def test_a_record_gives_the_same_game(tmp_path: object, name: str, players: int) -> None:
    game = Game.start(rules.load(name), NAMES[:players], dealer=1)
    path = f"{tmp_path}/game.jsonl"
    random = Random(3)
    with Record.create(path, header(game)) as record:
        for event in events(name, players, 5, 40):
            several: list[Event] = [event]
            if game.seq in (10, 25):
                several.append(Correct(seq=random.randint(2, game.seq), event=Burn()))
            for one in several:
                ruling = rule(game, one)
                game = ruling.game
                assert record.append(wire.dump(game.log[-1].event, game.players)) == ruling.seq
    again, faults = replayed(load(path))
    assert faults == []
    assert again.line == game.line
    assert again.belief == game.belief
    assert (again.players, again.rules, again.dealer) == (game.players, game.rules, game.dealer)


def test_an_event_of_a_record_that_cannot_be_followed_keeps_its_number(tmp_path: object) -> None:
    game = Game.start(rules.load("classic"), NAMES[:2])
    path = f"{tmp_path}/game.jsonl"
    with Record.create(path, header(game)) as record:
        record.append({"event": "start", "seat": "Ann"})
        record.append({"event": "teleport"})
        record.append({"event": "laid", "cards": ["5H"]})
        record.append({"event": "correct", "seq": 3, "with": {"event": "laid", "cards": ["6H"]}})
    again, faults = replayed(load(path))
    assert len(faults) == 1
    assert "event 2" in faults[0]
    assert [str(card) for card in again.state.pile.known] == ["6H"]


@pytest.mark.parametrize(
    "players", [(), ("Ann",), ("Ann", "Ann"), ("Ann", ""), ("Ann", "Ben\n"), ("Ann", "B" * 50), NAMES[:6]]
)
def test_players_that_cannot_be(players: tuple[str, ...]) -> None:
    with pytest.raises(GameError):
        Game.start(rules.load("classic"), players)


@pytest.mark.parametrize("first", [{}, {"game": "chess"}, {"game": "shithead", "rules": {}, "players": ["A", "B"]}])
def test_a_header_that_begins_no_game(first: dict[str, object]) -> None:
    with pytest.raises(GameError):
        from_header(first)


POOL = [event for seed in range(3) for event in events("classic", 3, seed, 25)]
edits = st.one_of(
    st.builds(Undo, to=st.integers(0, 40)),
    st.builds(Correct, seq=st.integers(1, 40), event=st.none() | st.sampled_from(POOL)),
    st.builds(Insert, before=st.integers(1, 40), event=st.sampled_from(POOL)),
    st.sampled_from(POOL),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(edits, min_size=1, max_size=12))
def test_any_edits_fold_to_the_same_and_conserve_the_cards(several: list[Event]) -> None:
    game = played(most=15)
    for event in several:
        ruling = rule(game, event)
        game = ruling.game
        assert all(hypothesis.state.faults() == [] for hypothesis in game.belief.hypotheses)
    folded(game)
    replay = Game.start(game.rules, game.players)
    for entry in game.log:
        replay = replay.with_event(entry.event)
    assert replay.belief == game.belief


@pytest.mark.parametrize("cards", [["JC"], ["QC", "QH"]])
def test_a_face_needs_room_in_its_rank_beside_what_is_known_of_the_hand(cards: list[str]) -> None:
    """Two jacks may lie on the pile and two are known in Cem's hand: a fifth, JC, cannot be played."""
    game = played(most=15)
    for laid, seat in ((["2S", "2H"], 1), (cards, 2)):
        game = rule(game, wire.parse({"event": "laid", "cards": laid, "seat": seat}, game.players)).game
        assert all(hypothesis.state.faults() == [] for hypothesis in game.belief.hypotheses)
