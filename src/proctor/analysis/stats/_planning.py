"""How many episodes: closed formulas for shares, simulation for macro-KS and RMST.

Power is the share of fresh data sets, drawn from named policies, in which the test rejects. Nothing is subsampled from
data at hand, so a planned effect of zero has the power alpha.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist
from typing import Literal

import numpy as np

from ._checks import Floats, Ints, StatsError, check_count, check_share, check_tau
from ._macro import macro_tests
from ._synthetic import Synthetic

PlanTest = Literal["ks", "rmst", "cvm", "success", "logrank", "combined"]


def two_proportion_sample_size(p_a: float, p_b: float, power: float = 0.8, alpha: float = 0.05) -> int:
    """Return the episodes PER ARM for a two-sided test of two independent success shares.

    n = (z_(alpha/2) sqrt(2 q (1 - q)) + z_power sqrt(p_a (1 - p_a) + p_b (1 - p_b)))^2 / (p_a - p_b)^2, q their mean
    (Fleiss, Levin and Paik 2003, chapter 4, without continuity correction).
    """
    check_share(p_a, "p_a", closed=True)
    check_share(p_b, "p_b", closed=True)
    if p_a == p_b:
        raise StatsError("p_a equals p_b: no sample size resolves a difference of zero")
    normal = NormalDist()
    z_a, z_b = normal.inv_cdf(1 - check_share(alpha, "alpha") / 2), normal.inv_cdf(check_share(power, "power"))
    q = (p_a + p_b) / 2
    root = z_a * sqrt(2 * q * (1 - q)) + z_b * sqrt(p_a * (1 - p_a) + p_b * (1 - p_b))
    return ceil(root**2 / (p_a - p_b) ** 2 - 1e-9)


@dataclass(frozen=True, slots=True)
class PowerCurve:
    """Power of each test at each number of episodes per cell, [sizes, tests], with its Monte-Carlo standard error."""

    sizes: Ints
    tests: tuple[PlanTest, ...]
    power: Floats
    error: Floats
    alpha: float
    trials: int

    def smallest(self, test: PlanTest, power: float = 0.8) -> int | None:
        """Return the smallest simulated size from which the power stays at or above ``power``, or None."""
        enough = self.power[:, self.tests.index(test)] >= power
        stays = np.flatnonzero(np.cumprod(enough[::-1])[::-1])
        return int(self.sizes[stays[0]]) if stays.size else None


def power_curve(
    a: Synthetic,
    b: Synthetic,
    *,
    sizes: Sequence[int],
    tests: Sequence[PlanTest] = ("ks", "rmst", "combined"),
    tau: float | None = None,
    alpha: float = 0.05,
    trials: int = 300,
    n_resamples: int = 199,
    seed: int = 0,
) -> PowerCurve:
    """Simulate the power of permutation tests between two policies given by their parameters."""
    check_share(alpha, "alpha")
    check_count(trials, "trials", least=1)
    if len(a.medians_s) != len(b.medians_s):
        raise StatsError(f"a has {len(a.medians_s)} strata and b has {len(b.medians_s)}: they must have the same")
    tau = check_tau(a.budget_s if tau is None else tau)
    checked = np.array([check_count(n, "a size", least=2) for n in sizes], dtype=np.int64)
    hits = np.zeros((checked.size, len(tests)))
    for i, n in enumerate(checked):
        for trial in range(trials):
            rng = np.random.default_rng([seed, int(n), trial])
            found = macro_tests(
                a.draw(int(n), rng),
                b.draw(int(n), rng),
                tau=tau,
                n_resamples=n_resamples,
                seed=int(rng.integers(1 << 62)),
                threads=1,
            )
            for j, test in enumerate(tests):
                p = found.combined_p if test == "combined" else getattr(found, test).p
                hits[i, j] += p <= alpha
    share = hits / trials
    return PowerCurve(checked, tuple(tests), share, np.sqrt(share * (1 - share) / trials), alpha, trials)
