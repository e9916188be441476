"""``cube``, ``number_cube`` and ``label``: blocks of one colour, blocks with a word on every side, name plates."""

from __future__ import annotations

import math

import numpy as np

from .._colliders import about_y, box
from .._grasps import top
from .._mesh import merge, moved
from .._model import Link, Material, Vec3, Visual
from .._registry import Asset, category
from .._shapes import slab
from .._texture import varied, wood
from ._print import INK, canvas, facing, ink_for, rgb, texture_of, write

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
SIDES: tuple[Vec3, ...] = ((-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, 1), (0, 0, -1))
FACE_PX = 192
SQUARE = (0.0, math.pi / 2)


def block(half: float, visuals: tuple[Visual, ...], nouns: tuple[str, ...], mass_kg: float = 0.0) -> Asset:
    """Return a cube that is taken from above; without a mass it weighs as wood of its size does."""
    shape = box((half,) * 3, (0.0, 0.0, half), mass_kg or 0.06 * (half / 0.02) ** 3)
    grasps = top(max(2 * half - 0.024, 0.0105), 2 * half, SQUARE)
    return Asset(
        Link("root", visuals, (shape,)),
        math.sqrt(2) * half,
        2 * half,
        grasps=grasps,
        nouns=nouns,
        face=(-1.0, 0.0, 0.0),
    )


@category("cube", nouns=("cube", "block"), looks={"color": tuple(COLOURS)})
def cube(rng: np.random.Generator, color: str = "") -> Asset:
    """Cube of one colour, 38 to 42 mm, about 60 g."""
    color = color or list(COLOURS)[int(rng.integers(len(COLOURS)))]
    half, bevel = rng.uniform(0.019, 0.021), rng.uniform(0.0015, 0.004)
    paint = Material(varied(rng, COLOURS[color], 0.02), specular=rng.uniform(0.2, 0.6), shininess=0.5)
    return block(half, (Visual(slab((half,) * 3, bevel, centre=(0.0, 0.0, half)), paint),), (f"{color} cube",))


@category("number_cube", nouns=("cube", "number cube", "block"), looks={"text": None})
def number_cube(rng: np.random.Generator, text: str = "") -> Asset:
    """Cube of 39 to 41 mm with a digit, or a word of up to three lines, upright on every side and on top."""
    text = text or str(int(rng.integers(10)))
    half = rng.uniform(0.0195, 0.0205)
    ground = varied(rng, list(COLOURS.values())[int(rng.integers(len(COLOURS)))], 0.02)
    paper = varied(rng, (0.96, 0.94, 0.88), 0.012)
    image, pen = canvas(FACE_PX, FACE_PX, rgb(ground))
    edge = 8
    pen.rounded_rectangle((edge, edge, FACE_PX - edge, FACE_PX - edge), 20, rgb(paper))
    inset = 22 if len(text) > 2 else 40
    write(
        pen, (inset, inset, FACE_PX - inset, FACE_PX - inset), text, INK, lines=3, bold=0.06 if len(text) < 3 else 0.03
    )
    size = 2 * (half - 0.0015)
    faces = [facing(size, size, on_side(side, half), side) for side in SIDES]
    visuals = (
        Visual(slab((half,) * 3, 0.0022, centre=(0.0, 0.0, half)), Material(ground, specular=0.3)),
        Visual(merge(*faces), Material(texture=texture_of(image), specular=0.1, shininess=0.2)),
    )
    return block(half, visuals, (f"{text} cube",))


def on_side(side: Vec3, half: float) -> Vec3:
    """Middle of a side, a tenth of a millimetre outside it."""
    out = half + 0.0001
    return side[0] * out, side[1] * out, half + side[2] * out


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
    return Asset(
        Link("root", visuals, colliders), 0.052, 2 * high + 0.008, kind="fixture", face=normal, nouns=(text,)
    )
