"""A second look, from a little farther off, at indices whose face is in doubt.

An index box ends where most indices end. A jumbo index goes on beyond it: of its suit hardly more than the tip is in
the box, and clubs and spades look alike there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry import WIDER, farther
from vision.reading.classify import Logits, Named, combined
from vision.reading.join import Corner, Joined
from vision.reading.pyramid import Pyramid

CLEAR: Final = 0.9
"""A face that is so likely needs no second look."""
PRESENT: Final = 0.5
"""The least probability that the second look shows an index at all, so that it counts."""

Name = Callable[[NDArray[np.uint8]], tuple[Logits, Logits, Named]]


def looked_again(pyramid: Pyramid, cards: Sequence[Joined], name: Name) -> list[Joined]:
    """The cards, the doubtful among their corners weighed together with what the second look shows."""
    doubtful = {corner: None for card in cards for corner in card.corners if corner.likelihoods.max() < CLEAR}
    if not doubtful:
        return list(cards)
    quads = np.stack([corner.points for corner in doubtful])
    middle = quads.mean(1, keepdims=True)
    _, _, named = name(pyramid.cut_out(farther(middle + (quads - middle) * (1 + 2 * WIDER))))
    seen: dict[Corner, Corner] = {}
    for i, corner in enumerate(doubtful):
        if named.presence[i] >= PRESENT:
            seen[corner] = replace(corner, likelihoods=combined([corner.likelihoods, named.likelihoods[i]]))
    return [replace(card, corners=tuple(seen.get(corner, corner) for corner in card.corners)) for card in cards]
