"""``pilewatch render``: a made-up game at a virtual table, filmed, with its truth beside it."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path

from companion.errors import UserError
from companion.terminal import one_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rules", default="classic", help="rule set, with variations: palace+jokers (default: classic)"
    )
    parser.add_argument("--players", type=int, default=2, help="number of players (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="another number: another game, table, light and camera")
    parser.add_argument(
        "--deck", help="a deck of art by name, or a folder of photos of single cards (default: the deck drawn here)"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for game.mp4, truth.jsonl and table.toml")
    parser.add_argument("--stills", action="store_true", help="one JPEG after each happening instead of a film")
    parser.add_argument("--turns-at-most", type=int, default=0, metavar="N", help="end the film after N turns")
    parser.add_argument("--rate", type=float, default=30.0, help="frames a second (default: 30)")
    parser.add_argument("--scenario", type=Path, help="TOML file with the probabilities of what else happens")
    parser.add_argument("--quiet", action="store_true", help="nothing but the plays: no blunders, no cup, no nudge")
    parser.add_argument("--above", action="store_true", help="the camera nearly straight above the table")


def run(args: argparse.Namespace) -> int:
    try:
        import cv2

        from datasets.films.film import Film
        from datasets.films.scenario import QUIET, Scenario
        from engine.records import RecordError
        from engine.shithead.rules import RuleError, load
        from vision.sources.base import SourceError, as_text
    except ImportError as error:
        raise UserError("render-missing", f"films cannot be made here: {error}") from error
    if not 1 <= args.rate <= 120:
        raise UserError("rate", f"--rate {args.rate}: use 1 to 120 frames a second")
    if args.out.exists() and not args.out.is_dir():
        raise UserError("out", f"{args.out} is no folder; name another one with --out")
    if args.seed < 0:
        raise UserError("seed", f"--seed {args.seed}: use 0 or more")
    try:
        as_text(args.out)
    except SourceError as error:
        raise UserError("out", str(error)) from None
    try:
        rules = load(args.rules)
        rules.check_players(args.players)
    except RuleError as error:
        raise UserError("rules", str(error)) from None
    if args.turns_at_most < 0:
        raise UserError("turns-at-most", f"--turns-at-most {args.turns_at_most}: use 1 or more, or 0 for a whole game")
    try:
        scenario = Scenario.load(args.scenario)
    except UnicodeDecodeError:
        raise UserError("scenario-unreadable", f"{args.scenario} is no text; name a TOML file") from None
    if args.quiet:
        scenario = replace(QUIET, pace=scenario.pace, think=scenario.think)
    cv2.setNumThreads(1)  # small pictures: more threads only take turns
    film = Film(
        rules,
        args.players,
        args.seed,
        args.deck,
        scenario,
        rate=args.rate,
        most_turns=args.turns_at_most,
        steep=args.above,
    )
    try:
        args.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError("out", f"{args.out} cannot be made: {error.strerror}") from None
    start = time.monotonic()
    try:
        count = film.write_stills(args.out) if args.stills else film.write(args.out)
    except RecordError as error:
        why = error.__cause__.strerror if isinstance(error.__cause__, OSError) else None
        raise UserError(error.code, f"{args.out}: the film's truth cannot be written ({why or error})") from None
    took = time.monotonic() - start
    what = "pictures" if args.stills else f"frames, {count / args.rate:.0f} s of film,"
    print(one_line(f"{args.out}: {count} {what} and {len(film.truth)} events in {took:.0f} s"), file=sys.stderr)
    return 0
