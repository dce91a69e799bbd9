"""What a reading is worth against the truth: recall, precision, photos wholly right, calibration. Pure arithmetic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.cards import Card

BINS: Final = 10


@dataclass(frozen=True, slots=True)
class Claim:
    """One card that was read, and how likely the rank and the whole card were said to be."""

    card: Card
    rank_score: float
    score: float


@dataclass(slots=True)
class Tally:
    """Counts over photos. Ranks are counted in every photo, whole cards where the truth names suits.

    Precision leaves out photos whose truth lists only some of the cards. ``bins`` counts, per tenth of the score that
    was claimed: claims, their summed scores, and how many were right; of ranks and of whole cards.
    """

    photos: int = 0
    right: int = 0
    seconds: float = 0.0
    rank: Counter[str] = field(default_factory=Counter)
    card: Counter[str] = field(default_factory=Counter)
    bins: dict[str, list[list[float]]] = field(
        default_factory=lambda: {kind: [[0.0, 0.0, 0.0] for _ in range(BINS)] for kind in ("rank", "card")}
    )

    def add(self, truth: Sequence[Card], claims: Sequence[Claim], all_listed: bool, seconds: float = 0.0) -> bool:
        """Judge one photo; says whether it was wholly right."""
        self.photos += 1
        self.seconds += seconds
        suited = all(card.suit is not None or str(card) == "XX" for card in truth)
        ranks = Counter(card.rank.letter for card in truth)
        self._count("rank", ranks, [(c.card.rank.letter, c.rank_score) for c in claims], all_listed)
        wanted, got = ranks, Counter(claim.card.rank.letter for claim in claims)
        if suited:
            wanted, got = Counter(map(str, truth)), Counter(str(claim.card) for claim in claims)
            self._count("card", wanted, [(str(c.card), c.score) for c in claims], all_listed)
        right = got == wanted if all_listed else not wanted - got
        self.right += right
        return right

    def _count(self, kind: str, truth: Counter[str], claims: list[tuple[str, float]], all_listed: bool) -> None:
        counts: Counter[str] = getattr(self, kind)
        left = truth.copy()
        for name, score in sorted(claims, key=lambda claim: -claim[1]):
            hit = left[name] > 0
            left[name] -= hit
            counts["found"] += hit
            if all_listed or hit:
                counts["claimed"] += 1
                counts["true"] += hit
            if all_listed:
                cell = self.bins[kind][min(int(score * BINS), BINS - 1)]
                cell[0] += 1
                cell[1] += score
                cell[2] += hit
        counts["wanted"] += truth.total()

    def merge(self, other: Tally) -> None:
        self.photos += other.photos
        self.right += other.right
        self.seconds += other.seconds
        self.rank += other.rank
        self.card += other.card
        for kind, rows in other.bins.items():
            for own, more in zip(self.bins[kind], rows, strict=True):
                own[:] = [a + b for a, b in zip(own, more, strict=True)]

    def recall(self, kind: str) -> float | None:
        counts: Counter[str] = getattr(self, kind)
        return counts["found"] / counts["wanted"] if counts["wanted"] else None

    def precision(self, kind: str) -> float | None:
        counts: Counter[str] = getattr(self, kind)
        return counts["true"] / counts["claimed"] if counts["claimed"] else None

    def calibration_error(self, kind: str) -> float | None:
        """Mean gap between what was claimed and what came true, weighted by the claims in each tenth."""
        total = sum(cell[0] for cell in self.bins[kind])
        return sum(abs(cell[1] - cell[2]) for cell in self.bins[kind]) / total if total else None

    def as_json(self) -> dict[str, Any]:
        result: dict[str, Any] = {"photos": self.photos, "wholly_right": self.right / max(1, self.photos)}
        for kind in ("rank", "card"):
            result[f"{kind}_recall"] = self.recall(kind)
            result[f"{kind}_precision"] = self.precision(kind)
            result[f"{kind}_calibration_error"] = self.calibration_error(kind)
            result[f"{kind}_bins"] = [
                {"claims": int(n), "claimed": said / n, "right": hits / n} for n, said, hits in self.bins[kind] if n
            ]
        result["cards"] = self.rank["wanted"]
        result["ms_per_photo"] = 1000 * self.seconds / max(1, self.photos)
        return result


def markdown(tallies: Iterable[tuple[str, Tally]]) -> str:
    """One row a photo set, as models/README.md shows them."""
    lines = [
        "| photos | n | cards | rank recall | precision | card recall | precision | wholly right | rank ECE | ms |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, tally in tallies:
        figures = [tally.recall("rank"), tally.precision("rank"), tally.recall("card"), tally.precision("card")]
        figures += [tally.right / max(1, tally.photos), tally.calibration_error("rank")]
        cells = ["" if figure is None else f"{figure:.3f}" for figure in figures]
        time = f"{1000 * tally.seconds / max(1, tally.photos):.0f}"
        lines.append(f"| {name} | {tally.photos} | {tally.rank['wanted']} | {' | '.join(cells)} | {time} |")
    return "\n".join(lines)


def calibration_table(tally: Tally) -> str:
    """What was claimed, and how often it was true, per tenth."""
    lines = ["| claimed | ranks | true | cards | true |", "|---|--:|--:|--:|--:|"]
    for i in range(BINS):
        cells = []
        for kind in ("rank", "card"):
            n, _, hits = tally.bins[kind][i]
            cells += [f"{n:.0f}", f"{hits / n:.3f}" if n else ""]
        if cells[0] != "0" or cells[2] != "0":
            lines.append(f"| {i / BINS:.1f} to {(i + 1) / BINS:.1f} | {' | '.join(cells)} |")
    return "\n".join(lines)
