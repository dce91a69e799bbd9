"""``pilewatch deck learn | list | forget``: teach Pilewatch your deck from photos of it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import UserError
from companion.terminal import complain, one_line, tell
from engine.cards import FACES, Card, CardError

if TYPE_CHECKING:
    from vision.reading.join import Joined

LIKELY = 0.5
"""With ``--yes`` the likeliest face is taken from here on."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    learn = actions.add_parser("learn", help="learn a deck from photos of it spread out, or one card at a time")
    learn.add_argument("photos", metavar="PHOTO", nargs="+", type=Path, help="a photo, or a folder of photos")
    learn.add_argument("--name", required=True, help="what to call the deck; learning a name again replaces it")
    learn.add_argument("--yes", action="store_true", help="don't ask: take what is likely, leave out the rest")
    learn.add_argument(
        "--truth", metavar="FILE", type=Path, help='the cards of each photo: a JSON object, {"photo.jpg": ["7H", ...]}'
    )
    learn.add_argument("--threads", metavar="N", type=int, default=1, help="processor cores to use (%(default)s)")
    actions.add_parser("list", help="the decks that have been learned")
    forget = actions.add_parser("forget", help="forget a deck")
    forget.add_argument("name", help="the deck")


def run(args: argparse.Namespace) -> int:
    from vision.reading.deck_profile import ProfileError

    try:
        return {"learn": _learn, "list": _list, "forget": _forget}[args.action](args)
    except ProfileError as error:
        raise UserError(error.code, str(error)) from None


def _learn(args: argparse.Namespace) -> int:
    import models
    from vision.images import ImageError, load, photos
    from vision.reading import deck_profile
    from vision.reading.reader import Reader

    if args.threads < 1:
        raise UserError("bad-threads", f"--threads {args.threads}: use one or more")
    deck_profile.path_of(args.name)  # a bad name is said before the work, not after
    truth = {} if args.truth is None else read_truth(args.truth)
    files = photos(args.photos)
    if not files:
        raise UserError("no-photos", f"there is no picture in {', '.join(map(str, args.photos))}")
    reader = Reader.load(args.threads)
    samples: list[deck_profile.Sample] = []
    for file in files:
        try:
            cards = reader.joined(load(file))
        except ImageError as error:
            complain("deck", error, error.code)
            continue
        known = truth.get(file.name)
        before = len(samples)
        if known is None:
            for card, face in settle(file.name, cards, ask=not args.yes):
                samples += deck_profile.samples_of(card, face)
        else:
            samples += deck_profile.samples(cards, known)
        tell(f"{file.name}: {len(cards)} card(s) read, {len(samples) - before} corner(s) learned")
    profile = deck_profile.Profile.learn(args.name, models.calibration(), samples)
    try:
        path = deck_profile.save(profile)
    except OSError as error:
        raise UserError("deck-not-written", f"the profile cannot be written: {error}") from None
    seen = {sample.card.rank for sample in samples}
    missing = [face.rank.letter for face in FACES[:13] if face.rank not in seen]
    tell(f"Learned {args.name} from {len(samples)} corners: {path}")
    if missing:
        print(f"Not seen, so read as before: {' '.join(missing)}. A photo of these cards would help.")
    return 0


def settle(name: str, cards: Sequence[Joined], ask: bool) -> list[tuple[Joined, Card]]:
    """The cards of a photo without labels: what is sure, and what a person says of the rest."""
    from vision.reading.classify import combined
    from vision.types import SURE

    result: list[tuple[Joined, Card]] = []
    taken: set[Card] = set()
    for card in sorted(cards, key=lambda card: -max(float(corner.likelihoods.max()) for corner in card.corners)):
        likelihoods = combined([corner.likelihoods for corner in card.corners])
        order = likelihoods.argsort()[::-1]
        best, score = FACES[int(order[0])], float(likelihoods[order[0]])
        choice: Card | None = best
        # One deck has each card once: a second 7H in one photo is another card, or another deck's.
        if score < SURE or best in taken:
            other = FACES[int(order[1])]
            if ask and sys.stdin.isatty():
                x, y = card.outline.mean(0)
                choice = _ask(
                    f"{name}: the card at {x:.0f}, {y:.0f} looks like {best} ({score:.2f}) or {other} "
                    f"({float(likelihoods[order[1]]):.2f})",
                    best,
                )
            elif score < LIKELY or best in taken:
                choice = None
        if choice is not None:
            taken.add(choice)
            result.append((card, choice))
    return result


def _ask(words: str, best: Card) -> Card | None:
    while True:
        answer = input(f"{one_line(words)}. Which is it? [Enter: {best}, -: leave it out] ").strip()
        if not answer:
            return best
        if answer == "-":
            return None
        try:
            return Card.parse(answer)
        except CardError as error:
            print(f"{error}.")


def read_truth(file: Path) -> dict[str, list[Card]]:
    """Cards per photo name. Raises UserError."""
    try:
        if file.exists() and not file.is_file():
            raise UserError("truth-unreadable", f"{file} cannot be read: it is no file")
        data: Any = json.loads(file.read_text(encoding="utf-8"))
        return {Path(name).name: [Card.parse(card) for card in cards] for name, cards in data.items()}
    except OSError as error:
        raise UserError("truth-unreadable", f"{file} cannot be read: {error.strerror or error}") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise UserError("truth-unreadable", f'{file} is not {{"photo.jpg": ["7H", ...], ...}}: {error}') from None


def _list(args: argparse.Namespace) -> int:
    del args
    import models
    from vision.reading import deck_profile

    for name in deck_profile.names():
        try:
            profile = deck_profile.load(name, models.calibration().version)
        except deck_profile.ProfileError as error:
            tell(f"{name}: {error}")
            continue
        tell(f"{name}: {int(profile.ranks.count.sum())} corners, {profile.known()} ranks")
    if not deck_profile.names():
        print("No deck has been learned: pilewatch deck learn PHOTO... --name NAME")
    return 0


def _forget(args: argparse.Namespace) -> int:
    from vision.reading import deck_profile

    path = deck_profile.path_of(args.name)
    if not path.is_file():
        raise UserError("deck-unknown", f"no deck {args.name!r} has been learned")
    path.unlink()
    tell(f"Forgot {args.name}.")
    return 0
