"""A real server, a real browser: the page as phones and the TV meet it. Skipped where there is no chromium."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect, sync_playwright

from tests.waiting import PATIENCE, until

expect.set_options(timeout=1000 * PATIENCE)
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
PHONE = (390, 844)
SMALL_PHONE = (360, 640)
TV = (1920, 1080)

# Headless browsers have no voice; this one writes down what it would have said.
VOICE = """
window.spoken = [];
class Utterance { constructor(text) { this.text = text; } }
window.SpeechSynthesisUtterance = Utterance;
Object.defineProperty(window, 'speechSynthesis', { value: {
  speak(utterance) {
    if (utterance.text.trim()) window.spoken.push(utterance.text);
    setTimeout(() => utterance.onend && utterance.onend(), 0);
  },
  cancel() {}, getVoices() { return []; },
} });
"""


class Table:
    """A server of its own, and a way to speak to it over HTTP with the key of the host's phone."""

    def __init__(self, folder: Path, watched: str = "--no-camera") -> None:
        self.folder = folder
        self.watched = watched
        self.port = 0
        self.start()
        self._http = httpx.Client(base_url=self.url, timeout=PATIENCE, trust_env=False)
        self._ids = itertools.count()

    def speak_as(self, device: StorageState) -> None:
        """Speak with the key of a browser's device."""
        key = next(cookie["value"] for cookie in device["cookies"] if cookie["name"] == f"pilewatch_{self.port}")
        self._http.headers["Authorization"] = f"Bearer {key}"

    def start(self) -> None:
        command = [sys.executable, "-m", "companion.cli", "run", self.watched, "--host", "127.0.0.1"]
        self._process = subprocess.Popen(
            [*command, "--port", str(self.port), "--data", str(self.folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._process.stdout
        said = [next(self._process.stdout, "") for _ in range(3)]
        links = re.findall(r"http://\S+/j/\w+", "".join(said))
        assert len(links) == 2, said
        self.link = links[0]
        self.host_link = links[1].replace("localhost", "127.0.0.1")
        self.url = self.link.partition("/j/")[0]
        self.port = int(self.url.rpartition(":")[2])

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)
        if self._process.stdout:
            self._process.stdout.close()

    def close(self) -> None:
        self._http.close()
        self.stop()

    def comes_to(self, condition: Callable[[dict[str, Any]], object]) -> None:
        """Wait until the table, as the server knows it, is so."""
        until(lambda: condition(self.snapshot["table"]))

    @property
    def snapshot(self) -> dict[str, Any]:
        return dict(self._http.get("/api/poll").json()["snapshot"])

    def say(self, name: str, **fields: Any) -> dict[str, Any]:
        """Give a command as the host, and insist that it is taken."""
        for _ in range(100):
            body = {
                "id": f"test-{time.time_ns()}-{next(self._ids)}",
                "based_on": self.snapshot["seq"],
                "name": name,
                "fields": fields,
            }
            answer: dict[str, Any] = self._http.post("/api/command", json=body).json()
            if answer.get("error", {}).get("code") != "too-many":
                break
            time.sleep(0.2)
        assert answer.get("ok"), (name, fields, answer)
        return answer

    def deal(self, players: str = "Ann Ben Cem", rules: str = "classic", **fields: Any) -> None:
        """A new game on the table, dealt and begun by the first player."""
        names = players.split()
        self.say("end-game")
        self.say("sit", seat=None)
        set_up = {"players": [{"name": name} for name in names], "rules": rules, "options": {}, "forfeit": ""}
        self.say("set-up", **{**set_up, "taps": "everyone", "dealer": len(names) - 1, **fields})
        self.say("new-game")
        self.say("deal", upcards={})
        self.say("start", seat=names[0])

    def lay(self, *cards: str | Mapping[str, float], **fields: Any) -> dict[str, Any]:
        return self.say("laid", cards=list(cards), **fields)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    made = Table(tmp_path_factory.mktemp("table"))
    yield made
    made.close()


def chromium() -> str:
    """Where the system's Chromium is: best without windows, which takes half the time for the same page."""
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if found is None:
        pytest.skip("`apt install chromium-headless-shell` (or chromium) lets the tests run that need a browser")
    return found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS, timeout=1000 * PATIENCE)
        yield launched
        launched.close()


Open = Callable[..., Page]


@pytest.fixture(scope="module")
def devices(browser: Browser, table: Table) -> dict[str, StorageState]:
    """What devices that have joined keep: the host's, a player's, a TV's."""
    kept = {}
    for role, link in (("host", table.host_link), ("player", table.link), ("tv", f"{table.link}?to=tv")):
        context = browser.new_context()
        assert context.request.get(link, timeout=1000 * PATIENCE).ok
        kept[role] = context.storage_state()
        context.close()
    table.speak_as(kept["host"])
    return kept


@pytest.fixture
def open_page(browser: Browser, table: Table, devices: dict[str, StorageState]) -> Iterator[Open]:
    """Opens the page as one of the devices. What the browser complains of fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []
    allowed: list[str] = []

    def open_it(
        role: str = "host",
        size: tuple[int, int] = PHONE,
        *,
        route: str = "",
        start: bool = True,
        allow: str = "",
        before: Callable[[Page], object] | None = None,
        preferences: str = "",
        **options: Any,
    ) -> Page:
        context = browser.new_context(
            storage_state=devices[role], viewport={"width": size[0], "height": size[1]}, locale="en-GB", **options
        )
        context.set_default_timeout(1000 * PATIENCE)
        contexts.append(context)
        if allow:
            allowed.append(allow)
        context.add_init_script(VOICE)
        if preferences:
            context.add_init_script(f"localStorage.setItem('pilewatch-preferences', '{preferences}')")
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        if before:
            before(page)
        page.goto(f"{table.url}/{'#' + route if route else ''}")
        page.wait_for_selector(".page, .welcome, .tv")
        if start and page.locator(".welcome").count():
            page.locator(".welcome-form .button.main").click()
            page.wait_for_selector(".page")
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert [said for said in complaints if not any(re.search(pattern, said) for pattern in allowed)] == []
