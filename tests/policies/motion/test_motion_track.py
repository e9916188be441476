"""Poses between poses: constant angular speed, SciPy's slerp as oracle, limits of speed and acceleration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from proctor.policies.scripted.motion import Track, slerp


@pytest.mark.parametrize("seed", range(5))
def test_slerp_turns_at_constant_speed_the_short_way(seed: int) -> None:
    first, last = Rotation.random(2, random_state=seed)
    whole = (last * first.inv()).magnitude()
    shares = np.linspace(0.0, 1.0, 21)
    found = [Rotation.from_matrix(slerp(first.as_matrix(), last.as_matrix(), share)) for share in shares]
    steps = [(b * a.inv()).magnitude() for a, b in itertools.pairwise(found)]
    assert steps == pytest.approx([whole / 20] * 20, abs=1e-7)
    oracle = Slerp([0.0, 1.0], Rotation.concatenate([first, last]))(shares)
    assert np.allclose([r.as_matrix() for r in found], oracle.as_matrix(), atol=1e-7)


def _poses(seed: int, count: int) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(seed)
    turns = Rotation.random(count, random_state=seed).as_matrix()
    return [(rng.uniform(-0.3, 0.3, 3), turn) for turn in turns]


@pytest.mark.parametrize("count", [2, 3, 8])
def test_a_track_begins_and_ends_at_rest_where_it_should_and_keeps_its_limits(count: int) -> None:
    poses = _poses(count, count)
    speed, turn_speed, acceleration = 0.5, 2.0, 1.5
    track = Track(poses, speed=speed, turn_speed=turn_speed, acceleration=acceleration)
    for time_s, pose in ((0.0, poses[0]), (track.duration_s, poses[-1]), (99.0, poses[-1]), (-1.0, poses[0])):
        assert np.allclose(track.at(time_s)[0], pose[0])
        assert np.allclose(track.at(time_s)[1], pose[1], atol=1e-7)
    dt = 0.002
    times = np.arange(0.0, track.duration_s, dt)
    found = [track.at(t) for t in times]
    pace = [np.linalg.norm(b[0] - a[0]) / dt for a, b in itertools.pairwise(found)]
    spin = [
        (Rotation.from_matrix(b[1]) * Rotation.from_matrix(a[1]).inv()).magnitude() / dt
        for a, b in itertools.pairwise(found)
    ]
    assert max(pace) <= speed * 1.001
    assert max(spin) <= turn_speed * 1.001
    assert max(pace[0], pace[-1]) < 0.05 * speed
    assert max(max(pace) / speed, max(spin) / turn_speed) > 0.9, "the faster of both is at its limit"


def test_a_short_way_is_never_at_full_speed() -> None:
    poses = [(np.zeros(3), np.eye(3)), (np.array([0.01, 0.0, 0.0]), np.eye(3))]
    track = Track(poses, speed=0.5, turn_speed=2.0, acceleration=2.0)
    middle = track.at(track.duration_s / 2)[0][0]
    assert middle == pytest.approx(0.005)
    # Half of the way at constant acceleration: t = sqrt(s / a).
    assert track.duration_s == pytest.approx(2 * np.sqrt(0.01 / 2.0))


def test_one_pose_is_a_track_that_stays() -> None:
    track = Track([(np.ones(3), np.eye(3))], speed=0.5, turn_speed=2.0, acceleration=2.0)
    assert track.duration_s == 0.0
    assert np.array_equal(track.at(0.3)[0], np.ones(3))
