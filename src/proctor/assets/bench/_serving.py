"""What things are put on: serving plate, tray, board.

Each has a ``contain`` site ``inside``, which ends 75 mm above its floor (what is carried to it hangs above that), and a
``place`` site ``top`` on the same floor for what is taller.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .._bowls import BOUNCE
from .._colliders import box, cylinder, wall
from .._containers import MAPLE, OAK, WALNUT, timber
from .._mesh import Floats
from .._model import Link, Material, Mesh, Site, Vec3, Visual
from .._registry import Asset, category
from .._shapes import ON_AXIS_M, TAU, revolve, revolve_box, slabs
from .._texture import blend, noise, pick, plain, speckle, step, to_image, varied

INSIDE_M = 0.075
TOP_M = 0.16
SIZE = 128
PLATE_FLOOR_M, PLATE_WALL_M, PLATE_BOXES = 0.006, 0.005, 18


def _floor_sites(x: float, y: float, floor: float) -> tuple[Site, ...]:
    return (
        Site("inside", "contain", (0.0, 0.0, floor + INSIDE_M / 2), (x, y, INSIDE_M / 2)),
        Site("top", "place", (0.0, 0.0, floor + TOP_M / 2), (x, y, TOP_M / 2)),
    )


# -- plate -------------------------------------------------------------------------------------------------------------
Painter = Callable[[np.random.Generator, Floats, Floats, Vec3], Floats]
INKS: list[Vec3] = [(0.66, 0.15, 0.14), (0.15, 0.30, 0.58), (0.18, 0.43, 0.32), (0.78, 0.52, 0.14), (0.32, 0.22, 0.44)]
CLAYS: list[Vec3] = [(0.93, 0.92, 0.89), (0.88, 0.84, 0.76), (0.72, 0.78, 0.80), (0.80, 0.76, 0.66)]


def _ring(r: Floats, low: float, high: float) -> Floats:
    return step(low - 0.01, low + 0.006, r) * step(high + 0.01, high - 0.006, r)


def _banded(rng: np.random.Generator, r: Floats, turn: Floats, ink: Vec3) -> Floats:
    thin = rng.uniform(0.66, 0.80)
    return _ring(r, rng.uniform(0.90, 0.93), 0.985) + _ring(r, thin, thin + 0.015)


def _scalloped(rng: np.random.Generator, r: Floats, turn: Floats, ink: Vec3) -> Floats:
    lace = 0.86 + 0.035 * np.cos(TAU * int(rng.integers(10, 22)) * turn)
    return step(0.025, 0.010, np.abs(r - lace)) + _ring(r, 0.955, 0.98)


def _dotted(rng: np.random.Generator, r: Floats, turn: Floats, ink: Vec3) -> Floats:
    count = int(rng.integers(14, 26))
    x = ((turn * count) % 1.0 - 0.5) * TAU / count * r
    return step(0.030, 0.022, np.hypot(x, r - 0.88)) + _ring(r, 0.97, 0.99)


def _glazed(rng: np.random.Generator, r: Floats, turn: Floats, ink: Vec3) -> Floats:
    return step(0.90, 0.95, r + 0.04 * (noise(rng, SIZE, SIZE, 3, (4, 4)) - 0.5))


PAINTERS: tuple[Painter, ...] = (_banded, _scalloped, _dotted, _glazed)


@category("serving_plate", nouns=("plate", "serving plate"), looks={"size": ("usual", "large")})
def serving_plate(rng: np.random.Generator, size: str | None = None) -> Asset:
    """Flat plate, 20 cm across (25 if large, for a whole dish), with a rim of 14 mm."""
    edge, height = rng.uniform(0.098, 0.103), rng.uniform(0.0130, 0.0150)
    edge += 0.025 if size == "large" else 0.0
    well = edge - rng.uniform(0.011, 0.013)
    curve = [
        (ON_AXIS_M, 0.0), (well - 0.010, 0.0), (well, 0.0016), (edge - 0.004, 0.55 * height), (edge, height - 0.001),
        (edge - 0.0006, height), (edge - 0.0022, height), (edge - 0.0050, height - 0.0020),
        (well - 0.004, PLATE_FLOOR_M + 0.0006), (well - 0.010, PLATE_FLOOR_M), (ON_AXIS_M, PLATE_FLOOR_M),
    ]  # fmt: skip
    body = revolve(curve, 40)
    seen = Mesh(body.vertices, body.faces, body.normals, (body.vertices[:, :2] / (2 * edge) + 0.5).astype(np.float32))
    y, x = (np.mgrid[0:SIZE, 0:SIZE] + 0.5) * 2 / SIZE - 1
    ink = varied(rng, pick(rng, INKS), 0.03)
    image = plain(varied(rng, pick(rng, CLAYS), 0.012), SIZE, SIZE)
    if rng.random() < 0.4:
        image = speckle(rng, image, (0.42, 0.34, 0.27), int(rng.integers(60, 160)), 0.5)
    paint = PAINTERS[int(rng.integers(len(PAINTERS)))]
    image = blend(image, ink, np.clip(paint(rng, np.hypot(x, y), np.arctan2(y, x) / TAU, ink), 0.0, 1.0))
    glaze = Material(texture=to_image(image), specular=0.5, shininess=0.8, emission=BOUNCE)
    mass = rng.uniform(0.28, 0.36)
    colliders = (
        cylinder(well, 0.0, PLATE_FLOOR_M, 0.75 * mass, "base"),
        *wall((well, 0.002), (edge - 0.0025, height - 0.0005), PLATE_WALL_M, PLATE_BOXES, 0.25 * mass, "rim"),
    )
    inner = well - 0.004
    return Asset(
        Link("root", (Visual(seen, glaze),), colliders), edge, height, sites=_floor_sites(inner, inner, PLATE_FLOOR_M)
    )


# -- tray and board ----------------------------------------------------------------------------------------------------
@category("tray", nouns=("tray",))
def tray(rng: np.random.Generator) -> Asset:
    """Wooden or lacquered tray, 15 cm deep and 20 cm wide inside, with a rim of 15 mm all around."""
    x, y = rng.uniform(0.076, 0.080), rng.uniform(0.100, 0.106)
    thick, floor, rim = rng.uniform(0.005, 0.007), 0.006, 0.006 + 0.015
    tone = (OAK, WALNUT, MAPLE)[int(rng.integers(3))]
    wood = timber(rng, tone, 7)
    lacquers: list[Vec3] = [(0.50, 0.10, 0.10), (0.12, 0.22, 0.30), (0.16, 0.30, 0.22), (0.86, 0.84, 0.78)]
    lacquer = Material(varied(rng, pick(rng, lacquers), 0.02), specular=0.5, shininess=0.7)
    rails = wood if rng.random() < 0.5 else lacquer
    ground = lacquer if rails is wood and rng.random() < 0.6 else wood
    bottom = ((x, y, floor / 2), (0.0, 0.0, floor / 2))
    walls = [((thick / 2, y + thick, rim / 2), (s * (x + thick / 2), 0.0, rim / 2)) for s in (1, -1)]
    walls += [((x, thick / 2, rim / 2), (0.0, s * (y + thick / 2), rim / 2)) for s in (1, -1)]
    visuals = (
        Visual(slabs(bottom, bevel=0.0, uv_per_m=5.0, grain_axis=1), ground),
        Visual(slabs(*walls, bevel=0.0012, uv_per_m=6.0, grain_axis=1), rails, "rim"),
    )
    mass = rng.uniform(0.35, 0.48)
    colliders = (
        box(*bottom, 0.6 * mass, "base"),
        *(box(half, pos, 0.1 * mass, "rim") for half, pos in walls),
    )
    return Asset(
        Link("root", visuals, colliders), math.hypot(x + thick, y + thick), rim, sites=_floor_sites(x, y, floor)
    )


@category("board", nouns=("board", "cutting board"))
def board(rng: np.random.Generator) -> Asset:
    """Wooden cutting board, 15 x 22 cm and 12 mm thick, rounded, with a groove of a darker wood around it."""
    x, y, h = rng.uniform(0.073, 0.080), rng.uniform(0.107, 0.115), rng.uniform(0.011, 0.013)
    tones = (OAK, WALNUT, MAPLE)
    order = rng.permutation(len(tones))
    corner, b = rng.uniform(0.010, 0.020), 0.0025
    curve = [
        (ON_AXIS_M, 0.0), (corner - b, 0.0), (corner, b), (corner, h - b), (corner - 0.3 * b, h - 0.3 * b),
        (corner - b, h), (ON_AXIS_M, h),
    ]  # fmt: skip
    inset, strip = rng.uniform(0.010, 0.016), rng.uniform(0.0015, 0.0032)
    inlays = [((strip, y - inset, 0.0008), (s * (x - inset), 0.0, h - 0.0007)) for s in (1, -1)]
    inlays += [((x - inset, strip, 0.0008), (0.0, s * (y - inset), h - 0.0007)) for s in (1, -1)]
    visuals = (
        Visual(revolve_box(curve, x - corner, y - corner, uv_per_m=5.0), timber(rng, tones[order[0]], 8)),
        Visual(slabs(*inlays, bevel=0.0, uv_per_m=6.0, grain_axis=1), timber(rng, tones[order[1]])),
    )
    mass = 680.0 * 4 * x * y * h
    return Asset(
        Link("root", visuals, (box((x, y, h / 2), (0.0, 0.0, h / 2), mass),)),
        math.hypot(x, y),
        h,
        sites=_floor_sites(x, y, h),
    )
