"""``python -m datasets.train detector|classifier``: train the nets on two CPU cores, and export them to ``models/``.

Runs in the training environment (``make train-env``). Both read ``data/scenes``, write checkpoints under
``data/runs``, go on from the last checkpoint with ``--resume``, and reach no network. Train one net at a time: two
at once take more than twice as long.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("YOLO_OFFLINE", "true")  # no analytics, no downloads

import numpy as np
import torch
from torch import nn
from tqdm import tqdm

import models
from companion.errors import UserError
from datasets import crops
from datasets.decks import DATA
from datasets.net import HEIGHT, WIDTH, IndexNet
from datasets.scenes import FOLDER as SCENES
from datasets.scenes import SIZE
from vision.reading.classify import NO_INDEX

RUNS: Final = DATA / "runs"
OPSET: Final = 17
HERE: Final = Path(__file__).resolve().parent
FIXED: Final = HERE.parent / "tests" / "datasets" / "fixed.npz"
"""Inputs and the training framework's own outputs, kept for the test that the exported nets agree with it."""


# -- the classifier ----------------------------------------------------------------------------------------------------


def _load_crops(
    part: str, repeats: int, shards: int | None, weights: Path | None
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    pixels, ranks, suits = crops.all_crops(SCENES / part, repeats=repeats, shards=shards, weights=weights)
    return torch.from_numpy(pixels), torch.from_numpy(ranks), torch.from_numpy(suits)


def _batch(pixels: torch.Tensor, augment: torch.Generator | None) -> torch.Tensor:
    images = pixels.flip(3).permute(0, 3, 1, 2).float() / 255  # OpenCV's BGR to RGB
    if augment is not None:
        n = len(images)
        gain = 1 + 0.25 * (torch.rand(n, 3, 1, 1, generator=augment) - 0.5) * torch.rand(n, 1, 1, 1, generator=augment)
        level = 0.55 + 0.65 * torch.rand(n, 1, 1, 1, generator=augment)
        images = images * gain * level + 0.12 * (torch.rand(n, 1, 1, 1, generator=augment) - 0.4)
        images = images + 0.03 * torch.rand(n, 1, 1, 1, generator=augment) * torch.randn(
            images.shape, generator=augment
        )
        images = images.clamp(0, 1)
    return images.contiguous(memory_format=torch.channels_last)


def _loss(rank: torch.Tensor, suit: torch.Tensor, ranks: torch.Tensor, suits: torch.Tensor) -> torch.Tensor:
    loss = nn.functional.cross_entropy(rank, ranks, label_smoothing=0.02)
    if bool((suits >= 0).any()):
        loss = loss + 0.5 * nn.functional.cross_entropy(suit, suits, ignore_index=crops.NO_SUIT, label_smoothing=0.02)
    return loss


@torch.no_grad()
def judge_classifier(net: IndexNet, pixels: torch.Tensor, ranks: torch.Tensor, suits: torch.Tensor) -> dict[str, float]:
    """Shares right on crops: rank and suit of real indices, and "not an index" said where it is true, and where not."""
    net.eval()
    outputs = [net(_batch(pixels[i : i + 512], None)) for i in range(0, len(pixels), 512)]
    rank, suit = torch.cat([o[0] for o in outputs]).argmax(1), torch.cat([o[1] for o in outputs]).argmax(1)
    real, suited = ranks != NO_INDEX, suits >= 0
    return {
        "rank": float((rank[real] == ranks[real]).float().mean()),
        "suit": float((suit[suited] == suits[suited]).float().mean()),
        "no index": float((rank[~real] == NO_INDEX).float().mean()),
        "missed": float((rank[real] == NO_INDEX).float().mean()),
    }


def train_classifier(args: argparse.Namespace) -> None:
    """Train, with a checkpoint every minute or so, then export."""
    torch.manual_seed(args.seed)
    folder = RUNS / "classifier"
    folder.mkdir(parents=True, exist_ok=True)
    corners = models.FOLDER / models.CORNERS
    weights = corners if corners.is_file() else None
    pixels, ranks, suits = _load_crops("train", 1 if weights else 2, args.shards, weights)
    checks = _load_crops("val", 1, None, None)
    net = IndexNet().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate or 0.003, weight_decay=0.02)
    if args.start:
        net.load_state_dict(torch.load(args.start, weights_only=True)["net"])
    batch, step, spent = 256, 0, 0.0
    total = max(1, int(args.epochs * len(pixels) / batch))
    last = folder / "last.pt"
    if args.resume and last.is_file():
        state = torch.load(last, weights_only=True)
        net.load_state_dict(state["net"])
        optimizer.load_state_dict(state["optimizer"])
        step, spent = state["step"], state["spent"]
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda _: 1.0)
    generator = torch.Generator().manual_seed(args.seed + step)
    began, saved = time.monotonic(), time.monotonic()
    net.train()
    running = 0.0
    order = torch.randperm(len(pixels), generator=generator)
    with tqdm(total=total, initial=step, desc="classifier", unit="batch", mininterval=10) as bar:
        while step < total:
            done = step / total
            if args.minutes:  # the schedule follows whichever ends first
                done = max(done, (spent + time.monotonic() - began) / (60 * args.minutes))
            if done >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = float(
                    (args.rate or 0.003) * min(1.0, (step + 1) / 200) * (0.02 + 0.98 * (1 + np.cos(np.pi * done)) / 2)
                )
            at = (step * batch) % (len(order) - batch)
            chosen = order[at : at + batch]
            rank, suit = net(_batch(pixels[chosen], generator))
            loss = _loss(rank, suit, ranks[chosen], suits[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
            running = 0.98 * running + 0.02 * float(loss.detach())
            bar.update()
            if at + 2 * batch >= len(order) - batch:
                order = torch.randperm(len(pixels), generator=generator)
            if time.monotonic() - saved > 60:
                bar.set_postfix(loss=f"{running:.3f}")
                state = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "step": step}
                torch.save(state | {"spent": spent + time.monotonic() - began}, last)
                saved = time.monotonic()
    del schedule
    torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "step": step, "spent": 0.0}, last)
    print(f"{step} batches of {batch}, {(time.monotonic() - began) / 60:.1f} min;", judge_classifier(net, *checks))
    if not args.no_export:
        export_classifier(last)


def export_classifier(weights: Path) -> None:
    """Write ``models/indices.onnx`` and check that ONNX Runtime says what torch says."""
    net = IndexNet()
    net.load_state_dict(torch.load(weights, weights_only=True)["net"])
    net.eval()
    target = models.FOLDER / models.INDICES
    axes = {"images": {0: "batch"}, "rank": {0: "batch"}, "suit": {0: "batch"}}
    torch.onnx.export(
        net, (torch.zeros(2, 3, HEIGHT, WIDTH),), str(target), input_names=["images"], output_names=["rank", "suit"],
        dynamic_axes=axes, opset_version=OPSET, dynamo=False,
    )  # fmt: skip
    inputs = np.random.default_rng(0).random((3, 3, HEIGHT, WIDTH), np.float32)
    with torch.no_grad():
        rank, suit = (output.numpy() for output in net(torch.from_numpy(inputs)))
    agree(target, inputs, [rank, suit])
    keep_fixed(rank=rank, suit=suit)
    print(f"exported {target.name}, {target.stat().st_size / 1e6:.2f} MB")


# -- the detector ------------------------------------------------------------------------------------------------------


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _yolo(weights: str | Path) -> Any:
    from ultralytics import YOLO
    from ultralytics.utils import SETTINGS

    SETTINGS.update({"sync": False, "tensorboard": False})
    return YOLO(str(weights), task="obb")


def train_detector(args: argparse.Namespace) -> None:
    """Train ultralytics' YOLO-OBB from our own small yaml on the rendered scenes, then export."""
    data = SCENES / "scenes.yaml"
    if not (SCENES / "train" / "images").is_dir():
        raise UserError("no-scenes", f"No scenes in {SCENES}: run `python -m datasets.scenes` first.")
    # ultralytics judges a net after training whether asked or not; a few pictures are enough, evaluate.py does it well.
    few = sorted((SCENES / "val" / "images").glob("*.jpg"))[:96]
    (SCENES / "few.txt").write_text("\n".join(map(str, few)) + "\n", encoding="utf-8")
    text = f"path: {SCENES}\ntrain: train/images\nval: few.txt\nnames: {{0: index}}\n"
    data.write_text(text, encoding="utf-8")
    last = RUNS / "detector" / "weights" / "last.pt"
    if args.resume:
        if not last.is_file():
            raise UserError("no-run", f"Nothing to resume: {last} is missing.")
        _yolo(last).train(resume=True)
    else:
        net = _yolo(HERE / "corners.yaml")
        if args.start:
            net.load(args.start)
        net.add_callback("on_train_start", lambda _: torch.set_num_threads(_cores()))
        pace_by = _Clock(args.minutes)
        net.add_callback("on_train_batch_start", pace_by.slow_down)
        net.add_callback("on_train_batch_end", pace_by.keep)
        shade = {"hsv_h": 0.02, "hsv_s": 0.3, "hsv_v": 0.2, "auto_augment": None, "erasing": 0.0}
        # An index's box has no handedness and what is in it is never learned here: flips are harmless.
        shape = {"fliplr": 0.5, "flipud": 0.5, "degrees": 0.0, "translate": 0.0, "scale": 0.0, "shear": 0.0}
        whole = {"perspective": 0.0, "mosaic": 0.0, "close_mosaic": 0}
        pace = {"optimizer": "AdamW", "lr0": args.rate or 0.003, "lrf": 0.02, "cos_lr": True, "weight_decay": 0.0005}
        warm = {"warmup_epochs": 0.05 if args.start else 0.3, "batch": 32, "nbs": 32, "epochs": int(args.epochs)}
        keep = {"project": str(RUNS), "name": "detector", "exist_ok": True, "save_period": 1, "plots": False}
        net.train(
            data=str(data),
            imgsz=SIZE,
            time=args.minutes / 60 if args.minutes else None,
            fraction=args.fraction,
            seed=args.seed,
            device="cpu",
            amp=False,
            workers=args.workers,
            cache=False,
            val=False,
            conf=0.1,
            **(shade | shape | whole | pace | warm | keep),
        )
    if not args.no_export:
        export_detector(last)


class _Clock:
    """What ultralytics does once an epoch, done by the clock, because an epoch takes an hour here: the learning rate
    falls with the time spent, and a checkpoint is written every few minutes.
    """

    def __init__(self, minutes: float | None, every_s: float = 240.0) -> None:
        self.length_s = 60 * minutes if minutes else None
        self.every_s = every_s
        self.began = self.kept = time.monotonic()

    def slow_down(self, trainer: Any) -> None:
        if self.length_s is None:
            return
        spent = min(1.0, (time.monotonic() - self.began) / self.length_s)
        share = 0.02 + 0.98 * (1 + np.cos(np.pi * spent)) / 2
        for group in trainer.optimizer.param_groups:  # a warm-up that still runs overrides it
            group["lr"] = group["initial_lr"] * share

    def keep(self, trainer: Any) -> None:
        if time.monotonic() - self.kept > self.every_s:
            trainer.save_model()
            self.kept = time.monotonic()


def export_detector(weights: Path) -> None:
    """Write ``models/corners.onnx`` with free height and width, and check that ONNX Runtime says what torch says."""
    net = _yolo(weights)
    made = Path(net.export(format="onnx", dynamic=True, opset=OPSET, simplify=False, imgsz=SIZE, device="cpu"))
    target = models.FOLDER / models.CORNERS
    shutil.move(made, target)
    _forget_places(target)
    fused = _yolo(weights).model.float().fuse().eval()
    images = np.random.default_rng(0).random((1, 3, 64, 96), np.float32)
    for shape in ((1, 3, 64, 96), (1, 3, 320, 320), (1, 3, 480, 640)):
        inputs = np.random.default_rng(0).random(shape, np.float32)
        with torch.no_grad():
            expected = fused(torch.from_numpy(inputs))
        expected = (expected[0] if isinstance(expected, tuple) else expected).numpy()
        if expected.shape != (1, 6, shape[2] * shape[3] // 64):
            raise RuntimeError(f"the detector's output has shape {expected.shape}")
        agree(target, inputs, [expected])
        if shape == images.shape:
            keep_fixed(corners=expected)
    print(f"exported {target.name}, {target.stat().st_size / 1e6:.2f} MB")


def _forget_places(model: Path) -> None:
    """Leave out of an exported net what ultralytics notes of this machine's folders."""
    import onnx

    net = onnx.load(str(model))
    kept = [(note.key, note.value) for note in net.metadata_props if str(HERE.parent) not in note.value]
    del net.metadata_props[:]
    for key, value in kept:
        net.metadata_props.add(key=key, value=value)
    onnx.save(net, str(model))


# -- both --------------------------------------------------------------------------------------------------------------


def agree(model: Path, inputs: np.ndarray[Any, Any], expected: list[np.ndarray[Any, Any]]) -> None:
    """Raises where ONNX Runtime says of ``inputs`` something else than torch did."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    outputs = session.run(None, {session.get_inputs()[0].name: inputs})
    for output, wanted in zip(outputs, expected, strict=True):
        if output.shape != wanted.shape:
            raise RuntimeError(f"{model.name}: shape {output.shape}, in torch {wanted.shape}")
        np.testing.assert_allclose(output, wanted, rtol=2e-3, atol=2e-3)


def keep_fixed(**outputs: np.ndarray[Any, Any]) -> None:
    """Keep torch's own outputs on fixed inputs for the tests."""
    kept = dict(np.load(FIXED)) if FIXED.is_file() else {}
    FIXED.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(FIXED, **(kept | outputs))


def main() -> int:
    """``python -m datasets.train``."""
    parser = argparse.ArgumentParser(prog="python -m datasets.train", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("net", choices=["detector", "classifier"])
    parser.add_argument("--epochs", type=float, default=4)
    parser.add_argument("--minutes", type=float, help="end after so long, the learning rate falling accordingly")
    parser.add_argument("--rate", type=float, help="highest learning rate (default 0.003)")
    parser.add_argument("--shards", type=int, help="use so many runs of 200 scenes alone (classifier)")
    parser.add_argument("--fraction", type=float, default=1.0, help="use this share of the scenes (detector)")
    parser.add_argument("--start", help="begin with these weights instead of random ones")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--export", metavar="WEIGHTS", help="only export these weights (last: the last checkpoint)")
    parser.add_argument("--no-export", action="store_true")
    parser.add_argument("--workers", type=int, default=1, help="processes that load pictures (detector)")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.set_num_threads(_cores())
    detector = args.net == "detector"
    if args.export:
        last = RUNS / "detector" / "weights" / "last.pt" if detector else RUNS / "classifier" / "last.pt"
        weights = last if args.export == "last" else Path(args.export)
        if not weights.is_file():
            raise UserError("no-weights", f"{weights} is missing: name a checkpoint of a training run.")
        (export_detector if detector else export_classifier)(weights)
    else:
        (train_detector if detector else train_classifier)(args)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        sys.exit(f"{error} [{error.code}]")
