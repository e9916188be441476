"""The figures of rows that are plans: per dimension and in all, with intervals; and why a plan fails.

Shares have Wilson intervals; mean scores the bootstrap within tasks, as everywhere in the package. Errors (timeouts, a
server that is down) are not answers: they are counted beside the figures and are in none of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from proctor.analysis.stats import mean_cost_interval
from proctor.results import Episode, PlanFields

from ._load import Arm
from ._scores import Score
from ._summary import Proportion, Rated

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
    score: Score | None
    paper: Score | None
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

    arm: Arm
    summary: PlanSummary
    episodes: tuple[Episode, ...]


def plan_page(arms: Sequence[Arm]) -> list[PlanArm]:
    found = []
    for arm in arms:
        episodes = tuple(row for row in arm.episodes if row.plan is not None)
        if episodes:
            ordered = sorted(episodes, key=lambda row: (_plan(row).dimension, row.spec.task, row.spec.episode))
            found.append(PlanArm(arm, summarise_plans(episodes), tuple(ordered)))
    return found


def summarise_plans(rows: Iterable[Episode]) -> PlanSummary:
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


def _mean(values: Sequence[float], tasks: Sequence[str]) -> Score | None:
    if not values:
        return None
    middle, low, high = mean_cost_interval(list(values), list(tasks))
    return Score(middle, (max(low, 0.0), min(high, 1.0)), len(values))


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
