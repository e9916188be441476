"""Intervals and tests of shares: published numbers, independent libraries, and 789 outcomes of VLA-REPLICA."""

from __future__ import annotations

import itertools
from math import comb

import numpy as np
import pytest
from appendix_g import PAPER, read_outcomes
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.analysis.stats import (
    StatsError,
    cohen_kappa,
    connor_sample_size,
    gwet_ac1,
    holm,
    interval_sample_size,
    mcnemar_exact,
    newcombe,
    newcombe_paired,
    paired_table,
    raw_agreement,
    tost,
    wilson,
)

counts = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_wilson_of_the_phail_paper() -> None:
    assert wilson(7, 10) == pytest.approx((0.3968, 0.8922), abs=5e-5)
    assert wilson(14, 20) == pytest.approx((0.4810, 0.8545), abs=5e-5)


@settings(max_examples=60, deadline=None)
@given(counts)
def test_wilson_against_scipy(case: tuple[int, int]) -> None:
    stats = pytest.importorskip("scipy.stats")
    k, n = case
    assert wilson(k, n) == pytest.approx(tuple(stats.binomtest(k, n).proportion_ci(method="wilson")), abs=1e-9)


@pytest.mark.parametrize(
    ("case", "interval"),
    [
        ((56, 70, 48, 80), (0.0524, 0.3339)),
        ((9, 10, 3, 10), (0.1705, 0.8090)),
        ((6, 7, 2, 7), (0.0582, 0.8062)),
        ((5, 56, 0, 29), (-0.0381, 0.1926)),
    ],
)
def test_newcombe_of_his_paper(case: tuple[int, int, int, int], interval: tuple[float, float]) -> None:
    assert newcombe(*case) == pytest.approx(interval, abs=5e-5)


def test_paired_newcombe_of_his_paper_and_its_limits() -> None:
    assert newcombe_paired(36, 12, 2, 0) == pytest.approx((0.0569, 0.3404), abs=5e-5)
    low, high = newcombe_paired(10, 4, 7, 9)
    mirror = newcombe_paired(10, 7, 4, 9)
    assert (low, high) == pytest.approx((-mirror[1], -mirror[0]))
    # Strong agreement makes a paired interval narrower than the unpaired one on the same margins.
    paired, apart = newcombe_paired(45, 3, 2, 50), newcombe(48, 100, 47, 100)
    assert paired[1] - paired[0] < apart[1] - apart[0]


def test_mcnemar_is_the_binomial_tail() -> None:
    for b, c in itertools.product(range(8), repeat=2):
        n = b + c
        tail = sum(comb(n, i) for i in range(min(b, c) + 1)) / 2**n
        assert mcnemar_exact(b, c) == pytest.approx(min(1.0, 2 * tail), rel=1e-12)
        assert mcnemar_exact(b, c) == mcnemar_exact(c, b)
    assert mcnemar_exact(0, 0) == 1.0
    assert mcnemar_exact(0, 2000) < 1e-300


def test_planning_numbers_of_the_phail_paper_recomputed() -> None:
    assert connor_sample_size(0.10, 0.05, 0.8, 0.05) == 312
    assert connor_sample_size(0.25, 0.05, 0.8, 0.05) == 783
    assert interval_sample_size(0.05, 0.7, method="wald") == 323
    assert interval_sample_size(0.05, 0.7) == 320
    assert interval_sample_size(0.05, 0.7, method="clopper_pearson") == 341
    assert interval_sample_size(0.05, 0.5, method="wald") == 385
    assert interval_sample_size(0.05, 0.5) == 381


@pytest.mark.parametrize(("p", "h"), [(0.5, 0.1), (0.9, 0.03), (0.2, 0.07)])
def test_sample_size_is_the_smallest(p: float, h: float) -> None:
    n = interval_sample_size(h, p)
    z = 1.959963984540054
    width = [2 * z * np.sqrt(p * (1 - p) / m + z * z / (4 * m * m)) / (1 + z * z / m) for m in (n - 1, n)]
    assert width[1] <= 2 * h < width[0]


def test_connor_reaches_its_power_by_simulation() -> None:
    """McNemar's chi-square at the planned N has about the planned power."""
    n = connor_sample_size(0.3, 0.15, 0.8, 0.05)
    rng = np.random.default_rng(0)
    cells = rng.multinomial(n, [0.225, 0.075, 0.7], size=20_000)
    b, c = cells[:, 0], cells[:, 1]
    assert np.mean((b - c) ** 2 / np.maximum(b + c, 1) > 3.8415) == pytest.approx(0.8, abs=0.03)


def test_holm() -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    p = np.random.default_rng(1).random(9) ** 3
    np.testing.assert_allclose(holm(p), multitest.multipletests(p, method="holm")[1])
    assert np.all(holm(p) <= np.minimum(1, p.size * p))


def test_agreement_by_hand_and_its_limits() -> None:
    first, second = [1] * 40 + [0] * 10, [1] * 38 + [0] * 2 + [1] * 3 + [0] * 7
    observed, p1, p2 = 45 / 50, 40 / 50, 41 / 50
    chance = p1 * p2 + (1 - p1) * (1 - p2)
    assert cohen_kappa(first, second) == pytest.approx((observed - chance) / (1 - chance))
    pi = (p1 + p2) / 2
    chance = 2 * pi * (1 - pi)
    assert gwet_ac1(first, second) == pytest.approx((observed - chance) / (1 - chance))
    assert gwet_ac1([1] * 9 + [0], [1] * 10) > 0.85
    assert cohen_kappa([1] * 9 + [0], [1] * 10) == pytest.approx(0.0)
    assert cohen_kappa(first, first) == gwet_ac1(first, first) == 1.0
    assert gwet_ac1([1, 1], [1, 1]) == cohen_kappa([1, 1], [1, 1]) == 1.0


@pytest.mark.skipif(not PAPER.exists(), reason="the paper's text is not beside this checkout")
def test_the_789_outcomes_of_vla_replica() -> None:
    outcomes = read_outcomes()
    assert sum(len(cell) for cell in outcomes.values()) == 789
    rates = {
        policy: wilson(sum(cell.values()), len(cell)) for (policy, panel), cell in outcomes.items() if panel == "a"
    }
    names = {name.split("\\pi_{")[1].rstrip("}") if "pi" in name else name: name for name in rates}
    assert rates[names["0.5"]] == pytest.approx((0.40, 0.67), abs=0.006)
    assert rates[names["0"]] == pytest.approx((0.22, 0.48), abs=0.006)
    assert rates["SmolVLA"] == pytest.approx((0.16, 0.40), abs=0.006)
    assert rates["ACT"] == pytest.approx((0.10, 0.31), abs=0.006)

    def p(one: str, two: str) -> float:
        a, b = outcomes[names[one], "a"], outcomes[names[two], "a"]
        assert a.keys() == b.keys()
        _, only_a, only_b, _ = paired_table(list(a.values()), list(b.values()))
        return mcnemar_exact(only_a, only_b)

    assert p("0.5", "0") == pytest.approx(0.03, abs=0.005)
    assert p("0.5", "SmolVLA") == pytest.approx(0.007, abs=0.0005)
    assert p("0", "SmolVLA") == pytest.approx(0.39, abs=0.005)
    assert p("SmolVLA", "ACT") == pytest.approx(0.39, abs=0.005)
    for weaker in ("ACT", "DiT-Multitask", "X-VLA", "DiT-FlowMatching"):
        assert p("0.5", weaker) < 0.001

    first, second = [], []
    for name, (one, two) in itertools.product([*names.values()], [("a", "c"), ("b", "d")]):
        if (name, two) in outcomes:
            again = outcomes[name, two]
            second += list(again.values())
            first += [outcomes[name, one][key] for key in again]
    table = paired_table(first, second)
    assert sorted(table) == [19, 23, 59, 59]
    assert table[1:3] == (23, 19)
    assert raw_agreement(first, second) == pytest.approx(0.7375)
    assert cohen_kappa(first, second) == pytest.approx(0.48, abs=0.005)
    assert not tost(*newcombe_paired(*table, 0.9), 0.05).equivalent


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: newcombe(3, 2, 1, 2), "more successes than trials"),
        (lambda: newcombe(0, 0, 1, 2), "no trials"),
        (lambda: newcombe_paired(0, 0, 0, 0), "no pairs"),
        (lambda: mcnemar_exact(-1, 3), "b is -1"),
        (lambda: mcnemar_exact(1.5, 3), "whole number"),  # type: ignore[arg-type]
        (lambda: connor_sample_size(0.1, 0.2, 0.8, 0.05), "delta"),
        (lambda: connor_sample_size(0.1, 0.05, 1.0, 0.05), "power"),
        (lambda: interval_sample_size(0.0), "half_width"),
        (lambda: holm([0.2, np.nan]), "NaN"),
        (lambda: holm([1.2]), "p-value lies"),
        (lambda: paired_table([1, 0], [1]), "aligned"),
        (lambda: cohen_kappa([1], [1, 0]), "same items"),
        (lambda: gwet_ac1([], []), "no ratings"),
        (lambda: gwet_ac1(["x"], ["y"], categories=["x"]), "not among the categories"),
        (lambda: tost(-0.1, 0.1, 0.0), "margin"),
    ],
)
def test_hostile_counts_are_named(call: object, words: str) -> None:
    with pytest.raises(StatsError, match=words) as caught:
        call()  # type: ignore[operator]
    assert "\n" not in str(caught.value)
