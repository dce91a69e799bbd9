"""A referee in a given position, told events as a program would tell them."""

from __future__ import annotations

import json
from typing import Any

from engine.shithead.belief import Belief, Hypothesis
from engine.shithead.game import Game
from engine.shithead.protocol import Referee
from engine.shithead.rules import load
from engine.shithead.state import State
from engine.shithead.view import view
from tests.engine.positions import position

NAMES = ("Ann", "Ben", "Cem", "Dora", "Eve", "Finn")
UNSEEN = "hand ?3 up KH KC QD down ?3"
"""Only the first seat of a position may hold these."""
HIDDEN = "hand ?3 up ?3 down ?3"


class Told:
    """A referee whose answers are plain dictionaries; ``seq`` of the first event told is 1."""

    def __init__(self, state: State) -> None:
        game = Game.start(state.rules, NAMES[: len(state.players)])
        belief = Belief((Hypothesis(state, (0,) * len(state.players)),))
        self.referee = Referee(Game(game.rules, game.players, (), (), (belief,)))

    def __call__(self, event: str, **fields: Any) -> dict[str, Any]:
        if "from_" in fields:
            fields["from"] = fields.pop("from_")
        if "with_" in fields:
            fields["with"] = fields.pop("with_")
        answer = self.referee.tell(json.dumps({"event": event, **fields}))
        json.dumps(answer, allow_nan=False)
        return answer

    def laid(self, *cards: object, **fields: Any) -> dict[str, Any]:
        return self("laid", cards=list(cards), **fields)

    @property
    def view(self) -> dict[str, Any]:
        shown: dict[str, Any] = view(self.referee.game)
        return shown

    @property
    def state(self) -> State:
        return self.referee.game.state


def table(rules: str, *seats: str, **more: Any) -> Told:
    """A referee in a position as :func:`tests.engine.positions.position` takes it."""
    return Told(position(rules, *seats, **more))


def dealt(rules: str = "classic", players: int = 3, **fields: Any) -> Told:
    """A referee after a deal without upcards read, and Ann to lead."""
    told = Told(Game.start(load(rules), NAMES[:players]).state)
    told("deal", **fields)
    told("start", seat="Ann")
    return told


def codes(answer: dict[str, Any]) -> list[str]:
    return [message["code"] for message in answer["messages"]]


def words(answer: dict[str, Any]) -> str:
    return "; ".join(message["words"] for message in answer["messages"])
