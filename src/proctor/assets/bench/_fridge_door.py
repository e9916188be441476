"""The small fridge with a door."""

from __future__ import annotations

import math

import numpy as np

from .._model import Link, Material
from .._registry import Asset, category
from .._texture import pick
from ._boards import brushed, enamel, seen, span
from ._cap import BAR_OUT_M, DEPTH_M, FRONT_M, HINGE_M, Cap

SHELLS = ((0.92, 0.93, 0.93), (0.74, 0.20, 0.17), (0.66, 0.80, 0.78), (0.93, 0.86, 0.66), (0.30, 0.34, 0.38))


@category("fridge_door", nouns=("fridge", "refrigerator"))
def fridge_door(rng: np.random.Generator) -> Asset:
    """Small fridge, 41 cm wide, 26 cm tall, with room for three drinks side by side."""
    cap = Cap(half_width=0.205, height=0.26, wall=0.012)
    shell, liner, metal = enamel(rng, pick(rng, SHELLS)), enamel(rng, (0.95, 0.96, 0.97)), brushed(rng)
    w, z = cap.half_width, cap.height
    face = (-DEPTH_M - 0.0012, -DEPTH_M + 0.001)
    height = rng.uniform(0.175, 0.20)
    trim = seen(span(face, (-2 * w + 0.012, -0.012), (height, height + 0.004)), material=metal, part="door")
    trim += seen(span(face, (-0.105, -0.045), (z - 0.040, z - 0.026)), material=metal, part="door")
    lamp = Material((0.97, 0.98, 0.92), emission=0.7)
    body = cap.body(shell, liner)
    body += seen(span((HINGE_M + 0.02, HINGE_M + 0.05), (-0.06, 0.06), (z - 0.0145, z - 0.011)), material=lamp)
    ribs = [
        span((-FRONT_M - 0.0165, -FRONT_M - 0.012), (-w + 0.03, w - 0.03), (h, h + 0.004)) for h in (0.08, 0.12, 0.16)
    ]
    body += seen(*ribs, material=metal)
    return Asset(
        Link("root", body.visuals, body.colliders, children=(cap.door(shell, metal, trim),)),
        radius_m=math.hypot(FRONT_M - BAR_OUT_M, w),
        height_m=z,
        sites=cap.sites(),
        handles=(cap.handle(),),
        kind="fixture",
    )
