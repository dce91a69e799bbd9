"""The rule sets and their options as the phones show them: what there is, what it means, what cannot go together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.shithead import rules
from engine.shithead.explain import explain
from engine.shithead.options import RANK_FIELDS, Option

_GROUPS: Final[tuple[tuple[str, str], ...]] = (
    # the first option of each group, in the order of rules.OPTIONS
    ("deck", "decks"),
    ("cards", "two"),
    ("answering", "acting"),
    ("burning", "four-burns"),
    ("turns", "skip-self"),
    ("customs", "deals-next"),
)


def listing() -> dict[str, Any]:
    """Every shipped rule set with its variations, and every option with its allowed values."""
    return {
        "rule_sets": [_rule_set(name) for name in rules.names()],
        "options": [{**_option(name, option), "group": group} for group, name, option in _grouped()],
    }


def check(name: str, options: Mapping[str, Any], players: int) -> dict[str, Any]:
    """Whether the combination makes sense: ``ok``, ``faults``, and the rules in plain ``words``."""
    try:
        chosen = rules.load(name).change(options)
    except rules.RuleError as error:
        return {"ok": False, "faults": [{"code": "rules", "words": words} for words in error.faults], "words": []}
    faults = []
    try:
        chosen.check_players(players)
    except rules.RuleError as error:
        faults = [{"code": "players", "words": words} for words in error.faults]
    return {"ok": not faults, "faults": faults, "words": list(explain(chosen)), "max_players": chosen.max_players}


def _rule_set(name: str) -> dict[str, Any]:
    loaded = rules.load(name)
    return {
        "name": name,
        "title": loaded.title,
        "about": loaded.about,
        "words": list(explain(loaded)),
        "options": loaded.options,
        "max_players": loaded.max_players,
        "variations": rules.variations(name),
    }


def _grouped() -> list[tuple[str, str, Option]]:
    found, group = [], ""
    starts = {first: name for name, first in _GROUPS}
    for name, option in rules.OPTIONS.items():
        group = starts.get(name, group)
        found.append((group, name, option))
    return found


def _option(name: str, option: Option) -> dict[str, Any]:
    described: dict[str, Any] = {"name": name, "words": option.about, "default": rules.load("classic").options[name]}
    if name in RANK_FIELDS:
        described["rank"] = RANK_FIELDS[name].letter
    if option.free_text:
        return {**described, "kind": "text"}
    values = [getattr(value, "value", value) for value in option.values]
    if values == [False, True]:
        return {**described, "kind": "flag"}
    kind = "number" if all(isinstance(value, int) for value in values) else "choice"
    described["values"] = [{"value": value, "words": str(value).replace("-", " ")} for value in values]
    if kind == "number":
        described |= {"low": min(values), "high": max(values)}
    return {**described, "kind": kind}
