"""``pilewatch simulate``: simple bots play many games; who loses, how long it takes, how fast it goes."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from tqdm import tqdm

from companion.errors import UserError
from companion.rules_argument import add_rules_arguments, rule_set
from companion.terminal import tell
from engine.records import Record, RecordError
from engine.shithead import wire
from engine.shithead.bots import BOTS, Bot
from engine.shithead.dealing import leader_after
from engine.shithead.game import Game, header
from engine.shithead.rules import RuleError, RuleSet
from engine.shithead.simulate import PlayedGame, Tally, simulate
from engine.shithead.state import Outcome
from engine.shithead.telling import table_events

_NAMES = ("Ann", "Ben", "Cem", "Dora", "Eve", "Finn", "Gus", "Hana", "Ida", "Jan", "Kim", "Lea", "Max", "Nia", "Ole")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_rules_arguments(parser)
    parser.add_argument("--players", type=int, default=4, metavar="N", help="how many play (default: 4)")
    parser.add_argument("--games", type=int, default=100, metavar="G", help="how many games (default: 100)")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="the same seed plays the same games (default: 1)"
    )
    parser.add_argument(
        "--bots",
        default="cautious",
        metavar="BOT,..",
        help=f"one bot for each seat in turn: {', '.join(f'{b.name} ({b.about})' for b in BOTS.values())}",
    )
    parser.add_argument("--write", type=Path, metavar="DIR", help="write each game as a record, as the table sees it")
    parser.add_argument("--json", action="store_true", help="print the figures as data")


def run(args: argparse.Namespace) -> int:
    rules = rule_set(args.rules, args.changes)
    bots = _bots(args.bots, args.players)
    if args.games < 1:
        raise UserError("simulate-games", f"--games {args.games}: play at least one game")
    try:
        rules.check_players(args.players)
    except RuleError as error:
        raise UserError("rules", str(error)) from None
    tally = Tally()
    start = time.perf_counter()
    spent_writing = 0.0
    last: Outcome | None = None
    progress = tqdm(
        simulate(rules, bots, args.games, args.seed), total=args.games, unit="game", file=sys.stderr, disable=None
    )
    for number, game in enumerate(progress, 1):
        tally.add(game, bots)
        if args.write is not None:
            before = time.perf_counter()
            leads = leader_after(rules, last)
            _write(args.write / f"{rules.name}-{args.players}-{args.seed}-{number:05d}.jsonl", rules, game, leads)
            last = game.outcome
            spent_writing += time.perf_counter() - before
    seconds = time.perf_counter() - start - spent_writing
    if args.json:
        print(json.dumps(_figures(tally, bots, seconds), indent=2))
    else:
        _print(rules, tally, bots, seconds)
        if args.write is not None:
            tell(f"records     {tally.games} in {args.write}")
    return 0


def _bots(text: str, players: int) -> list[Bot]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in BOTS]
    if unknown or not names:
        raise UserError("simulate-bots", f"--bots {text}: choose from {', '.join(BOTS)}, separated by commas")
    return [BOTS[names[seat % len(names)]] for seat in range(max(0, players))]


def _write(path: Path, rules: RuleSet, game: PlayedGame, leads: int | None) -> None:
    players = _players(len(game.deal.players))
    first = header(Game.start(rules, players, dealer=game.deal.dealer, leads=leads))
    try:
        with Record.create(path, first) as record:
            for event in table_events(game):
                record.append(wire.dump(event, players))
    except RecordError as error:
        raise UserError(error.code, str(error)) from None


def _players(number: int) -> tuple[str, ...]:
    return _NAMES[:number] if number <= len(_NAMES) else tuple(f"Player {seat + 1}" for seat in range(number))


def _figures(tally: Tally, bots: list[Bot], seconds: float) -> dict[str, object]:
    return {
        "games": tally.games,
        "lost": [tally.lost[seat] for seat in range(len(bots))],
        "bots": [bot.name for bot in bots],
        "called": tally.called,
        "turns": {"median": tally.quantile(0.5), "p90": tally.quantile(0.9), "longest": max(tally.turns)},
        "pick_ups": round(tally.picked_up / tally.games, 2),
        "moves": tally.moves,
        "moves_per_second": round(tally.moves / seconds),
    }


def _print(rules: RuleSet, tally: Tally, bots: list[Bot], seconds: float) -> None:
    print(f"rules       {rules}")
    print(f"games       {tally.games} of {len(bots)} players, {tally.moves} moves")
    for seat, bot in enumerate(bots):
        share = tally.lost[seat] / tally.games
        print(f"seat {seat + 1:<6} {bot.name:<9} lost {tally.lost[seat]:>6} ({share:6.1%})")
    longest = max(tally.turns)
    print(f"turns       median {tally.quantile(0.5)}, 90 % at most {tally.quantile(0.9)}, longest {longest}")
    print(f"pick-ups    {tally.picked_up / tally.games:.1f} a game")
    print(f"endless     {tally.called} ({tally.called / tally.games:.1%}) were called after {rules.turn_limit} turns")
    print(f"speed       {tally.moves / seconds:,.0f} moves/s")
