"""Real photographs of tables, given to ``pilewatch watch``: a phone shows what was read, and enough of it is so.

The photographs are only judges. ``pilewatch watch FOLDER`` shows all of a folder in the same way.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.conftest import ARGUMENTS, PHONE, chromium
from tests.waiting import PATIENCE

pytestmark = pytest.mark.browser

WEBCAM = "judge/martinabeleda+blackjack-tracker"
DESK = "judge/GuilleX7+PlayingCardDetection"
PHOTOS = (
    *(f"{WEBCAM}/benchmark_images__{name}.jpg" for name in ("heart1", "surface2")),
    *(f"{DESK}/query__{name}.jpg" for name in ("q13", "q15")),
)
FLOOR = 0.6
"""Share of the cards' ranks that a phone must show, for each of the two sets."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS, timeout=1000 * PATIENCE)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def folder(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few of the photographs, numbered so that they come in this order, after one that nobody may be in time for."""
    made = tmp_path_factory.mktemp("photos")
    shutil.copy(shared / "photos" / PHOTOS[0], made / "00.jpg")
    for number, name in enumerate(PHOTOS):
        shutil.copy(shared / "photos" / name, made / f"{number}.jpg")
    return made


@pytest.fixture(scope="module")
def link(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The host's link of a table that watches the photographs."""
    command = [sys.executable, "-m", "companion.cli", "watch", str(folder), "--port", "0", "--host", "127.0.0.1"]
    command += ["--data", str(tmp_path_factory.mktemp("data"))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout
    said = "".join(next(process.stdout, "") for _ in range(3))
    links = re.findall(r"http://\S+/j/\w+", said)
    assert len(links) == 2, said
    yield links[1].replace("localhost", "127.0.0.1")
    process.terminate()
    process.wait(PATIENCE)
    rest = process.stdout.read()
    process.stdout.close()
    assert "Traceback" not in rest, rest


def read_as_json(folder: Path) -> dict[str, list[dict[str, object]]]:
    command = [sys.executable, "-m", "companion.cli", "read", str(folder), "--json"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {Path(photo["file"]).name: photo["cards"] for photo in map(json.loads, lines)}


def leaf(page: Page, last: str) -> dict[str, list[str]]:
    """The cards that the page shows as text for each photograph, until the ``last`` was seen."""
    shown: dict[str, list[str]] = {}
    deadline = time.monotonic() + 2 * PATIENCE
    while last not in shown and time.monotonic() < deadline:
        seen = page.evaluate(
            "() => { const name = document.querySelector('.seen-photo'); return name && [name.innerText,"
            " [...document.querySelectorAll('.seen-cards li')].map((card) => card.dataset.card)]; }"
        )
        if seen:
            shown.setdefault(seen[0], seen[1])
        page.wait_for_timeout(100)
    return shown


def ranks_found(truth: Sequence[str], shown: Sequence[str]) -> int:
    return sum((Counter(card[0] for card in truth) & Counter(card[0] for card in shown)).values())


def test_a_phone_shows_what_was_read_in_photographs_that_are_no_game(
    browser: Browser, shared: Path, folder: Path, link: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = browser.new_page(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en-GB")
    page.goto(link)
    page.locator(".welcome-form .button.main").click()
    page.wait_for_selector(".page")
    page.goto(f"{page.url.split('#')[0]}#camera")
    shown = leaf(page, f"{len(PHOTOS) - 1}.jpg")
    shown.pop("00.jpg", None)
    assert sorted(shown) == [f"{number}.jpg" for number in range(len(PHOTOS))]

    # What cannot be refereed is said, and the picture is there to see it with one's own eyes.
    expect(page.locator(".seen")).to_contain_text("No game is going on, so nothing is refereed")
    assert page.locator(".camera-picture img").evaluate("picture => picture.naturalWidth") > 0
    expect(page.locator(".camera h2").first).to_have_text("The film is over")
    page.close()

    read = read_as_json(folder)
    for name, cards in shown.items():
        assert cards == [f"{card['card']}{'' if float(str(card['score'])) >= 0.9 else '?'}" for card in read[name]]

    labels = {row["path"]: row["cards"] for row in json.loads((shared / "photos" / "labels.json").read_text("utf-8"))}
    for place in (WEBCAM, DESK):
        mine = [(labels[path], shown[f"{number}.jpg"]) for number, path in enumerate(PHOTOS) if place in path]
        there = sum(len(truth) for truth, _ in mine)
        found = sum(ranks_found(truth, cards) for truth, cards in mine)
        with capsys.disabled():
            print(f"\n{place}: {found} of {there} ranks shown on the page")
        assert found >= FLOOR * there
