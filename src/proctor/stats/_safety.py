"""Success and cost of episodes, together: what was reached, what it cost, and what was reached for nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ._bootstrap import quantile_interval
from ._checks import as_labels, as_vector, check_count, check_share
from ._errors import StatsError


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

    A stratum is a task: its episodes differ by layout, while the tasks are fixed. Costs have no upper end, so nothing
    can be said about a cost that was never seen: where all are equal, the interval is that point.
    """
    check_share(conf, "conf")
    check_count(n_resamples, "n_resamples", least=1)
    values = as_vector(cost, "cost")
    if values.size == 0:
        raise StatsError("there is no cost: an interval needs at least one episode")
    labels = as_labels([""] * values.size if stratum is None else stratum, values.size, "stratum")
    rng = np.random.default_rng([seed, 72])
    total = np.zeros(n_resamples)
    for label in np.unique(labels):
        members = values[labels == label]
        total += members[rng.integers(0, members.size, (n_resamples, members.size))].sum(axis=1)
    return (float(values.mean()), *quantile_interval(total / values.size, conf))
