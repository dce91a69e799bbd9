"""Everything that the referee says, by stable codes with English beside them.

:data:`TEXTS` is the whole list. A client that speaks another language translates a message by its ``code`` and fills in
the parameters; the names say what they hold: ``player`` and ``players`` are names, ``rank``, ``other_rank`` and
``through_rank`` rank letters, ``card`` and ``cards`` cards in text form, ``count`` the number that plurals go by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.cards import Card, Rank
from engine.shithead.legal import Reason

Text = str | tuple[str, str]
"""A template, or one for a ``count`` of one and one for others."""

REASONS: Final[Mapping[str, Text]] = {
    # Why a move is not allowed (engine.shithead.refusal)
    "game-over": "the game is over",
    "not-dealt": "nothing is dealt yet",
    "not-started": "nobody has started yet",
    "already-started": "the first card is played: upcards are no longer exchanged",
    "not-your-turn": "it is {player}'s turn",
    "not-the-starter": "{player} plays first",
    "out": "{player} is out",
    "draw-first": "cards must be drawn from the stock first",
    "hand-first": "the hand comes before the upcards",
    "upcards-first": "the upcards come before the downcards",
    "not-in-hand": "that card cannot be in this hand",
    "not-upcards": "that card is not among these upcards",
    "not-downcards": "that card is not among these downcards",
    "no-cards": "no card was played",
    "mixed-ranks": "cards played together must be of one rank",
    "joker-alone": "a joker is played alone",
    "one-at-a-time": "{rank} is played one card at a time",
    "no-join": "hand cards and upcards cannot be played together",
    "join-one-card": "only the very last hand card may be joined by upcards, once the stock is empty",
    "too-low": "{rank} is lower than {other_rank}",
    "not-below": "{rank} is not lower than {other_rank}",
    "not-at-most": "{rank} is higher than {other_rank}",
    "not-on-limit": "{rank} may not be played on {other_rank}, which asks for lower cards",
    "only-same": "{other_rank} is answered only by {other_rank}, or by a card that goes on anything",
    "lead-too-low": "after the burn, the lead must be {other_rank} or higher",
    "lead-special": "after four aces, only a card that goes on anything may be led",
    "nothing-to-pick-up": "there is nothing to pick up",
    "must-play": "one who can play must play",
    "must-turn": "a downcard must be turned",
    "take-an-upcard": "picking up from the upcards takes one of them along",
    "no-upcard": "picking up takes the pile only",
    "one-upcard": "only one upcard is taken along",
    "no-pass": "nobody passes: play, or pick up",
    "nothing-owed": "no card is owed to {player}",
    "too-many-drawn": ("only one card is owed", "only {count} cards are owed"),
    "stock-empty": "the stock is empty",
    "stock-lies": "the stock still lies there",
    "wrong-upcards": "these cannot be {player}'s upcards",
    "no-out-of-turn": "nobody plays out of turn",
    "not-four": "that does not complete four of a kind",
    "not-all": "whoever completes four of a kind out of turn adds all their {rank}s",
    "no-follow-up": "no card can follow here",
    "not-drawn": "only a card just drawn, of the rank just played, may follow",
    "no-flip": "the stock is not turned instead of picking up",
    "not-yet": "the game may be called after {count} turns",
    # The referee's own
    "no-burn": "nothing burns here",
}

REQUIREMENTS: Final[Mapping[str, Text]] = {
    # What the next card must meet (engine.shithead.legal.requirement)
    "anything": "anything may be played",
    "after-reset": "{other_rank} resets: anything may be played",
    "at-least": "on {other_rank}",
    "below": "{other_rank} asks for lower",
    "at-most": "{other_rank} asks for no higher",
    "only-same": "{other_rank} is answered only by its own rank, or by a card that goes on anything",
    "lead-at-least": "after the burn, {other_rank} or higher must be led",
    "lead-special": "after four aces, only a card that goes on anything may be led",
}

ANNOUNCEMENTS: Final[Mapping[str, Text]] = {
    # What happened
    "first-card": "the first card is {rank}",
    "exchanged": "{player} exchanged upcards",
    "plays-first": "{player} plays first",
    "claim-lower": "{player} plays first with a {rank}, unless somebody holds a lower card",
    "upcards-read": "{player}'s upcards are {cards}",
    "claim-first": "whoever has the lowest card plays first",
    "played": ("{player} plays {rank}", "{player} plays {count} {rank}s"),
    "turned": "{player} turns {rank}",
    "does-not-fit": "it does not fit: {player} takes it with the pile",
    "picked-up": ("{player} picks up one card", "{player} picks up {count} cards"),
    "picked-up-with": "{player} picks up {count} cards, {card} among them",
    "passed": "{player} passes",
    "drew": ("{player} draws one card", "{player} draws {count} cards"),
    "flipped": "{player} turns {rank} from the stock",
    "completed-out-of-turn": "{player} completes four of a kind",
    "followed": "{player} adds {rank}, just drawn",
    # What it did
    "burns": "{rank} burns the pile",
    "burns-four": "four {rank}s burn the pile",
    "ten-on-limit": "{rank} may be played on {other_rank} here",
    "looks-through": "{rank} is invisible: {other_rank} is still to be answered",
    "looks-through-nothing": "{rank} is invisible: anything may be played",
    "skips": "{players} {verb} skipped",
    "reverses": "the direction of play turns",
    "reverses-nothing": "the direction of play makes no change with two players",
    "goes-out": "{player} is out",
    "wins": "{player} wins",
    "loses": "{player} loses the game",
    "owes": "{player} owes: {forfeit}",
    "called": "the game is called",
    "tied": "{players} have equally many cards: nobody loses",
    "turn": "it is {player}'s turn",
    "again": "{player} again",
    "may-call": "this game does not end: the table may call it, and the most cards lose",
    "forgot-to-draw": ("{player} has forgotten to draw one card", "{player} has forgotten to draw {count} cards"),
    "forgotten-draw-penalty": (
        "{player} forgot to draw one card: a penalty",
        "{player} forgot {count} cards: a penalty",
    ),
    "draw-not-seen": (
        "the camera did not see {player} draw one card",
        "the camera did not see {player} draw {count} cards",
    ),
    "draw-not-seen-penalty": (
        "the camera did not see {player} draw one card; a penalty, if it was forgotten",
        "the camera did not see {player} draw {count} cards; a penalty, if they were forgotten",
    ),
    # What people decided
    "taken-back": "{player} takes back {rank}",
    "taken-back-unseen": "{player} took that back",
    "undone-pick-up": "{player} has not picked up",
    "stands": "it stands",
    "stands-by-play": "{player}'s play stands, as the next one was made",
    "corrected": "corrected",
    "removed": "removed",
    "inserted": "added",
    "undone": "undone",
    "undone-play": "taken back: {player}, {rank}",
    "undone-plays": ("one play is taken back", "{count} plays are taken back"),
    "put-back": "counts again: {player}, {rank}",
    "put-back-plays": ("one play counts again", "{count} plays count again"),
    "answered": "settled",
    "settled": "that was {what}",
    "later-illegal": "a later play is illegal now",
    "later-unclear": "what came later no longer fits",
    "then-illegal": "the {rank} that was played later is illegal then",
    "then-otherwise": "the {rank} that was played later is taken for another card then: {other_rank}",
    "then-unclear": "the {rank} that was played later no longer fits then",
    "has-at-most": (
        "{player} cannot have had more than one {rank} there",
        "{player} cannot have had more than {count} cards of rank {rank} there",
    ),
    "has-none": "{player} cannot have had a card of rank {rank} there",
    "cannot-be": "that cannot be with the cards as they are known: {what}",
    # Doubts
    "please-check": "please check: was it {what}?",
    "who-was-it": "please check: who played?",
    "how-many": "{rank}: how many were played? the game goes on meanwhile",
    "which-upcard": "which upcard did {player} take along?",
    "elsewhere": "{card} lies elsewhere, so it is taken for another {rank}",
    "contradiction": "please check: {what} is all that it can be, and it was not read so",
    "unexplained": "please check: this cannot be with the cards as they are known",
    "deal-unclear": ("please check one upcard of {player}", "please check {count} upcards of {player}"),
    "first-unclear": "please check the first card",
    # Nothing happened
    "nothing": "nothing has changed",
    "pile-was-empty": "there is no pile",
    "already-said": "that is known already",
    "partly-gone": (
        "one card of the pile is left: take all of it",
        "{count} cards of the pile are left: take all of it",
    ),
    "game-is-over": "the game is over",
    "nothing-stands": "there is nothing to let stand",
    "nothing-to-take-back": "there is nothing to take back",
}

ILLEGAL: Final[Mapping[str, Text]] = {
    "illegal": "{player} cannot play {rank}",
    "illegal-pick-up": "{player} cannot pick up",
    "illegal-other": "{player} cannot do that",
}

ERRORS: Final[Mapping[str, Text]] = {
    "event-json": "this line is not JSON: send one JSON object a line",
    "line-too-long": "this line is longer than {count} bytes",
    "unknown-seq": "there is no event {seq}",
    "unknown-question": "there is no open question {question}",
    "unknown-choice": "question {question} has no candidate {choice}",
}

TEXTS: Final[Mapping[str, Text]] = {**REQUIREMENTS, **REASONS, **ANNOUNCEMENTS, **ILLEGAL, **ERRORS}
"""Every code with its English. A code that is both a requirement and a reason says the same in both."""

RANK_WORDS: Final[Mapping[Rank, str]] = {
    **{rank: str(int(rank)) for rank in Rank if rank <= Rank.TEN},
    Rank.JACK: "jack",
    Rank.QUEEN: "queen",
    Rank.KING: "king",
    Rank.ACE: "ace",
    Rank.JOKER: "joker",
}
COUNT_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


@dataclass(frozen=True, slots=True)
class Message:
    """One thing to say: its stable ``code``, what it is about, and English ``words``."""

    code: str
    words: str
    parameters: Mapping[str, object] = field(default_factory=dict, hash=False)

    def as_json(self) -> dict[str, object]:
        return {"code": self.code, "words": self.words, **self.parameters}


def message(code: str, **parameters: object) -> Message:
    """The message for a code of :data:`TEXTS`. Ranks and cards may be given as such; they become text."""
    given = {name: _plain(value) for name, value in parameters.items() if value is not None}
    return Message(code, english(code, parameters), given)


def reason(why: Reason, players: Sequence[str]) -> Message:
    """The message for a reason of the rules."""
    return message(
        why.code,
        rank=why.rank,
        other_rank=why.other,
        through_rank=why.through,
        player=None if why.seat is None or why.seat < 0 else players[why.seat],
        count=why.number,
    )


def english(code: str, parameters: Mapping[str, object]) -> str:
    """The English of a message."""
    text = TEXTS[code]
    count = parameters.get("count")
    if isinstance(text, tuple):
        text = text[0] if count == 1 else text[1]
    words = {name: _word(name, value) for name, value in parameters.items()}
    players = parameters.get("players")
    words["verb"] = "is" if isinstance(players, list | tuple) and len(players) == 1 else "are"
    if code in ("played", "burns-four", "taken-back"):
        words["count"] = COUNT_WORDS[count] if isinstance(count, int) and count < len(COUNT_WORDS) else str(count)
    return text.format(**words)


def listed(words: Sequence[str], last: str = "and") -> str:
    """``a, b and c``."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def _word(name: str, value: object) -> str:
    if isinstance(value, Rank):
        return RANK_WORDS[value]
    if isinstance(value, list | tuple) and not isinstance(value, Card):
        return listed([_word(name, item) for item in value])
    return str(value)


def _plain(value: object) -> object:
    if isinstance(value, Rank):
        return value.letter
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
