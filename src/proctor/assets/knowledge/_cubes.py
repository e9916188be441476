"""Blocks that are taken from above; which ones there are is in ``cubes.toml``."""

from __future__ import annotations

import math

import numpy as np

from .._colliders import about_y, box
from .._mesh import moved
from .._model import Asset, Link, Material, Vec3, Visual
from .._registry import category
from .._shapes import slab
from .._texture import varied, wood
from ._print import canvas, facing, ink_for, rgb, texture_of, write

COLOURS: dict[str, Vec3] = {
    "red": (0.80, 0.12, 0.12),
    "blue": (0.14, 0.32, 0.74),
    "green": (0.16, 0.56, 0.22),
    "yellow": (0.95, 0.80, 0.14),
    "orange": (0.94, 0.50, 0.10),
    "purple": (0.46, 0.22, 0.62),
    "white": (0.94, 0.94, 0.92),
    "black": (0.13, 0.13, 0.14),
    "pink": (0.94, 0.56, 0.68),
    "brown": (0.45, 0.27, 0.14),
}


@category("label", nouns=("label", "name plate"), looks={"text": None})
def label(rng: np.random.Generator, text: str = "label") -> Asset:
    """Name plate on a foot, 90 by 34 mm, leaning back so that eyes above the robot's base read it."""
    lean = math.radians(rng.uniform(25.0, 32.0))
    wide, high, thick = 0.045, 0.017, 0.0015
    paper = varied(rng, (0.97, 0.95, 0.90), 0.012)
    trim = varied(rng, list(COLOURS.values())[int(rng.integers(len(COLOURS)))], 0.03)
    image, pen = canvas(512, 192, rgb(paper))
    pen.rectangle((0, 0, 511, 191), outline=rgb(trim), width=10)
    write(pen, (26, 20, 486, 172), text, ink_for(paper), lines=2, bold=0.03)
    timber = wood(rng, varied(rng, (0.42, 0.27, 0.15), 0.02), varied(rng, (0.64, 0.44, 0.26), 0.02), 64)
    middle = (0.0, 0.0, 0.006 + high * math.cos(lean))
    plate = moved(slab((thick, wide, high), 0.0006), middle, about_y(lean))
    normal = (-math.cos(lean), 0.0, math.sin(lean))
    out = thick + 0.0001
    at = (middle[0] + out * normal[0], 0.0, middle[2] + out * normal[2])
    front = facing(2 * wide - 0.002, 2 * high - 0.002, at, normal)
    visuals = (
        Visual(plate, Material(paper, specular=0.1)),
        Visual(front, Material(texture=texture_of(image), specular=0.05, shininess=0.1)),
        Visual(slab((0.012, wide, 0.004), 0.0012, centre=(0.002, 0.0, 0.004)), Material(texture=timber), part="foot"),
    )
    colliders = (
        box((thick, wide, high), middle, 0.010, "plate", about_y(lean)),
        box((0.012, wide, 0.004), (0.002, 0.0, 0.004), 0.030, "foot"),
    )
    return Asset(Link("root", visuals, colliders), 0.052, 2 * high + 0.008, kind="fixture", face=normal, nouns=(text,))
