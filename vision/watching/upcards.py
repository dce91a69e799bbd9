"""The face-up cards of one seat: which lie there, and whether a settled look shows others than before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.table.place import Placed, card_corners
from vision.watching.track import Changed, Track, alike, is_same, pair


@dataclass(eq=False)
class Row:
    """The upcards of one seat. ``turned``: the one card is a downcard, turned up where no upcards were left."""

    cards: list[Placed] = field(default_factory=list)
    unread: int = 0
    """How many cards of the deal could not be read."""
    dealt: bool = False
    turned: bool = False
    size: int = 0
    """How many cards were dealt: no row has more."""

    def start(self, cards: Sequence[Placed], size: int = 0) -> None:
        self.cards, self.dealt, self.unread = [*cards], True, max(0, size - len(cards))
        self.size = max(size, len(cards))

    def update(
        self,
        seen: Sequence[Track],
        *,
        changed: Changed | None = None,
        bare: Changed | None = None,
        playing: bool = False,
    ) -> tuple[list[Placed], list[Placed]]:
        """What came and what left, from a settled look at the uncovered row. ``playing``: no more cards are exchanged;
        then none comes beside others, whatever is read on a downcard's back once the card on it has left.

        A card that is no longer read, where nothing looks different, still lies there; so does one that the same face
        shows a little way off (the row was put straight).
        """
        pairs = pair(self.cards, seen, _stayed)
        rest = [i for i in range(len(self.cards)) if i not in {i for i, _ in pairs}]
        fresh = [j for j in range(len(seen)) if j not in {j for _, j in pairs}]
        shifted = pair(
            rest,
            fresh,
            lambda i, j: (
                1 - agreement if (agreement := alike(self.cards[i].likelihoods, seen[j].likelihoods)) > 0.7 else None
            ),
        )
        kept = [*pairs, *((rest[a], fresh[b]) for a, b in shifted)]
        stay = {i for i, _ in kept}
        lost = [i for i in range(len(self.cards)) if i not in stay and self._left(self.cards[i], changed, bare)]
        standing = [self.cards[i] for i in range(len(self.cards)) if i not in lost]
        came = [
            seen[j].placed
            for j in range(len(seen))
            if j not in {j for _, j in kept} and self._arrived(seen[j], standing, changed)
        ]
        if playing and self.cards:
            came = came[: self.unread]
        elif self.dealt:
            came = sorted(came, key=_trust)[max(0, len(came) - self.size + len(standing)) :]
        self.unread -= min(self.unread, len(came))
        gone = [self.cards[i] for i in lost]
        now = []
        places = dict(kept)
        for i, card in enumerate(self.cards):
            if i in places:
                now.append(_better(card, seen[places[i]]))
            elif i not in lost:
                now.append(card)
        self.cards = [*now, *came]
        return came, gone

    @staticmethod
    def _arrived(track: Track, standing: Sequence[Placed], changed: Changed | None) -> bool:
        """Whether a card came that was not there: not a pip of one that lies there, nor one that was unread so far."""
        if any(float(np.linalg.norm(track.centre - card.centre)) < 0.55 for card in standing):
            return False
        difference = changed(card_corners(track.centre, track.angle, -0.1)) if changed else None
        return difference is None or difference > 0.15

    @staticmethod
    def _left(card: Placed, changed: Changed | None, bare: Changed | None) -> bool:
        corners = card_corners(card.centre, card.angle, -0.1)
        difference = changed(corners) if changed else None
        if difference is not None:
            return difference > 0.15
        free = bare(corners) if bare else None
        return free is None or free > 0.5


def _stayed(card: Placed, track: Track) -> float | None:
    cost = is_same(card, track.placed)
    return cost if cost is not None and alike(card.likelihoods, track.likelihoods) >= 0.3 else None


def _trust(card: Placed) -> tuple[int, float]:
    """How much a reading says of a card: both corners more than one."""
    return min(len(card.anchors), 2), float(card.likelihoods.max())


def _better(card: Placed, track: Track) -> Placed:
    """The card where it lies now, with what was read best."""
    now = track.placed
    likelihoods = now.likelihoods if now.likelihoods.max() >= card.likelihoods.max() else card.likelihoods
    return Placed(now.centre, now.angle, now.anchors, likelihoods, 1.0)
