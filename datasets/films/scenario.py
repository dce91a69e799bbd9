"""What happens in a film besides the plays themselves, and how often; and what table, light and camera it has."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from companion.errors import UserError
from datasets.films import camera, light, surfaces
from datasets.films.layout import Layout


@dataclass(frozen=True)
class Scenario:
    """Probabilities (0 to 1) of each happening at each occasion, and the pace. All can be set in a TOML file."""

    fan: float = 0.4
    """A set is laid fanned; what is left of ``fan`` + ``one_by_one`` + ``dealt`` is laid squared."""
    one_by_one: float = 0.2
    """A set is laid card by card, the hand going back for each."""
    dealt: float = 0.15
    """A set is carried together and left behind card by card."""
    squared_up: float = 0.05
    """The pile is pushed together after a play."""
    hesitation: float = 0.06
    """A hand comes over the table and goes again before a turn."""
    take_back: float = 0.03
    """Cards laid are lifted again at once, and others laid."""
    illegal: float = 0.02
    """A card that may not be played is laid, and taken back."""
    fumble: float = 0.05
    """A card laid is shifted a little before the hand goes."""
    overlap: float = 0.3
    """The next player's hand comes while the one before still draws."""
    two_grabs: float = 0.12
    """The pile is picked up in two goes."""
    nudge: float = 0.01
    """The camera is pushed before a turn."""
    burnt_face_up: float = 0.5
    """Burnt cards lie face up in this film."""
    exchange: float = 0.5
    """A seat exchanges cards before the first play, where that makes sense for it."""
    cup: float = 0.5
    phone: float = 0.4
    pace: float = 0.9
    """How long people think and move, as a factor."""
    think: tuple[float, float] = (0.15, 0.8)
    """Seconds between two turns, from and to."""

    @classmethod
    def load(cls, path: Path | None) -> Scenario:
        """From a TOML file with any of the fields; the defaults where there is none. Raises UserError."""
        if path is None:
            return cls()
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, tomllib.TOMLDecodeError) as error:
            raise UserError("scenario-unreadable", f"{path}: {error}") from None
        names = {field.name for field in fields(cls)}
        for key, value in data.items():
            if key not in names:
                known = ", ".join(sorted(names))
                raise UserError("scenario-unknown", f"{path}: there is no {key!r}; use one of {known}")
            if key == "think":
                data[key] = tuple(value) if isinstance(value, list) else value
                if not isinstance(value, list) or len(value) != 2 or not 0 <= value[0] <= value[1]:
                    raise UserError("scenario-value", f"{path}: think must be two numbers of seconds, lower first")
            elif isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
                raise UserError("scenario-value", f"{path}: {key} must be a number of 0 or more, not {value!r}")
            elif key != "pace" and value > 1:
                raise UserError("scenario-value", f"{path}: {key} is a probability, so at most 1, not {value!r}")
        return cls(**data)


QUIET = Scenario(
    squared_up=0, hesitation=0, take_back=0, illegal=0, fumble=0, overlap=0, two_grabs=0, nudge=0, cup=0, phone=0
)
"""Nothing but the plays."""


@dataclass(frozen=True)
class Look:
    """The visible setting of a film."""

    surface: surfaces.Surface
    light: light.Light
    camera: camera.Camera
    exposure: float
    drift: float
    blur: float
    noise: float

    @classmethod
    def make(cls, layout: Layout, rng: np.random.Generator, *, steep: bool = False) -> Look:
        """A setting by chance, with the camera at any angle from which the indices are large enough to read.

        ``steep`` puts it nearly straight above.
        """
        points = layout.outline()
        best: camera.Camera | None = None
        for _ in range(12):
            above = steep or rng.random() < 0.35
            elevation = float(np.radians(rng.uniform(80, 89.5) if above else rng.uniform(58, 86)))
            bend = (float(rng.uniform(-0.13, 0.03)), float(rng.uniform(0.0, 0.02)))
            seen = camera.fitted(
                points, float(rng.uniform(0, 2 * np.pi)), elevation, float(rng.normal(0, 0.06)), bend, 0.96
            )
            if best is None or seen.scale() > best.scale():
                best = seen
            if seen.scale() >= 1.5:
                best = seen
                break
        assert best is not None
        return cls(
            surface=surfaces.make(rng),
            light=light.make(rng),
            camera=best,
            exposure=float(rng.uniform(0.72, 1.08)),
            drift=float(rng.uniform(0.01, 0.07)),
            blur=float(rng.uniform(0.3, 0.9)),
            noise=float(rng.choice([rng.uniform(0.6, 2), rng.uniform(2, 4)], p=[0.7, 0.3])),
        )
