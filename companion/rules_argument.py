"""The arguments ``--rules`` and ``--set``, the same for every command that plays a game."""

from __future__ import annotations

import argparse

from companion.errors import UserError
from engine.shithead.rules import RuleError, RuleSet, load, names


def add_rules_arguments(parser: argparse.ArgumentParser, default: str = "classic") -> None:
    """Add ``--rules NAME`` and ``--set OPTION=VALUE`` to a parser."""
    parser.add_argument(
        "--rules",
        default=default,
        metavar="NAME",
        help=f"rule set: {', '.join(names())}, or with variations, palace+jokers (default: {default})",
    )
    add_set_argument(parser)


def add_set_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        dest="changes",
        help="change an option, like 7=at-most or hand-size=4; may be given several times",
    )


def rule_set(name: str, changes: list[str]) -> RuleSet:
    """The rule set that the arguments name. Raises UserError with everything that is wrong."""
    pairs: dict[str, object] = {}
    for change in changes:
        option, equals, value = change.partition("=")
        if not equals or not option.strip():
            raise UserError("rules-option", f"--set {change}: write OPTION=VALUE, like 7=at-most")
        # The same option twice is a contradiction of its own, and is told as one.
        pairs[option] = f"{pairs[option]}+{value}" if option in pairs and pairs[option] != value else value
    try:
        return load(name).change(pairs) if pairs else load(name)
    except RuleError as error:
        raise UserError("rules", ". ".join(error.faults)) from None
