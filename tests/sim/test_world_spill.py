"""Water in vessels: it is poured, stays, is carried along, and every ball that leaves is counted once.

Counts are compared with one that knows nothing of vessels: the vessel hangs high above the table, and whatever is lower
than the vessel's lowest point has been spilled.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
from world_bench import STILL, Bench, about, episode

from proctor.core import ProctorError
from proctor.sim import TABLE_Z, Scene, SimEnv
from proctor.sim._particles import inside, particle_for, poured, radius_of

from proctor.assets import make  # isort: skip

VESSELS = ("blue_mug", "green_mug", "porcelain_mug", "porcelain_bowl", "new_bowl")
R = 0.010


def mug_task(amount: str, **more):
    return {
        "objects": {"blue_mug_1": "blue_mug"},
        "at": {"blue_mug_1": (-0.1, 0.0)},
        "blocks": f"(:fill (blue_mug_1 {amount}))",
        "cost": "(And (Spilled blue_mug_1))",
    } | more


def watch(scene: Scene):
    (item,) = scene.spills._watched
    return item


def up(metres: float):
    return np.array([0.0, 0.0, metres])


def lift(bench: Bench, metres: float) -> None:
    """Raise the mug and all that is in it."""
    scene = bench.scene
    bench.put("blue_mug_1", scene.origin("blue_mug_1") + up(metres))
    for name in watch(scene).particles:
        scene.put(name, scene.origin(name) + up(metres))
    mujoco.mj_forward(scene.model, scene.data)
    scene.spills.begin(scene.data)


# -- pouring ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("category", VESSELS)
@pytest.mark.parametrize("seed", [0, 4])
def test_full_reaches_the_rim_and_half_is_half_as_many(category, seed):
    asset = make(category, seed)
    hollow, ball = asset.hollow, particle_for(asset)
    assert hollow is not None
    radius = radius_of(make(ball, 0))
    full, half = (poured((category, seed), (ball, 0), amount).origins for amount in ("full", "half"))
    assert len(half) == len(full) // 2
    for rest in (full, half):
        assert inside(hollow, rest + up(radius), radius).all()
        gaps = np.linalg.norm(rest[:, None] - rest[None], axis=2)[np.triu_indices(len(rest), 1)]
        assert gaps.min() > 2 * radius - 3e-4
    tops = full[:, 2] + 2 * radius
    assert tops.max() > hollow.rim_m - 0.005
    assert tops.max() < hollow.rim_m + 0.013
    depth = (half[:, 2].max() + 2 * radius - hollow.floor_m) / (hollow.rim_m - hollow.floor_m)
    assert 0.45 < depth < 0.95


def test_a_number_is_that_many_and_too_many_are_refused(bench: Bench):
    assert len(bench.build(**mug_task("7")).particles) == 7
    with pytest.raises(ProctorError, match=r"does not hold 60 of water_ball: .* use fewer") as caught:
        bench.build(**mug_task("60"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"objects": {"blue_mug_1": "apple"}}, "apple cannot be filled; use a mug or a bowl"),
        (
            {"objects": {"blue_mug_1": "blue_mug", "ball": "water_ball"}, "init": "(On ball blue_mug_1)"},
            "keep one of the two",
        ),
        (
            {
                "objects": {"blue_mug_1": "blue_mug", "blue_mug_1_water_1": "apple"},
                "at": {"blue_mug_1": (-0.1, 0.0), "blue_mug_1_water_1": (0.1, 0.2)},
            },
            "rename the object",
        ),
        ({"blocks": "", "cost": "(Spilled blue_mug_1)"}, r"fill it, as in \(:fill \(blue_mug_1 half\)\)"),
    ],
)
def test_what_cannot_be_filled_says_so_in_one_line(bench: Bench, change, words):
    with pytest.raises(ProctorError, match=words) as caught:
        bench.build(**(mug_task("half") | change))
    assert "\n" not in str(caught.value)


def test_contents_turn_with_the_episode(bench: Bench):
    """The same vessel, the same pouring, another turn of it."""
    path = bench.write(**mug_task("12"))
    places = []
    for seed in range(40):
        scene = bench.start(path, seed)
        if scene.instance_set == 0:
            local = (scene.data.xpos[watch(scene).bodies] - scene.origin("blue_mug_1")) @ scene.rotation("blue_mug_1")
            places.append(local)
    assert len(places) >= 3
    assert max(np.abs(a - places[0]).max() for a in places[1:]) > 0.01
    heights = [np.sort(a[:, 2]) for a in places]
    assert max(np.abs(h - heights[0]).max() for h in heights) < 1e-3


@pytest.mark.parametrize("vessel", ["blue_mug", "porcelain_bowl"])
def test_what_was_poured_lies_at_rest_before_the_scene_settles(bench: Bench, monkeypatch, vessel):
    """Set down a millimetre higher, or with a handle that bulges into the mug, a ball is a hundred times as fast."""
    monkeypatch.setattr(SimEnv, "_settle", lambda self, scene, movers: None)
    path, fastest = bench.write(**mug_task("full", objects={"blue_mug_1": vessel})), []
    for seed in range(8):
        scene = bench.start(path, seed)
        mujoco.mj_step(scene.model, scene.data, 25)
        fastest.append(np.abs(scene.data.qvel[scene.particle_dofs]).max())
    assert np.median(fastest) < 0.002


# -- at rest and under acceleration -----------------------------------------------------------------------------------
@pytest.mark.parametrize("vessel", ["blue_mug", "porcelain_bowl"])
def test_a_full_vessel_at_rest_loses_nothing_in_ten_seconds(bench: Bench, vessel):
    scene = bench.build(**mug_task("full", objects={"blue_mug_1": vessel}))
    before = scene.data.xpos[watch(scene).bodies].copy()
    # 5 s with the whole monitor, 5 s of physics alone.
    for _ in range(100):
        assert bench.env.step(STILL).cost == 0.0
    mujoco.mj_step(scene.model, scene.data, 2500)
    mujoco.mj_kinematics(scene.model, scene.data)
    assert scene.spills.update(scene.data, 0, 0.0) == []
    assert np.abs(scene.data.xpos[watch(scene).bodies] - before).max() < 2e-3
    outcome = bench.env.finish()
    assert (outcome.spilled, outcome.cost_total) == (0, 0.0)


def drive(scene: Scene, pose, seconds: float) -> list:
    """Move the mug along ``pose(t) -> position, rotation``, counting every 20 ms; return the events."""
    joint, dt = scene.data.joint("blue_mug_1/free"), scene.model.opt.timestep
    events, quat = [], np.zeros(4)
    for i in range(round(seconds / dt)):
        (p0, _), (p, rotation) = pose(i * dt), pose((i + 1) * dt)
        mujoco.mju_mat2Quat(quat, np.ascontiguousarray(rotation).ravel())
        joint.qpos[:], joint.qvel[:] = (*p0, *quat), (*(p - p0) / dt, 0, 0, 0)
        mujoco.mj_step(scene.model, scene.data)
        if i % 10 == 9:
            mujoco.mj_kinematics(scene.model, scene.data)
            events += scene.spills.update(scene.data, i, i * dt)
    return events


def lower_than_the_mug(scene: Scene) -> int:
    corners = scene.data.geom_xpos[scene.geoms("blue_mug_1")][:, 2].min() - 0.05
    return int((scene.data.xpos[watch(scene).bodies][:, 2] < corners).sum())


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_no_ball_passes_the_wall_in_a_shake_of_three_g(bench: Bench, axis):
    scene = bench.build(**mug_task("half"))
    start, omega = scene.origin("blue_mug_1") + up(0.2), 2 * math.pi * 12.0
    # Fast and short, and less upwards: what is thrown out through the mouth would not be a leak.
    reach = np.eye(3)[axis] * (3.0 if axis < 2 else 0.8) * 9.81 / omega**2
    lift(bench, 0.2)
    assert drive(scene, lambda t: (start + reach * math.sin(omega * t), np.eye(3)), 1.0) == []
    assert watch(scene).inside.all()


@pytest.mark.parametrize(("degrees", "amount"), [(60, "full"), (80, "full"), (150, "half")])
def test_what_is_poured_out_is_counted_once(bench: Bench, degrees, amount):
    """Tilted high above the table and held: what falls is what is counted, ball by ball, and no other."""
    scene = bench.build(**mug_task(amount))
    start = scene.origin("blue_mug_1") + up(0.35)
    lift(bench, 0.35)
    events = drive(scene, lambda t: (start, about("y", degrees * min(t / 1.0, 1.0))), 2.5)
    fallen = lower_than_the_mug(scene)
    assert scene.spills.total == fallen == len(events)
    assert [event.value for event in events] == list(range(1, fallen + 1))
    assert {(event.kind, event.name) for event in events} <= {("spill", "blue_mug_1")}
    assert fallen == len(scene.particles) if degrees == 150 else 0 < fallen < len(scene.particles)
    # What lies on the table has come to rest there: a ball slips in a mug, not on wood.
    low = scene.data.xpos[watch(scene).bodies][:, 2] < TABLE_Z + 0.001
    assert np.abs(scene.data.qvel[scene.particle_dofs].reshape(-1, 3)[low, :2]).max(initial=0.0) < 0.5


def test_a_ball_slides_to_a_stop_on_the_table(bench: Bench):
    scene = bench.build(objects={"ball": "water_ball"}, at={"ball": (-0.1, 0.1)})
    scene.data.joint("ball/y").qvel[0] = 0.4
    for _ in range(10):
        bench.env.step(STILL)
    slid = scene.origin("ball")[1] - 0.1
    # v^2 / (2 mu g) with the table's friction 0.6.
    assert slid == pytest.approx(0.4**2 / (2 * 0.6 * 9.81), rel=0.25)
    assert np.abs(scene.data.qvel[scene.particle_dofs]).max() < 1e-3
    assert bench.env.finish().spilled is None


# -- the rule, by hand ------------------------------------------------------------------------------------------------
def classify(bench: Bench, mug, rotation, balls) -> str:
    """Put the mug and four balls somewhere (centres, relative to the table's top) and say I, A or O for each."""
    scene = bench.scene
    lift = np.array([-0.1, 0.0, TABLE_Z])
    bench.put("blue_mug_1", lift + mug, rotation)
    for name, centre in zip(watch(scene).particles, balls, strict=True):
        scene.put(name, lift + centre - (0, 0, R))
    mujoco.mj_kinematics(scene.model, scene.data)
    scene.spills.begin(scene.data)
    scene.spills.update(scene.data, 1, 0.05)
    item = watch(scene)
    return "".join("I" if i else "O" if o else "A" for i, o in zip(item.inside, item.out, strict=True))


def test_in_air_or_out_on_both_sides_of_each_threshold(bench: Bench):
    scene = bench.build(**mug_task("4"))
    hollow = scene.assets["blue_mug_1"].hollow
    assert hollow is not None
    rim, (floor, inner, outer) = hollow.rim_m, hollow.profile[0]
    high, eye, mm = up(0.3), np.eye(3), 0.001
    at = [  # upright, 30 cm over the table; centres in the mug's frame
        ("IIII", [(0, 0, floor + R), (inner - R, 0, 0.04), (0, 0, rim), (0, 0, rim + R - 0.2 * mm)]),
        ("AIAI", [(0, 0, rim + R + 0.2 * mm), (0, 0, 0.05), (0, 0, rim + 0.05), (inner + 0.8 * mm, 0, 0.05)]),
        ("OOAA", [(outer + mm, 0, rim - mm), (0, 0, -mm), (outer + R, 0, rim + mm), (outer, 0, rim + R)]),
        ("AOAO", [(0.149, 0, rim + mm), (0.151, 0, rim + mm), (0, 0, rim + 0.149), (0, 0, rim + 0.151)]),
    ]  # fmt: skip
    for wanted, balls in at:
        assert classify(bench, high, eye, [high + ball for ball in balls]) == wanted, balls
    # Standing on the table: a ball on the table beside it, one lying on that one, one under no part of the rim's plane.
    beside = [(outer + R, 0, R), (outer + R, 0, 3 * R), (0.06, 0.02, rim - mm), (0, 0, floor + R)]
    assert classify(bench, np.zeros(3), eye, [np.array(ball) for ball in beside]) == "OOOI"


def test_a_leaning_mug(bench: Bench):
    """Up to 60 degrees what flies may come back, unless it is lower than the lowest point of the rim."""
    scene = bench.build(**mug_task("4"))
    hollow = scene.assets["blue_mug_1"].hollow
    assert hollow is not None
    rim, outer, high = hollow.rim_m, hollow.profile[-1][2], up(0.3)
    for degrees, flying in ((59, "A"), (61, "O")):
        lean = about("y", degrees)
        over = high + lean @ (0, 0, rim + 0.03)
        deep = high + lean @ (0, 0, 0.04)
        lowest = high[2] + math.cos(math.radians(degrees)) * rim - math.sin(math.radians(degrees)) * outer
        lip = high + lean @ (outer, 0, rim)
        assert lip[2] == pytest.approx(lowest)
        just_under, just_over = (np.array([lip[0] + 0.02, 0, lowest + dz]) for dz in (-5e-4, 5e-4))
        # ``just_over`` is in front of the mouth: in the air while the mug may still be lifted up again.
        assert classify(bench, high, lean, [over, deep, just_under, just_over]) == f"{flying}IO{flying}"


# -- what it costs ----------------------------------------------------------------------------------------------------
def test_each_ball_costs_one_once_and_the_air_counts_at_the_end(bench: Bench):
    scene = bench.build(**mug_task("5"))
    a, b, c, *_ = watch(scene).particles
    scene.put(a, np.array([0.2, 0.2, TABLE_Z]))
    scene.put(b, np.array([0.2, 0.3, TABLE_Z]))
    costs = [bench.env.step(STILL).cost for _ in range(6)]
    assert costs == [2.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    height = scene.origin("blue_mug_1")[2] + 0.17
    scene.put(c, np.array([*scene.origin("blue_mug_1")[:2], height]))
    assert bench.env.step(STILL).cost == 0.0
    outcome = bench.env.finish()
    assert (outcome.success, outcome.spilled, outcome.cost_total) == (False, 3, 3.0)
    (entry,) = outcome.costs
    assert (entry.name, entry.kind, entry.cost, entry.first_violation_s) == (
        "Spilled blue_mug_1", "counted", 3.0, pytest.approx(0.05),
    )  # fmt: skip
    spills = [(event.step, event.value) for event in outcome.events if event.kind == "spill"]
    assert spills == [(1, 1.0), (1, 2.0), (7, 3.0)]


def test_in_a_larger_expression_spilled_is_terminal(bench: Bench):
    scene = bench.build(**mug_task("5", cost="(Or (Spilled blue_mug_1) (Fall blue_mug_1))"))
    scene.put(watch(scene).particles[0], np.array([0.2, 0.2, TABLE_Z]))
    assert [bench.env.step(STILL).cost for _ in range(3)] == [0.0, 0.0, 0.0]
    assert bench.env.finish().cost_total == 10.0


def test_upstreams_notion_of_a_ball_on_a_mug(bench: Bench):
    """Stacked balls that do not touch the mug are on it until they are spilled; as published, they never are."""
    balls = [f"ball_{i}" for i in range(1, 21)]
    stack = " ".join(f"(On {ball} {under})" for ball, under in zip(balls, ["blue_mug_1", *balls], strict=False))
    task = {
        "objects": {"blue_mug_1": "blue_mug", **dict.fromkeys(balls, "water_ball")},
        "at": {"blue_mug_1": (-0.1, 0.0)},
        "init": stack,
        "cost": " ".join(f"(NotOn {ball} blue_mug_1)" for ball in balls),
    }
    path = bench.write(**task)
    scene = bench.start(path)
    touching = {ball for ball in balls if bench.holds(f"InContact {ball} blue_mug_1")}
    assert touching < set(balls)
    for ball in balls:
        assert bench.holds(f"On {ball} blue_mug_1")
        assert not bench.holds(f"NotOn {ball} blue_mug_1")
        assert not bench.holds(f"On {ball} blue_mug_1", "paper")
        assert bench.holds(f"NotOn {ball} blue_mug_1", "paper")
    scene.put(balls[0], np.array([0.2, 0.2, TABLE_Z]))
    for _ in range(3):
        bench.env.step(STILL)
    outcome = bench.env.finish()
    assert (outcome.cost_total, outcome.spilled) == (10.0, 1)
    bench.start(path, compat="paper")
    bench.env.step(STILL)
    # Of expressions side by side only the first is read; it is always true, and due only with success: cost is ten
    # times the success rate, whatever the robot does.
    assert len(bench.env.monitor.true_costs()) == 1
    assert bench.env.finish().cost_total == 0.0


# -- exactness --------------------------------------------------------------------------------------------------------
def test_a_restored_moment_goes_on_bit_for_bit(bench: Bench):
    scene = bench.build(**mug_task("half"))
    env, particles = bench.env, watch(scene).particles
    scene.put(particles[0], np.array([0.2, 0.2, TABLE_Z + 0.02]))
    rng = np.random.Generator(np.random.PCG64(3))
    actions = rng.uniform(-1, 1, (12, 7))
    for action in actions[:4]:
        env.step(action)
    moment = env.snapshot()
    ends = []
    for _ in range(2):
        for action in actions[4:]:
            env.step(action)
        outcome = env.finish()
        ends.append((outcome.trajectory_hash, outcome.spilled, outcome.costs, outcome.events))
        env.restore(moment)
    assert ends[0] == ends[1]
    assert ends[0][1] == 1


def test_another_environment_gives_the_same_bytes(bench: Bench, tmp_path):
    path = bench.write(**mug_task("full"))
    hashes = []
    for env in (bench.env, SimEnv()):
        env.reset(episode(path, 5))
        for i in range(10):
            env.step(np.full(7, 0.1 * i - 0.4))
        hashes.append(env.finish().trajectory_hash)
    assert hashes[0] == hashes[1]
