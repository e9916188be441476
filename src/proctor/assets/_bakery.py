"""Cakes and rings of dough: bagel, cake, chiffon_cake, donut. All fit the hand by their full diameter."""

from __future__ import annotations

import math

import numpy as np

from ._colliders import cylinder, segment
from ._grasps import top
from ._mesh import Floats, columns, deformed, merge, moved
from ._model import Collider, Link, Material, Mesh, Vec3, Visual
from ._registry import Asset, category
from ._shapes import TAU, oval, pixel_aspect, profile, revolve, rows_of
from ._texture import blend, noise, pick, speckle, step, to_image, varied

ROWS, COLS = 96, 96
BEADS = 12
"""Capsules around a ring; grasps close between their ends, where the ring's outline is widest."""


def ring_profile(ring: float, thick: float, flat: float, z: float) -> Floats:
    """Closed profile of a torus, from the underside outwards and back to it; ``flat`` < 1 lowers it."""
    a = np.linspace(-math.pi / 2, 1.5 * math.pi, 17)
    return columns(ring + thick * np.cos(a), z + flat * thick * np.sin(a))


def dough_ring(ring: float, thick: float, flat: float, mass: float, visuals: tuple[Visual, ...]) -> Asset:
    """Ring of capsules, grasped across its full diameter."""
    height = 2 * thick * flat
    corners = [(ring * math.cos(TAU * k / BEADS), ring * math.sin(TAU * k / BEADS), thick * flat) for k in range(BEADS)]
    colliders = tuple(segment(corners[k - 1], corners[k], thick * flat, mass / BEADS) for k in range(BEADS))
    yaws = [TAU * k / BEADS for k in range(BEADS // 2)]
    width = 2 * (ring + thick * flat)
    return Asset(
        Link("root", visuals, colliders), ring + thick, height, grasps=top(max(0.56 * height, 0.0105), width, yaws)
    )


@category("donut", nouns=("donut", "doughnut"))
def donut(rng: np.random.Generator) -> Asset:
    """Iced ring with sprinkles, 62 to 70 mm across."""
    thick = rng.uniform(0.0118, 0.0132)
    ring = rng.uniform(0.0315, 0.0345) - thick
    z = thick
    icing = varied(
        rng, pick(rng, [(0.94, 0.55, 0.66), (0.36, 0.20, 0.12), (0.96, 0.92, 0.84), (0.62, 0.78, 0.86)]), 0.02
    )
    dough = varied(rng, (0.80, 0.54, 0.27), 0.02)
    curve = ring_profile(ring, thick, 1.0, z)
    _, height = rows_of(curve, ROWS)
    u = np.linspace(0, 1, COLS, endpoint=False)[None]
    drip = 1.12 * z + 0.12 * z * np.sin(TAU * (5 * u + rng.random())) + 0.08 * z * np.sin(TAU * (9 * u + rng.random()))
    coat = step(-0.0006, 0.0006, height[:, None] - drip)
    image = blend(blend(dough, (0.66, 0.40, 0.18), 0.6 * noise(rng, ROWS, COLS, 3, (4, 8))), icing, coat)
    aspect = pixel_aspect(curve, ROWS, COLS) * (height > 1.25 * z)
    for colour in ((0.95, 0.80, 0.20), (0.25, 0.55, 0.80), (0.90, 0.30, 0.25), (0.97, 0.97, 0.95)):
        image = speckle(rng, image, colour, 16, 1.1, aspect)
    visual = Visual(revolve(curve, 26), Material(texture=to_image(image), specular=0.5, shininess=0.6))
    return dough_ring(ring, thick, 1.0, rng.uniform(0.045, 0.065), (visual,))


@category("bagel", nouns=("bagel",))
def bagel(rng: np.random.Generator) -> Asset:
    """Baked ring with sesame, 64 to 71 mm across."""
    thick = rng.uniform(0.0140, 0.0152)
    ring = rng.uniform(0.0325, 0.0352) - thick
    curve = ring_profile(ring, thick, 1.0, thick)
    _, height = rows_of(curve, ROWS)
    crust, pale = varied(rng, (0.70, 0.42, 0.17), 0.025), (0.88, 0.70, 0.43)
    cloud = noise(rng, ROWS, COLS, 4, (4, 6))
    image = blend(pale, crust, step(0.2, 1.2, height[:, None] / thick + 0.5 * (cloud - 0.5)))
    aspect = pixel_aspect(curve, ROWS, COLS) * (height > 1.1 * thick)
    image = speckle(rng, image, (0.95, 0.88, 0.70), int(rng.integers(50, 90)), 0.9, aspect)
    visual = Visual(revolve(curve, 26), Material(texture=to_image(image), specular=0.25, shininess=0.3))
    return dough_ring(ring, thick, 1.0, rng.uniform(0.07, 0.10), (visual,))


def round_cake(
    rng: np.random.Generator, r: float, h: float, visuals: tuple[Visual, ...], top_m: float = 0.0
) -> Asset:
    """Upright cylinder of sponge, grasped by its upper edge."""
    mass = 420.0 * math.pi * r**2 * h
    grip = h - 0.020
    return Asset(Link("root", visuals, (cylinder(r, 0.0, h, mass),)), r, h + top_m, grasps=top(grip, 2 * r))


@category("cake", nouns=("cake",))
def cake(rng: np.random.Generator) -> Asset:
    """Small layer cake with cream and berries, 64 to 70 mm across."""
    r, h = rng.uniform(0.032, 0.035), rng.uniform(0.040, 0.050)
    curve = np.array(
        [
            (1e-5, 0.0),
            (r - 0.001, 0.0),
            (r, 0.001),
            (r, 0.5 * h),
            (r, h - 0.003),
            (r - 0.0012, h - 0.0006),
            (r - 0.004, h),
            (0.5 * r, h),
            (1e-5, h),
        ]
    )
    _, z = rows_of(curve, ROWS)
    sponge = varied(rng, pick(rng, [(0.86, 0.66, 0.38), (0.40, 0.24, 0.15), (0.78, 0.40, 0.34)]), 0.025)
    cream = varied(rng, pick(rng, [(0.96, 0.93, 0.86), (0.95, 0.80, 0.82), (0.50, 0.32, 0.20)]), 0.012)
    u = np.linspace(0, 1, COLS, endpoint=False)[None]
    level = (z / h)[:, None]
    layers = step(0.055, 0.035, np.abs(level - 0.36)) + step(0.055, 0.035, np.abs(level - 0.66))
    icing = step(-0.02, 0.02, level - 0.86 + 0.05 * np.sin(TAU * (7 * u + rng.random())))
    image = blend(sponge, tuple(0.85 * c for c in sponge), noise(rng, ROWS, COLS, 3, (12, 12)))
    image = blend(image, cream, np.clip(layers + icing, 0, 1))
    berries, dots = [], int(rng.integers(5, 8))
    for k in range(dots):
        a = TAU * k / dots
        berries.append(moved(_drop(0.0048, 0.0045), (0.68 * r * math.cos(a), 0.68 * r * math.sin(a), h - 0.0006)))
    berry: Vec3 = varied(rng, pick(rng, [(0.74, 0.06, 0.10), (0.22, 0.16, 0.42)]), 0.02)
    visuals = (
        Visual(revolve(curve, 28), Material(texture=to_image(image), specular=0.15, shininess=0.2)),
        Visual(merge(*berries), Material(berry, specular=0.6, shininess=0.6), part="stem"),
    )
    return round_cake(rng, r, h, visuals, 0.008)


def _drop(radius: float, half_height: float) -> Mesh:
    return revolve(oval(radius, half_height, half_height, 6), 8)


@category("chiffon_cake", nouns=("chiffon cake", "cake"))
def chiffon_cake(rng: np.random.Generator) -> Asset:
    """Fluted ring cake, 64 to 70 mm across, dusted with sugar."""
    r, h = rng.uniform(0.032, 0.035), rng.uniform(0.036, 0.044)
    hole = 0.24 * r
    points = [
        (0.95 * r, 0.002),
        (r, 0.25 * h),
        (0.97 * r, 0.62 * h),
        (0.80 * r, 0.94 * h),
        (0.58 * r, h),
        (0.38 * r, 0.93 * h),
        (hole, 0.70 * h),
        (hole, 0.35 * h),
    ]
    curve = np.vstack([[(hole, 0.0), (0.90 * r, 0.0)], profile(points, 2), [(hole, 0.0)]])
    flutes = int(rng.integers(9, 13))

    def fluted(p: Floats) -> Floats:
        out = np.hypot(p[:, 0], p[:, 1])
        around = np.arctan2(p[:, 1], p[:, 0])
        depth = 0.055 * (1 - np.abs(np.cos(0.5 * flutes * around))) * step(0.45 * r, 0.85 * r, out)
        return columns(p[:, :2] * (1 - depth)[:, None], p[:, 2])

    crumb = varied(rng, pick(rng, [(0.86, 0.68, 0.36), (0.62, 0.40, 0.20), (0.60, 0.66, 0.36)]), 0.02)
    _, z = rows_of(curve, ROWS)
    cloud = noise(rng, ROWS, COLS, 4, (6, 10))
    image = blend(crumb, tuple(0.78 * c for c in crumb), cloud)
    image = blend(image, (0.97, 0.96, 0.93), 0.85 * step(0.80, 1.05, (z / h)[:, None] + 0.25 * (cloud - 0.5)))
    visual = Visual(
        deformed(revolve(curve, 36), fluted), Material(texture=to_image(image), specular=0.08, shininess=0.1)
    )
    mass = 360.0 * math.pi * r**2 * h
    wall = Collider("cylinder", (r, h / 2), mass, "body", (0.0, 0.0, h / 2))
    return Asset(Link("root", (visual,), (wall,)), r, h, grasps=top(h - 0.018, 2 * r))
