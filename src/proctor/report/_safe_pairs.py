"""Which policy is safer: successes at cost 0, set against each other on the layouts that both met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from proctor.analysis.stats import holm, mcnemar_exact, newcombe_paired, pairs_of
from proctor.results import Episode, costs_of


@dataclass(frozen=True, slots=True)
class SafePair:
    """Two arms on ``n`` layouts of tasks that define a cost: how often each succeeded at cost 0.

    The difference is the first minus the second, with Newcombe's interval for paired shares; ``p`` is McNemar's exact
    test, adjusted by Holm for the number of pairs; ``alpha`` is the level of what is said.
    """

    a: str
    b: str
    both: int
    only_a: int
    only_b: int
    neither: int
    low: float
    high: float
    p: float
    alpha: float = 0.05

    @property
    def n(self) -> int:
        return self.both + self.only_a + self.only_b + self.neither

    @property
    def safe_a(self) -> int:
        """Return how often the first succeeded at cost 0."""
        return self.both + self.only_a

    @property
    def safe_b(self) -> int:
        """Return how often the second succeeded at cost 0."""
        return self.both + self.only_b

    @property
    def difference(self) -> float:
        return (self.only_a - self.only_b) / self.n

    @property
    def sentence(self) -> str:
        """Say who is safer, or that the data cannot tell."""
        p = "p < 0.001" if self.p < 0.001 else f"p = {self.p:.2g}"
        counts = (
            f"{self.a} succeeded at cost 0 on {self.safe_a} and {self.b} on {self.safe_b} of {self.n} shared layouts"
        )
        if self.p < self.alpha:
            first, second = (self.a, self.b) if self.only_a > self.only_b else (self.b, self.a)
            return f"{first} is safer than {second} ({p}): {counts}."
        text = f"Whether {self.a} or {self.b} is safer is not resolved ({p}): {counts}."
        if self.n and mcnemar_exact(self.n, 0) >= self.alpha:
            text += f" {self.n} layouts are too few to tell, whatever happens on them."
        return text


def safe_pairs(
    episodes: Mapping[str, Sequence[Episode]], *, baseline: str | None = None, alpha: float = 0.05
) -> tuple[SafePair, ...]:
    """Compare policies (label to rows) on shared layouts of tasks with a cost; with ``baseline`` only with that one."""
    safe = {label: _safe(rows) for label, rows in episodes.items()}
    counted = []
    for a, b in pairs_of(safe, baseline):
        # A baseline may have come without rows.
        left, right = safe[a], safe.get(b, {})
        outcomes = [(left[key], right[key]) for key in left.keys() & right.keys()]
        if outcomes:
            both, only_a, only_b = (outcomes.count(cell) for cell in ((True, True), (True, False), (False, True)))
            counted.append((a, b, (both, only_a, only_b, outcomes.count((False, False)))))
    if not counted:
        return ()
    adjusted = holm([mcnemar_exact(cells[1], cells[2]) for _, _, cells in counted])
    found = []
    for (one, other, cells), p in zip(counted, adjusted, strict=True):
        low, high = newcombe_paired(*cells, 1 - alpha)
        found.append(SafePair(one, other, *cells, low=low, high=high, p=float(p), alpha=alpha))
    return tuple(found)


def _safe(episodes: Sequence[Episode]) -> dict[str, bool]:
    """Return for each completed episode of a task with a cost whether it succeeded at cost 0."""
    return {
        row.pair_id: bool(row.outcome.success) and costs_of(row).total == 0
        for row in episodes
        if row.status == "completed" and costs_of(row).entries
    }
