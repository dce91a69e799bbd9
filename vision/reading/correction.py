"""A correction of a classifier's answers that a few known examples ask for, and no more than they can bear out.

Multinomial regression on the answers themselves (matrix scaling: Guo et al. 2017, "On calibration of modern neural
networks", section 4.2), from the net's own answer as the starting point and with a normal prior that holds it there.
How firmly, is chosen by what it says of examples that were left out; where that is not better than the net by more than
chance (one standard error: Breiman et al. 1984, "Classification and regression trees"), the net's word stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from vision.reading.classify import Logits, softmax

PRIORS: Final = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
"""How firmly a correction is held at nothing: the prior's precision, from loosely to firmly."""
UNIT: Final = 5.0
"""Logits. A sure answer stands out by about so much: the measure of what a correction is linear in."""
CLEARER: Final = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0)
"""How much surer of its answers the net may be with reason where the pictures are good ones. This is not learned: it is
not the deck's doing."""
STEPS: Final = 150
"""Of accelerated gradient descent (Nesterov 1983). The loss is convex, and the prior makes it quick."""
LEAST: Final = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Correction:
    """What is added to the log-likelihoods of n kinds: linear in the logits by ``weights`` (n + 1, n), last a constant.

    ``count`` (n,) tells how many examples there were of each kind. A kind without any keeps what the net gives it.
    """

    weights: NDArray[np.float32]
    count: NDArray[np.float32]

    @classmethod
    def learn(cls, answers: Logits, kinds: NDArray[np.intp], folds: NDArray[np.intp], temperature: float = 1.0) -> Self:
        """From logits (m, n) of examples, their true kinds (m,), and which are left out together (m,)."""
        count = np.bincount(kinds, minlength=answers.shape[1]).astype(np.float32)
        weights = np.zeros((answers.shape[1] + 1, answers.shape[1]), np.float32)
        known = count > 0
        lesson = _Lesson((answers / temperature)[:, known], _features(answers), (np.cumsum(known) - 1)[kinds])
        parts = [folds == fold for fold in np.unique(folds)]
        if known.sum() > 1 and len(parts) > 1:
            clearer = lesson.clearer()
            lesson = replace(lesson, given=lesson.given * clearer)
            gains = lesson.gains(parts)
            best = int(gains.mean(1).argmax())
            if gains[best].mean() > gains[best].std() / len(kinds) ** 0.5:
                weights[:, known] = lesson.fitted(PRIORS[best], np.ones(len(kinds), np.bool_)) / clearer
        return cls(weights, count)

    def __call__(self, answers: Logits, net: NDArray[np.float32]) -> NDArray[np.float32]:
        """The probabilities (m, n) that the net drew from its logits (m, n), corrected among known kinds."""
        known = self.count > 0
        if known.sum() < 2 or not self.weights.any():
            return net
        result = net.copy()
        logs = np.log(np.maximum(net, LEAST)) + _features(answers) @ self.weights
        result[:, known] = softmax(logs[:, known]) * net[:, known].sum(1, keepdims=True)
        return result


@dataclass(frozen=True, slots=True, eq=False)
class _Lesson:
    """Examples: what the net says of the kinds (m, n), what a correction may draw on (m, d), and what is true (m,)."""

    given: NDArray[np.float32]
    features: NDArray[np.float32]
    kinds: NDArray[np.intp]

    def clearer(self) -> float:
        """By how much the examples' logits are too small: photos to learn from are better ones than those of a game."""
        every = np.ones(len(self.kinds), np.bool_)
        return max(CLEARER, key=lambda factor: float(self._likely(self.given * factor, every).sum()))

    def gains(self, parts: Sequence[NDArray[np.bool_]]) -> NDArray[np.float32]:
        """How much likelier (m,), in logarithms, each prior makes the truth of examples it has not learned from."""
        gains = np.zeros((len(PRIORS), len(self.kinds)), np.float32)
        for row, prior in zip(gains, PRIORS, strict=True):
            for part in parts:
                weights = self.fitted(prior, ~part)
                row[part] = self._likely(self.given[part] + self.features[part] @ weights, part)
                row[part] -= self._likely(self.given[part], part)
        return gains

    def _likely(self, logits: Logits, which: NDArray[np.bool_]) -> NDArray[np.float32]:
        chosen = softmax(logits)[np.arange(len(logits)), self.kinds[which]]
        return np.asarray(np.log(np.maximum(chosen, LEAST)), np.float32)

    def fitted(self, prior: float, which: NDArray[np.bool_]) -> NDArray[np.float32]:
        """The weights (d, n) with the least log loss of some of the examples, and ``prior`` / 2 of their squares."""
        given, features = self.given[which], self.features[which]
        truth = np.eye(given.shape[1], dtype=np.float32)[self.kinds[which]]
        step = 1 / (0.5 * float(np.linalg.norm(features, 2)) ** 2 + prior)
        weights = ahead = np.zeros((features.shape[1], given.shape[1]), np.float32)
        pace = 1.0
        for _ in range(STEPS):
            slope = features.T @ (softmax(given + features @ ahead) - truth) + prior * ahead
            before, weights = weights, ahead - step * slope
            faster = (1 + (1 + 4 * pace * pace) ** 0.5) / 2
            ahead = weights + (pace - 1) / faster * (weights - before)
            pace = faster
        return weights


def _features(answers: Logits) -> NDArray[np.float32]:
    """What a correction is linear in: logits mean the same whatever is added to all of them; and a constant."""
    centred = (answers - answers.mean(-1, keepdims=True)) / UNIT
    return np.hstack([centred, np.ones((len(answers), 1), np.float32)]).astype(np.float32)
