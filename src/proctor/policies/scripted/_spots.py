"""Where to put something down: free places, the nearest to the middle first.

Candidates lie on a grid over the site or rectangle, inset by the object's own radius. Those whose distance to
everything that is already there leaves a gap come in order; if none does, the one with the most room.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import mujoco
import numpy as np

from proctor.assets import Site
from proctor.sim import TABLE_Z, Scene, heading
from proctor.tasks.cbddl import Rect, Span

from ._arm import Array
from ._footprint import pillars, roofed, top_of

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
