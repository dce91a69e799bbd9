"""The JSON of events: every kind comes back as it was, and what is wrong is told in one sentence with a code."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import FACES, Card, Rank
from engine.shithead.events import (
    KINDS,
    Answer,
    Back,
    Burn,
    Correct,
    Deal,
    Downcards,
    Drawn,
    Event,
    Exchange,
    Gone,
    Insert,
    Laid,
    PickUp,
    Reading,
    Source,
    Stock,
    TakeBack,
    Turned,
    Undo,
    Zone,
)
from engine.shithead.wire import EventError, dump, parse

PLAYERS = ("Ann", "Ben", "Cem")
SEVEN = Reading.of("7H")

EXAMPLES: list[tuple[dict[str, object], Event]] = [
    ({"event": "laid", "cards": ["7H"]}, Laid(cards=(SEVEN,))),
    ({"event": "laid", "cards": ["7?"]}, Laid(cards=(Reading.of("7?"),))),
    ({"event": "laid", "cards": ["??"]}, Laid(cards=(Reading(),))),
    (
        {"event": "laid", "cards": ["7H"], "seat": "Ben", "from": "hand", "count": {"1": 0.25, "2": 0.75}, "id": 4},
        Laid(cards=(SEVEN,), seat=1, zone=Zone.HAND, count={1: 0.25, 2: 0.75}, id=4),
    ),
    ({"event": "laid", "cards": ["7H"], "count": 3}, Laid(cards=(SEVEN,), count={3: 1.0})),
    ({"event": "gone", "source": "camera", "confidence": 0.5}, Gone(source=Source.CAMERA, confidence=0.5)),
    ({"event": "gone", "left": 2, "at": 12.5}, Gone(left=2, at=12.5)),
    ({"event": "pick-up", "seat": "Cem", "with": "7H"}, PickUp(seat=2, card=SEVEN)),
    ({"event": "turned", "card": "7H"}, Turned(card=SEVEN)),
    ({"event": "drawn", "seat": "Ann", "count": 2}, Drawn(seat=0, count=2)),
    ({"event": "stock", "left": 0}, Stock(left=0)),
    ({"event": "stock", "source": "camera"}, Stock(source=Source.CAMERA)),
    ({"event": "downcards", "seat": "Ben", "left": 2}, Downcards(seat=1, left=2)),
    ({"event": "burn"}, Burn()),
    ({"event": "take-back"}, TakeBack()),
    ({"event": "exchange", "seat": "Ann", "upcards": ["7H"]}, Exchange(seat=0, cards=(SEVEN,))),
    ({"event": "undo", "to": 0}, Undo(to=0)),
    ({"event": "back", "to": 7}, Back(to=7)),
    ({"event": "correct", "seq": 5, "with": None}, Correct(seq=5, event=None)),
    ({"event": "correct", "seq": 5, "with": {"event": "burn"}}, Correct(seq=5, event=Burn())),
    ({"event": "insert", "before": 5, "with": {"event": "burn"}}, Insert(before=5, event=Burn())),
    ({"event": "answer", "question": "q5", "choice": 1}, Answer(question="q5", choice=1)),
    ({"event": "answer", "question": "q5", "choice": {"event": "burn"}}, Answer(question="q5", choice=Burn())),
    (
        {"event": "deal", "upcards": {"Ann": ["7H"]}, "first": "7H", "dealer": "Cem"},
        Deal(upcards={0: (SEVEN,)}, first=SEVEN, dealer=2),
    ),
    ({"event": "deal"}, Deal()),
]


@pytest.mark.parametrize(("value", "event"), EXAMPLES, ids=lambda item: json.dumps(item) if type(item) is dict else "")
def test_examples_both_ways(value: dict[str, object], event: Event) -> None:
    assert parse(value, PLAYERS) == event
    assert dump(event, PLAYERS) == value
    assert parse(json.loads(json.dumps(value)), PLAYERS) == event


def test_likelihoods_are_ordered_and_never_exceed_one() -> None:
    event = parse({"event": "laid", "cards": [{"6H": 0.9, "9H": 0.9}, {"9H": 0.1, "6H": 0.3, "??": 0.6}]}, PLAYERS)
    assert isinstance(event, Laid)
    assert event.cards[0].ranks == {Rank.SIX: 0.5, Rank.NINE: 0.5}
    assert event.cards[1].faces == ((Card.parse("6H"), 0.3), (Card.parse("9H"), 0.1))


def test_other_spellings_are_understood() -> None:
    assert parse({"event": "gone", "seat": 1}, PLAYERS) == Gone(seat=1)
    assert parse({"event": "gone", "seat": None, "at": "1970-01-01T00:01:00Z"}, PLAYERS) == Gone(at=60.0)
    assert parse({"event": "turned", "card": "10h"}, PLAYERS) == Turned(card=Reading.of("TH"))
    assert parse({"event": "turned", "card": None}, PLAYERS) == Turned(card=Reading())


@pytest.mark.parametrize(
    ("value", "code", "words"),
    [
        (None, "event-json", "JSON object"),
        ([], "event-json", "JSON object"),
        ({}, "event-kind", "use one of deal"),
        ({"event": "lay"}, "event-kind", "'lay'"),
        ({"event": ["laid"]}, "event-kind", "use one of"),
        ({"event": "laid"}, "event-field", "needs the field 'cards'"),
        ({"event": "laid", "cards": []}, "event-field", "at least one card"),
        ({"event": "laid", "cards": "7H"}, "event-field", "list"),
        ({"event": "laid", "cards": ["7H"] * 500}, "event-field", "at most"),
        ({"event": "laid", "cards": ["1H"]}, "event-card", "is not a card"),
        ({"event": "laid", "cards": [7]}, "event-card", "likelihoods"),
        ({"event": "laid", "cards": [{"7H": "much"}]}, "event-field", "0 to 1"),
        ({"event": "laid", "cards": [{"7H": -1}]}, "event-field", "0 to 1"),
        ({"event": "laid", "cards": ["7H"], "card": "7H"}, "event-field", "no field 'card'"),
        ({"event": "laid", "cards": ["7H"], "seat": "Zoë"}, "event-player", "Ann, Ben, Cem"),
        ({"event": "laid", "cards": ["7H"], "seat": 3}, "event-player", "0 to 2"),
        ({"event": "laid", "cards": ["7H"], "seat": True}, "event-player", "0 to 2"),
        ({"event": "laid", "cards": ["7H"], "count": 0}, "event-field", "number of cards"),
        ({"event": "laid", "cards": ["7H"], "count": {"1": 0}}, "event-field", "number of cards"),
        ({"event": "laid", "cards": ["7H"], "count": {"²": 1}}, "event-field", "number of cards"),
        ({"event": "laid", "cards": ["7H"], "from": "sleeve"}, "event-field", "hand, upcards"),
        ({"event": "laid", "cards": ["7H"], "source": "ghost"}, "event-field", "camera, person"),
        ({"event": "laid", "cards": ["7H"], "confidence": 7}, "event-field", "0 to 1"),
        ({"event": "laid", "cards": ["7H"], "confidence": float("nan")}, "event-field", "0 to 1"),
        ({"event": "laid", "cards": ["7H"], "at": "noon"}, "event-field", "seconds"),
        ({"event": "laid", "cards": ["7H"], "id": {}}, "event-field", "text"),
        ({"event": "undo", "to": -1}, "event-field", "0 or more"),
        ({"event": "correct", "seq": 5}, "event-field", "'with'"),
        ({"event": "correct", "seq": 5, "with": {"event": "undo", "to": 1}}, "event-field", "of the table"),
        ({"event": "insert", "before": 5, "with": None}, "event-json", "JSON object"),
        ({"event": "deal", "upcards": ["7H"]}, "event-field", "players"),
        ({"event": "deal", "upcards": {"Zoë": ["7H"]}}, "event-player", "Ann, Ben, Cem"),
    ],
)
def test_what_is_wrong_is_told(value: object, code: str, words: str) -> None:
    with pytest.raises(EventError) as caught:
        parse(value, PLAYERS)
    assert caught.value.code == code
    assert words in str(caught.value)
    assert len(str(caught.value)) < 400


readings = st.dictionaries(st.sampled_from(FACES), st.integers(1, 100), max_size=4).map(
    lambda weights: Reading.weigh({card: weight / 128 / len(weights) for card, weight in weights.items()})
)


@settings(max_examples=100, deadline=None)
@given(readings, st.lists(readings, min_size=1, max_size=5), st.sampled_from([None, 0, 1, 2]))
def test_any_reading_comes_back_as_it_was(one: Reading, several: list[Reading], seat: int | None) -> None:
    for event in (Laid(cards=tuple(several), seat=seat), Turned(card=one, seat=seat), PickUp(card=one, seat=seat)):
        back = parse(json.loads(json.dumps(dump(event, PLAYERS))), PLAYERS)
        assert type(back) is type(event)
        assert dump(back, PLAYERS) == dump(event, PLAYERS)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["7H", "Ann", "??"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["1", "7H", "event"]), inner, max_size=3)
    ),
    max_leaves=8,
)
FIELDS = [
    "cards",
    "card",
    "seat",
    "count",
    "from",
    "with",
    "seq",
    "to",
    "upcards",
    "first",
    "at",
    "id",
    "choice",
    "left",
]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(KINDS)), st.dictionaries(st.sampled_from(FIELDS), json_values, max_size=4))
def test_anything_is_understood_or_refused(kind: str, rest: dict[str, object]) -> None:
    try:
        event = parse({"event": kind, **rest}, PLAYERS)
    except EventError:
        return
    assert json.dumps(dump(event, PLAYERS), allow_nan=False)
