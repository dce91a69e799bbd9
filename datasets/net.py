"""The classifier's network: an upright index crop in, rank and suit logits out. Needs torch (``make train-env``)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

HEIGHT, WIDTH = 64, 40
"""Size of a crop in pixels."""
RANKS, SUITS = 15, 4
"""2 .. ace, joker, "not an index"; clubs, diamonds, hearts, spades."""


def conv(inputs: int, outputs: int, stride: int | tuple[int, int] = 1) -> nn.Sequential:
    """A 3x3 convolution, normalised, and what is below zero cut off."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    """Two 3x3 convolutions around which the input is passed on."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = conv(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class IndexNet(nn.Module):
    """Images ``(B, 3, 64, 40)``, RGB 0 to 1, to ``rank`` ``(B, 15)`` and ``suit`` ``(B, 4)`` logits."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            conv(3, 24, 2),
            conv(24, 32, 2),
            Residual(32),
            conv(32, 64, 2),
            Residual(64),
            Residual(64),
            nn.Conv2d(64, 32, 1, bias=False),
            nn.BatchNorm2d(32),
            nn.ReLU(inplace=True),
            nn.Flatten(),  # where the rank and the suit stand matters, so no pooling
            nn.Dropout(0.1),
            nn.Linear(32 * (HEIGHT // 8) * (WIDTH // 8), 128),
            nn.ReLU(inplace=True),
        )
        self.rank = nn.Linear(128, RANKS)
        self.suit = nn.Linear(128, SUITS)

    def forward(self, images: Tensor) -> tuple[Tensor, Tensor]:
        # Dim and bright crops look alike from here on; the channels keep their balance, so red stays red.
        mean = images.mean((1, 2, 3), keepdim=True)
        spread = ((images - mean) ** 2).mean((1, 2, 3), keepdim=True).sqrt()
        features = self.features((images - mean) / (spread + 0.02))
        return self.rank(features), self.suit(features)
