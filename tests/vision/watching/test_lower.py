"""A card of the same set under the one that came, of which no index shows: seen by its outline, on made-up pictures."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.watching.test_beneath import PILE, PLANE, Pose, picture, track
from vision.types import Image
from vision.watching.beneath import MOST, more_beneath
from vision.watching.evidence import Compared
from vision.watching.lower import shows_lower

WIDE: tuple[Pose, ...] = ((-0.3, 0.1, 1.2), (0.3, -0.1, 1.9), *PILE)
TOP: Pose = (0.0, 0.0, 0.1)


def noisy(image: Image, seed: int) -> Image:
    noise = np.random.default_rng(seed).normal(0, 2, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def compared(before: Image, now: Image) -> Compared:
    return Compared(PLANE, noisy(before, 1), noisy(now, 2))


@pytest.mark.parametrize("lower", [(0.02, 0.02, 0.46), (-0.2, 0.1, 0.1), (0.1, -0.2, -0.1), (0.25, 0.2, 0.3)])
def test_a_lower_card_upon_others_shows_by_its_outline(lower: Pose) -> None:
    scene = compared(picture(*WIDE), picture(*WIDE, lower, TOP))
    assert shows_lower(scene, track(*TOP))
    assert more_beneath(scene, [track(*TOP)], True)[0] > MOST / 4


@pytest.mark.parametrize("pile", [(), PILE, WIDE])
@pytest.mark.parametrize("astray", [(0.0, 0.0, 0.0), (0.1, -0.1, 0.0), (0.0, 0.12, 0.2)])
def test_a_single_card_shows_none_wherever_it_is_taken_to_lie(pile: tuple[Pose, ...], astray: Pose) -> None:
    there = track(TOP[0] + astray[0], TOP[1] + astray[1], TOP[2] + astray[2])
    assert not shows_lower(compared(picture(*pile), picture(*pile, TOP)), there)


def test_nor_does_one_upon_a_pile_that_was_pushed() -> None:
    pushed = tuple((x + 0.1, y - 0.08, turn) for x, y, turn in WIDE)
    assert not shows_lower(compared(picture(*WIDE), picture(*pushed, TOP)), track(*TOP))


def test_nor_one_where_the_pile_has_gone() -> None:
    scene = Compared(PLANE, picture(*WIDE), picture(TOP), empty=picture())
    assert not shows_lower(scene, track(*TOP))


def test_nor_a_shadow_as_long_as_a_card() -> None:
    assert not shows_lower(compared(picture(*WIDE), picture(*WIDE, TOP, shadow=0.6)), track(*TOP))
