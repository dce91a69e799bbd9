"""What is sure is told without a question mark, and that means the same wherever a card is shown."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.commands import watch
from companion.commands.read import as_line
from companion.pictures import lettering, named
from companion.set_up import LANGUAGES
from engine.cards import FACES, Card, Rank, Suit
from vision.reading.overlay import DOUBT, SEEN, draw
from vision.table.checkup import examine
from vision.types import SURE, CardReading, ImageReading

BLANK = np.full((360, 480, 3), 90, np.uint8)


def reading(*scores: float) -> ImageReading:
    """Cards side by side, each read with a score as the seven of hearts, else as the nine."""
    cards = []
    for number, score in enumerate(scores):
        likelihoods = np.zeros(len(FACES), np.float32)
        likelihoods[FACES.index(Card.parse("7H"))] = score
        likelihoods[FACES.index(Card.parse("9H"))] = 1 - score
        left = 40 + 150 * number
        outline = np.array([[left, 80], [left + 100, 80], [left + 100, 220], [left, 220]], np.float32)
        corner = np.array([[left, 80], [left + 20, 80], [left + 20, 110], [left, 110]], np.float32)
        cards.append(CardReading(outline, (corner,), likelihoods, 1.0))
    return ImageReading(480, 360, tuple(cards))


@pytest.mark.parametrize(("score", "sure"), [(0.65, False), (0.85, False), (SURE - 0.004, False), (SURE + 0.004, True)])
def test_every_place_says_the_same(score: float, sure: bool) -> None:
    one = reading(score)
    assert one.cards[0].sure is sure
    mark = "" if sure else "?"
    assert named(one) == [f"7H{mark}"]
    assert [card["card"] for card in watch.named(one)] == [f"7H{mark}"]
    assert as_line(Path("a.jpg"), one).startswith("a.jpg: 7H?" if mark else "a.jpg: 7H")
    assert ("?" in as_line(Path("a.jpg"), one)) is not sure
    drawn = draw(BLANK, one)
    colours = {tuple(pixel) for pixel in drawn.reshape(-1, 3).tolist()}
    assert (SEEN in colours, DOUBT in colours) == (sure, not sure)
    told = next(finding for finding in examine(BLANK, one) if finding.code == "cards")
    assert (told.good, f"{int(sure) * 100}% of them surely" in told.words) == (sure, True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_has_the_letters_of_the_language(language: str) -> None:
    letters = lettering(language)
    words = [*letters.ranks.values(), *letters.suits.values(), letters.either, letters.back]
    assert all(word.isascii() and word for word in words), "the font of the picture has no other letters"
    assert letters.rank(Card.parse("JH")) == {"en": "J", "de": "B", "sv": "Kn", "fr": "V", "nl": "B"}[language]
    assert set(letters.ranks) == set(Rank)
    assert set(letters.suits) == set(Suit)


def test_a_jack_is_drawn_otherwise_for_a_german() -> None:
    one = reading(0.95)
    jack = np.zeros(len(FACES), np.float32)
    jack[FACES.index(Card.parse("JH"))] = 1
    card = CardReading(one.cards[0].outline, one.cards[0].indices, jack, 1.0)
    pictures = [draw(BLANK, ImageReading(480, 360, (card,)), lettering(language)) for language in ("en", "de", "nl")]
    assert cv2.absdiff(pictures[0], pictures[1]).any()
    assert not cv2.absdiff(pictures[1], pictures[2]).any(), "both say B"
