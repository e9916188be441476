"""Grasps of something round that does not lie as it was annotated: from above, through its middle, as it lies now."""

from __future__ import annotations

import math

import numpy as np

from proctor.assets import Grasp
from proctor.sim import FINGER_OPEN_M, Scene

from ._arm import Array

TIPPED_RAD = 0.5
"""From here on the annotated grasps no longer come from above."""
YAWS = 12
MAX_WIDTH_M = 2 * FINGER_OPEN_M - 0.006
# Costs more the wider it is, and more than any annotated grasp that can still be reached.
COST, COST_PER_M = 0.5, 2.0


def tumbled(scene: Scene, name: str) -> tuple[Grasp, ...]:
    """Return grasps in the object frame for something that rolls and has rolled; nothing for what stands upright."""
    rotation = scene.rotation(name)
    if not scene.assets[name].rolls or rotation[2, 2] > math.cos(TIPPED_RAD):
        return ()
    origin = scene.origin(name)
    low, high = zip(*(_extent(scene, name, axis) for axis in np.eye(3)), strict=True)
    middle = rotation.T @ ((np.array(low) + np.array(high)) / 2 - origin)
    found = []
    for yaw in np.arange(YAWS) * math.pi / YAWS:
        closing = np.array([math.cos(yaw), math.sin(yaw), 0.0])
        near, far = _extent(scene, name, closing)
        if far - near < MAX_WIDTH_M:
            found.append(
                Grasp(
                    _vec(middle),
                    _vec(rotation.T @ closing),
                    _vec(rotation.T @ np.array([0.0, 0.0, -1.0])),
                    COST + COST_PER_M * (far - near),
                    far - near,
                )
            )
    return tuple(found)


def _extent(scene: Scene, name: str, direction: Array) -> tuple[float, float]:
    """Return from where to where something reaches along a direction of the world."""
    solid, origin = scene.solid(name), scene.origin(name)
    # The shape tells how low and how high it reaches: asked with the direction as its up.
    turned = np.stack([direction, direction, direction]) @ scene.rotation(name)
    up = np.array([0.0, 0.0, float(origin @ direction)])
    return solid.lowest(up, turned), solid.highest(up, turned)


def _vec(values: Array) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return x, y, z
