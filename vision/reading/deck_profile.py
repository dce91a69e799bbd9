"""What one deck's indices look like to the classifier: a small profile learned from photos of that deck.

The classifier answers a deck that it has never seen with the same slip each time: this deck's narrow 10 always looks
a little like a 4. The profile corrects the answers (``vision.reading.correction``): it moves likelihood between ranks
and between suits. How many cards there are, and how surely, is for the net alone to say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

import models
from engine.cards import FACES, Card, Rank, Suit
from vision.reading.classify import NO_INDEX, Logits
from vision.reading.correction import Correction
from vision.reading.join import Joined
from vision.user_folder import NoHomeError, user_folder

PLAUSIBLE: Final = 0.03
"""The least likelihood of a card known by being left over: in rendered scenes half at 0.03 to 0.1 are right."""
COUNTED: Final = 0.001
"""The same where as many cards were read as there are: half are right from here on, and none of those below."""
FOLDS: Final = 4
"""Faces are left out in so many parts, to see what a correction is worth. Each has cards of all ranks and all suits."""
_NAME: Final = re.compile(r"[\w-]{1,40}")
_RANKS: Final = list(Rank)
_SUITS: Final = list(Suit)
_FACE_RANK: Final = np.array([_RANKS.index(face.rank) for face in FACES])
_FACE_SUIT: Final = np.array([-1 if face.suit is None else _SUITS.index(face.suit) for face in FACES])


class ProfileError(Exception):
    """A deck's profile that cannot be used: one sentence, and a stable ``code`` (``deck-unknown``, ``deck-name``,
    ``deck-damaged``, ``deck-outdated``, ``deck-empty``, ``no-home``)."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One index corner whose card is known: the net's logits, (15,) and (4,), and the card (its suit may be None)."""

    rank: NDArray[np.float32]
    suit: NDArray[np.float32]
    card: Card


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """All that was learned of one deck. ``version`` names the nets that it was learned with."""

    name: str
    version: str
    ranks: Correction
    suits: Correction

    @classmethod
    def learn(cls, name: str, calibration: models.Calibration, samples: Sequence[Sample]) -> Self:
        """From corners whose card is known, as these nets see them. Raises ProfileError if there are none."""
        if not samples:
            raise ProfileError("deck-empty", f"nothing was learned of {name}: no card was read in the photos")
        suited = [sample for sample in samples if sample.card.suit is not None]
        ranks = Correction.learn(
            np.stack([sample.rank[:NO_INDEX] for sample in samples]),
            np.array([_RANKS.index(sample.card.rank) for sample in samples], np.intp),
            np.array([_fold(sample.card) for sample in samples], np.intp),
            calibration.rank_temperature,
        )
        suits = Correction.learn(
            np.array([sample.suit for sample in suited], np.float32).reshape(-1, len(_SUITS)),
            np.array([_suit(sample.card) for sample in suited], np.intp),
            np.array([_fold(sample.card) for sample in suited], np.intp),
            calibration.suit_temperature,
        )
        return cls(name, calibration.version, ranks, suits)

    def renamed(self, cards: Sequence[Joined]) -> list[Joined]:
        """Cards with what their corners show seen in the light of this deck. None claims more surely to be there."""
        corners = [
            corner for card in cards for corner in card.corners if corner.rank is not None and corner.suit is not None
        ]
        if not corners:
            return list(cards)
        before = np.stack([corner.likelihoods for corner in corners])
        after = self.corrected(
            np.stack([corner.rank for corner in corners if corner.rank is not None]),
            np.stack([corner.suit for corner in corners if corner.suit is not None]),
            before,
        )
        # What readings may claim was fitted to the net alone: where a rank grows likelier, the presence bears it.
        less = np.minimum(1, _ranks(before).max(1) / _ranks(after).max(1))
        seen = {
            corner: replace(corner, likelihoods=likelihoods, presence=float(corner.presence * share))
            for corner, likelihoods, share in zip(corners, after, less, strict=True)
        }
        return [replace(card, corners=tuple(seen.get(corner, corner) for corner in card.corners)) for card in cards]

    def corrected(self, rank: Logits, suit: Logits, likelihoods: NDArray[np.float32]) -> NDArray[np.float32]:
        """Likelihoods (n, 53) of faces, which the net drew from logits (n, 15) and (n, 4), corrected."""
        suits = np.zeros((len(likelihoods), len(_SUITS)), np.float32)
        for face in np.flatnonzero(_FACE_SUIT >= 0):
            suits[:, _FACE_SUIT[face]] += likelihoods[:, face]
        suits = (suits + 1e-9) / (suits + 1e-9).sum(1, keepdims=True)
        ranks, suits = self.ranks(rank[:, :NO_INDEX], _ranks(likelihoods)), self.suits(suit, suits)
        result = ranks[:, _FACE_RANK] * np.where(_FACE_SUIT < 0, 1, suits[:, _FACE_SUIT])
        return np.asarray(result / result.sum(1, keepdims=True), np.float32)

    def known(self) -> int:
        """How many ranks have been seen."""
        return int((self.ranks.count > 0).sum())

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "version": self.version,
            "ranks": _correction_json(self.ranks),
            "suits": _correction_json(self.suits),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Raises KeyError, TypeError or ValueError for data that :meth:`to_json` never wrote."""
        ranks, suits = _correction(data["ranks"], len(_RANKS)), _correction(data["suits"], len(_SUITS))
        return cls(str(data["name"]), str(data["version"]), ranks, suits)


def samples(cards: Sequence[Joined], truth: Sequence[Card]) -> list[Sample]:
    """The corners of cards that were read in a photo, with what they truly are.

    Of all that was read and all that is true the likeliest go together first, so that a card which the net does not
    recognise is known by being left over. What no reading is left for, or no truth, teaches nothing; nor does what is
    hardly like its card, for where a card was missed and something else taken for one, these two are left over.
    """
    result: list[Sample] = []
    scores = np.array([[_score(card, each) for each in truth] for card in cards]).reshape(len(cards), len(truth))
    least = np.log(COUNTED if len(cards) == len(truth) else PLAUSIBLE)
    for _ in range(min(scores.shape)):
        i, j = np.unravel_index(int(scores.argmax()), scores.shape)
        if scores[i, j] < least:
            break
        result += samples_of(cards[int(i)], truth[int(j)])
        scores[i, :] = scores[:, j] = -np.inf
    return result


def samples_of(card: Joined, truth: Card) -> list[Sample]:
    """The corners of one card of which somebody says what it is."""
    return [
        Sample(corner.rank, corner.suit, truth)
        for corner in card.corners
        if corner.rank is not None and corner.suit is not None
    ]


def _score(card: Joined, truth: Card) -> float:
    faces = [i for i, face in enumerate(FACES) if face.matches(truth)]
    return float(np.mean([np.log(corner.likelihoods[faces].sum() + 1e-9) for corner in card.corners]))


def folder() -> Path:
    """Where profiles are kept: ``decks`` in the user's data folder. Raises ProfileError ``no-home``."""
    try:
        return user_folder() / "decks"
    except NoHomeError as error:
        raise ProfileError("no-home", f"{error}; set XDG_DATA_HOME to a folder for decks") from None


def path_of(name: str) -> Path:
    """The file of a deck. Raises ProfileError for what can't be a deck's name."""
    if not _NAME.fullmatch(name):
        raise ProfileError("deck-name", f"{name!r} cannot name a deck: use up to 40 letters, digits, - and _")
    return folder() / f"{name}.json"


def names() -> list[str]:
    """The decks that have been learned."""
    return sorted(file.stem for file in folder().glob("*.json"))


def save(profile: Profile) -> Path:
    """Write a profile, whole or not at all. Raises ProfileError, OSError."""
    file = path_of(profile.name)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(json.dumps(profile.to_json(), indent=1), encoding="utf-8")
    part.replace(file)
    return file


def load(name: str, version: str) -> Profile:
    """The profile of a deck, for nets of this version. Raises ProfileError."""
    try:
        profile = Profile.from_json(json.loads(path_of(name).read_text(encoding="utf-8")))
    except FileNotFoundError:
        have = f"; learned so far: {', '.join(names())}" if names() else ""
        raise ProfileError(
            "deck-unknown", f"no deck {name!r} has been learned: pilewatch deck learn PHOTO... --name {name}{have}"
        ) from None
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise ProfileError("deck-damaged", f"the profile of {name!r} is damaged ({error}): learn it again") from None
    if profile.version != version:
        raise ProfileError("deck-outdated", f"deck {name!r} was learned with other nets: learn it again")
    return profile


def _ranks(likelihoods: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of faces (n, 53) to those of ranks (n, 14)."""
    ranks = np.zeros((len(likelihoods), len(_RANKS)), np.float32)
    for face, rank in enumerate(_FACE_RANK):
        ranks[:, rank] += likelihoods[:, face]
    return ranks


def _suit(card: Card) -> int:
    return -1 if card.suit is None else _SUITS.index(card.suit)


def _fold(card: Card) -> int:
    return (_RANKS.index(card.rank) + _suit(card)) % FOLDS


def _correction_json(correction: Correction) -> dict[str, Any]:
    return {"weights": np.round(correction.weights, 4).tolist(), "count": correction.count.tolist()}


def _correction(data: dict[str, Any], kinds: int) -> Correction:
    weights, count = np.array(data["weights"], np.float32), np.array(data["count"], np.float32)
    if weights.shape != (kinds + 1, kinds) or count.shape != (kinds,) or not np.isfinite(weights).all():
        raise ValueError("the numbers have another shape")
    return Correction(weights, count)
