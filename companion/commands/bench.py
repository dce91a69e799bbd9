"""``pilewatch bench vision | engine | server | film``: measure speed and size, as ratios within one run."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
from typing import Final

_KINDS: Final = {
    "vision": ("datasets.bench_vision", "reading one frame, beside a plain YOLO11n with the same threads"),
    "server": ("companion.bench", "many phones at one table: how late each hears of a play, and the server's memory"),
    "film": ("companion.bench_film", "the video of a game: how large it becomes, and what writing it costs"),
    "engine": ("engine.shithead.bench", "rulings, games and state folds a second"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    for kind, (module, words) in _KINDS.items():
        if importlib.util.find_spec(module) is None:
            continue
        own = kinds.add_parser(kind, help=words, description=words.capitalize() + ".")
        importlib.import_module(module).add_arguments(own)


def run(args: argparse.Namespace) -> int:
    status: int = importlib.import_module(_KINDS[args.kind][0]).run(args)
    return status
