"""``pilewatch evaluate photos | games``: judge readings of photos, or watched games, against the truth."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
from typing import Final

from companion.errors import UserError
from engine.records import RecordError

_KINDS: Final = {
    "photos": ("datasets.evaluate", "labelled photographs: recall, precision, calibration, time"),
    "games": ("datasets.evaluate_games", "filmed games: plays, turns, burns, losers"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    for kind, (module, words) in _KINDS.items():
        if importlib.util.find_spec(module) is None:
            continue
        own = kinds.add_parser(kind, help=words, description=words.capitalize() + ".")
        importlib.import_module(module).add_arguments(own)


def run(args: argparse.Namespace) -> int:
    try:
        status: int = importlib.import_module(_KINDS[args.kind][0]).run(args)
    except RecordError as error:
        raise UserError(error.code, str(error)) from None
    return status
