"""The gate on made-up frames: which arms it sees."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.types import Image
from vision.watching.gate import Gate, Scene

CARD = ((560, 300), (660, 440))
ARM = [(700, 330), (1279, 340), (1279, 420), (620, 410)]


def seen(table: int, arm: int | None, shade: float = 1.0) -> Scene:
    """The last of some frames of a table with a card, once an arm has come (or a shadow has fallen) from the right."""
    rng = np.random.default_rng(3)
    bare = np.full((720, 1280, 3), table, np.float32)
    cv2.rectangle(bare, *CARD, (235, 235, 235), -1)
    cv2.rectangle(bare, (900, 300), (1000, 440), (235, 235, 235), -1)
    later = bare.copy()
    mask = cv2.fillPoly(np.zeros((720, 1280), np.uint8), [np.array(ARM, np.int32)], 1) > 0
    later[mask] = later[mask] * shade if arm is None else arm
    gate = Gate()
    for number in range(20):
        picture = (bare if number < 16 else later) + rng.normal(0, 1.0, bare.shape)
        image: Image = np.clip(picture, 0, 255).astype(np.uint8)
        scene = gate.see(image, number / 15)
    return scene


@pytest.mark.parametrize(("table", "arm"), [(60, 140), (60, 78), (60, 42), (150, 170)])
def test_an_arm_hardly_darker_or_lighter_than_the_table_is_seen_whole(table: int, arm: int) -> None:
    (hand,) = seen(table, arm).hands
    assert hand.entry[0] > 1200
    assert hand.tip[0] < 760
    assert hand.mask[(CARD[0][1] + 80) // 32, (CARD[1][0] - 10) // 32]


@pytest.mark.parametrize("moves", [True, False])
def test_fingers_beyond_a_stretch_that_looks_like_the_table_are_the_arms(moves: bool) -> None:
    """A dark hand over dark wood: the sleeve shows, and the fingers over a card. A card that lies still is not its."""
    gate, table = Gate(), np.full((720, 1280, 3), 60, np.uint8)
    cv2.rectangle(table, *CARD, (235, 235, 235), -1)
    for number in range(22):
        picture = table.copy()
        if number >= 14:
            slides = 4 * (number - 14) * moves
            cv2.rectangle(picture, (600 + slides, 340), (655 + slides, 400), (50, 50, 50), -1)
        if number >= 16:
            cv2.rectangle(picture, (705 + 3 * (number - 16), 330), (1279, 420), (140, 140, 140), -1)
        scene = gate.see(picture, number / 15)
    (hand,) = scene.hands
    assert (hand.tip[0] < 690) is moves


def test_a_soft_shadow_from_the_edge_is_no_arm() -> None:
    assert seen(60, None, shade=0.9).hands == ()


@pytest.mark.parametrize("gap", [0, 12, 24])
def test_cards_that_come_to_lie_near_the_edge_are_no_arm(gap: int) -> None:
    """Nor is their shadow, which reaches the edge: an arm moves, or comes farther in."""
    gate = Gate()
    bare = np.full((720, 1280, 3), 60, np.uint8)
    later = bare.copy()
    cv2.rectangle(later, (510, 0), (670, 140), (42, 42, 42), -1)
    cv2.rectangle(later, (520, gap), (660, 130), (235, 235, 235), -1)
    for number in range(42):
        scene = gate.see(bare if number < 16 else later, number / 15)
    assert scene.hands == ()


def test_what_lies_near_the_edge_does_not_reach_it() -> None:
    """Small gaps in an arm are filled, but not the one between a heap of cards and the border of the picture."""
    gate = Gate()
    bare = np.full((720, 1280, 3), 60, np.uint8)
    later = bare.copy()
    cv2.rectangle(later, (520, 14), (660, 130), (235, 235, 235), -1)
    for number in range(18):
        scene = gate.see(bare if number < 16 else later, number / 15)
    assert scene.hands == ()


def test_a_heap_of_which_a_corner_touches_the_edge_is_no_resting_arm() -> None:
    """It lies there from when the hand that left it has gone, however large; an arm comes in on all its breadth."""
    gate = Gate()
    bare = np.full((720, 1280, 3), 60, np.uint8)
    heap = np.array([(640, 2), (800, 110), (690, 260), (520, 150)], np.int32)
    later = bare.copy()
    cv2.fillPoly(later, [heap], (235, 235, 235))
    for number in range(30):
        scene = gate.see(bare if number < 16 else later, number / 15)
    assert scene.hands == ()
    for number in range(30, 36):  # nor once the next hand comes beside it
        touched = later.copy()
        cv2.rectangle(touched, (600, 240), (1279, 330), (140, 140, 140), -1)
        scene = gate.see(touched, number / 15)
    (hand,) = scene.hands
    assert hand.entry[0] > 1200
    assert not hand.mask[3, 20]


def test_a_patterned_cloth_under_a_nudged_camera_is_no_hand() -> None:
    """And the hand that comes in soon after is seen alone."""
    ys, xs = np.mgrid[0:720, 0:1300]
    checks = np.where(((xs // 25) + (ys // 25)) % 2 == 0, 60, 190).astype(np.uint8)
    cloth = np.repeat(checks[..., None], 3, axis=2)
    gate = Gate()
    for number in range(36):
        picture = (cloth[:, :1280] if number < 16 else cloth[:, 12:1292]).copy()
        if number >= 22:
            cv2.rectangle(picture, (700, 330), (1279, 430), (120, 150, 200), -1)
        scene = gate.see(picture, number / 15)
        if number >= 16:
            assert sum(hand.area for hand in scene.hands) < 0.3, number
    (hand,) = scene.hands
    assert hand.tip[0] < 800
    assert not hand.mask[2, 5]


@pytest.mark.parametrize("came", [10, 18], ids=["before", "meanwhile"])
def test_a_hand_that_was_there_when_the_camera_was_nudged_is_not_taken_for_the_table(came: int) -> None:
    """Nor is the table for a hand, where it shows again once that one has left."""
    ys, xs = np.mgrid[0:720, 0:1300]
    cloth = (90 + 30 * np.sin(xs / 6.0) + 4 * np.sin(ys / 40.0)).astype(np.uint8)
    cloth = np.repeat(cloth[..., None], 3, axis=2)
    cv2.rectangle(cloth, (600, 300), (700, 440), (235, 235, 235), -1)
    gate, places = Gate(), [0] * 16 + [8, 14] + [14] * 60
    for number, moved in enumerate(places[:60]):
        picture = cloth[:, moved : moved + 1280].copy()
        if came <= number < 34:
            cv2.rectangle(picture, (560 + 3 * (number % 5), 330), (1279, 430), (170, 190, 230), -1)
        scene = gate.see(picture, number / 15)
        if 26 <= number < 34 and came < 16:
            assert any(hand.tip[0] < 700 for hand in scene.hands), number
        if number >= 40:
            assert all(hand.tip[0] > 1200 for hand in scene.hands), number


def test_a_heap_at_the_edge_is_the_table_after_a_while_however_often_hands_touch_it() -> None:
    """They come every second, so that all of it and them together is never still."""
    gate = Gate()
    bare = np.full((720, 1280, 3), 60, np.uint8)
    later = bare.copy()
    cv2.rectangle(later, (420, 480), (700, 719), (235, 235, 235), -1)
    for number in range(120):
        picture = (bare if number < 16 else later).copy()
        if number > 20 and number % 15 < 9:
            reach = 600 + 60 * abs(number % 15 - 4)
            cv2.rectangle(picture, (reach, 420), (1279, 510), (140, 150, 190), -1)
        scene = gate.see(picture, number / 15)
    assert not any(hand.mask[20, 15] for hand in scene.hands)


def test_a_pile_that_an_arm_pushed_to_the_edge_hides_nothing_once_the_arm_has_left_it() -> None:
    """Nor does the bare place where the pile lay, though both are one piece with the arm while it pushes."""
    gate = Gate()
    scene = None
    for number in range(48):
        picture = np.full((720, 1280, 3), 60, np.uint8)
        pushed = min(max(number - 20, 0), 8) * 40  # 320 pixels down to the edge, from frame 20 on
        cv2.rectangle(picture, (560, 220 + pushed), (720, 419 + pushed), (235, 235, 235), -1)
        if 16 <= number < 20:
            cv2.rectangle(picture, (620, 300), (1279, 380), (140, 150, 190), -1)
        elif 20 <= number < 30:
            cv2.rectangle(picture, (620, 300 + pushed), (1279, 380 + pushed), (140, 150, 190), -1)
        elif 30 <= number < 36:
            cv2.rectangle(picture, (620 + 110 * (number - 29), 600), (1279, 680), (140, 150, 190), -1)
        scene = gate.see(picture, number / 15)
        if number == 32:
            assert any(hand.mask[20, 33] for hand in scene.hands)
    assert scene is not None
    assert scene.hands == ()


def test_an_arm_that_rests_stays_one_when_another_has_crossed_it() -> None:
    gate = Gate()
    for number in range(50):
        picture = np.full((720, 1280, 3), 60, np.uint8)
        if number >= 16:
            cv2.rectangle(picture, (500, 420), (760, 719), (120, 130, 170), -1)
        if 22 <= number < 34:
            reach = 400 + 70 * abs(number - 28)
            cv2.rectangle(picture, (reach, 440), (1279, 560), (140, 170, 210), -1)
        scene = gate.see(picture, number / 15)
    assert any(hand.mask[14, 18] for hand in scene.hands)


@pytest.mark.parametrize("over", [0, 60])
def test_arms_that_meet_are_two_each_with_its_own_entry_and_tip(over: int) -> None:
    """One reaches across the table to the stock, and the next player's hand comes down on it."""
    gate = Gate()
    for number in range(40):
        picture = np.full((720, 1280, 3), 60, np.uint8)
        across = 100 + 60 * min(max(number - 16, 0), 12)
        down = 40 * min(max(number - 22, 0), 7) + over * (number >= 29)
        cv2.rectangle(picture, (0, 300), (across, 370), (120, 130, 170), -1)
        cv2.rectangle(picture, (420, 0), (480, down), (140, 170, 210), -1)
        if number < 16:
            picture[:] = 60
        scene = gate.see(picture, number / 15)
        if number == 34:
            break
    (left, top) = sorted(scene.hands, key=lambda hand: hand.entry[0])
    assert left.entry[0] < 20
    assert 300 <= left.entry[1] <= 370
    assert top.entry[1] < 20
    assert 420 <= top.entry[0] <= 480
    assert left.tip[0] > 700
    assert top.tip[1] > 180
