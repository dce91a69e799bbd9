"""Where the real photographs are, for the tests that want them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A landing is judged by the same examples each time; at the desk every run tries others.
settings.register_profile("repeatable", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("repeatable")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with ``photos/`` and ``films/``: ``PILEWATCH_SHARED``, else ``../shared`` beside the checkout."""
    folder = Path(os.environ.get("PILEWATCH_SHARED", ROOT.parent / "shared"))
    if not (folder / "photos" / "labels.json").is_file():
        pytest.skip(f"the real photos are not at {folder}; PILEWATCH_SHARED names another place")
    return folder
