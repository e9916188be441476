"""An existing thing in another size: everything about a blueprint scaled alike, mass with the volume."""

from __future__ import annotations

from dataclasses import replace

from .._mesh import scaled
from .._model import Asset, Collider, Grasp, Link, Vec3, Visual

MAX_GRASP_M = 0.064
"""Widest that the knowledge suite asks a hand to span (spec 0.1: at most 65 mm)."""
LONGEST_M = 0.112
"""What lies on the shelf of a fridge from front to back."""
LOWEST_GRASP_M = 0.0104
"""The pads reach 10 mm below the point between them."""


def resized(plan: Asset, factor: float) -> Asset:
    """Return ``plan`` scaled by ``factor``; for a thing of one link without sites, joints or a hollow."""
    root = replace(
        plan.root,
        visuals=tuple(_visual(v, factor) for v in plan.root.visuals),
        colliders=tuple(_collider(c, factor) for c in plan.root.colliders),
    )
    return replace(
        plan,
        root=Link(root.name, root.visuals, root.colliders),
        radius_m=factor * plan.radius_m,
        height_m=factor * plan.height_m,
        grasps=tuple(_grasp(g, factor) for g in plan.grasps),
    )


def fitted(plan: Asset, width_m: float = MAX_GRASP_M) -> Asset:
    """Return ``plan``, made smaller where its cheapest grasp spans more than ``width_m``; wider grasps are dropped."""
    widest = min(plan.grasps, key=lambda grasp: grasp.cost).width_m
    small = resized(plan, width_m / widest) if widest > width_m else plan
    return replace(small, grasps=tuple(g for g in small.grasps if g.width_m <= MAX_GRASP_M + 1e-9))


def shortened(plan: Asset, length_m: float = LONGEST_M) -> Asset:
    """Return ``plan``, made smaller where it is longer than ``length_m``."""
    return resized(plan, length_m / (2 * plan.radius_m)) if 2 * plan.radius_m > length_m else plan


def reachable(plan: Asset) -> Asset:
    """Return ``plan`` with no grasp so low that the fingertips would meet the table."""
    raised = (replace(g, position=(*g.position[:2], max(g.position[2], LOWEST_GRASP_M))) for g in plan.grasps)
    return replace(plan, grasps=tuple(raised))


def _times(v: Vec3, factor: float) -> Vec3:
    return factor * v[0], factor * v[1], factor * v[2]


def _visual(v: Visual, factor: float) -> Visual:
    return replace(v, mesh=scaled(v.mesh, (factor,) * 3), pos=_times(v.pos, factor))


def _collider(c: Collider, factor: float) -> Collider:
    size = tuple(factor * s for s in c.size)
    return replace(c, size=size, pos=_times(c.pos, factor), mass_kg=factor**3 * c.mass_kg)


def _grasp(g: Grasp, factor: float) -> Grasp:
    return replace(g, position=_times(g.position, factor), width_m=factor * g.width_m)
