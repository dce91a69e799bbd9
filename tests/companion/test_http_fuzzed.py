"""Whatever anybody sends to the server gets an answer in the one shape, and breaks no table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.refusals import STATUS
from companion.server.limits import Limits
from companion.storage import DataFolder
from engine.records import load
from tests.companion.serving import Phone, Served, served, start
from tests.companion.test_http import AS_JSON

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 50) | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
EVENTS = (
    "deal exchange start laid upcards turned drawn pick-up burn pass take-back stand answer "
    "correct insert undo back call"
)
OTHERS = "play flag unflag set-up sit name decider role by-hand camera address end-game new-game"
WORDS = (
    "cards seat count from upcards first dealer card with question choice seq before event to flag words players rules "
    "options insist device on role source url name taps"
)
VALUES = st.lists(st.sampled_from(["7H", "T?", "??", "XX", "Ann", "Ben"]), max_size=4) | st.sampled_from(["Ann", 0, 1])
NAMED = st.sampled_from(f"{EVENTS} {OTHERS}".split())
FIELDS = st.dictionaries(st.sampled_from(WORDS.split()), JSON | VALUES, max_size=4)
COMMANDS = st.fixed_dictionaries(
    {"id": st.text(min_size=1, max_size=70), "based_on": st.integers(0, 5) | JSON, "name": NAMED, "fields": FIELDS}
)


def test_nothing_that_is_sent_breaks_the_table(running: Served, host: Phone) -> None:
    start(host)
    device = running.people.device(host.id)

    @settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
    @given(COMMANDS | st.dictionaries(st.text(max_size=5), JSON, max_size=5))
    def send(message: dict[str, Any]) -> None:
        answer = running.room.command(device, message)
        assert answer["type"] == "answer"
        if not answer["ok"]:
            assert answer["error"]["code"] in STATUS
            assert answer["error"]["code"] != "internal", (message, answer)
        json.dumps(running.room.table(), allow_nan=False)

    send()
    for game in running.session.folder.game_ids():
        assert load(running.session.folder.record(game)).problems == ()


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=300))
def test_any_body_gets_an_answer_in_the_one_shape(fuzzed: Served, body: bytes) -> None:
    fuzzed.app.state.limits = Limits()
    answer = fuzzed.phones[0].http.post("/api/command", content=body, headers=AS_JSON)
    assert answer.status_code in (400, 422)
    assert set(answer.json()) >= {"error"}


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with DataFolder.open(tmp_path_factory.mktemp("fuzz")) as folder, served(folder) as table:
        table.phone()
        yield table
