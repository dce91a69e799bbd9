"""A camera that errs: whole games told to the referee as a camera would tell them, and how well it follows.

``python -m tests.engine.camera --games 10 --seed 1`` measures the referee on games of bots with every rule set and two
to five players: ranks misread, sets laid squared, plays missed, plays and burns invented, hands seen or not. Nobody
helps but where ``--answers`` is given. ``--beneath 0.3 --squared 0.5`` is a camera that seldom sees the lower card of a
squared set; ``--stock 0.95`` one that tells the stock's end, nearly always rightly.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from datasets.game_truth import EXCHANGE, GONE, LAID, Play, ranks
from datasets.games_aligned import align, asks_for, plays_of
from engine.cards import STANDARD, Card, Rank
from engine.shithead import downcards
from engine.shithead.belief import Verdict
from engine.shithead.bots import BOTS
from engine.shithead.events import (
    Answer,
    Deal,
    Downcards,
    Event,
    Exchange,
    Gone,
    Laid,
    PickUp,
    Reading,
    Source,
    Stock,
    Turned,
    Upcards,
)
from engine.shithead.game import Game
from engine.shithead.moves import Kind, Move
from engine.shithead.play import apply
from engine.shithead.referee import rule
from engine.shithead.rules import load
from engine.shithead.simulate import play_game
from engine.shithead.state import State
from engine.shithead.stocktaking import matters
from engine.shithead.telling import deal_event, events_of

MISTAKEN: Final = {"6": "9", "9": "6", "5": "7", "7": "5", "K": "Q", "Q": "K", "J": "Q", "3": "8", "8": "3", "A": "4"}
"""What the reader takes one rank for."""
PACE: Final = 5.0
"""Seconds from one play to the next."""


@dataclass(frozen=True, slots=True)
class Noise:
    """How a camera errs. ``seat``: how often the hand is that of whoever played; None: no hand is ever seen.

    ``beneath``: how often the lower card of a squared set shows; ``strip``: how often one is seen that is none.
    ``stock``: how often the stock's end is told rightly, else late, never, or far too early; None: nothing is told.
    ``down``: how often it is told that a downcard has left its place, and now and then of one that has not."""

    misread: float = 0.007
    blurred: float = 0.05
    squared: float = 0.3
    missed: float = 0.02
    invented: float = 0.01
    seat: float | None = None
    beneath: float = 0.85
    strip: float = 0.03
    stock: float | None = None
    down: float | None = None


@dataclass
class Followed:
    """How well games were followed: ``right`` in the end, ``at_once`` when they were told."""

    games: int = 0
    plays: int = 0
    right: int = 0
    asked: int = 0
    invented: int = 0
    questions: int = 0
    events: int = 0
    losers: int = 0
    turns: int = 0
    turns_right: int = 0
    slowest: float = 0.0
    seconds: float = 0.0
    wrong: Counter[str] = field(default_factory=Counter)

    def add(self, other: Followed) -> None:
        for name in ("games", "plays", "right", "asked", "invented", "questions", "events", "losers", "turns"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.turns_right += other.turns_right
        self.seconds += other.seconds
        self.slowest = max(self.slowest, other.slowest)

    def __str__(self) -> str:
        turns = 100 * self.turns_right / max(1, self.turns)
        return (
            f"{self.plays} plays of {self.games} games, {100 * self.right / max(1, self.plays):.1f} % right, "
            f"asked {self.asked}, invented {self.invented}; turn right after {turns:.1f} % of events; loser right "
            f"{self.losers} of {self.games}; {self.questions} questions, one in "
            f"{self.events / max(1, self.questions):.0f} events; {1000 * self.seconds / max(1, self.events):.0f} ms an "
            f"event, slowest {1000 * self.slowest:.0f} ms"
        )


def told(
    rules_name: str, players: int, seed: int, noise: Noise
) -> tuple[Deal, list[tuple[list[Event], list[Play], State]], State]:
    """A game: its deal, what the camera tells of each move beside what it was and the state after it, and the end."""
    name = f"{rules_name} {players} {seed}"
    rng = Random(name)
    rules = load(rules_name)
    bots = [BOTS[name] for name in ("cautious", "greedy", "random")]
    game = play_game(rules, [rng.choice(bots[:2] if rng.random() < 0.8 else bots) for _ in range(players)], rng)
    state, at = game.deal, 0.0
    moves: list[tuple[list[Event], list[Play], State]] = []
    looks, downs = StockSeen(noise, Random(f"stock {name}")), DownSeen(noise, Random(f"down {name}"))
    for move in game.moves:
        after = apply(state, move)
        at += PACE
        seen = [*_seen(state, move, after, at, noise, rng), *looks.after(after, at), *downs.after(state, after, at)]
        moves.append((seen, list(_plays(state, move, after, at)), after))
        state = after
    deal = replace(deal_event(game.deal), source=Source.CAMERA, at=0.0)
    return deal, moves, game.end


def _plays(before: State, move: Move, after: State, at: float) -> Iterator[Play]:
    if move.kind is Kind.EXCHANGE:
        yield Play(EXCHANGE, at, move.seat, ranks(move.up))
    elif move.kind in (Kind.PLAY, Kind.TURN):
        yield Play(LAID, at, move.seat, ranks(move.laid))
        if after.burnt.size > before.burnt.size:
            yield Play(GONE, at + 1, None, burnt=True)
        elif not after.pile.size:
            yield Play(GONE, at + 1, move.seat)
    elif move.kind is Kind.PICK_UP:
        yield Play(GONE, at, move.seat, ranks(move.up))


def _seen(before: State, move: Move, after: State, at: float, noise: Noise, rng: Random) -> Iterator[Event]:
    """What the camera tells of a move; ``at`` seconds."""
    if rng.random() < noise.invented and move.kind is not Kind.EXCHANGE and before.pile.size:
        if rng.random() < 0.3:
            yield Gone(at=at - 2, source=Source.CAMERA)
        else:
            cards = (_reading(rng.choice(STANDARD), noise, rng),)
            yield Laid(cards=cards, at=at - 2, source=Source.CAMERA)
    seat, score = _whose(move.seat, len(before.players), noise, rng)
    for event in events_of(before, move, after, seats=False):
        if isinstance(event, Exchange):
            yield Exchange(seat=event.seat, cards=event.cards, at=at, source=Source.CAMERA)
        elif isinstance(event, Laid | Turned):
            if rng.random() < noise.missed:
                continue
            if isinstance(event, Turned) and rng.random() < 0.3:
                reading = _reading(move.cards[0], noise, rng)
                yield Turned(card=reading, seat=move.seat, seat_score=0.98, at=at, source=Source.CAMERA)
                continue
            yield replace(_laid(move.laid, noise, rng), seat=seat, seat_score=score, at=at, source=Source.CAMERA)
        elif isinstance(event, Gone | PickUp):
            yield Gone(seat=seat, seat_score=score, at=at + 1, source=Source.CAMERA)
    if move.kind is Kind.TURN and after.burnt.size == before.burnt.size and not after.pile.size:
        yield Gone(seat=seat, seat_score=score, at=at + 1, source=Source.CAMERA)
    if move.up and move.kind in (Kind.PLAY, Kind.PICK_UP) and rng.random() < 0.9:
        left = tuple(_reading(card, noise, rng) for card in after.players[move.seat].up.known)
        yield Upcards(seat=move.seat, cards=left, at=at + 1, source=Source.CAMERA)


def _whose(seat: int, players: int, noise: Noise, rng: Random) -> tuple[int | None, float]:
    if noise.seat is None or rng.random() < 0.1:
        return None, 1.0
    told = seat if rng.random() < noise.seat else rng.choice([other for other in range(players) if other != seat])
    return told, rng.choice((0.7, 0.9, 0.98))


def _laid(cards: Sequence[Card], noise: Noise, rng: Random) -> Laid:
    shown = 1 if len(cards) > 1 and rng.random() < noise.squared else len(cards)
    readings = tuple(_reading(card, noise, rng) for card in cards[:shown])
    if shown == 1 and rng.random() < (noise.beneath if len(cards) > 1 else noise.strip):
        count = {1: 0.17, 2: 0.77, 3: 0.06}
    elif shown == 1 and rng.random() < 0.5:
        count = {1: 0.938, 2: 0.057, 3: 0.005}
    else:
        count = {shown: 0.914, shown + 1: 0.08, shown + 2: 0.006}
    return Laid(cards=readings, count=count)


class StockSeen:
    """What a camera tells of the stock, move by move."""

    def __init__(self, noise: Noise, rng: Random) -> None:
        self._often = noise.stock
        self._rng = rng
        self._gone: int | None = None
        self._delay = 0
        if noise.stock is not None and rng.random() > noise.stock:
            self._delay = rng.choice((2, 5, 10_000))
        self._false = rng.randrange(3, 30) if noise.stock is not None and rng.random() > noise.stock else None

    def after(self, state: State, at: float) -> Iterator[Event]:
        """``state`` is how it is after a move; cards are drawn before the next one, mostly."""
        if self._often is None:
            return
        if self._gone is None and not state.stock.size:
            self._gone = self._delay + (self._rng.random() < 0.2)
        if self._gone is not None:
            if self._gone == 0:
                yield Stock(left=0, at=at + 2, source=Source.CAMERA)
            self._gone -= 1
        elif self._false is not None:
            if self._false == 0:
                yield Stock(left=0, at=at + 2, source=Source.CAMERA)
            self._false -= 1
        if self._gone is None or self._gone >= 0:
            yield Stock(at=at + 1, source=Source.CAMERA)


class DownSeen:
    """What a camera tells of the downcards that lie before each seat."""

    def __init__(self, noise: Noise, rng: Random) -> None:
        self._often = noise.down
        self._rng = rng
        self._false: int | None = None

    def after(self, before: State, state: State, at: float) -> Iterator[Event]:
        """``before`` and ``state`` are how it is before and after a move."""
        if self._often is None:
            return
        for seat, (was, now) in enumerate(zip(before.players, state.players, strict=True)):
            seen = now.down.size
            if self._false == seat:
                self._false = None
            elif was.down.size > seen and self._rng.random() < self._often:
                pass
            elif seen and self._rng.random() < 0.02 * (1 - self._often):
                seen, self._false = seen - 1, seat
            else:
                continue
            yield Downcards(seat=seat, left=seen, at=at + 1, source=Source.CAMERA)


def _reading(card: Card, noise: Noise, rng: Random) -> Reading:
    if card.rank is Rank.JOKER:
        return Reading.weigh({card: 0.99})
    other = Card(Card.parse(MISTAKEN.get(card.rank.letter, "T") + "S").rank, card.suit)
    chance = rng.random()
    if chance < noise.misread:
        return Reading.weigh({other: rng.choice((0.98, 0.9)), card: 0.002})
    if chance < 1.5 * noise.misread:
        return Reading.weigh({Card(card.rank, rng.choice([one.suit for one in STANDARD[::13]])): 0.98, card: 0.005})
    if chance < 1.5 * noise.misread + noise.blurred:
        p = rng.uniform(0.3, 0.95)
        likelihoods: Mapping[Card, float] = {card: p, other: 0.98 - p}
        return Reading.weigh(likelihoods)
    return Reading.weigh({card: 0.992})


def follow(rules_name: str, players: int, seed: int, noise: Noise, *, answers: bool = False) -> tuple[Followed, Game]:
    """Tell one game to a referee, and how well it followed."""
    deal, moves, end = told(rules_name, players, seed, noise)
    game = rule(
        Game.start(load(rules_name), [f"P{seat}" for seat in range(players)], dealer=deal.dealer or 0), deal
    ).game
    found = Followed(games=1)
    asked: set[int] = set()
    truth = [play for _, plays, _ in moves for play in plays]
    seats = tuple(range(players))
    for events, _, after in moves:
        for event in events:
            if isinstance(event, Stock) and not matters(game.belief, event.left):
                continue
            if isinstance(event, Downcards) and not downcards.matters(game.belief, event):
                continue
            began = time.process_time()
            ruling = rule(game, event)
            if ruling.verdict is Verdict.DOUBTFUL and ruling.question is not None:
                found.questions += 1
                choice = asks_for(ruling.question, truth, event.at or 0.0, seats) if answers else None
                if choice is not None:
                    asked.add(ruling.question.seq)
                    ruling = rule(ruling.game, Answer(question=ruling.question.id, choice=choice))
            game = ruling.game
            took = time.process_time() - began
            found.seconds += took
            found.slowest = max(found.slowest, took)
            found.events += 1
        if events:
            found.turns += 1
            found.turns_right += game.state.turn == after.turn
    judged = align(truth, plays_of(game, asked), seats)
    found.plays = len(truth)
    counts = Counter(one.verdict for one in judged)
    found.right, found.asked, found.invented = counts["right"], counts["asked"], counts["invented"]
    outcome, true = game.state.outcome, end.outcome
    found.losers = int(outcome is not None and true is not None and outcome.loser == true.loser)
    return found, game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4, help="games of each rule set and number of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", default="classic,palace,hostel")
    parser.add_argument("--players", default="2,3,4,5")
    parser.add_argument("--answers", action="store_true", help="somebody answers what is asked")
    parser.add_argument("--hands", default="none,0.85", help="how often a hand tells who played; none: never")
    parser.add_argument("--squared", type=float, default=Noise().squared, help="how often a set is laid squared")
    parser.add_argument("--beneath", type=float, default=Noise().beneath, help="how often its lower card is noticed")
    parser.add_argument("--stock", type=float, help="how often the stock's end is told rightly; left out: never told")
    parser.add_argument("--down", type=float, help="how often downcards that have gone are told; left out: never")
    args = parser.parse_args()
    total = Followed()
    for hands in args.hands.split(","):
        seat = None if hands == "none" else float(hands)
        noise = Noise(seat=seat, squared=args.squared, beneath=args.beneath, stock=args.stock, down=args.down)
        group = Followed()
        for players in map(int, args.players.split(",")):
            here = Followed()
            for name in args.rules.split(","):
                if players > load(name).max_players:
                    continue
                for seed in range(args.seed, args.seed + args.games):
                    here.add(follow(name, players, seed, noise, answers=args.answers)[0])
            print(f"hands {hands}, {players} players: {here}", flush=True)
            group.add(here)
        total.add(group)
        print(f"hands {hands}: {group}", flush=True)
    print(f"all: {total}")


if __name__ == "__main__":
    main()
