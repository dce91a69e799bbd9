"""The table: its plane and what lies where on it, as ``table.toml`` keeps it.

Zones are polygons in card widths (``vision.plane``). The file has them in pixels of the picture, so that a person can
put one right by looking at a photo::

    version = 1
    image = [1280, 720]
    mirrored = false
    plane = [[0.01, 0.0, -6.4], [0.0, 0.01, -3.6], [0.0, 0.0, 1.0]]  # pixels to card widths

    [pile]                      # where cards are played; also [stock] and [burnt], if there are any
    outline = [[480, 200], [800, 200], [800, 520], [480, 520]]

    [[seats]]                   # in the order of the players, clockwise as seen from above
    name = "Ann"                # optional
    outline = [[460, 510], [820, 510], [820, 700], [460, 700]]
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Matrix, Numbers, Plane, Spots


class TableError(ValueError):
    """A table file that cannot be used, or a picture in which no table can be found: one sentence of what and where."""


@dataclass(frozen=True, eq=False)
class Zone:
    """A place on the table: a convex polygon, shape (n, 2), in card widths."""

    outline: Spots
    name: str = ""

    @property
    def centre(self) -> Spots:
        middle: Spots = self.outline.mean(axis=0)
        return middle

    def holds(self, spot: Numbers, margin: float = 0.0) -> bool:
        """Whether a spot lies inside, or no farther outside than ``margin`` card widths."""
        return self.depth(spot) >= -margin

    def depth(self, spot: Numbers) -> float:
        """How far inside a spot lies, in card widths; negative outside."""
        x, y = np.asarray(spot, dtype=np.float64).reshape(2)
        return float(cv2.pointPolygonTest(self.outline.astype(np.float32), (float(x), float(y)), True))

    def depths(self, spots: Spots) -> NDArray[np.float64]:
        """``depth`` of many spots, shape (n, 2), measured to the nearest side's line."""
        sides = np.roll(self.outline, -1, axis=0) - self.outline
        inward = np.stack([-sides[:, 1], sides[:, 0]], axis=1) / np.linalg.norm(sides, axis=1, keepdims=True)
        inward *= np.sign(((self.centre - self.outline) * inward).sum(axis=1, keepdims=True))
        away: NDArray[np.float64] = ((spots[:, None] - self.outline[None]) * inward[None]).sum(axis=2).min(axis=1)
        return away

    @classmethod
    def around(cls, spots: Numbers, margin: float, name: str = "") -> Self:
        """The convex hull of ``spots`` in card widths, ``margin`` wider (by widening the hull of discs)."""
        points = np.asarray(spots, dtype=np.float64).reshape(-1, 2)
        ring = margin * np.stack([np.cos(turn := np.linspace(0, 2 * np.pi, 12, endpoint=False)), np.sin(turn)], axis=1)
        cloud = (points[:, None] + ring[None]).reshape(-1, 2).astype(np.float32)
        return cls(cv2.convexHull(cloud).reshape(-1, 2).astype(np.float64), name)

    @classmethod
    def disc(cls, centre: Numbers, radius: float, name: str = "") -> Self:
        return cls.around([centre], radius, name)


@dataclass(frozen=True, eq=False)
class Table:
    """Where the pile, the stock, the burnt cards and each seat's table cards are. ``width`` and ``height`` are those
    of the picture in pixels; ``mirrored`` says that the source's pictures must be flipped first."""

    width: int
    height: int
    plane: Plane
    pile: Zone
    seats: tuple[Zone, ...]
    stock: Zone | None = None
    burnt: Zone | None = None
    mirrored: bool = False

    def seat_at(self, spot: Numbers) -> int | None:
        """The seat whose zone a spot lies in (the deepest, where zones overlap)."""
        depths = [seat.depth(spot) for seat in self.seats]
        best = int(np.argmax(depths)) if depths else 0
        return best if depths and depths[best] >= 0 else None

    def in_pile(self, spot: Numbers) -> bool:
        """Whether a card centred here lies on the pile; seats, the stock and the burnt cards come first."""
        others = [zone for zone in (*self.seats, self.stock, self.burnt) if zone is not None]
        depth = self.pile.depth(spot)
        return depth >= 0 and all(zone.depth(spot) < max(0.0, depth) for zone in others)

    def near_pile(self, spots: Spots) -> NDArray[np.bool_]:
        """At which spots, shape (n, 2), a part of a card on the pile may lie: nearer to it than to any other zone."""
        others = [zone for zone in (*self.seats, self.stock, self.burnt) if zone is not None]
        depth = self.pile.depths(spots)
        near: NDArray[np.bool_] = depth >= -0.5
        for zone in others:
            near &= zone.depths(spots) < depth
        return near

    def home(self, seat: int) -> Spots:
        """Where the player of a seat sits: beyond the seat's cards, at the edge of the picture or past it."""
        middle = self.pile.centre
        outward = self.seats[seat].centre - middle
        outward /= max(float(np.linalg.norm(outward)), 1e-6)
        return self.seats[seat].centre + 1.5 * outward

    def seat_scores(self, spot: Numbers) -> tuple[float, ...]:
        """Probability per seat that an arm that comes from here is that seat's."""
        if not self.seats:
            return ()
        away = np.array([np.linalg.norm(np.asarray(spot) - self.home(seat)) for seat in range(len(self.seats))])
        weights = np.exp(-(away - away.min()) / 0.7)
        return tuple(float(weight) for weight in weights / weights.sum())

    def pixels(self, zone: Zone) -> Spots:
        """A zone's outline in pixels, shape (n, 2)."""
        return self.plane.to_pixels(zone.outline)

    def box(self, zone: Zone, margin: float = 0.0) -> tuple[int, int, int, int]:
        """The pixels x0, y0, x1, y1 around a zone, ``margin`` card widths wider, cut to the picture."""
        spots = self.plane.to_pixels(Zone.around(zone.outline, margin).outline if margin else zone.outline)
        x0, y0 = np.floor(np.clip(spots.min(axis=0), 0, [self.width, self.height])).astype(int)
        x1, y1 = np.ceil(np.clip(spots.max(axis=0), 0, [self.width, self.height])).astype(int)
        return int(x0), int(y0), int(x1), int(y1)

    def moved(self, shift: Matrix) -> Self:
        """The table after the camera moved (see ``Plane.moved``); the zones stay where they are on the table."""
        return replace(self, plane=self.plane.moved(shift))

    def scaled(self, width: int, height: int) -> Self:
        """The table for pictures of another size of the same view."""
        if (width, height) == (self.width, self.height):
            return self
        shift = np.diag([width / self.width, height / self.height, 1.0])
        return replace(self, plane=self.plane.moved(shift), width=width, height=height)

    def save(self, path: Path) -> None:
        path.write_text(self.to_toml(), encoding="utf-8")

    def to_toml(self) -> str:
        lines = [
            "version = 1",
            f"image = [{self.width}, {self.height}]",
            f"mirrored = {str(self.mirrored).lower()}",
            f"plane = {[[float(f'{value:.9g}') for value in row] for row in self.plane.matrix]}",
        ]
        for name, zone in (("pile", self.pile), ("stock", self.stock), ("burnt", self.burnt)):
            if zone is not None:
                lines += ["", f"[{name}]", f"outline = {self._rounded(zone)}"]
        for seat in self.seats:
            lines += ["", "[[seats]]", *([f"name = {json.dumps(seat.name)}"] if seat.name else [])]
            lines += [f"outline = {self._rounded(seat)}"]
        return "\n".join(lines) + "\n"

    def _rounded(self, zone: Zone) -> list[list[float]]:
        return [[round(float(x), 1), round(float(y), 1)] for x, y in self.pixels(zone)]

    @classmethod
    def load(cls, path: Path) -> Self:
        """Raises TableError with one sentence where the file is missing, no TOML, or lacks something."""
        try:
            if path.exists() and not path.is_file():
                raise TableError("it is no file")
            return cls.parse(tomllib.loads(path.read_text(encoding="utf-8")))
        except OSError as error:
            raise TableError(f"{path}: {error.strerror or error}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise TableError(f"{path} is not TOML: {error}") from None
        except TableError as error:
            raise TableError(f"{path}: {error}") from None

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Self:
        """The table of a parsed ``table.toml``. Raises TableError."""
        if data.get("version") != 1:
            raise TableError(f"version is {data.get('version')!r}; this program reads version 1")
        size = _numbers(data.get("image"), "image", (2,))
        width, height = int(size[0]), int(size[1])
        if width < 16 or height < 16:
            raise TableError(f"image is {width} x {height}; it must be at least 16 x 16")
        matrix = _numbers(data.get("plane"), "plane", (3, 3))
        if abs(np.linalg.det(matrix)) < 1e-12:
            raise TableError("plane cannot be inverted; let `pilewatch watch` propose a table again")
        plane = Plane(matrix)
        zones = {name: _zone(data[name], name, plane) for name in ("pile", "stock", "burnt") if name in data}
        if "pile" not in zones:
            raise TableError("there is no [pile]; say where cards are played")
        seats = data.get("seats", [])
        if not isinstance(seats, list):
            raise TableError("seats must be a list of tables, each written [[seats]]")
        return cls(
            width=width,
            height=height,
            plane=plane,
            pile=zones["pile"],
            seats=tuple(_zone(seat, f"seats[{number}]", plane) for number, seat in enumerate(seats)),
            stock=zones.get("stock"),
            burnt=zones.get("burnt"),
            mirrored=bool(data.get("mirrored", False)),
        )


def level_table(
    width: int,
    height: int,
    card_pixels: float,
    pile: Numbers,
    seats: Iterable[Sequence[Numbers]],
    stock: Numbers | None = None,
    burnt: Numbers | None = None,
    names: Sequence[str] = (),
) -> Table:
    """A table seen straight from above, from the pixels of card centres: the pile, each seat's cards, the stock."""
    plane = Plane.level(width, height, card_pixels)
    rows = [Zone.around(plane.to_plane(cards), 0.8) for cards in seats]
    named = tuple(replace(row, name=names[seat]) if seat < len(names) else row for seat, row in enumerate(rows))
    return Table(
        width=width,
        height=height,
        plane=plane,
        pile=Zone.disc(plane.to_plane(pile)[0], 1.6),
        seats=named,
        stock=None if stock is None else Zone.disc(plane.to_plane(stock)[0], 0.7),
        burnt=None if burnt is None else Zone.disc(plane.to_plane(burnt)[0], 1.2),
    )


def _numbers(value: object, name: str, shape: tuple[int, ...]) -> Matrix:
    try:
        numbers = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TableError(f"{name} must be numbers") from None
    if value is None or numbers.shape != shape or not np.isfinite(numbers).all():
        raise TableError(f"{name} must be {' x '.join(map(str, shape))} numbers")
    return numbers


def _zone(value: object, name: str, plane: Plane) -> Zone:
    if not isinstance(value, Mapping):
        raise TableError(f"{name} must be a table with an outline")
    try:
        outline = np.array(value.get("outline"), dtype=np.float64)
    except (TypeError, ValueError):
        outline = np.empty(0)
    if outline.ndim != 2 or outline.shape[1] != 2 or len(outline) < 3 or not np.isfinite(outline).all():
        raise TableError(f"{name}.outline must be at least three points [x, y] in pixels")
    hull = cv2.convexHull(plane.to_plane(outline).astype(np.float32)).reshape(-1, 2).astype(np.float64)
    return Zone(hull, str(value.get("name", "")))
