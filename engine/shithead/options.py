"""The options of a rule set: what each may be, and one line about it.

Every difference between two ways of playing Shithead is one of these. ``rules.RuleSet`` holds the values; this module
knows what is allowed for each by itself, and ``rules`` which of them cannot go together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from engine.cards import Rank


class Power(StrEnum):
    """What a rank does beyond its place in the order."""

    PLAIN = "plain"
    RESETS = "resets"  # on anything, and anything follows
    INVISIBLE = "invisible"  # on anything, and the next player answers what lies below
    UNDER = "under"  # the next card must be lower
    AT_MOST = "at-most"  # the next card must be lower or equal
    SKIP = "skip"  # each card skips one player
    REVERSE = "reverse"  # each card turns the direction of play
    BURNS = "burns"  # on anything; the pile leaves the game and the same player goes on
    SHOOTING = "shooting"  # answered only by the same rank, or by what goes on anything


LIMITS: Final = frozenset({Power.UNDER, Power.AT_MOST})
ACTING: Final = frozenset({Power.UNDER, Power.AT_MOST, Power.SKIP, Power.REVERSE})
"""Special cards that still have to beat the pile, unless ``acting`` is "free"."""

RANK_FIELDS: Final[dict[str, Rank]] = {rank.name.lower(): rank for rank in Rank}
"""``two`` .. ``ace``, ``joker``: the fields of a rule set that give a rank its power."""


@dataclass(frozen=True)
class Option:
    """One option: its allowed ``values`` (strings, whole numbers, or False and True) and a line about it."""

    values: tuple[Any, ...]
    about: str
    free_text: bool = False

    def read(self, name: str, value: object) -> Any:
        """``value``, or the allowed value that a text such as ``yes``, ``5`` or ``at-most`` names.

        Raises ValueError with a sentence.
        """
        if self.free_text:
            if isinstance(value, str) and len(value) <= 80 and value.isprintable():
                return value
            raise ValueError(f"{name} must be a short text, not {value!r}")
        if isinstance(value, list | tuple):
            raise ValueError(_several(name, [str(item) for item in value]))
        if isinstance(value, str):
            text = value.strip().lower().replace("_", "-").replace(" ", "-")
            for separator in ",+/&":
                if separator in text:
                    raise ValueError(_several(name, text.split(separator)))
            for allowed in self.values:
                if text in _texts(allowed):
                    return allowed
        else:
            for allowed in self.values:
                if type(allowed) is type(value) and allowed == value:
                    return allowed
        raise ValueError(f"{name} cannot be {shown(value)}: choose {self.choices}")

    @property
    def choices(self) -> str:
        """The allowed values in words: ``yes or no``, ``1 to 3``, ``plain, skip or reverse``."""
        if isinstance(self.values[0], int) and not isinstance(self.values[0], bool) and len(self.values) > 2:
            return f"a whole number from {self.values[0]} to {self.values[-1]}"
        words = [shown(value) for value in self.values]
        return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def shown(value: object) -> str:
    """A value as people write it: ``yes``, ``no``, ``5``, ``at-most``."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, bool):
        return ("yes", "true", "on", "allowed") if value else ("no", "false", "off", "none")
    return (str(value),)


_CLASHES: Final[dict[frozenset[str], str]] = {
    frozenset({"invisible", "skip"}): "an invisible card is looked through as if it were not there, so it skips nobody",
    frozenset({"invisible", "reverse"}): "an invisible card is looked through, so it turns nothing",
    frozenset({"reverse", "at-most"}): "one card cannot turn the direction and set a limit at once",
    frozenset({"reverse", "under"}): "one card cannot turn the direction and set a limit at once",
    frozenset({"reverse", "skip"}): "it cannot be told whom a card skips that turns the direction as well",
}


def _several(name: str, values: list[str]) -> str:
    words = [value.strip() for value in values if value.strip()]
    reason = _CLASHES.get(frozenset(words), "it can do only one thing")
    return f"{name} cannot be {' and '.join(words) or 'empty'} at once: {reason}; choose one"


def option(default: Any, values: tuple[Any, ...] | range, about: str) -> Any:
    """A dataclass field with its :class:`Option`."""
    return field(default=default, metadata={"option": Option(tuple(values), about)})


def flag(default: bool, about: str) -> Any:
    return option(default, (False, True), about)


def text(default: str, about: str) -> Any:
    return field(default=default, metadata={"option": Option((), about, free_text=True)})


def power(default: Power, rank: str, *also: Power) -> Any:
    """A field that gives a rank its power."""
    common = (Power.PLAIN, Power.RESETS, Power.INVISIBLE, Power.UNDER, Power.AT_MOST, Power.SKIP, Power.REVERSE)
    return option(default, (*common, Power.BURNS, *also), f"what {rank} does")
