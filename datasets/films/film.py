"""A whole film: the setting, the frames, the files."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import UserError
from datasets.films import deck_source, layout, surfaces
from datasets.films.acts import Act
from datasets.films.director import Director
from datasets.films.hands import Body
from datasets.films.layout import Layout, Pose
from datasets.films.light import Sensor
from datasets.films.painter import Painter, Sprite
from datasets.films.scenario import Look, Scenario
from datasets.films.stage import Prop, Stage
from datasets.films.truth import Happened
from engine.records import Record
from engine.shithead.game import Game
from engine.shithead.game import header as header_of
from engine.shithead.rules import RuleError, RuleSet
from vision.plane import Plane
from vision.table.table import Table, Zone

Image = NDArray[np.uint8]

NAMES = ("Ann", "Ben", "Cem", "Dora", "Eve", "Finn")
CARD_WIDTH = 63.0
_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


class Film:
    """One game to be filmed. The same arguments give the same frames.

    ``deck`` is as for ``deck_source.load``. Raises UserError for a deck or rules that cannot be.
    """

    def __init__(
        self,
        rules: RuleSet,
        players: int,
        seed: int,
        deck: str | None = None,
        scenario: Scenario | None = None,
        *,
        rate: float = 30.0,
        most_turns: int = 0,
        steep: bool = False,
    ) -> None:
        if not 2 <= players <= len(NAMES):
            raise UserError("players", f"{players} players: a filmed table has 2 to {len(NAMES)}")
        if rules.deal == "six-up":
            raise UserError("rules-deal", f"{rules.name} deals six cards up; films know the deal in rows only")
        self.rate, self.rules, self.names = rate, rules, NAMES[:players]
        self.scenario = scenario or Scenario()
        rng = np.random.default_rng([seed, 1])
        self.deck = deck_source.load(deck, rng)
        if rules.jokers and not self.deck.has_jokers():
            raise UserError("deck-jokers", f"the deck {self.deck.name} has no joker, which {rules.name} needs")
        self.layout = layout.make(players, rng)
        self.look = Look.make(self.layout, rng, steep=steep)
        painter = Painter(self.look.camera, self.look.surface, self.look.light, self.deck)
        self.stage = Stage(painter, self.layout, [Body.make(rng) for _ in self.names], rng)
        self.stage.props = _props(self.layout, self.scenario, painter, rng)
        self.sensor = Sensor(rng, self.look.exposure, self.look.drift, self.look.blur, self.look.noise)
        self.camera = self.look.camera
        try:
            self.director = Director(rules, self.names, self.stage, self.scenario, seed, rate, most_turns)
        except RuleError as error:
            raise UserError("rules", str(error)) from None
        self.director.nudge = self._nudge
        self._rng = rng
        self._seen: tuple[Image, Image] | None = None

    def frames(self) -> Iterator[Image]:
        """The frames, BGR, shape (720, 1280, 3). ``truth`` is whole when they have ended."""
        for _ in self.director.script():
            yield self._shoot()
            self.director.note()

    def stills(self) -> Iterator[tuple[Image, list[Happened]]]:
        """A picture of the lying table after each happening, with what happened since the one before, in order."""
        told = 0
        for _ in self.director.script():
            self.director.note()
            new = self.director.truth[told:]
            # A draw changes the stock's height by a hair: it is told with the next picture.
            if any(happened.event["event"] not in ("drawn", "start", "pass") for happened in new):
                told += len(new)
                yield self._lying(), new
        if new := self.director.truth[told:]:
            yield self._lying(), new

    def _lying(self) -> Image:
        arms, self.stage.arms = self.stage.arms, []
        picture = self._shoot()
        self.stage.arms = arms
        return picture

    @property
    def truth(self) -> list[Happened]:
        return self.director.truth

    def _shoot(self) -> Image:
        picture = self.stage.picture()
        if self._seen is None or self._seen[0] is not picture or self.stage.dirty:
            bent = cv2.remap(picture, *self.camera.lens, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
            self._seen = picture, self.sensor.focus(np.asarray(bent, np.uint8))
            self.stage.dirty = False
        return self.sensor.expose(self._seen[1], self.director.frame, self.stage.hides)

    def _nudge(self) -> Act:
        """Somebody pushes the stand: the view jerks, and stays a little off."""
        start = self.stage.painter.camera
        dx, dy = self._rng.normal(0, 9, 2)
        turn = float(self._rng.normal(0, 0.02))
        for share in (0.5, 1.15, 0.9, 1.05, 0.97, 1.0):
            moved = start.nudged(float(dx) * share, float(dy) * share, turn * share)
            self.stage.look_from(moved, self.look.surface, self.look.light)
            yield

    # --- files --------------------------------------------------------------------------------------------------------

    def table_toml(self) -> str:
        """``table.toml``: where things are in the first frame, and what the table agreed: rules and players."""
        text = table_of(self.look, self.layout, self.names).to_toml()
        head, rest = text.split("\n", 1)
        names = ", ".join(f'"{name}"' for name in self.names)
        return f'{head}\nrules = "{self.rules.name}"\nplayers = [{names}]\n{rest}'

    def write_truth(self, path: Path, truth: Sequence[tuple[float, Happened]], extra: dict[str, object]) -> None:
        """A game record; ``truth`` has the seconds at which each event counts."""
        path.unlink(missing_ok=True)
        game = Game.start(self.rules, self.names, dealer=self.director.dealer)
        header = {**header_of(game), "created": _EPOCH.isoformat(), **extra}
        with contextlib.closing(Record.create(path, header)) as record:
            for at, happened in truth:
                event = {**happened.event, "at": round(at, 4), "source": "engine"}
                record.append(event, time=_EPOCH + timedelta(seconds=at))

    def write(self, folder: Path) -> int:
        """Write ``game.mp4``, ``truth.jsonl`` and ``table.toml``; returns the number of frames. Raises UserError."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "table.toml").write_text(self.table_toml(), encoding="utf-8")
        path = folder / "game.mp4"
        size = (self.camera.width, self.camera.height)
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), self.rate, size)
        if not writer.isOpened():
            raise UserError("film-not-written", f"{path} cannot be written as MP4 here")
        count = 0
        for frame in self.frames():
            writer.write(frame)
            count += 1
        writer.release()
        extra: dict[str, object] = {"film": {"frames": count, "rate": self.rate}}
        self.write_truth(folder / "truth.jsonl", [(h.frame / self.rate, h) for h in self.truth], extra)
        return count

    def write_stills(self, folder: Path, quality: int = 92) -> int:
        """Write ``000.jpg`` and on, ``truth.jsonl`` (whose seconds are the pictures' numbers) and ``table.toml``."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "table.toml").write_text(self.table_toml(), encoding="utf-8")
        truth: list[tuple[float, Happened]] = []
        number = -1
        for number, (picture, new) in enumerate(self.stills()):
            cv2.imwrite(str(folder / f"{number:03d}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
            truth += [(number, happened) for happened in new]
        self.write_truth(folder / "truth.jsonl", truth, {"film": {"stills": number + 1}})
        return number + 1


def _props(plan: Layout, scenario: Scenario, painter: Painter, rng: np.random.Generator) -> list[Prop]:
    """A cup and a phone, where there is room for them in the picture."""
    props: list[Prop] = []
    taken = [(spot, 125.0) for spot in plan.spots()] + [
        (seat.slot(end).at, 95.0) for seat in plan.seats for end in (0, 2)
    ]
    camera = painter.camera
    for wanted, art, height, room in (
        (scenario.cup, surfaces.cup, 120.0, 55.0),
        (scenario.phone, surfaces.phone, 152.0, 75.0),
    ):
        if rng.random() >= wanted:
            continue
        for _ in range(60):
            spot = rng.uniform(-330, 330, 2)
            x, y = camera.film(spot[None])[0]
            inside = 30 < x < camera.width - 30 and 30 < y < camera.height - 30
            if inside and all(np.hypot(*(spot - other)) > room + far - 50 for other, far in taken):
                lies = Pose(float(spot[0]), float(spot[1]), float(rng.uniform(0, 2 * np.pi)), 6.0)
                props.append(Prop(Sprite.of(art(rng), height, 1.15 * camera.scale()), lies))
                taken.append((spot, 2 * room))
                break
    return props


def table_of(look: Look, plan: Layout, names: Sequence[str]) -> Table:
    """The table as somebody would mark it in the first frame."""
    camera = look.camera
    outline = plan.outline()
    pixels = camera.film(outline)
    # In card widths; x runs as the picture's does, so y runs down.
    flat = outline * np.array([1, -1]) / CARD_WIDTH
    matrix, _ = cv2.findHomography(pixels, flat)
    middle = np.array([[camera.width / 2, camera.height / 2], [camera.width / 2 + 50, camera.height / 2]])
    spots = Plane(np.asarray(matrix, np.float64)).to_plane(middle)
    along = spots[1] - spots[0]
    c, s = along / np.linalg.norm(along)
    turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1.0]]) @ np.array(
        [[1, 0, -spots[0][0]], [0, 1, -spots[0][1]], [0, 0, 1.0]]
    )
    matrix = turn @ matrix
    plane = Plane(matrix / matrix[2, 2])
    seats = []
    for seat, name in zip(plan.seats, names, strict=True):
        side = np.array([-seat.out[1], seat.out[0]])
        corners = np.array(
            [seat.at + side * u * 112 + seat.out * v * 56 for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        )
        seats.append(Zone(plane.to_plane(camera.film(corners)), name))

    def disc(at: NDArray[np.float64], radius: float) -> Zone:
        turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        ring = at + radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        return Zone(plane.to_plane(camera.film(ring)))

    return Table(
        width=camera.width,
        height=camera.height,
        plane=plane,
        pile=disc(plan.pile, 92),
        seats=tuple(seats),
        stock=disc(plan.stock, 56),
        burnt=disc(plan.burnt, 66),
    )
