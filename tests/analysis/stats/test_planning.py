"""Planning: power against its definition, detection curves against the null."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from proctor.analysis.stats import (
    GENERATORS,
    StatsError,
    detection_curve,
    power_curve,
    two_proportion_sample_size,
)

BASE = GENERATORS["clustered"]


def test_power_is_alpha_without_a_difference_and_grows_with_n() -> None:
    flat = power_curve(BASE, BASE, sizes=[10], trials=150, n_resamples=99, tau=120.0)
    assert np.all(flat.power < 0.12)
    real = power_curve(BASE, BASE.shifted(0.5), sizes=[4, 10, 25], trials=40, n_resamples=99, tau=120.0)
    assert np.all(np.diff(real.power, axis=0) >= -0.1)
    assert real.smallest("rmst", 0.8) in (10, 25)
    assert real.smallest("rmst", 1.01) is None
    with pytest.raises(StatsError, match="strata"):
        power_curve(BASE, replace(BASE, medians_s=(1.0,)), sizes=[5])


def test_two_proportions_reach_their_power() -> None:
    n = two_proportion_sample_size(0.5, 0.7)
    rng = np.random.default_rng(0)
    a, b = rng.binomial(n, 0.5, 20_000) / n, rng.binomial(n, 0.7, 20_000) / n
    q = (a + b) / 2
    z = (a - b) / np.sqrt(2 * q * (1 - q) / n)
    assert np.mean(np.abs(z) > 1.96) == pytest.approx(0.8, abs=0.03)
    with pytest.raises(StatsError, match="difference of zero"):
        two_proportion_sample_size(0.5, 0.5)


def test_the_papers_protocol_detects_identical_policies_and_the_envelope_says_so() -> None:
    """Identical policies: the subsampling protocol rejects far more often than 5 %, within what permuted labels do."""
    rng = np.random.default_rng(11)
    a, b = BASE.draw(38, rng), BASE.draw(38, rng)
    curve = detection_curve(
        a, b, sizes=(30, 45), tau=120.0, trials=40, n_resamples=99, method="pooled_bootstrap", n_null=6
    )
    ks = curve.metrics.index("ks")
    assert curve.null_mean[:, ks].min() > 0.25
    assert not curve.above[:, ks].all()
    slow = BASE.shifted(0.9).draw(38, rng)
    far = detection_curve(a, slow, sizes=(10, 30), tau=120.0, trials=30, n_resamples=99, n_null=4)
    assert far.above[1, ks]
    assert far.rate[1, ks] > 0.9


def test_detection_does_not_depend_on_threads() -> None:
    rng = np.random.default_rng(1)
    a, b = BASE.draw(8, rng), BASE.draw(8, rng)
    one, two = (
        detection_curve(a, b, sizes=(4, 6), tau=120.0, trials=10, n_resamples=50, n_null=1, threads=t) for t in (1, 3)
    )
    np.testing.assert_array_equal(one.rate, two.rate)
    np.testing.assert_array_equal(one.null_mean, two.null_mean)
