"""The shell of a bowl, and what glazed vessels share; their glazes and the other vessels are in ``crockery.toml``."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ._colliders import cylinder, wall
from ._grasps import rim
from ._hollow import Hollow
from ._mesh import Floats
from ._model import Asset, Link, Material, Site, Visual
from ._shapes import pixel_aspect, profile, revolve, rows_of
from ._texture import to_image

BOXES = 12

WALL_M = 0.0042

FLOOR_M = 0.008

ROWS, COLS = 128, 128

BOUNCE = 0.10
"""Emission that stands for the light a table throws back on a glazed underside."""


@dataclass(frozen=True, slots=True)
class _Canvas:
    """What a painter sees of each texture row: height as a fraction of the rim's, 1 inside, pixel aspect."""

    z: Floats
    inside: Floats
    aspect: Floats


Painter = Callable[[_Canvas], Floats]


def _bowl(
    rng: np.random.Generator,
    paint: Painter,
    *,
    specular: float = 0.7,
    rim_m: float = 0.0752,
    height_m: float = 0.058,
    band_m: float = 0.0,
) -> Asset:
    """``band_m``: height of a vertical band under the rim. Pads on a sloped wall turn a full bowl by 28 degrees."""
    top_r = rim_m * rng.uniform(0.95, 1.05)
    h = height_m * rng.uniform(0.95, 1.06)
    foot = top_r * rng.uniform(0.40, 0.46)
    knee_r, knee_z = top_r * rng.uniform(0.755, 0.79), (0.30 if band_m else 0.40) * h
    lip = top_r - 0.0024
    half = WALL_M / 2
    # Where the slope ends: at the rim, or under the band.
    edge = h - 0.0012 - band_m
    mid = 0.5 * (knee_z + edge) if band_m else 0.69 * h
    band = np.array([(top_r, h - 0.0012)] if band_m else []).reshape(-1, 2)
    outside = profile(
        [
            (foot, 0.0),
            (foot + 0.0030, 0.0035),
            (0.5 * (foot + knee_r) + 0.0045, 0.17 * h),
            (knee_r + 0.0024, knee_z - 0.001),
            (0.5 * (knee_r + top_r) + 0.0018, mid),
            (top_r, edge),
        ],
        2,
    )
    inside = profile(
        [
            (lip - half, edge),
            (0.5 * (knee_r + lip) - 0.0008, mid),
            (knee_r - 0.0030, knee_z + 0.002),
            (0.5 * (foot + knee_r) - 0.001, 0.22 * h),
            (foot - 0.004, FLOOR_M + 0.0004),
        ],
        2,
    )
    curve = np.vstack(
        [
            [(1e-5, 0.0015), (foot - 0.004, 0.0015), (foot - 0.003, 0.0)],
            outside,
            band,
            [(lip + 0.6 * half, h), (lip - 0.3 * half, h)],
            band - (top_r - lip + half, 0.0),
            inside,
            [(1e-5, FLOOR_M)],
        ]
    )
    _, z = rows_of(curve, ROWS)
    canvas = _Canvas(z / h, (np.arange(ROWS) > int(np.argmax(z))).astype(float), pixel_aspect(curve, ROWS, COLS))
    glaze = Material(texture=to_image(paint(canvas)), specular=specular, shininess=0.8, emission=BOUNCE)
    mass = 2200.0 * 0.0042 * (2 * math.pi * 0.62 * top_r * h * 1.15 + math.pi * foot**2)
    low, knee, high = (foot - 0.003, 0.0038), (knee_r, knee_z), (lip - 0.0002, h - 0.0006)
    rings = [(low, knee, 0.25, "wall"), (knee, high, 0.30, "rim")]
    if band_m:
        shoulder = (high[0], high[1] - band_m)
        rings = [(low, knee, 0.20, "wall"), (knee, shoulder, 0.17, "wall"), (shoulder, high, 0.18, "rim")]
        knee = shoulder
    colliders = (
        cylinder(foot, 0.0, FLOOR_M, 0.45 * mass, "base"),
        *(box for a, b, share, part in rings for box in wall(a, b, WALL_M, BOXES, share * mass, part)),
    )
    slope = math.atan2(high[0] - knee[0], high[1] - knee[1])
    at = 0.55 if band_m else 0.70
    grasps = rim(
        knee[0] + at * (high[0] - knee[0]),
        knee[1] + at * (high[1] - knee[1]),
        WALL_M,
        np.arange(BOXES) * 360 / BOXES,
        0.65 * slope,
    )
    hollow = Hollow(
        ((FLOOR_M, low[0] - half, foot + half), *((b[1], b[0] - half, b[0] + half) for _, b, _, _ in rings))
    )
    inner = lip - 0.006
    sites = (
        Site("top_side", "place", (0.0, 0.0, FLOOR_M + 0.05), (inner, inner, 0.05)),
        Site(
            "contain_region",
            "contain",
            (0.0, 0.0, FLOOR_M + (h + 0.012 - FLOOR_M) / 2),
            (inner, inner, (h + 0.012 - FLOOR_M) / 2),
        ),
    )
    return Asset(
        Link("root", (Visual(revolve(curve, 22 if band_m else 24), glaze),), colliders),
        top_r,
        h,
        sites=sites,
        grasps=grasps,
        hollow=hollow,
    )


@dataclass(frozen=True, slots=True)
class _MugCanvas:
    """A painter's view of texture rows: height over the mug's, 1 on the inside; u goes once around from the handle."""

    z: Floats
    inside: Floats
    u: Floats


PLATE_FLOOR_M = 0.006


def _curve(well: float, edge: float, height: float) -> Floats:
    """Profile: foot, underside of the lip, edge, inside of the lip, well."""
    middle = 0.5 * (well + edge)
    outside = profile(
        [(well - 0.004, 0), (well + 0.003, 0.0016), (middle + 0.0015, 0.45 * height), (edge, height - 0.0015)], 2
    )
    top = [(edge - 0.0004, height), (edge - 0.0022, height + 0.0003)]
    inside = profile(
        [(edge - 0.0048, height - 0.0018), (middle - 0.0032, 0.52 * height), (well - 0.004, PLATE_FLOOR_M + 0.0004)], 2
    )
    return np.vstack([[(1e-5, 0.0)], outside, top, inside, [(0.5 * well, PLATE_FLOOR_M), (1e-5, PLATE_FLOOR_M)]])
