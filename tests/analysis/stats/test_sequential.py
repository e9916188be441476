"""Sequential tests: error under continuous peeking, exact expectations."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from proctor.analysis.stats import (
    BettingTest,
    PairedEProcess,
    SequentialComparison,
    StatsError,
)


def test_one_step_wealth_has_mean_at_most_one_under_every_null() -> None:
    """Exact: after any short history, the expected next factor of a fair coin is 1."""
    for history in itertools.product([(0, 0), (0, 1), (1, 0), (1, 1)], repeat=3):
        wealth = []
        for winner in (True, False):
            paired = PairedEProcess()
            for a, b in history:
                paired.update(bool(a), bool(b))
            before = paired.e
            wealth.append(paired.update(winner, not winner) / before)
        assert np.mean(wealth) == pytest.approx(1.0)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_errors_stay_below_alpha_however_often_one_looks(p: float) -> None:
    rng = np.random.default_rng(int(100 * p))
    rejected = np.zeros(2)
    trials, length = 400, 150
    for _ in range(trials):
        ya, yb = rng.random(length) < p, rng.random(length) < p
        xa, xb = rng.beta(1, 2, length), rng.beta(1, 2, length)
        processes = [PairedEProcess(), BettingTest()]
        top = np.zeros(2)
        for i in range(length):
            top[0] = max(top[0], processes[0].update(bool(ya[i]), bool(yb[i])))
            top[1] = max(top[1], processes[1].update(xa[i], xb[i]))
        rejected += top >= 20
    assert np.all(rejected / trials <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / trials))


def play(p_a: float, p_b: float, seed: int, n_max: int = 200) -> SequentialComparison:
    rng = np.random.default_rng(seed)
    comparison = SequentialComparison("a", "b", tau_s=30.0, n_max=n_max)
    for pair in range(n_max):
        for name, p in (("b", p_b), ("a", p_a)):
            success = bool(rng.random() < p)
            comparison.update(name, str(pair), success, float(rng.uniform(5, 30)) if success else None)
        if comparison.decision != "continue":
            break
    return comparison


def test_a_clear_difference_stops_early_and_says_so() -> None:
    better = play(0.95, 0.3, 1)
    assert better.decision == "a_better"
    assert better.state.n_pairs < 40
    assert better.state.sentence.startswith("Stopped early after")
    assert play(0.3, 0.95, 1).decision == "b_better"


def test_equal_policies_end_unresolved() -> None:
    outcomes = [play(0.6, 0.6, seed, n_max=100).decision for seed in range(120)]
    assert outcomes.count("not_resolved") / 120 >= 0.93
    assert "continue" not in outcomes


def test_a_faster_policy_is_found_by_its_times() -> None:
    comparison = SequentialComparison("fast", "slow", tau_s=30.0, n_max=300)
    rng = np.random.default_rng(0)
    for pair in range(300):
        comparison.update("fast", str(pair), True, float(rng.uniform(3, 10)))
        comparison.update("slow", str(pair), True, float(rng.uniform(15, 30)))
        if comparison.decision != "continue":
            break
    assert comparison.decision == "a_better"


def test_pairs_count_once_both_are_in_whatever_the_order() -> None:
    comparison = SequentialComparison("a", "b", tau_s=10.0, n_max=5)
    assert comparison.update("a", "p1", True, 1.0).n_pairs == 0
    assert comparison.update("b", "p2", False).n_pairs == 0
    assert comparison.update("b", "p1", False).n_pairs == 1
    comparison.drop("p2")
    with pytest.raises(StatsError, match="counts once"):
        comparison.update("a", "p1", True, 1.0)
    with pytest.raises(StatsError, match="counts once"):
        comparison.update("a", "p2", True, 1.0)
    with pytest.raises(StatsError, match="none of"):
        comparison.update("c", "p3", True, 1.0)
    with pytest.raises(StatsError, match="needs its time"):
        comparison.update("a", "p3", True)
    with pytest.raises(StatsError, match="two names"):
        SequentialComparison("a", "a", tau_s=1.0, n_max=3)


def test_hostile_sequential_input_is_named() -> None:
    for call, words in (
        (lambda: BettingTest().update(1.2, 0.0), "score_a"),
        (lambda: SequentialComparison("a", "b", tau_s=0.0, n_max=3), "tau_s"),
    ):
        with pytest.raises(StatsError, match=words):
            call()
