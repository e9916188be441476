"""The environment: actions, state, time, and that the same episode is the same bytes."""

from __future__ import annotations

import dataclasses
import hashlib
import subprocess
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from world_bench import NOOP, STILL, Bench, episode

from proctor.core import Env, named_seed
from proctor.sim import FINGER_OPEN_M, FINGER_SPEED_M, TABLE_Z, InverseKinematics, SceneError, SimEnv
from proctor.sim._scene import INSTANCE_SETS


@pytest.fixture(scope="module")
def task(bench: Bench) -> Path:
    return bench.write(
        objects={"apple_1": "apple", "wine_bottle_1": "wine_bottle"},
        at={"apple_1": (-0.15, -0.1, -0.05, 0.1, -3, 3), "wine_bottle_1": (0.1, 0.2, 0.2, 0.3, 0, 0)},
        cost="(And (InContact robot wine_bottle_1) (CheckDistance robot apple_1 0.02))",
    )


def wild_actions(count: int, seed: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-0.6, 0.6, (count, 7))


def play(env: SimEnv, actions: np.ndarray) -> str:
    for action in actions:
        env.step(action)
    return env.finish().trajectory_hash


# -- actions -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("share", [0.5, -0.25])
def test_a_unit_of_translation_is_five_centimetres_along_a_world_axis(
    bench: Bench, task: Path, axis: int, share: float
) -> None:
    scene = bench.start(task)
    before, facing = scene.tcp()
    action = np.zeros(7)
    action[axis] = share
    for step in range(2):
        bench.env.step(action)
        want = before + 0.05 * share * (step + 1) * np.eye(3)[axis]
        assert bench.env.controller.position == pytest.approx(want, abs=2e-3)
    commanded = bench.env.controller.position.copy()
    for _ in range(6):
        bench.env.step(STILL)
    after, still = scene.tcp()
    assert bench.env.controller.position == pytest.approx(commanded, abs=2e-3), "at rest the command does not creep"
    assert after - before == pytest.approx(0.1 * share * np.eye(3)[axis], abs=2e-3)
    assert np.degrees(Rotation.from_matrix(still @ facing.T).magnitude()) < 0.3


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_unit_of_rotation_is_half_a_radian_about_a_world_axis(bench: Bench, task: Path, axis: int) -> None:
    scene = bench.start(task)
    place, before = scene.tcp()
    action = np.zeros(7)
    action[3 + axis] = 0.2
    for _ in range(4):
        bench.env.step(action)
    for _ in range(6):
        bench.env.step(STILL)
    moved, after = scene.tcp()
    turned = Rotation.from_matrix(after @ before.T).as_rotvec()
    assert turned == pytest.approx(4 * 0.2 * 0.5 * np.eye(3)[axis], abs=6e-3)
    assert np.linalg.norm(moved - place) < 3e-3


def test_the_command_is_what_forward_kinematics_says_of_the_joint_targets(bench: Bench, task: Path) -> None:
    bench.start(task)
    kinematics = InverseKinematics()
    for action in wild_actions(15):
        bench.env.step(action)
        position, rotation = kinematics.forward(bench.env.controller.q)
        assert bench.env.controller.position == pytest.approx(position, abs=3e-3)
        turned = Rotation.from_matrix(bench.env.controller.rotation @ rotation.T).magnitude()
        assert turned < 0.021


def test_the_gripper_moves_six_millimetres_per_finger_and_step_and_holds_at_zero(bench: Bench, task: Path) -> None:
    scene = bench.start(task)
    fingers = scene.data.qpos[scene.finger_qpos]
    assert fingers == pytest.approx([FINGER_OPEN_M] * 2, abs=5e-4)
    close = np.array([0, 0, 0, 0, 0, 0, 1.0])
    for step in range(1, 4):
        bench.env.step(close)
        assert bench.env.controller.finger_m == pytest.approx(FINGER_OPEN_M - step * FINGER_SPEED_M)
    for _ in range(8):
        bench.env.step(STILL)
    width = scene.data.qpos[scene.finger_qpos].copy()
    assert width == pytest.approx([FINGER_OPEN_M - 3 * FINGER_SPEED_M] * 2, abs=5e-4)
    for _ in range(5):
        bench.env.step(NOOP)
    assert scene.data.qpos[scene.finger_qpos] == pytest.approx([FINGER_OPEN_M] * 2, abs=1e-3)
    assert FINGER_SPEED_M == 0.006


def test_actions_beyond_one_are_clipped(bench: Bench, task: Path) -> None:
    far = np.array([9.0, -9.0, 0, 0, 0, 7.0, 5.0])
    bench.start(task)
    first = play(bench.env, np.stack([far] * 3))
    bench.start(task)
    assert play(bench.env, np.clip(np.stack([far] * 3), -1, 1)) == first


# -- time and state ------------------------------------------------------------------------------------
def test_a_control_step_is_fifty_milliseconds_of_two_each(bench: Bench, task: Path) -> None:
    scene = bench.start(task)
    assert scene.model.opt.timestep == 0.002
    before = scene.data.time
    bench.env.step(STILL)
    assert scene.data.time - before == pytest.approx(0.050)
    assert bench.env.spec().control_hz == 20.0
    for _ in range(3):
        bench.env.step(STILL)
    outcome = bench.env.finish()
    assert (outcome.steps, outcome.sim_time_s) == (4, pytest.approx(0.2))


def test_the_state_is_position_axis_angle_and_two_fingers(bench: Bench, task: Path) -> None:
    scene = bench.start(task)
    for action in wild_actions(12):
        bench.env.step(action)
        state = bench.env.observe((), 64).state
        assert state.shape == (8,)
        assert state[:3] == pytest.approx(scene.data.site("robot/tcp").xpos)
        # Axis-angle of the measured matrix by another library; at half a turn both signs are the same rotation.
        want = Rotation.from_matrix(scene.data.site("robot/tcp").xmat.reshape(3, 3))
        assert (Rotation.from_rotvec(state[3:6]) * want.inv()).magnitude() < 1e-6
        assert np.linalg.norm(state[3:6]) <= np.pi + 1e-9
        assert state[6] == scene.data.joint("robot/finger0").qpos[0]
        assert state[7] == -scene.data.joint("robot/finger1").qpos[0]


def test_observation_carries_instruction_and_step(bench: Bench, task: Path) -> None:
    bench.start(task)
    bench.env.step(STILL)
    seen = bench.env.observe((), 64)
    assert (seen.instruction, seen.step, dict(seen.images)) == ("Do nothing", 1, {})
    assert isinstance(bench.env, Env)


def test_before_reset_there_is_one_clear_line() -> None:
    env = SimEnv()
    for ask in (lambda: env.scene, lambda: env.monitor, lambda: env.step(STILL), env.snapshot):
        with pytest.raises(SceneError, match="call reset"):
            ask()


# -- the same episode is the same bytes ----------------------------------------------------------------
def test_same_spec_same_trajectory_whatever_happened_before(bench: Bench, task: Path) -> None:
    actions = wild_actions(30)
    bench.start(task, seed=5)
    first = play(bench.env, actions)
    bench.start(task, seed=6)
    assert play(bench.env, wild_actions(20, seed=9)) != first
    bench.start(task, seed=5)
    bench.env.observe(("agentview", "wrist"), 32)
    for number, action in enumerate(actions):
        bench.env.step(action)
        if number % 7 == 0:
            bench.env.observe(("agentview",), 32)
            bench.env.monitor.true_costs()
            bench.env.snapshot()
    assert bench.env.finish().trajectory_hash == first
    fresh = SimEnv()
    fresh.reset(episode(task, 5))
    assert play(fresh, actions) == first
    fresh.close()


def test_another_process_gives_the_same_trajectory(bench: Bench, task: Path) -> None:
    actions = wild_actions(12)
    bench.start(task, seed=8)
    mine = play(bench.env, actions)
    code = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from test_world_env import episode, play, wild_actions, SimEnv
env = SimEnv(); env.reset(episode(Path({str(task)!r}), 8)); print(play(env, wild_actions(12)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == mine


def test_the_trajectory_hash_covers_actions_and_states(bench: Bench, task: Path) -> None:
    """By the definition: action, qpos, qvel as bytes, at reset (zero action) and after each step."""
    scene = bench.start(task)
    digest = hashlib.sha256()

    def record(action: np.ndarray) -> None:
        for part in (action, scene.data.qpos, scene.data.qvel):
            digest.update(part.tobytes())

    record(np.zeros(7))
    for action in wild_actions(3):
        bench.env.step(action)
        record(action)
    assert bench.env.finish().trajectory_hash == digest.hexdigest()[:32]


def test_a_snapshot_continues_bit_for_bit(bench: Bench, task: Path) -> None:
    actions = wild_actions(30, seed=4)
    bench.start(task, seed=2)
    for action in actions[:12]:
        bench.env.step(action)
    # An apple near the hand, so that the watches have something to remember.
    tool, _ = bench.scene.tcp()
    bench.put("apple_1", tool - np.array([0, 0, 0.08]))
    bench.env.step(NOOP)
    saved, true_now = bench.env.snapshot(), bench.env.monitor.true_costs()
    assert true_now
    first = play(bench.env, actions[12:])
    end = bench.env.finish()
    bench.put("apple_1", (0.3, -0.4, TABLE_Z))
    for action in wild_actions(9, seed=1):
        bench.env.step(action)
    assert bench.env.monitor.true_costs() != true_now
    bench.env.restore(saved)
    assert bench.env.monitor.true_costs() == true_now
    assert play(bench.env, actions[12:]) == first
    again = bench.env.finish()
    assert again == end
    bench.start(task, seed=2)
    bench.env.restore(saved)
    assert play(bench.env, actions[12:]) == first, "also after a reset"


def test_a_snapshot_with_something_in_the_hand(bench: Bench) -> None:
    scene = bench.build(objects={"apple_1": "apple"}, at={"apple_1": (0.1, 0.3)}, goal="(Up apple_1)")
    held = scene.held("apple_1")
    hold_in_hand(bench, "apple_1")
    lift = np.array([0, 0, 0.3, 0, 0, 0.1, 1.0])
    for _ in range(3):
        bench.env.step(lift)
    assert held()
    saved = bench.env.snapshot()
    first = play(bench.env, np.stack([lift] * 10))
    bench.env.restore(saved)
    assert held()
    assert play(bench.env, np.stack([lift] * 10)) == first


def test_a_snapshot_of_another_episode_is_refused(bench: Bench, task: Path) -> None:
    bench.start(task, seed=1)
    saved = bench.env.snapshot()
    bench.start(task, seed=2)
    with pytest.raises(SceneError, match="another episode"):
        bench.env.restore(saved)


def hold_in_hand(bench: Bench, name: str) -> None:
    """Hang an object between the pads and close on it with gravity off for as long as that takes."""
    scene = bench.scene
    tool, _ = scene.tcp()
    bench.put(name, tool - np.array([0, 0, scene.assets[name].height_m / 2]))
    mujoco.mj_forward(scene.model, scene.data)
    gravity = scene.model.opt.gravity.copy()
    scene.model.opt.gravity[:] = 0
    close = np.array([0, 0, 0, 0, 0, 0, 1.0])
    for _ in range(12):
        bench.env.step(close)
    scene.model.opt.gravity[:] = gravity
    for _ in range(4):
        bench.env.step(close)


# -- instances -----------------------------------------------------------------------------------------
def test_same_seed_same_instances_and_seeds_cover_all_sets(bench: Bench, task: Path) -> None:
    sets = {named_seed(seed, "instances") % INSTANCE_SETS for seed in range(60)}
    assert sets == set(range(INSTANCE_SETS))
    seen = {}
    for seed in range(12):
        scene = bench.start(task, seed)
        assert scene.instance_set == named_seed(seed, "instances") % INSTANCE_SETS
        shape = (scene.assets["wine_bottle_1"].height_m, scene.assets["apple_1"].height_m)
        assert seen.setdefault(scene.instance_set, shape) == shape
    assert len(set(seen.values())) == len(seen) >= 4, "sets differ from each other"


def test_two_things_of_a_category_are_siblings_not_twins(bench: Bench) -> None:
    scene = bench.build(
        objects={"apple_1": "apple", "apple_2": "apple"}, at={"apple_1": (0, -0.2), "apple_2": (0, 0.2)}
    )
    assert scene.assets["apple_1"].height_m != scene.assets["apple_2"].height_m


def test_a_file_that_changed_since_the_plan_is_refused(bench: Bench, task: Path) -> None:
    with pytest.raises(SceneError, match="has changed since the plan"):
        bench.env.reset(dataclasses.replace(episode(task), task_hash="0123"))
