"""Distances between collision shapes against an oracle that knows nothing of MuJoCo: alternating projections.

Projecting a point in turn onto two convex sets leads to their nearest points (Cheney and Goldstein 1959), and the
projection onto a ball, a box, a capsule or a cylinder is a line of arithmetic.
"""

from __future__ import annotations

from proctor.sim import DistanceProbe  # isort: skip (chooses the OpenGL backend, so it must come before MuJoCo)

import itertools

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

TYPES = {
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "box": mujoco.mjtGeom.mjGEOM_BOX,
}
PAIRS = list(itertools.combinations_with_replacement(TYPES, 2))


def nearest(shape, size, p):
    """The point of a shape, in its own frame, that is nearest to ``p``."""
    if shape == "box":
        return np.clip(p, -size, size)
    if shape == "cylinder":
        across = p[:2] * min(1.0, size[0] / max(np.hypot(*p[:2]), 1e-12))
        return np.array([*across, np.clip(p[2], -size[1], size[1])])
    core = np.array([0.0, 0.0, np.clip(p[2], -size[1], size[1]) if shape == "capsule" else 0.0])
    out = p - core
    return core + out * min(1.0, size[0] / max(np.linalg.norm(out), 1e-12))


def apart(one, other):
    """Distance between two (shape, size, position, rotation)."""
    (shape_1, size_1, p_1, r_1), (shape_2, size_2, p_2, r_2) = one, other
    x = p_1
    for _ in range(3000):
        y = p_2 + r_2 @ nearest(shape_2, size_2, r_2.T @ (x - p_2))
        before, x = x, p_1 + r_1 @ nearest(shape_1, size_1, r_1.T @ (y - p_1))
        if np.linalg.norm(x - before) < 1e-12:
            break
    return float(np.linalg.norm(x - y))


def draw(rng, shape, reach):
    where = rng.normal(size=3)
    where *= reach / np.linalg.norm(where)
    return shape, rng.uniform(0.005, 0.05, 3), where, Rotation.random(random_state=int(rng.integers(2**31))).as_matrix()


def built(shapes):
    spec = mujoco.MjSpec()
    for shape, size, where, rotation in shapes:
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, np.ascontiguousarray(rotation).ravel())
        spec.worldbody.add_body(pos=where, quat=quat).add_geom(type=TYPES[shape], size=size)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    return model, data


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_the_distance_of_two_shapes_is_the_true_one(one, other):
    rng = np.random.default_rng(7)
    checked = 0
    for _ in range(12):
        shapes = [draw(rng, one, 0.0), draw(rng, other, rng.uniform(0.06, 0.25))]
        truth = apart(*shapes)
        if truth < 1e-3:
            continue
        model, data = built(shapes)
        for a, b in ((0, 1), (1, 0)):
            # Also with a limit just above the distance, which is how a threshold is watched.
            for limit in (1.0, truth + 1e-3):
                assert DistanceProbe(model, np.array([a]), np.array([b]), limit)(data) == pytest.approx(truth, abs=1e-6)
            assert DistanceProbe(model, np.array([a]), np.array([b]), truth / 2)(data) == pytest.approx(truth / 2)
        checked += 1
    assert checked >= 4


def test_many_shapes_are_as_near_as_their_nearest_pair():
    rng = np.random.default_rng(3)
    for _ in range(10):
        names = rng.choice(list(TYPES), 9)
        shapes = [draw(rng, name, rng.uniform(0.0, 0.4)) for name in names]
        model, data = built(shapes)
        left, right = np.arange(4), np.arange(4, 9)
        truth = min(apart(shapes[i], shapes[j]) for i in left for j in right)
        found = DistanceProbe(model, left, right, 1.0)(data)
        if truth > 1e-3:
            assert found == pytest.approx(truth, abs=1e-6)
        else:
            assert found < 2e-3


def test_what_overlaps_has_a_distance_below_zero():
    size = np.full(3, 0.02)
    for shift, sign in ((0.0399, -1), (0.0401, 1)):
        shapes = [("box", size, np.zeros(3), np.eye(3)), ("box", size, np.array([shift, 0, 0]), np.eye(3))]
        model, data = built(shapes)
        found = DistanceProbe(model, np.array([0]), np.array([1]), 0.1)(data)
        assert found * sign == pytest.approx(1e-4, abs=1e-6)
