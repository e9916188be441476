"""Movers in the simulation: where they are, what they do to others, when they freeze, and that a restore is exact."""

from __future__ import annotations

import itertools
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mover_workshop import Workshop
from scipy.spatial.transform import Rotation

from proctor.core import EpisodeSpec, Event
from proctor.policies.scripted import ExpertPolicy, RecklessPolicy
from proctor.run.engine import run_episode
from proctor.sim import TABLE_Z, SceneError, SimEnv
from proctor.sim._movers import MASS_KG

SUBSTEP_S = 0.002
UPSTREAM = Path(__file__).parents[2].parent / "shared" / "data" / "vla_arena_tasks"
LINEAR = "(:motion_type linear) (:motion_period {}) (:motion_travel_dist {}) (:motion_direction {})"
# At hand height through the fingers of the arm in its home pose, tool at x = -0.209, y = 0, z = 1.166.
THROUGH_THE_HAND = (
    "(:motion_type waypoint) (:motion_dt 1) (:motion_waypoints (((-0.21 0.3 0.9) (0 -1 0))"
    " ((-0.21 0.3 1.14) (0 -1 0)) ((-0.21 -0.05 1.14) (0 -1 0)) ((-0.21 -0.4 1.14) (0 -1 0))))"
)


@pytest.fixture(scope="module")
def env() -> Iterator[SimEnv]:
    env = SimEnv()
    yield env
    env.close()


@pytest.fixture
def shop(env: SimEnv, tmp_path: Path) -> Workshop:
    return Workshop(env, tmp_path)


# -- where they are ------------------------------------------------------------------------------------------------
def _triangle(p: np.ndarray, t: float) -> np.ndarray:
    return p + np.array([0.0, np.interp(t % 2.5, [0.0, 1.25, 2.5], [0.0, 0.4, 0.0]), 0.0])


def _circle(p: np.ndarray, t: float) -> np.ndarray:
    turned = 0.1 + (complex(p[0] - 0.1, p[1])) * np.exp(2j * np.pi * t / 3.0)
    return np.array([turned.real, turned.imag, p[2]])


def _zigzag(p: np.ndarray, t: float) -> np.ndarray:
    here = 1.0 - abs(1.0 - t % 2.0)
    x, y = np.interp(here, [0, 0.5, 1], [0, 0.2, 0.2]), np.interp(here, [0, 0.5, 1], [0, 0, -0.2])
    return p + np.array([x, y, 0.0])


def _thrown(p: np.ndarray, t: float) -> np.ndarray:
    lands = (2.0 + math.sqrt(4.0 + 2 * 10.0 * (p[2] - TABLE_Z))) / 10.0
    t = min(t, lands)
    return p + np.array([0.0, 0.3 * t, 2.0 * t - 5.0 * t * t])


CASES = {
    "linear": (LINEAR.format(50, 0.4, "(0 2 0)"), _triangle),
    "circle": ("(:motion_type circle) (:motion_period 60) (:motion_center (0.1 0 0.9))", _circle),
    "waypoint": (
        "(:motion_type waypoint) (:motion_dt 1) (:motion_waypoints (((0 0 0.95) (1 0 0)) ((0.2 0 0.95) (0 -1 0))"
        " ((0.2 -0.2 0.95) (0 -1 0))))",
        _zigzag,
    ),
    "projectile": (
        f"(:motion_type parabolic) (:motion_initial_speed {math.hypot(0.3, 2.0)!r}) (:motion_direction (0 0.3 2))"
        " (:motion_gravity (0 0 -10))",
        _thrown,
    ),
}


@pytest.mark.parametrize("kind", CASES)
def test_position_is_the_closed_form_at_100_times(kind: str, shop: Workshop) -> None:
    motion, formula = CASES[kind]
    shop.start(shop.write({"toy_car_1": (0.0, 0.0)}, {"toy_car_1": motion}))
    start = shop.env.scene.references["toy_car_1"].origin
    assert start == pytest.approx([0.0, 0.0, TABLE_Z], abs=0.0011), "it stands still while the scene settles"
    for step in range(1, 101):
        ahead = shop.env.movers.forecast("toy_car_1", 1)
        shop.run(1)
        np.testing.assert_allclose(shop.env.scene.origin("toy_car_1"), formula(start, step * 0.05), atol=1e-9)
        np.testing.assert_allclose(shop.pose("toy_car_1"), ahead, atol=1e-12)


def test_a_waypoint_mover_faces_its_first_direction_from_the_start(shop: Workshop) -> None:
    shop.start(shop.write({"toy_car_1": (-0.21, 0.3)}, {"toy_car_1": THROUGH_THE_HAND}))
    for _ in range(12):
        assert shop.env.scene.rotation("toy_car_1")[:, 0] == pytest.approx([0.0, -1.0, 0.0], abs=1e-12)
        shop.run(1)


def test_a_projectile_may_start_in_the_air(shop: Workshop) -> None:
    thrown = CASES["projectile"][0] + " (:motion_start_pos (0.1 -0.2 1.2))"
    shop.start(shop.write({"toy_car_1": (0.0, 0.0)}, {"toy_car_1": thrown}, cost="(Fall toy_car_1)"))
    assert shop.env.scene.references["toy_car_1"].origin == pytest.approx([0.1, -0.2, 1.2])
    shop.run(40)
    assert shop.env.scene.origin("toy_car_1")[2] == pytest.approx(TABLE_Z, abs=1e-9)


def test_an_object_whose_path_begins_elsewhere_stands_there_from_the_start(shop: Workshop) -> None:
    """The reference's objects jump to their first waypoint, so its files need not put them there."""
    shop.start(shop.write({"toy_car_1": (-0.1, 0.3)}, {"toy_car_1": THROUGH_THE_HAND}))
    start = shop.env.scene.references["toy_car_1"].origin
    assert start == pytest.approx([-0.21, 0.3, TABLE_Z], abs=0.0011)
    shop.run(10)
    assert shop.env.scene.origin("toy_car_1") == pytest.approx(np.add(start, (0.0, 0.0, 0.24)), abs=1e-9)


def test_nothing_is_laid_where_a_path_begins(shop: Workshop) -> None:
    path = shop.write({"toy_car_1": (-0.1, 0.3), "apple_1": (-0.21, 0.3)}, {"toy_car_1": THROUGH_THE_HAND})
    shop.start(path)
    gap = shop.env.scene.origin("toy_car_1")[:2] - shop.env.scene.origin("apple_1")[:2]
    assert np.linalg.norm(gap) > 0.04
    assert [event.kind for event in shop.env.monitor.events] == ["layout_widened"]


def test_a_path_that_begins_off_the_table_is_refused(shop: Workshop) -> None:
    away = THROUGH_THE_HAND.replace("-0.21 0.3 0.9", "-0.51 0.3 0.9")
    path = shop.write({"toy_car_1": (-0.1, 0.3)}, {"toy_car_1": away})
    with pytest.raises(SceneError, match=r"\.cbddl:\d+:\d+: region .* reaches beyond the 1.0 x 1.2 m table") as caught:
        shop.start(path)
    assert "\n" not in str(caught.value)


# -- what they do to others ----------------------------------------------------------------------------------------
def test_a_mover_is_built_as_measured_and_its_sibling_as_usual(shop: Workshop) -> None:
    shop.start(shop.write({"toy_car_1": (0.0, -0.2), "toy_car_2": (0.0, 0.2)}, {"toy_car_1": CASES["projectile"][0]}))
    scene = shop.env.scene
    model, mover, sibling = scene.model, scene.body("toy_car_1"), scene.body("toy_car_2")
    assert model.body_mass[mover] == pytest.approx(MASS_KG)
    assert model.body_mass[sibling] < 1.0
    assert (model.body_gravcomp[mover], model.body_gravcomp[sibling]) == (1.0, 0.0)
    assert set(model.geom_priority[scene.geoms("toy_car_1")]) == {1}
    assert set(model.geom_priority[scene.geoms("toy_car_2")]) == {0}
    assert model.geom_solref[scene.geoms("toy_car_1")][:, 0] == pytest.approx(0.008)
    assert np.all(np.abs(model.geom_friction[scene.geoms("toy_car_1")][:, 0] - 0.4) <= 0.1)


def test_a_mover_does_not_touch_the_table_not_even_when_it_lands(shop: Workshop) -> None:
    thrown = CASES["projectile"][0].replace("(0 0.3 2)", "(0 0.3 -2)")
    shop.start(shop.write({"toy_car_1": (0.0, 0.0)}, {"toy_car_1": thrown}, cost="(InContact toy_car_1 main_table)"))
    shop.run(10)
    assert shop.env.scene.origin("toy_car_1")[2] == pytest.approx(TABLE_Z, abs=1e-9)
    assert shop.env.finish().cost_total == 0.0


def test_a_mover_pushes_what_is_in_its_way_and_keeps_its_course(shop: Workshop) -> None:
    motion = {"toy_car_1": LINEAR.format(60, 0.45, "(0 1 0)")}
    shop.start(shop.write({"toy_car_1": (0.0, -0.25), "cereal_1": (0.0, -0.05)}, motion))
    scene = shop.env.scene
    start = scene.origin("toy_car_1")
    touch = scene.contacts.latched(scene.geoms("toy_car_1"), scene.geoms("cereal_1"))
    touched, deepest = False, 0.0
    for _ in range(30):
        shop.run(1)
        touched = touched or touch()
        deepest = min(deepest, float(scene.data.contact.dist.min(initial=0.0)))
    assert touched
    assert deepest > -0.005
    assert scene.origin("cereal_1")[1] > 0.15
    np.testing.assert_allclose(scene.origin("toy_car_1"), start + np.array([0.0, 0.45, 0.0]), atol=1e-9)


def test_a_mover_pushes_the_arm(shop: Workshop) -> None:
    shop.start(shop.write({"toy_car_1": (-0.21, 0.3)}, {"toy_car_1": THROUGH_THE_HAND}))
    scene = shop.env.scene
    touch = scene.contacts.latched(scene.geoms("robot"), scene.geoms("toy_car_1"))
    home = scene.data.qpos[scene.arm_qpos].copy()
    touched, bent = False, 0.0
    for _ in range(30):
        shop.run(1)
        touched = touched or touch()
        bent = max(bent, float(np.abs(scene.data.qpos[scene.arm_qpos] - home).max()))
    assert touched
    assert 0.02 < bent < 1.5
    assert np.abs(scene.data.qvel[scene.arm_qpos]).max() < 5.0
    assert not np.any(scene.data.warning.number)


def test_what_rides_on_a_mover_goes_with_it(shop: Workshop) -> None:
    motion = {"cutting_board_1": LINEAR.format(80, 0.3, "(1 0 0)")}
    shop.start(shop.write({"cutting_board_1": (-0.1, 0.0)}, motion, init="(On cake_1 cutting_board_1)"))
    board, cake = (shop.env.scene.origin(name) for name in ("cutting_board_1", "cake_1"))
    shop.run(39)
    went = shop.env.scene.origin("cutting_board_1") - board
    slipped = shop.env.scene.origin("cake_1") - cake - went
    assert went[0] == pytest.approx(0.3 * 39 / 40, abs=1e-9)
    assert np.abs(slipped).max() < 0.02


def test_moving_along_is_not_falling(shop: Workshop) -> None:
    motion = {"toy_car_1": LINEAR.format(40, 0.3, "(0 1 0)")}
    shop.start(shop.write({"toy_car_1": (0.0, -0.1)}, motion, cost="(And (Fall toy_car_1) (Collide toy_car_1))"))
    shop.run(30)
    assert shop.env.finish().cost_total == 0.0


# -- freezing ------------------------------------------------------------------------------------------------------
TWO_CARS = {"toy_car_1": LINEAR.format(60, 0.45, "(0 1 0)"), "toy_car_2": LINEAR.format(50, 0.3, "(0 -1 0)")}
TWO_CARS_AT = {"toy_car_1": (0.0, -0.25), "toy_car_2": (0.3, 0.2), "cereal_1": (0.0, -0.05)}


def _first_touching_substep(shop: Workshop, a: str, b: str) -> int:
    """Count the physics steps until MuJoCo's list has a contact between ``a`` and ``b``, by looking ourselves."""
    scene, seen = shop.env.scene, []
    pairs = {frozenset(pair) for pair in itertools.product(scene.geoms(a).tolist(), scene.geoms(b).tolist())}
    sample = scene.contacts.sample

    def look(data: Any) -> None:
        seen.append(any(frozenset(pair) in pairs for pair in data.contact.geom.tolist()))
        sample(data)

    scene.contacts.sample = look  # type: ignore[method-assign]
    try:
        while not any(seen):
            shop.run(1)
    finally:
        scene.contacts.sample = sample  # type: ignore[method-assign]
    return seen.index(True) + 1


def test_a_mover_freezes_in_the_substep_of_its_first_violation(shop: Workshop) -> None:
    shop.start(shop.write(TWO_CARS_AT, TWO_CARS))
    expected = _first_touching_substep(shop, "toy_car_1", "cereal_1")
    assert expected % 25, "a whole control step would not tell substeps apart"

    shop.start(shop.write(TWO_CARS_AT, TWO_CARS, cost="(InContact cereal_1 toy_car_1)"))
    start, other = (shop.env.scene.origin(name) for name in ("toy_car_1", "toy_car_2"))
    events = shop.run(-(-expected // 25))
    freeze = [event for event in events if event.kind == "freeze"]
    assert freeze == [Event(-(-expected // 25), pytest.approx(expected * SUBSTEP_S), "freeze", "toy_car_1")]
    assert [event.kind for event in events] == ["freeze", "cost_on"]
    assert shop.env.movers.frozen("toy_car_1")
    assert not shop.env.movers.frozen("toy_car_2")
    where = start + np.array([0.0, expected * SUBSTEP_S * 0.45 / 1.5, 0.0])
    np.testing.assert_allclose(shop.env.scene.origin("toy_car_1"), where, atol=1e-9)

    stopped = shop.pose("toy_car_1")
    done = -(-expected // 25)
    for step in range(done + 1, done + 60):
        assert not [event for event in shop.run(1) if event.kind == "freeze"]
        np.testing.assert_allclose(shop.pose("toy_car_1"), stopped, atol=1e-9)
        went = 0.3 * (1.0 - abs(1.0 - 2 * (step / 50 % 1.0)))
        assert shop.env.scene.origin("toy_car_2") == pytest.approx(other - [0.0, went, 0.0], abs=1e-9)
    assert [event.kind for event in shop.env.finish().events].count("freeze") == 1


@pytest.mark.parametrize(
    ("cost", "compat", "freezes"),
    [
        ("(InContact toy_car_1 cereal_1)", "corrected", True),
        ("(Or (InContact robot toy_car_1) (InContact cereal_1 toy_car_1))", "corrected", True),
        ("(CheckDistance toy_car_1 cereal_1 0.03)", "corrected", True),
        ("(CheckForce cereal_1 toy_car_1 1)", "corrected", True),
        ("(Collide toy_car_1)", "corrected", False),  # terminal: judged at the end
        ("(InContact robot toy_car_1)", "corrected", False),  # never happens
        ("(InContact cereal_1 main_table)", "corrected", False),  # true all the time, and does not name the car
        ("(InContact cereal_1 toy_car_1)", "paper", True),
        ("(CheckDistance toy_car_1 cereal_1 0.03)", "paper", False),
    ],
)
def test_what_freezes_a_mover(cost: str, compat: str, freezes: bool, shop: Workshop) -> None:
    path = shop.write(TWO_CARS_AT, TWO_CARS, cost=cost)
    shop.start(path, compat=compat)
    events = shop.run(28)
    assert [event.name for event in events if event.kind == "freeze"] == ["toy_car_1"] * freezes
    shop.start(path, compat=compat)
    assert not shop.env.movers.frozen("toy_car_1"), "a new episode starts afresh"


def test_a_distance_freezes_at_the_next_look(shop: Workshop) -> None:
    shop.start(shop.write(TWO_CARS_AT, TWO_CARS, cost="(CheckDistance toy_car_1 cereal_1 0.03)"))
    [event] = [event for event in shop.run(28) if event.kind == "freeze"]
    assert round(event.time_s / SUBSTEP_S) % 5 == 0
    scene = shop.env.scene
    gap = min(_gap(scene, g, h) for g in scene.geoms("toy_car_1").tolist() for h in scene.geoms("cereal_1").tolist())
    # At most one look of 10 ms and one substep late, at 0.3 m/s.
    assert 0.03 - 0.3 * 0.012 - 1e-6 <= gap <= 0.03


def _gap(scene: Any, g: int, h: int) -> float:
    import mujoco

    return float(mujoco.mj_geomDistance(scene.model, scene.data, g, h, 1.0, np.zeros(6)))


def test_a_frozen_mover_does_not_bend_the_arm(shop: Workshop) -> None:
    path = shop.write({"toy_car_1": (-0.21, 0.3)}, {"toy_car_1": THROUGH_THE_HAND}, cost="(InContact robot toy_car_1)")
    shop.start(path)
    home = shop.env.scene.data.qpos[shop.env.scene.arm_qpos].copy()
    events = shop.run(40)
    assert [event.kind for event in events][:2] == ["freeze", "cost_on"]
    assert np.abs(shop.env.scene.data.qpos[shop.env.scene.arm_qpos] - home).max() < math.radians(1.0)


# -- the same again ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("steps_before", [0, 7, 25], ids=["at the start", "on the way", "frozen"])
def test_restore_continues_bit_for_bit(steps_before: int, shop: Workshop) -> None:
    motions = {**TWO_CARS, "toy_car_2": CASES["circle"][0]}
    shop.start(shop.write(TWO_CARS_AT, motions, cost="(InContact cereal_1 toy_car_1)"))
    rng = np.random.default_rng(5)
    actions = rng.uniform(-0.3, 0.3, (60, 7))
    for action in actions[:steps_before]:
        shop.env.step(action)
    assert shop.env.movers.frozen("toy_car_1") == (steps_before == 25)
    saved = shop.env.snapshot()

    def rest() -> tuple[bytes, Any]:
        for action in actions[steps_before:]:
            shop.env.step(action)
        return shop.env.scene.data.qpos.tobytes(), shop.env.finish()

    once = rest()
    shop.env.restore(saved)
    assert rest() == once


SCRIPT = """
import sys, numpy as np
from proctor.core import EpisodeSpec
from proctor.sim import SimEnv
env = SimEnv()
env.reset(EpisodeSpec("t", "t", "L0", "", 0, 3, "Wait", "none", task_path=sys.argv[1]))
for _ in range(40):
    env.step(np.zeros(7))
print(env.finish().trajectory_hash)
"""


def test_two_processes_agree(shop: Workshop) -> None:
    motions = {**TWO_CARS, "toy_car_2": CASES["circle"][0]}
    path = shop.write(TWO_CARS_AT, motions, cost="(InContact cereal_1 toy_car_1)")
    shop.start(path)
    shop.run(40)
    hashes = {shop.env.finish().trajectory_hash}
    source = str(Path(sys.modules["proctor"].__file__ or "").parents[1])
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(path)], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": source},
        )  # fmt: skip
        hashes.add(done.stdout.strip())
    assert len(hashes) == 1


@pytest.mark.parametrize("policy", [ExpertPolicy, RecklessPolicy])
def test_scripted_policies_run_among_movers(policy: type[ExpertPolicy], shop: Workshop) -> None:
    motion = {"toy_car_1": LINEAR.format(80, 0.4, "(1 0 0)")}
    path = shop.write({"apple_1": (-0.05, -0.25), "porcelain_bowl_1": (0.0, 0.26), "toy_car_1": (-0.2, 0.0)}, motion)
    path.write_text(path.read_text().replace("(:goal (False))", "(:goal (On apple_1 porcelain_bowl_1))"))
    scripted = policy()
    scripted.bind(shop.env)
    row = run_episode(
        shop.env, scripted, EpisodeSpec("t", "t", "L0", "", 0, 3, "Go", "expert", task_path=str(path), max_steps=200)
    )
    assert row.status == "completed", row.error


# -- files of the reference ----------------------------------------------------------------------------------------
def _upstream() -> list[Path]:
    files = sorted(UPSTREAM.glob("*dynamic*/**/*.bddl")) if UPSTREAM.is_dir() else []
    return [file for file in files if ":moving_objects" in file.read_text()]


@pytest.mark.skipif(not UPSTREAM.is_dir(), reason="the reference's task files are not here")
@pytest.mark.parametrize("file", _upstream(), ids=lambda file: f"{file.parents[1].name}-{file.parent.name}-{file.stem}")
def test_blocks_of_the_reference_run(file: Path, shop: Workshop) -> None:
    movers = re.findall(r"\(\s*(\w+)\s*\(:motion_type", file.read_text())
    shop.start(file)
    begin = {mover: shop.pose(mover) for mover in movers}
    farthest = dict.fromkeys(movers, 0.0)
    for _ in range(100):
        shop.run(1)
        for mover in movers:
            farthest[mover] = max(farthest[mover], float(np.linalg.norm((shop.pose(mover) - begin[mover])[:2])))
            assert shop.pose(mover)[2] == pytest.approx(begin[mover][2], abs=1e-9)
            assert np.isfinite(Rotation.from_quat(shop.pose(mover)[3:], scalar_first=True).magnitude())
    assert min(farthest.values()) > 0.05
