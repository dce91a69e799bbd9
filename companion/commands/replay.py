"""``pilewatch replay``: a recorded game, move by move, and how it ended."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

from companion.bridge import is_evidence
from companion.errors import UserError
from companion.terminal import complain, tell
from engine import records
from engine.records import LoadedRecord, RecordError
from engine.shithead.announcing import describe, messages
from engine.shithead.belief import SURE
from engine.shithead.events import UNKNOWN, Deal, Event, Laid, Show, Source
from engine.shithead.game import Game, GameError, replayed
from engine.shithead.view import view
from engine.shithead.wire import dump

DOUBTS: Final = frozenset(
    {
        *("please-check", "who-was-it", "how-many", "which-upcard"),
        *("contradiction", "unexplained", "deal-unclear", "first-unclear"),
    }
)
"""What was asked when it was seen: no part of what happened."""
FAULTS: Final = 3
"""Damaged lines of a record that are told one by one."""
BEGINS: Final = frozenset({"plays-first", "claim-lower", "claim-first"})
"""Who begins: told again after each exchange."""
ASIDE: Final = DOUBTS | {
    *("nothing", "already-said", "nothing-owed", "pile-was-empty", "partly-gone", "game-is-over"),
    *("nothing-stands", "nothing-to-take-back", "forgot-to-draw", "draw-not-seen", "elsewhere"),
}
"""What was said beside the play, or where nothing happened."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", type=Path, help="a game's record")
    parser.add_argument("--json", action="store_true", help="print the end as one JSON object instead")


def run(args: argparse.Namespace) -> int:
    loaded, game, faults = read_record(args.record)
    if args.json:
        print(json.dumps({**final(game), "problems": faults}, ensure_ascii=False))
    else:
        tell(f"{game.rules.title or game.rules.name}: {', '.join(game.players)}")
        for line in (*told(game), "", *ending(game)):
            tell(line)
    for fault in faults:
        complain("replay", fault)
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
    if len(said) > FAULTS:
        said[FAULTS:] = [f"{path.name}: {len(said) - FAULTS} more lines are damaged or missing"]
    if loaded.later:
        said.append(f"{path.name}: {len(loaded.later)} sound events after the damage are left out")
    return loaded, game, [*said, *faults]


def told(game: Game) -> list[str]:
    """What happened, in words: every event that counts and did something, as it turned out to have been. What was
    corrected, what was in doubt when it was seen, and what only the following settled, are marked."""
    original = {entry.seq: entry.event for entry in game.log}
    turned_out = {one.seq: one.event for one in game.belief.top.path or ()}
    lines = []
    begins = ""
    for entry, belief in zip(game.line, game.beliefs[1:], strict=True):
        top = belief.top
        settled = turned_out.get(entry.seq, Show())
        if isinstance(settled, Show) and entry.event.source is Source.CAMERA:
            continue  # something was seen, and it was no play
        if is_evidence(entry.event):
            continue
        every = messages(top, game.players)
        said = [message.words for message in every if message.code not in ASIDE and message.words != begins]
        begins = next((message.words for message in every if message.code in BEGINS), begins)
        doubts = [message.words.removeprefix("please check ") for message in every if message.code in DOUBTS]
        marks = [] if original.get(entry.seq) == entry.event else ["corrected"]
        if _other(top.step.event, settled):
            said, doubts = [describe(settled, game.players)], []
            marks.append("settled later")
        elif belief.sure < SURE and said:
            marks.append(f"{belief.sure:.0%} sure")
        if doubts:
            marks.append(f"in doubt: {', '.join(doubts)}")
        if isinstance(entry.event, Deal):
            said.insert(0, "the cards are dealt")
        if said or marks[:1] == ["corrected"]:
            words = "; ".join(said) or describe(entry.event, game.players)
            lines.append(f"{entry.seq:4}  {words}{''.join(f' [{mark}]' for mark in marks)}")
    return lines


def _other(seen: Event, settled: Event) -> bool:
    """Whether a play was taken for another one when it was seen."""
    if not isinstance(settled, Laid):
        return False
    if not isinstance(seen, Laid):
        return isinstance(seen, Show)
    return (_ranks(seen), seen.seat) != (_ranks(settled), settled.seat)


def _ranks(event: Laid) -> list[object]:
    return [reading.card.rank if reading.card else None for reading in event.cards]


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
