"""What a table agrees on before the deal: the players, where they sit, the rules, the forfeit. Kept for next time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Self

from companion.refusals import RefusalError
from engine.shithead import rules as rule_sets

LANGUAGES: Final = ("en", "de", "sv", "fr", "nl")
TAPS: Final = ("everyone", "own", "host")
"""Who may enter plays by tapping: every player's phone, each player for the own seat, or the host alone."""
NAME_LENGTH: Final = 24
TEXT_LENGTH: Final = 80


@dataclass(frozen=True, slots=True)
class Player:
    """A player, and where the player sits in the camera's picture: 0 to 1 across and down, None where unknown."""

    name: str
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True, slots=True)
class SetUp:
    """One agreement. ``players`` are in the order of play; ``options`` are what differs from the rule set."""

    players: tuple[Player, ...] = ()
    rules: str = "classic"
    options: Mapping[str, Any] = field(default_factory=dict)
    forfeit: str = ""
    language: str = "en"
    title: str = "Shed"
    taps: str = "everyone"
    dealer: int | None = None
    record_video: bool = False
    voice: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    def rule_set(self) -> rule_sets.RuleSet:
        """The rules with the house rules applied. Raises engine.shithead.rules.RuleError."""
        options = dict(self.options)
        if self.forfeit:
            options["forfeit"] = self.forfeit
        return rule_sets.load(self.rules).change(options)

    def faults(self) -> list[dict[str, str]]:
        """All that speaks against starting, each with a code and a sentence; empty when a game may begin."""
        found = []
        try:
            chosen = self.rule_set()
        except rule_sets.RuleError as error:
            found += [{"code": "rules", "words": words} for words in error.faults]
        else:
            try:
                chosen.check_players(len(self.players))
            except rule_sets.RuleError as error:
                found += [{"code": "players", "words": words} for words in error.faults]
        if self.dealer is not None and not 0 <= self.dealer < len(self.players):
            found.append({"code": "dealer", "words": "the dealer is not among the players"})
        return found

    def change(self, fields: Mapping[str, object]) -> Self:
        """The same with some fields changed. Too few players are allowed (they are still being named); rules that
        contradict themselves are not. Raises RefusalError ``bad-value`` and ``faulty-set-up``."""
        changed = replace(self, **_read(fields))
        if changed.dealer is not None and changed.dealer >= len(changed.players):
            changed = replace(changed, dealer=None)
        faults = [fault for fault in changed.faults() if fault["code"] == "rules"]
        if faults:
            words = "; ".join(fault["words"] for fault in faults)
            raise RefusalError("faulty-set-up", words, faults=faults)
        return changed

    @classmethod
    def remembered(cls, saved: Mapping[str, object]) -> Self:
        """The set-up that was saved, or as much of it as still makes sense."""
        made = cls()
        for key, value in saved.items():
            try:
                made = made.change({key: value})
            except RefusalError:
                continue
        return made

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "players": [asdict(player) for player in self.players], "options": dict(self.options)}


JOINERS: Final = "\u200c\u200d"
"""Between the parts of an emoji and the letters of Persian."""


def printable(value: str) -> str:
    """A text on one line, without control characters and marks of direction. A joiner stays where it joins: between
    two characters that are no ASCII."""
    kept = []
    for at, letter in enumerate(value):
        if letter in JOINERS:
            if all(_joined(side) for side in (value[max(0, at - 1) : at], value[at + 1 : at + 2])):
                kept.append(letter)
        else:
            kept.append(letter if letter.isprintable() else " ")
    return " ".join("".join(kept).split())


def _joined(letter: str) -> bool:
    return bool(letter) and not letter.isascii() and letter.isprintable() and not letter.isspace()


def without_joiners(text: str) -> str:
    """What distinguishes one name from another for the eye."""
    return "".join(letter for letter in text if letter not in JOINERS)


def clean_name(value: object, what: str = "a name", length: int = NAME_LENGTH) -> str:
    """A short printable text on one line. Raises RefusalError ``bad-value``."""
    if not isinstance(value, str):
        raise RefusalError("bad-value", f"{what} must be a text")
    text = printable(value)
    if len(text) > length:
        raise RefusalError("bad-value", f"{what} may have {length} letters at most")
    return text


def _read(fields: Mapping[str, object]) -> dict[str, Any]:
    unknown = sorted(set(fields) - set(_READERS))
    if unknown:
        raise RefusalError("bad-value", f"the set-up has no {', '.join(unknown[:3])}")
    return {key: _READERS[key](value) for key, value in fields.items()}


def _players(value: object) -> tuple[Player, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > 20:
        raise RefusalError("bad-value", "players must be a list of at most 20")
    players = tuple(_player(entry) for entry in value)
    names = [without_joiners(player.name).casefold() for player in players]
    twice = next((player.name for player in players if names.count(without_joiners(player.name).casefold()) > 1), None)
    if twice:
        raise RefusalError("bad-value", f"two players are called {twice}: give one of them another name")
    return players


def _player(entry: object) -> Player:
    if isinstance(entry, str):
        entry = {"name": entry}
    if not isinstance(entry, Mapping) or set(entry) - {"name", "x", "y"}:
        raise RefusalError("bad-value", 'a player is {"name", "x", "y"}')
    name = clean_name(entry.get("name"), "a player's name")
    if not name:
        raise RefusalError("bad-value", "a player needs a name")
    if name.isdigit():
        raise RefusalError("bad-value", f"a player cannot be called {name}: numbers name seats")
    return Player(name, _place(entry.get("x")), _place(entry.get("y")))


def _place(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise RefusalError("bad-value", "x and y go from 0 to 1")
    return round(float(value), 4)


def _rules(value: object) -> str:
    if not isinstance(value, str) or len(value) > 80:
        raise RefusalError("bad-value", "rules must be the name of a rule set")
    try:
        rule_sets.load(value)
    except rule_sets.RuleError as error:
        raise RefusalError("bad-value", str(error)) from None
    return value.lower()


def _options(value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping) or len(value) > len(rule_sets.OPTIONS):
        raise RefusalError("bad-value", "options must be an object of option names and values")
    options: dict[str, Any] = {}
    faults = []
    for key, item in value.items():
        try:
            name = rule_sets.option_name(str(key))
            options[name] = rule_sets.OPTIONS[name].read(name, item)
        except ValueError as error:
            faults.append({"code": "rules", "words": str(error)})
    if faults:
        raise RefusalError("faulty-set-up", "; ".join(fault["words"] for fault in faults), faults=faults)
    return {name: getattr(item, "value", item) for name, item in options.items()}


def _choice(what: str, allowed: Sequence[str]) -> Any:
    def read(value: object) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise RefusalError("bad-value", f"{what} must be one of {', '.join(allowed)}")
        return value

    return read


def _dealer(value: object) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 20):
        return value
    raise RefusalError("bad-value", "the dealer is the number of a seat, 0 first")


def _flag(what: str) -> Any:
    def read(value: object) -> bool:
        if not isinstance(value, bool):
            raise RefusalError("bad-value", f"{what} is true or false")
        return value

    return read


_READERS: Final[Mapping[str, Any]] = {
    "players": _players,
    "rules": _rules,
    "options": _options,
    "forfeit": lambda value: without_joiners(clean_name(value, "the forfeit", TEXT_LENGTH)),
    "language": _choice("the language", LANGUAGES),
    "title": lambda value: clean_name(value, "the title") or "Shed",
    "taps": _choice("taps", TAPS),
    "dealer": _dealer,
    "record_video": _flag("record_video"),
    "voice": _flag("voice"),
}
