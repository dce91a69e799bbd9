"""The voice of the machine that Pilewatch runs on, by the speech program that its system has. Off unless wanted.

The program is given the words on its standard input, never on a command line. It runs in a thread of its own: nothing
waits for it, what has become old meanwhile is not said any more, and an urgent call cuts in.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from companion.calls import Caller

log = logging.getLogger(__name__)

OLD: Final = 8.0
"""Seconds after which a call that still waits is no news any more."""
LONGEST: Final = 30.0
"""Seconds after which a speech program that does not end is ended."""
NONE: Final = "this computer has no speech program: install espeak-ng, and it speaks too"

# Each reads UTF-8 text from its standard input; {} is the language.
_PROGRAMS: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "darwin": (("say", "-f", "-"),),
    "win32": (
        (
            "powershell",
            "-NoProfile",
            "-Command",
            "[Console]::InputEncoding = [Text.Encoding]::UTF8; Add-Type -AssemblyName System.Speech; "
            "$voice = New-Object System.Speech.Synthesis.SpeechSynthesizer; "
            "try { $voice.SelectVoiceByHints('NotSet', 'NotSet', 0, '{}') } catch {}; "
            "$voice.Speak([Console]::In.ReadToEnd())",
        ),
    ),
    "": (
        ("espeak-ng", "-v", "{}", "--stdin"),
        ("espeak", "-v", "{}", "--stdin"),
        ("spd-say", "--wait", "--language", "{}", "--pipe-mode"),
    ),
}


def program(which: Callable[[str], str | None] | None = None, platform: str = sys.platform) -> list[str] | None:
    """The command of the speech program that this system has; None where it has none."""
    find = which or shutil.which
    return next((list(one) for one in _PROGRAMS.get(platform, _PROGRAMS[""]) if find(one[0])), None)


class Voice:
    """Says the calls. Does nothing while it is not :attr:`able` or nobody wants it."""

    def __init__(self, command: Sequence[str] | None) -> None:
        """``command``: the speech program's, as :func:`program` finds it."""
        self._command = command
        self._caller = Caller("en")
        self._waiting: queue.Queue[tuple[float, str, str]] = queue.Queue(8)
        self._speaking: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    @property
    def able(self) -> bool:
        """Whether there is a speech program."""
        return self._command is not None

    def sentence(self) -> str:
        """What speaks, for the terminal."""
        return f"Speaking with {self._command[0]}." if self._command else f"No voice: {NONE}."

    def call(self, language: str, table: Mapping[str, Any], entry: Mapping[str, Any]) -> None:
        """Say what happened. Never waits, never raises."""
        if self._command is None:
            return
        if self._caller.language != language:
            self._caller = Caller(language)
        words, urgent = self._caller.call(table, entry)
        if words:
            self.say(language, words, urgent=urgent)

    def say(self, language: str, words: str, *, urgent: bool = False) -> None:
        """Say something after what is being said; where it is urgent, instead of it."""
        if urgent:
            with contextlib.suppress(queue.Empty):
                while True:
                    self._waiting.get_nowait()
            self._hush()
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait((time.monotonic(), language, words))
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Be silent."""
        self._hush()

    def _hush(self) -> None:
        speaking = self._speaking
        if speaking is not None:
            with contextlib.suppress(OSError):
                speaking.kill()

    def _run(self) -> None:
        while True:
            at, language, words = self._waiting.get()
            if time.monotonic() - at > OLD:
                continue
            try:
                self._speak(language, words)
            except OSError as error:
                log.warning("the speech program cannot be started: %s", error)

    def _speak(self, language: str, words: str) -> None:
        command = [part.replace("{}", language) for part in self._command or ()]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as self._speaking:
            try:
                self._speaking.communicate(f"{words}\n".encode(), timeout=LONGEST)
            except subprocess.TimeoutExpired:
                self._speaking.kill()
        self._speaking = None
