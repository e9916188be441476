"""Billiard balls (pool 1 to 15 with numbers, snooker colours) and a small table with six pockets.

Balls are 45 mm wide and have rolling friction, so that they lie still. The table's bed is 430 x 350 mm: the spec's
600 mm along the robot's view would put the far pockets out of reach. Its long side lies along x, so that seen from the
robot there is a left (+y) and a right row of pockets, each with a top (far), a middle and a bottom (near) one.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._mesh import Floats
from .._model import Vec3
from .._texture import to_image
from ._print import canvas, font

POOL_RGB: dict[int, Vec3] = {
    1: (0.95, 0.76, 0.10), 2: (0.08, 0.20, 0.62), 3: (0.80, 0.10, 0.10), 4: (0.36, 0.13, 0.48), 5: (0.93, 0.42, 0.06),
    6: (0.05, 0.42, 0.20), 7: (0.46, 0.07, 0.13), 8: (0.06, 0.06, 0.07),
}  # fmt: skip

_IVORY: Vec3 = (0.95, 0.94, 0.89)

# Elevation and azimuth of the number discs: one on top, four around, so that one always looks at the camera.
_DISCS_DEG = ((90.0, 0.0), (18.0, 180.0), (18.0, 90.0), (18.0, 0.0), (18.0, -90.0))


def _pool_texture(number: int, rows: int = 256, cols: int = 512) -> NDArray[np.uint8]:
    """Longitudes along u, arc length from pole to pole along v; a stripe is a band around the equator."""
    elevation = (np.arange(rows) + 0.5)[:, None] / rows * math.pi - math.pi / 2
    azimuth = (np.arange(cols) + 0.5)[None, :] / cols * 2 * math.pi
    shape = (rows, cols)
    ray = np.stack(
        [
            np.cos(elevation) * np.cos(azimuth),
            np.cos(elevation) * np.sin(azimuth),
            np.broadcast_to(np.sin(elevation), shape),
        ],
        -1,
    )
    colour = np.asarray(POOL_RGB[number if number < 9 else number - 8])
    image = np.broadcast_to(colour, (*shape, 3)).copy()
    if number > 8:
        image[np.abs(ray[..., 2]) > 0.62] = _IVORY
    patch = _number_patch(number)
    for up_deg, around_deg in _DISCS_DEG:
        _stamp(image, ray, patch, math.radians(up_deg), math.radians(around_deg))
    return to_image(image)


def _number_patch(number: int, size: int = 256) -> Floats:
    image, pen = canvas(size, size, (242, 240, 228))
    ink = (20, 20, 24)
    digits = 170 if number < 10 else 138
    pen.text((size / 2, size / 2), str(number), ink, font(digits), "mm", stroke_width=8, stroke_fill=ink)
    if number in (6, 9):
        pen.rectangle((0.36 * size, 0.84 * size, 0.64 * size, 0.88 * size), ink)
    return np.asarray(image, float) / 255


def _stamp(image: Floats, ray: Floats, patch: Floats, up: float, around: float, reach: float = 0.52) -> None:
    """Print ``patch`` as a disc of angular radius about ``reach`` rad; upright seen from outside, or from -x on top."""
    normal = np.array([math.cos(up) * math.cos(around), math.cos(up) * math.sin(around), math.sin(up)])
    above = np.array([1.0, 0.0, 0.0]) if up > 1.5 else np.array([0.0, 0.0, 1.0])
    above = above - (above @ normal) * normal
    above /= np.linalg.norm(above)
    right = np.cross(above, normal)
    x, y = ray @ right / reach, ray @ above / reach
    inside = (ray @ normal > 0) & (np.hypot(x, y) < 1.0)
    size = len(patch)
    column = np.clip(((x[inside] * 0.95 + 1) / 2 * size).astype(int), 0, size - 1)
    row = np.clip(((1 - y[inside] * 0.95) / 2 * size).astype(int), 0, size - 1)
    image[inside] = patch[row, column]


def _between(low: tuple[float, float, float], high: tuple[float, float, float]) -> tuple[Vec3, Vec3]:
    """A box by two corners, as (half, centre)."""
    half = tuple((b - a) / 2 for a, b in zip(low, high, strict=True))
    middle = tuple((a + b) / 2 for a, b in zip(low, high, strict=True))
    return (half[0], half[1], half[2]), (middle[0], middle[1], middle[2])
