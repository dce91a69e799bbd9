"""The calls of the game in words, for the voice of the machine itself: the catalogue's texts, as the phones say them.

The phones make their own calls in ``page/js/calls.js``, ``model.js`` and ``words.js``; a test holds the two to each
other. What is said here is meant for ears: ranks and cards are named in full.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

Text = str | Mapping[str, str]

ORDER: Final = "3456789TJQKA"
RANKS: Final = "23456789TJQKA"
FORFEITS: Final = ("forfeit.deal", "forfeit.tea", "forfeit.drinks", "forfeit.dishes")
URGENT: Final = re.compile(r"illegal|loses|wins|tied")
"""Codes that interrupt what is being said."""


@cache
def texts(language: str) -> Mapping[str, Text]:
    """The catalogue of a language."""
    path = files("companion") / "catalogue" / f"{language}.json"
    loaded: dict[str, Text] = json.loads(path.read_text("utf-8"))
    return loaded


TURNS: Final = frozenset({"turn", "again", "plays-first"})
"""Codes that say that somebody is to move now, be it the same player as before."""
DOUBTS: Final = frozenset({"doubtful", "illegal"})
"""Verdicts that somebody must look at."""


class Caller:
    """Says in one language what happened. ``called`` is whose turn was called last: nobody is told twice."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.called = ""

    def call(self, table: Mapping[str, Any], entry: Mapping[str, Any]) -> tuple[str, bool]:
        """What is to be said of a new entry of the log, with the table after it; and whether it interrupts."""
        if entry.get("state", "valid") != "valid":
            return "", False
        every = entry.get("messages", ())
        messages = [said for said in every if said["code"] != "turn"]
        urgent = entry.get("verdict") == "illegal" or any(URGENT.match(said["code"]) for said in messages)
        turn = self.turn(table)
        news = turn != self.called or any(said["code"] in TURNS for said in every)
        self.called = turn
        parts = [self.sentences(messages), turn if news else ""]
        return " ".join(part for part in parts if part), urgent

    def turn(self, table: Mapping[str, Any]) -> str:
        """Whose turn it is and what may be played; empty where nobody is to move."""
        view = table["view"]
        # Where only a flag is open, the game goes on meanwhile.
        if table["state"] == "please check" and (table["question"] or table["may"] or table["verdict"] in DOUBTS):
            return _sentence(self.text("call.check"))
        if not view or view["phase"] != "play" or view["turn"] is None:
            return ""
        headline, also = self.legal(view)
        return _sentence(
            self.text("call.turn", {"player": view["turn"], "what": headline + (f", {also}" if also else "")})
        )

    def sentences(self, messages: Sequence[Mapping[str, Any]]) -> str:
        """Several messages of the referee, one sentence each."""
        said = (self.message(message) for message in messages)
        return " ".join(_sentence(words[:1].upper() + words[1:]) for words in said if words)

    def message(self, said: Mapping[str, Any]) -> str:
        """One message; in the referee's English where there is no text for it."""
        found = self._find(f"say.{said['code']}")
        if found is None:
            return str(said.get("words", said["code"]))
        counted = said if "count" in said or "number" in said else {"count": 1, **said}
        words = self._fill(self._plural(found, counted), counted)
        return str(said.get("words", words)) if re.search(r"\{\w+\}", words) else words

    def text(self, key: str, parameters: Mapping[str, Any] | None = None) -> str:
        """A text of the catalogue with its parameters."""
        found = self._find(key)
        return "" if found is None else self._fill(self._plural(found, parameters or {}), parameters or {})

    # What may be played

    def legal(self, view: Mapping[str, Any]) -> tuple[str, str]:
        """What may be played, in words: the headline, and what goes besides."""
        legal = view.get("legal") or {}
        all_ranks = legal.get("ranks") or []
        ranks, joker = [rank for rank in all_ranks if rank != "X"], "X" in all_ranks
        because = legal.get("because")
        if legal.get("from") == "draw":
            return self.text("legal.draw"), ""
        if legal.get("turn_down"):
            return self.text("legal.turn"), self._fits(ranks, because)
        if not ranks and not joker:
            return self.text("legal.none"), ""
        if legal.get("sure") and legal.get("from") == "up":
            own = [rank for rank in RANKS + "X" if any(card[0] == rank for card in legal.get("cards") or ())]
            return (self._list([self.rank(rank) for rank in own], "or") if own else self.text("legal.none")), ""
        kind, bound, rest = _split(ranks, because)
        if kind == "any":
            headline = self.text("legal.any")
        elif kind == "only":
            headline = self._list([self.rank(rank) for rank in rest], "or")
        elif kind == "higher" and bound == "A":
            headline = self.rank("A")
        else:
            headline = self.text(f"legal.{kind}", {"rank": bound})
        others = [] if kind in ("only", "any") else [self.rank(rank) for rank in rest]
        if joker and kind != "any":
            others.append(self.rank("X"))
        return headline, self.text("legal.also", {"what": self._list(others)}) if others else ""

    def _fits(self, ranks: Sequence[str], because: Mapping[str, Any] | None) -> str:
        kind, bound, rest = _split(ranks, because)
        if not ranks or kind == "any":
            return ""
        if kind == "only":
            what = self._list([self.rank(rank) for rank in rest], "or")
        else:
            what = self.text(f"legal.{kind}", {"rank": bound})
        return self.text("legal.fits", {"what": what})

    # Words

    def rank(self, rank: str) -> str:
        return self.text(f"rank-name.{rank}") if rank in RANKS + "X" else rank

    def card(self, card: str) -> str:
        if card == "XX":
            return self.rank("X")
        if card[0] == "?":
            return self.text("card.unknown")
        if len(card) < 2 or card[1] == "?":
            return self.rank(card[0])
        return self.text("card.name", {"what": self.rank(card[0]), "suit": self.text(f"suit.{card[1]}")})

    def _find(self, key: str) -> Text | None:
        found = texts(self.language).get(key)
        return texts("en").get(key) if found is None else found

    def _plural(self, text: Text, parameters: Mapping[str, Any]) -> str:
        if isinstance(text, str):
            return text
        number = parameters.get("count", parameters.get("number", 0))
        one = number < 2 if self.language == "fr" else number == 1
        return text["one" if one else "other"]

    def _fill(self, template: str, parameters: Mapping[str, Any]) -> str:
        def put(match: re.Match[str]) -> str:
            name = match[1]
            return self._value(name, parameters[name]) if parameters.get(name) is not None else match[0]

        return re.sub(r"\{(\w+)\}", put, template)

    def _value(self, name: str, given: Any) -> str:
        if isinstance(given, list | tuple):
            return self._list([self._value(name.removesuffix("s"), one) for one in given])
        if re.search(r"(^|_)(rank|other|through)$", name):
            return self.rank(str(given))
        if re.search(r"(^|_)card$", name):
            return self.card(str(given))
        if name == "forfeit":
            # One that was offered is kept in English, so that it is said in every language.
            offered = next((key for key, text in texts("en").items() if key in FORFEITS and text == given), None)
            return self.text(offered) if offered else str(given)
        return str(given)

    def _list(self, items: Sequence[str], word: str = "and") -> str:
        return "".join(items) if len(items) < 2 else f"{', '.join(items[:-1])} {self.text(word)} {items[-1]}"


def _sentence(words: str) -> str:
    return words if words.endswith((".", "!", "?")) else f"{words}."


def _split(ranks: Sequence[str], because: Mapping[str, Any] | None) -> tuple[str, str, list[str]]:
    """The longest run that reaches an end of the order is said as "9 or higher" or "6 or lower", the rest one by one:
    ``any``, ``higher``, ``lower`` or ``only``, the rank that bounds it, and what is allowed besides."""
    if all(rank in ranks for rank in ORDER):
        return "any", "", []

    def rest(low: int, high: int) -> list[str]:
        return [rank for rank in RANKS if rank in ranks and rank not in ORDER[low:high]]

    def whole(low: int, high: int) -> bool:
        return high > low and all(rank in ranks for rank in ORDER[low:high])

    code = because.get("code") if because else None
    bound = ORDER.find(str(because["other_rank"])) if because and because.get("other_rank") else -1
    if bound >= 0 and code in ("at-least", "lead-at-least") and whole(bound, len(ORDER)):
        return "higher", ORDER[bound], rest(bound, len(ORDER))
    end = bound + (code == "at-most")
    if bound >= 0 and code in ("below", "at-most") and whole(0, end):
        return "lower", ORDER[end - 1], rest(0, end)
    low = next((at for at, rank in enumerate(ORDER) if rank not in ranks), len(ORDER))
    up = next((at for at, rank in enumerate(reversed(ORDER)) if rank not in ranks), len(ORDER))
    high = len(ORDER) - up
    if up >= 2 and up >= low:
        return "higher", ORDER[high], rest(high, len(ORDER))
    if low >= 2:
        return "lower", ORDER[low - 1], rest(0, low)
    return "only", "", [rank for rank in RANKS if rank in ranks]
