"""The page's files as they are served: nothing inline, nothing from elsewhere, readable by old phones, in contrast."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.waiting import PATIENCE

PAGE = Path(__file__).parents[2] / "companion" / "page"
INDEX = (PAGE / "index.html").read_text("utf-8")
SCRIPTS = sorted((PAGE / "js").rglob("*.js"))
STYLES = sorted((PAGE / "css").glob("*.css"))
NAMESPACES = ("http://www.w3.org/",)

names = {path: str(path.relative_to(PAGE)) for path in (*SCRIPTS, *STYLES)}


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|(?m:^\s*//.*$)", "", text, flags=re.S)


def test_index_has_no_inline_script_or_style() -> None:
    """The content security policy forbids both, and a browser would say nothing on the screen."""
    assert not re.search(r"<script(?![^>]*\bsrc=)", INDEX)
    assert not re.search(r"<style|\bstyle\s*=|\bon[a-z]+\s*=", INDEX)


@pytest.mark.parametrize("path", [PAGE / "index.html", PAGE / "manifest.webmanifest", *SCRIPTS, *STYLES], ids=str)
def test_nothing_comes_from_another_server(path: Path) -> None:
    found = re.findall(
        r"""(?:https?:)?//[a-z0-9-]+(?:\.[a-z0-9-]+)+[^\s"')]*""", without_comments(path.read_text("utf-8"))
    )
    assert [url for url in found if not url.startswith(NAMESPACES)] == []


def test_every_file_that_the_page_names_exists() -> None:
    served = [url.removeprefix("/static/") for url in re.findall(r'(?:src|href)="(/static/[^"]+)"', INDEX)]
    assert len(served) > 6
    missing = [name for name in served if not (PAGE / name).is_file()]
    for path in SCRIPTS:
        text = path.read_text("utf-8")
        named = [path.parent / name for name in re.findall(r'from "([^"]+)"', text)]
        named += [PAGE / name for name in re.findall(r'"/static/([^"]+)"', text)]
        missing += [f"{names[path]}: {file}" for file in named if not file.is_file()]
    for path in STYLES:
        named = [path.parent / name for name in re.findall(r'url\("([^"]+)"\)', path.read_text("utf-8"))]
        missing += [f"{names[path]}: {file}" for file in named if not file.is_file()]
    assert missing == []


def test_every_module_and_style_sheet_is_used() -> None:
    reached: set[Path] = set()
    waiting = [PAGE / "js" / "main.js"]
    while waiting:
        path = waiting.pop().resolve()
        if path in reached:
            continue
        reached.add(path)
        waiting += [path.parent / name for name in re.findall(r'from "([^"]+)"', path.read_text("utf-8"))]
    assert {path for path in SCRIPTS if path.resolve() not in reached} == set()
    assert {path.name for path in STYLES} == set(re.findall(r"css/([\w-]+\.css)", INDEX))


NEWER = {
    "optional chaining": r"\w\?\.[\w(\[]",
    "nullish coalescing": r"\?\?",
    "logical assignment": r"(?:\|\||&&)=",
    "private field": r"this\.#",
    "class field": r"^\s+static \w+ =",
    "replaceAll": r"\.replaceAll\(",
    "Array.at": r"\.at\(-?\d",
    "flatMap": r"\.flat(?:Map)?\(",
    "structuredClone": r"structuredClone",
    "fromEntries": r"Object\.fromEntries",
    "top-level await": r"^await ",
    "dynamic import": r"\bimport\(",
    "look-behind": r"\(\?<[=!]",
    "numeric separator": r"\b\d+_\d+\b",
}
"""Syntax and methods that browsers of 2018 lack: one of them, and the whole page stays empty on an old phone."""


@pytest.mark.parametrize("path", SCRIPTS, ids=names.get)
def test_old_phones_understand_the_scripts(path: Path) -> None:
    text = without_comments(path.read_text("utf-8"))
    # In strings "??" is a card that nobody knows.
    text = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
    found = [name for name, pattern in NEWER.items() if re.search(pattern, text, flags=re.M)]
    assert found == []


@pytest.mark.parametrize("path", STYLES, ids=names.get)
def test_old_phones_understand_the_styles(path: Path) -> None:
    text = without_comments(path.read_text("utf-8"))
    newer = [
        ":has(",
        ":is(",
        ":where(",
        "color-mix(",
        "inset:",
        "aspect-ratio:",
        "@layer",
        "@container",
        "clamp(",
        "min(",
        "dvh",
    ]
    assert [word for word in newer if word in text] == []


@pytest.mark.parametrize("path", SCRIPTS, ids=names.get)
def test_modules_stay_readable(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) < 400
    assert lines[0].startswith("// "), "say in a line what the module is"


def test_scripts_are_sound() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: the scripts are checked by the browser tests alone")
    check = (
        "const fs = require('fs'), vm = require('vm');"
        "for (const path of process.argv.slice(1)) {"
        "  try { new vm.SourceTextModule(fs.readFileSync(path, 'utf8')); }"
        "  catch (error) { console.log(path + ': ' + error.message); }"
        "}"
    )
    command = [node, "--experimental-vm-modules", "--no-warnings", "-e", check, *map(str, SCRIPTS)]
    checked = subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE, text=True)
    assert checked.stdout == ""


@pytest.mark.parametrize("path", SCRIPTS, ids=names.get)
def test_nothing_that_the_policy_forbids_is_made_from_text(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(
        r"\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write|setAttribute\(\"style", text
    )


def colours(scheme: str) -> dict[str, str]:
    base = (PAGE / "css" / "base.css").read_text("utf-8")
    blocks = {"light": r":root \{(.*?)\}", "dark": r':root\[data-look="dark"\] \{(.*?)\}'}
    found = re.search(blocks[scheme], base, flags=re.S)
    assert found
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", found.group(1)))


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *(("ink", ground) for ground in ("board", "sheet", "amber-wash", "red-wash", "mat")),
        *(("soft", ground) for ground in ("board", "sheet", "amber-wash", "mat")),
        *(("amber-deep", ground) for ground in ("board", "sheet")),
        *(("red", ground) for ground in ("board", "sheet", "red-wash", "amber-wash")),
        ("green", "board"),
        ("on-amber", "amber"),
        ("board", "ink"),
    ],
)
def test_text_stands_out_from_its_ground(scheme: str, text: str, ground: str) -> None:
    """At least 4.5 to 1, as WCAG 2 asks for."""
    palette = colours(scheme)
    assert contrast(palette[text], palette[ground]) >= 4.5


def test_both_ways_to_the_dark_look_are_the_same() -> None:
    base = (PAGE / "css" / "base.css").read_text("utf-8")
    chosen = re.search(r':root\[data-look="dark"\] \{(.*?)\}', base, flags=re.S)
    followed = re.search(r':root:not\(\[data-look="light"\]\) \{(.*?)\}', base, flags=re.S)
    assert chosen
    assert followed
    assert chosen.group(1).split() == followed.group(1).split()


@pytest.mark.parametrize("suit", "SHDC")
def test_suits_stand_out_on_their_paper(suit: str) -> None:
    cards = (PAGE / "css" / "cards.css").read_text("utf-8")
    found = re.search(rf"\.suit-{suit},.*?--suit: (#[0-9a-f]{{6}})", cards, flags=re.S)
    assert found
    assert all(contrast(found.group(1), paper) >= 4.5 for paper in ("#fffdf6", "#f6eddb"))


def test_vendored_work_comes_with_its_licence() -> None:
    assert (PAGE / "vendor" / "preact-LICENSE.txt").is_file()
    assert (PAGE / "vendor" / "htm-LICENSE.txt").is_file()
    for font in (PAGE / "fonts").glob("*.woff2"):
        family = re.sub(r"-\d+$", "", font.stem)
        assert "SIL Open Font License" in (PAGE / "fonts" / f"{family}-OFL.txt").read_text("utf-8")


def test_the_page_is_small() -> None:
    """All that a phone loads before it shows the table, uncompressed: a slow home network must not be felt."""
    size = sum(
        path.stat().st_size for path in PAGE.rglob("*") if path.suffix in {".js", ".css", ".html", ".woff2", ".svg"}
    )
    assert size < 350_000
