"""``pilewatch watch``: follow a game from a camera, a film, a stream or photos, and referee it."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import players_argument
from companion.errors import UserError
from companion.terminal import complain, tell

if TYPE_CHECKING:
    from companion.watching import Watched
    from vision.sources import LeftOut
    from vision.types import ImageReading, Observation
    from vision.watching.feed import Tick
    from vision.watching.watcher import Watcher


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", help="camera (number or name), film, stream address, or a folder of photos in order")
    parser.add_argument("--table", type=Path, metavar="FILE", help="table.toml: where things are (else: looked for)")
    parser.add_argument("--rules", help="rule set: classic, palace, hostel, or with variations palace+jokers")
    parser.add_argument("--players", help="names, clockwise from the seat at the picture's lower edge: Ann,Ben,Cem")
    parser.add_argument("--headless", action="store_true", help="no page and no phones: print what happens")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write the game's record here (implies --headless)")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line (implies --headless)")
    parser.add_argument("--real-time", action="store_true", help="play a film at its own pace, dropping late frames")
    parser.add_argument("--save-table", type=Path, metavar="FILE", help="write the table that was found to this file")
    parser.add_argument("--port", type=int, default=8080, help="port of the page (default %(default)s)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="where games are recorded (default: your data folder)")
    parser.add_argument("--host", metavar="ADDRESS", help="the address that the QR code holds, if the choice is wrong")


def run(args: argparse.Namespace) -> int:
    if args.headless or args.json or args.record or args.save_table:
        return _headless(args)
    from companion.commands import run as page

    parser = argparse.ArgumentParser()
    page.add_arguments(parser)
    options = parser.parse_args([])
    for name in ("source", "rules", "players", "port", "data", "host"):
        setattr(options, name, getattr(args, name))
    return page.run(options)


def _headless(args: argparse.Namespace) -> int:
    import cv2

    from companion.watching import Agreed, Watched
    from vision.sources import Kind, SourceError, kind_of
    from vision.watching.feed import watch
    from vision.watching.watcher import Watcher

    cv2.setNumThreads(1)  # small pictures: more threads only take turns
    beside = _beside(args.source)
    players = players_argument.names(args.players) if args.players else ()
    agreed = Agreed.read(args.table or beside, args.rules, players)
    game = Watched(agreed, args.record, timed=kind_of(args.source) is not Kind.PHOTOS)
    watcher = Watcher(
        _reader(),
        agreed.table,
        players=agreed.seats,
        decks=agreed.rules.decks,
        jokers=agreed.rules.jokers > 0,
        turned=agreed.rules.turned > 0,
    )
    out = _Json() if args.json else _Words(live=kind_of(args.source).live)
    began = time.monotonic()
    frames = 0
    tick = None
    whole = True
    try:
        for tick in watch(args.source, watcher, real_time=args.real_time):
            frames += tick.frame is not None
            whole = whole and not tick.left_out
            for left_out in tick.left_out:
                out.left_out(left_out)
            if tick.frame is not None or tick.words:
                out.tick(tick, watcher)
            for observation in tick.observations:
                out.observation(observation, game)
    except SourceError as error:
        raise UserError("source", str(error)) from None
    except KeyboardInterrupt:
        pass
    finally:
        game.close()
    out.end(frames, tick.dropped if tick else 0, time.monotonic() - began, game, watcher)
    if args.record and game.game is None:
        complain("watch", f"no game began, so {args.record} was not written")
    if args.save_table:
        _save_table(watcher, args.save_table)
    return 0 if frames and whole else 1


def _save_table(watcher: Watcher, file: Path) -> None:
    if watcher.table is None:
        raise UserError("table", f"no table was found in the pictures, so {file} is not written")
    try:
        watcher.table.save(file)
    except OSError as error:
        raise UserError("table", f"{file} cannot be written: {error.strerror or error}") from None


def _beside(source: str) -> Path | None:
    """A ``table.toml`` that lies beside a film or in a folder of photos."""
    path = Path(source)
    found = (path if path.is_dir() else path.parent) / "table.toml"
    return found if path.exists() and found.is_file() else None


def _reader() -> Any:
    import models
    from vision.reading.claims import DOUBTFUL
    from vision.reading.reader import Reader
    from vision.watching import rims

    try:
        rims.load()
        return Reader.load(least=DOUBTFUL)
    except models.ModelError as error:
        raise UserError("model", str(error)) from None


class _Json:
    """One JSON object a line."""

    def left_out(self, one: LeftOut) -> None:
        self._say({"type": "error", "file": one.name, "error": {"code": one.code, "words": one.words}})

    def tick(self, tick: Tick, watcher: Watcher) -> None:
        if tick.frame is None:
            self._say({"type": "camera", "lost": tick.lost, "words": tick.words})
        elif tick.frame.name and watcher.reading is not None:
            self._say({"type": "photo", "file": tick.frame.name, "cards": named(watcher.reading), "note": watcher.note})

    def observation(self, observation: Observation, game: Watched) -> None:
        from companion.watching import as_json
        from engine.shithead.protocol import answer

        self._say(as_json(observation))
        ruling = game.observe(observation)
        if ruling is not None:
            self._say({"type": "ruling", **answer(ruling)})

    def end(self, frames: int, dropped: int, seconds: float, game: Watched, watcher: Watcher) -> None:
        counts = watcher.counts
        self._say(
            {
                "type": "end",
                "frames": frames,
                "dropped": dropped,
                "reads": counts.reads,
                "seconds": round(seconds, 3),
                "events": game.game.seq if game.game else 0,
                "loser": game.loser,
                "note": watcher.note,
            }
        )

    @staticmethod
    def _say(value: object) -> None:
        print(json.dumps(value, ensure_ascii=False), flush=True)


ASIDE = frozenset({"nothing", "already-said", "nothing-owed", "pile-was-empty", "game-is-over"})
"""What is said to one who tells it; of what a camera sees again and again nobody wants to read."""


class _Words:
    """What a person wants to read. The times of a camera count from its first picture: its own clock tells nothing."""

    def __init__(self, *, live: bool = False) -> None:
        self._live = live
        self._began: float | None = None

    def left_out(self, one: LeftOut) -> None:
        complain("watch", one.words, one.code)

    def tick(self, tick: Tick, watcher: Watcher) -> None:
        if tick.frame is not None and self._began is None:
            self._began = tick.frame.at if self._live else 0.0
        if tick.frame is None:
            tell(tick.words)
        elif tick.frame.name and watcher.reading is not None:
            cards = " ".join(card["card"] for card in named(watcher.reading)) or "no cards"
            tell(f"{tick.frame.name}: {cards}")

    def observation(self, observation: Observation, game: Watched) -> None:
        ruling = game.observe(observation)
        at = max(0.0, observation.at - (self._began or 0.0))
        label = f"{int(at) // 60}:{at % 60:04.1f}"
        if ruling is not None:
            # What changes nothing, or says nothing new (a burnt pile that goes), is no news.
            words = "; ".join(said.words for said in ruling.messages if said.code not in ASIDE)
            if words:
                tell(f"{label}  {words}")
        elif observation.kind.value == "nudged" or (observation.kind.value == "camera" and observation.present):
            # That it is lost, and why, the tick has said.
            what = "was moved" if observation.kind.value == "nudged" else "is back"
            print(f"{label}  The camera {what}.", flush=True)

    def end(self, frames: int, dropped: int, seconds: float, game: Watched, watcher: Watcher) -> None:
        if not frames:
            print("There was no picture that could be read.", file=sys.stderr)
            return
        if game.game is None:
            tell(f"{_count(frames, 'picture')}; no game to referee: {watcher.note or 'no deal was laid out'}.")
            return
        lost = f"{game.loser} lost" if game.loser else "not played to its end"
        late = f", {dropped} dropped" if dropped else ""
        events = _count(game.game.seq, "event")
        print(f"{_count(frames, 'picture')} in {seconds:.0f} s{late}; {events}; {lost}.", flush=True)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def named(reading: ImageReading) -> Sequence[dict[str, Any]]:
    """The cards of a reading, the surest first; what is not sure is marked ``?`` as in ``7H?``."""
    return [
        {"card": str(card.card) + ("" if card.sure else "?"), "score": round(card.score, 4)} for card in reading.cards
    ]
