"""What nobody can read, or reads wrongly, on the pile: a play is not missed for it, and none is made up."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from engine.cards import Rank
from tests.vision.tabletop import Cinema, Lying, Tabletop, likelihoods
from vision.table.place import INDEX_OFFSET, Placed
from vision.types import Observation, Seen
from vision.watching.plays import plausible, plays
from vision.watching.track import Track
from vision.watching.watcher import Watcher


def cinema(unread: str, wrong: str | None = None, jokers: bool = True) -> Cinema:
    table = Tabletop()
    table.deal((("3C", "7S", "9D"), ("KC", "2H", "JH")))
    table.misread = lambda card, _: wrong if card.face == unread else card.face
    return Cinema(table, Watcher(table, jokers=jokers))


def laid_or_gone(observations: list[Observation]) -> list[Observation]:
    return [seen for seen in observations if seen.kind in (Seen.LAID, Seen.LIFTED, Seen.GONE)]


def _series(shoot: Callable[[Callable[[], object]], object], table: Tabletop) -> None:
    shoot(lambda: table.lay("4H", -0.2, 0.0, 0.1))
    shoot(lambda: table.lay("6D", 0.2, 0.1, 0.3))
    shoot(lambda: table.lay("6S", 0.0, -0.1, -0.2))


@pytest.mark.parametrize("film", [False, True], ids=["photos", "film"])
def test_a_card_that_cannot_be_read_is_a_doubtful_play(film: bool) -> None:
    made = cinema("6D")
    if film:
        made.roll(1.6)

        def shoot(act: Callable[[], object]) -> None:
            made.reach(1, 2, act)
            made.roll(1.5)
    else:
        made.photo()

        def shoot(act: Callable[[], object]) -> None:
            act()
            made.photo()

    _series(shoot, made.table)
    seen = laid_or_gone(made.seen)
    assert [play.kind for play in seen] == [Seen.LAID] * 3
    assert [str(play.cards[0].card) for play in seen[::2]] == ["4H", "6S"]
    assert max(seen[1].cards[0].likelihoods.values()) < 0.2
    assert seen[1].seat == (1 if film else None)


def test_an_unread_card_that_hides_the_top_is_no_take_back() -> None:
    made = cinema("6S")
    made.photo()
    for face, x in (("4H", -0.45), ("6D", 0.0), ("6S", 0.05)):
        made.table.lay(face, x, 0.0, 0.05)
        made.photo()
    assert [play.kind for play in laid_or_gone(made.seen)] == [Seen.LAID] * 3


def test_an_unread_pile_that_goes_is_gone() -> None:
    made = cinema("4H")
    made.photo()
    card = made.table.lay("4H", 0.1, 0.0, 0.1)
    made.photo()
    made.table.take(card)
    made.photo()
    assert [play.kind for play in laid_or_gone(made.seen)] == [Seen.LAID, Seen.GONE]


def test_no_joker_is_seen_where_none_is_in_play() -> None:
    made = cinema("4H", wrong="XX", jokers=False)
    made.photo()
    made.table.lay("4H", 0.1, 0.0, 0.1)
    made.photo()
    (play,) = laid_or_gone(made.seen)
    assert all(face.rank is not Rank.JOKER for face in play.cards[0].likelihoods)


def _track(corners: int, *faces: str, sure: float = 0.95) -> Track:
    lying = Lying(faces[0], 0.0, 0.0)
    anchors = (lying.centre + np.array([INDEX_OFFSET, -INDEX_OFFSET]))[:corners]
    return Track.start(Placed(lying.centre, 0.0, anchors, likelihoods(*faces, sure=sure), 1.0), 0.0)


def test_an_unclear_reading_beside_a_clear_card_is_no_play_of_its_own() -> None:
    clear = _track(2, "7D")
    assert plausible([_track(1, "2D", sure=0.6), clear, _track(1, "8H", "AH")]) == [clear]


def test_two_clear_cards_of_two_ranks_are_two_plays() -> None:
    tracks = [_track(2, "7D"), _track(2, "9H")]
    assert plausible(tracks) == tracks


def test_readings_that_disagree_and_none_clear_are_one_doubtful_card() -> None:
    (card,) = plausible([_track(1, "TD", "JD"), _track(1, "2D", "AD"), _track(2, "AD", "2D")])
    assert len(card.anchors) == 2
    assert {str(face) for face in card.sighting.likelihoods if card.sighting.likelihoods[face] > 0.1} == {
        "TD",
        "JD",
        "2D",
        "AD",
    }


def test_beside_a_clear_card_an_unclear_one_of_its_rank_only_hints_at_a_set() -> None:
    clear = _track(2, "TC")
    sure = plays([clear, _track(1, "TH", sure=0.9)])
    assert [(len(play.cards), len(play.hints)) for play in sure] == [(2, 0)]
    hinted = plays([clear, _track(1, "TH", "QH", sure=0.99)])
    assert [(len(play.cards), len(play.hints)) for play in hinted] in ([(1, 0)], [(1, 1)])
    assert plays([clear, _track(1, "2D", sure=0.6)])[0].cards == [clear]


def test_one_hand_lays_one_rank() -> None:
    """Two ranks in one look are two quick plays if two hands were there; if one was, the surer of them is the play."""
    jack, king = _track(2, "JD"), _track(1, "KC")
    assert [play.cards for play in plays([king, jack], hands=1)] == [[jack]]
    assert len(plays([king, jack], hands=2)) == len(plays([king, jack])) == 2


def test_a_card_that_cannot_be_read_lies_across_one_of_which_two_corners_still_show() -> None:
    made = cinema("6D")
    made.roll(1.6)
    made.reach(0, 2, lambda: made.table.lay("7H", 0.0, 0.0, 0.65))
    made.reach(1, 2, lambda: made.table.lay("6D", 0.0, 0.0, -0.05))
    made.roll(1.5)
    assert [play.kind for play in laid_or_gone(made.seen)] == [Seen.LAID] * 2
