"""Sequential tests: error under continuous peeking, exact expectations, published boundaries."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from proctor.analysis.stats import (
    BettingTest,
    PairedEProcess,
    SequentialComparison,
    StatsError,
    TwoProportionEProcess,
    alpha_spending,
)


def test_one_step_wealth_has_mean_at_most_one_under_every_null() -> None:
    """Exact: after any short history, the expected next factor is at most 1 for equal shares (and 1 for fair coins)."""
    for history in itertools.product([(0, 0), (0, 1), (1, 0), (1, 1)], repeat=3):
        for p in (0.05, 0.3, 0.5, 0.9):
            expected = 0.0
            for ya, yb in itertools.product((0, 1), repeat=2):
                process = TwoProportionEProcess()
                for a, b in history:
                    process.update(bool(a), bool(b))
                before = process.e
                weight = (p if ya else 1 - p) * (p if yb else 1 - p)
                expected += weight * process.update(bool(ya), bool(yb)) / before
            assert expected <= 1 + 1e-12
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
    rejected = np.zeros(3)
    trials, length = 400, 150
    for _ in range(trials):
        ya, yb = rng.random(length) < p, rng.random(length) < p
        xa, xb = rng.beta(1, 2, length), rng.beta(1, 2, length)
        processes = [TwoProportionEProcess(), PairedEProcess(), BettingTest()]
        top = np.zeros(3)
        for i in range(length):
            top[0] = max(top[0], processes[0].update(bool(ya[i]), bool(yb[i])))
            top[1] = max(top[1], processes[1].update(bool(ya[i]), bool(yb[i])))
            top[2] = max(top[2], processes[2].update(xa[i], xb[i]))
        rejected += top >= 20
    assert np.all(rejected / trials <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / trials))


def test_power_and_sample_sizes_are_useful() -> None:
    """Two-sided, shares 0.5 and 0.7, at most 200 pairs: power about 0.76; 0.3 and 0.7: about 33 pairs."""
    rng = np.random.default_rng(0)
    stopped, lengths = 0, []
    for _ in range(300):
        process = TwoProportionEProcess()
        stopped += any(process.update(*(rng.random(2) < (0.5, 0.7))) >= 20 for _ in range(200))
        process = TwoProportionEProcess()
        lengths.append(next((i + 1 for i in range(500) if process.update(*(rng.random(2) < (0.3, 0.7))) >= 20), 500))
    assert stopped / 300 == pytest.approx(0.756, abs=0.08)
    assert np.mean(lengths) == pytest.approx(33, abs=6)


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


def test_boundaries_are_the_published_ones() -> None:
    looks = np.arange(1, 6) / 5
    fleming = alpha_spending(looks)
    np.testing.assert_allclose(fleming.z, [4.8769, 3.3569, 2.6803, 2.2898, 2.0310], atol=2e-3)
    pocock = alpha_spending(looks, kind="pocock")
    np.testing.assert_allclose(pocock.z, [2.4380, 2.4268, 2.4101, 2.3966, 2.3859], atol=2e-3)
    for kind in ("obrien_fleming", "pocock", "linear"):
        assert alpha_spending(looks, 0.05, kind).spent[-1] == pytest.approx(0.05)  # type: ignore[arg-type]
    assert alpha_spending([1.0]).z[0] == pytest.approx(1.959964, abs=1e-4)


def test_boundaries_keep_alpha_by_simulation() -> None:
    looks = np.array([0.3, 0.6, 1.0])
    z = alpha_spending(looks, 0.1, "linear").z
    rng = np.random.default_rng(0)
    walk = np.cumsum(rng.normal(size=(100_000, 3)) * np.sqrt(np.diff(looks, prepend=0.0)), axis=1) / np.sqrt(looks)
    assert np.mean(np.any(np.abs(walk) >= z, axis=1)) == pytest.approx(0.1, abs=0.004)


def test_hostile_sequential_input_is_named() -> None:
    for call, words in (
        (lambda: BettingTest().update(1.2, 0.0), "score_a"),
        (lambda: TwoProportionEProcess(prior=0), "prior"),
        (lambda: alpha_spending([0.5, 0.4]), "ascend"),
        (lambda: alpha_spending([1.0], kind="magic"), "kind"),  # type: ignore[arg-type]
        (lambda: SequentialComparison("a", "b", tau_s=0.0, n_max=3), "tau_s"),
    ):
        with pytest.raises(StatsError, match=words):
            call()
