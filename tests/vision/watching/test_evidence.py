"""What the pixels say beside the readings: whether a place is bare table, on tables of any shade."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.plane import Plane, Spots
from vision.table.cloth import Cloth
from vision.table.place import card_corners
from vision.types import Image
from vision.watching.evidence import Compared

PLANE = Plane(np.diag([1 / 60, 1 / 60, 1.0]))
KNOWN = [card_corners(np.array([x, 9.5]), 0.0) for x in (4.0, 5.3, 6.6, 11.0, 12.3, 13.6)]
PILE = card_corners(np.array([9.0, 5.0]), 0.3)
FREE = card_corners(np.array([15.0, 4.0]), 0.3)
SEATS = [np.array([[3.0, 8.5], [15.0, 8.5], [15.0, 10.5], [3.0, 10.5]]), card_corners(np.array([9.0, 5.0]), 0.0, 0.5)]


def picture(table: tuple[int, int, int], paper: tuple[int, int, int]) -> Image:
    """A grained table, darker towards one side, with cards in a row and one on the pile."""
    rng = np.random.default_rng(1)
    grain = cv2.blur(rng.normal(0, 22, (720, 1280, 1)), (31, 1))[..., None]
    colours = np.array(table, np.float64) + grain * 3
    for corners in [*KNOWN, PILE]:
        mask = np.zeros((720, 1280), np.uint8)
        cv2.fillPoly(mask, [np.round(PLANE.to_pixels(corners)).astype(np.int32)], 1)
        colours[mask > 0] = paper
    light = np.linspace(1.0, 0.8, 1280)[None, :, None]
    image: Image = np.clip(colours * light + rng.normal(0, 2, colours.shape), 0, 255).astype(np.uint8)
    return image


@pytest.mark.parametrize("table", [(40, 90, 30), (150, 165, 172), (60, 80, 120), (205, 190, 180)], ids=str)
def test_cards_are_told_from_tables_of_every_shade(table: tuple[int, int, int]) -> None:
    image = picture(table, (238, 240, 240))
    compared = Compared(PLANE, None, image, Cloth.learn(image, PLANE, SEATS, KNOWN))
    card, free = compared.bare(PILE), compared.bare(FREE)
    assert card is not None
    assert free is not None
    assert card < 0.2
    assert free > 0.8


def checked(*cards: Spots) -> Image:
    """A cloth checked in white, with cards on it."""
    ys, xs = np.mgrid[0:720, 0:1280]
    checks = np.where(((xs // 12) % 2 + (ys // 12) % 2)[..., None] == 0, (150, 70, 80), (205, 190, 190))
    image = checks.astype(np.uint8)
    for corners in cards:
        cv2.fillPoly(image, [np.round(PLANE.to_pixels(corners)).astype(np.int32)], (240, 242, 242))
    return image


def test_late_in_a_game_few_cards_lie_open_and_those_of_before_tell_a_patterned_cloth() -> None:
    first = Cloth.learn(checked(*KNOWN), PLANE, SEATS, KNOWN)
    late = checked(KNOWN[0], PILE)
    with_few = Cloth.learn(late, PLANE, SEATS, KNOWN[:1], first.white)
    bare = Compared(PLANE, None, late, with_few).bare(PILE)
    assert bare is None or bare < 0.3
    assert with_few.white is not None
    assert Cloth.learn(late, PLANE, SEATS, KNOWN[:1]).white is None


@pytest.mark.parametrize("size", [20, 34])
@pytest.mark.parametrize("turn", [0.0, 0.2])
@pytest.mark.parametrize("late", [False, True])
def test_a_cloth_of_large_checks_is_bare_where_it_shows_its_colours_as_often_as_around(
    size: int, turn: float, late: bool
) -> None:
    """Nobody has seen this place without a pile, and of no pixel can be said which check lies there."""

    def cloth(*cards: Spots) -> Image:
        ys, xs = np.mgrid[0:720, 0:1280]
        across, down = xs * np.cos(turn) + ys * np.sin(turn), ys * np.cos(turn) - xs * np.sin(turn)
        white = ((across // size) % 2)[..., None] + ((down // size) % 2)[..., None]
        shades = np.array([(30, 80, 170), (120, 160, 200), (225, 228, 230)], np.uint8)
        image: Image = shades[white[..., 0].astype(int)]
        for corners in cards:
            cv2.fillPoly(image, [np.round(PLANE.to_pixels(corners)).astype(np.int32)], (240, 242, 242))
            cv2.circle(image, [int(x) for x in PLANE.to_pixels(corners).mean(axis=0)], 12, (30, 30, 200), -1)
        return image

    learnt = Cloth.learn(cloth(*KNOWN, PILE), PLANE, SEATS, KNOWN)
    for cards, bare in (((PILE,), False), ((), True)):
        image = cloth(*(() if late else KNOWN), *cards)
        told = Cloth.learn(image, PLANE, SEATS, () if late else KNOWN, learnt.white, learnt.printed)
        share = Compared(PLANE, None, image, told).bare(PILE)
        assert share is not None
        assert (share == 1.0) is bare
        assert bare or share < 0.6


def test_a_table_as_white_as_the_cards_says_nothing() -> None:
    image = picture((236, 238, 238), (238, 240, 240))
    assert Compared(PLANE, None, image, Cloth.learn(image, PLANE, SEATS, KNOWN)).bare(PILE) is None


def test_but_beside_a_picture_without_a_pile_it_does() -> None:
    table, paper = (200, 205, 205), (245, 246, 246)
    image = picture(table, paper)
    empty = image.copy()
    box = np.round(PLANE.to_pixels(card_corners(np.array([9.0, 5.0]), 0.3, 0.3))).astype(np.int32)
    cv2.fillPoly(empty, [box], (176, 180, 180))
    compared = Compared(PLANE, None, image, Cloth.learn(image, PLANE, SEATS, KNOWN), empty)
    assert (compared.bare(PILE) or 0.0) < 0.2


def test_a_table_that_is_pale_in_part_is_judged_where_it_is_not() -> None:
    image = picture((120, 130, 140), (238, 240, 240))
    cloth = Cloth.learn(image, PLANE, SEATS, KNOWN)
    cloth.pattern = None  # pixel by pixel alone
    spot = card_corners(np.array([15.0, 4.0]), 0.0)
    middle = round(15.0 * 60 * cloth.limit.shape[1] / 1280)
    cloth.limit[:, :middle] = 0  # as pale as paper from here to the left
    free = Compared(PLANE, None, image, cloth).bare(spot)
    assert free is not None
    assert free > 0.9
    cloth.limit[:] = 0
    assert Compared(PLANE, None, image, cloth).bare(spot) is None
