"""``pilewatch referee``: the referee for other programs, JSON lines in and JSON lines out (``docs/protocol.md``)."""

from __future__ import annotations

import argparse
import io
import sys

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


def run(args: argparse.Namespace) -> int:
    game = new_game(args.rules, args.changes, args.players, args.dealer)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogatepass", newline="\n")
    serve(game, sys.stdin.buffer, sys.stdout)
    return 0


def new_game(rules: str, changes: list[str], players: str, dealer: str | None = None) -> Game:
    """The game that the arguments name. Raises UserError."""
    names = [name.strip() for name in players.split(",")]
    if dealer is not None and dealer not in names:
        raise UserError("players", f"the dealer {dealer} is not among the players: {', '.join(names)}")
    try:
        return Game.start(rule_set(rules, changes), names, dealer=0 if dealer is None else names.index(dealer))
    except GameError as error:
        raise UserError(error.code, str(error)) from None
