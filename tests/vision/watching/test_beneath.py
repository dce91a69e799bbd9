"""How many cards came: what shows of those beneath the upper one, on made-up pictures."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.tabletop import likelihoods
from vision.plane import Plane
from vision.table.place import Placed, card_corners
from vision.types import Image
from vision.watching.beneath import MOST, NOTHING, UNKNOWN, counts, more_beneath, strip
from vision.watching.evidence import Compared
from vision.watching.track import Track

PLANE = Plane.level(640, 480, 100)
TABLE, PAPER, INK = 60, 225, 40
Pose = tuple[float, float, float]


def picture(*cards: Pose, shadow: float | None = None) -> Image:
    """Cards at places (x, y in card widths, and a turn), the later ones above. ``shadow``: how much of the light is
    left in a strip on the right of the last."""
    image = np.full((480, 640, 3), TABLE, np.float32)
    for number, (x, y, turn) in enumerate(cards):
        here = np.array([x, y])
        if shadow is not None and number == len(cards) - 1:
            mask = np.zeros(image.shape[:2], np.uint8)
            dark = PLANE.to_pixels(card_corners(np.array([x + 0.08, y + 0.02]), turn))
            cv2.fillPoly(mask, [dark.round().astype(np.int32)], 1)
            image[mask > 0] *= shadow
        outline = PLANE.to_pixels(card_corners(here, turn)).round().astype(np.int32)
        cv2.fillPoly(image, [outline], (PAPER,) * 3)
        cv2.polylines(image, [outline], True, (INK * 3,) * 3)
        pips = PLANE.to_pixels(card_corners(here, turn, -0.3)).round().astype(np.int32)
        cv2.fillPoly(image, [pips], (INK, INK, INK + 20 * number))
    return np.clip(image, 0, 255).astype(np.uint8)


def track(x: float, y: float, turn: float = 0.0) -> Track:
    placed = Placed(np.array([x, y]), turn, np.empty((0, 2)), likelihoods("7H"), 1.0)
    return Track.start(Placed(placed.centre, turn, placed.index_spots, placed.likelihoods, 1.0), 0.0)


PILE: tuple[Pose, ...] = ((0.05, 0.1, 0.5), (-0.1, 0.0, -0.3))
TOP: Pose = (0.0, 0.0, 0.1)


def compared(before: Image, now: Image) -> Compared:
    return Compared(PLANE, before, now)


def test_a_single_card_shows_no_more() -> None:
    assert strip(compared(picture(*PILE), picture(*PILE, TOP)), track(*TOP)) == 0


@pytest.mark.parametrize(
    ("pile", "off"),
    [((), (0.08, 0.0)), ((), (0, -0.07)), ((), (0.1, 0.1)), (PILE, (-0.06, 0.1)), (PILE, (0.2, 0.05))],
)
def test_a_second_card_shows_as_a_strip_of_paper(pile: tuple[Pose, ...], off: tuple[float, float]) -> None:
    """Paper on paper does not show, so that on a pile the strip must be wider."""
    lower = (TOP[0] + off[0], TOP[1] + off[1], TOP[2] + 0.02)
    scene = compared(picture(*pile), picture(*pile, lower, TOP))
    assert min(more_beneath(scene, [track(*TOP)])) > 10


@pytest.mark.parametrize("shade", [0.75, 0.6, 0.4])
def test_the_shadow_of_a_card_on_others_is_no_card(shade: float) -> None:
    wide = (0.3, 0.0, 1.5)  # a white card all along the side on which the shadow falls
    scene = compared(picture(*PILE, wide), picture(*PILE, wide, TOP, shadow=shade))
    assert (strip(scene, track(*TOP)) or 0) < NOTHING


@pytest.mark.parametrize("astray", [(0.1, 0.0, 0.0), (-0.05, 0.08, 0.04), (0.0, -0.12, 0.0)])
def test_nor_is_the_rest_of_a_card_that_was_placed_wrongly(astray: Pose) -> None:
    """Where one of its two indices was another card's, the card lies elsewhere than they say."""
    there = track(TOP[0] + astray[0], TOP[1] + astray[1], TOP[2] + astray[2])
    assert (strip(compared(picture(*PILE), picture(*PILE, TOP)), there) or 0) < NOTHING


def test_a_pile_that_was_pushed_says_of_no_card_that_it_hides_others() -> None:
    pushed = tuple((x + 0.06, y + 0.05, turn) for x, y, turn in ((-0.9, 0.2, 0.9), (0.7, -0.3, -0.5), *PILE))
    before = picture((-0.9, 0.2, 0.9), (0.7, -0.3, -0.5), *PILE)
    assert max(more_beneath(compared(before, picture(*pushed, TOP)), [track(*TOP)])) <= 1


def test_beside_what_moved_only_that_nothing_shows_says_something() -> None:
    alone, two = picture(*PILE, TOP), picture(*PILE, (0.08, 0.03, 0.1), TOP)
    assert max(more_beneath(compared(picture(*PILE), two), [track(*TOP)], moved=True)) <= 1
    assert more_beneath(compared(picture(*PILE), alone), [track(*TOP)], moved=True)[0] <= 1


def test_a_pile_that_went_before_the_card_came_says_nothing() -> None:
    empty = picture()
    scene = Compared(PLANE, picture(*PILE), picture(TOP), empty=empty)
    assert (strip(scene, track(*TOP)) or 0) < NOTHING


def test_of_cards_side_by_side_none_is_hidden() -> None:
    scene = compared(picture(), picture((-0.6, 0, 0), (0.6, 0, 0)))
    assert more_beneath(scene, [track(-0.6, 0), track(0.6, 0)]) == UNKNOWN


def test_what_a_strip_says_decides_the_count() -> None:
    assert counts(1, (0.5,) * 3, 4)[1] > 0.9
    assert counts(1, (MOST,) * 3, 4)[2] > 0.55
    assert counts(1, (1.0, 60.0, 1.0), 4)[3] > 0.3
    assert counts(4, (MOST,) * 3, 4) == {}
    assert max(counts(3, UNKNOWN, 4)) == 4
