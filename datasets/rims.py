"""``python -m datasets.rims``: pictures of the sides of cards under which others of their set lie squared, or none.

Tables of the virtual table (``datasets.films``) with a pile on which sets are laid, a still before and after each,
through a camera's noise and a film's compression. Each sample is what ``vision.watching.rims`` cuts out, as
inexactly as a reading places a card, and the number of cards that came to lie under the upper one.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from datasets import decks
from datasets.decks import DATA
from datasets.edges import edged
from datasets.films import deck_source, layout
from datasets.films.film import table_of
from datasets.films.hands import Body
from datasets.films.layout import Pose
from datasets.films.light import Sensor
from datasets.films.painter import Painter
from datasets.films.places import Places
from datasets.films.scenario import Look
from datasets.films.stage import Arm, Piece, Stage
from engine.cards import STANDARD
from vision.plane import Plane
from vision.watching.rims import SHARES, rims

FOLDER: Final = DATA / "rims"
STILLS: Final = 100
"""Plays of one table."""
ASTRAY: Final = 0.012
ASKEW: Final = 0.012
"""How wrong a reading places a card, in card widths and radians (standard deviations)."""
FORMS: Final = {"squared": 0.7, "row": 0.12, "fan": 0.06, "loose": 0.12}
"""How sets are laid, and how often: under a set laid side by side more may lie than can be seen."""
AGAIN: Final = 0.2
"""How often a card of the rank that lies on top is laid: one by one a set comes as single cards."""
PHOTOGRAPHED: Final = 6.0
"""How many times as often as any other a deck of photographs is laid: there are few of them."""
ROOM: Final = 105.0
"""Millimetres around the pile's middle that are kept of a picture: all that changes in it."""

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Laid:
    """The upper card of a set in the picture ``at`` (the one before it shows what lay there): place and angle on the
    table in card widths and radians, how many lie under it, and how far beside it, in millimetres."""

    at: int
    centre: NDArray[np.float64]
    angle: float
    under: int
    apart: float


class Stills:
    """The pictures of one table, and what was laid between them."""

    def __init__(self, seed: int, deck: str | None) -> None:
        self.rng = rng = np.random.default_rng([seed, 77])
        self.deck = edged(deck_source.load(deck, rng), rng)
        players = int(rng.integers(2, 6))
        self.plan = layout.make(players, rng)
        self.look = Look.make(self.plan, rng)
        painter = Painter(self.look.camera, self.look.surface, self.look.light, self.deck)
        self.stage = Stage(painter, self.plan, [Body.make(rng) for _ in range(players)], rng)
        self.places = Places(self.plan, rng)
        look = self.look
        self.sensor = Sensor(rng, look.exposure, look.drift, look.blur * float(rng.uniform(0.8, 1.5)), look.noise)
        self.plane: Plane = table_of(look, self.plan, [str(n) for n in range(players)]).plane
        self.pictures: list[Image] = []
        self.laid: list[Laid] = []
        self._frame = 0
        self._rank = STANDARD[0].rank

    def film(self, plays: int) -> None:
        self._shoot()
        pile: list[Piece] = []
        for _ in range(plays):
            if len(pile) > 14 or (pile and self.rng.random() < 0.1):
                pile = self._cleared(pile)
            pile += self._play(pile)

    def _cleared(self, pile: list[Piece]) -> list[Piece]:
        self.stage.remove(pile)
        self._shoot()
        return []

    def _play(self, pile: list[Piece]) -> list[Piece]:
        rng = self.rng
        if pile and rng.random() < 0.15:  # the hand that lays pushes what lies there a little
            for piece in pile[-3:]:
                aside, away = rng.normal(0, 0.7, 2)
                piece.pose = piece.pose.moved(float(aside), float(away), float(rng.normal(0, 0.01)))
            self.stage.changed()
            if rng.random() < 0.5:
                self._shoot()
        under = int(rng.choice(len(SHARES), p=SHARES))
        seat = int(rng.integers(len(self.plan.seats)))
        poses = self._set(seat, under, len(pile))
        if rng.random() >= AGAIN:
            self._rank = STANDARD[int(rng.integers(len(STANDARD)))].rank
        cards = [card for card in STANDARD if card.rank == self._rank]
        pieces = [
            Piece(str(cards[suit]), True, pose, (float(rng.normal(0, 45)), float(rng.normal(0, 45))))
            for suit, pose in zip(rng.permutation(len(cards)), poses, strict=False)
        ]
        for piece in pieces:
            self.stage.add(piece)
        self._shoot(seat)
        top = poses[-1]
        apart = max((float(np.abs(pose.at - top.at).max()) for pose in poses[:-1]), default=0.0)
        centre, angle = self._place(top)
        self.laid.append(Laid(len(self.pictures) - 1, centre, angle, under, apart))
        return pieces

    def _set(self, seat: int, under: int, below: int) -> list[Pose]:
        """Most as people square a set; some less well, some hardly."""
        form = str(self.rng.choice(list(FORMS), p=list(FORMS.values()))) if under else "squared"
        poses = self.places.set_on_pile(seat, under + 1, form, below)
        if form != "squared":
            return poses
        loose = float(self.rng.choice([1.0, 2.0, float(self.rng.uniform(2, 8))], p=[0.7, 0.2, 0.1]))
        first = poses[0]
        return [
            Pose(
                first.x + loose * (pose.x - first.x),
                first.y + loose * (pose.y - first.y),
                first.turn + loose * (pose.turn - first.turn),
                pose.z,
            )
            for pose in poses
        ]

    def _place(self, pose: Pose) -> tuple[NDArray[np.float64], float]:
        half = np.array([self.deck.width / 2, deck_source.CARD_HEIGHT / 2])
        c, s = np.cos(pose.turn), np.sin(pose.turn)
        corners = (np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half) @ np.array([[c, s], [-s, c]]) + pose.at
        spots = self.plane.to_plane(self.look.camera.film(corners, pose.z))
        edge = (spots[1] - spots[0]) + (spots[2] - spots[3])
        return spots.mean(axis=0), float(np.arctan2(edge[1], edge[0]))

    def _shoot(self, seat: int | None = None) -> None:
        """A picture, at times with the arm of ``seat`` that has just left the pile."""
        self._frame += int(self.rng.integers(20, 90))
        if seat is not None and self.rng.random() < 0.4:
            place, far = self.plan.seats[seat], float(self.rng.uniform(130, 260))
            at = self.plan.pile + place.out * far + self.rng.normal(0, 12, 2)
            self.stage.arms = [Arm(seat, at, place.shoulder(float(self.rng.normal(40, 45))), z=30.0)]
        bent = cv2.remap(self.stage.picture(), *self.look.camera.lens, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        self.stage.arms = []
        self.pictures.append(self.sensor.expose(self.sensor.focus(np.asarray(bent, np.uint8)), self._frame))

    def part(self) -> tuple[slice, slice]:
        """The rows and columns of a picture around the pile, even numbers of each."""
        around = self.plan.pile + ROOM * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        pixels = self.look.camera.film(around)
        height, width = self.pictures[0].shape[:2]
        low = np.clip(np.floor(pixels.min(axis=0) / 16) * 16, 0, None).astype(int)
        high = np.minimum(np.ceil(pixels.max(axis=0) / 16).astype(int) * 16, [width, height])
        return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def compressed(pictures: list[Image], rng: np.random.Generator) -> list[Image]:
    """The pictures as a film, a stream of JPEGs or a phone's video holds them, each at rest for a few frames."""
    way = rng.choice(["film", "jpeg", "video"], p=[0.45, 0.25, 0.3])
    if way == "jpeg":
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))]
        coded = [cv2.imencode(".jpg", picture, quality)[1] for picture in pictures]
        return [np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8) for code in coded]
    rest = int(rng.integers(3, 7))
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "film.mp4")
        if way == "video" and (ffmpeg := shutil.which("ffmpeg")):
            _video(ffmpeg, path, pictures, rest, int(rng.integers(18, 31)))
        else:
            height, width = pictures[0].shape[:2]
            writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"mp4v"), 15, (width, height))
            for picture in pictures:
                for _ in range(rest):
                    writer.write(picture)
            writer.release()
        return _every(path, rest)


def _video(ffmpeg: str, path: str, pictures: list[Image], rest: int, quality: int) -> None:
    height, width = pictures[0].shape[:2]
    raw = ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{width}x{height}", "-r", "15", "-i", "-"]
    coded = ["-c:v", "libx264", "-preset", "veryfast", "-crf", str(quality), "-pix_fmt", "yuv420p", "-threads", "1"]
    command = [ffmpeg, "-y", "-loglevel", "error", *raw, *coded, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        for picture in pictures:
            for _ in range(rest):
                process.stdin.write(picture.tobytes())
        process.stdin.close()


def _every(path: str, rest: int) -> list[Image]:
    capture, pictures, number = cv2.VideoCapture(path), [], 0
    while capture.grab():
        number += 1
        if number % rest == 0:
            pictures.append(np.asarray(capture.retrieve()[1], np.uint8))
    capture.release()
    return pictures


def samples(seed: int, deck: str | None, plays: int = STILLS) -> dict[str, NDArray[np.generic]]:
    """``pixels`` (n, 4, 6, rows, columns) uint8, ``under`` (n,) and ``apart`` (n,) millimetres, of one table."""
    stills = Stills(seed, deck)
    stills.film(plays)
    part = stills.part()
    pictures = []
    for whole, coded in zip(
        stills.pictures, compressed([one[part] for one in stills.pictures], stills.rng), strict=False
    ):
        pictures.append(whole.copy())
        pictures[-1][part] = coded
    rng, kept = stills.rng, []
    for laid in stills.laid:
        if laid.at >= len(pictures):
            break
        centre = laid.centre + rng.normal(0, ASTRAY, 2)
        angle = laid.angle + float(rng.normal(0, ASKEW))
        kept.append(rims(pictures[laid.at - 1], pictures[laid.at], stills.plane, centre, angle))
    laid_ = stills.laid[: len(kept)]
    return {
        "pixels": np.stack(kept),
        "under": np.array([laid.under for laid in laid_], np.int64),
        "apart": np.array([laid.apart for laid in laid_], np.float32),
    }


def _table(task: tuple[Path, int, str | None]) -> Path:
    path, seed, deck = task
    if not path.is_file():
        cv2.setNumThreads(1)
        part = path.with_suffix(".part.npz")
        np.savez(part, **samples(seed, deck))  # type: ignore[arg-type]
        part.rename(path)
    return path


def make(part: str, tables: int, workers: int) -> list[Path]:
    """Render what is missing of ``tables`` tables of one part, ``train`` or ``val``, which has the decks held out.
    Returns their files. Raises UserError where decks are missing."""
    held = part == "val"
    wanted = {str(card) for card in STANDARD}
    names = [
        name
        for name in decks.names(held_out=held)
        if wanted <= {file.stem for file in (decks.FOLDER / name).glob("*.png")}
    ]
    folder = FOLDER / part
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(5 + held)
    often = np.array([PHOTOGRAPHED if name.startswith("photo-") else 1.0 for name in names])
    chosen = rng.choice(names, tables, p=often / often.sum())
    tasks = [(folder / f"{number:04d}.npz", number + 100_000 * held, str(deck)) for number, deck in enumerate(chosen)]
    with ProcessPoolExecutor(workers) as executor:
        return list(tqdm(executor.map(_table, tasks), total=tables, desc=f"rims of {part}", unit="table"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", type=int, default=140, help="tables to learn from, 100 plays each")
    parser.add_argument("--val", type=int, default=12, help="tables of held-out decks, to judge by")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    make("val", args.val, args.workers)
    make("train", args.train, args.workers)


if __name__ == "__main__":
    main()
