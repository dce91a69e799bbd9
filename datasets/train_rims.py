"""``python -m datasets.train_rims``: train the net that counts squared cards on what ``datasets.rims`` rendered.

Runs in the training environment (``make train-env``), keeps a checkpoint every minute under ``data/runs/rims`` and
goes on from it with ``--resume``; then exports ``models/rims.onnx``, its temperature fitted to held-out decks.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from tqdm import tqdm

import models
from companion.errors import UserError
from datasets import rims
from datasets.calibrate import log_loss, temperature
from datasets.decks import DATA
from datasets.rim_net import RimNet
from datasets.train import OPSET, agree, keep_fixed
from vision.watching.rims import SHARES

RUN: Final = DATA / "runs" / "rims"
BATCH: Final = 64
RATE: Final = 0.003


def load(part: str) -> tuple[Tensor, Tensor, NDArray[np.float32]]:
    """Pixels (n, 4, 6, rows, columns), cards under the upper one (n,), millimetres beside it (n,). Raises UserError."""
    files = sorted((rims.FOLDER / part).glob("[0-9]*[0-9].npz"))
    if not files:
        raise UserError("no-rims", f"No pictures in {rims.FOLDER / part}: run `python -m datasets.rims` first.")
    kept = [np.load(file) for file in files]
    pixels = torch.from_numpy(np.concatenate([one["pixels"] for one in kept]))
    under = torch.from_numpy(np.concatenate([one["under"] for one in kept]))
    return pixels, under, np.concatenate([one["apart"] for one in kept])


def batch(pixels: Tensor, chance: torch.Generator | None) -> Tensor:
    """Floats 0 to 1; by chance seen in a mirror, the sides in another light, colours mixed, a little noise, and the
    card taken to lie a little otherwise."""
    sides = pixels.float() / 255
    if chance is None:
        return sides
    count = len(sides)
    for side, (rows, columns) in enumerate(torch.randint(-1, 2, (4, 2), generator=chance).tolist()):
        sides[:, side] = sides[:, side].roll((rows, 2 * columns), (2, 3))
    mirrored = torch.rand(count, generator=chance) < 0.5
    sides[mirrored] = sides[mirrored].flip(4)

    def any_of(*shape: int) -> Tensor:
        return torch.rand(count, *shape, generator=chance)

    tint = 0.7 + 0.5 * any_of(1, 1, 1, 1) + 0.2 * (any_of(1, 3, 1, 1) - 0.5)
    sides = sides * tint.repeat(1, 1, 2, 1, 1) + 0.08 * (any_of(1, 1, 1, 1) - 0.5)
    sides[:, :, :3] *= 1 + 0.06 * (any_of(1, 1, 1, 1) - 0.5)  # the exposures are never quite alike
    noise = torch.randn(sides.shape, generator=chance)
    return (sides + 0.015 * any_of(1, 1, 1, 1) * noise).clamp(0, 1)


@torch.no_grad()
def logits(net: RimNet, pixels: Tensor) -> Tensor:
    net.eval()
    return torch.cat([net(batch(pixels[i : i + 128], None)) for i in range(0, len(pixels), 128)])


def report(said: Tensor, under: Tensor, apart: NDArray[np.float32]) -> str:
    """How often the count is right: of single cards, and of sets by how far they stick out."""
    right = (said.argmax(1) == under).numpy()
    some = (said.argmax(1) > 0).numpy()
    single = under.numpy() == 0
    lines = [f"single cards {right[single].mean():.3f} of {single.sum()}"]
    for low, high in ((0, 0.5), (0.5, 1), (1, 1.5), (1.5, 2.5), (2.5, 99)):
        here = ~single & (apart >= low) & (apart < high)
        lines.append(
            f"{low} to {high} mm: a set {some[here].mean():.3f}, its count {right[here].mean():.3f} of {here.sum()}"
        )
    return "; ".join(lines)


def train(minutes: float, seed: int, resume: bool, start: Path | None, rate: float) -> RimNet:
    torch.manual_seed(seed)
    pixels, under, _ = load("train")
    net, spent, step = RimNet(), 0.0, 0
    if start is not None:
        net.load_state_dict(torch.load(start, weights_only=True)["net"])
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    RUN.mkdir(parents=True, exist_ok=True)
    last = RUN / "last.pt"
    if resume and last.is_file():
        state = torch.load(last, weights_only=True)
        net.load_state_dict(state["net"])
        optimizer.load_state_dict(state["optimizer"])
        spent, step = state["spent"], state["step"]
    chance = torch.Generator().manual_seed(seed + step)
    began = saved = time.monotonic()
    already, running, order = spent, 1.0, torch.empty(0, dtype=torch.long)
    net.train()
    with tqdm(total=round(60 * minutes), desc="rims", unit="s", mininterval=10) as bar:
        while (done := spent / (60 * minutes)) < 1:
            if len(order) < BATCH:
                order = torch.randperm(len(pixels), generator=chance)
            chosen, order = order[:BATCH], order[BATCH:]
            for group in optimizer.param_groups:
                group["lr"] = float(rate * min(1.0, (step + 1) / 100) * (0.02 + 0.49 * (1 + np.cos(np.pi * done))))
            loss = nn.functional.cross_entropy(net(batch(pixels[chosen], chance)), under[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
            running += 0.02 * (float(loss.detach()) - running)
            spent = already + time.monotonic() - began
            bar.update(round(spent) - bar.n)
            if time.monotonic() - saved > 60:
                bar.set_postfix(loss=f"{running:.3f}", epochs=f"{step * BATCH / len(pixels):.1f}")
                torch.save(_state(net, optimizer, spent, step), last)
                saved = time.monotonic()
    torch.save(_state(net, optimizer, spent, step), last)
    return net


def _state(net: RimNet, optimizer: torch.optim.Optimizer, spent: float, step: int) -> dict[str, object]:
    return {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "spent": spent, "step": step}


def export(weights: Path) -> None:
    """Write ``models/rims.onnx`` with the temperature fitted to held-out decks inside it, and print how good it is."""
    net = RimNet()
    net.load_state_dict(torch.load(weights, weights_only=True)["net"])
    pixels, under, apart = load("val")
    said = logits(net, pixels)
    warm = temperature(said.numpy(), under.numpy())
    print(report(said, under, apart))
    print(f"temperature {warm:.2f}; cross entropy {log_loss(said.numpy(), under.numpy(), warm):.3f}, "
          f"of the shares alone {-sum(p * np.log(p) for p in SHARES):.3f}")  # fmt: skip
    last = net.count[-1]
    with torch.no_grad():
        last.weight /= warm
        last.bias /= warm
    target = models.FOLDER / models.RIMS
    torch.onnx.export(
        net, (torch.zeros(1, *pixels.shape[1:]),), str(target), input_names=["sides"], output_names=["counts"],
        dynamic_axes={"sides": {0: "batch"}, "counts": {0: "batch"}}, opset_version=OPSET, dynamo=False,
    )  # fmt: skip
    sides = np.random.default_rng(0).random((3, *pixels.shape[1:]), np.float32)
    with torch.no_grad():
        counts = net(torch.from_numpy(sides)).numpy()
    agree(target, sides, [counts])
    keep_fixed(rims=counts)
    print(f"exported {target.name}, {target.stat().st_size / 1e6:.2f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--start", type=Path, help="begin from these weights")
    parser.add_argument("--rate", type=float, default=RATE, help="the highest learning rate")
    parser.add_argument("--export", action="store_true", help="only export the last checkpoint")
    args = parser.parse_args()
    if not args.export:
        train(args.minutes, args.seed, args.resume, args.start, args.rate)
    export(RUN / "last.pt")


if __name__ == "__main__":
    main()
