"""A table without a server, for the tests: opened as a start of the server opens it, told what happens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game import RecordedGame
from companion.session import Session
from companion.set_up import SetUp
from companion.status import TableState
from companion.storage import DataFolder
from engine.cards import Card
from tests.companion.played import CARDS, NAMES
from vision.types import Sighting


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


OPENED: list[Session] = []


def opened(folder: DataFolder, set_up: SetUp | None = None, clock: Clock | None = None) -> Session:
    """A session as a start of the server makes it; closed when the test ends."""
    OPENED.append(Session(folder, set_up, clock=clock or Clock()))
    return OPENED[-1]


def table(folder: DataFolder, rules: str = "classic", clock: Clock | None = None) -> Session:
    return opened(folder, SetUp().change({"players": list(NAMES), "rules": rules}), clock)


def state(session: Session) -> TableState:
    return session.state


def tell(session: Session, name: str, **fields: Any) -> Mapping[str, Any]:
    return session.tell({"event": name, **fields})


def dealt(session: Session) -> RecordedGame:
    """A game of three in which Ann leads."""
    game = session.new_game()
    tell(session, "deal", upcards=CARDS)
    tell(session, "start", seat="Ann")
    return game


def sights(*cards: str) -> tuple[Sighting, ...]:
    return tuple(Sighting({Card.parse(card): 0.99}) for card in cards)
