"""The Wilson interval against SciPy's, and the laws it must obey."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from proctor.analysis.stats import wilson

trials = st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
confidences = st.floats(0.5, 0.999)


@given(trials, confidences)
def test_equals_scipy(kn: tuple[int, int], conf: float) -> None:
    oracle = binomtest(*kn).proportion_ci(confidence_level=conf, method="wilson")
    assert wilson(*kn, conf) == pytest.approx((oracle.low, oracle.high), abs=1e-12)


@given(trials, confidences)
def test_contains_the_estimate_and_stays_in_the_unit_interval(kn: tuple[int, int], conf: float) -> None:
    k, n = kn
    low, high = wilson(k, n, conf)
    assert 0.0 <= low <= k / n <= high <= 1.0


@given(trials)
def test_swapping_success_and_failure_mirrors_the_interval(kn: tuple[int, int]) -> None:
    k, n = kn
    low, high = wilson(k, n)
    assert wilson(n - k, n) == pytest.approx((1.0 - high, 1.0 - low), abs=1e-12)


@given(trials)
def test_more_confidence_is_wider(kn: tuple[int, int]) -> None:
    narrow, wide = wilson(*kn, 0.8), wilson(*kn, 0.99)
    assert wide[0] <= narrow[0]
    assert narrow[1] <= wide[1]


def test_bounds_are_the_roots_of_the_score_test() -> None:
    k, n, z = 7, 10, 1.959963984540054
    for p in wilson(k, n):
        assert abs(k / n - p) / math.sqrt(p * (1 - p) / n) == pytest.approx(z, rel=1e-9)


def test_extremes_do_not_collapse() -> None:
    assert wilson(0, 10)[0] == 0.0
    assert wilson(0, 10)[1] == pytest.approx(0.27753, abs=1e-5)
    assert wilson(10, 10)[1] == 1.0


def test_without_trials_nothing_is_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("k", "n", "conf"), [(-1, 3, 0.95), (4, 3, 0.95), (0, -1, 0.95), (1, 2, 0.0), (1, 2, 1.0)])
def test_bad_input_is_refused(k: int, n: int, conf: float) -> None:
    with pytest.raises(ValueError, match="wilson needs"):
        wilson(k, n, conf)
