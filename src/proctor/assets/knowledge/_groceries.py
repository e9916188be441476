"""Labels, the grasps that a label leaves free, and packages; what is in them is in ``groceries.toml``."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .._colliders import box, cylinder, wall
from .._grasps import rim, top
from .._mesh import Floats, merge, moved
from .._model import Asset, Collider, Grasp, Link, Material, Mesh, Site, Vec3, Visual
from .._shapes import profile, revolve, slab
from .._texture import blend, noise, plain, to_image, varied
from ._icons import Icon
from ._print import canvas, facing, ink_for, rgb, texture_of, write

SIDES: tuple[Vec3, ...] = ((-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0))


def standing_box(half: Vec3, art: Art, ground: Vec3, mass_kg: float) -> Asset:
    """Carton that stands with its broad side (width 2 half[1]) towards -x; the jaws close on its depth or its width."""
    x, y, z = half
    faces = [facing(2 * (y if side[0] else x) - 0.001, 2 * z - 0.001, _out(side, half), side) for side in SIDES]
    visuals = (
        Visual(slab(half, 0.0012, centre=(0.0, 0.0, z)), Material(ground, specular=0.2)),
        Visual(merge(*faces), Material(texture=art(2 * y, 2 * z, True), specular=0.2, shininess=0.2), "label"),
    )
    grip = max(2 * z - 0.026, 0.6 * z)
    grasps: list[Grasp] = []
    for width, yaw, cost in ((2 * x, 0.0, 0.0), (2 * y, math.pi / 2, 0.1)):
        if width <= 0.0645:
            grasps += top(grip, width, (yaw,), cost=cost)
    if 2 * y <= 0.0645:
        near = 2 * z - max((0.034 - x * math.cos(math.radians(50))) / math.sin(math.radians(50)), 0.006)
        for pitch, cost in ((50.0, 0.05), (40.0, 0.1)):
            p = math.radians(pitch)
            grasps.append(Grasp((0.0, 0.0, near), (0.0, 1.0, 0.0), (math.cos(p), 0.0, -math.sin(p)), cost, 2 * y))
    return Asset(
        Link("root", visuals, (box(half, (0.0, 0.0, z), mass_kg),)),
        math.hypot(x, y),
        2 * z,
        grasps=tuple(grasps),
        face=(-1.0, 0.0, 0.0),
    )


def _out(side: Vec3, half: Vec3) -> Vec3:
    return side[0] * (half[0] + 0.0001), side[1] * (half[1] + 0.0001), half[2]


BOWL_SIDES = 10


def bowlful(rng: np.random.Generator, glaze: Vec3, stuff: Vec3, bits: tuple[Vec3, ...], heap: float) -> Asset:
    """Bowl of something, 92 to 100 mm across, 44 to 50 mm high, taken by its rim; ``heap`` is how far it mounds up."""
    r, h, t = rng.uniform(0.046, 0.050), rng.uniform(0.044, 0.050), 0.0050
    low = 0.62 * r
    outer = [(1e-5, 0.0), (low - 0.004, 0.0), (low, 0.002), (0.86 * r, 0.5 * h), (r, h - 0.001), (r - 0.5 * t, h)]
    inner = [(r - t, h - 0.001), (0.86 * r - t, 0.5 * h), (0.8 * low, 0.2 * h), (1e-5, 0.2 * h)]
    level = 0.74 * h
    at_level = float(np.interp(level, (0.5 * h, h), (0.86 * r - t, r - t)))
    top_curve = (
        [(at_level, level)]
        + [(at_level * math.cos(a), level + heap * math.sin(a)) for a in np.linspace(0.3, math.pi / 2 - 0.05, 5)]
        + [(1e-5, level + heap)]
    )
    image = plain(varied(rng, stuff, 0.02), 64, 64)
    image = blend(image, tuple(0.8 * c for c in stuff), 0.6 * noise(rng, 64, 64, 3, (8, 8)))
    for k, colour in enumerate(bits):
        spots = noise(np.random.default_rng(int(rng.integers(1 << 30)) + k), 64, 64, 2, (9, 9))
        image = blend(image, colour, (spots > 0.72).astype(float))
    visuals = (
        Visual(
            revolve(np.array([*outer, *inner]), 28), Material(varied(rng, glaze, 0.02), specular=0.6, shininess=0.7)
        ),
        Visual(revolve(np.array(top_curve), 24), Material(texture=to_image(image), specular=0.25), "content"),
    )
    colliders = (
        cylinder(low, 0.0, 0.2 * h, 0.05, "base"),
        *wall((low - 0.5 * t + 0.002, 0.1 * h), (r - 0.5 * t, h), t, BOWL_SIDES, 0.06, "rim"),
        cylinder(0.80 * at_level, 0.2 * h, level, 0.03, "content"),
    )
    lean = math.atan2(r - low, 0.9 * h)
    grasps = rim(
        r - 0.5 * t - 0.013 * math.tan(lean),
        h - 0.013,
        t / math.cos(lean),
        (360 / BOWL_SIDES * k for k in range(BOWL_SIDES)),
        lean,
    )
    return Asset(
        Link("root", visuals, colliders),
        r + 0.002,
        h,
        grasps=grasps,
        sites=(Site("inside", "contain", (0.0, 0.0, 0.6 * h), (0.7 * r, 0.7 * r, 0.4 * h)),),
    )


@dataclass(frozen=True, slots=True)
class _Dressing:
    """Content's colour, label's colours, drawing, usual vessel; ``grainy`` content shows as grains."""

    fill: Vec3
    ground: Vec3
    band: Vec3
    icon: Icon
    usual: str
    grainy: bool = False


class _Closure:
    """Lathes that close a vessel, in the cap's material, and dark holes for a shaker."""

    def __init__(self, curves: list[Floats], holes: tuple[float, float] | None = None) -> None:
        self.curves, self.holes = curves, holes

    def __call__(self, material: Material) -> tuple[Visual, ...]:
        lids = Visual(merge(*(revolve(curve, 20) for curve in self.curves)), material, "cap")
        if self.holes is None:
            return (lids,)
        ring, z = self.holes
        spots = [(0.0, 0.0), *((ring * np.cos(a), ring * np.sin(a)) for a in np.arange(6) * np.pi / 3)]
        dot = [(0.0014, 0.0), (0.0012, 0.0003), (1e-5, 0.0003)]
        dots = [moved(revolve(dot, 8), (float(x), float(y), z - 0.12 * float(np.hypot(x, y)))) for x, y in spots]
        return lids, Visual(merge(*dots), Material((0.10, 0.10, 0.11)), "cap")


def _outline(rng: np.random.Generator, shape: str, r: float) -> tuple[Floats, _Closure, float, tuple[float, float]]:
    """Body's profile, closure, height, and (z, radius) where the narrower top begins."""
    base = [(1e-5, 0.002), (r - 0.006, 0.0015), (r - 0.004, 0.0), (r - 0.002, 0.0), (r - 0.0003, 0.002), (r, 0.006)]
    if shape == "bottle":
        s = rng.uniform(0.100, 0.110)
        neck = rng.uniform(0.0095, 0.0110)
        h = s + rng.uniform(0.024, 0.029)
        body = np.vstack([base, profile([(r, 0.5 * s), (r, s - 0.010), (0.82 * r, s - 0.002), (neck, s + 0.006)], 3)])
        k = neck + 0.0012
        lid = np.array([(neck, s + 0.004), (k, s + 0.007), (k, h - 0.001), (k - 0.001, h), (1e-5, h)])
        return body, _Closure([lid]), h, (s - 0.003, k)
    if shape == "squeeze bottle":
        s = rng.uniform(0.098, 0.106)
        h = s + rng.uniform(0.026, 0.030)
        body = np.vstack([base, profile([(0.96 * r, 0.45 * s), (r, s - 0.010), (0.90 * r, s)], 4)])
        lid = np.array(
            [
                (0.90 * r, s - 0.001),
                (0.86 * r, s + 0.006),
                (0.30 * r, s + 0.010),
                (0.0028, h - 0.001),
                (0.002, h),
                (1e-5, h),
            ]
        )
        return body, _Closure([lid]), h, (s, 0.35 * r)
    if shape == "shaker":
        s = rng.uniform(0.074, 0.084)
        h = s + 0.024
        body = np.vstack([base, [(r, 0.4 * s), (r, s)]])
        lid = np.vstack(
            [
                [(r + 0.0008, s - 0.002), (r + 0.0008, s + 0.010)],
                profile([(0.94 * r, h - 0.008), (0.66 * r, h - 0.002), (1e-5, h)], 3),
            ]
        )
        return body, _Closure([lid], (0.42 * r, h - 0.0003)), h, (s + 0.008, 0.92 * r)
    # A pot is a jar that stands in a drawer.
    s = rng.uniform(0.040, 0.044) if shape == "pot" else rng.uniform(0.080, 0.088)
    h = s + rng.uniform(0.016, 0.020)
    body = np.vstack([base, profile([(r, 0.4 * s), (r, s - 0.006), (0.94 * r, s)], 3)])
    lid = np.array([(0.97 * r, s - 0.001), (0.97 * r, h - 0.002), (0.93 * r, h), (1e-5, h)])
    return body, _Closure([lid]), h, (s, 0.97 * r)


@dataclass(frozen=True, slots=True)
class _Brew:
    """How a drink is dressed: label colour, bands, the liquid that glass shows, the drawing, the usual container."""

    ground: Vec3
    band: Vec3
    liquid: Vec3
    icon: Icon
    usual: str


Art: TypeAlias = Callable[[float, float, bool], NDArray[np.uint8]]
"""Draws a label of a given width and height in metres, for a flat side or for half of a round body."""

TILE_PX = 256

SEGMENTS = 26
"""Sides of every round body and of the label on it: with other numbers the two would cut through each other."""

FRONT_PITCH_DEG = (50.0, 60.0, 40.0, 70.0)
"""How steeply a hand comes down on something from the front, best first (spec 0.1); what is near needs a steep one."""

PALM_M = 0.036
"""The palm is this far behind the point between the pads."""


def label(rng: np.random.Generator, ground: Vec3, band: Vec3, word: str, icon: Icon | None) -> Art:
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
