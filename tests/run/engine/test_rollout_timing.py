"""What passes in the world while a policy thinks, and how much of a chunk is carried out."""

from __future__ import annotations

from dataclasses import replace
from math import floor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from point_world import GoPolicy, PointEnv
from typer.testing import CliRunner

from proctor.cli import app
from proctor.core import EpisodeSpec, PolicySpec, ProctorError, StepDebt, Timing
from proctor.results import read_episodes
from proctor.run.engine import RunOptions, execute, run_episode
from proctor.run.plan import Plan, PlanTask
from proctor.tasks.cbddl import read_task
from proctor.tasks.suites import find

SPEC = EpisodeSpec("pt", "pt/L0/a@v1", "L0", "h", 0, 3, "Go", "numbered", max_steps=24)


class Numbered:
    """Marks each action with the request (second value) and its place in the chunk (third), both in hundredths."""

    def __init__(self, chunk: int) -> None:
        self.chunk = chunk

    def spec(self) -> PolicySpec:
        return PolicySpec("numbered", chunk=self.chunk)

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        self.request = 0

    def act(self, observation):
        self.request += 1
        grip = 1.0 if self.request % 2 else -1.0
        return np.array([[0.0, self.request / 100, (place + 1) / 100, 0, 0, 0, grip] for place in range(self.chunk)])


class Far(PointEnv):
    """Nothing succeeds here, and every action is kept."""

    def reset(self, episode: EpisodeSpec) -> None:
        super().reset(episode)
        self.goal = np.full(3, 9.0)
        self.done: list[tuple[int, int, float]] = []

    def step(self, action):
        self.done.append((round(action[1] * 100), round(action[2] * 100), float(action[6])))
        return super().step(action)


def played(chunk: int, **spec) -> tuple[list[tuple[int, int, float]], object]:
    env = Far()
    row = run_episode(env, Numbered(chunk), replace(SPEC, **spec))
    assert row.status == "completed", row.error
    return env.done, row


def expected(chunk: int, run: int, latency_s: float | None, limit: int) -> tuple[list[tuple[int, int, float]], int]:
    """Write the schedule down from the rule in docs/reference/policy.md, without any of our code."""
    world: list[tuple[int, int, float]] = []
    left: list[tuple[int, int, float]] = []
    waited, request, grip = 0, 0, -1.0
    while len(world) < limit:
        request += 1
        due = 0
        if latency_s is not None:
            due = floor(request * latency_s * 20 + 1e-6) - floor((request - 1) * latency_s * 20 + 1e-6)
        for number in range(min(due, limit - len(world))):
            world.append(left[number] if number < len(left) else (0, 0, grip))
            grip = world[-1][2]
            waited += 1
        answer = [(request, place + 1, 1.0 if request % 2 else -1.0) for place in range(chunk)]
        for action in answer[:run][: limit - len(world)]:
            world.append(action)
            grip = action[2]
        left = answer[run:]
    return world, waited


def test_schedules_by_hand():
    holds = [(0, 0, -1.0)] * 2
    done, row = played(4, execute=2, timing="charge:0.1", max_steps=8)
    assert done == [*holds, (1, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0), (1, 4, 1.0), (2, 1, -1.0), (2, 2, -1.0)]
    assert (row.timing.waited_steps, row.timing.policy_calls, row.outcome.steps) == (4, 2, 8)
    assert [(e.step, e.value) for e in row.outcome.events if e.kind == "wait"] == [(0, 2.0), (4, 2.0)]
    # Nothing is left of a chunk that was executed whole: the arm holds still, its gripper as it was.
    done, _ = played(2, timing="charge:0.05", max_steps=6)
    assert done == [(0, 0, -1.0), (1, 1, 1.0), (1, 2, 1.0), (0, 0, 1.0), (2, 1, -1.0), (2, 2, -1.0)]
    done, _ = played(3, execute=1, max_steps=3)
    assert done == [(1, 1, 1.0), (2, 1, -1.0), (3, 1, 1.0)]


@settings(max_examples=80, deadline=None)
@given(
    chunk=st.integers(1, 6),
    run=st.integers(0, 6),
    latency=st.none() | st.sampled_from([0.0, 0.01, 0.05, 0.07, 0.1, 0.35, 2.0]),
    limit=st.integers(1, 40),
)
def test_any_schedule_follows_the_rule(chunk, run, latency, limit):
    timing = "pause" if latency is None else f"charge:{latency}"
    done, row = played(chunk, execute=min(run, chunk), timing=timing, max_steps=limit)
    assert (done, row.timing.waited_steps) == expected(chunk, min(run, chunk) or chunk, latency, limit)
    assert row.outcome.steps == len(done) == limit
    assert sum(event.value for event in row.outcome.events if event.kind == "wait") == row.timing.waited_steps


@given(st.lists(st.floats(0.0, 3.0), max_size=30), st.sampled_from([10.0, 20.0, 33.3]))
def test_no_time_is_lost_or_made(latencies, hz):
    debt = StepDebt(hz)
    assert abs(sum(map(debt.steps, latencies)) - floor(sum(latencies) * hz + 1e-6)) <= 1


def test_a_latency_of_nothing_is_the_same_world_as_a_pause(make_plan):
    env, policy = PointEnv(), GoPolicy(chunk=3)
    policy.bind(env)
    spec = make_plan()[0]
    pause, free = run_episode(env, policy, spec), run_episode(env, policy, replace(spec, timing="charge:0"))
    assert (pause.outcome.success, pause.outcome.trajectory_hash) == (True, free.outcome.trajectory_hash)
    assert (free.spec.timing, free.timing.waited_steps) == ("charge:0", 0)


def test_success_while_waiting_counts(make_plan):
    """The goal must hold for ten steps: an arm that stands on it and is left alone succeeds during the wait."""
    env, policy = PointEnv(), GoPolicy(chunk=30)
    policy.bind(env)
    # 1.0 s is twenty steps of standing still before the first answer, then 12 actions bring it there.
    row = run_episode(env, policy, replace(make_plan()[0], execute=12, timing="charge:1"))
    assert row.outcome.success
    assert 20 < row.timing.waited_steps < 40
    assert row.outcome.steps == row.timing.waited_steps + 12


def test_measured_latency_is_what_the_row_holds(make_plan):
    """The steps that passed follow from the latencies on record."""

    class Slow(Numbered):
        def act(self, observation):
            from time import sleep

            sleep(0.06)
            return super().act(observation)

    env = Far()
    row = run_episode(env, Slow(2), replace(SPEC, timing="charge:measured", max_steps=20))
    latencies = [value / 1000 for value in row.timing.latencies_ms]
    assert row.spec.timing == "charge:measured"
    assert len(latencies) == row.timing.policy_calls
    assert min(latencies) >= 0.06
    assert row.timing.waited_steps + 2 * row.timing.policy_calls >= row.outcome.steps == 20
    # The last request may be cut off by the step limit.
    whole = [e.value for e in row.outcome.events if e.kind == "wait"][:-1]
    assert sum(whole) == pytest.approx(sum(latencies[: len(whole)]) * 20, abs=1.0)


@pytest.mark.parametrize(
    ("text", "says"),
    [("charge", "none of"), ("charge:soon", "--latency is 'soon'"), ("charge:-1", "from 0"), ("charge:nan", "from 0")],
)
def test_senseless_timings_are_refused(make_plan, text, says):
    with pytest.raises(ProctorError, match=says):
        make_plan(timing=text)
    assert str(Timing.parse("charge:0.10")) == make_plan(timing="charge:0.10").timing == "charge:0.1"


class Absolute(PointEnv):
    def spec(self):
        return replace(super().spec(), control_mode="joint_position")


class AbsolutePolicy(Numbered):
    def __init__(self) -> None:
        super().__init__(1)

    def spec(self):
        return PolicySpec("absolute", control_mode="joint_position")


def test_refused_before_the_first_episode(make_plan, tmp_path):
    here = "test_rollout_timing"
    plan = make_plan(policy=f"{here}:AbsolutePolicy", timing="charge:0.1")
    with pytest.raises(ProctorError, match="no action means 'hold still'"):
        execute(plan, tmp_path / "r", RunOptions(env=f"{here}:Absolute"))
    with pytest.raises(ProctorError, match="--execute is 3, but policy 'go' returns at most 1"):
        execute(make_plan(execute=3), tmp_path / "r", RunOptions(env="point_world:PointEnv"))
    assert not (tmp_path / "r").exists()


def test_command_line_refusals_and_folder_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    base = ["run", "arena/static_obstacles/L0", "--policy", "noop", "-n", "1", "--limit", "1", "--max-steps", "2"]
    for more, says in ((["--latency", "0.1"], "needs --timing charge"), (["--execute", "0"], "--execute is 0")):
        result = CliRunner().invoke(app, [*base, *more])
        assert result.exit_code != 0
        assert says in str(result.exception) + result.output
    result = CliRunner().invoke(app, [*base, "--timing", "charge", "--latency", "0.10", "--execute", "1"])
    assert result.exit_code == 0, result.output
    (folder,) = Path("runs").iterdir()
    assert folder.name.endswith("-noop-0-charge_0.1-execute1")
    (row,) = read_episodes(folder)
    assert (row.spec.timing, row.spec.execute, row.timing.waited_steps, row.outcome.steps) == ("charge:0.1", 1, 2, 2)


def test_same_spec_same_bytes_under_a_given_latency_in_the_real_world(tmp_path):
    ref = find("arena/static_obstacles/L0")[0]
    read = read_task(ref.path)
    task = PlanTask(ref.id, ref.suite, ref.level, read.text_hash, read.language, 60, str(ref.path))
    plan = Plan((task,), 1, 5, "expert", timing="charge:0.1")
    for name in ("a", "b"):
        execute(plan, tmp_path / name)
    execute(replace(plan, timing="pause"), tmp_path / "pause")
    (a,), (b,), (pause,) = (read_episodes(tmp_path / name) for name in ("a", "b", "pause"))
    assert a.status == "completed", a.error
    assert a.result() == b.result()
    assert a.timing.waited_steps > 20
    assert a.outcome.trajectory_hash != pause.outcome.trajectory_hash
