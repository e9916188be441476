"""Bowls: a foot, a rounded lower wall, and a steep upper wall that pads can pinch without tilting the bowl."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ._colliders import cylinder, wall
from ._grasps import rim
from ._hollow import Hollow
from ._mesh import Floats
from ._model import Link, Material, Site, Vec3, Visual
from ._registry import Asset, category
from ._shapes import TAU, pixel_aspect, profile, revolve, rows_of
from ._texture import blend, noise, pick, plain, speckle, step, to_image, varied

BOXES = 12
WALL_M = 0.0042
FLOOR_M = 0.008
ROWS, COLS = 128, 128
BAND_M = 0.020
BOUNCE = 0.10
"""Emission that stands for the light a table throws back on a glazed underside."""


@dataclass(frozen=True, slots=True)
class _Canvas:
    """What a painter sees of each texture row: height as a fraction of the rim's, 1 inside, pixel aspect."""

    z: Floats
    inside: Floats
    aspect: Floats


Painter = Callable[[np.random.Generator, _Canvas], Floats]


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
    glaze = Material(texture=to_image(paint(rng, canvas)), specular=specular, shininess=0.8, emission=BOUNCE)
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


def _band(canvas: _Canvas, low: float, high: float, side: float) -> Floats:
    """Mask [H, 1] of a horizontal band between two heights, on one side of the wall (0 outside, 1 inside)."""
    on = (step(low - 0.02, low, canvas.z) * step(high + 0.02, high, canvas.z))[:, None]
    return np.asarray(on * (canvas.inside == side)[:, None])


def _everywhere(mask: Floats) -> Floats:
    return mask + np.zeros((1, COLS))


@category("akita_black_bowl", nouns=("bowl", "black bowl", "akita black bowl"))
def akita_black_bowl(rng: np.random.Generator) -> Asset:
    """Black lacquer with fine turned lines and a worn brown edge."""

    def paint(rng: np.random.Generator, canvas: _Canvas) -> Floats:
        black = varied(rng, (0.085, 0.08, 0.085), 0.008)
        cloud = noise(rng, ROWS, COLS, 3, (3, 6))
        image = blend(black, (0.19, 0.17, 0.17), 0.6 * cloud)
        lines = rng.integers(9, 15)
        turned = 0.5 + 0.5 * np.cos(TAU * lines * canvas.z)[:, None]
        image = blend(image, (0.27, 0.25, 0.25), 0.55 * turned * (1 - canvas.inside)[:, None] + 0 * cloud)
        edge = varied(rng, (0.36, 0.20, 0.11), 0.02)
        return blend(image, edge, step(0.955, 0.99, canvas.z[:, None] + 0.02 * (cloud - 0.5)))

    return _bowl(rng, paint, specular=0.5, height_m=0.057)


@category("white_bowl", nouns=("bowl", "white bowl"))
def white_bowl(rng: np.random.Generator) -> Asset:
    """Plain white, with one thin line under the rim."""

    def paint(rng: np.random.Generator, canvas: _Canvas) -> Floats:
        image = plain(varied(rng, (0.91, 0.91, 0.90), 0.01), ROWS, COLS)
        line = varied(rng, pick(rng, [(0.55, 0.62, 0.70), (0.70, 0.62, 0.48), (0.45, 0.45, 0.47)]), 0.02)
        low = rng.uniform(0.78, 0.86)
        return blend(image, line, _everywhere(_band(canvas, low, low + 0.05, 0.0)))

    return _bowl(rng, paint)


@category("pink_bowl", nouns=("bowl", "pink bowl"))
def pink_bowl(rng: np.random.Generator) -> Asset:
    """Pink outside, pale inside, a white edge."""

    def paint(rng: np.random.Generator, canvas: _Canvas) -> Floats:
        pink = varied(rng, pick(rng, [(0.96, 0.60, 0.69), (0.97, 0.66, 0.72), (0.93, 0.54, 0.64)]), 0.02)
        pale = (0.98, 0.86, 0.88)
        image = blend(plain(pink, ROWS, COLS), pale, 0.85 * canvas.inside[:, None] + np.zeros((1, COLS)))
        image = blend(image, (0.98, 0.95, 0.95), step(0.95, 0.975, canvas.z)[:, None] + np.zeros((1, COLS)))
        return blend(image, (0.97, 0.80, 0.84), 0.5 * _everywhere(_band(canvas, 0.50, 0.56, 0.0)))

    return _bowl(rng, paint, height_m=0.060)


@category("porcelain_bowl", nouns=("bowl", "porcelain bowl"))
def porcelain_bowl(rng: np.random.Generator) -> Asset:
    """White porcelain with cobalt waves around the outside and a line inside the rim."""

    def paint(rng: np.random.Generator, canvas: _Canvas) -> Floats:
        blue = varied(rng, (0.14, 0.26, 0.60), 0.03)
        image = plain((0.91, 0.92, 0.93), ROWS, COLS)
        u = np.linspace(0, 1, COLS, endpoint=False)[None]
        waves = int(rng.integers(7, 12))
        crest = 0.62 + 0.09 * np.cos(TAU * waves * u)
        outside = (1 - canvas.inside)[:, None]
        swing = step(0.055, 0.030, np.abs(canvas.z[:, None] - crest)) * outside
        dots = (
            step(0.07, 0.045, np.hypot((canvas.z[:, None] - 0.80), 0.55 * np.sin(math.pi * (waves * u + 0.5))))
            * outside
        )
        image = blend(image, blue, 0.9 * np.clip(swing + dots, 0, 1))
        image = blend(image, blue, _everywhere(_band(canvas, 0.24, 0.30, 0.0) + _band(canvas, 0.88, 0.93, 1.0)))
        return blend(image, blue, step(0.97, 0.985, canvas.z)[:, None] + np.zeros((1, COLS)))

    return _bowl(rng, paint, height_m=0.062, band_m=BAND_M)


@category("new_bowl", nouns=("bowl", "new bowl"))
def new_bowl(rng: np.random.Generator) -> Asset:
    """Two-tone stoneware: coloured glaze dipped over a sand-coloured clay body."""

    def paint(rng: np.random.Generator, canvas: _Canvas) -> Floats:
        glaze: Vec3 = varied(
            rng, pick(rng, [(0.20, 0.46, 0.52), (0.30, 0.45, 0.30), (0.74, 0.38, 0.18), (0.28, 0.36, 0.56)]), 0.03
        )
        clay = varied(rng, (0.80, 0.71, 0.56), 0.02)
        cloud = noise(rng, ROWS, COLS, 3, (4, 8))
        image = speckle(
            rng, blend(clay, tuple(0.9 * c for c in clay), cloud), (0.42, 0.30, 0.20), 120, 0.7, canvas.aspect
        )
        light = tuple(min(1.0, 1.25 * c + 0.06) for c in glaze)
        u = np.linspace(0, 1, COLS, endpoint=False)[None]
        dip = rng.uniform(0.38, 0.52) + 0.04 * np.sin(TAU * (2 * u + rng.random())) + 0.05 * (cloud - 0.5)
        coat = np.clip(step(-0.01, 0.02, canvas.z[:, None] - dip) + canvas.inside[:, None], 0, 1)
        return blend(image, blend(glaze, light, 0.5 * cloud), coat)

    return _bowl(rng, paint, rim_m=0.0735, height_m=0.062, band_m=BAND_M)
