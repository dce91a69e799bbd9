"""The nets that ship, run in ONNX Runtime: shapes, and agreement with the training framework's own outputs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

import models
from vision.watching.rims import COLUMNS, ROWS

FIXED = Path(__file__).parent / "fixed.npz"


def session(name: str) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(str(models.path(name)), providers=["CPUExecutionProvider"])


def test_the_classifier_says_what_it_said_in_training() -> None:
    net, fixed = session(models.INDICES), np.load(FIXED)
    images = np.random.default_rng(0).random((3, 3, 64, 40), np.float32)
    rank, suit = net.run(["rank", "suit"], {"images": images})
    np.testing.assert_allclose(rank, fixed["rank"], rtol=2e-3, atol=2e-3)
    np.testing.assert_allclose(suit, fixed["suit"], rtol=2e-3, atol=2e-3)


def test_the_detector_says_what_it_said_in_training() -> None:
    net, fixed = session(models.CORNERS), np.load(FIXED)
    images = np.random.default_rng(0).random((1, 3, 64, 96), np.float32)
    (output,) = net.run(None, {"images": images})
    np.testing.assert_allclose(output, fixed["corners"], rtol=2e-3, atol=2e-3)


def test_the_net_for_squared_sets_says_what_it_said_in_training() -> None:
    net, fixed = session(models.RIMS), np.load(FIXED)
    sides = np.random.default_rng(0).random((3, 4, 6, ROWS, COLUMNS), np.float32)
    (counts,) = net.run(["counts"], {"sides": sides})
    np.testing.assert_allclose(counts, fixed["rims"], rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("batch", [1, 7])
def test_the_classifier_takes_any_number_of_crops(batch: int) -> None:
    rank, suit = session(models.INDICES).run(["rank", "suit"], {"images": np.zeros((batch, 3, 64, 40), np.float32)})
    assert rank.shape == (batch, 15)
    assert suit.shape == (batch, 4)


@pytest.mark.parametrize(("height", "width"), [(32, 32), (96, 160), (320, 320)])
def test_the_detector_takes_any_size_that_32_divides(height: int, width: int) -> None:
    (output,) = session(models.CORNERS).run(None, {"images": np.full((1, 3, height, width), 0.4, np.float32)})
    assert output.shape == (1, 6, height * width // 64)
    assert ((output[0, 4] >= 0) & (output[0, 4] <= 1)).all()


def test_the_nets_stay_small() -> None:
    assert sum(models.path(name).stat().st_size for name in (models.CORNERS, models.INDICES)) < 4_000_000


def test_missing_and_damaged_files_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "FOLDER", tmp_path)
    models.calibration.cache_clear()
    try:
        with pytest.raises(models.ModelError, match=r"corners\.onnx is missing"):
            models.path(models.CORNERS)
        (tmp_path / models.CALIBRATION).write_text('{"version": "1"}', encoding="utf-8")
        with pytest.raises(models.ModelError, match=r"calibration\.json .* is damaged"):
            models.calibration()
    finally:
        models.calibration.cache_clear()
