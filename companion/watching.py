"""A game that is watched without phones: observations in, rulings out, each recorded before it counts."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

from companion.bridge import heard
from companion.errors import UserError
from engine.records import Record, RecordError
from engine.shithead import wire
from engine.shithead.game import Game, GameError, header
from engine.shithead.referee import Ruling, rule
from engine.shithead.rules import RuleError, RuleSet, load
from vision.table.table import Table, TableError
from vision.types import Observation, Seen, Sighting


@dataclass(frozen=True, slots=True)
class Agreed:
    """What a table agreed on: its places, the rules, the names. ``table`` None: it is looked for in the picture;
    ``players`` empty: they are numbered once the seats are known."""

    rules: RuleSet
    players: tuple[str, ...] = ()
    table: Table | None = None
    dealer: int = 0

    @classmethod
    def read(cls, table: Path | None, rules: str | None, players: Sequence[str] = ()) -> Self:
        """From ``table.toml`` and what the command line says, which comes first. Raises UserError."""
        told: Mapping[str, Any] = {}
        found = None
        if table is not None:
            try:
                found = Table.load(table)
                told = tomllib.loads(table.read_text(encoding="utf-8"))
            except TableError as error:
                raise UserError("table", str(error)) from None
        names = (
            tuple(players)
            or _names(told.get("players"))
            or _names([seat.name for seat in found.seats] if found else [])
        )
        try:
            rule_set = load(rules or str(told.get("rules", "classic")))
            if names:
                rule_set.check_players(len(names))
        except RuleError as error:
            raise UserError("rules", str(error)) from None
        if found is not None and names and len(names) != len(found.seats):
            raise UserError("players", f"{len(names)} players, but {table} has {len(found.seats)} seats")
        return cls(rule_set, names, found)

    @property
    def seats(self) -> int | None:
        """How many players there are, if that is known."""
        return len(self.players) or (len(self.table.seats) if self.table is not None else 0) or None

    def for_seats(self, seats: int) -> Self:
        """With a name for every seat. Raises UserError where the numbers do not fit."""
        names = self.players or tuple(f"Player {number + 1}" for number in range(seats))
        if len(names) != seats:
            raise UserError("players", f"{len(names)} players were named, but {seats} seats have cards")
        try:
            self.rules.check_players(seats)
        except RuleError as error:
            raise UserError("rules", str(error)) from None
        return replace(self, players=names)


class Watched:
    """The game at a watched table. It begins with the deal that the camera sees."""

    def __init__(self, agreed: Agreed, record: Path | None = None, *, timed: bool = True) -> None:
        """``record``: where the game is written, a new file. ``timed``: the observations' seconds are those of the
        game, however long the watching takes; those of photos are not."""
        self.agreed = agreed
        self.timed = timed
        self.game: Game | None = None
        self._path = record
        self._record: Record | None = None
        self._began = datetime.now(UTC)
        self._since = 0.0
        if record is not None:
            _try_target(record)

    def observe(self, observation: Observation) -> Ruling | None:
        """Rule on an observation; None where it is none of the game's business. Raises UserError where the deal does
        not fit what was agreed, or the record cannot be written."""
        if observation.kind is Seen.DEAL and self.game is None:
            self._begin(len(observation.upcards))
            self._since = observation.at
        game = self.game
        event = heard(game, observation) if game is not None else None
        if game is None or event is None:
            return None
        ruling = rule(game, event)
        if ruling.seq is None:
            return ruling
        if self._record is not None:
            try:
                seconds = max(0.0, observation.at - self._since) if self.timed else 0.0
                when = self._began + timedelta(seconds=seconds)
                self._record.append(wire.dump(ruling.game.log[-1].event, game.players), time=when)
            except RecordError as error:
                why = error.__cause__.strerror if isinstance(error.__cause__, OSError) else None
                words = f"the record {self._path} cannot be written any further ({why or error})"
                words += f"; watching ends here, and the {game.seq} events until now are in it"
                raise UserError(error.code, words) from None
        self.game = ruling.game
        return ruling

    def _begin(self, seats: int) -> None:
        self.agreed = self.agreed.for_seats(seats)
        try:
            self.game = Game.start(self.agreed.rules, self.agreed.players, dealer=self.agreed.dealer)
            if self._path is not None:
                self._began = datetime.now(UTC)
                self._record = Record.create(self._path, header(self.game))
        except (GameError, RecordError) as error:
            raise UserError(error.code, str(error)) from None

    @property
    def loser(self) -> str | None:
        """Who lost, once the game is over."""
        outcome = self.game.state.outcome if self.game is not None else None
        if self.game is None or outcome is None or outcome.loser is None:
            return None
        return self.game.players[outcome.loser]

    def close(self) -> None:
        if self._record is not None:
            self._record.close()
            self._record = None


def _try_target(record: Path) -> None:
    """Whether a record can be written there, before a game is watched for it; nothing is left behind. Raises UserError
    ``record-exists``, ``record-not-written``."""
    if record.is_dir():
        raise UserError(
            "record-not-written", f"{record} is a folder; name a file for the record, {record / 'game.jsonl'}"
        )
    if record.exists():
        raise UserError("record-exists", f"{record} exists already; choose another name for this record")
    # Folders that are missing are made with the record.
    folder = next(parent for parent in record.absolute().parents if parent.exists())
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UserError(
            "record-not-written",
            f"{record} cannot be written: {folder}: {error.strerror or error}; choose another place",
        ) from None


def as_json(observation: Observation) -> dict[str, Any]:
    """An observation as ``pilewatch watch --json`` prints it."""
    value: dict[str, Any] = {
        "type": "observation",
        "kind": observation.kind.value,
        "at": round(observation.at, 3),
        "frame": observation.frame,
    }
    if observation.cards or observation.kind in (Seen.LAID, Seen.UPCARDS):
        value["cards"] = [_sighting(sight) for sight in observation.cards]
    if observation.upcards:
        value["upcards"] = [[_sighting(sight) for sight in row] for row in observation.upcards]
    if observation.counts:
        value["counts"] = {str(count): round(p, 4) for count, p in observation.counts.items()}
    if observation.seat is not None:
        value |= {"seat": observation.seat, "seat_score": round(observation.seat_score, 3)}
    if observation.kind in (Seen.GONE, Seen.DOWNCARDS):
        value["left"] = observation.left
        if observation.aside is not None:
            value["aside"] = observation.aside
    if observation.kind in (Seen.HAND, Seen.CAMERA, Seen.NUDGED, Seen.STOCK_LIES):
        value["present"] = observation.present
    return value


def _sighting(sight: Sighting) -> dict[str, float]:
    best = sorted(sight.likelihoods.items(), key=lambda item: -item[1])[:4]
    return {str(card): round(p, 4) for card, p in best}


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, list | tuple) and value and all(isinstance(name, str) and name for name in value):
        return tuple(value)
    return ()
