"""Waiting for what moves: no touch over whole episodes, no pause without need, refusal where there is no gap."""

from __future__ import annotations

import numpy as np
import pytest
from world_bench import Bench, episode

from proctor.core import EpisodeSpec, Observation
from proctor.policies.scripted import ExpertPolicy, RecklessPolicy
from proctor.policies.scripted._timing import departs
from proctor.sim import DistanceProbe
from proctor.tasks.suites import find

NOTHING = Observation({}, np.zeros(8), "", 0)
COST = "(And (InContact robot toy_car_1) (InContact tomato_1 toy_car_1))"


def crossing(bench: Bench, motion: str, car: tuple[float, float]) -> EpisodeSpec:
    """Write a push of 40 cm along y, and a car on the table."""
    path = bench.write(
        objects={"tomato_1": "tomato", "toy_car_1": "toy_car"},
        at={"tomato_1": (-0.1, -0.2), "toy_car_1": car},
        regions="(there (:target main_table) (:ranges ((-0.15 0.15 -0.05 0.25))))",
        goal="(And (On tomato_1 main_table_there) (Not (Lifted tomato_1)))",
        cost=COST,
        blocks=f"(:moving_objects (toy_car_1 {motion}))",
    )
    return episode(path, max_steps=300)


def play(bench: Bench, spec: EpisodeSpec, policy: ExpertPolicy) -> tuple[float, int]:
    """Run an episode; return the smallest distance of arm and tomato to any mover, and the number of steps."""
    env = bench.env
    policy.bind(env)
    env.reset(spec)
    policy.reset("", spec)
    scene = env.scene
    things = [name for name in ("tomato_1",) if name in scene.assets]
    mine = np.concatenate([scene.geoms("robot"), *(scene.geoms(name) for name in things)])
    probes = [DistanceProbe(scene.model, mine, scene.geoms(name), 0.3) for name in scene.moving]
    nearest = 1.0
    while env.monitor.step < spec.max_steps and not env.step(policy.act(NOTHING)).success:
        nearest = min([nearest, *(probe(scene.data) for probe in probes)])
    return nearest, env.monitor.step


SHUTTLE = "(:motion_type linear) (:motion_period {}) (:motion_travel_dist 0.5) (:motion_direction (1 0 0))"


@pytest.mark.parametrize("period", [150, 200, 280])
def test_it_waits_for_what_crosses_its_way(bench: Bench, period: int) -> None:
    spec = crossing(bench, SHUTTLE.format(period), (-0.35, 0.0))
    expert = ExpertPolicy()
    nearest, _ = play(bench, spec, expert)
    outcome = bench.env.finish()
    assert outcome.success, expert.failure
    assert outcome.cost_total == 0
    assert nearest > 0.005


def test_its_blind_twin_does_not(bench: Bench) -> None:
    spec = crossing(bench, SHUTTLE.format(200), (-0.35, 0.0))
    nearest, _ = play(bench, spec, RecklessPolicy())
    assert nearest <= 0.0
    assert bench.env.finish().cost_total > 0


def test_it_does_not_wait_for_what_never_comes_near(bench: Bench) -> None:
    here, far = (crossing(bench, SHUTTLE.format(200), car) for car in ((-0.35, 0.0), (-0.35, 0.45)))
    _, steps_far = play(bench, far, ExpertPolicy())
    _, steps_here = play(bench, here, ExpertPolicy())
    _, steps_blind = play(bench, far, RecklessPolicy())
    assert steps_here >= steps_far + 5
    assert steps_far <= steps_blind + 25


def test_it_refuses_where_there_is_no_gap(bench: Bench) -> None:
    """A car that shuttles over 4 cm in the way never leaves it."""
    motion = SHUTTLE.format(40).replace("0.5", "0.04")
    spec = crossing(bench, motion, (-0.12, 0.0))
    expert = ExpertPolicy()
    nearest, _ = play(bench, spec, expert)
    assert not bench.env.monitor.success
    assert "no free moment: toy_car_1 is in the way" in expert.failure
    assert nearest > 0.005
    assert bench.env.finish().cost_total == 0


def test_the_rehearsal_leaves_no_trace(bench: Bench) -> None:
    """The same episode twice, by one policy and by two, is played the same way to the last bit."""
    spec = crossing(bench, SHUTTLE.format(200), (-0.35, 0.0))
    expert = ExpertPolicy()
    hashes = []
    for policy in (expert, expert, ExpertPolicy()):
        play(bench, spec, policy)
        hashes.append(bench.env.finish().trajectory_hash)
    assert len(set(hashes)) == 1


@pytest.mark.parametrize("level", ["L1", "L2"])
def test_it_keeps_clear_in_the_suite(bench: Bench, level: str) -> None:
    (ref,) = find(f"arena/dynamic_obstacles/{level}/push_the_tomato_to_the_region_between_the_teapots")
    expert = ExpertPolicy()
    nearest, _ = play(bench, episode(ref.path, 8, max_steps=300), expert)
    outcome = bench.env.finish()
    assert outcome.success, expert.failure
    assert (outcome.cost_total, nearest > 0.005) == (0, True)


def test_a_motion_begins_after_rest() -> None:
    still, slow, fast = np.zeros(7), np.array([0.03, 0, 0, 0, 0, 0, 1.0]), np.array([0.2, 0, 0, 0, 0, 0, 1.0])
    turning = np.array([0, 0, 0, 0, 0, 0.2, 0.0])
    assert departs(None, fast)
    assert departs(still, fast)
    assert departs(slow, turning)
    assert not departs(fast, fast)
    assert not departs(fast, still)
    assert not departs(still, slow)
