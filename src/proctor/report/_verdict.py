"""The comparison of a report's arms: one sentence, tables of success, cost and safe pairs, and plots for a paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from proctor.analysis.stats import (
    Comparison,
    EpisodeRow,
    Operations,
    StatsError,
    compare,
    detection_curve,
    holm,
    mcnemar_exact,
    newcombe_paired,
    operations,
    pairs_of,
)
from proctor.results import Episode, costs_of
from proctor.results.importers import trials_of

from ._load import ReportArm
from .plots import PlotError, plot_detection, save, write_comparison

# Which policy is safer: successes at cost 0, set against each other on the layouts that both met.


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


CAPTIONS = {
    "cdf": "Share of episodes done by a time, with 95 % bands: the higher curve is the better one.",
    "forest": "Differences between policies, with 95 % intervals: an interval across 0 leaves open who is better.",
    "letters": "Success with 95 % intervals; policies that share a letter are not resolved from one another.",
    "pp": "Share done by each policy against the best one, at equal times: below the diagonal, the best one leads.",
    "qq": "Time that each policy needs against the best one, for equal shares: above the diagonal it is slower.",
    "detection": "How often smaller samples would tell the two apart; equal policies stay inside the grey envelope.",
    "horizon": "Successes per hour of robot time against time between failures, for time limits from an eighth of the "
    "longest (where a line begins) to the longest (its dot): no limit is right by itself, so say which you chose.",
}


# A detection curve needs samples smaller than the data; below this many episodes of each task there are none.
LEAST_PER_TASK = 5
MOST_PER_TASK = 30


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the report says about its arms, and the files of its plots with their captions."""

    comparison: Comparison
    safety: tuple[SafePair, ...]
    plots: tuple[tuple[str, str], ...]
    no_plots: str


def judge(arms: Sequence[ReportArm], target: Path) -> Judgement | str | None:
    """Compare the arms and write the plots into ``target/plots``.

    None for a single arm; a line that says why for arms that cannot be compared.
    """
    if len(arms) < 2:
        return None
    try:
        trials = [trials_of(arm.episodes, arm.label) for arm in arms]
        timed = all(read.has_times for read in trials)
        sides = {
            arm.label: operations([EpisodeRow(**row) for row in read.rows])
            for arm, read in zip(arms, trials, strict=True)
        }
        found = compare(sides, intervals=timed)
    except StatsError as error:
        return str(error)
    safety = safe_pairs({arm.label: arm.episodes for arm in arms})
    try:
        files = write_comparison(found, sides, target / "plots", timed=timed)
        files += _detection(arms, sides, found.tau, target / "plots")
    except PlotError as error:
        return Judgement(found, safety, (), str(error))
    return Judgement(found, safety, tuple((f"plots/{file.name}", CAPTIONS[file.stem]) for file in files), "")


def _detection(arms: Sequence[ReportArm], sides: Mapping[str, Operations], tau_s: float, folder: Path) -> list[Path]:
    """Write the detection curve of two arms with enough episodes of every task they share."""
    if len(arms) != 2:
        return []
    counts = [Counter(row.spec.task for row in arm.episodes if row.status == "completed") for arm in arms]
    shared = counts[0].keys() & counts[1].keys()
    least = min(min(count[task] for task in shared) for count in counts)
    if least < LEAST_PER_TASK:
        return []
    sizes = sorted({round(n) for n in np.linspace(2, min(least, MOST_PER_TASK), 6)})
    first, second = (sides[arm.label] for arm in arms)
    curve = detection_curve(first, second, sizes=sizes, tau=tau_s, trials=60, n_resamples=99)
    title = f"{arms[0].label} and {arms[1].label}"
    return [save(plot_detection(curve, title=title), folder / "detection.svg")]
