"""``cue``: a short stick that is pushed ahead of the hand. It lies along x, its tip towards +x.

A hand takes it from above across a square grip block, with a collar before the fingers, so that a push along the stick
goes into the hand and neither slips nor turns it. The stick leaves the block low down, so that block and fingers pass
over a cushion while the tip meets a ball near its middle. What it strikes with is its stem.
"""

from __future__ import annotations

import math

import numpy as np

from .._colliders import box, segment
from .._grasps import top
from .._model import Grasp, Link, Material, Stem, Vec3, Visual
from .._registry import Asset, category
from .._shapes import slab, sweep
from .._texture import pick, varied, wood

GRIP_M = 0.012
"""Half of the square that the fingers close on."""
STICK_Z = 0.0080
GRASP_Z = 0.0145
COLLAR_X = 0.027
ACROSS = (math.pi / 2,)
PAINTS: tuple[Vec3, ...] = (
    (0.78, 0.18, 0.14),
    (0.16, 0.36, 0.62),
    (0.90, 0.66, 0.14),
    (0.20, 0.22, 0.25),
    (0.24, 0.50, 0.32),
)
TIMBERS: tuple[tuple[Vec3, Vec3], ...] = (
    ((0.58, 0.38, 0.20), (0.82, 0.62, 0.38)),
    ((0.34, 0.20, 0.11), (0.54, 0.35, 0.20)),
    ((0.50, 0.24, 0.14), (0.70, 0.40, 0.26)),
)


def _timber(rng: np.random.Generator) -> Material:
    dark, light = TIMBERS[int(rng.integers(len(TIMBERS)))]
    return Material(texture=wood(rng, varied(rng, dark, 0.03), varied(rng, light, 0.03), 64), specular=0.25)


def _grasps(width: float) -> tuple[Grasp, ...]:
    """Grasps at the collar first, then further back."""
    spots = ((0.010, 0.0), (0.0, 0.02), (-0.020, 0.1))
    return tuple(grasp for x, cost in spots for grasp in top(GRASP_Z, width, ACROSS, (x, 0.0), cost, "handle"))


@category("cue", nouns=("cue", "cue stick"))
def cue(rng: np.random.Generator) -> Asset:
    """Short cue of 25 cm with a square grip block at its end; parts ``tip`` and ``handle``; 80 g."""
    long = rng.uniform(0.245, 0.255)
    front = long - 0.060
    thick, thin = rng.uniform(0.0065, 0.0075), 0.0050
    z, low = GRIP_M, STICK_Z
    line = np.linspace((0.028, 0.0, low), (front - 0.008, 0.0, low), 5)
    paint = Material(varied(rng, pick(rng, PAINTS), 0.025), specular=0.5, shininess=0.6)
    block = slab((0.034, GRIP_M, GRIP_M), 0.003, centre=(-0.006, 0.0, z))
    ring = slab((0.004, 0.017, GRIP_M), 0.002, centre=(COLLAR_X, 0.0, z))
    leather = sweep(np.linspace((front - 0.009, 0.0, low), (front, 0.0, low), 3), (thin, thin, 0.7 * thin), 12)
    visuals = (
        Visual(block, _timber(rng), "handle"),
        Visual(ring, paint, "handle"),
        Visual(sweep(line, np.linspace(thick, thin, 5), 14), _timber(rng), "shaft"),
        Visual(leather, Material(varied(rng, (0.20, 0.42, 0.66), 0.03), specular=0.1), "tip"),
    )
    colliders = (
        box((0.034, GRIP_M, GRIP_M), (-0.006, 0.0, z), 0.060, "handle"),
        box((0.004, 0.017, GRIP_M), (COLLAR_X, 0.0, z), 0.005, "handle"),
        segment(line[0], (front - 0.016, 0.0, low), thin, 0.012, "shaft"),
        segment((front - 0.012, 0.0, low), (front - thin, 0.0, low), thin, 0.003, "tip"),
    )
    return Asset(
        Link("root", visuals, colliders),
        front,
        2 * z,
        grasps=_grasps(2 * GRIP_M),
        elongated=True,
        contact="firm",
        stem=Stem((front, 0.0, low), (1.0, 0.0, 0.0)),
    )
