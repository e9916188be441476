"""Placed, taken, above, ordered, inserted: true and false around their thresholds, in states built by hand."""

from __future__ import annotations

import numpy as np
import pytest
from world_bench import Bench, about, atom

from proctor.sim import TABLE_Z, SceneError
from proctor.sim._content import mouths
from proctor.sim.predicates import compile_atom

BOXED = {
    "objects": {"cube_1": "cube", "cube_2": "cube", "lemon_1": "lemon"},
    "fixtures": {"giftbox_1": "giftbox"},
    "at": {"cube_1": (-0.25, 0.2), "cube_2": (-0.25, -0.2), "lemon_1": (-0.3, 0.0), "giftbox_1": (0.05, 0.0, 0.6)},
}
LAB = {
    "objects": {"tube_1": "tube", "tube_2": "tube"},
    "fixtures": {"stand_1": "tubestand"},
    "at": {"tube_1": (-0.25, 0.2), "tube_2": (-0.25, -0.2), "stand_1": (0.0, 0.0)},
}


def _inside(bench: Bench, name: str, shift: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> None:
    """Stand a thing on the bottom of the gift box, moved in the box's own frame."""
    scene = bench.scene
    site = scene.assets["giftbox_1"].site("inside")
    assert site is not None
    middle, turned = scene.site_frame("giftbox_1", site)
    bench.put(name, middle + turned @ (np.array(shift) - (0.0, 0.0, site.half[2] - 1e-4)), turned)


def test_placed_is_in_let_go_and_at_rest(bench: Bench) -> None:
    bench.build(**BOXED)
    assert not bench.lasts("Placed cube_1 giftbox_1", 0.6)
    _inside(bench, "cube_1")
    assert not bench.lasts("Placed cube_1 giftbox_1", 0.0)
    assert bench.lasts("Placed cube_1 giftbox_1", 0.6)
    bench.scene.data.joint("cube_1/free").qvel[0] = 0.03
    assert not bench.lasts("Placed cube_1 giftbox_1", 0.05)
    assert bench.lasts("Placed cube_1 giftbox_1", 0.0, compat="paper")


def test_in_asks_for_the_centre_and_for_most_of_the_shape(bench: Bench) -> None:
    """Slid through the box's side: the centre leaves at the wall; raised, most points leave before the centre does."""
    scene = bench.build(**BOXED)
    site = scene.assets["giftbox_1"].site("inside")
    assert site is not None
    half = scene.solid("cube_1").half[2]
    for side in (1.0, -1.0):
        _inside(bench, "cube_1", (side * (site.half[0] - 0.021), 0.0, 0.02))
        assert bench.holds("Placed cube_1 giftbox_1", compat="paper")
        _inside(bench, "cube_1", (side * (site.half[0] + 0.001), 0.0, 0.02))
        assert not bench.holds("Placed cube_1 giftbox_1", compat="paper")
    _inside(bench, "cube_1", (0.0, 0.0, 2 * site.half[2] - 1.8 * half))
    assert bench.holds("Placed cube_1 giftbox_1", compat="paper") is False


def test_out_is_when_no_point_is_in_any_more(bench: Bench) -> None:
    scene = bench.build(**BOXED)
    site = scene.assets["giftbox_1"].site("inside")
    assert site is not None
    half = scene.solid("cube_1").half[2]
    _inside(bench, "cube_1", (0.0, 0.0, 2 * site.half[2] - 0.10 * half - 2e-4))
    assert not bench.holds("Out cube_1 giftbox_1")
    _inside(bench, "cube_1", (0.0, 0.0, 2 * site.half[2] - 0.10 * half + 4e-4))
    assert bench.holds("Out cube_1 giftbox_1")


def test_taken_is_out_and_put_elsewhere_for_half_a_second(bench: Bench) -> None:
    bench.build(**BOXED)
    _inside(bench, "cube_1")
    assert not bench.lasts("Taken cube_1 giftbox_1", 1.2)
    bench.stand("cube_1", -0.2, 0.2)
    # Still since before: what counts from here on is the half second of being out.
    assert not bench.lasts("Taken cube_1 giftbox_1", 0.45)
    assert bench.lasts("Taken cube_1 giftbox_1", 0.05)


def test_what_hangs_in_the_air_by_itself_is_not_taken(bench: Bench) -> None:
    """Falling is neither held nor at rest."""
    scene = bench.build(**BOXED)
    bench.put("cube_1", (0.0, 0.0, 1.3))
    scene.data.joint("cube_1/free").qvel[2] = -0.5
    assert not bench.lasts("Taken cube_1 giftbox_1", 1.5)


def test_only_in_wants_all_of_them_and_nothing_else(bench: Bench) -> None:
    bench.build(**BOXED)
    _inside(bench, "cube_1", (-0.05, 0.0, 0.0))
    assert not bench.lasts("OnlyIn giftbox_1 (cube_1 cube_2)", 0.6)
    assert bench.lasts("OnlyIn giftbox_1 (cube_1)", 0.6)
    _inside(bench, "cube_2", (0.05, 0.0, 0.0))
    assert bench.lasts("OnlyIn giftbox_1 (cube_1 cube_2)", 0.6)
    assert not bench.lasts("OnlyIn giftbox_1 (cube_1)", 0.6)
    _inside(bench, "lemon_1")
    assert not bench.lasts("OnlyIn giftbox_1 (cube_1 cube_2)", 0.6)


def test_consistent_is_in_without_the_others(bench: Bench) -> None:
    bench.build(**BOXED)
    assert not bench.holds("Consistent cube_1 giftbox_1 (lemon_1)")
    _inside(bench, "cube_1", (-0.05, 0.0, 0.0))
    _inside(bench, "cube_2", (0.05, 0.0, 0.0))
    assert bench.holds("Consistent cube_1 giftbox_1 (lemon_1)")
    _inside(bench, "lemon_1")
    assert not bench.holds("Consistent cube_1 giftbox_1 (lemon_1)")


def test_on_a_plate_is_placed_though_it_stands_above_its_rim(bench: Bench) -> None:
    scene = bench.build(
        objects={"apple_1": "apple"},
        fixtures={"plate_1": "serving_plate"},
        at={"apple_1": (-0.2, 0.2), "plate_1": (0, 0)},
    )
    site = scene.assets["plate_1"].site("top")
    assert site is not None
    bottom = scene.site_frame("plate_1", site)[0][2] - site.half[2]
    bench.put("apple_1", (0.0, 0.0, bottom - 1e-3))
    assert bench.lasts("Placed apple_1 plate_1", 0.6)
    bench.put("apple_1", (0.0, 0.0, bottom + 0.03))
    assert not bench.lasts("Placed apple_1 plate_1/top", 0.6)


def test_above_is_over_the_mouth_and_clear_of_its_rim(bench: Bench) -> None:
    scene = bench.build(**BOXED)
    rim = mouths(scene, "giftbox_1")[0].rim()
    assert rim == pytest.approx(TABLE_Z + scene.assets["giftbox_1"].height_m, abs=0.02)
    bench.put("cube_1", (0.05, 0.0, rim + 1e-3))
    assert bench.holds("Above cube_1 giftbox_1")
    assert bench.holds("AboveRim cube_1 giftbox_1")
    bench.put("cube_1", (0.05, 0.0, rim - 1e-3))
    assert not bench.holds("Above cube_1 giftbox_1")
    assert bench.holds("AboveRim cube_1 giftbox_1")
    bench.put("cube_1", (-0.25, 0.0, rim + 1e-3))
    assert not bench.holds("Above cube_1 giftbox_1")


def test_the_prism_turns_with_the_receptacle(bench: Bench) -> None:
    scene = bench.build(**BOXED)
    site = scene.assets["giftbox_1"].site("inside")
    assert site is not None
    mouth = mouths(scene, "giftbox_1")[0]
    middle, turned = scene.site_frame("giftbox_1", site)
    rng = np.random.default_rng(0)
    for local in rng.uniform(-1.3, 1.3, (200, 2)):
        point = middle + turned @ np.array([local[0] * site.half[0], local[1] * site.half[1], rng.uniform(-0.5, 0.5)])
        assert mouth.over(point) is bool(np.all(np.abs(local) <= 1.0))


@pytest.mark.parametrize(("by", "lifted"), [(0.099, False), (0.101, True)])
def test_lifted_by_is_measured_at_the_lowest_point(bench: Bench, by: float, lifted: bool) -> None:
    scene = bench.build(**BOXED)
    settled = scene.references["cube_1"].origin
    turned = about("x", 45)
    low = scene.solid("cube_1").lowest(np.zeros(3), turned)
    bench.put("cube_1", (settled[0], settled[1], settled[2] + by - low), turned)
    assert bench.holds("LiftedBy cube_1 0.1") is lifted


@pytest.mark.parametrize(("by", "moved"), [(0.029, False), (0.031, True)])
def test_moved_is_how_far_the_centre_went(bench: Bench, by: float, moved: bool) -> None:
    scene = bench.build(**BOXED)
    settled = scene.references["cube_1"].origin
    bench.put("cube_1", settled + by * np.array([0.6, 0.8, 0.0]))
    assert bench.holds("Moved cube_1 0.03") is moved


@pytest.mark.parametrize(("gap", "near"), [(0.0195, True), (0.0205, False)])
def test_near_is_the_gap_between_surfaces(bench: Bench, gap: float, near: bool) -> None:
    scene = bench.build(**BOXED)
    width = 2 * scene.solid("cube_1").half[1]
    bench.put("cube_1", (-0.2, 0.0, 1.2))
    bench.put("cube_2", (-0.2, width + gap, 1.2))
    assert bench.holds("Near cube_1 cube_2 0.02") is near


def test_ordered_wants_the_gap_and_the_direction(bench: Bench) -> None:
    bench.build(**BOXED)
    for i, name in enumerate(("cube_1", "lemon_1", "cube_2")):
        bench.stand(name, -0.2, 0.1 - 0.1 * i)
    order = "(cube_1 lemon_1 cube_2)"
    assert bench.holds(f"Ordered y- {order} 0.09")
    assert not bench.holds(f"Ordered y- {order} 0.11")
    assert not bench.holds(f"Ordered y+ {order} 0.0")
    assert bench.holds("Ordered y+ (cube_2 lemon_1 cube_1) 0.02")
    assert not bench.holds(f"Ordered x+ {order} 0.0")


def test_upright_within_fifteen_degrees(bench: Bench) -> None:
    bench.build(**LAB)
    for degrees, upright in ((14.0, True), (16.0, False), (180.0, False)):
        bench.put("tube_1", (-0.2, 0.2, 1.1), about("y", degrees) @ about("z", 50))
        assert bench.holds("Upright tube_1") is upright


def test_a_face_must_look_up_for_half_a_second(bench: Bench) -> None:
    bench.build(objects={"card_1": "card"}, at={"card_1": (-0.2, 0.2)})
    for lean, up in ((61.0, True), (59.0, False)):
        # The face looks towards the robot (-x); leaning back raises it.
        bench.put("card_1", (-0.2, 0.2, 1.1), about("y", lean))
        assert not bench.lasts("FaceUp card_1", 0.45)
        assert bench.lasts("FaceUp card_1", 0.05) is up


@pytest.mark.parametrize("place", [(-0.36, 0.35), (-0.36, -0.35), (0.06, 0.35), (-0.15, 0.0)])
def test_a_standing_card_faces_the_camera_unless_turned_away(bench: Bench, place: tuple[float, float]) -> None:
    bench.build(objects={"card_1": "card"}, at={"card_1": (-0.2, 0.2)})
    for yaw, seen in ((0.0, True), (180.0, False)):
        bench.put("card_1", (*place, TABLE_Z + 0.02), about("z", yaw) @ about("y", 12.0))
        assert bench.lasts("FacedCamera card_1", 0.5) is seen


def test_inserted_wants_depth_direction_and_rest(bench: Bench) -> None:
    scene = bench.build(**LAB)
    hole = next(site for site in scene.assets["stand_1"].sites if site.kind == "hole")
    middle, _ = scene.site_frame("stand_1", hole)
    deep = 2 * hole.half[2]
    name = f"stand_1/{hole.name}"
    for share, lean, inserted in ((0.45, 0, False), (0.55, 0, True), (0.9, 19, True), (0.9, 21, False)):
        bench.put("tube_1", middle + np.array([0.0, 0.0, hole.half[2] - share * deep]), about("y", lean))
        assert bench.holds(f"Inserted tube_1 {name}", compat="paper") is inserted
        assert bench.lasts(f"Inserted tube_1 {name}", 0.6) is inserted
        assert bench.lasts("Inserted tube_1 stand_1", 0.6) is inserted
    other = next(s for s in scene.assets["stand_1"].sites if s.kind == "hole" and abs(s.pos[1] - hole.pos[1]) > 0.01)
    bench.put("tube_1", middle + np.array([0.0, 0.0, hole.half[2] - 0.9 * deep]))
    assert not bench.lasts(f"Inserted tube_1 stand_1/{other.name}", 0.6)


def test_a_joint_between_its_limits(bench: Bench) -> None:
    scene = bench.build(
        objects={"cube_1": "cube"}, fixtures={"box_1": "giftbox_lid"}, at={"cube_1": (-0.3, 0.2), "box_1": (0, 0)}
    )
    for value, within in ((0.14, True), (0.16, False)):
        scene.data.joint("box_1/lid").qpos[0] = value
        assert bench.holds("Joint box_1/lid -0.05 0.15") is within


def test_a_part_is_a_site_before_a_button_before_a_joint_before_colliders(bench: Bench) -> None:
    scene = bench.build(
        objects={"mug_1": "mug"},
        fixtures={"coffee_machine_1": "coffee_machine", "box_1": "giftbox_lid"},
        at={"mug_1": (-0.3, 0.3), "coffee_machine_1": (0.1, -0.1), "box_1": (0.1, 0.25)},
    )
    spout, button = scene.place("coffee_machine_1/spout"), scene.place("coffee_machine_1/button")
    assert spout.site is not None
    assert spout.button is None
    assert button.button is not None
    assert button.site is None
    lid = scene.place("box_1/lid")
    assert lid.joint is not None
    assert set(scene.geoms("box_1/lid").tolist()) < set(scene.geoms("box_1").tolist())
    cap = scene.geoms("coffee_machine_1/button")
    moving = scene.model.body("coffee_machine_1/button").id
    assert {int(scene.model.geom_bodyid[g]) for g in cap} == {moving}
    with pytest.raises(SceneError, match=r"no site, button, joint or part 'buton'.*'button'"):
        scene.place("coffee_machine_1/buton")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Inserted cube_1 giftbox_1", "no end that goes into a hole"),
        ("Poured cube_1 giftbox_1 0.5", "nothing can be poured"),
        ("FaceUp lemon_1", "no face"),
        ("Joint giftbox_1 0 1", "not a joint"),
        ("Pressed giftbox_1", "not a button"),
        ("Filled cube_1 coffee", "nothing in the scene gives coffee"),
        ("Attached cube_1 cube_2", "cannot become one"),
    ],
)
def test_a_mistake_says_where_and_what(bench: Bench, text: str, why: str) -> None:
    bench.build(**BOXED)
    with pytest.raises(SceneError, match=why) as caught:
        compile_atom(atom(text), bench.scene, "corrected")
    assert str(caught.value).startswith("asked.cbddl:1:1: ")
    assert "\n" not in str(caught.value)
