"""Safe successes by counting; the cost interval against its laws and against the normal approximation."""

from __future__ import annotations

import numpy as np
import pytest

from proctor.analysis.stats import StatsError, cost_change_interval, mean_cost_interval, safe_successes


def test_safe_success_needs_both() -> None:
    assert safe_successes([1, 1, 0, 0], [0.0, 2.0, 0.0, 3.0]) == 1
    assert safe_successes([], []) == 0
    with pytest.raises(StatsError, match="equally long"):
        safe_successes([1], [0.0, 1.0])


def test_the_interval_holds_the_mean_and_scales_with_the_costs() -> None:
    costs = np.random.default_rng(0).poisson(3.0, 60).astype(float)
    mean, low, high = mean_cost_interval(costs)
    assert low < mean < high
    assert mean == costs.mean()
    assert mean_cost_interval(10 * costs) == pytest.approx((10 * mean, 10 * low, 10 * high))
    error = costs.std() / np.sqrt(costs.size)
    assert (low, high) == pytest.approx((mean - 1.96 * error, mean + 1.96 * error), abs=0.3 * error)


def test_tasks_are_fixed_so_their_differences_do_not_widen_it() -> None:
    costs = np.array([0.0] * 20 + [100.0] * 20)
    tasks = ["a"] * 20 + ["b"] * 20
    assert mean_cost_interval(costs, tasks) == (50.0, 50.0, 50.0)
    _, low, high = mean_cost_interval(costs)
    assert low < 40 < 60 < high


def test_few_episodes_per_task_do_not_look_certain() -> None:
    rng = np.random.default_rng(5)
    costs, tasks = rng.poisson(10.0, 200).astype(float), np.arange(200)
    error = costs.std() / np.sqrt(costs.size)
    for each in (1, 2):
        mean, low, high = mean_cost_interval(costs, tasks // each)
        assert (high - low) / (2 * 1.96 * error) == pytest.approx(1.0, abs=0.2)
        assert low < mean < high
    assert mean_cost_interval([4.0], ["only"]) == (4.0, 4.0, 4.0)


def test_coverage_of_a_skewed_cost() -> None:
    rng = np.random.default_rng(1)
    hits = 0
    for i in range(200):
        costs = rng.binomial(1, 0.4, 50) * rng.poisson(20.0, 50)
        _, low, high = mean_cost_interval(costs, n_resamples=400, seed=i)
        hits += low <= 8.0 <= high
    assert hits >= 180


def test_a_change_is_the_difference_and_turns_its_sign_with_the_order() -> None:
    rng = np.random.default_rng(2)
    old, new = rng.poisson(2.0, 40).astype(float), rng.poisson(6.0, 50).astype(float)
    change, low, high = cost_change_interval((old, None), (new, None))
    assert change == new.mean() - old.mean()
    error = np.sqrt(old.var() / old.size + new.var() / new.size)
    assert (low, high) == pytest.approx((change - 1.96 * error, change + 1.96 * error), abs=0.3 * error)
    back = cost_change_interval((new, None), (old, None))
    assert back == pytest.approx((-change, -high, -low), abs=0.15 * error)


def test_no_episode_is_refused() -> None:
    with pytest.raises(StatsError, match="at least one episode"):
        mean_cost_interval([])
