"""The bin: a ring of boards, 14 cm wide at the mouth."""

from __future__ import annotations

import numpy as np

from .._colliders import cylinder, wall
from .._model import Link, Material, Site, Visual
from .._registry import Asset, category
from .._shapes import ON_AXIS_M, revolve
from .._texture import pick, varied

COLOURS = ((0.30, 0.33, 0.36), (0.22, 0.46, 0.40), (0.68, 0.70, 0.72), (0.52, 0.30, 0.24), (0.22, 0.34, 0.52))


@category("bin", nouns=("bin", "waste bin", "rubbish bin"))
def bin_(rng: np.random.Generator) -> Asset:
    """Waste bin with a rolled rim; it stays where it is."""
    mouth, foot, high = 0.070, rng.uniform(0.056, 0.062), rng.uniform(0.125, 0.145)
    t, floor = 0.004, 0.006
    r0, r1 = foot + t, mouth + t
    curve = [
        (ON_AXIS_M, 0.0), (r0 - 0.003, 0.0), (r0, 0.004), (r1 - 0.0006, high - 0.006), (r1 + 0.002, high - 0.004),
        (r1 + 0.0015, high), (mouth + 0.0005, high), (mouth - 0.001, high - 0.004), (foot, floor), (ON_AXIS_M, floor),
    ]  # fmt: skip
    colour = varied(rng, pick(rng, COLOURS), 0.02)
    solid = (
        cylinder(r0, 0.0, floor, 0.25, "base"),
        *wall((foot + t / 2, floor), (mouth + t / 2, high), t, 16, 0.35, "wall"),
    )
    depth = (high - floor) / 2
    side = 0.70 * mouth
    return Asset(
        Link("root", (Visual(revolve(curve, 28), Material(colour, specular=0.4, shininess=0.5)),), solid),
        radius_m=r1 + 0.002,
        height_m=high,
        sites=(Site("inside", "contain", (0.0, 0.0, floor + depth), (side, side, depth)),),
        kind="fixture",
    )
