"""A watched game laid beside the true one: which plays are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from datasets.game_truth import BACK, EXCHANGE, GONE, LAID, Play
from engine.shithead.events import Burn, Event, Exchange, Gone, Laid, PickUp, Reading, TakeBack, Turned
from engine.shithead.game import Game
from engine.shithead.referee import Candidate, Question

RIGHT: Final = ("right", "asked")
SETTLED: Final = 8
"""Events after which what a play was has been decided; what is found out still later helps nobody at the table."""
SOON: Final = 0.3
"""Seconds before a play is done, set and all, from which on somebody can tell what it is."""
APART: Final = 12.0
"""Seconds beyond which two plays are never the same."""


@dataclass(frozen=True, slots=True)
class Judged:
    """``right``, ``asked`` (right after a question), ``wrong``, ``missed`` (not seen), ``invented`` (seen only)."""

    verdict: str
    truth: Play | None
    seen: Play | None

    def __str__(self) -> str:
        return f"{self.verdict}: {self.truth or '-'} | {self.seen or '-'}"


def plays_of(game: Game, asked: set[int], *, later: int = SETTLED) -> list[Play]:
    """The plays of a watched game as the referee took them so many events ``later``. Cards added to a set are one play
    with it."""
    plays: list[Play] = []
    for number, entry in enumerate(game.line):
        belief = game.beliefs[min(number + 1 + later, len(game.line))]
        one = next((one for one in belief.top.path or () if one.seq == entry.seq), None)
        play = _play(one.event, entry.event.at or 0.0, entry.seq in asked) if one is not None else None
        if one is None or play is None:
            continue
        if play.kind == LAID and one.laid > len(play.ranks) and plays:
            before = plays[-1]
            if before.kind == LAID and before.seat == play.seat and set(before.ranks) == set(play.ranks):
                plays[-1] = replace(
                    before, ranks=before.ranks + play.ranks, at=play.at, asked=before.asked or play.asked
                )
                continue
        if play.kind == EXCHANGE and plays and plays[-1].kind == EXCHANGE and plays[-1].seat == play.seat:
            plays[-1] = play
            continue
        plays.append(play)
    return plays


def _play(event: Event, at: float, asked: bool) -> Play | None:
    if isinstance(event, Laid):
        return Play(LAID, at, event.seat, _ranks(event.cards), asked=asked)
    if isinstance(event, Turned):
        return Play(LAID, at, event.seat, _ranks([event.card]), asked=asked)
    if isinstance(event, Exchange):
        return Play(EXCHANGE, at, event.seat, _ranks(event.cards), asked=asked)
    if isinstance(event, PickUp):
        return Play(GONE, at, event.seat, _ranks([event.card] if event.card is not None else []), asked=asked)
    if isinstance(event, Burn | Gone):
        return Play(GONE, at, None, burnt=True, asked=asked)
    if isinstance(event, TakeBack):
        return Play(BACK, at, None, asked=asked)
    return None


def _ranks(cards: Sequence[Reading]) -> str:
    return "".join(sorted(card.card.rank.letter for card in cards if card.card is not None))


def same(truth: Play, seen: Play, seats: Sequence[int]) -> bool:
    """Whether two plays are one: kind, ranks and seat (``seats`` gives the truth's seat for each watched one)."""
    seat = None if seen.seat is None else seats[seen.seat]
    by = truth.seat is None or seat == truth.seat
    if truth.kind != seen.kind:
        return False
    if truth.kind == GONE:
        return truth.burnt == seen.burnt and by
    return truth.kind == BACK or (truth.ranks == seen.ranks and by)


def align(truth: Sequence[Play], seen: Sequence[Play], seats: Sequence[int]) -> list[Judged]:
    """Both games in order, with the fewest differences."""

    def cost(a: Play, b: Play) -> float:
        if abs(a.at - b.at) > APART or a.kind != b.kind:
            return 9.0
        return 0.0 if same(a, b, seats) else 1.2 + 0.2 * (not set(a.ranks) & set(b.ranks))

    rows, columns = len(truth) + 1, len(seen) + 1
    table = [[float(i + j) if not i or not j else 0.0 for j in range(columns)] for i in range(rows)]
    for i in range(1, rows):
        for j in range(1, columns):
            table[i][j] = min(
                table[i - 1][j - 1] + cost(truth[i - 1], seen[j - 1]), table[i - 1][j] + 1, table[i][j - 1] + 1
            )
    judged = []
    i, j = len(truth), len(seen)
    while i or j:
        if i and j and table[i][j] == table[i - 1][j - 1] + cost(truth[i - 1], seen[j - 1]):
            i, j = i - 1, j - 1
            good = same(truth[i], seen[j], seats)
            judged.append(Judged(("asked" if seen[j].asked else "right") if good else "wrong", truth[i], seen[j]))
        elif i and table[i][j] == table[i - 1][j] + 1:
            i -= 1
            judged.append(Judged("missed", truth[i], None))
        else:
            j -= 1
            judged.append(Judged("invented", None, seen[j]))
    return judged[::-1]


def asks_for(question: Question, truth: Sequence[Play], at: float, seats: Sequence[int]) -> int | None:
    """The candidate that somebody who saw what happened would choose; None if none of them is right, or not yet."""
    near = sorted((play for play in truth if -6 < play.at - at < SOON), key=lambda play: abs(play.at - at))
    for play in near:
        right = [
            (offered.ranks != play.ranks, index)
            for index, candidate in enumerate(question.candidates)
            if (offered := _offered(candidate, at)) is not None and same(play, offered, seats)
        ]
        if right:
            return min(right)[1]
    return None


def _offered(candidate: Candidate, at: float) -> Play | None:
    """A candidate as it is read on the phone: a set with all its cards."""
    play = _play(candidate.event, at, False)
    if play is None or play.kind != LAID or not candidate.play:
        return play
    return replace(play, ranks="".join(sorted(card.rank.letter for card in candidate.play)))
