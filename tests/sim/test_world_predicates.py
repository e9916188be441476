# ruff: noqa: RUF005 (arrays are added to tuples)
"""Predicates on hand-built states, on both sides of every threshold."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from world_bench import YARD_YAW, Bench, about

from proctor.sim import TABLE_Z, Reference, SceneError
from proctor.sim.predicates._registry import _BUILDERS
from proctor.tasks.cbddl import PREDICATES

FAR = (0.40, -0.50)


def test_every_predicate_of_the_language_has_a_rule_and_the_same_timing() -> None:
    assert {name: kind for name, (_, kind) in _BUILDERS.items()} == {n: p.timing for n, p in PREDICATES.items()}


# -- On --------------------------------------------------------------------------------------------
def rest_on_plate(yard: Bench, dx: float = 0.0, lift: float = 0.0) -> None:
    """Set the apple on the plate's floor, found by lowering it until it touches."""
    plate = yard.scene.origin("plate_1")
    for z in np.arange(0.06, 0.0, -2e-4):
        yard.put("apple_1", (plate[0] + dx, plate[1], plate[2] + z))
        mujoco.mj_forward(yard.scene.model, yard.scene.data)
        touching = [set(map(yard.scene.owner, pair)) for pair in yard.scene.data.contact.geom.tolist()]
        if {"apple_1", "plate_1"} in touching:
            yard.put("apple_1", (plate[0] + dx, plate[1], plate[2] + z + lift))
            return
    raise AssertionError("the apple never touched the plate")


def test_on_object_needs_touch(yard: Bench) -> None:
    rest_on_plate(yard)
    assert yard.holds("On apple_1 plate_1")
    assert yard.holds("Stack apple_1 plate_1")
    assert not yard.holds("NotOn apple_1 plate_1")
    rest_on_plate(yard, lift=0.002)
    assert not yard.holds("On apple_1 plate_1")
    assert yard.holds("NotOn apple_1 plate_1")


def test_on_object_needs_the_centre_of_mass_over_its_top_side(yard: Bench) -> None:
    site = yard.scene.assets["plate_1"].site("top_side")
    assert site is not None
    plate = yard.scene.origin("plate_1")
    for inside, want in ((0.98, True), (1.02, False)):
        # A knife across the rim touches the plate wherever its centre lies.
        yard.put("knife_1", (0, 0, 2.0))
        mujoco.mj_forward(yard.scene.model, yard.scene.data)
        com = yard.scene.com("knife_1") - yard.scene.origin("knife_1")
        x = plate[0] + site.pos[0] + inside * site.half[0]
        touched = False
        for z in np.arange(0.05, -0.01, -2e-4):
            yard.put("knife_1", (x - com[0], plate[1] - com[1], plate[2] + z))
            if yard.holds("InContact knife_1 plate_1"):
                touched = True
                break
        assert touched
        assert yard.holds("On knife_1 plate_1") is want


def test_on_a_region_of_the_table_tries_every_rectangle_and_needs_touch(yard: Bench) -> None:
    area = "On cereal_1 main_table_goal_area"
    for x, want in ((-0.1, True), (0.15, True), (0.05, False), (0.199, True), (0.201, False), (-0.201, False)):
        yard.stand("cereal_1", x, -0.45)
        yard.put("knife_1", (0.3, 0.45, TABLE_Z))
        yard.put("apple_1", (-0.4, 0.0, TABLE_Z))
        assert yard.holds(area) is want, x
    yard.stand("cereal_1", -0.1, -0.45, above=0.002)
    assert not yard.holds(area)
    assert yard.holds(area, "paper"), "the published rule asks for a height between 0.897 and 1.002, not for touch"
    yard.stand("cereal_1", 0.15, -0.45)
    assert not yard.holds(area, "paper"), "the published rule looks at the first rectangle only"


def test_on_table_itself(yard: Bench) -> None:
    yard.stand("cereal_1", -0.1, -0.45)
    assert yard.holds("On cereal_1 main_table")
    yard.stand("cereal_1", -0.1, -0.45, above=0.001)
    assert not yard.holds("On cereal_1 main_table")
    assert not yard.holds("On cereal_1 main_table", "paper")


def test_on_a_site_of_a_fixture_turned_about_the_vertical(yard: Bench) -> None:
    asset = yard.scene.assets["white_cabinet_1"]
    site = asset.site("top_side")
    assert site is not None
    centre, frame = yard.scene.site_frame("white_cabinet_1", site)
    top = yard.scene.origin("white_cabinet_1")[2] + asset.height_m
    for share, want in ((0.97, True), (1.03, False)):
        spot = centre + frame @ np.array([share * site.half[0], 0, 0])
        for sink in np.arange(0.004, -0.004, -2e-4):
            yard.put("apple_1", (spot[0], spot[1], top + sink))
            if yard.holds("InContact apple_1 white_cabinet_1"):
                break
        assert yard.holds("InContact apple_1 white_cabinet_1")
        assert yard.holds("On apple_1 white_cabinet_1_top_side") is want
        assert yard.holds("NotOn apple_1 white_cabinet_1_top_side") is not want


def test_published_on_measures_seven_centimetres_between_origins(yard: Bench) -> None:
    plate = yard.scene.origin("plate_1")
    for distance, want in ((0.069, True), (0.071, False)):
        for z in np.arange(0.06, -0.001, -2e-4):
            yard.put("cereal_1", (plate[0] + distance, plate[1], plate[2] + z))
            if yard.holds("InContact cereal_1 plate_1"):
                break
        assert yard.holds("On cereal_1 plate_1", "paper") is want


def test_what_is_held_is_neither_on_nor_in(yard: Bench) -> None:
    scene = yard.scene
    yard.squeeze("apple_1")
    spot = scene.origin("apple_1")
    # The plate comes up under the held apple.
    for z in np.arange(-0.06, 0.0, 2e-4):
        yard.put("plate_1", spot + (0, 0, z))
        if yard.holds("InContact apple_1 plate_1"):
            break
    assert yard.holds("InContact apple_1 plate_1")
    assert not yard.holds("On apple_1 plate_1")
    assert yard.holds("On apple_1 plate_1", "paper")
    scene.data.qpos[scene.finger_qpos] = 0.040
    assert yard.holds("On apple_1 plate_1")
    scene.data.qpos[scene.finger_qpos[0]] = 0.025
    assert yard.holds("On apple_1 plate_1"), "one finger does not hold"


# -- In --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("sign", [1, -1])
def test_in_a_drawer_of_a_turned_cabinet(yard: Bench, axis: int, sign: int) -> None:
    """The box turns with the cabinet; a box turned the other way (the reference) would get these points wrong."""
    scene = yard.scene
    scene.data.joint("white_cabinet_1/top").qpos[0] = 0.15
    mujoco.mj_forward(scene.model, scene.data)
    site = scene.assets["white_cabinet_1"].site("top_region")
    assert site is not None
    # Independent frame: cabinet yaw, its facing (drawers open along -y at yaw 0), the drawer's travel.
    drawer = scene.data.body("white_cabinet_1/drawer_top")
    facing = about("z", np.degrees(YARD_YAW) + 90)
    assert np.allclose(drawer.xmat.reshape(3, 3), facing, atol=1e-6)
    centre = drawer.xpos + facing @ np.asarray(site.pos)
    offset = scene.com("apple_1") - scene.origin("apple_1")
    for share, want in ((0.98, True), (1.02, False)):
        local = np.zeros(3)
        local[axis] = sign * share * site.half[axis]
        yard.put("apple_1", centre + facing @ local - offset)
        assert yard.holds("In apple_1 white_cabinet_1_top_region") is want
        assert yard.holds("NotIn apple_1 white_cabinet_1_top_region") is not want
    yard.put("apple_1", centre - offset)
    assert not yard.holds("In apple_1 white_cabinet_1_middle_region")


def test_in_measures_height_too_and_the_published_rule_the_origin(yard: Bench) -> None:
    scene = yard.scene
    site = scene.assets["box_1"].site("contain_region")
    assert site is not None
    box = scene.origin("box_1")
    offset = scene.com("apple_1") - scene.origin("apple_1")
    for z, want in ((site.half[2] - 0.001, True), (site.half[2] + 0.001, False)):
        yard.put("apple_1", box + np.asarray(site.pos) + (0, 0, z) - offset)
        assert yard.holds("In apple_1 box_1") is want
    for z, want in ((-site.half[2] - 0.009, True), (-site.half[2] - 0.011, False)):
        yard.put("apple_1", box + np.asarray(site.pos) + (0, 0, z))
        assert yard.holds("In apple_1 box_1", "paper") is want


def test_in_something_that_cannot_contain_is_refused_with_its_place(yard: Bench) -> None:
    with pytest.raises(SceneError, match=r"^asked\.cbddl:1:1: 'plate_1' cannot contain anything"):
        yard.holds("In apple_1 plate_1")


# -- Open, Close, Up -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("joint_m", "is_open", "is_closed"),
    [(0.0, False, True), (0.004, False, True), (0.006, False, False), (0.139, False, False), (0.141, True, False)],
)
def test_open_and_close(yard: Bench, joint_m: float, is_open: bool, is_closed: bool) -> None:
    yard.scene.data.joint("white_cabinet_1/top").qpos[0] = joint_m
    assert yard.holds("Open white_cabinet_1_top_region") is is_open
    assert yard.holds("Close white_cabinet_1_top_region") is is_closed
    assert yard.holds("Close white_cabinet_1_middle_region"), "each drawer for itself"


@pytest.mark.parametrize(
    ("knob_rad", "is_on", "is_off"), [(0.0, False, True), (0.09, False, True), (0.3, False, False), (0.51, True, False)]
)
def test_turned_on_and_off(yard: Bench, knob_rad: float, is_on: bool, is_off: bool) -> None:
    yard.scene.data.joint("flat_stove_1/knob").qpos[0] = knob_rad
    assert yard.holds("TurnOn flat_stove_1") is is_on
    assert yard.holds("TurnOff flat_stove_1") is is_off


def test_up_counts_from_where_it_settled(yard: Bench) -> None:
    start = yard.scene.references["apple_1"].origin
    for lift, want in ((0.099, False), (0.101, True)):
        yard.put("apple_1", start + (0, 0, lift))
        assert yard.holds("Up apple_1") is want
    for z, want in ((0.999, False), (1.001, True)):
        yard.put("apple_1", (start[0], start[1], z))
        assert yard.holds("Up apple_1", "paper") is want


# -- Fall ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("axis", ["x", "y"])
@pytest.mark.parametrize(("degrees", "want"), [(24.0, False), (26.0, True), (-24.0, False), (-26.0, True)])
def test_fall_by_tilt_about_any_level_axis(yard: Bench, axis: str, degrees: float, want: bool) -> None:
    start = yard.scene.references["wine_bottle_1"].origin
    yard.put("wine_bottle_1", start + (0, 0, 0.01), about(axis, degrees))
    assert yard.holds("Fall wine_bottle_1") is want


@pytest.mark.parametrize("degrees", [30, 90, 179, -120])
def test_yaw_and_sliding_are_no_fall(yard: Bench, degrees: float) -> None:
    yard.put("wine_bottle_1", (*FAR, TABLE_Z), about("z", degrees))
    assert not yard.holds("Fall wine_bottle_1")
    assert yard.holds("Fall wine_bottle_1", "paper"), "the published rule counts yaw and sliding"


@pytest.mark.parametrize(("drop", "want"), [(0.029, False), (0.031, True)])
def test_fall_by_drop(yard: Bench, drop: float, want: bool) -> None:
    yard.put("wine_bottle_1", yard.scene.references["wine_bottle_1"].origin - (0, 0, drop))
    assert yard.holds("Fall wine_bottle_1") is want


def test_fall_counts_from_the_settled_pose_not_from_the_world(yard: Bench) -> None:
    """A bottle that lies after settling has not fallen; the same bottle turned by 26 degrees more has."""
    scene = yard.scene
    lying = about("x", 90)
    before = scene.references["wine_bottle_1"]
    try:
        yard.put("wine_bottle_1", (*FAR, TABLE_Z + 0.04), lying)
        mujoco.mj_forward(scene.model, scene.data)
        origin, com = scene.origin("wine_bottle_1"), scene.com("wine_bottle_1")
        scene.references["wine_bottle_1"] = Reference(origin, com, lying)
        assert not yard.holds("Fall wine_bottle_1")
        yard.put("wine_bottle_1", origin, about("z", 70) @ lying)
        assert not yard.holds("Fall wine_bottle_1"), "yaw of a lying bottle"
        for degrees, want in ((24, False), (26, True)):
            rotation = about("y", degrees) @ lying
            yard.put("wine_bottle_1", origin, rotation)
            mujoco.mj_forward(scene.model, scene.data)
            sunk = com[2] - scene.com("wine_bottle_1")[2]
            yard.put("wine_bottle_1", origin + (0, 0, max(sunk, 0)), rotation)
            assert yard.holds("Fall wine_bottle_1") is want
    finally:
        scene.references["wine_bottle_1"] = before
