"""Bottles, cans, cartons, cups and jars that carry a label: shapes, colliders and the grasps that a label leaves free.

A label is one picture, 256 px wide, that a round body shows twice, facing -x and +x, and a carton on all four sides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._colliders import about_x, box, cylinder
from .._grasps import top
from .._mesh import Floats, merge, moved
from .._model import Collider, Grasp, Link, Material, Mesh, Spout, Vec3, Visual
from .._registry import Asset
from .._shapes import extrude, profile, revolve, slab
from ._icons import Icon
from ._print import canvas, facing, ink_for, rgb, texture_of, write

Art: TypeAlias = Callable[[float, float, bool], NDArray[np.uint8]]
"""Draws a label of a given width and height in metres, for a flat side or for half of a round body."""
TILE_PX = 256
SEGMENTS = 26
"""Sides of every round body and of the label on it: with other numbers the two would cut through each other."""
FRONT_PITCH_DEG = (50.0, 60.0, 40.0, 70.0)
"""How steeply a hand comes down on something from the front, best first (spec 0.1); what is near needs a steep one."""
PALM_M = 0.036
"""The palm is this far behind the point between the pads."""


def label(ground: Vec3, band: Vec3, word: str, icon: Icon | None, rng: np.random.Generator) -> Art:
    """Return what draws a label for a given place: bands of colour, a badge with an icon, the word as large as it fits.

    On a round body no letter is further than 60 degrees from the front.
    """
    style, share = int(rng.integers(4)), rng.uniform(0.05, 0.09)

    def draw(wide_m: float, high_m: float, flat: bool) -> NDArray[np.uint8]:
        wide, high = TILE_PX, round(min(max(TILE_PX * high_m / wide_m, 128), 512))
        image, pen = canvas(wide, high, rgb(ground))
        edge = share * high
        _bands(pen, wide, high, edge, style, rgb(band))
        left = 0.07 * wide if flat else 0.19 * wide
        split = 0.5 * high if icon is not None and word else (high if icon is not None else 0.0)
        if icon is not None:
            size = min(0.5 * (split - 1.4 * edge), 0.5 * wide - left)
            y = 0.5 * (split + 1.3 * edge)
            pen.ellipse((0.5 * wide - size, y - size, 0.5 * wide + size, y + size), (252, 250, 242))
            icon(pen, 0.5 * wide, y, 0.66 * size)
        if word:
            box = (left, split + 0.4 * edge, wide - left, high - 1.7 * edge)
            write(pen, box, word.upper(), ink_for(ground), bold=0.05)
        return texture_of(image)

    return draw


def _bands(pen: Any, wide: float, high: float, edge: float, style: int, colour: tuple[int, int, int]) -> None:
    """Ornament along the upper and lower edge: a stripe, teeth, a stripe below only, or three lines."""
    if style in (0, 2):
        pen.rectangle((0, high - edge, wide, high), colour)
        if style == 0:
            pen.rectangle((0, 0, wide, edge), colour)
    elif style == 1:
        count = 10
        for x in (wide * k / count for k in range(count)):
            for low, tip in ((high, high - 1.4 * edge), (0, 1.4 * edge)):
                pen.polygon([(x, low), (x + wide / count, low), (x + 0.5 * wide / count, tip)], colour)
    else:
        for y in (0.1, 0.55, 1.0):
            pen.rectangle((0, y * edge, wide, (y + 0.25) * edge), colour)
            pen.rectangle((0, high - (y + 0.25) * edge, wide, high - y * edge), colour)


def twice(mesh: Mesh) -> Mesh:
    """Repeat a lathe's texture, once around -x and once around +x."""
    uv = np.stack([2 * mesh.uv[:, 0] + 0.5, mesh.uv[:, 1]], 1)
    return Mesh(mesh.vertices, mesh.faces, mesh.normals, uv.astype(np.float32))


def sleeve(low: tuple[float, float], high: tuple[float, float], art: Art, gloss: float = 0.2) -> Visual:
    """Label around a round body, between two points (r, z)."""
    picture = art(math.pi * 0.5 * (low[0] + high[0]), high[1] - low[1], False)
    return Visual(
        twice(revolve([low, high], SEGMENTS)), Material(texture=picture, specular=gloss, shininess=gloss), "label"
    )


def round_grasps(
    sections: Sequence[tuple[float, float]], height: float, *, part: str = "body", from_front: bool = True
) -> tuple[Grasp, ...]:
    """Grasps of an upright round thing close below its top: from above, and from the front with a pitched hand.

    ``sections`` are (z, radius) from the bottom up. The hand comes as low as its palm stays clear of the rim.
    """
    front = [g for pitch in FRONT_PITCH_DEG for g in _pitched(sections, height, pitch, part)]
    z = height - 0.026
    above = top(z, 2 * _radius(sections, z), cost=0.5 if from_front else 0.0, part=part)
    return (*front, *above) if from_front else (*above, *(_dearer(g, 0.5) for g in front))


def _dearer(g: Grasp, cost: float) -> Grasp:
    return Grasp(g.position, g.closing, g.approach, g.cost + cost, g.width_m, g.part)


def _radius(sections: Sequence[tuple[float, float]], z: float) -> float:
    heights, radii = zip(*sections, strict=True)
    return float(np.interp(z, heights, radii))


def _pitched(sections: Sequence[tuple[float, float]], height: float, pitch_deg: float, part: str) -> list[Grasp]:
    """Front grasps at the lowest height from which what stands above stays 2 mm before the palm."""
    p = math.radians(pitch_deg)
    for z in np.arange(0.3 * height, height - 0.008, 0.001):
        above = [(s, _radius(sections, float(s))) for s in np.arange(z, height + 0.0005, 0.002)]
        if max(r * math.cos(p) + (s - z) * math.sin(p) for s, r in above) <= PALM_M - 0.002:
            break
    width = 2 * _radius(sections, float(z))
    grasps = []
    for turn_deg in (0.0, -15.0, 15.0, -30.0, 30.0):
        c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
        approach = (c * math.cos(p), s * math.cos(p), -math.sin(p))
        cost = 0.005 * abs(turn_deg) + 0.05 * FRONT_PITCH_DEG.index(pitch_deg)
        grasps.append(Grasp((0.0, 0.0, float(z)), (-s, c, 0.0), approach, cost, width, part))
    return grasps


def stacked(
    sections: Sequence[tuple[float, float]], mass_kg: float, parts: Callable[[float], str]
) -> tuple[Collider, ...]:
    """Cylinders between successive (z, radius) sections, each with the mean radius; mass by volume."""
    pieces = []
    for (z0, r0), (z1, r1) in pairwise(sections):
        if z1 - z0 > 1e-6:
            r = 0.5 * (r0 + r1)
            pieces.append((r, z0, z1, r * r * (z1 - z0)))
    total = sum(piece[3] for piece in pieces)
    return tuple(cylinder(r, z0, z1, mass_kg * v / total, parts(0.5 * (z0 + z1))) for r, z0, z1, v in pieces)


def can(rng: np.random.Generator, art: Art) -> Asset:
    """Drink can, 50 to 53 mm across, 105 to 112 mm tall, 200 g."""
    r, h = rng.uniform(0.0250, 0.0265), rng.uniform(0.105, 0.112)
    metal = Material((0.78, 0.79, 0.81), specular=0.9, shininess=0.8)
    low, high = 0.008, h - 0.010
    foot: Floats = np.array(
        [(1e-5, 0.003), (0.75 * r, 0.003), (0.80 * r, 0.0), (0.84 * r, 0.0), (r - 0.0004, low), (r, low)]
    )
    lid: Floats = np.array(
        [(r, high), (0.86 * r, h - 0.002), (0.88 * r, h), (0.84 * r, h), (0.82 * r, h - 0.003), (1e-5, h - 0.003)]
    )
    tab = slab((0.008, 0.004, 0.0007), 0.0005, centre=(-0.004, 0.0, h - 0.0022))
    visuals = (
        sleeve((r, low), (r, high), art, 0.6),
        Visual(merge(revolve(foot, 28), revolve(lid, 28), tab), metal),
    )
    shape = (cylinder(r, 0.0, h, 0.2),)
    grasps = round_grasps([(0.0, r), (high, r), (h, 0.87 * r)], h)
    return Asset(Link("root", visuals, shape), r, h, grasps=grasps, face=(-1.0, 0.0, 0.0))


def bottle(
    rng: np.random.Generator,
    art: Art,
    stuff: Vec3,
    cap: Vec3,
    *,
    glass: bool = False,
) -> Asset:
    """Bottle, 50 to 55 mm across, 160 to 172 mm tall; the hand takes it by the neck."""
    r, h = rng.uniform(0.0250, 0.0275), rng.uniform(0.160, 0.172)
    neck = rng.uniform(0.0128, 0.0142)
    shoulder, throat = h * rng.uniform(0.54, 0.58), h * rng.uniform(0.70, 0.73)
    body = np.vstack(
        [
            [(1e-5, 0.003), (r - 0.008, 0.002), (r - 0.005, 0.0), (r - 0.0025, 0.0), (r - 0.0004, 0.003), (r, 0.008)],
            profile(
                [(r, 0.4 * shoulder), (r, shoulder), (0.72 * r + 0.28 * neck, 0.5 * (shoulder + throat)),
                 (neck, throat), (neck, 0.88 * h)], 3
            ),
        ]
    )  # fmt: skip
    k = neck + 0.0012
    top_cap = [(k, 0.86 * h), (k, h - 0.001), (k - 0.001, h), (1e-5, h)]
    flow = [(neck + 0.0016, 0.845 * h), (neck + 0.0016, 0.86 * h)]
    low, high = 0.10 * h, shoulder - 0.006
    wall = Material(stuff, specular=0.9 if glass else 0.6, shininess=0.9 if glass else 0.6)
    visuals = (
        Visual(revolve(body, SEGMENTS), wall),
        sleeve((r + 0.0003, low), (r + 0.0003, high), art, 0.15),
        Visual(merge(revolve(top_cap, 18), revolve(flow, 18)), Material(cap, specular=0.4, shininess=0.4), "cap"),
    )
    sections = [(0.0, r), (shoulder, r), (0.5 * (shoulder + throat), 0.72 * r + 0.28 * neck), (throat, neck), (h, neck)]
    colliders = stacked(sections, rng.uniform(0.21, 0.27), lambda z: "neck" if z > throat else "body")
    return Asset(
        Link("root", visuals, colliders), r, h, grasps=round_grasps(sections, h, part="neck"),
        spout=Spout((0.0, 0.0, h)), face=(-1.0, 0.0, 0.0),
    )  # fmt: skip


def carton(rng: np.random.Generator, art: Art, ground: Vec3, trim: Vec3) -> Asset:
    """Gable-top carton, 54 to 58 mm wide, 140 to 150 mm tall."""
    x = rng.uniform(0.027, 0.029)
    wall, gable = rng.uniform(0.116, 0.124), 0.024
    z = wall / 2
    ridge: list[tuple[float, float]] = [
        (-x + 0.001, 0.0), (x - 0.001, 0.0), (0.0035, gable - 0.009), (0.0035, gable), (-0.0035, gable),
        (-0.0035, gable - 0.009),
    ]  # fmt: skip
    roof = moved(extrude(ridge, 2 * x - 0.002), (0.0, 0.0, wall - 0.0005), about_x(math.pi / 2))
    cap = moved(
        revolve([(0.009, 0.0), (0.009, 0.007), (0.0075, 0.009), (1e-5, 0.009)], 14),
        (-0.52 * x, 0.0, wall + 0.32 * gable), (math.cos(0.31), 0.0, -math.sin(0.31), 0.0),
    )  # fmt: skip
    sides: tuple[Vec3, ...] = ((-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0))
    out = x + 0.0001
    faces = [facing(2 * x - 0.001, wall - 0.001, (out * s[0], out * s[1], z), s) for s in sides]
    visuals = (
        Visual(slab((x, x, z), 0.0012, centre=(0.0, 0.0, z)), Material(ground, specular=0.2)),
        Visual(merge(*faces), Material(texture=art(2 * x, wall, True), specular=0.2, shininess=0.3), "label"),
        Visual(roof, Material(trim, specular=0.2, shininess=0.3), "top"),
        Visual(cap, Material((0.94, 0.94, 0.93), specular=0.4), "cap"),
    )
    mass = rng.uniform(0.24, 0.32)
    colliders = (
        box((x, x, z), (0.0, 0.0, z), 0.97 * mass),
        box((0.5 * x, x - 0.002, 0.25 * gable), (0.0, 0.0, wall + 0.25 * gable), 0.02 * mass, "top"),
        box((0.005, x - 0.002, 0.25 * gable), (0.0, 0.0, wall + 0.75 * gable), 0.01 * mass, "top"),
    )
    height = wall + gable
    grip = wall - 0.011
    grasps = [
        Grasp((0.0, 0.0, grip), (0.0, 1.0, 0.0), (math.cos(p), 0.0, -math.sin(p)), cost, 2 * x)
        for p, cost in ((math.radians(50.0), 0.0), (math.radians(40.0), 0.05))
    ]
    grasps += top(grip, 2 * x, (0.0, math.pi / 2), cost=0.5)
    return Asset(
        Link("root", visuals, colliders), math.sqrt(2) * x, height, grasps=tuple(grasps),
        spout=Spout((-0.52 * x, 0.0, wall + 0.5 * gable)), face=(-1.0, 0.0, 0.0),
    )  # fmt: skip


def cup(rng: np.random.Generator, art: Art, lid: Vec3) -> Asset:
    """Paper cup with a lid, 50 to 55 mm across, 100 to 108 mm tall."""
    r, h = rng.uniform(0.0250, 0.0275), rng.uniform(0.100, 0.108)
    low = 0.78 * r
    rim = h - 0.010
    paper: Floats = np.array(
        [(1e-5, 0.003), (low - 0.0015, 0.003), (low - 0.001, 0.0), (low, 0.0), (low + 0.0003, 0.004)]
    )
    cover: Floats = np.array(
        [(r + 0.0008, rim - 0.003), (r + 0.0012, rim), (r + 0.0002, rim + 0.002), (0.86 * r, h - 0.002), (0.80 * r, h),
         (0.70 * r, h), (0.66 * r, h - 0.002), (1e-5, h - 0.002)]
    )  # fmt: skip
    spout = moved(revolve([(0.0032, 0.0), (0.0022, 0.0012), (1e-5, 0.0012)], 10), (-0.72 * r, 0.0, h - 0.0004))
    visuals = (
        sleeve((low + 0.0003, 0.004), (r, rim), art, 0.1),
        Visual(revolve(paper, 26), Material((0.95, 0.94, 0.91), specular=0.1)),
        Visual(revolve(cover, 26), Material(lid, specular=0.4, shininess=0.4), "cap"),
        Visual(spout, Material((0.2, 0.2, 0.2)), "cap"),
    )
    middle = (rim * 0.5, 0.5 * (low + r))
    sections = [(0.0, low), middle, (rim, r), (h, r)]
    colliders = stacked(sections, rng.uniform(0.13, 0.18), lambda z: "body")
    return Asset(
        Link("root", visuals, colliders), r, h, grasps=round_grasps(sections, h), spout=Spout((-0.72 * r, 0.0, h)),
        face=(-1.0, 0.0, 0.0),
    )  # fmt: skip
