"""Cards with other edges than their art has."""

from __future__ import annotations

import numpy as np
import pytest

from datasets import edges
from datasets.edges import edged
from datasets.films.deck_source import FACE_HEIGHT, Art, Deck

WIDTH = 315
INK, PAPER = 30, 240


def outlined() -> Art:
    """A white card with a dark outline half a millimetre wide, and print in its middle."""
    card = np.full((FACE_HEIGHT, WIDTH, 4), PAPER, np.uint8)
    card[..., 3] = 255
    for side in (card[:3], card[-3:], card[:, :3], card[:, -3:]):
        side[..., :3] = INK
    card[150:300, 100:200, :3] = (20, 20, 200)
    return card


def deck() -> Deck:
    return Deck("test", {code: outlined() for code in ("7H", "QS")}, outlined(), 63.0)


def test_an_outline_is_taken_for_paper_and_the_print_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edges, "STRIPPED", 1.0)
    monkeypatch.setattr(edges, "ROUGH", 0.0)
    for face in edged(deck(), np.random.default_rng(1)).faces.values():
        assert face[1, WIDTH // 2, :3].min() > PAPER - 12
        assert face[FACE_HEIGHT // 2, 1, :3].min() > PAPER - 12
        assert face[200, 150].tolist() == [20, 20, 200, 255]


def test_rough_edges_are_each_cards_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edges, "STRIPPED", 0.0)
    monkeypatch.setattr(edges, "ROUGH", 1.0)
    first, second = edged(deck(), np.random.default_rng(2)).faces.values()
    assert (first != second).any()
    inside = (slice(20, -20), slice(20, -20))
    assert (first[inside] == outlined()[inside]).all()
    assert first[..., 3].min() < 255


def test_most_decks_keep_some_edges_as_they_are() -> None:
    kept = sum((edged(deck(), np.random.default_rng(seed)).faces["7H"] == outlined()).all() for seed in range(40))
    assert 4 < kept < 25


def test_a_face_of_which_nothing_shows_stays_so() -> None:
    blank = np.zeros((FACE_HEIGHT, WIDTH, 4), np.uint8)
    for seed in range(6):
        assert not edged(Deck("test", {"7H": blank}, blank, 63.0), np.random.default_rng(seed)).faces["7H"].any()
