"""``Lifted``: what was off the table once has been lifted; what slid or rolled has not."""

from __future__ import annotations

import numpy as np
import pytest
from world_bench import NOOP, Bench, about

from proctor.sim import TABLE_Z

LEMON = {"objects": {"lemon_1": "lemon"}, "at": {"lemon_1": (0.0, 0.2)}, "cost": "(Lifted lemon_1)"}


@pytest.mark.parametrize(("above_m", "lifted"), [(0.019, False), (0.021, True)])
def test_two_centimetres_are_a_lift(bench: Bench, above_m: float, lifted: bool) -> None:
    scene = bench.build(**LEMON)
    settled = scene.references["lemon_1"]
    bench.put("lemon_1", settled.origin + np.array([0.0, 0.0, above_m]), settled.rotation)
    bench.look()
    assert bench.env.monitor.true_costs() == (["Lifted lemon_1"] if lifted else [])


def test_a_lift_is_remembered_until_the_next_episode(bench: Bench) -> None:
    scene = bench.build(**LEMON)
    settled = scene.references["lemon_1"]
    bench.put("lemon_1", settled.origin + np.array([0.0, 0.0, 0.05]), settled.rotation)
    bench.env.step(NOOP)
    bench.put("lemon_1", settled.origin, settled.rotation)
    saved = bench.env.snapshot()
    bench.env.step(NOOP)
    assert bench.env.monitor.true_costs() == ["Lifted lemon_1"]
    bench.build(**LEMON)
    assert bench.env.monitor.true_costs() == []
    bench.start(bench.write(**LEMON))
    with pytest.raises(Exception, match="another episode"):
        bench.env.restore(saved)


def test_rolling_over_and_sliding_away_are_no_lift(bench: Bench) -> None:
    """The foot of a lemon that lies upside down is 5 cm up in the air; its centre of mass is not."""
    scene = bench.build(**LEMON)
    height = scene.assets["lemon_1"].height_m
    for degrees in (90.0, 180.0):
        turned = about("x", degrees)
        centre = np.array([0.1, -0.2, TABLE_Z + height / 2])
        bench.put("lemon_1", centre - turned @ (0.0, 0.0, height / 2), turned)
        bench.look()
        assert bench.env.monitor.true_costs() == []
    assert scene.origin("lemon_1")[2] - scene.references["lemon_1"].origin[2] > 0.04


def test_a_goal_may_forbid_it(bench: Bench) -> None:
    """The same place reached twice: pushed there it is the goal, carried there it is not."""
    region = "(there (:target main_table) (:ranges ((-0.05 -0.25 0.05 -0.15))))"
    goal = "(And (On lemon_1 main_table_there) (Not (Lifted lemon_1)))"
    task = LEMON | {"regions": region, "goal": goal, "cost": ""}
    for carried in (False, True):
        scene = bench.build(**task)
        settled = scene.references["lemon_1"]
        if carried:
            bench.put("lemon_1", settled.origin + np.array([0.0, 0.0, 0.06]), settled.rotation)
            bench.env.step(NOOP)
        bench.put("lemon_1", (0.0, -0.2, settled.origin[2]), settled.rotation)
        for _ in range(12):
            bench.env.step(NOOP)
        assert bench.env.monitor.success is not carried
