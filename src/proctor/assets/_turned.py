"""Whole things in a turned frame."""

from __future__ import annotations

from dataclasses import replace

from ._colliders import about_z, times, vec3
from ._mesh import rotation
from ._model import Asset


def turned(plan: Asset, yaw_rad: float) -> Asset:
    """Turn everything about a one-link object by ``yaw_rad`` within its own frame."""
    quat = about_z(yaw_rad)
    matrix = rotation(quat)
    root = replace(
        plan.root,
        visuals=tuple(
            replace(v, pos=vec3(matrix @ v.pos), quat_wxyz=times(quat, v.quat_wxyz)) for v in plan.root.visuals
        ),
        colliders=tuple(
            replace(c, pos=vec3(matrix @ c.pos), quat_wxyz=times(quat, c.quat_wxyz)) for c in plan.root.colliders
        ),
    )
    sites = tuple(replace(s, pos=vec3(matrix @ s.pos), quat_wxyz=times(quat, s.quat_wxyz)) for s in plan.sites)
    grasps = tuple(
        replace(
            g,
            position=vec3(matrix @ g.position),
            closing=vec3(matrix @ g.closing),
            approach=vec3(matrix @ g.approach),
        )
        for g in plan.grasps
    )
    return replace(plan, root=root, sites=sites, grasps=grasps)
