"""Recall, precision and calibration, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.calibrate import platt
from datasets.scoring import Claim, Tally, calibration_table, markdown
from engine.cards import STANDARD, Card
from vision.reading.claims import truer


def cards(text: str) -> list[Card]:
    return [Card.parse(word) for word in text.split()]


def claims(text: str, score: float = 0.95) -> list[Claim]:
    return [Claim(card, score, score) for card in cards(text)]


def judged(truth: str, read: str, all_listed: bool = True) -> Tally:
    tally = Tally()
    tally.add(cards(truth), claims(read), all_listed)
    return tally


@pytest.mark.parametrize(
    ("truth", "read", "rank_recall", "rank_precision", "card_recall", "card_precision", "right"),
    [
        ("7H 8S", "8S 7H", 1, 1, 1, 1, 1),
        ("7H 8S", "7D 8S", 1, 1, 0.5, 0.5, 0),
        ("7H 8S", "7H", 0.5, 1, 0.5, 1, 0),
        ("7H", "7H 7H", 1, 0.5, 1, 0.5, 0),
        ("7H 7H", "7H 7H", 1, 1, 1, 1, 1),
        ("7 8", "7D 8S", 1, 1, None, None, 1),
        ("7 7", "7D", 0.5, 1, None, None, 0),
        ("XX", "XX", 1, 1, 1, 1, 1),
        ("7H", "", 0, None, 0, None, 0),
    ],
)
def test_one_photo(
    truth: str,
    read: str,
    rank_recall: float,
    rank_precision: float | None,
    card_recall: float | None,
    card_precision: float | None,
    right: int,
) -> None:
    tally = judged(truth, read)
    assert (tally.recall("rank"), tally.precision("rank")) == (rank_recall, rank_precision)
    assert (tally.recall("card"), tally.precision("card")) == (card_recall, card_precision)
    assert tally.right == right


def test_extra_cards_are_not_wrong_where_the_truth_is_partial() -> None:
    tally = judged("7H", "7H 9C 2D", all_listed=False)
    assert (tally.recall("rank"), tally.precision("rank"), tally.right) == (1, 1, 1)
    assert judged("7H KS", "7H 9C", all_listed=False).right == 0


def test_the_surer_of_two_equal_claims_is_the_right_one() -> None:
    tally = Tally()
    tally.add(cards("7H"), [Claim(cards("7H")[0], 0.55, 0.55), Claim(cards("7H")[0], 0.95, 0.95)], True)
    assert tally.bins["rank"][9][2] == 1
    assert tally.bins["rank"][5][2] == 0


def test_calibration() -> None:
    tally = Tally()
    for i in range(10):  # ten claims of 0.75, of which six come true: a gap of 0.15
        tally.add(cards("7H") if i < 6 else cards("8H"), claims("7H", 0.75), True)
    assert tally.calibration_error("rank") == pytest.approx(0.15)
    assert "| 0.7 to 0.8 | 10 | 0.600 | 10 | 0.600 |" in calibration_table(tally)
    assert Tally().calibration_error("rank") is None


@given(st.lists(st.tuples(st.sampled_from(STANDARD), st.sampled_from(STANDARD), st.floats(0, 1)), max_size=20))
def test_sums_are_sums(rows: list[tuple[Card, Card, float]]) -> None:
    together, apart = Tally(), Tally()
    for truth, read, score in rows:
        together.add([truth], [Claim(read, score, score)], True, 0.1)
        one = Tally()
        one.add([truth], [Claim(read, score, score)], True, 0.1)
        apart.merge(one)
    assert (together.rank, together.card, together.right) == (apart.rank, apart.card, apart.right)
    for kind, cells in together.bins.items():
        assert cells == [pytest.approx(cell) for cell in apart.bins[kind]]
    assert together.photos == len(rows)
    for kind in ("rank", "card"):
        assert 0 <= (together.recall(kind) or 0) <= 1
        assert 0 <= (together.calibration_error(kind) or 0) <= 1


def test_the_table_has_a_row_each() -> None:
    text = markdown([("photos", judged("7H 8S", "7D 8S"))])
    assert text.splitlines()[-1].startswith("| photos | 1 | 2 | 1.000 | 1.000 | 0.500 | 0.500 | 0.000 |")


@pytest.mark.parametrize(("slope", "shift"), [(1.0, 0.0), (0.6, -1.5), (1.5, 0.5)])
def test_the_odds_that_make_claims_true_are_found(slope: float, shift: float) -> None:
    rng = np.random.default_rng(3)
    claimed = rng.uniform(0.02, 0.99, 6000)
    right = rng.uniform(size=6000) < [truer(claim, slope, shift) for claim in claimed]
    assert platt(claimed, right) == pytest.approx((slope, shift), abs=0.12)
