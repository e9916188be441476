"""Where to put something down: free places, the nearest to the middle first, among what stands there seen from above.

Candidates lie on a grid over the site or rectangle, inset by the object's own radius. Those whose distance to
everything that is already there leaves a gap come in order; if none does, the one with the most room.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from proctor.assets import Site
from proctor.sim import TABLE_Z, Scene, heading
from proctor.tasks.cbddl import Rect, Span

from ._arm import Array

# What stands in the way, seen from above: circles with a top height.
#
# A movable object is one circle. A fixture is broken into circles along each of its collision geoms, so that an open
# drawer is where it is and the cabinet is not as wide as it is deep.


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


GRID = 7
SPOTS = 16
GAP_M = 0.006
TABLE_GAP_M, CROWDED_GAP_M = 0.05, 0.015
# A door that stands open by more than this will be shut again; shorter than this it is a knob. Room to keep from it.
AJAR_RAD, DOOR_M, DOOR_GAP_M = 0.1, 0.1, 0.035
# Where things are put that only have to be gone: the part of the table that the arm reaches well.
AWAY = Rect(-0.22, -0.34, 0.0, 0.34, Span("expert", 0, 0))


def spots_in_site(scene: Scene, name: str, support: str, site: Site) -> tuple[list[Array], float]:
    """Return free points on a site's floor in the world, and the yaw of the site's long side."""
    centre, frame = scene.site_frame(support, site)
    floor = centre - frame @ np.array([0.0, 0.0, site.half[2]])
    radius = scene.assets[name].radius_m
    others = []
    for other in scene.movable:
        local = frame.T @ (scene.com(other) - centre)
        if other not in (name, support) and np.all(np.abs(local) <= np.asarray(site.half) + 0.02):
            others.append((local[:2], scene.assets[other].radius_m))
    free = _free(np.maximum(np.asarray(site.half[:2]) - radius, 0.0), radius + GAP_M, others)
    yaw = heading(frame) + (0.0 if site.half[0] >= site.half[1] else math.pi / 2)
    points = [floor + frame @ np.array([x, y, 0.0]) for x, y in free]
    return [p for p in points if not roofed(scene, support, p, radius)][:SPOTS] or points[:1], yaw


def spots_on_table(
    scene: Scene, name: str, rect: Rect, limit: int | None = SPOTS, gap_m: float = TABLE_GAP_M
) -> list[Array]:
    """Return up to ``limit`` free points of a rectangle on the table, ``gap_m`` away from what stands there."""
    middle = np.array([(rect.x_min + rect.x_max) / 2, (rect.y_min + rect.y_max) / 2])
    half = np.array([rect.x_max - rect.x_min, rect.y_max - rect.y_min]) / 2 - 0.01
    radius = scene.assets[name].radius_m
    others = [(pillar.xy - middle, pillar.radius) for pillar in pillars(scene, frozenset({name}))]
    free = _free(np.maximum(half, 0.0), radius + gap_m, others)
    points = [middle + local for local in free]
    sweeps = _sweeps(scene)
    clear = [p for p in points if all(np.linalg.norm(p - hinge) > reach + radius for hinge, reach in sweeps)]
    return [np.array([*point, TABLE_Z]) for point in (clear or points)[:limit]]


def _sweeps(scene: Scene) -> list[tuple[Array, float]]:
    """Return where open doors will pass when they are shut: the hinge seen from above, and how far they reach."""
    found = []
    for fixture in scene.fixed:
        for handle in scene.assets[fixture].handles:
            joint = scene.model.joint(f"{fixture}/{handle.joint}").id
            hinge, axis = scene.data.xanchor[joint], scene.data.xaxis[joint]
            turns = scene.model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE and abs(axis[2]) > 0.7
            if not turns or scene.joint(fixture, handle.joint) < AJAR_RAD:
                continue
            body = scene.data.body(f"{fixture}/{handle.link}")
            bar = body.xpos + body.xmat.reshape(3, 3) @ np.asarray(handle.position)
            reach = float(np.linalg.norm((bar - hinge)[:2]))
            if reach > DOOR_M:
                found.append((hinge[:2].copy(), reach + DOOR_GAP_M))
    return found


def spots_on_top(scene: Scene, support: str) -> list[Array]:
    """Return the one point on something that is no furniture: its top, over the middle of its opening if it has one."""
    site = next((s for s in scene.assets[support].sites if s.kind == "contain"), None)
    middle = scene.origin(support) if site is None else scene.site_frame(support, site)[0]
    return [np.array([middle[0], middle[1], top_of(scene, support)])]


def _free(half: Array, clearance: float, others: Sequence[tuple[Array, float]]) -> list[Array]:
    """Return grid points that keep ``clearance`` from all others, nearest to the middle first."""
    axes = [np.linspace(-h, h, GRID) if h > 1e-6 else np.zeros(1) for h in half]
    grid = np.array([(x, y) for x in axes[0] for y in axes[1]])
    # Rounded, or equal distances would be ordered by their last bit.
    grid = grid[np.argsort(np.round(np.linalg.norm(grid, axis=1), 6), kind="stable")]
    if not others:
        return list(grid)
    room = np.min([np.linalg.norm(grid - xy, axis=1) - radius for xy, radius in others], axis=0)
    free = np.flatnonzero(room >= clearance)
    return list(grid[free]) if len(free) else [grid[int(np.argmax(room))]]
