"""What speaks against a correction: that it cannot be with the cards as they are known, or what becomes of later plays.

Nothing here knows a rule: the fold is asked what it makes of the line with the correction, and of the one without.
"""

from __future__ import annotations

from typing import Final

from engine.cards import Rank
from engine.log import Entry, question_seq
from engine.shithead.announcing import describe, refusal
from engine.shithead.belief import Hypothesis, Verdict
from engine.shithead.events import EDITS, SHOWING, Answer, Correct, Event, Flipped, Insert, Laid, Show, Turned
from engine.shithead.folding import step
from engine.shithead.game import Game
from engine.shithead.legal import playing_from
from engine.shithead.likely import Whereabouts
from engine.shithead.state import Phase
from engine.shithead.words import Message, message

MOST: Final = 3
"""Later plays that are named: where there are more, the correction is wrong, or the whole game is."""


def misfits(before: Game, after: Game, edit: Event) -> list[Message]:
    """What speaks against the ``edit``, or the play, that made ``after`` of ``before``; empty where nothing does.

    That a play is now illegal is told only where others follow: the last one is pending, as any illegal play is.
    """
    seq = said_anew(after, edit)
    index = next((i for i, one in enumerate(after.line) if one.seq == seq), None)
    said: list[Message] = []
    if index is not None:
        said += _impossible(after, index)
        if not said and index < len(after.line) - 1:
            said += _illegal(before, after, index)
    return said + _later(before, after, seq)


def said_anew(after: Game, edit: Event) -> int | None:
    """The number of the play that an event says in a person's own words; None where it takes back or chooses."""
    if isinstance(edit, Insert) or not isinstance(edit, EDITS):
        return after.seq
    if isinstance(edit, Correct) and edit.event is not None:
        return edit.seq
    if isinstance(edit, Answer) and isinstance(edit.choice, Event):
        return question_seq(edit.question)
    return None


def is_taken(game: Game, seq: int) -> bool:
    """Whether the game makes anything of an event; what nothing explains has no effect."""
    return seq in _taken(game)


def _taken(game: Game) -> dict[int, Event]:
    """What every event is taken for, as far as is known now."""
    return {one.seq: one.event for one in game.belief.top.path or ()}


def _impossible(after: Game, index: int) -> list[Message]:
    """Whether the play can be with the cards as they are known, without anybody insisting."""
    entry = after.line[index]
    here = after.beliefs[index]
    plain = step(here, entry.seq, entry.event).top
    if plain.path is not None and plain.path.seq == entry.seq and _fits(entry.event, plain.step.event):
        return []
    most = _at_most(here.top, entry.event)
    return [
        _most_said(after, here.top, entry.event, most)
        or message("cannot-be", what=describe(entry.event, after.players))
    ]


def _at_most(hypothesis: Hypothesis, event: Event) -> int | None:
    """How many cards of its rank the play can have had; None where that is not what speaks against it."""
    state = hypothesis.state
    seat = _seat(hypothesis, event)
    if not isinstance(event, Laid) or seat is None or state.phase is not Phase.PLAY:
        return None
    player = state.players[seat]
    source = {"up": player.up, "down": player.down}.get(playing_from(state, seat), player.hand)
    rank = likeliest_rank(event)
    most = None if rank is None else Whereabouts(state, source).capacity(rank)
    return most if most is not None and most < min(event.numbers) else None


def _most_said(game: Game, hypothesis: Hypothesis, event: Event, most: int | None) -> Message | None:
    seat, rank = _seat(hypothesis, event), likeliest_rank(event)
    if most is None or seat is None or rank is None:
        return None
    if not most:
        return message("has-none", player=game.players[seat], rank=rank)
    return message("has-at-most", player=game.players[seat], rank=rank, count=most)


def _illegal(before: Game, after: Game, index: int) -> list[Message]:
    """Why the play is against the rules, where it was not before."""
    top = after.beliefs[index + 1].top
    if top.pending is None or _verdicts(before).get(after.line[index].seq) is Verdict.ILLEGAL:
        return []
    return refusal(top.state, top.pending, after.players)


def _later(before: Game, after: Game, seq: int | None) -> list[Message]:
    """The plays that fitted, and no longer do."""
    was, now = _taken(before), _taken(after)
    legal, still = _verdicts(before), _verdicts(after)
    said: list[Message] = []
    for entry in after.line:
        if entry.seq == seq or entry.seq not in was or not _fits(entry.event, was[entry.seq]):
            continue
        told = _changed(entry, now.get(entry.seq), legal[entry.seq], still[entry.seq])
        if told is not None:
            said.append(told)
        if len(said) == MOST:
            break
    return said


def _changed(entry: Entry, taken: Event | None, before: Verdict, after: Verdict) -> Message | None:
    rank = likeliest_rank(entry.event)
    if taken is None or isinstance(taken, Show):
        return message("later-unclear") if rank is None else message("then-unclear", rank=rank)
    if after is not before and after is Verdict.ILLEGAL:
        return message("later-illegal") if rank is None else message("then-illegal", rank=rank)
    if after is not before and after is Verdict.NOTHING:
        return message("later-unclear") if rank is None else message("then-unclear", rank=rank)
    if not _fits(entry.event, taken):
        other = likeliest_rank(taken)
        if rank is not None and other is not None and other is not rank:
            return message("then-otherwise", rank=rank, other_rank=other)
        return message("later-unclear") if rank is None else message("then-unclear", rank=rank)
    return None


def _verdicts(game: Game) -> dict[int, Verdict]:
    """What was ruled on each event of the line when its turn came."""
    return {entry.seq: belief.top.step.verdict for entry, belief in zip(game.line, game.beliefs[1:], strict=True)}


def _fits(told: Event, taken: Event) -> bool:
    """Whether an event is taken for what was told or read likeliest."""
    rank = likeliest_rank(told)
    if rank is None:
        return not isinstance(taken, Show)
    if rank is not likeliest_rank(taken):
        return False
    if not isinstance(told, Laid) or not isinstance(taken, Laid):
        return True
    return len(taken.cards) in told.numbers


def likeliest_rank(event: Event) -> Rank | None:
    """The rank of a play, as it was likeliest read; None for another event, and where nothing was read."""
    if not isinstance(event, SHOWING):
        return None
    readings = event.cards if isinstance(event, Laid) else (event.card,)
    card = readings[0].card if readings else None
    return None if card is None else card.rank


def _seat(hypothesis: Hypothesis, event: Event) -> int | None:
    seat = event.seat if isinstance(event, Laid | Turned | Flipped) else None
    seat = hypothesis.state.turn if seat is None else seat
    return seat if 0 <= seat < len(hypothesis.state.players) else None
