"""A small calibration in the tests; the full one is ``benchmarks/calibrate_stats.py``."""

from __future__ import annotations

import numpy as np
import pytest

from proctor.analysis.stats import CALIBRATED, StatsError, calibrate_tests


def test_permutation_tests_keep_their_level_and_the_naive_logrank_does_not() -> None:
    trials = 120
    rows = calibrate_tests(sizes=(10,), trials=trials, n_resamples=99)
    assert len(rows) == 3 * 8 * 2
    for row in rows:
        if row["test"] in CALIBRATED:
            slack = 3.5 * np.sqrt(row["alpha"] * (1 - row["alpha"]) / trials)
            assert row["rate"] <= row["alpha"] + slack, row
            assert row["mean_p"] == pytest.approx(0.5, abs=0.11), row
    naive = next(
        r for r in rows if r["test"] == "logrank (naive)" and r["generator"] == "clustered" and r["alpha"] == 0.05
    )
    assert naive["rate"] > 0.08


def test_a_level_that_cannot_be_reached_is_refused() -> None:
    with pytest.raises(StatsError, match="multiple of 20"):
        calibrate_tests(trials=1, n_resamples=100)
