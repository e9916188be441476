"""Rings of dough and round cakes: what the recipes of ``bakery.toml`` are built from."""

from __future__ import annotations

import math

import numpy as np

from ._colliders import cylinder, segment
from ._grasps import top
from ._mesh import Floats, columns
from ._model import Asset, Link, Visual
from ._shapes import TAU

BEADS = 12
"""Capsules around a ring; grasps close between their ends, where the ring's outline is widest."""


def ring_profile(ring: float, thick: float, flat: float, z: float) -> Floats:
    """Closed profile of a torus, from the underside outwards and back to it; ``flat`` < 1 lowers it."""
    a = np.linspace(-math.pi / 2, 1.5 * math.pi, 17)
    return columns(ring + thick * np.cos(a), z + flat * thick * np.sin(a))


def dough_ring(ring: float, thick: float, flat: float, mass: float, visuals: tuple[Visual, ...]) -> Asset:
    """Ring of capsules, grasped across its full diameter."""
    height = 2 * thick * flat
    corners = [(ring * math.cos(TAU * k / BEADS), ring * math.sin(TAU * k / BEADS), thick * flat) for k in range(BEADS)]
    colliders = tuple(segment(corners[k - 1], corners[k], thick * flat, mass / BEADS) for k in range(BEADS))
    yaws = [TAU * k / BEADS for k in range(BEADS // 2)]
    width = 2 * (ring + thick * flat)
    return Asset(
        Link("root", visuals, colliders), ring + thick, height, grasps=top(max(0.56 * height, 0.0105), width, yaws)
    )


def round_cake(rng: np.random.Generator, r: float, h: float, visuals: tuple[Visual, ...], top_m: float = 0.0) -> Asset:
    """Upright cylinder of sponge, grasped by its upper edge."""
    mass = 420.0 * math.pi * r**2 * h
    grip = h - 0.020
    return Asset(Link("root", visuals, (cylinder(r, 0.0, h, mass),)), r, h + top_m, grasps=top(grip, 2 * r))
