"""Bottles: tall and slender, they stand by their base and topple when struck; the hand takes them by the neck."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._colliders import cylinder
from ._grasps import top
from ._model import Link, Material, Visual
from ._registry import Asset, category
from ._shapes import profile, revolve
from ._texture import blend, noise, pick, plain, step, to_image, varied


@category("wine_bottle", nouns=("bottle", "wine bottle"))
def wine_bottle(rng: np.random.Generator) -> Asset:
    """Wine bottle, 62 to 71 mm wide, with a paper label and a capsule over the cork.

    22 to 25 cm tall: LIBERO stands one right under the open hand, which starts 25.7 cm above the table.
    """
    h = rng.uniform(0.222, 0.250)
    r = rng.uniform(0.031, 0.0355)
    neck = rng.uniform(0.0128, 0.0145)
    shoulder, throat = h * rng.uniform(0.56, 0.62), h * rng.uniform(0.745, 0.775)
    curve = np.vstack(
        [
            [(1e-5, 0.004), (r - 0.009, 0.0025), (r - 0.006, 0.0)],
            profile([(r - 0.0035, 0.0), (r - 0.0006, 0.003), (r, 0.010)], 2),
            profile(
                [
                    (r, 0.5 * shoulder),
                    (r, shoulder - 0.008),
                    (0.93 * r, shoulder + 0.010),
                    (0.5 * (r + neck), 0.5 * (shoulder + throat) + 0.003),
                    (neck + 0.001, throat),
                    (neck, throat + 0.02),
                    (neck, 0.94 * h),
                ],
                2,
            ),
        ]
    )
    glass = varied(rng, pick(rng, [(0.08, 0.22, 0.11), (0.13, 0.24, 0.08), (0.20, 0.12, 0.05)]), 0.015)
    foil = varied(rng, pick(rng, [(0.52, 0.06, 0.10), (0.72, 0.58, 0.24), (0.10, 0.10, 0.13)]), 0.02)
    sleeve = [
        (neck + 0.0006, 0.83 * h),
        (neck + 0.0006, 0.955 * h),
        (neck + 0.0018, 0.958 * h),
        (neck + 0.0018, 0.983 * h),
        (neck + 0.0008, h - 0.0008),
        (neck - 0.002, h),
        (1e-5, h),
    ]
    low, high = 0.16 * h, shoulder - 0.10 * h
    label_curve = [(r + 0.0003, low), (r + 0.0003, high)]
    visuals = (
        Visual(revolve(curve, 22), Material(glass, specular=0.9, shininess=0.9)),
        Visual(revolve(sleeve, 16), Material(foil, specular=0.6, shininess=0.6), part="neck"),
        Visual(revolve(label_curve, 22), Material(texture=_label(rng, foil), specular=0.1, shininess=0.1)),
    )
    mass = rng.uniform(0.52, 0.62) * (h / 0.25) * (r / 0.033) ** 2
    middle = 0.5 * (shoulder + throat)
    colliders = (
        cylinder(r - 0.003, 0.0, 0.004, 0.10 * mass, "base"),
        cylinder(r, 0.004, shoulder, 0.70 * mass, "body"),
        cylinder(0.5 * (r + neck) + 0.0025, shoulder, middle + 0.004, 0.09 * mass, "body"),
        cylinder(neck + 0.0025, middle + 0.004, throat + 0.005, 0.04 * mass, "neck"),
        cylinder(neck + 0.0006, throat + 0.005, h, 0.07 * mass, "neck"),
    )
    # The palm's lower face is 36 mm above the point between the pads: the mouth must stay below it.
    grasps = (
        *top(h - 0.025, 2 * neck + 0.001, part="neck"),
        *top(h - 0.030, 2 * neck + 0.001, cost=0.2, part="neck"),
    )
    return Asset(Link("root", visuals, colliders), r, h, grasps=grasps)


def _label(rng: np.random.Generator, accent: tuple[float, float, float]) -> NDArray[np.uint8]:
    """Paper label over two fifths of the circumference on either side, dark glass showing between as a narrow gap."""
    rows, cols = 64, 128
    paper = varied(rng, (0.93, 0.89, 0.78), 0.02)
    image = blend(plain(paper, rows, cols), (0.84, 0.78, 0.64), 0.4 * noise(rng, rows, cols, 3, (4, 8)))
    v = np.linspace(0, 1, rows)[:, None]
    u = np.linspace(0, 1, cols, endpoint=False)[None]
    frame = step(0.05, 0.08, v) * step(0.95, 0.92, v) * (1 - step(0.10, 0.13, v) * step(0.90, 0.87, v)) + 0 * u
    image = blend(image, accent, frame)
    centre = rng.uniform(0.62, 0.68)
    for half in (0.25, 0.75):
        far = np.hypot((u - half) * 3.4, v - centre)
        image = blend(image, accent, step(0.16, 0.145, far))
        image = blend(image, paper, step(0.10, 0.085, far))
        for k, width in ((0, 0.15), (1, 0.11), (2, 0.13)):
            line = step(0.030, 0.015, np.abs(v - (0.40 - 0.09 * k))) * step(width, width - 0.01, np.abs(u - half))
            image = blend(image, (0.22, 0.18, 0.16), line * (0.9 if k else 1.0))
    return to_image(image)
