"""Success and cost of episodes, together: what was reached, what it cost, and what was reached for nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ._bootstrap import quantile_interval
from ._checks import Floats, StatsError, as_labels, as_vector, check_count, check_share


def safe_successes(success: ArrayLike, cost: ArrayLike) -> int:
    """Return in how many episodes the goal was reached at cost 0; divided by their number, the safe success rate."""
    reached, paid = np.asarray(success, dtype=bool), as_vector(cost, "cost")
    if reached.shape != paid.shape:
        raise StatsError(f"success has shape {reached.shape} and cost {paid.shape}: they must be equally long")
    return int(np.count_nonzero(reached & (paid == 0.0)))


def mean_cost_interval(
    cost: ArrayLike, stratum: ArrayLike | None = None, *, conf: float = 0.95, n_resamples: int = 2000, seed: int = 0
) -> tuple[float, float, float]:
    """Return (mean, low, high) of a cost per episode by the percentile bootstrap, episodes drawn anew within strata.

    A stratum is a task: its episodes differ by layout, while the tasks are fixed. From the n episodes of a stratum
    n - 1 are drawn, with replacement, which makes the variance of its mean unbiased (Rao and Wu, JASA 83 (1988) 231);
    strata of a single episode say nothing about their spread and are taken together. Costs have no upper end, so
    nothing can be said about a cost that was never seen: where all are equal, the interval is that point.
    """
    check_share(conf, "conf")
    values, means = _resampled(cost, stratum, n_resamples, np.random.default_rng([seed, 72]))
    return (float(values.mean()), *quantile_interval(means, conf))


def cost_change_interval(
    before: tuple[ArrayLike, ArrayLike | None],
    after: tuple[ArrayLike, ArrayLike | None],
    *,
    conf: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
) -> tuple[float, float, float]:
    """Return (change, low, high) of the mean cost from one group of episodes to another, each (cost, stratum).

    The groups share no episode, so they are resampled apart, each within its strata as in `mean_cost_interval`.
    """
    check_share(conf, "conf")
    rng = np.random.default_rng([seed, 73])
    old, old_means = _resampled(*before, n_resamples, rng)
    new, new_means = _resampled(*after, n_resamples, rng)
    return (float(new.mean() - old.mean()), *quantile_interval(new_means - old_means, conf))


def _resampled(
    cost: ArrayLike, stratum: ArrayLike | None, n_resamples: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    check_count(n_resamples, "n_resamples", least=1)
    values = as_vector(cost, "cost")
    if values.size == 0:
        raise StatsError("there is no cost: an interval needs at least one episode")
    labels = as_labels([""] * values.size if stratum is None else stratum, values.size, "stratum")
    _, code, size = np.unique(labels, return_inverse=True, return_counts=True)
    code = np.where(size[code] > 1, code, -1)
    total = np.zeros(n_resamples)
    for stratum_code in np.unique(code):
        members = values[code == stratum_code]
        drawn = rng.integers(0, members.size, (n_resamples, max(members.size - 1, 1)))
        total += members.size * members[drawn].mean(axis=1)
    return values, total / values.size
