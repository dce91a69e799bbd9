"""``pilewatch referee``: the referee for other programs, JSON lines in and JSON lines out (``docs/protocol.md``)."""

from __future__ import annotations

import argparse
import io
import sys

from companion import players_argument
from companion.errors import UserError
from companion.rules_argument import add_rules_arguments, rule_set
from engine.shithead.game import Game, GameError
from engine.shithead.protocol import serve


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_rules_arguments(parser)
    parser.add_argument(
        "--players", required=True, metavar="A,B,C", help="names in the order of the seats, clockwise, with commas"
    )
    parser.add_argument(
        "--dealer", metavar="NAME", help="who deals, unless the deal event says so (default: the first)"
    )
    parser.add_argument(
        "--leads", metavar="NAME", help="who plays first because of the last game, where the rules say so (last-game)"
    )


def run(args: argparse.Namespace) -> int:
    game = new_game(args.rules, args.changes, args.players, dealer=args.dealer, leads=args.leads)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Half of a surrogate pair, echoed from an id, becomes JSON's own escape of it: the answer stays UTF-8.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    serve(game, sys.stdin.buffer, sys.stdout)
    return 0


def new_game(
    rules: str, changes: list[str], players: str, *, dealer: str | None = None, leads: str | None = None
) -> Game:
    """The game that the arguments name. Raises UserError."""
    names = players_argument.names(players)
    for name, what in ((dealer, "the dealer"), (leads, "who plays first,")):
        if name is not None and name not in names:
            raise UserError("players", f"{what} {name} is not among the players: {', '.join(names)}")
    chosen = rule_set(rules, changes)
    if leads is not None and chosen.last_game == "none":
        raise UserError("rules", "--leads needs rules in which the last game decides it: --set last-game=loser")
    seats = [None if name is None else names.index(name) for name in (dealer, leads)]
    try:
        return Game.start(chosen, names, dealer=seats[0] or 0, leads=seats[1])
    except GameError as error:
        raise UserError(error.code, str(error)) from None
