"""Deck art: fetched from packages, cut into one picture a card, and loaded again.

``python -m datasets.decks`` writes ``data/decks/<deck>/7H.png ... XX.png back.png`` (BGRA, 500 px high) and
``data/decks/manifest.json``; ``names()`` and ``load(deck)`` are how everything else gets at them. ``decks.toml`` lists
the art with its licence; ``drawn.py`` adds decks of our own drawing with other kinds of index. The art stays out of
the repository. Debian's ``librsvg2-bin`` draws the SVG files; npm brings the packages that Debian lacks.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from companion.errors import UserError
from engine.cards import FACES, Card, Rank, Suit

Picture = NDArray[np.uint8]
"""BGRA, shape (height, width, 4)."""

ROOT: Final = Path(__file__).resolve().parent.parent
DATA: Final = ROOT / "data"
"""Everything that is made; git ignores it."""
FOLDER: Final = DATA / "decks"
HEIGHT: Final = 500
"""Of a card's picture, in pixels."""
BACK: Final = "back"

_SUIT_WORDS: Final = {Suit.CLUBS: "club", Suit.DIAMONDS: "diamond", Suit.HEARTS: "heart", Suit.SPADES: "spade"}
_RANK_WORDS: Final = {Rank.ACE: "1", Rank.JACK: "jack", Rank.QUEEN: "queen", Rank.KING: "king"}


@dataclass(frozen=True, slots=True)
class Deck:
    """One deck as the manifest tells it. ``letters`` names the language of its court indices."""

    name: str
    package: str
    licence: str
    style: str
    letters: str
    held_out: bool
    drawn: bool = False
    corners: int = 2


def names(*, held_out: bool | None = None, folder: Path = FOLDER) -> list[str]:
    """The decks that have been cut, sorted; only held-out or only training ones if asked. Raises UserError if none."""
    return [deck.name for deck in manifest(folder) if held_out is None or deck.held_out is held_out]


def manifest(folder: Path = FOLDER) -> list[Deck]:
    """What is known of each deck that has been cut. Raises UserError if there is none yet."""
    file = folder / "manifest.json"
    if not file.is_file():
        raise UserError("no-decks", f"No deck art in {folder}: run `python -m datasets.decks` first.")
    return [Deck(**row) for row in json.loads(file.read_text(encoding="utf-8"))]


def load(deck: str, *, height: int = HEIGHT, folder: Path = FOLDER) -> dict[str, Picture]:
    """The pictures of one deck by card code (``7H``, ``XX``) and ``back``, each BGRA and `height` pixels high.

    A deck may lack faces (a joker, a letter that means two ranks). Raises UserError for a deck that is not there.
    """
    pictures = {}
    for file in sorted((folder / deck).glob("*.png")):
        picture = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
        if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
            raise UserError(
                "bad-deck", f"{file} is damaged: delete the folder and run `python -m datasets.decks` again."
            )
        if picture.shape[0] != height:
            width = round(picture.shape[1] * height / picture.shape[0])
            picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
        pictures[file.stem] = np.asarray(picture, dtype=np.uint8)
    if not pictures:
        raise UserError("no-deck", f"There is no deck {deck!r} in {folder}: run `python -m datasets.decks`.")
    return pictures


@cache
def _catalogue() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "decks.toml").read_text(encoding="utf-8"))


def art() -> list[Deck]:
    """The decks that ``decks.toml`` lists, cut or not."""
    packages = _catalogue()["package"]
    return [
        Deck(
            name=name,
            package=row["package"],
            licence=packages[row["package"]]["licence"],
            style=row["style"],
            letters=row["letters"],
            held_out=row.get("held_out", False),
            corners=4 if row["style"] == "four corners" else 2,
        )
        for name, row in _catalogue()["deck"].items()
    ]


# -- fetching ----------------------------------------------------------------------------------------------------------


def _tool(name: str, package: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise UserError("no-tool", f"{name} is missing: run `apt-get install {package}` and try again.")
    return path


def _package_folder(package: str, cache_folder: Path) -> Path:
    """Where a package's files lie; an npm package is fetched into `cache_folder` unless it is there already."""
    row = _catalogue()["package"][package]
    if row["kind"] == "apt":
        folder = Path(row["folder"])
        if not folder.is_dir():
            raise UserError("no-package", f"Deck art is missing: run `apt-get install {package}` and try again.")
        return folder
    folder = cache_folder / re.sub(r"\W+", "-", package).strip("-")
    if not (folder / "package").is_dir():
        npm = _tool("npm", "npm")
        with tempfile.TemporaryDirectory() as scratch:
            wanted = f"{package}@{row['version']}"
            done = subprocess.run([npm, "pack", "--silent", wanted], cwd=scratch, capture_output=True, text=True)
            archives = list(Path(scratch).glob("*.tgz"))
            if done.returncode or not archives:
                raise UserError("no-package", f"npm could not fetch {wanted}: check the network and try again.")
            folder.mkdir(parents=True, exist_ok=True)
            with tarfile.open(archives[0]) as archive:
                archive.extractall(folder, filter="data")
    return folder / "package"


# -- cutting -----------------------------------------------------------------------------------------------------------


def _drawing_ids(card: Card, ids: str) -> list[str]:
    """The names that a face may have in a deck's drawing, the likeliest first."""
    if card.rank is Rank.JOKER:
        return {
            "gnome": ["joker_red", "joker_black"],
            "kde": ["red_joker", "black_joker", "joker"],
            "files": ["joker"],
            "react": ["SvgJ1", "SvgJ2"],
        }[ids]
    assert card.suit is not None
    rank, suit = _RANK_WORDS.get(card.rank, str(int(card.rank))), _SUIT_WORDS[card.suit]
    number = 1 if card.rank is Rank.ACE else int(card.rank)
    letter = "10" if card.rank is Rank.TEN else card.rank.letter
    return {
        "gnome": [f"{suit}_{rank}"],
        "kde": [f"{rank}_{suit}"],
        "files": [f"{number}{card.suit.value.lower()}"],
        "react": [f"Svg{card.suit.value}{letter}"],
    }[ids]


def _render(svg: Path, *options: str) -> Picture | None:
    """What rsvg-convert draws, or None if it cannot (no such id, say)."""
    command = [_tool("rsvg-convert", "librsvg2-bin"), *options, str(svg)]
    done = subprocess.run(command, capture_output=True)
    if done.returncode or not done.stdout:
        return None
    picture = cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_UNCHANGED)
    return None if picture is None or picture.ndim != 3 or picture.shape[2] != 4 else np.asarray(picture, np.uint8)


def _trimmed(picture: Picture) -> Picture | None:
    """The picture without its transparent margin."""
    x, y, width, height = cv2.boundingRect((picture[..., 3] > 160).astype(np.uint8))
    return picture[y : y + height, x : x + width] if width and height else None


def _cut_one(svg: Path, identity: str | None) -> Picture | None:
    """One card, drawn at its final height. rsvg-convert keeps an element at its place, so measure, zoom and trim."""
    select = [] if identity is None else [f"--export-id={identity}"]
    small = _render(svg, *select, "--zoom=0.5")
    small = None if small is None else _trimmed(small)
    if small is None or small.shape[0] < 10:
        return None
    large = _render(svg, *select, f"--zoom={0.5 * HEIGHT / small.shape[0]:.4f}")
    large = None if large is None else _trimmed(large)
    if large is None or not 0.5 < large.shape[1] / large.shape[0] < 0.85:
        return None
    return np.asarray(
        cv2.resize(large, (round(large.shape[1] * HEIGHT / large.shape[0]), HEIGHT), interpolation=cv2.INTER_AREA),
        np.uint8,
    )


_REACT_ATTRIBUTES: Final = {
    "xlinkHref": "xlink:href", "xmlnsXlink": "xmlns:xlink", "className": "class", "viewBox": "viewBox",
    "preserveAspectRatio": "preserveAspectRatio", "patternUnits": "patternUnits",
    "patternTransform": "patternTransform",
}  # fmt: skip


def _react_to_svg(script: str) -> Mapping[str, str]:
    """The drawings in a compiled React module, as SVG by component name.

    The module is nested ``createElement("tag", {attribute: value, ...}, children...)`` calls; this reads just that.
    """
    drawings = {}
    for match in re.finditer(r"const (Svg\w+) = _ref => \{(.*?)\n\};", script, re.DOTALL):
        body = re.sub(r"title \? .*?\}, title\) : null, ", "", match[2], flags=re.DOTALL)
        body = body[body.index("createElement(") :].replace("_extends({", "{").replace("}, props)", "}")
        drawings[match[1]] = _element(iter(re.findall(r'"(?:[^"\\]|\\.)*"|[-\w.]+|[(){},:]', body)))
    return drawings


def _element(tokens: Iterator[str]) -> str:
    """One ``createElement(...)`` call, from behind its name, as SVG text."""
    token = next(tokens)
    while token != "(":
        token = next(tokens)
    tag, attributes, children = next(tokens).strip('"'), [], []
    for token in tokens:
        if token == ")":
            break
        if token == "{":
            key = next(tokens)
            while key != "}":
                name = key.strip('"')
                if next(tokens) == ":":
                    value = next(tokens).strip('"')
                    if not name.startswith("aria"):
                        kebab = _REACT_ATTRIBUTES.get(name) or re.sub(r"([A-Z])", lambda m: "-" + m[1].lower(), name)
                        attributes.append(f'{kebab}="{value}"')
                key = next(tokens)
                while key == ",":
                    key = next(tokens)
        elif token.endswith("createElement"):
            children.append(_element(tokens))
        elif token.startswith('"'):
            children.append(token.strip('"'))
    return f"<{tag} {' '.join(attributes)}>{''.join(children)}</{tag}>"


def cut(deck: Deck, folder: Path = FOLDER) -> int:
    """Cut one deck of ``decks.toml`` into `folder` and return the number of pictures. Raises UserError."""
    row = _catalogue()["deck"][deck.name]
    source = _package_folder(deck.package, folder.parent / "packages") / row["file"]
    if not source.exists():
        raise UserError("no-art", f"{source} is missing: the package {deck.package} has changed; leave the deck out.")
    target = folder / deck.name
    target.mkdir(parents=True, exist_ok=True)
    count = 0
    with tempfile.TemporaryDirectory() as scratch:
        svg = source
        drawings: Mapping[str, str] = {}
        if row["ids"] == "react":
            drawings = _react_to_svg(source.read_text(encoding="utf-8"))
        elif source.suffix == ".svgz":
            svg = Path(scratch) / "deck.svg"  # unpacked once, not at each call
            svg.write_bytes(gzip.decompress(source.read_bytes()))
        faces = {
            str(card): _drawing_ids(card, row["ids"]) for card in FACES if card.rank.letter not in row.get("skip", "")
        }
        faces[BACK] = ["SvgB1"] if row["ids"] == "react" else [BACK]
        for face, identities in faces.items():
            for identity in identities:
                if row["ids"] == "react":
                    svg = Path(scratch) / f"{identity}.svg"
                    svg.write_text(drawings.get(identity, "<svg/>"), encoding="utf-8")
                elif row["ids"] == "files":
                    svg = source / f"{identity}.svg"
                picture = _cut_one(svg, None if row["ids"] in ("react", "files") else identity)
                if picture is not None:
                    cv2.imwrite(str(target / f"{face}.png"), picture, [cv2.IMWRITE_PNG_COMPRESSION, 4])
                    count += 1
                    break
    return count


def main() -> int:
    """``python -m datasets.decks``."""
    parser = argparse.ArgumentParser(prog="python -m datasets.decks", description=__doc__.split("\n")[0])
    parser.add_argument("--only", nargs="*", metavar="DECK", help="cut these decks alone")
    parser.add_argument("--drawn", type=int, default=60, help="number of decks of our own drawing (default 60)")
    parser.add_argument("--again", action="store_true", help="cut decks that are there already, too")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    from datasets import drawn, photographed

    known = {deck.name: deck for deck in art()}
    for name in args.only or ():
        if name not in known:
            raise UserError("no-deck", f"There is no deck {name!r} in decks.toml.")
    wanted = [known[name] for name in args.only] if args.only else list(known.values())
    missing = [deck for deck in wanted if args.again or not (FOLDER / deck.name / f"{BACK}.png").is_file()]
    for package in {deck.package for deck in missing}:
        _package_folder(package, FOLDER.parent / "packages")  # say what is missing before the work begins
    with ThreadPoolExecutor(args.workers) as pool:
        counts = list(
            tqdm(pool.map(cut, missing), total=len(missing), desc="cutting", unit="deck", disable=not missing)
        )
    for deck, count in zip(missing, counts, strict=True):
        if count < 48:
            print(f"{deck.name}: only {count} pictures could be cut", file=sys.stderr)
    made = [deck for deck in known.values() if len(list((FOLDER / deck.name).glob("*.png"))) >= 40]
    for deck in made:
        lacking = FOLDER / deck.name / f"{BACK}.png"
        if not lacking.is_file():
            cv2.imwrite(str(lacking), drawn.back(np.random.default_rng(len(deck.name)), 0.7))
    if not args.only:
        made += drawn.draw_all(args.drawn, made, again=args.again) + photographed.cut_all()
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = json.dumps([asdict(deck) for deck in made], indent=1, ensure_ascii=False)
    (FOLDER / "manifest.json").write_text(rows + "\n", encoding="utf-8")
    print(f"{len(made)} decks in {FOLDER}, {sum(deck.held_out for deck in made)} of them held out of training")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        sys.exit(f"{error} [{error.code}]")
