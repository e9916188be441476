"""Held, let go, at rest: each true and false around its threshold, in force, speed and time."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from world_bench import NOOP, Bench, about

from proctor.sim import FINGER_SQUEEZE_M, TABLE_Z, geom_force
from proctor.sim._placing import GRIP_N, carried, gripped, speeds
from proctor.sim._shapes import Solid
from proctor.sim._watchers import Lasting, steps_of

LEMON = {"objects": {"lemon_1": "lemon", "apple_1": "apple"}, "at": {"lemon_1": (0.0, 0.2), "apple_1": (0.0, -0.2)}}


def test_a_condition_lasts_from_the_step_that_completes_its_time() -> None:
    memory, now = Lasting(), [False]
    lasts = memory.lasts(lambda: now[0], 0.3)
    for value, expected in [(True, False)] * 5 + [(True, True), (False, False)] + [(True, False)] * 5 + [(True, True)]:
        now[0] = value
        memory.update()
        assert lasts() is expected
    assert steps_of(0.3) == 6


def test_a_mean_is_known_once_its_window_is_full() -> None:
    memory, now = Lasting(), [0.0]
    mean = memory.mean(lambda: now[0], 0.2)
    for value, expected in ((1.0, None), (2.0, None), (3.0, None), (6.0, 3.0), (9.0, 5.0)):
        now[0] = value
        memory.update()
        assert mean() == expected


def test_restoring_brings_every_count_back_and_starts_new_conditions_anew() -> None:
    memory = Lasting()
    first = memory.lasts(lambda: True, 0.15)
    memory.mean(lambda: 1.0, 0.1)
    for _ in range(2):
        memory.update()
    saved = memory.state()
    memory.update()
    assert first()
    second = memory.lasts(lambda: True, 0.05)
    memory.restore(saved)
    assert not first()
    assert memory.state()[0] == (2, 0)
    memory.update()
    assert first()
    assert second()


def _grip(bench: Bench, name: str) -> None:
    """Squeeze with the servo closing: while it opens, what touches the pads is not pressed."""
    bench.squeeze(name)
    bench.scene.data.ctrl[bench.scene.grip_ctrl] = FINGER_SQUEEZE_M


def test_both_fingers_hold_after_three_tenths_of_a_second(bench: Bench) -> None:
    bench.build(**LEMON)
    _grip(bench, "lemon_1")
    assert not bench.lasts("Held lemon_1", 0.25)
    bench.look()
    assert bench.lasts("Held lemon_1", 0.0)
    assert not bench.lasts("Held apple_1", 0.3)
    assert bench.lasts("NeverHeld apple_1", 0.3)


def test_what_the_table_carries_is_not_held(bench: Bench) -> None:
    scene = bench.build(**LEMON)
    bench.look()
    assert carried(scene, "lemon_1")
    assert not carried(scene, "lemon_1", frozenset(scene.geoms(scene.workspace).tolist()))
    bench.squeeze("lemon_1")
    bench.look()
    assert not carried(scene, "lemon_1")


def test_once_held_is_not_never_held_until_the_next_episode(bench: Bench) -> None:
    task = LEMON | {"cost": "(NeverHeld lemon_1)"}
    bench.build(**task)
    assert bench.env.monitor.true_costs() == ["NeverHeld lemon_1"]
    _grip(bench, "lemon_1")
    for _ in range(8):
        bench.look()
    bench.stand("lemon_1", 0.0, 0.2)
    bench.look()
    assert bench.env.monitor.true_costs() == []
    bench.build(**task)
    assert bench.env.monitor.true_costs() == ["NeverHeld lemon_1"]


def test_released_three_tenths_of_a_second_after_the_last_touch(bench: Bench) -> None:
    bench.build(**LEMON)
    bench.squeeze("lemon_1")
    assert not bench.lasts("Released lemon_1", 0.5)
    bench.put("lemon_1", (0.0, 0.2, TABLE_Z))
    assert not bench.lasts("Released lemon_1", 0.25)
    assert bench.lasts("Released lemon_1", 0.05)
    assert bench.lasts("Released lemon_1", 0.0, compat="paper")


@pytest.mark.parametrize(
    ("linear", "spin", "rests"), [(0.019, 0.0, True), (0.021, 0.0, False), (0.0, 0.29, True), (0.0, 0.31, False)]
)
def test_still_below_two_centimetres_and_three_tenths_of_a_radian_per_second(
    bench: Bench, linear: float, spin: float, rests: bool
) -> None:
    scene = bench.build(**LEMON)
    velocity = scene.data.joint("lemon_1/free").qvel
    velocity[:] = 0.0
    velocity[0], velocity[5] = linear, spin
    if spin:
        # Spun about its centre of mass, so that it turns and does not travel.
        arm = scene.com("lemon_1") - scene.origin("lemon_1")
        velocity[:3] = -np.cross(scene.rotation("lemon_1") @ velocity[3:], arm)
    assert speeds(scene, "lemon_1") == pytest.approx((linear, spin))
    assert not bench.lasts("Still lemon_1", 0.45)
    assert bench.lasts("Still lemon_1", 0.05) is rests


@pytest.mark.parametrize("degrees", [0.0, 30.0, 77.0])
@pytest.mark.parametrize("name", ["lemon_1", "apple_1", "mug_1"])
def test_the_lowest_point_is_where_a_fine_net_over_the_surface_is_lowest(
    bench: Bench, name: str, degrees: float
) -> None:
    """Against MuJoCo's own distance from a plane far below, which knows every primitive."""
    scene = bench.build(
        objects={"lemon_1": "lemon", "apple_1": "apple", "mug_1": "porcelain_mug"},
        at={"lemon_1": (0, 0.2), "apple_1": (0, -0.2), "mug_1": (0, 0)},
    )
    turned = about("y", degrees)
    bench.put(name, (0.0, 0.0, 1.5), turned)
    mujoco.mj_forward(scene.model, scene.data)
    floor, segment = scene.model.geom("floor").id, np.zeros(6)
    heights = [mujoco.mj_geomDistance(scene.model, scene.data, floor, int(g), 10.0, segment) for g in scene.geoms(name)]
    assert scene.lowest(name) == pytest.approx(min(heights), abs=1e-6)
    solid: Solid = scene.solid(name)
    assert solid.highest(np.zeros(3), np.eye(3)) >= solid.lowest(np.zeros(3), np.eye(3))


def test_a_touch_without_force_holds_nothing(bench: Bench) -> None:
    scene = bench.build(**LEMON)
    mine = frozenset(scene.geoms("lemon_1").tolist())
    for grip, presses in ((bench.squeeze, False), (lambda name: _grip(bench, name), True)):
        grip("lemon_1")
        bench.look()
        weakest = min(geom_force(scene.model, scene.data, frozenset(f.tolist()), mine) for f in scene.finger_geoms)
        assert scene.held("lemon_1")()
        assert (weakest >= GRIP_N) is presses
        assert gripped(scene, "lemon_1")() is presses


def test_memory_is_restored_with_a_snapshot(bench: Bench) -> None:
    task = LEMON | {"goal": "(And (Still lemon_1) (Released lemon_1))"}
    bench.build(**task)
    for _ in range(4):
        bench.env.step(NOOP)
    saved = bench.env.snapshot()
    ends = []
    for _ in range(2):
        for _ in range(20):
            bench.env.step(NOOP)
        outcome = bench.env.finish()
        ends.append((outcome.trajectory_hash, outcome.success_time_s, outcome.events))
        bench.env.restore(saved)
    assert ends[0] == ends[1]
    assert ends[0][1] == pytest.approx(0.5 + 0.45)
