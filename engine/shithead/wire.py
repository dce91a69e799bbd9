"""The JSON of events, as the phone, the camera, other programs and the records speak it (``docs/protocol.md``).

An event is an object whose ``event`` names its kind. :func:`parse` is strict, so that a misspelt field is told, never
silently ignored, and is the exact inverse of :func:`dump`. Seats are names here and indices inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from engine.cards import Card, CardError
from engine.shithead.events import EDITS, KINDS, UNKNOWN, Event, Flipped, Reading, Show, Source, Turned, Zone

MAX_CARDS: Final = 200
"""Cards in one event; three decks with their jokers have 162."""


class EventError(ValueError):
    """An event that cannot be understood. ``code`` is stable: ``event-json``, ``event-kind``, ``event-field``,
    ``event-card``, ``event-player``."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def parse(value: object, players: Sequence[str]) -> Event:
    """The event that a JSON value says, at a table of these players. Raises EventError, in one sentence."""
    if not isinstance(value, Mapping):
        raise EventError("event-json", 'an event is a JSON object, such as {"event": "laid", "cards": ["7H"]}')
    kind = value.get("event")
    if not isinstance(kind, str) or kind not in KINDS:
        raise EventError("event-kind", f"event is {_short(kind)}; use one of {', '.join(KINDS)}")
    made = KINDS[kind]
    names = {_json_name(item): item for item in fields(made)}
    if unknown := [name for name in value if name not in names and name != "event"]:
        known = ", ".join(name for name in names)
        raise EventError("event-field", f"{kind} has no field {_short(unknown[0])}; it may have {known}")
    arguments: dict[str, Any] = {}
    for name, item in names.items():
        if name not in value or (value[name] is None and _optional(item)):
            if not _optional(item):
                raise EventError("event-field", f"{kind} needs the field {name!r}")
            continue
        arguments[item.name] = _Parser(players, kind, name).parse(item.name, made, value[name])
    return made(**arguments)


def dump(event: Event, players: Sequence[str]) -> dict[str, object]:
    """The JSON object for an event: what is at its default is left out."""
    value: dict[str, object] = {"event": event.kind}
    for item in fields(event):
        content = getattr(event, item.name)
        if _optional(item) and content == _default(item):
            continue
        value[_json_name(item)] = _json(item.name, content, players)
    return value


class _Parser:
    """Reads one field, with what is needed to say what is wrong with it."""

    def __init__(self, players: Sequence[str], kind: str, name: str) -> None:
        self.players, self.kind, self.name = players, kind, name

    def parse(self, field_name: str, made: type[Event], value: object) -> object:
        if field_name == "upcards":
            return self.deal(value)
        if field_name == "card" and made in (Turned, Flipped) and value is None:
            return Reading()
        return _READERS[field_name](self, value)

    def fault(self, value: object, wanted: str, code: str = "event-field") -> EventError:
        return EventError(code, f"{self.name} of {self.kind} is {_short(value)}; use {wanted}")

    def seat(self, value: object) -> int:
        if isinstance(value, str) and value in self.players:
            return self.players.index(value)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(self.players):
            return value
        names = ", ".join(self.players)
        raise self.fault(value, f"a player ({names}) or an index from 0 to {len(self.players) - 1}", "event-player")

    def reading(self, value: object) -> Reading:
        try:
            if value == UNKNOWN or value == {}:
                return Reading()
            if isinstance(value, str):
                return Reading.of(value)
            if isinstance(value, Mapping):
                named = {key: self.number(p, "a likelihood from 0 to 1") for key, p in value.items() if key != UNKNOWN}
                likelihoods: dict[Card, float] = {}
                for key, p in named.items():
                    card = Card.parse(key)
                    likelihoods[card] = likelihoods.get(card, 0.0) + p
                rest = self.number(value.get(UNKNOWN, 0.0), "a likelihood from 0 to 1")
                scale = max(1.0, sum(likelihoods.values()) + rest)
                return Reading.weigh({card: p / scale for card, p in likelihoods.items()})
        except CardError as error:
            raise EventError("event-card", f"{self.name} of {self.kind}: {_short(str(error))[1:-1]}") from None
        raise self.fault(value, 'a card such as "7H", "7?" or "??", or likelihoods such as {"6H": 0.7}', "event-card")

    def readings(self, value: object) -> tuple[Reading, ...]:
        if not isinstance(value, list | tuple) or len(value) > MAX_CARDS:
            raise self.fault(value, f"a list of at most {MAX_CARDS} cards")
        if self.kind == "laid" and not value:
            raise self.fault(value, "a list of at least one card")
        return tuple(self.reading(item) for item in value)

    def deal(self, value: object) -> dict[int, tuple[Reading, ...]]:
        if not isinstance(value, Mapping):
            raise self.fault(value, 'an object of players and their cards, such as {"Ann": ["7H", "KS", "3D"]}')
        return {self.seat(name): self.readings(cards) for name, cards in value.items()}

    def count(self, value: object) -> dict[int, float]:
        if isinstance(value, int) and not isinstance(value, bool):
            value = {str(value): 1.0}
        wanted = 'a number of cards, or likelihoods such as {"1": 0.6, "2": 0.4}'
        if not isinstance(value, Mapping):
            raise self.fault(value, wanted)
        counts: dict[int, float] = {}
        for key, p in value.items():
            if not isinstance(key, str) or not key.isdecimal() or not 1 <= int(key[:9]) <= MAX_CARDS:
                raise self.fault(key, wanted)
            if (weight := self.number(p, wanted)) > 0:
                counts[int(key)] = weight
        total = sum(counts.values())
        if not total:
            raise self.fault(value, wanted)
        return {number: weight / total for number, weight in sorted(counts.items())}

    def number(self, value: object, wanted: str, least: float = 0.0, most: float = 1.0) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise self.fault(value, wanted)
        return float(value)

    def truth(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise self.fault(value, "true or false")
        return value

    def whole(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 31:
            raise self.fault(value, "a whole number of 0 or more")
        return value

    def probability(self, value: object) -> float:
        return self.number(value, "a number from 0 to 1")

    def zone(self, value: object) -> Zone:
        if value not in tuple(Zone):
            raise self.fault(value, "hand, upcards or downcards")
        return Zone(str(value))

    def origin(self, value: object) -> Source:
        if value not in tuple(Source):
            raise self.fault(value, "camera, person or engine")
        return Source(str(value))

    def identity(self, value: object) -> str | int:
        if isinstance(value, bool) or not isinstance(value, str | int) or len(str(value)[:101]) > 100:
            raise self.fault(value, "a text or a whole number, of at most 100 characters")
        return value

    def question(self, value: object) -> str:
        if not isinstance(value, str) or len(value) > 100:
            raise self.fault(value, "the id of the question")
        return value

    def moment(self, value: object) -> float:
        if isinstance(value, str):
            try:
                return datetime.fromisoformat(value).timestamp()
            except (ValueError, OverflowError, OSError):
                pass
        return self.number(value, "seconds or a time such as 2026-03-01T20:15:04Z", -1e15, 1e15)

    def event(self, value: object) -> Event | None:
        if value is None and self.kind == "correct":
            return None
        event = parse(value, self.players)
        if isinstance(event, (*EDITS, Show)):
            raise self.fault(event.kind, "an event of the table, not one about events")
        return event

    def choice(self, value: object) -> int | Event:
        if isinstance(value, Mapping):
            event = self.event(value)
            assert event is not None
            return event
        return self.whole(value)


_READERS: Final[Mapping[str, Callable[[_Parser, Any], object]]] = {
    "id": _Parser.identity,
    "at": _Parser.moment,
    "source": _Parser.origin,
    "confidence": _Parser.probability,
    "seat": _Parser.seat,
    "seat_score": _Parser.probability,
    "dealer": _Parser.seat,
    "draws": _Parser.truth,
    "cards": _Parser.readings,
    "card": _Parser.reading,
    "first": _Parser.reading,
    "count": lambda parser, value: parser.whole(value) if parser.kind == "drawn" else parser.count(value),
    "zone": _Parser.zone,
    "left": _Parser.whole,
    "aside": _Parser.truth,
    "question": _Parser.question,
    "choice": _Parser.choice,
    "seq": _Parser.whole,
    "before": _Parser.whole,
    "to": _Parser.whole,
    "event": _Parser.event,
}


def _json(name: str, content: Any, players: Sequence[str]) -> object:
    if name in ("seat", "dealer"):
        return players[content]
    if name == "upcards":
        return {players[seat]: _cards(cards) for seat, cards in content.items()}
    if name == "cards":
        return _cards(content)
    if isinstance(content, Reading):
        return _card(content)
    if isinstance(content, Event):
        return dump(content, players)
    if name == "count" and isinstance(content, Mapping):
        return next(iter(content)) if len(content) == 1 else {str(number): p for number, p in content.items()}
    return content.value if isinstance(content, StrEnum) else content


def _cards(readings: Iterable[Reading]) -> list[object]:
    return [_card(reading) for reading in readings]


def _card(reading: Reading) -> object:
    if len(reading.faces) == 1 and reading.faces[0][1] >= 1:
        return str(reading.faces[0][0])
    return {str(card): p for card, p in reading.faces} or UNKNOWN


def _json_name(item: Any) -> str:
    return str(item.metadata.get("json", item.name))


def _optional(item: Any) -> bool:
    return item.default is not MISSING or item.default_factory is not MISSING


def _default(item: Any) -> object:
    return item.default if item.default is not MISSING else item.default_factory()


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:76]} ..."
