"""Toys: a car that stands on its wheels and can be taken by the body."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ._colliders import about_x, box
from ._grasps import top
from ._mesh import merge, moved
from ._model import Collider, Link, Material, Mesh, Visual
from ._registry import Blueprint, category
from ._shapes import extrude, revolve
from ._texture import pick, varied

ON_ITS_SIDE = about_x(math.pi / 2)


def _side(polygon: Sequence[tuple[float, float]], width: float) -> Mesh:
    """Prism over a side view (x, z), ``width`` wide along y."""
    return moved(extrude(polygon, width), (0.0, 0.0, 0.0), ON_ITS_SIDE)


@category("toy_car", nouns=("toy car", "car"))
def toy_car(rng: np.random.Generator) -> Blueprint:
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
        Visual(merge(_side(hull, 2 * wide), _side(cap, 1.66 * wide)), Material(paint, specular=0.7, shininess=0.8)),
        Visual(_side(cabin, 1.7 * wide), Material((0.40, 0.55, 0.64), specular=0.9, shininess=0.9)),
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
    return Blueprint(
        Link("root", visuals, colliders),
        radius_m=math.hypot(long, wide),
        height_m=roof,
        grasps=top(0.75 * belt, 2 * wide, (math.pi / 2,))
        + top(0.75 * belt, 2 * wide, (math.pi / 2,), (-0.012, 0.0), 0.1),
    )
