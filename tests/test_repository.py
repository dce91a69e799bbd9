"""What the repository promises about itself: small modules, no addresses of other machines, light runtime."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("engine", "vision", "companion", "models", "datasets")
LONGEST_MODULE = 450  # lines; one sitting


def _tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout, so there is no list of tracked files")
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def test_modules_can_be_read_in_one_sitting() -> None:
    lengths = {path.relative_to(ROOT): len(path.read_text(encoding="utf-8").splitlines()) for path in _tracked("*.py")}
    assert {path: length for path, length in lengths.items() if length > LONGEST_MODULE} == {}


def test_every_package_says_what_it_is_for() -> None:
    silent = []
    for package in PACKAGES:
        for path in _tracked(f"{package}/*.py"):
            text = path.read_text(encoding="utf-8").strip()
            if text and not text.startswith(('"""', 'r"""', "#!")):
                silent.append(path.relative_to(ROOT))
    assert silent == []


def test_no_download_address_is_pinned() -> None:
    for path in _tracked("constraints.txt", "*requirements*.txt", "*.lock"):
        assert not re.search(r"https?://", path.read_text(encoding="utf-8")), path


def test_the_engine_imports_the_standard_library_only() -> None:
    allowed = set(sys.stdlib_module_names) | {"engine"}
    for path in _tracked("engine/*.py"):
        for name in re.findall(r"^\s*(?:from|import) ([A-Za-z_]+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            assert name in allowed, f"{path.relative_to(ROOT)} imports {name}"


def test_vision_knows_the_cards_and_nothing_else_of_the_game() -> None:
    for path in _tracked("vision/*.py"):
        for name in re.findall(r"^\s*(?:from|import) (\S+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            assert not name.startswith(("companion", "datasets")), f"{path.relative_to(ROOT)} imports {name}"
            assert not name.startswith("engine") or name == "engine.cards", f"{path.relative_to(ROOT)} imports {name}"


def test_nothing_at_run_time_imports_torch() -> None:
    code = (
        "import sys, importlib, pkgutil, engine, vision, companion\n"
        "for package in (engine, vision, companion):\n"
        "    for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        importlib.import_module(module.name)\n"
        "sys.exit(any(name in sys.modules for name in ('torch', 'ultralytics')))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
