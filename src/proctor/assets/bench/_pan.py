"""The frying pan: 20 cm across, a wall of 35 mm, and a handle away from the robot (+x) that nothing runs into.

``inside`` goes from its floor to 10 mm over its rim; ``top`` reaches higher, for what stands in it.
"""

from __future__ import annotations

import numpy as np

from .._colliders import box, cylinder, segment, wall
from .._mesh import columns, merge
from .._model import Link, Material, Site, Vec3, Visual
from .._registry import Asset, category
from .._shapes import ON_AXIS_M, revolve, slab, sweep
from .._texture import pick, varied

RIM_M, WALL_M, FLOOR_M, BOXES = 0.035, 0.004, 0.006, 16
METALS: list[tuple[Vec3, Vec3]] = [
    ((0.16, 0.16, 0.17), (0.11, 0.11, 0.12)),
    ((0.68, 0.69, 0.71), (0.60, 0.61, 0.63)),
    ((0.62, 0.36, 0.22), (0.70, 0.66, 0.60)),
    ((0.56, 0.13, 0.11), (0.14, 0.14, 0.15)),
    ((0.16, 0.30, 0.40), (0.85, 0.82, 0.76)),
]
"""Outside and inside."""


@category("pan", nouns=("pan", "frying pan"))
def pan(rng: np.random.Generator) -> Asset:
    """A heavy pan that stays where it stands."""
    r, foot = rng.uniform(0.099, 0.104), rng.uniform(0.082, 0.087)
    outer, inner = METALS[int(rng.integers(len(METALS)))]
    outside = Material(varied(rng, outer, 0.015), specular=0.6, shininess=0.6)
    inside = Material(varied(rng, inner, 0.01), specular=0.35, shininess=0.4)
    h, i = RIM_M, r - WALL_M
    shell = [
        (ON_AXIS_M, 0.0), (foot - 0.002, 0.0), (foot + 0.002, 0.002), (0.45 * foot + 0.55 * r, 0.45 * h),
        (r, h - 0.002), (r + 0.0008, h - 0.0006), (r - 0.0004, h), (i, h - 0.0002),
    ]  # fmt: skip
    bed = [
        (i, h - 0.0002),
        (0.5 * (foot + r) - WALL_M, 0.55 * h),
        (foot - 0.006, FLOOR_M + 0.0012),
        (ON_AXIS_M, FLOOR_M),
    ]
    length = rng.uniform(0.085, 0.105)
    line = columns(
        np.linspace(r - 0.002, r + length, 8), np.zeros(8), h - 0.008 + 0.012 * np.sin(np.linspace(0.0, 1.5, 8))
    )
    grips: list[Vec3] = [(0.13, 0.13, 0.14), (0.42, 0.26, 0.15), (0.62, 0.63, 0.65)]
    grip = Material(varied(rng, pick(rng, grips), 0.02), specular=0.3)
    lug = slab((0.010, 0.013, 0.005), 0.002, centre=(r + 0.002, 0.0, h - 0.009))
    visuals = (
        Visual(merge(revolve(shell, 34), lug), outside),
        Visual(revolve(bed, 34), inside),
        Visual(sweep(line, 0.0062, 8, aspect=1.6), grip, "handle"),
    )
    mass = rng.uniform(0.85, 1.1)
    colliders = (
        cylinder(foot, 0.0, FLOOR_M, 0.6 * mass, "base"),
        *wall((foot, 0.003), (r - WALL_M / 2, h), WALL_M, BOXES, 0.28 * mass, "rim"),
        box((0.010, 0.013, 0.005), (r + 0.002, 0.0, h - 0.009), 0.02 * mass, "handle"),
        segment(line[1], line[4], 0.0085, 0.05 * mass, "handle"),
        segment(line[4], line[-1], 0.0085, 0.05 * mass, "handle"),
    )
    half, deep = foot - 0.004, (h + 0.010 - FLOOR_M) / 2
    sites = (
        Site("inside", "contain", (0.0, 0.0, FLOOR_M + deep), (half, half, deep)),
        Site("top", "place", (0.0, 0.0, FLOOR_M + 0.07), (half, half, 0.07)),
    )
    return Asset(Link("root", visuals, colliders), r + length, float(line[:, 2].max()) + 0.0085, sites=sites)
