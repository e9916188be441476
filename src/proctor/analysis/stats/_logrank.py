"""Stratified logrank test (Mantel 1966): does arm a have more events than its share of those at risk?

At each event time u of a stratum: O - E += d_a - d n_a / n and V += d (n_a/n) (n_b/n) (n - d) / (n - 1), the
hypergeometric variance; chi2 = (sum O-E)^2 / (sum V) has one degree of freedom. Ghosts (time inf) stay at risk and
add nothing. The chi-square p assumes independent operations: on clustered episodes it rejects a true null three times
as often as it should (docs/explanation/statistics.md); use `logrank_permutation` there.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ._checks import Bools, Floats, StatsError, as_labels, as_times_events, tally

Weighting = Literal["logrank", "wilcoxon", "tarone_ware", "peto"]


@dataclass(frozen=True, slots=True)
class Logrank:
    """Observed and expected events of arm a, variance, chi2 with 1 degree of freedom and its p (survival function)."""

    observed: float
    expected: float
    variance: float
    chi2: float
    p: float
    n_strata: int


def logrank(
    times_a: ArrayLike,
    events_a: ArrayLike,
    times_b: ArrayLike,
    events_b: ArrayLike,
    strata_a: ArrayLike | None = None,
    strata_b: ArrayLike | None = None,
    *,
    weighting: Weighting = "logrank",
) -> Logrank:
    """Compare two right-censored samples, within strata where given. Without any event at risk in both arms p is 1."""
    ta, ea = as_times_events(times_a, events_a, "a")
    tb, eb = as_times_events(times_b, events_b, "b")
    if (strata_a is None) != (strata_b is None):
        raise StatsError("strata are given for one arm only: give strata_a and strata_b, or neither")
    sa = np.zeros(ta.size, dtype=np.int64) if strata_a is None else as_labels(strata_a, ta.size, "strata_a")
    sb = np.zeros(tb.size, dtype=np.int64) if strata_b is None else as_labels(strata_b, tb.size, "strata_b")
    times, events = np.concatenate([ta, tb]), np.concatenate([ea, eb])
    in_a = np.concatenate([np.ones(ta.size, bool), np.zeros(tb.size, bool)])
    _, stratum = np.unique(np.concatenate([sa.astype(str), sb.astype(str)]), return_inverse=True)
    observed = expected = variance = 0.0
    n_strata = int(stratum.max()) + 1
    for code in range(n_strata):
        rows = stratum == code
        o, e, v = _one_stratum(times[rows], events[rows], in_a[rows], weighting)
        observed, expected, variance = observed + o, expected + e, variance + v
    chi2 = (observed - expected) ** 2 / variance if variance > 0 else 0.0
    return Logrank(observed, expected, variance, chi2, erfc(sqrt(chi2 / 2)), n_strata)


def _one_stratum(times: Floats, events: Bools, in_a: Bools, weighting: Weighting) -> tuple[float, float, float]:
    grid, place = np.unique(times, return_inverse=True)
    happened = events & np.isfinite(times)
    d = tally(place, happened, grid.size)
    d_a = tally(place, happened & in_a, grid.size)
    n = np.cumsum(tally(place, np.ones(times.size), grid.size)[::-1])[::-1]
    n_a = np.cumsum(tally(place, in_a, grid.size)[::-1])[::-1]
    share = n_a / n
    w = _time_weights(d, n, weighting)
    spread = d * share * (1 - share) * np.divide(n - d, n - 1, out=np.zeros_like(n), where=n > 1)
    return float(w @ d_a), float(w @ (d * share)), float(w**2 @ spread)


def _time_weights(d: Floats, n: Floats, weighting: Weighting) -> Floats:
    if weighting == "logrank":
        return np.ones_like(n)
    if weighting == "wilcoxon":
        return n
    if weighting == "tarone_ware":
        return np.asarray(np.sqrt(n))
    if weighting == "peto":
        return np.asarray(np.cumprod(1 - d / (n + 1)))
    raise StatsError(f"weighting is {weighting!r}: choose logrank, wilcoxon, tarone_ware or peto")
