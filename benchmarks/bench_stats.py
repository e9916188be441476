"""How fast the statistics are, in one run: ``python benchmarks/bench_stats.py [--quick]``.

1. one macro-KS p-value (4 strata, 35 episodes per cell, 1000 resamples) beside a loop over lifelines, which is timed on
   a few resamples and scaled up, for 1000 of them take minutes;
2. the PhAIL paper's efficiency experiment: 6 pairs x 6 sizes x 300 trials x 200 resamples, four metrics;
3. a million episode rows summarised with intervals, and the memory it took.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from proctor.analysis.stats import GENERATORS, Operations, detection_curve, macro_ks, summarise

TAU_S = 120.0


def best_of(call: Callable[[], Any], repetitions: int) -> float:
    """Return the fastest of some calls in seconds, after one that compiles."""
    call()
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def lifelines_resample(a: Operations, b: Operations, rng: np.random.Generator) -> float:
    """One relabelling of all strata with lifelines: the loop that this package replaces."""
    from lifelines import KaplanMeierFitter

    distances = []
    for label in a.strata:
        parts = [arm.select(arm.stratum == label) for arm in (a, b)]
        episodes = [
            (part.times[part.episode == e], part.events[part.episode == e])
            for part in parts
            for e in range(part.n_episodes)
        ]
        order = rng.permutation(len(episodes))
        curves, jumps = [], []
        for chosen in (order[: parts[0].n_episodes], order[parts[0].n_episodes :]):
            times = np.concatenate([episodes[e][0] for e in chosen])
            events = np.concatenate([episodes[e][1] for e in chosen])
            # lifelines refuses inf: a ghost is a censoring far beyond the horizon, which gives the same curve.
            ghosts = np.isinf(times)
            curves.append(KaplanMeierFitter().fit(np.where(ghosts, 1e9, times), events & ~ghosts))
            jumps.append(times[events & (times <= TAU_S)])
        grid = np.unique(np.concatenate(jumps))
        one, two = (curve.survival_function_at_times(grid).to_numpy() for curve in curves)
        distances.append(float(np.abs(one - two).max()))
    return float(np.mean(distances))


def bench_p_value(repetitions: int, loops: int) -> dict[str, float]:
    rng = np.random.default_rng(0)
    a, b = GENERATORS["clustered"].draw(35, rng), GENERATORS["clustered"].draw(35, rng)
    ours = best_of(lambda: macro_ks(a, b, n_resamples=1000, tau=TAU_S, threads=1), repetitions)
    loop = best_of(lambda: lifelines_resample(a, b, rng), loops)
    return {
        "operations_per_episode": (a.times.size + b.times.size) / 280,
        "ours_ms": 1000 * ours,
        "lifelines_s_extrapolated": 1000 * loop,
        "times_faster": 1000 * loop / ours,
    }


def bench_efficiency(pairs: int, trials: int) -> dict[str, float]:
    rng = np.random.default_rng(1)
    base = GENERATORS["clustered"]
    arms = [base.shifted(shift).draw(38, rng) for shift in (0.0, 0.02, 0.25, 0.9)]
    start = time.perf_counter()
    for one, two in list(itertools.combinations(arms, 2))[:pairs]:
        detection_curve(one, two, tau=TAU_S, trials=trials, n_resamples=200, method="pooled_bootstrap", n_null=0)
    taken = time.perf_counter() - start
    scale = 6 / pairs * 300 / trials
    return {"measured_s": taken, "whole_experiment_s": taken * scale, "share_measured": 1 / scale}


def bench_rows(n: int) -> dict[str, float]:
    rng = np.random.default_rng(2)
    columns = {
        "policy": np.array([f"policy {i}" for i in range(10)])[rng.integers(0, 10, n)],
        "stratum": np.array([f"suite/level/task_{i:03d}" for i in range(100)])[rng.integers(0, 100, n)],
        "success": rng.random(n) < 0.7,
        "time_s": np.minimum(rng.exponential(12.0, n), 30.0).round(2),
    }
    start = time.perf_counter()
    found = summarise(columns, tau=30.0)
    taken = time.perf_counter() - start
    assert len(found) == 10
    return {
        "rows": n,
        "seconds": taken,
        "peak_gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a twelfth of the experiment, a tenth of the rows")
    quick = parser.parse_args().quick
    result = {
        "cores": os.cpu_count(),
        "load_before": os.getloadavg()[0],
        "a million rows": bench_rows(100_000 if quick else 1_000_000),
        "one p-value": bench_p_value(5 if quick else 30, 1 if quick else 3),
        "efficiency experiment": bench_efficiency(1 if quick else 6, 150 if quick else 300),
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
