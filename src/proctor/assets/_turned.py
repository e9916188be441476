"""Categories that are another one in a turned frame.

Upstream's task language can give a yaw only to fixtures, so upstream has a category of its own for every movable thing
that must lie another way. Ours are the same recipes turned about z: ``rotated_X`` by +90 degrees,
``rotated_X_pi`` by 180; ``rotated_toy_motorbike_x`` by 180, so that the bike still lies along x;
``cutting_board_no_rotation`` not at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ._colliders import about_z, times, vec3
from ._containers import cutting_board
from ._cutlery import fork, knife, scissors
from ._mesh import rotation
from ._registry import Asset, Maker, category
from ._toy_vehicles import toy_motorbike


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


def _maker(original: Maker, yaw_rad: float) -> Callable[[np.random.Generator], Asset]:
    return lambda rng: turned(original(rng), yaw_rad)


for _name, _original, _yaw_rad, _nouns in (
    ("cutting_board_no_rotation", cutting_board, 0.0, ("cutting board", "board")),
    ("rotated_fork", fork, math.pi / 2, ("fork",)),
    ("rotated_fork_pi", fork, math.pi, ("fork",)),
    ("rotated_knife", knife, math.pi / 2, ("knife",)),
    ("rotated_knife_pi", knife, math.pi, ("knife",)),
    ("rotated_scissors", scissors, math.pi / 2, ("scissors",)),
    ("rotated_scissors_pi", scissors, math.pi, ("scissors",)),
    ("rotated_toy_motorbike", toy_motorbike, math.pi / 2, ("toy motorbike", "motorbike")),
    ("rotated_toy_motorbike_x", toy_motorbike, math.pi, ("toy motorbike", "motorbike")),
):
    category(_name, nouns=_nouns)(_maker(_original, _yaw_rad))
