"""Plates: a flat well and an upturned lip. A flat rim could not be pinched from above: no finger fits under it.

Textures are seen from above: a painter works in polar coordinates, with 1 at the edge of the rim.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ._bowls import BOUNCE
from ._colliders import cylinder, wall
from ._grasps import rim
from ._mesh import Floats
from ._model import Link, Material, Mesh, Site, Vec3, Visual
from ._registry import Asset, category
from ._shapes import TAU, profile, revolve
from ._texture import blend, noise, pick, plain, speckle, step, to_image, varied

BOXES = 18
"""Boxes of the lip, hence grasps: one every 20 degrees."""
WALL_M = 0.004
FLOOR_M = 0.006
SIZE = 128
GRIP = 0.70
"""Height of the grasp along the lip."""
TIP_M, OPEN_M = 0.0112, 0.045
"""What a fingertip needs below the grasp, with a millimetre to spare, and how far out it is when the hand is open."""

Painter = Callable[[np.random.Generator, Floats, Floats], Floats]
"""Takes radius and angle (turns) of every pixel, returns colours."""


def _curve(well: float, edge: float, height: float) -> Floats:
    """Profile: foot, underside of the lip, edge, inside of the lip, well."""
    middle = 0.5 * (well + edge)
    outside = profile(
        [(well - 0.004, 0), (well + 0.003, 0.0016), (middle + 0.0015, 0.45 * height), (edge, height - 0.0015)], 2
    )
    top = [(edge - 0.0004, height), (edge - 0.0022, height + 0.0003)]
    inside = profile(
        [(edge - 0.0048, height - 0.0018), (middle - 0.0032, 0.52 * height), (well - 0.004, FLOOR_M + 0.0004)], 2
    )
    return np.vstack([[(1e-5, 0.0)], outside, top, inside, [(0.5 * well, FLOOR_M), (1e-5, FLOOR_M)]])


def _plate(rng: np.random.Generator, paint: Painter, specular: float, well_m: float = 0.081) -> Asset:
    well = well_m * rng.uniform(0.92, 1.06)
    edge, height = well + rng.uniform(0.0132, 0.0148), rng.uniform(0.0255, 0.0275)
    body = revolve(_curve(well, edge, height), 36)
    seen = Mesh(body.vertices, body.faces, body.normals, (body.vertices[:, :2] / (2 * edge) + 0.5).astype(np.float32))
    y, x = (np.mgrid[0:SIZE, 0:SIZE] + 0.5) * 2 / SIZE - 1
    image = paint(rng, np.hypot(x, y), np.arctan2(y, x) / TAU)
    glaze = Material(texture=to_image(image), specular=specular, shininess=0.8, emission=BOUNCE)
    mass = 2300.0 * math.pi * edge**2 * 0.0045
    low, high = (well + 0.0020, 0.0028), (edge - 0.0022, height - 0.0005)
    colliders = (
        cylinder(well, 0.0, FLOOR_M, 0.7 * mass, "base"),
        *wall(low, high, WALL_M, BOXES, 0.3 * mass, "rim"),
    )
    grip_r, grip_z = low[0] + GRIP * (high[0] - low[0]), low[1] + GRIP * (high[1] - low[1])
    # The approach leans with the lip, but no further than the open outer finger has room above the table.
    slope = math.atan2(high[0] - low[0], high[1] - low[1])
    lean = min(0.62 * slope, math.asin((grip_z - TIP_M) / OPEN_M))
    grasps = rim(grip_r, grip_z, WALL_M, np.arange(BOXES) * 360 / BOXES, lean)
    site = Site("top_side", "place", (0.0, 0.0, FLOOR_M + 0.05), (well, well, 0.05))
    return Asset(Link("root", (Visual(seen, glaze),), colliders), edge, height, sites=(site,), grasps=grasps)


def _circle(r: Floats, low: float, high: float) -> Floats:
    """Mask of a painted ring."""
    return step(low - 0.012, low + 0.006, r) * step(high + 0.012, high - 0.006, r)


@category("plate", nouns=("plate",))
def plate(rng: np.random.Generator) -> Asset:
    """White plate with a broad coloured ring and a thin one, 15 to 17 cm across; LIBERO's layouts have no more room."""
    inks: list[Vec3] = [(0.70, 0.16, 0.14), (0.16, 0.34, 0.60), (0.20, 0.45, 0.33), (0.80, 0.55, 0.15)]

    def paint(rng: np.random.Generator, r: Floats, turn: Floats) -> Floats:
        ink = varied(rng, pick(rng, inks), 0.03)
        image = plain(varied(rng, (0.91, 0.91, 0.89), 0.01), SIZE, SIZE)
        broad, thin = rng.uniform(0.88, 0.92), rng.uniform(0.64, 0.74)
        return blend(image, ink, _circle(r, broad, 0.965) + _circle(r, thin, thin + 0.018))

    return _plate(rng, paint, 0.5, 0.066)


@category("porcelain_plate", nouns=("plate", "porcelain plate"))
def porcelain_plate(rng: np.random.Generator) -> Asset:
    """Porcelain with a cobalt scalloped border and a flower in the middle."""

    def paint(rng: np.random.Generator, r: Floats, turn: Floats) -> Floats:
        blue = varied(rng, (0.13, 0.24, 0.58), 0.03)
        petals, leaves = int(rng.integers(9, 16)), int(rng.integers(5, 9))
        lace = 0.845 + 0.045 * np.cos(TAU * petals * turn)
        mask = _circle(r, 0.93, 0.975) + _circle(r, 0.70, 0.712) + step(0.030, 0.012, np.abs(r - lace))
        flower = step(-0.02, 0.02, rng.uniform(0.16, 0.22) + 0.10 * np.cos(TAU * leaves * turn) - r) * step(
            0.05, 0.08, r
        )
        return blend(plain((0.91, 0.92, 0.93), SIZE, SIZE), blue, 0.95 * np.clip(mask + flower, 0, 1))

    return _plate(rng, paint, 0.7)


@category("ceramic_plate", nouns=("plate", "ceramic plate"))
def ceramic_plate(rng: np.random.Generator) -> Asset:
    """Speckled stoneware with a dark glazed edge."""
    clays: list[Vec3] = [(0.80, 0.74, 0.64), (0.62, 0.70, 0.68), (0.74, 0.64, 0.54), (0.70, 0.72, 0.60)]

    def paint(rng: np.random.Generator, r: Floats, turn: Floats) -> Floats:
        clay = varied(rng, pick(rng, clays), 0.02)
        cloud = noise(rng, SIZE, SIZE, 3, (4, 4))
        turned = 0.5 + 0.5 * np.cos(TAU * 9 * r)
        image = blend(clay, tuple(0.86 * c for c in clay), 0.5 * cloud + 0.25 * turned)
        image = speckle(rng, image, (0.38, 0.29, 0.22), int(rng.integers(90, 220)), 0.55)
        return blend(image, varied(rng, (0.36, 0.24, 0.16), 0.02), step(0.90, 0.96, r + 0.03 * (cloud - 0.5)))

    return _plate(rng, paint, 0.4)
