"""Aggregates over many tasks and runs (Agarwal et al. 2021): interquartile mean, profiles, probability of improvement.

Scores come as [runs, tasks], one bounded number per run and task; runs are resampled within tasks.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ._bootstrap import quantile_interval
from ._checks import Floats, as_vector, check_count, check_share
from ._errors import StatsError


def _table(scores: ArrayLike, name: str = "scores") -> Floats:
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2 or table.size == 0:
        raise StatsError(f"{name} has shape {table.shape}: give [runs, tasks]")
    if np.isnan(table).any():
        raise StatsError(f"{name} has a NaN: every run needs a score on every task")
    return table


def iqm(scores: ArrayLike) -> float:
    """Return the mean of the middle half of all scores: robust like the median, efficient like the mean.

    The quarter cut off at each end is exact: where n / 4 is not whole, the score at the cut counts in part.
    """
    ordered = np.sort(_table(scores).ravel())
    edges = np.clip(np.arange(ordered.size + 1) / ordered.size, 0.25, 0.75)
    return float(np.diff(edges) @ ordered * 2)


def performance_profile(scores: ArrayLike, thresholds: ArrayLike) -> Floats:
    """Return, for each threshold, the share of runs with a score above it, averaged over tasks."""
    table, cuts = _table(scores), as_vector(thresholds, "thresholds")
    return np.asarray((table[:, :, None] > cuts).mean(axis=(0, 1)))


def probability_of_improvement(a: ArrayLike, b: ArrayLike) -> float:
    """Return the mean over tasks of P(a's run beats b's run), ties counting half (Mann-Whitney)."""
    one, two = _table(a, "a"), _table(b, "b")
    if one.shape[1] != two.shape[1]:
        raise StatsError(f"a has {one.shape[1]} tasks and b has {two.shape[1]}: they must have the same tasks")
    wins = (one[:, None, :] > two[None, :, :]).mean(axis=(0, 1))
    ties = (one[:, None, :] == two[None, :, :]).mean(axis=(0, 1))
    return float(np.mean(wins + 0.5 * ties))


def aggregate_interval(
    statistic: Callable[..., float],
    *scores: ArrayLike,
    conf: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
) -> tuple[float, float, float]:
    """Return (estimate, low, high) by the stratified percentile bootstrap: runs drawn anew within each task."""
    check_share(conf, "conf")
    check_count(n_resamples, "n_resamples", least=1)
    tables = [_table(table) for table in scores]
    rng = np.random.default_rng([seed, 71])
    values = np.empty(n_resamples)
    for i in range(n_resamples):
        drawn = []
        for table in tables:
            rows = rng.integers(0, table.shape[0], size=table.shape)
            drawn.append(np.take_along_axis(table, rows, axis=0))
        values[i] = statistic(*drawn)
    return (float(statistic(*tables)), *quantile_interval(values, conf))
