"""Golden games: whole games kept as text, which must be played again move by move exactly as they were.

After a change of the rules that is meant, ``python -m tests.engine.test_golden_games`` writes them anew; read the
difference before it is committed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.shithead.bots import BOTS
from engine.shithead.legal import legal_moves
from engine.shithead.moves import Kind, Move
from engine.shithead.play import apply
from engine.shithead.refusal import why_not
from engine.shithead.rules import RuleSet, names, variations
from engine.shithead.simulate import simulate
from engine.shithead.state import State
from engine.shithead.text import dump, parse

FOLDER = Path(__file__).parent / "golden"
GAMES = {
    "classic": (4, 1),
    "classic-two": (2, 5),
    "palace": (3, 2),
    "palace+jokers": (6, 3),
    "palace+six-up": (4, 4),
    "palace+winner": (5, 5),
    "hostel": (4, 6),
    "house": (4, 7),
}
"""File: players and seed."""
RULES = {
    "classic-two": "classic",
    "house": "classic decks=2 jokers=1 joker=reverse seven=at-most eight=skip nine=reverse three=invisible "
    "four-out-of-turn=yes follow-up=yes flip-stock=yes pick-up-with=upcard",
}


def summary(state: State) -> str:
    """What a reader wants to see beside a move."""
    top = f" {state.top}" if state.top else ""
    sizes = " ".join(f"{p.hand.size}/{p.up.size}/{p.down.size}" for p in state.players)
    lead = f" lead {state.lead}" if state.lead else ""
    return (
        f"turn {state.turn} pile {state.pile.size}{top} burnt {state.burnt.size} stock {state.stock.size} {sizes}{lead}"
    )


def written(name: str) -> str:
    """The text of a golden game, played by bots."""
    players, seed = GAMES[name]
    bots = [BOTS[("cautious", "greedy", "random")[seat % 3]] for seat in range(players)]
    game = next(simulate(RuleSet.parse(RULES.get(name, name)), bots, 1, seed))
    lines = [dump(game.deal)]
    state = game.deal
    for move in game.moves:
        state = apply(state, move)
        lines.append(f"{move!s:<40} | {summary(state)}")
    return "\n".join([*lines, dump(state), ""])


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_golden_game(path: Path) -> None:
    deal, *moves, end = path.read_text("utf-8").splitlines()
    state = parse(deal)
    assert dump(state) == deal
    for number, line in enumerate(moves, 2):
        text, _, expected = line.partition("|")
        move = Move.parse(text)
        assert str(move) == text.strip()
        if move.kind is not Kind.CALL:
            assert why_not(state, move) is None, f"{path.name}:{number}: {why_not(state, move)}"
            assert {one.kind for one in legal_moves(state)} >= {move.kind} - {Kind.EXCHANGE}
        state = apply(state, move)
        assert summary(state) == expected.strip(), f"{path.name}:{number}"
        if number % 10 == 0:
            assert state.faults() == [], f"{path.name}:{number}"
    assert state.faults() == []
    assert dump(state) == end
    assert state.outcome is not None


def test_every_rule_set_and_variation_has_a_golden_game() -> None:
    wanted = {*names(), *(f"{name}+{variation}" for name in names() for variation in variations(name))}
    assert wanted <= {path.stem for path in files()}


if __name__ == "__main__":
    for one in GAMES:
        (FOLDER / f"{one}.txt").write_text(written(one), "utf-8")
