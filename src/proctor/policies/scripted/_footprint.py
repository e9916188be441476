"""What stands in the way, seen from above: circles with a top height.

A movable object is one circle. A fixture is broken into circles along each of its collision geoms, so that an open
drawer is where it is and the cabinet is not as wide as it is deep.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from proctor.sim import Scene

from ._arm import Array


@dataclass(frozen=True, slots=True)
class Pillar:
    """A vertical cylinder from the table to ``top``."""

    name: str
    xy: Array
    radius: float
    top: float


def pillars(scene: Scene, skip: frozenset[str]) -> list[Pillar]:
    """Return what stands in a scene, without the entities in ``skip``.

    Left out as well are particles, which lie in others, and what moves by itself (see `_timing`).
    """
    found: list[Pillar] = []
    for name in scene.assets:
        if name in skip or name in scene.particles or name in scene.moving:
            continue
        centres, halves = _boxes(scene, name)
        if name in scene.movable:
            low, high = (centres - halves).min(axis=0), (centres + halves).max(axis=0)
            found.append(
                Pillar(name, (low + high)[:2] / 2, float(np.linalg.norm((high - low)[:2]) / 2) * 0.85, float(high[2]))
            )
            continue
        for centre, half in zip(centres, halves, strict=True):
            found += _row(name, centre, half)
    return found


def top_of(scene: Scene, name: str) -> float:
    """Return the height of the highest point of an entity."""
    centres, halves = _boxes(scene, name)
    return float((centres + halves)[:, 2].max())


def bottom_of(scene: Scene, name: str) -> float:
    """Return the height of the lowest point of an entity."""
    centres, halves = _boxes(scene, name)
    return float((centres - halves)[:, 2].min())


def box_of(scene: Scene, name: str) -> tuple[Array, Array]:
    """Return the least and the greatest corner of the world-axis box around an entity."""
    centres, halves = _boxes(scene, name)
    return (centres - halves).min(axis=0), (centres + halves).max(axis=0)


def middle_of(scene: Scene, name: str) -> Array:
    """Return the middle of the world-axis box around an entity."""
    low, high = box_of(scene, name)
    middle: Array = (low + high) / 2
    return middle


def foot_radius(scene: Scene, name: str) -> float:
    """Return how far the lowest centimetre of an entity reaches from its middle: a mug's without its handle."""
    centres, halves = _boxes(scene, name)
    low = (centres - halves)[:, 2]
    foot = low < low.min() + 0.01
    reach = np.abs(centres[foot, :2] - scene.origin(name)[:2]) + halves[foot, :2]
    return float(reach.max())


def long_axis(scene: Scene, name: str) -> float:
    """Return the yaw of an object's long side in its own frame: 0, or a quarter turn as of a ``rotated_knife``."""
    geoms, turn = scene.geoms(name), scene.rotation(name).T
    frames = turn @ scene.data.geom_xmat[geoms].reshape(-1, 3, 3)
    local = scene.model.geom_aabb[geoms]
    centres = (scene.data.geom_xpos[geoms] - scene.origin(name)) @ turn.T
    centres += np.einsum("nij,nj->ni", frames, local[:, :3])
    halves = np.einsum("nij,nj->ni", np.abs(frames), local[:, 3:])
    x, y, _ = (centres + halves).max(axis=0) - (centres - halves).min(axis=0)
    return math.pi / 2 if y > x else 0.0


def roofed(scene: Scene, name: str, point: Array, radius: float) -> bool:
    """Whether part of an entity hangs over a point of it, as a cabinet does over the back of its open drawer."""
    centres, halves = _boxes(scene, name)
    above = (centres - halves)[:, 2] > point[2] + 0.02
    over = np.all(np.abs(centres[:, :2] - point[:2]) < halves[:, :2] + 0.7 * radius, axis=1)
    return bool(np.any(above & over))


def _boxes(scene: Scene, name: str) -> tuple[Array, Array]:
    """World-axis boxes around the collision geoms: centres and half sizes."""
    geoms = scene.geoms(name)
    frames = scene.data.geom_xmat[geoms].reshape(-1, 3, 3)
    local = scene.model.geom_aabb[geoms]
    centres = scene.data.geom_xpos[geoms] + np.einsum("nij,nj->ni", frames, local[:, :3])
    return centres, np.einsum("nij,nj->ni", np.abs(frames), local[:, 3:])


def _row(name: str, centre: Array, half: Array) -> list[Pillar]:
    along = int(np.argmax(half[:2]))
    radius = float(max(half[1 - along], 0.01))
    count = max(1, int(np.ceil(half[along] / radius)))
    reach = max(float(half[along]) - radius, 0.0)
    out = []
    for offset in np.linspace(-reach, reach, count):
        xy = centre[:2].copy()
        xy[along] += offset
        out.append(Pillar(name, xy, radius, float(centre[2] + half[2])))
    return out
