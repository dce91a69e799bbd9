"""``pilewatch read``: name the cards in photos, one line a photo."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import UserError
from companion.terminal import complain, tell

if TYPE_CHECKING:
    from vision.types import CardReading, ImageReading, Points


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", metavar="PHOTO", nargs="+", type=Path, help="a photo, or a folder of photos")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--overlay", metavar="DIR", type=Path, help="write each photo here with what was seen drawn on")
    parser.add_argument("--deck", metavar="NAME", help="use what `pilewatch deck learn` knows of this deck")
    parser.add_argument("--threads", metavar="N", type=int, default=1, help="processor cores to use (%(default)s)")
    parser.add_argument(
        "--weights",
        metavar="FILE",
        help="another corner detector: .onnx, or ultralytics' own .pt where that is installed",
    )


def run(args: argparse.Namespace) -> int:
    from vision.images import ImageError, load, photos
    from vision.reading.overlay import draw

    files = photos(args.photos)
    if not files:
        raise UserError("no-photos", f"there is no picture in {', '.join(map(str, args.photos))}")
    reader = _reader(args)
    if args.overlay is not None:
        _make_folder(args.overlay)
    failed = False
    for file in files:
        try:
            image = load(file)
        except ImageError as error:
            failed = True
            if args.json:
                print(json.dumps({"file": str(file), "error": {"code": error.code, "message": str(error)}}), flush=True)
            else:
                complain("read", error, error.code)
            continue
        reading = reader.read(image)
        tell(json.dumps(as_json(file, reading)) if args.json else as_line(file, reading))
        if args.overlay is not None:
            _write(overlay_path(args.overlay, file, files), draw(image, reading))
    return 1 if failed else 0


def as_json(file: Path, reading: ImageReading) -> dict[str, Any]:
    """One photo's reading. Scores are probabilities; outlines are four points clockwise from the card's top left."""
    return {
        "file": str(file),
        "width": reading.width,
        "height": reading.height,
        "cards": [_card_json(card) for card in reading.cards],
        "backs": [{"score": round(back.score, 4), "outline": _points(back.outline)} for back in reading.backs],
    }


def _card_json(reading: CardReading) -> dict[str, Any]:
    card = reading.card
    return {
        "card": str(card),
        "rank": card.rank.letter,
        "suit": card.suit.value if card.suit else None,
        "score": round(reading.score, 4),
        "rank_score": round(reading.presence * reading.rank_scores[card.rank], 4),
        "suit_score": round(reading.presence * reading.suit_scores[card.suit], 4) if card.suit else None,
        "outline": _points(reading.outline),
    }


def as_line(file: Path, reading: ImageReading) -> str:
    """``photo.jpg: AH 7D 5H? (5H 0.71, or 5D 0.20), 2 backs``."""
    names, doubts = [], []
    for card in reading.cards:
        names.append(str(card.card) if card.sure else f"{card.card}?")
        if not card.sure:
            doubts.append(f"{card.card} {card.score:.2f}{_alternative(card)}")
    parts = [" ".join(names) or "no cards"]
    if doubts:
        parts[0] += f" ({'; '.join(doubts)})"
    if reading.backs:
        parts.append(f"{len(reading.backs)} back{'s' if len(reading.backs) > 1 else ''}")
    return f"{file}: {', '.join(parts)}"


def _alternative(reading: CardReading) -> str:
    from engine.cards import FACES

    second = int(reading.likelihoods.argsort()[-2])
    score = reading.presence * float(reading.likelihoods[second])
    return f", or {FACES[second]} {score:.2f}" if score >= 0.05 else ""


def _points(outline: Points) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in outline]


def overlay_path(folder: Path, file: Path, files: list[Path]) -> Path:
    """Where a photo's overlay goes; photos of one name from several folders don't overwrite each other."""
    same = sum(other.stem == file.stem for other in files) > 1
    name = "_".join(part for part in file.with_suffix("").parts if part not in ("/", "..", "\\")) if same else file.stem
    return folder / f"{name}.jpg"


def _reader(args: argparse.Namespace) -> Any:
    import models
    from vision.reading.deck_profile import ProfileError
    from vision.reading.reader import Reader
    from vision.reading.weights import WeightsError

    if args.threads < 1:
        raise UserError("bad-threads", f"--threads {args.threads}: use one or more")
    try:
        return Reader.load(args.threads, args.deck, args.weights)
    except (ProfileError, WeightsError) as error:
        raise UserError(error.code, str(error)) from None
    except models.ModelError as error:
        raise UserError("nets-missing", str(error)) from None


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError("overlay-folder", f"{folder} cannot be made: {error.strerror or error}") from None


def _write(path: Path, image: Any) -> None:
    import cv2

    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise UserError("overlay-folder", f"{path} cannot be written: {error.strerror or error}") from None
    assert ok
