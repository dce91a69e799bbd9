"""Learning a deck: a classifier that makes one deck's same slip each time is put right; files; the command."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.commands.deck import settle
from engine.cards import FACES, Card, Rank
from tests.vision.painted import CALIBRATION, classifier, detector, lying, paint, table
from vision.reading import deck_profile
from vision.reading.classify import Logits
from vision.reading.correction import Correction
from vision.reading.deck_profile import Profile, ProfileError, Sample
from vision.reading.join import Corner, Joined
from vision.reading.pyramid import Crops
from vision.reading.reader import Reader

NOISE = np.random.default_rng(5)


def slipping(crops: Crops) -> tuple[Logits, Logits]:
    """A classifier for which this deck's kings look a little more like queens (a German D, say, for a Q)."""
    rank, suit = classifier(crops)
    kings = rank[:, Rank.KING - Rank.TWO] > 0
    rank[kings, Rank.KING - Rank.TWO], rank[kings, Rank.QUEEN - Rank.TWO] = 4.0, 5.0
    queens = (rank[:, Rank.QUEEN - Rank.TWO] > 0) & ~kings
    rank[queens, Rank.QUEEN - Rank.TWO], rank[queens, Rank.KING - Rank.TWO] = 7.0, 1.0
    return rank + NOISE.normal(0, 0.3, rank.shape).astype(np.float32), suit


def spread_out(cards: list[str]) -> np.ndarray:
    image = table()
    for i, card in enumerate(cards):
        paint(image, card, lying(110 + 150 * (i % 8), 150 + 200 * (i // 8), 0.3 * i, 80))
    return image


COURTS = ["KH", "QH", "JH", "KS", "QS", "JS", "7D", "TC"]


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def plain() -> Reader:
    return Reader(detector, slipping, CALIBRATION)


def names(reader: Reader, cards: list[str]) -> list[str]:
    return sorted(str(card.card) for card in reader.read(spread_out(cards)).cards)


def test_a_deck_is_learned(plain: Reader) -> None:
    assert names(plain, ["KH", "KC"]) == ["QC", "QH"]
    truth = [Card.parse(card) for card in COURTS]
    samples = deck_profile.samples(plain.joined(spread_out(COURTS)), truth)
    assert len(samples) == 2 * len(COURTS)
    knowing = plain.knowing(Profile.learn("ours", CALIBRATION, samples))
    # A king of clubs was never shown; ranks are learned over all suits.
    assert names(knowing, ["KH", "KC", "QD", "7S", "2C", "XX"]) == sorted(["KH", "KC", "QD", "7S", "2C", "XX"])


def test_what_was_never_seen_is_read_as_before(plain: Reader) -> None:
    samples = deck_profile.samples(plain.joined(spread_out(["2C"])), [Card.parse("2C")])
    knowing = plain.knowing(Profile.learn("ours", CALIBRATION, samples))
    assert names(knowing, ["7H", "9S", "AD", "2D"]) == sorted(["7H", "9S", "AD", "2D"])


def test_a_user_without_a_home_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # as it is where nobody knows a home
    for command in (["deck", "list"], ["deck", "forget", "ours"]):
        assert main(command) == 1
        assert "[no-home]" in capsys.readouterr().err


def test_learning_nothing_is_refused() -> None:
    with pytest.raises(ProfileError) as caught:
        Profile.learn("ours", CALIBRATION, [])
    assert caught.value.code == "deck-empty"


def read(card: str, score: float) -> Joined:
    likelihoods = np.full(len(FACES), (1 - score) / (len(FACES) - 1), np.float32)
    likelihoods[FACES.index(Card.parse(card))] = score
    points = np.zeros((4, 2), np.float32)
    return Joined((Corner(points, likelihoods, 0.9, 1.0, np.zeros(15, np.float32), np.zeros(4, np.float32)),))


def test_an_unrecognised_card_is_known_by_being_left_over() -> None:
    read_as = [read("QH", 0.5), read("QH", 0.9), read("7S", 0.9)]
    samples = deck_profile.samples(read_as, [Card.parse(card) for card in ("QH", "KH", "7S")])
    assert {str(sample.card) for sample in samples} == {"7S", "QH", "KH"}
    assert deck_profile.samples([], [Card.parse("7H")]) == []
    assert deck_profile.samples(read_as, []) == []


def test_what_is_left_over_beside_a_missed_card_teaches_nothing() -> None:
    read_as = [read("QH", 0.9), read("7S", 0.99)]  # the seven is none: a letter on a book
    truth = [Card.parse(card) for card in ("QH", "KH", "2C")]
    assert [str(sample.card) for sample in deck_profile.samples(read_as, truth)] == ["QH"]


def claim(corner: Corner) -> float:
    """How surely a corner is said to show its likeliest rank."""
    ranks = np.bincount([face.rank for face in FACES], corner.likelihoods)
    return float(corner.presence * ranks.max())


def test_no_profile_changes_how_many_cards_there_are() -> None:
    plain, generator = Reader(detector, classifier, CALIBRATION), np.random.default_rng(3)
    spread = spread_out(COURTS)
    seen = plain.joined(spread)
    for _ in range(5):
        corrections = (
            Correction(generator.normal(0, 3, (n + 1, n)).astype(np.float32), np.ones(n, np.float32)) for n in (14, 4)
        )
        wild = plain.knowing(Profile("wild", "painted", *corrections)).joined(spread)
        assert [len(card.corners) for card in wild] == [len(card.corners) for card in seen]
        for a, b in zip(wild, seen, strict=True):
            assert np.array_equal(a.outline, b.outline)
            for corner, before in zip(a.corners, b.corners, strict=True):
                assert claim(corner) <= claim(before) + 1e-4


def profile() -> Profile:
    generator = np.random.default_rng(1)
    samples = [
        Sample(generator.normal(0, 3, 15).astype(np.float32), generator.normal(0, 3, 4).astype(np.float32), card)
        for card in FACES
    ]
    return Profile.learn("ours", replace(CALIBRATION, version="nets 1"), samples)


def test_profiles_come_back_from_their_file() -> None:
    saved = profile()
    file = deck_profile.save(saved)
    again = deck_profile.load("ours", "nets 1")
    assert deck_profile.names() == ["ours"]
    assert again.known() == saved.known() == 14
    assert np.allclose(again.ranks.weights, saved.ranks.weights, atol=1e-3)
    assert file.stat().st_size < 20_000


@pytest.mark.parametrize(
    ("content", "code"),
    [("", "deck-damaged"), ("[]", "deck-damaged"), ('{"name": "ours"}', "deck-damaged"), (None, "deck-unknown")],
)
def test_damaged_files(content: str | None, code: str) -> None:
    if content is not None:
        deck_profile.path_of("ours").parent.mkdir(parents=True)
        deck_profile.path_of("ours").write_text(content)
    with pytest.raises(ProfileError) as caught:
        deck_profile.load("ours", "nets 1")
    assert caught.value.code == code


def test_a_profile_of_the_wrong_shape_is_damaged() -> None:
    file = deck_profile.save(profile())
    data = json.loads(file.read_text())
    data["ranks"]["weights"] = data["ranks"]["weights"][:-1]
    file.write_text(json.dumps(data))
    with pytest.raises(ProfileError, match="damaged"):
        deck_profile.load("ours", "nets 1")


def test_other_nets_need_another_profile() -> None:
    deck_profile.save(profile())
    with pytest.raises(ProfileError) as caught:
        deck_profile.load("ours", "nets 2")
    assert caught.value.code == "deck-outdated"


@pytest.mark.parametrize("name", ["", "../x", "a/b", "x" * 41, "a b"])
def test_names_are_file_names(name: str) -> None:
    with pytest.raises(ProfileError):
        deck_profile.path_of(name)


class TestCommand:
    @pytest.fixture(autouse=True)
    def _nets(self, monkeypatch: pytest.MonkeyPatch, plain: Reader) -> None:
        monkeypatch.setattr(Reader, "load", lambda *_, **__: plain)

    def test_with_truth(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        photo, truth = tmp_path / "deck.png", tmp_path / "truth.json"
        cv2.imwrite(str(photo), spread_out(COURTS))
        truth.write_text(json.dumps({"deck.png": COURTS}))
        assert main(["deck", "learn", str(photo), "--name", "ours", "--truth", str(truth)]) == 0
        assert "deck.png: 8 card(s) read, 16 corner(s) learned" in capsys.readouterr().out
        assert main(["deck", "list"]) == 0
        assert "ours: 16 corners" in capsys.readouterr().out
        assert main(["deck", "forget", "ours"]) == 0
        assert main(["deck", "forget", "ours"]) == 1

    def test_bad_truth(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        truth = tmp_path / "truth.json"
        for content in ("[1]", "{", '{"a.png": ["1H"]}'):
            truth.write_text(content)
            assert main(["deck", "learn", str(truth), "--name", "ours", "--truth", str(truth)]) == 1
            assert "[truth-unreadable]" in capsys.readouterr().err

    def test_nothing_read_is_said(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        photo = tmp_path / "empty.png"
        cv2.imwrite(str(photo), table())
        assert main(["deck", "learn", str(photo), "--name", "ours", "--yes"]) == 1
        assert "[deck-empty]" in capsys.readouterr().err


def test_doubts_are_asked_and_a_second_copy_is_a_doubt(monkeypatch: pytest.MonkeyPatch, plain: Reader) -> None:
    cards = plain.joined(spread_out(["KH", "QH", "7D"]))  # the king looks like a second queen
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    asked: list[str] = []

    def answer(words: str) -> str:
        asked.append(words)
        return ["nonsense", "kh"][len(asked) - 1] if len(asked) < 3 else "-"

    monkeypatch.setattr("builtins.input", answer)
    chosen = [str(face) for _, face in settle("photo.png", cards, ask=True)]
    assert sorted(chosen) == ["7D", "KH", "QH"]
    assert len(asked) == 2
    assert sorted(str(face) for _, face in settle("photo.png", cards, ask=False)) == ["7D", "QH"]
