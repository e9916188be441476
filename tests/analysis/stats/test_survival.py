"""Survival curves against hand-made fractions and three independent libraries (Freireich et al. 1963, 6-MP trial)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.analysis.stats import StatsError, kaplan_meier, logrank, rmst

TREATED = np.array([6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35], float)
TREATED_EVENT = np.array([1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0])
PLACEBO = np.array([1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23], float)
PLACEBO_EVENT = np.ones(21, int)


def test_curve_of_freireich_is_the_published_one() -> None:
    curve = kaplan_meier(TREATED, TREATED_EVENT)
    at = [6, 7, 10, 13, 16, 22, 23]
    exact = [1.0]
    for n, d in [(21, 3), (17, 1), (15, 1), (12, 1), (11, 1), (7, 1), (6, 1)]:
        exact.append(float(Fraction(exact[-1]).limit_denominator(10**9) * Fraction(n - d, n)))
    np.testing.assert_allclose(curve.survival_at(at), exact[1:], atol=1e-9)
    np.testing.assert_allclose(
        curve.survival_at(at), [0.857143, 0.806723, 0.752941, 0.690196, 0.627451, 0.537815, 0.448179], atol=1e-6
    )


@pytest.mark.parametrize(
    ("tau", "treated", "placebo"),
    [(15, 12.916527, 7.857143), (20, 16.116527, 8.428571), (23, 17.909244, 8.666667), (30, 21.046499, None)],
)
def test_restricted_means_of_freireich(tau: float, treated: float, placebo: float | None) -> None:
    assert rmst(TREATED, TREATED_EVENT, tau) == pytest.approx(treated, abs=1e-6)
    if placebo is not None:
        assert rmst(PLACEBO, PLACEBO_EVENT, tau) == pytest.approx(placebo, abs=1e-6)


def test_restricted_mean_at_the_end_of_follow_up_and_its_variance() -> None:
    assert rmst(TREATED, TREATED_EVENT, 35) == pytest.approx(23.287395, abs=1e-6)
    assert kaplan_meier(TREATED, TREATED_EVENT).rmst_variance(23) == pytest.approx(2.412399, abs=1e-6)


def test_logrank_of_freireich() -> None:
    result = logrank(TREATED, TREATED_EVENT, PLACEBO, PLACEBO_EVENT)
    assert result.observed == 9
    assert result.expected == pytest.approx(19.250501, abs=1e-6)
    assert result.variance == pytest.approx(6.256961, abs=1e-6)
    assert result.chi2 == pytest.approx(16.792941, abs=1e-6)
    assert result.p == pytest.approx(4.168809e-05, rel=1e-6)
    # Two strata by turns down the table as printed: remissions that ended, those still going on, then placebo.
    strata = np.arange(42) % 2
    printed = np.argsort(-TREATED_EVENT, kind="stable")
    stratified = logrank(TREATED[printed], TREATED_EVENT[printed], PLACEBO, PLACEBO_EVENT, strata[:21], strata[21:])
    assert stratified.chi2 == pytest.approx(16.176085, abs=1e-6)
    assert stratified.p == pytest.approx(5.771822e-05, rel=1e-6)


@pytest.mark.parametrize(("weighting", "chi2"), [("wilcoxon", 13.4579), ("tarone_ware", 15.1236), ("peto", 14.0841)])
def test_weighted_logrank_of_freireich(weighting: str, chi2: float) -> None:
    result = logrank(TREATED, TREATED_EVENT, PLACEBO, PLACEBO_EVENT, weighting=weighting)  # type: ignore[arg-type]
    assert result.chi2 == pytest.approx(chi2, abs=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_three_libraries_agree_on_censored_tied_data(seed: int) -> None:
    lifelines = pytest.importorskip("lifelines")
    utils = pytest.importorskip("lifelines.utils")
    survfunc = pytest.importorskip("statsmodels.duration.survfunc")
    scipy_stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(seed)
    times = np.ceil(rng.exponential(20, 60))
    events = rng.random(60) < 0.7
    ours = kaplan_meier(times, events)
    fitted = lifelines.KaplanMeierFitter().fit(times, events)
    np.testing.assert_allclose(ours.survival_at(ours.times), fitted.predict(ours.times).to_numpy(), atol=1e-12)
    assert ours.rmst(30) == pytest.approx(utils.restricted_mean_survival_time(fitted, t=30), abs=1e-9)
    right = survfunc.SurvfuncRight(times, events)
    np.testing.assert_allclose(ours.survival_at(right.surv_times), right.surv_prob, atol=1e-12)
    greenwood = ours.variance[np.searchsorted(ours.times, right.surv_times)]
    np.testing.assert_allclose(np.sqrt(greenwood[:-1]), right.surv_prob_se[:-1], atol=1e-12)
    data = scipy_stats.CensoredData.right_censored(times, ~events)
    np.testing.assert_allclose(ours.survival_at(ours.times), scipy_stats.ecdf(data).sf.evaluate(ours.times), atol=1e-12)
    half, stratum = np.arange(60) < 30, rng.integers(0, 3, 60)
    chi2, p = survfunc.survdiff(times, events, half, strata=stratum)
    ours_lr = logrank(times[half], events[half], times[~half], events[~half], stratum[half], stratum[~half])
    assert (ours_lr.chi2, ours_lr.p) == pytest.approx((chi2, p), rel=1e-9)


def test_ghosts_stay_at_risk_for_ever() -> None:
    times, events = [3.0, 5.0, np.inf, 8.0], [1, 1, 1, 0]
    curve = kaplan_meier(times, events)
    assert curve.survival_at(7.0) == pytest.approx(0.5)
    far = kaplan_meier([3.0, 5.0, 1e9, 8.0], [1, 1, 0, 0])
    grid = np.linspace(0, 100, 201)
    np.testing.assert_allclose(curve.survival_at(grid), far.survival_at(grid))
    assert curve.median == 5.0
    assert curve.quantile(0.75) == np.inf
    ghosts = logrank(times, events, [1.0, 2.0, np.inf], [1, 1, 1])
    stand_in = logrank([3.0, 5.0, 1e9, 8.0], [1, 1, 0, 0], [1.0, 2.0, 1e9], [1, 1, 0])
    assert ghosts.chi2 == pytest.approx(stand_in.chi2, rel=1e-12)


def test_all_censored_and_all_ghosts_level_at_one() -> None:
    for times, events in (([4.0, 7.0], [0, 0]), ([np.inf, np.inf], [1, 1])):
        curve = kaplan_meier(times, events)
        assert curve.survival_at(100.0) == 1.0
        assert curve.rmst(60.0) == 60.0
        assert curve.median == np.inf


def test_one_observation() -> None:
    assert rmst([4.0], [1], 10.0) == 4.0
    assert rmst([4.0], [0], 10.0) == 10.0


def test_wang_chang_is_the_weighted_curve_by_definition() -> None:
    """By hand: episode x has gaps 2, 4 (+ censored tail 1), y has 3, z is censored at 5 with nothing done."""
    times, events = [2.0, 4.0, 1.0, 3.0, 5.0], [1, 1, 0, 1, 0]
    curve = kaplan_meier(times, events, episode=["x", "x", "x", "y", "z"], estimator="wang_chang")
    expected = [1 - 0.5 / 3, (1 - 0.5 / 3) * (1 - 1 / 2.5), (1 - 0.5 / 3) * (1 - 1 / 2.5) * (1 - 0.5 / 1.5)]
    np.testing.assert_allclose(curve.survival_at([2, 3, 4]), expected)
    first = kaplan_meier(times, events, episode=["x", "x", "x", "y", "z"], estimator="first_op")
    np.testing.assert_allclose(first.survival_at([2, 3, 4]), [2 / 3, 1 / 3, 1 / 3])


samples = st.lists(
    st.tuples(st.integers(0, 20), st.sampled_from(["event", "censored", "ghost"])), min_size=1, max_size=30
)


def _arrays(rows: list[tuple[int, str]]) -> tuple[np.ndarray, np.ndarray]:
    times = np.array([np.inf if kind == "ghost" else float(t) for t, kind in rows])
    return times, np.array([kind != "censored" for _, kind in rows])


@settings(max_examples=60, deadline=None)
@given(rows=samples, scale=st.floats(0.1, 10))
def test_laws_of_a_curve(rows: list[tuple[int, str]], scale: float) -> None:
    times, events = _arrays(rows)
    curve = kaplan_meier(times, events)
    grid = np.arange(0, 25.0)
    survival = curve.survival_at(grid)
    assert np.all(np.diff(survival) <= 1e-12)
    assert np.all((survival >= -1e-12) & (survival <= 1))
    assert curve.rmst(10) <= curve.rmst(20) <= 20 + 1e-9
    np.testing.assert_allclose(kaplan_meier(times * scale, events).rmst(10 * scale), scale * curve.rmst(10))
    order = np.random.default_rng(0).permutation(times.size)
    np.testing.assert_allclose(kaplan_meier(times[order], events[order]).survival_at(grid), survival)
    if events.all():
        np.testing.assert_allclose(survival, [(times > t).mean() for t in grid], atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(a=samples, b=samples)
def test_logrank_is_symmetric_in_the_arms(a: list[tuple[int, str]], b: list[tuple[int, str]]) -> None:
    ab, ba = logrank(*_arrays(a), *_arrays(b)), logrank(*_arrays(b), *_arrays(a))
    assert ab.chi2 == pytest.approx(ba.chi2, rel=1e-9, abs=1e-9)
    assert 0 <= ab.p <= 1
    assert logrank(*_arrays(a), *_arrays(a)).chi2 == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("times", "events", "words"),
    [
        ([], [], "is empty"),
        ([1.0, np.nan], [1, 1], r"times\[1\] is NaN"),
        ([1.0, -2.0], [1, 1], r"times\[1\] is -2"),
        ([1.0, np.inf], [1, 0], r"times\[1\] is censored at infinity"),
        ([1.0, 2.0], [1, 2], r"events\[1\] is 2"),
        ([1.0, 2.0], [1], "equally long"),
        ([[1.0]], [[1]], "one-dimensional"),
        (["x"], [1], "must be numbers"),
    ],
)
def test_hostile_samples_are_named(times: list[float], events: list[int], words: str) -> None:
    with pytest.raises(StatsError, match=words) as caught:
        kaplan_meier(times, events)
    assert "\n" not in str(caught.value)


def test_hostile_options_are_named() -> None:
    for tau in (0, -1, np.inf, np.nan):
        with pytest.raises(StatsError, match="tau"):
            rmst([1.0], [1], tau)
    with pytest.raises(StatsError, match="needs episode"):
        kaplan_meier([1.0], [1], estimator="wang_chang")
    with pytest.raises(StatsError, match="one arm only"):
        logrank([1.0], [1], [2.0], [1], strata_a=[0])
