"""Self-play: whole games between bots, and what they add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from engine.shithead.bots import Bot
from engine.shithead.dealing import deal, leader_after
from engine.shithead.legal import legal_moves
from engine.shithead.moves import Kind, Move
from engine.shithead.play import apply
from engine.shithead.rules import RuleSet
from engine.shithead.state import Outcome, Phase, State


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One self-played game: the deal, every move, and the end. Folding ``moves`` over ``deal`` gives ``end``."""

    deal: State
    moves: tuple[Move, ...]
    end: State

    @property
    def outcome(self) -> Outcome:
        outcome = self.end.outcome
        assert outcome is not None
        return outcome


@dataclass
class Tally:
    """What many games add up to; ``lost`` counts by seat, ``lost_by`` by bot."""

    games: int = 0
    moves: int = 0
    called: int = 0
    lost: Counter[int] = field(default_factory=Counter)
    lost_by: Counter[str] = field(default_factory=Counter)
    turns: list[int] = field(default_factory=list)
    picked_up: int = 0
    longest_pile: int = 0

    def add(self, game: PlayedGame, bots: Sequence[Bot]) -> None:
        """Count one game."""
        outcome = game.outcome
        self.games += 1
        self.moves += len(game.moves)
        self.turns.append(game.end.turns)
        self.picked_up += sum(move.kind is Kind.PICK_UP for move in game.moves)
        if outcome.called:
            self.called += 1
        elif outcome.loser is not None:
            self.lost[outcome.loser] += 1
            self.lost_by[bots[outcome.loser].name] += 1

    def quantile(self, share: float) -> int:
        """The number of turns that so many games stay under; 0 without games."""
        turns = sorted(self.turns)
        return turns[min(len(turns) - 1, int(share * len(turns)))] if turns else 0


def play_game(
    rules: RuleSet, bots: Sequence[Bot], rng: Random, *, dealer: int = 0, last: Outcome | None = None
) -> PlayedGame:
    """Deal and play one game, one bot a seat. A game that reaches the turn limit is called. Raises RuleError."""
    dealt = state = deal(rules, len(bots), rng, dealer=dealer, leads=leader_after(rules, last))
    moves: list[Move] = []
    for seat, bot in enumerate(bots):
        up = bot.arrange(state, seat, rng)
        if up != state.players[seat].up.known:
            moves.append(Move(Kind.EXCHANGE, seat, up=up))
            state = apply(state, moves[-1])
    moves.append(Move(Kind.START, rng.choice(state.starters)))
    state = apply(state, moves[-1])
    limit = rules.turn_limit
    several = rules.four_out_of_turn or rules.follow_up
    choose = [bot.choose for bot in bots]
    while state.phase is Phase.PLAY:
        if state.turns >= limit:
            move = Move(Kind.CALL, state.turn)
        else:
            legal = legal_moves(state)
            seat = state.turn
            if several:
                seat, legal = _who_moves(legal, seat, rng)
            move = choose[seat](state, legal, rng)
        moves.append(move)
        state = apply(state, move)
    return PlayedGame(dealt, tuple(moves), state)


def _who_moves(legal: list[Move], turn: int, rng: Random) -> tuple[int, list[Move]]:
    """With house rules out of turn: those who may cut in do so half of the time."""
    others = [move for move in legal if move.seat != turn]
    if others and rng.random() < 0.5:
        return others[0].seat, [move for move in others if move.seat == others[0].seat]
    return turn, [move for move in legal if move.seat == turn]


def simulate(rules: RuleSet, bots: Sequence[Bot], games: int, seed: int) -> Iterator[PlayedGame]:
    """Game after game as one evening would play them: the deal goes on as the rules say. The seed decides all."""
    rng = Random(seed)
    dealer = 0
    last: Outcome | None = None
    for _ in range(games):
        game = play_game(rules, bots, rng, dealer=dealer, last=last)
        yield game
        last = game.outcome
        clockwise = rules.deals_next == "clockwise" or last.loser is None
        dealer = (dealer + 1) % len(bots) if clockwise or last.loser is None else last.loser
