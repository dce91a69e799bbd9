"""What is taken for the laid-out deal, and what only looks like a card of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tabletop import ANN, BEN, Cinema, Tabletop, dealt, game, likelihoods
from vision.types import CardReading, ImageReading, Seen
from vision.watching.watcher import Watcher


class Imagines:
    """A net that sees a face on the back of the stock, and an index in the middle of a court card."""

    def __init__(self, table: Tabletop, *, back: str | None = None, pip: str | None = None) -> None:
        self.table, self.back, self.pip = table, back, pip

    def read(self, image: np.ndarray, regions: Sequence[tuple[int, int, int, int]] | None = None) -> ImageReading:
        reading = self.table.read(image, regions)
        cards = list(reading.cards)
        if self.back is not None:
            for card in reading.backs:
                quads = tuple((card.outline - card.outline[k]) * 0.2 + card.outline[k] for k in (0, 2))
                cards.append(CardReading(card.outline, quads, likelihoods(self.back), 0.9))
        if self.pip is not None:
            king = next(card for card in cards if str(card.card) == "KC")
            inner = (king.indices[0] - king.outline.mean(0)) * 0.6 + king.outline.mean(0)
            # Taken for the far corner of a card that reaches into the middle of the table.
            outline = king.outline + np.array([0, 60], np.float32)
            cards.append(replace(king, outline=outline, indices=(inner,), likelihoods=likelihoods(self.pip)))
        return replace(reading, cards=tuple(cards), backs=() if self.back else reading.backs)


def filmed(reader: Imagines, turned: bool | None) -> Cinema:
    cinema = Cinema(reader.table, Watcher(reader, turned=turned))
    cinema.roll(1.6)
    return cinema


@pytest.mark.parametrize("turned", [False, None])
def test_a_piece_of_a_dealt_card_is_no_first_card(turned: bool | None) -> None:
    table = Tabletop()
    table.deal((ANN, BEN))
    cinema = filmed(Imagines(table, pip="KD"), turned)
    assert [observation.kind for observation in cinema.seen] == [Seen.DEAL]
    assert cinema.seen[0].cards == ()


def test_a_face_seen_on_the_back_of_the_stock_is_no_first_card_where_none_is_turned() -> None:
    table = Tabletop()
    table.deal((ANN, BEN))
    cinema = filmed(Imagines(table, back="KD"), turned=False)
    assert cinema.seen[0].cards == ()
    assert cinema.watcher.table is not None
    stock = cinema.watcher.table.stock
    assert stock is not None
    place = cinema.watcher.table.plane.to_plane(table.pixels(np.array([[-2.6, 0.0]])))[0]
    assert stock.holds(place)
    cinema.reach(0, 2, lambda: table.lay("4H", 0.1, 0.0, 0.1))
    assert game(cinema.seen) == ["DEAL", "LAID 4H"]


def test_where_a_first_card_is_turned_the_deal_waits_until_it_can_be_read() -> None:
    table = Tabletop()
    table.deal((ANN, BEN))
    table.lay("8S", 0.1, 0.0, 0.2)
    table.misread = lambda card, number: None if card.face == "8S" and number < 8 else card.face
    cinema = Cinema(table, Watcher(table, turned=True))
    cinema.roll(1.3)
    assert cinema.seen == []
    assert "first card" in cinema.watcher.note
    cinema.roll(2.5)
    assert game(cinema.seen) == ["DEAL 8S"]


def test_a_card_of_the_deal_that_cannot_be_read_keeps_no_game_from_being_watched() -> None:
    """People begin to play before anybody has seen what the phone says of the deal."""
    table = Tabletop(misread=lambda card, _: None if card.face == "JH" else card.face)
    cinema = dealt(table=table, watcher=Watcher(table, turned=False))
    assert cinema.seen == []
    cinema.reach(0, 2, lambda: table.lay("4H", 0.1, 0.0, 0.1))
    cinema.reach(1, 2, lambda: table.lay("6D", -0.2, 0.1, 0.4))
    assert game(cinema.seen) == ["DEAL", "LAID 4H", "LAID 6D"]
    deal = next(one for one in cinema.seen if one.kind is Seen.DEAL)
    assert [sum(max(one.likelihoods.values()) > 0.5 for one in row) for row in deal.upcards] in ([3, 2], [2, 3])
    assert deal.cards == ()


def test_the_deal_is_awaited_while_cards_are_still_dealt() -> None:
    table = Tabletop()
    table.deal((ANN, BEN))
    last = table.take(table.cards[5])[0]
    cinema = Cinema(table, Watcher(table, turned=False))
    cinema.roll(2.0)
    assert cinema.seen == []
    cinema.reach(1, 2, lambda: table.lay(str(last.face), last.x, last.y, last.turn), reach=last.y)
    cinema.roll(1.0)
    (deal,) = [one for one in cinema.seen if one.kind is Seen.DEAL]
    assert [len(row) for row in deal.upcards] == [3, 3]
