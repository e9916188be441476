"""An interval for any function of sums, when rows come in clusters that vary together.

Rows of one task share its difficulty, so it is the tasks that were drawn, not the rows. With G clusters the function is
computed G times, each time without one of them (delete-one-cluster jackknife)::

    se² = (G - 1) / G · Σ (θ₍₋g₎ - mean θ₍₋₎)²        θ ± t₍G-1₎ · se

Student's t with G - 1 degrees of freedom stands for the few clusters (Efron and Stein 1981; Bell and McCaffrey 2002).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ._checks import Floats, StatsError, check_share


@dataclass(frozen=True, slots=True)
class ClusterInterval:
    """An estimate with its interval; ``low`` and ``high`` are None with one cluster, which says nothing of others."""

    estimate: float
    low: float | None
    high: float | None
    se: float | None
    n_clusters: int
    conf: float


def cluster_interval(
    columns: Floats,
    clusters: Sequence[Hashable],
    statistic: Callable[[Floats], Floats],
    *,
    conf: float = 0.95,
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> ClusterInterval:
    """Return ``statistic`` of the column sums of ``columns`` [n, k], with its interval over ``clusters`` [n].

    ``statistic`` maps sums [..., k] to values [...]. The interval is cut at ``bounds``.
    """
    from scipy.special import stdtrit

    values = np.asarray(columns, dtype=np.float64)
    check_share(conf, "conf")
    if values.ndim != 2 or len(values) != len(clusters) or not len(values):
        raise StatsError(f"columns {values.shape} and {len(clusters)} cluster names: one name for each row is needed")
    names = {name: place for place, name in enumerate(dict.fromkeys(clusters))}
    sums = np.zeros((len(names), values.shape[1]))
    np.add.at(sums, [names[name] for name in clusters], values)
    total = sums.sum(axis=0)
    estimate = float(statistic(total))
    if len(names) < 2:
        return ClusterInterval(estimate, None, None, None, len(names), conf)
    without = np.asarray(statistic(total - sums), dtype=np.float64)
    if not np.isfinite(without).all():
        return ClusterInterval(estimate, None, None, None, len(names), conf)
    count = len(names)
    se = float(np.sqrt((count - 1) / count * np.sum((without - without.mean()) ** 2)))
    half = float(stdtrit(count - 1, (1 + conf) / 2)) * se
    low, high = (float(np.clip(end, *bounds)) for end in (estimate - half, estimate + half))
    return ClusterInterval(estimate, low, high, se, count, conf)
