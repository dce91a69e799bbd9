"""Build the yardstick of ``pilewatch bench vision``: a plain YOLO11n at 640 px, untrained (weights don't change time).

Run in the training environment: ``.venv-train/bin/python -m datasets.bench_yolo``. The file is about 10 MB and is not
committed.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

YARDSTICK: Final = Path(__file__).resolve().parent.parent / "build" / "yolo11n-640.onnx"
COMMAND: Final = "make train-env && .venv-train/bin/python -m datasets.bench_yolo"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=YARDSTICK, help="where to write the ONNX file (%(default)s)")
    args = parser.parse_args(argv)
    from ultralytics import YOLO

    exported = YOLO("yolo11n.yaml", task="detect").export(format="onnx", imgsz=640, dynamic=False, simplify=True)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(exported, args.out)
    print(args.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
