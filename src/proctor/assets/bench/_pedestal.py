"""What shows something behind a button: a pedestal with a flat top."""

from __future__ import annotations

import numpy as np

from .._colliders import cylinder
from .._model import Link, Material, Site, Vec3, Visual
from .._registry import Asset, category
from .._shapes import ON_AXIS_M, revolve
from .._texture import blend, noise, pick, to_image, varied

STONES: list[Vec3] = [
    (0.86, 0.85, 0.82),
    (0.55, 0.55, 0.56),
    (0.74, 0.66, 0.56),
    (0.30, 0.31, 0.33),
    (0.70, 0.74, 0.70),
]


@category("pedestal", nouns=("pedestal", "stand"))
def pedestal(rng: np.random.Generator) -> Asset:
    """Round stone column, 9 cm across and 6 to 9 cm high; ``top`` takes what it shows."""
    r, h = rng.uniform(0.043, 0.048), rng.uniform(0.060, 0.090)
    neck = r - rng.uniform(0.006, 0.010)
    curve = [
        (ON_AXIS_M, 0.0), (r - 0.001, 0.0), (r, 0.001), (r, 0.010), (r - 0.003, 0.014), (neck, 0.018),
        (neck, h - 0.018), (r - 0.003, h - 0.014), (r, h - 0.010), (r, h - 0.002), (r - 0.002, h), (ON_AXIS_M, h),
    ]  # fmt: skip
    stone = varied(rng, pick(rng, STONES), 0.02)
    vein = noise(rng, 128, 128, 4, (3, 3))
    image = blend(stone, tuple(0.78 * c for c in stone), np.clip(1.6 * np.abs(vein - 0.5), 0.0, 1.0))
    look = Material(texture=to_image(image), specular=0.3, shininess=0.5)
    return Asset(
        Link("root", (Visual(revolve(curve, 30), look),), (cylinder(r, 0.0, h, 1.5),)),
        r,
        h,
        sites=(Site("top", "place", (0.0, 0.0, h + 0.05), (r, r, 0.05)),),
        kind="fixture",
    )
