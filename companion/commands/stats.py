"""``pilewatch stats``: what recorded games say about a table."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from companion.commands.replay import read_record
from companion.errors import UserError
from companion.terminal import complain, one_line
from engine.shithead.stats import GameStats, PlayerStats, counted, statistics, total


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "records", type=Path, nargs="+", metavar="RECORD", help="records of games, or folders with records in them"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object: each game, and the total")


def run(args: argparse.Namespace) -> int:
    games: dict[str, GameStats] = {}
    counts: dict[str, GameStats] = {}
    unread = samples = 0
    for path in found(args.records):
        try:
            loaded, game, faults = read_record(path)
        except UserError as error:
            complain("stats", error, error.code)
            unread += 1
            continue
        for fault in faults:
            complain("stats", fault)
        if loaded.header.get("sample") is True:
            samples += 1
            continue
        games[str(path)] = statistics(game, loaded.events)
        if counted(game, sample=False):
            counts[str(path)] = games[str(path)]
    if not games and not samples:
        raise UserError("stats-nothing", "none of these records can be read")
    together = total(counts.values())
    if args.json:
        each = {name: stats.as_json() for name, stats in games.items()}
        print(json.dumps({"games": each, "total": together.as_json(), "samples": samples}, ensure_ascii=False))
    else:
        print_stats(games, together)
        if samples:
            print(f"\nLeft out: {samples} game{'s' if samples > 1 else ''} of the bundled sample.")
    return 1 if unread else 0


def found(paths: Sequence[Path]) -> list[Path]:
    """The records that are named, each once: files as they are, folders with every ``.jsonl`` below them, by name.
    Raises UserError where a folder has none."""
    records: dict[Path, Path] = {}
    for path in paths:
        inside = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
        if not inside:
            raise UserError("stats-nothing", f"{path} has no records in it (files that end in .jsonl)")
        for one in inside:
            records.setdefault(one.resolve(), one)
    return list(records.values())


def print_stats(games: dict[str, GameStats], together: GameStats) -> None:
    """Print every game on a line, then the players over all that were played to their end."""
    _row("lost", ("turns", "pick-ups", "burns", "longest", "illegal", "corrected", "s/turn"))
    for name, one in zip(_short(games), games.values(), strict=True):
        lost = (one.losers[0] or "nobody") if one.losers else "not over"
        counts = (one.turns, one.pick_ups, one.burns, one.longest_pile, one.illegal, one.corrections)
        _row(lost, (*counts, _pace(one)), name)
    print()
    _row("player", ("games", "lost", "first out", "turns", "pick-ups", "burns", "illegal", "s/turn"))
    for name, player in sorted(together.players.items(), key=lambda pair: (-pair[1].lost, pair[0])):
        counts = (player.games, player.lost, player.first_out, player.turns, player.pick_ups, player.burns)
        _row(name, (*counts, player.illegal, _pace(player)))


def _short(paths: Iterable[str]) -> list[str]:
    """The files' names; with as many folders before them as tell them apart."""
    parts = [Path(path).parts for path in paths]
    depth = 1
    if not parts:
        return []
    while depth < max(map(len, parts)) and len({part[-depth:] for part in parts}) < len(parts):
        depth += 1
    # Where the files are all called alike, their folders' names say more.
    alike = depth > 1 and len({part[-1] for part in parts}) == 1
    return ["/".join(part[-depth : -1 if alike else None]) for part in parts]


def _row(first: str, rest: Iterable[object], last: str = "") -> None:
    print(f"{one_line(first)[:20]:20} {' '.join(f'{value!s:>9}' for value in rest)}  {one_line(last)}".rstrip())


def _pace(stats: GameStats | PlayerStats) -> str:
    return f"{stats.seconds / stats.timed:.1f}" if stats.timed else "-"
