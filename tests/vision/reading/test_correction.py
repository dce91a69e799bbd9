"""Corrections of a classifier's answers: what examples ask for is learned, what they do not bear out is not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading.classify import softmax
from vision.reading.correction import Correction

KINDS = 5
FOLDS = np.arange(400) % 4


def examples(seed: int, count: int, level: float = 4.0) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Logits that are right more often than not, and the truth."""
    generator = np.random.default_rng(seed)
    kinds = generator.integers(0, KINDS, count)
    return (generator.normal(0, 1.5, (count, KINDS)) + level * np.eye(KINDS)[kinds]).astype(np.float32), kinds


def loss(likelihoods: NDArray[np.float32], kinds: NDArray[np.intp]) -> float:
    return float(-np.log(likelihoods[np.arange(len(kinds)), kinds]).mean())


def test_a_slip_that_comes_back_is_put_right() -> None:
    answers, kinds = examples(1, 300)
    slip = np.eye(KINDS, dtype=np.float32)
    slip[2] = 0.4 * slip[2] + 0.8 * slip[3]  # what is a 2 looks more like a 3
    answers = answers @ slip
    correction = Correction.learn(answers[:200], kinds[:200], FOLDS[:200])
    before, after = softmax(answers[200:]), correction(answers[200:], softmax(answers[200:]))
    twos = kinds[200:] == 2
    assert (after.argmax(1) == 2)[twos].mean() > (before.argmax(1) == 2)[twos].mean() + 0.2
    assert loss(after, kinds[200:]) < loss(before, kinds[200:]) - 0.1


def test_where_there_is_no_slip_little_is_changed() -> None:
    harm = []
    for seed in range(20):  # the answers' own softmax is true here: a correction can only have learned chance
        generator = np.random.default_rng(seed)
        answers = generator.normal(0, 2.5, (460, KINDS)).astype(np.float32)
        kinds = np.array([generator.choice(KINDS, p=p / p.sum()) for p in softmax(answers).astype(np.float64)])
        correction = Correction.learn(answers[:60], kinds[:60], FOLDS[:60])
        net = softmax(answers[60:])
        harm.append(loss(correction(answers[60:], net), kinds[60:]) - loss(net, kinds[60:]))
    assert np.mean(harm) < 0.01
    assert max(harm) < 0.1


def test_kinds_without_examples_keep_what_the_net_gives_them() -> None:
    answers, kinds = examples(2, 200)
    few = kinds < 3
    correction = Correction.learn(
        answers[few][:80] @ np.roll(np.eye(KINDS, dtype=np.float32), 1, 0), kinds[few][:80], FOLDS[:80]
    )
    net = softmax(answers)
    after = correction(answers, net)
    assert correction.weights.any()
    assert np.allclose(after[:, 3:], net[:, 3:])
    assert np.allclose(after.sum(1), 1, atol=1e-5)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_next_to_nothing_teaches_nothing(count: int) -> None:
    answers, kinds = examples(3, 50)
    correction = Correction.learn(answers[:count], kinds[:count], np.zeros(count, np.intp))
    assert np.array_equal(correction(answers, softmax(answers)), softmax(answers))


def test_one_wrong_label_spoils_little() -> None:
    answers, kinds = examples(4, 300, level=8.0)
    taught = kinds[:100].copy()
    taught[0] = (taught[0] + 1) % KINDS
    correction = Correction.learn(answers[:100], taught, FOLDS[:100])
    after = correction(answers[100:], softmax(answers[100:]))
    assert (after.argmax(1) == kinds[100:]).mean() > 0.97
