"""A plan of a million episodes costs no more memory than one of ten thousand, and begins at once."""

from __future__ import annotations

import time
import tracemalloc
from dataclasses import replace
from itertools import islice

import pytest

from proctor.results import Ledger, RunFolder, read_history
from proctor.run.engine import LEASE_S, MAX_LEASE, Pace, RunOptions, execute, remaining, survey
from proctor.run.plan import Plan

DONE = 1500


def plan_with_some_done(make_plan, episodes: int) -> tuple[Plan, Ledger]:
    plan = make_plan(episodes, tasks=2)
    ledger = Ledger()
    for number, spec in enumerate(islice(plan, DONE)):
        ledger.note(spec.episode_id, "policy_error" if number % 5 == 0 else "completed", 1 + number % 3)
    return plan, ledger


def peak_of_planning(make_plan, episodes: int) -> int:
    plan, ledger = plan_with_some_done(make_plan, episodes)
    tracemalloc.start()
    completed, errors = survey(plan, ledger)
    todo = list(islice(remaining(plan, ledger, completed), 20))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (completed, errors) == (DONE * 4 // 5, DONE // 5)
    # First the failed ones, in the plan's order and with the next attempt's number.
    specs = list(islice(plan, DONE))
    assert [a.spec for a in todo] == specs[: 20 * 5 : 5]
    assert [a.attempt for a in todo] == [2 + number % 3 for number in range(0, 100, 5)]
    return peak


def test_memory_and_time_to_begin_do_not_depend_on_the_length_of_the_plan(make_plan):
    small = peak_of_planning(make_plan, 10_000 // 2)
    began = time.process_time()
    large = peak_of_planning(make_plan, 1_000_000 // 2)
    assert large < 1.2 * small + 10_000
    # A pass over a million specs would take tens of seconds.
    assert time.process_time() - began < 5.0


def test_what_is_skipped_and_what_is_run_are_the_plan(make_plan):
    plan, ledger = plan_with_some_done(make_plan, 1000)
    completed, _ = survey(plan, ledger)
    todo = {assignment.spec.episode_id for assignment in remaining(plan, ledger, completed)}
    skipped = {spec.episode_id for spec in plan} - todo
    assert len(skipped) == completed
    assert all(ledger.status(identity) == "completed" for identity in skipped)


def test_a_record_of_more_than_the_plan_holds_is_no_obstacle(make_plan):
    plan, ledger = plan_with_some_done(make_plan, 1000)
    assert survey(replace(plan, episodes=5), ledger) == (8, 2)


@pytest.mark.parametrize("workers", [1, 2])
def test_leases_of_short_episodes_lose_and_repeat_nothing(make_plan, tmp_path, workers):
    plan = make_plan(200, tasks=2, policy="point_world:GoPolicy")
    result = execute(plan, tmp_path / "r", RunOptions(workers=workers, env="point_world:PointEnv"))
    assert (result.ran, result.errors) == (400, 0)
    ids = [row.episode_id for row in read_history(tmp_path / "r")]
    assert sorted(ids) == sorted(spec.episode_id for spec in plan)
    with RunFolder(tmp_path / "r") as folder:
        assert len(folder.ledger) == 400


def test_errors_are_counted_over_attempts_and_sessions(make_plan, tmp_path):
    """Two of six fail, then one of them is put right and one is left: the count is of what is wrong now."""
    bad = make_plan(3, tasks=2, policy="point_world:GoPolicy")
    first = execute(bad, tmp_path / "r", RunOptions(env="point_world:PointEnv", env_args={"fail_episode": 1}))
    assert (first.ran, first.errors) == (6, 2)
    only = execute(
        replace(bad, limit=3), tmp_path / "r", RunOptions(env="point_world:PointEnv", env_args={"fail_episode": -1})
    )
    assert (only.planned, only.skipped, only.ran, only.errors) == (3, 2, 1, 0)
    rest = execute(bad, tmp_path / "r", RunOptions(env="point_world:PointEnv", env_args={"fail_episode": 1}))
    assert (rest.skipped, rest.ran, rest.errors) == (5, 1, 1)


def test_a_lease_is_a_twentieth_of_a_second_of_work():
    pace = Pace()
    assert pace.room(slots=3, held=0) == 3
    for _ in range(200):
        pace.note(0.005)
    assert pace.room(1, 0) == int(LEASE_S / 0.005)
    assert pace.room(1, 6) == 0
    assert pace.room(1, 5) == 5
    for _ in range(200):
        pace.note(1e-5)
    assert pace.room(2, 0) == 2 * MAX_LEASE
    pace.stumble()
    assert pace.room(2, 1) == 1
    for _ in range(200):
        pace.note(3.0)
    assert [pace.room(4, held) for held in range(5)] == [4, 3, 2, 1, 0]
