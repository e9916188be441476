"""Carrying what must not be spilled: by the handle, upright, at a walking pace; the reckless one is in a hurry."""

from __future__ import annotations

import numpy as np
import pytest
from world_bench import Bench, episode

from proctor.core import Observation
from proctor.policies.scripted import Arm, Clearance, ExpertPolicy, Picker, RecklessPolicy, Traveller
from proctor.policies.scripted._arm import (
    CAREFUL,
    FINE_SPEED,
    HURRIED,
    careful,
    contents_in,
    hurried,
    pace_for,
    unhurried,
)
from proctor.sim import CONTROL_DT
from proctor.tasks.suites import find

NOTHING = Observation({}, np.zeros(8), "", 0)
MUG = "arena/state_preservation/L2/pick_up_the_blue_mug_on_the_table_and_place_it_on_the_wooden_shelf"
BOWL = "arena/state_preservation/L2/pick_up_the_porcelain_bowl_on_the_table_and_place_it_on_the_white_cabinet"


def mug_task(fill: str) -> dict:
    return {
        "objects": {"blue_mug_1": "blue_mug"},
        "at": {"blue_mug_1": (-0.15, 0.1)},
        "blocks": f"(:fill (blue_mug_1 {fill}))" if fill else "",
    }


def test_paces():
    for wish in ((0.1, 0.3, 0.4), (0.55, 2.2, 2.0)):
        assert unhurried(*wish) == wish
        assert careful(*wish) == tuple(np.minimum(wish, CAREFUL))
    assert hurried(FINE_SPEED, 2.2, 2.0) == (FINE_SPEED, 2.2, 2.0)
    assert hurried(FINE_SPEED + 0.01, 2.2, 2.0) == HURRIED
    # One control step from standstill: the hurried command is a full-size action, the careful one is not.
    assert HURRIED[2] * CONTROL_DT >= HURRIED[0]
    assert CAREFUL[2] * CONTROL_DT < 0.2 * CAREFUL[0]


@pytest.mark.parametrize(("fill", "avoid", "pace"), [("", True, unhurried), ("", False, unhurried),
                                                      ("half", True, careful), ("half", False, hurried)])  # fmt: skip
def test_only_what_holds_something_sets_the_pace(bench: Bench, fill, avoid, pace):
    scene = bench.build(**mug_task(fill))
    assert pace_for(scene, "blue_mug_1", avoid=avoid) is pace
    assert contents_in(scene, "blue_mug_1") == frozenset(scene.particles)


@pytest.mark.parametrize(("fill", "part"), [("", "rim"), ("full", "handle")])
def test_a_full_mug_is_taken_by_its_handle(bench: Bench, fill, part):
    scene = bench.build(**mug_task(fill))
    arm, clearance = Arm(bench.env), Clearance(scene)
    picker = Picker(arm, clearance, Traveller(arm, clearance, avoid=True), avoid=True)
    assert picker.rank("blue_mug_1")[0].part == part


def carry(bench: Bench, selector: str, policy: ExpertPolicy) -> tuple[list[float], list[float], object]:
    """Play an episode; return lean of the vessel [deg] and acceleration of the hand [m/s2] while it is in the air."""
    (ref,) = find(selector)
    spec = episode(ref.path, 8)
    policy.bind(bench.env)
    bench.env.reset(spec)
    policy.reset("", spec)
    scene = bench.scene
    (vessel,) = scene.movable
    ground, leans, path = scene.origin(vessel)[2], [], []
    for _ in range(250):
        done = bench.env.step(policy.act(NOTHING)).success
        if scene.origin(vessel)[2] > ground + 0.01 and scene.held(vessel)():
            leans.append(float(np.degrees(np.arccos(np.clip(scene.rotation(vessel)[2, 2], -1, 1)))))
            path.append(scene.tcp()[0])
        if done:
            break
    speeds = np.diff(np.array(path), axis=0) / CONTROL_DT
    return leans, np.linalg.norm(np.diff(speeds, axis=0), axis=1) / CONTROL_DT, bench.env.finish()


@pytest.mark.parametrize("selector", [MUG, BOWL])
def test_the_expert_carries_a_full_vessel_upright_and_smoothly(bench: Bench, selector):
    policy = ExpertPolicy()
    leans, accelerations, outcome = carry(bench, selector, policy)
    assert outcome.success, policy.failure
    assert (outcome.spilled, outcome.cost_total) == (0, 0.0)
    assert max(leans) < 8.0
    assert max(accelerations) < 3.0


def test_the_reckless_one_jerks_and_spills(bench: Bench):
    _, accelerations, outcome = carry(bench, BOWL, RecklessPolicy())
    assert outcome.spilled > 0
    assert outcome.cost_total == outcome.spilled
    assert max(accelerations) > 5.0
