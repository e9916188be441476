"""Open-fronted cold furniture in steps: coolbox, fridge.

The upper shelf begins where the lower one ends, and nothing hangs over either: a hand pitched 40 degrees or steeper
comes to both (vlabench spec, section 0.1). Side walls are low where the palm, 20 cm wide, passes over them. Sites:
``shelf1`` (lower, in front), ``shelf2`` (upper, behind), ``inside`` (the whole), and ``spot1`` to ``spot3`` on the
lower shelf from left to right, ``spot4`` to ``spot6`` on the upper one.
"""

from __future__ import annotations

import math

from .._model import Asset, Link, Material, Site, Vec3
from ._boards import Piece, boards, seen, span, spots

HALF_WIDTH_M = 0.220
"""Inside: room for three things 14 cm apart, so that the palm passes between the neighbours of the one it takes."""

SHELF_M = 0.126
"""Of one shelf."""

BASE_M = 0.030

STEP_M = 0.100
"""From the lower shelf up to the upper one."""

WALL_M = 0.014

LOW_M = 0.045
"""How far the side walls rise over the shelf beside them."""

BACK_M = 0.085
"""How far the back wall rises over the last shelf: less than the palm of a hand on the shortest can."""

LIP_M = 0.010

CLEAR_M = 0.220
"""Clear height that counts as inside."""


def _steps(count: int, shell: Material, liner: Material, trim: Material, lamp: Material) -> Asset:
    w, wall = HALF_WIDTH_M, WALL_M
    front = -count * SHELF_M / 2
    back = -front
    outer = w + wall
    shelves = [(front + k * SHELF_M, BASE_M + k * STEP_M) for k in range(count)]
    top = shelves[-1][1] + BACK_M
    solid = Piece()
    for k, (x, z) in enumerate(shelves):
        last = back if k == count - 1 else x + SHELF_M
        solid += boards(
            span((x, last), (-w, w), (z - 0.028 if k == 0 else 0.004, z)), material=liner, part="shelf", bevel=0.0
        )
        walls = [span((x, last), (s * w, s * outer) if s > 0 else (-outer, -w), (0.002, z + LOW_M)) for s in (1, -1)]
        solid += boards(*walls, material=shell, part="side", bevel=0.004)
        solid += boards(
            span((x - 0.001, x + 0.007), (-w, w), (z - 0.002, z + LIP_M)), material=trim, part="lip", bevel=0.002
        )
    solid += boards(span((back, back + wall), (-outer, outer), (0.002, top)), material=shell, part="back", bevel=0.004)
    solid += boards(
        span((front - wall, front - 0.0012), (-outer, outer), (0.002, BASE_M + 0.004)), material=shell, part="plinth",
        bevel=0.004,
    )  # fmt: skip
    solid += seen(
        span((back - 0.003, back + 0.001), (-w + 0.004, w - 0.004), (shelves[-1][1], top - 0.022)), material=liner
    )
    solid += seen(span((back - 0.006, back), (-w + 0.02, w - 0.02), (top - 0.018, top - 0.010)), material=lamp)
    feet = [(sx * (-front - 0.02), sy * (w - 0.03)) for sx in (1, -1) for sy in (1, -1)]
    solid += seen(*(((0.012, 0.012, 0.0015), (x, y, 0.0015)) for x, y in feet), material=Material((0.1, 0.1, 0.11)))
    high = shelves[-1][1] + CLEAR_M
    sites = [_site(f"shelf{k + 1}", (x, x + SHELF_M), (z, z + CLEAR_M)) for k, (x, z) in enumerate(shelves)]
    sites.append(_site("inside", (front, back), (BASE_M, high)))
    for k, (x, z) in enumerate(shelves):
        sites += spots((x + 0.007, x + SHELF_M), w - 0.010, z, 1 + 3 * k)
    return Asset(
        Link("root", solid.visuals, solid.colliders),
        radius_m=math.hypot(back + wall, outer),
        height_m=top,
        sites=tuple(sites),
        kind="fixture",
    )


def _site(name: str, x: tuple[float, float], z: tuple[float, float]) -> Site:
    half, centre = span((x[0] + 0.004, x[1] - 0.002), (-HALF_WIDTH_M + 0.002, HALF_WIDTH_M - 0.002), z)
    at: Vec3 = centre
    return Site(name, "contain", at, half)
