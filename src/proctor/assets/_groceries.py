"""Packages and a candle: cereal, orange_juice, cream_cheese, candle."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ._colliders import about_x, box, cylinder
from ._grasps import top
from ._mesh import moved
from ._model import Link, Material, Mesh, Vec3, Visual
from ._registry import Asset, category
from ._shapes import extrude, oval, revolve, slab, sweep
from ._texture import blend, pick, plain, step, to_image, varied

SIZE = 128


def _wrapped(mesh: Mesh, half: Vec3) -> Mesh:
    """Texture coordinates of a package: broad faces (±y) show the left half of the image, sides the right half."""
    x, y, z = (mesh.vertices[:, k].astype(float) for k in range(3))
    broad = np.abs(mesh.normals[:, 1]) > 0.5
    u = np.where(broad, 0.25 - 0.25 * np.sign(mesh.normals[:, 1]) * x / half[0], 0.75 + 0.25 * y / half[1])
    v = np.clip(z / (2 * half[2]), 0.0, 1.0)
    return Mesh(mesh.vertices, mesh.faces, mesh.normals, np.stack([np.clip(u, 0.004, 0.996), v], 1).astype(np.float32))


def _canvas() -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """U across the broad face in [-1, 1] (beyond 1 on the sides), v up, and a mask of the broad face."""
    v, u = (np.mgrid[0:SIZE, 0:SIZE] + 0.5) / SIZE
    return 4 * u - 1, v, (u < 0.5).astype(float)


@category("cereal", nouns=("cereal", "cereal box"))
def cereal(rng: np.random.Generator) -> Asset:
    """Upright carton, 16 to 19 cm tall, 43 to 52 mm thick along y, where the jaws close."""
    half = (rng.uniform(0.056, 0.064), rng.uniform(0.0215, 0.026), rng.uniform(0.080, 0.094))
    ground = varied(
        rng,
        pick(rng, [(0.80, 0.14, 0.12), (0.14, 0.36, 0.66), (0.92, 0.66, 0.12), (0.30, 0.55, 0.22), (0.52, 0.24, 0.52)]),
        0.025,
    )
    u, v, broad = _canvas()
    image = blend(plain(ground, SIZE, SIZE), (0.97, 0.94, 0.86), step(0.84, 0.86, v) * step(0.97, 0.95, v))
    swoosh = step(0.02, -0.02, np.abs(v - 0.72 - 0.05 * np.sin(2.4 * u)) - 0.055) * broad
    image = blend(image, (0.98, 0.92, 0.60), swoosh)
    bowl = step(0.02, -0.02, np.hypot(u, 1.9 * (v - 0.36)) - 0.62) * step(0.37, 0.35, v) * broad
    image = blend(image, (0.95, 0.95, 0.93), bowl)
    flakes = varied(rng, (0.84, 0.58, 0.22), 0.03)
    for _ in range(26):
        x, y = rng.uniform(-0.5, 0.5), rng.uniform(0.36, 0.46)
        image = blend(
            image,
            tuple(c * rng.uniform(0.8, 1.1) for c in flakes),
            step(0.085, 0.06, np.hypot(u - x, 1.9 * (v - y))) * broad,
        )
    for row in range(5):
        image = blend(
            image,
            (0.95, 0.93, 0.88),
            step(0.012, 0.006, np.abs(v - 0.20 - 0.10 * row)) * (1 - broad) * step(0.75, 0.70, np.abs(u - 2.0)),
        )
    carton = slab(half, 0.0016, centre=(0.0, 0.0, half[2]))
    visual = Visual(_wrapped(carton, half), Material(texture=to_image(image), specular=0.15, shininess=0.2))
    shape = box(half, (0.0, 0.0, half[2]), rng.uniform(0.24, 0.34))
    height = 2 * half[2]
    grasps = top(height - 0.026, 2 * half[1], (math.pi / 2,)) + top(
        height - 0.026, 2 * half[1], (math.pi / 2,), (0.02, 0.0), 0.1
    )
    return Asset(Link("root", (visual,), (shape,)), math.hypot(half[0], half[1]), height, grasps=grasps)


@category("orange_juice", nouns=("orange juice", "juice", "carton"))
def orange_juice(rng: np.random.Generator) -> Asset:
    """Gable-top carton, 15 to 18 cm tall, 56 to 64 mm wide."""
    x, y = rng.uniform(0.028, 0.032), rng.uniform(0.028, 0.032)
    wall, gable = rng.uniform(0.118, 0.142), 0.026
    half = (x, y, wall / 2)
    u, v, broad = _canvas()
    image = blend(
        plain(varied(rng, (0.96, 0.93, 0.86), 0.01), SIZE, SIZE),
        varied(rng, (0.95, 0.52, 0.10), 0.02),
        step(0.48, 0.46, v + 0.04 * np.cos(3 * u)),
    )
    fruit = np.hypot(u, 1.7 * (v - 0.56))
    image = blend(image, (0.97, 0.60, 0.10), step(0.62, 0.59, fruit) * broad)
    image = blend(image, (0.99, 0.80, 0.40), step(0.52, 0.49, fruit) * broad)
    spokes = step(0.55, 0.75, np.abs(np.cos(4 * np.arctan2(1.7 * (v - 0.56), u))))
    image = blend(image, (0.97, 0.62, 0.12), step(0.46, 0.43, fruit) * spokes * broad)
    green = varied(rng, (0.22, 0.48, 0.18), 0.02)
    image = blend(image, green, step(0.90, 0.92, v) + 0 * u)
    body = _wrapped(slab(half, 0.0012, centre=(0.0, 0.0, wall / 2)), half)
    roof = moved(
        extrude(
            [
                (-x + 0.001, 0.0),
                (x - 0.001, 0.0),
                (0.004, gable - 0.009),
                (0.004, gable),
                (-0.004, gable),
                (-0.004, gable - 0.009),
            ],
            2 * y - 0.002,
        ),
        (0.0, 0.0, wall - 0.0005),
        about_x(math.pi / 2),
    )
    cap = moved(
        revolve([(0.010, 0.0), (0.010, 0.008), (0.0085, 0.010), (1e-5, 0.010)], 14),
        (0.5 * x, 0.0, wall + 0.30 * gable),
        (math.cos(0.3), 0.0, math.sin(0.3), 0.0),
    )
    visuals = (
        Visual(body, Material(texture=to_image(image), specular=0.25, shininess=0.3)),
        Visual(roof, Material(green, specular=0.25, shininess=0.3), part="top"),
        Visual(cap, Material((0.93, 0.93, 0.92), specular=0.4), part="stem"),
    )
    mass = 1000.0 * 4 * x * y * wall * rng.uniform(0.45, 0.6)
    colliders = (
        box(half, (0.0, 0.0, wall / 2), 0.97 * mass),
        box((0.5 * x, y - 0.002, 0.25 * gable), (0.0, 0.0, wall + 0.25 * gable), 0.02 * mass, "top"),
        box((0.005, y - 0.002, 0.25 * gable), (0.0, 0.0, wall + 0.75 * gable), 0.01 * mass, "top"),
    )
    height = wall + gable
    grip = height - 0.0345
    grasps = top(grip, 2 * x, (0.0,)) + top(grip, 2 * y, (math.pi / 2,))
    return Asset(Link("root", visuals, colliders), math.hypot(x, y), height, grasps=grasps)


@category("candle", nouns=("candle",))
def candle(rng: np.random.Generator) -> Asset:
    """Burning pillar candle, 40 to 48 mm thick, 8 to 10 cm tall."""
    r, h = rng.uniform(0.020, 0.024), rng.uniform(0.078, 0.098)
    wax = varied(rng, pick(rng, [(0.95, 0.90, 0.78), (0.93, 0.80, 0.66), (0.88, 0.52, 0.46), (0.80, 0.86, 0.78)]), 0.02)
    curve = [
        (1e-5, 0.0),
        (r - 0.001, 0.0),
        (r, 0.0012),
        (r, 0.5 * h),
        (r, h - 0.002),
        (r - 0.0014, h),
        (r - 0.004, h - 0.0012),
        (0.3 * r, h - 0.004),
        (1e-5, h - 0.004),
    ]
    flame = oval(0.0046, 0.012, 0.0, 9)
    flame[:, 0] *= np.linspace(1.25, 0.55, 9)
    visuals = (
        Visual(revolve(curve, 22), Material(wax, specular=0.2, shininess=0.3, emission=0.15)),
        Visual(
            sweep([(0, 0, h - 0.005), (0, 0, h), (0.0008, 0, h + 0.006)], 0.0009, 5),
            Material((0.1, 0.09, 0.08)),
            part="flame",
        ),
        Visual(
            moved(revolve(flame, 10), (0.0008, 0.0, h + 0.015)),
            Material((1.0, 0.74, 0.25), emission=1.0, specular=0.0),
            part="flame",
        ),
    )
    mass = 900.0 * math.pi * r**2 * h
    return Asset(Link("root", visuals, (cylinder(r, 0.0, h, mass),)), r, h, grasps=top(h - 0.024, 2 * r), sites=())


@category("cream_cheese", nouns=("cream cheese", "cheese"))
def cream_cheese(rng: np.random.Generator) -> Asset:
    """Flat carton, 68 to 74 mm long, 48 to 56 mm wide, 29 to 34 mm high; the jaws fit either way."""
    half = (rng.uniform(0.034, 0.037), rng.uniform(0.024, 0.028), rng.uniform(0.0145, 0.0170))
    ink = varied(rng, pick(rng, [(0.12, 0.28, 0.58), (0.16, 0.42, 0.50), (0.34, 0.22, 0.52)]), 0.02)
    white = varied(rng, (0.95, 0.95, 0.93), 0.008)
    v, u = (np.mgrid[0:SIZE, 0:SIZE] + 0.5) / SIZE * 2 - 1
    wave = 0.20 * np.sin(3.0 * u + rng.uniform(-0.4, 0.4))
    image = blend(plain(white, SIZE, SIZE), ink, step(-0.02, 0.02, v - 0.28 - wave))
    image = blend(image, (0.55, 0.72, 0.86), step(0.05, 0.02, np.abs(v - 0.24 - wave)))
    badge = np.hypot(0.62 * (u + 0.46), v + 0.36)
    image = blend(image, (0.93, 0.84, 0.52), step(0.30, 0.27, badge))
    image = blend(image, white, step(0.13, 0.10, np.hypot(0.62 * (u + 0.44), v + 0.34)))
    for line, reach in ((-0.20, 0.34), (-0.42, 0.26), (-0.60, 0.18)):
        image = blend(image, ink, step(0.05, 0.03, np.abs(v - line)) * step(reach + 0.02, reach, np.abs(u - 0.34)))
    carton = slab(half, 0.0016, centre=(0.0, 0.0, half[2]))
    over = np.where(np.abs(carton.normals[:, 1:2]) > 0.5, carton.vertices[:, 2:] - half[2], carton.vertices[:, 1:2])
    span = np.where(np.abs(carton.normals[:, 1:2]) > 0.5, half[2], half[1])
    uv = np.hstack([carton.vertices[:, :1] / half[0], over / span]) * 0.49 + 0.5
    seen = Mesh(carton.vertices, carton.faces, carton.normals, uv.astype(np.float32))
    visual = Visual(seen, Material(texture=to_image(image), specular=0.3, shininess=0.3))
    shape = box(half, (0.0, 0.0, half[2]), rng.uniform(0.16, 0.21))
    grasps = top(1.1 * half[2], 2 * half[1], (math.pi / 2,)) + top(1.1 * half[2], 2 * half[0], (0.0,), cost=0.1)
    return Asset(Link("root", (visual,), (shape,)), math.hypot(half[0], half[1]), 2 * half[2], grasps=grasps)
