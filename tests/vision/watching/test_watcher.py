"""The watcher on made-up tables: every kind of observation, and what must not become one."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from tests.vision.tabletop import ANN, BEN, CARD, Cinema, Tabletop, dealt, game
from vision.sources import Frame
from vision.types import Image, ImageReading, Observation, Seen
from vision.watching.watcher import Watcher


def test_the_laid_out_deal_is_found_without_a_table_file() -> None:
    cinema = dealt()
    assert [observation.kind for observation in cinema.seen] == [Seen.DEAL]
    rows = [[str(sight.card) for sight in row] for row in cinema.seen[0].upcards]
    assert rows == [list(ANN), list(BEN)]
    assert cinema.watcher.table is not None
    assert cinema.watcher.table.stock is not None


def test_a_card_is_laid_by_the_one_whose_arm_it_was() -> None:
    cinema = dealt()
    seen = cinema.reach(1, 2, lambda: cinema.table.lay("5H", 0.1, 0.0, 0.1))
    assert game(seen) == ["LAID 5H"]
    laid = next(observation for observation in seen if observation.kind is Seen.LAID)
    assert laid.seat == 1
    assert laid.seat_score > 0.9


def test_three_plays_on_top_of_each_other() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("4H", 0.1, 0.0, 0.1))
    cinema.reach(1, 2, lambda: table.lay("6D", 0.2, 0.1, 0.3))
    cinema.reach(0, 2, lambda: table.lay("6S", 0.05, -0.1, -0.1))
    assert game(cinema.seen) == ["DEAL", "LAID 4H", "LAID 6D", "LAID 6S"]


def test_a_set_laid_together_is_one_observation() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: (table.lay("8H", -0.3, 0.0, 0.0), table.lay("8C", 0.2, 0.1, 0.1)))
    assert game(cinema.seen) == ["DEAL", "LAID 8H 8C"]


def test_a_pile_that_has_gone_and_a_lead_after_it() -> None:
    cinema = dealt()
    table = cinema.table
    four = table.lay("4H", 0.1, 0.0, 0.1)
    cinema.roll(0.6)
    cinema.reach(1, 2, lambda: table.take(four))
    cinema.roll(1.0)
    cinema.reach(0, 2, lambda: table.lay("9H", 0.0, 0.1, 0.0))
    assert game(cinema.seen) == ["DEAL", "LAID 4H", "GONE", "LAID 9H"]


def test_a_photo_series_tells_the_same_game() -> None:
    table = Tabletop()
    table.deal((ANN, BEN))
    cinema = Cinema(table)
    cinema.photo()
    four = table.lay("4H", 0.1, 0.0, 0.1)
    cinema.photo()
    six = table.lay("6D", 0.4, 0.1, 0.3)
    cinema.photo()
    table.take(four, six)
    cinema.photo()
    table.lay("9S", 0.4, 0.1, 0.3)
    cinema.photo()
    assert game(cinema.seen) == ["DEAL", "LAID 4H", "LAID 6D", "GONE", "LAID 9S"]


def test_a_set_laid_one_by_one_comes_as_the_cards_come_from_one_seat() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("8H", -0.2, 0.0, 0.0))
    cinema.reach(0, 2, lambda: table.lay("8C", 0.3, 0.1, 0.1))
    assert game(cinema.seen) == ["DEAL", "LAID 8H", "LAID 8C"]
    assert [observation.seat for observation in cinema.seen if observation.kind is Seen.LAID] == [0, 0]


def test_two_quick_plays_of_two_seats_within_a_second() -> None:
    cinema = dealt()
    table = cinema.table
    for seat, face, x in ((0, "4H", -0.1), (1, "6D", 0.25)):
        table.hands = [table.arm(seat, 2, 0.5)]
        cinema.roll(0.2)
        table.lay(face, x, 0.0, 0.2 * seat)
        table.hands = [table.arm(seat, 2, 2.6)]
        cinema.roll(0.13)
        table.hands = []
        cinema.roll(0.13)
    cinema.roll(0.8)
    assert game(cinema.seen) == ["DEAL", "LAID 4H", "LAID 6D"]


@pytest.mark.parametrize("second", [0, 1])
def test_two_cards_of_a_rank_that_nobody_saw_alone_are_of_those_whose_hands_came(second: int) -> None:
    """The next player's hand comes before the one ahead has gone: two plays. One hand that comes twice lays a set."""
    cinema = dealt()
    table = cinema.table
    for seat, face, x in ((0, "4H", -0.1), (second, "4D", 0.25)):
        for step in (3.5, 2.0, 0.5):
            table.hands = [table.arm(seat, 2, step)]
            cinema.frame()
        cinema.roll(0.2)
        table.lay(face, x, 0.0, 0.3 * x)
    table.hands = []
    cinema.roll(0.8)
    laid = [one for one in cinema.seen if one.kind is Seen.LAID]
    if second == 0:
        assert [len(one.cards) for one in laid] == [2]
    else:
        assert [(str(one.cards[0].card), one.seat) for one in laid] == [("4H", 0), ("4D", 1)]


def test_a_take_back_is_lifted_and_the_pile_below_stays() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    four = table.lay("4D", 0.3, 0.1, 0.5)
    cinema.roll(0.6)
    cinema.reach(1, 2, lambda: table.take(four))
    assert game(cinema.seen) == ["DEAL", "LAID 9H", "LAID 4D", "LIFTED 4D"]


def test_a_hand_that_does_nothing_changes_nothing() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    before = game(cinema.seen)
    cinema.reach(1, 2, lambda: None)
    assert game(cinema.seen) == before
    hands = [observation.present for observation in cinema.seen if observation.kind is Seen.HAND]
    assert hands == [True, False, True, False]


@pytest.mark.parametrize("reach", [1.4, 1.8])
def test_a_card_that_cannot_be_read_beside_a_resting_hand_is_read_when_it_has_gone(reach: float) -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, -0.4, 0.1))
    table.misread = lambda card, _: None if card.face == "KS" and table.hands else card.face
    for step in (7, 4, 2, reach):
        table.hands = [table.arm(0, 2, step)]
        cinema.frame()
    table.lay("KS", 0.0, 0.2, 0.3)
    cinema.roll(1.2)
    for step in (4, 7, 9):
        table.hands = [table.arm(0, 2, step)]
        cinema.frame()
    table.hands = []
    cinema.roll(1.5)
    assert game(cinema.seen)[-1] == "LAID KS"


def test_a_pile_under_a_resting_hand_has_not_gone() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    table.hands = [table.arm(1, 2, -1.0)]
    cinema.roll(3.0)
    table.hands = []
    cinema.roll(1.5)
    assert game(cinema.seen) == ["DEAL", "LAID 9H"]


def test_shadows_and_light_change_nothing() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    table.shadows = [[(220, 150), (360, 150), (360, 285), (220, 285)]]
    cinema.roll(1.5)
    table.shadows = []
    for light in (0.95, 0.9, 0.8, 0.7, 0.85, 1.0):
        table.light = light
        cinema.roll(0.3)
    cinema.roll(1.0)
    assert game(cinema.seen) == ["DEAL", "LAID 9H"]


def test_a_flickering_reading_is_no_play() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    table.misread = lambda card, number: "6H" if card.face == "9H" and number % 3 == 0 else card.face
    cinema.roll(4.0)
    table.misread = lambda card, number: None if card.face in ("9H", "7S") and number % 2 else card.face
    cinema.roll(4.0)
    assert game(cinema.seen) == ["DEAL", "LAID 9H"]


def test_a_doubtful_card_keeps_both_faces() -> None:
    cinema = dealt()
    table = cinema.table
    table.misread = lambda card, number: "6H" if card.face == "9H" and number % 2 else card.face
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    laid = next(observation for observation in cinema.seen if observation.kind is Seen.LAID)
    assert {str(card) for card, p in laid.cards[0].likelihoods.items() if p > 0.1} == {"6H", "9H"}


def test_a_squared_up_pile_is_neither_gone_nor_laid() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", -0.4, 0.0, 0.3))
    cinema.reach(1, 2, lambda: table.lay("QD", 0.4, 0.2, -0.2))
    nine, queen = table.cards[-2:]
    cinema.reach(0, 2, lambda: (table.move(nine, 0.0, 0.0), table.move(queen, 0.0, 0.0)))
    cinema.roll(1.5)
    assert game(cinema.seen) == ["DEAL", "LAID 9H", "LAID QD", "SQUARED"]
    cinema.reach(0, 2, lambda: table.lay("KD", 0.1, 0.0, 0.2))
    assert game(cinema.seen)[-1] == "LAID KD"


def test_an_exchange_before_the_first_play() -> None:
    cinema = dealt()
    table = cinema.table
    seven = next(card for card in table.cards if card.face == "7S")

    def swap() -> None:
        table.take(seven)
        table.lay("AH", seven.x, seven.y, seven.turn)

    cinema.reach(0, 2, swap, reach=3.0)
    assert game(cinema.seen)[0] == "DEAL"
    assert sorted(game(cinema.seen)[-1].split()) == sorted(["UPCARDS", "3C", "AH", "9D"])
    assert cinema.seen[-1].seat == 0 or cinema.seen[-2].seat == 0


def test_an_upcard_is_played() -> None:
    cinema = dealt()
    table = cinema.table
    seven = next(card for card in table.cards if card.face == "7S")

    def play() -> None:
        table.take(seven)
        table.lay(None, seven.x, seven.y, seven.turn)
        table.lay("7S", 0.1, 0.0, 0.2)

    cinema.reach(0, 2, play)
    events = game(cinema.seen)
    assert "LAID 7S" in events
    assert any(event.startswith("UPCARDS") and "7S" not in event for event in events)


def test_a_downcard_turned_in_its_place_and_then_moved_is_one_event() -> None:
    cinema = dealt()
    table = cinema.table
    for card in [card for card in table.cards if card.face in ANN]:
        table.take(card)
        table.lay(None, card.x, card.y, card.turn)
    cinema.roll(1.5)
    down = table.cards[-1]
    cinema.seen.clear()

    def turn() -> None:
        table.take(down)
        table.lay("KS", down.x, down.y, down.turn)

    cinema.reach(0, 2, turn, reach=3.0)
    king = table.cards[-1]

    def push() -> None:
        table.take(king)
        table.lay("KS", 0.0, 0.0, 0.1)

    cinema.reach(0, 2, push)
    assert game(cinema.seen) == ["TURNED KS"]


@pytest.mark.parametrize("shifts", [(220, 110, 45, 0, 0, 0, 45, 110, 220), (220, 110, 0, 110, 220)])
def test_a_visit_to_the_stock(shifts: tuple[int, ...]) -> None:
    """However short: a hand may be there in a single picture of a slow camera."""
    cinema = dealt()
    table = cinema.table
    x, y = table.pixels(table.cards[-1].centre[None])[0]
    for shift in shifts:
        table.hands = [[(x - 15, 450), (x + 15, 450), (x + 15, y + shift), (x - 15, y + shift)]]
        cinema.frame()
    table.hands = []
    cinema.roll(0.6)
    visits = [observation for observation in cinema.seen if observation.kind is Seen.STOCK]
    assert [visit.seat for visit in visits] == [0]


@pytest.mark.parametrize(("beyond", "visits"), [(1.2, [0]), (2.4, [])])
def test_a_hand_that_covers_the_stock_is_there_though_its_shadow_reaches_on(beyond: float, visits: list[int]) -> None:
    """An arm that crosses the stock on its way to somewhere else is not."""
    cinema = dealt()
    table = cinema.table
    x, y = table.pixels(table.cards[-1].centre[None])[0]
    for shift in (220, 110, 45, 0, 0, 0, 45, 110, 220):
        end = y + shift - (0.7 + beyond) * CARD
        table.hands = [[(x - 30, 450), (x + 30, 450), (x + 30, end), (x - 30, end)]]
        if shift:
            table.hands = [[(x - 30, 450), (x + 30, 450), (x + 30, y + shift + 40), (x - 30, y + shift + 40)]]
        cinema.frame()
    table.hands = []
    cinema.roll(0.6)
    assert [one.seat for one in cinema.seen if one.kind is Seen.STOCK] == visits


@pytest.mark.parametrize("every", [2, 5, 12])
def test_a_slow_machine_misses_no_hand_and_no_play(every: int) -> None:
    cinema = dealt(every=every)
    table = cinema.table
    for seat, face, where in ((0, "4H", 0.1), (1, "6D", 0.2), (0, "6S", 0.05)):
        cinema.reach(seat, 2, lambda face=face, where=where: table.lay(face, where, 0.0, where))  # type: ignore[misc]
        cinema.roll(2.0)
        x, y = table.pixels(table.cards[6].centre[None])[0]
        edge, way = (450, 1) if seat == 0 else (-20, -1)
        for shift in (220, 110, 45, 0, 0, 45, 110, 220):
            far = y + way * shift
            table.hands = [[(x - 15, edge), (x + 15, edge), (x + 15, far), (x - 15, far)]]
            cinema.frame()
        table.hands = []
        cinema.roll(2.0)
    assert game(cinema.seen) == ["DEAL", "LAID 4H", "LAID 6D", "LAID 6S"]
    assert [one.seat for one in cinema.seen if one.kind is Seen.LAID] == [0, 1, 0]
    assert [one.seat for one in cinema.seen if one.kind is Seen.STOCK] == [0, 1, 0]


def test_a_nudged_camera_is_noticed_and_the_game_goes_on() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    cinema.nudge()
    cinema.roll(2.0)
    assert game(cinema.seen) == ["DEAL", "LAID 9H", "NUDGED"]
    cinema.reach(1, 2, lambda: table.lay("QD", 0.2, 0.1, 0.4))
    assert game(cinema.seen)[-1] == "LAID QD"


@pytest.mark.parametrize(("much", "said"), [(1.0, ["NUDGED"]), (0.2, [])])
def test_a_nudge_over_a_checked_cloth_is_no_hand(much: float, said: list[str]) -> None:
    """All of the cloth differs then. A nudge too small to tell of must not leave differences behind either."""
    cinema = dealt(table=Tabletop(checks=30.0))
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    cinema.nudge(much, 0.0)
    before = len(cinema.seen)
    cinema.roll(1.2)
    assert game(cinema.seen[before:]) == said
    cinema.reach(1, 2, lambda: table.lay("QD", 0.2, 0.1, 0.4))
    assert game(cinema.seen)[-1] == "LAID QD"
    cinema.reach(0, 2, lambda: table.take(*table.cards[-2:]))
    cinema.roll(1.0)
    assert game(cinema.seen)[-1] == "GONE"


def test_a_camera_nudged_while_a_hand_comes_in_misses_nothing() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    cinema.nudge()
    cinema.roll(0.2)
    cinema.reach(1, 2, lambda: table.lay("QD", 0.2, 0.1, 0.4), reach=0.0)
    assert game(cinema.seen)[-1] == "LAID QD"
    (laid,) = [one for one in cinema.seen if one.kind is Seen.LAID and str(one.cards[0].card) == "QD"]
    assert sum(p for count, p in laid.counts.items() if count > 1) < 0.3


def test_a_lost_camera_changes_no_state() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    now = cinema.number / cinema.rate
    assert [observation.kind for observation in cinema.watcher.lost(now)] == [Seen.CAMERA]
    assert cinema.watcher.lost(now) == []
    cinema.number += 100
    cinema.roll(1.5)
    assert game(cinema.seen) == ["DEAL", "LAID 9H", "CAMERA"]
    cinema.reach(1, 2, lambda: table.lay("QD", 0.2, 0.1, 0.4))
    assert game(cinema.seen)[-1] == "LAID QD"


def test_a_mirrored_picture_is_noticed_and_read_the_right_way_round() -> None:
    table = Tabletop()
    table.deal((ANN, BEN))

    class Mirrored:
        def read(self, image: Image, regions: Sequence[tuple[int, int, int, int]] | None = None) -> ImageReading:
            upright = table.image().astype(int)
            if np.abs(image - upright).mean() < np.abs(image - upright[:, ::-1]).mean():
                return table.read(image, regions)
            return ImageReading(image.shape[1], image.shape[0], ())

    watcher = Watcher(Mirrored())
    seen = []
    for number in range(60):
        seen += watcher.see(Frame(table.image()[:, ::-1].copy(), number / 15, number))
    assert watcher.setup.mirrored
    assert game(seen) == ["DEAL"]


def test_a_cup_put_on_the_table_is_nothing() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    table.shadows = [[(420, 190), (465, 190), (465, 235), (420, 235)]]
    cinema.roll(3.0)
    assert game(cinema.seen) == ["DEAL", "LAID 9H"]


def test_the_same_frames_give_the_same_observations() -> None:
    def watch() -> list[Observation]:
        cinema = dealt()
        cinema.reach(0, 2, lambda: cinema.table.lay("9H", 0.1, 0.0, 0.1))
        cinema.reach(1, 2, lambda: cinema.table.lay("QD", 0.4, 0.2, -0.2))
        return cinema.seen

    assert watch() == watch()


def test_a_smaller_picture_of_the_same_view_goes_on() -> None:
    cinema = dealt()
    table = cinema.table
    cinema.reach(0, 2, lambda: table.lay("9H", 0.1, 0.0, 0.1))
    image = cv2.resize(table.image(), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    cinema.watcher.see(Frame(np.asarray(image, np.uint8), cinema.number / 12 + 0.1, cinema.number))
    assert cinema.watcher.table is not None
    assert cinema.watcher.table.width * 2 == table.image().shape[1]
    cinema.number += 2
    cinema.roll(1.5)
    assert game(cinema.seen) == ["DEAL", "LAID 9H"]
