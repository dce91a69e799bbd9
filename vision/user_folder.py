"""The one folder in which Pilewatch keeps what is the user's own: recorded games, learned decks."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


class NoHomeError(Exception):
    """This user has no home folder, so there is no place for a folder of their own."""


def user_folder() -> Path:
    """``$XDG_DATA_HOME/pilewatch`` where that is set, else ``pilewatch`` where the system keeps a user's data.
    The folder need not be there yet. Raises NoHomeError."""
    if configured := os.environ.get("XDG_DATA_HOME"):  # not every system's own custom, but ours on all of them
        return Path(configured) / "pilewatch"
    try:
        folder = platformdirs.user_data_path("pilewatch", appauthor=False)
    except RuntimeError:
        folder = Path("~")
    if not folder.is_absolute():  # older versions leave a "~" where nobody knows a home
        raise NoHomeError("this user has no home folder")
    return folder
