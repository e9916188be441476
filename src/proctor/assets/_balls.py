"""Balls: drops of water, a rack of billiard balls."""

from __future__ import annotations

import math

import numpy as np

from ._colliders import about_z, box
from ._grasps import top
from ._mesh import Floats, merge, moved
from ._model import Collider, Link, Material, Vec3, Visual
from ._registry import Asset, category
from ._shapes import oval, revolve, slab
from ._texture import blend, plain, step, to_image, varied, wood

INKS: tuple[Vec3, ...] = (
    (0.95, 0.74, 0.12), (0.12, 0.28, 0.66), (0.80, 0.12, 0.12), (0.40, 0.18, 0.50), (0.94, 0.46, 0.10),
    (0.10, 0.44, 0.24), (0.50, 0.12, 0.14), (0.09, 0.09, 0.10),
)  # fmt: skip


@category("water_ball", nouns=("water", "water ball"))
def water_ball(rng: np.random.Generator) -> Asset:
    """Blue ball, 20 mm across, of the mass of that much water: a particle that stands for a sip that can be spilled.

    All are of one size; a quarter more or less did not make them flow better (shared/facts/physics.md, section 1).
    """
    return _water(rng, 0.010)


@category("water_gulp", nouns=("water",))
def water_gulp(rng: np.random.Generator) -> Asset:
    """The same, 26 mm across: a bowl is full of forty of them, and would need ninety of the small ones."""
    return _water(rng, 0.013)


def _water(rng: np.random.Generator, r: float) -> Asset:
    look = Material(varied(rng, (0.30, 0.58, 0.86), 0.02), specular=0.9, shininess=0.9, alpha=0.85)
    mass = 1000.0 * 4 / 3 * math.pi * r**3
    return Asset(
        Link("root", (Visual(revolve(oval(r, r, r, 9), 14), look),), (Collider("sphere", (r,), mass, pos=(0, 0, r)),)),
        radius_m=r,
        height_m=2 * r,
        grasps=top(r + 0.0005, 2 * r),
        rolls=True,
        particle=True,
    )


@category("billiard_balls", nouns=("billiard balls", "balls"))
def billiard_balls(rng: np.random.Generator) -> Asset:
    """Six small billiard balls held fast in a wooden triangle, 12 to 14 cm across; one piece, apex towards +x."""
    r = rng.uniform(0.0148, 0.0166)
    centres = [
        ((2 - 3 * row / 2) * 2 * r / math.sqrt(3), (2 * column - row) * r, r)
        for row in range(3)
        for column in range(row + 1)
    ]
    inks = rng.permutation(len(INKS))
    visuals = [
        Visual(
            moved(revolve(oval(r, r, 0.0, 9), 12), at, about_z(rng.uniform(0, math.pi))),
            Material(texture=to_image(_number(rng, INKS[ink])), specular=0.9, shininess=0.9),
            part="ball",
        )
        for at, ink in zip(centres, inks, strict=False)
    ]
    bar, rise = 0.0035, 0.62 * r
    inner = 2 * r / math.sqrt(3) + r
    half = (inner + 2 * bar) * math.sqrt(3)
    sides = [(math.cos(a), math.sin(a), a) for a in (math.pi / 3, math.pi, -math.pi / 3)]
    timber = Material(texture=wood(rng, (0.34, 0.18, 0.10), (0.56, 0.34, 0.20), 64), specular=0.4, shininess=0.5)
    frames = [
        (((inner + bar) * c, (inner + bar) * s, rise), about_z(a), (bar, half - 0.006, rise)) for c, s, a in sides
    ]
    visuals.append(
        Visual(merge(*(moved(slab(size, 0.0012, 8.0, 1), at, q) for at, q, size in frames)), timber, part="rack")
    )
    colliders = [Collider("sphere", (r,), 0.030, "ball", at) for at in centres]
    colliders += [box(size, at, 0.025, "rack", q) for at, q, size in frames]
    return Asset(
        Link("root", tuple(visuals), tuple(colliders)),
        radius_m=math.hypot(inner + 2 * bar, half - 0.006),
        height_m=2 * r,
    )


def _number(rng: np.random.Generator, ink: Vec3) -> Floats:
    """Half of the balls are striped; all carry a white spot."""
    v, u = (np.mgrid[0:32, 0:48] + 0.5) / np.array([32, 48])[:, None, None]
    white = (0.95, 0.94, 0.90)
    image = plain(ink, 32, 48)
    if rng.random() < 0.5:
        image = blend(image, white, step(0.22, 0.26, np.abs(v - 0.5)))
    spot = step(0.16, 0.13, np.hypot(v - 0.78, 0 * u)) * step(0.20, 0.16, np.abs(u - 0.5))
    return blend(image, white, spot)
