"""Packages with a label on every side: cartons that stand, flat bars, cans, jars and bowls of something."""

from __future__ import annotations

import math

import numpy as np

from .._colliders import box, cylinder, wall
from .._grasps import rim, top
from .._mesh import merge
from .._model import Grasp, Link, Material, Site, Vec3, Visual
from .._registry import Asset
from .._shapes import revolve, slab
from .._texture import blend, noise, plain, to_image, varied
from ._print import facing
from ._vessels_labelled import Art, round_grasps, sleeve

SIDES: tuple[Vec3, ...] = ((-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0))


def standing_box(half: Vec3, art: Art, ground: Vec3, mass_kg: float) -> Asset:
    """Carton that stands with its broad side (width 2 half[1]) towards -x; the jaws close on its depth or its width."""
    x, y, z = half
    faces = [facing(2 * (y if side[0] else x) - 0.001, 2 * z - 0.001, _out(side, half), side) for side in SIDES]
    visuals = (
        Visual(slab(half, 0.0012, centre=(0.0, 0.0, z)), Material(ground, specular=0.2)),
        Visual(merge(*faces), Material(texture=art(2 * y, 2 * z, True), specular=0.2, shininess=0.2), "label"),
    )
    grip = max(2 * z - 0.026, 0.6 * z)
    grasps: list[Grasp] = []
    for width, yaw, cost in ((2 * x, 0.0, 0.0), (2 * y, math.pi / 2, 0.1)):
        if width <= 0.0645:
            grasps += top(grip, width, (yaw,), cost=cost)
    if 2 * y <= 0.0645:
        near = 2 * z - max((0.034 - x * math.cos(math.radians(50))) / math.sin(math.radians(50)), 0.006)
        for pitch, cost in ((50.0, 0.05), (40.0, 0.1)):
            p = math.radians(pitch)
            grasps.append(Grasp((0.0, 0.0, near), (0.0, 1.0, 0.0), (math.cos(p), 0.0, -math.sin(p)), cost, 2 * y))
    return Asset(
        Link("root", visuals, (box(half, (0.0, 0.0, z), mass_kg),)),
        math.hypot(x, y),
        2 * z,
        grasps=tuple(grasps),
        face=(-1.0, 0.0, 0.0),
    )


def _out(side: Vec3, half: Vec3) -> Vec3:
    return side[0] * (half[0] + 0.0001), side[1] * (half[1] + 0.0001), half[2]


def tin(art: Art, mass_kg: float, radius: float, height: float) -> Asset:
    """Food can with ribs at both ends and a paper label."""
    metal = Material((0.76, 0.77, 0.79), specular=0.9, shininess=0.8)
    r, h = radius, height
    ends = merge(
        revolve(
            [(1e-5, 0.002), (r - 0.003, 0.002), (r - 0.002, 0.0), (r + 0.0006, 0.0), (r + 0.0006, 0.003), (r, 0.005)],
            26,
        ),
        revolve(
            [
                (r, h - 0.005),
                (r + 0.0006, h - 0.003),
                (r + 0.0006, h),
                (r - 0.002, h),
                (r - 0.003, h - 0.003),
                (1e-5, h - 0.003),
            ],
            26,
        ),
    )
    visuals = (sleeve((r, 0.005), (r, h - 0.005), art, 0.25), Visual(ends, metal))
    return Asset(
        Link("root", visuals, (cylinder(r, 0.0, h, mass_kg),)),
        r,
        h,
        grasps=round_grasps([(0.0, r), (h, r)], h),
        face=(-1.0, 0.0, 0.0),
    )


def pot(rng: np.random.Generator, art: Art, lid: Vec3, mass_kg: float, radius: float, height: float) -> Asset:
    """Jar or tub: label around the body, a lid on top."""
    r, h = radius, height
    cover = revolve(
        [(0.98 * r, 0.84 * h), (r + 0.0008, 0.845 * h), (r + 0.0008, h - 0.001), (r - 0.001, h), (1e-5, h)], 26
    )
    body = revolve([(1e-5, 0.0), (r - 0.001, 0.0), (r, 0.001), (r, 0.006)], 26)
    visuals = (
        sleeve((r, 0.006), (r, 0.845 * h), art, 0.2),
        Visual(body, Material((0.93, 0.92, 0.90), specular=0.3)),
        Visual(cover, Material(varied(rng, lid, 0.02), specular=0.5, shininess=0.5), "cap"),
    )
    return Asset(
        Link("root", visuals, (cylinder(r, 0.0, h, mass_kg),)),
        r,
        h,
        grasps=round_grasps([(0.0, r), (h, r)], h),
        face=(-1.0, 0.0, 0.0),
    )


BOWL_SIDES = 10


def bowlful(rng: np.random.Generator, glaze: Vec3, stuff: Vec3, bits: tuple[Vec3, ...], heap: float) -> Asset:
    """Bowl of something, 92 to 100 mm across, 44 to 50 mm high, taken by its rim; ``heap`` is how far it mounds up."""
    r, h, t = rng.uniform(0.046, 0.050), rng.uniform(0.044, 0.050), 0.0050
    low = 0.62 * r
    outer = [(1e-5, 0.0), (low - 0.004, 0.0), (low, 0.002), (0.86 * r, 0.5 * h), (r, h - 0.001), (r - 0.5 * t, h)]
    inner = [(r - t, h - 0.001), (0.86 * r - t, 0.5 * h), (0.8 * low, 0.2 * h), (1e-5, 0.2 * h)]
    level = 0.74 * h
    at_level = float(np.interp(level, (0.5 * h, h), (0.86 * r - t, r - t)))
    top_curve = (
        [(at_level, level)]
        + [(at_level * math.cos(a), level + heap * math.sin(a)) for a in np.linspace(0.3, math.pi / 2 - 0.05, 5)]
        + [(1e-5, level + heap)]
    )
    image = plain(varied(rng, stuff, 0.02), 64, 64)
    image = blend(image, tuple(0.8 * c for c in stuff), 0.6 * noise(rng, 64, 64, 3, (8, 8)))
    for k, colour in enumerate(bits):
        spots = noise(np.random.default_rng(int(rng.integers(1 << 30)) + k), 64, 64, 2, (9, 9))
        image = blend(image, colour, (spots > 0.72).astype(float))
    visuals = (
        Visual(
            revolve(np.array([*outer, *inner]), 28), Material(varied(rng, glaze, 0.02), specular=0.6, shininess=0.7)
        ),
        Visual(revolve(np.array(top_curve), 24), Material(texture=to_image(image), specular=0.25), "content"),
    )
    colliders = (
        cylinder(low, 0.0, 0.2 * h, 0.05, "base"),
        *wall((low - 0.5 * t + 0.002, 0.1 * h), (r - 0.5 * t, h), t, BOWL_SIDES, 0.06, "rim"),
        cylinder(0.80 * at_level, 0.2 * h, level, 0.03, "content"),
    )
    lean = math.atan2(r - low, 0.9 * h)
    grasps = rim(
        r - 0.5 * t - 0.013 * math.tan(lean),
        h - 0.013,
        t / math.cos(lean),
        (360 / BOWL_SIDES * k for k in range(BOWL_SIDES)),
        lean,
    )
    return Asset(
        Link("root", visuals, colliders),
        r + 0.002,
        h,
        grasps=grasps,
        sites=(Site("inside", "contain", (0.0, 0.0, 0.6 * h), (0.7 * r, 0.7 * r, 0.4 * h)),),
    )
