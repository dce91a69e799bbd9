"""What recorded games say about a table: who lost, turns, pick-ups, burns, the longest pile, time per turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from engine.records import RecordedEvent
from engine.shithead.belief import Happened, Verdict
from engine.shithead.events import Back, Correct, Insert, Undo
from engine.shithead.game import Game
from engine.shithead.moves import Kind

PAUSE: Final = 600.0
"""Seconds. A longer wait before a turn is a break in the game, not somebody thinking."""
QUICKEST: Final = 0.5
"""Seconds a turn over a whole game. No table plays faster: such times are those of bots, or of a record made later."""
TURNS: Final = frozenset({Kind.PLAY, Kind.PICK_UP, Kind.TURN, Kind.PASS, Kind.COMPLETE, Kind.FOLLOW, Kind.FLIP})
_PICK_UPS: Final = frozenset({Kind.PICK_UP, Kind.TURN, Kind.FLIP})


@dataclass(slots=True)
class PlayerStats:
    """One player over one or more games. ``seconds`` are those of the ``timed`` turns."""

    games: int = 0
    lost: int = 0
    first_out: int = 0
    turns: int = 0
    pick_ups: int = 0
    burns: int = 0
    illegal: int = 0
    timed: int = 0
    seconds: float = 0.0

    def add(self, other: PlayerStats) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def as_json(self) -> dict[str, object]:
        value: dict[str, object] = {
            name: getattr(self, name) for name in self.__slots__ if name not in ("timed", "seconds")
        }
        value["seconds_per_turn"] = round(self.seconds / self.timed, 1) if self.timed else None
        return value


@dataclass(slots=True)
class GameStats:
    """One game, or several added up."""

    games: int = 0
    finished: int = 0
    turns: int = 0
    pick_ups: int = 0
    burns: int = 0
    longest_pile: int = 0
    illegal: int = 0
    corrections: int = 0
    timed: int = 0
    seconds: float = 0.0
    losers: list[str | None] = field(default_factory=list)
    players: dict[str, PlayerStats] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        return {
            "games": self.games,
            "finished": self.finished,
            "losers": self.losers,
            "turns": self.turns,
            "pick_ups": self.pick_ups,
            "burns": self.burns,
            "longest_pile": self.longest_pile,
            "illegal": self.illegal,
            "corrections": self.corrections,
            "seconds_per_turn": round(self.seconds / self.timed, 1) if self.timed else None,
            "players": {name: player.as_json() for name, player in self.players.items()},
        }


def moves(game: Game) -> Iterable[tuple[int, Happened]]:
    """Every move of a game as it counts, with the number of the event that told it."""
    for entry, belief in zip(game.line, game.beliefs[1:], strict=True):
        for note in belief.top.step.notes:
            if isinstance(note, Happened):
                yield entry.seq, note


def statistics(game: Game, lines: Sequence[RecordedEvent] = ()) -> GameStats:
    """The statistics of one game; times per turn come from its record's ``lines``, where they are those of people."""
    stats = GameStats(games=1, players={name: PlayerStats(games=1) for name in game.players})
    times = {line.seq: _seconds(line.time) for line in lines}
    last: float | None = None
    for seq, (before, move, after) in moves(game):
        now = times.get(seq)
        if move.kind in TURNS:
            player = stats.players[game.players[move.seat]]
            player.turns += 1
            player.pick_ups += (
                move.kind in _PICK_UPS and after.players[move.seat].hand.size > before.players[move.seat].hand.size
            )
            player.burns += after.burnt.size > before.burnt.size
            if now is not None and last is not None and 0 <= now - last <= PAUSE:
                player.timed += 1
                player.seconds += now - last
        if now is not None:
            last = now
        stats.longest_pile = max(stats.longest_pile, before.pile.size + len(move.laid) * (move.kind in TURNS))
    timed = sum(player.timed for player in stats.players.values())
    if sum(player.seconds for player in stats.players.values()) < QUICKEST * timed:
        for player in stats.players.values():
            player.timed, player.seconds = 0, 0.0
    for belief in game.beliefs[1:]:
        step, pending = belief.top.step, belief.top.pending
        if step.verdict is Verdict.ILLEGAL and pending is not None:
            seat = belief.state.turn if pending.move is None else pending.move.seat
            if seat >= 0:
                stats.players[game.players[seat]].illegal += 1
    for name in ("turns", "pick_ups", "burns", "illegal", "timed", "seconds"):
        setattr(stats, name, sum(getattr(player, name) for player in stats.players.values()))
    stats.corrections = sum(isinstance(entry.event, Correct | Insert | Undo | Back) for entry in game.log)
    outcome = game.state.outcome
    if outcome is not None:
        stats.finished = 1
        loser = None if outcome.loser is None else game.players[outcome.loser]
        stats.losers.append(loser)
        if loser is not None:
            stats.players[loser].lost += 1
        if outcome.winner is not None:
            stats.players[game.players[outcome.winner]].first_out += 1
    return stats


def counted(game: Game, *, sample: bool) -> bool:
    """Whether a game counts where several are added up: one that the people of a table played to its end. The bundled
    ``sample`` is nobody's."""
    return game.state.outcome is not None and not sample


def total(several: Iterable[GameStats]) -> GameStats:
    """The sum over games; players are told apart by their names."""
    result = GameStats()
    for stats in several:
        for name in ("games", "finished", "turns", "pick_ups", "burns", "illegal", "corrections", "timed", "seconds"):
            setattr(result, name, getattr(result, name) + getattr(stats, name))
        result.longest_pile = max(result.longest_pile, stats.longest_pile)
        result.losers += stats.losers
        for name, player in stats.players.items():
            result.players.setdefault(name, PlayerStats()).add(player)
    return result


def _seconds(time: str) -> float | None:
    try:
        return datetime.fromisoformat(time).timestamp()
    except (ValueError, OverflowError, OSError):
        return None
