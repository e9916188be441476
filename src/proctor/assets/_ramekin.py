"""The ramekin: a small straight-walled baking dish with a fluted side and a glazed rim."""

from __future__ import annotations

import math

import numpy as np

from ._bowls import BOUNCE
from ._colliders import cylinder, wall
from ._grasps import rim
from ._mesh import Floats, columns, deformed
from ._model import Link, Material, Site, Visual
from ._registry import Asset, category
from ._shapes import revolve, rows_of
from ._texture import blend, noise, pick, plain, step, to_image, varied

BOXES = 12
WALL_M = 0.0044
FLOOR_M = 0.007
ROWS, COLS = 96, 64


@category("glazed_rim_porcelain_ramekin", nouns=("ramekin", "porcelain ramekin", "bowl"))
def glazed_rim_porcelain_ramekin(rng: np.random.Generator) -> Asset:
    """White porcelain with a coloured rim that has run a little, 10 to 11 cm across, 45 to 50 mm high."""
    r, h = rng.uniform(0.0505, 0.0545), rng.uniform(0.045, 0.050)
    foot = 0.93 * r
    low, high = (foot - 0.5 * WALL_M, 0.004), (r - 0.5 * WALL_M, h - 0.0004)
    inner = r - WALL_M
    curve: Floats = np.array(
        [
            (1e-5, 0.0012), (foot - 0.005, 0.0012), (foot - 0.003, 0.0), (foot - 0.001, 0.0012), (foot, 0.004),
            (0.75 * foot + 0.25 * r, 0.25 * h), (0.5 * (foot + r), 0.5 * h), (0.2 * foot + 0.8 * r, 0.80 * h),
            (r - 0.0004, 0.84 * h), (r + 0.0004, 0.92 * h), (r - 0.0006, 0.985 * h), (r - 0.002, h),
            (inner + 0.0006, 0.99 * h), (inner, 0.95 * h), (foot - WALL_M - 0.0005, 0.25 * h),
            (foot - WALL_M - 0.004, FLOOR_M), (1e-5, FLOOR_M),
        ]
    )  # fmt: skip
    flutes = 12

    def fluted(p: Floats) -> Floats:
        radius = np.hypot(p[:, 0], p[:, 1])
        band = step(0.006, 0.010, p[:, 2]) * step(0.84 * h, 0.80 * h, p[:, 2]) * (radius > foot - 0.001)
        around = np.arctan2(p[:, 1], p[:, 0])
        return columns(p[:, :2] * (1 - 0.034 * band * (0.5 + 0.5 * np.cos(flutes * around)))[:, None], p[:, 2])

    _, z = rows_of(curve, ROWS)
    glaze = varied(
        rng, pick(rng, [(0.55, 0.32, 0.14), (0.16, 0.34, 0.56), (0.22, 0.46, 0.40), (0.60, 0.20, 0.18)]), 0.02
    )
    cloud = noise(rng, ROWS, COLS, 3, (4, 8))
    image = plain(varied(rng, (0.92, 0.92, 0.90), 0.008), ROWS, COLS)
    image = blend(image, glaze, 0.95 * step(0.80, 0.86, (z / h)[:, None] + 0.05 * (cloud - 0.5)))
    porcelain = Material(texture=to_image(image), specular=0.7, shininess=0.85, emission=BOUNCE)
    mass = 2300.0 * (2 * math.pi * r * h * WALL_M + math.pi * foot**2 * FLOOR_M) * 0.9
    colliders = (
        cylinder(foot, 0.0, FLOOR_M, 0.4 * mass, "base"),
        *wall(low, high, WALL_M, BOXES, 0.6 * mass, "rim"),
    )
    grip = 0.70
    lean = 0.65 * math.atan2(high[0] - low[0], high[1] - low[1])
    grasps = rim(
        low[0] + grip * (high[0] - low[0]),
        low[1] + grip * (high[1] - low[1]),
        WALL_M,
        np.arange(BOXES) * 360 / BOXES,
        lean,
    )
    clear = inner - 0.004
    rise = (h + 0.012 - FLOOR_M) / 2
    sites = (
        Site("top_side", "place", (0.0, 0.0, FLOOR_M + 0.05), (clear, clear, 0.05)),
        Site("contain_region", "contain", (0.0, 0.0, FLOOR_M + rise), (clear, clear, rise)),
    )
    body = Visual(deformed(revolve(curve, 36), fluted), porcelain)
    return Asset(Link("root", (body,), colliders), r, h, sites=sites, grasps=grasps)
