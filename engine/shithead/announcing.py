"""From what happened to what is said: the messages of a step, and the words for an event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.cards import Rank
from engine.shithead.belief import Happened, Hypothesis, Pending, Said, Verdict
from engine.shithead.events import (
    Burn,
    Deal,
    Downcards,
    Drawn,
    Event,
    Exchange,
    Flipped,
    Gone,
    Laid,
    PickUp,
    Show,
    Start,
    Stock,
    TakeBack,
    Turned,
    Upcards,
)
from engine.shithead.moves import Kind, Move
from engine.shithead.options import Power
from engine.shithead.play import next_seat
from engine.shithead.state import Phase, State
from engine.shithead.words import COUNT_WORDS, RANK_WORDS, Message, listed, message, reason

Names = Sequence[str]


def messages(hypothesis: Hypothesis, players: Names) -> list[Message]:
    """What is to be said of the last step, in order."""
    step = hypothesis.step
    said: list[Message] = []
    if step.verdict is Verdict.ILLEGAL and hypothesis.pending is not None:
        said += refusal(hypothesis.state, hypothesis.pending, players)
    for note in step.notes:
        if isinstance(note, Said):
            said.append(spoken(note, players))
        else:
            said += happened(note, players)
    return said


def spoken(note: Said, players: Names) -> Message:
    """The message for something to say beside."""
    parameters = dict(note.parameters)
    seat = parameters.get("player")
    if isinstance(seat, int):
        parameters["player"] = players[seat]
    return message(note.code, **parameters)


def refusal(state: State, pending: Pending, players: Names) -> list[Message]:
    """What cannot be done, and why not: "Ann cannot play 4", "4 is lower than 9"."""
    move = pending.move
    seat = state.turn if move is None else move.seat
    if move is not None and move.kind is Kind.PICK_UP:
        what = message("illegal-pick-up", player=players[seat])
    elif move is not None and move.rank is not None and move.kind in (Kind.PLAY, Kind.TURN):
        what = message("illegal", player=players[seat], rank=move.rank)
    else:
        what = message("illegal-other", player=players[seat] if seat >= 0 else "")
    return [what, reason(pending.why, players)]


def happened(note: Happened, players: Names) -> Iterator[Message]:
    """What a move was, what it did, and whose turn it is."""
    before, move, after = note
    name = players[move.seat]
    yield from _made(before, move, after, name)
    rank = move.rank
    played = move.kind in (Kind.PLAY, Kind.COMPLETE, Kind.FOLLOW) or (
        move.kind in (Kind.TURN, Kind.FLIP) and not _collected(before, after, move.seat)
    )
    if played and rank is not None:
        yield from _effects(before, move, after, rank, players)
    for place, seat in enumerate(after.out[len(before.out) :], len(before.out)):
        yield message("goes-out", player=players[seat])
        if place == 0 and after.rules.play_for == "winner":
            yield message("wins", player=players[seat])
    yield from ending(before, after, players)
    if after.phase is Phase.PLAY and move.kind not in (Kind.DRAW, Kind.EXCHANGE):
        again = after.turn == move.seat and move.kind is not Kind.START
        if move.kind is not Kind.START:
            yield message("again" if again else "turn", player=players[after.turn])
        if after.turns == after.rules.turn_limit:
            yield message("may-call")


def ending(before: State, after: State, players: Names) -> Iterator[Message]:
    """Who lost, once the game is over."""
    outcome = after.outcome
    if outcome is None or before.phase is Phase.OVER:
        return
    if outcome.called:
        yield message("called")
    if outcome.loser is not None:
        yield message("loses", player=players[outcome.loser])
        if after.rules.forfeit:
            yield message("owes", player=players[outcome.loser], forfeit=after.rules.forfeit)
    elif outcome.tied:
        yield message("tied", players=[players[seat] for seat in outcome.tied])


def _made(before: State, move: Move, after: State, name: str) -> Iterator[Message]:
    laid, rank = move.laid, move.rank
    if move.kind is Kind.PICK_UP:
        count = before.pile.size + len(move.up)
        if move.up:
            yield message("picked-up-with", player=name, count=count, card=move.up[0])
        else:
            yield message("picked-up", player=name, count=count)
    elif move.kind is Kind.PASS:
        yield message("passed", player=name)
    elif move.kind is Kind.START:
        yield message("plays-first", player=name)
    elif move.kind is Kind.EXCHANGE:
        yield message("exchanged", player=name)
    elif move.kind is Kind.DRAW:
        yield message("drew", player=name, count=move.number)
    elif rank is None:
        return
    elif move.kind is Kind.COMPLETE:
        yield message("completed-out-of-turn", player=name)
    elif move.kind is Kind.FOLLOW:
        yield message("followed", player=name, rank=rank)
    elif move.kind in (Kind.TURN, Kind.FLIP):
        yield message("turned" if move.kind is Kind.TURN else "flipped", player=name, rank=rank)
        if _collected(before, after, move.seat):
            yield message("does-not-fit", player=name)
    else:
        yield message("played", player=name, rank=rank, count=len(laid), cards=list(laid))


def _collected(before: State, after: State, seat: int) -> bool:
    """Whether the card just turned went to the hand, with the pile."""
    return after.players[seat].hand.size > before.players[seat].hand.size


def _effects(before: State, move: Move, after: State, rank: Rank, players: Names) -> Iterator[Message]:
    rules = before.rules
    table = rules.table
    limit = before.answer
    if table.burns[rank] and limit is not None and table.limits[limit]:
        yield message("ten-on-limit", rank=rank, other_rank=limit)
    if after.burnt.size > before.burnt.size:
        yield message("burns" if table.burns[rank] else "burns-four", rank=rank)
        return
    if table.transparent[rank] and after.phase is Phase.PLAY:
        through = after.answer
        if through is None:
            yield message("looks-through-nothing", rank=rank)
        else:
            yield message("looks-through", rank=rank, other_rank=through)
    elif table.skips[rank] and after.phase is Phase.PLAY:
        skipped = _skipped(after, move.seat, len(move.laid))
        if skipped:
            yield message("skips", players=[players[seat] for seat in skipped])
    elif table.reverses[rank]:
        if after.direction != before.direction:
            yield message("reverses")
        elif len(before.playing) == 2 and rules.powers[rank] is Power.REVERSE and rules.reverse_for_two == "no-change":
            yield message("reverses-nothing")


def _skipped(after: State, seat: int, count: int) -> list[int]:
    """Who is passed over between the seat that skipped and the one to move."""
    out = after.out if after.rules.skip_self else (*after.out, seat)
    skipped, here = [], seat
    for _ in range(count):
        here = next_seat(after, here, out=out)
        skipped.append(here)
    return list(dict.fromkeys(skipped))


def describe(event: Event, players: Names) -> str:
    """An event in a few words: "Ann: two 7s"."""
    match event:
        case Laid():
            return _of(event.seat, _cards(event), players)
        case Turned():
            return _of(event.seat, f"turned {_rank(event)}", players)
        case Flipped():
            return _of(event.seat, f"turned {_rank(event)} from the stock", players)
        case PickUp():
            along = f" with {event.card}" if event.card is not None else ""
            return _of(event.seat, f"picked up{along}", players)
        case Gone():
            return "the pile has gone"
        case Burn():
            return "the pile is burnt"
        case TakeBack():
            return "taken back"
        case Stock():
            return "the stock is empty" if event.left == 0 else "the stock still lies there"
        case Downcards():
            return _of(event.seat, f"downcards: {event.left}", players)
        case Drawn():
            return _of(event.seat, "drew", players)
        case Exchange() | Upcards():
            return _of(event.seat, f"upcards {' '.join(str(card) for card in event.cards)}", players)
        case Start():
            return _of(event.seat, "plays first", players)
        case Deal():
            return "the deal"
        case Show():
            return "nothing"
        case _:
            return event.kind


def _of(seat: int | None, what: str, players: Names) -> str:
    return what if seat is None else f"{players[seat]}: {what}"


def _rank(event: Turned | Flipped) -> str:
    card = event.card.card
    return "a card" if card is None else RANK_WORDS[card.rank]


def _cards(event: Laid) -> str:
    ranks = [card.rank for card in (reading.card for reading in event.cards) if card is not None]
    if not ranks:
        return "a card"
    if len(set(ranks)) > 1:
        return listed([RANK_WORDS[rank] for rank in ranks])
    number = max(event.count, key=event.count.__getitem__) if event.count else len(event.cards)
    word = RANK_WORDS[ranks[0]]
    if number == 1:
        return word
    return f"{COUNT_WORDS[number] if number < len(COUNT_WORDS) else number} {word}s"
