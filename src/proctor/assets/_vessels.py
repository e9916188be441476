"""Slender and bulging vessels: vase, teapot. Both are taken from above, by the neck and by the lid's knob."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import numpy as np

from ._bowls import BOUNCE
from ._colliders import cylinder, segment
from ._grasps import top
from ._mesh import Floats
from ._model import Collider, Link, Material, Vec3, Visual
from ._registry import Asset, category
from ._shapes import TAU, arc, catmull_rom, profile, revolve, rows_of, sweep
from ._texture import blend, noise, pick, plain, step, to_image, varied

ROWS, COLS = 128, 96


@category("vase", nouns=("vase",))
def vase(rng: np.random.Generator) -> Asset:
    """Glazed vase, 15 to 19 cm tall, with a waist that the jaws close on; it topples when struck high."""
    s, h = rng.uniform(0.90, 1.06), rng.uniform(0.155, 0.185)
    foot, belly, neck, lip = 0.031 * s, rng.uniform(0.043, 0.048) * s, rng.uniform(0.0185, 0.0205) * s, 0.027 * s
    middle = rng.uniform(0.38, 0.46) * h
    outside = profile(
        [
            (foot, 0.002), (0.5 * (foot + belly) + 0.003, 0.4 * middle), (belly, middle),
            (0.5 * (belly + neck) + 0.003, 0.5 * (middle + 0.78 * h)), (neck, 0.80 * h), (neck, 0.90 * h),
            (lip, 0.992 * h),
        ], 2,
    )  # fmt: skip
    inside = [(lip - 0.002, h), (neck - 0.0025, 0.90 * h), (neck - 0.0025, 0.80 * h), (1e-5, 0.70 * h)]
    curve = np.vstack([[(1e-5, 0.0015), (foot - 0.003, 0.0)], outside, inside])
    _, z = rows_of(curve, ROWS)
    image = _glaze(rng, z / h)
    mass = 0.30 * s**2 * (h / 0.17)
    colliders = (
        cylinder(foot, 0.0, 0.35 * middle, 0.35 * mass, "base"),
        Collider("ellipsoid", (belly, belly, 0.92 * middle), 0.45 * mass, "body", (0.0, 0.0, middle)),
        cylinder(neck, 0.72 * h, 0.955 * h, 0.15 * mass, "neck"),
        cylinder(lip - 0.001, 0.955 * h, h, 0.05 * mass, "rim"),
    )
    material = Material(texture=to_image(image), specular=0.8, shininess=0.9, emission=BOUNCE)
    grip = h - 0.026
    return Asset(
        Link("root", (Visual(revolve(curve, 24), material),), colliders),
        radius_m=belly,
        height_m=h,
        grasps=top(grip, 2 * neck, part="neck"),
    )


def _glaze(rng: np.random.Generator, z: Floats) -> Floats:
    """One of three patterns: scrolls, dipped glaze, bands."""
    inks: list[Vec3] = [(0.14, 0.25, 0.56), (0.16, 0.42, 0.38), (0.62, 0.22, 0.16), (0.55, 0.36, 0.12)]
    ink = varied(rng, pick(rng, inks), 0.03)
    pale = varied(rng, (0.90, 0.90, 0.87), 0.015)
    u = np.linspace(0, 1, COLS, endpoint=False)[None]
    height = z[:, None]
    cloud = noise(rng, ROWS, COLS, 3, (4, 5))
    style = int(rng.integers(3))
    if style == 0:
        scroll = np.sin(TAU * (4 * u + 0.5 * cloud)) * np.sin(TAU * (3.2 * height + 0.3 * cloud))
        mask = step(0.05, 0.25, scroll)
    elif style == 1:
        mask = step(-0.02, 0.03, height - 0.48 - 0.07 * np.sin(TAU * (3 * u + cloud)))
    else:
        mask = step(0.3, 0.5, np.sin(TAU * 5.5 * height)) + 0 * u
    return blend(plain(pale, ROWS, COLS), ink, 0.92 * mask)


@category("teapot", nouns=("teapot",))
def teapot(rng: np.random.Generator) -> Asset:
    """Round teapot, spout towards +x, handle towards -x; the jaws take the lid's knob."""
    s = rng.uniform(0.93, 1.06)
    k = rng.uniform(0.95, 1.05)
    points = [(0.036, 0.001), (0.043, 0.007), (0.0555, 0.032), (0.0545, 0.056), (0.043, 0.075), (0.031, 0.083)]
    lid = [
        (0.0305, 0.0835),
        (0.0325, 0.0855),
        (0.030, 0.0875),
        (0.018, 0.0925),
        (0.008, 0.0945),
        (0.0075, 0.0985),
        (0.0115, 0.105),
        (0.0113, 0.1125),
        (0.007, 0.1172),
        (1e-5, 0.118),
    ]
    shape = np.array([1.0, k]) * s
    body = np.vstack([[(1e-5, 0.0)], profile(points, 2)]) * shape
    cover = np.array(lid) * shape
    glaze = varied(
        rng,
        pick(rng, [(0.48, 0.66, 0.56), (0.72, 0.36, 0.26), (0.34, 0.46, 0.62), (0.86, 0.82, 0.72), (0.30, 0.30, 0.32)]),
        0.03,
    )
    rows = 64
    _, z = rows_of(body, rows)
    stripe = step(0.02, 0.0, np.abs(z / body[-1, 1] - rng.uniform(0.62, 0.72)))[:, None] + np.zeros((1, 8))
    image = blend(plain(glaze, rows, 8), tuple(0.45 + 0.5 * c for c in glaze), stripe)
    look = partial(Material, specular=0.7, shininess=0.85)
    darker = (0.88 * glaze[0], 0.88 * glaze[1], 0.88 * glaze[2])
    tall = np.array([s, s, s * k])
    spout = catmull_rom(
        np.array([(0.044, 0, 0.028), (0.068, 0, 0.040), (0.079, 0, 0.064), (0.095, 0, 0.083)]) * tall, 3
    )
    grip = arc((-0.0485 * s, 0.0, 0.047 * s * k), -0.036 * s, 0.029 * s * k, -1.5, 1.5, 10)
    visuals = (
        Visual(revolve(body, 24), look(texture=to_image(image), emission=BOUNCE)),
        Visual(revolve(cover, 18), look(rgb=darker, emission=BOUNCE), part="lid"),
        Visual(
            sweep(spout, np.linspace(0.0135, 0.0058, len(spout)) * s, 10),
            look(rgb=glaze, emission=BOUNCE),
            part="spout",
        ),
        Visual(sweep(grip, 0.005 * s, 8), look(rgb=darker, emission=BOUNCE), part="handle"),
    )
    mass = 0.44 * s**2 * k
    colliders = (
        cylinder(0.040 * s, 0.0, 0.016 * s * k, 0.30 * mass, "base"),
        Collider("ellipsoid", (0.056 * s, 0.056 * s, 0.0435 * s * k), 0.50 * mass, "body", (0.0, 0.0, 0.0455 * s * k)),
        cylinder(0.0115 * s, 0.086 * s * k, 0.118 * s * k, 0.04 * mass, "lid"),
        segment(
            np.array((0.054, 0, 0.036)) * tall, np.array((0.080, 0, 0.064)) * tall, 0.0085 * s, 0.05 * mass, "spout"
        ),
        segment(
            np.array((0.080, 0, 0.064)) * tall, np.array((0.0945, 0, 0.0808)) * tall, 0.0062 * s, 0.03 * mass, "spout"
        ),
        *(segment(grip[i], grip[j], 0.005 * s, 0.016 * mass, "handle") for i, j in pairwise((0, 2, 4, 5, 7, 9))),
    )
    height = 0.118 * s * k
    return Asset(
        Link("root", visuals, colliders),
        radius_m=0.0985 * s,
        height_m=height,
        grasps=top(height - 0.0085, 0.023 * s, part="lid"),
    )
