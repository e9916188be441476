"""The expert that travels by plans: it solves what the expert does, refuses bad grasps, and does without OMPL."""

from __future__ import annotations

from pathlib import Path

import motion_yard
import numpy as np
import pytest

from proctor.core import EpisodeSpec, ProctorError
from proctor.policies.scripted import LIFT_M
from proctor.policies.scripted.motion import TRAVELS, CarefulPicker, PlanningExpert, _ompl
from proctor.run.engine import run_episode
from proctor.sim import HOME_Q, SimEnv


def spec(folder: Path, seed: int = 0) -> EpisodeSpec:
    path = folder / "yard.cbddl"
    path.write_text(motion_yard.TASK)
    return EpisodeSpec("t", "yard", "L0", "", 0, seed, "x", "none", task_path=str(path), max_steps=400)


@pytest.mark.parametrize("travel", TRAVELS)
def test_every_way_of_travelling_solves_the_task_and_moves_nothing_else(
    env: SimEnv, tmp_path: Path, travel: str
) -> None:
    policy = PlanningExpert(travel)
    policy.bind(env)
    row = run_episode(env, policy, spec(tmp_path))
    assert (row.status, row.outcome.success) == ("completed", True)
    assert row.outcome.steps < 300, "it stops at success"
    for name in ("cereal_1", "wine_bottle_1"):
        assert np.linalg.norm(env.scene.com(name) - env.scene.references[name].com) < 0.002
    assert (policy.effort.plans > 0) is (travel == "planned")


def test_planned_episodes_are_the_same_bytes_again(env: SimEnv, tmp_path: Path) -> None:
    policy = PlanningExpert("planned")
    policy.bind(env)
    hashes = {run_episode(env, policy, spec(tmp_path)).outcome.trajectory_hash for _ in range(2)}
    assert len(hashes) == 1


def test_a_grasp_whose_lift_touches_something_is_refused(env: SimEnv, tmp_path: Path) -> None:
    scene = motion_yard.start(env, tmp_path)
    policy = PlanningExpert("planned")
    policy.bind(env)
    hands = policy.hands(env)
    assert isinstance(hands.picker, CarefulPicker)
    grasp = hands.picker.rank("apple_1")[0]
    assert hands.picker.refuses("apple_1", grasp) is None
    # The bottle hangs in the air beside the wrist, free of the hand at the grasp and in its way when it is lifted.
    low, _ = hands.clearance.solve(grasp.position, grasp.rotation, HOME_Q)
    high, _ = hands.clearance.solve(grasp.position + np.array([0, 0, LIFT_M]), grasp.rotation, low)
    for z in np.arange(0.40, 0.0, -0.005):
        scene.data.joint("wine_bottle_1/free").qpos[:3] = grasp.position + 0.08 * grasp.rotation[:, 1] + (0, 0, z)
        look = [hands.clearance.hit(q, ignore=frozenset({"apple_1"}), margin_m=0.003) for q in (low, high)]
        if look == [None, "wine_bottle_1"]:
            break
    else:
        pytest.fail("no place between grasp and lift")
    assert hands.picker.refuses("apple_1", grasp) == "wine_bottle_1"
    assert policy.effort.refused_grasps == 1


def test_without_ompl_it_says_so_and_travels_as_scripted(
    env: SimEnv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_ompl, "available", lambda: False)
    with pytest.raises(ProctorError, match=r"needs OMPL: pip install 'proctor\[motion\]'") as refused:
        PlanningExpert("both")
    assert "\n" not in str(refused.value)
    policy = PlanningExpert("scripted")
    policy.bind(env)
    assert run_episode(env, policy, spec(tmp_path)).outcome.success


def test_an_unknown_way_of_travelling_is_refused() -> None:
    with pytest.raises(ProctorError, match="none of scripted, planned, both; did you mean 'planned'"):
        PlanningExpert("plannd")
