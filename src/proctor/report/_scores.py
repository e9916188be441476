"""Scores besides success: progress, intention and faults of knowledge tasks, track to track; figures of plans.

Means are over completed episodes that have the score, with `share_interval` over tasks. A change from one track to
another is taken on the scenes that both completed, told by the column ``family`` and the policy, with `share_change`;
its p-values are Holm's over all changes of one score. docs/reference/metrics.md gives the formulas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import TypeAlias

from proctor.analysis.stats import holm, mean_cost_interval, share_change, share_interval
from proctor.results import Episode, PlanFields

from ._load import ReportArm, ReportError, arms_of, read_runs
from ._summary import Proportion, Rated

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
class MeanScore:
    """A mean share of ``n`` episodes with its interval, in the shape that the report draws."""

    rate: float
    interval: tuple[float, float]
    n: int


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of one policy in one suite (all suites: empty): ``chance`` is that of the first approach, ``faults``
    counts episodes by kind of fault.
    """

    arm: ReportArm
    suite: str
    scores: dict[str, MeanScore]
    chance: float | None
    faults: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ScoreChange:
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
    changes: tuple[ScoreChange, ...]
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


def score_page(arms: Sequence[ReportArm]) -> ScorePage | None:
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


def _scored(arm: ReportArm, suite: str, rows: Sequence[Episode]) -> Scored:
    scores = {}
    for name, (_, read) in SCORES.items():
        known = [(value, row.spec.task) for row in rows if (value := read(row)) is not None]
        if known:
            found = share_interval([value for value, _ in known], [task for _, task in known])
            scores[name] = MeanScore(found.mean, (found.low, found.high), found.n)
    chances = [event.value for row in rows for event in row.outcome.events if event.kind == "approach"]
    kinds = Counter(kind for row in rows for kind in {fault.kind for fault in row.outcome.faults})
    return Scored(arm, suite, scores, fmean(chances) if chances else None, tuple(kinds.most_common()))


def _changes(
    found: dict[str, list[Episode]], arms: Sequence[ReportArm], rows: dict[int, list[Episode]], suites: Sequence[str]
) -> list[ScoreChange]:
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


def _change(policy: str, first: str, second: str, score: str, rows: Sequence[Episode]) -> ScoreChange | None:
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
    return ScoreChange(policy, first, second, score, found.change, (found.low, found.high), found.p, found.n)


# The figures of rows that are plans: per dimension and in all, with intervals; and why a plan fails.
#
# Shares have Wilson intervals; mean scores the bootstrap within tasks, as everywhere in the package. Errors
# (timeouts, a server that is down) are not answers: they are counted beside the figures and are in none of them.

PLAN_NOTE = (
    "Rows of plans: success means that every call can be made by the rules and the goal is reached without harm; "
    "there is no cost, film, trajectory or simulated time."
)
WITH_PLAN = ("ok", "repaired")
"""Verdicts of answers that hold a plan."""


@dataclass(frozen=True, slots=True)
class PlanFigures:
    """The answers of one dimension. ``played`` and ``reference_played`` are None where plans were not played.

    An answer without a plan fails in ``played`` too; ``reference_played`` is over the questions that were played.
    """

    name: str
    answers: int
    errors: int
    exact: Proportion
    executable: Proportion
    score: MeanScore | None
    paper: MeanScore | None
    no_plan: Proportion
    length_ratio: float | None
    played: Proportion | None
    reference_played: Proportion | None


@dataclass(frozen=True, slots=True)
class PlanSummary:
    """The plans of one model. ``verdicts`` counts every class of answer, errors too.

    ``uncounted`` answers came without token counts; ``price_usd`` is None where no prices were given.
    """

    groups: tuple[PlanFigures, ...]
    whole: PlanFigures
    verdicts: Mapping[str, int]
    tokens_in: int
    tokens_out: int
    uncounted: int
    price_usd: float | None


@dataclass(frozen=True, slots=True)
class PlanArm:
    """One side of a comparison whose rows are plans."""

    arm: ReportArm
    summary: PlanSummary
    episodes: tuple[Episode, ...]


def plan_page(arms: Sequence[ReportArm]) -> list[PlanArm]:
    found = []
    for arm in arms:
        episodes = tuple(row for row in arm.episodes if row.plan is not None)
        if episodes:
            ordered = sorted(episodes, key=lambda row: (_plan(row).dimension, row.spec.task, row.spec.episode))
            found.append(PlanArm(arm, summarise_plans(episodes), tuple(ordered)))
    return found


def summarise_plans(rows: Iterable[Episode]) -> PlanSummary:
    """Return the figures of rows that are plans."""
    rows = [row for row in rows if row.plan is not None]
    names = sorted({_plan(row).dimension for row in rows})
    groups = tuple(_figures(name, [row for row in rows if _plan(row).dimension == name]) for name in names)
    answers = [_plan(row) for row in rows if row.status == "completed"]
    prices = [plan.price_usd for plan in answers if plan.price_usd is not None]
    return PlanSummary(
        groups,
        _figures("all", rows),
        dict(sorted(Counter(_plan(row).verdict for row in rows).items())),
        sum(plan.tokens_in or 0 for plan in answers),
        sum(plan.tokens_out or 0 for plan in answers),
        sum(plan.tokens_in is None or plan.tokens_out is None for plan in answers),
        sum(prices) if prices else None,
    )


def _figures(name: str, rows: Sequence[Episode]) -> PlanFigures:
    answered = [row for row in rows if row.status == "completed"]
    answers = [_plan(row) for row in answered]
    tasks = [row.spec.task for row in answered]
    plans = [plan for plan in answers if plan.verdict in WITH_PLAN]
    ratios = [plan.scores["length_ratio"] for plan in plans]
    done = [(plan.played, plan.reference_played) for plan in answers if plan.played and plan.reference_played]
    return PlanFigures(
        name=name,
        answers=len(answers),
        errors=len(rows) - len(answers),
        exact=Proportion(sum(plan.exact for plan in answers), len(answers)),
        executable=Proportion(sum(plan.runs for plan in answers), len(answers)),
        score=_mean([plan.scores["score"] for plan in answers], tasks),
        paper=_mean([plan.paper["total"] / 100 for plan in answers], tasks),
        no_plan=Proportion(len(answers) - len(plans), len(answers)),
        length_ratio=sum(ratios) / len(ratios) if ratios else None,
        played=Proportion(sum(a.success for a, _ in done), len(done) + len(answers) - len(plans)) if done else None,
        reference_played=Proportion(sum(b.success for _, b in done), len(done)) if done else None,
    )


def _mean(values: Sequence[float], tasks: Sequence[str]) -> MeanScore | None:
    if not values:
        return None
    middle, low, high = mean_cost_interval(list(values), list(tasks))
    return MeanScore(middle, (max(low, 0.0), min(high, 1.0)), len(values))


def plan_failure(row: Episode) -> str:
    """Return why a plan does not succeed: the first of what went wrong, empty if nothing did."""
    plan = _plan(row)
    if row.outcome.success:
        return ""
    if plan.verdict not in WITH_PLAN:
        return "no_plan"
    if any(plan.why_not):
        return "call_cannot_be_made"
    return "fault" if plan.faults else "goal_not_reached"


def points(figure: Rated | None) -> str:
    """Return a figure in per cent or points, with its interval."""
    if figure is None or figure.rate is None or figure.interval is None:
        return "–"
    low, high = figure.interval
    return f"{100 * figure.rate:.1f} [{100 * low:.0f}, {100 * high:.0f}]"


def _plan(row: Episode) -> PlanFields:
    assert row.plan is not None
    return row.plan
