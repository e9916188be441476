"""Laws of planned paths: free at every fine step by an oracle of its own, within limits, held things included."""

from __future__ import annotations

from itertools import pairwise

import mujoco
import numpy as np
import pytest
from motion_yard import Array, Oracle

from proctor.policies.scripted import Held
from proctor.policies.scripted.motion import (
    Body,
    JointSpace,
    NoPathError,
    joint_space,
    length,
    plan,
    resampled,
    shorten,
    smooth,
)
from proctor.policies.scripted.motion._ompl import search
from proctor.sim import HOME_Q, InverseKinematics, Scene, yaw_matrix

FINE_RAD = 0.004
DOWN = np.diag([1.0, -1.0, -1.0])
LEFT, RIGHT = (-0.20, -0.26, 1.02), (-0.20, 0.26, 1.02)
"""Low on either side of the bottle and the box: the straight way leads through them."""


def posture(place: tuple[float, float, float], yaw: float = 0.0) -> Array:
    q, error = InverseKinematics().solve(np.array(place), yaw_matrix(yaw) @ DOWN, HOME_Q, 80)
    assert error < 1e-3
    return q


def hanging(name: str, below: float) -> Held:
    """An object that hangs upright under the tool, its foot ``below`` it (in the tool frame, which looks down)."""
    return Held(name, np.array([0.0, 0.0, below]), DOWN.T)


def assert_free(path: list[Array], oracle: Oracle, limits: Array) -> None:
    """Looked at more finely than the planner does."""
    for q in resampled(path, FINE_RAD):
        assert oracle.touched(q) == set()
        assert np.all(q >= limits[:, 0])
        assert np.all(q <= limits[:, 1])


@pytest.mark.parametrize("seed", range(3))
def test_no_sample_of_a_path_touches_anything(scene: Scene, seed: int) -> None:
    body, oracle = Body(scene, margin_m=0.003), Oracle(scene)
    first, last = posture(LEFT), posture(RIGHT)
    assert any(oracle.touched(q) for q in resampled([first, last], FINE_RAD)), "the straight way must be blocked"
    made = plan(first, last, body, seed=seed)
    assert np.array_equal(made.path[0], first)
    assert np.array_equal(made.path[-1], last)
    assert len(made.path) > 2
    assert_free(made.path, oracle, body.limits)


def test_the_same_seed_gives_the_same_path_whatever_was_planned_before(scene: Scene) -> None:
    body, ends = Body(scene), (posture(LEFT), posture(RIGHT))
    first = plan(*ends, body, seed=1)
    other = plan(*ends, body, seed=2)
    again = plan(*ends, body, seed=1)
    assert all(np.array_equal(a, b) for a, b in zip(first.path, again.path, strict=True))
    assert first.checks == again.checks
    assert len(other.path) != len(first.path) or not np.allclose(other.path[1], first.path[1])


def test_what_is_held_is_part_of_the_body(scene: Scene) -> None:
    """High enough for the hand to pass over the cereal box, too low for the bottle that hangs from it."""
    top = scene.origin("cereal_1")[2] + scene.assets["cereal_1"].height_m
    ends = [posture((-0.22, y, top + 0.06)) for y in (-0.26, 0.26)]
    held = hanging("apple_1", 0.10)
    assert len(plan(*ends, Body(scene)).path) == 2, "the hand alone goes straight"
    assert all(not Oracle(scene).touched(q) for q in resampled(ends, FINE_RAD))
    loaded = Oracle(scene, held)
    struck = set().union(*(loaded.touched(q) for q in resampled(ends, FINE_RAD)))
    assert frozenset({"apple_1", "cereal_1"}) in struck
    body = Body(scene, held=held)
    assert {body.hit(q) for q in resampled(ends, FINE_RAD)} >= {"cereal_1"}
    made = plan(*ends, body)
    assert_free(made.path, loaded, body.limits)


def test_hits_are_those_of_the_oracle_at_random_postures(scene: Scene) -> None:
    rng = np.random.default_rng(0)
    for held in (None, hanging("apple_1", 0.05)):
        body, oracle = Body(scene, held=held), Oracle(scene, held)
        seen = set()
        for _ in range(250):
            q = rng.uniform(body.limits[:, 0], body.limits[:, 1])
            found, touched = body.hit(q), oracle.touched(q)
            if found == "robot/":
                continue
            assert (found is not None) == bool(touched)
            assert found is None or any(found in pair for pair in touched)
            seen.add(found is None)
        assert seen == {True, False}


def test_what_may_be_touched_is_no_obstacle_and_margins_keep_away(scene: Scene) -> None:
    apple = scene.com("apple_1")
    inside = posture((apple[0], apple[1], apple[2]))
    # The fingers are open 8 cm: turned by any angle they are beside the apple, and the palm is above it.
    assert Body(scene, margin_m=0.0, finger_m=0.0).hit(inside) == "apple_1"
    assert Body(scene, margin_m=0.0, finger_m=0.0, ignore=frozenset({"apple_1"})).hit(inside) is None
    near = posture((apple[0], apple[1], apple[2] + scene.assets["apple_1"].height_m / 2 + 0.02))
    assert Body(scene, margin_m=0.0, finger_m=0.0).hit(near) is None
    assert Body(scene, margin_m=0.04, finger_m=0.0).hit(near) == "apple_1"
    assert Body(scene, margin_m=0.04, finger_m=0.0, near=frozenset({"apple_1"})).hit(near) is None


def test_an_arm_that_would_meet_itself_is_not_free(scene: Scene) -> None:
    """Against MuJoCo's distance between the hand and the first links, at random postures."""
    model, data, segment = scene.model, mujoco.MjData(scene.model), np.zeros(6)
    links = [{model.body(f"robot/{name}").id for name in names} for names in (("hand",), ("link0", "link1", "link2"))]
    hand, base = ([g for g in scene.geoms("robot") if int(model.geom_bodyid[g]) in ids] for ids in links)
    body, rng = Body(scene), np.random.default_rng(2)
    assert body.hit(HOME_Q) is None
    met = 0
    for _ in range(1500):
        q = rng.uniform(body.limits[:, 0], body.limits[:, 1])
        data.qpos[scene.arm_qpos] = q
        mujoco.mj_kinematics(model, data)
        gap = min(mujoco.mj_geomDistance(model, data, int(g), int(h), 0.1, segment) for g in hand for h in base)
        if gap < -0.002:
            met += 1
            assert body.hit(q) is not None
    assert met >= 3


@pytest.mark.parametrize(
    ("goal", "why"),
    [
        (HOME_Q + np.array([9.0, 0, 0, 0, 0, 0, 0]), "the goal is beyond the limits of the joints"),
        ("cereal", "at the goal cereal_1 is touched"),
    ],
)
def test_an_end_that_is_not_free_is_named(scene: Scene, goal: Array | str, why: str) -> None:
    if isinstance(goal, str):
        centre = scene.com("cereal_1")
        goal = posture((centre[0], centre[1], centre[2]))
    with pytest.raises(NoPathError, match=why):
        plan(HOME_Q, goal, Body(scene))


def test_where_there_is_no_way_it_is_said() -> None:
    """A wall in joint space that nothing passes: the search ends by its count and says so, in one line."""
    space = JointSpace(np.full(7, -2.0), np.full(7, 2.0), lambda q: abs(q[0]) > 0.1, np.ones(7), 0.02)
    with pytest.raises(NoPathError, match=r"^no path found in \d+ checked postures$"):
        search(np.full(7, -1.0), np.full(7, 1.0), space, seed=0, max_checks=2000)


CORNERS = ((-1.5, -1.5), (-1.0, 1.8), (-0.5, 0.2), (-0.4, 1.7), (0.4, 1.9), (0.6, 0.0), (1.5, -1.5))


def test_shortening_and_smoothing_keep_the_ends_and_what_is_free() -> None:
    """In a plane with a wall that has a gap: kept off by a margin at looks two margins apart, it is never touched."""
    margin = 0.02

    def off_the_wall(q: Array, by: float) -> bool:
        x, y = abs(q[0]) - 0.2, 1.0 - q[1]
        return bool(np.hypot(max(x, 0.0), max(-y, 0.0)) > by)

    levers = np.ones(2)
    space = JointSpace(np.full(2, -2.0), np.full(2, 2.0), lambda q: off_the_wall(q, margin), levers, 2 * margin)
    rng = np.random.default_rng(3)
    zigzag = [np.array(corner) for corner in CORNERS]
    for _ in range(10):
        short = shorten(zigzag, space, rng)
        round_ = smooth(short, space)
        for path in (short, round_):
            assert np.array_equal(path[0], zigzag[0])
            assert np.array_equal(path[-1], zigzag[-1])
            assert all(off_the_wall(q, 0.0) for q in resampled(path, 0.001))
        assert length(round_) <= length(short) + 1e-9 <= length(zigzag) + 1e-9
        assert length(short) < 0.8 * length(zigzag)


def test_resampling_keeps_the_curve_and_its_step(scene: Scene) -> None:
    rng = np.random.default_rng(1)
    path = list(rng.uniform(-1, 1, (5, 7)))
    fine = resampled(path, 0.05)
    assert length(fine) == pytest.approx(length(path))
    assert max(np.abs(b - a).max() for a, b in pairwise(fine)) <= 0.05 + 1e-12
    assert all(any(np.allclose(corner, q) for q in fine) for corner in path)
    assert joint_space(Body(scene)).valid(HOME_Q)
