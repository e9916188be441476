"""Bodies of fruit and vegetables: standing, lying and long ones. What each kind looks like is in ``produce.toml``."""

from __future__ import annotations

import math

import numpy as np

from ._colliders import LIE_ALONG_X, segment
from ._grasps import MAX_WIDTH_M, top
from ._mesh import Floats, columns, deformed, moved, scaled
from ._model import Asset, Collider, Grasp, Link, Mesh, Vec3, Visual
from ._shapes import catmull_rom, extrude, pixel_aspect, revolve, sweep


def standing(
    radius: float, half_height: float, density_kg_m3: float, visuals: tuple[Visual, ...], top_m: float = 0.0
) -> Asset:
    """Ellipsoid on its base, grasped a little above its middle from any side; ``top_m`` is what stands out above it."""
    mass = density_kg_m3 * 4 / 3 * math.pi * radius**2 * half_height
    shape = Collider("ellipsoid", (radius, radius, half_height), mass, "body", (0.0, 0.0, half_height))
    return Asset(
        Link("root", visuals, (shape,)),
        radius_m=radius,
        height_m=2 * half_height + top_m,
        grasps=top(1.10 * half_height, 2 * radius),
        rolls=True,
    )


def stem(base_z: float, length: float, lean: float, radius: float = 0.0014) -> Mesh:
    """Short bent stalk on the axis."""
    path = [(0, 0, base_z), (0.1 * lean, 0, base_z + 0.5 * length), (lean, 0.3 * lean, base_z + length)]
    return sweep(catmull_rom(path, 3), np.linspace(radius, 1.25 * radius, 7), 6)


def calyx(rng: np.random.Generator, points: int, reach: float, droop: float, z: float) -> Mesh:
    """Green star of leaves on top of a fruit; tips hang ``droop`` below the centre."""
    angle = np.arange(2 * points) * math.pi / points
    radius = np.where(np.arange(2 * points) % 2 == 0, reach * rng.uniform(0.85, 1.1, 2 * points), 0.34 * reach)
    star = extrude(np.c_[radius * np.cos(angle), radius * np.sin(angle)], 0.0009)

    def hang(p: Floats) -> Floats:
        r = np.hypot(p[:, 0], p[:, 1]) / reach
        return columns(p[:, :2], p[:, 2] + z - droop * r**2)

    return deformed(star, hang)


ROWS, COLS = 96, 64

ACROSS = (math.pi / 2,)

# Jaws that close askew turn an ellipsoid until it lies across them; beyond this angle it may roll away instead.
ASKEW_RAD = (0.35, 0.7)

ASKEW_COST = 0.25


def lying(half: Vec3, density_kg_m3: float, visuals: tuple[Visual, ...], reach_m: float | None = None) -> Asset:
    """Ellipsoid with half axes ``half`` on four feet, grasped across its long axis."""
    a, b, c = half
    mass = density_kg_m3 * 4 / 3 * math.pi * a * b * c
    foot = 0.35 * c
    colliders = [Collider("ellipsoid", half, 0.92 * mass, "body", (0.0, 0.0, c))]
    for x in (-0.28 * a, 0.28 * a):
        colliders += [Collider("sphere", (foot,), 0.02 * mass, "body", (x, y, foot)) for y in (-0.24 * b, 0.24 * b)]
    return Asset(
        Link("root", visuals, tuple(colliders)),
        radius_m=max(a, b, reach_m or 0.0),
        height_m=2 * c,
        grasps=(*top(1.06 * c, 2 * b, ACROSS), *_askew(half)),
        rolls=True,
    )


def _askew(half: Vec3) -> tuple[Grasp, ...]:
    """Grasps off the short axis, for where the room is not across; they span what an ellipse spans at that angle."""
    a, b, c = half
    grasps: list[Grasp] = []
    for angle in ASKEW_RAD:
        width = 2 * math.hypot(a * math.sin(angle), b * math.cos(angle))
        # What turns while the jaws close needs more room than what does not.
        if width <= MAX_WIDTH_M - 0.006:
            yaws = (math.pi / 2 - angle, math.pi / 2 + angle)
            grasps += top(1.06 * c, width, yaws, cost=ASKEW_COST * angle)
    return tuple(grasps)


def laid(curve: Floats, half: Vec3, segments: int = 20) -> Mesh:
    """Lathe a curve of unit radius along x and stretch its section to ``half``."""
    return moved(scaled(revolve(curve, segments), (half[2], half[1], 1.0)), (0.0, 0.0, half[2]), LIE_ALONG_X)


def _aspect(curve: Floats, half: Vec3) -> Floats:
    return pixel_aspect(curve * (half[1], 1.0), ROWS, COLS)


def _rod(visuals: tuple[Visual, ...], path: Floats, radii: Floats, density_kg_m3: float, reach_m: float) -> Asset:
    """Long thing lying along x: five level capsules under ``path``, and two pairs of small feet against rolling.

    Capsules end a radius before the path does, as their caps reach out to it.
    """
    length = float(path[-1, 0] - path[0, 0])
    mass = density_kg_m3 * math.pi * float(np.mean(radii**2)) * length
    x = np.linspace(path[0, 0] + 0.9 * radii[0], path[-1, 0] - 0.9 * radii[-1], 6)
    y, r = np.interp(x, path[:, 0], path[:, 1]), np.interp(x, path[:, 0], radii)
    colliders = []
    for k in range(5):
        mean = float(0.5 * (r[k] + r[k + 1]))
        colliders.append(segment((x[k], y[k], mean), (x[k + 1], y[k + 1], mean), mean, 0.19 * mass))
    for k in (1, 4):
        foot = 0.30 * float(r[k])
        for side in (-0.42, 0.42):
            at = (float(x[k]), float(y[k] + side * r[k]), foot)
            colliders.append(Collider("sphere", (foot,), 0.0125 * mass, "body", at))
    grasps: list[Grasp] = []
    for at_x, cost in ((0.0, 0.0), (-0.012, 0.1), (0.012, 0.1)):
        at_y, wide = float(np.interp(at_x, x, y)), float(np.interp(at_x, x, r))
        grasps += top(max(1.06 * wide, 0.0105), 2 * wide, ACROSS, (at_x, at_y), cost)
    return Asset(
        Link("root", visuals, tuple(colliders)),
        radius_m=reach_m,
        height_m=2 * float(radii.max()),
        grasps=tuple(grasps),
        rolls=True,
        elongated=True,
    )
