"""Shapes that toys are made of; the toys are in ``toys.toml``."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ._colliders import about_x
from ._mesh import moved, scaled
from ._model import Mesh, Vec3
from ._shapes import extrude, oval, revolve

ON_ITS_SIDE = about_x(math.pi / 2)


def side_view(polygon: Sequence[tuple[float, float]], width: float) -> Mesh:
    """Prism over a side view (x, z), ``width`` wide along y."""
    return moved(extrude(polygon, width), (0.0, 0.0, 0.0), ON_ITS_SIDE)


def _ball(half: Vec3, at: Vec3, segments: int, rows: int) -> Mesh:
    return moved(scaled(revolve(oval(1.0, 1.0, 0.0, rows), segments, min_area_m2=1e-5), half), at)


def _disc(radius: float, half_width: float, segments: int) -> Mesh:
    """Wheel with rounded shoulders, axle along y."""
    r, w = radius, half_width
    curve = [(1e-5, -w), (0.84 * r, -w), (r, -0.6 * w), (r, 0.6 * w), (0.84 * r, w), (1e-5, w)]
    return moved(revolve(curve, segments), (0.0, 0.0, 0.0), ON_ITS_SIDE)


def _hub(radius: float, half_width: float) -> Mesh:
    """Flat disc in the middle of a wheel."""
    w = half_width
    return moved(revolve([(1e-5, -w), (radius, -w), (radius, w), (1e-5, w)], 9), (0.0, 0.0, 0.0), ON_ITS_SIDE)
