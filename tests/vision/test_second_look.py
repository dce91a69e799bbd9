"""A jumbo index goes on beyond its box: a second look from farther off decides its suit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cards import FACES
from tests.vision.painted import lying, table
from tests.vision.test_join import seen
from vision.classify import Crops, Logits, Named, Pyramid
from vision.geometry import BOTTOM_RIGHT, TOP_LEFT
from vision.join import Corner, Joined
from vision.second_look import looked_again

NAMES = [str(face) for face in FACES]


def likely(**faces: float) -> NDArray[np.float32]:
    result = np.full(len(FACES), 1e-4, np.float32)
    for face, value in faces.items():
        result[NAMES.index(face.strip("_"))] = value
    return np.asarray(result / result.sum(), np.float32)


def corner(likelihoods: NDArray[np.float32], slot: int = TOP_LEFT) -> Corner:
    (one,) = seen(lying(400, 300, 0.4, 100), "5C", [slot])
    return Corner(one.points, likelihoods, 1.0)


class Shows:
    """Stands in for the classifier: the second look shows this, whatever is cut out."""

    def __init__(self, likelihoods: NDArray[np.float32], presence: float = 1.0) -> None:
        self.likelihoods, self.presence, self.asked = likelihoods, presence, 0

    def __call__(self, crops: Crops) -> tuple[Logits, Logits, Named]:
        n = len(crops)
        self.asked += n
        named = Named(np.tile(self.likelihoods, (n, 1)), np.full(n, self.presence, np.float32))
        return np.zeros((n, 15), np.float32), np.zeros((n, 4), np.float32), named


def best(card: Joined) -> list[str]:
    return [NAMES[int(each.likelihoods.argmax())] for each in card.corners]


def test_a_suit_in_doubt_is_decided_from_farther_off() -> None:
    card = Joined((corner(likely(_5C=0.4, _5S=0.5)),))
    (again,) = looked_again(Pyramid(table()), [card], Shows(likely(_5C=0.95)))
    assert best(again) == ["5C"]


def test_what_is_clear_is_not_looked_at_again() -> None:
    clear, doubtful = corner(likely(_5C=1)), corner(likely(_5C=0.4, _5S=0.5), BOTTOM_RIGHT)
    shows = Shows(likely(_5C=0.95))
    (again,) = looked_again(Pyramid(table()), [Joined((clear, doubtful), (TOP_LEFT, BOTTOM_RIGHT))], shows)
    assert shows.asked == 1
    assert again.corners[0] is clear
    assert best(again) == ["5C", "5C"]
    assert looked_again(Pyramid(table()), [Joined((clear,))], shows)[0].corners == (clear,)
    assert shows.asked == 1


def test_a_second_look_that_shows_no_index_decides_nothing() -> None:
    card = Joined((corner(likely(_5C=0.4, _5S=0.5)),))
    (again,) = looked_again(Pyramid(table()), [card], Shows(likely(KH=0.99), presence=0.2))
    assert best(again) == ["5S"]
