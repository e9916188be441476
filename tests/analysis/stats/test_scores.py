"""Scores by their identities, intervals by their laws, influences by finite differences."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from proctor.analysis.stats import (
    GENERATORS,
    Cohort,
    EpisodeRow,
    Operations,
    StatsError,
    Synthetic,
    auc,
    cdf_band,
    is_paired,
    kaplan_meier,
    operations,
    pp_curve,
    qq_curve,
    score_difference,
    score_interval,
    summarise,
    wilson,
)
from proctor.analysis.stats import _engine as engine
from proctor.analysis.stats._bootstrap import draw_counts
from proctor.analysis.stats._cells import effects, influence, influence_once, make_cells
from proctor.analysis.stats._scores import SCORES, USES, Parts

TAU = 240.0


def arm(seed: int = 0, n: int = 20, **changes: Any) -> Operations:
    return replace(GENERATORS["clustered"], **changes).draw(n, np.random.default_rng(seed))


def one(score: str, x: Operations, **options: Any) -> float:
    return score_interval(x, score, tau=TAU, kind="normal", **options).estimate  # type: ignore[arg-type]


def test_scores_are_functionals_of_the_curve() -> None:
    x = arm(0, 30, medians_s=(50.0,))
    curve = kaplan_meier(x.times, x.events)
    r, f = curve.rmst(TAU), float(curve.cdf_at(TAU))
    assert one("rmst", x) == pytest.approx(r)
    assert one("success", x) == pytest.approx(f)
    assert one("uph", x) == pytest.approx(3600 * f / r)
    assert one("uph_inverse", x) == pytest.approx(3600 / r)
    assert one("mtbf", x) == pytest.approx(r / (1 - f))
    assert one("uph_conditional", x) == pytest.approx(3600 * f / (r - TAU * (1 - f)))
    assert one("hrt", x, reference=Cohort("self", x)) == pytest.approx(1.0)
    done = np.isfinite(x.times) & x.events
    assert x.duration_s is not None
    assert one("items_per_hour", x) == pytest.approx(3600 * done.sum() / x.duration_s.sum())
    assert one("completion", x) == pytest.approx(done.sum() / (8 * 30))


def test_conditional_mean_is_the_mean_of_what_was_done_without_censoring() -> None:
    times = np.array([5.0, 10.0, 30.0, np.inf])
    x = Operations.from_arrays(times, np.ones(4))
    assert one("uph_conditional", x) == pytest.approx(3600 / 15)


def test_three_definitions_of_units_per_hour_differ_as_documented() -> None:
    """Log-normal median 40 s, sd 0.8, 5 % ghosts, tau 240: 69.8, 56.9 and 53.4 per hour."""
    rng = np.random.default_rng(0)
    times = np.exp(rng.normal(np.log(40), 0.8, 200_000))
    times[rng.random(times.size) < 0.05] = np.inf
    x = Operations.from_arrays(times, np.ones(times.size))
    assert one("uph_conditional", x) == pytest.approx(69.8, abs=0.4)
    assert one("uph_inverse", x) == pytest.approx(56.9, abs=0.4)
    assert one("uph", x) == pytest.approx(53.4, abs=0.4)


def test_pooled_curve_is_biased_on_correlated_gaps_and_wang_chang_is_not() -> None:
    """Log-time correlation 0.64: truth F(60) = 0.524 and RMST(240) = 77.4; pooled 0.656 and 64.4."""
    x = Synthetic(medians_s=(55.0,)).draw(9000, np.random.default_rng(1))
    found = {
        method: kaplan_meier(x.times, x.events, episode=x.episode, estimator=method)  # type: ignore[arg-type]
        for method in ("pooled", "wang_chang", "first_op")
    }
    assert float(found["pooled"].cdf_at(60)) == pytest.approx(0.656, abs=0.01)
    assert found["pooled"].rmst(240) == pytest.approx(64.4, abs=1.0)
    for method in ("wang_chang", "first_op"):
        assert float(found[method].cdf_at(60)) == pytest.approx(0.524, abs=0.02)
        assert found[method].rmst(240) == pytest.approx(77.4, abs=1.5)


def test_influences_are_derivatives_and_both_forms_agree() -> None:
    x = arm(3, 6, medians_s=(50.0,))
    cell = make_cells(x, TAU, "pooled", pooled=True)["all"]
    n = cell.size
    rng = np.random.default_rng(0)
    weights = rng.integers(1, 4, (n, 3)).astype(float)
    found = influence(cell.layout, TAU, weights)
    step = 1e-6
    points = np.array([TAU])
    base = engine.weigh_one(cell.layout, points, TAU, weights)
    np.testing.assert_allclose(found.rmst, base[0])
    np.testing.assert_allclose(found.cdf, base[1], atol=1e-12)
    for e in range(n):
        bumped = weights.copy()
        bumped[e] += step
        moved = (engine.weigh_one(cell.layout, points, TAU, bumped) - base) / step
        np.testing.assert_allclose(found.on_rmst[:, e], moved[0], atol=1e-4, rtol=1e-4)
        np.testing.assert_allclose(found.on_cdf[:, e], moved[1], atol=1e-6, rtol=1e-4)
    whole, single = influence(cell.layout, TAU, np.ones((n, 1))), influence_once(cell.layout, TAU)
    for name in ("rmst", "cdf", "on_rmst", "on_cdf"):
        np.testing.assert_allclose(getattr(whole, name), getattr(single, name), atol=1e-12)


def test_influences_reproduce_greenwood_for_one_operation_an_episode() -> None:
    """Without clusters the influence variance of RMST is close to Greenwood's (equal as n grows)."""
    rng = np.random.default_rng(2)
    times, events = rng.exponential(40, 4000), rng.random(4000) < 0.8
    cell = make_cells(Operations.from_arrays(times, events), 60.0, "pooled", pooled=True)["all"]
    variance = float(np.sum(effects("rmst", [cell], 60.0).own[0] ** 2))
    assert variance == pytest.approx(kaplan_meier(times, events).rmst_variance(60.0), rel=0.01)


@pytest.mark.parametrize("kind", [None, "studentised", "bca", "percentile", "normal"])
@pytest.mark.parametrize("score", ["rmst", "success", "uph", "mtbf", "items_per_hour", "completion", "mtbf_episodes"])
def test_intervals_hold_their_estimate_and_shrink_with_n(kind: Any, score: Any) -> None:
    small, large = (score_interval(arm(5, n), score, tau=TAU, kind=kind, n_resamples=200) for n in (15, 120))
    for found in (small, large):
        assert found.low <= found.estimate <= found.high
    assert large.high - large.low < small.high - small.low or np.isinf(small.high)
    again = score_interval(arm(5, 15), score, tau=TAU, kind=kind, n_resamples=200)
    assert again == small


def test_the_reference_cohort_is_resampled_too() -> None:
    x, few, many = arm(1, 25), arm(2, 4, medians_s=(10.0,) * 4), arm(2, 200, medians_s=(10.0,) * 4)
    for kind in ("studentised", "bca", "percentile", "normal"):
        wide, narrow = (
            score_interval(x, "hrt", tau=TAU, reference=Cohort("human", cohort), kind=kind, n_resamples=300)  # type: ignore[arg-type]
            for cohort in (few, many)
        )
        assert wide.high - wide.low > narrow.high - narrow.low
        assert narrow.low < narrow.estimate < narrow.high < 0.5
        assert narrow.reference == "human"
    with pytest.raises(StatsError, match="needs a name"):
        Cohort("", many)


def test_intervals_of_large_arms_agree_with_resampling() -> None:
    x = arm(7, 150)
    ends = [
        (found.low, found.high)
        for kind in ("studentised", "bca", "percentile", "normal", "bounded")
        for found in [score_interval(x, "rmst", tau=TAU, kind=kind, n_resamples=2000)]  # type: ignore[arg-type]
    ]
    width = ends[0][1] - ends[0][0]
    for low, high in ends[1:]:
        assert abs(low - ends[0][0]) < 0.12 * width
        assert abs(high - ends[0][1]) < 0.12 * width


def test_edges_use_wilson_where_resampling_sees_nothing() -> None:
    never = operations([EpisodeRow(str(i), 30.0) for i in range(10)])
    unseen = wilson(0, 10)[1]
    for kind in ("studentised", "bca", "percentile", "normal"):
        share = score_interval(never, "success", tau=30.0, kind=kind)  # type: ignore[arg-type]
        assert (share.low, share.high) == (0.0, pytest.approx(unseen))
        found = score_interval(never, "rmst", tau=30.0, kind=kind)  # type: ignore[arg-type]
        assert (found.low, found.estimate, found.high) == (pytest.approx(30 * (1 - unseen)), 30.0, 30.0)
    always = operations([EpisodeRow(str(i), 3.0 + i, (3.0 + i,), ended="done") for i in range(10)])
    mtbf = score_interval(always, "mtbf", tau=30.0)
    assert mtbf.estimate == mtbf.high == np.inf
    assert 0 < mtbf.low < 1000
    assert score_interval(always, "success", tau=30.0, kind="bca").low == pytest.approx(1 - unseen)


DEGENERATE = {
    "ghosts": ([np.inf] * 5, [1] * 5),
    "at once": ([0.0] * 5, [1] * 5),
    "censored": ([5.0] * 5, [0] * 5),
    "beyond tau": ([50.0] * 5, [1] * 5),
    "tied": ([7.0] * 5, [1] * 5),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("kind", [None, "bca", "studentised", "percentile", "normal"])
def test_degenerate_arms_have_ordered_intervals(name: str, kind: Any) -> None:
    x = Operations.from_arrays(*DEGENERATE[name])
    for score in ("rmst", "success", "uph", "uph_conditional", "uph_inverse", "failures_per_hour", "mtbf"):
        found = score_interval(x, score, tau=30.0, kind=kind, n_resamples=20)  # type: ignore[arg-type]
        assert found.low <= found.estimate <= found.high, found
    band = cdf_band(x, tau=30.0, n_resamples=20)
    assert band.high.max() > 0
    assert (band.high - band.low).max() > 0.1
    assert score_difference(x, x, tau=30.0, n_resamples=20).estimate == 0


def test_bounded_intervals_are_agresti_and_caffos_for_one_operation_an_episode() -> None:
    """Add one success and one failure to each arm, then Wald."""
    for k, n in ((0, 10), (3, 12), (40, 40)):
        arm_k = operations(
            [EpisodeRow(str(i), 9.0, (4.0,) if i < k else (), ended="done" if i < k else "timeout") for i in range(n)]
        )
        found = score_interval(arm_k, "success", tau=9.0)
        p = (k + 1) / (n + 2)
        reach = 1.959964 * np.sqrt(p * (1 - p) / (n + 2))
        assert found.kind == "bounded"
        assert (found.low, found.high) == pytest.approx((max(0, p - reach), min(1, p + reach)), abs=1e-6)
    a = operations([EpisodeRow(str(i), 9.0, (4.0,) if i < 7 else ()) for i in range(10)])
    b = operations([EpisodeRow(str(i), 9.0, (4.0,) if i < 2 else ()) for i in range(10)])
    found = score_difference(a, b, "success", tau=9.0)
    p, q = 8 / 12, 3 / 12
    reach = 1.959964 * np.sqrt((p * (1 - p) + q * (1 - q)) / 12)
    assert (found.low, found.high) == pytest.approx((p - q - reach, p - q + reach), abs=1e-6)


def test_differences_are_antisymmetric_and_pairs_help() -> None:
    a, b = arm(1, 20), arm(2, 20)
    there, back = score_difference(a, b, tau=TAU), score_difference(b, a, tau=TAU)
    assert there.estimate == pytest.approx(-back.estimate)
    base = np.random.default_rng(0).uniform(5, 200, 40)
    pairs = [f"p{i}" for i in range(40)]
    fast = Operations.from_arrays(base, np.ones(40), block=pairs)
    slow = Operations.from_arrays(base[::-1] + 5, np.ones(40), block=pairs[::-1])
    assert is_paired(fast, slow)
    paired = score_difference(fast, slow, tau=TAU)
    apart = score_difference(replace(fast, block=None), replace(slow, block=None), tau=TAU)
    assert paired.estimate == pytest.approx(apart.estimate) == pytest.approx(-5)
    assert paired.high < 0 < apart.high


def test_differences_cover_zero_about_as_often_as_they_say() -> None:
    inside = 0
    for i in range(120):
        a, b = arm(2 * i + 1000, 12), arm(2 * i + 1001, 12)
        found = score_difference(a, b, tau=TAU, n_resamples=199, seed=i)
        inside += found.low <= 0 <= found.high
    assert 0.89 <= inside / 120 <= 0.99


def test_resampled_means_have_the_unbiased_variance() -> None:
    values = np.random.default_rng(0).normal(size=8)
    counts = draw_counts(8, 40_000, np.random.default_rng(1))
    means = values @ counts / counts.sum(axis=0)
    assert means.var() == pytest.approx(values.var(ddof=1) / 8, rel=0.03)


def test_bands_hold_the_whole_true_curve() -> None:
    x = arm(4, 20)
    band = cdf_band(x, tau=TAU, n_resamples=400)
    assert np.all(band.low <= band.cdf)
    assert np.all(band.cdf <= band.high)
    assert np.all(np.diff(band.cdf) >= -1e-12)
    truth = cdf_band(arm(99, 4000), tau=TAU, n_resamples=2).cdf
    inside = 0
    for i in range(60):
        found = cdf_band(arm(300 + i, 15), tau=TAU, n_resamples=200, seed=i)
        inside += bool(np.all((found.low - 1e-9 <= truth) & (truth <= found.high + 1e-9)))
    assert inside / 60 >= 0.85


def test_identities_of_curves() -> None:
    """P-P distance is KS, AUC is Mann-Whitney with half ties, signed area is the RMST difference."""
    rng = np.random.default_rng(0)
    s, t = np.round(rng.exponential(30, 40)), np.round(rng.exponential(45, 30))
    one_curve, other = kaplan_meier(s, np.ones(40)), kaplan_meier(t, np.ones(30))
    stats = pytest.importorskip("scipy.stats")
    x, y = pp_curve(one_curve, other)
    assert np.abs(y - x).max() == pytest.approx(stats.ks_2samp(s, t).statistic)
    wins = stats.mannwhitneyu(t, s).statistic / (40 * 30)
    assert auc(one_curve, other) == pytest.approx(wins)
    assert auc(one_curve, one_curve) == pytest.approx(0.5)
    assert auc(one_curve, other, tau=30) + auc(other, one_curve, tau=30) == pytest.approx(1)
    assert auc(one_curve, one_curve, ties="none") < 0.5
    grid = np.linspace(0, 50, 200_001)
    area = np.trapezoid(one_curve.survival_at(grid) - other.survival_at(grid), grid)
    assert one_curve.rmst(50) - other.rmst(50) == pytest.approx(area, abs=1e-3)
    reference, own = qq_curve(kaplan_meier(2 * s, np.ones(40)), one_curve)
    np.testing.assert_allclose(own, 2 * reference)
    ghosts = kaplan_meier([np.inf], [1])
    assert auc(ghosts, ghosts) == 0.5
    assert qq_curve(ghosts, one_curve)[0].size == 0


def test_hostile_scores_are_named() -> None:
    x = arm(0, 3)
    calls: list[tuple[Any, str]] = [
        (lambda: score_interval(x, "speed", tau=TAU), "score is 'speed'"),  # type: ignore[arg-type]
        (lambda: score_interval(x, "hrt", tau=TAU), "needs reference"),
        (lambda: score_interval(x, "rmst", tau=TAU, reference=Cohort("self", x)), "takes no reference"),
        (lambda: score_interval(x, tau=TAU, kind="magic"), "kind is"),  # type: ignore[arg-type]
        (lambda: score_interval(x, "uph", tau=TAU, kind="bounded"), "no upper bound"),
        (lambda: score_interval(arm(0, 1), tau=TAU), "one episode"),
        (lambda: score_interval(x, tau=0.0), "tau"),
        (lambda: score_interval(Operations.from_arrays([1.0, 2.0], [1, 1]), "completion", tau=5.0), "durations"),
        (lambda: score_difference(x, arm(0, 3, medians_s=(1.0,)), tau=TAU), "has no episodes in arm"),
        (lambda: score_difference(x, x, "mtbf", tau=TAU), "can be infinite"),
        (lambda: cdf_band(x, tau=TAU, times=[3.0, 1.0]), "ascending"),
    ]
    for call, words in calls:
        with pytest.raises(StatsError, match=words):
            call()


def test_a_score_uses_exactly_the_parts_it_says() -> None:
    rng = np.random.default_rng(0)
    names = [field.name for field in fields(Parts) if field.name not in ("tau", "reference_rmst")]
    base = {name: rng.uniform(0.4, 0.45, 1) for name in names}
    for score, formula in SCORES.items():
        before = formula(Parts(0.5, reference_rmst=np.ones(1), **base))
        moves = {
            name
            for name in names
            if formula(Parts(0.5, reference_rmst=np.ones(1), **{**base, name: base[name] * 1.01})) != before
        }
        assert moves == USES[score], score


def test_a_summary_of_columns_equals_each_policy_alone() -> None:
    rng = np.random.default_rng(0)
    n = 240
    columns = {
        "policy": np.repeat(["p", "q"], n // 2),
        "stratum": np.tile(["s", "t", "u"], n // 3),
        "success": rng.random(n) < 0.7,
        "time_s": rng.uniform(1, 20, n),
    }
    order = rng.permutation(n)
    found = summarise({name: column[order] for name, column in columns.items()}, tau=20.0, n_resamples=99)
    assert list(found) == ["p", "q"]
    mine = columns["policy"] == "q"
    alone = Operations.from_outcomes(
        columns["success"][mine], columns["time_s"][mine], stratum=columns["stratum"][mine]
    )
    for score in ("success", "rmst"):
        again = score_interval(alone, score, tau=20.0, n_resamples=99)  # type: ignore[arg-type]
        assert found["q"][score].estimate == pytest.approx(again.estimate)
        assert (found["q"][score].low, found["q"][score].high) == pytest.approx((again.low, again.high))
    with pytest.raises(StatsError, match="column 'policy' is missing"):
        summarise({"success": [1]}, tau=1.0)
    with pytest.raises(StatsError, match="nothing to summarise"):
        summarise({name: [] for name in columns}, tau=1.0)
    with pytest.raises(StatsError, match="is infinite"):
        Operations.from_outcomes([1], [np.inf])
