"""What is seen by edges and what is seen by indices, settled against each other."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.painted import classifier, lying, paint, table
from tests.vision.reading.test_join import apart, seen
from vision.geometry import BOTTOM_RIGHT, CARD, SLOTS, TOP_LEFT, map_points
from vision.reading.classify import Logits, Named, name
from vision.reading.join import Corner, Joined
from vision.reading.outlines import edged, settled, trust, with_edges
from vision.reading.pyramid import Crops, Pyramid


def naming(crops: Crops) -> tuple[Logits, Logits, Named]:
    rank, suit = classifier(crops)
    return rank, suit, name(rank, suit)


def face(x: float = 400, y: float = 300, card: str = "7H") -> Joined:
    place = lying(x, y, 0.3, 100)
    return Joined(tuple(seen(place, card)), (TOP_LEFT, BOTTOM_RIGHT), map_points(place, CARD))


def elsewhere(card: Joined, where: tuple[float, float], presence: float, sure: float = 0.97) -> Corner:
    """A corner within a card, away from its slots."""
    place = lying(400, 300, 0.3, 100)
    points = map_points(place, SLOTS[TOP_LEFT]) + map_points(place, np.array([where], np.float32)) - card.outline[0]
    (corner,) = seen(place, "5C", [TOP_LEFT], sure)
    return Corner(points.astype(np.float32), corner.likelihoods, presence)


def test_indices_at_their_places_are_the_faces_own() -> None:
    card = face()
    kept, free = settled([card], list(card.corners))
    assert kept == [card]
    assert free == []


@pytest.mark.parametrize(("presence", "stays"), [(0.6, True), (0.99, False)])
def test_an_index_elsewhere_counts_if_it_is_sure(presence: float, stays: bool) -> None:
    card = face()
    stray = elsewhere(card, (0.4, 0.3), presence)
    kept, free = settled([card], [stray])
    assert (kept == [card]) is stays
    assert free == ([] if stays else [stray])  # corners that only the false edges led to are worth nothing


def test_indices_beside_a_face_are_left() -> None:
    others = seen(lying(700, 300, 1.0, 100), "KS")
    assert settled([face()], others)[1] == others


def test_edges_are_taken_by_the_card_they_fit() -> None:
    place = lying(400, 300, 0.3, 100)
    edges = np.roll(map_points(place, CARD), 1, 0)
    rough = Joined(tuple(seen(place, "7H", [TOP_LEFT])))
    inner = map_points(place, CARD * 0.7 + 0.15)  # a court's frame: it doesn't hold the index
    other = map_points(lying(700, 300, 1.0, 100), CARD)
    (card,) = with_edges([rough], [other, inner, edges])
    assert card.edges is not None
    assert apart(card, place) < 1e-3
    (none,) = with_edges([rough], [other, inner])
    assert none.edges is None


def test_no_quads_no_faces() -> None:
    assert edged(Pyramid(np.zeros((50, 50, 3), np.uint8)), [], naming) == ([], [])


def test_two_of_four_corners_are_enough_to_trust_a_face() -> None:
    """The other two are under glare: one of them is misread."""
    place = lying(400, 300, 0.3, 100)
    corners = seen(place, "3H", (0, 1, 2, 3))
    good = Joined(tuple(corners), (0, 1, 2, 3), map_points(place, CARD))
    corners[2] = seen(place, "JH", [2])[0]
    misread = Joined(tuple(corners), (0, 1, 2, 3), map_points(place, CARD))
    assert trust(misread) == pytest.approx(trust(good), abs=0.01)
    assert trust(Joined((corners[0], corners[2]), (0, 2), map_points(place, CARD))) < 0.2


def test_edges_around_two_cards_of_a_set_are_no_face() -> None:
    """Laid nearly on each other they have one outline; at one end it shows the one card, at the other the other."""
    picture = table()
    lower, upper = lying(400, 300, 0.0, 100), lying(416, 300, 0.0, 100)
    paint(picture, "JD", lower)
    paint(picture, "JH", upper)
    around = np.array([[350, 230], [466, 230], [466, 370], [350, 370]], np.float32)
    assert edged(Pyramid(picture), [around], naming)[0] == []
    (card,) = edged(Pyramid(picture), [map_points(upper, CARD)], naming)[0]
    assert len(card.corners) == 2


@pytest.mark.parametrize("other", ["8H", "8D"])
def test_edges_with_a_suit_at_one_end_and_another_at_the_other_are_no_face(other: str) -> None:
    """Between two cards of a set a third may lie, of which the edges tell nothing, however unsure the suits are."""
    picture, place = table(), lying(400, 300, 0.0, 100)
    paint(picture, "8H", place, [TOP_LEFT])
    (corner,) = seen(place, other, [BOTTOM_RIGHT])
    paint(other_one := table(), other, place, [BOTTOM_RIGHT])
    x0, y0, x1, y1 = (int(v) for v in (*corner.points.min(0) - 2, *corner.points.max(0) + 2))
    picture[y0:y1, x0:x1] = other_one[y0:y1, x0:x1]

    def unsure(crops: Crops) -> tuple[Logits, Logits, Named]:
        rank, suit = classifier(crops)
        return rank, suit, name(rank, suit, 1.0, 2.6)

    faces, _ = edged(Pyramid(picture), [map_points(place, CARD)], unsure)
    assert len(faces) == (other == "8H")


def test_edges_in_which_another_card_shows_are_nobodys() -> None:
    one, other = lying(400, 300, 0.0, 100), lying(416, 300, 0.0, 100)
    cards = [Joined(tuple(seen(one, "KC", [TOP_LEFT]))), Joined(tuple(seen(other, "KH")), (TOP_LEFT, BOTTOM_RIGHT))]
    around = np.array([[350, 230], [466, 230], [466, 370], [350, 370]], np.float32)
    assert [card.edges is None for card in with_edges(cards, [around])] == [True, True]
    assert [card.edges is None for card in with_edges(cards[1:], [around])] == [False]
