from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import backdrops, camera, crops, layout, scenes
from datasets.decks import Deck
from datasets.scenes import SIZE, Index, Scene
from tests.datasets.conftest import QUARTERS
from vision.reading.classify import NO_INDEX

SEEDS = range(30)


@pytest.fixture
def plain_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    """Geometry alone: no light, gloss, blur, noise or clutter."""
    monkeypatch.setattr(camera, "light", lambda *_: None)
    monkeypatch.setattr(camera, "glare", lambda *_: None)
    monkeypatch.setattr(camera, "shoot", lambda canvas, *_: np.clip(canvas, 0, 255).astype(np.uint8))
    monkeypatch.setattr(backdrops, "clutter", lambda *_: None)


def seen(scene: Scene, smallest: float = 14) -> list[Index]:
    return [
        index
        for index in scene.indices
        if index.visible > 0.97 and np.linalg.norm(index.corners[3] - index.corners[0]) > smallest
    ]


def quarter_colours(scene: Scene, index: Index) -> list[str]:
    """The nearest of the four colours in the middle of each quarter of the upright index."""
    target = np.array([[0, 0], [20, 0], [20, 40], [0, 40]], np.float32)
    crop = cv2.warpPerspective(scene.image, cv2.getPerspectiveTransform(index.corners, target), (20, 40)).astype(float)
    names, colours = list(QUARTERS), np.array(list(QUARTERS.values()), float)
    middles = [crop[8:13, 3:8], crop[8:13, 12:17], crop[27:33, 3:8], crop[27:33, 12:17]]
    found = [middle.reshape(-1, 3).mean(0) for middle in middles]
    # Compare directions: a card's tone makes it darker, not another colour.
    unit = colours / np.linalg.norm(colours, axis=1, keepdims=True)
    return [names[int(np.argmax(unit @ (c / np.linalg.norm(c))))] for c in found]


@pytest.mark.usefixtures("plain_camera")
def test_every_labelled_box_holds_its_index_the_right_way_up_and_never_mirrored(marked_decks: list[Deck]) -> None:
    looked_at = 0
    for number in SEEDS:
        scene = scenes.render(4, number, marked_decks)
        for index in seen(scene):
            assert quarter_colours(scene, index) == list(QUARTERS), f"scene {number}"
            looked_at += 1
    assert looked_at > 40


@pytest.mark.usefixtures("plain_camera")
def test_an_index_counts_as_seen_in_so_far_as_its_colours_are(marked_decks: list[Deck]) -> None:
    """Hidden under cards, hands or the picture's edge: the share told is that of coloured pixels."""
    partly = 0
    for number in SEEDS:
        scene = scenes.render(4, number, marked_decks[:1])
        strong = scene.image.max(2).astype(int) - scene.image.min(2) > 100
        for index in scene.indices:
            mask = np.zeros((SIZE, SIZE), np.uint8)
            cv2.fillConvexPoly(mask, index.corners.astype(np.int32), 1)
            whole = cv2.contourArea(index.corners)
            if whole > 400 and 0.2 < index.visible < 0.8:
                partly += 1
                assert (strong & (mask > 0)).sum() / whole > 0.6 * index.visible
    assert partly > 3


def test_a_scene_depends_on_seed_and_number_alone(marked_decks: list[Deck]) -> None:
    first, again, other = (scenes.render(1, number, marked_decks) for number in (5, 5, 6))
    assert np.array_equal(first.image, again.image)
    assert [i.card for i in first.indices] == [i.card for i in again.indices]
    assert not np.array_equal(first.image, other.image)


@pytest.mark.usefixtures("plain_camera")
def test_labels_are_shares_of_the_picture_one_line_an_index_seen(marked_decks: list[Deck]) -> None:
    for number in range(6):
        scene = scenes.render(2, number, marked_decks)
        lines = scenes.label(scene).splitlines()
        assert len(lines) == sum(index.visible >= scenes.SEEN for index in scene.indices)
        for line in lines:
            kind, *points = line.split()
            assert kind == "0"
            assert len(points) == 8
            assert all(0 <= float(value) <= 1 for value in points)


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path, marked_decks: list[Deck]) -> None:
    scenes.write(tmp_path, 3, 4, marked_decks, workers=1, shard=2)
    kept = {file.name: file.read_bytes() for file in (tmp_path / "images").iterdir()}
    (tmp_path / "truth" / "000002.jsonl").unlink()
    (tmp_path / "images" / "000003.jpg").unlink()
    untouched = (tmp_path / "images" / "000001.jpg").stat().st_mtime_ns
    scenes.write(tmp_path, 3, 4, marked_decks, workers=1, shard=2)
    assert {file.name: file.read_bytes() for file in (tmp_path / "images").iterdir()} == kept
    assert (tmp_path / "images" / "000001.jpg").stat().st_mtime_ns == untouched
    assert [row["image"] for row in scenes.read_truth(tmp_path)] == [f"{n:06d}.jpg" for n in range(4)]


@given(st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_no_camera_mirrors_the_table(seed: int) -> None:
    homography = layout.view(np.random.default_rng(seed), SIZE)
    card = layout.corners(0.7, layout.Place(0, 0, 0.3)) * 100
    quad = cv2.perspectiveTransform(card[None], homography)[0]
    assert (
        cv2.contourArea(quad.astype(np.float32), oriented=True)
        * cv2.contourArea(card.astype(np.float32), oriented=True)
        > 0
    )


@given(st.floats(-3.1, 3.1), st.floats(20, 60), st.floats(0.4, 0.9), st.floats(-0.15, 0.15))
@settings(max_examples=80, deadline=None)
def test_a_box_around_an_index_begins_at_its_upright_top_left(
    angle: float, tall: float, narrow: float, skew: float
) -> None:
    wide = tall * narrow
    local = np.array([[-wide / 2, -tall / 2], [wide / 2, -tall / 2], [wide / 2, tall / 2], [-wide / 2, tall / 2]])
    local[:, 0] += skew * local[:, 1]
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    box = crops.box((local @ turn + 100).astype(np.float32))
    assert abs((box[4] - angle + np.pi) % (2 * np.pi) - np.pi) < 0.6
    assert box[:2] == pytest.approx([100, 100], abs=0.2 * tall)


@pytest.mark.usefixtures("plain_camera")
def test_crops_show_indices_upright_and_call_everything_else_no_index(marked_decks: list[Deck]) -> None:
    names, colours = list(QUARTERS), np.array(list(QUARTERS.values()), float)
    unit = colours / np.linalg.norm(colours, axis=1, keepdims=True)
    upright = turned = 0
    for number in SEEDS:
        scene = scenes.render(4, number, marked_decks)
        rows = [[i.card, i.corners.ravel().tolist(), i.visible] for i in seen(scene, 25)]
        images, ranks, suits = crops.cut(scene.image, rows, np.random.default_rng(number), afar=0)
        assert len(images) == len(ranks) == len(suits)
        assert images.shape[1:] == (64, 40, 3)
        for image, rank in zip(images, ranks, strict=True):
            corner = image[16:24, 8:14].reshape(-1, 3).mean(0)
            if corner.min() > 150 or np.linalg.norm(corner) < 60:
                continue
            found = names[int(np.argmax(unit @ (corner / np.linalg.norm(corner))))]
            if rank != NO_INDEX:
                assert found == "top left"
                upright += 1
            elif found == "bottom right":
                turned += 1
    assert upright > 30
    assert turned > 10


def test_the_labels_of_a_crop_are_the_cards() -> None:
    assert crops.targets("2C") == (0, 0)
    assert crops.targets("TD") == (8, 1)
    assert crops.targets("AS") == (12, 3)
    assert crops.targets("XX") == (13, crops.NO_SUIT)
