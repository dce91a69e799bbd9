"""Judge readings of real photographs against their labels.

``python -m datasets.evaluate`` and ``pilewatch evaluate photos`` are one.

The photographs lie in ``$PILEWATCH_SHARED/photos`` (``../shared`` beside the checkout), one row a photo in
``labels.json``. Figures are given per photo set and, within a set, per folder of its source.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from tqdm import tqdm

import models
from companion.errors import UserError
from datasets.judged_scenes import JudgedScene, judged_scenes
from datasets.scoring import Claim, Tally, calibration_table, markdown
from engine.cards import Card
from vision.images import load
from vision.reading import deck_profile
from vision.reading.overlay import draw
from vision.reading.reader import Reader
from vision.types import Image, ImageReading

ROOT: Final = Path(__file__).resolve().parent.parent
SPLIT_SETS: Final = ("predrag", "martinabeleda", "GuilleX7")
"""Photo sets of one deck each, with enough photos to learn from some and judge the others."""


@dataclass(frozen=True, slots=True)
class Photo:
    """One labelled photo. ``group`` is its set and the folder of its source."""

    path: Path
    cards: tuple[Card, ...]
    all_listed: bool
    set: str
    group: str


def shared() -> Path:
    """The folder of what is shared between checkouts."""
    return Path(os.environ.get("PILEWATCH_SHARED", ROOT.parent / "shared"))


def labelled(names: Sequence[str] = ("judge",)) -> list[Photo]:
    """The labelled photos whose path contains one of the names. Raises UserError where there are none."""
    file = shared() / "photos" / "labels.json"
    if not file.is_file():
        raise UserError("photos-missing", f"{file} is missing: set PILEWATCH_SHARED to the folder that has photos/")
    photos = []
    for row in json.loads(file.read_text(encoding="utf-8")):
        folder, _, source = row["path"].rpartition("/")
        name = folder.rpartition("/")[2].partition("+")[0]
        within = "/".join(source.split("__")[:-1])
        cards = tuple(map(Card.parse, row["cards"]))
        photo = Photo(file.parent / row["path"], cards, row["all_listed"], name, f"{name} {within}".strip())
        if any(name in row["path"] for name in names) and photo.path.is_file():
            photos.append(photo)
    if not photos:
        raise UserError("photos-missing", f"no labelled photo in {file.parent} matches {', '.join(names)}")
    return photos


def judge(reader: Reader, photos: Sequence[Photo], quarters: int = 0, wrong: Path | None = None) -> dict[str, Tally]:
    """Tallies per group. ``quarters`` turns every photo; overlays of those not wholly right go to ``wrong``."""
    tallies: dict[str, Tally] = {}
    for photo, image in _pictures(photos, quarters):
        start = time.perf_counter()
        reading = reader.read(image)
        seconds = time.perf_counter() - start
        tally = tallies.setdefault(photo.group, Tally())
        if not tally.add(photo.cards, claims(reading), photo.all_listed, seconds) and wrong is not None:
            wrong.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(wrong / f"{photo.set}-{photo.path.stem}.jpg"), draw(image, reading))
            print(f"{photo.path.name}: {' '.join(map(str, photo.cards))} <- {_named(reading)}", file=sys.stderr)
    return tallies


def claims(reading: ImageReading) -> list[Claim]:
    return [Claim(c.card, c.presence * c.rank_scores[c.card.rank], c.score) for c in reading.cards]


def learn(reader: Reader, photos: Sequence[Photo], name: str) -> deck_profile.Profile:
    """A deck's profile from photos whose cards are known."""
    samples = []
    for photo, image in _pictures(photos, 0):
        samples += deck_profile.samples(reader.joined(image), photo.cards)
    return deck_profile.Profile.learn(name, models.calibration(), samples)


def split(photos: Sequence[Photo]) -> tuple[list[Photo], list[Photo]]:
    """Two halves, dealt out in the order of a checksum of the files' names, so that they stay the same."""
    mixed = sorted(photos, key=lambda photo: (zlib.crc32(photo.path.name.encode()), photo.path))
    return mixed[::2], mixed[1::2]


def by_set(tallies: dict[str, Tally], photos: Sequence[Photo]) -> list[tuple[str, Tally]]:
    """Each set's sum, followed by its folders where it has several; last the sum of all."""
    rows: list[tuple[str, Tally]] = []
    everything = Tally()
    for name in dict.fromkeys(photo.set for photo in photos):
        groups = [group for group in dict.fromkeys(p.group for p in photos if p.set == name) if group in tallies]
        whole = Tally()
        for group in groups:
            whole.merge(tallies[group])
        everything.merge(whole)
        rows.append((f"**{name}**", whole))
        if len(groups) > 1:
            rows += [(group.removeprefix(name).strip() or ".", tallies[group]) for group in groups]
    return [*rows, ("**all**", everything)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--photos", metavar="NAME", nargs="+", default=["judge"], help="sets: parts of their paths")
    parser.add_argument(
        "--scenes", metavar="N", type=int, help="judge so many rendered scenes of held-out decks instead"
    )
    parser.add_argument("--turn", type=int, choices=(0, 90, 180, 270), default=0, help="turn every photo clockwise")
    parser.add_argument(
        "--every", metavar="N", type=int, default=1, help="judge each Nth photo alone, for a first look"
    )
    parser.add_argument("--deck", metavar="NAME", help="with the profile of this deck")
    parser.add_argument(
        "--deck-split", action="store_true", help="learn each deck from half its photos, judge the other"
    )
    parser.add_argument("--threads", metavar="N", type=int, default=1)
    parser.add_argument("--sides", metavar="PX", type=int, nargs="+", help="longest sides that the detector sees")
    parser.add_argument("--weights", metavar="FILE", help="another corner detector")
    parser.add_argument("--json", metavar="OUT", type=Path, help="write all figures here too")
    parser.add_argument("--wrong", metavar="DIR", type=Path, help="overlays of photos that were not wholly right")


def run(args: argparse.Namespace) -> int:
    reader = Reader.load(args.threads, args.deck, args.weights, args.sides)
    if args.deck_split:
        return _run_scenes_split(args, reader) if args.scenes else _run_split(args, reader)
    if args.scenes:
        return _run_scenes(args, reader)
    photos = labelled(args.photos)[:: args.every]
    tallies = judge(reader, photos, args.turn // 90, args.wrong)
    rows = by_set(tallies, photos)
    print(f"nets {models.calibration().version}, turned by {args.turn} degrees, {args.threads} thread(s)\n")
    print(markdown(rows), calibration_table(rows[-1][1]), sep="\n\n")
    _write(args.json, {"nets": models.calibration().version, "turn": args.turn, "rows": _rows(rows)})
    return 0


def _run_scenes(args: argparse.Namespace, reader: Reader) -> int:
    tallies: dict[str, Tally] = {}
    for scene in tqdm(judged_scenes(args.scenes), total=args.scenes, unit="scene", file=sys.stderr):
        start = time.perf_counter()
        reading = reader.read(scene.image)
        seconds = time.perf_counter() - start
        tallies.setdefault(scene.deck, Tally()).add(scene.must, scene.relevant(claims(reading)), True, seconds)
    total = Tally()
    for tally in tallies.values():
        total.merge(tally)
    rows = [*sorted(tallies.items()), ("**all held-out decks**", total)]
    print(f"nets {models.calibration().version}, rendered scenes\n")
    print(markdown(rows), calibration_table(total), sep="\n\n")
    _write(args.json, {"nets": models.calibration().version, "rows": _rows(rows)})
    return 0


def _run_split(args: argparse.Namespace, reader: Reader) -> int:
    rows: list[tuple[str, Tally]] = []
    for name in SPLIT_SETS:
        photos = [photo for photo in labelled([name])[:: args.every] if "/judge/" in photo.path.as_posix()]
        plain, taught = Tally(), Tally()
        first, second = split(photos)
        for lesson, exam in ((first, second), (second, first)):
            profile = learn(reader, lesson, name)
            for total, judged in ((plain, reader), (taught, reader.knowing(profile))):
                for tally in judge(judged, exam).values():
                    total.merge(tally)
        rows += [(f"{name}, as it is", plain), (f"{name}, learned from the other half", taught)]
    print(markdown(rows))
    _write(args.json, {"nets": models.calibration().version, "rows": _rows(rows)})
    return 0


def _run_scenes_split(args: argparse.Namespace, reader: Reader) -> int:
    """The same with rendered scenes of each held-out deck, of which it is told what cards lie in them, not where."""
    rows: list[tuple[str, Tally]] = []
    totals = Tally(), Tally()
    decks: dict[str, list[JudgedScene]] = {}
    for scene in tqdm(judged_scenes(args.scenes), total=args.scenes, unit="scene", file=sys.stderr):
        decks.setdefault(scene.deck, []).append(scene)
    for name, scenes in tqdm(sorted(decks.items()), unit="deck", file=sys.stderr):
        tallies = Tally(), Tally()
        for lesson, exam in ((scenes[::2], scenes[1::2]), (scenes[1::2], scenes[::2])):
            samples = []
            for scene in lesson:
                samples += deck_profile.samples(reader.joined(scene.image), [*scene.must, *scene.may])
            knowing = reader.knowing(deck_profile.Profile.learn(name, models.calibration(), samples))
            for tally, judged in zip(tallies, (reader, knowing), strict=True):
                for scene in exam:
                    tally.add(scene.must, scene.relevant(claims(judged.read(scene.image))), True)
        for total, tally, how in zip(totals, tallies, ("as it is", "learned from the other half"), strict=True):
            rows.append((f"{name}, {how}", tally))
            total.merge(tally)
    rows += [("**all, as they are**", totals[0]), ("**all, learned from the other half**", totals[1])]
    print(markdown(rows))
    _write(args.json, {"nets": models.calibration().version, "rows": _rows(rows)})
    return 0


def _pictures(photos: Sequence[Photo], quarters: int) -> Iterator[tuple[Photo, Image]]:
    for photo in tqdm(photos, unit="photo", file=sys.stderr):
        image = load(photo.path)
        yield photo, np.ascontiguousarray(np.rot90(image, -quarters)) if quarters else image


def _named(reading: ImageReading) -> str:
    return " ".join(f"{c.card}({c.score:.2f})" for c in reading.cards) or "nothing"


def _rows(rows: list[tuple[str, Tally]]) -> list[dict[str, object]]:
    return [{"name": name.strip("*"), **tally.as_json()} for name, tally in rows]


def _write(file: Path | None, figures: dict[str, object]) -> None:
    if file is not None:
        file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m datasets.evaluate", description=__doc__)
    add_arguments(parser)
    try:
        return run(parser.parse_args(argv))
    except UserError as error:
        print(f"datasets.evaluate: {error} [{error.code}]", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
