"""Fruits that the arena does not have: pear, avocado, grape, pineapple, cherry, plum."""

from __future__ import annotations

import math

import numpy as np

from .._colliders import cylinder
from .._fruit import COLS, LEAF_GREEN, ROWS, STEM_BROWN, standing, stem
from .._fruit_lying import laid, lying
from .._grasps import top
from .._mesh import Floats, columns, deformed, merge, moved
from .._model import Collider, Link, Material, Mesh, Vec3, Visual
from .._registry import Asset
from .._shapes import ON_AXIS_M, TAU, oval, pixel_aspect, profile, revolve, sweep
from .._texture import blend, noise, pick, plain, speckle, step, to_image, varied


def pear(rng: np.random.Generator) -> Asset:
    """Pear standing on its base, 52 to 60 mm wide, 75 to 86 mm tall; a small foot keeps it upright."""
    r = rng.uniform(0.026, 0.030)
    h = r * rng.uniform(2.75, 2.95)
    neck = rng.uniform(0.36, 0.42)
    points = [
        (0.0, 0.035), (0.30, 0.005), (0.74, 0.10), (0.99, 0.33), (0.90, 0.52), (1.45 * neck, 0.70), (neck, 0.86),
        (0.62 * neck, 0.965), (0.0, 0.985),
    ]  # fmt: skip
    curve = profile(np.array(points) * (r, h), 2)
    skin = varied(rng, pick(rng, [(0.74, 0.76, 0.24), (0.62, 0.70, 0.22), (0.84, 0.74, 0.30)]), 0.02)
    cloud = noise(rng, ROWS, COLS, 3, (3, 4))
    side = 0.5 + 0.5 * np.cos(TAU * (np.linspace(0, 1, COLS, endpoint=False)[None] - rng.random()))
    image = blend(
        plain(skin, ROWS, COLS), (0.82, 0.42, 0.18), rng.uniform(0.2, 0.7) * step(0.7, 1.3, side + 0.4 * cloud)
    )
    image = speckle(rng, image, (0.50, 0.42, 0.16), 120, 0.5, pixel_aspect(curve, ROWS, COLS))
    visuals = (
        Visual(revolve(curve, 24), Material(texture=to_image(image), specular=0.25, shininess=0.3)),
        Visual(stem(0.965 * h, 0.16 * h, rng.uniform(0.002, 0.006)), Material(STEM_BROWN), part="stem"),
    )
    mass = 950.0 * 4 / 3 * math.pi * r**3 * 1.05
    colliders = (
        cylinder(0.42 * r, 0.0, 0.004, 0.10 * mass),
        Collider("ellipsoid", (r, r, 0.33 * h), 0.72 * mass, "body", (0.0, 0.0, 0.335 * h)),
        Collider("ellipsoid", (1.15 * neck * r, 1.15 * neck * r, 0.30 * h), 0.18 * mass, "body", (0.0, 0.0, 0.69 * h)),
    )
    grip = max(0.42 * h, h - 0.0355)
    wide = r * math.sqrt(max(1 - ((grip - 0.335 * h) / (0.33 * h)) ** 2, 0.0))
    return Asset(Link("root", visuals, colliders), r, h, grasps=top(grip, 2 * wide), rolls=True)


def avocado(rng: np.random.Generator) -> Asset:
    """Avocado on its side, 82 to 96 mm long, 54 to 62 mm wide, dark and pebbled."""
    b = rng.uniform(0.027, 0.031)
    half = (b * rng.uniform(1.50, 1.58), b, 0.94 * b)
    t = np.linspace(-math.pi / 2, math.pi / 2, 15)
    s = np.sin(t)
    curve = np.c_[np.maximum(np.cos(t) ** 0.85 * (1 - 0.25 * s - 0.06 * s**2) / 1.03, ON_AXIS_M), half[0] * s]
    green = varied(rng, pick(rng, [(0.20, 0.30, 0.11), (0.16, 0.20, 0.12), (0.26, 0.38, 0.13)]), 0.02)
    image = blend(plain(green, 96, 64), tuple(1.7 * c for c in green), 0.5 * noise(rng, 96, 64, 3, (10, 8)))
    image = blend(image, tuple(0.6 * c for c in green), 0.55 * step(0.55, 0.95, rng.random((96, 64))))
    image = speckle(rng, image, (0.52, 0.58, 0.26), 70, 0.6, pixel_aspect(curve * (b, 1.0), 96, 64))
    button = sweep([(0.985 * half[0], 0, half[2]), (1.05 * half[0], 0, half[2])], [0.0030, 0.0024], 8)
    visuals = (
        Visual(laid(curve, half, 24), Material(texture=to_image(image), specular=0.3, shininess=0.25)),
        Visual(button, Material(STEM_BROWN), part="stem"),
    )
    return lying(half, 960.0, visuals)


def grape(rng: np.random.Generator) -> Asset:
    """Bunch of eleven grapes lying on the table, stalk towards +x, 54 to 61 mm wide."""
    r = rng.uniform(0.0091, 0.0101)
    d = 2 * r
    row = d * math.sqrt(0.75)
    low = (
        [(0.0, y) for y in (-d, 0.0, d)] + [(row, y) for y in (-r, r)] + [(-row, y) for y in (-r, r)] + [(-2 * row, 0)]
    )
    high = [(row / 3, -r), (row / 3, r), (-2 * row / 3, 0.0)]
    rise = d * math.sqrt(2 / 3)
    centres = [(x + 0.35 * row, y, r) for x, y in low] + [(x + 0.35 * row, y, r + rise) for x, y in high]
    skin = varied(
        rng, pick(rng, [(0.32, 0.14, 0.38), (0.24, 0.10, 0.26), (0.55, 0.70, 0.28), (0.50, 0.14, 0.24)]), 0.02
    )
    bloom = tuple(0.6 * c + 0.34 for c in skin)
    image = blend(plain(skin, 32, 32), bloom, 0.55 * step(0.45, 1.0, noise(rng, 32, 32, 3, (2, 2))))
    berry = revolve(oval(1.0, 1.0, 0.0, 8), 10, min_area_m2=1e-5)
    berries = [_ball(berry, r * rng.uniform(0.985, 1.03), c, rng.uniform(0, TAU)) for c in centres]
    reach = 0.35 * row + 1.6 * row
    stalk = sweep(
        [(-0.6 * row, 0, r + rise), (0.9 * row, 0.001, 1.7 * r + rise), (reach, 0.003, 2.0 * r + rise)],
        [0.0015, 0.0018, 0.0024], 6,
    )  # fmt: skip
    visuals = (
        Visual(merge(*berries), Material(texture=to_image(image), specular=0.6, shininess=0.6)),
        Visual(stalk, Material((0.46, 0.50, 0.20), specular=0.1), part="stem"),
    )
    mass = 1050.0 * 4 / 3 * math.pi * r**3 * 1.6
    colliders = tuple(Collider("sphere", (r,), mass, "body", c) for c in centres)
    grasps = top(max(1.06 * r, 0.0105), 6 * r, (math.pi / 2,), (0.35 * row, 0.0))
    return Asset(Link("root", visuals, colliders), 2.75 * row, 2 * r + rise, grasps=grasps)


def _ball(unit: Mesh, r: float, at: Vec3, turn: float) -> Mesh:
    quat = (math.cos(turn / 2), math.sin(turn / 2) * 0.6, math.sin(turn / 2) * 0.8, 0.0)
    turned = moved(unit, (0.0, 0.0, 0.0), quat)
    return moved(Mesh(turned.vertices * np.float32(r), turned.faces, turned.normals, turned.uv), at)


def pineapple(rng: np.random.Generator) -> Asset:
    """Small pineapple on its side, 80 to 92 mm without its crown of spiky leaves (+x), 54 to 60 mm wide."""
    b = rng.uniform(0.027, 0.030)
    half = (b * rng.uniform(1.42, 1.52), b, 0.95 * b)
    t = np.linspace(-math.pi / 2, math.pi / 2, 17)
    curve = np.c_[np.maximum(np.cos(t) ** 0.62 / 1.0, ON_AXIS_M), half[0] * np.sin(t)]
    rows, cols = 96, 96
    v, u = np.mgrid[0:rows, 0:cols] / np.array([rows, cols]).reshape(2, 1, 1)
    eyes = np.abs(np.sin(math.pi * (8 * u + 7 * v))) * np.abs(np.sin(math.pi * (8 * u - 7 * v)))
    gold = varied(rng, pick(rng, [(0.86, 0.58, 0.16), (0.80, 0.52, 0.14), (0.70, 0.58, 0.20)]), 0.02)
    image = blend(plain((0.40, 0.26, 0.08), rows, cols), gold, step(0.10, 0.42, eyes))
    image = blend(image, (0.52, 0.56, 0.18), 0.6 * step(0.5, 1.0, v) * step(0.4, 0.7, eyes))
    image = blend(image, (0.34, 0.20, 0.07), step(0.90, 0.98, eyes))

    def eyed(p: Floats) -> Floats:
        x, around = p[:, 0] / half[0], np.arctan2(p[:, 2] - half[2], p[:, 1])
        bump = 0.985 + 0.015 * np.cos(8 * around) * np.cos(11 * x)
        middle = (0.0, 0.0, half[2])
        return columns((p - middle) * (1, 1, 1) * bump[:, None] + middle)

    leaves = [
        _leaf(rng, half, TAU * (k + 0.5 * ring) / count, tilt, length)
        for ring, (count, tilt, length) in enumerate(((7, 0.72, 0.030), (5, 0.34, 0.038), (2, 0.06, 0.042)))
        for k in range(count)
    ]
    visuals = (
        Visual(deformed(laid(curve, half, 26), eyed), Material(texture=to_image(image), specular=0.2, shininess=0.2)),
        Visual(merge(*leaves), Material(varied(rng, (0.26, 0.44, 0.20), 0.03), specular=0.1), part="stem"),
    )
    return lying(half, 900.0, visuals, half[0] + 0.030)


def _leaf(rng: np.random.Generator, half: Vec3, around: float, tilt: float, length: float) -> Mesh:
    """Sword-shaped leaf out of the end of a pineapple, bent outwards by ``tilt``."""
    base = np.array(
        [0.94 * half[0], 0.26 * half[1] * math.cos(around) * tilt, half[2] * (1 + 0.26 * math.sin(around) * tilt)]
    )
    out = np.array([0.0, math.cos(around), math.sin(around)])
    along = np.array([math.cos(tilt), 0.0, 0.0]) + math.sin(tilt) * out
    tip = base + length * rng.uniform(0.9, 1.1) * along + 0.25 * length * tilt * out
    tip[2] = max(tip[2], 0.003)
    middle = base + 0.5 * length * along
    middle[2] = max(middle[2], 0.003)
    return sweep([base, middle, tip], [0.0044, 0.0036, 0.0005], 6, aspect=0.3)


def cherry(rng: np.random.Generator) -> Asset:
    """Two cherries on one fork of stalks, side by side along x, 54 to 61 mm across both."""
    r = rng.uniform(0.0134, 0.0150)
    h = 0.95 * r
    red = varied(rng, pick(rng, [(0.56, 0.03, 0.08), (0.70, 0.06, 0.08), (0.38, 0.02, 0.07)]), 0.015)
    points = [(0.0, 0.02), (0.4, 0.02), (0.85, 0.45), (1.0, 1.0), (0.86, 1.56), (0.45, 1.96), (0.16, 1.93), (0.0, 1.78)]
    curve = profile(np.array(points) * (r, h), 2)
    joint = np.array([0.0, 0.3 * r, 2 * h + 0.9 * r])
    fruits, stalks = [], []
    for side in (-1, 1):
        fruits.append(moved(revolve(curve, 16), (side * 1.01 * r, 0.0, 0.0)))
        foot = np.array([side * 1.01 * r, 0.0, 1.80 * h])
        stalks.append(sweep([foot, 0.5 * (foot + joint) + (0.3 * side * r, 0, 0.1 * r), joint], 0.0010, 5))
    image = blend(plain(red, 32, 32), tuple(1.4 * c for c in red), 0.5 * noise(rng, 32, 32, 2, (2, 2)))
    visuals = (
        Visual(merge(*fruits), Material(texture=to_image(image), specular=0.9, shininess=0.8)),
        Visual(merge(*stalks), Material(varied(rng, LEAF_GREEN, 0.02), specular=0.1), part="stem"),
    )
    mass = 1050.0 * 4 / 3 * math.pi * r**2 * h
    # A thin foot under the pair: two round bodies in line roll about it.
    colliders = (
        *(Collider("ellipsoid", (r, r, h), mass, "body", (s * 1.01 * r, 0.0, h)) for s in (-1, 1)),
        Collider("box", (r, 0.30 * r, 0.0008), 0.05 * mass, "body", (0.0, 0.0, 0.0008)),
    )
    grasps = (
        *top(1.05 * h, 4.02 * r, (0.0,)),
        *(g for s in (-1, 1) for g in top(1.05 * h, 2 * r, (math.pi / 2,), (s * 1.01 * r, 0.0), 0.3)),
    )
    return Asset(Link("root", visuals, colliders), 2.02 * r, 2 * h + 0.9 * r, grasps=grasps, rolls=True)


def plum(rng: np.random.Generator) -> Asset:
    """Plum with a seam and a dusty bloom, 47 to 54 mm wide."""
    r = rng.uniform(0.0235, 0.027)
    h = r * rng.uniform(0.95, 0.985)
    points = [
        (0.0, 0.02),
        (0.34, 0.03),
        (0.78, 0.36),
        (1.0, 0.98),
        (0.90, 1.50),
        (0.55, 1.88),
        (0.18, 1.97),
        (0.0, 1.86),
    ]
    curve = profile(np.array(points) * (r, h), 2)

    def seam(p: Floats) -> Floats:
        around = np.arctan2(p[:, 1], p[:, 0])
        depth = 0.07 * np.exp(-((around / 0.16) ** 2)) * np.sin(np.clip(p[:, 2] / (2 * h), 0, 1) * math.pi) ** 0.5
        return columns(p[:, :2] * (1 - depth)[:, None], p[:, 2])

    skin = varied(rng, pick(rng, [(0.26, 0.10, 0.30), (0.36, 0.08, 0.20), (0.20, 0.12, 0.34)]), 0.02)
    cloud = noise(rng, ROWS, COLS, 4, (2, 3))
    image = blend(plain(skin, ROWS, COLS), (0.52, 0.46, 0.64), 0.6 * step(0.35, 1.0, cloud))
    image = speckle(rng, image, (0.60, 0.42, 0.40), 40, 0.5, pixel_aspect(curve, ROWS, COLS))
    visuals = (
        Visual(deformed(revolve(curve, 26), seam), Material(texture=to_image(image), specular=0.3, shininess=0.4)),
        Visual(stem(1.84 * h, 0.26 * h, rng.uniform(0.001, 0.003), 0.0011), Material(STEM_BROWN), part="stem"),
    )
    return standing(r, h, 950.0, visuals, 0.1 * h)
