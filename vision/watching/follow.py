"""Follows one laid-out table: the pile, each seat's upcards, the hands; and says what it has seen happen.

Fed with settled looks (``pile_look``, ``row_look``) and with the hands of every frame (``see_hands``); it never sees
pixels itself. That is what makes it a pure function of its input, and testable with scripted readings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.cards import FACES
from vision.table.layout import PILE_RADIUS
from vision.table.place import Placed
from vision.table.table import Table, Zone
from vision.types import Likelihoods, Observation, Seen
from vision.watching.gate import Hand, Scene, cells_within
from vision.watching.pile import Beneath, Happened, Pile, PileEvent
from vision.watching.track import Changed, Track, alike, sighting
from vision.watching.upcards import Row

UNKNOWN: Likelihoods = np.full(len(FACES), 1 / len(FACES), np.float32)
RECENT = 0.35
"""Seconds after which a hand at the pile counts a third: the one before is still leaving when the next one comes."""
APART = 0.6
"""Seconds between two visits of one hand to the pile."""
SUREST = 0.99
"""As sure as it ever is whose arm it was. Of 800 plays in twelve rendered films in which nothing spoke for another seat
none was another's (counted by a script that is not kept); at a real table people reach across each other, and lay cards
for their neighbours."""
SURELY = 0.8
"""How sure it must be whose hands were there for two cards of a rank to be two plays."""
PASSED = 0.05
"""A hand that is at the stock for fewer seconds than this has not drawn. Of a slow camera one picture is longer."""
ENDS = 0.35
"""Card widths from a place at which a hand that ends there is still at it;"""
SHADOW = 1.0
"""and at which one is that covers more of it"""
COVERS = 0.8
"""than this share."""
NEAR = 2.0
CROWDED = 0.8
"""Where another hand was as near to the stock, in card widths, it is hardly surer than this which of them drew."""
GONE_UNSEEN = 0.5
"""How sure it is that a pile has gone that nobody saw empty: other cards lay there at the next look. It may only be
covered."""
_KINDS = {
    Happened.LAID: Seen.LAID,
    Happened.LIFTED: Seen.LIFTED,
    Happened.GONE: Seen.GONE,
    Happened.SQUARED: Seen.SQUARED,
}


class Follower:
    """``decks``: with one deck no face can come twice. ``gone_after``: seconds for which a pile must look gone."""

    def __init__(self, table: Table, *, decks: int = 1, gone_after: float = 1.0, provisional: bool = False) -> None:
        self.table = table
        self.pile = Pile(decks=decks, gone_after=gone_after)
        self.rows = [Row() for _ in table.seats]
        self.provisional = provisional
        """The place of the pile is a guess: the first card laid in the middle decides it."""
        self._turned: Placed | None = None
        self._evidence: list[tuple[float, NDArray[np.float64], float]] = []
        self._taker: tuple[int | None, float] | None = None
        self._leaving: dict[int, float] = {}
        self._playing = False
        self._hand = False
        self._no_hand_since: float | None = None
        self._drawing: list[tuple[float, NDArray[np.float64]]] = []
        self._crowded = False

    # set-up

    def deal(
        self, rows: Sequence[Sequence[Placed]], pile: Sequence[Track], at: float, frame: int, size: int = 3
    ) -> Observation:
        """Take what lies there as the deal. A seat where fewer than ``size`` cards could be read has unknown ones."""
        for row, cards in zip(self.rows, rows, strict=True):
            row.start(cards, size)
        if pile:
            self.pile.start(pile, at)
            self._adopt(pile[0].centre)
        upcards = tuple(
            (*(sighting(card.likelihoods) for card in row), *[sighting(UNKNOWN)] * (size - len(row))) for row in rows
        )
        first = tuple(track.sighting for track in pile[-1:])
        return Observation(Seen.DEAL, at, frame, cards=first, upcards=upcards)

    def _adopt(self, spot: NDArray[np.float64]) -> None:
        if self.provisional:
            room = -max(seat.depth(spot) for seat in self.table.seats) - 0.1 if self.table.seats else PILE_RADIUS
            self.table = replace(self.table, pile=Zone.disc(spot, min(max(room, 1.0), PILE_RADIUS)))
            self.provisional = False

    # looks

    def pile_look(
        self,
        seen: Sequence[Track],
        at: float,
        frame: int,
        *,
        changed: Changed | None = None,
        bare: Changed | None = None,
        at_once: bool = False,
        unread: Track | None = None,
        restored: Changed | None = None,
        beneath: Beneath | None = None,
        since: float | None = None,
    ) -> list[Observation]:
        """What a settled look at the uncovered pile shows to have happened. ``since``: when it had come to rest; hands
        that came later had no part in it."""
        later = [evidence for evidence in self._evidence if since is not None and evidence[0] > since]
        self._evidence = self._evidence[: len(self._evidence) - len(later)]
        visits = self._visits()
        missed = self.pile.pending
        events = self.pile.update(
            seen,
            at,
            changed=changed,
            bare=bare,
            at_once=at_once,
            unread=unread,
            restored=restored,
            beneath=beneath,
            hands=None if at_once else len(visits) or None,
            players=1 if at_once else _in_turn(visits),
            untouched=not at_once and not visits,
        )
        if self.pile.pending:
            # Whoever was there when the pile was first seen to be gone has taken it, whoever comes while it is awaited.
            self._taker = self._taker or self._seat()
        sure = GONE_UNSEEN if any(event.kind is Happened.LAID for event in events) and not missed else 1.0
        whose = self._whose([event for event in events if event.kind is not Happened.SQUARED])
        observations = [self._pile_event(event, whose.get(id(event), (None, 0.0)), at, frame, sure) for event in events]
        if not self.pile.pending:
            self._taker = None
        if events:
            # A hand that is on its way back from this is no further visit.
            self._leaving = {int(np.argmax(scores)): seen_at for seen_at, scores, _ in self._evidence if len(scores)}
            self._evidence.clear()
        self._evidence += later
        if any(event.kind is Happened.LAID for event in events):
            self._playing = True
            self._adopt(self.pile.cards[-1].placed.centre)
        return [observation for observation in observations if observation is not None]

    def _whose(self, events: Sequence[PileEvent]) -> dict[int, tuple[int | None, float]]:
        """Who did what one look shows. Several things in one look are those of the hands that were there, in order:
        the last hand's is the last."""
        seats = dict.fromkeys(map(id, events), self._seat())
        visits: list[tuple[int, float]] = []
        for visit in self._visits():
            visits += [] if visits and visits[-1][0] == visit[0] else [visit]
        if len(events) > 1 and len(visits) >= len(events):
            seats = {id(event): seat for event, seat in zip(events, visits[-len(events) :], strict=True)}
        for event in events:
            if event.kind is Happened.GONE and self._taker is not None:
                seats[id(event)] = self._taker
        return seats

    def _visits(self) -> list[tuple[int, float]]:
        """The hands that were at the pile since the last event there, as they left it: seat and score. One that went
        and came back soon was there once; one that passed by beside it was not there."""
        found: list[tuple[float, int, float]] = []
        latest: dict[int, int] = {}
        leaving = dict(self._leaving)
        for at, scores, weight in self._evidence:
            seat, score = _best(scores)
            if seat is not None and at - leaving.get(seat, -1e9) < APART:
                leaving[seat] = at
                continue
            if seat is None or weight < 1:
                continue
            if seat in latest and at - found[latest[seat]][0] < APART:
                found[latest[seat]] = (at, seat, max(score, found[latest[seat]][2]))
            else:
                latest[seat] = len(found)
                found.append((at, seat, score))
        return [(seat, score) for _, seat, score in sorted(found)]

    def _pile_event(
        self, event: PileEvent, whose: tuple[int | None, float], at: float, frame: int, sure: float
    ) -> Observation | None:
        cards = tuple(track.sighting for track in event.cards)
        if event.kind is Happened.SQUARED:
            return Observation(Seen.SQUARED, at, frame)
        if event.kind is Happened.LAID and self._turned is not None:
            was, self._turned = self._turned, None
            if len(cards) == 1 and alike(was.likelihoods, event.cards[0].likelihoods) > 0.5:
                return None  # the downcard that was turned a moment ago has been moved onto the pile
        seat, score = whose
        return Observation(
            _KINDS[event.kind],
            at,
            frame,
            cards,
            counts=event.counts,
            seat=seat,
            seat_score=score,
            left=event.left,
            confidence=sure if event.kind is Happened.GONE else 1.0,
        )

    def row_look(
        self,
        seat: int,
        seen: Sequence[Track],
        at: float,
        frame: int,
        *,
        changed: Changed | None = None,
        bare: Changed | None = None,
    ) -> list[Observation]:
        """What a settled look at a seat's uncovered cards shows to have happened."""
        row = self.rows[seat]
        had = len(row.cards)
        came, left = row.update(seen, changed=changed, bare=bare, playing=self._playing)
        if not came and not left:
            return []
        if not had and row.dealt and len(came) == 1:
            self._turned, row.turned = came[0], True
            return [Observation(Seen.TURNED, at, frame, (sighting(came[0].likelihoods),), seat=seat, seat_score=0.98)]
        if row.turned and not came and not row.cards:
            row.turned = False
            return []  # the turned card is on its way to the pile
        cards = tuple(sighting(card.likelihoods) for card in row.cards)
        return [Observation(Seen.UPCARDS, at, frame, cards, seat=seat, seat_score=0.98)]

    # hands

    def see_hands(self, scene: Scene, at: float, frame: int) -> list[Observation]:
        """What the hands of one frame say: a hand in or out, a visit to the stock; and who is at the pile."""
        observations = []
        if scene.hands:
            self._no_hand_since = None
            if not self._hand:
                self._hand = True
                seat, score = _best(self._scores(scene.hands[0]))
                observations.append(Observation(Seen.HAND, at, frame, seat=seat, seat_score=score, present=True))
        elif self._hand:
            self._no_hand_since = at if self._no_hand_since is None else self._no_hand_since
            if at - self._no_hand_since >= 0.2:
                self._hand = False
                observations.append(Observation(Seen.HAND, at, frame, present=False))
        pile_box = self.table.box(self.table.pile)
        for hand in scene.covering(pile_box):
            tip = self.table.plane.to_plane([hand.tip])[0]
            weight = 1.0 if self.table.pile.holds(tip, 0.5) else 0.1
            self._evidence.append((at, self._scores(hand), weight))
        observations += self._stock_visit(scene, at, frame)
        return observations

    def _stock_visit(self, scene: Scene, at: float, frame: int) -> list[Observation]:
        stock = self.table.stock
        if stock is None:
            return []
        for hand in scene.hands:
            if self._is_at(stock, hand):
                self._drawing.append((at, self._scores(hand)))
                self._crowded |= any(
                    stock.holds(self.table.plane.to_plane([other.tip])[0], NEAR)
                    for other in scene.hands
                    if other != hand
                )
                return []
        visits, self._drawing = self._drawing, []
        crowded, self._crowded = self._crowded, False
        if not visits or at - visits[0][0] < PASSED:
            return []
        seat, score = _best(np.mean([scores for _, scores in visits], axis=0))
        score = min(score, CROWDED) if crowded else score
        return [Observation(Seen.STOCK, at, frame, seat=seat, seat_score=score)]

    def _is_at(self, place: Zone, hand: Hand) -> bool:
        """Whether a hand is at a place: it ends there, or covers it and ends nearby, for its shadow may reach on."""
        depth = place.depth(self.table.plane.to_plane([hand.tip])[0])
        if -SHADOW <= depth < -ENDS:
            cells = cells_within(self.table.plane.to_pixels(place.outline), self.table.width, self.table.height)
            return bool((hand.cells & cells).sum() > COVERS * cells.sum())
        return depth >= -ENDS

    def _scores(self, hand: Hand) -> NDArray[np.float64]:
        return np.array(self.table.seat_scores(self.table.plane.to_plane([hand.entry])[0]))

    def _seat(self) -> tuple[int | None, float]:
        """Who was at the pile last, since the last event there: the moments before it lay still count most."""
        if not self._evidence:
            return None, 0.0
        last = self._evidence[-1][0]
        weights = np.array([weight * np.exp((at - last) / RECENT) for at, _, weight in self._evidence])
        scores = np.array([scores for _, scores, _ in self._evidence])
        if not scores.shape[1]:
            return None, 0.0
        return _best((weights[:, None] * scores).sum(axis=0) / weights.sum())

    @property
    def hand_present(self) -> bool:
        return self._hand


def _in_turn(visits: Sequence[tuple[int, float]]) -> int:
    """How many players' hands came one after another, as far as it is sure whose each was; 1 where it is not."""
    if any(score < SURELY for _, score in visits):
        return 1
    seats = [seat for seat, _ in visits]
    return 1 + sum(seat != before for before, seat in pairwise(seats))


def _best(scores: NDArray[np.float64]) -> tuple[int | None, float]:
    if not len(scores):
        return None, 0.0
    seat = int(np.argmax(scores))
    return seat, round(float(min(scores[seat], SUREST)), 4)
