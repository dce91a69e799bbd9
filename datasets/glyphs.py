"""Letters, digits and suit signs as alpha masks, to draw indices with: fonts of the system, and paths of our own."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from functools import cache
from typing import Final
from xml.sax.saxutils import escape

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import UserError

Mask = NDArray[np.float32]
"""How much of each pixel is inked, 0 to 1, trimmed to the ink; shape (height, width)."""

_SIZE: Final = 200

# ruff: noqa: E501
SUIT_PATHS: Final[dict[str, dict[str, str]]] = {
    "round": {
        "H": "M50 94 C20 62 4 46 4 28 C4 12 16 4 28 4 C40 4 48 13 50 24 C52 13 60 4 72 4 C84 4 96 12 96 28 C96 46 80 62 50 94Z",
        "D": "M50 2 L90 50 L50 98 L10 50Z",
        "S": "M50 4 C56 20 95 42 95 64 C95 79 84 86 74 86 C64 86 56 80 53 71 C54 85 58 92 67 97 L33 97 C42 92 46 85 47 71 "
        "C44 80 36 86 26 86 C16 86 5 79 5 64 C5 42 44 20 50 4Z",
        "C": "M50 4 A22 22 0 0 1 66 41 A22 22 0 1 1 55 70 C55 84 59 92 68 97 L32 97 C41 92 45 84 45 70 A22 22 0 1 1 34 41 "
        "A22 22 0 0 1 50 4Z",
    },
    "curved": {
        "H": "M50 97 C44 78 6 58 6 30 C6 12 17 3 29 3 C41 3 47 14 50 26 C53 14 59 3 71 3 C83 3 94 12 94 30 C94 58 56 78 50 97Z",
        "D": "M50 0 Q64 30 92 50 Q64 70 50 100 Q36 70 8 50 Q36 30 50 0Z",
        "S": "M50 2 C54 24 93 44 93 66 C93 80 82 87 73 87 C63 87 56 81 52 74 L58 98 L42 98 L48 74 C44 81 37 87 27 87 "
        "C18 87 7 80 7 66 C7 44 46 24 50 2Z",
        "C": "M50 3 A20 20 0 0 1 62 39 Q58 46 60 48 A20 20 0 1 1 55 68 L60 98 L40 98 L45 68 A20 20 0 1 1 40 48 Q42 46 38 39 "
        "A20 20 0 0 1 50 3Z",
    },
    "slim": {
        "H": "M50 98 C34 70 14 48 14 26 C14 10 24 4 32 4 C42 4 48 14 50 22 C52 14 58 4 68 4 C76 4 86 10 86 26 C86 48 66 70 50 98Z",
        "D": "M50 0 L80 50 L50 100 L20 50Z",
        "S": "M50 0 C55 18 86 40 86 62 C86 76 77 82 69 82 C60 82 55 76 53 68 C53 84 56 93 62 98 L38 98 C44 93 47 84 47 68 "
        "C45 76 40 82 31 82 C23 82 14 76 14 62 C14 40 45 18 50 0Z",
        "C": "M50 2 A18 20 0 0 1 62 38 A18 20 0 1 1 54 66 C54 84 57 93 63 98 L37 98 C43 93 46 84 46 66 A18 20 0 1 1 38 38 "
        "A18 20 0 0 1 50 2Z",
    },
}
"""Suit signs by style and suit letter, in a square of 100."""


def _alpha(svg: str) -> Mask:
    tool = shutil.which("rsvg-convert")
    if tool is None:
        raise UserError("no-tool", "rsvg-convert is missing: run `apt-get install librsvg2-bin` and try again.")
    with tempfile.NamedTemporaryFile("w", suffix=".svg", encoding="utf-8") as file:
        file.write(svg)
        file.flush()
        done = subprocess.run([tool, file.name], capture_output=True, check=True)
    picture = cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    x, y, width, height = cv2.boundingRect((picture[..., 3] > 40).astype(np.uint8))
    return np.asarray(picture[y : y + height, x : x + width, 3] / 255, np.float32)


@cache
def has_font(family: str) -> bool:
    """Whether the system has this font (fontconfig would silently take another)."""
    tool = shutil.which("fc-match")
    if tool is None:
        return False
    done = subprocess.run([tool, "-f", "%{family}", family], capture_output=True, text=True)
    return family in done.stdout.split(",")


@cache
def text(word: str, family: str, weight: int = 400) -> Mask:
    """A word in a font of the system, about 150 pixels high."""
    return _alpha(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SIZE * (len(word) + 1)}" height="{2 * _SIZE}">'
        f'<text x="{_SIZE // 2}" y="{_SIZE * 1.4:.0f}" font-family="{escape(family)}" font-weight="{weight}" '
        f'font-size="{_SIZE}">{escape(word)}</text></svg>'
    )


@cache
def suit(letter: str, style: str) -> Mask:
    """A suit sign (``C``, ``D``, ``H``, ``S``) in one of the styles of SUIT_PATHS."""
    return _alpha(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_SIZE}" height="{_SIZE}" viewBox="0 0 100 100">'
        f'<path d="{SUIT_PATHS[style][letter]}"/></svg>'
    )
