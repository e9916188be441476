"""A cube of a material, or a cut diamond; the other samples are in ``samples.toml``."""

from __future__ import annotations

import numpy as np

from .._mesh import merge
from .._model import Visual
from .._shapes import revolve, slab
from ._materials import FINISHES

Body = tuple[tuple[Visual, ...], float, float, float]
"""What stands on the plinth from z = 0 up, its half sizes along x and y, and its height."""


def _block(rng: np.random.Generator, material: str, edge: float) -> Body:
    look = FINISHES[material](rng)
    if material == "diamond":
        r = 0.52 * edge
        gem = revolve([(1e-5, 0.0), (r, 0.62 * edge), (0.98 * r, 0.70 * edge), (0.60 * r, 0.92 * edge)], 8, 0.1)
        table = revolve([(0.60 * r, 0.92 * edge), (1e-5, 0.92 * edge)], 8, 0.1)
        return (Visual(merge(gem, table), look),), 0.40 * edge, 0.40 * edge, 0.92 * edge
    half = edge / 2
    bevel = 0.0008 if material in ("brick", "ice") else 0.0016
    cube = slab((half,) * 3, bevel, 1 / edge, centre=(0.0, 0.0, half))
    return (Visual(cube, look),), half, half, edge
