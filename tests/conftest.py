"""Where the real photographs are, for the tests that want them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No example is too slow: the machine may be busy. A landing is judged by the same examples each time; at the desk every
# run tries others.
settings.register_profile("desk", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("repeatable", settings.get_profile("desk"), derandomize=True)
settings.load_profile("repeatable" if os.environ.get("CI") else "desk")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with ``photos/`` and ``films/``: ``PILEWATCH_SHARED``, else ``../shared`` beside the checkout."""
    folder = Path(os.environ.get("PILEWATCH_SHARED", ROOT.parent / "shared"))
    if not (folder / "photos" / "labels.json").is_file():
        pytest.skip(f"the real photos are not at {folder}; PILEWATCH_SHARED names another place")
    return folder
