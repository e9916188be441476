"""Vegetables, and fruit that looks like one: bell pepper, broccoli, carrot, cucumber, kiwi, potato."""

from __future__ import annotations

import math

import numpy as np

from ._colliders import segment
from ._fruit import LEAF_GREEN
from ._fruit_lying import ACROSS, laid, lying
from ._grasps import top
from ._mesh import Floats, columns, deformed, merge
from ._model import Collider, Grasp, Link, Material, Visual
from ._registry import Asset, category
from ._shapes import TAU, oval, pixel_aspect, profile, revolve, sweep
from ._texture import blend, noise, pick, plain, speckle, step, to_image, varied

ROWS, COLS = 96, 64


@category("kiwi", nouns=("kiwi",))
def kiwi(rng: np.random.Generator) -> Asset:
    """Kiwi fruit on its side, 56 to 68 mm long, brown and downy."""
    b = rng.uniform(0.0235, 0.0265)
    half = (b * rng.uniform(1.20, 1.30), b, 0.94 * b)
    curve = oval(1.0, half[0], 0.0, 13)
    brown = varied(rng, (0.47, 0.34, 0.17), 0.025)
    down = rng.random((ROWS, COLS))
    image = blend(brown, (0.62, 0.48, 0.27), 0.5 * noise(rng, ROWS, COLS, 3, (4, 4)))
    image = blend(image, (0.30, 0.21, 0.11), 0.45 * step(0.6, 1.0, down))
    v = np.linspace(0, 1, ROWS)[:, None] + 0 * down
    image = blend(image, (0.20, 0.14, 0.08), step(0.03, 0.015, v) + step(0.975, 0.988, v))
    visual = Visual(laid(curve, half), Material(texture=to_image(image), specular=0.05, shininess=0.1))
    return lying(half, 1000.0, (visual,))


@category("potato", nouns=("potato",))
def potato(rng: np.random.Generator) -> Asset:
    """Lumpy potato, 78 to 96 mm long."""
    b = rng.uniform(0.0285, 0.0335)
    half = (b * rng.uniform(1.34, 1.46), b, 0.86 * b)
    waves, turns = rng.uniform(2.0, 3.2, 3), rng.uniform(0, TAU, 3)

    def lumps(p: Floats) -> Floats:
        q = p / np.array(half)
        dent = sum(
            np.sin(w * q[:, i] + 1.7 * q[:, (i + 1) % 3] + t) for i, (w, t) in enumerate(zip(waves, turns, strict=True))
        )
        centre = np.array([0.0, 0.0, half[2]])
        return columns(centre + (p - centre) * (1.0 - 0.03 * (dent + 3.0) / 3.0)[:, None])

    curve = oval(1.0, half[0], 0.0, 13)
    skin = varied(rng, pick(rng, [(0.74, 0.58, 0.36), (0.66, 0.48, 0.28), (0.70, 0.42, 0.34)]), 0.025)
    image = blend(skin, tuple(0.84 * c for c in skin), noise(rng, ROWS, COLS, 4, (5, 4)))
    aspect = pixel_aspect(curve * (b, 1.0), ROWS, COLS)
    image = speckle(rng, image, (0.36, 0.25, 0.14), int(rng.integers(18, 40)), 0.9, aspect)
    visual = Visual(
        deformed(laid(curve, half, 22), lumps), Material(texture=to_image(image), specular=0.08, shininess=0.1)
    )
    return lying(half, 1050.0, (visual,))


@category("bell_pepper", nouns=("bell pepper", "pepper"))
def bell_pepper(rng: np.random.Generator) -> Asset:
    """Four-lobed pepper standing on its lobes, 60 to 69 mm wide; red, yellow or green."""
    r = rng.uniform(0.030, 0.0345)
    h = r * rng.uniform(0.96, 1.04)
    points = [
        (0.0, 0.20),
        (0.25, 0.08),
        (0.52, 0.0),
        (0.80, 0.26),
        (0.94, 0.80),
        (1.0, 1.40),
        (0.86, 1.86),
        (0.55, 2.0),
        (0.24, 1.90),
        (0, 1.76),
    ]
    curve = profile(np.array(points) * (r, h), 2)
    phase = rng.uniform(0, TAU)

    def lobes(p: Floats) -> Floats:
        around = np.arctan2(p[:, 1], p[:, 0])
        groove = 0.075 * (1 - np.abs(np.cos(2 * around + phase))) ** 2 * 2.2
        return columns(p[:, :2] * (1.0 - groove)[:, None], p[:, 2])

    skin = varied(
        rng, pick(rng, [(0.78, 0.08, 0.07), (0.93, 0.70, 0.10), (0.20, 0.46, 0.12), (0.90, 0.42, 0.08)]), 0.02
    )
    cloud = noise(rng, 64, 64, 3, (3, 4))
    image = blend(plain(skin, 64, 64), tuple(0.78 * c for c in skin), 0.6 * cloud)
    body = Visual(deformed(revolve(curve, 28), lobes), Material(texture=to_image(image), specular=0.8, shininess=0.8))
    stalk = sweep([(0, 0, 1.74 * h), (0, 0, 1.90 * h), (0.0015, 0.001, 2.08 * h)], [0.006, 0.0042, 0.0046], 7)
    mass = 420.0 * 4 / 3 * math.pi * r**2 * h
    feet = [
        Collider("sphere", (0.35 * r,), 0.03 * mass, "body", (x, y, 0.35 * r))
        for x in (-0.36 * r, 0.36 * r)
        for y in (-0.36 * r, 0.36 * r)
    ]
    shape = Collider("ellipsoid", (r, r, h), 0.88 * mass, "body", (0.0, 0.0, h))
    return Asset(
        Link(
            "root",
            (body, Visual(stalk, Material(varied(rng, LEAF_GREEN, 0.03), specular=0.2), part="stem")),
            (shape, *feet),
        ),
        radius_m=r,
        height_m=2.0 * h,
        grasps=top(1.1 * h, 2 * r),
    )


def _rod(visuals: tuple[Visual, ...], path: Floats, radii: Floats, density_kg_m3: float, reach_m: float) -> Asset:
    """Long thing lying along x: five level capsules under ``path``, and two pairs of small feet against rolling.

    Capsules end a radius before the path does, as their caps reach out to it.
    """
    length = float(path[-1, 0] - path[0, 0])
    mass = density_kg_m3 * math.pi * float(np.mean(radii**2)) * length
    x = np.linspace(path[0, 0] + 0.9 * radii[0], path[-1, 0] - 0.9 * radii[-1], 6)
    y, r = np.interp(x, path[:, 0], path[:, 1]), np.interp(x, path[:, 0], radii)
    colliders = []
    for k in range(5):
        mean = float(0.5 * (r[k] + r[k + 1]))
        colliders.append(segment((x[k], y[k], mean), (x[k + 1], y[k + 1], mean), mean, 0.19 * mass))
    for k in (1, 4):
        foot = 0.30 * float(r[k])
        for side in (-0.42, 0.42):
            at = (float(x[k]), float(y[k] + side * r[k]), foot)
            colliders.append(Collider("sphere", (foot,), 0.0125 * mass, "body", at))
    grasps: list[Grasp] = []
    for at_x, cost in ((0.0, 0.0), (-0.012, 0.1), (0.012, 0.1)):
        at_y, wide = float(np.interp(at_x, x, y)), float(np.interp(at_x, x, r))
        grasps += top(max(1.06 * wide, 0.0105), 2 * wide, ACROSS, (at_x, at_y), cost)
    return Asset(
        Link("root", visuals, tuple(colliders)),
        radius_m=reach_m,
        height_m=2 * float(radii.max()),
        grasps=tuple(grasps),
        rolls=True,
        elongated=True,
    )


@category("carrot", nouns=("carrot",))
def carrot(rng: np.random.Generator) -> Asset:
    """Carrot lying down, 13 to 16 cm without its leaves, 28 to 34 mm thick at the crown (-x)."""
    length, crown = rng.uniform(0.130, 0.160), rng.uniform(0.0140, 0.0170)
    t = np.linspace(0, 1, 16)
    radii = crown * (1.0 - 0.58 * t**1.15)
    path = columns(length * (t - 0.44), 0.003 * np.sin(TAU * (t + rng.random())), radii)
    ends = radii.copy()
    ends[0], ends[-1] = 0.55 * crown, 0.10 * crown
    orange = varied(rng, (0.92, 0.44, 0.09), 0.025)
    rings = noise(rng, 128, 32, 2, (40, 2))
    image = blend(plain(orange, 128, 32), (0.72, 0.30, 0.06), 0.7 * step(0.62, 0.95, rings))
    tufts = []
    for k in range(5):
        a = TAU * k / 5 + rng.random()
        tip = np.array([path[0, 0] - rng.uniform(0.022, 0.034), 0.012 * math.cos(a), crown + 0.008 * math.sin(a)])
        start = np.array([path[0, 0] + 0.002, 0.25 * crown * math.cos(a), crown + 0.25 * crown * math.sin(a)])
        tufts.append(sweep([start, 0.5 * (start + tip) + (0, 0, 0.001), tip], [0.0016, 0.0018, 0.0008], 5))
    visuals = (
        Visual(sweep(path, ends, 14), Material(texture=to_image(image), specular=0.2, shininess=0.3)),
        Visual(merge(*tufts), Material(varied(rng, LEAF_GREEN, 0.03), specular=0.1), part="stem"),
    )
    return _rod(visuals, path, radii, 1000.0, 0.56 * length + 0.006)


@category("cucumber", nouns=("cucumber",))
def cucumber(rng: np.random.Generator) -> Asset:
    """Cucumber lying down, 15 to 18 cm long, 36 to 42 mm thick."""
    length, r = rng.uniform(0.150, 0.180), rng.uniform(0.018, 0.021)
    t = np.linspace(0, 1, 17)
    path = columns(length * (t - 0.5), rng.uniform(0.002, 0.007) * np.cos(math.pi * (t - 0.5)), np.full(17, r))
    radii = r * np.sqrt(np.clip(1 - np.abs(2 * t - 1) ** 7, 0.02, 1))
    green = varied(rng, (0.16, 0.36, 0.10), 0.02)
    stripes = step(
        0.45, 0.95, np.sin(TAU * 7 * np.linspace(0, 1, 48, endpoint=False))[None] + 0.5 * noise(rng, 128, 48, 3, (6, 4))
    )
    image = blend(plain(green, 128, 48), (0.42, 0.58, 0.22), 0.6 * stripes)
    image = speckle(rng, image, (0.55, 0.64, 0.32), 60, 0.7)
    visual = Visual(sweep(path, radii, 14), Material(texture=to_image(image), specular=0.35, shininess=0.4))
    return _rod((visual,), path, np.full(17, r), 930.0, 0.5 * length)


@category("broccoli", nouns=("broccoli",))
def broccoli(rng: np.random.Generator) -> Asset:
    """Head of broccoli standing on its cut stalk, 60 to 68 mm wide; the jaws take the crown."""
    r, stalk = rng.uniform(0.030, 0.034), rng.uniform(0.0145, 0.0165)
    h, low = r * rng.uniform(0.66, 0.74), rng.uniform(0.020, 0.024)
    middle = low + h
    count = int(rng.integers(26, 34))
    k = np.arange(count) + 0.5
    height, turn = 1 - 1.55 * k / count, math.pi * (1 + math.sqrt(5)) * k + rng.uniform(0, TAU)
    level = np.sqrt(1 - height**2)
    buds = columns(level * np.cos(turn), level * np.sin(turn), height)

    def florets(p: Floats) -> Floats:
        unit = (p - (0.0, 0.0, middle)) / (r, r, h)
        unit /= np.linalg.norm(unit, axis=1, keepdims=True)
        near = np.arccos(np.clip(unit @ buds.T, -1, 1)).min(1)
        swell = 1.02 - 0.30 * np.clip(near / 0.42, 0, 1) ** 2
        return columns((0.0, 0.0, middle) + unit * (r, r, h) * swell[:, None])

    green = varied(rng, pick(rng, [(0.20, 0.42, 0.14), (0.16, 0.36, 0.16), (0.26, 0.46, 0.16)]), 0.02)
    grains = rng.random((96, 96))
    image = blend(green, (0.42, 0.58, 0.24), 0.6 * step(0.55, 1.0, grains))
    image = blend(image, tuple(0.55 * c for c in green), 0.5 * step(0.45, 0.0, grains))
    pale = Material(varied(rng, (0.62, 0.72, 0.36), 0.02), specular=0.15)
    stem = sweep([(0, 0, 0.0), (0, 0, 0.5 * low), (0, 0, low + 0.35 * h)], [stalk, 0.92 * stalk, 1.15 * stalk], 10)
    crown = deformed(revolve(oval(r, h, middle, 17), 30), florets)
    mass = 380.0 * 4 / 3 * math.pi * r**2 * h
    colliders = (
        Collider(
            "cylinder", (0.97 * stalk, 0.5 * (low + 0.3 * h)), 0.45 * mass, "stalk", (0, 0, 0.5 * (low + 0.3 * h))
        ),
        Collider("ellipsoid", (r, r, h), 0.55 * mass, "crown", (0.0, 0.0, middle)),
    )
    return Asset(
        Link("root", (Visual(crown, Material(texture=to_image(image), specular=0.05), "crown"),
                      Visual(stem, pale, "stalk")), colliders),
        radius_m=r,
        height_m=low + 2 * h,
        grasps=top(middle + 0.1 * h, 2 * r, part="crown"),
    )  # fmt: skip
