"""The pile: which cards lie on it, and what has just happened to it.

Cards land on top of each other, so of most of them a corner is left to see, or nothing. The pile therefore remembers
every card that came, and compares each settled look with what should be visible: a card that nobody had seen has been
laid; one whose corner now lies under a newer card is only covered; the cards laid last, vanished while older ones show
again, have been lifted; all of them vanished for a while have gone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

import numpy as np

from vision.plane import Spots
from vision.table.place import Placed, card_corners, index_corners, inside_card
from vision.watching.beneath import UNKNOWN, Odds, counts
from vision.watching.covering import covered, lies_open, on_bare_table, patches, unchanged
from vision.watching.pile_card import PileCard, corner_of, is_another, is_away, is_shifted, lay_below, stayed_there
from vision.watching.plays import CLEAR, MATE, SURE_FACE, Play, plays
from vision.watching.track import Changed, Track, alike, pair, rank_vector, same_rank

BARE: Final = 0.85
"""The share of where the top card lay from which on the table is seen to be bare there,"""
BARE_FOR: Final = 0.35
"""and the seconds for which it must be."""

PUSHED: Final = 0.04
"""Card widths by which a card that was pushed has moved, at least; then edges show that did not before."""

PUSHED_FOR: Final = 2.0
"""Seconds for which a pile that was pushed looks as if more had happened."""

Beneath = Callable[[Sequence[Track], bool], Odds]
"""How many times as likely the pictures are if more cards came than these that can be seen; whether others moved."""


AS_BEFORE: Final = 0.15
"""If no more of a place than this differs from an earlier picture, it looks as it did then."""
DEEP: Final = 0.06
"""An index that lies so far within a card, in card widths, does not show beside it;"""
UNCOVERED: Final = 0.3
"""and where it shows after all, more than this share of it has changed."""
RECENT: Final = 6
"""So many cards of a pile cover all of it that can show."""


class Happened(StrEnum):
    LAID = "laid"
    LIFTED = "lifted"
    GONE = "gone"
    SQUARED = "squared"


@dataclass(frozen=True, eq=False)
class PileEvent:
    """What happened, to which cards, and (for GONE) how many cards are left to see."""

    kind: Happened
    cards: tuple[Track, ...] = ()
    left: int = 0
    counts: Mapping[int, float] = field(default_factory=dict)


@dataclass(eq=False)
class Pile:
    """Follows one pile. ``gone_after``: seconds for which it must look empty before it is; ``take_back``: seconds
    within which the cards laid last may be lifted again; ``decks``: in one deck no face comes twice."""

    decks: int = 1
    gone_after: float = 1.0
    take_back: float = 6.0
    cards: list[PileCard] = field(default_factory=list)
    """Bottom first; only those that were ever seen."""
    _play: int = 0
    _missing_since: float | None = None
    _lifting_since: float | None = None
    """Since when what was laid last has been seen to be gone and the cards below it not."""
    _pushed_at: float = -1e9

    def clear(self) -> None:
        self.cards, self._missing_since, self._lifting_since = [], None, None

    def start(self, tracks: Sequence[Track], at: float) -> None:
        """Take what lies there as the pile, without an event (the first card of the deal)."""
        self.clear()
        self._play += 1
        self.cards = [PileCard(track.placed, self._play, at) for track in tracks]

    @property
    def pending(self) -> bool:
        """Whether something is missing that may soon count as gone: look again."""
        return self._missing_since is not None or self._lifting_since is not None

    def update(
        self,
        seen: Sequence[Track],
        at: float,
        *,
        changed: Changed | None = None,
        bare: Changed | None = None,
        at_once: bool = False,
        unread: Track | None = None,
        restored: Changed | None = None,
        beneath: Beneath | None = None,
        hands: int | None = None,
        players: int = 1,
        untouched: bool = False,
    ) -> list[PileEvent]:
        """What a settled look at the uncovered pile shows to have happened since the last one.

        ``changed`` and ``bare`` tell of a polygon on the table how much of it differs from the last look, and how much
        looks like the bare table; ``restored`` how much differs from before the cards laid last came; ``beneath`` how
        likely it looks that more cards came than can be seen; ``hands`` how many times a hand was here since then
        (None: not known), of how many ``players`` one after another; ``untouched``: surely none. ``at_once``:
        looks are far apart (photos), so nothing needs to be waited for. ``unread``: a card that the pixels show and
        nobody could read, for when readings explain nothing.
        """
        seen = [track for track in seen if not on_bare_table(track, bare)]
        pairs = pair(
            self.cards,
            seen,
            lambda card, track: (
                None
                if self.decks == 1 and is_another(self.cards, card, track)
                else stayed_there(card, track, changed, seen)
            ),
        )
        stayed = dict(pairs)
        free = [j for j in range(len(seen)) if j not in stayed.values()]
        fresh = [j for j in free if not self._is_known(seen[j], seen, stayed)]
        missing = [i for i, card in enumerate(self.cards) if card.visible and i not in stayed]
        new = [seen[j] for j in fresh]
        exposed = [i for i in missing if not covered(self.cards[i].placed, new)]
        vanished = [i for i in exposed if is_away(self.cards[i], changed)]
        moved = self._moved(fresh, seen, stayed, vanished, changed)
        new = [seen[j] for j in fresh if j not in moved.values()]
        late = [track for track in new if changed is not None and unchanged(track, changed)]
        new = [track for track in new if track not in late]

        if new and hands == 1 and self._dug_out(seen, stayed, changed):
            # Who takes the pile in two goes leaves lower cards to see for a while, and lays none of them.
            self._refresh(seen, stayed, moved)
            self.cards = [PileCard(track.placed, 0, at) for track in new] + [
                replace(card, visible=i in stayed) for i, card in enumerate(self.cards)
            ]
            self._missing_since = self._lifting_since = None
            return []
        if new:
            laid = plays(new, self.decks, hands, players)
            return self._laid(laid, seen, stayed, moved, vanished, at, beneath, bare, restored, changed)
        if any(is_shifted(self.cards[i], seen[j], PUSHED) for i, j in stayed.items()):
            self._pushed_at = at
        if unread is not None and not self._explained(unread, seen, moved, at, untouched):
            return self._laid([Play([unread])], seen, stayed, {}, (), at, None, bare, restored, changed)
        if not seen:
            return self._empty(at, at_once, bare)
        shifted = sum(is_shifted(self.cards[i], seen[j]) for i, j in stayed.items()) + len(moved)
        if shifted and 2 * shifted >= len(seen):
            self._squared(seen, stayed, moved)
            return [PileEvent(Happened.SQUARED)]
        top = self._top()
        if top and set(top) <= set(vanished) and self._uncovered(top, seen, stayed, bare, restored):
            return self._lifted(top, seen, stayed, at, at_once)
        self._missing_since = self._lifting_since = None
        for i in vanished:
            self.cards[i].visible = False  # pushed under the others
        self._refresh(seen, stayed, moved)
        for track in late:
            self._reveal(track, at)
        return []

    # what each thing means

    def _laid(
        self,
        laid: Sequence[Play],
        seen: Sequence[Track],
        stayed: Mapping[int, int],
        moved: Mapping[int, int],
        vanished: Sequence[int],
        at: float,
        beneath: Beneath | None,
        bare: Changed | None,
        restored: Changed | None,
        changed: Changed | None,
    ) -> list[PileEvent]:
        events = []
        new = [track for play in laid for track in play.all]
        top = self._top()
        back = len(top) < len(self.cards) and (
            self._lifting_since is not None or self._taken_back(top, new, at, changed, restored)
        )
        # Who lifts a card and lays one of its rank lays both: the one hides the other.
        again = back and any(
            same_rank(self.cards[i].placed.likelihoods, one.likelihoods) > MATE for i in top for one in new
        )
        # The pile was seen empty, or has left the places where it should still show.
        gone = bool(self.cards) and not stayed and not moved and not back
        back = back and not again
        pushed = False
        if gone and (self._missing_since is not None or self._has_left(new, vanished, bare)):
            events.append(PileEvent(Happened.GONE))
            self.clear()
        else:
            taken = tuple(_track(self.cards[i].placed, self.cards[i].at) for i in top)
            self._refresh(seen, stayed, moved)
            self._missing_since = self._lifting_since = None
            pushed = any(is_shifted(self.cards[i], seen[j], PUSHED) for i, j in stayed.items())
            if back:
                events.append(PileEvent(Happened.LIFTED, taken))
                self.cards = [card for i, card in enumerate(self.cards) if i not in top]
                laid = [play for play in laid if not all(self._was_there(track, restored) for track in play.all)]
                new = [track for play in laid for track in play.all]
        stirred = bool(pushed or events or moved)  # then what has changed beside a card is no other card of its set
        more = beneath(laid[0].cards, stirred) if beneath and len(laid) == 1 else UNKNOWN
        for card in self.cards:
            card.visible = card.visible and not covered(card.placed, new)
        for play in laid:
            self._play += 1
            for card in self.cards:
                card.visible = card.visible and not covered(card.placed, play.all)
            self.cards += [PileCard(track.placed, self._play, at) for track in play.all]
            odds = tuple(ratio * play.hinted for ratio in more)
            events.append(
                PileEvent(Happened.LAID, tuple(play.cards), counts=counts(len(play.cards), odds, 4 * self.decks))
            )
        return events

    def _empty(self, at: float, at_once: bool, bare: Changed | None) -> list[PileEvent]:
        if not self.cards:
            return []
        top = self.cards[-1].placed
        free = bare(card_corners(top.centre, top.angle)) if bare else None
        if free is not None and free < 0.6:
            # Something lies there that cannot be read: a covered or dim pile has not gone.
            return []
        if self._missing_since is None:
            self._missing_since = at
        # One empty picture proves nothing, nor does one that cannot be told from a covered pile; bare table does soon.
        wait = self.gone_after if free is None or free < BARE else min(self.gone_after, BARE_FOR)
        if not at_once and at - self._missing_since < wait:
            return []
        self.clear()
        return [PileEvent(Happened.GONE)]

    def _lifted(
        self, top: Sequence[int], seen: Sequence[Track], stayed: Mapping[int, int], at: float, at_once: bool
    ) -> list[PileEvent]:
        if self._lifting_since is None:
            self._lifting_since = at
        if not at_once and at - self._lifting_since < min(0.4, self.gone_after):
            return []
        laid_at = self.cards[top[0]].at
        lifted = tuple(_track(self.cards[i].placed, laid_at) for i in top)
        self._refresh(seen, stayed, {})
        self._lifting_since = None
        if at_once or at - laid_at <= self.take_back:
            self.cards = [card for i, card in enumerate(self.cards) if i not in top]
            return [PileEvent(Happened.LIFTED, lifted)]
        keep = sorted(stayed)
        self.cards = [self.cards[i] for i in keep]
        return [PileEvent(Happened.GONE, lifted, left=len(keep))]

    def _squared(self, seen: Sequence[Track], stayed: Mapping[int, int], moved: Mapping[int, int]) -> None:
        for card in self.cards:
            card.visible = False
        self._refresh(seen, stayed, moved)
        self._missing_since = self._lifting_since = None

    def _refresh(self, seen: Sequence[Track], stayed: Mapping[int, int], moved: Mapping[int, int]) -> None:
        for i, j in {**stayed, **moved}.items():
            old, now = self.cards[i].placed, seen[j].placed
            # Once laid a card keeps what was read when most of it could be seen.
            likelihoods = now.likelihoods if len(now.anchors) > len(old.anchors) else old.likelihoods
            better = i in moved or len(now.anchors) >= len(old.anchors)
            source = now if better else old
            self.cards[i].placed = Placed(source.centre, source.angle, source.anchors, likelihoods, 1.0)
            self.cards[i].visible = True

    def _reveal(self, track: Track, at: float) -> None:
        """A corner that lay there unread: of the card that nobody could read, or of an older one."""
        for card in self.cards:
            if not len(card.placed.anchors) and card.visible and inside_card(track.anchors, *_pose(card), 0.1).all():
                card.placed = track.placed
                return
        self.cards.insert(max(0, len(self.cards) - 1), PileCard(track.placed, 0, at))

    # evidence

    def _has_left(self, new: Sequence[Track], vanished: Sequence[int], bare: Changed | None) -> bool:
        """Whether bare table shows where the pile lay and no new card does."""
        if bare is None:
            showed = [card for card in self.cards if card.visible]
            return bool(showed) and len(vanished) >= min(2, len(showed))
        free: list[float] = []
        for card in self.cards[-RECENT:]:
            shares = [bare(patch) for patch in patches(card.placed, new)[::3]]
            known = [share for share in shares if share is not None]
            if len(known) >= 2 and float(np.mean(known)) < 0.5:
                return False
            # Cards that could not be seen may have been pushed to another place since.
            free += known if card.visible else []
        return len(free) >= 3 and float(np.mean(free)) > 0.6

    def _taken_back(
        self,
        top: Sequence[int],
        new: Sequence[Track],
        at: float,
        changed: Changed | None,
        restored: Changed | None,
    ) -> bool:
        """Whether the cards laid last have been lifted before others came: where they lay and no new card does,
        something has changed, and all of it looks as it did before they came."""
        if restored is None or changed is None or not top or at - self.cards[top[0]].at > self.take_back:
            return False
        seen = 0
        for i in top:
            card = self.cards[i].placed
            for patch in patches(card, new):
                difference, since = changed(patch), restored(patch)
                if difference is None or since is None or difference < 0.3:
                    continue
                if since > AS_BEFORE:
                    return False
                seen += 1
        return seen >= 2

    def _dug_out(self, seen: Sequence[Track], stayed: Mapping[int, int], changed: Changed | None) -> bool:
        """Whether a card shows again deep below all that was laid on it, two cards at least: those have been taken."""
        for i, j in stayed.items():
            above = [card.placed for card in self.cards[i + 1 :]]
            deep = all(inside_card(seen[j].anchors, card.centre, card.angle, -DEEP).all() for card in above)
            if len(above) < 2 or self.cards[i].visible or not deep or not len(seen[j].anchors):
                continue
            shares = [changed(index_corners(spot, seen[j].angle)) if changed else None for spot in seen[j].anchors]
            if all(share is not None and share > UNCOVERED for share in shares):
                return True
        return False

    def _was_there(self, track: Track, restored: Changed | None) -> bool:
        """Whether what shows once the cards laid last are lifted lay there before them: it looks as it did then, though
        it may be read otherwise, or it is one of those that they hid."""
        other = restored(card_corners(track.centre, track.angle)) if restored else None
        return (other is not None and other < AS_BEFORE) or (self.decks == 1 and lay_below(self.cards, track))

    def _top(self) -> list[int]:
        """The cards of the play laid last."""
        last = max((card.play for card in self.cards), default=0)
        return [i for i, card in enumerate(self.cards) if card.play == last]

    def _uncovered(
        self,
        top: Sequence[int],
        seen: Sequence[Track],
        stayed: Mapping[int, int],
        bare: Changed | None,
        restored: Changed | None,
    ) -> bool:
        """Whether what the cards laid last lay upon shows again: a corner below them, or bare table. If not, they lie
        under something that could not be read."""
        for i in top:
            card = self.cards[i].placed
            other = restored(card_corners(card.centre, card.angle)) if restored else None
            if other is not None and other < AS_BEFORE:
                return True
            free = bare(card_corners(card.centre, card.angle)) if bare else None
            below = any(
                inside_card(seen[j].anchors, card.centre, card.angle).any()
                for i, j in stayed.items()
                if not self.cards[i].visible
            )
            if below or (other is None and (free is None or free > 0.25)):
                return True
        return False

    def _explained(
        self, unread: Track, seen: Sequence[Track], moved: Mapping[int, int], at: float, untouched: bool
    ) -> bool:
        """Whether the pile that was pushed a moment ago is what changed, or a card of it that now lies there; or a
        card that lies open, where no hand was here to lay another across its middle: a shadow did."""
        if at - self._pushed_at < PUSHED_FOR:
            return True
        if untouched and any(
            lies_open(track) and inside_card(unread.centre[None], track.centre, track.angle).all() for track in seen
        ):
            return True
        return any(
            float(np.linalg.norm(seen[j].centre - unread.centre)) < 0.5
            and float(rank_vector(seen[j].likelihoods).max()) > CLEAR
            for j in moved.values()
        )

    def _is_known(self, track: Track, seen: Sequence[Track], stayed: Mapping[int, int]) -> bool:
        """Whether a lone corner shows a face that lies there already and is seen: in one deck it is another corner of
        it, or one that is misread."""
        if self.decks > 1 or len(track.anchors) >= 2:
            return False
        face = int(track.likelihoods.argmax())
        return float(track.likelihoods[face]) >= SURE_FACE and any(
            int(seen[j].likelihoods.argmax()) == face and float(seen[j].likelihoods[face]) >= SURE_FACE
            for j in stayed.values()
        )

    def _moved(
        self,
        fresh: Sequence[int],
        seen: Sequence[Track],
        stayed: Mapping[int, int],
        vanished: Sequence[int],
        changed: Changed | None,
    ) -> dict[int, int]:
        """Cards of the pile that now lie elsewhere: index in the pile to index in ``seen``.

        A known face at a new place is the same card shifted, where its old place is empty or the pile was disturbed;
        otherwise it is another card that looks like it, and the rules will say which.
        """

        def cost(i: int, j: int) -> float | None:
            agreement = alike(self.cards[i].placed.likelihoods, seen[j].likelihoods)
            disturbed = i in vanished or (not self.cards[i].visible and bool(vanished))
            quiet = changed is not None and unchanged(seen[j], changed)
            # Of a card that is half covered now, the corner that is left places it otherwise than both did.
            corner = self.decks == 1 and self.cards[i].visible and corner_of(self.cards[i], seen[j])
            if agreement < 0.6 or not (disturbed or quiet or corner):
                return None
            return 1 - agreement

        free = [i for i in range(len(self.cards)) if i not in stayed]
        pairs = pair(free, fresh, cost)
        return {free[a]: fresh[b] for a, b in pairs}


def _pose(card: PileCard) -> tuple[Spots, float]:
    return card.placed.centre, card.placed.angle


def _track(placed: Placed, at: float) -> Track:
    return Track.start(placed, at)
