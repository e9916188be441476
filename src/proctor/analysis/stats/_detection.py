"""Detection rate against sample size by subsampling one data set, always beside what it shows for no difference.

The PhAIL paper (section 5.2) draws N episodes per cell with replacement from the data at hand and counts how often a
test rejects. That measures how separable the two EMPIRICAL distributions are: with two identical policies macro-KS
"detects" a difference at N = 30 in about half the trials. The curve therefore comes with the same
protocol's result on the same data with labels permuted, many times: only what lies above that envelope is evidence.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from . import _engine as engine
from ._checks import Floats, Ints, check_count, check_share, check_tau
from ._layout import SwapBlocks
from ._macro import Method, as_arms, pair_strata, resampling_p
from ._operations import Operations

METRICS = ("ks", "rmst", "f30", "f60")
_ROWS = (engine.KS, engine.RMST, engine.N_FIXED, engine.N_FIXED + 1)


@dataclass(frozen=True, slots=True)
class DetectionCurve:
    """Share of trials with p < alpha, [sizes, metrics], and the same for permuted labels: its mean and 95 % quantile.

    ``above`` says where the curve lies above the envelope: there, and only there, the data show a difference.
    """

    sizes: Ints
    metrics: tuple[str, ...]
    rate: Floats
    null_mean: Floats
    null_high: Floats
    alpha: float
    method: Method
    tau: float

    @property
    def above(self) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Whether the rate exceeds the 95 % quantile of the permuted-label envelope, [sizes, metrics]."""
        return np.asarray(self.rate > self.null_high)


def detection_curve(
    a: Operations,
    b: Operations,
    *,
    sizes: Sequence[int] = (5, 10, 15, 20, 25, 30),
    tau: float,
    trials: int = 300,
    n_resamples: int = 200,
    method: Method = "permutation",
    alpha: float = 0.05,
    n_null: int = 19,
    seed: int = 0,
    threads: int | None = None,
) -> DetectionCurve:
    """Run the paper's protocol on two arms, and on ``n_null`` relabellings of the same episodes.

    Four metrics share every resample: macro-KS, macro RMST, F(30 s) and F(60 s). ``n_null=0`` leaves the envelope out
    (NaN), for timing the bare protocol only. With 19 relabellings identical policies lie above it in 1 of 20 data sets.
    """
    tau = check_tau(tau)
    check_share(alpha, "alpha")
    check_count(trials, "trials", least=1)
    check_count(n_null, "n_null")
    checked = np.array([check_count(n, "a size", least=2) for n in sizes], dtype=np.int64)
    arms = as_arms(a, b, None, None, None)
    strata = pair_strata(*arms, tau)
    points = np.minimum(np.array([30.0, 60.0]), tau)
    in_a = [stratum.in_a.astype(bool) for stratum in strata]
    settings = (checked, tau, points, trials, n_resamples, method == "pooled_bootstrap", alpha)
    rate = _rates(strata, in_a, *settings, seed, threads)
    null = np.full((max(n_null, 1), *rate.shape), np.nan)
    for k in range(n_null):
        rng = np.random.default_rng([seed, k, 31])
        null[k] = _rates(strata, [rng.permutation(labels) for labels in in_a], *settings, seed + 1 + k, threads)
    return DetectionCurve(
        checked, METRICS, rate, null.mean(axis=0), np.quantile(null, 0.95, axis=0, method="higher"), alpha, method, tau
    )


def _rates(
    strata: Sequence[engine.PairStratum],
    in_a: Sequence[np.ndarray[tuple[int, ...], np.dtype[np.bool_]]],
    sizes: Ints,
    tau: float,
    points: Floats,
    trials: int,
    n_resamples: int,
    replace: bool,
    alpha: float,
    seed: int,
    threads: int | None,
) -> Floats:
    jobs = [(place, trial) for place in range(sizes.size) for trial in range(trials)]
    hits = np.zeros((sizes.size, trials, len(METRICS)), dtype=bool)
    method: Method = "pooled_bootstrap" if replace else "permutation"

    def work(job: tuple[int, int]) -> None:
        place, trial = job
        rng = np.random.default_rng([seed, place, trial])
        n = int(sizes[place])
        drawn = []
        for stratum, labels in zip(strata, in_a, strict=True):
            of_a, of_b = np.flatnonzero(labels), np.flatnonzero(~labels)
            picks = np.concatenate([rng.choice(of_a, n), rng.choice(of_b, n)])
            plan = SwapBlocks(picks, np.array([0, 2 * n]), np.array([n]))
            counts = np.bincount(picks[:n], minlength=labels.size).astype(np.float64)
            drawn.append(engine.PairStratum(stratum.label, stratum.layout, plan, counts))
        observed = np.zeros(engine.N_FIXED + points.size)
        for stratum in drawn:
            other = np.bincount(stratum.plan.members[n:], minlength=stratum.in_a.size).astype(np.float64)
            rows = engine.weigh_pair(stratum.layout, points, tau, False, stratum.in_a[:, None], other[:, None])
            observed += rows[:, 0] / len(drawn)
        null = engine.null_statistics(
            drawn,
            tau,
            points,
            n_resamples=n_resamples,
            seed=int(rng.integers(1 << 62)),
            replace=replace,
            threads=1,
            chunk=n_resamples,
        )
        for m, row in enumerate(_ROWS):
            hits[place, trial, m] = resampling_p(abs(observed[row]), np.abs(null[row]), method) < alpha

    workers = threads or os.cpu_count() or 1
    if workers > 1 and engine.has_numba():
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(work, jobs, chunksize=16))
    else:
        for job in jobs:
            work(job)
    return np.asarray(hits.mean(axis=1), dtype=np.float64)
