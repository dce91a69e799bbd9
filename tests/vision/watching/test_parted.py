"""Corners told apart by their age, and put together on the true plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.cards import FACES, Rank
from tests.vision.tabletop import Cinema, Tabletop, game, likelihoods
from vision.plane import Plane, Spots
from vision.table.place import INDEX_OFFSET, card_corners, place_all, turn
from vision.types import CardReading, Image, ImageReading
from vision.watching.parted import USUAL, across_deck, one_by_one
from vision.watching.watcher import Watcher

PLANE = Plane.level(1280, 720, 90.0)


def corner(centre: Spots, angle: float, sign: int) -> np.ndarray:
    """One index corner of a card, in pixels, upright."""
    box = np.array([[-0.085, -0.175], [0.085, -0.175], [0.085, 0.175], [-0.085, 0.175]])
    return PLANE.to_pixels(centre + sign * (INDEX_OFFSET + box) @ turn(angle).T).astype(np.float32)


def reading(centre: Spots, angle: float, faces: dict[int, str]) -> CardReading:
    outline = PLANE.to_pixels(card_corners(centre, angle)).astype(np.float32)
    each = tuple(likelihoods(face) for face in faces.values())
    mean = np.mean(each, axis=0).astype(np.float32)
    return CardReading(outline, tuple(corner(centre, angle, sign) for sign in faces), mean, 0.9, each)


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0, 3.0])
def test_an_old_corner_and_a_new_one_are_two_cards(angle: float) -> None:
    here = np.array([0.3, -0.2])
    joined = reading(here, angle, {1: "5H", -1: "3H"})
    old = PLANE.to_plane(joined.indices[0]).mean(axis=0)

    def changed(spots: Spots) -> float:
        return 0.0 if np.linalg.norm(np.mean(spots, axis=0) - old) < 0.1 else 0.4

    five, three = one_by_one([joined], PLANE, changed)
    assert (str(five.card), str(three.card)) == ("5H", "3H")
    for card in (five, three):
        # Each lies where its own corner says, whichever way up.
        assert card.centre == pytest.approx(here, abs=0.02)
        assert len(card.anchors) == 1


@pytest.mark.parametrize("share", [None, 0.0, 0.4])
def test_corners_of_one_age_stay_together(share: float | None) -> None:
    cards = one_by_one([reading(np.zeros(2), 0.4, {1: "5H", -1: "5H"})], PLANE, lambda _: share)
    assert [str(card.card) for card in cards] == ["5H"]
    assert len(cards[0].anchors) == 2


@pytest.mark.parametrize("apart", [0.15, 0.25])
def test_two_cards_of_a_set_laid_nearly_on_each_other_are_two(apart: float) -> None:
    """One shows its upper corner, the other its lower one: together they look like one card with two suits."""
    both = reading(np.zeros(2), 0.4, {1: "JD", -1: "JH"})
    aside = PLANE.to_pixels(PLANE.to_plane(both.indices[1]) + np.array([apart, 0.0])).astype(np.float32)
    cards = one_by_one([replace(both, indices=(both.indices[0], aside))], PLANE, lambda _: 0.4)
    assert sorted(str(card.card) for card in cards) == ["JD", "JH"]


@pytest.mark.parametrize(("faces", "apart"), [(("JD", "JH"), 0.0), (("JD", "JD"), 0.15), (("JD", "QH"), 0.15)])
def test_a_card_with_a_suit_misread_is_one(faces: tuple[str, str], apart: float) -> None:
    one = reading(np.zeros(2), 0.4, {1: faces[0], -1: faces[1]})
    aside = PLANE.to_pixels(PLANE.to_plane(one.indices[1]) + np.array([apart, 0.0])).astype(np.float32)
    assert len(one_by_one([replace(one, indices=(one.indices[0], aside))], PLANE, lambda _: 0.4)) == 1


def test_two_lone_corners_just_where_one_card_has_them_are_one_card() -> None:
    here = np.array([-0.4, 0.3])
    apart = [reading(here, 1.1, {1: "6D"}), reading(here, 1.1, {-1: "5D"})]
    assert len(one_by_one(apart, PLANE, lambda _: None)) == 2  # both are sure
    doubtful = replace(apart[1], likelihoods=likelihoods("5D", "6D"))
    cards = one_by_one([apart[0], doubtful], PLANE, lambda _: None)
    assert len(cards) == 1
    assert cards[0].centre == pytest.approx(here, abs=0.02)
    ranks = {face.rank for face, p in zip(FACES, cards[0].likelihoods, strict=True) if p > 0.1}
    assert Rank.SIX in ranks


def test_two_sure_corners_of_one_suit_that_came_together_are_one_card_of_which_one_was_misread() -> None:
    here = np.array([-0.4, 0.3])

    def apart(other: str) -> int:
        readings = [reading(here, 1.1, {1: "6D"}), reading(here, 1.1, {-1: other})]
        return len(one_by_one(readings, PLANE, lambda _: 0.4))

    assert apart("5D") == 1
    assert apart("5H") == 2


@pytest.mark.parametrize(("dx", "dy", "turned"), [(0.2, 0.0, 0.0), (0.0, 0.25, 0.0), (0.0, 0.0, 0.3)])
def test_corners_of_two_cards_of_a_fan_stay_two(dx: float, dy: float, turned: float) -> None:
    first = reading(np.zeros(2), 0.2, {1: "6D"})
    second = reading(np.array([dx, dy]), 0.2 + turned, {-1: "6C"})
    assert len(one_by_one([first, second], PLANE, lambda _: None)) == 2


def test_the_deck_at_hand_says_where_its_corners_are() -> None:
    farther = 1.12
    wide = []
    for number in range(5):
        card = reading(np.array([1.3 * number - 2, 0.2]), 0.3 * number, {1: "6D", -1: "6D"})
        middle = card.outline.mean(axis=0)
        indices = tuple(
            (quad + (farther - 1) * (quad.mean(axis=0) - middle)).astype(np.float32) for quad in card.indices
        )
        wide.append(replace(card, indices=indices))
    across = across_deck(place_all(wide, PLANE), PLANE)
    assert np.linalg.norm(across) == pytest.approx(farther * np.linalg.norm(USUAL), abs=0.03)
    lone = [
        replace(wide[3], indices=(wide[3].indices[k],), corners=(likelihoods("6D"),), likelihoods=likelihoods("6D"))
        for k in (0, 1)
    ]
    assert len(one_by_one(lone, PLANE, lambda _: None)) == 2
    assert len(one_by_one(lone, PLANE, lambda _: None, across)) == 1
    assert across_deck(place_all(wide[:2], PLANE), PLANE) == pytest.approx(USUAL)


class Joins:
    """A net that takes the corner of a card beneath and one of the card on top for one card's."""

    def __init__(self, table: Tabletop) -> None:
        self.table = table

    def read(self, image: Image, regions: Sequence[tuple[int, int, int, int]] | None = None) -> ImageReading:
        seen = self.table.read(image, regions)
        five = next((card for card in seen.cards if str(card.card) == "5H" and len(card.indices) == 1), None)
        three = next((card for card in seen.cards if str(card.card) == "3H"), None)
        if five is None or three is None:
            return seen
        rest = tuple(card for card in seen.cards if card is not five and card is not three)
        both = CardReading(
            three.outline,
            (five.indices[0], three.indices[0]),
            likelihoods("5H"),
            0.9,
            (five.likelihoods, three.likelihoods),
        )
        return ImageReading(seen.width, seen.height, (*rest, both), seen.backs)


def test_a_card_joined_with_a_corner_beneath_it_is_read_as_itself() -> None:
    table = Tabletop()
    table.deal((("3C", "7S", "9D"), ("KC", "2H", "JH")))
    cinema = Cinema(table, Watcher(Joins(table)))
    cinema.roll(1.6)
    cinema.reach(0, 2, lambda: table.lay("5H", 0.0, 0.0, 0.0))
    cinema.reach(1, 2, lambda: table.lay("3H", 0.25, 0.1, 0.1))
    assert game(cinema.seen) == ["DEAL", "LAID 5H", "LAID 3H"]
