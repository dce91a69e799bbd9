"""``python -m datasets.judged_games``: thirty made-up games in decks that no net was trained on, rendered and judged.

Half are in real print (``../shared/photos/print``), half in held-out decks; three rule sets, two to five players. Games
are rendered into ``data/games`` where they are missing (about 100 s a game on one core), then judged as ``pilewatch
evaluate games`` does (about as long). ``--six`` is a subset of all kinds, for every day.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.cli import main as pilewatch
from datasets.decks import DATA
from datasets.evaluate import shared

PRINT: Final = "print"
"""Stands for the folder of real cards, ``FilhoDeEd+Cards-Detector-2``."""
FOLDER: Final = DATA / "games"
FIRST: Final = 2001
"""The seed of the first game; each next one has the next."""


@dataclass(frozen=True, slots=True)
class Made:
    """A game to be rendered; two are filmed at 30 frames a second, to be watched in real time."""

    number: int
    rules: str
    players: int
    deck: str
    rate: int = 15

    @property
    def name(self) -> str:
        return f"{self.number:02}-{self.rules}-{self.players}-{self.deck}"


GAMES: Final = tuple(
    Made(number, rules, players, deck, 30 if number in (5, 14) else 15)
    for number, (rules, players, deck) in enumerate(
        (
            ("classic", 2, PRINT),
            ("hostel", 3, "kde-standard"),
            ("palace", 4, PRINT),
            ("classic", 3, "lattmann"),
            ("hostel", 2, PRINT),
            ("palace", 2, "younestouati"),
            ("classic", 4, PRINT),
            ("hostel", 4, "anglo-bitmap"),
            ("palace", 3, PRINT),
            ("classic", 2, "kde-standard"),
            ("hostel", 3, PRINT),
            ("palace", 5, "kde-standard"),
            ("classic", 5, PRINT),
            ("hostel", 2, "lattmann"),
            ("palace", 2, PRINT),
            ("classic", 3, "younestouati"),
            ("hostel", 4, PRINT),
            ("palace", 4, "drawn-19"),
            ("classic", 2, PRINT),
            ("hostel", 2, "anglo-bitmap"),
            ("palace", 3, PRINT),
            ("classic", 4, "kde-standard"),
            ("hostel", 2, PRINT),
            ("palace", 2, "drawn-29"),
            ("classic", 3, PRINT),
            ("hostel", 4, "lattmann"),
            ("palace", 2, PRINT),
            ("classic", 2, "anglo-bitmap"),
            ("hostel", 3, PRINT),
            ("palace", 3, "younestouati"),
        ),
        1,
    )
)
SIX: Final = (1, 2, 9, 14, 16, 24)


def render(game: Made, folder: Path) -> Path:
    """Film a game into ``folder`` unless it lies there whole. Exits where it cannot be."""
    out, being_made = folder / game.name, folder / f".{game.name}"
    if (out / "truth.jsonl").is_file():
        return out
    deck = shared() / "photos" / "print" / "FilhoDeEd+Cards-Detector-2" if game.deck == PRINT else game.deck
    told = ["--rules", game.rules, "--players", str(game.players), "--seed", str(FIRST + game.number - 1)]
    code = pilewatch(["render", *told, "--deck", str(deck), "--rate", str(game.rate), "--out", str(being_made)])
    if code:
        raise SystemExit(code)  # what was wrong has been said
    being_made.rename(out)
    return out


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.judged_games", description="Thirty games in decks that no net was trained on"
    )
    parser.add_argument("--six", action="store_true", help="six of the thirty")
    parser.add_argument("--real-time", action="store_true", help="the two of 30 frames a second, at their own pace")
    parser.add_argument("--folder", type=Path, default=FOLDER, help=f"where the games lie (default: {FOLDER})")
    parser.add_argument("--show", action="store_true", help="print every play that was not right")
    args = parser.parse_args(arguments)
    wanted = [
        game for game in GAMES if (game.number in SIX or not args.six) and (game.rate == 30 or not args.real_time)
    ]
    args.folder.mkdir(parents=True, exist_ok=True)
    made = [str(render(game, args.folder)) for game in wanted]
    options = [*(["--show"] if args.show else []), *(["--real-time"] if args.real_time else [])]
    return pilewatch(["evaluate", "games", *options, *made])


if __name__ == "__main__":
    sys.exit(main())
