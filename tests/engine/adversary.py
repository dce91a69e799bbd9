"""An adversary of the referee: whole games under any rules, told badly, and put right as a table would.

``python -m tests.engine.adversary --seconds 300 --seed 7`` looks for faults for as long as it is given; the tests play
a few games of it.
"""

from __future__ import annotations

import argparse
import json
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from engine.cards import STANDARD, Card, Rank
from engine.shithead.belief import Verdict
from engine.shithead.events import Answer, Correct, Event, Flipped, Laid, Reading, Turned
from engine.shithead.game import Game
from engine.shithead.moves import Move
from engine.shithead.protocol import Referee
from engine.shithead.referee import question, rule
from engine.shithead.rules import OPTIONS, RuleError, RuleSet, load, names
from engine.shithead.state import State
from engine.shithead.telling import deal_event, events_of
from engine.shithead.view import view
from engine.shithead.wire import dump
from tests.engine.selfplay import play
from tests.engine.test_unseen_hands import known_hands_are_true, same_table

Telling = Callable[[Game, Event, Random], Game]
MODES = ("told", "seen", "ranks", "watched", "squared", "noisy")
BABBLE = "babble"
"""Told rubbish all the while: nothing is compared, but nothing may break."""


def random_rules(random: Random, most: int = 14) -> RuleSet:
    """Any combination of options that does not contradict itself."""
    while True:
        values: dict[str, object] = {}
        for name in random.sample(sorted(OPTIONS), random.randrange(most)):
            if not OPTIONS[name].free_text:
                values[name] = random.choice(OPTIONS[name].values)
        if values.get("joker") == "reverse":
            values["jokers"] = values.get("jokers") or 2
        elif values.get("jokers"):
            values["joker"] = "reverse"
        if values.get("deal") == "six-up":
            values["hand-size"] = 3
        try:
            return load(random.choice(names())).change(values)
        except RuleError:
            continue


def same_game(mode: str, rules: RuleSet, players: int, seed: int, most: int = 250) -> None:
    """Play a game and tell it to a referee that sees no hidden card; fail where the two part."""
    random = Random(f"{mode} {seed}")
    seats = mode != "seen" or rules.follow_up or rules.four_out_of_turn
    tell = {"squared": squared, "noisy": noisy}.get(mode, plainly)
    game: Game | None = None
    after: State | None = None
    for before, move, after in play(rules, players, random, most):
        if game is None:
            game = Game.start(rules, [f"P{seat}" for seat in range(players)], dealer=before.dealer)
            game = rule(game, replace(deal_event(before), draws=mode == "watched")).game
        for event in events_of(before, move, after, seats=seats, suits=mode != "ranks", all_seen=mode == "watched"):
            game = tell(game, event, random)
        if mode == "squared":
            among_the_possible(game, after)
        else:
            agrees(game, after, move, suits=mode not in ("ranks", "noisy"))
    assert game is not None
    assert after is not None
    if mode == "squared":
        game = settled(game, 0)
    agrees(game, after, None, suits=mode not in ("ranks", "squared", "noisy"))


def babble(mode: str, rules: RuleSet, players: int, seed: int, most: int = 60) -> None:
    """A game with anything at all told in between: no exception, no card lost, no state that cannot be."""
    random = Random(f"{mode} {seed}")
    names = [f"P{seat}" for seat in range(players)]
    referee = Referee(Game.start(rules, names))
    told: list[dict[str, object]] = []
    for before, move, after in play(rules, players, random, most):
        events = [*([] if told else [deal_event(before)]), *events_of(before, move, after, seats=random.random() < 0.5)]
        for event in events:
            told.append(dump(event, names))
            for value in (told[-1], *rubbish(random, told, names, referee.game)):
                answer = referee.tell(json.dumps(value))
                json.dumps(answer, allow_nan=False)
                for one in referee.game.belief.hypotheses:
                    assert one.state.faults() == [], (value, one.state.faults())
                total = sum(one.weight for one in referee.game.belief.hypotheses)
                assert abs(total - 1) < 1e-6, (value, total)


def rubbish(random: Random, told: list[dict[str, object]], names: list[str], game: Game) -> Iterator[dict[str, object]]:
    """Now and then something that is not so: told again, told of somebody else, misread, corrected, undone."""
    while random.random() < 0.3:
        card = str(random.choice((*STANDARD, "XX", "7?", "??")))
        other = dict(random.choice(told))
        if "seat" in other:
            other["seat"] = random.choice(names)
        seq = random.randint(max(1, game.seq - 6), max(1, game.seq))
        asked = view(game)["question"]
        yield random.choice(
            [
                other,
                {
                    "event": "laid",
                    "cards": [card] * random.randint(1, 3),
                    "source": "camera",
                    "at": random.random() * 9,
                },
                {"event": "laid", "cards": [card], "count": {"1": 0.4, "2": 0.3, "3": 0.3}},
                {"event": "laid", "cards": [{card: 0.5, "9H": 0.3}], "seat": random.choice(names), "seat_score": 0.6},
                {"event": random.choice(("turned", "flipped")), "card": card, "seat": random.choice(names)},
                {"event": "gone", "left": random.choice((0, 0, 1, 3)), "source": "camera", "confidence": 0.7},
                {"event": "upcards", "seat": random.choice(names), "cards": [card, "5?", "??"][: random.randint(0, 3)]},
                {"event": random.choice(("take-back", "stand", "burn", "pass", "call", "pick-up", "drawn"))},
                {"event": "correct", "seq": seq, "with": random.choice((None, other))},
                {"event": "insert", "before": seq, "with": other},
                {"event": "undo", "to": max(0, seq - 2)},
                {"event": "answer", "question": asked["id"] if isinstance(asked, dict) else "q1", "choice": 0},
            ]
        )


def agrees(game: Game, full: State, move: Move | None, *, suits: bool) -> None:
    same_table(game.state, full)
    if suits:
        known_hands_are_true(game.state, full)
    if move is not None:
        view(game)


def among_the_possible(game: Game, full: State) -> None:
    """One of the hypotheses is what is so."""
    for one in game.belief.hypotheses:
        try:
            same_table(one.state, full)
        except AssertionError:
            continue
        return
    same_table(game.state, full)


TRUTH: dict[int, Event] = {}
"""What the events of the game that is being told were, by their numbers."""


def remembered(game: Game, event: Event) -> None:
    if game.seq <= 1:
        TRUTH.clear()
    TRUTH[game.seq] = event


def plainly(game: Game, event: Event, random: Random) -> Game:  # noqa: ARG001
    ruling = rule(game, event)
    assert ruling.verdict in (Verdict.ACCEPTED, Verdict.NOTHING), (event, ruling.messages)
    return ruling.game


def squared(game: Game, event: Event, random: Random) -> Game:
    """A set is laid squared: one card shows, and how many there are is a guess."""
    if not isinstance(event, Laid) or event.cards[0].is_joker or random.random() < 0.5:
        ruling = rule(game, event)
        remembered(ruling.game, event)
        if ruling.verdict is Verdict.DOUBTFUL:  # what the hand was, an open count has yet to say
            return settled(ruling.game, 0)
        assert ruling.verdict in (Verdict.ACCEPTED, Verdict.NOTHING), (event, ruling.messages)
        return ruling.game
    number = len(event.cards)
    others = random.sample([n for n in range(1, 5) if n != number], random.randrange(1, 3))
    mine = random.uniform(0.4, 0.8)
    count = {number: mine, **{other: (1 - mine) / len(others) for other in others}}
    ruling = rule(game, replace(event, cards=event.cards[-1:], count=count))
    assert ruling.verdict is not Verdict.ERROR
    game = ruling.game
    remembered(game, event)
    return settled(game, 2)


def settled(game: Game, most: int) -> Game:
    """The game with questions answered, the oldest first, until at most so many are open."""
    for seq in game.belief.open[: max(0, len(game.belief.open) - most)]:
        if seq not in game.belief.open:
            continue
        asked = question(game, seq)
        assert asked is not None
        game = rule(game, Answer(question=asked.id, choice=TRUTH[seq])).game
    return game


def noisy(game: Game, event: Event, random: Random) -> Game:
    """Cards are read badly; what is taken wrongly is answered or corrected, as a person would."""
    bad: Event
    if isinstance(event, Laid):
        bad = replace(event, cards=tuple(blurred(reading, random) for reading in event.cards))
    elif isinstance(event, Turned | Flipped):
        bad = replace(event, card=blurred(event.card, random))
    else:
        ruling = rule(game, event)
        remembered(ruling.game, event)
        return settled(ruling.game, 0)
    ruling = rule(game, bad)
    assert ruling.verdict is not Verdict.ERROR
    game = ruling.game
    remembered(game, event)
    right = ranks_of(game.belief.top.step.event) == ranks_of(event)
    if ruling.verdict is Verdict.ACCEPTED and right and not game.belief.open:
        return game
    asked = question(game, game.seq)
    if asked is not None:
        for index, one in enumerate(asked.candidates):
            if ranks_of(one.event) == ranks_of(event) and type(one.event) is type(event):
                ruling = rule(game, Answer(question=asked.id, choice=index))
                break
        else:
            ruling = rule(game, Answer(question=asked.id, choice=event))
    else:
        ruling = rule(game, Correct(seq=game.seq, event=event))
    assert ruling.verdict in (Verdict.ACCEPTED, Verdict.NOTHING), (event, bad, ruling.messages)
    return settled(ruling.game, 0)


def ranks_of(event: Event) -> list[Rank]:
    readings = event.cards if isinstance(event, Laid) else (event.card,) if isinstance(event, Turned | Flipped) else ()
    return sorted(reading.card.rank for reading in readings if reading.card is not None)


def blurred(reading: Reading, random: Random) -> Reading:
    card = reading.card
    assert card is not None
    if random.random() < 0.5:
        return reading
    likelihoods: dict[Card, float] = {card: random.uniform(0.2, 0.95)}
    for other in random.sample(STANDARD, random.randrange(1, 4)):
        likelihoods[other] = likelihoods.get(other, 0) + random.uniform(0, 1 - likelihoods[card])
    return Reading.weigh(likelihoods)


def hunt(seconds: float, seed: int, modes: tuple[str, ...]) -> Iterator[tuple[str, RuleSet, int, int, str]]:
    """Games until the time is over; yields those that failed."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        seed += 1
        random = Random(seed)
        rules = random_rules(random)
        players = random.randint(2, min(6, rules.max_players))
        mode = modes[seed % len(modes)]
        try:
            (babble if mode == BABBLE else same_game)(mode, rules, players, seed)
        except Exception:
            yield mode, rules, players, seed, traceback.format_exc(limit=-3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--modes", default=",".join((*MODES, BABBLE)))
    args = parser.parse_args()
    for mode, rules, players, seed, what in hunt(args.seconds, args.seed, tuple(args.modes.split(","))):
        print(f"{mode} {seed}: {players} players, {rules}\n{what}", flush=True)


if __name__ == "__main__":
    main()
