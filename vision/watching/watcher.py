"""From frames to observations: the gate decides when to look, the nets read what lies still, the follower compares.

``Watcher.see`` takes frames in order and gives what happened. For the same frames it gives the same observations,
whatever the speed of the machine: time is the frames' own.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

from vision.reading.jokers import without_joker
from vision.sources.base import Frame
from vision.table.place import Placed, place_all
from vision.table.table import Table
from vision.types import Image, ImageReading, Observation, Seen
from vision.watching.aside import Aside, Shown, with_heap
from vision.watching.beneath import more_beneath
from vision.watching.deal import SetUp
from vision.watching.downcards import DownPlaces
from vision.watching.elsewhere import possible
from vision.watching.evidence import Compared
from vision.watching.follow import Follower
from vision.watching.gate import Box, Gate, Scene
from vision.watching.parted import USUAL, across_deck, one_by_one
from vision.watching.register import MOVED, Shift, nudge
from vision.watching.remembered import Remembered
from vision.watching.stock import StockPlace
from vision.watching.suspicion import Suspicion
from vision.watching.track import Look
from vision.watching.unread import changed_cards, unread_card
from vision.watching.watched import Counts, LooksCloser, ReadsCards, Settings, State, Watched
from vision.watching.zones import cells_of, pile_core, zones_of

PUZZLED = 2
"""So many looks at a change that no reading explains, before it is taken as it is,"""
AGAIN = 0.3
"""so many seconds apart."""


class Watcher:
    """``table`` may be None: it is then proposed from the laid-out deal. ``players``: how many seats to expect;
    ``decks`` and ``jokers``: what is played with; ``turned``: whether a first card is turned onto the pile (None: not
    known)."""

    def __init__(
        self,
        reader: ReadsCards,
        table: Table | None = None,
        *,
        players: int | None = None,
        decks: int = 1,
        jokers: bool = True,
        turned: bool | None = None,
        settings: Settings | None = None,
    ) -> None:
        self._reader = reader
        self._closer = reader.closer() if isinstance(reader, LooksCloser) else reader
        self._decks = decks
        self._jokers = jokers
        self._settings = settings or Settings()
        self._gate = Gate()
        self.setup = SetUp(table, players, self._settings.deal_settle, self._settings.patience, turned)
        self.follower: Follower | None = None
        self.state = State.LOOKING
        self.reading: ImageReading | None = None
        """What was read last: of the whole picture for photos, of the zones that were looked at otherwise."""
        self.counts = Counts()
        self._stock, self._downs = StockPlace(self._settings.settle), DownPlaces(self._settings.settle)
        self._aside = Aside()
        self._zones: list[Watched] = []
        self._zones_of: Table | None = None
        self._as_dealt: tuple[Image, Frame, ImageReading] | None = None
        self._remembered = Remembered()
        self._previous: Image | None = None
        self._suspicion = Suspicion()
        self._lost = False
        self._across = USUAL

    @property
    def table(self) -> Table | None:
        return self.follower.table if self.follower else self.setup.table

    @property
    def note(self) -> str:
        """Why there is no table yet, in words; empty once there is one."""
        return "" if self.follower else self.setup.note

    def see(self, frame: Frame, *, photo: bool = False) -> list[Observation]:
        """What a frame shows to have happened. ``photo``: the frame stands alone and shows the table at rest."""
        image = self._as_seen(frame.image)
        self.counts.frames += 1
        observations = []
        if self._lost:
            self._lost = False
            observations.append(Observation(Seen.CAMERA, frame.at, frame.number, present=True))
        if photo:
            return observations + self._photo(image, frame)
        self._fit(image)
        if self.follower is None:
            for glimpse in frame.missed:
                self._gate.glance(self._as_seen(glimpse.small), image.shape, glimpse.at)
            return observations + self._set_up(image, frame, self._gate.see(image, frame.at))
        before = self._shown(self._zones[0].before)
        found = self._glances(image, frame)
        scene = self._gate.see(image, frame.at)
        found += self._watch(image, frame, scene)
        observations += self._aside.see(
            found, frame.at, before, self._shown(image), self._remembered.cloth, scene.hands
        )
        self._keep_heap_apart()
        untold = self._zones[0].dirty or self._pile_pending or self._suspicion.waits or self._aside.waits
        table, rows = self.follower.table, [row.cards for row in self.follower.rows]
        if self._stock.gone:  # what looks like a visit there is a hand at rest, or on its way
            observations = [one for one in observations if one.kind is not Seen.STOCK]
        observations += self._stock.see(table, image, frame, scene, self._remembered.cloth, observations, untold)
        return observations + self._downs.see(
            table, image, frame, scene, self._remembered.cloth, rows, self._stock.bare, untold
        )

    def lost(self, at: float, frame: int = 0) -> list[Observation]:
        """The camera is lost. Nothing that it showed half of counts."""
        if self._lost:
            return []
        self._lost = True
        self.state = State.LOST
        self._gate.restart()
        for zone in self._zones:
            zone.look, zone.dirty = None, True
        return [Observation(Seen.CAMERA, at, frame, present=False)]

    def _fit(self, image: Image) -> None:
        """Follow a change of the picture's size: the same view in more or fewer pixels."""
        height, width = image.shape[:2]
        if self.follower is not None and (width, height) != (self.follower.table.width, self.follower.table.height):
            self.follower.table = self.follower.table.scaled(width, height)
            self._previous = None
            self._remembered.forget()
            self._lay_zones()
            for zone in self._zones:
                zone.before, zone.look, zone.dirty = None, None, True
        elif self.setup.table is not None and self.follower is None:
            self.setup.table = self.setup.table.scaled(width, height)

    # photos

    def _photo(self, image: Image, frame: Frame) -> list[Observation]:
        self._fit(image)
        reading = self.reading = self._read(image, None)
        self.state = State.STILL
        if self.follower is None:
            return self._deal(image, frame, self.setup.photo(reading, self._flipped(image, reading, photo=True)))
        follower = self.follower
        cards = place_all(reading.cards, follower.table.plane)
        shift = self._shift(cards, self._previous, image)
        observations = [] if shift is None else self._moved(shift, frame)
        if observations:
            cards = place_all(reading.cards, follower.table.plane)
        self._remembered.look(follower, image, frame.at)
        previous = None if observations else self._previous
        compared = self._remembered.compared(follower.table.plane, previous, image)
        before = self._shown(previous)
        look = Look(frame.at)
        parted = one_by_one(reading.cards, follower.table.plane, compared.changed, self._across)
        look.add(compared.settled(_confident(parted)), frame.at)
        tracks = look.cards
        pile = [track for track in tracks if follower.table.in_pile(track.centre)]
        observations += follower.pile_look(
            pile,
            frame.at,
            frame.number,
            changed=compared.changed,
            bare=compared.bare,
            at_once=True,
            unread=unread_card(compared, follower.table, cards, frame.at, self._jokers),
            restored=self._remembered.since_play(follower.table.plane, image),
            beneath=functools.partial(more_beneath, compared),
        )
        if any(observation.kind is Seen.LAID for observation in observations):
            self._remembered.before_play = self._previous
        observations = self._aside.see(observations, frame.at, before, self._shown(image), self._remembered.cloth)
        self._keep_heap_apart()
        for seat in range(len(follower.rows)):
            row = [track for track in tracks if follower.table.seat_at(track.centre) == seat]
            observations += follower.row_look(
                seat, row, frame.at, frame.number, changed=compared.changed, bare=compared.bare
            )
        self._previous = image
        self._remembered.keep_empty(follower, image)
        return observations

    # the deal

    def _set_up(self, image: Image, frame: Frame, scene: Scene) -> list[Observation]:
        self.state = State.HAND if scene.hands else State.LOOKING
        whole = (0, 0, image.shape[1], image.shape[0])
        still = 0.0 if scene.hands else scene.still_for(whole)
        if not self.setup.due(frame.at, still):
            return []
        reading = self.reading = self._read(image, None)
        mirrored = self.setup.mirrored
        ready = self.setup.moving(reading, frame.at, self._flipped(image, reading))
        if self.setup.mirrored is not mirrored:
            self._gate.restart()  # what it knows is the other way round
        if self.setup.partly:
            self._as_dealt = image, frame, reading
        if ready and self.setup.begun and self._as_dealt is not None:
            before, at, self.reading = self._as_dealt
            dealt = self._deal(before, at, ready)
            for zone in self._zones:
                zone.dirty = True
            return dealt + self._watch(image, frame, scene)
        return self._deal(image, frame, ready)

    def _flipped(self, image: Image, reading: ImageReading, *, photo: bool = False) -> ImageReading | None:
        """What the mirrored picture shows, where there is reason to ask."""
        return self._read(image[:, ::-1].copy(), None) if self.setup.wants_flipped(reading, photo=photo) else None

    def _deal(self, image: Image, frame: Frame, ready: bool) -> list[Observation]:
        if not ready or self.setup.table is None:
            return []
        rows, pile = self.setup.dealt
        if self.reading is not None:
            plane = self.setup.table.plane
            self._across = across_deck(place_all(self.reading.cards, plane), plane)
        self.follower = Follower(
            self.setup.table,
            decks=self._decks,
            gone_after=self._settings.gone_after,
            provisional=self.setup.provisional and not pile,
        )
        self._previous = image
        observation = self.follower.deal(rows, pile, frame.at, frame.number, self.setup.row_size)
        self._lay_zones()
        for zone in self._zones:
            zone.before, zone.dirty, zone.read_at = image, False, frame.at
        self._remembered.look(self.follower, image, frame.at)
        self._remembered.keep_empty(self.follower, image)
        self._stock.lies(self.setup.table, image)
        self._downs.dealt(self.setup.table, rows)
        return [observation]

    # moving pictures

    def _glances(self, image: Image, frame: Frame) -> list[Observation]:
        """What the frames that were dropped show: hands, and that something stirs. Nothing is read in them."""
        observations = []
        first = frame.number - len(frame.missed)
        for number, glimpse in enumerate(frame.missed, first):
            scene = self._gate.glance(self._as_seen(glimpse.small), image.shape, glimpse.at)
            observations += self._looked_over(scene, glimpse.at, number)[0]
            self._suspicion.see(self._zones, scene, glimpse.at)
        return observations

    def _looked_over(self, scene: Scene, at: float, number: int) -> tuple[list[Observation], list[Watched]]:
        """What a frame shows before anything is read in it, and the zones that are due to be read."""
        assert self.follower is not None
        observations = self.follower.see_hands(scene, at, number)
        if self.follower.table is not self._zones_of:
            self._lay_zones()
        for zone in self._zones:
            if zone.ends(scene, self._settings) and zone.latest is not None:
                observations += self._commit(zone, *zone.latest)
        self._zones[0].core = pile_core(self.follower)
        return observations, [
            zone for zone in self._zones if zone.is_due(scene, at, self._settings, self._pile_pending)
        ]

    def _watch(self, image: Image, frame: Frame, scene: Scene) -> list[Observation]:
        observations, due = self._looked_over(scene, frame.at, frame.number)
        assert self.follower is not None
        self.state = (
            State.HAND if scene.hands else State.SETTLING if any(zone.dirty for zone in self._zones) else State.STILL
        )
        nudged = self._nudge(image, frame, scene)
        if nudged is not None:
            return observations + nudged
        if not due:
            if self.state is State.STILL:
                self._remembered.look(self.follower, image, frame.at)
            return observations
        reading = self.reading = self._read(image, [zone.box for zone in due], any(zone.puzzled for zone in due))
        compared = self._remembered.compared(self.follower.table.plane, None, image)
        clear = [card for card in reading.cards if not scene.hides_index(card)]
        if self._decks == 1:
            rows = [row.cards for row in self.follower.rows]
            before = {zone.seat: zone.before for zone in self._zones}
            clear = possible(clear, rows, before, image, self.follower.table.plane)
        for zone in due:
            since = Compared(self.follower.table.plane, zone.before, image)
            cards = one_by_one(clear, self.follower.table.plane, since.changed, self._across)
            cards = compared.settled(_confident(cards))
            inside = [card for card in cards if self._belongs(card, zone)]
            zone.look = zone.look or Look(frame.at)
            zone.look.add(inside, frame.at)
            zone.read_at = frame.at
            zone.latest = scene.without_hands(image, zone.before), frame, scene
            if zone.is_ready(zone.look, self._settings, self._pile_pending):
                observations += self._commit(zone, *zone.latest)
        return observations

    @property
    def _pile_pending(self) -> bool:
        return self.follower is not None and self.follower.pile.pending

    def _belongs(self, card: Placed, zone: Watched) -> bool:
        assert self.follower is not None
        table = self.follower.table
        if zone.seat is not None:
            return table.seat_at(card.centre) == zone.seat
        return table.in_pile(card.centre) or (
            self.follower.provisional and table.seat_at(card.centre) is None and zone.zone.holds(card.centre)
        )

    def _commit(self, zone: Watched, image: Image, frame: Frame, scene: Scene) -> list[Observation]:
        assert self.follower is not None
        assert zone.look is not None
        self.counts.commits += 1
        table = self.follower.table
        self._remembered.look(self.follower, image, frame.at, idle=False)
        compared = self._remembered.compared(table.plane, zone.before, image)
        tracks, since, zone.look = zone.look.cards, zone.look.since, None
        if zone.seat is None:
            # Nothing that can be read explains the change, look after look: then it is a card that cannot be read.
            unread = (
                unread_card(compared, table, self._hints(table), frame.at, self._jokers)
                if zone.puzzled >= PUZZLED
                else None
            )
            found = self.follower.pile_look(
                tracks,
                frame.at,
                frame.number,
                changed=compared.changed,
                bare=compared.bare,
                unread=unread,
                restored=self._remembered.since_play(table.plane, image),
                beneath=functools.partial(more_beneath, compared),
                since=since,
            )
            if any(observation.kind is Seen.LAID for observation in found):
                self._remembered.before_play = zone.before
        else:
            found = self.follower.row_look(
                zone.seat, tracks, frame.at, frame.number, changed=compared.changed, bare=compared.bare
            )
        zone.dirty = False
        if found or zone.before is None:
            zone.before, zone.puzzled = image, 0
        elif not (zone.seat is None and self._pile_pending):
            # Something looks different, and no reading says what: look again before taking it as it is; as long as a
            # hand is beside it that may hide an index.
            aside = scene.covering(cells_of(self.follower.table, zone.zone))
            changed = changed_cards(compared, table) if zone.seat is None else compared.changed(zone.zone.outline)
            if (changed or 0.0) > (0.1 if zone.seat is None else 0.02) and (
                zone.puzzled < PUZZLED if not aside else zone.seat is None
            ):
                zone.puzzled, zone.dirty = zone.puzzled + (not aside), True
                zone.again_at = frame.at + AGAIN
            else:
                zone.before, zone.puzzled = image, 0
        if zone.seat is None and not self._pile_pending and not zone.dirty:
            self._remembered.keep_empty(self.follower, image)
        return found

    # the camera

    def _nudge(self, image: Image, frame: Frame, scene: Scene) -> list[Observation] | None:
        """None where the camera has not been touched; else what to say, and nothing else is read meanwhile."""
        assert self.follower is not None
        self._suspicion.see(self._zones, scene, frame.at)
        if not self._suspicion.waits:
            return None
        least = self._suspicion.least(self._zones, self.follower.rows, scene, self._settings.settle)
        if least is None:
            return []
        reading = self._read(image, None)
        cards = _confident(place_all(reading.cards, self.follower.table.plane))
        before = next((zone.before for zone in self._zones if zone.before is not None), None)
        shift = self._shift(cards, before, image, least)
        if shift is None:
            return None
        self._gate.shifted(shift.matrix, scene)
        return self._moved(shift, frame)

    def _shift(self, cards: Sequence[Placed], before: Image | None, image: Image, least: float = MOVED) -> Shift | None:
        assert self.follower is not None
        known = [card for row in self.follower.rows for card in row.cards]
        return nudge(known, cards, self.follower.table.plane, before, image, least)

    def _moved(self, shift: Shift, frame: Frame) -> list[Observation]:
        assert self.follower is not None
        self.follower.table = self.follower.table.moved(shift.matrix)
        self._remembered.moved(shift)
        for zone in self._zones:
            zone.before = None if zone.before is None else shift.moved(zone.before)
        self._lay_zones()
        return [Observation(Seen.NUDGED, frame.at, frame.number)] if shift.size >= MOVED else []

    # small things

    def _as_seen(self, image: Image) -> Image:
        """A picture as the table lies; a mirrored one is turned back."""
        return image[:, ::-1].copy() if self.setup.mirrored else image

    def _shown(self, image: Image | None) -> Shown:
        assert self.follower is not None
        return Shown(self.follower.table, [card.placed.corners for card in self.follower.pile.cards], image)

    def _keep_heap_apart(self) -> None:
        """Where burnt cards lie, though nobody has said where they would, is no place of the pile."""
        heap, self._aside.heap = self._aside.heap, None
        if heap is not None and self.follower is not None:
            self.follower.table = with_heap(self.follower.table, *heap)

    def _lay_zones(self) -> None:
        assert self.follower is not None
        kept = {zone.seat: zone for zone in self._zones} if self.follower.table is not self._zones_of else {}
        self._zones, self._zones_of = zones_of(self.follower, kept), self.follower.table

    def _read(self, image: Image, regions: list[Box] | None, closely: bool = False) -> ImageReading:
        self.counts.reads += 1
        reading = (self._closer if closely else self._reader).read(image, regions)
        if self._jokers:
            return reading
        return replace(reading, cards=tuple(card for card in map(without_joker, reading.cards) if card is not None))

    def _hints(self, table: Table) -> list[Placed]:
        return place_all(self.reading.cards, table.plane) if self.reading is not None else []


def _confident(cards: Sequence[Placed]) -> list[Placed]:
    return [card for card in cards if card.presence >= 0.5]
