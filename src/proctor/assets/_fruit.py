"""Round produce that stands on its base: apple, orange, peach, onion, tomato.

Each is one ellipsoid to touch, a little flatter than a sphere so that it has a rest pose, and a lathe to look at.
Diameters stay below 72 mm: the hand opens to 80 mm.
"""

from __future__ import annotations

import math

import numpy as np

from ._grasps import top
from ._mesh import Floats, columns, deformed, moved
from ._model import Collider, Link, Material, Mesh, Visual
from ._registry import Asset, category
from ._shapes import TAU, catmull_rom, extrude, oval, pixel_aspect, profile, revolve, sweep
from ._texture import blend, noise, pick, plain, speckle, step, to_image, varied

ROWS, COLS = 64, 96
STEM_BROWN = (0.29, 0.19, 0.09)
LEAF_GREEN = (0.24, 0.46, 0.13)


def standing(
    radius: float, half_height: float, density_kg_m3: float, visuals: tuple[Visual, ...], top_m: float = 0.0
) -> Asset:
    """Ellipsoid on its base, grasped a little above its middle from any side; ``top_m`` is what stands out above it."""
    mass = density_kg_m3 * 4 / 3 * math.pi * radius**2 * half_height
    shape = Collider("ellipsoid", (radius, radius, half_height), mass, "body", (0.0, 0.0, half_height))
    return Asset(
        Link("root", visuals, (shape,)),
        radius_m=radius,
        height_m=2 * half_height + top_m,
        grasps=top(1.10 * half_height, 2 * radius),
        rolls=True,
    )


def stem(base_z: float, length: float, lean: float, radius: float = 0.0014) -> Mesh:
    """Short bent stalk on the axis."""
    path = [(0, 0, base_z), (0.1 * lean, 0, base_z + 0.5 * length), (lean, 0.3 * lean, base_z + length)]
    return sweep(catmull_rom(path, 3), np.linspace(radius, 1.25 * radius, 7), 6)


def calyx(rng: np.random.Generator, points: int, reach: float, droop: float, z: float) -> Mesh:
    """Green star of leaves on top of a fruit; tips hang ``droop`` below the centre."""
    angle = np.arange(2 * points) * math.pi / points
    radius = np.where(np.arange(2 * points) % 2 == 0, reach * rng.uniform(0.85, 1.1, 2 * points), 0.34 * reach)
    star = extrude(np.c_[radius * np.cos(angle), radius * np.sin(angle)], 0.0009)

    def hang(p: Floats) -> Floats:
        r = np.hypot(p[:, 0], p[:, 1]) / reach
        return columns(p[:, :2], p[:, 2] + z - droop * r**2)

    return deformed(star, hang)


@category("apple", nouns=("apple",))
def apple(rng: np.random.Generator) -> Asset:
    """Red apple, 62 to 71 mm wide, about 150 g."""
    r = rng.uniform(0.0312, 0.0354)
    h = r * rng.uniform(0.94, 0.985)
    points = [
        (0.0, 0.13),
        (0.22, 0.03),
        (0.45, 0.05),
        (0.78, 0.36),
        (0.99, 0.98),
        (0.93, 1.46),
        (0.66, 1.90),
        (0.34, 1.985),
        (0.14, 1.88),
        (0, 1.72),
    ]
    curve = profile(np.array(points) * (r, h), 2)
    lobes, phase = rng.uniform(0.008, 0.02), rng.uniform(0, TAU)

    def shape(p: Floats) -> Floats:
        around = np.arctan2(p[:, 1], p[:, 0])
        low = 1 - p[:, 2] / (2 * h)
        bump = 1 + lobes * np.cos(5 * around + phase) * (0.3 + low)
        return columns(p[:, :2] * np.minimum(bump, 1.004)[:, None], p[:, 2])

    red = varied(rng, pick(rng, [(0.70, 0.07, 0.09), (0.78, 0.12, 0.10), (0.62, 0.06, 0.12)]), 0.02)
    gold = varied(rng, (0.90, 0.72, 0.28), 0.03)
    v = np.linspace(0, 1, ROWS)[:, None]
    streaks = noise(rng, ROWS, COLS, 3, (2, 12))
    blush = noise(rng, ROWS, COLS, 2, (2, 2))
    yellow = step(0.62, 1.0, np.abs(v - 0.48) * 1.7 + 0.30 * blush + 0.16 * (streaks - 0.5)) + 0.35 * step(
        0.68, 0.95, streaks
    )
    image = blend(red, gold, rng.uniform(0.6, 1.0) * yellow)
    image = blend(image, (0.36, 0.30, 0.10), step(0.95, 1.0, v + 0 * streaks))
    skin = Material(
        texture=to_image(speckle(rng, image, (0.84, 0.48, 0.30), 45, 0.55, pixel_aspect(curve, ROWS, COLS))),
        specular=0.6,
        shininess=0.7,
    )
    visuals = (
        Visual(deformed(revolve(curve, 24), shape), skin),
        Visual(stem(1.70 * h, 0.34 * h, rng.uniform(0.001, 0.004)), Material(STEM_BROWN), part="stem"),
    )
    return standing(r, h, 830.0, visuals, 0.05 * h)


@category("orange", nouns=("orange",))
def orange(rng: np.random.Generator) -> Asset:
    """Orange with pored peel, 63 to 71 mm wide."""
    r = rng.uniform(0.0315, 0.0354)
    h = r * rng.uniform(0.95, 0.98)
    peel = varied(rng, (0.95, 0.51, 0.07), 0.025)
    pores = rng.random((ROWS, COLS))
    tint = noise(rng, ROWS, COLS, 3, (2, 3))
    image = blend(peel, (0.98, 0.66, 0.16), 0.5 * tint)
    image = blend(image, tuple(0.80 * c for c in peel), 0.5 * step(0.55, 1.0, pores))
    v = np.linspace(0, 1, ROWS)[:, None] + 0 * tint
    image = blend(image, (0.45, 0.42, 0.14), step(0.965, 0.985, v))
    image = blend(image, tuple(0.72 * c for c in peel), step(0.03, 0.012, v))
    curve = oval(r, h, h, 13)
    curve[-1, 1] -= 0.06 * h
    visuals = (Visual(revolve(curve, 24), Material(texture=to_image(image), specular=0.25, shininess=0.25)),)
    return standing(r, h, 900.0, visuals)


@category("peach", nouns=("peach",))
def peach(rng: np.random.Generator) -> Asset:
    """Peach with a cleft and a blushed side, 58 to 67 mm wide."""
    r = rng.uniform(0.029, 0.0335)
    h = r * rng.uniform(0.92, 0.97)
    points = [
        (0.0, 0.04),
        (0.30, 0.02),
        (0.72, 0.30),
        (0.98, 0.85),
        (0.95, 1.35),
        (0.70, 1.80),
        (0.36, 1.97),
        (0.13, 1.90),
        (0.0, 1.74),
    ]
    curve = profile(np.array(points) * (r, h), 2)

    def cleft(p: Floats) -> Floats:
        around = np.arctan2(p[:, 1], p[:, 0])
        depth = 0.11 * np.exp(-((around / 0.24) ** 2)) * np.sin(np.clip(p[:, 2] / (2 * h), 0, 1) * math.pi) ** 0.5
        return columns(p[:, :2] * (1 - depth)[:, None], p[:, 2])

    u = np.linspace(0, 1, COLS, endpoint=False)[None]
    v = np.linspace(0, 1, ROWS)[:, None]
    cloud = noise(rng, ROWS, COLS, 4, (3, 4))
    side = 0.5 + 0.5 * np.cos(TAU * (u - rng.random()))
    flesh = varied(rng, (0.97, 0.70, 0.40), 0.02)
    red = varied(rng, (0.86, 0.30, 0.24), 0.025)
    image = blend(flesh, red, 0.9 * step(0.55, 1.25, 0.75 * side + 0.45 * cloud + 0.1 * v))
    image = blend(image, (0.55, 0.28, 0.16), step(0.955, 1.0, v + 0 * u))
    visuals = (
        Visual(deformed(revolve(curve, 28), cleft), Material(texture=to_image(image), specular=0.08, shininess=0.1)),
        Visual(stem(1.70 * h, 0.12 * h, 0.0005, 0.0012), Material(STEM_BROWN), part="stem"),
    )
    return standing(r, h, 900.0, visuals)


@category("onion", nouns=("onion",))
def onion(rng: np.random.Generator) -> Asset:
    """Bulb with papery, veined skin and a dry tip, 58 to 68 mm wide."""
    r = rng.uniform(0.029, 0.034)
    h = r * rng.uniform(0.88, 0.96)
    tip = rng.uniform(0.12, 0.20)
    points = [
        (0.0, 0.05), (0.16, 0.0), (0.42, 0.10), (0.82, 0.46), (1.0, 0.98), (0.90, 1.42), (0.60, 1.76), (0.32, 1.97),
        (0.17, 2.0 + 0.45 * tip), (0.09, 2.0 + tip), (0.0, 2.02 + tip),
    ]  # fmt: skip
    curve = profile(np.array(points) * (r, h), 2)
    skin = varied(rng, pick(rng, [(0.78, 0.46, 0.16), (0.70, 0.38, 0.14), (0.82, 0.52, 0.22)]), 0.03)
    dark = (0.52 * skin[0], 0.44 * skin[1], 0.40 * skin[2])
    u = np.linspace(0, 1, COLS, endpoint=False)[None]
    v = np.linspace(0, 1, ROWS)[:, None]
    grain = noise(rng, ROWS, COLS, 2, (1, 24))
    veins = step(0.86, 1.0, np.sin(TAU * (25 * u + 1.2 * grain)))
    image = blend(skin, (0.92, 0.66, 0.34), 0.6 * noise(rng, ROWS, COLS, 2, (2, 6)))
    image = blend(image, dark, 0.30 * veins + 0.16 * step(0.45, 1.0, grain))
    image = blend(image, (0.70, 0.56, 0.36), 0.8 * step(0.80, 0.95, v + 0 * u))
    image = blend(image, (0.86, 0.80, 0.66), step(0.07, 0.03, v + 0 * u))

    def twist(p: Floats) -> Floats:
        up = np.clip(p[:, 2] / h - 1.9, 0, None)
        return columns(p[:, 0] + 0.10 * r * up, p[:, 1] + 0.05 * r * up, p[:, 2])

    visuals = (
        Visual(deformed(revolve(curve, 24), twist), Material(texture=to_image(image), specular=0.5, shininess=0.6)),
    )
    return standing(r, h, 950.0, visuals, tip * h)


@category("tomato", nouns=("tomato",))
def tomato(rng: np.random.Generator) -> Asset:
    """Glossy tomato with a green calyx, 58 to 68 mm wide."""
    r = rng.uniform(0.029, 0.034)
    h = r * rng.uniform(0.80, 0.90)
    points = [
        (0.0, 0.03),
        (0.34, 0.01),
        (0.78, 0.34),
        (1.0, 0.92),
        (0.94, 1.42),
        (0.66, 1.84),
        (0.36, 1.97),
        (0.15, 1.90),
        (0.0, 1.78),
    ]
    curve = profile(np.array(points) * (r, h), 2)
    ribs, phase = rng.uniform(0.0, 0.022), rng.uniform(0, TAU)

    def ribbed(p: Floats) -> Floats:
        bump = 1 - ribs * (1 + np.cos(5 * np.arctan2(p[:, 1], p[:, 0]) + phase)) * step(0.9, 1.9, p[:, 2] / h)
        return columns(p[:, :2] * bump[:, None], p[:, 2])

    red = varied(rng, pick(rng, [(0.80, 0.10, 0.06), (0.86, 0.17, 0.07), (0.74, 0.08, 0.07)]), 0.02)
    v = np.linspace(0, 1, ROWS)[:, None]
    cloud = noise(rng, ROWS, COLS, 3, (2, 4))
    image = blend(plain(red, ROWS, COLS), (0.90, 0.45, 0.12), 0.55 * step(0.72, 1.0, v + 0.22 * (cloud - 0.5)))
    star = calyx(rng, int(rng.integers(5, 7)), 0.52 * r, 0.05 * h, 1.985 * h)
    visuals = (
        Visual(deformed(revolve(curve, 24), ribbed), Material(texture=to_image(image), specular=0.8, shininess=0.8)),
        Visual(star, Material(varied(rng, LEAF_GREEN, 0.03), specular=0.1), part="stem"),
        Visual(moved(stem(0.0, 0.22 * h, 0.002, 0.0016), (0.0, 0.0, 1.97 * h)), Material(LEAF_GREEN), part="stem"),
    )
    return standing(r, h, 950.0, visuals, 0.1 * h)
