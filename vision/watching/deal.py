"""Looks for the laid-out deal, until every seat's upcards lie there and can be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.plane import Plane
from vision.reading.mirrored import is_doubtful, is_mirrored
from vision.table.layout import deal_of, fit_plane, propose
from vision.table.place import Placed, inside_card, place_all
from vision.table.table import Table, TableError
from vision.types import BackReading, ImageReading, Points
from vision.watching.plays import CLEAR
from vision.watching.track import Look, Track, rank_vector

ROW: Final = 3
"""Upcards per seat."""
KEPT_BACKS: Final = 40
"""Backs of so many readings and places at most are remembered."""
PARTLY: Final = 2 / 3
"""So much of a deal must be read at least, for a game to begin with it."""


class SetUp:
    """``table`` given: only the deal is awaited, on its seats. Otherwise the table is proposed from the deal too.

    ``turned``: whether a first card is turned onto the pile; None where that is not known: one that lies there is it.

    A card that cannot be read does not keep a game from being watched: where people begin to play, the deal is what was
    read of it before (``begun``). ``partly``: the last look showed such a deal, for which a better one is awaited.
    """

    def __init__(
        self, table: Table | None, players: int | None, settle: float, patience: float, turned: bool | None = None
    ) -> None:
        self.provisional = table is None
        self.table = table
        self.players = len(table.seats) if table is not None and table.seats else players
        self.mirrored = table.mirrored if table is not None else False
        self.note = "no card has been read yet"
        self.dealt: tuple[list[list[Placed]], list[Track]] = ([], [])
        self.row_size = ROW
        self.partly = self.begun = False
        self._kept: tuple[Table, list[list[Placed]], list[Track]] | None = None
        self._turned = turned
        self._settle = settle
        self._patience = patience
        self._look: Look | None = None
        self._plane: Plane | None = None
        self._best: ImageReading | None = None
        self._backs: tuple[BackReading, ...] = ()
        self._shapes: tuple[Points, ...] = ()
        self._read_at = -1e9
        self._doubted = 0

    def wants_flipped(self, reading: ImageReading, *, photo: bool = False) -> bool:
        """Whether to read the mirrored picture as well: this one is read badly, in a ``photo`` or again and again."""
        self._doubted = self._doubted + 1 if is_doubtful(reading) else 0
        return not self.mirrored and (self._doubted in (2, 6, 20) or (photo and self._doubted > 0))

    def due(self, at: float, still: float) -> bool:
        """Whether to read now, the picture having been still for so many seconds."""
        if still < min(0.3, self._settle):
            self._look = None
            return False
        if at - self._read_at < 0.15:
            return False
        self._read_at = at
        return True

    def photo(self, reading: ImageReading, flipped: ImageReading | None) -> bool:
        """Whether one photo shows the deal."""
        self._look = None
        self._add(reading, 0.0, flipped)
        return self._try(patient=True)

    def moving(self, reading: ImageReading, at: float, flipped: ImageReading | None) -> bool:
        """Whether the deal is complete, after one more frame of a table that lies still."""
        self._add(reading, at, flipped)
        look = self._look
        self.partly = False
        if look is None or look.frames < 2:
            return False
        if look.frames < 3 or at - look.since < self._settle - 0.3:
            return self._has_begun()
        return self._try(patient=at - look.since >= self._patience) or self._has_begun()

    def _add(self, reading: ImageReading, at: float, flipped: ImageReading | None) -> None:
        if flipped is not None and is_mirrored(reading, flipped):
            self.mirrored = True
            self.note = "the picture is mirrored; it is read the right way round from now on"
            self._look = None
            return
        if self._look is None or self._plane is None:
            try:
                self._plane = self.table.plane if self.table is not None else fit_plane(reading)
            except TableError as error:
                self.note = str(error)
                return
            self._look, self._best = Look(at), reading
            self._backs, self._shapes = (), ()
        cards = [card for card in reading.cards if card.presence >= 0.5]
        self._look.add(place_all(cards, self._plane), at)
        if self._best is None or len(reading.cards) > len(self._best.cards):
            self._best = reading
        self._backs = (*self._backs, *reading.backs)[-KEPT_BACKS:]
        self._shapes = (*self._shapes, *reading.shapes)[-KEPT_BACKS:]

    def _try(self, patient: bool) -> bool:
        if self._look is None or self._best is None or self._plane is None:
            return False
        table = self.table
        if table is None:
            try:
                # A back is not told in every picture.
                seen = replace(self._best, backs=self._backs, shapes=self._shapes)
                table = propose(seen, self.players, turned=self._turned)
            except TableError as error:
                self.note = str(error)
                return False
        rows, pile = self._deal_on(table)
        lies_free = not pile if not self._turned else len(pile) == 1
        if self._turned is False:
            pile = []  # whatever was read there, nothing has been laid yet
        problem = self._problem(rows, patient)
        if not problem and self._turned and not pile and not patient:
            problem = "the first card of the pile cannot be read yet"
        if problem:
            self.note = problem
            self._keep(table, rows, pile, lies_free)
            return False
        self.table, self.note = table, ""
        self.dealt = rows, pile
        return True

    def _deal_on(self, table: Table) -> tuple[list[list[Placed]], list[Track]]:
        """What lies on the seats and on the pile of this table, by the look so far."""
        assert self._look is not None
        assert self._plane is not None
        tracks = _apart(self._look.cards)
        cards = [track.placed for track in tracks]
        if table.plane is not self._plane:
            cards = [_moved(card, self._plane, table.plane) for card in cards]
        rows, pile = deal_of(table, cards)
        by_face = {id(card): track for card, track in zip(cards, tracks, strict=True)}
        return rows, [_at(by_face[id(card)], card) for card in pile]

    def _keep(self, table: Table, rows: list[list[Placed]], pile: list[Track], lies_free: bool) -> None:
        """Remember a deal of which most could be read, while nothing has been laid yet."""
        seen, whole = sum(map(len, rows)), len(rows) * self.row_size
        most = bool(rows) and min(map(len, rows)) > 0 and max(map(len, rows)) <= self.row_size
        if not lies_free or not most or seen < PARTLY * whole:
            return
        if self._kept is None or seen >= sum(map(len, self._kept[1])):
            self._kept, self.partly = (table, rows, pile), True

    def _has_begun(self) -> bool:
        """Whether cards have come onto the pile of a deal of which not all could be read."""
        if self._kept is None or self._look is None or self._plane is None:
            return False
        table, rows, pile = self._kept
        dealt = {track.card for track in pile}
        laid = [track for track in self._deal_on(table)[1] if track.card not in dealt and _is_clear(track)]
        if not laid:
            return False
        self.begun, self.table, self.note, self.dealt = True, table, "", (rows, pile)
        return True

    def _problem(self, rows: Sequence[Sequence[Placed]], patient: bool) -> str:
        sizes = [len(row) for row in rows]
        for size in (ROW, 2 * ROW):
            if sizes and all(number == size for number in sizes):
                self.row_size = size
                return ""
        self.row_size = 2 * ROW if sizes and sum(sizes) > 1.5 * ROW * len(sizes) else ROW
        short = sum(max(0, self.row_size - number) for number in sizes)
        over = any(number > self.row_size for number in sizes)
        # A card or two that cannot be read must not hold up the game for ever; most of a deal missing is no deal.
        if patient and not over and sizes and min(sizes) >= 2 and 2 * short <= len(sizes):
            return ""
        seen = ", ".join(map(str, sizes)) or "none"
        return f"the seats show {seen} upcards; a deal shows {ROW} (or {2 * ROW}) at every seat"


def _is_clear(track: Track) -> bool:
    return float(rank_vector(track.likelihoods).max()) > CLEAR


def _apart(tracks: Sequence[Track]) -> list[Track]:
    """Without what lies where a surer card lies: dealt cards do not cover each other's middle, nor any corner of
    which the other belongs to no card. Such a corner is a pip, or a piece of a court's picture."""
    kept: list[Track] = []
    for track in sorted(tracks, key=lambda track: (-len(track.anchors), -track.hits, -float(track.likelihoods.max()))):
        part = any(
            len(track.anchors) == 1 < len(other.anchors)
            and inside_card(track.anchors, other.centre, other.angle, -0.02).all()
            for other in kept
        )
        if not part and all(float(np.linalg.norm(track.centre - other.centre)) > 0.55 for other in kept):
            kept.append(track)
    return kept


def _moved(card: Placed, old: Plane, new: Plane) -> Placed:
    """The same card on another plane of the same picture."""
    if card.reading is not None:
        return place_all([card.reading], new)[0]
    spots = new.to_plane(old.to_pixels([card.centre, *card.anchors]))
    across = new.to_plane(old.to_pixels(card.corners))
    edge = across[1] - across[0]
    angle = float(np.arctan2(edge[1], edge[0])) % np.pi
    return Placed(spots[0], angle, spots[1:], card.likelihoods, card.presence)


def _at(track: Track, card: Placed) -> Track:
    track.centre, track.angle, track.anchors = card.centre, card.angle, card.anchors
    return track
