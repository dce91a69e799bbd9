"""A game is its list of events: the beliefs are the fold over them.

Undo and correction change the list and fold again; nothing is edited in place, and the log keeps all that was ever
said. Only what comes after the change is folded anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Self

from engine.log import EditError, Entry, edited, question_seq
from engine.records import LoadedRecord
from engine.shithead import wire
from engine.shithead.belief import Belief
from engine.shithead.doubts import offered
from engine.shithead.events import EDITS, Answer, Event, Show
from engine.shithead.folding import beginning, step
from engine.shithead.rules import RuleError, RuleSet
from engine.shithead.state import State


class GameError(ValueError):
    """A game that cannot be begun, in one sentence; ``code`` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Game:
    """One game. ``log`` is all that was ever said; ``line`` is what counts of it, after corrections;
    ``beliefs[n]`` is what is so after the first ``n`` events of the line."""

    rules: RuleSet
    players: tuple[str, ...]
    log: tuple[Entry, ...]
    line: tuple[Entry, ...]
    beliefs: tuple[Belief, ...]
    dealer: int = 0
    leads: int | None = None

    @classmethod
    def start(cls, rules: RuleSet, players: Sequence[str], *, dealer: int = 0, leads: int | None = None) -> Self:
        """A game before its first event. ``leads`` plays first because of the last game (``rules.last_game``; see
        ``dealing.leader_after``). Raises GameError ``players`` or ``rules``."""
        names = tuple(players)
        # Joiners hold an emoji family and Persian letters together; alone they are no name.
        bare = [name.replace("\u200c", "").replace("\u200d", "") for name in names]
        if any(not plain or len(name) > 40 or not plain.isprintable() for name, plain in zip(names, bare, strict=True)):
            raise GameError("players", "every player needs a name, of at most 40 characters")
        if len(set(names)) != len(names):
            raise GameError("players", f"two players have one name: {', '.join(names)}")
        try:
            first = beginning(rules, len(names), dealer, leads)
        except RuleError as error:
            raise GameError("rules", str(error)) from None
        return cls(rules, names, (), (), (first,), dealer, leads)

    @property
    def seq(self) -> int:
        """The number of the last event in the log; 0 before the first."""
        return self.log[-1].seq if self.log else 0

    @property
    def belief(self) -> Belief:
        return self.beliefs[-1]

    @property
    def state(self) -> State:
        """The likeliest state of the table."""
        return self.belief.state

    def with_event(self, event: Event) -> Self:
        """The game with one event more, or with what a correction changes.

        Raises EditError for a correction of what is not there, RuleError for a deal that cannot be.
        """
        if isinstance(event, Answer) and not isinstance(event.choice, Event):
            event = replace(event, choice=self._chosen(event))
        entry = Entry(self.seq + 1, event)
        log = (*self.log, entry)
        if not isinstance(event, EDITS):
            after = step(self.belief, entry.seq, event)
            return replace(self, log=log, line=(*self.line, entry), beliefs=(*self.beliefs, after))
        return self._on(log, edited(log[:-1], self.line, entry))

    def _chosen(self, event: Answer) -> Event:
        """The candidate that an answer names by its index."""
        seq = question_seq(event.question)
        if seq not in self.belief.open:
            raise EditError("unknown-question", question=event.question)
        candidates = offered(self.belief, seq)
        if not isinstance(event.choice, int) or event.choice >= len(candidates):
            raise EditError("unknown-choice", question=event.question, choice=event.choice)
        return candidates[event.choice][0]

    def _on(self, log: tuple[Entry, ...], line: tuple[Entry, ...]) -> Self:
        kept = 0
        while kept < len(line) and kept < len(self.line) and line[kept] is self.line[kept]:
            kept += 1
        beliefs = list(self.beliefs[: kept + 1])
        for entry in line[kept:]:
            beliefs.append(step(beliefs[-1], entry.seq, entry.event, insisted=entry.insisted))
        return replace(self, log=log, line=line, beliefs=tuple(beliefs))


def header(game: Game) -> dict[str, object]:
    """The first line of a game's record (``docs/records.md``)."""
    return {
        "game": "shithead",
        "rules": {"name": game.rules.name, "options": game.rules.options},
        "players": list(game.players),
        "dealer": game.players[game.dealer],
        "leads": None if game.leads is None else game.players[game.leads],
        "deck": {"decks": game.rules.decks, "jokers": game.rules.jokers},
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def from_header(header: Mapping[str, object]) -> Game:
    """The game that a record's first line begins. Raises GameError ``record-game``."""
    match header:
        case {"game": "shithead", "rules": {"name": str(name), "options": dict(options)}, "players": list(players)}:
            dealer, leads = (
                players.index(named) if (named := header.get(key)) in players else None for key in ("dealer", "leads")
            )
            try:
                rules = RuleSet.make(name, options)
                return Game.start(rules, [str(player) for player in players], dealer=dealer or 0, leads=leads)
            except ValueError as error:
                raise GameError("record-game", f"this game's first line cannot be followed: {error}") from None
    raise GameError(
        "record-game", "this is not the record of a game of Shithead: its first line lacks rules or players"
    )


def replayed(loaded: LoadedRecord) -> tuple[Game, list[str]]:
    """The game of a record, and a sentence for each event that could not be followed. Raises GameError."""
    game = from_header(loaded.header)
    faults = []
    for line in loaded.events:
        value = {**line.event, "source": line.source, "confidence": line.confidence}
        try:
            event = wire.parse(value, game.players)
            if isinstance(event, Show):
                raise EditError("unknown-seq", seq=line.seq)
            game = game.with_event(event)
        except (wire.EventError, EditError, RuleError) as error:
            faults.append(f"event {line.seq} cannot be followed: {error}")
            # Later events are named by their numbers, so this one keeps its own.
            game = replace(game, log=(*game.log, Entry(game.seq + 1, Show())), line=game.line)
    return game, faults
