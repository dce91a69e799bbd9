"""What a card may claim depends on how it stands among what else is seen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.painted import Matrix, lying
from tests.vision.reading.test_join import seen
from vision.geometry import BOTTOM_RIGHT, CARD, TOP_LEFT, map_points
from vision.reading.claims import Standing, calibrated, claiming, standing, truer
from vision.reading.join import Joined
from vision.types import CardReading, ImageReading

PICTURE = (0, 0, 1280, 720)


def lone(place: Matrix, card: str = "7H", slot: int = TOP_LEFT) -> Joined:
    return Joined(tuple(seen(place, card, [slot])), (slot,))


def test_two_indices_or_edges_confirm_a_card() -> None:
    place = lying(400, 300, 0.3, 100)
    both = Joined(tuple(seen(place, "7H")), (TOP_LEFT, BOTTOM_RIGHT))
    edges = Joined(lone(place).corners, (TOP_LEFT,), map_points(place, CARD))
    for card in (both, edges):
        assert standing(card, [card], [PICTURE]) is Standing.CONFIRMED


def test_a_lone_index_stands_in_the_open_unless_something_hides_the_other() -> None:
    card = lone(lying(400, 300, 0.3, 100))
    assert standing(card, [card], [PICTURE]) is Standing.OPEN
    over = lone(lying(430, 350, 0.3, 100), "9C")
    assert standing(card, [card, over], [PICTURE]) is Standing.HIDDEN
    assert standing(card, [card, lone(lying(800, 300, 0.3, 100), "9C")], [PICTURE]) is Standing.OPEN


def test_what_lies_outside_of_what_was_read_is_hidden() -> None:
    card = lone(lying(1270, 300, -0.8, 100))
    assert standing(card, [card], [PICTURE]) is Standing.HIDDEN
    inside = lone(lying(400, 300, 0.3, 100))
    assert standing(inside, [inside], [(300, 200, 410, 300)]) is Standing.HIDDEN


@given(st.floats(0, 1), st.floats(0.1, 3), st.floats(-4, 4))
def test_a_truer_claim_is_a_probability_that_keeps_the_order(claim: float, slope: float, shift: float) -> None:
    assert 0 <= truer(claim, slope, shift) <= 1
    assert truer(claim, slope, shift) <= truer(min(1, claim + 0.1), slope, shift)


@pytest.mark.parametrize(("shift", "reported"), [(0.0, True), (-4.0, False)])
def test_a_card_that_is_more_likely_none_is_not_reported(shift: float, reported: bool) -> None:
    likelihoods = np.zeros(53, np.float32)
    likelihoods[5] = 1
    card = CardReading(map_points(lying(400, 300), CARD), (), likelihoods, 0.9)
    truth = calibrated(card, Standing.OPEN, {"open": (1.0, shift)})
    assert (claiming(ImageReading(1280, 720, (truth,))).cards == (truth,)) is reported
    assert truth.card == card.card
    assert calibrated(card, Standing.HIDDEN, {"open": (1.0, shift)}).presence == pytest.approx(0.9)
