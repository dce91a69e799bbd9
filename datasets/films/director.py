"""Plays a game with the engine and lets hands act it out on the stage, noting what truly happened, and when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from datasets.films.acts import Act, Hands, together
from datasets.films.layout import Pose
from datasets.films.places import Places
from datasets.films.players import exchange_for, mistaken, next_move, other_play
from datasets.films.scenario import Scenario
from datasets.films.stage import Arm, Piece, Stage, heap_of
from datasets.films.truth import Happened, Log
from engine.cards import Card
from engine.shithead.dealing import deal, deal_seen
from engine.shithead.moves import Kind, Move
from engine.shithead.play import apply
from engine.shithead.rules import RuleSet
from engine.shithead.state import Phase, State

Floats = NDArray[np.float64]


class Director:
    """One game. Run :meth:`script` a frame at a time, calling :meth:`note` after each; ``truth`` then holds the game.

    ``names`` are the players, ``most_turns`` ends an overlong game (0: never).
    """

    def __init__(
        self,
        rules: RuleSet,
        names: Sequence[str],
        stage: Stage,
        scenario: Scenario,
        seed: int,
        rate: float,
        most_turns: int = 0,
    ) -> None:
        self.names, self.stage, self.scenario = tuple(names), stage, scenario
        self.rng = np.random.default_rng([seed, 2])
        self.chance = Random(seed)
        self.hands = Hands(stage, self.rng, rate, scenario.pace)
        self.most_turns = most_turns
        self.dealer = self.chance.randrange(len(names))
        self.state: State = deal(rules, len(names), self.chance, dealer=self.dealer)
        self._log = Log()
        self.frame = 0
        self.nudge: Callable[[], Act] | None = None
        self.up: list[list[Piece]] = []
        self.down: list[list[Piece]] = []
        self.pile: list[Piece] = []
        self.burnt: list[Piece] = []
        self.places = Places(stage.layout, self.rng)
        self._burnt_up = bool(self.rng.random() < scenario.burnt_face_up)

    def note(self) -> None:
        """A frame has been taken."""
        self.frame += 1
        self._log.note(self.frame)

    @property
    def truth(self) -> list[Happened]:
        """What has happened up to the last frame, in order."""
        return self._log.happened

    def _tell(self, event: dict[str, object], arm: Arm | None, at: Floats, room: float = 105.0) -> None:
        """This has happened at ``at``; it counts from the frame in which ``arm`` no longer covers that."""
        self._log.tell(event, lambda: arm is None or self.hands.clear(arm, at, room))

    def _told(self) -> Act:
        """Until all that happened lies open."""
        while self._log.waiting:
            yield

    # --- the script ---------------------------------------------------------------------------------------------------

    def script(self) -> Act:
        """The whole film."""
        self._lay_out()
        self._tell(self._deal_event(), None, self.stage.layout.pile)
        yield from self.hands.wait(float(self.rng.uniform(1.2, 2.2)))
        yield from self._exchanges()
        starter = self.state.starters[0]
        seen = deal_seen(
            self.state.rules,
            [[*player.up.known, *player.shown] for player in self._dealt.players],
            self._dealt.top,
            dealer=self.dealer,
        )
        if seen.starters != (starter,):
            self._tell({"event": "start", "seat": self.names[starter]}, None, self.stage.layout.pile)
        self.state = apply(self.state, Move(Kind.START, starter))
        rest: Act = iter(())
        last = -1
        while self.state.phase is Phase.PLAY and not 0 < self.most_turns <= self.state.turns:
            # The next player may come while the last one still draws, but nobody plays with cards not drawn yet.
            free = self.state.turn != last and self.state.pile.size > 0
            if free and self.rng.random() < self.scenario.overlap:
                last = self.state.turn
                yield from together(rest, self._turn(next_move(self.state, self.chance)))
            else:
                yield from rest
                yield from self._think()
                last = self.state.turn
                yield from self._turn(next_move(self.state, self.chance))
            rest = self._rest
        yield from rest
        yield from self._told()
        yield from self.hands.wait(1.5)

    def _think(self) -> Act:
        yield from self.hands.wait(float(self.rng.uniform(*self.scenario.think)))

    def _lay_out(self) -> None:
        self._dealt = self.state
        for seat, player in enumerate(self.state.players):
            downs, ups = [], []
            for number, card in enumerate(player.down.known):
                downs.append(Piece(str(card), False, self.places.downcard(seat, number), self.hands.tilt()))
            for number, card in enumerate(player.up.known):
                ups.append(Piece(str(card), True, self.places.upcard(seat, number), self.hands.tilt()))
            self.down.append(downs)
            self.up.append(ups)
            self.stage.pieces += downs + ups
        layout = self.stage.layout
        self.stage.stock = heap_of(self.state.stock.size, layout.stock, layout.stock_turn, self.rng)
        for card in self.state.pile.known:
            piece = Piece(str(card), True, self.places.on_pile(self.dealer, len(self.pile)), self.hands.tilt())
            self.pile.append(piece)
            self.stage.pieces.append(piece)

    def _deal_event(self) -> dict[str, object]:
        six = self.state.rules.deal == "six-up"
        upcards = {
            name: [str(card) for card in (*player.up.known, *(player.shown if six else ()))]
            for name, player in zip(self.names, self.state.players, strict=True)
        }
        event: dict[str, object] = {"event": "deal", "upcards": upcards, "dealer": self.names[self.dealer]}
        if self.state.top is not None:
            event["first"] = str(self.state.top)
        return event

    def _exchanges(self) -> Act:
        for seat in range(len(self.names)):
            wanted = exchange_for(self.state, seat)
            if wanted is None or self.rng.random() >= self.scenario.exchange:
                continue
            new = list(wanted.up)
            kept = [piece for piece in self.up[seat] if Card.parse(piece.face) in new]
            for piece in kept:
                new.remove(Card.parse(piece.face))
            arm = self.hands.enter(seat)
            for number, piece in enumerate(list(self.up[seat])):
                if piece in kept:
                    continue
                yield from self.hands.lift(arm, [piece])
                arm = self.hands.enter(seat)
                fresh = Piece(str(new.pop(0)), True, piece.pose)
                yield from self.hands.lay(arm, [fresh], [self.places.upcard(seat, number)], "together")
                self.up[seat][number] = fresh
            now = [piece.face for piece in self.up[seat]]
            self.state = apply(self.state, wanted)
            event: dict[str, object] = {"event": "exchange", "seat": self.names[seat], "upcards": now}
            self._tell(event, arm, self.stage.layout.seats[seat].at, 150)
            yield from self.hands.leave(arm)
            yield from self._told()
            yield from self._think()

    # --- turns --------------------------------------------------------------------------------------------------------

    def _turn(self, move: Move) -> Act:
        """One turn; what goes on after the pile lies still (drawing, going away) is left in ``_rest``."""
        self._rest: Act = iter(())
        before, seat = self.state, move.seat
        if self.nudge is not None and self.rng.random() < self.scenario.nudge:
            yield from self._told()
            yield from self.nudge()
        if self.rng.random() < self.scenario.hesitation:
            yield from self._hesitate(seat)
        self.state = apply(before, move, draw=False)
        if move.kind is Kind.PLAY:
            yield from self._blunders(before, move)
            yield from self._play(move)
        elif move.kind is Kind.PICK_UP:
            yield from self._pick_up(move)
        elif move.kind is Kind.TURN:
            yield from self._turn_down(before, move)
        elif move.kind is Kind.PASS:
            self._tell({"event": "pass", "seat": self.names[seat]}, None, self.stage.layout.pile)
        elif move.kind is Kind.DRAW:
            self._rest = self._draw(self.hands.enter(seat), move.number)

    def _hesitate(self, seat: int) -> Act:
        arm = self.hands.enter(seat)
        layout = self.stage.layout
        share = float(self.rng.uniform(0.15, 1.0))
        spot = layout.pile * share + layout.seats[seat].at * (1 - share)
        yield from self.hands.move(arm, spot, 30, 0.5)
        yield from self.hands.wait(float(self.rng.uniform(0.1, 0.7)))
        yield from self.hands.leave(arm)

    def _blunders(self, before: State, move: Move) -> Act:
        """An illegal card laid and taken back; or another play that is thought better of."""
        seat = move.seat
        wrong: Move | None = None
        if move.cards and self.rng.random() < self.scenario.illegal:
            wrong = mistaken(before, self.chance)
        elif move.cards and self.rng.random() < self.scenario.take_back:
            wrong = other_play(before, move, self.chance)
        if wrong is None:
            return
        arm = self.hands.enter(seat)
        pieces = [Piece(str(card), True, Pose(0, 0, 0)) for card in wrong.cards]
        yield from self.hands.lay(
            arm, pieces, self.places.set_on_pile(seat, len(pieces), "squared", len(self.pile)), "together"
        )
        self._tell(self._laid_event(wrong), arm, self.stage.layout.pile)
        yield from self.hands.leave(arm)
        yield from self._told()
        yield from self.hands.wait(float(self.rng.uniform(0.4, 1.6)))
        arm = self.hands.enter(seat)
        yield from self.hands.lift(arm, pieces)
        self._tell({"event": "take-back"}, arm, self.stage.layout.pile)
        yield from self._told()
        yield from self._think()

    def _play(self, move: Move) -> Act:
        seat = move.seat
        fresh = [Piece(str(card), True, Pose(0, 0, 0)) for card in move.cards]
        taken = self._taken(seat, move.up)
        way, form = self._way(len(fresh) + len(taken))
        targets = self.places.set_on_pile(seat, len(fresh) + len(taken), form, len(self.pile))
        arm = self.hands.enter(seat)
        if fresh:
            yield from self.hands.lay(arm, fresh, targets[: len(fresh)], way)
        if taken:
            yield from self.hands.pick(arm, taken)
            yield from self.hands.carry(arm, targets[len(fresh) :], 0.5)
            self.hands.drop(arm, targets[len(fresh) :])
            yield from self.hands.wait(0.08)
        self.pile += fresh + taken
        if self.rng.random() < self.scenario.fumble:
            yield from self._fumble(fresh + taken)
        self._tell(self._laid_event(move), arm, self.stage.layout.pile)
        self._rest = self._after(arm)
        yield from self._uncover(arm)
        if len(self.pile) > 2 and self.state.pile.size and self.rng.random() < self.scenario.squared_up:
            yield from self._square(arm)

    def _way(self, count: int) -> tuple[str, str]:
        """How a set is laid, and how it comes to lie."""
        if count == 1:
            return "together", "squared"
        dice = float(self.rng.random())
        for name, form, share in (
            ("together", "fan", self.scenario.fan),
            ("one-by-one", "loose", self.scenario.one_by_one),
            ("dealt", "row", self.scenario.dealt),
        ):
            if dice < share:
                return name, form
            dice -= share
        return "together", "squared"

    def _uncover(self, arm: Arm) -> Act:
        """The hand draws back until the pile lies open."""
        out = self.stage.layout.seats[arm.seat].out
        back = arm.at + out * 60
        while self._log.waiting:
            yield from self.hands.move(arm, back, 35, 0.25, 4)
            back = back + out * 60

    def _after(self, arm: Arm) -> Act:
        """After a play: the burn, then drawing; the arm goes."""
        burns = self.state.pile.size == 0
        if burns:
            yield from self.hands.wait(float(self.rng.uniform(0.2, 0.8)))
            yield from self._push_aside(arm)
        owed = self.state.owed(arm.seat)
        if owed:
            yield from self._draw(arm, owed)
        else:
            yield from self.hands.leave(arm)

    def _draw(self, arm: Arm, owed: int) -> Act:
        seat = arm.seat
        split = owed > 1 and self.rng.random() < 0.3
        for count in [1] * owed if split else [owed]:
            if arm not in self.stage.arms:
                arm = self.hands.enter(seat)
            self.state = apply(self.state, Move(Kind.DRAW, seat, number=count))
            event: dict[str, object] = {"event": "drawn", "seat": self.names[seat], "count": count}
            yield from self.hands.draw(arm, count, lambda: None)
            self._tell(event, arm, self.stage.layout.stock)

    def _push_aside(self, arm: Arm) -> Act:
        """The pile is pushed to the burnt heap, and turned over where that is the custom."""
        layout = self.stage.layout
        burnt, self.pile = self.pile, []
        yield from self.hands.collect(arm, burnt, layout.pile)
        targets = self.places.burnt(len(burnt), len(self.burnt))
        if not self._burnt_up:
            yield from self.hands.flip_held(arm)
        yield from self.hands.carry(arm, targets, 0.6)
        self.hands.drop(arm, targets)
        self.burnt += burnt
        self._tell({"event": "gone"}, arm, layout.pile)
        yield from self._uncover(arm)

    def _pick_up(self, move: Move) -> Act:
        seat, layout = move.seat, self.stage.layout
        arm = self.hands.enter(seat)
        event: dict[str, object] = {"event": "pick-up", "seat": self.names[seat]}
        if move.up:
            yield from self.hands.pick(arm, taken := self._taken(seat, move.up))
            targets = self.places.set_on_pile(seat, 1, "squared", len(self.pile))
            yield from self.hands.carry(arm, targets, 0.5)
            self.hands.drop(arm, targets)
            self.pile += taken
            event["with"] = str(move.up[0])
            yield from self.hands.wait(float(self.rng.uniform(0.3, 0.8)))
        yield from self._gather_in(arm)
        self._tell(event, arm, layout.pile)
        yield from self._told()

    def _gather_in(self, arm: Arm) -> Act:
        """All of the pile goes to a player's hand, in one or two goes."""
        seat, pile = arm.seat, self.pile
        if len(pile) > 4 and self.rng.random() < self.scenario.two_grabs:
            cut = int(self.rng.integers(1, len(pile) - 1))
            yield from self.hands.collect(arm, pile[cut:], self.stage.layout.pile, gather=False)
            yield from self.hands.carry_off(arm)
            pile = pile[:cut]
            arm = self.hands.enter(seat)
        yield from self.hands.collect(arm, pile, self.stage.layout.pile)
        yield from self.hands.carry_off(arm)
        self.pile = []

    def _turn_down(self, before: State, move: Move) -> Act:
        seat = move.seat
        face = str(move.cards[0])
        piece = next(piece for piece in self.down[seat] if piece.face == face)
        self.down[seat].remove(piece)
        target = self.places.on_pile(seat, len(self.pile))
        arm = self.hands.enter(seat)
        yield from self.hands.turn_over(arm, piece, target)
        self.pile.append(piece)
        event: dict[str, object] = {"event": "turned", "seat": self.names[seat], "card": face}
        self._tell(event, arm, self.stage.layout.pile)
        yield from self._uncover(arm)
        if self.state.pile.size or self.state.burnt.size > before.burnt.size:
            self._rest = self._after(arm)
            return
        # It does not fit: after a moment all goes to the hand.
        yield from self.hands.wait(float(self.rng.uniform(0.4, 1.0)))
        yield from self._gather_in(arm)
        self._tell({"event": "gone"}, None, self.stage.layout.pile)
        yield from self._told()

    def _fumble(self, pieces: Sequence[Piece]) -> Act:
        """Cards just laid are shifted a little under the hand."""
        shift = self.rng.normal(0, 6, 2)
        turn = float(self.rng.normal(0, 0.08))
        for _ in range(6):
            for piece in pieces:
                piece.pose = piece.pose.moved(float(shift[0]) / 6, float(shift[1]) / 6, turn / 6)
            self.stage.changed()
            yield

    def _square(self, arm: Arm) -> Act:
        """The pile is pushed together; nothing comes or goes."""
        at = self.stage.layout.pile
        arm.grip = "spread"
        yield from self.hands.move(arm, at - self.hands.forward(arm, at) * 20, 6, 0.4)
        yield from self.hands.squeeze(self.pile, at, float(self.rng.uniform(0.05, 0.3)), 0.5)
        yield from self.hands.move(arm, arm.at + self.stage.layout.seats[arm.seat].out * 120, 35, 0.35, 4)

    # --- the cards ----------------------------------------------------------------------------------------------------

    def _taken(self, seat: int, cards: Sequence[Card]) -> list[Piece]:
        """The upcards of a seat that show ``cards``; they are no longer the seat's."""
        found = []
        for card in cards:
            piece = next(piece for piece in self.up[seat] if piece.face == str(card))
            self.up[seat].remove(piece)
            found.append(piece)
        return found

    def _laid_event(self, move: Move) -> dict[str, object]:
        event: dict[str, object] = {
            "event": "laid",
            "cards": [str(card) for card in move.laid],
            "seat": self.names[move.seat],
        }
        if not (move.cards and move.up):
            event["from"] = "hand" if move.cards else "upcards"
        return event
