# ruff: noqa: RUF005 (arrays are added to tuples)
"""Predicates of contact and distance on hand-built states, on both sides of every threshold; names that are refused."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from world_bench import Bench, about

from proctor.sim import SceneError


def gap_between(yard: Bench, a: str, b: str) -> float:
    """Brute force: the smallest of all geom distances."""
    scene, segment = yard.scene, np.zeros(6)
    mujoco.mj_forward(scene.model, scene.data)
    return min(
        mujoco.mj_geomDistance(scene.model, scene.data, int(g), int(h), 2.0, segment)
        for g in scene.geoms(a)
        for h in scene.geoms(b)
    )


def beside(yard: Bench, gap: float) -> None:
    """Stand the cereal box ``gap`` metres to the +x side of the bottle, hanging free."""
    bottle = yard.scene.origin("wine_bottle_1")
    yard.put("cereal_1", bottle + (0.2, 0, 0.005))
    for _ in range(4):
        now = gap_between(yard, "cereal_1", "wine_bottle_1")
        yard.put("cereal_1", yard.scene.origin("cereal_1") + (gap - now, 0, 0))
    assert gap_between(yard, "cereal_1", "wine_bottle_1") == pytest.approx(gap, abs=1e-5)


def test_contact_on_both_sides_of_touching(yard: Bench) -> None:
    for gap, want in ((1e-4, False), (-1e-4, True)):
        beside(yard, gap)
        assert yard.holds("InContact cereal_1 wine_bottle_1") is want
        assert yard.holds("InContact wine_bottle_1 cereal_1") is want


@pytest.mark.parametrize("limit", [0.01, 0.05])
def test_distance_just_inside_and_outside(yard: Bench, limit: float) -> None:
    for gap, want in ((limit - 2e-4, True), (limit + 2e-4, False)):
        beside(yard, gap)
        assert yard.holds(f"CheckDistance cereal_1 wine_bottle_1 {limit}") is want
        assert yard.holds(f"CheckDistance wine_bottle_1 cereal_1 {limit}") is want


def test_gripper_distance_is_measured_from_the_fingers(yard: Bench) -> None:
    scene = yard.scene
    tool, _ = scene.tcp()
    limit = 0.03
    for below in (True, False):
        yard.put("cereal_1", tool - (0, 0, 0.35))
        for _ in range(12):
            excess = gap_between(yard, "cereal_1", "gripper") - limit + (2e-4 if below else -2e-4)
            yard.put("cereal_1", scene.origin("cereal_1") + (0, 0, excess))
        assert yard.holds(f"CheckGripperDistance cereal_1 {limit}") is below
        assert yard.holds(f"CheckDistance gripper cereal_1 {limit}") is below


def test_parts_are_told_apart(yard: Bench) -> None:
    scene = yard.scene
    blade, handle = scene.geoms("knife_1", ("blade",)), scene.geoms("knife_1", ("handle",))
    assert not set(blade.tolist()) & set(handle.tolist())
    segment = np.zeros(6)

    def near(geoms: np.ndarray) -> float:
        return min(
            mujoco.mj_geomDistance(scene.model, scene.data, int(g), int(h), 1.0, segment)
            for g in geoms
            for h in scene.gripper_geoms
        )

    tool, _ = scene.tcp()
    for part, other in (("blade", "handle"), ("handle", "blade")):
        # Lift the knife until this part, standing up, touches a fingertip.
        down = about("y", 90) if part == "blade" else about("y", -90)
        yard.put("knife_1", tool - (0, 0, 0.4), down)
        mujoco.mj_forward(scene.model, scene.data)
        geoms = scene.geoms("knife_1", (part,))
        if near(geoms) > near(scene.geoms("knife_1", (other,))):
            down = about("y", -90) if part == "blade" else about("y", 90)
        yard.put("knife_1", tool + (0, -0.044, -0.4), down)
        mujoco.mj_forward(scene.model, scene.data)
        for _ in range(60):
            yard.put("knife_1", scene.origin("knife_1") + (0, 0, max(near(geoms), 0.0) * 0.9 + 2e-4), down)
            if yard.holds("CheckGripperContact knife_1"):
                break
        assert yard.holds(f"CheckGripperContactPart knife_1 ({part})")
        assert not yard.holds(f"CheckGripperContactPart knife_1 ({other})")
        assert yard.holds(f"CheckGripperDistancePart knife_1 ({part}) 0.005")
        assert not yard.holds(f"CheckGripperDistancePart knife_1 ({other}) 0.005")


def test_an_unknown_part_is_refused_with_the_parts_that_there_are(yard: Bench) -> None:
    with pytest.raises(SceneError, match=r"^asked\.cbddl:1:1: knife_1 has no part edge; its parts are blade, handle"):
        yard.holds("CheckGripperContactPart knife_1 (edge)")


def touch_link(yard: Bench, link: str) -> None:
    """Bring the apple to a link of the robot from far away until exactly that link is touched."""
    scene, segment = yard.scene, np.zeros(6)
    bodies = {int(scene.model.geom_bodyid[g]) for g in scene.geoms("robot")}
    body = scene.model.body(f"robot/{link}").id
    centre = scene.data.geom_xpos[[g for g in scene.geoms("robot") if scene.model.geom_bodyid[g] == body]].mean(axis=0)

    def gap(to: int) -> float:
        return min(
            mujoco.mj_geomDistance(scene.model, scene.data, int(g), int(h), 1.0, segment)
            for g in scene.geoms("robot")
            if scene.model.geom_bodyid[g] == to
            for h in scene.geoms("apple_1")
        )

    for direction in ((0, 0, -1), (0, 1, 0), (0, -1, 0), (1, 0, 0), (-1, 0, 0)):
        yard.put("apple_1", centre + 0.3 * np.array(direction))
        for _ in range(200):
            mujoco.mj_forward(scene.model, scene.data)
            nearest = min(map(gap, bodies))
            if nearest < 0:
                break
            yard.put("apple_1", scene.origin("apple_1") - max(nearest, 2e-4) * np.array(direction))
        if gap(body) < 0 and all(gap(other) > 0 for other in bodies - {body}):
            return
    pytest.fail(f"could not touch {link} alone")


@pytest.mark.parametrize(("link", "fingers"), [("link4", False), ("hand", False), ("finger0", True), ("finger1", True)])
def test_robot_means_every_link_and_gripper_the_fingers(yard: Bench, link: str, fingers: bool) -> None:
    touch_link(yard, link)
    assert yard.holds("InContact robot apple_1")
    assert yard.holds("InContact apple_1 robot0")
    assert yard.holds("CheckGripperContact apple_1") is fingers
    assert yard.holds("InContact gripper apple_1") is fingers


@pytest.mark.parametrize(
    "text",
    ["Fall main_table", "Up robot", "Collide main_table", "On apple_1 robot", "On gripper plate_1", "Fall aple_1"],
)
def test_things_without_a_pose_are_refused_in_one_line(yard: Bench, text: str) -> None:
    with pytest.raises(SceneError, match=r"^asked\.cbddl:1:1: '\w+' is n") as refused:
        yard.holds(text)
    assert "\n" not in str(refused.value)


def test_a_misspelt_name_gets_a_suggestion(yard: Bench) -> None:
    with pytest.raises(SceneError, match="did you mean 'apple_1'"):
        yard.holds("InContact aple_1 plate_1")
