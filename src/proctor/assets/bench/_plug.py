"""The plug and its socket: a prong that goes level into a square hole of an upright plate.

The plug lies on its block, the prong to the far side, and is taken from above by the block's rear, so that the palm
stays before and over the plate. A sill before the hole carries the block once the prong is in.
"""

from __future__ import annotations

import math

import numpy as np

from .._colliders import box, segment, z_onto
from .._mesh import merge
from .._model import Collider, Grasp, Link, Material, Site, Stem, Visual
from .._registry import Asset, category
from .._shapes import revolve, slab, sweep
from .._texture import pick, varied
from ._boards import boards, enamel, seen, span

BLOCK_M = (0.025, 0.018, 0.020)
"""Half sizes of what the fingers take."""
PRONG_M, LONG_M = 0.006, 0.026
"""Half width and length of the prong."""
CLEAR_M = 0.002
HOLE_Z, DEEP_M = 0.052, 0.028
GRASP_BACK_M, GRASP_Z = 0.010, 0.026
SHELLS = ((0.93, 0.93, 0.92), (0.16, 0.16, 0.17), (0.86, 0.34, 0.20), (0.30, 0.48, 0.66), (0.62, 0.64, 0.66))


@category("plug", nouns=("plug", "power plug"))
def plug(rng: np.random.Generator) -> Asset:
    """Power plug with a short end of its cord; 60 g."""
    x, y, z = BLOCK_M
    shell = Material(varied(rng, pick(rng, SHELLS), 0.02), specular=0.4, shininess=0.5)
    rubber = Material(varied(rng, (0.12, 0.12, 0.13), 0.02), specular=0.2)
    metal = Material((0.80, 0.74, 0.55), specular=0.9, shininess=0.8)
    ridges = merge(*(slab((0.0015, y + 0.0008, z - 0.006), 0.0005, centre=(k * 0.007, 0.0, z)) for k in (-2, -1, 0)))
    bend = rng.uniform(-0.02, 0.02)
    cord = sweep(
        [(-x, 0, z), (-x - 0.015, 0, z - 0.002), (-x - 0.030, bend, 0.006), (-x - 0.048, 2 * bend, 0.004)], 0.0035
    )
    tip = slab((LONG_M / 2 - 0.002, PRONG_M, PRONG_M), 0.002, centre=(x + LONG_M / 2 - 0.002, 0.0, z))
    visuals = (
        Visual(slab(BLOCK_M, 0.005, centre=(0.0, 0.0, z)), shell),
        Visual(ridges, rubber),
        Visual(merge(cord, slab((0.006, 0.007, 0.007), 0.002, centre=(-x - 0.004, 0.0, z))), rubber, "cord"),
        Visual(tip, metal, "prong"),
    )
    prong: tuple[Collider, ...] = (
        box((LONG_M / 2 - 0.003, PRONG_M, PRONG_M), (x + LONG_M / 2 - 0.003, 0.0, z), 0.006, "prong"),
        segment((x + 0.004, 0.0, z), (x + LONG_M - PRONG_M, 0.0, z), PRONG_M, 0.002, "prong"),
    )
    return Asset(
        Link("root", visuals, (box(BLOCK_M, (0.0, 0.0, z), 0.052), *prong)),
        radius_m=x + LONG_M,
        height_m=2 * z,
        grasps=(Grasp((-GRASP_BACK_M, 0.0, GRASP_Z), (0.0, 1.0, 0.0), width_m=2 * y),),
        stem=Stem((x + LONG_M, 0.0, z), (1.0, 0.0, 0.0)),
        contact="firm",
        elongated=False,
    )


@category("socket", nouns=("socket", "power socket"))
def socket(rng: np.random.Generator) -> Asset:
    """Upright plate with a square hole at 5 cm, on a foot with a sill; its hole is the site ``hole``."""
    shell = enamel(rng, pick(rng, SHELLS))
    front, back = 0.0, DEEP_M
    hole, high, wide = PRONG_M + CLEAR_M, HOLE_Z + 0.030, 0.048
    made = boards(
        span((front, back), (-wide, -hole), (0.0, high)),
        span((front, back), (hole, wide), (0.0, high)),
        span((front, back), (-hole, hole), (0.0, HOLE_Z - hole)),
        span((front, back), (-hole, hole), (HOLE_Z + hole, high)),
        span((back, back + 0.012), (-wide, wide), (0.0, high)),
        material=shell, part="plate", bevel=0.0006,
    )  # fmt: skip
    sill = HOLE_Z - BLOCK_M[2] - 0.006
    made += boards(span((-0.058, front), (-wide, wide), (0.0, sill)), material=shell, part="sill", bevel=0.002)
    ring = revolve([(0.022, 0.0), (0.030, 0.0), (0.031, 0.0012), (0.021, 0.0012)], 32)
    trim = Material(varied(rng, (0.75, 0.76, 0.78), 0.02), specular=0.7)
    made += seen(
        span((front + 0.004, front + 0.005), (-hole, hole), (HOLE_Z - hole, HOLE_Z + hole)),
        material=Material((0.05,) * 3),
    )
    disc = Visual(ring, trim, "plate", (front + 0.0002, 0.0, HOLE_Z), z_onto((-1.0, 0.0, 0.0)))
    lamp = Material((0.25, 0.85, 0.35), emission=0.8)
    made += seen(span((front - 0.0008, front), (-0.004, 0.004), (high - 0.010, high - 0.004)), material=lamp)
    at = ((front + back) / 2, 0.0, HOLE_Z)
    return Asset(
        Link("root", (*made.visuals, disc), made.colliders),
        radius_m=math.hypot(0.058, wide),
        height_m=high,
        sites=(Site("hole", "hole", at, (hole, hole, DEEP_M / 2), quat_wxyz=z_onto((-1.0, 0.0, 0.0))),),
        kind="fixture",
        face=(-1.0, 0.0, 0.0),
    )
