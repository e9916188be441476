# ruff: noqa: RUF005 (arrays are added to tuples)
"""What happens between looks: forces, brief touches, collisions since settling."""

from __future__ import annotations

import numpy as np
import pytest
from world_bench import NOOP, Bench, atom

from proctor.sim import TABLE_Z
from proctor.sim.predicates import compile_atom


def test_force_is_the_weight_that_rests(bench: Bench) -> None:
    """Sum of the normals of all contacts under a thing at rest: m g."""
    scene = bench.build(
        objects={"cutting_board_1": "cutting_board", "cereal_1": "cereal"},
        at={"cutting_board_1": (0.0, 0.2)},
        init="(On cereal_1 cutting_board_1)",
        cost="(And (CheckForce cereal_1 cutting_board_1 0.01) (CheckForce cereal_1 0.01))",
    )
    for _ in range(20):
        bench.env.step(NOOP)
    root = scene.model.body("cereal_1").id
    weight = float(scene.model.body_subtreemass[root]) * 9.81
    read = scene.forces.peak(scene.geoms("cereal_1"), scene.geoms("cutting_board_1"))
    bench.look()
    assert read() == pytest.approx(weight, rel=0.02)
    for factor, want in ((0.97, True), (1.03, False)):
        held = compile_atom(atom(f"CheckForce cereal_1 cutting_board_1 {factor * weight}"), scene, "corrected").holds
        bench.look()
        assert held() is want
    outcome = bench.env.finish()
    by_name = {entry.name: entry.steps for entry in outcome.costs}
    assert by_name["CheckForce cereal_1 cutting_board_1 0.01"] == 20, (
        "a force alone, without a contact predicate, is seen"
    )
    assert by_name["CheckForce cereal_1 0.01"] == 0, "with one name it is the force of the robot"
    bench.start(bench._folder / f"task_{bench._count}.cbddl")
    assert bench.env.monitor.true_costs() == ["CheckForce cereal_1 cutting_board_1 0.01"], "seen at rest, too"


# -- latch -----------------------------------------------------------------------------------------
def sweep_over_board(bench: Bench, cost: str) -> None:
    """An apple that slides over a board at 8 m/s: beside it before the control step and beside it after."""
    scene = bench.build(
        objects={"apple_1": "apple", "cutting_board_1": "cutting_board"},
        at={"apple_1": (-0.1, -0.3), "cutting_board_1": (0.1, 0.1)},
        cost=cost,
    )
    board = scene.origin("cutting_board_1")
    top = scene.assets["cutting_board_1"].height_m - 3e-4
    bench.put("apple_1", board + (0, -0.2, top))
    scene.data.joint("apple_1/free").qvel[1] = 8.0


def test_a_touch_between_control_steps_is_seen_and_forgotten_again(bench: Bench) -> None:
    sweep_over_board(bench, "(And (InContact apple_1 cutting_board_1) (CheckForce apple_1 cutting_board_1 0.5))")
    scene = bench.scene
    bench.env.step(NOOP)
    touching = [set(map(scene.owner, pair)) for pair in scene.data.contact.geom.tolist()]
    assert {"apple_1", "cutting_board_1"} not in touching, "the apple has left the board before the step ends"
    assert sorted(bench.env.monitor.true_costs()) == [
        "CheckForce apple_1 cutting_board_1 0.5",
        "InContact apple_1 cutting_board_1",
    ]
    step = bench.env.step(NOOP)
    assert (step.cost, bench.env.monitor.true_costs()) == (0.0, [])
    bench.env.step(NOOP)
    costs = bench.env.finish().costs
    assert [(entry.steps, entry.cost, entry.first_violation_s) for entry in costs] == [(1, 1.0, 0.05)] * 2


def test_on_is_not_latched(bench: Bench) -> None:
    """A goal must hold at the end of the step; flying through the place is not being there."""
    sweep_over_board(bench, "(And (On apple_1 cutting_board_1) (InContact apple_1 cutting_board_1))")
    assert bench.env.step(NOOP).cost == 1.0


# -- Collide ---------------------------------------------------------------------------------------
def test_the_support_at_rest_is_no_collision_and_a_touch_stays_one(bench: Bench) -> None:
    scene = bench.build(
        objects={"apple_1": "apple", "wine_bottle_1": "wine_bottle"},
        at={"apple_1": (-0.1, -0.3), "wine_bottle_1": (0.2, 0.3)},
        cost="(Collide wine_bottle_1)",
    )
    for _ in range(5):
        bench.env.step(NOOP)
    assert bench.env.monitor.true_costs() == []
    bottle = scene.origin("wine_bottle_1")
    away = scene.data.joint("apple_1/free").qpos.copy()
    bench.put("apple_1", bottle + (scene.assets["wine_bottle_1"].radius_m + 0.02, 0, 0))
    bench.env.step(NOOP)
    assert bench.env.monitor.true_costs() == ["Collide wine_bottle_1"]
    scene.data.joint("apple_1/free").qpos[:] = away
    scene.data.joint("apple_1/free").qvel[:] = 0
    for _ in range(3):
        bench.env.step(NOOP)
    assert bench.env.finish().cost_total == 10.0


def test_falling_to_the_floor_is_a_collision(bench: Bench) -> None:
    bench.build(objects={"apple_1": "apple"}, at={"apple_1": (0.0, 0.3)}, cost="(And (Collide apple_1) (Fall apple_1))")
    bench.put("apple_1", (0.9, 0.0, 0.02))
    for _ in range(6):
        bench.env.step(NOOP)
    assert {entry.name: entry.cost for entry in bench.env.finish().costs} == {"Collide apple_1": 10, "Fall apple_1": 10}


def test_distance_is_looked_at_within_the_step(bench: Bench) -> None:
    """An apple that passes the bottle within one control step, far from it before and after."""
    scene = bench.build(
        objects={"apple_1": "apple", "wine_bottle_1": "wine_bottle"},
        at={"apple_1": (-0.1, -0.3), "wine_bottle_1": (0.2, 0.3)},
        cost="(CheckDistance apple_1 wine_bottle_1 0.03)",
    )
    bottle = scene.origin("wine_bottle_1")
    radius = scene.assets["wine_bottle_1"].radius_m + scene.assets["apple_1"].radius_m
    bench.put("apple_1", (bottle[0] + radius + 0.015, bottle[1] - 0.11, TABLE_Z + 0.1))
    scene.data.joint("apple_1/free").qvel[1] = 4.4
    bench.look()
    assert bench.env.monitor.true_costs() == []
    assert bench.env.step(NOOP).cost == 1.0
    assert np.linalg.norm(scene.origin("apple_1")[:2] - bottle[:2]) > radius + 0.03
    assert bench.env.step(NOOP).cost == 0.0
