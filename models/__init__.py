"""The nets that ship, found by name, and their calibration. The card of the nets is ``models/README.md``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent
CORNERS: Final = "corners.onnx"
INDICES: Final = "indices.onnx"
RIMS: Final = "rims.onnx"
CALIBRATION: Final = "calibration.json"


class ModelError(RuntimeError):
    """A file that ships with the nets is missing or damaged."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Constants that turn the nets' raw outputs into probabilities.

    ``rank_temperature`` and ``suit_temperature`` divide the classifier's logits before the softmax.
    ``corner_threshold`` is the least detector score worth a look. ``claims`` is the slope and shift of
    the log odds of what a reading claims, for every way that a card may stand among others
    (``vision.reading.claims``): nets claim too much on decks that they have not seen.
    ``version`` names the nets that the constants were fitted to.
    """

    version: str
    rank_temperature: float
    suit_temperature: float
    corner_threshold: float
    claims: Mapping[str, tuple[float, float]] = field(default_factory=dict)


def path(name: str) -> Path:
    """The full path of a file that ships here, such as ``path("corners.onnx")``. Raises ModelError if it is missing."""
    file = FOLDER / name
    if not file.is_file():
        raise ModelError(f"{name} is missing from {FOLDER}: install Pilewatch again, or train it anew")
    return file


@cache
def calibration() -> Calibration:
    """The constants in ``calibration.json``. Raises ModelError if the file is missing or damaged."""
    try:
        fields = json.loads(path(CALIBRATION).read_text(encoding="utf-8"))
        return Calibration(
            version=str(fields["version"]),
            rank_temperature=float(fields["rank_temperature"]),
            suit_temperature=float(fields["suit_temperature"]),
            corner_threshold=float(fields["corner_threshold"]),
            claims={how: (float(slope), float(shift)) for how, (slope, shift) in fields["claims"].items()},
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{CALIBRATION} in {FOLDER} is damaged ({error}): install Pilewatch again") from error
