"""PRIDE of a policy: its definition, what merging does, and the interval over tasks."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
import pytest

from proctor.analysis.stats import StatsError, cluster_interval
from proctor.analysis.words import SWEEP, PairScore, SentenceAttempt, pride_summary
from proctor.tasks.words import LanguageError


def over_tasks(columns: Any, clusters: Sequence[Hashable], statistic: Callable[[Any], Any], bounds: Any) -> Any:
    return cluster_interval(columns, clusters, statistic, bounds=bounds)


def made(*rows: tuple[str, float, bool], task: str = "t") -> tuple[list[SentenceAttempt], list[PairScore]]:
    """Rows of (text, PD, success), S_K = S_T."""
    attempts = [SentenceAttempt("open", text, success, task) for text, _, success in rows]
    return attempts, [PairScore(1 - pd, 1 - pd, 1.0) for _, pd, _ in rows]


def test_the_definition() -> None:
    attempts, scores = made(("a", 0.1, True), ("b", 0.3, False), ("c", 0.4, True))
    summary = pride_summary(attempts, scores, over_tasks)
    assert summary.pride.estimate == pytest.approx(0.5 / 0.8)
    assert summary.success.estimate == pytest.approx(2 / 3)
    assert summary.overestimation.estimate == pytest.approx((2 / 3 - 0.625) / (2 / 3))
    assert summary.pride.low is None
    assert (summary.n_rows, summary.n_texts, summary.n_tasks) == (3, 3, 1)


def test_success_that_does_not_depend_on_distance_gives_pride_equal_to_success() -> None:
    rng = np.random.default_rng(0)
    rows = [(f"text {i}", float(rng.uniform(0.05, 0.6)), bool(rng.random() < 0.7)) for i in range(20_000)]
    summary = pride_summary(*made(*rows), over_tasks)
    assert summary.pride.estimate == pytest.approx(summary.success.estimate, abs=0.01)
    easy = [(text, pd, pd < 0.3) for text, pd, _ in rows]
    assert pride_summary(*made(*easy), over_tasks).overestimation.estimate > 0.3


def test_repeated_texts_count_once_when_corrected() -> None:
    attempts, scores = made(("a", 0.2, True), ("a", 0.2, False), ("b", 0.2, True))
    assert pride_summary(attempts, scores, over_tasks).pride.estimate == pytest.approx(0.75)
    assert pride_summary(attempts, scores, over_tasks, mode="paper").pride.estimate == pytest.approx(2 / 3)
    assert pride_summary(attempts, scores, over_tasks).repeated == 1


def test_preambles_are_left_out_when_corrected() -> None:
    attempts, scores = made(("a", 0.2, True), ("Here are 20 variations", 0.6, False))
    scores[1] = PairScore(0.4, 0.4, 1.0, notes=("preamble",))
    summary = pride_summary(attempts, scores, over_tasks)
    assert (summary.left_out, summary.pride.estimate) == (1, 1.0)
    assert pride_summary(attempts, scores, over_tasks, mode="paper").pride.estimate == pytest.approx(0.25)
    with pytest.raises(LanguageError, match="preamble"):
        pride_summary(attempts[1:], scores[1:], over_tasks)


def test_the_sweep_goes_from_structure_to_keywords() -> None:
    attempts = [SentenceAttempt("o", "a", True, "t"), SentenceAttempt("o", "b", False, "t")]
    scores = [PairScore(s_k=0.9, s_t=0.5, s_k_reverse=1.0), PairScore(s_k=0.5, s_t=0.9, s_k_reverse=1.0)]
    sweep = dict(pride_summary(attempts, scores, over_tasks).sweep)
    assert tuple(sweep) == SWEEP
    assert sweep[0.0].estimate == pytest.approx(0.5 / 0.6)
    assert sweep[1.0].estimate == pytest.approx(0.1 / 0.6)
    values = [point.estimate for point in sweep.values()]
    assert values == sorted(values, reverse=True)


def test_cells_and_their_correlation() -> None:
    attempts, scores = [], []
    for place, kind in enumerate(("addition", "contextual", "habitual")):
        for number in range(10):
            attempts.append(SentenceAttempt("o", f"{kind} {number}", number >= 3 * place, "t", object_type=kind))
            scores.append(PairScore(0.9 - 0.1 * place, 0.9 - 0.1 * place, 1.0))
    summary = pride_summary(attempts, scores, over_tasks)
    assert [(cell.name, cell.n, cell.success) for cell in summary.cells] == [
        ("addition x none", 10, 1.0),
        ("contextual x none", 10, 0.7),
        ("habitual x none", 10, 0.4),
    ]
    assert summary.correlation == pytest.approx(-1)


def test_what_cannot_be_scored() -> None:
    with pytest.raises(LanguageError, match="no completed episode"):
        pride_summary([], [], over_tasks)
    with pytest.raises(LanguageError, match="equals its original"):
        pride_summary(*made(("open", 0.0, True)), over_tasks)
    with pytest.raises(LanguageError, match=r"alpha is 1.5: it must be from 0"):
        pride_summary(*made(("a", 0.1, True)), over_tasks, alpha=1.5)
    failed = pride_summary(*made(("a", 0.1, False)), over_tasks)
    assert failed.pride.estimate == 0
    assert math.isnan(failed.overestimation.estimate)


def test_the_interval_of_a_mean_over_equal_clusters_is_the_t_interval_of_their_means() -> None:
    from scipy import stats

    rng = np.random.default_rng(3)
    means = rng.uniform(size=7)
    values = np.column_stack([np.repeat(means, 5), np.ones(35)])
    clusters = np.repeat(np.arange(7), 5).tolist()
    found = cluster_interval(values, clusters, lambda sums: sums[..., 0] / sums[..., 1])
    low, high = stats.t.interval(0.95, 6, means.mean(), stats.sem(means))
    assert (found.low, found.high) == pytest.approx((low, high))


def test_the_interval_over_tasks_covers() -> None:
    """Ten tasks of unequal size and difficulty: 95 % of intervals hold the ratio of the population they came from."""
    rng = np.random.default_rng(11)
    truth = _population_ratio()
    hits = 0
    for _ in range(400):
        columns, clusters = [], []
        for task in range(10):
            rate, count = rng.beta(4, 2), int(rng.integers(20, 60))
            distance = rng.uniform(0.1, 0.5, count)
            success = rng.random(count) < rate * (1 - 0.5 * distance)
            columns.append(np.column_stack([success * distance, distance]))
            clusters += [task] * count
        found = cluster_interval(np.concatenate(columns), clusters, lambda sums: sums[..., 0] / sums[..., 1])
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= truth <= found.high
    assert 0.92 <= hits / 400 <= 0.98


def _population_ratio() -> float:
    rate = 4 / 6
    first, second = 0.3, 0.3**2 + 0.4**2 / 12
    return rate * (first - 0.5 * second) / first


def test_bad_columns() -> None:
    with pytest.raises(StatsError, match="one name for each row"):
        cluster_interval(np.ones((3, 2)), ["a"], lambda sums: sums[..., 0])
