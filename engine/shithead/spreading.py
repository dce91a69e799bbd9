"""The cards that lie spread on the table: the deal, the exchange before the first play, and upcards read again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.cards import Card
from engine.shithead.belief import Happened, Hypothesis, Said, Step, Verdict
from engine.shithead.dealing import deal_seen, lowest_upcard, who_starts
from engine.shithead.events import Deal, Event, Exchange, Reading, Source, Upcards
from engine.shithead.happening import nothing
from engine.shithead.likely import Whereabouts, best_faces
from engine.shithead.moves import Kind, Move
from engine.shithead.play import ImpossibleMove, apply
from engine.shithead.refusal import why_not
from engine.shithead.rules import RuleError
from engine.shithead.standing import pended
from engine.shithead.state import Phase, State
from engine.zones import Zone, without

OTHER_UPCARDS: Final = 0.05
"""Upcards that are not what they should be: somebody misread before, or something happened unseen."""
LIFTED: Final = 0.03
"""Upcards that are seen to be gone and to lie nowhere: likelier they were played just before, or are played next."""
READ_ANEW: Final = 0.9
"""How sure the camera must be of a rank before it changes what was known of an upcard."""


def dealt(hypothesis: Hypothesis, event: Deal) -> Iterator[Hypothesis]:
    """The deal as it lies. Raises RuleError for one that the rules do not deal."""
    before = hypothesis.state
    if before.phase not in (Phase.SET_UP, Phase.EXCHANGE):
        yield nothing(hypothesis, event, "already-started")
        return
    state, unread = read_deal(before, event)
    notes = [Said("deal-unclear", (("player", seat), ("count", count))) for seat, count in unread.items()]
    if state.pile.known:
        notes.append(Said("first-card", (("rank", state.pile.known[-1].rank),)))
    elif state.rules.turned and event.first is not None:
        notes.append(Said("first-unclear"))
    notes.append(who_leads(state))
    step = Step(event, Verdict.ACCEPTED, tuple(notes))
    watched = event.source if event.draws else None
    yield Hypothesis(state, hypothesis.undrawn, hypothesis.weight, step, watched=watched, path=hypothesis.path)


def who_leads(state: State) -> Said:
    """What is said of who plays first."""
    if len(state.starters) == 1:
        return Said("plays-first", (("player", state.starters[0]),))
    lowest = lowest_upcard([player.up.known for player in state.players], state.dealer)
    if lowest is None:
        return Said("claim-first")
    return Said("claim-lower", (("player", lowest[0]), ("rank", lowest[1])))


def read_deal(before: State, event: Deal) -> tuple[State, dict[int, int]]:
    """The state after a deal, and how many upcards of each seat are too doubtful to be taken as read."""
    rules = before.rules
    players = len(before.players)
    number = 6 if rules.deal == "six-up" else 3
    for seat, cards in event.upcards.items():
        if len(cards) > number:
            raise RuleError(f"{len(cards)} upcards for one player: {number} are dealt")
        if seat >= players:
            raise RuleError(f"there is no seat {seat}")
    if event.first is not None and not rules.turned:
        raise RuleError(f"{rules.name} turns no first card")
    dealer = before.dealer if event.dealer is None else event.dealer
    blank = State(rules, before.players, Zone((), rules.deck_size))
    where = Whereabouts(blank, blank.stock)
    order = sorted(event.upcards)
    readings: list[Reading] = [reading for seat in order for reading in event.upcards[seat]]
    faces = list(best_faces([*readings, *([event.first] if event.first is not None else [])], where))
    upcards: list[list[Card | None]] = [[None] * number for _ in range(players)]
    unread: dict[int, int] = {}
    for seat in order:
        for index, reading in enumerate(event.upcards[seat]):
            face = faces.pop(0)
            upcards[seat][index] = face
            if face is None and reading.faces:
                unread[seat] = unread.get(seat, 0) + 1
    first = faces.pop(0) if faces else None
    leads = before.starters[0] if before.phase is Phase.SET_UP and before.starters else None
    return deal_seen(rules, upcards, first, dealer=dealer, leads=leads), unread


def exchanged(hypothesis: Hypothesis, event: Exchange | Upcards) -> Iterator[Hypothesis]:
    """Before the first play: a seat's upcards are these now."""
    state = hypothesis.state
    if state.phase is not Phase.EXCHANGE:
        yield from upcards_now(hypothesis, Upcards(seat=event.seat, cards=event.cards))
        return
    player = state.players[event.seat]
    both = Zone(player.up.known + player.hand.known, player.up.unknown + player.hand.unknown)
    cards = event.cards
    if event.source is Source.CAMERA and len(cards) > player.up.size:
        # One of them was seen twice: the ones that were read worst are left out.
        clear = sorted(cards, key=lambda reading: max(reading.ranks.values(), default=0.0))[
            len(cards) - player.up.size :
        ]
        cards = tuple(reading for reading in cards if reading in clear)[: player.up.size]
    faces = best_faces(cards, _where(hypothesis, both))
    if event.source is Source.CAMERA and len(cards) < player.up.size:
        yield _partly(hypothesis, event, [face for face in faces if face is not None])
        return
    up = _completed(faces, player.up)
    if len(up) != player.up.size:
        yield nothing(hypothesis, event, "deal-unclear", player=event.seat, count=max(1, player.up.size - len(up)))
        return
    if sorted(up, key=str) == sorted(player.up.known, key=str):
        yield nothing(hypothesis, event, "already-said")
        return
    move = Move(Kind.EXCHANGE, event.seat, (), up)
    sure = Exchange(seat=event.seat, cards=tuple(Reading.of(card) for card in up))
    why = why_not(state, move)
    if why is not None:
        yield pended(hypothesis, move, why, sure)
        return
    try:
        after = apply(state, move)
    except ImpossibleMove:
        return
    notes: tuple[Happened | Said, ...] = (Happened(state, move, after),)
    if player.up.unknown:
        # They were not read when they were dealt: who plays first is known only now.
        after = _starting(state, after)
        notes = (who_leads(after),)
    yield hypothesis._replace(state=after, pending=None, step=Step(sure, Verdict.ACCEPTED, notes))


def _partly(hypothesis: Hypothesis, event: Exchange | Upcards, faces: Sequence[Card]) -> Hypothesis:
    """Upcards before the first play of which some could not be seen: these are there, the others are not known."""
    state = hypothesis.state
    player = state.players[event.seat]
    new = without(tuple(faces), player.up.known)
    hand = Zone(without(player.hand.known, new), 0)
    hand = Zone(hand.known, player.hand.size - len(hand.known))
    player = player._replace(
        hand=hand, up=Zone(tuple(faces), player.up.size - len(faces)), shown=without(player.shown, new)
    )
    state = replace(state, players=(*state.players[: event.seat], player, *state.players[event.seat + 1 :]))
    said = Said("deal-unclear", (("player", event.seat), ("count", player.up.unknown)))
    sure = Exchange(seat=event.seat, cards=tuple(Reading.of(card) for card in faces))
    return hypothesis._replace(state=state, pending=None, step=Step(sure, Verdict.ACCEPTED, (said,)))


def _starting(before: State, after: State) -> State:
    """``after`` with those who may start by the upcards that are known now; who leads by the last game stays."""
    then, now = (
        who_starts(one.rules, [player.up.known + player.shown for player in one.players], one.dealer, None)
        for one in (before, after)
    )
    return after if before.starters != then else replace(after, starters=now, open_start=len(now) > 1)


def _completed(faces: Sequence[Card | None], now: Zone) -> tuple[Card, ...]:
    """The faces as read; where a card or its suit could not be read, an upcard that is there already and not read
    elsewhere."""
    left = [card for card in now.known if card not in faces]
    up: list[Card | None] = []
    for face in faces:
        stayed = face if face is None or face.suit else next((card for card in left if card.rank is face.rank), face)
        if stayed in left:
            left.remove(stayed)
        up.append(stayed)
    return tuple(face or left.pop(0) for face in up if face is not None or left)


def upcards_now(hypothesis: Hypothesis, event: Upcards) -> Iterator[Hypothesis]:
    """A seat's upcards were read again: as they should be, or some were played or picked up, or were misread before."""
    state = hypothesis.state
    if state.phase is Phase.EXCHANGE:
        yield from exchanged(hypothesis, event)
        return
    if state.phase is not Phase.PLAY:
        yield nothing(hypothesis, event, "game-is-over")
        return
    player = state.players[event.seat]
    up = player.up
    pending = hypothesis.pending
    if pending is not None and pending.move is not None and pending.move.seat == event.seat and pending.move.up:
        up = up.take(pending.move.up) if up.may_hold(pending.move.up) else up
    faces = [face for face in best_faces(event.cards, _where(hypothesis, _any(player.up, event))) if face is not None]
    number = len(event.cards)
    missing = without(up.known, faces)
    new = without(tuple(faces), up.known)
    if number == up.size and len(new) <= up.unknown:
        if not new:
            yield nothing(hypothesis, event, "already-said")
            return
        known = up.known + new
        yield _read(hypothesis, event, up, Zone(known, up.size - len(known)), 1.0)
    elif number == up.size:
        sure = all(max(reading.ranks.values(), default=0.0) >= READ_ANEW for reading in event.cards)
        if event.source is Source.PERSON or sure:
            yield _read(hypothesis, event, up, Zone(tuple(faces), number - len(faces)), OTHER_UPCARDS)
        else:
            yield nothing(hypothesis._replace(weight=hypothesis.weight * OTHER_UPCARDS), event, "nothing")
    elif number < up.size and len(missing) <= up.size - number + up.unknown:
        one = nothing(hypothesis._replace(weight=hypothesis.weight * LIFTED), event, "nothing")
        yield one._replace(lifted=(event.seat, missing)) if missing else one
    else:
        yield nothing(hypothesis._replace(weight=hypothesis.weight * OTHER_UPCARDS), event, "nothing")


def _where(hypothesis: Hypothesis, source: Zone) -> Whereabouts:
    """Where the cards are, those too that lie on the pile and are still to be ruled on."""
    where = Whereabouts(hypothesis.state, source)
    pending = hypothesis.pending
    if pending is not None and pending.move is not None:
        where.elsewhere += [card for card in pending.move.cards if card not in (*where.elsewhere, *source.known)]
    return where


def _any(up: Zone, event: Upcards) -> Zone:
    """The upcards as a place where a card may also be another one than was known."""
    return Zone(up.known, max(up.unknown, len(event.cards)))


def _read(hypothesis: Hypothesis, event: Event, before: Zone, now: Zone, weight: float) -> Hypothesis:
    """Upcards that lay as ``before`` are ``now``; those that lie on the pile, still to be ruled on, stay the seat's."""
    assert isinstance(event, Upcards)
    state = hypothesis.state
    whole = state.players[event.seat].up
    up = Zone(now.known + without(whole.known, before.known), now.unknown + whole.unknown - before.unknown)
    player = state.players[event.seat]._replace(up=up)
    players = (*state.players[: event.seat], player, *state.players[event.seat + 1 :])
    said = Said("upcards-read", (("player", event.seat), ("cards", now.known)))
    return hypothesis._replace(
        state=replace(state, players=players),
        weight=hypothesis.weight * weight,
        step=Step(event, Verdict.ACCEPTED, (said,)),
    )
