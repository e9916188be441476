"""Toys: a car that stands on its wheels, a bear that sits."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ._colliders import about_x, box, segment
from ._grasps import top
from ._mesh import merge, moved, scaled
from ._model import Collider, Link, Material, Mesh, Vec3, Visual
from ._registry import Asset, category
from ._shapes import extrude, oval, revolve, sweep
from ._texture import pick, varied

ON_ITS_SIDE = about_x(math.pi / 2)


def side_view(polygon: Sequence[tuple[float, float]], width: float) -> Mesh:
    """Prism over a side view (x, z), ``width`` wide along y."""
    return moved(extrude(polygon, width), (0.0, 0.0, 0.0), ON_ITS_SIDE)


@category("toy_car", nouns=("toy car", "car"))
def toy_car(rng: np.random.Generator) -> Asset:
    """Wooden-looking toy car, 10 to 11 cm long, facing +x; the jaws close across it (y)."""
    s = rng.uniform(0.94, 1.06)
    wide, wheel = 0.0215 * s, rng.uniform(0.0115, 0.0130) * s
    paint = varied(
        rng, pick(rng, [(0.93, 0.62, 0.08), (0.80, 0.12, 0.12), (0.14, 0.40, 0.70), (0.20, 0.55, 0.28)]), 0.02
    )
    long, sill, belt, roof = 0.051 * s, 0.009 * s, 0.029 * s, 0.048 * s
    nose = rng.uniform(0.55, 0.8)
    hull = [
        (-long, sill),
        (long, sill),
        (long, nose * belt),
        (0.92 * long, 0.86 * belt),
        (0.56 * long, belt),
        (-0.96 * long, belt),
        (-long, 0.82 * belt),
    ]
    cabin = [(-0.74 * long, belt), (0.48 * long, belt), (0.16 * long, roof - 0.001), (-0.56 * long, roof - 0.001)]
    cap = [(-0.57 * long, roof - 0.003), (0.17 * long, roof - 0.003), (0.14 * long, roof), (-0.54 * long, roof)]
    tyre = [
        (1e-5, -0.005 * s),
        (0.86 * wheel, -0.005 * s),
        (wheel, -0.003 * s),
        (wheel, 0.003 * s),
        (0.86 * wheel, 0.005 * s),
        (1e-5, 0.005 * s),
    ]
    rim = [
        (1e-5, -0.0056 * s),
        (0.5 * wheel, -0.0054 * s),
        (0.55 * wheel, 0.0),
        (0.5 * wheel, 0.0054 * s),
        (1e-5, 0.0056 * s),
    ]
    axles = [(x, y, wheel) for x in (-0.58 * long, 0.60 * long) for y in (-wide + 0.003, wide - 0.003)]
    lamps = [
        moved(
            revolve([(1e-5, 0.0), (0.0034, 0.0), (0.0026, 0.0016), (1e-5, 0.002)], 8),
            (long - 0.0004, y, 0.62 * belt),
            (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0),
        )
        for y in (-0.6 * wide, 0.6 * wide)
    ]
    visuals = (
        Visual(
            merge(side_view(hull, 2 * wide), side_view(cap, 1.66 * wide)), Material(paint, specular=0.7, shininess=0.8)
        ),
        Visual(side_view(cabin, 1.7 * wide), Material((0.40, 0.55, 0.64), specular=0.9, shininess=0.9)),
        Visual(
            merge(*(moved(revolve(tyre, 14), at, ON_ITS_SIDE) for at in axles)),
            Material((0.10, 0.10, 0.11)),
            part="wheel",
        ),
        Visual(
            merge(*(moved(revolve(rim, 8), at, ON_ITS_SIDE) for at in axles)),
            Material((0.78, 0.79, 0.80), specular=0.8),
            part="wheel",
        ),
        Visual(merge(*lamps), Material((0.97, 0.93, 0.74), emission=0.3)),
    )
    colliders = (
        box((long, wide, (belt - sill) / 2), (0.0, 0.0, (belt + sill) / 2), 0.07 * s**3),
        box((0.42 * long, 0.85 * wide, (roof - belt) / 2), (-0.16 * long, 0.0, (roof + belt) / 2), 0.02 * s**3),
        *(Collider("cylinder", (wheel, 0.005 * s), 0.006 * s**3, "wheel", at, ON_ITS_SIDE) for at in axles),
    )
    return Asset(
        Link("root", visuals, colliders),
        radius_m=math.hypot(long, wide),
        height_m=roof,
        grasps=top(0.75 * belt, 2 * wide, (math.pi / 2,))
        + top(0.75 * belt, 2 * wide, (math.pi / 2,), (-0.012, 0.0), 0.1),
    )


@category("mickey", nouns=("mickey", "toy bear", "bear"))
def mickey(rng: np.random.Generator) -> Asset:
    """Sitting toy bear of our own, 8 to 9 cm tall, facing +x, taken by the head; the name is upstream's."""
    s = rng.uniform(0.93, 1.05)
    fur = varied(rng, pick(rng, [(0.62, 0.42, 0.24), (0.80, 0.68, 0.48), (0.45, 0.30, 0.20), (0.66, 0.64, 0.62)]), 0.02)
    pale = tuple(0.45 + 0.52 * c for c in fur)
    shirt = varied(
        rng, pick(rng, [(0.80, 0.16, 0.16), (0.18, 0.42, 0.70), (0.94, 0.72, 0.16), (0.24, 0.56, 0.36)]), 0.02
    )
    belly, head, ear = (0.0215 * s, 0.0235 * s, 0.0260 * s), 0.0225 * s, 0.0085 * s
    head_z, tail = 0.0660 * s, (-0.0215 * s, 0.0, 0.0075 * s)
    legs = [(0.0190 * s, y * s, 0.0105 * s) for y in (-0.0150, 0.0150)]
    ears = [(-0.001 * s, y * s, head_z + 0.0185 * s) for y in (-0.0165, 0.0165)]
    arms = [((0.004 * s, y * 0.0205 * s, 0.0405 * s), (0.0175 * s, y * 0.0225 * s, 0.0255 * s)) for y in (-1, 1)]
    snout = (0.0195 * s, 0.0, head_z - 0.0045 * s)
    visuals = (
        Visual(
            merge(
                _ball((0.96 * head, head, 0.95 * head), (0.0, 0.0, head_z), 16, 10),
                *(_ball((0.5 * ear, ear, ear), at, 8, 6) for at in ears),
                *(_ball((0.0170 * s, 0.0100 * s, 0.0105 * s), at, 9, 6) for at in legs),
                *(sweep([a, b], 0.0068 * s, 7) for a, b in arms),
                _ball((0.0072 * s,) * 3, tail, 6, 5),
            ),
            Material(fur, specular=0.08, shininess=0.1),
        ),
        Visual(_ball(belly, (0.0, 0.0, 0.0265 * s), 14, 8), Material(shirt, specular=0.2)),
        Visual(
            merge(
                _ball((0.0080 * s, 0.0098 * s, 0.0078 * s), snout, 9, 6),
                *(_ball((0.0040 * s, 0.0056 * s, 0.0056 * s), (x + 0.0030 * s, y, z), 7, 4) for x, y, z in ears),
                *(_ball((0.0030 * s, 0.0062 * s, 0.0066 * s), (x + 0.0150 * s, y, z), 7, 4) for x, y, z in legs),
            ),
            Material((pale[0], pale[1], pale[2]), specular=0.08),
        ),
        Visual(
            merge(
                _ball((0.0026 * s, 0.0036 * s, 0.0026 * s), (0.0268 * s, 0.0, head_z - 0.0015 * s), 7, 5),
                *(_ball((0.0022 * s,) * 3, (0.0192 * s, y * s, head_z + 0.0065 * s), 6, 5) for y in (-0.0085, 0.0085)),
            ),
            Material((0.06, 0.05, 0.05), specular=0.8, shininess=0.8),
        ),
    )
    mass = rng.uniform(0.045, 0.065) * s**3
    colliders = (
        Collider("ellipsoid", belly, 0.45 * mass, "body", (0.0, 0.0, 0.0265 * s)),
        Collider("sphere", (0.97 * head,), 0.25 * mass, "head", (0.0, 0.0, head_z)),
        *(Collider("sphere", (ear,), 0.02 * mass, "ear", at) for at in ears),
        *(Collider("ellipsoid", (0.0170 * s, 0.0100 * s, 0.0105 * s), 0.09 * mass, "leg", at) for at in legs),
        Collider("sphere", (0.0075 * s,), 0.04 * mass, "tail", tail),
        *(segment(a, b, 0.0068 * s, 0.02 * mass, "arm") for a, b in arms),
        Collider("sphere", (0.0080 * s,), 0.01 * mass, "head", snout),
    )
    return Asset(
        Link("root", visuals, colliders),
        radius_m=0.0370 * s,
        height_m=0.0930 * s,
        grasps=top(head_z - 0.001 * s, 2 * 0.97 * head, (math.pi / 2,), part="head"),
    )


def _ball(half: Vec3, at: Vec3, segments: int, rows: int) -> Mesh:
    """Ellipsoid around ``at``."""
    return moved(scaled(revolve(oval(1.0, 1.0, 0.0, rows), segments, min_area_m2=1e-5), half), at)
