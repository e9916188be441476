"""Verdicts on arms whose answer is known, and letter displays checked against their definition."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.analysis.stats import Operations, StatsError, compact_letters, kaplan_meier, macro_tests, verdict


def one_op(times: np.ndarray, tau: float) -> Operations:
    done = times <= tau
    return Operations.from_arrays(np.where(done, times, tau), done)


def outcome(a: np.ndarray, b: np.ndarray, tau: float = 100.0) -> str:
    return verdict(macro_tests(one_op(a, tau), one_op(b, tau), tau=tau, n_resamples=999)).outcome


def test_the_four_outcomes_and_their_mirrors() -> None:
    rng = np.random.default_rng(0)
    fast, slow = rng.exponential(20, 60), rng.exponential(60, 60)
    spread = np.concatenate([rng.uniform(1, 10, 30), rng.uniform(80, 99, 30)])
    middle = rng.uniform(40, 55, 60)
    assert outcome(fast, slow) == "a_better"
    assert outcome(slow, fast) == "b_better"
    assert outcome(spread, middle) == outcome(middle, spread) == "crossing"
    assert outcome(fast, rng.permutation(fast)) == "not_resolved"


def test_sooner_but_less_often_is_a_crossing() -> None:
    often_late = np.full(80, 60.0) + np.arange(80) * 0.1
    soon_or_never = np.where(np.arange(80) % 2 == 0, 5.0 + np.arange(80) * 0.01, 1000.0)
    assert outcome(often_late, soon_or_never) == "crossing"
    tests = macro_tests(one_op(often_late, 100), one_op(soon_or_never, 100), tau=100.0, n_resamples=999)
    assert "steady succeeds more often, hasty is sooner" in verdict(tests).sentence("steady", "hasty")


def test_faster_on_every_layout_but_failing_on_some_is_a_crossing() -> None:
    """As a policy that ignores obstacles: always sooner when it succeeds, a quarter of the time it never does."""
    rng = np.random.default_rng(0)
    layouts = rng.uniform(5.4, 5.9, 40)
    careful = Operations.from_outcomes(np.ones(40), layouts, stratum=np.arange(40) // 4, block=np.arange(40))
    fails = np.arange(40) % 4 == 0
    hasty = Operations.from_outcomes(
        ~fails, np.where(fails, 15.0, layouts - 1.2), stratum=np.arange(40) // 4, block=np.arange(40)
    )
    assert verdict(macro_tests(careful, hasty, tau=15.0, n_resamples=999)).outcome == "crossing"


def test_sentences_name_the_winner_first() -> None:
    rng = np.random.default_rng(0)
    tests = macro_tests(one_op(rng.exponential(20, 50), 100), one_op(rng.exponential(80, 50), 100), n_resamples=999)
    assert verdict(tests).sentence("pi", "act").startswith("pi is better than act (p = 0.001)")
    unresolved = verdict(tests, p=0.4)
    assert not unresolved.resolved
    assert "not resolved" in unresolved.sentence()


def test_sup_signs_can_cycle_so_they_never_rank() -> None:
    """A triple on the regions of the PhAIL paper's Appendix I: A > B > C > A by the sign at the largest gap."""
    edges = np.array([1.0, 5.0, 20.0, 50.0])
    heights = {"A": [0.5, 0.5, 0.5, 0.5], "B": [0.1, 0.2, 0.6, 0.6], "C": [0.3, 0.3, 0.3, 0.8]}
    curves = {}
    for name, cdf in heights.items():
        jumps = np.round(np.diff([0, *cdf]) * 10).astype(int)
        times = np.concatenate([np.repeat(edges, jumps), np.full(10 - jumps.sum(), np.inf)])
        curves[name] = kaplan_meier(times, np.ones(10))
    found = {}
    for one, two in (("A", "B"), ("B", "C"), ("C", "A")):
        gap = curves[one].cdf_at(edges) - curves[two].cdf_at(edges)
        found[one + two] = (float(np.abs(gap).max()), edges[np.argmax(np.abs(gap))], gap[np.argmax(np.abs(gap))] > 0)
    assert found["AB"] == (pytest.approx(0.4), 1.0, True)
    assert found["BC"] == (pytest.approx(0.3), 20.0, True)
    assert found["CA"] == (pytest.approx(0.3), 50.0, True)


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 6).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.booleans(), min_size=15, max_size=15))))
def test_letters_are_shared_exactly_by_unresolved_pairs(case: tuple[int, list[bool]]) -> None:
    n, flags = case
    names = [f"p{i}" for i in range(n)]
    pairs = list(itertools.combinations(names, 2))
    differs = dict(zip(pairs, flags, strict=False))
    letters = compact_letters(names, differs)
    for one, two in pairs:
        assert bool(set(letters[one]) & set(letters[two])) is not differs[one, two]
    assert all(letters.values())


def test_letters_of_the_phail_ranking() -> None:
    names = ["OpenPI", "GR00T", "ACT", "SmolVLA"]
    resolved = {(a, b): not {a, b} <= {"OpenPI", "GR00T"} for a, b in itertools.combinations(names, 2)}
    assert compact_letters(names, resolved) == {"OpenPI": "a", "GR00T": "a", "ACT": "b", "SmolVLA": "c"}
    with pytest.raises(StatsError, match="names repeat"):
        compact_letters(["x", "x"], {})
    with pytest.raises(StatsError, match="not among the names"):
        compact_letters(["x"], {("x", "y"): True})
