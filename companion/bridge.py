"""From what was seen to what the referee is told: an observation of ``vision`` becomes at most one event of ``engine``.

Nothing is decided here. Likelihoods, counts and the seat that the evidence points to are handed on as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from engine.shithead import downcards, events
from engine.shithead.events import Event, Reading, Source
from engine.shithead.game import Game
from engine.shithead.state import Phase
from engine.shithead.stocktaking import matters
from vision.types import Observation, Seen, Sighting

STATUS_ONLY: Final = frozenset({Seen.SQUARED, Seen.HAND, Seen.NUDGED, Seen.CAMERA})
"""Observations that change what the screens say of the camera, never the game."""
SURELY_OVER: Final = 0.995
"""How likely it must be that a game is over before the camera is no longer listened to: a card may have been counted
wrongly, and then somebody plays on."""


def heard(game: Game, observation: Observation) -> Event | None:
    """The event that an observation tells a game; None where the game has no use for it."""
    phase = game.state.phase
    if phase is Phase.OVER and game.belief.sure > SURELY_OVER:
        return None
    if observation.kind is Seen.DEAL and phase is not Phase.SET_UP:
        return None  # the watching began anew in mid-game, and the camera found its bearings
    if observation.kind is Seen.STOCK_LIES and not matters(game.belief, None if observation.present else 0):
        return None
    event = event_of(observation, exchanging=phase is Phase.EXCHANGE)
    if isinstance(event, events.Downcards) and not downcards.matters(game.belief, event):
        return None
    return event


def is_evidence(event: Event) -> bool:
    """Whether an event is no more than evidence: how the camera saw the stock or some downcards lie. It is no move,
    nobody is told of it, and no list of plays has it. What a person says of them stands in the list."""
    return isinstance(event, (events.Stock, events.Downcards)) and event.source is Source.CAMERA


def event_of(observation: Observation, *, exchanging: bool) -> Event | None:
    """The event that an observation speaks of; None where it is none of the game's business.

    ``exchanging`` says whether the players are still exchanging cards before the first play: changed upcards are an
    exchange then, and something that was played or picked up later.
    """
    made = _event_of(observation, exchanging)
    if made is None:
        return None
    return _stamped(made, observation)


def _event_of(observation: Observation, exchanging: bool) -> Event | None:
    seat, score = observation.seat, observation.seat_score if observation.seat is not None else 1.0
    cards = readings(observation.cards)
    match observation.kind:
        case Seen.DEAL:
            upcards = {index: readings(row) for index, row in enumerate(observation.upcards) if row}
            return events.Deal(upcards=upcards, first=cards[0] if cards else None)
        case Seen.LAID if cards:
            return events.Laid(cards=cards, seat=seat, seat_score=score, count=_counts(observation))
        case Seen.LIFTED:
            return events.TakeBack()
        case Seen.GONE:
            return events.Gone(left=observation.left, aside=observation.aside, seat=seat, seat_score=score)
        case Seen.UPCARDS if seat is not None:
            return events.Exchange(seat=seat, cards=cards) if exchanging else events.Upcards(seat=seat, cards=cards)
        case Seen.TURNED if cards:
            return events.Turned(card=cards[0], seat=seat, seat_score=score)
        case Seen.STOCK:
            return events.Drawn(seat=seat, seat_score=score)
        case Seen.STOCK_LIES:
            return events.Stock(left=None if observation.present else 0)
        case Seen.DOWNCARDS if seat is not None:
            return events.Downcards(seat=seat, left=observation.left)
        case _:
            return None


def readings(sightings: Iterable[Sighting]) -> tuple[Reading, ...]:
    """What was seen of some cards, as the referee weighs it."""
    return tuple(Reading.weigh(sighting.likelihoods) for sighting in sightings)


def _counts(observation: Observation) -> dict[int, float]:
    counts = {number: p for number, p in observation.counts.items() if number >= 1 and p > 0}
    total = sum(counts.values())
    if not total or (len(counts) == 1 and len(observation.cards) in counts):
        return {}
    return {number: p / total for number, p in sorted(counts.items())}


def _stamped(event: Event, observation: Observation) -> Event:
    return replace(event, at=observation.at, source=Source.CAMERA, confidence=confidence(observation))


def confidence(observation: Observation) -> float:
    """How sure the camera is that it happened, and of the ranks: the least of the likeliest ranks' probabilities."""
    seen = [*observation.cards, *(sighting for row in observation.upcards for sighting in row)]
    least = observation.confidence
    for sighting in seen:
        ranks: dict[int, float] = {}
        for card, p in sighting.likelihoods.items():
            ranks[card.rank] = ranks.get(card.rank, 0.0) + p
        least = min(least, max(ranks.values(), default=0.0))
    return round(min(1.0, least), 4)


def seating(
    seats: Sequence[tuple[float, float]], players: Sequence[tuple[float | None, float | None]]
) -> tuple[int, ...]:
    """Which player sits at each seat that the camera found: the one who is nearest to it in the picture, everybody
    once. Where places are not known (or their numbers differ) seat and player have the same number."""
    known = [(x, y) for x, y in players if x is not None and y is not None]
    if len(known) != len(players) or len(seats) != len(players):
        return tuple(range(len(seats)))
    pairs = sorted(
        ((sx - px) ** 2 + (sy - py) ** 2, seat, player)
        for seat, (sx, sy) in enumerate(seats)
        for player, (px, py) in enumerate(known)
    )
    order: dict[int, int] = {}
    for _, seat, player in pairs:
        if seat not in order and player not in order.values():
            order[seat] = player
    return tuple(order[seat] for seat in range(len(seats)))


def reseat(observation: Observation, order: Sequence[int]) -> Observation:
    """The observation with seats numbered as the players are. A seat that nobody sits at is no evidence."""
    seat = observation.seat
    if seat is not None:
        seat = order[seat] if seat < len(order) else None
    upcards: dict[int, tuple[Sighting, ...]] = {
        order[index]: row for index, row in enumerate(observation.upcards) if index < len(order)
    }
    rows = tuple(upcards.get(player, ()) for player in range(max(upcards, default=-1) + 1))
    return replace(observation, seat=seat, upcards=rows)
