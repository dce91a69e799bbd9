"""The recorded games: listed, replayed position by position, counted per player, packed for download."""

from __future__ import annotations

import logging
import tempfile
import threading
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

from companion.game import RecordedGame
from companion.refusals import RefusalError
from companion.storage import DataFolder
from engine.records import RecordedEvent, RecordError, load
from engine.shithead import stats
from engine.shithead.moves import Kind

log = logging.getLogger(__name__)

_IN_MEMORY: Final = 8 << 20
_INSIDE: Final = frozenset({"counted", "statistics", "picked_up"})
"""Of a summary, what no listing shows."""


class Library:
    """Reads records, never writes them. Summaries are kept as long as a record's file does not change."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self._kept: dict[str, tuple[tuple[int, int], dict[str, Any]]] = {}
        self._lock = threading.Lock()

    def listing(self, playing: str | None) -> list[dict[str, Any]]:
        """All games, newest first. ``playing`` is the id of the game that goes on."""
        found = []
        for identifier in self._folder.game_ids():
            summary = self._summary(identifier)
            if summary is not None:
                found.append(_shown(summary, playing))
        return found

    def one(self, identifier: str, playing: str | None) -> dict[str, Any]:
        """One game with its whole log. Raises RefusalError ``unknown-game``."""
        game = self._read(identifier)
        return {**_shown(summarise(game), playing), "log": game.log, "videos": self._videos(identifier)}

    def positions(self, identifier: str) -> list[dict[str, Any]]:
        """What counts of a game, play by play, each with the table as it then was. Raises RefusalError."""
        game = self._read(identifier)
        entries = {entry["seq"]: entry for entry in game.log}
        shown: list[dict[str, Any]] = []
        for entry, told in zip(game.counted(), game.tables(), strict=True):
            kept = entries.get(entry, {})
            if not kept.get("evidence"):
                place = {key: kept.get(key) for key in ("at", "event", "messages", "picture")}
                shown.append({**place, "seq": entry, **told})
            elif shown:
                # No move, but the table is known better by it, and what was in doubt may be settled.
                shown[-1]["view"] = told["view"]
                shown[-1]["messages"] = [*(shown[-1]["messages"] or ()), *kept["messages"]]
        return shown

    def statistics(self) -> dict[str, Any]:
        """Over all games that were played to their end, per player's name. The sample game is left out."""
        finished = []
        picked_up: Counter[str] = Counter()
        for identifier in self._folder.game_ids():
            summary = self._summary(identifier)
            if summary is not None and summary["counted"]:
                finished.append(summary["statistics"])
                picked_up.update(summary["picked_up"])
        added = stats.total(finished).as_json()
        players = added.pop("players")
        rows = (
            [{"name": name, **counts, "cards_picked_up": picked_up[name]} for name, counts in players.items()]
            if isinstance(players, dict)
            else []
        )
        return {**added, "players": sorted(rows, key=lambda row: (-row["games"], row["name"]))}

    def record(self, identifier: str) -> bytes:
        """The bytes of a record. Raises RefusalError ``unknown-game``."""
        try:
            return self._folder.record(identifier).read_bytes()
        except (KeyError, OSError):
            raise RefusalError("unknown-game", "there is no such game") from None

    def picture(self, identifier: str, name: str) -> bytes:
        """A picture of a doubtful moment. Raises RefusalError ``not-found``."""
        try:
            return self._folder.picture(identifier, name).read_bytes()
        except (KeyError, OSError):
            raise RefusalError("not-found", "there is no such picture") from None

    def video(self, identifier: str, name: str) -> Path:
        """Where a film lies. Raises RefusalError ``not-found``."""
        try:
            path = self._folder.video(identifier, name)
        except KeyError:
            path = None
        if path is None or not path.is_file():
            raise RefusalError("not-found", "there is no such video")
        return path

    def _videos(self, identifier: str) -> list[dict[str, Any]]:
        """The films of a game in order: ``url``, ``began`` (seconds since 1970), ``bytes``."""
        found = sorted(self._folder.videos(identifier).glob("*.webm"), key=lambda path: (len(path.name), path.name))
        return [
            {
                "url": f"/api/games/{identifier}/videos/{path.name}",
                "began": int(path.stem) if path.stem.isdecimal() else 0,
                "bytes": path.stat().st_size,
            }
            for path in found
        ]

    def pack(self) -> IO[bytes]:
        """All records and their pictures in one ZIP file, rewound. The caller closes it. Films are too large for it:
        each is downloaded by itself."""
        packed = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - the caller's to close
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for identifier in self._folder.game_ids():
                record = self._folder.record(identifier)
                archive.write(record, f"{identifier}/record.jsonl")
                for picture in sorted((record.parent / "pictures").glob("*.jpg")):
                    archive.write(picture, f"{identifier}/pictures/{picture.name}", zipfile.ZIP_STORED)
        packed.seek(0)
        return packed

    def delete(self, identifier: str, playing: str | None) -> None:
        """Delete a game. Raises RefusalError ``game-is-playing``, ``unknown-game``."""
        if identifier == playing:
            raise RefusalError("game-is-playing", "this game is being played: end it first")
        try:
            self._folder.delete_game(identifier)
        except KeyError:
            raise RefusalError("unknown-game", "there is no such game") from None
        with self._lock:
            self._kept.pop(identifier, None)

    def _read(self, identifier: str) -> RecordedGame:
        try:
            return RecordedGame.read(self._folder, identifier)
        except (KeyError, RecordError):
            raise RefusalError("unknown-game", "there is no such game, or its record cannot be read") from None

    def _summary(self, identifier: str) -> dict[str, Any] | None:
        """The summary of a game; None for a record that cannot be read."""
        try:
            status = self._folder.record(identifier).stat()
            stamp = (status.st_mtime_ns, status.st_size)
            with self._lock:
                kept = self._kept.get(identifier)
            if kept is not None and kept[0] == stamp:
                return kept[1]
            lines = load(self._folder.record(identifier)).events
            summary = summarise(RecordedGame.read(self._folder, identifier), lines)
        except (KeyError, OSError, RecordError) as error:
            log.warning("the record %s cannot be read: %s", identifier, error)
            return None
        with self._lock:
            self._kept[identifier] = (stamp, summary)
        return summary


def summarise(game: RecordedGame, lines: Sequence[RecordedEvent] = ()) -> dict[str, Any]:
    """One game in a line of a list, with what was counted under ``statistics``."""
    outcome = game.game.state.outcome
    players = game.players
    return {
        "id": game.id,
        "number": game.number,
        "sample": game.sample,
        "started": game.started,
        "ended": game.last_play["at"] if game.last_play and outcome else None,
        "players": list(players),
        "rules": str(game.game.rules),
        "rule_set": game.game.rules.name,
        "house_rules": sorted(set(game.game.rules.changes) - {"forfeit"}),
        "loser": None if outcome is None or outcome.loser is None else players[outcome.loser],
        "out": [] if outcome is None else [players[seat] for seat in outcome.out],
        "turns": game.game.state.turns,
        "events": game.seq,
        "state": "over" if outcome is not None else "unfinished",
        "counted": stats.counted(game.game, sample=game.sample),
        "statistics": stats.statistics(game.game, lines),
        "picked_up": _picked_up(game),
    }


def _shown(summary: Mapping[str, Any], playing: str | None) -> dict[str, Any]:
    state = "playing" if summary["id"] == playing and summary["state"] != "over" else summary["state"]
    return {**{key: value for key, value in summary.items() if key not in _INSIDE}, "state": state}


def _picked_up(game: RecordedGame) -> Counter[str]:
    """How many cards each player took into the hand from the pile."""
    taken: Counter[str] = Counter()
    for _, (before, move, after) in stats.moves(game.game):
        if move.kind in (Kind.PICK_UP, Kind.TURN, Kind.FLIP) and before.pile.size and not after.pile.size:
            gained = after.players[move.seat].hand.size - before.players[move.seat].hand.size
            taken[game.players[move.seat]] += max(0, gained)
    return taken
