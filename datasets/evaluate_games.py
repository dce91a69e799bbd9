"""``pilewatch evaluate games DIR...``: watched games against the truth, play by play.

A folder holds a film or stills with ``truth.jsonl`` (a record) and perhaps ``table.toml``, as ``pilewatch render``
makes them; a ``*.truth.json`` file names a film of another renderer. Nothing of the truth reaches the watcher but what
a table agrees on before the deal: rules, players, dealer. Where the referee asks, the truth answers, as a
person at the table would.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from companion.errors import UserError
from companion.watching import Agreed, Watched
from datasets.game_truth import Play, Truth, load_truth
from datasets.games_aligned import RIGHT, Judged, align, asks_for, plays_of
from engine.shithead.belief import Verdict
from engine.shithead.events import Answer
from engine.shithead.referee import rule
from vision.sources import Frame, SourceError, open_source
from vision.watching.feed import Tick, watch
from vision.watching.watched import ReadsCards
from vision.watching.watcher import Watcher

UNSEEN: Final = ("draw-not-seen-penalty", "draw-not-seen")
"""What is said to whoever has not been seen to draw."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "games", metavar="DIR", nargs="+", type=Path, help="folder of a film or stills, or *.truth.json"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a game, and one for all")
    parser.add_argument("--no-table", action="store_true", help="leave table.toml aside: the table is looked for")
    parser.add_argument("--real-time", action="store_true", help="play films at their own pace")
    parser.add_argument("--show", action="store_true", help="print every play that was not right")


@dataclass(eq=False)
class Report:
    """What came of one game, or of several together."""

    name: str
    judged: list[Judged] = field(default_factory=list)
    questions: int = 0
    unseen: int = 0
    """How often somebody was told that no draw of theirs was seen; in rendered games everybody draws."""
    delays: list[float] = field(default_factory=list)
    frames: int = 0
    dropped: int = 0
    seconds: float = 0.0
    slowest: list[float] = field(default_factory=list)
    games: int = 0
    helpless: int = 0
    losers: int = 0
    ended: int = 0
    note: str = ""

    def add(self, other: Report) -> None:
        self.judged += other.judged
        self.delays += other.delays
        self.slowest += other.slowest
        for name in ("questions", "unseen", "frames", "dropped", "seconds", "games", "helpless", "losers", "ended"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def as_json(self) -> dict[str, Any]:
        counts = Counter(judged.verdict for judged in self.judged)
        plays = sum(counts.values()) - counts["invented"]
        return {
            "game": self.name,
            "games": self.games,
            "plays": plays,
            **{verdict: counts[verdict] for verdict in ("right", "asked", "wrong", "missed", "invented")},
            "right_share": round(counts["right"] / plays, 4) if plays else None,
            "questions": self.questions,
            "draws_not_seen_said": self.unseen,
            "no_help": self.helpless,
            "right_loser": self.losers,
            "played_to_the_end": self.ended,
            "delay_median": _quantile(self.delays, 0.5),
            "delay_p95": _quantile(self.delays, 0.95),
            "frames": self.frames,
            "dropped": self.dropped,
            "frame_ms_mean": round(1000 * self.seconds / self.frames, 2) if self.frames else None,
            "frame_ms_p99": _quantile([1000 * value for value in self.slowest], 0.99),
            "note": self.note,
        }


def run(args: argparse.Namespace) -> int:
    import cv2

    from companion.commands.watch import _reader

    cv2.setNumThreads(1)
    reader = _reader()
    total = Report("all")
    for path in args.games:
        report = judge(path, reader, use_table=not args.no_table, real_time=args.real_time)
        total.add(report)
        _print(report, args)
    if len(args.games) > 1:
        _print(total, args)
    return 0


def _print(report: Report, args: argparse.Namespace) -> None:
    if args.json:
        print(json.dumps(report.as_json()), flush=True)
    else:
        value = report.as_json()
        share = "-" if value["right_share"] is None else f"{100 * value['right_share']:.1f} %"
        print(
            f"{report.name}: {value['plays']} plays, {share} right; asked {value['asked']}, wrong {value['wrong']}, "
            f"missed {value['missed']}, invented {value['invented']}; questions {value['questions']}; draws not "
            f"seen {report.unseen}; loser right {value['right_loser']} of {value['games']}; delay "
            f"{value['delay_median']} s, p95 {value['delay_p95']} s; "
            f"{value['frame_ms_mean']} ms a frame{'; ' + report.note if report.note else ''}",
            flush=True,
        )
    if args.show:
        for judged in report.judged:
            if judged.verdict not in RIGHT:
                print(f"  {judged}", file=sys.stderr, flush=True)


def judge(
    path: Path,
    reader: ReadsCards,
    *,
    use_table: bool = True,
    real_time: bool = False,
    otherwise: Callable[[Frame], Frame] | None = None,
) -> Report:
    """Watch one game and judge it; ``otherwise`` changes frames. Raises UserError where there is no game to judge."""
    truth = load_truth(path)
    table = truth.table if use_table else None
    agreed = Agreed.read(table, truth.rules, truth.players if table is not None else ())
    agreed = replace(agreed, dealer=truth.dealer if table is not None else 0)
    watcher = Watcher(
        reader,
        agreed.table,
        players=len(truth.players),
        decks=agreed.rules.decks,
        jokers=agreed.rules.jokers > 0,
        turned=agreed.rules.turned > 0,
    )
    return judge_watched(truth, Watched(agreed), watcher, _ticks(truth, watcher, real_time, otherwise))


def _ticks(
    truth: Truth, watcher: Watcher, real_time: bool, otherwise: Callable[[Frame], Frame] | None
) -> Iterator[Tick]:
    try:
        if otherwise is None:
            yield from watch(str(truth.source), watcher, real_time=real_time)
            return
        with closing(open_source(str(truth.source))) as source:
            while (frame := source.read()) is not None:
                yield Tick(frame, tuple(watcher.see(otherwise(frame))))
    except SourceError as error:
        raise UserError("source", str(error)) from None


def judge_watched(truth: Truth, game: Watched, watcher: Watcher, ticks: Iterator[Any]) -> Report:
    """Judge what a watcher makes of ticks, whoever delivers them."""
    report = Report(truth.name, games=1)
    began = time.monotonic()
    last = began
    waiting = list(truth.plays)
    asked: set[int] = set()
    unanswered: set[int] = set()
    newest = 0.0
    for tick in ticks:
        for observation in tick.observations:
            ruling = game.observe(observation)
            if ruling is None or game.game is None:
                continue
            newest = observation.at
            report.unseen += sum(said.code in UNSEEN for said in ruling.messages)
            question = ruling.question
            if question is None:
                continue
            # How many cards a set has is asked while the game goes on, once; whoever saw it taps the number, once all
            # of the set lies there.
            new = ruling.verdict is Verdict.DOUBTFUL or question.seq not in asked
            report.questions += new
            asked.add(question.seq)
            if new or question.seq in unanswered:
                choice = asks_for(question, waiting, observation.at, truth.seats_of(game))
                if choice is not None:
                    game.game = rule(game.game, Answer(question=question.id, choice=choice)).game
                    unanswered.discard(question.seq)
                else:
                    unanswered.add(question.seq)
        now = time.monotonic()
        report.slowest.append(now - last)
        last = now
        report.frames += tick.frame is not None
        report.dropped = tick.dropped
    report.seconds = time.monotonic() - began
    if game.game is None:
        report.note = f"no deal was seen: {watcher.note}"
        report.judged = [Judged("missed", play, None) for play in truth.plays]
        return report
    seats = truth.seats_of(game)
    seen = plays_of(game.game, asked)
    report.judged = align(truth.plays, seen, seats)
    report.delays = [
        judged.seen.at - judged.truth.at
        for judged in report.judged
        if judged.truth is not None and judged.seen is not None and judged.verdict in RIGHT and not truth.stills
    ]
    helped = report.questions or any(judged.verdict != "right" for judged in report.judged)
    report.helpless = int(not helped)
    report.ended = int(game.loser is not None)
    outcome = game.game.state.outcome
    loser = outcome.loser if outcome is not None else None
    report.losers = int(truth.loser is not None and loser is not None and seats[loser] == truth.loser)
    report.note = f"the watched game ends at {newest:.0f} s" if truth.loser is not None and loser is None else ""
    return report


def _quantile(values: Sequence[float], share: float) -> float | None:
    return round(float(np.quantile(values, share)), 3) if values else None


__all__ = ["Play", "Report", "judge", "judge_watched"]
