"""The camera of a table: keeps looking in a thread of its own, tells the session what it saw, shows its picture.

A camera that is missing, blocked or broken never stops the game: the state says so, the table goes on by hand, and the
camera is tried again with growing pauses. Without a game the picture is still there, for setting up, with the cards
that are read in it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlsplit

from companion.bridge import reseat, seating
from companion.cameras import Thumbnails, cameras
from companion.errors import UserError
from companion.filming import Filming
from companion.frames import Frames
from companion.lens import PHONE, Lens
from companion.pictures import jpeg
from companion.refusals import RefusalError
from companion.session import Session
from companion.set_up import SetUp
from companion.shown import Shown
from companion.status import CameraState
from companion.watching import Agreed
from vision.types import Image, ImageReading, Observation, Seen

if TYPE_CHECKING:
    from vision.sources import Frame
    from vision.watching.watched import ReadsCards
    from vision.watching.watcher import Watcher

log = logging.getLogger(__name__)

SAMPLE: Final = Path(str(files("companion") / "sample")) / "sample.mp4"
"""The bundled game; ``table.toml`` beside it says who plays by which rules."""
PREVIEW: Final = 1.0
"""Seconds between two readings while no game is played."""
PAUSES: Final = (1.0, 2.0, 5.0, 10.0, 20.0)
"""Seconds before each next try to open a lost camera; the last one lasts."""
FAULTS: Final = 5
"""Pictures in a row that could not be understood before watching is given up for a while."""
NO_GAME: Final = "no game is going on, so nothing is refereed: the cards are only read"
PUZZLED: Final = "this picture could not be understood and was left out; enter by hand what happened in it"
BLIND: Final = (
    "the pictures cannot be understood; the game goes on by hand, and details are where Pilewatch was started"
)


class BlindError(Exception):
    """Picture after picture could not be understood."""


class Eyes:
    """What a room sees with. ``source`` None: nothing, the table plays by hand."""

    def __init__(
        self,
        session: Session,
        source: str | None = None,
        *,
        mode: str = "off",
        load_reader: Callable[[], ReadsCards] | None = None,
    ) -> None:
        self.session = session
        self.source = source
        self.mode = mode if source is not None else "off"
        self.name = source or ""
        self._load_reader = load_reader or _load_reader
        self._reader: ReadsCards | None = None
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._wanted = threading.Event()
        self._shown = Shown()
        self._thumbnails = Thumbnails()
        self._filming = Filming(session)
        self.lens = Lens()
        self._frames = Frames(session, self.lens, self._wanted)
        self._again = 0
        self._round = 0
        self._order: tuple[int, ...] = ()

    @classmethod
    def choose(cls, session: Session, *, source: str | None = None, off: bool = False, sample: bool = False) -> Eyes:
        """The source that was asked for; else the first camera; else the sample game, unless a game is going on."""
        if off:
            return cls(session)
        if source == PHONE:
            return cls(session, PHONE, mode="phone")
        if source is not None:
            from vision.sources import kind_of

            return cls(session, source, mode="camera" if kind_of(source).live else "file")
        found = cameras() if not sample else []
        if found:
            return cls(session, found[0].source, mode="camera")
        if SAMPLE.is_file() and session.game is None:
            return cls(session, str(SAMPLE), mode="sample")
        return cls(session)

    # What others ask

    def describe(self) -> dict[str, Any]:
        """The camera as a screen shows it (``docs/socket.md``)."""
        return {
            "mode": self.mode,
            "source": "" if self.mode in ("off", "sample") else _short(self.name),
            "state": self.session.camera.value,
            **self._shown.describe(),
            "filming": self._filming.state,
            "words": self.session.advice,
        }

    def sentence(self) -> str:
        """What is being watched, for the terminal."""
        from vision.sources import public_name

        source = public_name(self.source or "")
        return {
            "off": "No camera: the game is played by taps.",
            "sample": "No camera is watched: the sample game is shown.",
            "file": f"Watching {source}.",
            "camera": f"Watching the camera {source}.",
            "phone": "A phone is the camera, once it sends pictures.",
        }[self.mode]

    def picture(self, language: str | None = None) -> bytes | None:
        """The newest frame as JPEG; with a ``language`` what was read is drawn in, in its letters. None where there is
        none."""
        return self._shown.jpeg(language)

    def cameras(self) -> list[dict[str, Any]]:
        """The cameras that may be chosen, each with the address of a small picture."""
        return [
            {
                "source": one.source,
                "name": one.name,
                "picture": f"/api/camera-picture.jpg?source={quote(one.source)}",
                "watched": one.source == self.source,
            }
            for one in cameras()
        ]

    def thumbnail(self, source: str) -> bytes | None:
        """A small picture of one of the cameras as JPEG; None where it gives none. Takes a second or two where the
        camera is not being watched. Raises RefusalError ``unknown-camera``."""
        watched = self._shown.small() if source == self.source else None
        if watched is not None:
            return watched
        try:
            return self._thumbnails.of(source)
        except UserError as error:
            raise RefusalError("unknown-camera", str(error)) from None

    def watch(self, source: str | None) -> None:
        """Watch another camera, or none. Raises RefusalError ``unknown-camera`` for one that is not listed."""
        known = {PHONE} | {camera.source for camera in cameras()} | ({self.source} if self.source else set())
        if source is not None and source not in known:
            raise RefusalError("unknown-camera", "this camera is not there (any more)")
        self.stop()
        self.source, self.name = source, source or ""
        self.mode = "off" if source is None else "phone" if source == PHONE else "camera"
        self.session.set_camera(CameraState.OFF)
        self.start()

    def game_began(self) -> None:
        """A new game was started: its deal is looked for; a film is begun again."""
        self._again += 1

    def somebody_came(self) -> None:
        """The sample game and photos that are no game wait for somebody to see them."""
        self._wanted.set()

    def start(self) -> None:
        """Begin to look, in a thread."""
        if self.source is None or self._thread is not None:
            return
        self._stop = threading.Event()
        self.session.set_camera(CameraState.STARTING)
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)
        self._thread.start()

    def stop(self, patience: float = 0.5, hurried: Callable[[], bool] = lambda: False) -> bool:
        """Stop looking; waits ``patience`` seconds at most for the picture that is being read, not so long where
        somebody is in a hurry. Returns whether the thread has ended. Must not be called while holding the session's
        lock for long: the thread may be ruling."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._stop.set()
            self._wanted.set()
            end = time.monotonic() + patience
            while thread.is_alive() and time.monotonic() < end and not hurried():
                thread.join(timeout=0.1)  # a long wait would not be broken by a signal
        self._filming.stop()
        self._shown.clear()
        return thread is None or not thread.is_alive()

    # The thread

    def _run(self) -> None:
        stop = self._stop
        if self.mode == "sample":
            self._wanted.wait()
        failures = 0
        while not stop.is_set():
            self._round = self._again
            words = "the camera gives no pictures"
            try:
                if self._reader is None:
                    self._reader = self._load_reader()
                if self.mode == "sample" and self.session.game is None:
                    self._begin_sample()
                finished = self._look(stop)
            except Exception as error:  # whatever a driver or a net throws, the table goes on by hand
                finished, words = False, _plainly(error, self.source)
            if stop.is_set():
                return
            if finished:
                self.session.set_camera(CameraState.ENDED, self.session.advice)
            else:
                self.session.set_camera(CameraState.LOST, words)
            film = self.mode not in ("camera", "phone")
            if finished or (film and self.session.game is not None and self.session.seq):
                # A film that was left off is not begun again in the middle of its game.
                while self._again == self._round and not stop.wait(0.2):
                    continue
            else:
                stop.wait(PAUSES[min(failures, len(PAUSES) - 1)])
                failures += 1

    def _begin_sample(self) -> None:
        """Begin the game that the film shows. Who plays it by which rules is written beside the film."""
        agreed = Agreed.read(self._beside(), None)
        set_up = SetUp().change({"players": list(agreed.players), "rules": agreed.rules.name})
        self.session.new_game(set_up=set_up, sample=True)

    def _beside(self) -> Path | None:
        """The ``table.toml`` of a film or of a folder of photos."""
        path = Path(self.source or "")
        found = (path if path.is_dir() else path.parent) / "table.toml"
        return found if self.mode in ("sample", "file") and found.is_file() else None

    def _look(self, stop: threading.Event) -> bool:
        """Watch until the source ends (True) or is to be opened again (False). Raises whatever goes wrong."""
        from vision.sources import Kind, kind_of

        kind = Kind.CAMERA if self.mode == "phone" else kind_of(self.source or "")
        watcher: Watcher | None = None
        watched: str | None = None
        read_at, read = -1e9, -1
        faults = 0
        for frame in self._frames.of(
            self.source or "", kind, stop, leaf=kind is Kind.PHOTOS and self._beside() is None
        ):
            if frame is None:
                for observation in watcher.lost(read_at) if watcher else ():
                    self.session.observe(observation)
                continue
            if self._again != self._round and not kind.live and watched is not None:
                return True  # a film is begun again from its first frame
            game = self.session.game
            playing = game.id if game is not None and game.phase != "over" else None
            if playing is None:
                self._filming.stop()
            if playing is not None and playing != watched:
                watcher, watched, self._round = self._watcher(), playing, self._again
            try:
                if playing is not None and watcher is not None:
                    self._referee(watcher, frame, photo=kind.value == "photos")
                elif (time.monotonic() - read_at > PREVIEW) if kind.live else frame.number != read:
                    assert self._reader is not None
                    reading = self._reader.read(frame.image)
                    if self.mode != "sample":
                        self._shown.judge(frame.image, reading, self._reader)
                    self._show(frame, reading)
                    read_at, read = time.monotonic(), frame.number
                    self.session.settle(False, NO_GAME if game is None else "")
                else:
                    self._show(frame, self._shown.reading)
                faults = 0
            except Exception as error:
                faults += 1
                read_at, read = time.monotonic(), frame.number
                log.exception("a picture of %s could not be understood", _short(self.name))
                self._show(frame, None)
                self.session.settle(False, PUZZLED)
                if faults >= FAULTS:
                    raise BlindError(BLIND) from error
        return not kind.live

    def _referee(self, watcher: Watcher, frame: Frame, *, photo: bool) -> None:
        """Let the session know what a frame of the game shows to have happened."""
        if self.mode != "sample" and not photo:
            self._filming.offer(frame.image, frame.at)
        observations = watcher.see(frame, photo=photo)
        self._shown.playing()
        self._show(frame, watcher.reading)
        for observation in observations:
            self._tell(watcher, observation, frame.image)
        self.session.settle(watcher.state.value == "settling", watcher.note)

    def _watcher(self) -> Watcher:
        from vision.table.table import Table
        from vision.watching.watcher import Watcher

        assert self._reader is not None
        beside = self._beside()
        table = Table.load(beside) if beside is not None else None
        game = self.session.playing()
        self._order = tuple(range(len(game.players)))
        return Watcher(
            self._reader,
            table,
            players=len(game.players),
            decks=game.game.rules.decks,
            jokers=game.game.rules.jokers > 0,
            turned=game.game.rules.turned > 0,
        )

    def _tell(self, watcher: Watcher, observation: Observation, image: Image) -> None:
        if observation.kind is Seen.DEAL and watcher.table is not None:
            height, width = image.shape[:2]
            centres = [watcher.table.pixels(seat).mean(axis=0) / (width, height) for seat in watcher.table.seats]
            places = [(player.x, player.y) for player in self.session.seats()]
            self._order = seating([(float(x), float(y)) for x, y in centres], places)
        language = self.session.set_up.language
        picture = jpeg(image, watcher.reading, language) if observation.cards or observation.upcards else None
        self.session.observe(reseat(observation, self._order), picture)

    def _show(self, frame: Frame, reading: ImageReading | None) -> None:
        self._shown.show(frame.image, reading, frame.name)


def _short(source: str) -> str:
    """A source in a word: a file's name, an address without the rest of it."""
    return urlsplit(source).hostname or Path(source).name if "://" in source else Path(source).name


def _plainly(error: Exception, source: str | None) -> str:
    """What a person is told of a fault: a sentence that somebody wrote, never what Python says."""
    from models import ModelError
    from vision.sources import SourceError, public_name

    if isinstance(error, SourceError | ModelError | RefusalError | BlindError | UserError):
        log.warning("watching %s: %s", public_name(source or ""), error)
        return str(error)
    log.error("watching %s", public_name(source or ""), exc_info=error)
    return BLIND


def _load_reader() -> ReadsCards:
    from vision.reading.claims import DOUBTFUL
    from vision.reading.reader import Reader
    from vision.watching import rims

    rims.load()
    return Reader.load(least=DOUBTFUL)
