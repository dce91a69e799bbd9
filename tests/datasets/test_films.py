"""Filmed games: what is told of a film is what the engine makes of it, and what the frames show."""

from __future__ import annotations

import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.errors import UserError
from datasets.films import layout, sample
from datasets.films.acts import together
from datasets.films.director import Director
from datasets.films.film import NAMES, Film
from datasets.films.hands import Body
from datasets.films.layout import Pose
from datasets.films.painter import Painter
from datasets.films.scenario import QUIET, Scenario
from datasets.films.stage import Piece, Stage
from engine import records
from engine.cards import Card
from engine.shithead.game import replayed
from engine.shithead.rules import load
from vision.table.table import Table

BUSY = Scenario(illegal=0.15, take_back=0.15, overlap=0.5, two_grabs=0.4, hesitation=0.1, squared_up=0.2, fumble=0.3)


@pytest.fixture(scope="module")
def film() -> Film:
    """A film of which nothing has been taken yet: for its deck, its look and its painter."""
    return Film(load("classic"), 2, 5, None, QUIET, rate=6, most_turns=3)


def directed(painter: Painter, rules: str, players: int, seed: int, scenario: Scenario = BUSY) -> Director:
    """A game acted out to its end, at few frames a second, with nothing painted."""
    rng = np.random.default_rng(seed)
    stage = Stage(painter, layout.make(players, rng), [Body.make(rng) for _ in range(players)], rng)
    director = Director(load(rules), NAMES[:players], stage, scenario, seed, 5.0, 150)
    for _ in director.script():
        director.note()
    return director


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    game=st.sampled_from([("classic", 2), ("classic", 5), ("palace", 3), ("palace+jokers", 4), ("hostel", 4)]),
    seed=st.integers(0, 10_000),
)
def test_the_truth_is_what_the_engine_makes_of_it(
    film: Film, tmp_path_factory: pytest.TempPathFactory, game: tuple[str, int], seed: int
) -> None:
    rules, players = game
    director = directed(film.stage.painter, rules, players, seed)
    path = tmp_path_factory.mktemp("truth") / "truth.jsonl"
    filmed = Film.__new__(Film)
    filmed.rules, filmed.names, filmed.director = load(rules), NAMES[:players], director
    filmed.write_truth(path, [(h.frame / 5, h) for h in director.truth], {})
    loaded = records.load(path)
    assert not loaded.problems
    folded, faults = replayed(loaded)
    assert faults == []
    known, seen = director.state, folded.state
    assert (seen.phase, seen.turn, seen.outcome) == (known.phase, known.turn, known.outcome)
    for zone, there in known.zones.items():
        assert seen.zones[zone].size == there.size, zone


def test_the_table_shows_what_the_game_says(film: Film) -> None:
    for seed in range(3):
        director = directed(film.stage.painter, "hostel", 3, seed)
        state, stage = director.state, director.stage
        assert [piece.face for piece in director.pile] == [str(card) for card in state.pile.known]
        assert sorted(p.face for p in director.burnt) == sorted(str(card) for card in state.burnt.known)
        assert len(stage.stock) == state.stock.size
        for seat, player in enumerate(state.players):
            assert sorted(p.face for p in director.up[seat]) == sorted(map(str, player.up.known))
            assert len(director.down[seat]) == player.down.size
        lying = len(director.pile) + len(director.burnt) + sum(map(len, director.up + director.down))
        assert len(stage.pieces) == lying
        assert not stage.arms


def test_events_come_in_order_and_none_before_it_can_be_seen(film: Film) -> None:
    director = directed(film.stage.painter, "classic", 2, 9)
    frames = [happened.frame for happened in director.truth]
    assert frames == sorted(frames)
    assert frames[-1] <= director.frame
    assert director.truth[0].event["event"] == "deal"


def test_every_happening_happens(film: Film) -> None:
    kinds: set[str] = set()
    froms: set[object] = set()
    sizes: set[int] = set()
    for seed in range(4):
        for happened in directed(film.stage.painter, "palace", 3, seed).truth:
            kinds.add(str(happened.event["event"]))
            froms.add(happened.event.get("from"))
            cards = happened.event.get("cards")
            sizes.add(len(cards) if isinstance(cards, list) else 0)
    assert {"deal", "exchange", "laid", "drawn", "take-back", "pick-up", "gone", "turned"} <= kinds
    assert {"hand", "upcards"} <= froms
    assert {1, 2} <= sizes


def test_a_quiet_scenario_has_no_blunders(film: Film) -> None:
    director = directed(film.stage.painter, "classic", 3, 4, QUIET)
    assert "take-back" not in {happened.event["event"] for happened in director.truth}


def test_the_same_arguments_give_the_same_frames() -> None:
    def frames(seed: int) -> list[np.ndarray]:
        made = Film(load("classic"), 2, seed, None, Scenario(exchange=1.0, hesitation=1.0), rate=2, most_turns=1)
        return [frame for _, frame in zip(range(8), made.frames(), strict=False)]

    first, second, other = frames(3), frames(3), frames(4)
    assert len(first) == 8
    for one, two in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, two)
    apart = [(np.abs(a.astype(int) - b).max(axis=2) > 60).mean() for a, b in zip(first[1:], first, strict=False)]
    assert max(apart) > 0.02  # a hand has come in meanwhile
    assert abs(first[0].astype(int) - other[0]).mean() > 4


def test_a_hand_comes_from_its_seat_and_covers_what_it_takes(film: Film) -> None:
    stage, hands, camera = film.stage, film.director.hands, film.camera
    empty = stage.picture().copy()
    for seat, place in enumerate(film.layout.seats):
        arm = hands.enter(seat)
        for _ in hands.move(arm, film.layout.pile.copy(), 5, 0.3):
            pass
        changed = np.abs(stage.picture().astype(int) - empty).max(axis=2) > 25
        hands.gone(arm)
        assert 0.02 < changed.mean() < 0.5
        spot = camera.straight(film.layout.pile[None])[0].astype(int)
        assert changed[spot[1] - 6 : spot[1] + 6, spot[0] - 6 : spot[0] + 6].mean() > 0.8
        rows, columns = np.nonzero(changed)
        middle = camera.straight(film.layout.pile[None])[0]
        outward = camera.straight((film.layout.pile + place.out * 100)[None])[0] - middle
        side = (np.stack([columns, rows], axis=1) - middle) @ outward
        assert (side > 0).mean() > 0.7


def test_acts_at_the_same_time_both_end() -> None:
    done: list[str] = []

    def act(name: str, frames: int) -> object:
        for _ in range(frames):
            yield
        done.append(name)

    assert len(list(together(act("long", 5), act("short", 2)))) == 5  # type: ignore[arg-type]
    assert done == ["short", "long"]


def test_a_card_turned_over_keeps_its_face(film: Film) -> None:
    hands, stage = film.director.hands, film.stage
    piece = Piece("7H", False, Pose(0.0, -120.0, 0.3))
    stage.add(piece)
    arm = hands.enter(0)
    sides = []
    for _ in hands.turn_over(arm, piece, Pose(0.0, 0.0, 1.0)):
        sides.append(piece.side)
        assert abs(piece.tip) <= np.pi / 2 + 1e-6
    hands.gone(arm)
    assert sides[0] is None
    assert sides[-1] == "7H"
    assert piece.pose == Pose(0.0, 0.0, 1.0)
    stage.remove([piece])


def test_stills_are_in_order_and_show_the_play(tmp_path: Path) -> None:
    made = Film(load("classic"), 2, 11, None, QUIET, rate=6, most_turns=5, steep=True)
    count = made.write_stills(tmp_path)
    pictures = sorted(path.name for path in tmp_path.glob("*.jpg"))
    assert pictures == [f"{number:03d}.jpg" for number in range(count)]
    loaded = records.load(tmp_path / "truth.jsonl")
    numbers = [line.event["at"] for line in loaded.events]
    assert numbers == sorted(numbers)  # type: ignore[type-var]
    assert set(numbers) == set(range(count))
    table = Table.load(tmp_path / "table.toml")
    x0, y0, x1, y1 = table.box(table.pile)
    before, last = None, -1
    for line in loaded.events:
        if line.event["at"] == last:
            continue  # a draw that is told with the next picture
        last = line.event["at"]  # type: ignore[assignment]
        shown = cv2.imread(str(tmp_path / f"{int(line.event['at']):03d}.jpg"))  # type: ignore[call-overload]
        assert shown is not None
        pile = shown[y0:y1, x0:x1].astype(int)
        happened = {other.event["event"] for other in loaded.events if other.event["at"] == last}
        if before is not None and happened & {"laid", "pick-up", "gone"}:
            assert (np.abs(pile - before).max(axis=2) > 40).mean() > 0.02
        before = pile


@pytest.mark.parametrize("players", [2, 5])
def test_the_table_file_fits_the_first_frame(players: int) -> None:
    made = Film(load("palace"), players, 20 + players, None, QUIET, rate=5, most_turns=1)
    text = made.table_toml()
    data = tomllib.loads(text)
    assert data["rules"] == "palace"
    assert data["players"] == list(NAMES[:players])
    assert not any(f'"{card}"' in text for card in map(str, map(Card.parse, ("7H", "AS", "TD"))))
    table = Table.parse(data)
    for seat, place in enumerate(made.layout.seats):
        spots = made.camera.film(np.array([place.slot(number).at for number in range(3)]))
        assert [table.seat_at(spot) for spot in table.plane.to_plane(spots)] == [seat] * 3
    middle = table.plane.to_plane(made.camera.film(made.layout.pile[None]))[0]
    assert table.in_pile(middle)
    assert table.stock is not None
    assert table.burnt is not None
    assert table.stock.holds(table.plane.to_plane(made.camera.film(made.layout.stock[None]))[0])
    # A card is about one card width wide in the plane's unit, whatever the camera.
    corner = made.camera.film(made.layout.pile + np.array([[-31.5, 0.0], [31.5, 0.0]]))
    ends = table.plane.to_plane(corner)
    assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(1.0, abs=0.06)


def test_the_command_writes_a_film_with_its_truth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "film"
    wish = ["render", "--rules", "hostel", "--players", "2", "--seed", "3", "--rate", "2", "--turns-at-most", "1"]
    assert main([*wish, "--out", str(out)]) == 0
    assert "events" in capsys.readouterr().err
    loaded = records.load(out / "truth.jsonl")
    reader = cv2.VideoCapture(str(out / "game.mp4"))
    count = 0
    while reader.read()[0]:
        count += 1
    film = loaded.header["film"]
    assert isinstance(film, dict)
    assert film == {"frames": count, "rate": 2.0}
    assert all(0 <= float(str(line.event["at"])) * 2 <= count for line in loaded.events)


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        (["--rules", "bridge"], "rules"),
        (["--rules", "hostel", "--players", "5"], "rules"),
        (["--players", "9"], "rules"),
        (["--rules", "palace+six-up"], "rules-deal"),
        (["--rate", "0"], "rate"),
        (["--deck", "no-such-deck"], "no-deck"),
        (["--turns-at-most", "-4"], "turns-at-most"),
        (["--quiet", "--stills", "--out", "/dev/null/film"], "out"),
        (["--scenario", "no-such-file.toml"], "scenario-unreadable"),
    ],
)
def test_a_wish_that_cannot_be_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], wish: list[str], code: str
) -> None:
    assert main(["render", "--out", str(tmp_path / "film"), *wish]) == 1
    told = capsys.readouterr().err
    assert f"[{code}]" in told
    assert len(told.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("fann = 0.5", "scenario-unknown"),
        ("fan = 2", "scenario-value"),
        ("fan = true", "scenario-value"),
        ("think = [2, 1]", "scenario-value"),
        ("fan = ", "scenario-unreadable"),
    ],
)
def test_a_wrong_scenario_is_told(tmp_path: Path, text: str, code: str) -> None:
    file = tmp_path / "scenario.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as caught:
        Scenario.load(file)
    assert caught.value.code == code
    file.write_text("fan = 0.5\nthink = [0.1, 0.2]\npace = 2\n", encoding="utf-8")
    assert Scenario.load(file) == Scenario(fan=0.5, think=(0.1, 0.2), pace=2)


def test_the_sample_game_is_whole_and_small() -> None:
    folder = sample.FOLDER
    loaded = records.load(folder / "truth.jsonl")
    assert not loaded.problems
    game, faults = replayed(loaded)
    assert faults == []
    assert game.state.outcome is not None
    assert game.state.outcome.loser is not None
    assert (folder / "sample.mp4").stat().st_size <= sample.MOST_BYTES
    reader = cv2.VideoCapture(str(folder / "sample.mp4"))
    table = Table.load(folder / "table.toml")
    assert (reader.get(cv2.CAP_PROP_FRAME_WIDTH), reader.get(cv2.CAP_PROP_FRAME_HEIGHT)) == (table.width, table.height)
    film = loaded.header["film"]
    assert isinstance(film, dict)
    assert reader.get(cv2.CAP_PROP_FRAME_COUNT) == film["frames"]
    assert [seat.name for seat in table.seats] == list(game.players)
