"""``snack``: what lies flat in a drawer, at most 45 mm high, with its word on top, read from -x."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .._colliders import box
from .._grasps import top
from .._mesh import make_mesh, merge, smooth_shaded
from .._model import Collider, Grasp, Link, Material, Mesh, Vec3, Visual
from .._registry import Asset, category
from .._shapes import slab
from .._texture import varied
from . import _icons as icons
from ._icons import Icon
from ._print import facing
from ._sized import reachable, shortened
from ._vessels_labelled import Art, label

LONGEST_M = 0.088
"""Corner to corner: what lies in the front of a drawer, before the cabinet."""
UP: Vec3 = (0.0, 0.0, 1.0)
CRISPS: tuple[tuple[Vec3, Vec3], ...] = (
    ((0.84, 0.18, 0.13), (0.98, 0.86, 0.30)),
    ((0.18, 0.44, 0.72), (0.96, 0.94, 0.88)),
    ((0.20, 0.52, 0.26), (0.98, 0.86, 0.30)),
    ((0.96, 0.74, 0.14), (0.72, 0.16, 0.10)),
    ((0.52, 0.22, 0.54), (0.96, 0.90, 0.60)),
)
BARS: tuple[tuple[Vec3, Vec3], ...] = (
    ((0.42, 0.25, 0.13), (0.96, 0.80, 0.42)),
    ((0.86, 0.56, 0.16), (0.36, 0.18, 0.08)),
    ((0.16, 0.40, 0.36), (0.96, 0.86, 0.56)),
    ((0.66, 0.14, 0.20), (0.98, 0.88, 0.66)),
)
BISCUITS: tuple[tuple[Vec3, Vec3], ...] = (
    ((0.95, 0.86, 0.62), (0.62, 0.32, 0.14)),
    ((0.22, 0.30, 0.60), (0.96, 0.84, 0.48)),
    ((0.86, 0.34, 0.28), (0.98, 0.93, 0.82)),
    ((0.42, 0.62, 0.56), (0.97, 0.92, 0.80)),
)


def _art(
    rng: np.random.Generator, word: str, colours: tuple[tuple[Vec3, Vec3], ...], icon: Icon | None
) -> tuple[Art, Vec3]:
    """Return what draws a label in one of several pairs of colours, and the ground's colour."""
    ground, band = colours[int(rng.integers(len(colours)))]
    ground = varied(rng, ground, 0.025)
    return label(ground, varied(rng, band, 0.025), word, icon, rng), ground


def _pillow(half: Vec3, flat: float, side: int, cells: int = 14) -> Mesh:
    """Upper (1) or lower (-1) skin of a pouch that is pinched along its four edges, half way up.

    ``flat`` in (0, 1] is how early it reaches its full height: small is boxy, 1 is a cushion. A picture lies on it
    once, read from -x.
    """
    x, y, z = half
    grid = np.linspace(-1, 1, cells + 1)
    b, a = np.meshgrid(grid, grid)
    swell = ((1 - a**4) * (1 - b**4)) ** flat
    points = np.stack([x * a, y * b, z * (1 + side * np.maximum(swell, 0.03))], -1).reshape(-1, 3)
    uv = np.stack([0.5 - 0.5 * b, 0.5 + 0.5 * a], -1).reshape(-1, 2)
    first = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).reshape(-1)
    row = cells + 1
    faces = np.concatenate([np.c_[first, first + row, first + row + 1], np.c_[first, first + row + 1, first + 1]])
    return smooth_shaded(make_mesh(points, faces[:, ::side], np.tile((0.0, 0.0, side), (len(points), 1)), uv))


def _low(
    half: Vec3,
    visuals: tuple[Visual, ...],
    colliders: tuple[Collider, ...],
    grasps: tuple[Grasp, ...],
) -> Asset:
    return Asset(
        Link("root", visuals, colliders), math.hypot(half[0], half[1]), 2 * half[2], grasps=grasps, face=UP
    )


def crisps_bag(rng: np.random.Generator) -> Asset:
    """Bag of crisps: a cushion 88 to 98 mm wide, 56 to 62 mm deep, 34 to 38 mm high, with crimped ends."""
    half = (rng.uniform(0.028, 0.031), rng.uniform(0.044, 0.049), rng.uniform(0.017, 0.019))
    x, y, z = half
    art, ground = _art(rng, "crisps", CRISPS, icons.crisp)
    picture = art(2 * y, 2 * x, True)
    foil = Material(ground, specular=0.8, shininess=0.7)
    seam = merge(*(slab((0.96 * x, 0.004, 0.0008), 0.0006, centre=(0.0, s * (y - 0.001), z)) for s in (-1, 1)))
    visuals = (
        Visual(_pillow(half, 0.45, 1), Material(texture=picture, specular=0.7, shininess=0.6), "label"),
        Visual(merge(_pillow(half, 0.35, -1), seam), foil),
    )
    colliders = (
        box((0.72 * x, 0.78 * y, 0.5 * z), (0.0, 0.0, 0.5 * z), 0.015),
        box((x, 0.86 * y, 0.30 * z), (0.0, 0.0, z), 0.02),
        box((0.72 * x, 0.72 * y, 0.48 * z), (0.0, 0.0, 1.5 * z), 0.015),
        box((0.90 * x, y, 0.12 * z), (0.0, 0.0, z), 0.005),
    )
    return _low(half, visuals, colliders, top(max(z, 0.0105), 2 * x, (0.0,)))


def nut_bar(rng: np.random.Generator) -> Asset:
    """Bar in a wrapper, 92 to 104 mm wide, 34 to 40 mm deep, 21 to 24 mm high, with flat crimped ends."""
    half = (rng.uniform(0.017, 0.020), rng.uniform(0.046, 0.052), rng.uniform(0.0105, 0.012))
    x, y, z = half
    art, ground = _art(rng, "nut bar", BARS, icons.nut)
    core = 0.82 * y
    picture = art(2 * core, 2 * x, True)
    wrap = Material(ground, specular=0.7, shininess=0.7)
    ends = merge(*(slab((0.94 * x, 0.10 * y, 0.0009), 0.0006, centre=(0.0, s * 0.90 * y, z)) for s in (-1, 1)))
    visuals = (
        Visual(_pillow((x, core, z), 0.16, 1), Material(texture=picture, specular=0.6, shininess=0.6), "label"),
        Visual(merge(_pillow((x, core, z), 0.16, -1), ends), wrap),
    )
    colliders = (
        box((x, 0.94 * core, 0.92 * z), (0.0, 0.0, 0.92 * z), 0.045),
        box((0.9 * x, 0.92 * core, 0.1 * z), (0.0, 0.0, 1.85 * z), 0.003),
        box((0.9 * x, y, 0.1 * z), (0.0, 0.0, z), 0.002),
    )
    return _low(half, visuals, colliders, top(0.0108, 2 * x, (0.0,)))


def biscuit_box(rng: np.random.Generator) -> Asset:
    """Flat carton, 84 to 94 mm wide, 54 to 60 mm deep, 34 to 40 mm high, with its picture on top and around."""
    half = (rng.uniform(0.027, 0.030), rng.uniform(0.042, 0.047), rng.uniform(0.017, 0.020))
    x, y, z = half
    art, ground = _art(rng, "biscuits", BISCUITS, icons.biscuit)
    plain_art, _ = label(ground, ground, "biscuits", None, rng), ground
    out = 0.0001
    lid = facing(2 * y - 0.001, 2 * x - 0.001, (0.0, 0.0, 2 * z + out), UP)
    round_about = [
        facing(2 * (y if side[0] else x) - 0.001, 2 * z - 0.001, (side[0] * (x + out), side[1] * (y + out), z), side)
        for side in ((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 1.0, 0.0))
    ]
    visuals = (
        Visual(slab(half, 0.0012, centre=(0.0, 0.0, z)), Material(ground, specular=0.2)),
        Visual(lid, Material(texture=art(2 * y, 2 * x, True), specular=0.2, shininess=0.2), "label"),
        Visual(merge(*round_about), Material(texture=plain_art(2 * y, 2 * z, True), specular=0.2), "label"),
    )
    grip = max(2 * z - 0.024, 0.0105)
    return _low(half, visuals, (box(half, (0.0, 0.0, z), 0.09),), top(grip, 2 * x, (0.0,)))


KINDS: dict[str, Callable[[np.random.Generator], Asset]] = {
    "crisps bag": crisps_bag,
    "nut bar": nut_bar,
    "biscuit box": biscuit_box,
}


@category("snack", nouns=("snack",), looks={"kind": tuple(KINDS)})
def snack(rng: np.random.Generator, kind: str = "") -> Asset:
    """One of the things that the table of snacks knows."""
    kind = kind or list(KINDS)[int(rng.integers(len(KINDS)))]
    return replace(reachable(shortened(KINDS[kind](rng), LONGEST_M)), nouns=(kind,))
