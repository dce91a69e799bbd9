"""The camera of a table: keeps looking in a thread of its own, tells the session what it saw, shows its picture.

A camera that is missing, blocked or broken never stops the game: the state says so, the table goes on by hand, and the
camera is tried again with growing pauses. Without a game the picture is still there, for setting up.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.bridge import reseat, seating
from companion.refusals import RefusalError
from companion.session import Session
from companion.set_up import SetUp
from companion.status import CameraState
from engine import records
from vision.types import Image, ImageReading, Observation, Seen

if TYPE_CHECKING:
    from vision.sources import Frame, Source
    from vision.watcher import ReadsCards, Watcher

log = logging.getLogger(__name__)

SAMPLE: Final = Path(str(files("companion") / "sample"))
"""The bundled game: ``game.mp4``, ``truth.jsonl`` (for names and rules alone) and ``table.toml``."""
PREVIEW: Final = 1.0
"""Seconds between two readings while no game is played."""
PAUSES: Final = (1.0, 2.0, 5.0, 10.0, 20.0)
"""Seconds before each next try to open a lost camera; the last one lasts."""
QUALITY: Final = 80


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
        self._latest: tuple[Image, ImageReading | None] | None = None
        self._encoded: tuple[object, bool, bytes] | None = None
        self._lock = threading.Lock()
        self._again = 0
        self._order: tuple[int, ...] = ()

    @classmethod
    def choose(cls, session: Session, *, source: str | None = None, off: bool = False, sample: bool = False) -> Eyes:
        """The source that was asked for; else the first camera; else the sample game, unless a game is going on."""
        if off:
            return cls(session)
        if source is not None:
            from vision.sources import kind_of

            return cls(session, source, mode="camera" if kind_of(source).live else "file")
        cameras = _cameras()
        if cameras and not sample:
            return cls(session, cameras[0]["source"], mode="camera")
        if (SAMPLE / "game.mp4").is_file() and session.game is None:
            return cls(session, str(SAMPLE / "game.mp4"), mode="sample")
        return cls(session)

    # What others ask

    def describe(self) -> dict[str, Any]:
        """The camera as a screen shows it."""
        return {
            "mode": self.mode,
            "source": "" if self.mode in ("off", "sample") else Path(self.name).name,
            "state": self.session.camera.value,
            "picture": self._latest is not None,
            "words": self.session.advice,
        }

    def sentence(self) -> str:
        """What is being watched, for the terminal."""
        return {
            "off": "No camera: the game is played by taps.",
            "sample": "No camera was found: the sample game is shown.",
            "file": f"Watching {self.source}.",
            "camera": f"Watching the camera {self.source}.",
        }[self.mode]

    def picture(self, *, overlay: bool) -> bytes | None:
        """The newest frame as JPEG, with what was read drawn in; None where there is none."""
        with self._lock:
            latest, encoded = self._latest, self._encoded
        if latest is None:
            return None
        if encoded is not None and encoded[0] is latest and encoded[1] == overlay:
            return encoded[2]
        data = jpeg(latest[0], latest[1] if overlay else None)
        with self._lock:
            self._encoded = (latest, overlay, data)
        return data

    def cameras(self) -> list[dict[str, Any]]:
        """The cameras that may be chosen."""
        return _cameras()

    def watch(self, source: str | None) -> None:
        """Watch another camera, or none. Raises RefusalError ``unknown-camera`` for one that is not listed."""
        known = {camera["source"] for camera in _cameras()} | ({self.source} if self.source else set())
        if source is not None and source not in known:
            raise RefusalError("unknown-camera", "this camera is not there (any more)")
        self.stop()
        self.source, self.name = source, source or ""
        self.mode = "off" if source is None else "camera"
        self.session.set_camera(CameraState.OFF)
        self.start()

    def game_began(self) -> None:
        """A new game was started: look for its deal; a film starts from its beginning."""
        self._again += 1

    def somebody_came(self) -> None:
        """The sample game waits for somebody to see it."""
        self._wanted.set()

    def start(self) -> None:
        """Begin to look, in a thread."""
        if self.source is None or self._thread is not None:
            return
        self._stop = threading.Event()
        self.session.set_camera(CameraState.STARTING)
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop looking. Must not be called while holding the session's lock for long: the thread may be ruling."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._stop.set()
            self._wanted.set()
            if thread is not threading.current_thread():
                thread.join(timeout=0.5)
        with self._lock:
            self._latest = None

    # The thread

    def _run(self) -> None:
        stop = self._stop
        if self.mode == "sample":
            self._wanted.wait()
        failures = 0
        while not stop.is_set():
            try:
                opened = self._open()
            except Exception as error:  # whatever a driver throws, the table goes on by hand
                self.session.set_camera(CameraState.LOST, str(error))
                stop.wait(PAUSES[min(failures, len(PAUSES) - 1)])
                failures += 1
                continue
            try:
                if self.mode == "sample":
                    self._begin_sample()
                finished = self._look(opened, stop)
            except Exception:
                log.exception("watching %s failed", self.source)
                finished = False
            finally:
                opened.close()
            if stop.is_set():
                return
            if finished:
                self.session.set_camera(CameraState.ENDED)
                round_ = self._again
                while self._again == round_ and not stop.wait(0.2):
                    continue
            else:
                failures = min(failures + 1, len(PAUSES) - 1)
                self.session.set_camera(CameraState.LOST, "the camera gives no pictures any more")
                stop.wait(PAUSES[failures])

    def _open(self) -> Source:
        from vision.sources import open_source

        if self._reader is None:
            self._reader = self._load_reader()
        return open_source(self.source or "")

    def _begin_sample(self) -> None:
        game = self.session.game
        if game is None:
            loaded = records.load(SAMPLE / "truth.jsonl").header
            rules, players = loaded["rules"], loaded["players"]
            if isinstance(rules, dict) and isinstance(players, list):
                fields = {"players": players, "rules": rules["name"], "options": rules["options"]}
                self.session.new_game(set_up=SetUp().change(fields), sample=True)

    def _look(self, source: Source, stop: threading.Event) -> bool:
        """Watch until the source ends (True: a film's end; False: a camera that was lost)."""
        watcher: Watcher | None = None
        watched: str | None = None
        read_at = -1e9
        round_ = self._again
        self.session.set_camera(CameraState.WATCHING)
        for frame in self._frames(source, stop):
            if self._again != round_ and not source.kind.live and watched is not None:
                return True  # a film is begun again from its first frame
            game = self.session.game
            identifier = game.id if game is not None and game.phase != "over" else None
            if identifier is not None and identifier != watched:
                watcher, watched, round_ = self._watcher(), identifier, self._again
            if identifier is None or watcher is None:
                reading = self._latest[1] if self._latest else None
                if time.monotonic() - read_at > PREVIEW and self._reader is not None:
                    reading, read_at = self._reader.read(frame.image), time.monotonic()
                self._show(frame.image, reading)
                continue
            observations = watcher.see(frame, photo=source.kind.value == "photos")
            self._show(frame.image, watcher.reading)
            for observation in observations:
                self._tell(watcher, observation, frame.image)
            self.session.settle(watcher.state.value == "settling", watcher.note)
        return not source.kind.live

    def _frames(self, source: Source, stop: threading.Event) -> Iterator[Frame]:
        """Frames as they are due: a film runs in its own time, and what comes too late is left out."""
        began: float | None = None
        held: Frame | None = None
        while not stop.is_set():
            if source.kind.value == "film" and self.session.game is None and held is not None:
                time.sleep(0.05)  # a film waits at its first picture for the game to begin
                began = None
                yield held
                continue
            frame = source.read()
            if frame is None:
                return
            held = held or frame
            if source.kind.value == "film":
                began = time.monotonic() - frame.at if began is None else began
                late = time.monotonic() - began - frame.at
                if late < 0:
                    stop.wait(-late)
                elif late > 0.1:
                    continue
            elif source.kind.value == "photos":
                stop.wait(1.0)
            yield frame

    def _watcher(self) -> Watcher:
        from vision.table import Table
        from vision.watcher import Watcher

        assert self._reader is not None
        beside = Path(self.source or "").with_name("table.toml")
        table = Table.load(beside) if self.mode in ("sample", "file") and beside.is_file() else None
        game = self.session.playing()
        self._order = tuple(range(len(game.players)))
        return Watcher(self._reader, table, players=len(game.players), decks=game.game.rules.decks)

    def _tell(self, watcher: Watcher, observation: Observation, image: Image) -> None:
        if observation.kind is Seen.DEAL and watcher.table is not None:
            height, width = image.shape[:2]
            centres = [watcher.table.pixels(seat).mean(axis=0) / (width, height) for seat in watcher.table.seats]
            places = [(player.x, player.y) for player in self.session.seats()]
            self._order = seating([(float(x), float(y)) for x, y in centres], places)
        picture = jpeg(image, watcher.reading) if observation.cards or observation.upcards else None
        self.session.observe(reseat(observation, self._order), picture)

    def _show(self, image: Image, reading: ImageReading | None) -> None:
        with self._lock:
            self._latest = (image, reading)


def jpeg(image: Image, reading: ImageReading | None = None) -> bytes:
    """A picture as JPEG, with the reading drawn in where there is one."""
    import cv2

    from vision.overlay import draw

    drawn = draw(image, reading) if reading is not None else image
    good, data = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes() if good else b""


def _cameras() -> list[dict[str, Any]]:
    from vision.sources.live import list_cameras

    return [{"source": camera.name, "name": camera.name, "picture": None} for camera in list_cameras()]


def _load_reader() -> ReadsCards:
    from vision.reader import Reader

    return Reader.load()
