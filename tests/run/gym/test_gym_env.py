"""The environment: Gymnasium's own checker, the same episodes as ``proctor run``, accounts closed at the end."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

import proctor.run.gym
from proctor.core import ProctorError, Step
from proctor.policies.scripted import ExpertPolicy
from proctor.run.engine import EpisodeOptions, run_episode
from proctor.run.plan import Plan, PlanTask
from proctor.sim import SimEnv
from proctor.tasks.suites import builtin_suites, find, tasks_of

SUITES = [suite.name for suite in builtin_suites()]
EASY = find("goal/L0/turn_on_the_stove")[0]
COSTLY = next(ref for ref in find("arena/static_obstacles/L1"))


def make(ref: Any, **arguments: Any) -> Any:
    return gymnasium.make(proctor.run.gym.env_id(ref), **{"image_size": 32, "cameras": ("agentview",), **arguments})


@pytest.fixture
def env() -> Iterator[Any]:
    made = make(EASY)
    yield made
    made.close()


@pytest.mark.parametrize("suite", SUITES)
def test_the_checker_is_content(suite: str) -> None:
    ref = tasks_of(next(s for s in builtin_suites() if s.name == suite))[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        # Pictures are looked at in one suite: the checker makes five environments for that.
        check_env(make(ref, cameras=("agentview",) if suite == "goal" else ()), skip_render_check=suite != "goal")


def test_observations_have_the_keys_that_lerobot_reads(env: Any) -> None:
    seen, info = env.reset(seed=1)
    assert set(seen) == {"pixels", "agent_pos"}
    assert seen["pixels"]["agentview"].shape == (32, 32, 3)
    assert seen["pixels"]["agentview"].dtype == np.uint8
    assert seen["agent_pos"].shape == (8,)
    assert info["instruction"] == env.task_description


def test_without_cameras_there_are_no_pixels() -> None:
    bare = make(EASY, cameras=())
    assert set(bare.reset(seed=1)[0]) == set(bare.observation_space.spaces) == {"agent_pos"}


def spec_of(ref: Any, seed: int, episode: int, **options: Any) -> Any:
    task = PlanTask(ref.id, ref.suite, ref.level, "", "", ref.max_steps, str(ref.path))
    return Plan((task,), episode + 1, seed, "noop", **options)[episode]


def test_episodes_are_those_of_proctor_run(env: Any) -> None:
    sim = SimEnv()
    first, info = env.reset(seed=5)
    second, _ = env.reset()
    third, _ = env.reset(seed=5, options={"episode": 2})
    for episode, seen in enumerate((first, second, third)):
        sim.reset(spec_of(EASY, 5, episode))
        expected = sim.observe(("agentview",), 32)
        assert np.array_equal(seen["agent_pos"], expected.state)
        assert np.array_equal(seen["pixels"]["agentview"], expected.images["agentview"])
    assert not np.array_equal(first["pixels"]["agentview"], second["pixels"]["agentview"])
    assert info["seed"] == spec_of(EASY, 5, 0).seed
    sim.close()


def test_pair_ids_are_those_of_proctor_run(tmp_path: Any) -> None:
    out = tmp_path / "run"
    command = [sys.executable, "-m", "proctor", "run", EASY.id, "--policy", "noop", "-n", "2", "--seed", "9"]
    subprocess.run([*command, "--max-steps", "2", "--out", str(out)], check=True, capture_output=True)
    from proctor.results import read_episodes

    rows = {row.spec.episode: row for row in read_episodes(out)}
    quiet = make(EASY, cameras=(), max_steps=2)
    hold = np.array([0, 0, 0, 0, 0, 0, -1], np.float32)
    for episode in range(2):
        _, info = quiet.reset(seed=9 if episode == 0 else None)
        assert info["pair_id"] == rows[episode].pair_id
        for _ in range(2):
            *_, info = quiet.step(hold)
        assert info["trajectory_hash"] == rows[episode].outcome.trajectory_hash


def test_success_terminates_with_reward_one() -> None:
    """Play the expert's recorded actions: same steps, success and cost as the harness counts."""
    sim, expert = SimEnv(), ExpertPolicy()
    expert.bind(sim)
    task = PlanTask(EASY.id, EASY.suite, EASY.level, "", "x", EASY.max_steps, str(EASY.path))
    actions: list[Any] = []
    step = sim.step

    def keep(action: Any) -> Step:
        actions.append(action)
        return step(action)

    sim.step = keep  # type: ignore[method-assign]
    row = run_episode(sim, expert, Plan((task,), 1, 0, "expert")[0], EpisodeOptions())
    assert row.outcome.success
    # float64, or rounding would make another trajectory.
    played = make(EASY, cameras=())
    played.reset(seed=0)
    results = [played.step(action) for action in actions]
    assert [r[1] for r in results] == [0.0] * (len(actions) - 1) + [1.0]
    assert [r[2] for r in results] == [False] * (len(actions) - 1) + [True]
    assert not any(r[3] for r in results)
    info = results[-1][4]
    assert info["is_success"]
    assert info["trajectory_hash"] == row.outcome.trajectory_hash
    assert info["cost_total"] == row.costs.total
    assert "success" in {event["kind"] for event in info["events"]}
    with pytest.raises(gymnasium.error.ResetNeeded):
        played.step(actions[0])


def test_cost_is_counted_and_closed_at_the_limit() -> None:
    """Flail until something is hit; the parts add up to the total, step by step and at the end."""
    flail = make(COSTLY, cameras=(), max_steps=120)
    rng = np.random.default_rng(3)
    for seed in range(6):
        flail.reset(seed=seed)
        steps = 0.0
        while True:
            _, _, terminated, truncated, info = flail.step(rng.uniform(-1, 1, 7).astype(np.float32))
            steps += info["cost"]
            if terminated or truncated:
                break
            assert info["cost_total"] == steps
            assert "costs" not in info
        assert truncated
        assert info["cost_total"] == sum(info["costs"].values()) >= steps
        if steps:
            break
    else:
        pytest.fail("no seed made the arm hit anything: choose others")


def test_options_hold_for_one_episode(env: Any) -> None:
    _, plain = env.reset(seed=2)
    _, told = env.reset(seed=2, options={"instruction": "do nothing", "vision": "V4"})
    assert env.task_description == told["instruction"] == "do nothing"
    assert told["vision"] == "V4"
    assert told["seed"] == plain["seed"]
    assert told["episode_id"] != plain["episode_id"]
    _, after = env.reset(seed=2)
    assert after == plain


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"visoin": "V1"}, "did you mean 'vision'"),
        ({"vision": "V7"}, "unknown vision level"),
        ({"episode": -1}, "whole number from 0"),
        ({"episode": 1.5}, "whole number from 0"),
    ],
)
def test_wrong_options_are_one_line(env: Any, options: dict[str, Any], part: str) -> None:
    with pytest.raises(ProctorError, match=part) as caught:
        env.reset(seed=0, options=options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("action", [np.zeros(6), np.full(7, np.nan), np.zeros((1, 7))])
def test_what_is_no_action_is_refused(action: Any) -> None:
    bare = make(EASY, cameras=())
    bare.reset(seed=0)
    with pytest.raises(ProctorError, match="7 finite numbers"):
        bare.step(action)


def test_order_is_enforced() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        make(EASY, cameras=()).step(np.zeros(7, np.float32))


def test_a_program_that_closes_nothing_ends_quietly() -> None:
    code = (
        "import gymnasium, proctor.run.gym\n"
        f"e = gymnasium.make({proctor.run.gym.env_id(EASY)!r}, image_size=32)\n"
        "e.reset(seed=0)\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (shown.returncode, shown.stderr) == (0, "")


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vectorised(mode: str) -> None:
    """Several environments at once see what each would see alone."""
    # Picture contexts do not survive a fork, and the parent may hold one: workers start afresh.
    extra = {"vector_kwargs": {"context": "spawn"}} if mode == "async" else {}
    name, arguments = f"proctor.run.gym:{proctor.run.gym.env_id(EASY)}", {"cameras": ("agentview",), "image_size": 32}
    many = gymnasium.make_vec(name, num_envs=2, vectorization_mode=mode, max_steps=3, **arguments, **extra)
    try:
        seen, info = many.reset(seed=[4, 8])
        assert many.call("task_description") == (info["instruction"][0],) * 2
        assert many.call("_max_episode_steps") == (3, 3)
        actions = np.zeros((2, 7), np.float32)
        for _ in range(3):
            after, _, _, truncated, infos = many.step(actions)
        assert truncated.all()
        assert "trajectory_hash" in infos
    finally:
        many.close()
    for index, seed in enumerate((4, 8)):
        alone = make(EASY, max_steps=3)
        first, _ = alone.reset(seed=seed)
        assert data_equivalence(first["pixels"]["agentview"], seen["pixels"]["agentview"][index], exact=True)
        for _ in range(3):
            last, *_, final = alone.step(actions[index])
        assert np.array_equal(last["agent_pos"], after["agent_pos"][index])
        assert final["trajectory_hash"] == infos["trajectory_hash"][index]
        alone.close()
