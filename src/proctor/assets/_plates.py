"""Plates: a flat well and an upturned lip. A flat rim could not be pinched from above: no finger fits under it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ._colliders import cylinder, wall
from ._grasps import rim
from ._mesh import Floats
from ._model import Link, Material, Site, Visual
from ._registry import Blueprint, category
from ._shapes import TAU, profile, revolve, rows_of
from ._texture import blend, noise, pick, plain, speckle, step, to_image, varied

BOXES = 18
WALL_M = 0.004
ROWS, COLS = 128, 96


@dataclass(frozen=True, slots=True)
class _Shape:
    """Radii of the well and the rim, height of the rim, all in metres."""

    well: float
    rim: float
    height: float
    floor: float = 0.006

    def curve(self) -> Floats:
        """Profile: foot, underside of the lip, edge, inside of the lip, well."""
        w, r, h, f = self.well, self.rim, self.height, self.floor
        outside = profile(
            [(w - 0.004, 0.0), (w + 0.003, 0.0016), (0.5 * (w + r) + 0.0015, 0.45 * h), (r, h - 0.0015)], 2
        )
        edge = [(r - 0.0004, h), (r - 0.0022, h + 0.0003)]
        inside = profile([(r - 0.0048, h - 0.0018), (0.5 * (w + r) - 0.0032, 0.52 * h), (w - 0.004, f + 0.0004)], 2)
        return np.vstack([[(1e-5, 0.0)], outside, edge, inside, [(0.5 * w, f), (1e-5, f)]])


Painter = Callable[[np.random.Generator, Floats, Floats, Floats], Floats]


def _plate(rng: np.random.Generator, paint: Painter, specular: float) -> Blueprint:
    size = rng.uniform(0.92, 1.06)
    well = 0.078 * size
    shape = _Shape(well, well + rng.uniform(0.0185, 0.0210), rng.uniform(0.0240, 0.0265))
    curve = shape.curve()
    r, z = rows_of(curve, ROWS)
    inside = (np.arange(ROWS) + 0.5) / ROWS > (np.argmax(r) + 0.5) / ROWS
    image = paint(rng, r / shape.rim, inside.astype(float), z / shape.height)
    glaze = Material(texture=to_image(image), specular=specular, shininess=0.8)
    mass = 2300.0 * math.pi * shape.rim**2 * 0.0045
    low, high = (well + 0.0035, 0.0035), (shape.rim - 0.0022, shape.height - 0.0005)
    colliders = (
        cylinder(well, 0.0, shape.floor, 0.7 * mass, "base"),
        *wall(low, high, WALL_M, BOXES, 0.3 * mass, "rim"),
    )
    lean = math.atan2(high[0] - low[0], high[1] - low[1])
    at = 0.62
    grip_r, grip_z = low[0] + at * (high[0] - low[0]), low[1] + at * (high[1] - low[1])
    grasps = rim(grip_r, grip_z, WALL_M, np.arange(BOXES) * 360 / BOXES, 0.62 * lean)
    floor = shape.floor
    site = Site("top_side", "place", (0.0, 0.0, floor + 0.05), (well, well, 0.05))
    return Blueprint(
        Link("root", (Visual(revolve(curve, 36), glaze),), colliders),
        shape.rim,
        shape.height,
        sites=(site,),
        grasps=grasps,
    )


def _rings(
    rng: np.random.Generator, base: Floats, r: Floats, inside: Floats, colour: tuple[float, float, float]
) -> Floats:
    """Two painted circles on the inside: a broad one near the edge and a thin one at the well."""
    edge = rng.uniform(0.90, 0.93)
    broad = step(edge - 0.015, edge, r) * step(0.985, 0.972, r)
    inner = rng.uniform(0.66, 0.76)
    thin = step(inner - 0.012, inner, r) * step(inner + 0.028, inner + 0.016, r)
    return blend(base, colour, (np.clip(broad + thin, 0, 1) * inside)[:, None] + np.zeros((1, base.shape[1])))


@category("plate", nouns=("plate",))
def plate(rng: np.random.Generator) -> Blueprint:
    """White plate with coloured rings, 18 to 20 cm across."""
    colour = varied(
        rng, pick(rng, [(0.70, 0.16, 0.14), (0.16, 0.34, 0.60), (0.20, 0.45, 0.33), (0.80, 0.55, 0.15)]), 0.03
    )

    def paint(rng: np.random.Generator, r: Floats, inside: Floats, z: Floats) -> Floats:
        return _rings(rng, plain(varied(rng, (0.95, 0.95, 0.93), 0.01), ROWS, COLS), r, inside, colour)

    return _plate(rng, paint, 0.5)


@category("porcelain_plate", nouns=("plate", "porcelain plate"))
def porcelain_plate(rng: np.random.Generator) -> Blueprint:
    """Porcelain with a cobalt border of petals."""

    def paint(rng: np.random.Generator, r: Floats, inside: Floats, z: Floats) -> Floats:
        blue = varied(rng, (0.13, 0.24, 0.58), 0.03)
        image = _rings(rng, plain((0.96, 0.97, 0.98), ROWS, COLS), r, inside, blue)
        u = np.linspace(0, 1, COLS, endpoint=False)[None]
        petals = int(rng.integers(9, 16))
        lace = 0.80 + 0.055 * np.cos(TAU * petals * u)
        band = step(0.035, 0.015, np.abs(r[:, None] - lace)) * inside[:, None]
        flower = (
            step(0.0, 0.04, 0.17 + 0.09 * np.cos(TAU * 6 * u) - r[:, None])
            * step(0.05, 0.08, r[:, None])
            * inside[:, None]
        )
        return blend(image, blue, 0.9 * np.clip(band + flower, 0, 1))

    return _plate(rng, paint, 0.7)


@category("ceramic_plate", nouns=("plate", "ceramic plate"))
def ceramic_plate(rng: np.random.Generator) -> Blueprint:
    """Speckled stoneware with a dark glazed edge."""

    def paint(rng: np.random.Generator, r: Floats, inside: Floats, z: Floats) -> Floats:
        clay = varied(rng, pick(rng, [(0.80, 0.74, 0.64), (0.62, 0.70, 0.68), (0.72, 0.62, 0.52)]), 0.02)
        dark = varied(rng, (0.36, 0.24, 0.16), 0.02)
        cloud = noise(rng, ROWS, COLS, 3, (2, 8))
        image = blend(clay, tuple(0.88 * c for c in clay), cloud)
        image = speckle(rng, image, (0.36, 0.27, 0.20), 0.08, 48, r)
        return blend(image, dark, step(0.93, 0.985, r[:, None] + 0.03 * (cloud - 0.5)) * (0.5 + 0.5 * inside[:, None]))

    return _plate(rng, paint, 0.4)
