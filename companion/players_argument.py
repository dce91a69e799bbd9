"""The argument ``--players``, the same for every command that seats people: what the page refuses, they refuse."""

from __future__ import annotations

from companion.errors import UserError
from companion.refusals import RefusalError
from companion.set_up import SetUp


def names(text: str) -> tuple[str, ...]:
    """The names in ``Ann,Ben,Cem``, in order. Raises UserError ``players`` for an empty one, two that an eye cannot
    tell apart, and whatever else the page does not take."""
    try:
        return SetUp().change({"players": [name.strip() for name in text.split(",")]}).names
    except RefusalError as refusal:
        raise UserError("players", f"--players {text}: {refusal.words}") from None
