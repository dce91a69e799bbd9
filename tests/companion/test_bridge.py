"""Observations become events, and never more than was seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.bridge import STATUS_ONLY, confidence, event_of, heard
from companion.status import CameraState, Facts, TableState, state_of
from engine.cards import FACES, Card
from engine.shithead import events, wire
from tests.engine.referees import HIDDEN, table
from vision.types import Observation, Seen, Sighting

PLAYERS = ("Ann", "Ben", "Cem")


def seen(*likelihoods: dict[str, float]) -> tuple[Sighting, ...]:
    return tuple(Sighting({Card.parse(card): p for card, p in row.items()}) for row in likelihoods)


def test_a_laid_set_keeps_its_likelihoods_its_counts_and_its_seat() -> None:
    observation = Observation(
        Seen.LAID, 12.5, 375, seen({"6H": 0.7, "9H": 0.29}), counts={1: 3.0, 2: 1.0}, seat=1, seat_score=0.8
    )
    event = event_of(observation, exchanging=False)
    assert isinstance(event, events.Laid)
    assert event.cards[0].faces == ((Card.parse("6H"), 0.7), (Card.parse("9H"), 0.29))
    assert event.count == {1: 0.75, 2: 0.25}
    assert (event.seat, event.seat_score, event.at, event.source) == (1, 0.8, 12.5, "camera")
    assert event.confidence == 0.7


def test_the_confidence_is_that_of_the_rank_whatever_the_suit() -> None:
    assert confidence(Observation(Seen.LAID, 0, 0, seen({"7H": 0.5, "7D": 0.5}))) == 1.0
    assert confidence(Observation(Seen.LAID, 0, 0, seen({"7H": 0.9}, {"6H": 0.6, "8H": 0.4}))) == 0.6
    assert confidence(Observation(Seen.GONE, 0, 0)) == 1.0


def test_a_certain_count_is_left_out() -> None:
    event = event_of(Observation(Seen.LAID, 0, 0, seen({"7H": 1}, {"7D": 1}), counts={2: 1.0}), exchanging=False)
    assert isinstance(event, events.Laid)
    assert event.count == {}


def test_upcards_are_an_exchange_before_the_first_play_and_not_after() -> None:
    observation = Observation(Seen.UPCARDS, 0, 0, seen({"7H": 1}), seat=2)
    assert isinstance(event_of(observation, exchanging=True), events.Exchange)
    assert isinstance(event_of(observation, exchanging=False), events.Upcards)


def test_the_deal_names_the_seats_that_were_read() -> None:
    rows = (seen({"7H": 1}, {"8H": 1}, {"9H": 1}), (), seen({"KS": 1}))
    event = event_of(Observation(Seen.DEAL, 0, 0, seen({"2C": 1}), upcards=rows), exchanging=False)
    assert isinstance(event, events.Deal)
    assert sorted(event.upcards) == [0, 2]
    assert event.first is not None
    assert str(event.first) == "2C"


@pytest.mark.parametrize("kind", sorted(STATUS_ONLY))
@pytest.mark.parametrize("present", [True, False])
def test_hands_nudges_and_the_camera_are_no_events(kind: Seen, present: bool) -> None:
    assert event_of(Observation(kind, 0, 0, present=present, seat=1), exchanging=False) is None


def test_that_the_stock_is_used_up_is_told_and_that_it_lies_there_only_where_that_decides_something() -> None:
    told = table("classic", HIDDEN, HIDDEN, pile="5S", stock=3)
    lies, gone = (Observation(Seen.STOCK_LIES, 9, 0, present=present) for present in (True, False))
    assert heard(told.referee.game, lies) is None
    for card in ("9H", "JH", "QH", "KH"):  # the 9 may have been two: then the stock ended a play ago
        told.laid({card: 0.99}, count={"1": 0.92, "2": 0.08}, source="camera")
    assert heard(told.referee.game, lies) == events.Stock(at=9, source=events.Source.CAMERA)
    assert heard(told.referee.game, gone) == events.Stock(left=0, at=9, source=events.Source.CAMERA)


SIGHTINGS = st.lists(
    st.builds(
        Sighting, st.dictionaries(st.sampled_from(FACES), st.floats(0.001, 1, allow_nan=False), min_size=1, max_size=4)
    ),
    max_size=4,
).map(tuple)
OBSERVATIONS = st.builds(
    Observation,
    st.sampled_from(Seen),
    st.floats(0, 1e6),
    st.integers(0, 10**6),
    SIGHTINGS,
    st.dictionaries(st.integers(0, 8), st.floats(0, 1), max_size=3),
    st.none() | st.integers(0, 2),
    st.floats(0, 1),
    st.lists(SIGHTINGS, max_size=3).map(tuple),
    st.integers(0, 60),
    st.booleans(),
)


@given(OBSERVATIONS, st.booleans())
def test_whatever_was_seen_can_be_written_down_and_read_again(observation: Observation, exchanging: bool) -> None:
    event = event_of(observation, exchanging=exchanging)
    if event is not None:
        again = wire.parse(wire.dump(event, PLAYERS), PLAYERS)
        assert type(again) is type(event)
        assert again.at == event.at
        assert wire.dump(again, PLAYERS).keys() == wire.dump(event, PLAYERS).keys()


WATCHED = Facts(phase="play", camera=CameraState.WATCHING)
STATES = [
    (Facts(), TableState.SET_UP),
    (Facts(camera=CameraState.LOST), TableState.SET_UP),
    (Facts(phase="set-up"), TableState.BY_HAND),
    (Facts(phase="set-up", camera=CameraState.WATCHING), TableState.LOOKING),
    (Facts(phase="play", camera=CameraState.STARTING), TableState.LOOKING),
    (Facts(phase="exchange"), TableState.EXCHANGE),
    (Facts(phase="exchange", camera=CameraState.WATCHING), TableState.EXCHANGE),
    (Facts(phase="exchange", camera=CameraState.WATCHING, hand=True), TableState.HAND),
    (WATCHED, TableState.YOUR_TURN),
    (Facts(phase="play", camera=CameraState.WATCHING, hand=True, settling=True), TableState.HAND),
    (Facts(phase="play", camera=CameraState.WATCHING, settling=True), TableState.SETTLING),
    (Facts(phase="play", camera=CameraState.WATCHING, doubt=True, hand=True), TableState.PLEASE_CHECK),
    (Facts(phase="play", camera=CameraState.LOST, doubt=True), TableState.CAMERA_LOST),
    (Facts(phase="play", camera=CameraState.LOST, by_hand=True), TableState.BY_HAND),
    (Facts(phase="play", camera=CameraState.WATCHING, by_hand=True, hand=True), TableState.BY_HAND),
    (Facts(phase="play", camera=CameraState.ENDED), TableState.BY_HAND),
    (Facts(phase="play", doubt=True), TableState.PLEASE_CHECK),
    (Facts(phase="over", camera=CameraState.LOST, doubt=True), TableState.GAME_OVER),
]


@pytest.mark.parametrize(("facts", "state"), STATES)
def test_the_most_pressing_state_is_shown(facts: Facts, state: TableState) -> None:
    assert state_of(facts) is state


def test_every_state_is_reached() -> None:
    assert {state for _, state in STATES} == set(TableState)
