"""What an episode did to each thing, seen in real episodes."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from proctor.core import EpisodeSpec
from proctor.policies import NoopPolicy
from proctor.policies.scripted import ExpertPolicy
from proctor.results import read_states, read_steps
from proctor.run.engine import EpisodeOptions, run_episode
from proctor.sim import SimEnv
from proctor.tasks.suites import find_all

TASK = "arena/static_obstacles/L0/pick_the_apple_and_place_it_on_the_plate"


def spec(selector: str = TASK, max_steps: int = 300) -> EpisodeSpec:
    ref = find_all([selector])[0]
    return EpisodeSpec(
        suite=ref.suite, task=ref.id, level=ref.level, task_hash="", episode=0, seed=3, instruction="pick",
        policy="expert", task_path=str(ref.path), max_steps=max_steps,
    )  # fmt: skip


@pytest.fixture(scope="module")
def env() -> SimEnv:
    return SimEnv()


def expert(env: SimEnv) -> ExpertPolicy:
    policy = ExpertPolicy()
    policy.bind(env)
    return policy


def test_the_expert_holds_and_moves_what_the_goal_names(env: SimEnv, tmp_path: Path) -> None:
    options = EpisodeOptions(record_steps=True, out=tmp_path)
    row = run_episode(env, expert(env), spec(), options)
    assert row.outcome.success
    things = row.outcome.objects
    apple, plate = things["apple_1"], next(trace for name, trace in things.items() if "plate" in name)
    assert apple.goal
    assert apple.nearest_m < 0.03
    assert 0 < apple.touched_s <= apple.held_s < row.outcome.success_time_s
    assert apple.moved > 0.05
    assert apple.rests_on == apple.targets != ()
    assert not plate.goal
    assert plate.held_s is None
    states, actions = read_states(tmp_path / row.files.steps), read_steps(tmp_path / row.files.steps)
    assert states is not None
    assert states.shape == (len(actions) + 1, 8)
    assert len(actions) == row.outcome.steps
    assert 0.1 < np.ptp(states[:, :3], axis=0).max() < 2


def test_a_motionless_robot_does_nothing_to_anything(env: SimEnv) -> None:
    row = run_episode(env, NoopPolicy(), spec(max_steps=20))
    things = row.outcome.objects
    assert any(trace.goal for trace in things.values())
    for trace in things.values():
        assert trace.touched_s is None
        assert trace.held_s is None
        assert trace.moved < 0.005
        assert trace.nearest_m > 0.05


def test_a_restored_episode_has_the_same_trace(env: SimEnv) -> None:
    rng = np.random.default_rng(0)
    actions = rng.uniform(-1, 1, size=(40, 7))
    env.reset(spec())
    for action in actions[:20]:
        env.step(action)
    middle = env.snapshot()
    for action in actions[20:]:
        env.step(action)
    whole = {name: asdict(trace) for name, trace in env.finish().objects.items()}
    env.restore(middle)
    for action in actions[20:]:
        env.step(action)
    assert {name: asdict(trace) for name, trace in env.finish().objects.items()} == whole


def test_drawers_and_knobs_are_things_of_their_own(env: SimEnv) -> None:
    folder = Path(__file__).parents[2].parent / "shared" / "data" / "libero_goal_tasks"
    if not folder.exists():
        pytest.skip(f"{folder} is not here")
    named = {
        "open_the_middle_drawer_of_the_cabinet": ("wooden_cabinet_1/", ()),
        "turn_on_the_stove": ("flat_stove_1/", ()),
        "put_the_bowl_on_the_stove": ("akita_black_bowl_1", ("flat_stove_1",)),
    }
    for name, (prefix, targets) in named.items():
        env.reset(spec(str(folder / f"{name}.bddl")))
        goal = {thing: trace.targets for thing, trace in env.finish().objects.items() if trace.goal}
        assert len(goal) == 1
        ((thing, found),) = goal.items()
        assert thing.startswith(prefix)
        assert found == targets
