"""Shapes of things as their colliders have them: reach, box, points, and the smallest distance between two.

An object's shape as its colliders have it: how low it reaches in any pose, its box, and points that stand for it.

The reach of a collider in a direction u of its own frame is b·|u| + ‖s∘u‖ + c, with b the half sizes of a box (or the
half length of a capsule or cylinder), s those of an ellipsoid (or the radius of a cylinder) and c a radius.
"""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from ._contacts import GeomIds
from ._rotation import Array

SAMPLES = (0.5, 0.5, 0.9)
"""Where the 8 sample points lie: the corners of the box drawn towards its middle by these factors (x, y, z)."""


class Solid:
    """The colliders ``geoms`` of one body, in its frame."""

    def __init__(self, model: mujoco.MjModel, geoms: GeomIds) -> None:
        self._pos = model.geom_pos[geoms].copy()
        rotations = np.zeros((len(geoms), 9))
        for row, geom in zip(rotations, geoms, strict=True):
            mujoco.mju_quat2Mat(row, model.geom_quat[geom])
        self._rot = rotations.reshape(-1, 3, 3)
        straight, round_, radius = zip(*(_reach(model, int(geom)) for geom in geoms), strict=True)
        self._straight, self._round, self._radius = np.array(straight), np.array(round_), np.array(radius)
        high = np.array([self._furthest(axis) for axis in np.eye(3)])
        low = -np.array([self._furthest(-axis) for axis in np.eye(3)])
        self.centre, self.half = (high + low) / 2, (high - low) / 2
        corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
        self.points = self.centre + corners * self.half * SAMPLES

    def _furthest(self, direction: Array) -> float:
        """Return how far the shape reaches in a direction of its own frame."""
        turned = direction @ self._rot
        reach = np.abs(turned) * self._straight + 0.0
        across = np.sqrt(np.sum((turned * self._round) ** 2, axis=1))
        return float(np.max(self._pos @ direction + reach.sum(axis=1) + across + self._radius))

    def lowest(self, origin: Array, rotation: Array) -> float:
        """Return the height [m] of the lowest point in a pose."""
        return float(origin[2]) - self._furthest(-rotation[2])

    def highest(self, origin: Array, rotation: Array) -> float:
        """Return the height [m] of the highest point in a pose."""
        return float(origin[2]) + self._furthest(rotation[2])


def _reach(model: mujoco.MjModel, geom: int) -> tuple[tuple[float, ...], tuple[float, ...], float]:
    kinds, none = mujoco.mjtGeom, (0.0, 0.0, 0.0)
    size = tuple(model.geom_size[geom].tolist())
    match model.geom_type[geom]:
        case kinds.mjGEOM_BOX:
            return size, none, 0.0
        case kinds.mjGEOM_ELLIPSOID:
            return none, size, 0.0
        case kinds.mjGEOM_CAPSULE:
            return (0.0, 0.0, size[1]), none, size[0]
        case kinds.mjGEOM_CYLINDER:
            return (0.0, 0.0, size[1]), (size[0], size[0], 0.0), 0.0
        case _:
            return none, none, float(model.geom_rbound[geom])


# Smallest distance between two sets of geoms, cheap when they are far apart.
#
# Bounding spheres cull; the rest is sorted by its lower bound and measured with a shrinking limit, so the loop ends at
# the first pair that cannot improve. Negative values mean penetration.


class DistanceProbe:
    """Distance [m] between ``a`` and ``b``, never more than ``limit``."""

    def __init__(self, model: mujoco.MjModel, a: NDArray[np.intp], b: NDArray[np.intp], limit: float) -> None:
        self._model = model
        self._a, self._b = a, b
        self._limit = limit
        self._reach = model.geom_rbound[a][:, None] + model.geom_rbound[b][None, :]
        self._segment = np.zeros(6)

    def __call__(self, data: mujoco.MjData) -> float:
        between = data.geom_xpos[self._a][:, None] - data.geom_xpos[self._b][None]
        bound = (np.sqrt(np.einsum("ijk,ijk->ij", between, between)) - self._reach).ravel()
        best = self._limit
        near = np.flatnonzero(bound < best)
        columns = len(self._b)
        for pair in near[np.argsort(bound[near])].tolist():
            if bound[pair] >= best:
                break
            row, column = divmod(pair, columns)
            distance = mujoco.mj_geomDistance(
                self._model, data, int(self._a[row]), int(self._b[column]), best, self._segment
            )
            best = min(best, distance)
        return float(best)
