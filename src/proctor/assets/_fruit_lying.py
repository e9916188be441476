"""Longish produce that lies on its side, long axis along x: lemon, lime, mango, egg, strawberry, banana.

Cross-sections are a few per cent wider than tall, and four small spheres flatten the underside by a millimetre: enough
to rest without rolling, too little to see. (MuJoCo places the contact of a bare ellipsoid on a table with an error of
up to 0.2 mm, which tilts a strawberry by a degree.)
"""

from __future__ import annotations

import math

import numpy as np

from ._colliders import LIE_ALONG_X, segment
from ._fruit import LEAF_GREEN, calyx
from ._grasps import MAX_WIDTH_M, top
from ._mesh import Floats, columns, deformed, moved, scaled
from ._model import Collider, Grasp, Link, Material, Mesh, Vec3, Visual
from ._registry import Asset, category
from ._shapes import ON_AXIS_M, TAU, pixel_aspect, revolve, sweep
from ._texture import blend, noise, pick, plain, speckle, step, to_image, varied

ROWS, COLS = 96, 64
ACROSS = (math.pi / 2,)
# Jaws that close askew turn an ellipsoid until it lies across them; beyond this angle it may roll away instead.
ASKEW_RAD = (0.35, 0.7)
ASKEW_COST = 0.25


def lying(half: Vec3, density_kg_m3: float, visuals: tuple[Visual, ...], reach_m: float | None = None) -> Asset:
    """Ellipsoid with half axes ``half`` on four feet, grasped across its long axis."""
    a, b, c = half
    mass = density_kg_m3 * 4 / 3 * math.pi * a * b * c
    foot = 0.35 * c
    colliders = [Collider("ellipsoid", half, 0.92 * mass, "body", (0.0, 0.0, c))]
    for x in (-0.28 * a, 0.28 * a):
        colliders += [Collider("sphere", (foot,), 0.02 * mass, "body", (x, y, foot)) for y in (-0.24 * b, 0.24 * b)]
    return Asset(
        Link("root", visuals, tuple(colliders)),
        radius_m=max(a, b, reach_m or 0.0),
        height_m=2 * c,
        grasps=(*top(1.06 * c, 2 * b, ACROSS), *_askew(half)),
        rolls=True,
    )


def _askew(half: Vec3) -> tuple[Grasp, ...]:
    """Grasps off the short axis, for where the room is not across; they span what an ellipse spans at that angle."""
    a, b, c = half
    grasps: list[Grasp] = []
    for angle in ASKEW_RAD:
        width = 2 * math.hypot(a * math.sin(angle), b * math.cos(angle))
        # What turns while the jaws close needs more room than what does not.
        if width <= MAX_WIDTH_M - 0.006:
            yaws = (math.pi / 2 - angle, math.pi / 2 + angle)
            grasps += top(1.06 * c, width, yaws, cost=ASKEW_COST * angle)
    return tuple(grasps)


def laid(curve: Floats, half: Vec3, segments: int = 20) -> Mesh:
    """Lathe a curve of unit radius along x and stretch its section to ``half``."""
    return moved(scaled(revolve(curve, segments), (half[2], half[1], 1.0)), (0.0, 0.0, half[2]), LIE_ALONG_X)


def _aspect(curve: Floats, half: Vec3) -> Floats:
    return pixel_aspect(curve * (half[1], 1.0), ROWS, COLS)


def _citrus(rng: np.random.Generator, half: Vec3, nipple: float, peel: Vec3, pale: Vec3) -> Asset:
    a = half[0]
    body = a * (1.0 - nipple)
    t = np.linspace(-math.pi / 2, math.pi / 2, 13)
    x, r = body * np.sin(t), np.cos(t) ** 0.9
    ends = np.array([0.13, 0.20])
    tip = np.array([a, body + 0.45 * nipple * a])
    curve = np.r_[
        [(ON_AXIS_M, -a)],
        np.c_[ends, -tip],
        np.c_[r, x][1:-1][np.abs(r[1:-1]) > 0.26],
        np.c_[ends[::-1], tip[::-1]],
        [(ON_AXIS_M, a)],
    ]
    pores = rng.random((ROWS, COLS))
    image = blend(peel, pale, 0.6 * noise(rng, ROWS, COLS, 3, (3, 2)))
    image = blend(image, tuple(0.84 * c for c in peel), 0.5 * step(0.55, 1.0, pores))
    v = np.linspace(0, 1, ROWS)[:, None] + 0 * pores
    image = blend(image, (0.50, 0.50, 0.16), 0.8 * step(0.95, 0.985, v) + 0.5 * step(0.04, 0.01, v))
    return lying(
        half, 950.0, (Visual(laid(curve, half), Material(texture=to_image(image), specular=0.35, shininess=0.4)),)
    )


@category("lemon", nouns=("lemon",))
def lemon(rng: np.random.Generator) -> Asset:
    """Lemon, 70 to 82 mm long, 50 to 57 mm wide."""
    b = rng.uniform(0.025, 0.0285)
    half = (b * rng.uniform(1.36, 1.46), b, 0.955 * b)
    return _citrus(rng, half, rng.uniform(0.10, 0.15), varied(rng, (0.96, 0.82, 0.12), 0.02), (0.98, 0.90, 0.36))


@category("lime", nouns=("lime",))
def lime(rng: np.random.Generator) -> Asset:
    """Lime, 52 to 64 mm long, 43 to 50 mm wide."""
    b = rng.uniform(0.0215, 0.025)
    half = (b * rng.uniform(1.20, 1.28), b, 0.955 * b)
    peel = varied(rng, pick(rng, [(0.30, 0.55, 0.12), (0.38, 0.60, 0.16), (0.24, 0.47, 0.12)]), 0.02)
    return _citrus(rng, half, rng.uniform(0.05, 0.09), peel, (0.58, 0.72, 0.25))


@category("mango", nouns=("mango",))
def mango(rng: np.random.Generator) -> Asset:
    """Mango on its flat side, 88 to 104 mm long, 60 to 69 mm wide, green to red by its ripe side."""
    b = rng.uniform(0.030, 0.0345)
    half = (b * rng.uniform(1.44, 1.54), b, b * rng.uniform(0.84, 0.90))
    t = np.linspace(-math.pi / 2, math.pi / 2, 15)
    curve = np.c_[np.maximum(np.cos(t) ** 0.88 * (1 + 0.14 * np.sin(t)) / 1.02, ON_AXIS_M), half[0] * np.sin(t)]

    def kidney(p: Floats) -> Floats:
        s = p[:, 0] / half[0]
        hollow = 0.16 * b * (0.5 - s**2) * np.where(p[:, 1] > 0, 0.0, 1.0)
        return columns(p[:, 0], p[:, 1] + hollow + 0.06 * b * s**3, p[:, 2])

    u = np.linspace(0, 1, COLS, endpoint=False)[None]
    v = np.linspace(0, 1, ROWS)[:, None]
    cloud = noise(rng, ROWS, COLS, 4, (3, 3))
    ripe = 0.5 + 0.5 * np.cos(TAU * (u - rng.random()))
    green = varied(rng, (0.45, 0.56, 0.15), 0.03)
    yellow = varied(rng, (0.95, 0.69, 0.16), 0.02)
    red = varied(rng, (0.78, 0.20, 0.12), 0.03)
    heat = 0.55 * ripe + 0.35 * v + 0.35 * (cloud - 0.5)
    image = blend(blend(green, yellow, step(0.15, 0.50, heat)), red, step(0.52, 0.88, heat))
    image = blend(image, (0.30, 0.22, 0.10), step(0.975, 0.99, v + 0 * u))
    skin = Material(texture=to_image(image), specular=0.4, shininess=0.5)
    return lying(half, 1000.0, (Visual(deformed(laid(curve, half, 22), kidney), skin),))


@category("egg", nouns=("egg",))
def egg(rng: np.random.Generator) -> Asset:
    """Hen's egg on its side, 53 to 60 mm long, 55 to 65 g."""
    b = rng.uniform(0.0205, 0.0226)
    half = (b * rng.uniform(1.28, 1.35), b, 0.955 * b)
    t = np.linspace(-math.pi / 2, math.pi / 2, 17)
    curve = np.c_[np.maximum(np.cos(t) * (1 - 0.13 * np.sin(t)) / 1.008, ON_AXIS_M), half[0] * np.sin(t)]
    shell = varied(rng, pick(rng, [(0.86, 0.66, 0.48), (0.93, 0.86, 0.76), (0.78, 0.56, 0.38)]), 0.015)
    image = blend(plain(shell, ROWS, COLS), (0.97, 0.90, 0.80), 0.18 * noise(rng, ROWS, COLS, 3, (8, 6)))
    freckle = (0.8 * shell[0], 0.74 * shell[1], 0.68 * shell[2])
    image = speckle(rng, image, freckle, int(rng.integers(15, 90)), 0.6, _aspect(curve, half))
    return lying(
        half, 1030.0, (Visual(laid(curve, half), Material(texture=to_image(image), specular=0.2, shininess=0.3)),)
    )


@category("strawberry", nouns=("strawberry",))
def strawberry(rng: np.random.Generator) -> Asset:
    """Strawberry on its side, 36 to 42 mm long, 30 to 35 mm wide, leaves at one end."""
    b = rng.uniform(0.0150, 0.0175)
    half = (b * rng.uniform(1.16, 1.24), b, 0.92 * b)
    t = np.linspace(-math.pi / 2, math.pi / 2, 13)
    s = np.sin(t)
    curve = np.c_[np.maximum(np.cos(t) ** 0.8 * (1 - 0.26 * s - 0.10 * s**2) / 1.02, ON_AXIS_M), half[0] * s]
    red = varied(rng, (0.82, 0.08, 0.10), 0.02)
    image = blend(plain(red, ROWS, COLS), (0.62, 0.04, 0.08), 0.5 * noise(rng, ROWS, COLS, 3, (3, 3)))
    image = _seeds(image, 11, 9)
    v = np.linspace(0, 1, ROWS)[:, None] + np.zeros((1, COLS))
    image = blend(image, (0.93, 0.72, 0.55), step(0.13, 0.05, v))
    leaves = moved(_hugging(calyx(rng, 7, 1.12, 0.0, 0.0), curve, half), (0.0, 0.0, half[2]), LIE_ALONG_X)
    stalk = sweep(
        [(-0.95 * half[0], 0, half[2]), (-1.15 * half[0], 0, 1.06 * half[2]), (-1.34 * half[0], 0.001, 1.2 * half[2])],
        0.0011,
        6,
    )
    visuals = (
        Visual(laid(curve, half), Material(texture=to_image(image), specular=0.6, shininess=0.6)),
        Visual(leaves, Material(varied(rng, LEAF_GREEN, 0.03), specular=0.1), part="stem"),
        Visual(stalk, Material((0.42, 0.56, 0.22), specular=0.1), part="stem"),
    )
    return lying(half, 850.0, visuals, 1.34 * half[0])


def _hugging(star: Mesh, curve: Floats, half: Vec3) -> Mesh:
    """Bend a flat star of unit size over the blunt end of a lathe, with tips that lift off the skin."""
    widest = int(np.argmax(curve[:, 0]))

    def bend(p: Floats) -> Floats:
        r = np.hypot(p[:, 0], p[:, 1])
        skin = np.interp(np.minimum(r, 0.97), curve[: widest + 1, 0], curve[: widest + 1, 1])
        lift = 0.0006 + 0.08 * half[1] * r**2
        return columns(p[:, 0] * half[2], p[:, 1] * half[1], skin - lift + p[:, 2])

    return deformed(star, bend)


def _seeds(image: Floats, rows: int, per_row: int) -> Floats:
    """Yellow seeds in staggered rows."""
    height, width, _ = image.shape
    y, x = np.mgrid[0:height, 0:width]
    out = image
    for row in range(1, rows):
        for col in range(per_row):
            cy = row / rows * height
            cx = (col + 0.5 * (row % 2)) / per_row * width
            dx = np.minimum(np.abs(x - cx), width - np.abs(x - cx))
            out = blend(out, (0.95, 0.80, 0.38), step(1.25, 0.65, np.hypot(dx / 1.0, (y - cy) / 1.5)))
    return out


@category("banana", nouns=("banana",))
def banana(rng: np.random.Generator) -> Asset:
    """Banana lying on its side, 145 to 170 mm along the curve, 31 to 36 mm thick."""
    return curved(rng, rng.uniform(0.0155, 0.018), rng.uniform(0.082, 0.095), rng.uniform(0.86, 0.96))


def curved(rng: np.random.Generator, r: float, bend: float, reach: float) -> Asset:
    """Banana of radius ``r`` along an arc of radius ``bend`` that reaches ``reach`` radians to either side."""
    a = np.linspace(-reach, reach, 17)
    shift = bend * (1 - math.cos(0.55 * reach))
    path = np.c_[bend * np.sin(a), bend * (np.cos(a) - 1) + shift, np.full(17, r)]
    taper = np.sqrt(np.clip(1 - (np.abs(a) / (1.04 * reach)) ** 6, 0.05, 1))
    taper[0], taper[-1] = 0.26, 0.22
    ridges = sweep(path, r * taper, 15)

    def faceted(p: Floats) -> Floats:
        along = np.arctan2(p[:, 0], p[:, 1] + bend - shift)
        centre = columns(bend * np.sin(along), bend * (np.cos(along) - 1) + shift, np.full(len(p), r))
        out = p - centre
        around = np.arctan2(out[:, 2], out[:, 1])
        return columns(centre + out * (0.975 + 0.025 * np.cos(5 * around))[:, None])

    height, width = 128, 48
    v = np.linspace(0, 1, height)[:, None]
    cloud = noise(rng, height, width, 4, (8, 3))
    yellow = varied(rng, (0.95, 0.79, 0.16), 0.02)
    image = blend(yellow, (0.98, 0.87, 0.36), 0.6 * noise(rng, height, width, 2, (2, 5)))
    image = blend(
        image, (0.62, 0.68, 0.20), rng.uniform(0.2, 0.8) * step(0.72, 1.0, np.abs(v - 0.5) * 2 + 0.12 * (cloud - 0.5))
    )
    image = blend(image, (0.40, 0.26, 0.10), step(rng.uniform(0.80, 0.90), 1.0, cloud))
    image = blend(image, (0.22, 0.16, 0.08), step(0.955, 0.975, np.abs(v - 0.5) * 2 + 0 * cloud))
    end = path[-1] + 0.013 * np.array([math.cos(a[-1]), -math.sin(a[-1]) * 1.0, 0.25])
    stalk = sweep([path[-1], (path[-1] + end) / 2, end], [0.0044, 0.0038, 0.0046], 8)
    visuals = (
        Visual(deformed(ridges, faceted), Material(texture=to_image(image), specular=0.2, shininess=0.3)),
        Visual(stalk, Material((0.45, 0.42, 0.14), specular=0.1), part="stem"),
    )
    mass = 1000.0 * math.pi * r**2 * 2 * reach * bend * 0.80
    colliders = (
        *(segment(path[i], path[i + 3], r, 0.22 * mass) for i in (2, 5, 8, 11)),
        segment(path[2], 0.3 * path[0] + 0.7 * path[1], 0.55 * r, 0.06 * mass),
        segment(path[14], 0.7 * path[15] + 0.3 * path[16], 0.55 * r, 0.06 * mass),
    )
    grasps = [
        Grasp(
            (float(path[i][0]), float(path[i][1]), 1.06 * r),
            (math.sin(a[i]), math.cos(a[i]), 0.0),
            cost=c,
            width_m=2 * r,
        )
        for i, c in ((8, 0.0), (6, 0.15), (10, 0.15))
    ]
    return Asset(
        Link("root", visuals, colliders),
        radius_m=float(np.hypot(end[0], end[1])),
        height_m=2 * r,
        grasps=tuple(grasps),
        elongated=True,
    )
