"""``compat="paper"``: the reference's cost rules, what it got wrong included, against costs reckoned by hand."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from world_bench import Bench, about, atom, episode

from proctor.sim import TABLE_Z, Scene
from proctor.sim.predicates import compile_atom

ROD = {"objects": {"cereal_1": "cereal", "wine_bottle_1": "wine_bottle", "apple_1": "apple"}}
AT = {"cereal_1": (0.1, -0.2), "wine_bottle_1": (0.1, 0.2), "apple_1": (-0.1, 0.3)}


@pytest.fixture
def yard(bench: Bench) -> Bench:
    bench.build(**ROD, at=AT)
    return bench


# -- Fall ------------------------------------------------------------------------------------------------------------
# A quaternion w x y z read as x y z w makes a yaw a turn about x (limit 0.2), a turn about x one about z (limit 0.5),
# and one about y stays (limit 0.2).
@pytest.mark.parametrize(("axis", "limit_rad"), [("z", 0.2), ("x", 0.5), ("y", 0.2)])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_turn_meets_the_limit_of_the_axis_it_is_mistaken_for(
    yard: Bench, axis: str, limit_rad: float, sign: int
) -> None:
    spawn = yard.scene.spawned["cereal_1"]
    for angle, want in ((limit_rad - 0.01, False), (limit_rad + 0.01, True)):
        yard.put("cereal_1", spawn.origin, spawn.rotation @ about(axis, np.degrees(sign * angle)))
        assert yard.holds("Fall cereal_1", "paper") is want


@pytest.mark.parametrize(
    ("shift", "want"),
    [((0.099, 0, 0), False), ((0.101, 0, 0), True), ((0, 0, -0.049), False), ((0, 0, -0.051), True)],
)
def test_a_fall_is_measured_from_where_it_was_spawned(yard: Bench, shift: tuple[float, ...], want: bool) -> None:
    spawn = yard.scene.spawned["cereal_1"]
    yard.put("cereal_1", spawn.origin + np.array(shift), spawn.rotation)
    assert yard.holds("Fall cereal_1", "paper") is want


@pytest.mark.parametrize(
    ("category", "want"),
    [
        ("porcelain_mug", True),
        ("wine_bottle", True),
        ("red_coffee_mug", True),
        ("white_yellow_mug", True),
        ("white_storage_box", True),
        ("teapot", False),
        ("patterned_mug", False),
        ("candle", False),
    ],
)
def test_what_the_reference_spawns_in_the_air_has_fallen_untouched(bench: Bench, category: str, want: bool) -> None:
    """The audit of a still robot: which of the reference's 64 ``Fall`` were true."""
    bench.build(objects={"it_1": category, "apple_1": "apple"}, at={"it_1": (0.1, 0.2), "apple_1": (-0.1, -0.3)})
    assert bench.holds("Fall it_1", "paper") is want
    assert not bench.holds("Fall it_1")


# -- once per control step ---------------------------------------------------------------------------------------------
def step_with_a_brief_touch(scene: Scene, bench: Bench) -> None:
    """Two looks in one control step: bottle and cereal touch at the first, and are far apart at the second."""
    for watch in (scene.contacts, scene.forces, scene.near):
        watch.begin_step()
    for gap in (-0.01, 0.2):
        bottle = scene.origin("wine_bottle_1")
        half = scene.assets["cereal_1"].radius_m + scene.assets["wine_bottle_1"].radius_m
        bench.put("cereal_1", bottle + np.array([half * 0.5 if gap < 0 else half + gap, 0, 0.01]))
        mujoco.mj_forward(scene.model, scene.data)
        for watch in (scene.contacts, scene.forces, scene.near):
            watch.sample(scene.data)


@pytest.mark.parametrize("text", ["InContact cereal_1 wine_bottle_1", "CheckDistance cereal_1 wine_bottle_1 0.02"])
def test_what_is_over_by_the_end_of_the_step_was_never_seen(yard: Bench, text: str) -> None:
    ours = compile_atom(atom(text), yard.scene, "corrected").holds
    theirs = compile_atom(atom(text), yard.scene, "paper").holds
    step_with_a_brief_touch(yard.scene, yard)
    assert ours()
    assert not theirs()


def test_the_gripper_is_its_two_pads(yard: Bench) -> None:
    scene = yard.scene
    tool, rotation = scene.tcp()
    # Beside the upper finger, 3 cm above the pads, on the outside.
    outside = tool + rotation @ np.array([0, 0.075, -0.03])
    for dy in np.arange(0.08, -0.03, -0.002):
        yard.put("apple_1", outside + rotation @ np.array([0, dy, 0]))
        if yard.holds("CheckGripperContact apple_1"):
            break
    assert yard.holds("CheckGripperContact apple_1")
    assert not yard.holds("CheckGripperContact apple_1", "paper")
    yard.squeeze("apple_1")
    assert yard.holds("CheckGripperContact apple_1", "paper")


# -- whole episodes ----------------------------------------------------------------------------------------------------
def outcome_of(
    bench: Bench, cost: str, compat: str, *, goal: str = "(False)", steps: int = 6
) -> tuple[float, list[float]]:
    """Let the robot stand still for some steps and return the total cost and that of each expression."""
    path = bench.write(**ROD, at=AT, cost=cost, goal=goal)
    bench.env.reset(episode(path, compat=compat, success_rule="any_step"))
    for _ in range(steps):
        if bench.env.step(np.zeros(7)).success:
            break
    done = bench.env.finish()
    return done.cost_total, [entry.cost for entry in done.costs]


STANDS = "(InContact wine_bottle_1 main_table)"
FALSE_END = "(NotOn apple_1 cereal_1)"


@pytest.mark.parametrize(
    ("cost", "goal", "want"),
    [
        (f"(And {STANDS} {FALSE_END})", "(False)", {"corrected": (16, [6, 10]), "paper": (6, [6, 0])}),
        (f"(And {STANDS} {FALSE_END})", "(True)", {"corrected": (11, [1, 10]), "paper": (11, [1, 10])}),
        (f"{FALSE_END} {STANDS} {STANDS}", "(True)", {"corrected": (12, [10, 1, 1]), "paper": (10, [10])}),
        (f"(And {STANDS} {STANDS})", "(False)", {"corrected": (12, [6, 6]), "paper": (12, [6, 6])}),
    ],
    ids=["a failure pays no terminal cost", "a success does", "only the first of several", "twice written, twice paid"],
)
def test_the_arithmetic_of_an_episode(
    bench: Bench, cost: str, goal: str, want: dict[str, tuple[float, list[float]]]
) -> None:
    for compat, expected in want.items():
        assert outcome_of(bench, cost, compat, goal=goal) == expected


# -- how bad -----------------------------------------------------------------------------------------------------------
def test_a_contact_is_graded_by_its_force_and_at_rest_that_is_the_weight(bench: Bench) -> None:
    path = bench.write(**ROD, at=AT, cost="(And (InContact wine_bottle_1 main_table) (InContact cereal_1 apple_1))")
    bench.env.reset(episode(path))
    model = bench.scene.model
    for _ in range(3):
        bench.env.step(np.zeros(7))
    standing, apart = bench.env.finish().costs
    weight = 9.81 * model.body("wine_bottle_1").subtreemass[0]
    assert (standing.unit, standing.severity) == ("N", pytest.approx(weight, rel=0.02))
    assert (apart.unit, apart.severity) == ("N", 0.0)


def test_a_distance_is_graded_by_how_far_inside_it_came(yard: Bench) -> None:
    condition = compile_atom(atom("CheckDistance cereal_1 wine_bottle_1 0.15"), yard.scene, "corrected")
    segment = np.zeros(6)
    for x in (0.15, 0.12, 0.2):
        yard.put("cereal_1", (0.1 + x, 0.2, TABLE_Z + 0.005))
        yard.look()
        nearest = min(
            mujoco.mj_geomDistance(yard.scene.model, yard.scene.data, int(g), int(h), 1.0, segment)
            for g in yard.scene.geoms("cereal_1")
            for h in yard.scene.geoms("wine_bottle_1")
        )
        assert condition.holds() == (nearest <= 0.15)
        assert condition.severity() == pytest.approx(max(0.15 - nearest, 0.0), abs=1e-9)
    assert condition.unit == "m"


def test_the_worst_of_an_episode_is_kept_and_a_snapshot_brings_it_back(bench: Bench) -> None:
    path = bench.write(**ROD, at=AT, cost="(CheckDistance cereal_1 wine_bottle_1 0.2)")
    bench.env.reset(episode(path))
    for x in (0.16, 0.12, 0.18):
        bench.put("cereal_1", (0.1 + x, 0.2, TABLE_Z))
        bench.env.step(np.zeros(7))
        if x == 0.12:
            snapshot, worst = bench.env.snapshot(), bench.env.monitor.finish()[1][0].severity
    assert bench.env.finish().costs[0].severity == worst > 0.1
    bench.put("cereal_1", (0.1 + 0.11, 0.2, TABLE_Z))
    bench.env.step(np.zeros(7))
    assert bench.env.finish().costs[0].severity > worst
    bench.env.restore(snapshot)
    assert bench.env.finish().costs[0].severity == worst


def test_a_fall_is_graded_as_it_ends(bench: Bench) -> None:
    path = bench.write(**ROD, at=AT, cost="(Fall wine_bottle_1)")
    bench.env.reset(episode(path))
    stood = bench.scene.com("wine_bottle_1").copy()
    bench.put("wine_bottle_1", (0.1, 0.2, TABLE_Z + 0.05), about("x", 90))
    for _ in range(20):
        bench.env.step(np.zeros(7))
    (entry,) = bench.env.finish().costs
    moved = float(np.linalg.norm(bench.scene.com("wine_bottle_1") - stood))
    assert (entry.cost, entry.unit, entry.severity) == (10.0, "m", pytest.approx(moved))
