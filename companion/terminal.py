"""What a command says to a person: one line at a time, whatever the names of files and players hold.

A name may have a newline or an escape character in it; printed raw it would make a second line, or move the cursor.
"""

from __future__ import annotations

import sys


def one_line(text: object) -> str:
    """The text with everything that is no printable character written out, as in ``game\\n.jsonl``."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in str(text))


def tell(text: object) -> None:
    """Print one line, at once."""
    print(one_line(text), flush=True)


def complain(command: str, text: object, code: str = "") -> None:
    """Say on standard error what is wrong, with its stable code."""
    print(one_line(f"pilewatch {command}: {text}{f' [{code}]' if code else ''}"), file=sys.stderr, flush=True)
