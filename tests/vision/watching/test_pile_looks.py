"""One look at the pile after another, told what was read there: which card is which, and which was there before."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.tabletop import likelihoods
from vision.plane import Spots
from vision.table.place import Placed
from vision.watching.pile import Happened, Pile
from vision.watching.pile_card import PileCard
from vision.watching.track import Changed, Track


def card(face: str, x: float, y: float = 0.0, corners: int = 2) -> Track:
    """A card that lies upright with its middle at ``x`` and ``y``, of which so many corners are seen."""
    place = Placed(np.array([x, y]), 0.0, np.zeros((0, 2)), likelihoods(face, sure=0.99), 1.0)
    return Track.start(Placed(place.centre, 0.0, place.index_spots[:corners], place.likelihoods, 1.0), 0.0)


def everywhere(share: float) -> Changed:
    """All of the picture differs so much."""

    def changed(spots: Spots) -> float:
        return share * bool(len(spots))

    return changed


def pile_of(*cards: Track) -> Pile:
    """The cards laid one after the other, each over the last, which alone can be seen."""
    pile = Pile()
    pile.cards = [PileCard(one.placed, number, 5.0 + number, one is cards[-1]) for number, one in enumerate(cards)]
    return pile


def laid(pile: Pile, *seen: Track, hands: int | None = 1, restored: Changed | None = None) -> list[str]:
    """What one more look at the pile shows to have happened."""
    events = pile.update(list(seen), 9.0, changed=everywhere(0.5), restored=restored, hands=hands)
    return [" ".join([event.kind.value, *(str(one.placed.card) for one in event.cards)]) for event in events]


def test_a_corner_of_a_known_card_that_places_it_otherwise_is_no_card_of_the_set_laid_on_it() -> None:
    pile = pile_of(card("JC", 0.6))
    assert laid(pile, card("JC", -0.1, 0.5, corners=1), card("JD", 0.3, -0.1), card("JH", 0.7, 0.4)) == ["laid JD JH"]


@pytest.mark.parametrize(("upper", "told"), [("7S", ["laid 7S 7C"]), ("6C", ["laid 6C"])])
def test_a_corner_where_an_old_one_was_is_another_if_nothing_else_has_its_suit(upper: str, told: list[str]) -> None:
    """One that is half covered is easily read with the suit of what covers it."""
    pile = pile_of(card("7D", 0.0))
    assert laid(pile, card("7C", 0.02, corners=1), card(upper, 0.3, -0.2)) == told


def test_a_corner_of_the_card_below_does_not_stand_for_the_one_that_was_taken_back() -> None:
    """It showed beside the upper card before, so where it is no pixel has changed; and it is read as it always was."""
    pile = pile_of(card("2D", 0.0), card("9H", 0.2))
    below = card("2D", 0.0, corners=1), card("2D", 0.3, corners=1)

    def changed(spots: Spots) -> float:
        return 0.0 if float(np.linalg.norm(spots.mean(axis=0) - below[1].anchors[0])) < 0.05 else 0.5

    told = [
        event.kind
        for at in (9.0, 9.6)
        for event in pile.update(list(below), at, changed=changed, restored=everywhere(0.0), hands=1)
    ]
    assert told == [Happened.LIFTED]


def test_what_shows_beside_a_card_taken_back_looked_so_before_it_came() -> None:
    pile = pile_of(card("4S", 0.0), card("2C", 0.1))
    pile._lifting_since = 8.0
    assert laid(pile, card("AC", -0.05, corners=1), restored=everywhere(0.05)) == ["lifted 2C"]
    assert [str(one.placed.card) for one in pile.cards] == ["4S"]


@pytest.mark.parametrize(("hands", "told"), [(1, []), (2, ["laid 3C"])])
def test_who_takes_the_pile_in_two_goes_lays_none_of_the_cards_that_show_between(hands: int, told: list[str]) -> None:
    """A card shows again where others lay over it, so those have gone; two hands may have taken and laid."""
    pile = pile_of(card("2C", 0.0), card("JH", 0.02), card("6D", 0.04, 0.05))
    assert laid(pile, card("2C", 0.0, corners=1), card("3C", 0.05), hands=hands) == told
    assert pile.update([], 10.0, changed=everywhere(0.5), at_once=True)[0].kind is Happened.GONE


def test_a_card_found_late_above_those_taken_back_stays() -> None:
    """The number of cards falls, and what is seen is still told of the right ones."""
    pile = pile_of(card("4S", 0.0), card("2C", 0.1))
    pile.cards.append(PileCard(card("9D", 0.8).placed, 0, 6.5))
    pile._lifting_since = 8.0
    assert laid(pile, card("9D", 0.8), card("AH", -0.3)) == ["lifted 2C", "laid AH"]
    assert [str(one.placed.card) for one in pile.cards] == ["4S", "9D", "AH"]
