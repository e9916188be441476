"""How good a detector is: its events against known ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

TOLERANCE_S = 0.5


@dataclass(frozen=True, slots=True)
class TrueEvent:
    """What really happened."""

    kind: str
    verdict: str
    time_s: float


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of events that were found, invented and missed; F1 = 2 TP / (2 TP + FP + FN)."""

    found: int = 0
    invented: int = 0
    missed: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(self.found + other.found, self.invented + other.invented, self.missed + other.missed)

    @property
    def f1(self) -> float:
        """1 where nothing happened and nothing was found."""
        total = 2 * self.found + self.invented + self.missed
        return 2 * self.found / total if total else 1.0


def score(found: Iterable[TrueEvent], truth: Sequence[TrueEvent], tolerance_s: float = TOLERANCE_S) -> Score:
    """Match events one to one, nearest first; kind and verdict must be right and the time within the tolerance."""
    events = list(found)
    pairs = sorted(
        (abs(a.time_s - b.time_s), i, j)
        for i, a in enumerate(events)
        for j, b in enumerate(truth)
        if (a.kind, a.verdict) == (b.kind, b.verdict) and abs(a.time_s - b.time_s) <= tolerance_s
    )
    used, met = set[int](), set[int]()
    for _, i, j in pairs:
        if i not in used and j not in met:
            used.add(i)
            met.add(j)
    return Score(len(used), len(events) - len(used), len(truth) - len(met))
