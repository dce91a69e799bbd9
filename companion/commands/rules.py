"""``pilewatch rules``: list the rule sets, or explain one in words made from the data that is enforced."""

from __future__ import annotations

import argparse
import json
import shutil
import textwrap

from companion.rules_argument import add_set_argument, rule_set
from engine.shithead.explain import sections
from engine.shithead.options import shown
from engine.shithead.rules import OPTIONS, RuleSet, load, names, variations


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="the rule set to explain, with variations if you like: palace+jokers")
    add_set_argument(parser)
    parser.add_argument("--options", action="store_true", help="list every option with its values instead")
    parser.add_argument("--json", action="store_true", help="print the rule set as data")


def run(args: argparse.Namespace) -> int:
    if args.name is None and not args.changes:
        if args.options:
            _print_options(load("classic"))
        elif args.json:
            print(json.dumps({name: load(name).options for name in names()}, indent=2))
        else:
            _print_list()
        return 0
    rules = rule_set(args.name or "classic", args.changes)
    if args.json:
        about = {"name": rules.name, "title": rules.title, "max_players": rules.max_players, "options": rules.options}
        print(json.dumps({**about, "words": {part.title: part.sentences for part in sections(rules)}}, indent=2))
    elif args.options:
        _print_options(rules)
    else:
        _print_rules(rules)
    return 0


def _width() -> int:
    return max(50, min(100, shutil.get_terminal_size().columns))


def _print_list() -> None:
    for name in names():
        rules = load(name)
        print(f"{name:<10}{rules.title}, 2 to {rules.max_players} players")
        print(textwrap.fill(rules.about, _width(), initial_indent=" " * 10, subsequent_indent=" " * 10))
        for variation, options in variations(name).items():
            changed = ", ".join(f"{option}={shown(value)}" for option, value in options.items())
            print(f"{'':<10}{name}+{variation}: {changed}")
    print("\n`pilewatch rules hostel` explains one, `--set 7=at-most` changes an option, `--options` lists them all.")


def _print_rules(rules: RuleSet) -> None:
    print(f"{rules.title or rules.name} ({rules})")
    for title, sentences in sections(rules):
        print(f"\n{title}")
        for sentence in sentences:
            print(textwrap.fill(sentence, _width(), initial_indent="  - ", subsequent_indent="    "))


def _print_options(rules: RuleSet) -> None:
    print(f"{rules}\n")
    indent = " " * 27
    for name, value in rules.options.items():
        item = OPTIONS[name]
        choices = "any short text" if item.free_text else item.choices
        print(f"{name:<25}  {shown(value) or '(nothing)'}")
        print(
            textwrap.fill(
                f"{item.about}: {choices}",
                _width(),
                initial_indent=indent,
                subsequent_indent=indent,
                break_on_hyphens=False,
            )
        )
