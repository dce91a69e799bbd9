"""The network that counts the cards under a squared set's upper one. Needs torch (``make train-env``)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from datasets.net import Residual, conv
from vision.watching.rims import COLUMNS, ROWS, SHARES


class RimNet(nn.Module):
    """The four sides of cards, ``(B, 4, 6, 30, 160)``, 0 to 1, to logits ``(B, 4)`` of 0 to 3 cards under them."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            # Along a side little changes and much may be joined; across it every row counts.
            conv(6, 16, (1, 2)),
            conv(16, 24, (1, 2)),
            conv(24, 24),
            conv(24, 32, 2),
            Residual(32),
            conv(32, 48, 2),
        )
        self.count = nn.Sequential(
            nn.Linear(4 * 48, 64), nn.ReLU(inplace=True), nn.Dropout(0.1), nn.Linear(64, len(SHARES))
        )

    def forward(self, sides: Tensor) -> Tensor:
        batch = sides.shape[0]
        flat = sides.reshape(batch * 4, 6, ROWS, COLUMNS)
        # As bright as the paper of this card in this light; what was there before in the same measure.
        white = flat[:, :3].amax((1, 2, 3), keepdim=True)
        features = self.features(flat / (white + 0.02) - 0.5)
        seen = torch.cat([features.mean((2, 3)), features.amax((2, 3))], 1).reshape(batch, 4, -1)
        return self.count(torch.cat([seen.mean(1), seen.amax(1)], 1))
