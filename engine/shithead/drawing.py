"""Drawing from the stock: who is still owed cards, and who forgot to take them.

A hand is counted as drawn up at once; what was not seen to be drawn is kept beside it (``Hypothesis.undrawn``), and
matters only at a table where draws are told at all (``Hypothesis.watched``). A camera misses a hand now and then (about
one draw in a hundred of rendered games): what it has not seen is said to be not seen, and no longer at all where that
has been in vain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.shithead.belief import Hypothesis, Said, Step, Verdict
from engine.shithead.events import Drawn, Source
from engine.shithead.likely import seat_weight
from engine.shithead.moves import Kind, Move
from engine.shithead.state import State

COUNTED_WRONG: Final = 0.1
"""A draw of another number of cards than is owed."""
NOTHING_OWED: Final = 0.02
"""How often a hand is at the stock that has nothing to take there, beside those that have."""
LATE: Final = 1.0
"""Seconds after which a play is read, at most, beside the hand that draws for it."""
UNSEEN: Final = {"forgot-to-draw": "draw-not-seen", "forgotten-draw-penalty": "draw-not-seen-penalty"}
"""What a camera says instead."""
IN_VAIN: Final = 2
"""After so many draws that were not seen, though people were told so, the camera does not see the stock well enough."""


def drawn(hypothesis: Hypothesis, event: Drawn) -> Iterator[Hypothesis]:
    """A hand visited the stock: cards that were owed are taken."""
    undrawn = list(hypothesis.undrawn)
    seat = _who(hypothesis, event)
    if seat is None or not undrawn[seat]:
        visited = seat if event.seat is None else event.seat
        seen = hypothesis._replace(watched=_told_by(hypothesis, event), visited=visited)
        if not hypothesis.watched and not _first_round(hypothesis.state):
            seen = seen._replace(undrawn=(0,) * len(undrawn))
        # An exact count that does not fit speaks against this hypothesis.
        seen = seen._replace(weight=seen.weight * (COUNTED_WRONG if event.count else 1.0))
        said = Said("nothing") if seat is None else Said("nothing-owed", (("player", seat),))
        yield seen._replace(step=Step(event, Verdict.NOTHING, (said,)))
        return
    owed = undrawn[seat]
    number = min(owed, owed if event.count is None else event.count)
    notes: list[Said] = []
    forgot = hypothesis.forgot
    if not hypothesis.watched:
        if _first_round(hypothesis.state):
            # Draws have been told from the beginning: those who have not been seen to draw by now have forgotten it.
            last = hypothesis.last.move.seat if hypothesis.last is not None else hypothesis.state.turn
            notes, forgot = overlooked(hypothesis._replace(watched=event.source), last)
        else:
            undrawn = [0] * len(undrawn)  # earlier draws were made, with nobody watching
    undrawn[seat] = owed - number
    fits = event.count is None or event.count == owed
    notes.append(Said("drew", (("player", seat), ("count", number))))
    yield hypothesis._replace(
        undrawn=tuple(undrawn),
        watched=_told_by(hypothesis, event),
        drew=None if event.at is None else (seat, event.at),
        forgot=forgot if undrawn[seat] else tuple(one for one in forgot if one != seat),
        weight=hypothesis.weight * (1.0 if fits else COUNTED_WRONG),
        step=Step(replace(event, id=None, at=None, seat=seat, count=number), Verdict.ACCEPTED, tuple(notes)),
    )


def overlooked(hypothesis: Hypothesis, mover: int) -> tuple[list[Said], tuple[int, ...]]:
    """What is said, now that ``mover`` moves, of draws that were forgotten; and ``Hypothesis.forgot`` after it.

    Where it costs a penalty, a draw is forgotten once the next player has played. Else nobody is blamed for drawing
    late: who comes to move again without having drawn is reminded.
    """
    forgot = hypothesis.forgot
    by_camera = hypothesis.watched is Source.CAMERA
    if not hypothesis.watched or not any(hypothesis.undrawn) or (by_camera and hypothesis.unheeded >= IN_VAIN):
        return [], forgot
    state, last = hypothesis.state, hypothesis.last
    owing = [seat for seat, count in enumerate(hypothesis.undrawn) if count and seat not in (*forgot, *state.out)]
    if state.rules.forgotten_draw == "penalty":
        code, late = "forgotten-draw-penalty", [seat for seat in owing if seat != mover]
    else:
        goes_on = last is not None and last.move.seat == mover
        code, late = "forgot-to-draw", [seat for seat in owing if seat == mover and not goes_on]
    code = UNSEEN[code] if by_camera else code
    said = [Said(code, (("player", seat), ("count", hypothesis.undrawn[seat]))) for seat in late]
    return said, (*forgot, *late)


def owing(
    hypothesis: Hypothesis, forgot: tuple[int, ...], move: Move, number: int
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """``undrawn``, ``forgot`` and ``unheeded`` after a move that took ``number`` cards from the stock. ``forgot`` is
    what :func:`overlooked` gave for the move.

    A card that was turned from the stock has been seen; others are still to be drawn. Who was told by a camera that a
    draw was not seen has made up for it, seen or not.
    """
    undrawn, unheeded, seat = hypothesis.undrawn, hypothesis.unheeded, move.seat
    if number <= 0 or move.kind is Kind.FLIP:
        return undrawn, forgot, unheeded
    owed = undrawn[seat]
    if hypothesis.watched is not Source.CAMERA:
        forgot = tuple(one for one in forgot if one != seat)
    elif seat in hypothesis.forgot or unheeded >= IN_VAIN:  # told before this move, or told no more
        forgot = tuple(one for one in forgot if one != seat)
        owed, unheeded = 0, unheeded + bool(owed)
    return (*undrawn[:seat], owed + number, *undrawn[seat + 1 :]), forgot, unheeded


def drew_before(hypothesis: Hypothesis, seat: int, at: float | None) -> bool:
    """Whether a seat has drawn already for what it is seen to play ``at`` this time: its hand was at the stock with
    nothing owed, or a moment ago. The play lay there before, and was read late."""
    if hypothesis.visited == seat:
        return True
    return (
        at is not None and hypothesis.drew is not None and hypothesis.drew[0] == seat and at - hypothesis.drew[1] < LATE
    )


def _told_by(hypothesis: Hypothesis, event: Drawn) -> Source:
    """Who tells of draws, after this one: a camera that has told of any is not taken for more than it is."""
    return Source.CAMERA if hypothesis.watched is Source.CAMERA else event.source


def _who(hypothesis: Hypothesis, event: Drawn) -> int | None:
    """Whose hand it was: where nobody saw it, that of the last to play, else of somebody who owes a draw."""
    owing = [seat for seat, number in enumerate(hypothesis.undrawn) if number]
    last = hypothesis.last.move.seat if hypothesis.last is not None else None
    other = last if last in owing else owing[0] if owing else None
    if event.seat is None or other is None or event.seat in owing:
        return other if event.seat is None else event.seat
    near = seat_weight(other, event.seat, event.seat_score, len(hypothesis.undrawn))
    return other if near > NOTHING_OWED * event.seat_score else event.seat


def _first_round(state: State) -> bool:
    """Whether nobody can have moved more than once or so: early enough to say that draws were told all along."""
    return state.turns <= len(state.players)
