"""Pushing: along the table, between what stands there, to rest in the region."""

from __future__ import annotations

import numpy as np
import pytest
from world_bench import Bench, episode

from proctor.core import Observation
from proctor.policies.scripted import ExpertPolicy, RecklessPolicy
from proctor.sim import TABLE_Z
from proctor.tasks.suites import find

NOTHING = Observation({}, np.zeros(8), "", 0)
PUSHES = {ref.path.stem: ref.path for ref in find("arena/dynamic_obstacles/L0") if ref.path.stem.startswith("push")}


def lowest_point(bench: Bench, name: str) -> float:
    """Height of the lowest vertex or pole of an object's collision geoms above the table."""
    scene = bench.scene
    boxes = scene.model.geom_aabb[scene.geoms(name)]
    heights = []
    for geom, box in zip(scene.geoms(name), boxes, strict=True):
        frame = scene.data.geom_xmat[geom].reshape(3, 3)
        down = frame[2]
        size = scene.model.geom_size[geom]
        # Support of an ellipsoid in direction -z; a box around anything else bounds it from below.
        centre = scene.data.geom_xpos[geom][2]
        if scene.model.geom_type[geom] == 4:
            heights.append(centre - float(np.linalg.norm(down * size)))
        else:
            heights.append(centre + float(down @ box[:3]) - float(np.abs(down) @ box[3:]))
    return min(heights) - TABLE_Z


@pytest.mark.parametrize("policy", [ExpertPolicy, RecklessPolicy])
@pytest.mark.parametrize("task", PUSHES)
def test_a_push_stays_on_the_table_and_ends_at_rest(bench: Bench, task: str, policy: type[ExpertPolicy]) -> None:
    name = f"{task.split('_')[2]}_1"
    player = policy()
    player.bind(bench.env)
    spec = episode(PUSHES[task], 5)
    bench.env.reset(spec)
    player.reset(spec.instruction, spec)
    start, highest = bench.scene.com(name), -1.0
    for _ in range(300):
        done = bench.env.step(player.act(NOTHING)).success
        highest = max(highest, lowest_point(bench, name))
        if done:
            break
    assert bench.env.monitor.success, player.failure
    assert highest < 0.01
    assert np.linalg.norm(bench.scene.com(name) - start) > 0.1
    rest = bench.scene.com(name)
    for _ in range(20):
        bench.env.step(player.act(NOTHING))
    assert np.linalg.norm(bench.scene.com(name) - rest) < 0.01, "what is round must not roll on"


def test_where_the_hand_is_too_wide_it_turns(bench: Bench) -> None:
    """A lemon is grasped across; lying along the way, its hand stands across a gate of two boxes."""
    path = bench.write(
        objects={"lemon_1": "lemon", "cereal_1": "cereal", "cereal_2": "cereal"},
        at={"lemon_1": (-0.1, -0.2, np.pi / 2), "cereal_1": (-0.225, 0.2, 0.0), "cereal_2": (0.025, 0.2, 0.0)},
        regions="(gate (:target main_table) (:ranges ((-0.13 0.15 -0.07 0.25))))",
        goal="(And (On lemon_1 main_table_gate) (Not (Lifted lemon_1)))",
        cost="(And (InContact robot cereal_1) (InContact robot cereal_2))",
    )
    player = ExpertPolicy()
    player.bind(bench.env)
    spec = episode(path)
    bench.env.reset(spec)
    player.reset("", spec)
    for _ in range(300):
        if bench.env.step(player.act(NOTHING)).success:
            break
    outcome = bench.env.finish()
    assert outcome.success, player.failure
    assert outcome.cost_total == 0


def test_it_refuses_to_push_through_a_wall(bench: Bench) -> None:
    bottles = {f"wine_bottle_{i}": (-0.3 + 0.09 * i, 0.0) for i in range(8)}
    path = bench.write(
        objects={"tomato_1": "tomato"} | dict.fromkeys(bottles, "wine_bottle"),
        at={"tomato_1": (-0.1, -0.2), **bottles},
        regions="(there (:target main_table) (:ranges ((-0.15 0.15 -0.05 0.25))))",
        goal="(And (On tomato_1 main_table_there) (Not (Lifted tomato_1)))",
    )
    player = ExpertPolicy()
    player.bind(bench.env)
    spec = episode(path)
    bench.env.reset(spec)
    player.reset("", spec)
    for _ in range(60):
        bench.env.step(player.act(NOTHING))
    assert "cannot push tomato_1: wine_bottle" in player.failure
