"""Boards: boxes given by where they begin and end, seen and touched alike. All furniture here is made of them.

Fronts look towards -x, left is +y.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .._colliders import box, segment
from .._mesh import merge
from .._model import Collider, Material, Site, Vec3, Visual
from .._shapes import slabs, sweep
from .._texture import blend, noise, plain, to_image, varied

Board = tuple[Vec3, Vec3]


def span(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> Board:
    """Return the box that fills three intervals, as (half sizes, centre)."""
    (x0, x1), (y0, y1), (z0, z1) = x, y, z
    return ((x1 - x0) / 2, (y1 - y0) / 2, (z1 - z0) / 2), ((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2)


def spots(
    x: tuple[float, float], half_width: float, z: float, first: int = 1, count: int = 3, middle: float = 0.0
) -> list[Site]:
    """Return ``count`` places side by side on a floor at ``z``, from left to right: where a scene puts things.

    At 13 cm the palm passes between the neighbours of what it takes; a drink has a centimetre of play each way.
    """
    pitch = 2 * half_width / count
    size = (min((x[1] - x[0]) / 2 - 0.014, 0.042), 0.038, 0.05)
    return [
        Site(f"spot{first + k}", "place", ((x[0] + x[1]) / 2, middle + half_width - (k + 0.5) * pitch, z + 0.05), size)
        for k in range(count)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Something seen and touched, to be put into a link together with others."""

    visuals: tuple[Visual, ...] = ()
    colliders: tuple[Collider, ...] = ()

    def __add__(self, other: Piece) -> Piece:
        return Piece(self.visuals + other.visuals, self.colliders + other.colliders)


def boards(
    *parts: Board,
    material: Material,
    part: str = "body",
    kg_per_m3: float = 500.0,
    bevel: float = 0.0015,
    grain: int = 1,
) -> Piece:
    """Return boards of one material; ``grain`` is the axis along which its texture runs."""
    mesh = slabs(*parts, bevel=bevel, uv_per_m=5.0, grain_axis=grain)
    solid = tuple(box(half, at, kg_per_m3 * 8 * math.prod(half), part) for half, at in parts)
    return Piece((Visual(mesh, material, part),), solid)


def seen(*parts: Board, material: Material, part: str = "body", bevel: float = 0.0008) -> Piece:
    """Return boards that are only looked at: lamps, seals, windows."""
    return Piece((Visual(slabs(*parts, bevel=bevel, uv_per_m=5.0), material, part),))


def bar(start: Vec3, stop: Vec3, radius: float, posts: tuple[tuple[Vec3, Vec3], ...], material: Material) -> Piece:
    """Return a round bar to take hold of, part ``handle``, with the posts that carry it."""
    mesh = merge(
        sweep(np.linspace(start, stop, 4), radius, 10),
        *(sweep(np.linspace(a, b, 3), 0.7 * radius, 8) for a, b in posts),
    )
    solid = (
        segment(start, stop, radius, 0.02, "handle"),
        *(segment(a, b, 0.7 * radius, 0.006, "handle") for a, b in posts),
    )
    return Piece((Visual(mesh, material, "handle"),), solid)


def enamel(rng: np.random.Generator, colour: Vec3) -> Material:
    """Smooth sprayed enamel with a breath of orange peel."""
    colour = varied(rng, colour, 0.012)
    image = blend(plain(colour, 64, 64), tuple(0.95 * c for c in colour), 0.5 * noise(rng, 64, 64, 3, (8, 8)))
    return Material(texture=to_image(image), specular=0.55, shininess=0.7)


def brushed(rng: np.random.Generator, colour: Vec3 = (0.72, 0.73, 0.75)) -> Material:
    colour = varied(rng, colour, 0.012)
    image = blend(plain(colour, 64, 64), tuple(0.86 * c for c in colour), noise(rng, 64, 64, 3, (32, 1)))
    return Material(texture=to_image(image), specular=0.8, shininess=0.7)
