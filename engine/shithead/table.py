"""What may be played on what, worked out once per rule set.

A set of ranks is a bit mask here, bit ``rank`` for each rank: testing a hand against the pile is one ``&``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.cards import Rank
from engine.shithead.options import ACTING, LIMITS, Power

if TYPE_CHECKING:
    from engine.shithead.rules import RuleSet

NOTHING: Final = 0
"""Stands for a rank where there is nothing to answer."""
EVERY: Final = sum(1 << rank for rank in Rank)


def ranks_in(mask: int) -> tuple[Rank, ...]:
    """The ranks of a mask, lowest first."""
    return tuple(rank for rank in Rank if mask >> rank & 1)


class Table:
    """The look-up tables of a rule set.

    ``on[top]`` is the mask of ranks that may be played when ``top`` must be answered (:data:`NOTHING` where nothing
    must). ``lead[low]`` is the mask of ranks that meet a lead restriction "at least ``low``"; 0 is none, 15 asks for
    more than an ace. ``fixed`` are the ranks that go on anything but perhaps a limit.
    """

    def __init__(self, rules: RuleSet) -> None:
        powers = rules.powers
        anything = {Power.RESETS, Power.INVISIBLE, Power.BURNS}
        self.fixed: int = sum(1 << rank for rank in Rank if rank is Rank.JOKER or powers[rank] in anything)
        self.on: tuple[int, ...] = tuple(
            EVERY if top < Rank.TWO else sum(1 << rank for rank in Rank if _goes_on(rules, rank, Rank(top)))
            for top in range(16)
        )
        always = self.fixed if rules.lead_specials else 0
        self.lead: tuple[int, ...] = tuple(
            EVERY if low == 0 else always | sum(1 << rank for rank in Rank if low <= rank < Rank.JOKER)
            for low in range(16)
        )
        self.on_sets: tuple[frozenset[Rank], ...] = tuple(frozenset(ranks_in(mask)) for mask in self.on)
        self.lead_sets: tuple[frozenset[Rank], ...] = tuple(frozenset(ranks_in(mask)) for mask in self.lead)
        """The same as sets, which are quicker to ask for a single rank."""
        self.transparent: tuple[bool, ...] = tuple(power is Power.INVISIBLE for power in powers)
        self.opaque: tuple[bool, ...] = tuple(
            not transparent and rank != Rank.JOKER for rank, transparent in enumerate(self.transparent)
        )
        self.limits: tuple[bool, ...] = tuple(power in LIMITS for power in powers)
        self.burns: tuple[bool, ...] = tuple(power is Power.BURNS for power in powers)
        self.skips: tuple[bool, ...] = tuple(power is Power.SKIP for power in powers)
        self.reverses: tuple[bool, ...] = tuple(power is Power.REVERSE for power in powers)
        self.fours: tuple[bool, ...] = tuple(
            rules.four_burns and Rank.TWO <= rank < Rank.JOKER and (rules.four_specials or powers[rank] is Power.PLAIN)
            for rank in range(16)
        )
        """Whether four of this rank burn. Jokers have no rank to be four of."""
        self.most: tuple[int, ...] = tuple(
            1
            if rank == Rank.JOKER or rules.sets == "one" or (powers[rank] is Power.BURNS and not rules.ten_sets)
            else 99
            for rank in range(16)
        )
        """How many of this rank may be played together."""


def _goes_on(rules: RuleSet, rank: Rank, top: Rank) -> bool:
    power, below = rules.powers[rank], rules.powers[top]
    if below is Power.RESETS or top is Rank.JOKER:
        return True
    limit = below in LIMITS
    in_order = rank is not Rank.JOKER and (
        rank < top if below is Power.UNDER else rank <= top if below is Power.AT_MOST else rank >= top
    )
    if below is Power.SHOOTING:
        in_order = rank is top
    if rank is Rank.JOKER or power in (Power.RESETS, Power.INVISIBLE):
        return in_order or not limit or rules.specials_on_seven
    if power is Power.BURNS:
        return in_order or not limit or rules.ten_on_seven
    return in_order or (power in ACTING and rules.acting == "free")
