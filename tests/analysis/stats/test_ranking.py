"""Rankings and prediction-powered means: recovery of known truth, independent optimiser, coverage."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from proctor.analysis.stats import StatsError, bradley_terry

TRUTH = {"w": 1.0, "x": 0.3, "y": -0.3, "z": -1.0}


def play(n: int, nu: float, seed: int = 0) -> list[tuple[str, str, str]]:
    rng = np.random.default_rng(seed)
    rows = []
    for a, b in itertools.combinations(TRUTH, 2):
        weights = np.array([np.exp(TRUTH[a]), np.exp(TRUTH[b]), 2 * nu * np.exp((TRUTH[a] + TRUTH[b]) / 2)])
        rows += [(a, b, ("a", "b", "tie")[k]) for k in rng.choice(3, n, p=weights / weights.sum())]
    return rows


@pytest.mark.parametrize("nu", [0.0, 0.4])
def test_ratings_are_recovered(nu: float) -> None:
    found = bradley_terry(play(3000, nu))
    assert found.names == ("w", "x", "y", "z")
    np.testing.assert_allclose(found.ratings, list(TRUTH.values()), atol=0.08)
    assert found.tie_strength == pytest.approx(nu, abs=0.03)
    assert found.ratings.sum() == pytest.approx(0, abs=1e-9)
    assert np.all(np.abs(found.ratings - list(TRUTH.values())) < 4 * found.errors)
    assert found.probability("w", "z") + found.probability("z", "w") == pytest.approx(1)


def test_two_policies_have_the_closed_form() -> None:
    found = bradley_terry([("a", "b", "a")] * 30 + [("a", "b", "b")] * 10)
    assert found.ratings[0] - found.ratings[1] == pytest.approx(np.log(3))
    # The error of a log odds of 30 : 10 is sqrt(1/30 + 1/10); half of it lies on each centred rating.
    assert found.errors[0] == pytest.approx(np.sqrt(1 / 30 + 1 / 10) / 2)


def test_another_optimiser_finds_the_same_maximum() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    rows = play(12, 0.5, seed=3)
    found = bradley_terry(rows)
    names = sorted(TRUTH)

    def loss(v: np.ndarray) -> float:
        theta, nu, total = dict(zip(names, [*v[:3], -v[:3].sum()], strict=True)), np.exp(v[3]), 0.0
        for a, b, outcome in rows:
            terms = {"a": np.exp(theta[a]), "b": np.exp(theta[b]), "tie": 2 * nu * np.exp((theta[a] + theta[b]) / 2)}
            total -= np.log(terms[outcome] / sum(terms.values()))
        return total

    best = optimize.minimize(loss, np.zeros(4), method="BFGS")
    assert found.log_likelihood == pytest.approx(-best.fun, abs=1e-6)
    theirs = dict(zip(names, [*best.x[:3], -best.x[:3].sum()], strict=True))
    np.testing.assert_allclose(found.ratings, [theirs[name] for name in found.names], atol=1e-3)


def test_sessions_are_resampled_whole() -> None:
    rows = [("a", "b", "a")] * 50 + [("a", "b", "b")] * 10
    alone = bradley_terry(rows, n_resamples=200)
    assert alone.low[0] < alone.ratings[0] < alone.high[0]
    assert alone.n_failed_resamples == 0
    # All of b's wins fell into one of six sessions: a resample without it, (5/6)^6 of them, cannot be ranked.
    sessions = bradley_terry(rows, sessions=[i // 10 for i in range(60)], n_resamples=400)
    assert sessions.n_failed_resamples / 400 == pytest.approx((5 / 6) ** 6, abs=0.08)


def test_what_cannot_be_ranked_is_named() -> None:
    with pytest.raises(StatsError, match="x never lost"):
        bradley_terry([("x", "y", "a"), ("y", "z", "a"), ("z", "y", "a")])
    with pytest.raises(StatsError, match="never lost"):
        bradley_terry([("a", "b", "a"), ("b", "a", "a"), ("c", "d", "a"), ("d", "c", "a")])
    with pytest.raises(StatsError, match="no comparisons"):
        bradley_terry([])
    with pytest.raises(StatsError, match="itself"):
        bradley_terry([("a", "a", "tie")])
    with pytest.raises(StatsError, match="outcome"):
        bradley_terry([("a", "b", "draw")])
    with pytest.raises(StatsError, match="session labels"):
        bradley_terry([("a", "b", "a"), ("a", "b", "b")], sessions=[1], n_resamples=3)
    with pytest.raises(StatsError, match="every comparison is a tie"):
        bradley_terry([("a", "b", "tie")])
