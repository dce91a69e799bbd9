"""The truth of a filmed game, from our own records and from films of another renderer."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.errors import UserError
from companion.watching import Watched
from engine import records
from engine.cards import Card
from engine.shithead.events import Deal
from engine.shithead.game import GameError, replayed
from vision.sources.files import FILM_SUFFIXES, PHOTO_SECONDS

LAID: Final = "laid"
GONE: Final = "gone"
BACK: Final = "take-back"
EXCHANGE: Final = "exchange"


@dataclass(frozen=True, slots=True)
class Play:
    """One thing that happened: ``kind``, whose it was (None: no matter), the ranks, and when all lay still.

    ``ranks`` are letters, sorted; of a pick-up the upcard that went along. ``asked``: the referee asked about it. For
    ``gone``: ``burnt`` or not.
    """

    kind: str
    at: float
    seat: int | None = None
    ranks: str = ""
    burnt: bool = False
    asked: bool = False

    def __str__(self) -> str:
        what = self.ranks or ("burnt" if self.burnt else "")
        return f"{self.at:.1f} s {self.kind} {what} by {self.seat}"


@dataclass(frozen=True, eq=False)
class Truth:
    """One filmed game. ``deal`` has the upcards of each seat; ``loser`` is a seat, None for an unfinished game."""

    name: str
    source: Path
    rules: str
    players: tuple[str, ...]
    deal: tuple[tuple[str, ...], ...]
    plays: tuple[Play, ...]
    loser: int | None
    table: Path | None = None
    stills: bool = False
    dealer: int = 0

    def seats_of(self, game: Watched) -> tuple[int, ...]:
        """Which of the truth's seats each seat of the watched game is, told by the upcards that were dealt."""
        events = [entry.event for entry in game.game.log] if game.game else []
        deal = next((event for event in events if isinstance(event, Deal)), None)
        count = len(self.players)
        if deal is None:
            return tuple(range(count))
        seen = {seat: {str(reading.card) for reading in row} for seat, row in deal.upcards.items()}
        return max(
            (tuple((seat + turn) % count for seat in range(count)) for turn in range(count)),
            key=lambda order: sum(len(seen.get(seat, set()) & set(self.deal[order[seat]])) for seat in range(count)),
        )


def load_truth(path: Path) -> Truth:
    """The truth at a path: a folder with ``truth.jsonl``, or a ``*.truth.json``. Raises UserError."""
    if path.is_dir() and (path / "truth.jsonl").is_file():
        return _from_record(path)
    if path.suffix == ".mp4" and path.with_suffix(".truth.json").is_file():
        path = path.with_suffix(".truth.json")
    if path.name.endswith(".truth.json") and path.is_file():
        return _from_other(path)
    if not path.exists():
        raise UserError("truth", f"{path} does not exist; name the folder of a filmed game, or a .truth.json file")
    raise UserError("truth", f"{path} has no truth.jsonl, nor is it a .truth.json file; `pilewatch render` makes one")


def _from_record(folder: Path) -> Truth:
    loaded = records.load(folder / "truth.jsonl")
    players = [str(name) for name in _list(loaded.header.get("players"))]
    films = [item for item in sorted(folder.iterdir()) if item.suffix.lower() in FILM_SUFFIXES]
    scale = 1.0 if films else PHOTO_SECONDS
    plays: list[Play] = []
    deal: tuple[tuple[str, ...], ...] = ()
    dealer = 0
    for recorded in loaded.events:
        event = recorded.event
        kind, at = event.get("event"), scale * float(str(event.get("at") or 0.0))
        seat = players.index(str(event["seat"])) if event.get("seat") in players else None
        if kind == "deal":
            upcards = event.get("upcards")
            assert isinstance(upcards, Mapping)
            deal = tuple(tuple(str(card) for card in upcards.get(name, ())) for name in players)
            dealer = players.index(str(event["dealer"])) if event.get("dealer") in players else 0
        elif kind in ("laid", "turned"):
            cards = _list(event["cards"]) if kind == "laid" else [event["card"]]
            plays.append(Play(LAID, at, seat, ranks(cards)))
        elif kind == "exchange":
            plays.append(Play(EXCHANGE, at, seat, ranks(_list(event["upcards"]))))
        elif kind in ("gone", "burn"):
            plays.append(Play(GONE, at, None, burnt=True))
        elif kind == "pick-up":
            plays.append(Play(GONE, at, seat, ranks([event["with"]] if event.get("with") else [])))
        elif kind == "take-back":
            plays.append(Play(BACK, at, None))
    table = folder / "table.toml"
    rules = loaded.header.get("rules")
    assert isinstance(rules, Mapping)
    text = tomllib.loads(table.read_text(encoding="utf-8")) if table.is_file() else {}
    return Truth(
        name=folder.name,
        source=films[0] if films else folder,
        rules=str(text.get("rules", rules["name"])),
        players=tuple(players),
        deal=deal,
        plays=tuple(plays),
        loser=_loser(loaded),
        table=table if table.is_file() else None,
        stills=not films,
        dealer=dealer,
    )


def _loser(loaded: records.LoadedRecord) -> int | None:
    try:
        game, _ = replayed(loaded)
    except GameError as error:
        raise UserError("truth", f"the true record cannot be read: {error}") from None
    outcome = game.state.outcome
    return outcome.loser if outcome is not None else None


def _from_other(path: Path) -> Truth:
    """Events with ``move``, ``laid``, ``burn``, ``picked_up`` and ``still_from``, a frame number."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        film = path.with_name(path.name.replace(".truth.json", ".mp4"))
        rate = _rate(film)
        count = int(data["players"])
        plays = []
        for event in data["events"]:
            at, seat = event["still_from"] / rate, event["seat"]
            if event["laid"]:
                plays.append(Play(LAID, at, seat, ranks(event["laid"])))
            if event["burn"]:
                plays.append(Play(GONE, at, None, burnt=True))
            elif event["picked_up"]:
                along = event["move"][1] if len(event["move"]) > 1 else None
                plays.append(Play(GONE, at, seat, str(along or "")))
        deal = tuple(tuple(cards) for cards in data["deal"]["up"])
        names = tuple(f"Player {number + 1}" for number in range(count))
        return Truth(
            path.name.removesuffix(".truth.json"), film, data["rules"], names, deal, tuple(plays), data["loser"]
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError("truth", f"{path} cannot be read as a film's truth: {error!r}") from None


def _rate(film: Path) -> float:
    import cv2

    capture = cv2.VideoCapture(str(film))
    rate = float(capture.get(cv2.CAP_PROP_FPS))
    capture.release()
    if not rate > 0:
        raise ValueError(f"{film} is no film")
    return rate


def ranks(cards: Sequence[object]) -> str:
    """The ranks of some cards, as sorted letters."""
    return "".join(sorted(Card.parse(str(card)).rank.letter for card in cards))


def _list(value: Any) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []
