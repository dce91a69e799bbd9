"""Takes the pictures of the page anew that README and docs show: ``python -m tests.browser.pictures``.

They are drawn by the real page of a real server; only the address in the QR code is that of some home network.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import ARGUMENTS, PHONE, Table

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
UPCARDS = {
    "Ann": ["KS", "TD", "4H"],
    "Ben": ["AH", "2D", "7S"],
    "Cem": ["QC", "QD", "8S"],
    "Dora": ["8H", "JS", "6D"],
}
PAPER = (196, 214, 226)
"""Round the two phones; BGR."""


class HomeTable(Table):
    """A table whose QR code holds the address of a home network."""

    def start(self) -> None:
        self.port = 8080
        self.url = f"http://127.0.0.1:{self.port}"
        command = [sys.executable, "-m", "companion.cli", "run", "--no-camera", "--host", "192.168.1.23"]
        self._process = subprocess.Popen(
            [*command, "--port", str(self.port), "--data", str(self.folder)], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout
        said = [next(self._process.stdout, "").split()[-1] for _ in range(2)]
        self.link, self.host_link = (f"{self.url}/j/{link.rpartition('/')[2]}" for link in said)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        table = HomeTable(Path(folder))
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        try:
            _take(table, browser)
        finally:
            browser.close()
            table.close()


def _take(table: HomeTable, browser: Browser) -> None:
    host = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en-GB")
    page = host.new_page()
    page.goto(table.host_link)
    table.speak_as(host.storage_state())
    players = [{"name": name} for name in UPCARDS]
    table.say("set-up", players=players, rules="hostel", options={}, dealer=2)
    table.say("new-game")
    table.say("deal", upcards=UPCARDS, first="4C")
    page.locator(".welcome-form .button.main").click()
    page.wait_for_selector(".tab-bar")
    table.say("sit", seat=2)  # the welcome has asked where its reader sits
    for card in ("5S", "6C", "7H"):
        table.lay(card)
    page.wait_for_selector(".hero.mine")
    page.wait_for_timeout(1500)
    light = _shot(page.screenshot())
    table.lay("3D")
    table.say("sit", seat=3)
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector(".hero.mine")
    page.wait_for_timeout(1500)
    dark = _shot(page.screenshot())
    edge = 30
    paper = np.full((PHONE[1] + 2 * edge, 2 * PHONE[0] + 3 * edge, 3), PAPER, np.uint8)
    for number, shot in enumerate((light, dark)):
        left = edge + number * (PHONE[0] + edge)
        paper[edge:-edge, left : left + PHONE[0]] = shot
    cv2.imwrite(str(FOLDER / "phone.png"), paper, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    screen = browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-GB", color_scheme="dark")
    tv = screen.new_page()
    tv.goto(f"{table.link}?to=tv")
    tv.wait_for_selector(".tv .hero")
    tv.wait_for_timeout(1500)
    tv.screenshot(path=str(FOLDER / "tv.png"))


def _shot(data: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)


if __name__ == "__main__":
    main()
