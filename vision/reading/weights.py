"""Other corner detectors for comparison: any ONNX file of the same form, or ultralytics' own weights."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np

from vision.geometry import suppress, upright
from vision.reading.detect import ALIKE, CornerNet, Detector, Found
from vision.types import Image


class WeightsError(Exception):
    """Weights that cannot be used: one sentence, and a stable ``code`` (``weights-missing``, ``weights-unusable``,
    ``torch-missing``)."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class UltralyticsNet:
    """An oriented-box model in ultralytics' own format, run by torch. The file is a pickle: use only your own."""

    def __init__(self, file: Path, threshold: float) -> None:
        if importlib.util.find_spec("ultralytics") is None:
            raise WeightsError(
                "torch-missing",
                f"{file} needs torch and ultralytics, which only the training environment has: make train-env, then "
                ".venv-train/bin/python -m companion.cli read --weights ...",
            )
        from ultralytics import YOLO

        self._model = YOLO(str(file), task="obb")
        self._threshold = threshold
        if self._model.task != "obb" or len(self._model.names) != 1:
            raise WeightsError("weights-unusable", f"{file} does not find index corners: it wants one oriented class")

    def __call__(self, image: Image) -> Found:
        # No NMS of its own kind, so that both formats are treated alike from here on.
        side = max(image.shape[:2])
        (result,) = self._model.predict(image, imgsz=side, conf=self._threshold, iou=0.9, max_det=3000, verbose=False)
        boxes = upright(result.obb.xywhr.numpy().astype(np.float32).reshape(-1, 5))
        scores = result.obb.conf.numpy().astype(np.float32)
        order = suppress(boxes, scores, ALIKE)
        return Found(boxes[order], scores[order])


def load_detector(file: Path, threshold: float, threads: int) -> Detector:
    """The detector in a file, by its suffix. Raises WeightsError."""
    if not file.is_file():
        raise WeightsError("weights-missing", f"{file} does not exist")
    if file.suffix == ".pt":
        return UltralyticsNet(file, threshold)
    if file.suffix == ".onnx":
        try:
            return CornerNet(file, threshold, threads)
        except Exception as error:  # ONNX Runtime's own exceptions have no common class
            raise WeightsError("weights-unusable", f"{file} is not a net that ONNX Runtime can run: {error}") from None
    raise WeightsError("weights-unusable", f"{file} is neither .onnx nor .pt")
