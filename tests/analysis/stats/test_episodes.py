"""Episodes become operations by an explicit rule: by hand, and by laws that hold for every episode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.analysis.stats import EpisodeRow, OpsRule, StatsError, episode_operations, operations

GHOST = (np.inf, True)


def row(**changes: Any) -> EpisodeRow:
    given = {"episode_id": "e", "duration_s": 100.0, "n_items": 4, "budget_s": 120.0}
    return EpisodeRow(**{**given, **changes})


def ops(episode: EpisodeRow, **rule: Any) -> list[tuple[float, bool]]:
    return [(pytest.approx(t), e) for t, e in episode_operations(episode, OpsRule(**rule))]


def test_successes_count_from_the_one_before_and_the_rest_is_censored() -> None:
    assert ops(row(success_times_s=(10.0, 35.0))) == [(10, True), (25, True), (65, False)]
    assert ops(row(success_times_s=(10.0, 35.0)), censoring="per_item") == [(10, True), (25, True), *[(65, False)] * 2]
    assert ops(row(success_times_s=(10.0, 35.0)), tail="omit") == [(10, True), (25, True)]


def test_a_lost_item_is_a_ghost_and_the_clock_restarts_there() -> None:
    lost = row(success_times_s=(10.0, 60.0), lost_times_s=(40.0,))
    assert ops(lost) == [(10, True), GHOST, (20, True), (40, False)]
    assert ops(lost, ghost_clock="continue") == [(10, True), GHOST, (50, True), (40, False)]


def test_a_safety_stop_is_a_ghost_of_the_attempt_under_way() -> None:
    stopped = row(success_times_s=(10.0,), ended="safety")
    assert ops(stopped) == [(10, True), GHOST]
    assert ops(stopped, safety="censor") == [(10, True), (90, False)]


def test_an_episode_without_success_is_never_dropped() -> None:
    nothing = row(duration_s=80.0)
    assert ops(nothing) == [(80, False)]
    assert ops(nothing, zero_success="budget") == [(120, False)]
    assert ops(nothing, tail="omit") == [(80, False)]
    assert [ops(nothing)] == [[(80, False)]]
    assert OpsRule.paper() == OpsRule(ghost_clock="continue", zero_success="budget")


def test_one_operation_episodes_are_the_simple_case() -> None:
    arm = operations(
        [
            EpisodeRow("a", 12.0, (12.0,), ended="done", stratum="t", pair="p1"),
            EpisodeRow("b", 30.0, stratum="t", pair="p2"),
            EpisodeRow("c", 3.0, stratum="t", pair="p3", status="infra_error"),
        ]
    )
    assert arm.times.tolist() == [12.0, 30.0]
    assert arm.events.tolist() == [True, False]
    assert arm.n_episodes == 2
    assert arm.block is not None
    assert arm.block.tolist() == ["p1", "p2"]
    assert arm.rule == {
        "ghost_clock": "restart",
        "tail": "censor",
        "zero_success": "duration",
        "censoring": "per_episode",
        "safety": "ghost",
    }


episodes = st.builds(
    lambda marks, extra, safety: EpisodeRow(
        "e",
        max([t for t, _ in marks], default=0.0) + 5.0,
        tuple(t for t, kind in marks if kind),
        tuple(t for t, kind in marks if not kind),
        "safety" if safety else "timeout",
        len(marks) + extra,
        500.0,
    ),
    st.lists(st.tuples(st.floats(0, 300), st.booleans()), max_size=6),
    st.integers(1, 3),
    st.booleans(),
)
rules = st.builds(
    OpsRule,
    ghost_clock=st.sampled_from(["restart", "continue"]),
    tail=st.sampled_from(["censor", "omit"]),
    zero_success=st.sampled_from(["duration", "budget"]),
    censoring=st.sampled_from(["per_episode", "per_item"]),
    safety=st.sampled_from(["ghost", "censor"]),
)


@settings(max_examples=200, deadline=None)
@given(episodes, rules)
def test_laws_of_every_rule(episode: EpisodeRow, rule: OpsRule) -> None:
    rows = episode_operations(episode, rule)
    assert rows
    assert sum(np.isfinite(t) and e for t, e in rows) == len(episode.success_times_s)
    ghosts = len(episode.lost_times_s) + (episode.ended == "safety" and rule.safety == "ghost")
    assert sum(np.isinf(t) for t, _ in rows) == ghosts
    assert len(rows) <= episode.n_items
    assert all(t >= 0 for t, _ in rows)


@settings(max_examples=100, deadline=None)
@given(episodes)
def test_without_ghosts_the_times_add_up_to_the_duration(episode: EpisodeRow) -> None:
    plain = EpisodeRow("e", episode.duration_s, episode.success_times_s, (), "timeout", episode.n_items)
    assert sum(t for t, _ in episode_operations(plain, OpsRule())) == pytest.approx(plain.duration_s)


@pytest.mark.parametrize(
    ("episode", "words"),
    [
        (row(success_times_s=(101.0,)), "outside its duration"),
        (row(success_times_s=(-1.0,)), "outside its duration"),
        (row(success_times_s=(np.nan,)), "outside its duration"),
        (row(success_times_s=(1.0,) * 5), "only 4 items"),
        (row(ended="done"), "left over"),
        (row(duration_s=np.inf), "finite"),
        (row(n_items=0), "at least one"),
    ],
)
def test_impossible_episodes_are_named(episode: EpisodeRow, words: str) -> None:
    with pytest.raises(StatsError, match=words):
        operations([episode])


def test_duplicates_and_empty_arms_are_named() -> None:
    with pytest.raises(StatsError, match="occurs twice"):
        operations([row(), row()])
    with pytest.raises(StatsError, match="no completed episode"):
        operations([row(status="policy_error")])
    with pytest.raises(StatsError, match=r"OpsRule\.tail"):
        OpsRule(tail="drop")  # type: ignore[arg-type]
