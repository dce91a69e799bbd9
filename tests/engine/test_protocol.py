"""The line protocol: whatever comes in, one line goes out, and nothing crashes."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli import main
from engine.shithead import rules, words
from engine.shithead.events import KINDS
from engine.shithead.game import Game
from engine.shithead.protocol import MAX_LINE, Referee, serve
from tests.engine.referees import NAMES

ANSWER = {"protocol", "id", "seq", "verdict", "as", "messages", "question", "may", "view"}
HOUSE = "palace nine=reverse eight=invisible four-out-of-turn=yes follow-up=yes flip-stock=yes after-pick-up=picker"
VERDICTS = {"accepted", "doubtful", "illegal", "nothing", "error"}


def game(name: str = "classic", players: int = 3) -> Game:
    return Game.start(rules.RuleSet.parse(name), NAMES[:players])


def served(text: bytes, name: str = "classic", players: int = 3) -> list[dict[str, Any]]:
    sink = io.StringIO()
    serve(game(name, players), io.BytesIO(text), sink)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def test_a_conversation() -> None:
    lines = [
        {"event": "deal", "upcards": {"Ann": ["3H", "9S", "KD"]}, "id": "a"},
        {"event": "laid", "cards": ["9C"], "id": 2},
        {"event": "laid", "cards": ["4C"]},
        {"event": "stand"},
        {"event": "show", "id": "last"},
    ]
    answers = served("\n".join(json.dumps(line) for line in lines).encode() + b"\n\n  \n")
    assert [answer["verdict"] for answer in answers] == ["accepted", "accepted", "illegal", "accepted", "nothing"]
    assert [answer["id"] for answer in answers] == ["a", 2, None, None, "last"]
    assert [answer["seq"] for answer in answers] == [1, 2, 3, 4, None]
    assert all(set(answer) == ANSWER and answer["protocol"] == 1 for answer in answers)
    assert answers[-1]["view"]["turn"] == "Cem"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"hello", "event-json"),
        (b"\xff\xfe\x00", "event-json"),
        (b"[" * 100_0, "event-json"),
        (b'{"event":', "event-json"),
        (b"7", "event-json"),
        (b'{"event": "lay"}', "event-kind"),
        (b'{"event": "laid", "cards": ["1H"]}', "event-card"),
        (b'{"event": "laid", "cards": ["7H"], "seat": "Zoe"}', "event-player"),
        (b'{"event": "deal", "upcards": {"Ann": ["7H", "8H", "9H", "TH"]}}', "no-such-deal"),
        (b'{"event": "deal", "first": "7H"}', "no-such-deal"),
        (b'{"event": "undo", "to": 7}', "unknown-seq"),
        (b'{"event": "back", "to": 7}', "unknown-seq"),
        (b'{"event": "answer", "question": "q1", "choice": 0}', "unknown-question"),
        (b'{"event": "laid", "cards": ["' + b"7" * MAX_LINE + b'"]}', "line-too-long"),
    ],
)
def test_what_is_malformed_is_answered_and_the_game_goes_on(line: bytes, code: str) -> None:
    answers = served(line + b'\n{"event": "laid", "cards": ["5H"], "seat": "Ann"}\n')
    assert [answer["verdict"] for answer in answers] == ["error", "accepted"]
    assert answers[0]["messages"][0]["code"] == code
    assert len(answers[0]["messages"][0]["words"]) < 400
    assert answers[0]["seq"] is None


def test_a_line_without_end_is_never_held_whole() -> None:
    class Endless(io.RawIOBase):
        def __init__(self) -> None:
            self.left = 300 * MAX_LINE
            self.most = 0

        def readline(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert 0 < size <= MAX_LINE + 1
            part = min(size, self.left)
            self.left -= part
            return b"x" * part

    sink = io.StringIO()
    serve(game(), Endless(), sink)  # type: ignore[arg-type]
    assert [json.loads(line)["messages"][0]["code"] for line in sink.getvalue().splitlines()] == ["line-too-long"]


cards = st.sampled_from(["4H", "7?", "??", "TD", "XX", "KS", "3C", "2D", "8S", {"6H": 0.5, "9H": 0.5}, {"AS": 0.3}, {}])
fields: dict[str, st.SearchStrategy[Any]] = {
    "cards": st.lists(cards, min_size=1, max_size=5),
    "card": cards,
    "seat": st.sampled_from(["Ann", "Ben", "Cem", 0, 2]),
    "seat_score": st.floats(0, 1),
    "count": st.sampled_from([1, 2, 4, {"1": 0.5, "2": 0.5}]),
    "from": st.sampled_from(["hand", "upcards", "downcards"]),
    "left": st.integers(0, 6),
    "aside": st.booleans(),
    "upcards": st.lists(cards, max_size=4)
    | st.dictionaries(st.sampled_from(["Ann", "Cem"]), st.lists(cards, max_size=3)),
    "first": cards,
    "dealer": st.sampled_from(["Ann", "Cem"]),
    "draws": st.booleans(),
    "at": st.floats(0, 20),
    "source": st.just("camera"),
    "confidence": st.floats(0, 1),
    "to": st.integers(0, 9),
    "seq": st.integers(0, 9),
    "before": st.integers(0, 9),
    "question": st.sampled_from(["q1", "q2", "q3", "q5"]),
    "choice": st.integers(0, 3),
    "with": st.sampled_from([None, {"event": "burn"}, {"event": "laid", "cards": ["9H"]}, "5H"]),
}
NEEDS = {
    "laid": ("cards",),
    "turned": ("card",),
    "flipped": ("card",),
    "exchange": ("seat", "upcards"),
    "upcards": ("seat", "cards"),
    "start": ("seat",),
    "downcards": ("seat", "left"),
    "undo": ("to",),
    "back": ("to",),
    "correct": ("seq", "with"),
    "insert": ("before", "with"),
    "answer": ("question", "choice"),
}
MAY = {
    "laid": ("seat", "seat_score", "count", "from", "at", "source"),
    "gone": ("left", "aside", "seat", "seat_score", "at", "source", "confidence"),
    "turned": ("seat", "seat_score"),
    "flipped": ("seat", "seat_score"),
    "drawn": ("seat",),
    "stock": ("left", "source"),
    "downcards": ("source",),
    "pick-up": ("seat", "with"),
    "deal": ("upcards", "first", "dealer", "draws"),
    "pass": ("seat",),
}


@st.composite
def messages(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from([*KINDS, "laid", "laid", "laid", "gone"]))
    value = {"event": kind, **{name: draw(fields[name]) for name in NEEDS.get(kind, ())}}
    for name in MAY.get(kind, ()):
        if draw(st.integers(0, 3)) == 0:
            value[name] = draw(fields[name])
    return value


def test_a_card_of_no_certain_suit_is_not_taken_for_the_card_just_picked_up() -> None:
    one = Referee(game("classic", 3))
    one.tell('{"event": "laid", "cards": ["4H"], "source": "camera"}')
    one.tell('{"event": "laid", "cards": ["4H", "7?"], "source": "camera"}')
    one.tell('{"event": "gone", "source": "camera"}')
    for hypothesis in one.game.belief.hypotheses:
        assert hypothesis.state.faults() == []


def test_upcards_read_while_a_play_of_upcards_waits_for_its_ruling_lose_no_card() -> None:
    one = Referee(game("classic", 3))
    one.tell('{"event": "laid", "cards": ["4H"], "count": 2, "from": "upcards", "source": "camera"}')
    one.tell('{"event": "laid", "cards": ["4H"], "seat": "Ann", "source": "camera"}')
    one.tell('{"event": "take-back"}')
    one.tell('{"event": "take-back"}')
    one.tell('{"event": "upcards", "seat": "Ann", "cards": ["4H"]}')
    for hypothesis in one.game.belief.hypotheses:
        assert hypothesis.state.faults() == []


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([("classic", 3), ("palace+jokers", 3), ("hostel", 3), ("palace+six-up", 3), (HOUSE, 3)]),
    st.lists(messages(), min_size=1, max_size=14),
)
def test_any_events_in_any_order(table: tuple[str, int], told: list[dict[str, Any]]) -> None:
    one = Referee(game(*table))
    for value in told:
        answer = one.tell(json.dumps(value))
        assert set(answer) == ANSWER
        assert answer["verdict"] in VERDICTS
        json.dumps(answer, allow_nan=False)
        for hypothesis in one.game.belief.hypotheses:
            assert hypothesis.state.faults() == []
        assert sum(hypothesis.weight for hypothesis in one.game.belief.hypotheses) == pytest.approx(1.0)
    # And it can always be played on.
    if one.game.state.phase.value != "over":
        after = one.tell('{"event": "laid", "cards": ["2S"]}')
        assert after["verdict"] != "error"


@settings(max_examples=200, deadline=None)
@given(st.lists(st.binary(max_size=60) | st.text(max_size=40).map(str.encode), max_size=4))
def test_any_bytes(lines: list[bytes]) -> None:
    text = b"\n".join(lines) + b"\n"
    answers = served(text)
    assert len(answers) == sum(bool(line.strip()) for line in text.split(b"\n"))
    assert all(answer["verdict"] in VERDICTS for answer in answers)


def test_the_command() -> None:
    command = [sys.executable, "-m", "companion.cli", "referee", "--rules", "hostel", "--players", "Ann,Zoë,Cem"]
    text = '{"event": "laid", "cards": ["7H"], "seat": "Zoë"}\nrubbish\n'
    done = subprocess.run(
        [*command, "--set", "7=at-most", "--dealer", "Ann"],
        input=text.encode(),
        capture_output=True,
        check=True,
        timeout=60,
        cwd=Path(__file__).parents[2],
    )
    first, second = (json.loads(line) for line in done.stdout.decode("utf-8").splitlines())
    assert first["verdict"] == "accepted"
    assert first["view"]["turn"] == "Cem"
    assert first["view"]["legal"]["words"] == "2, 10, or 7 and lower; or pick up"
    assert second["verdict"] == "error"


@pytest.mark.parametrize(
    ("arguments", "words_said"),
    [
        (["--rules", "hostel", "--players", "A,B,C,D,E"], "five hands need 56 cards, the deck has 52"),
        (["--rules", "hostel", "--players", "A,A"], "two players are called A"),
        (["--players", "Ann,Ben,ann"], "two players are called Ann"),
        (["--players", "Ann,,Ben"], "needs a name"),
        (["--players", "Ann,2"], "numbers name seats"),
        (["--rules", "bridge", "--players", "A,B"], "no rule set 'bridge'"),
        (["--players", "A,B", "--dealer", "C"], "not among the players"),
        (["--players", "A,B", "--set", "7=sideways"], "7"),
    ],
)
def test_wrong_arguments_are_one_sentence(
    arguments: list[str], words_said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["referee", *arguments]) == 1
    assert words_said in capsys.readouterr().err


def test_every_code_that_is_said_has_words_and_every_one_with_words_is_said() -> None:
    folder = Path(str(words.__file__)).parent
    source = "\n".join(path.read_text("utf-8") for path in folder.glob("*.py") if path.name != "words.py")
    said = set(re.findall(r"\b(?:message|Said|_said|Reason|EditError)\(\s*\"([a-z-]+)\"", source))
    said |= set(re.findall(r"nothing\([^\"()]*(?:\([^()]*\)[^\"()]*)*\"([a-z-]+)\"", source))
    assert len(said) > 90
    assert said <= set(words.TEXTS)
    assert [code for code in words.TEXTS if f'"{code}"' not in source] == []


def test_every_code_and_every_event_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
    assert [code for code in words.TEXTS if f"`{code}`" not in text] == []
    assert [kind for kind in KINDS if f"`{kind}`" not in text] == []
