"""Looks for the laid-out deal, until every seat's upcards lie there and can be read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.plane import Plane
from vision.table.layout import deal_of, fit_plane, propose
from vision.table.place import Placed, inside_card, place_all
from vision.table.table import Table, TableError
from vision.types import ImageReading
from vision.watching.track import Look, Track

ROW = 3
"""Upcards per seat."""


class SetUp:
    """``table`` given: only the deal is awaited, on its seats. Otherwise the table is proposed from the deal too.

    ``turned``: whether a first card is turned onto the pile; None where that is not known: one that lies there is it.
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
        self._turned = turned
        self._settle = settle
        self._patience = patience
        self._look: Look | None = None
        self._plane: Plane | None = None
        self._best: ImageReading | None = None
        self._read_at = -1e9
        self._blind = 0

    @property
    def wants_flipped(self) -> bool:
        """Whether to read the mirrored picture as well: this one shows no cards again and again."""
        return not self.mirrored and self._blind in (2, 6, 20)

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
        if look is None or look.frames < 3 or at - look.since < self._settle - 0.3:
            return False
        return self._try(patient=at - look.since >= self._patience)

    def _add(self, reading: ImageReading, at: float, flipped: ImageReading | None) -> None:
        if flipped is not None and len(flipped.cards) >= max(3, 2 * len(reading.cards)):
            self.mirrored = True
            self.note = "the picture is mirrored; it is read the right way round from now on"
            self._look = None
            return
        self._blind = self._blind + 1 if len(reading.cards) < 2 else 0
        if self._look is None or self._plane is None:
            try:
                self._plane = self.table.plane if self.table is not None else fit_plane(reading)
            except TableError as error:
                self.note = str(error)
                return
            self._look, self._best = Look(at), reading
        cards = [card for card in reading.cards if card.presence >= 0.5]
        self._look.add(place_all(cards, self._plane), at)
        if self._best is None or len(reading.cards) > len(self._best.cards):
            self._best = reading

    def _try(self, patient: bool) -> bool:
        if self._look is None or self._best is None or self._plane is None:
            return False
        table = self.table
        if table is None:
            try:
                table = propose(self._best, self.players, turned=self._turned)
            except TableError as error:
                self.note = str(error)
                return False
        tracks = _apart(self._look.cards)
        cards = [track.placed for track in tracks]
        if table.plane is not self._plane:
            cards = [_moved(card, self._plane, table.plane) for card in cards]
        rows, pile = deal_of(table, cards)
        if self._turned is False:
            pile = []  # whatever was read there, nothing has been laid yet
        problem = self._problem(rows, patient)
        if not problem and self._turned and not pile and not patient:
            problem = "the first card of the pile cannot be read yet"
        if problem:
            self.note = problem
            return False
        self.table, self.note = table, ""
        by_face = {id(card): track for card, track in zip(cards, tracks, strict=True)}
        self.dealt = rows, [_at(by_face[id(card)], card) for card in pile]
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
