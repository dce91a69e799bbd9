"""What an event that is still in doubt may have been, as it is offered to people to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Card, Rank
from engine.shithead.belief import SURE, Belief, Hypothesis
from engine.shithead.events import Event, Laid

Chance = tuple[Event, float, Hypothesis]
"""What an event may have been, how likely, and the likeliest hypothesis in which it was."""


def offered(belief: Belief, seq: int) -> list[Chance]:
    """What event ``seq`` may have been, likeliest first, without what can be left aside: where who played and what is
    as good as sure, the counts alone are in doubt. A choice is given by its place here."""
    chances = belief.chances(seq)
    if not chances:
        return []
    first = chances[0][0]
    counts = [chance for chance in chances if only_count([first, chance[0]]) or chance[0] == first]
    return counts if len(counts) > 1 and sum(p for _, p, _ in counts) >= SURE else chances


def only_count(events: Sequence[Event]) -> bool:
    """Whether the readings differ in nothing but the number of cards."""
    plays = [event for event in events if isinstance(event, Laid)]
    return (
        len(events) > 1
        and len(plays) == len(events)
        and len({(event.seat, tuple(ranks(event))) for event in plays}) == 1
        and len({len(event.cards) for event in plays}) == len(plays)
    )


def ranks(event: Event) -> list[Rank]:
    """The rank of a play, in a list; empty where it is none or not known."""
    if not isinstance(event, Laid):
        return []
    return [card.rank for card in (reading.card for reading in event.cards) if card is not None][:1]


def whole_play(hypothesis: Hypothesis, seq: int) -> tuple[Card, ...]:
    """The cards of the play that event ``seq`` belongs to, as the table sees it by now: with those that were laid
    before, if it added to a set, and since. Empty where it is no such play."""
    steps = list(hypothesis.path or ())[::-1]
    at = next((index for index, one in enumerate(steps) if one.seq == seq), None)
    if at is None or not isinstance(steps[at].event, Laid):
        return ()
    own = _cards(steps[at].event)
    cards, total = own, steps[at].laid
    for one in reversed(steps[:at]):
        if len(cards) < total and isinstance(one.event, Laid) and ranks(one.event) == ranks(steps[at].event):
            cards = _cards(one.event) + cards
    if len(cards) != total:
        return own
    for one in steps[at + 1 :]:
        if isinstance(one.event, Laid):
            if one.laid != total + len(one.event.cards):
                break
            cards, total = cards + _cards(one.event), one.laid
    return cards


def _cards(event: Event) -> tuple[Card, ...]:
    assert isinstance(event, Laid)
    return tuple(card for card in (reading.card for reading in event.cards) if card is not None)
