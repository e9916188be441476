"""Open-fronted cold furniture in steps: coolbox, fridge.

The upper shelf begins where the lower one ends, and nothing hangs over either: a hand pitched 40 degrees or steeper
comes to both (vlabench spec, section 0.1). Side walls are low where the palm, 20 cm wide, passes over them. Sites:
``shelf1`` (lower, in front), ``shelf2`` (upper, behind), ``inside`` (the whole), and ``spot1`` to ``spot3`` on the
lower shelf from left to right, ``spot4`` to ``spot6`` on the upper one.
"""

from __future__ import annotations

import math

import numpy as np

from .._containers import MAPLE, timber
from .._model import Link, Material, Site, Vec3
from .._registry import Asset, category
from .._texture import pick, varied
from ._boards import Piece, boards, brushed, enamel, seen, span, spots

HALF_WIDTH_M = 0.220
"""Inside: room for three things 14 cm apart, so that the palm passes between the neighbours of the one it takes."""
DEPTH_M = 0.126
"""Of one shelf."""
FLOOR_M = 0.030
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

COOL = ((0.20, 0.42, 0.62), (0.72, 0.20, 0.18), (0.22, 0.50, 0.42), (0.88, 0.86, 0.82), (0.93, 0.66, 0.22))
TRIMS = ((0.90, 0.91, 0.92), (0.24, 0.25, 0.27), (0.62, 0.64, 0.66))
PALE = ((0.93, 0.94, 0.94), (0.80, 0.87, 0.86), (0.88, 0.86, 0.80), (0.36, 0.40, 0.44))


@category("coolbox", nouns=("cool box", "cooler"), looks={"shelves": ("1", "2")})
def coolbox(rng: np.random.Generator, shelves: str = "1") -> Asset:
    """Insulated box in a strong colour with a white liner, open in front and above; one or two shelves."""
    shell, liner = enamel(rng, pick(rng, COOL)), enamel(rng, (0.94, 0.95, 0.96))
    ice = Material(varied(rng, (0.62, 0.80, 0.90), 0.05), specular=0.7, shininess=0.8)
    return _steps(int(shelves), shell, liner, Material(varied(rng, pick(rng, TRIMS), 0.03), specular=0.4), ice)


@category("fridge", nouns=("fridge", "refrigerator"))
def fridge(rng: np.random.Generator) -> Asset:
    """Open two-shelf fridge as in a shop: enamel outside, brushed steel trays, a lamp along the back."""
    shell = enamel(rng, pick(rng, PALE))
    trim = brushed(rng) if rng.random() < 0.6 else timber(rng, MAPLE)
    lamp = Material((0.96, 0.98, 0.90), emission=0.7, specular=0.2)
    return _steps(2, shell, enamel(rng, (0.95, 0.96, 0.97)), trim, lamp)


def _steps(count: int, shell: Material, liner: Material, trim: Material, lamp: Material) -> Asset:
    w, wall = HALF_WIDTH_M, WALL_M
    front = -count * DEPTH_M / 2
    back = -front
    outer = w + wall
    shelves = [(front + k * DEPTH_M, FLOOR_M + k * STEP_M) for k in range(count)]
    top = shelves[-1][1] + BACK_M
    solid = Piece()
    for k, (x, z) in enumerate(shelves):
        last = back if k == count - 1 else x + DEPTH_M
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
        span((front - wall, front - 0.0012), (-outer, outer), (0.002, FLOOR_M + 0.004)), material=shell, part="plinth",
        bevel=0.004,
    )  # fmt: skip
    solid += seen(
        span((back - 0.003, back + 0.001), (-w + 0.004, w - 0.004), (shelves[-1][1], top - 0.022)), material=liner
    )
    solid += seen(span((back - 0.006, back), (-w + 0.02, w - 0.02), (top - 0.018, top - 0.010)), material=lamp)
    feet = [(sx * (-front - 0.02), sy * (w - 0.03)) for sx in (1, -1) for sy in (1, -1)]
    solid += seen(*(((0.012, 0.012, 0.0015), (x, y, 0.0015)) for x, y in feet), material=Material((0.1, 0.1, 0.11)))
    high = shelves[-1][1] + CLEAR_M
    sites = [_site(f"shelf{k + 1}", (x, x + DEPTH_M), (z, z + CLEAR_M)) for k, (x, z) in enumerate(shelves)]
    sites.append(_site("inside", (front, back), (FLOOR_M, high)))
    for k, (x, z) in enumerate(shelves):
        sites += spots((x + 0.007, x + DEPTH_M), w - 0.010, z, 1 + 3 * k)
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
