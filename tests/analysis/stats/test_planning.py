"""Planning: model against exact laws, power against its definition, detection curves against the null."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from proctor.analysis.stats import (
    GENERATORS,
    StatsError,
    bridge_power,
    bridge_suprema,
    detection_curve,
    power_curve,
    two_proportion_sample_size,
)

BASE = GENERATORS["clustered"]


def test_bridge_suprema_follow_kolmogorovs_law() -> None:
    """Critical value 1.3581; the mean of four has mean 0.8690 and 95 % quantile 1.0985."""
    rng = np.random.default_rng(0)
    grid = np.linspace(0.02, 1.0, 50)
    sup = bridge_suprema(grid, np.zeros(50), 80_000, rng)
    assert np.quantile(sup, 0.95) == pytest.approx(1.3581, abs=0.012)
    four = sup.reshape(4, -1).mean(axis=0)
    assert four.mean() == pytest.approx(0.8690, abs=0.005)
    assert np.quantile(four, 0.95) == pytest.approx(1.0985, abs=0.01)
    special = pytest.importorskip("scipy.special")
    for level in (0.5, 0.8, 1.2):
        assert np.mean(sup > level) == pytest.approx(special.kolmogorov(level), abs=0.007)


def test_the_papers_close_pairs_lie_inside_the_null_of_its_own_model() -> None:
    """At D = 2.25, m = 4.4, N = 30: null mean 0.160, critical 0.203; its effects are 0.12 to 0.18."""
    rng = np.random.default_rng(1)
    grid = np.linspace(0.02, 1.0, 50)
    scale = np.sqrt(30 * 4.4 / 2.25 / 2)
    macro = np.mean([bridge_suprema(grid, np.zeros(50), 20_000, rng) / scale for _ in range(4)], axis=0)
    assert macro.mean() == pytest.approx(0.160, abs=0.002)
    assert np.quantile(macro, 0.95) == pytest.approx(0.203, abs=0.003)


def test_bridge_power_of_nothing_is_alpha_and_grows_with_n_for_something() -> None:
    rng = np.random.default_rng(0)
    a, same, slow = BASE.draw(60, rng), BASE.draw(60, rng), BASE.shifted(0.8).draw(60, rng)
    null = bridge_power(a, same, 60, tau=120.0, n_sim=2000)
    plugged = bridge_power(a, same, 60, tau=120.0, n_sim=2000, debias=False)
    assert null.drift < plugged.drift
    assert null.power < 0.25
    powers = [bridge_power(a, slow, n, tau=120.0, n_sim=2000).power for n in (5, 15, 60)]
    assert powers == sorted(powers)
    assert powers[-1] > 0.95
    assert 1.0 < null.design_effect < 4.0
    with pytest.raises(StatsError, match="design_effect"):
        bridge_power(a, slow, 5, tau=120.0, design_effect=-1.0)


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
