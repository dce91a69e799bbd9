"""Rule sets: one frozen value that says how a table plays, checked as a whole.

The shipped ones are the files of ``rulesets/``. A name may carry variations, ``palace+jokers+six-up``, and any option
can be changed by :meth:`RuleSet.change`. What a rule set means for each pair of cards is worked out once, in
:class:`Table`.
"""

# ruff: noqa: RUF009 (option(), flag(), power() and text() are dataclass fields)
from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final, Self
from urllib.parse import quote, unquote

from engine.cards import RANK_LETTERS
from engine.shithead.options import LIMITS, RANK_FIELDS, Option, Power, flag, option, power, shown, text
from engine.shithead.table import Table

_NAME: Final = re.compile(r"[\w-]{1,40}")
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class RuleError(ValueError):
    """A rule set that does not exist or contradicts itself. ``faults`` holds one sentence for each reason."""

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class RuleSet:
    """How a table plays. Immutable; every field from ``decks`` on is an option (``hand_size`` is ``hand-size``)."""

    name: str
    title: str = field(default="", compare=False)
    about: str = field(default="", compare=False)

    # The deck and the deal
    decks: int = option(1, range(1, 4), "packs of 52 cards")
    jokers: int = option(0, range(3), "jokers in each pack")
    hand_size: int = option(3, range(1, 11), "cards in a hand, and what it is drawn up to")
    deal: str = option("rows", ("rows", "six-up"), "3 down, 3 up and a hand; or 3 down and 6 seen cards to choose from")
    first_card: str = option("none", ("none", "turned"), "whether a first pile card is turned from the stock")
    starts: str = option("lowest-upcard", ("lowest-upcard", "left-of-dealer"), "who plays first")
    last_game: str = option("none", ("none", "loser", "winner"), "whether the last game's loser or winner plays first")

    # What each rank does
    two: Power = power(Power.RESETS, "a 2")
    three: Power = power(Power.PLAIN, "a 3")
    four: Power = power(Power.PLAIN, "a 4")
    five: Power = power(Power.PLAIN, "a 5")
    six: Power = power(Power.PLAIN, "a 6")
    seven: Power = power(Power.PLAIN, "a 7")
    eight: Power = power(Power.PLAIN, "an 8")
    nine: Power = power(Power.PLAIN, "a 9")
    ten: Power = power(Power.BURNS, "a 10")
    jack: Power = power(Power.PLAIN, "a jack")
    queen: Power = power(Power.PLAIN, "a queen")
    king: Power = power(Power.PLAIN, "a king")
    ace: Power = power(Power.PLAIN, "an ace", Power.SHOOTING)
    joker: str = option("none", ("none", "reverse"), "what a joker does")

    # What goes on what
    acting: str = option("must-beat", ("must-beat", "free"), "whether limiting, skipping, reversing cards must beat")
    specials_on_seven: bool = flag(True, "whether resetting and invisible cards and jokers go on a 7 that limits")
    ten_on_seven: bool = flag(True, "whether a burning card goes on a 7 that limits")
    invisible_alone: str = option("nothing", ("nothing", "itself"), "what an invisible card with nothing below is")
    seven_through_invisible: bool = flag(True, "whether a 7's limit holds below an invisible card")
    joker_answer: str = option("below", ("below", "anything"), "what is answered after a joker")
    sets: str = option("any", ("any", "one"), "how many cards of a rank may be played together")
    ten_sets: bool = flag(True, "whether burning cards may be played as a set")
    upcard_sets: bool = flag(True, "whether upcards of one rank may be played together")
    join_last_card: bool = flag(False, "whether the last hand card may be joined by upcards of its rank")

    # Burning
    four_burns: bool = flag(True, "whether four of a kind burn the pile")
    four_specials: bool = flag(True, "whether four of a kind burn when that rank is a special card")
    invisible_breaks_four: bool = flag(True, "whether an invisible card in between breaks four of a kind")
    joker_breaks_four: bool = flag(True, "whether a joker in between breaks four of a kind")
    four_out_of_turn: bool = flag(False, "whether four of a kind may be completed out of turn")
    lead_after_ten: str = option("anything", ("anything", "at-least"), "what may be led after a burning card")
    lead_after_four: str = option("anything", ("anything", "higher"), "what may be led after four of a kind")
    lead_specials: bool = flag(True, "whether cards that go on anything meet every lead")
    first_card_acts: bool = flag(False, "whether the turned first card skips, reverses or burns")
    first_card_counts: bool = flag(True, "whether the turned first card counts towards four of a kind")

    # Turns
    skip_self: bool = flag(True, "whether skipping may come round to the player themself")
    reverse_for_two: str = option("no-change", ("no-change", "skip"), "what reversing does with two players")
    voluntary_pick_up: bool = flag(True, "whether one may pick up although one could play")
    pick_up_with: str = option("pile", ("pile", "upcard"), "what is taken when picking up from the upcards")
    after_pick_up: str = option("next", ("next", "picker"), "who leads after a pick-up")
    flip_stock: bool = flag(False, "whether the top stock card may be turned instead of picking up")
    follow_up: bool = flag(False, "whether a card just drawn may follow if it equals the rank just played")

    # The table's customs
    deals_next: str = option("loser", ("loser", "clockwise"), "who deals next")
    forgotten_draw: str = option("none", ("none", "penalty"), "whether a forgotten draw earns a penalty")
    play_for: str = option("loser", ("loser", "winner"), "a loser; or a winner and then a loser")
    forfeit: str = text("", "what the loser owes")
    turn_limit: int = option(300, (100, 200, 300, 400, 500, 1000), "turns after which the game may be called")

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise RuleError(f"{self.name!r} cannot name a rule set: use one word of letters, digits, - and _")
        for name, item in OPTIONS.items():
            try:
                object.__setattr__(self, _field(name), item.read(name, getattr(self, _field(name))))
            except ValueError as error:
                raise RuleError(str(error)) from None
        faults = _contradictions(self)
        if faults:
            raise RuleError(*faults)

    @classmethod
    def make(cls, name: str, options: Mapping[str, object] | None = None, *, title: str = "", about: str = "") -> Self:
        """A rule set from options by their names (``hand-size``, ``7``). Raises RuleError."""
        return cls(name, title, about, **_read(options or {}))

    def change(self, options: Mapping[str, object]) -> Self:
        """The same with other values for some options. Raises RuleError, naming all that contradicts."""
        return replace(self, **_read(options))

    @property
    def options(self) -> dict[str, Any]:
        """Every option by name, in plain numbers, texts and truth values: what a record keeps."""
        return {name: _plain(getattr(self, _field(name))) for name in OPTIONS}

    @property
    def changes(self) -> dict[str, Any]:
        """The options that differ from the shipped rule set of this name, or from the defaults if there is none."""
        base = load(self.name).options if self.name in names() else {n: _plain(_DEFAULTS[n]) for n in OPTIONS}
        return {name: value for name, value in self.options.items() if value != base[name]}

    def __str__(self) -> str:
        """``hostel``, ``palace jokers=2 joker=reverse``: the name and what is changed. :meth:`parse` reads it."""
        return " ".join([self.name, *(f"{name}={quote(shown(value))}" for name, value in self.changes.items())])

    @classmethod
    def parse(cls, text: str) -> RuleSet:
        """The rule set for a text as ``str`` gives it; variations may follow the name, as in :func:`load`."""
        name, *words = text.split()
        pairs = dict(word.partition("=")[::2] for word in words)
        rules = load(name) if name.partition("+")[0] in names() else cls(name)
        return rules.change({key: unquote(value) for key, value in pairs.items()})

    @cached_property
    def powers(self) -> tuple[Power, ...]:
        """Each rank's power, at the rank's index (2 .. 14, joker 15)."""
        powers = [Power.PLAIN] * 16
        for name, rank in RANK_FIELDS.items():
            value = getattr(self, name)
            powers[rank] = Power.PLAIN if value == "none" else Power(value)
        return tuple(powers)

    @cached_property
    def table(self) -> Table:
        """What may be played on what."""
        return Table(self)

    @property
    def deck_size(self) -> int:
        return self.decks * (52 + self.jokers)

    @property
    def max_players(self) -> int:
        """The most that the deck can deal."""
        return (self.deck_size - self.turned) // (6 + self.hand_size)

    @property
    def turned(self) -> int:
        """How many first pile cards are turned from the stock: 0 or 1."""
        return int(self.first_card == "turned")

    def check_players(self, players: int) -> None:
        """Raises RuleError unless so many can play."""
        if players < 2:
            raise RuleError(f"Shithead needs at least two players, not {players}")
        needed = players * (6 + self.hand_size) + self.turned
        if needed > self.deck_size:
            word = _NUMBERS[players] if players < len(_NUMBERS) else str(players)
            has = "the deck has" if self.decks == 1 else f"{_NUMBERS[self.decks]} decks have"
            more = "two jokers would be enough" if self.jokers == 0 and needed <= self.decks * 54 else "add a deck"
            if self.decks == 3:
                more = "play with fewer"
            raise RuleError(f"{word} hands need {needed} cards, {has} {self.deck_size} ({more})")


def _field(name: str) -> str:
    return name.replace("-", "_")


OPTIONS: Final[dict[str, Option]] = {
    item.name.replace("_", "-"): item.metadata["option"] for item in fields(RuleSet) if "option" in item.metadata
}
"""Every option by name, in the order in which they are listed and explained."""
_DEFAULTS: Final[dict[str, Any]] = {
    item.name.replace("_", "-"): item.default for item in fields(RuleSet) if "option" in item.metadata
}
_RANK_NAMES: Final[dict[str, str]] = {
    **dict(zip(RANK_LETTERS, RANK_FIELDS, strict=False)),
    "10": "ten",
    "x": "joker",
}


def option_name(text: str) -> str:
    """The option that a text names: ``hand_size``, ``hand-size``, ``7``, ``T``, ``seven``. Raises RuleError."""
    name = text.strip().lower().replace("_", "-")
    name = {key.lower(): value for key, value in _RANK_NAMES.items()}.get(name, name)
    if name not in OPTIONS:
        raise RuleError(f"there is no option {text!r}: `pilewatch rules --options` lists them")
    return name


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Power) else value


def _read(options: Mapping[str, object]) -> dict[str, Any]:
    """Options as fields; all that is wrong with single options is reported together."""
    faults: list[str] = []
    values: dict[str, Any] = {}
    for key, value in options.items():
        try:
            name = option_name(key)
            values[_field(name)] = OPTIONS[name].read(key, value)
        except RuleError as error:
            faults.extend(error.faults)
        except ValueError as error:
            faults.append(str(error))
    if faults:
        raise RuleError(*faults)
    return values


def _contradictions(rules: RuleSet) -> list[str]:
    """All that cannot go together, a sentence each."""
    faults = []
    if rules.joker != "none" and rules.jokers == 0:
        faults.append("jokers reverse, but there are no jokers in the deck: set jokers=1 or jokers=2")
    if rules.joker == "none" and rules.jokers > 0:
        faults.append("there are jokers in the deck, but they do nothing: set joker=reverse or jokers=0")
    if rules.deal == "six-up" and rules.hand_size != 3:
        faults.append(f"six seen cards make 3 upcards and a hand of 3, not of {rules.hand_size}")
    if rules.two in LIMITS:
        faults.append("nothing is lower than a 2, so a 2 cannot be the card that asks for lower")
    if rules.four_out_of_turn and not rules.four_burns:
        faults.append("four of a kind cannot be completed out of turn where they do not burn")
    if rules.join_last_card and rules.sets == "one":
        faults.append("the last hand card cannot be joined by upcards where cards are played one at a time")
    if rules.max_players < 2:
        faults.append(
            f"two hands need {2 * (6 + rules.hand_size) + rules.turned} cards, the deck has {rules.deck_size}"
        )
    return faults


@cache
def names() -> tuple[str, ...]:
    """The shipped rule sets."""
    folder = files("engine.shithead") / "rulesets"
    order = ("classic", "palace", "hostel")
    found = [path.name.removesuffix(".toml") for path in folder.iterdir() if path.name.endswith(".toml")]
    return tuple(sorted(found, key=lambda name: (order.index(name) if name in order else len(order), name)))


@cache
def load(name: str) -> RuleSet:
    """A shipped rule set, with variations of its file added: ``palace+jokers+six-up``. Raises RuleError."""
    base, *wanted = name.lower().split("+")
    if base not in names():
        raise RuleError(f"there is no rule set {base!r}: choose {', '.join(names())}")
    document = tomllib.loads((files("engine.shithead") / "rulesets" / f"{base}.toml").read_text("utf-8"))
    rules = RuleSet.make(
        base, {**document["options"], **document["cards"]}, title=document["title"], about=document["about"]
    )
    known = document.get("variations", {})
    options: dict[str, object] = {}
    for variation in wanted:
        if variation not in known:
            offered = ", ".join(f"{base}+{one}" for one in known) or "none"
            raise RuleError(f"{base} has no variation {variation!r}: it has {offered}")
        options.update(known[variation])
    return rules.change(options) if options else rules


def variations(name: str) -> dict[str, dict[str, object]]:
    """The variations of a shipped rule set: the options that each changes."""
    document = tomllib.loads((files("engine.shithead") / "rulesets" / f"{name}.toml").read_text("utf-8"))
    return dict(document.get("variations", {}))
