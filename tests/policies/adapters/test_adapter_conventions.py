"""State, motion and gripper: against SciPy, robosuite's formulas and figures of benchmarks/robosuite_conventions.py."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from proctor.policies.adapters import Adapter
from proctor.policies.adapters._adapter import (
    OSC_TRANSLATION,
    approach,
    check_checkpoint,
    gripper_from_open,
    libero_state,
    pick_unnorm_key,
)
from proctor.policies.adapters._ensemble import Ensemble
from proctor.policies.adapters.univla import latent_text, univla_prompt, unnormalise
from proctor.policies.adapters.xiaomi_robotics_0 import xiaomi_instruction
from proctor.sim import BASE_POS, POSITION_SCALE_M, ROTATION_SCALE_RAD, rotvec
from proctor.sim._control import Controller

ROTATIONS = Rotation.random(200, random_state=np.random.default_rng(5))
# robosuite 1.4.0, Panda at our home posture: tool position relative to the base, axis-angle of robot0_eef_quat.
ROBOSUITE_HOME = [0.4515, 0.0, 0.2613, 3.1403, 0.0008, -0.0892]


class Plain(Adapter):
    name, chunk = "plain", 3

    def facts(self) -> dict[str, Any]:
        return {}


def quat2axisangle(quat_xyzw: Any) -> Any:
    """The formula of robosuite: the angle is 2 acos(w), so up to 2 pi."""
    angle = 2.0 * math.acos(np.clip(quat_xyzw[3], -1.0, 1.0))
    return quat_xyzw[:3] * angle / math.sqrt(max(1.0 - quat_xyzw[3] ** 2, 1e-30))


@pytest.mark.parametrize("rotation", list(ROTATIONS[:50]), ids=range(50))
def test_libero_angle_is_the_same_rotation_on_liberos_side(rotation: Rotation) -> None:
    state = np.concatenate([[0.1, 0.2, 0.3], rotation.as_rotvec(), [0.02, -0.02]])
    turned = libero_state(state)
    assert (Rotation.from_rotvec(turned[3:6]) * rotation.inv()).magnitude() < 1e-9
    assert turned[3] >= 0.0
    quat = rotation.as_quat()
    assert np.allclose(turned[3:6], quat2axisangle(quat if quat[0] >= 0 else -quat), atol=1e-7)
    assert turned[6:].tolist() == [0.02, -0.02]


def test_the_tools_axis() -> None:
    for rotation in ROTATIONS:
        assert np.allclose(approach(rotation.as_rotvec()), rotation.apply([0.0, 0.0, 1.0]))
    assert approach(np.zeros(3)).tolist() == [0.0, 0.0, 1.0]


def test_our_state_at_home_becomes_robosuites() -> None:
    controller = Controller()
    ours = np.concatenate([controller.position - np.array(BASE_POS), rotvec(controller.rotation), [0.04, -0.04]])
    assert np.allclose(libero_state(ours)[:3], ROBOSUITE_HOME[:3], atol=2e-4)
    assert np.allclose(libero_state(ours)[3:6], ROBOSUITE_HOME[3:], atol=1e-3)


def test_scales_are_nominally_those_of_osc_pose() -> None:
    assert (POSITION_SCALE_M, ROTATION_SCALE_RAD) == (0.05, 0.5)


def test_the_share_that_robosuites_controller_covers_follows_from_its_gains() -> None:
    # e'' = -kp e - kd e' with e(0) = the commanded way, set anew every 50 ms; in the steady state speed repeats itself.
    kp, step_s = 150.0, 0.05
    over = expm(np.array([[0.0, -1.0], [kp, -2.0 * math.sqrt(kp)]]) * step_s)
    speed = over[1, 0] / (1.0 - over[1, 1])
    share = 1.0 - over[0, 0] - over[0, 1] * speed
    assert share == pytest.approx(OSC_TRANSLATION, abs=0.015)


@pytest.mark.parametrize(
    ("open_share", "ours"), [(1.0, -1.0), (0.51, -1.0), (0.5, 0.0), (0.49, 1.0), (0.0, 1.0), (-0.3, 1.0)]
)
def test_gripper_truth_table(open_share: float, ours: float) -> None:
    actions = np.full((2, 7), 0.3)
    actions[:, 6] = open_share
    mapped = gripper_from_open(actions)
    assert mapped[:, 6].tolist() == [ours, ours]
    assert np.array_equal(mapped[:, :6], actions[:, :6])
    assert actions[0, 6] == open_share


def test_actions_are_clipped_then_scaled_and_cut_to_the_chunk() -> None:
    raw = np.array([[2.0, -2.0, 0.5, 2.0, -2.0, 0.5, -3.0]] * 5)
    expected = [0.255, -0.255, 0.1275, 0.23, -0.23, 0.115, -1.0]
    assert np.allclose(Plain().to_actions(raw), [expected] * 3)
    assert Plain(examined_in="libero").to_actions(raw[0]).tolist() == [[1.0, -1.0, 0.5, 1.0, -1.0, 0.5, -1.0]]
    assert np.allclose(Plain(motion_scale=0.5).to_actions(raw[0])[0, :6], [0.5, -0.5, 0.25, 0.5, -0.5, 0.25])


def test_what_each_training_world_changes() -> None:
    image = np.arange(2 * 2 * 3, dtype=np.uint8).reshape(2, 2, 3)
    state = np.array([0.0, 0.0, 1.0, -3.0, 0.1, 0.0, 0.04, -0.04])
    seen = SimpleNamespace(images={"agentview": image}, state=state)
    at_home, libero = Plain(trained_on="proctor"), Plain()
    assert np.array_equal(at_home.image(seen, "agentview"), image)
    assert np.array_equal(at_home.state(seen), state)
    assert np.array_equal(libero.image(seen, "agentview"), image[:, ::-1])
    assert libero.state(seen)[3] > 0
    inside = Plain(examined_in="libero")
    assert np.array_equal(inside.image(seen, "agentview"), image[:, ::-1])
    assert np.array_equal(inside.state(seen), state)
    assert np.array_equal(Plain(mirror=False, rotate=180).image(seen, "agentview"), image[::-1, ::-1])
    assert at_home.to_actions(np.ones(7)).tolist() == [[1.0] * 7]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"trained_on": "bridge"}, "trained_on is 'bridge'"),
        ({"examined_in": ""}, "examined_in is ''"),
        ({"rotate": 90}, "rotate is 90"),
        ({"motion_scale": 0.0}, "motion_scale is 0.0"),
        ({"motion_scale": [0.5, math.nan]}, "motion_scale is"),
        ({"motion_scale": 2}, "motion_scale is 2"),
    ],
)
def test_wrong_conventions_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("[", r"\[")):
        Plain(**options)


def test_the_fingerprint_follows_the_conventions() -> None:
    options: list[dict[str, Any]] = [
        {},
        {"mirror": False},
        {"rotate": 180},
        {"motion_scale": 1},
        {"examined_in": "libero"},
    ]
    assert len({Plain(**option).spec()["fingerprint"] for option in options}) == len(options)
    assert Plain().spec() == Plain(trained_on="libero").spec()


def test_unnorm_key() -> None:
    assert pick_unnorm_key({"libero_goal": 0, "libero_10": 0}, "libero_goal") == "libero_goal"
    assert pick_unnorm_key({"libero_goal_no_noops": 0, "other": 0}, "libero_goal") == "libero_goal_no_noops"
    assert pick_unnorm_key({"vla_arena": 0}, "") == "vla_arena"
    with pytest.raises(RuntimeError, match=r"several data sets.*one of a, b"):
        pick_unnorm_key({"a": 0, "b": 0}, "")
    with pytest.raises(RuntimeError, match=r"no action statistics 'c'.*one of a, b"):
        pick_unnorm_key({"b": 0, "a": 0}, "c")


def test_checkpoint_paths(tmp_path: Any) -> None:
    assert check_checkpoint(str(tmp_path)) == str(tmp_path)
    assert check_checkpoint("openvla/openvla-7b") == "openvla/openvla-7b"
    for wrong in ("", str(tmp_path / "missing")):
        with pytest.raises(RuntimeError, match="no checkpoint"):
            check_checkpoint(wrong)


def test_ensemble_equals_a_shifted_buffer() -> None:
    """The other way to write it: a square buffer, shifted by one row and one column each step."""
    window, rng = 12, np.random.default_rng(8)
    ensemble, buffer = Ensemble(window), np.full((window, window, 7), np.nan)
    weights = np.exp(-0.1 * np.arange(window))
    for _ in range(30):
        chunk = rng.normal(size=(window, 7))
        shifted = np.full_like(buffer, np.nan)
        shifted[1:, :-1] = buffer[:-1, 1:]
        shifted[0], buffer = chunk, shifted
        said = ~np.isnan(buffer[:, 0, 0])
        expected = (weights[said, None] * buffer[said, 0]).sum(axis=0) / weights[said].sum()
        buffer[0] = chunk
        assert np.allclose(ensemble.add(chunk), expected)


def test_ensemble_of_one_plan_is_the_plan() -> None:
    plan = np.arange(40.0)[:, None] * np.ones(7)
    ensemble = Ensemble(12)
    assert [ensemble.add(plan[t : t + 12])[0] for t in range(20)] == pytest.approx(list(range(20)))


def test_unnormalise_maps_the_ends_and_leaves_the_gripper() -> None:
    statistics = {"q01": [-0.5] * 7, "q99": [0.25] * 7, "mask": [True] * 6 + [False]}
    assert unnormalise(np.full(7, -1.0), statistics).tolist() == [-0.5] * 6 + [-1.0]
    assert unnormalise(np.full(7, 1.0), statistics).tolist() == [0.25] * 6 + [1.0]
    assert unnormalise(np.zeros(7), {"q01": [0.0] * 7, "q99": [1.0] * 7}).tolist() == [0.5] * 7


def test_prompts() -> None:
    assert univla_prompt("Pick the Apple", "") == "In: What action should the robot take to pick the apple?\nOut:"
    assert univla_prompt("pick it", "<ACT_1>").endswith("pick it? History action <ACT_1>\nOut:")
    assert latent_text([32001, 32032]) == "<ACT_0><ACT_31>"
    with pytest.raises(RuntimeError, match="token 32033"):
        latent_text([32033])
    assert xiaomi_instruction("put the Bowl on the stove.") == "Put the bowl on the stove."
