"""The resampling engine against brute force on small cases, and the laws a permutation test must keep."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from proctor.analysis.stats import (
    MacroTest,
    Operations,
    StatsError,
    kaplan_meier,
    logrank,
    macro_ks,
    macro_tests,
)
from proctor.analysis.stats import _engine as engine
from proctor.analysis.stats import _kernel_numpy as kernel_numpy
from proctor.analysis.stats._macro import as_arms, pair_strata, westfall_young

TAU = 50.0
POINTS = np.array([10.0, 30.0, 50.0])


def arm(seed: int, n: int, scale: float = 20.0, strata: int = 2) -> Operations:
    """A small arm with ties, censoring and ghosts: 1 to 4 operations an episode."""
    rng = np.random.default_rng(seed)
    rows = []
    for episode in range(n * strata):
        for _ in range(rng.integers(1, 5)):
            kind = rng.random()
            time = np.inf if kind < 0.1 else float(np.ceil(rng.exponential(scale)))
            rows.append((time, int(kind < 0.8), episode, episode % strata))
    times, events, episodes, stratum = zip(*rows, strict=True)
    return Operations.from_arrays(times, events, episode=episodes, stratum=stratum)


def brute(strata_rows: list[tuple[Operations, np.ndarray, np.ndarray]], estimator: Any) -> np.ndarray:
    """Statistics of one resample by building both samples copy by copy and fitting curves one at a time."""
    columns = []
    for pooled, weights_a, weights_b in strata_rows:
        curves, samples = [], []
        for weights in (weights_a, weights_b):
            times: list[float] = []
            events: list[bool] = []
            label: list[int] = []
            for copy, e in enumerate(np.repeat(np.arange(weights.size), weights.astype(int))):
                own = pooled.episode == e
                times += pooled.times[own].tolist()
                events += pooled.events[own].tolist()
                label += [copy] * int(own.sum())
            samples.append((np.array(times), np.array(events), np.array(label)))
            curves.append(kaplan_meier(times, events, episode=label, estimator=estimator))
        whole = kaplan_meier(pooled.times, pooled.events, episode=pooled.episode, estimator=estimator)
        grid = np.unique(np.concatenate([[0.0], whole.times[whole.times <= TAU]]))
        gap = curves[1].survival_at(grid) - curves[0].survival_at(grid)
        jump = -np.diff(np.concatenate([[1.0], whole.survival_at(grid)]))
        lr = logrank(*samples[0][:2], *samples[1][:2])
        columns.append(
            [
                np.abs(gap).max(),
                max(gap.max(), 0),
                max((-gap).max(), 0),
                curves[0].rmst(TAU) - curves[1].rmst(TAU),
                float(jump @ gap**2),
                lr.observed - lr.expected,
                lr.variance,
                *(curves[0].cdf_at(POINTS) - curves[1].cdf_at(POINTS)),
            ]
        )
    table = np.array(columns)
    out = table.mean(axis=0)
    out[5:7] = table[:, 5:7].sum(axis=0)
    return out


def pooled_strata(a: Operations, b: Operations) -> list[Operations]:
    parts = []
    for label in a.strata:
        x, y = a.select(a.stratum == label), b.select(b.stratum == label)
        parts.append(
            Operations.from_arrays(
                np.concatenate([x.times, y.times]),
                np.concatenate([x.events, y.events]),
                episode=np.concatenate([x.episode, y.episode + x.n_episodes]),
            )
        )
    return parts


@pytest.mark.parametrize("estimator", ["pooled", "wang_chang", "first_op"])
@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("backend", ["numba", "numpy"])
def test_kernel_equals_brute_force(estimator: Any, replace: bool, backend: Any) -> None:
    a, b = arm(1, 4), arm(2, 5, 30.0)
    strata = pair_strata(a, b, TAU, estimator)
    # The logrank of a whole sample runs past tau; the kernel stops there, so the comparison is at a tau beyond all.
    fast = engine.null_statistics(
        strata, TAU, POINTS, n_resamples=40, seed=9, replace=replace, backend=backend, chunk=7
    )
    for number in (0, 6, 7, 39):
        rows = []
        for place, (stratum, pooled) in enumerate(zip(strata, pooled_strata(a, b), strict=True)):
            wa, wb = kernel_numpy.draw_weights(
                stratum.plan, pooled.n_episodes, replace, engine._key(9, place), number, 1
            )
            rows.append((pooled, wa[:, 0], wb[:, 0]))
        slow = brute(rows, estimator)
        keep = [i for i in range(slow.size) if i not in (engine.EXCESS, engine.SPREAD)]
        np.testing.assert_allclose(fast[keep, number], slow[keep], atol=1e-12)


def test_observed_distance_equals_a_loop_over_lifelines() -> None:
    lifelines = pytest.importorskip("lifelines")
    a, b = arm(7, 6), arm(8, 6, 30.0)
    distances = []
    for label in a.strata:
        curves = []
        for part in (a.select(a.stratum == label), b.select(b.stratum == label)):
            ghost = np.isinf(part.times)
            curves.append(lifelines.KaplanMeierFitter().fit(np.where(ghost, 1e9, part.times), part.events & ~ghost))
        grid = np.arange(0, TAU + 1)
        one, two = (curve.survival_function_at_times(grid).to_numpy() for curve in curves)
        distances.append(np.abs(one - two).max())
    assert macro_ks(a, b, tau=TAU, n_resamples=5).statistic == pytest.approx(np.mean(distances), abs=1e-12)


def test_permuted_logrank_equals_brute_force() -> None:
    a, b = arm(3, 4), arm(4, 4, 30.0)
    strata = pair_strata(a, b, 1e6)
    fast = engine.null_statistics(strata, 1e6, POINTS, n_resamples=20, seed=2, with_logrank=True)
    for number in (0, 19):
        rows = []
        for place, (stratum, pooled) in enumerate(zip(strata, pooled_strata(a, b), strict=True)):
            wa, wb = kernel_numpy.draw_weights(stratum.plan, pooled.n_episodes, False, engine._key(2, place), number, 1)
            rows.append((pooled, wa[:, 0], wb[:, 0]))
        slow = brute(rows, "pooled")
        np.testing.assert_allclose(fast[[5, 6], number], slow[[5, 6]], atol=1e-10)
    naive = logrank(a.times, a.events, b.times, b.events, a.stratum[a.episode], b.stratum[b.episode])
    assert macro_tests(a, b, tau=1e6, n_resamples=50).logrank.statistic == pytest.approx(naive.chi2)


@pytest.mark.parametrize("replace", [False, True])
def test_draws_have_the_right_margins(replace: bool) -> None:
    strata = pair_strata(arm(1, 6), arm(2, 3), TAU)
    wa, wb = kernel_numpy.draw_weights(strata[0].plan, 9, replace, 77, 0, 4000)
    np.testing.assert_array_equal(wa.sum(axis=0), 6)
    np.testing.assert_array_equal(wb.sum(axis=0), 3)
    np.testing.assert_allclose(wa.mean(axis=1), 6 / 9, atol=0.04)
    if not replace:
        np.testing.assert_array_equal(wa + wb, 1)


def test_p_value_approaches_the_full_enumeration() -> None:
    """3 against 3 episodes have 20 relabellings: all of them, by hand, against 20,000 random ones."""
    a, b = arm(5, 3, 10.0, strata=1), arm(6, 3, 40.0, strata=1)
    pooled = pooled_strata(a, b)[0]
    values = []
    for chosen in itertools.combinations(range(6), 3):
        weights = np.isin(np.arange(6), chosen).astype(float)
        values.append(brute([(pooled, weights, 1 - weights)], "pooled")[0])
    observed = brute([(pooled, np.array([1.0] * 3 + [0.0] * 3), np.array([0.0] * 3 + [1.0] * 3))], "pooled")[0]
    exact = np.mean(np.array(values) >= observed - 1e-9)
    test = macro_ks(a, b, tau=TAU, n_resamples=20_000)
    assert test.statistic == pytest.approx(observed)
    assert test.p == pytest.approx(exact, abs=0.015)


def test_threads_chunks_and_backends_do_not_change_the_answer() -> None:
    strata = pair_strata(arm(1, 8), arm(2, 8), TAU)
    runs = [
        engine.null_statistics(strata, TAU, POINTS, n_resamples=301, seed=4, threads=threads, chunk=chunk)
        for threads, chunk in ((1, 301), (2, 32), (3, 17), (1, 1))
    ]
    for other in runs[1:]:
        np.testing.assert_array_equal(runs[0], other)
    plain = engine.null_statistics(strata, TAU, POINTS, n_resamples=301, seed=4, backend="numpy")
    np.testing.assert_allclose(runs[0], plain, atol=1e-12)


@pytest.mark.parametrize("name", ["ks", "rmst", "cvm", "logrank"])
def test_same_seed_same_p_and_symmetry(name: str) -> None:
    def test(*arms: Operations, **options: Any) -> MacroTest:
        return getattr(macro_tests(*arms, **options), name)

    a, b = arm(1, 8), arm(2, 8, 30.0)
    one, two = (test(a, b, tau=TAU, n_resamples=200, seed=3) for _ in range(2))
    assert one.p == two.p
    np.testing.assert_array_equal(one.null, two.null)
    assert not np.array_equal(one.null, test(a, b, tau=TAU, n_resamples=200, seed=4).null)
    swapped = test(b, a, tau=TAU, n_resamples=200, seed=3)
    assert abs(swapped.statistic) == pytest.approx(abs(one.statistic))


def test_identical_arms_have_p_one_and_far_arms_the_smallest_p() -> None:
    a = arm(1, 8)
    same = macro_tests(a, a, tau=TAU, n_resamples=99)
    assert same.ks.statistic == 0
    assert same.ks.p == same.rmst.p == same.combined_p == 1.0
    slow = Operations.from_arrays(a.times + 45, a.events, episode=a.episode, stratum=a.stratum[a.episode])
    far = macro_tests(a, slow, tau=TAU, n_resamples=99)
    assert far.ks.p == 0.01
    assert far.rmst.statistic < 0
    assert far.p_up == 0.01
    assert far.p_down > 0.5


def test_pairs_are_blocks_of_two() -> None:
    """Ten pairs, a always 1 s faster inside a pair, pairs wildly different: only the paired test can see it."""
    rng = np.random.default_rng(0)
    base = rng.permutation(np.arange(10, 210, 20)).astype(float)
    kwargs: dict[str, Any] = {"n_resamples": 2000, "tau": 300.0}
    pairs = ([f"p{i}" for i in range(10)],) * 2
    arms = ((base, np.ones(10)), (base + 1, np.ones(10)))
    assert macro_tests(*arms, block=pairs, **kwargs).rmst.p == pytest.approx(2 / 1024, abs=2e-3)
    assert macro_tests(*arms, **kwargs).rmst.p > 0.9


def test_the_pooled_bootstrap_ignores_pairs() -> None:
    a, b = ([1.0, 2.0, 30.0], [1, 1, 1]), ([3.0, 4.0, 40.0], [1, 1, 1])
    kwargs: dict[str, Any] = {"method": "pooled_bootstrap", "n_resamples": 200, "tau": 50.0}
    assert macro_ks(a, b, block=(["x", "y", "z"],) * 2, **kwargs).p == macro_ks(a, b, **kwargs).p
    # The paper's p is the plain share of resamples, so it can be 0.
    far = macro_ks(([1.0] * 9, [1] * 9), ([40.0] * 9, [1] * 9), **{**kwargs, "n_resamples": 20})
    assert far.p == 0.0


def test_tables_arrays_and_operations_give_the_same_answer() -> None:
    a, b = arm(1, 5), arm(2, 5)

    def table(x: Operations) -> dict[str, Any]:
        return {"time": x.times, "event": x.events, "object": x.stratum[x.episode], "run": x.episode}

    direct = macro_ks(a, b, tau=TAU, n_resamples=100).p
    named = macro_ks(table(a), table(b), stratum="object", episode="run", tau=TAU, n_resamples=100).p
    rows = [dict(zip(table(a), row, strict=True)) for row in zip(*table(a).values(), strict=True)]
    listed = macro_ks(rows, table(b), stratum="object", episode="run", tau=TAU, n_resamples=100).p
    vectors = macro_ks(
        (a.times, a.events),
        (b.times, b.events),
        stratum=(a.stratum[a.episode], b.stratum[b.episode]),
        episode=(a.episode, b.episode),
        tau=TAU,
        n_resamples=100,
    ).p
    assert direct == named == listed == vectors


def test_westfall_young_of_one_statistic_is_its_own_p() -> None:
    null = np.random.default_rng(0).random((1, 99))
    observed = np.array([0.9])
    assert westfall_young(observed, null) == (1 + np.count_nonzero(null >= 0.9)) / 100
    both = westfall_young(np.array([0.9, 0.9]), np.concatenate([null, null]))
    assert both == westfall_young(observed, null)


@pytest.mark.parametrize(
    ("a", "b", "options", "words"),
    [
        (([], []), ([1.0], [1]), {}, "times_a is empty"),
        (([1.0], [1]), ([np.nan], [1]), {}, "NaN"),
        (([1.0], [1]), ([1.0], [1]), {"stratum": (["x"], ["y"])}, "has no episodes in arm"),
        (([1.0], [1]), ([1.0], [1]), {"tau": -1.0}, "tau"),
        (([1.0], [1]), ([1.0], [1]), {"method": "magic"}, "method"),
        (([1.0], [1]), ([1.0], [1]), {"n_resamples": 0}, "n_resamples"),
        (([1.0, 2.0], [1, 1]), ([1.0], [1]), {"stratum": (["x", "y"], ["x"]), "episode": ([0, 0], [0])}, "duplicate"),
        (([1.0], [1]), ([1.0], [1]), {"episode": ([0, 1], [0])}, "expected"),
        ({"time": [1.0]}, {"time": [1.0]}, {}, "no column 'events'"),
        ({"time": [1.0], "event": [1]}, {"time": [1.0], "event": [1]}, {"stratum": "object"}, "no column 'object'"),
        (([np.inf], [1]), ([np.inf], [1]), {}, "no arm has a finite time"),
        ([], ([1.0], [1]), {}, "arm a is empty"),
        (3, ([1.0], [1]), {}, "arm a is int"),
    ],
)
def test_hostile_arms_are_named(a: Any, b: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(StatsError, match=words) as caught:
        macro_ks(a, b, **{"n_resamples": 10, **options})
    assert "\n" not in str(caught.value)


def test_degenerate_arms_give_degenerate_answers() -> None:
    ghosts, censored = ([np.inf] * 3, [1] * 3), ([5.0] * 3, [0] * 3)
    assert macro_ks(ghosts, censored, n_resamples=50).p == 1.0
    one = macro_ks(([3.0], [1]), ([4.0], [1]), n_resamples=50)
    assert one.statistic == 1.0
    assert one.p == 1.0
    tied = macro_ks(([3.0] * 5, [1] * 5), ([3.0] * 5, [1] * 5), n_resamples=50)
    assert (tied.statistic, tied.p) == (0.0, 1.0)


def test_arms_reader_refuses_labels_beside_operations() -> None:
    with pytest.raises(StatsError, match="carries its own labels"):
        as_arms(arm(1, 2), arm(2, 2), (["x"], ["x"]), None, None)
