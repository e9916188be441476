"""Scores of knowledge tasks besides success: progress, intention, faults; each track, and from track to track.

Means are over completed episodes that have the score, with `share_interval` over tasks. A change from one track to
another is taken on the scenes that both completed, told by the column ``family`` and the policy, with `share_change`;
its p-values are Holm's over all changes of one score. docs/reference/metrics.md gives the formulas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import TypeAlias

from proctor.analysis.stats import holm, share_change, share_interval
from proctor.results import Episode

from ._load import Arm, ReportError, arms_of, read_runs

Reader: TypeAlias = Callable[[Episode], float | None]
FAULTS = "faults"
SCORES: dict[str, tuple[str, Reader]] = {
    "success": ("Success", lambda row: None if row.outcome.success is None else float(row.outcome.success)),
    "progress": ("Progress", lambda row: row.outcome.progress),
    "progress_final": ("Progress at the end", lambda row: row.outcome.progress_final),
    "intention": ("Intention", lambda row: row.outcome.intention),
    "intention_first": ("First approach", lambda row: row.outcome.intention_first),
    "intention_paper": ("Intention, 15 cm", lambda row: row.outcome.intention_paper),
    FAULTS: ("With a fault", lambda row: float(_has_fault(row)) if is_scored(row) else None),
}
"""Column, its heading, and how to read it from a row."""
CHANGES = ("success", "progress", "intention")


@dataclass(frozen=True, slots=True)
class Score:
    """A mean share of ``n`` episodes with its interval, in the shape that the report draws."""

    rate: float
    interval: tuple[float, float]
    n: int


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of one policy in one suite (all suites: empty): ``chance`` is that of the first approach, ``faults``
    counts episodes by kind of fault.
    """

    arm: Arm
    suite: str
    scores: dict[str, Score]
    chance: float | None
    faults: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Change:
    """How one score of a policy changes from one suite to another on ``n`` shared scenes; ``p`` is adjusted."""

    policy: str
    first: str
    second: str
    score: str
    change: float
    interval: tuple[float, float]
    p: float
    n: int


@dataclass(frozen=True, slots=True)
class ScorePage:
    """All that is known of progress, intention and faults in a report."""

    arms: tuple[Scored, ...]
    suites: tuple[tuple[str, tuple[Scored, ...]], ...]
    changes: tuple[Change, ...]
    eps_m: tuple[float, ...]


def _has_fault(row: Episode) -> bool:
    return bool(row.outcome.faults or (row.plan is not None and row.plan.faults))


def is_scored(row: Episode) -> bool:
    """Whether a row is of a task that is scored beyond success."""
    return row.outcome.progress is not None or row.outcome.intention is not None


def read_scores(run_dirs: Sequence[str | Path]) -> ScorePage:
    """Return the scores of the episodes in ``run_dirs``; raises `ReportError` where no task is scored so."""
    found = score_page(arms_of(read_runs(run_dirs)))
    if found is None:
        raise ReportError("no episode here has progress or intention: only tasks with :subgoals or :intent are scored")
    return found


def score_page(arms: Sequence[Arm]) -> ScorePage | None:
    """Return the scores of all arms; None where no row has any."""
    rows = {arm.index: [row for row in arm.episodes if row.status == "completed" and is_scored(row)] for arm in arms}
    if not any(rows.values()):
        return None
    suites = sorted({row.spec.suite for found in rows.values() for row in found})
    by_suite = []
    for suite in suites:
        groups = [(arm, [row for row in rows[arm.index] if row.spec.suite == suite]) for arm in arms]
        by_suite.append((suite, tuple(_scored(arm, suite, group) for arm, group in groups if group)))
    near = {row.outcome.intention_eps_m for found in rows.values() for row in found}
    eps = sorted(value for value in near if value is not None)
    return ScorePage(
        tuple(_scored(arm, "", rows[arm.index]) for arm in arms if rows[arm.index]),
        tuple(by_suite),
        tuple(_changes({arm.policy: [] for arm in arms}, arms, rows, suites)),
        tuple(eps),
    )


def _scored(arm: Arm, suite: str, rows: Sequence[Episode]) -> Scored:
    scores = {}
    for name, (_, read) in SCORES.items():
        known = [(value, row.spec.task) for row in rows if (value := read(row)) is not None]
        if known:
            found = share_interval([value for value, _ in known], [task for _, task in known])
            scores[name] = Score(found.mean, (found.low, found.high), found.n)
    chances = [event.value for row in rows for event in row.outcome.events if event.kind == "approach"]
    kinds = Counter(kind for row in rows for kind in {fault.kind for fault in row.outcome.faults})
    return Scored(arm, suite, scores, fmean(chances) if chances else None, tuple(kinds.most_common()))


def _changes(
    found: dict[str, list[Episode]], arms: Sequence[Arm], rows: dict[int, list[Episode]], suites: Sequence[str]
) -> list[Change]:
    """Return the changes of every policy between any two suites that share scenes, p-values adjusted."""
    for arm in arms:
        found[arm.policy] += [row for row in rows[arm.index] if row.spec.family]
    changes = []
    for score in CHANGES:
        raw = [
            change
            for policy, mine in found.items()
            for first, second in combinations(suites, 2)
            if (change := _change(policy, first, second, score, mine)) is not None
        ]
        if raw:
            adjusted = holm([change.p for change in raw]).tolist()
            changes += [replace(change, p=p) for change, p in zip(raw, adjusted, strict=True)]
    return changes


def _change(policy: str, first: str, second: str, score: str, rows: Sequence[Episode]) -> Change | None:
    read = SCORES[score][1]
    sides: list[dict[str, list[float]]] = [{}, {}]
    for side, suite in zip(sides, (first, second), strict=True):
        for row in rows:
            if row.spec.suite == suite and (value := read(row)) is not None:
                side.setdefault(row.spec.family, []).append(value)
    shared = sorted(sides[0].keys() & sides[1].keys())
    if not shared:
        return None
    # A scene that was met several times (in several runs) counts once, with its mean.
    found = share_change(*([fmean(side[family]) for family in shared] for side in sides))
    return Change(policy, first, second, score, found.change, (found.low, found.high), found.p, found.n)
