"""A seat's face-up cards while they are exchanged."""

from __future__ import annotations

import numpy as np

from engine.cards import FACES
from vision.table.place import Placed
from vision.watching.track import Track
from vision.watching.upcards import Row


def placed(face: str, x: float, corners: int = 2, sure: float = 0.99) -> Placed:
    likelihoods = np.full(len(FACES), (1 - sure) / (len(FACES) - 1), np.float32)
    likelihoods[[str(each) for each in FACES].index(face)] = sure
    anchors = np.array([[x - 0.35, -0.5], [x + 0.35, 0.5]])[:corners]
    return Placed(np.array([x, 0.0]), 0.0, anchors, likelihoods, 1.0)


def test_an_exchange_leaves_no_more_cards_than_were_dealt() -> None:
    """A pip or half an index read beside the new card is no fourth card."""
    row = Row()
    row.start([placed("AH", 0.0), placed("5C", 1.2), placed("TC", 2.4)], 3)
    seen = [placed("AH", 0.0), placed("TC", 2.4), placed("QD", 1.3), placed("6C", 3.6, corners=1, sure=0.88)]
    row.update([Track.start(card, 1.0) for card in seen])
    faces = {str(FACES[int(card.likelihoods.argmax())]) for card in row.cards}
    assert faces == {"AH", "TC", "QD"}


def test_a_row_fills_up_again() -> None:
    row = Row()
    row.start([placed("AH", 0.0), placed("5C", 1.2), placed("TC", 2.4)], 3)
    row.update([Track.start(placed("AH", 0.0), 1.0)])
    assert len(row.cards) == 1
    both = [placed("AH", 0.0), placed("QD", 1.3), placed("KD", 2.4)]
    row.update([Track.start(card, 2.0) for card in both])
    assert len(row.cards) == 3
