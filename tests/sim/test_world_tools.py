"""Driven, struck, hung, made one: each on both sides of its threshold."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from world_bench import NOOP, Bench, about, atom

from proctor.sim import TABLE_Z
from proctor.sim._watchers import ToolWatch
from proctor.sim.predicates import compile_atom

PUSHED = {
    "objects": {"cube_1": "cube"},
    "fixtures": {"button_1": "button"},
    "at": {"cube_1": (-0.3, 0.0), "button_1": (-0.1, 0.2)},
}
FRAME = {
    "objects": {"frame_1": "picture_frame", "tube_1": "tube", "cube_1": "cube"},
    "at": {"frame_1": (-0.3, 0.2), "tube_1": (-0.3, -0.2), "cube_1": (0.0, 0.0)},
}
JOINED = {
    "objects": {"tube_1": "tube"},
    "fixtures": {"stand_1": "tubestand"},
    "at": {"tube_1": (-0.25, 0.2), "stand_1": (0.0, 0.0)},
    "goal": "(Attached tube_1 stand_1)",
}


# -- driven ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("tool_steps", "driven"), [(7, False), (9, True)])
def test_driven_by_the_share_of_the_way_gone_in_touch_with_the_tool(
    bench: Bench, tool_steps: int, driven: bool
) -> None:
    scene = bench.build(**PUSHED)
    condition = compile_atom(atom("DrivenBy button_1/button cube_1 0.8"), scene, "corrected").holds
    joint = scene.model.joint("button_1/button")
    low, high = joint.range
    scene.tools.begin()
    for step in range(1, 11):
        scene.data.qpos[joint.qposadr[0]] = low + (high - low) * step / 10
        mujoco.mj_forward(scene.model, scene.data)
        cap = scene.geoms("button_1/button")
        top = max(float(scene.data.geom_xpos[g, 2]) for g in cap) + 0.05
        x, y = scene.data.geom_xpos[cap[0], :2]
        bench.put("cube_1", (x, y, top))
        while step <= tool_steps and not bench.holds("InContact cube_1 button_1"):
            top -= 2e-4
            bench.put("cube_1", (x, y, top))
        bench.look()
        scene.tools.update()
    assert condition() is driven


def test_a_finger_beside_the_tool_drives_nothing() -> None:
    watch, value, tool, finger = ToolWatch(), [0.0], [True], [False]
    share = watch.driven(lambda: value[0], lambda: tool[0], lambda: finger[0])
    watch.begin()
    assert share() == 0.0
    for way, with_tool, with_finger in (
        (1.0, True, False),
        (2.0, True, True),
        (1.0, False, False),
        (-4.0, True, False),
    ):
        value[0] += way
        tool[0], finger[0] = with_tool, with_finger
        watch.update()
    assert share() == pytest.approx((1 + 4) / (1 + 2 + 1 + 4)), "back is a way too"


# -- struck ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("rolls", ["ball_1", "ball_2"])
def test_struck_is_what_another_set_in_motion(bench: Bench, rolls: str) -> None:
    scene = bench.build(
        objects={"ball_1": "billiard_ball", "ball_2": "billiard_ball"},
        at={"ball_1": (-0.2, 0.0), "ball_2": (-0.08, 0.0)},
        goal="(StruckBy ball_2 (ball_1))",
    )
    velocity = scene.data.joint(f"{rolls}/free").qvel
    velocity[0] = 1.2 if rolls == "ball_1" else -1.2
    for _ in range(12):
        bench.env.step(NOOP)
    assert np.linalg.norm(scene.com("ball_2") - scene.references["ball_2"].com) > 0.01
    assert bench.env.monitor.goal_holds() is (rolls == "ball_1")


@pytest.mark.parametrize(
    ("speeds", "touches", "robot", "struck"),
    [
        ([0.0, 0.051], [False, True], [False, False], True),
        ([0.0, 0.049], [False, True], [False, False], False),
        ([0.0, 0.051], [True, False], [False, False], True),
        ([0.0, 0.0, 0.051], [True, False, False], [False] * 3, False),
        ([0.0, 0.051], [False, True], [False, True], False),
        ([0.0, 0.051], [False, True], [True, False], False),
    ],
)
def test_the_first_motion_decides(speeds: list[float], touches: list[bool], robot: list[bool], struck: bool) -> None:
    watch, now = ToolWatch(), [0]
    verdict = watch.struck(lambda: speeds[now[0]], lambda: touches[now[0]], lambda: robot[now[0]])
    watch.begin()
    for now[0] in range(len(speeds)):
        watch.update()
    assert verdict() is struck
    saved = watch.state()
    watch.begin()
    assert not verdict()
    watch.restore(saved)
    assert verdict() is struck


# -- hung --------------------------------------------------------------------------------------------
def hang(bench: Bench, sink: float) -> None:
    """Lay a tube in the air as a peg along x, and hang the frame's loop over it, pressed in by ``sink``."""
    scene = bench.scene
    bench.put("tube_1", (-0.2, 0.0, 1.2), about("y", 90))
    mujoco.mj_forward(scene.model, scene.data)
    site = scene.assets["frame_1"].site("loop")
    assert site is not None
    peg = scene.data.geom_xpos[scene.geoms("tube_1")].mean(axis=0)
    for rise in np.arange(0.0, -0.02, -1e-4):
        # From where the peg is in the middle of the loop, the loop's upper bar comes down onto it.
        bench.put("frame_1", (peg[0], peg[1], peg[2] + rise - site.pos[2]))
        mujoco.mj_forward(scene.model, scene.data)
        touching = [set(map(scene.owner, pair)) for pair in scene.data.contact.geom.tolist()]
        if {"frame_1", "tube_1"} in touching:
            bench.put("frame_1", scene.origin("frame_1") - np.array([0.0, 0.0, sink]))
            return
    raise AssertionError("the loop never touched the peg")


def test_hung_by_its_loop_over_the_peg(bench: Bench) -> None:
    bench.build(**FRAME)
    assert not bench.holds("Hung frame_1 tube_1")
    hang(bench, 1e-4)
    assert bench.holds("Hung frame_1 tube_1")
    hang(bench, -2e-3)
    assert not bench.holds("Hung frame_1 tube_1"), "it does not touch"
    hang(bench, 1e-4)
    bench.put("tube_1", bench.scene.origin("tube_1") + np.array([-0.2, 0.0, 0.0]), about("y", 90))
    assert not bench.holds("Hung frame_1 tube_1"), "the peg is not in the loop"


def test_what_stands_on_something_else_does_not_hang(bench: Bench) -> None:
    scene = bench.build(**FRAME)
    hang(bench, 1e-4)
    foot = scene.origin("frame_1")
    height = scene.assets["cube_1"].height_m
    bench.put("cube_1", (foot[0], foot[1] + 0.05, foot[2] - height - 2e-4))
    assert bench.holds("InContact frame_1 cube_1") is False
    bench.put("cube_1", (foot[0], foot[1] + 0.05, foot[2] - height + 4e-4))
    assert bench.holds("InContact frame_1 cube_1")
    assert not bench.holds("Hung frame_1 tube_1")


# -- attached ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("share", "lean", "one"), [(0.78, 0, False), (0.82, 0, True), (0.9, 9, True), (0.9, 11, False)]
)
def test_a_weld_closes_at_eighty_percent_and_ten_degrees_and_never_opens(
    bench: Bench, share: float, lean: float, one: bool
) -> None:
    scene = bench.build(**JOINED)
    hole = next(site for site in scene.assets["stand_1"].sites if site.kind == "hole")
    middle, _ = scene.site_frame("stand_1", hole)
    tip = middle + np.array([0.0, 0.0, hole.half[2] * (1 - 2 * share)])
    bench.put("tube_1", tip, about("y", lean))
    assert not bench.holds("Attached tube_1 stand_1")
    scene.welds.update()
    assert bench.holds("Attached tube_1 stand_1") is one
    assert bench.holds("Attached stand_1 tube_1") is one
    for _ in range(6):
        bench.env.step(NOOP)
    if one:
        assert lean or np.linalg.norm(scene.origin("tube_1") - tip) < 2e-3, "it stays as it was pushed together"
        bench.put("tube_1", (-0.2, 0.2, TABLE_Z + 0.1))
        assert bench.holds("Attached tube_1 stand_1")
        bench.build(**JOINED)
        assert not bench.holds("Attached tube_1 stand_1"), "a new episode begins apart"
