"""Mugs: a cylinder of wall boxes on a base disc, a handle towards +x, rim grasps away from it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ._bowls import BOUNCE
from ._colliders import cylinder, segment, wall
from ._grasps import loop, rim
from ._hollow import Hollow
from ._mesh import Floats
from ._model import Link, Material, Site, Vec3, Visual
from ._registry import Asset, category
from ._shapes import TAU, arc, revolve, rows_of, sweep
from ._texture import blend, pick, plain, step, to_image, varied

BOXES = 12
WALL_M = 0.0045
FLOOR_M = 0.007
ROWS, COLS = 128, 128


@dataclass(frozen=True, slots=True)
class _Canvas:
    """A painter's view of texture rows: height over the mug's, 1 on the inside; u goes once around from the handle."""

    z: Floats
    inside: Floats
    u: Floats


Painter = Callable[[np.random.Generator, _Canvas], tuple[Floats, Vec3]]


def _mug(rng: np.random.Generator, paint: Painter, radius_m: tuple[float, float] = (0.0365, 0.0405)) -> Asset:
    r = rng.uniform(*radius_m)
    h = rng.uniform(0.084, 0.097)
    i = r - WALL_M
    curve = np.array(
        [
            (1e-5, 0.001), (r - 0.007, 0.001), (r - 0.0055, 0.0), (r - 0.0025, 0.0005), (r - 0.0006, 0.003), (r, 0.007),
            (r, 0.3 * h), (r, 0.8 * h), (r, h - 0.003), (r - 0.0006, h - 0.0006), (r - 0.0022, h),
            (i + 0.0006, h - 0.0006), (i, h - 0.003), (i, 0.6 * h), (i, 0.015), (i - 0.003, 0.0085),
            (i - 0.008, FLOOR_M), (1e-5, FLOOR_M),
        ]
    )  # fmt: skip
    _, z = rows_of(curve, ROWS)
    peak = int(np.argmax(z))
    canvas = _Canvas(
        (z / h)[:, None], (np.arange(ROWS) > peak).astype(float)[:, None], np.linspace(0, 1, COLS, endpoint=False)[None]
    )
    image, handle_rgb = paint(rng, canvas)
    glaze = partial(Material, specular=0.7, shininess=0.85, emission=BOUNCE)
    reach, rise = rng.uniform(0.023, 0.028), 0.32 * h
    line = arc((r - 0.003, 0.0, 0.52 * h), reach, rise, -1.5, 1.5, 13)
    thick = rng.uniform(0.0050, 0.0058)
    # A capsule ends in a ball: its middle stays so far out that the ball does not bulge into the hollow.
    grip = np.column_stack([np.maximum(line[:, 0], i + thick), line[:, 1:]])
    visuals = (
        Visual(revolve(curve, 28), glaze(texture=to_image(image))),
        Visual(sweep(line, thick, 8, aspect=1.25), glaze(rgb=handle_rgb), part="handle"),
    )
    mass = 2200.0 * (math.pi * r**2 * FLOOR_M + 2 * math.pi * r * h * WALL_M * 0.82)
    colliders = (
        cylinder(r - 0.002, 0.0, FLOOR_M, 0.33 * mass, "base"),
        *wall((r - WALL_M / 2, 0.003), (r - WALL_M / 2, h), WALL_M, BOXES, 0.57 * mass, "rim"),
        *(segment(grip[k], grip[k + 3], thick, 0.025 * mass, "handle") for k in (0, 3, 6, 9)),
    )
    high = 0.75
    held = (r - 0.003 + reach * math.cos(high), 0.0, 0.52 * h + rise * math.sin(high))
    grasps = (
        *rim(r - WALL_M / 2, h - 0.016, WALL_M, range(60, 301, 30)),
        *loop(held, 2 * thick, (20, 35, 5, 44), "handle"),
    )
    hollow = Hollow(((FLOOR_M, i, r), (h, i, r)))
    inner = i - 0.002
    deep = (h - FLOOR_M) / 2
    sites = (
        # From the floor to 5 cm over the rim: what is wider than the mug rests on the rim.
        Site("top_side", "place", (0.0, 0.0, FLOOR_M + deep + 0.025), (inner, inner, deep + 0.025)),
        Site("contain_region", "contain", (0.0, 0.0, FLOOR_M + deep), (inner, inner, deep)),
    )
    return Asset(Link("root", visuals, colliders), r + reach + 0.004, h, sites=sites, grasps=grasps, hollow=hollow)


def _solid(colour: Vec3, lining: Vec3, canvas: _Canvas) -> Floats:
    """One colour outside, another inside."""
    return blend(plain(colour, ROWS, COLS), lining, canvas.inside + 0 * canvas.u)


def _band(canvas: _Canvas, low: float, high: float) -> Floats:
    return (
        step(low - 0.008, low + 0.004, canvas.z) * step(high + 0.008, high - 0.004, canvas.z) * (1 - canvas.inside)
        + 0 * canvas.u
    )


@category("porcelain_mug", nouns=("mug", "porcelain mug", "white mug"))
def porcelain_mug(rng: np.random.Generator) -> Asset:
    """White porcelain with gilded lines."""

    def paint(rng: np.random.Generator, canvas: _Canvas) -> tuple[Floats, Vec3]:
        white = varied(rng, (0.92, 0.92, 0.91), 0.01)
        gold = varied(rng, pick(rng, [(0.80, 0.62, 0.26), (0.36, 0.44, 0.62), (0.62, 0.62, 0.64)]), 0.02)
        low = rng.uniform(0.84, 0.89)
        lines = _band(canvas, low, low + 0.025) + step(0.972, 0.99, canvas.z) + _band(canvas, 0.05, 0.08)
        return blend(_solid(white, (0.97, 0.97, 0.96), canvas), gold, lines + 0 * canvas.u), white

    return _mug(rng, paint)


@category("red_coffee_mug", nouns=("mug", "red mug", "coffee mug", "red coffee mug"))
def red_coffee_mug(rng: np.random.Generator) -> Asset:
    """Red outside, cream inside."""

    def paint(rng: np.random.Generator, canvas: _Canvas) -> tuple[Floats, Vec3]:
        red = varied(rng, pick(rng, [(0.74, 0.09, 0.08), (0.66, 0.07, 0.10), (0.80, 0.15, 0.10)]), 0.02)
        image = _solid(red, varied(rng, (0.94, 0.90, 0.82), 0.015), canvas)
        size, height = rng.uniform(0.17, 0.23), rng.uniform(0.46, 0.56)
        x, y = (np.abs((canvas.u % 0.5) - 0.25) * 2.7) / size, (canvas.z - height) / size
        heart = (x**2 + y**2 - 1.0) ** 3 - x**2 * y**3
        return blend(image, (0.96, 0.91, 0.80), step(0.03, -0.03, heart) * (1 - canvas.inside)), red

    return _mug(rng, paint)


@category("white_yellow_mug", nouns=("mug", "white yellow mug", "yellow mug"))
def white_yellow_mug(rng: np.random.Generator) -> Asset:
    """White above, yellow below and inside."""

    def paint(rng: np.random.Generator, canvas: _Canvas) -> tuple[Floats, Vec3]:
        yellow = varied(rng, pick(rng, [(0.95, 0.76, 0.16), (0.93, 0.70, 0.12), (0.97, 0.82, 0.30)]), 0.02)
        split = rng.uniform(0.38, 0.55)
        lower = step(split + 0.01, split - 0.01, canvas.z) * (1 - canvas.inside)
        image = blend(
            plain((0.92, 0.92, 0.90), ROWS, COLS), yellow, np.clip(lower + canvas.inside, 0, 1) + 0 * canvas.u
        )
        return image, yellow

    return _mug(rng, paint)


@category("green_mug", nouns=("mug", "green mug"))
def green_mug(rng: np.random.Generator) -> Asset:
    """Green with a lighter dipped rim."""

    def paint(rng: np.random.Generator, canvas: _Canvas) -> tuple[Floats, Vec3]:
        green = varied(rng, pick(rng, [(0.16, 0.45, 0.25), (0.24, 0.52, 0.34), (0.30, 0.50, 0.20)]), 0.025)
        image = _solid(green, (0.90, 0.93, 0.86), canvas)
        drip = (
            rng.uniform(0.72, 0.82)
            + 0.03 * np.sin(TAU * (3 * canvas.u + rng.random()))
            + 0.02 * np.sin(TAU * 7 * canvas.u)
        )
        return blend(image, (0.80, 0.88, 0.72), step(-0.01, 0.015, canvas.z - drip) * (1 - canvas.inside)), green

    # Slim, so that a cake rests on its rim and does not drop in.
    return _mug(rng, paint, (0.0335, 0.0355))


@category("blue_mug", nouns=("mug", "blue mug"))
def blue_mug(rng: np.random.Generator) -> Asset:
    """Blue with white stripes."""

    def paint(rng: np.random.Generator, canvas: _Canvas) -> tuple[Floats, Vec3]:
        blue = varied(rng, pick(rng, [(0.13, 0.33, 0.60), (0.18, 0.42, 0.70), (0.12, 0.24, 0.50)]), 0.025)
        image = _solid(blue, (0.95, 0.95, 0.93), canvas)
        low = rng.uniform(0.22, 0.34)
        stripes = _band(canvas, low, low + 0.07) + _band(canvas, low + 0.16, low + 0.23)
        return blend(image, (0.95, 0.94, 0.90), stripes), blue

    return _mug(rng, paint)


@category("patterned_mug", nouns=("mug", "patterned mug"))
def patterned_mug(rng: np.random.Generator) -> Asset:
    """Rows of coloured dots or diamonds on cream."""

    def paint(rng: np.random.Generator, canvas: _Canvas) -> tuple[Floats, Vec3]:
        cream = varied(rng, (0.94, 0.90, 0.82), 0.012)
        inks = [(0.78, 0.26, 0.18), (0.16, 0.42, 0.48), (0.85, 0.60, 0.16), (0.30, 0.28, 0.46)]
        order = rng.permutation(len(inks))
        image = _solid(cream, (0.96, 0.94, 0.90), canvas)
        across, diamonds = int(rng.integers(7, 11)), bool(rng.integers(2))
        for row in range(4):
            x = (canvas.u * across + 0.5 * (row % 2)) % 1.0 - 0.5
            y = (canvas.z - (0.17 + 0.21 * row)) / 0.21
            far = np.abs(x) + np.abs(y) if diamonds else np.hypot(x, y)
            image = blend(image, inks[order[row]], step(0.36, 0.30, far) * (1 - canvas.inside))
        return image, inks[order[0]]

    return _mug(rng, paint)
