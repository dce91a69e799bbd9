"""A second, deliberately simple game of Shithead, to check the engine against.

Written from the rules alone: lists of texts that are changed in place, no tables, no speed, nothing shared with the
engine but the form of a move's text. Everything is known here.
"""

# ruff: noqa: PERF401, SIM114 (simple on purpose)
from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from itertools import combinations
from typing import Any

ORDER = "23456789TJQKA"
NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")


class Reference:
    """One game. ``hands``, ``ups`` and ``downs`` are lists of cards per seat; the next stock card is the last."""

    def __init__(self, options: Mapping[str, Any], cards: Sequence[str], players: int, dealer: int = 0) -> None:
        """Deal ``cards`` in order: three rounds down, three rounds up, then the hands, from the dealer's left."""
        self.options = options
        self.players = players
        self.dealer = dealer
        todo = list(cards)
        order = [(dealer + 1 + step) % players for step in range(players)]
        self.downs: list[list[str]] = [[] for _ in range(players)]
        self.ups: list[list[str]] = [[] for _ in range(players)]
        self.hands: list[list[str]] = [[] for _ in range(players)]
        for place, rounds in ((self.downs, 3), (self.ups, 3), (self.hands, options["hand-size"])):
            for _ in range(rounds):
                for seat in order:
                    place[seat].append(todo.pop(0))
        self.pile: list[str] = []
        if options["first-card"] == "turned":
            self.pile.append(todo.pop(0))
        self.first_is_turned = bool(self.pile)
        self.stock = todo[::-1]
        self.burnt: list[str] = []
        self.out: list[int] = []
        self.direction = 1
        self.lead = 0
        self.started = False
        self.over = False
        self.turn = -1
        self.last: dict[str, Any] | None = None
        self.starters = self._starters(order)

    # ---- who starts

    def _starters(self, order: list[int]) -> list[int]:
        if self.options["starts"] == "left-of-dealer":
            return order[:1]
        for rank in "3456789TJQKA2X":
            for seat in order:
                seen = self.ups[seat] + (self.hands[seat] if self.options["deal"] == "six-up" else [])
                if any(card[0] == rank for card in seen):
                    return [seat]
            holders = [seat for seat in order if any(card[0] == rank for card in self.hands[seat])]
            if holders:
                return holders
        return order

    # ---- the cards

    def power(self, rank: str) -> str:
        name = "joker" if rank == "X" else NAMES[ORDER.index(rank)]
        power = self.options[name]
        return "plain" if power == "none" else power

    def asked(self) -> str | None:
        """The rank that must be answered."""
        looked_through = ""
        for card in reversed(self.pile):
            rank = card[0]
            if rank == "X":
                if self.options["joker-answer"] == "anything":
                    return None
            elif self.power(rank) == "invisible":
                looked_through = looked_through or rank
            elif looked_through and self.power(rank) in ("under", "at-most"):
                return rank if self.options["seven-through-invisible"] else None
            else:
                return rank
        if looked_through and self.options["invisible-alone"] == "itself":
            return looked_through
        return None

    def may_play(self, rank: str) -> bool:
        power = self.power(rank)
        on_anything = rank == "X" or power in ("resets", "invisible", "burns")
        if not self.pile:
            if self.lead == 0:
                return True
            if on_anything and self.options["lead-specials"]:
                return True
            return rank != "X" and ORDER.index(rank) + 2 >= self.lead
        asked = self.asked()
        if asked is None or self.power(asked) == "resets":
            return True
        higher = rank != "X" and ORDER.index(rank) >= ORDER.index(asked)
        lower = rank != "X" and ORDER.index(rank) < ORDER.index(asked)
        if self.power(asked) in ("under", "at-most"):
            if lower or (self.power(asked) == "at-most" and rank == asked):
                return True
            if power == "burns":
                return bool(self.options["ten-on-seven"])
            if on_anything:
                return bool(self.options["specials-on-seven"])
        elif self.power(asked) == "shooting":
            if on_anything or rank == asked:
                return True
        elif on_anything or higher:
            return True
        return power in ("under", "at-most", "skip", "reverse") and self.options["acting"] == "free"

    def in_play(self) -> list[int]:
        return [seat for seat in range(self.players) if seat not in self.out]

    def after(self, seat: int) -> int:
        while True:
            seat = (seat + self.direction) % self.players
            if seat not in self.out:
                return seat

    def top_run(self) -> int:
        """How many cards on top are of one rank, for four of a kind."""
        rank = self.pile[-1][0]
        run = 0
        pile = self.pile[1:] if self.first_is_turned and not self.options["first-card-counts"] else self.pile
        for card in reversed(pile):
            if card[0] == rank:
                run += 1
            elif card[0] == "X" and not self.options["joker-breaks-four"]:
                continue
            elif card[0] != "X" and self.power(card[0]) == "invisible" and not self.options["invisible-breaks-four"]:
                continue
            else:
                break
        return run

    def four_may_burn(self, rank: str) -> bool:
        if not self.options["four-burns"] or rank == "X":
            return False
        return self.options["four-specials"] or self.power(rank) == "plain"

    # ---- moves

    def legal(self) -> list[str]:
        if self.over:
            return []
        if not self.started:
            return self._before()
        seat = self.turn
        hand, up, down = self.hands[seat], self.ups[seat], self.downs[seat]
        moves: list[str] = []
        if hand:
            for rank in self._ranks(hand):
                same = [card for card in hand if card[0] == rank]
                for number in range(1, self._most(rank, same) + 1):
                    moves.append(f"{seat} play {' '.join(same[:number])}")
                if self.options["join-last-card"] and len(hand) == 1 and not self.stock and rank != "X":
                    joined = [card for card in up if card[0] == rank]
                    for number in range(1, self._most(rank, [*hand, *joined])):
                        moves.append(f"{seat} play {hand[0]} up {' '.join(joined[:number])}")
        elif up:
            for rank in self._ranks(up):
                same = [card for card in up if card[0] == rank]
                most = self._most(rank, same) if self.options["upcard-sets"] else 1
                for number in range(1, most + 1):
                    moves.append(f"{seat} play up {' '.join(same[:number])}")
        else:
            moves += [f"{seat} turn {card}" for card in sorted(set(down))]
        if self.options["voluntary-pick-up"] or not moves:
            if self.pile:
                if up and not hand and self.options["pick-up-with"] == "upcard":
                    moves += [f"{seat} pick-up up {card}" for card in sorted(set(up))]
                else:
                    moves.append(f"{seat} pick-up")
                if self.options["flip-stock"] and self.stock:
                    moves.append(f"{seat} flip {self.stock[-1]}")
            elif self.lead:
                moves.append(f"{seat} pass")
        return moves + self._house_rules()

    def _ranks(self, cards: list[str]) -> list[str]:
        return [rank for rank in ORDER + "X" if any(card[0] == rank for card in cards) and self.may_play(rank)]

    def _most(self, rank: str, same: list[str]) -> int:
        if rank == "X" or self.options["sets"] == "one":
            return 1
        return 1 if self.power(rank) == "burns" and not self.options["ten-sets"] else len(same)

    def _before(self) -> list[str]:
        moves = [f"{seat} start" for seat in self.starters]
        for seat in range(self.players):
            seen = {"".join(sorted(card[0] for card in self.ups[seat]))}
            for three in combinations(self.ups[seat] + self.hands[seat], 3):
                ranks = "".join(sorted(card[0] for card in three))
                if ranks not in seen:
                    seen.add(ranks)
                    moves.append(f"{seat} exchange up {' '.join(three)}")
        return moves

    def _house_rules(self) -> list[str]:
        moves = []
        if self.options["follow-up"] and self.last and self.last["rank"] != "X":
            same = [card for card in self.last["drawn"] if card[0] == self.last["rank"]]
            for number in range(1, len(same) + 1):
                moves.append(f"{self.last['seat']} follow {' '.join(same[:number])}")
        if self.options["four-out-of-turn"] and self.pile and self.four_may_burn(self.pile[-1][0]):
            rank, lying = self.pile[-1][0], self.top_run()
            for seat in self.in_play():
                if seat == self.turn:
                    continue
                if self.hands[seat]:
                    same = [card for card in self.hands[seat] if card[0] == rank]
                    text = f"{seat} complete {' '.join(same)}"
                elif not self.stock:
                    same = [card for card in self.ups[seat] if card[0] == rank]
                    text = f"{seat} complete up {' '.join(same)}"
                else:
                    continue
                if same and lying + len(same) >= 4:
                    moves.append(text)
        return moves

    def do(self, text: str) -> None:
        """Make a legal move."""
        number, kind, *rest = text.split()
        seat = int(number)
        up = rest[rest.index("up") + 1 :] if "up" in rest else []
        cards = rest[: rest.index("up")] if "up" in rest else rest
        last, self.last = self.last, None
        if kind == "start":
            self.started, self.turn = True, seat
            self._first_card_acts()
        elif kind == "exchange":
            for card in up:
                (self.ups if card in self.ups[seat] else self.hands)[seat].remove(card)
            self.ups[seat], self.hands[seat] = up, self.hands[seat] + self.ups[seat]
        elif kind == "pass":
            self.lead = 0
            self.turn = self.after(seat)
        elif kind == "pick-up":
            for card in up:
                self.ups[seat].remove(card)
            self._pick_up(seat, up)
        elif kind in ("turn", "flip"):
            (self.downs[seat] if kind == "turn" else self.stock).remove(cards[0])
            if self.may_play(cards[0][0]):
                self._lay(seat, cards)
            else:
                self._pick_up(seat, cards)
        else:
            for card in cards:
                self.hands[seat].remove(card)
            for card in up:
                self.ups[seat].remove(card)
            if kind == "follow":
                assert last is not None
                self.direction = last["direction"]
                self._lay(seat, cards, earlier=last["count"], from_hand=True)
            else:
                self._lay(seat, cards + up, from_hand=bool(cards))

    def _first_card_acts(self) -> None:
        if not (self.options["first-card-acts"] and self.first_is_turned and self.pile):
            return
        power = self.power(self.pile[0][0])
        if power == "burns":
            self.burnt, self.pile, self.first_is_turned = self.pile, [], False
        elif power == "skip":
            self.turn = self.after(self.turn)
        elif power == "reverse":
            self.direction = -self.direction

    def _pick_up(self, seat: int, extra: list[str]) -> None:
        had_pile = bool(self.pile)
        self.hands[seat] += self.pile + extra
        self.pile, self.first_is_turned, self.lead = [], False, 0
        self.turn = seat if had_pile and self.options["after-pick-up"] == "picker" else self.after(seat)

    def _lay(self, seat: int, cards: list[str], earlier: int = 0, from_hand: bool = False) -> None:
        rank = cards[0][0]
        before = self.direction
        still_in = len(self.in_play())
        self.pile += cards
        self.lead = 0
        drawn = []
        while from_hand and self.stock and len(self.hands[seat]) < self.options["hand-size"]:
            drawn.append(self.stock.pop())
            self.hands[seat].append(drawn[-1])
        if not (self.hands[seat] or self.ups[seat] or self.downs[seat]):
            self.out.append(seat)
        burns_itself = self.power(rank) == "burns"
        burn = burns_itself or (self.four_may_burn(rank) and self.top_run() >= 4)
        if burn:
            self.burnt += self.pile
            self.pile, self.first_is_turned = [], False
        if len(self.in_play()) <= 1:
            self.over, self.turn = True, -1
            return
        if burn and seat in self.out:
            self.turn = self.after(seat)
        elif burn:
            self.turn = seat
            value = ORDER.index(rank) + 2
            if burns_itself:
                self.lead = value if self.options["lead-after-ten"] == "at-least" else 0
            elif self.options["lead-after-four"] == "higher" and self.power(rank) != "resets":
                self.lead = value + 1
        else:
            self._pass_on(seat, rank, len(cards) + earlier, still_in)
            if self.options["follow-up"] and self.turn != seat and seat not in self.out:
                count = len(cards) + earlier
                self.last = {"seat": seat, "rank": rank, "count": count, "direction": before, "drawn": drawn}

    def _pass_on(self, seat: int, rank: str, count: int, still_in: int) -> None:
        skips = count if self.power(rank) == "skip" else 0
        if self.power(rank) == "reverse":
            if still_in == 2:
                skips = count if self.options["reverse-for-two"] == "skip" else 0
            else:
                for _ in range(count):
                    self.direction = -self.direction
        self.turn = self.after(seat)
        for _ in range(skips):
            if not self.options["skip-self"] and self.turn == seat:
                self.turn = self.after(self.turn)
            self.turn = self.after(self.turn)
        if skips and not self.options["skip-self"] and self.turn == seat:
            self.turn = self.after(self.turn)

    def loser(self) -> int | None:
        return self.in_play()[0] if self.over and self.in_play() else None


def perft(game: Reference, depth: int) -> int:
    """How many sequences of ``depth`` moves there are."""
    if depth == 0:
        return 1
    total = 0
    for move in game.legal():
        after = deepcopy(game)
        after.do(move)
        total += perft(after, depth - 1)
    return total
