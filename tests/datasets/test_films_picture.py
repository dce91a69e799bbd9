"""The pictures of the virtual table: cards are never mirrored, decks are whole, layouts leave room."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import UserError
from datasets.films import deck_source, drawn_deck, layout, light, surfaces
from datasets.films.camera import MARGIN, Camera, fitted
from datasets.films.deck_source import CARD_HEIGHT, Deck
from datasets.films.hands import POSES, Body, sprite
from datasets.films.layout import Pose
from datasets.films.painter import Painter
from datasets.films.scenario import Look
from engine.cards import FACES, STANDARD

EVEN = light.Light((0.0, 0.0), 900.0, 1.0, (1.0, 1.0, 1.0), 0.0, 0.2, 0.0)


def cameras() -> st.SearchStrategy[Camera]:
    square = np.array([[-200.0, -200], [200, -200], [200, 200], [-200, 200]])
    return st.builds(
        lambda azimuth, elevation, roll, bend: fitted(square, azimuth, elevation, roll, (bend, 0.01), 0.9),
        st.floats(0, 6.28),
        st.floats(0.95, 1.57),
        st.floats(-0.3, 0.3),
        st.floats(-0.13, 0.05),
    )


def marked() -> Deck:
    """A deck of one card: red, green and blue in the upper left, upper right and lower right corner of white."""
    art = np.full((440, 315, 4), 255, np.uint8)
    art[:150, :150, :3] = (0, 0, 255)
    art[:150, -150:, :3] = (0, 255, 0)
    art[-150:, -150:, :3] = (255, 0, 0)
    return Deck("marked", {"7H": art}, art, 63.0)


def turn_of(picture: np.ndarray) -> float:
    """Red to green to blue about the card's middle: positive where it is clockwise, as on the art."""
    blue, green, red = (picture[..., c].astype(int) for c in range(3))
    spots = []
    for one, others in ((red, (green, blue)), (green, (red, blue)), (blue, (red, green))):
        rows, columns = np.nonzero((one > 120) & (others[0] < 60) & (others[1] < 60))
        assert len(rows) > 20
        spots.append(np.array([columns.mean(), rows.mean()]))
    (ax, ay), (bx, by) = spots[1] - spots[0], spots[2] - spots[1]
    return float(ax * by - ay * bx)


@settings(max_examples=10, deadline=None)
@given(camera=cameras(), turn=st.floats(0, 6.28), tip=st.floats(-1.0, 1.0))
def test_no_card_is_ever_mirrored(camera: Camera, turn: float, tip: float) -> None:
    black = surfaces.Surface("black", np.zeros((64, 64, 3), np.uint8), 0.0)
    painter = Painter(camera, black, EVEN, marked())
    picture = np.zeros((*camera.canvas_size[::-1], 3), np.uint8)
    painter.card(picture, "7H", Pose(20.0, -30.0, turn), tip=tip)
    assert turn_of(cv2.remap(picture, *camera.lens, cv2.INTER_LINEAR)) > 0


@settings(max_examples=15, deadline=None)
@given(camera=cameras())
def test_the_lens_and_the_projection_agree(camera: Camera) -> None:
    spots = np.array([[x, y] for x in (-150.0, 0, 150) for y in (-150.0, 0, 150)])
    seen = camera.film(spots)
    assert (seen > 0).all()
    assert (seen < [camera.width, camera.height]).all()
    rays = np.column_stack([camera.straight(spots), np.ones(len(spots))]) @ np.linalg.inv(camera.plane()).T
    np.testing.assert_allclose(rays[:, :2] / rays[:, 2:], spots, atol=1e-6)
    whole, _ = camera.lens
    at = np.round(seen).astype(int)
    looked_up = whole[at[:, 1], at[:, 0]].astype(float)
    assert np.abs(looked_up - camera.straight(spots)).max() < 2.5


def test_a_card_lies_where_the_projection_says() -> None:
    square = np.array([[-200.0, -200], [200, 200], [-200, 200], [200, -200]])
    camera = fitted(square, 1.0, 1.2, 0.1, (-0.1, 0.0), 0.9)
    white = np.full((440, 315, 4), 255, np.uint8)
    black = surfaces.Surface("black", np.zeros((64, 64, 3), np.uint8), 0.0)
    painter = Painter(camera, black, EVEN, Deck("white", {"7H": white}, white, 63.0))
    picture = np.zeros((*camera.canvas_size[::-1], 3), np.uint8)
    pose = Pose(40.0, 25.0, 0.7)
    painter.card(picture, "7H", pose)
    rows, columns = np.nonzero(picture[..., 0] > 100)
    hull = cv2.convexHull(np.stack([columns, rows], axis=1).astype(np.int32))
    c, s = np.cos(pose.turn), np.sin(pose.turn)
    corners = np.array([[-31.5, -44], [31.5, -44], [31.5, 44], [-31.5, 44]]) @ np.array([[c, s], [-s, c]]) + pose.at
    expected = cv2.contourArea(camera.straight(corners).astype(np.float32))
    assert cv2.contourArea(hull) == pytest.approx(expected, rel=0.03)
    middle = camera.straight(pose.at[None])[0]
    assert np.hypot(*(np.array([columns.mean(), rows.mean()]) - middle)) < 3


@settings(max_examples=40, deadline=None)
@given(players=st.integers(2, 6), seed=st.integers(0, 100_000))
def test_a_layout_leaves_room_for_everything(players: int, seed: int) -> None:
    plan = layout.make(players, np.random.default_rng(seed))
    assert len(plan.seats) == players
    rows = [place.slot(number).at for place in plan.seats for number in range(3)]
    for one in range(len(rows)):
        for two in range(one):
            assert np.linalg.norm(rows[one] - rows[two]) > 63
    for row in rows:
        assert np.linalg.norm(row - plan.pile) > 95
        assert min(np.linalg.norm(row - plan.stock), np.linalg.norm(row - plan.burnt)) > 66
    assert np.linalg.norm(plan.stock - plan.burnt) > 110
    assert min(np.linalg.norm(plan.stock - plan.pile), np.linalg.norm(plan.burnt - plan.pile)) > 95


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_indices_are_large_enough_and_all_is_in_the_picture(players: int) -> None:
    for seed in range(2):
        rng = np.random.default_rng(seed)
        plan = layout.make(players, rng)
        look = Look.make(plan, rng)
        assert look.camera.scale() > 1.1  # a corner index, 17 mm high, has 19 pixels
        seen = look.camera.film(plan.outline())
        assert (seen > -2).all()
        assert (seen < [look.camera.width + 2, look.camera.height + 2]).all()
        # The straight picture is wide enough for what the lens bends in at the corners.
        whole, _ = look.camera.lens
        assert whole.min() > -MARGIN


def test_looks_differ() -> None:
    plan = layout.make(2, np.random.default_rng(0))
    looks = [Look.make(plan, np.random.default_rng(seed)) for seed in range(7)]
    assert len({look.surface.kind for look in looks}) >= 3
    assert np.ptp([look.camera.azimuth for look in looks]) > 2
    assert np.ptp([look.exposure for look in looks]) > 0.1


@pytest.mark.parametrize("kind", surfaces.KINDS)
def test_every_surface_is_a_table_top(kind: str) -> None:
    made = surfaces.make(np.random.default_rng(1), kind)
    assert made.texture.shape == (round(surfaces.REACH * surfaces.UNIT),) * 2 + (3,)
    assert 2 < made.texture.astype(float).std() < 80
    assert 0 <= made.gloss <= 1


def test_hands_are_of_all_kinds() -> None:
    bodies = [Body.make(np.random.default_rng(seed)) for seed in range(40)]
    assert len({body.left for body in bodies}) == 2
    assert len({body.pattern for body in bodies}) == 4
    brightness = [sum(body.skin) for body in bodies]
    assert max(brightness) > 3 * min(brightness)
    for pose in POSES:
        hand = sprite(bodies[0], pose, (0.5, 0.5), np.random.default_rng(0))
        assert hand.colour.shape == hand.alpha.shape
        assert 0.2 < (hand.alpha > 128).mean() < 0.7


# --- decks ------------------------------------------------------------------------------------------------------------


def test_the_drawn_deck_is_whole_and_every_card_looks_different() -> None:
    deck = drawn_deck.draw(np.random.default_rng(2))
    assert set(deck.faces) == {str(card) for card in FACES}
    small = {code: cv2.resize(art[..., :3], (40, 56)).astype(int) for code, art in deck.faces.items()}
    codes = list(small)
    for one in range(len(codes)):
        for two in range(one):
            apart = np.abs(small[codes[one]] - small[codes[two]])
            assert apart.max() > 60, (codes[one], codes[two])
    # A card turned by half looks the same but for its pips: both corners carry the index.
    face = deck.faces["7H"][..., :3].astype(int)
    corner, other = face[:100, :60], face[::-1, ::-1][:100, :60]
    assert np.abs(corner - other).mean() < 6


@pytest.mark.parametrize(
    ("stem", "code"),
    [
        ("7H", "7H"),
        ("dataset2_blackbackground__10c", "TC"),
        ("datasets__cards__queen_of_hearts2", "QH"),
        ("src__train_10_diamonds2", "TD"),
        ("As", "AS"),
        ("back", "back"),
        ("holiday", None),
        ("7", None),
        ("IMG_2383", None),
    ],
)
def test_names_of_photos_say_which_card(stem: str, code: str | None) -> None:
    assert deck_source.code_of(stem) == code


def test_a_folder_that_lacks_cards_is_refused(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "7H.png"), np.full((200, 140, 3), 230, np.uint8))
    with pytest.raises(UserError) as caught:
        deck_source.load(str(tmp_path), np.random.default_rng(0))
    assert caught.value.code == "deck-incomplete"
    (tmp_path / "8H.png").write_bytes(b"no picture")
    with pytest.raises(UserError) as caught:
        deck_source.load(str(tmp_path), np.random.default_rng(0))
    assert caught.value.code == "deck-unreadable"


def test_a_photographed_card_is_cut_out_and_levelled() -> None:
    card = np.full((440, 300, 3), 240, np.uint8)
    card[20:90, 20:70] = (30, 30, 200)
    photo = np.full((900, 1200, 3), 40, np.uint8)
    corners = np.array([[500, 200], [795, 225], [760, 662], [465, 637]], np.float32)
    flat = np.array([[0, 0], [300, 0], [300, 440], [0, 440]], np.float32)
    warp = cv2.getPerspectiveTransform(flat, corners)
    cv2.warpPerspective(card, warp, (1200, 900), dst=photo, borderMode=cv2.BORDER_TRANSPARENT)
    shade = np.linspace(0.45, 0.75, 1200)[None, :, None] * np.array([0.9, 1.0, 1.1])
    cut = deck_source.cut_out((photo * shade).clip(0, 255).astype(np.uint8))
    assert cut.shape[0] == deck_source.FACE_HEIGHT
    assert cut.shape[1] / cut.shape[0] == pytest.approx(300 / 440, abs=0.03)
    paper = cut[150:400, 100:250, :3].astype(int)
    assert np.abs(paper - 246).max() < 14  # even and white again
    blue, green, red = cut[55, 45, :3].astype(int)
    assert red > 120 > max(blue, green)  # in the upper left corner still
    assert cut[0, 0, 3] == 0
    assert cut[220, 150, 3] == 255


@pytest.mark.parametrize("folder", ["print/FilhoDeEd+Cards-Detector-2", "train/kalkaran+playing-card-detection"])
def test_real_print_becomes_a_deck(shared: Path, folder: str) -> None:
    deck = deck_source.load(str(shared / "photos" / folder), np.random.default_rng(0))
    assert set(deck.faces) == {str(card) for card in STANDARD}
    assert 52 < deck.width < 0.76 * CARD_HEIGHT
    for code, art in deck.faces.items():
        assert np.percentile(art[..., :3].min(axis=2), 75) > 190, code  # most of a card is white paper
    with pytest.raises(UserError) as caught:
        deck_source.load(str(shared / "photos" / "train" / "mspkvp+CardDetectorOpenCV"), np.random.default_rng(0))
    assert caught.value.code == "deck-incomplete"
