"""Open wooden furniture: wooden_shelf, wine_rack. Both face -y."""

from __future__ import annotations

import math

import numpy as np

from ._colliders import box
from ._containers import MAPLE, OAK, WALNUT, timber
from ._mesh import Floats, merge, moved
from ._model import Collider, Link, Mesh, Site, Vec3, Visual
from ._registry import Asset, category
from ._shapes import extrude, slabs
from ._toys import ON_ITS_SIDE

BOARD_M = 0.012
STEP_M = 0.095
"""From one board of the shelf to the next."""
DECK_M = 0.105
"""Height of the wine rack's deck."""

Boxes = list[tuple[Vec3, Vec3]]


@category("wooden_shelf", nouns=("shelf", "wooden shelf"))
def wooden_shelf(rng: np.random.Generator) -> Asset:
    """Two open layers between three boards, 24 cm wide, 15 cm deep, 21 cm tall; the top carries things too."""
    w, d, t = 0.120, 0.075, BOARD_M
    base = 0.008
    boards: Boxes = [((w - t / 2, d, t / 2), (0.0, 0.0, base + t / 2 + k * STEP_M)) for k in range(2)]
    height = base + t + 2 * STEP_M
    boards.append(((w + 0.002, d + 0.002, t / 2), (0.0, 0.0, height - t / 2)))
    tall = (height - t) / 2
    sides: Boxes = [((t / 2, d, tall), (s * (w - t / 2), 0.0, tall)) for s in (-1, 1)]
    back: Boxes = [((w - t, 0.003, 0.020), (0.0, d - 0.004, base + t + 0.045 + k * STEP_M)) for k in range(2)]
    tones = (OAK, WALNUT, MAPLE)[int(rng.integers(3))]
    visuals = (
        Visual(slabs(*boards, *back, bevel=0.0016, uv_per_m=5.0), timber(rng, tones), "board"),
        Visual(slabs(*sides, bevel=0.0016, uv_per_m=5.0, grain_axis=2), timber(rng, tones), "side"),
    )
    colliders = (
        *(box(half, at, 620.0 * 8 * math.prod(half), "board") for half, at in (*boards, *back)),
        *(box(half, at, 620.0 * 8 * math.prod(half), "side") for half, at in sides),
    )
    inside = (w - t - 0.002, d - 0.010, (STEP_M - t) / 2)
    layers = tuple(
        Site(name, "contain", (0.0, -0.004, base + t + k * STEP_M + inside[2]), inside)
        for k, name in enumerate(("bottom_region", "top_region"))
    )
    return Asset(
        Link("root", visuals, colliders),
        radius_m=math.hypot(w + 0.002, d + 0.002),
        height_m=height,
        sites=(Site("top_side", "place", (0.0, 0.0, height + 0.05), (w - 0.008, d - 0.008, 0.05)), *layers),
        kind="fixture",
    )


def _cradle(half_width: float, height: float, radius: float, thick: float) -> Mesh:
    """Board with a hollow for a bottle, standing across y."""
    reach = radius * 0.62
    drop = math.sqrt(radius**2 - reach**2)
    a = np.linspace(0.0, 1.0, 9)
    x = reach * (1 - 2 * a)
    hollow: Floats = np.c_[x, height + drop - np.sqrt(radius**2 - x**2)]
    foot = np.linspace(-half_width, half_width, 12)
    outline = np.vstack([np.c_[foot, np.zeros(12)], [(half_width, height)], hollow, [(-half_width, height)]])
    return moved(extrude(outline, thick, uv_per_m=5.0), (0.0, 0.0, 0.0), ON_ITS_SIDE)


@category("wine_rack", nouns=("wine rack", "rack"))
def wine_rack(rng: np.random.Generator) -> Asset:
    """Low rack, 18 x 17 cm: cradles for lying bottles below, a slatted deck on top for one that stands."""
    w, d = 0.090, 0.085
    slats: Boxes = [
        ((w - 0.002, 0.0135, 0.005), (0.0, y, DECK_M - 0.005)) for y in np.linspace(-d + 0.0155, d - 0.0155, 5)
    ]
    posts: Boxes = [
        ((0.006, 0.006, (DECK_M + 0.016) / 2), (sx * (w - 0.006), sy * (d - 0.006), (DECK_M + 0.016) / 2))
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    rails: Boxes = [
        *(((0.0035, d - 0.012, 0.0045), (s * (w - 0.006), 0.0, DECK_M + 0.010)) for s in (-1, 1)),
        ((w - 0.012, 0.0035, 0.0045), (0.0, d - 0.006, DECK_M + 0.010)),
        *(((0.0040, d - 0.012, 0.0055), (s * (w - 0.006), 0.0, DECK_M - 0.0155)) for s in (-1, 1)),
    ]
    wide, rise = 0.5 * (w - 0.012), 0.042
    spots = [(x, y) for x in (-wide, wide) for y in (-d + 0.010, d - 0.010)]
    tones = (WALNUT, OAK, WALNUT)[int(rng.integers(3))]
    visuals = (
        Visual(slabs(*slats, bevel=0.0014, uv_per_m=5.0), timber(rng, tones), "deck"),
        Visual(slabs(*posts, bevel=0.0014, uv_per_m=5.0, grain_axis=2), timber(rng, tones), "post"),
        Visual(
            merge(
                slabs(*rails, bevel=0.0010, uv_per_m=5.0, grain_axis=1),
                *(moved(_cradle(wide, rise, 0.036, 0.008), (x, y, 0.010)) for x, y in spots),
            ),
            timber(rng, tones),
            "rail",
        ),
    )
    colliders: list[Collider] = [box((w - 0.002, d - 0.002, 0.005), (0.0, 0.0, DECK_M - 0.005), 0.45, "deck")]
    colliders += [box(half, at, 0.05, "post") for half, at in posts]
    colliders += [box(half, at, 0.03, "rail") for half, at in rails]
    for x, y in spots:
        colliders.append(box((wide, 0.004, 0.009), (x, y, 0.019), 0.04, "cradle"))
        colliders += [box((0.009, 0.004, 0.012), (x + s * (wide - 0.009), y, 0.040), 0.01, "cradle") for s in (-1, 1)]
    return Asset(
        Link("root", visuals, tuple(colliders)),
        radius_m=math.hypot(w, d),
        height_m=DECK_M + 0.016,
        sites=(Site("top_region", "place", (0.0, -0.004, DECK_M + 0.08), (w - 0.014, d - 0.010, 0.08)),),
        kind="fixture",
    )  # fmt: skip
