"""Several environments in one worker: the same rows, nobody held up, nobody blamed for another."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pytest
from point_world import PointEnv

from proctor.core import EpisodeSpec, Observation, PolicySpec, ProctorError, named_rng
from proctor.results import read_episodes
from proctor.run.engine import RunOptions, execute
from proctor.run.plan import Plan, PlanTask
from proctor.tasks.cbddl import read_task
from proctor.tasks.suites import find

HERE = "test_rollout_seats"


class Walk:
    """Wanders, by a stream of its own for each session; says how many it answered at once."""

    def __init__(self, forward_s: float = 0.0) -> None:
        self.forward_s = forward_s
        self.streams: dict[str, np.random.Generator] = {}

    def spec(self) -> PolicySpec:
        return PolicySpec("walk", chunk=3, fingerprint="walk-1")

    def begin(self, session: str, instruction: str, episode: EpisodeSpec) -> None:
        self.streams[session] = named_rng(episode.seed, "policy")

    def act_batch(self, sessions, observations):
        assert len(set(sessions)) == len(sessions)
        time.sleep(self.forward_s)
        print("batch", len(sessions), flush=True)
        both = zip(sessions, observations, strict=True)
        return [self.streams[s].uniform(-1, 1, (3, 7)) * (1 + o.state[0]) / 2 for s, o in both]

    def end(self, session: str) -> None:
        del self.streams[session]


class Broken(Walk):
    def act_batch(self, sessions, observations):
        if any(observation.step >= 6 for observation in observations):
            raise ValueError("no more")
        return super().act_batch(sessions, observations)


class Moody(PointEnv):
    """Episode ``slow`` takes its time over its first step; ``crash`` and ``hang`` as in `PointEnv`."""

    def __init__(self, slow: int = -1, slow_s: float = 0.0, **more) -> None:
        super().__init__(**more)
        self.slow, self.slow_s = slow, slow_s

    def reset(self, episode: EpisodeSpec) -> None:
        super().reset(episode)
        self.goal = np.full(3, 9.0)

    def step(self, action):
        if self.episode.episode == self.slow and self.steps == 0:
            time.sleep(self.slow_s)
        return super().step(action)


def options(seats: int, workers: int = 1, **env_args) -> RunOptions:
    return RunOptions(workers=workers, envs_per_worker=seats, env=f"{HERE}:Moody", env_args=env_args, env_timeout_s=4.0)


def results(path: Path) -> dict[str, dict]:
    return {row.episode_id: row.result() for row in read_episodes(path)}


def test_any_number_of_seats_gives_the_same_rows_and_those_who_wait_are_answered_together(make_plan, tmp_path):
    plan = make_plan(8, policy=f"{HERE}:Walk", policy_args={"forward_s": 0.003})
    for name, seats, workers in (("one", 1, 1), ("four", 4, 1), ("two_by_three", 3, 2)):
        result = execute(plan, tmp_path / name, options(seats, workers))
        assert (result.ran, result.errors) == (24, 0), [row.error for row in read_episodes(tmp_path / name)]
    assert results(tmp_path / "one") == results(tmp_path / "four") == results(tmp_path / "two_by_three")
    sizes = [int(line.split()[1]) for line in (tmp_path / "four/logs/worker-0.log").read_text().splitlines()]
    assert sum(sizes) == sum(row.timing.policy_calls for row in read_episodes(tmp_path / "four"))
    assert max(sizes) == 4
    assert sum(sizes) / len(sizes) > 2.0
    row = read_episodes(tmp_path / "four")[0]
    assert len(row.timing.latencies_ms) == row.timing.policy_calls == 20


def test_a_policy_for_one_episode_at_a_time_is_refused(make_plan, tmp_path):
    with pytest.raises(ProctorError, match="--envs-per-worker 2: policy 'noop' has one episode at a time"):
        execute(make_plan(policy="noop"), tmp_path / "r", options(2))
    with pytest.raises(ProctorError, match="--envs-per-worker is 0"):
        execute(make_plan(policy=f"{HERE}:Walk"), tmp_path / "r", options(0))
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(("seats", "workers"), [(3, 1), (1, 2)])
def test_a_slow_environment_holds_up_nobody(make_plan, tmp_path, seats, workers):
    """Forty short episodes, number 17 slow: with leases it has others behind it, which must go elsewhere meanwhile."""
    plan = make_plan(40, tasks=1, policy=f"{HERE}:Walk")
    result = execute(plan, tmp_path / "r", options(seats, workers, slow=17, slow_s=2.5))
    assert (result.ran, result.errors) == (40, 0)
    assert [row.spec.episode for row in read_episodes(tmp_path / "r")][-1] == 17


def test_one_of_many_that_kills_the_worker_is_found_and_the_others_are_not_blamed(make_plan, tmp_path):
    plan = make_plan(9, tasks=1, policy=f"{HERE}:Walk")
    result = execute(plan, tmp_path / "r", options(3, crash_episode=4))
    rows = {row.spec.episode: row for row in read_episodes(tmp_path / "r")}
    assert (result.ran, result.errors) == (9, 1)
    assert {number for number, row in rows.items() if row.status != "completed"} == {4}
    assert rows[4].status == "infra_error"
    assert "SIGABRT" in rows[4].error


def test_one_that_never_returns_is_ended_with_its_worker_and_the_others_run_again(make_plan, tmp_path):
    plan = make_plan(6, tasks=1, policy=f"{HERE}:Walk")
    result = execute(plan, tmp_path / "r", options(3, hang_episode=2))
    rows = {row.spec.episode: row for row in read_episodes(tmp_path / "r")}
    assert (result.ran, result.errors) == (6, 1)
    assert rows[2].status == "infra_error"
    assert "did not return within 4 s" in rows[2].error


def test_a_batch_that_fails_is_the_policys_error_in_each_of_its_episodes(make_plan, tmp_path):
    result = execute(make_plan(2, policy=f"{HERE}:Broken"), tmp_path / "r", options(3))
    rows = read_episodes(tmp_path / "r")
    assert result.errors == len(rows) == 6
    assert {row.status for row in rows} == {"policy_error"}
    assert all("ValueError: no more" in row.error and HERE in row.error for row in rows)


class Still:
    """A policy for many that asks for a picture and moves a little by it."""

    def spec(self) -> PolicySpec:
        return PolicySpec("still", cameras=("agentview",), image_size=64, chunk=5, fingerprint="still-1")

    def begin(self, session: str, instruction: str, episode: EpisodeSpec) -> None: ...

    def act_batch(self, sessions, observations: list[Observation]):
        means = [o.images["agentview"].mean() / 255.0 for o in observations]
        return [np.tile([mean / 4, -mean / 8, 0, 0, 0, 0, -1], (5, 1)) for mean in means]

    def end(self, session: str) -> None: ...


def test_real_worlds_in_threads_are_those_of_a_process_of_their_own(tmp_path):
    refs = [*find("arena/static_obstacles/L2")[:1], *find("arena/long_horizon")[:1]]
    read = [(ref, read_task(ref.path)) for ref in refs]
    tasks = [PlanTask(r.id, r.suite, r.level, task.text_hash, task.language, 15, str(r.path)) for r, task in read]
    plan = Plan(tuple(tasks), 2, 7, f"{HERE}:Still")
    for seats in (1, 3):
        result = execute(plan, tmp_path / str(seats), RunOptions(envs_per_worker=seats))
        assert result.errors == 0, [row.error for row in read_episodes(tmp_path / str(seats))]
    assert results(tmp_path / "1") == results(tmp_path / "3")


def test_no_thread_of_a_worker_outlives_the_run(make_plan, tmp_path):
    execute(make_plan(2, policy=f"{HERE}:Walk"), tmp_path / "r", options(3))
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    assert not [c for c in children if "rollout" in Path(f"/proc/{c}/cmdline").read_text()]
