"""Where Pilewatch keeps what it must not forget: one folder per user, with one program writing it at a time.

::

    games/ID/record.jsonl   a game's record (engine.records)
    games/ID/pictures/      frames of doubtful moments
    games/ID/videos/        the film of the game, where somebody switched that on
    table.json              the set-up, and which game is being played
    people.json             the join token and the devices that have joined
    lock                    held by the server that is running
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from companion.errors import UserError
from vision.user_folder import NoHomeError, user_folder

_GAME_ID = re.compile(r"\d{8}-\d{6}-[0-9a-f]{6}")
_VIDEO = re.compile(r"\d{1,12}\.webm")
_PICTURE = re.compile(r"\d{1,9}\.jpg")


def default_folder() -> Path:
    """The user's own data folder (:mod:`vision.user_folder`). Raises UserError ``no-home``."""
    try:
        return user_folder()
    except NoHomeError as error:
        raise UserError("no-home", f"{error}; name a folder for the games with --data") from None


class DataFolder:
    """One data folder. :meth:`open` takes its lock; without it only reading is safe."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lock: BinaryIO | None = None
        self._keeping = threading.Lock()
        self._unsaved: dict[str, object] = {}

    @classmethod
    def open(cls, root: Path) -> Self:
        """Make the folder and lock it. Raises UserError ``data-in-use`` and ``data-not-writable``."""
        folder = cls(root)
        try:
            folder.games.mkdir(parents=True, exist_ok=True)
            lock = (root / "lock").open("a+b")
        except OSError as error:
            raise UserError(
                "data-not-writable",
                f"the data folder {root} cannot be written ({error.strerror}); name another one with --data",
            ) from error
        if not _try_lock(lock):
            lock.close()
            raise UserError(
                "data-in-use",
                f"another Pilewatch keeps its records in {root}; stop that one, or name another folder with --data",
            )
        folder._lock = lock
        return folder

    def close(self) -> None:
        """Let go of the lock. Closing twice is harmless."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def games(self) -> Path:
        return self.root / "games"

    def new_game(self, now: datetime) -> str:
        """An id for a new game: its date and time, readable in a folder listing, the thousandth of the second, so that
        the newest comes first even then, and three random digits."""
        return f"{now:%Y%m%d-%H%M%S}-{now.microsecond // 1000:03x}{secrets.token_hex(2)[:3]}"

    def game_ids(self) -> list[str]:
        """The games with a record, newest first."""
        found = (path.parent.name for path in self.games.glob("*/record.jsonl"))
        return sorted((name for name in found if _GAME_ID.fullmatch(name)), reverse=True)

    def record(self, game: str) -> Path:
        """The path of a game's record. Raises KeyError for what cannot be a game's id, however it is spelt."""
        if not _GAME_ID.fullmatch(game):
            raise KeyError(game)
        return self.games / game / "record.jsonl"

    def picture(self, game: str, name: str) -> Path:
        """The path of a picture of a doubtful moment. Raises KeyError for what cannot be one."""
        if not _PICTURE.fullmatch(name):
            raise KeyError(name)
        return self.record(game).parent / "pictures" / name

    def videos(self, game: str) -> Path:
        """The folder of a game's films. Raises KeyError for what cannot be a game's id."""
        return self.record(game).parent / "videos"

    def video(self, game: str, name: str) -> Path:
        """The path of a film, named after the second in which it began. Raises KeyError for what cannot be one."""
        if not _VIDEO.fullmatch(name):
            raise KeyError(name)
        return self.videos(game) / name

    def delete_game(self, game: str) -> None:
        """Delete a game with its pictures. Raises KeyError when there is none."""
        record = self.record(game)
        if not record.is_file():
            raise KeyError(game)
        # The record goes first: a folder without one is no game, whatever happens in between.
        record.unlink()
        shutil.rmtree(record.parent, ignore_errors=True)

    def read(self, name: str) -> dict[str, object]:
        """A small JSON file of the folder; empty when it is missing or damaged."""
        try:
            value = json.loads((self.root / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return value if isinstance(value, dict) else {}

    def write(self, name: str, value: object) -> None:
        """Replace a small JSON file in one step: it is the old one or the new one, never half. Raises OSError."""
        write_whole(self.root / name, json.dumps(value, ensure_ascii=False, indent=1).encode())

    def keep(self, name: str, value: object) -> None:
        """Like :meth:`write`, but what cannot be written now waits in :attr:`unsaved` for :meth:`retry`."""
        with self._keeping:
            self._unsaved[name] = value
            self._try(name)

    def retry(self) -> None:
        """Write what could not be written, if it can be now."""
        with self._keeping:
            for name in list(self._unsaved):
                self._try(name)

    @property
    def unsaved(self) -> list[str]:
        """The files that are older on the disk than they should be."""
        with self._keeping:
            return sorted(self._unsaved)

    def _try(self, name: str) -> None:
        with contextlib.suppress(OSError):
            self.write(name, self._unsaved[name])
            del self._unsaved[name]


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _temporary(path) as (file, name):
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
        file.close()
        Path(name).replace(path)


@contextlib.contextmanager
def _temporary(path: Path) -> Iterator[tuple[BinaryIO, str]]:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    file = os.fdopen(handle, "wb")
    try:
        yield file, name
    except BaseException:
        with contextlib.suppress(OSError):
            file.close()
        Path(name).unlink(missing_ok=True)
        raise


def _try_lock(file: BinaryIO) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
