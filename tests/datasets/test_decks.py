from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import UserError
from datasets import decks, drawn, glyphs, photographed
from datasets.decks import HEIGHT, Deck
from engine.cards import FACES, Card, Rank


def test_manifest_and_pictures_come_back_as_they_were_cut(marked_decks: list[Deck]) -> None:
    folder = decks.FOLDER
    assert decks.manifest(folder) == marked_decks
    assert decks.names(folder=folder) == ["two", "four"]
    assert decks.names(held_out=True, folder=folder) == ["four"]
    pictures = decks.load("two", height=200, folder=folder)
    assert sorted(pictures) == ["7H", "KD", "TS", "back"]
    assert all(picture.shape == (200, 140, 4) for picture in pictures.values())


def test_missing_decks_are_said_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"run `python -m datasets\.decks`") as none:
        decks.manifest(tmp_path)
    assert none.value.code == "no-decks"
    with pytest.raises(UserError, match="There is no deck 'ours'"):
        decks.load("ours", folder=tmp_path)


@pytest.mark.usefixtures("marked_decks")
def test_a_damaged_picture_is_named() -> None:
    (decks.FOLDER / "two" / "7H.png").write_bytes(b"no picture")
    with pytest.raises(UserError, match=r"7H\.png is damaged"):
        decks.load("two", folder=decks.FOLDER)


def test_a_missing_tool_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(UserError, match="apt-get install librsvg2-bin"):
        decks._tool("rsvg-convert", "librsvg2-bin")


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = {"package": {"some-cards": {"kind": "apt", "folder": str(tmp_path / "none")}}}
    monkeypatch.setattr(decks, "_catalogue", lambda: catalogue)
    with pytest.raises(UserError, match="apt-get install some-cards"):
        decks._package_folder("some-cards", tmp_path)


def test_the_catalogue_names_each_decks_licence_and_holds_everyday_ones_out() -> None:
    art = decks.art()
    assert all(deck.licence and deck.package and deck.letters for deck in art)
    held_out = [deck for deck in art if deck.held_out]
    assert 3 <= len(held_out) < len(art) / 4
    assert {"English", "German"} <= {deck.letters for deck in held_out}


def test_letters_that_mean_two_ranks_are_left_out() -> None:
    """A V is a jack in French and a queen in Dutch, so no drawn deck shows one; nor do two ranks share a letter."""
    meaning: dict[str, set[Rank]] = {}
    for letters in drawn.LETTERS.values():
        for rank, options in letters.items():
            for letter in options:
                meaning.setdefault(letter, set()).add(rank)
    assert "V" not in meaning
    assert all(len(ranks) == 1 for ranks in meaning.values()), meaning


@pytest.mark.parametrize("ids", ["gnome", "kde", "files", "react"])
def test_every_face_has_a_drawing_of_its_own(ids: str) -> None:
    names = [name for card in FACES for name in decks._drawing_ids(card, ids)]
    assert len(set(names)) == len(names) >= 53


def test_a_compiled_drawing_is_read_back() -> None:
    script = """
const SvgC7 = _ref => {
  let {title, titleId, ...props} = _ref;
  return /*#__PURE__*/React.createElement("svg", _extends({
    className: "card", viewBox: "0 0 10 20", "aria-labelledby": titleId
  }, props), title ? /*#__PURE__*/React.createElement("title", {
    id: titleId
  }, title) : null, /*#__PURE__*/React.createElement("g", {
    strokeWidth: 2.5
  }, /*#__PURE__*/React.createElement("use", {
    xlinkHref: "#a", x: -3
  })), /*#__PURE__*/React.createElement("path", {
    d: "m1 2,3 4Z"
  }));
};
"""
    svg = decks._react_to_svg(script)["SvgC7"]
    expected = (
        '<svg class="card" viewBox="0 0 10 20"><g stroke-width="2.5"><use xlink:href="#a" x="-3"></use></g>'
        '<path d="m1 2,3 4Z"></path></svg>'
    )
    assert re.sub(r"\s+", " ", svg) == expected


@pytest.mark.parametrize("rank", range(1, 11))
def test_a_number_card_has_as_many_pips_as_it_says(rank: int) -> None:
    pips = drawn._pips(rank, 0.2)
    assert len(pips) == len(set(pips)) == rank
    assert all(0.1 < x < 0.9 and 0.1 < y < 0.9 for x, y in pips)
    assert Counter(round(x, 6) for x, _ in pips) == Counter(round(1 - x, 6) for x, _ in pips)


def test_a_drawn_card_reads_the_same_from_both_ends() -> None:
    look = drawn.style(np.random.default_rng(3), held_out=False)
    card = drawn.face(Card.parse("4D"), look, {})
    assert card is not None
    assert card.shape[0] == HEIGHT
    turned = card[::-1, ::-1].astype(int)
    assert np.abs(card.astype(int) - turned).mean() < 4


def test_a_drawn_index_stands_in_its_corner_and_a_mirrored_one_would_not() -> None:
    look = drawn.style(np.random.default_rng(5), held_out=False)
    seven, mirrored = drawn.face(Card.parse("7S"), look, {}), None
    assert seven is not None
    mirrored = seven[:, ::-1]
    letter = glyphs.text("7", *look.font)
    corner = 255 - seven[:130, :100, :3].min(2)
    other = 255 - mirrored[:130, :100, :3].min(2)
    size = round(look.rank_height * HEIGHT)
    template = cv2.resize(letter, (max(4, round(letter.shape[1] * size / letter.shape[0] * look.stretch)), size))
    match = [
        float(
            cv2.matchTemplate(part.astype(np.float32), (template * 255).astype(np.float32), cv2.TM_CCOEFF_NORMED).max()
        )
        for part in (corner, other)
    ]
    assert match[0] > 0.8
    assert look.corners == 4 or match[0] > match[1]


def test_a_court_card_without_a_figure_or_letter_is_left_out() -> None:
    look = drawn.style(np.random.default_rng(0), held_out=False)
    assert drawn.face(Card.parse("KD"), look, {}) is None


def test_a_photographed_card_is_found_and_flattened() -> None:
    table = np.full((480, 640, 3), 40, np.uint8)
    card = np.array([[200, 80], [390, 95], [370, 390], [180, 370]], np.float32)
    cv2.fillPoly(table, [card.astype(np.int32)], (235, 240, 240))
    quad = photographed.outline(table)
    assert quad is not None
    assert np.abs(quad - card).max() < 6
    flat = photographed.flatten(table, quad)
    assert flat.shape[0] == HEIGHT
    assert flat[100:400, 60:200, :3].min() > 230


def test_a_photo_without_a_card_gives_none() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (200, 300, 3)).astype(np.uint8)
    assert photographed.outline(noise) is None
    assert photographed.outline(np.zeros((200, 300, 3), np.uint8)) is None
