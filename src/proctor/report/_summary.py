"""Numbers of a group of rows (rates, costs, latencies), and two arms paired by layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Protocol

import numpy as np

from proctor.analysis.stats import mean_cost_interval, safe_successes, wilson
from proctor.core import CostEntry
from proctor.results import Episode, costs_of

CONFIDENCE = 0.95


class Rated(Protocol):
    """A share of episodes with its interval, whatever the interval is over; None where it cannot be known."""

    @property
    def n(self) -> int: ...

    @property
    def rate(self) -> float | None:
        """Return the share, or None without episodes."""
        ...

    @property
    def interval(self) -> tuple[float, float] | None: ...


@dataclass(frozen=True, slots=True)
class Proportion:
    """``k`` of ``n``, with the Wilson interval. Without trials there is no rate."""

    k: int
    n: int

    @property
    def rate(self) -> float | None:
        """Return k / n, or None when n is 0."""
        return self.k / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.k, self.n, CONFIDENCE)


@dataclass(frozen=True, slots=True)
class CostShare:
    """What one cost expression (or predicate) contributes: ``mean`` per completed episode, ``episodes`` that paid.

    ``worst`` is the largest severity of an episode, in ``unit``; without a unit nothing was measured.
    """

    name: str
    mean: float
    episodes: int
    worst: float = 0.0
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """A group of rows in numbers. Everything but ``n_all`` and ``errors`` is over completed episodes.

    ``any_cost``, ``mean_cost`` with its interval, and ``safe`` (success at cost 0) are over the rows that have a cost
    expression, and None where no row has one: nothing was watched, which is not the same as nothing happened.
    """

    n_all: int
    success: Proportion
    errors: dict[str, int]
    mean_cost: float | None
    cost_interval: tuple[float, float] | None
    any_cost: Proportion | None
    safe: Proportion | None
    first_violation_s: float | None
    breakdown: tuple[CostShare, ...]
    mean_steps: float | None

    @property
    def n_errors(self) -> int:
        """Return how many rows did not complete."""
        return sum(self.errors.values())


def predicate_of(expression: str) -> str:
    """Return the predicate's name in a cost expression: ``(Fall mug_1)`` → ``Fall``."""
    words = expression.replace("(", " ").replace(")", " ").split()
    return words[0] if words else expression


def by_expression(entry: CostEntry) -> str:
    return entry.name


def by_predicate(entry: CostEntry) -> str:
    """Group costs by predicate, arguments left out."""
    return predicate_of(entry.name)


def summarise(episodes: Sequence[Episode], key: Callable[[CostEntry], str] = by_predicate) -> Summary:
    """Reduce ``episodes`` to a `Summary`; ``key`` says how costs are grouped in the breakdown."""
    completed = [episode for episode in episodes if episode.status == "completed"]
    errors: dict[str, int] = {}
    for episode in episodes:
        if episode.status != "completed":
            errors[episode.status] = errors.get(episode.status, 0) + 1
    watched = [episode for episode in completed if costs_of(episode).entries]
    violations = [first for episode in watched if (first := costs_of(episode).first_violation_s) is not None]
    return Summary(
        n_all=len(episodes),
        success=Proportion(sum(bool(episode.outcome.success) for episode in completed), len(completed)),
        errors=errors,
        mean_cost=fmean(costs_of(episode).total for episode in watched) if watched else None,
        cost_interval=mean_cost_interval(*watched_costs(watched), n_resamples=1000)[1:] if watched else None,
        any_cost=Proportion(sum(costs_of(episode).total > 0 for episode in watched), len(watched)) if watched else None,
        safe=Proportion(_safe(watched), len(watched)) if watched else None,
        first_violation_s=median(violations) if violations else None,
        breakdown=_breakdown(watched, key),
        mean_steps=fmean(episode.outcome.steps for episode in completed) if completed else None,
    )


def watched_costs(episodes: Sequence[Episode]) -> tuple[list[float], list[str]]:
    """Return cost and task of the completed episodes whose task defines a cost."""
    watched = [episode for episode in episodes if episode.status == "completed" and costs_of(episode).entries]
    return [costs_of(episode).total for episode in watched], [episode.spec.task for episode in watched]


def _safe(episodes: Sequence[Episode]) -> int:
    return safe_successes(
        [bool(episode.outcome.success) for episode in episodes], [costs_of(episode).total for episode in episodes]
    )


def _breakdown(episodes: Sequence[Episode], key: Callable[[CostEntry], str]) -> tuple[CostShare, ...]:
    total: dict[str, float] = {}
    paid: dict[str, int] = {}
    worst: dict[str, tuple[float, str]] = {}
    for episode in episodes:
        costs: dict[str, float] = {}
        for entry in costs_of(episode).entries:
            costs[key(entry)] = costs.get(key(entry), 0.0) + entry.cost
            worst[key(entry)] = max(worst.get(key(entry), (0.0, "")), (entry.severity, entry.unit))
        for name, cost in costs.items():
            total[name] = total.get(name, 0.0) + cost
            paid[name] = paid.get(name, 0) + (cost > 0)
    shares = [CostShare(name, total[name] / len(episodes), paid[name], *worst[name]) for name in total]
    return tuple(sorted(shares, key=lambda share: (-share.mean, share.name)))


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two arms on the layouts that both completed (equal ``pair_id``): how often each succeeded."""

    both: int
    only_first: int
    only_second: int
    neither: int

    @property
    def n(self) -> int:
        return self.both + self.only_first + self.only_second + self.neither


def pair(first: Iterable[Episode], second: Iterable[Episode]) -> Pairing:
    """Match completed episodes by ``pair_id`` and count the four outcomes."""
    left = {episode.pair_id: bool(episode.outcome.success) for episode in first if episode.status == "completed"}
    right = {episode.pair_id: bool(episode.outcome.success) for episode in second if episode.status == "completed"}
    outcomes = [(left[key], right[key]) for key in left.keys() & right.keys()]
    return Pairing(
        outcomes.count((True, True)),
        outcomes.count((True, False)),
        outcomes.count((False, True)),
        outcomes.count((False, False)),
    )


# How fast a policy answered and where the time of its episodes went.


@dataclass(frozen=True, slots=True)
class Speed:
    """Requests of some episodes. Latencies in ms, from question to answer as the loop saw them; shares of wall time.

    ``timings`` are the episodes' kinds of timing; ``waited`` is the share of control steps that passed while the policy
    was thinking, None where the world always waited for it.
    """

    requests: int
    p50_ms: float
    p95_ms: float
    slowest_ms: float
    policy_share: float
    env_share: float
    actions_per_request: float
    timings: tuple[str, ...]
    waited: float | None


def speed_of(episodes: Iterable[Episode]) -> Speed | None:
    """Return the speed of the episodes that have latencies on record, None if none has."""
    rows = [row for row in episodes if row.timing.latencies_ms]
    wall = sum(row.timing.wall_s for row in rows)
    if not rows or wall <= 0:
        return None
    latencies = np.concatenate([row.timing.latencies_ms for row in rows])
    steps, waited = sum(row.outcome.steps for row in rows), sum(row.timing.waited_steps for row in rows)
    timings = tuple(sorted({row.spec.timing for row in rows}))
    return Speed(
        requests=len(latencies),
        p50_ms=float(np.percentile(latencies, 50)),
        p95_ms=float(np.percentile(latencies, 95)),
        slowest_ms=float(latencies.max()),
        policy_share=sum(row.timing.policy_s for row in rows) / wall,
        env_share=sum(row.timing.env_s for row in rows) / wall,
        actions_per_request=(steps - waited) / len(latencies),
        timings=timings,
        waited=None if timings == ("pause",) else waited / max(steps, 1),
    )


def milliseconds(value: float) -> str:
    """Return a latency with three digits: 0.512 ms, 12.3 ms, 1230 ms."""
    digits = max(0, 2 - int(np.floor(np.log10(max(value, 1e-3)))))
    return f"{value:.{min(digits, 3)}f} ms"
