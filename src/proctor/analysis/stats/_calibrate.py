"""Does each test keep its word? Simulated policies that do not differ, counted rejections.

For each generator, size and trial two arms are drawn from one law; every p-value is recorded. A calibrated test has
p <= alpha in a share alpha of trials. ``pooled_bootstrap`` and the naive logrank are here to show that they do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._checks import StatsError, check_count
from ._logrank import logrank
from ._macro import macro_ks, macro_tests
from ._synthetic import GENERATORS, Synthetic

ALPHAS = (0.05, 0.10)
CALIBRATED = ("macro KS", "macro RMST", "macro CvM", "success", "logrank (permuted)", "combined")
FLAWED = ("macro KS (pooled bootstrap)", "logrank (naive)")


def calibrate_tests(
    *,
    sizes: Sequence[int] = (10, 17, 35),
    generators: Mapping[str, Synthetic] | None = None,
    trials: int = 400,
    n_resamples: int = 199,
    tau: float = 120.0,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """Return rows with test, generator, n, alpha, rate, trials and the mean p under no difference.

    ``n_resamples`` + 1 should be a multiple of 20, so that p = 0.05 and 0.10 can be reached exactly.
    """
    check_count(trials, "trials", least=1)
    if (n_resamples + 1) % 20:
        raise StatsError(f"n_resamples is {n_resamples}: take 19, 99, 199, 999: one more must be a multiple of 20")
    rows = []
    for name, law in (generators or GENERATORS).items():
        for n in sizes:
            p = np.array([_p_values(law, n, tau, n_resamples, [seed, n, trial]) for trial in range(trials)])
            for j, test in enumerate((*CALIBRATED, *FLAWED)):
                for alpha in ALPHAS:
                    rows.append(
                        {
                            "test": test,
                            "generator": name,
                            "n": int(n),
                            "alpha": alpha,
                            "rate": float(np.mean(p[:, j] <= alpha + 1e-12)),
                            "mean_p": float(p[:, j].mean()),
                            "trials": trials,
                        }
                    )
    return rows


def _p_values(law: Synthetic, n: int, tau: float, n_resamples: int, seed: list[int]) -> list[float]:
    rng = np.random.default_rng(seed)
    a, b = law.draw(n, rng), law.draw(n, rng)
    key = int(rng.integers(1 << 62))
    tests = macro_tests(a, b, tau=tau, n_resamples=n_resamples, seed=key, threads=1)
    pooled = macro_ks(a, b, tau=tau, n_resamples=n_resamples, seed=key, method="pooled_bootstrap", threads=1)
    naive = logrank(a.times, a.events, b.times, b.events, a.stratum[a.episode], b.stratum[b.episode])
    own = [tests.ks.p, tests.rmst.p, tests.cvm.p, tests.success.p, tests.logrank.p, tests.combined_p]
    return [*own, pooled.p, naive.p]
