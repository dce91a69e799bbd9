"""A short game laid out from photographs of cards; a reader that misses nothing; people who help with their phones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.bridge import reseat
from companion.session import Session
from companion.set_up import SetUp
from companion.storage import DataFolder
from datasets.films.film import Film, table_of
from datasets.films.layout import Pose
from datasets.films.scenario import QUIET
from engine.cards import FACES, Card
from engine.shithead import rules, wire
from engine.shithead.game import Game
from engine.shithead.referee import rule
from engine.shithead.view import view
from vision.plane import Spots
from vision.sources import Frame
from vision.table.place import INDEX_OFFSET
from vision.table.table import Table
from vision.types import BackReading, CardReading, Image, ImageReading
from vision.watching.watched import ReadsCards
from vision.watching.watcher import Watcher

WIDTH, HEIGHT = 63.0, 88.0
_CORNERS = np.array([[-WIDTH, HEIGHT], [WIDTH, HEIGHT], [WIDTH, -HEIGHT], [-WIDTH, -HEIGHT]]) / 2
_INDEX = np.array([[-5.4, 11.0], [5.4, 11.0], [5.4, -11.0], [-5.4, -11.0]])
_AT = INDEX_OFFSET * np.array([WIDTH, -WIDTH])


@dataclass(frozen=True, eq=False)
class Still:
    """A picture of the table at rest, what happened since the one before, and what there is to read in it."""

    image: Image
    happened: tuple[dict[str, Any], ...]
    truth: ImageReading


@dataclass(frozen=True, eq=False)
class Laid:
    """A whole game in stills."""

    players: tuple[str, ...]
    table: Table
    stills: tuple[Still, ...]


def lay_out(photos: Path, *, rule_set: str = "classic", players: int = 2, seed: int = 447) -> Laid:
    """A game played with the cards of a folder of photographs."""
    film = Film(rules.load(rule_set), players, seed, str(photos), QUIET, steep=True)
    table = table_of(film.look, film.layout, film.names)
    stills = []
    for picture, new in film.stills():
        # Through JPEG, as a camera's pictures come.
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
        image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        stills.append(Still(image, tuple(dict(one.event) for one in new), readable(film)))
    return Laid(tuple(film.names), table, tuple(stills))


def readable(film: Film) -> ImageReading:
    """What lies on the film's table, as the best of readers would read it: each card of which an index shows."""
    height, width = film.camera.height, film.camera.width
    owner = np.full((height, width), -1, np.int32)
    cards, backs = [], []
    for number, piece in enumerate(film.stage.pieces):
        cv2.fillPoly(owner, [np.round(_pixels(film, piece.pose, _CORNERS)).astype(np.int32)], number)
    for number, piece in enumerate(film.stage.pieces):
        outline = _pixels(film, piece.pose, _CORNERS).astype(np.float32)
        if not piece.up:
            backs.append(BackReading(outline, 0.95))
            continue
        seen = []
        for sign in (1, -1):
            quad = _pixels(film, piece.pose, sign * (_AT + _INDEX))
            mask = np.zeros(owner.shape, np.uint8)
            cv2.fillPoly(mask, [np.round(quad).astype(np.int32)], 1)
            if mask.any() and (owner[mask > 0] == number).mean() >= 0.8:
                seen.append(quad.astype(np.float32))
        if seen:
            vector = np.full(len(FACES), 0.01 / len(FACES), np.float32)
            vector[FACES.index(Card.parse(piece.face))] += 0.99
            cards.append(CardReading(outline, tuple(seen), vector / vector.sum(), 0.99))
    return ImageReading(width, height, tuple(cards), tuple(backs))


def _pixels(film: Film, pose: Pose, local: Spots) -> Spots:
    c, s = np.cos(pose.turn), np.sin(pose.turn)
    spots: Spots = film.camera.film(local @ np.array([[c, s], [-s, c]]) + pose.at, pose.z)
    return spots


class Told:
    """Reads each picture as it truly is."""

    def __init__(self, stills: Sequence[Still]) -> None:
        self._known = {id(still.image): still.truth for still in stills}

    def read(self, image: Image, regions: object = None) -> ImageReading:
        del regions
        return self._known[id(image)]


@dataclass
class Report:
    """How a game was refereed: in which pictures people had to help, and how."""

    plays: int = 0
    helped: dict[int, str] = field(default_factory=dict)
    loser: str | None = None
    phase: str = ""

    def __str__(self) -> str:
        how = {name: sum(1 for one in self.helped.values() if one == name) for name in sorted({*self.helped.values()})}
        return f"{self.plays} plays, {len(self.helped)} needed help {how}; lost: {self.loser}"


class People:
    """They look at the table after every picture, and put right with their phones what the camera got wrong."""

    def __init__(self, session: Session, truth: Game) -> None:
        self.session, self.truth = session, truth
        self.behind: list[dict[str, Any]] = []
        self.agreed_at = 0

    def saw(self, happened: Sequence[dict[str, Any]]) -> str:
        """What happened truly, once the camera has had its say. Returns how people helped; empty if they need not."""
        for event in happened:
            self.truth = rule(self.truth, wire.parse(event, self.truth.players)).game
        self.behind += happened
        how = ""
        if not self._right(self._game) or self._asked():
            how = self._help()
        if self._right(self._game):
            self.behind, self.agreed_at = [], self._game.seq
        return how

    @property
    def _game(self) -> Game:
        return self.session.playing().game

    def _right(self, game: Game) -> bool:
        return shown(game) == shown(self.truth)

    def _asked(self) -> bool:
        return self.session.state.value == "please check"

    def _help(self) -> str:
        """The least that puts the table right: an answer, one play corrected, what was missed entered; else back to
        where all agreed, and by hand from there."""
        for how, told in self._ways():
            if self._would_be_right(told):
                for event in told:
                    self.session.tell(event)
                return how
        return "not put right" if not self._right(self._game) else "left open"

    def _ways(self) -> list[tuple[str, list[dict[str, Any]]]]:
        ways: list[tuple[str, list[dict[str, Any]]]] = []
        question = self.session.playing().showing()["question"]
        if question is not None:
            for one in question["candidates"]:
                answer = {"event": "answer", "question": question["id"], "choice": one["choice"]}
                ways.append(("answered", [answer]))
        new = [entry.seq for entry in self._game.line if entry.seq > self.agreed_at]
        plays = [event for event in self.behind if event["event"] != "drawn"]
        if plays:
            ways += [("corrected", [{"event": "correct", "seq": seq, "with": plays[-1]}]) for seq in new]
        ways += [("removed", [{"event": "correct", "seq": seq, "with": None}]) for seq in new]
        ways.append(("entered", [*plays]))
        ways.append(("redone", [{"event": "undo", "to": self.agreed_at}, *self.behind]))
        return ways

    def _would_be_right(self, told: Sequence[Mapping[str, Any]]) -> bool:
        game = self._game
        for value in told:
            try:
                ruling = rule(game, wire.parse(value, game.players))
            except wire.EventError:
                return False
            if ruling.verdict.value == "error" or ruling.seq is None:
                return False
            game = ruling.game
        return self._right(game)


def shown(game: Game) -> dict[str, Any]:
    """What people at the table can compare with what lies there: whose turn, the pile, how many cards everybody has.
    A draw that is owed counts as drawn: photos do not show it."""
    seen = view(game)
    players = [
        (one["hand"] + one["owed"], sorted(card[0] for card in one["up"]), one["down"], one["out"])
        for one in seen["players"]  # type: ignore[attr-defined]
    ]
    pile = [card[0] for card in seen["pile"]["cards"]]  # type: ignore[index]
    return {key: seen[key] for key in ("phase", "turn", "pending")} | {"players": players, "pile": pile}


def referee(laid: Laid, reader: ReadsCards, folder: Path) -> Report:
    """Referee a game from its first picture to its last, with people at the table who help where it is needed."""
    report = Report()
    with DataFolder.open(folder) as kept:
        session = Session(kept, SetUp().change({"players": list(laid.players), "dealer": _dealer(laid)}))
        try:
            session.new_game()
            people = People(session, session.playing().game)
            watcher = Watcher(reader, laid.table, players=len(laid.players))
            for number, still in enumerate(laid.stills):
                frame = Frame(still.image, 5.0 * number, number)
                for observation in watcher.see(frame, photo=True):
                    session.observe(reseat(observation, range(len(laid.players))))
                how = people.saw(still.happened)
                report.plays += 1
                if how:
                    report.helped[number] = how
            outcome = session.playing().game.state.outcome
            report.phase = session.playing().phase
            report.loser = laid.players[outcome.loser] if outcome and outcome.loser is not None else None
        finally:
            session.close()
    return report


def _dealer(laid: Laid) -> int:
    return laid.players.index(str(laid.stills[0].happened[0]["dealer"]))
