"""What came to lie on the pile in one look, as plays: people lay one rank at a time, each with a hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from vision.table.place import inside_card
from vision.watching.track import Track, rank_vector, same_rank

SURE_FACE: Final = 0.6
"""Two readings that are both as sure of one face are of one card, if there is but one deck."""
CLEAR: Final = 0.8
"""A reading whose rank is as likely as this is of a card; others may be of half an index, or of a picture."""
CLEAR_ALONE: Final = 0.95
"""The same where one corner speaks for the whole card."""
MATE: Final = 0.8
"""Beside a clear card one is of its set if it is as likely as this to have its rank;"""
HINT: Final = 0.5
"""as likely as this it may be, and less is nothing."""
HIDDEN_ODDS: Final = 10.0
"""What a hint of even chances weighs against how seldom a play has a card more than can be seen."""


@dataclass(eq=False)
class Play:
    """The cards of one play that can be seen, lower ones first, and readings that hint at more of them."""

    cards: list[Track]
    hints: list[Track] = field(default_factory=list)

    @property
    def all(self) -> list[Track]:
        return [*self.hints, *self.cards]

    @property
    def hinted(self) -> float:
        """How many times likelier the hints make it that there are more cards."""
        odds = 1.0
        for track in self.hints:
            p = same_rank(self.cards[0].likelihoods, track.likelihoods)
            odds *= HIDDEN_ODDS * p / max(1 - p, 0.1)
        return odds


def plays(new: Sequence[Track], decks: int = 1, hands: int | None = None, players: int = 1) -> list[Play]:
    """The plays that new cards make, in order. A card of which both corners show lies above one of which the other's
    card hides a corner. ``hands``: how many times a hand was there; no more plays than that were made. ``players``: how
    many players it was surely, one after another: where two came, two cards of a rank are a play of each. A hand that
    comes over the pile and lays nothing is rarer than a card answered with its like."""
    found = _together(plausible(new if decks > 1 else once(new)))
    if players == 2 and len(found) == 1 and len(found[0].cards) == 2 and not found[0].hints:
        return [Play([card]) for card in found[0].cards]
    if hands is not None and len(found) > hands:
        # One hand cannot have laid two ranks: the clearest is what it laid, others are pieces of it and of older cards.
        best = sorted(found, key=lambda play: -max(_trust(track) for track in play.cards))[:hands]
        found = [play for play in found if any(play is one for one in best)]
    return found


def plausible(new: Sequence[Track]) -> list[Track]:
    """What plays can explain of what came.

    Several ranks in one look are two quick plays if they are clear. Beside a clear card an unclear one of another rank
    is half an index, or a picture; and if none is clear, all are taken for one card that was read in pieces.
    """
    clear = [track for track in new if _clarity(track) > (CLEAR if len(track.anchors) >= 2 else CLEAR_ALONE)]
    if not clear:
        return [_pieces(new)] if len({track.rank for track in new}) > 1 else list(new)
    return [
        track
        for track in new
        if any(track is other or same_rank(track.likelihoods, other.likelihoods) >= HINT for other in clear)
    ]


def once(new: Sequence[Track]) -> list[Track]:
    """Readings of what came with every face once, where it was read best: for one deck, which has one 9S."""
    best: dict[int, Track] = {}
    others = []
    for track in new:
        face = int(track.likelihoods.argmax())
        if track.likelihoods[face] < SURE_FACE:
            others.append(track)
        elif face not in best or len(track.anchors) > len(best[face].anchors):
            best[face] = track
    kept = [*best.values(), *others]
    return [track for track in new if any(track is one for one in kept)]


def _together(new: Sequence[Track]) -> list[Play]:
    """Cards of one rank together, the lower ones first."""
    ordered = sorted(new, key=lambda track: (track.since, _hidden_by(track, new)[1]))
    ordered = sorted(ordered, key=lambda track: -_hidden_by(track, new)[0])
    groups: list[list[Track]] = []
    for track in ordered:
        mates = [group for group in groups if same_rank(group[0].likelihoods, track.likelihoods) > 0.4]
        if mates:
            mates[0].append(track)
        else:
            groups.append([track])
    return [_play(group) for group in groups]


def _play(group: Sequence[Track]) -> Play:
    surest = max(group, key=_clarity)
    cards = [track for track in group if track is surest or same_rank(surest.likelihoods, track.likelihoods) >= MATE]
    if _clarity(surest) <= CLEAR:
        cards = list(group)
    return Play(cards, [track for track in group if not any(track is card for card in cards)])


def _hidden_by(track: Track, others: Sequence[Track]) -> tuple[int, float]:
    spots = track.placed.index_spots
    hidden = sum(
        bool(inside_card(spots, other.centre, other.angle).any()) and len(track.anchors) < 2
        for other in others
        if other is not track
    )
    return hidden, -float(len(track.anchors))


def _clarity(track: Track) -> float:
    return float(rank_vector(track.likelihoods).max())


def _trust(track: Track) -> float:
    """How much a reading says of what lies on top: both corners more than one."""
    return min(len(track.anchors), 2) + _clarity(track)


def _pieces(tracks: Sequence[Track]) -> Track:
    """One card for several readings that disagree: where the best of them lies, as likely as they are on average."""
    best = max(tracks, key=lambda track: (len(track.anchors), _clarity(track)))
    mean = np.mean([track.likelihoods for track in tracks], axis=0).astype(np.float32)
    return Track.start(replace(best.placed, likelihoods=mean), best.since)
