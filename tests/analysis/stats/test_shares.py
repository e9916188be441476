"""Means of shares and their changes in pairs: coverage, closed forms, exact tests."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from proctor.analysis.stats import StatsError, mcnemar_exact, share_change, share_interval


@pytest.mark.parametrize("p", [0.02, 0.3, 0.9])
@pytest.mark.parametrize("n", [10, 40])
def test_the_interval_of_a_rate_covers_it(p: float, n: int) -> None:
    rng = np.random.default_rng([n, round(100 * p)])
    covered = 0
    for _ in range(400):
        found = share_interval((rng.random(n) < p).astype(float))
        covered += found.low <= p <= found.high
    assert covered / 400 >= 0.93


def test_tasks_that_differ_and_are_constant_have_no_spread_of_their_own() -> None:
    """Half of the tasks always reach all, half nothing: their mean is known, up to the made-up episodes."""
    values, tasks = [1.0] * 40 + [0.0] * 40, ["a"] * 20 + ["b"] * 20 + ["c"] * 20 + ["d"] * 20
    apart, together = share_interval(values, tasks), share_interval(values)
    assert apart.mean == together.mean == 0.5
    assert apart.high - apart.low < 0.8 * (together.high - together.low)


def test_what_was_always_seen_is_not_certain_and_more_of_it_is_surer() -> None:
    widths = []
    for n in (1, 5, 20, 100):
        found = share_interval([1.0] * n)
        assert found.mean == found.high == 1.0
        assert found.low < 1.0
        widths.append(1.0 - found.low)
    assert widths == sorted(widths, reverse=True)


def test_the_interval_does_not_depend_on_the_order_or_on_names() -> None:
    rng = np.random.default_rng(1)
    values, tasks = rng.random(30), rng.integers(0, 5, 30)
    shuffled = rng.permutation(30)
    first = share_interval(values, tasks.astype(str))
    second = share_interval(values[shuffled], (tasks[shuffled] + 7).astype(str))
    assert (first.low, first.high) == pytest.approx((second.low, second.high))


@pytest.mark.parametrize(("gained", "lost"), [(0, 0), (1, 0), (5, 0), (3, 2), (8, 3)])
def test_for_yes_and_no_the_sign_flip_test_is_mcnemars(gained: int, lost: int) -> None:
    first = [0.0] * gained + [1.0] * lost + [0.0, 1.0, 1.0]
    second = [1.0] * gained + [0.0] * lost + [0.0, 1.0, 1.0]
    found = share_change(first, second)
    assert found.p == pytest.approx(mcnemar_exact(gained, lost))
    assert found.change == pytest.approx((gained - lost) / len(first))


def test_the_sign_flip_test_counts_all_flips() -> None:
    change = np.array([0.5, 0.25, -0.25, 1.0, 0.75])
    sums = [abs(sum(s * d for s, d in zip(signs, change, strict=True))) for signs in product((-1, 1), repeat=5)]
    expected = np.mean([total >= abs(change.sum()) - 1e-9 for total in sums])
    first = np.where(change < 0, -change, 0.0)
    assert share_change(first, first + change).p == pytest.approx(expected)


def test_a_change_turns_round_with_its_sides_and_covers_the_truth() -> None:
    rng = np.random.default_rng(4)
    covered = 0
    for _ in range(200):
        first = rng.choice([0.0, 0.5, 1.0], 25)
        second = np.where(rng.random(25) < 0.7, first, rng.choice([0.0, 0.5, 1.0], 25, p=[0.2, 0.2, 0.6]))
        there, back = share_change(first, second, n_resamples=50), share_change(second, first, n_resamples=50)
        assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
        # Three in ten are drawn anew: from a mean of 0.5 to one of 0.7.
        covered += there.low <= 0.3 * 0.2 <= there.high
    assert covered / 200 >= 0.93


def test_under_no_change_few_p_values_are_small() -> None:
    rng = np.random.default_rng(9)
    small = 0
    for trial in range(200):
        values = rng.choice([0.0, 1 / 3, 2 / 3, 1.0], (2, 40))
        small += share_change(values[0], values[1], n_resamples=999, seed=trial).p <= 0.05
    assert small / 200 <= 0.10


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [([], [], "empty"), ([0.5], [0.5, 0.5], "as many"), ([1.5], [0.5], "outside 0 to 1"), ([0.1], [np.nan], "NaN")],
)
def test_a_mistake_says_what(first: list[float], second: list[float], why: str) -> None:
    with pytest.raises(StatsError, match=why):
        share_change(first, second)
