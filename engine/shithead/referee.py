"""Rulings: what the camera or a person says happened, weighed with what is possible and what is allowed.

:func:`rule` answers every event. Nothing is silently guessed: what is doubtful is asked, likeliest first, while a game
goes on with all possibilities; what is illegal is said with its reason, and people decide what becomes of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.cards import Card
from engine.log import EditError
from engine.shithead.announcing import describe, messages
from engine.shithead.belief import SURE, Belief, Verdict
from engine.shithead.consequences import is_taken, likeliest_rank, misfits, said_anew
from engine.shithead.doubts import Chance, offered, only_count, ranks, whole_play
from engine.shithead.events import (
    EDITS,
    SHOWING,
    Answer,
    Back,
    Correct,
    Downcards,
    Event,
    Insert,
    Laid,
    PickUp,
    Reading,
    Show,
    Source,
    Stock,
    Undo,
)
from engine.shithead.game import Game
from engine.shithead.rules import RuleError
from engine.shithead.state import Phase
from engine.shithead.words import Message, message

CONTRADICTION: Final = 0.02
"""Where the best that is possible is read with less than this, the reading and the game contradict each other: that is
asked, however few other possibilities there are."""
ASKED: Final = 0.52
"""Where the likeliest situation of a game that a camera watches is less likely than this, somebody is asked: once, by
the event that brought the doubt. Whatever else is doubtful, what follows decides."""
LATELY: Final = 3
"""An open count of a set that a camera saw may be told for so many events; then the game has gone on."""
COUNTED: Final = 0.87
"""An open count that a camera saw is asked for where its likeliest is less likely than this: nobody waits for the
answer, but of questions that need none people tire."""
IDLE: Final = frozenset(
    {"nothing", "already-said", "nothing-owed", "pile-was-empty", "game-is-over", "stock-empty", "stock-lies"}
)
"""What a person who says such a thing is answered; a camera that sees it again and again is not."""
CANDIDATES: Final = 6
"""Candidates offered; a phone shows that many without scrolling, and anything else can be said by hand."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a doubtful event may have been: the event as it would be taken, its probability, and words."""

    event: Event
    p: float
    words: str
    legal: bool = True
    play: tuple[Card, ...] = ()
    """The cards of the whole play, with those of its set that were laid before and since."""


@dataclass(frozen=True, slots=True)
class Question:
    """A doubt that a person can settle: ``asks`` says what is asked, ``seq`` is the event that it is about."""

    id: str
    seq: int
    asks: Message
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer to one event.

    ``taken`` is the event as it is taken (rank, count and seat decided), ``seq`` its number in the log, None where it
    was not logged (``show``, errors). ``may`` lists what may be done about it: ``take-back``, ``pick-up``, ``stand``.
    ``game`` is the game after it.
    """

    verdict: Verdict
    taken: Event | None
    messages: tuple[Message, ...]
    question: Question | None
    may: tuple[str, ...]
    game: Game
    seq: int | None


def rule(game: Game, event: Event) -> Ruling:
    """Rule on one event. Never raises for anything that an event can say."""
    if isinstance(event, Show):
        return _ruling(game, Verdict.NOTHING, None, (), None)
    try:
        after = game.with_event(event)
    except EditError as error:
        return _ruling(game, Verdict.ERROR, None, (message(error.code, **error.parameters),), None)
    except RuleError as error:
        return _ruling(game, Verdict.ERROR, None, (Message("no-such-deal", str(error)),), None)
    if isinstance(event, EDITS):
        return _edited(game, after, event)
    return _ruled(after, settled=_settled(game.belief, after))


def _ruled(game: Game, settled: tuple[Message, ...] = ()) -> Ruling:
    """The ruling on the last event of the line."""
    seq = game.seq
    belief = game.belief
    top = belief.top
    step = top.step
    if game.line[-1].event.source is Source.CAMERA and not (belief.sure < ASKED <= game.beliefs[-2].sure):
        said = (*settled, *messages(top, game.players))
        if step.verdict is Verdict.NOTHING:
            said = tuple(one for one in said if one.code not in IDLE)
        return _ruling(game, step.verdict, step.event, said, seq)
    chances = belief.chances(game.line[-1].seq)
    sure = not chances or chances[0][1] >= SURE or only_count([event for event, _, _ in chances])
    contradicted = isinstance(step.event, SHOWING) and step.fit < CONTRADICTION
    if sure and not contradicted:
        said = (*settled, *messages(top, game.players))
        if len(chances) > 1 and chances[0][1] < SURE:
            said = (*said, message("how-many", rank=ranks(chances[0][0])[0]))
        return _ruling(game, step.verdict, step.event, said, seq)
    if contradicted and not chances:
        what = describe(step.event, game.players)
        said = (message("contradiction", what=what), *messages(top, game.players))
        return _ruling(game, Verdict.DOUBTFUL, step.event, said, seq)
    asked = question(game, game.line[-1].seq)
    said = (*settled, asked.asks) if asked is not None else settled
    return _ruling(game, Verdict.DOUBTFUL, step.event, said, seq)


def _edited(before: Game, after: Game, event: Event) -> Ruling:
    """The ruling on a correction: what it was, and whatever the table must know of what came after."""
    said = [_changed(before, after, event), *misfits(before, after, event)]
    fresh = next((i for i, one in enumerate(after.line) if i >= len(before.line) or one is not before.line[i]), None)
    if fresh is not None and fresh == len(after.line) - 1:
        # The last event itself was changed: what it did is what is to be said.
        last = _ruled(after)
        return replace(last, messages=(*said, *last.messages))
    top = after.belief.top
    if top.pending is not None:
        said += messages(top, after.players)
    elif top.state.phase is Phase.PLAY:
        said.append(message("turn", player=after.players[top.state.turn]))
    verdict = Verdict.ILLEGAL if top.pending is not None else Verdict.ACCEPTED
    seq = said_anew(after, event)
    if seq is not None and not is_taken(after, seq):
        verdict = Verdict.DOUBTFUL
    return _ruling(after, verdict, event, tuple(said), after.seq)


_EDITED: Final[dict[type[Event], str]] = {
    Answer: "answered",
    Correct: "corrected",
    Insert: "inserted",
    Undo: "undone",
    Back: "undone",
}


def _changed(before: Game, after: Game, event: Event) -> Message:
    """What an edit was; where plays went by it, or came back, which or how many."""
    gone, come = _plays(before, after), _plays(after, before)
    if bool(gone) is bool(come) or not (isinstance(event, Undo | Back) or _removes(event)):
        return message("removed" if _removes(event) else _EDITED[type(event)])
    code, several = ("undone-play", "undone-plays") if gone else ("put-back", "put-back-plays")
    plays = gone or come
    taken = plays[0]
    if len(plays) > 1:
        return message(several, count=len(plays))
    if isinstance(taken, SHOWING) and taken.seat is not None and (rank := likeliest_rank(taken)) is not None:
        return message(code, player=before.players[taken.seat], rank=rank)
    return message(several, count=1)


def _plays(game: Game, other: Game) -> list[Event]:
    """The plays of a game's line that another has not, as they are taken."""
    there = {entry.seq for entry in other.line}
    pairs = zip(game.line, game.beliefs[1:], strict=True)
    return [
        belief.top.step.event
        for entry, belief in pairs
        if entry.seq not in there and not isinstance(entry.event, Stock | Downcards)
    ]


def _removes(event: Event) -> bool:
    return isinstance(event, Correct) and event.event is None


def _settled(before: Belief, after: Game) -> tuple[Message, ...]:
    """Doubts that this event has settled otherwise than they stood."""
    said = []
    for seq in before.open:
        was = before.chances(seq)
        now = after.belief.chances(seq)
        if now and now[0][1] < SURE:
            continue
        taken = now[0][0] if now else None
        if taken is None:
            taken = _took(before, after, seq)
        if taken is not None and taken != was[0][0]:
            said.append(message("settled", what=describe(taken, after.players)))
    return tuple(said)


def _took(before: Belief, after: Game, seq: int) -> Event | None:
    """Which reading of an event the belief now rests on, where no doubt is left."""
    last = after.belief.top.last
    states = [one for one in before.hypotheses if last is not None and one.state == last.before.state]
    return dict(states[0].read).get(seq) if states else None


def question(game: Game, seq: int) -> Question | None:
    """The question about one event, None where it is settled."""
    chances = offered(game.belief, seq)
    if not chances:
        return None
    players = game.players
    candidates = tuple(_candidate(game, seq, chance) for chance in chances[:CANDIDATES])
    events = [event for event, _, _ in chances]
    first = events[0]
    if only_count(events) and isinstance(first, Laid):
        asks = message("how-many", rank=ranks(first)[0])
    elif isinstance(first, PickUp) and all(isinstance(event, PickUp) and event.seat == first.seat for event in events):
        asks = message("which-upcard", player=None if first.seat is None else players[first.seat])
    elif isinstance(first, Laid) and len({tuple(ranks(event)) for event in events}) == 1:
        asks = message("who-was-it")
    else:
        asks = message("please-check", what=describe(first, players))
    return Question(f"q{seq}", seq, asks, candidates)


def open_question(game: Game) -> Question | None:
    """The question that is to be asked now: the oldest doubt about what happened, else the oldest open count."""
    counts = None
    unsure = game.belief.sure < ASKED
    lines = {entry.seq: number for number, entry in enumerate(game.line)}
    for seq in game.belief.open:
        number = lines.get(seq, -1)
        seen = number >= 0 and game.line[number].event.source is Source.CAMERA
        if seen and not unsure and number < len(game.line) - LATELY:
            continue
        chances = offered(game.belief, seq)
        if chances and chances[0][1] < (COUNTED if seen else SURE):
            if not only_count([event for event, _, _ in chances]):
                if not seen or unsure:
                    return question(game, seq)
                continue
            counts = counts or question(game, seq)
    return counts


def _candidate(game: Game, seq: int, chance: Chance) -> Candidate:
    event, p, best = chance
    play = whole_play(best, seq)
    shown = replace(event, cards=tuple(map(Reading.of, play))) if isinstance(event, Laid) and play else event
    against = best.pending is not None and best.step.event == event
    words = describe(shown, game.players) + (" (against the rules)" if against else "")
    return Candidate(event, round(p, 4), words, best.step.verdict is not Verdict.ILLEGAL, play)


def _ruling(game: Game, verdict: Verdict, taken: Event | None, said: tuple[Message, ...], seq: int | None) -> Ruling:
    return Ruling(verdict, taken, said, open_question(game), may(game), game, seq)


def may(game: Game) -> tuple[str, ...]:
    """What may be done about an illegal play that lies there."""
    top = game.belief.top
    if top.pending is None:
        return ()
    move = top.pending.move
    picks_up = move is not None and bool(move.laid) and move.seat == top.state.turn and bool(top.state.pile.size)
    return ("take-back", "pick-up", "stand") if picks_up else ("take-back", "stand")
