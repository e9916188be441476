"""The figures of a run: per dimension and in all, with intervals.

Shares have Wilson intervals; mean scores the bootstrap within tasks, as everywhere in the package. Errors (timeouts, a
server that is down) are not answers: they are counted beside the figures and are in none of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from proctor.analysis.stats import mean_cost_interval, wilson

from .._judge import ANSWERED, PLANNED

Line = Mapping[str, Any]
ALL = "all"


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its 95 % interval; ``of`` is the count behind a share, None for a mean. Shares are 0 to 1."""

    value: float
    low: float
    high: float
    of: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The answers of one dimension. ``physics`` and ``physics_reference`` are None where plans were not played.

    An answer without a plan fails in ``physics`` too; ``physics_reference`` is over the questions whose plans were
    played.
    """

    name: str
    answers: int
    errors: int
    exact: Figure | None
    runs: Figure | None
    score: Figure | None
    paper: Figure | None
    unparsed: Figure | None
    length_ratio: float | None
    physics: Figure | None
    physics_reference: Figure | None


@dataclass(frozen=True, slots=True)
class Bill:
    """Tokens and money; ``unknown`` counts the answers whose server gave no token counts."""

    tokens_in: int
    tokens_out: int
    unknown: int
    cost: float | None
    wall_s: float


@dataclass(frozen=True, slots=True)
class Summary:
    """A run in figures; ``outcomes`` counts every class, errors too."""

    groups: tuple[Group, ...]
    whole: Group
    outcomes: Mapping[str, int]
    bill: Bill


def summarise(
    lines: Sequence[Line],
    executions: Mapping[str, Line] | None = None,
    prices: tuple[float | None, float | None] = (None, None),
) -> Summary:
    """Return the figures of ``lines``, one for each question; ``prices`` are per million tokens in and out."""
    executions = executions or {}
    names = sorted({str(line["dimension"]) for line in lines})
    groups = tuple(_group(name, [line for line in lines if line["dimension"] == name], executions) for name in names)
    counts = Counter(str(line["outcome"]) for line in lines)
    return Summary(groups, _group(ALL, lines, executions), dict(sorted(counts.items())), _bill(lines, prices))


def _group(name: str, lines: Sequence[Line], executions: Mapping[str, Line]) -> Group:
    answers = [line for line in lines if line["outcome"] in ANSWERED]
    played = [executions[line["id"]] for line in answers if line["id"] in executions]
    unplayable = sum(line["outcome"] not in PLANNED for line in answers) if executions else 0
    tasks = [str(line["task"]) for line in answers]
    return Group(
        name=name,
        answers=len(answers),
        errors=len(lines) - len(answers),
        exact=share([bool(line["exact"]) for line in answers]),
        runs=share([bool(line["runs"]) for line in answers]),
        score=mean([float(line["score"]) for line in answers], tasks, 100.0),
        paper=mean([float(line["paper"]["total"]) for line in answers], tasks, 100.0),
        unparsed=share([line["outcome"] not in PLANNED for line in answers]),
        length_ratio=_plain_mean([float(line["length_ratio"]) for line in answers if line["outcome"] in PLANNED]),
        physics=share([bool(line["plan"]["success"]) for line in played] + unplayable * [False]),
        physics_reference=share([bool(line["reference"]["success"]) for line in played]),
    )


def share(values: Sequence[bool]) -> Figure | None:
    """Return a share with Wilson's interval, None of nothing."""
    if not values:
        return None
    count, total = sum(values), len(values)
    low, high = wilson(count, total)
    return Figure(count / total, low, high, (count, total))


def mean(values: Sequence[float], strata: Sequence[str], most: float) -> Figure | None:
    """Return a mean with its bootstrap interval within strata, cut at 0 and ``most``; None of nothing."""
    if not values:
        return None
    middle, low, high = mean_cost_interval(list(values), list(strata))
    return Figure(middle, max(low, 0.0), min(high, most))


def figure_text(figure: Figure | None) -> str:
    """Return a figure in per cent or points, with its interval."""
    if figure is None:
        return "–"
    scale = 100.0 if figure.of is not None else 1.0
    return f"{scale * figure.value:.1f} [{scale * figure.low:.0f}, {scale * figure.high:.0f}]"


def _plain_mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _bill(lines: Sequence[Line], prices: tuple[float | None, float | None]) -> Bill:
    answers = [line for line in lines if line["outcome"] in ANSWERED]
    counted = [line for line in answers if line["tokens_in"] is not None and line["tokens_out"] is not None]
    tokens_in = sum(int(line["tokens_in"]) for line in counted)
    tokens_out = sum(int(line["tokens_out"]) for line in counted)
    price_in, price_out = prices
    known = price_in is not None or price_out is not None
    cost = (tokens_in * (price_in or 0.0) + tokens_out * (price_out or 0.0)) / 1e6 if known else None
    wall_s = sum(float(line["wall_s"]) for line in answers)
    return Bill(tokens_in, tokens_out, len(answers) - len(counted), cost, wall_s)
