"""The paths of movers against formulas written independently: interpolation of corners, complex numbers, scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation, Slerp

from proctor.sim._movers import Setting, path_of, start_yaw
from proctor.tasks.cbddl import CircularMotion, LinearMotion, Motion, ProjectileMotion, Waypoint, WaypointMotion

H, S = 0.002, 25
SETTING = Setting(H, S, 0.9, (0.5, 0.6))
START = np.array([-0.2, 0.1, 0.901, *Rotation.from_euler("z", 0.7).as_quat(scalar_first=True)])
LINEAR = LinearMotion(125, 0.7, (1.0, -1.0, 0.0))
CIRCLE = CircularMotion(60, (0.01, 0.16, 0.9))
CORNERS = (
    Waypoint((0.0, 0.36, 0.95), (0.0, 1.0, 0.0)),
    Waypoint((0.13, 0.31, 0.95), (-1.0, 1.0, 0.0)),
    Waypoint((0.18, 0.18, 1.00), (-1.0, 0.0, 0.5)),
    Waypoint((0.13, 0.05, 0.97), (-1.0, -1.0, 0.0)),
)
WAYPOINTS = WaypointMotion(CORNERS, 2.0)
ONE_WAY = WaypointMotion(CORNERS, 2.0, loop=False)
THROW = ProjectileMotion(2.0, (1.0, 0.5, 2.0), (0.0, 0.0, -9.81), 0.05)
ALL = {"linear": LINEAR, "circle": CIRCLE, "waypoint": WAYPOINTS, "one_way": ONE_WAY, "projectile": THROW}


def _rotations(poses: np.ndarray) -> Rotation:
    return Rotation.from_quat(poses[:, 3:], scalar_first=True)


def _at_100_times(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    steps = np.linspace(0, 9000, 100).astype(np.int64)
    return steps * H, path_of(motion, START, SETTING).at(steps)[0]


def test_linear_is_a_triangle_wave() -> None:
    time, poses = _at_100_times(LINEAR)
    period = 125 * 0.05
    share = np.interp(time % period, [0.0, period / 2, period], [0.0, 0.7, 0.0])
    expected = START[:3] + np.outer(share, [math.sqrt(0.5), -math.sqrt(0.5), 0.0])
    np.testing.assert_allclose(poses[:, :3], expected, atol=1e-12)
    assert np.all(poses[:, 3:] == START[3:])


def test_circle_is_a_complex_exponential() -> None:
    time, poses = _at_100_times(CIRCLE)
    centre = 0.01 + 0.16j
    expected = centre + (complex(*START[:2]) - centre) * np.exp(2j * np.pi * time / (60 * 0.05))
    np.testing.assert_allclose(poses[:, 0] + 1j * poses[:, 1], expected, atol=1e-12)
    assert np.all(poses[:, 2:] == START[2:])


@pytest.mark.parametrize("motion", [WAYPOINTS, ONE_WAY], ids=["loop", "one way"])
def test_waypoints_are_interpolated_and_slerped(motion: WaypointMotion) -> None:
    time, poses = _at_100_times(motion)
    corner_s = np.arange(4) * 5 * 0.05
    total = corner_s[-1]
    here = total - np.abs(total - time % (2 * total)) if motion.loop else np.minimum(time, total)
    points = np.array([corner.position_m for corner in CORNERS])
    expected = np.stack([np.interp(here, corner_s, points[:, axis]) for axis in range(3)], axis=1)
    np.testing.assert_allclose(poses[:, :3], START[:3] + expected - points[0], atol=1e-12)
    yaw = [math.atan2(d[1], d[0]) for d in (c.direction for c in CORNERS)]
    pitch = [-math.asin(d[2] / math.hypot(*d)) for d in (c.direction for c in CORNERS)]
    headings = Rotation.from_euler("ZY", np.stack([yaw, pitch], axis=1))
    expected_turn = Slerp(corner_s, headings)(here) * headings[0].inv() * _rotations(START[None])[0]
    assert (_rotations(poses) * expected_turn.inv()).magnitude().max() < 1e-9


def test_heading_turns_the_x_axis_into_the_direction() -> None:
    start = np.array([0.0, 0.36, 0.9, *Rotation.from_euler("z", start_yaw(WAYPOINTS)).as_quat(scalar_first=True)])
    poses, _ = path_of(WAYPOINTS, start, SETTING).at(np.arange(4) * 5 * S)
    directions = np.array([corner.direction for corner in CORNERS])
    facing = _rotations(poses).apply([1.0, 0.0, 0.0])
    np.testing.assert_allclose(facing, directions / np.linalg.norm(directions, axis=1)[:, None], atol=1e-12)


def test_projectile_flies_a_parabola_and_rests_on_the_table() -> None:
    velocity = 2.0 * np.array([1.0, 0.5, 2.0]) / math.sqrt(5.25)
    landing = brentq(lambda t: START[2] + velocity[2] * t - 9.81 / 2 * t * t - 0.9, 0.05, 3.0, xtol=1e-15)
    steps = np.linspace(0, 1.5 * landing / H, 100).astype(np.int64)
    poses, speeds = path_of(THROW, START, SETTING).at(steps)
    time = np.minimum(steps * H, landing)[:, None]
    np.testing.assert_allclose(poses[:, :3], START[:3] + velocity * time + time**2 * [0, 0, -9.81 / 2], atol=1e-12)
    assert poses[-1, 2] == pytest.approx(0.9, abs=1e-12)
    assert np.all(speeds[steps * H > landing] == 0.0)


@pytest.mark.parametrize(
    ("speed", "direction", "gravity", "rests_at"),
    [
        (3.0, (1.0, 0.0, 1.0), -9.81, 0.0),  # beyond the table's edge: the floor
        (0.5, (0.0, 1.0, 0.0), -9.81, 0.9),  # level throw from a height of 1 mm
        (1.0, (0.0, 0.0, -1.0), 0.0, 0.9),  # straight down without gravity
    ],
)
def test_projectile_lands(speed: float, direction: tuple[float, float, float], gravity: float, rests_at: float) -> None:
    motion = ProjectileMotion(speed, direction, (0.0, 0.0, gravity), 0.05)
    poses, speeds = path_of(motion, START, SETTING).at(np.array([0, 5000, 9000]))
    assert poses[1:, 2] == pytest.approx(rests_at, abs=1e-12)
    assert np.all(poses[1] == poses[2])
    assert np.all(speeds[1:] == 0.0)


def test_a_projectile_that_rises_for_ever_never_rests() -> None:
    motion = ProjectileMotion(1.0, (0.0, 0.0, 1.0), (0.0, 0.0, 0.0), 0.05)
    _, speeds = path_of(motion, START, SETTING).at(np.array([90_000]))
    assert speeds[0, 2] == pytest.approx(1.0)


def test_flight_time_is_scaled_by_dt() -> None:
    slow, fast = (ProjectileMotion(2.0, (0.0, 0.0, 1.0), (0.0, 0.0, -9.81), dt) for dt in (0.025, 0.05))
    steps = np.arange(0, 200, 10)
    slow_poses, slow_speeds = path_of(slow, START, SETTING).at(2 * steps)
    fast_poses, fast_speeds = path_of(fast, START, SETTING).at(steps)
    np.testing.assert_allclose(slow_poses, fast_poses, atol=1e-12)
    np.testing.assert_allclose(2 * slow_speeds, fast_speeds, atol=1e-12)


@pytest.mark.parametrize("motion", ALL.values(), ids=ALL)
def test_velocity_is_the_right_sided_derivative(motion: Motion) -> None:
    steps = np.arange(0, 7000, dtype=np.int64)
    poses, speeds = path_of(motion, START, SETTING).at(steps)
    moved = np.diff(poses[:, :3], axis=0) / H
    turned = (_rotations(poses[:-1]).inv() * _rotations(poses[1:])).as_rotvec() / H
    # Over one step the difference leaves the derivative by the acceleration, at most 10 m/s^2 here; the step in which
    # the linear motion (odd period: between two steps) or the landing turns is not differentiable.
    gap = np.maximum(np.abs(moved - speeds[:-1, :3]).max(axis=1), np.abs(turned - speeds[:-1, 3:]).max(axis=1))
    assert np.sum(gap > 5.1 * 2 * H) <= {"LinearMotion": 3, "ProjectileMotion": 1}.get(type(motion).__name__, 0)
    assert np.abs(speeds).max() > 0.1


@pytest.mark.parametrize(
    ("motion", "period"), [(LINEAR, 125), (CIRCLE, 60), (WAYPOINTS, 2 * 3 * 5)], ids=["linear", "circle", "waypoint"]
)
def test_the_period_closes_to_the_last_bit(motion: Motion, period: int) -> None:
    steps = np.arange(0, period * S, 7, dtype=np.int64)
    path = path_of(motion, START, SETTING)
    for turns in (1, 1000):
        for now, later in zip(path.at(steps), path.at(steps + turns * period * S), strict=True):
            assert np.array_equal(now, later)
    half = path.at(np.array([period * S // 2]))[0][0]
    assert np.linalg.norm(half[:3] - START[:3]) > 0.1


unit = st.integers(-100, 100).map(lambda n: n / 100)
positions = st.tuples(unit, unit, st.floats(0.9, 1.5))
directions = st.tuples(unit, unit, unit).filter(lambda d: math.hypot(*d) > 0.1)
motions = st.one_of(
    st.builds(LinearMotion, st.integers(2, 300), st.floats(0.01, 1.0), directions),
    st.builds(CircularMotion, st.integers(2, 300), positions),
    st.builds(
        WaypointMotion,
        st.lists(st.builds(Waypoint, positions, directions), min_size=1, max_size=5).map(tuple),
        st.floats(0.1, 20.0),
        st.booleans(),
    ),
    st.builds(
        ProjectileMotion,
        st.floats(0.1, 5.0),
        directions,
        st.tuples(unit, unit, st.just(0.0) | st.floats(-10.0, -0.1)),
        st.floats(0.005, 0.1),
    ),
)


@given(motions, st.integers(0, 20_000))
def test_any_motion_is_continuous_and_starts_where_the_object_stands(motion: Motion, step: int) -> None:
    path = path_of(motion, START, SETTING)
    np.testing.assert_allclose(path.at(np.array([0]))[0][0], START, atol=1e-12)
    poses, speeds = path.at(np.arange(step, step + 26, dtype=np.int64))
    np.testing.assert_allclose(np.linalg.norm(poses[:, 3:], axis=1), 1.0, atol=1e-12)
    assert np.isfinite(speeds).all()
    fastest = np.linalg.norm(speeds[:, :3], axis=1).max() + 10.0 * H * 4
    # A motion may come to rest within a step, but never jump.
    assert np.linalg.norm(np.diff(poses[:, :3], axis=0), axis=1).max() <= fastest * H * (1 + 1e-6) + 1e-12


@given(motions, st.integers(0, 20_000))
def test_rows_do_not_depend_on_the_block_they_are_computed_in(motion: Motion, step: int) -> None:
    path = path_of(motion, START, SETTING)
    block = path.at(np.arange(step, step + 26, dtype=np.int64))
    alone = path.at(np.array([step + 25]))
    for rows, row in zip(block, alone, strict=True):
        np.testing.assert_allclose(rows[-1], row[0], atol=1e-12)
