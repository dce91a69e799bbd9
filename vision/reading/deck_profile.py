"""What one deck's indices look like to the classifier: a small profile learned from photos of that deck.

The classifier answers a deck that it has never seen with the same slip each time: this deck's narrow 10 always looks
a little like a 4. The profile remembers the mean answer (logits) for every rank and suit of the deck; a new crop is
compared with these means, and what they say is blended with what the net says. Nothing is trained.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from engine.cards import FACES, Card, Rank, Suit
from vision.reading.classify import NO_INDEX, Logits, Named, softmax
from vision.reading.join import Joined
from vision.user_folder import NoHomeError, user_folder

TRUST: Final = 0.8
"""The most that a profile may weigh against the net, with many examples."""
LEAST_SPREAD: Final = 1.0
"""Logits. Two photos of one card differ at least so much."""
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
class Means:
    """Mean answers of one kind: (n, d) for n ranks or suits, how many examples each (n,), and their spread."""

    mean: NDArray[np.float32]
    count: NDArray[np.float32]
    spread: float

    @classmethod
    def of(cls, answers: NDArray[np.float32], kinds: NDArray[np.intp], size: int) -> Self:
        mean, count = np.zeros((size, answers.shape[1]), np.float32), np.zeros(size, np.float32)
        squares, freedom = 0.0, 0
        for kind in np.unique(kinds):
            own = answers[kinds == kind]
            mean[kind], count[kind] = own.mean(0), len(own)
            squares += float(((own - own.mean(0)) ** 2).sum())
            freedom += (len(own) - 1) * answers.shape[1]
        return cls(mean, count, max(LEAST_SPREAD, (squares / freedom) ** 0.5 if freedom else 0.0))

    def blend(self, answers: NDArray[np.float32], net: NDArray[np.float32]) -> NDArray[np.float32]:
        """The net's probabilities (m, n) for answers (m, d), drawn towards what this deck's examples say."""
        known = self.count > 0
        if not known.any() or not len(answers):
            return net
        distance = ((answers[:, None] - self.mean[known]) ** 2).mean(2) / self.spread**2
        # The dimensions are far from independent, so their mean counts, not their sum; as much as four would.
        said = softmax(-2 * distance) * net[:, known].sum(1, keepdims=True)
        trust = TRUST * self.count[known] / (self.count[known] + 1)
        logs = np.log(np.maximum(net, 1e-6))
        logs[:, known] = (1 - trust) * logs[:, known] + trust * np.log(np.maximum(said, 1e-6))
        return softmax(logs)

    def familiar(self, answers: NDArray[np.float32], kinds: NDArray[np.intp]) -> NDArray[np.float32]:
        """How much less likely answers (m, d) are of this deck's ``kinds`` (m,) than of anything else; at most 1.

        Anything else spreads twice as far. Of kinds without examples nothing is known: 1.
        """
        distance = ((answers - self.mean[kinds]) ** 2).mean(1) / self.spread**2
        ratio = np.exp(np.minimum(0.0, 4 * np.log(2) - 1.5 * distance))  # four dimensions, as in blend
        return np.where(self.count[kinds] > 0, ratio, 1.0).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """All that was learned of one deck. ``version`` names the nets that it was learned with."""

    name: str
    version: str
    ranks: Means
    suits: Means

    @classmethod
    def learn(cls, name: str, version: str, samples: Sequence[Sample]) -> Self:
        """From corners whose card is known. Raises ProfileError if there are none."""
        if not samples:
            raise ProfileError("deck-empty", f"nothing was learned of {name}: no card was read in the photos")
        ranks = np.array([_RANKS.index(sample.card.rank) for sample in samples])
        suited = [sample for sample in samples if sample.card.suit is not None]
        suits = np.array([_SUITS.index(sample.card.suit) for sample in suited if sample.card.suit], np.intp)
        suit_answers = np.stack([_centred(s.suit) for s in suited]) if suited else np.empty((0, 4), np.float32)
        rank_answers = np.stack([_centred(sample.rank[:NO_INDEX]) for sample in samples])
        return cls(
            name, version, Means.of(rank_answers, ranks, len(_RANKS)), Means.of(suit_answers, suits, len(_SUITS))
        )

    def refine(self, rank: Logits, suit: Logits, named: Named) -> Named:
        """What the net made of crops, seen in the light of this deck."""
        if not len(rank):
            return named
        ranks = np.zeros((len(rank), len(_RANKS)), np.float32)
        suits = np.zeros((len(rank), len(_SUITS)), np.float32)
        for face in range(len(FACES)):
            ranks[:, _FACE_RANK[face]] += named.likelihoods[:, face]
            if _FACE_SUIT[face] >= 0:
                suits[:, _FACE_SUIT[face]] += named.likelihoods[:, face]
        suits = (suits + 1e-9) / (suits + 1e-9).sum(1, keepdims=True)
        ranks = self.ranks.blend(_centred(rank[:, :NO_INDEX]), ranks)
        suits = self.suits.blend(_centred(suit), suits)
        likelihoods = ranks[:, _FACE_RANK] * np.where(_FACE_SUIT < 0, 1, suits[:, _FACE_SUIT])
        # What looks like no index of this deck is less likely to be one.
        familiar = self.ranks.familiar(_centred(rank[:, :NO_INDEX]), ranks.argmax(1))
        presence = named.presence * familiar / (named.presence * familiar + 1 - named.presence + 1e-9)
        return Named((likelihoods / likelihoods.sum(1, keepdims=True)).astype(np.float32), presence.astype(np.float32))

    def known(self) -> int:
        """How many ranks have been seen."""
        return int((self.ranks.count > 0).sum())

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "version": self.version,
            "ranks": _means_json(self.ranks),
            "suits": _means_json(self.suits),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Raises KeyError, TypeError or ValueError for data that :meth:`to_json` never wrote."""
        ranks, suits = _means(data["ranks"], (len(_RANKS), NO_INDEX)), _means(data["suits"], (len(_SUITS), len(_SUITS)))
        return cls(str(data["name"]), str(data["version"]), ranks, suits)


def samples(cards: Sequence[Joined], truth: Sequence[Card]) -> list[Sample]:
    """The corners of cards that were read in a photo, with what they truly are.

    Of all that was read and all that is true the likeliest go together first, so that a card which the net does not
    recognise is known by being left over. What no reading is left for, or no truth, teaches nothing.
    """
    result: list[Sample] = []
    scores = np.array([[_score(card, each) for each in truth] for card in cards]).reshape(len(cards), len(truth))
    for _ in range(min(scores.shape)):
        i, j = np.unravel_index(int(scores.argmax()), scores.shape)
        result += [
            Sample(corner.rank, corner.suit, truth[int(j)])
            for corner in cards[int(i)].corners
            if corner.rank is not None and corner.suit is not None
        ]
        scores[i, :] = scores[:, j] = -np.inf
    return result


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


def _centred(answers: NDArray[np.float32]) -> NDArray[np.float32]:
    """Logits mean the same whatever is added to all of them."""
    return np.asarray(answers - answers.mean(-1, keepdims=True), np.float32)


def _means_json(means: Means) -> dict[str, Any]:
    return {"mean": np.round(means.mean, 3).tolist(), "count": means.count.tolist(), "spread": round(means.spread, 4)}


def _means(data: dict[str, Any], shape: tuple[int, int]) -> Means:
    mean, count = np.array(data["mean"], np.float32), np.array(data["count"], np.float32)
    spread = float(data["spread"])
    if mean.shape != shape or count.shape != shape[:1] or not np.isfinite(mean).all() or not spread > 0:
        raise ValueError("the numbers have another shape")
    return Means(mean, count, spread)
