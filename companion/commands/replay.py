"""``pilewatch replay``: a recorded game, move by move, and how it ended."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from companion.errors import UserError
from engine import records
from engine.records import LoadedRecord, RecordError
from engine.shithead.announcing import messages
from engine.shithead.events import UNKNOWN
from engine.shithead.game import Game, GameError, replayed
from engine.shithead.view import view
from engine.shithead.wire import dump


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, help="a game's record")
    parser.add_argument("--json", action="store_true", help="print the end as one JSON object instead")


def run(args: argparse.Namespace) -> int:
    loaded, game, faults = read_record(args.record)
    if args.json:
        print(json.dumps({**final(game), "problems": faults}, ensure_ascii=False))
    else:
        print(f"{game.rules.title or game.rules.name}: {', '.join(game.players)}")
        for line in told(game):
            print(line)
        print()
        for line in ending(game):
            print(line)
    for fault in faults:
        print(f"pilewatch replay: {fault}", file=sys.stderr)
    damaged = any(problem.code != "record-cut" for problem in loaded.problems)
    return 1 if damaged else 0


def read_record(path: Path) -> tuple[LoadedRecord, Game, list[str]]:
    """A record, its game, and a sentence for each thing that is wrong with them. Raises UserError."""
    try:
        loaded = records.load(path)
        game, faults = replayed(loaded)
    except (RecordError, GameError) as error:
        raise UserError(error.code, str(error)) from None
    said = [problem.words for problem in loaded.problems]
    if loaded.later:
        said.append(f"{path.name}: {len(loaded.later)} sound events after the damage are left out")
    return loaded, game, [*said, *faults]


def told(game: Game) -> list[str]:
    """Every event that counts, in words; what was corrected later is marked."""
    original = {entry.seq: entry.event for entry in game.log}
    lines = []
    for entry, belief in zip(game.line, game.beliefs[1:], strict=True):
        words = "; ".join(message.words for message in messages(belief.top, game.players)) or entry.event.kind
        mark = "" if original.get(entry.seq) == entry.event else " [corrected]"
        doubt = f" ({belief.top.weight:.0%} sure)" if belief.top.weight < 0.995 else ""
        lines.append(f"{entry.seq:4}  {words}{doubt}{mark}")
    return lines


def ending(game: Game) -> list[str]:
    """How things stand at the end of the record."""
    state = game.state
    outcome = state.outcome
    if outcome is None:
        lines = [f"Not over: {game.players[state.turn]} is to move." if state.turn >= 0 else "Nobody has played yet."]
    elif outcome.loser is None:
        lines = ["Over: nobody lost."]
    else:
        lines = [f"{game.players[outcome.loser]} lost."]
    if outcome is not None and outcome.out:
        lines.append(f"Out, in this order: {', '.join(game.players[seat] for seat in outcome.out)}.")
    lines.append(f"Pile {state.pile}; burnt {state.burnt.size}; stock {state.stock.size}.")
    for name, player in zip(game.players, state.players, strict=True):
        lines.append(f"{name}: hand {player.hand}, upcards {player.up}, downcards {player.down.size}.")
    return lines


def final(game: Game) -> dict[str, object]:
    """The end of a game as one JSON object."""
    state = game.state
    shown = view(game)
    pile = [UNKNOWN] * state.pile.unknown + [str(card) for card in state.pile.known]
    hands = {
        name: {
            "hand": player.hand.size,
            "known": [str(card) for card in player.hand.known],
            "up": [str(card) for card in player.up.known] + [UNKNOWN] * player.up.unknown,
            "down": player.down.size,
        }
        for name, player in zip(game.players, state.players, strict=True)
    }
    return {
        "rules": str(game.rules),
        "players": list(game.players),
        "phase": state.phase.value,
        "outcome": shown["outcome"],
        "turn": shown["turn"],
        "pile": pile,
        "burnt": state.burnt.size,
        "stock": state.stock.size,
        "hands": hands,
        "turns": state.turns,
        "events": [{"seq": entry.seq, **dump(entry.event, game.players)} for entry in game.line],
    }
