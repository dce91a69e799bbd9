"""Every code that a command may end with is in ``docs/errors.md``; nothing is described there that is never said."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
OTHERS = ("record-", "deck-")
"""Families whose members come from elsewhere: ``docs/records.md`` and deck profiles."""

CODE_AT = {"UserError": 0, "ImageError": 0, "LeftOut": 1}
"""What carries a code, and as which argument."""


@cache
def raised() -> dict[str, str]:
    """The code of every error of a command that is written out, and where it is made."""
    found = {}
    for folder in ("companion", "datasets", "vision", "engine", "models"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CODE_AT:
                    code = node.args[CODE_AT[node.func.id]]
                    if isinstance(code, ast.Constant) and isinstance(code.value, str):
                        found[code.value] = f"{path.relative_to(ROOT)}:{node.lineno}"
    return found


def described() -> set[str]:
    text = (ROOT / "docs" / "errors.md").read_text("utf-8").split("## From the command line")[1]
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {code for cell in cells for code in re.findall(r"`([a-z…-]+)`", cell)}


def test_every_code_of_a_command_is_described() -> None:
    codes = raised()
    assert len(codes) > 40, "the search no longer finds them"
    assert {
        code: where for code, where in codes.items() if code not in described() and not code.startswith(OTHERS)
    } == {}


def test_no_code_is_described_that_no_command_says() -> None:
    # These two come from the set-up's refusals.
    known = set(raised()) | {"faulty-set-up", "bad-value"}
    assert {code for code in described() if code not in known and not code.startswith(OTHERS)} == set()


def test_a_code_is_lower_case_words_and_hyphens() -> None:
    assert [code for code in raised() if not re.fullmatch(r"[a-z]+(-[a-z]+)*", code)] == []
