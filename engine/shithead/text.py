"""The text form of whole states, one line that round-trips.

``rules hostel; phase play; turn 1; direction +; dealer 0; turns 17; out 2; stock ?12; pile 4H 7S; seat 0 hand 4H ?2
shown 4H up KH down ?3; ...``. What is empty or usual is left out.
"""

from __future__ import annotations

from typing import Any, Final

from engine.cards import Card, CardError, Rank
from engine.shithead.rules import RuleError, RuleSet
from engine.shithead.state import FollowUp, Phase, Player, State
from engine.zones import Zone, ZoneError

_PARTS: Final = ("hand", "up", "down", "shown")


class TextError(ValueError):
    """A text that describes no state."""


def dump(state: State) -> str:
    """The text form of a state."""
    fields = [f"rules {state.rules}", f"phase {state.phase.value}"]
    if state.turn >= 0:
        fields.append(f"turn {state.turn}")
    fields.append(f"direction {'+' if state.direction > 0 else '-'}")
    fields.append(f"dealer {state.dealer}")
    for name, value in (("lead", state.lead), ("turns", state.turns)):
        if value:
            fields.append(f"{name} {value}")
    for name, seats in (("out", state.out), ("starters", state.starters)):
        if seats:
            fields.append(f"{name} {' '.join(str(seat) for seat in seats)}")
    for name, zone in (("stock", state.stock), ("pile", state.pile), ("burnt", state.burnt)):
        if zone.size:
            fields.append(f"{name} {zone}")
    if state.turned_first:
        fields.append("turned-first")
    if state.called:
        fields.append("called")
    if state.open_start:
        fields.append("open-start")
    if state.follow is not None:
        seat, rank, count, direction, drawn, unknown = state.follow
        cards = Zone(drawn, unknown)
        fields.append(f"follow {seat} {rank.letter} {count} {'+' if direction > 0 else '-'} {cards}")
    for index, player in enumerate(state.players):
        words = [f"seat {index}"]
        for name, zone in (("hand", player.hand), ("up", player.up), ("down", player.down)):
            if zone.size:
                words.append(f"{name} {zone}")
        if player.shown:
            words.append(f"shown {Zone(player.shown)}")
        fields.append(" ".join(words))
    return "; ".join(fields)


def parse(text: str) -> State:
    """The state for a text as :func:`dump` gives it. Raises TextError."""
    values: dict[str, Any] = {}
    players: list[Player] = []
    for part in text.split(";"):
        name, _, rest = part.strip().partition(" ")
        try:
            if name == "seat":
                if name in values:
                    raise TextError("seats come last")
                players.append(_player(rest, len(players)))
            elif name in values:
                raise TextError("it is given twice")
            else:
                values[name] = _READ[name](rest)
        except KeyError:
            raise TextError(
                f"{part.strip()!r} is not a part of a state: the parts are {', '.join(_READ)}, seat"
            ) from None
        except (RuleError, CardError, ZoneError, ValueError, IndexError) as error:
            raise TextError(f"{part.strip()!r} cannot be read: {error}") from None
    if "rules" not in values:
        raise TextError("a state begins with its rules, like `rules hostel`")
    if not players:
        raise TextError("a state has seats, like `seat 0 hand ?3 up KH 2S 4D down ?3`")
    return State(players=tuple(players), **{name.replace("-", "_"): value for name, value in values.items()})


def _seats(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split())


def _direction(text: str) -> int:
    if text not in ("+", "-"):
        raise ValueError("the direction is + or -")
    return 1 if text == "+" else -1


def _true(text: str) -> bool:
    if text:
        raise ValueError("it stands alone")
    return True


def _follow(text: str) -> FollowUp:
    seat, rank, count, direction, *cards = text.split()
    zone = Zone.parse(" ".join(cards))
    return FollowUp(int(seat), Rank.parse(rank), int(count), _direction(direction), zone.known, zone.unknown)


def _player(text: str, index: int) -> Player:
    number, *words = text.split()
    if int(number) != index:
        raise ValueError(f"seat {index} comes next")
    parts: dict[str, list[str]] = {}
    current: list[str] = []
    for word in words:
        if word in _PARTS:
            if word in parts:
                raise ValueError(f"{word} is given twice")
            current = parts.setdefault(word, [])
        elif not parts:
            raise ValueError(f"{word} belongs to nothing: write hand, up, down or shown before the cards")
        else:
            current.append(word)
    zones = {name: Zone.parse(" ".join(parts.get(name, []))) for name in _PARTS}
    shown: tuple[Card, ...] = zones["shown"].known
    return Player(zones["hand"], zones["up"], zones["down"], shown)


_READ: Final[dict[str, Any]] = {
    "rules": RuleSet.parse,
    "phase": Phase,
    "turn": int,
    "direction": _direction,
    "dealer": int,
    "lead": int,
    "turns": int,
    "out": _seats,
    "starters": _seats,
    "stock": Zone.parse,
    "pile": Zone.parse,
    "burnt": Zone.parse,
    "turned-first": _true,
    "called": _true,
    "open-start": _true,
    "follow": _follow,
}
