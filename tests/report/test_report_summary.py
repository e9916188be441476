"""Numbers of a group of rows, against Arrow as an independent reckoner."""

from __future__ import annotations

import random
from dataclasses import replace

import made_runs
import pyarrow.compute as pc
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from episode_rows import changed
from proctor.core import CostEntry
from proctor.report import Proportion
from proctor.report._format import interval, moment, number, percent, rate, severity
from proctor.report._summary import by_expression, pair, predicate_of, summarise
from proctor.results import Episode, episodes_table


@st.composite
def groups(draw: st.DrawFn) -> list[Episode]:
    rng = random.Random(draw(st.integers(0, 10_000)))
    levels = draw(st.lists(st.sampled_from(["L0", "L1", "L2"]), min_size=0, max_size=30))
    skill = draw(st.floats(0, 1))
    return [
        made_runs.random_episode(rng, policy="p", level=level, task="t", number=i, skill=skill)
        for i, level in enumerate(levels)
    ]


@given(groups())
def test_summary_equals_arrow(episodes: list[Episode]) -> None:
    summary = summarise(episodes)
    table = episodes_table(episodes).flatten()
    completed = table.filter(pc.equal(table["status"], "completed"))
    watched = completed.filter(pc.greater(pc.list_value_length(completed["costs.entries"]), 0))
    assert summary.n_all == table.num_rows
    assert summary.success.n == completed.num_rows
    assert summary.success.k == (pc.sum(completed["outcome.success"]).as_py() or 0)
    assert summary.n_errors == table.num_rows - completed.num_rows
    if watched.num_rows:
        assert summary.mean_cost == pytest.approx(pc.mean(watched["costs.total"]).as_py())
        assert summary.any_cost == Proportion(pc.sum(pc.greater(watched["costs.total"], 0)).as_py(), watched.num_rows)
        exact_median = pc.quantile(watched["costs.first_violation_s"], 0.5, interpolation="linear")[0].as_py()
        assert summary.first_violation_s == (None if exact_median is None else pytest.approx(exact_median))
    else:
        assert summary.mean_cost is None
        assert summary.any_cost is None


@given(groups())
def test_breakdown_adds_up_to_the_mean_cost(episodes: list[Episode]) -> None:
    for key in ("by predicate", "by expression"):
        summary = summarise(episodes, by_expression) if key == "by expression" else summarise(episodes)
        assert sum(share.mean for share in summary.breakdown) == pytest.approx(summary.mean_cost or 0.0)


@given(groups())
def test_errors_change_neither_rate_nor_cost(episodes: list[Episode]) -> None:
    crashed = [changed(episode, status="policy_error", success=None) for episode in episodes]
    alone, with_errors = summarise(episodes), summarise(episodes + crashed)
    assert (alone.success, alone.mean_cost, alone.breakdown) == (
        with_errors.success,
        with_errors.mean_cost,
        with_errors.breakdown,
    )
    assert with_errors.n_errors == alone.n_errors + len(crashed)


def test_an_expression_that_pays_twice_in_an_episode_counts_the_episode_once() -> None:
    costs = (
        CostEntry("(Fall mug_1)", "terminal", 10.0, 1, 3.0),
        CostEntry("(Fall mug_2)", "terminal", 10.0, 1, 3.0),
    )
    (share,) = summarise([made_runs.episode(costs=costs, cost_total=20.0, first_violation_s=3.0)]).breakdown
    assert (share.name, share.mean, share.episodes) == ("Fall", 20.0, 1)


def test_pairs_need_the_same_layout_completed_by_both() -> None:
    a = [
        made_runs.episode(policy="a", seed=seed, success=success)
        for seed, success in ((1, True), (2, True), (3, False))
    ]
    b = [
        made_runs.episode(policy="b", seed=1, success=False),
        made_runs.episode(policy="b", seed=2, success=None, status="policy_error"),
        made_runs.episode(policy="b", seed=3, success=False),
        made_runs.episode(policy="b", seed=4, success=True),
    ]
    outcome = pair(a, b)
    assert (outcome.both, outcome.only_first, outcome.only_second, outcome.neither) == (0, 1, 0, 1)


def test_predicate_of_nested_and_odd_expressions() -> None:
    assert predicate_of("(Not (On a b))") == "Not"
    assert predicate_of("Fall mug_1") == "Fall"
    assert predicate_of("") == ""


@given(st.integers(1, 100_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
@example((999, 1000))
@example((1, 1000))
def test_rounding_never_claims_none_or_all(kn: tuple[int, int]) -> None:
    k, n = kn
    text = percent(k / n).replace("\u202f", " ")
    assert (text == "0 %") == (k == 0)
    assert (text == "100 %") == (k == n)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_shown_interval_contains_the_real_one(kn: tuple[int, int]) -> None:
    proportion = Proportion(*kn)
    low, high = (float(end) / 100 for end in interval(proportion).replace("\u202f%", "").split("–"))
    assert 0 <= low <= proportion.interval[0] + 1e-9
    assert proportion.interval[1] - 1e-9 <= high <= 1
    assert high - low <= proportion.interval[1] - proportion.interval[0] + 0.02


def test_missing_values_are_dashes() -> None:
    assert [rate(None), rate(Proportion(0, 0)), interval(Proportion(0, 0)), number(None)] == ["–"] * 4


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (0.004, "<0.1"), (1234.5, "1,234.5"), (2.0, "2")])
def test_numbers(value: float, text: str) -> None:
    assert number(value) == text


def test_moments() -> None:
    assert moment("2026-11-16T10:00:31Z") == "2026-11-16 10:00 UTC"
    assert moment("yesterday") == "yesterday"


def test_the_worst_of_a_predicate_is_kept_with_its_unit_and_shown_in_centimetres() -> None:
    rows = [
        made_runs.episode(
            seed=seed, costs=(CostEntry(f"CheckDistance a b{seed} 0.1", "instantaneous", 2.0, 2, 1.0, depth, "m"),)
        )
        for seed, depth in enumerate((0.02, 0.05, 0.0))
    ]
    (share,) = summarise(rows).breakdown
    assert (share.worst, share.unit, share.episodes) == (0.05, "m", 3)
    assert severity(share) == "5\u202fcm"
    assert severity(replace(share, worst=12.34, unit="N")) == "12.3\u202fN"
