"""Toys on wheels besides the car: toy_motorbike, toy_train. Both face +x; the jaws close across them (y)."""

from __future__ import annotations

import math

import numpy as np

from ._colliders import LIE_ALONG_X, box, segment
from ._grasps import top
from ._mesh import Floats, merge, moved
from ._model import Collider, Link, Material, Mesh, Vec3, Visual
from ._registry import Asset, category
from ._shapes import arc, oval, revolve, slab, slabs, sweep
from ._texture import pick, varied
from ._toys import ON_ITS_SIDE, side_view

RUBBER = Material((0.10, 0.10, 0.11), specular=0.2)
CHROME = Material((0.76, 0.77, 0.79), specular=0.9, shininess=0.8)
PAINTS: tuple[Vec3, ...] = ((0.80, 0.12, 0.12), (0.14, 0.38, 0.70), (0.93, 0.62, 0.08), (0.20, 0.52, 0.30))


def _disc(radius: float, half_width: float, segments: int) -> Mesh:
    """Wheel with rounded shoulders, axle along y."""
    r, w = radius, half_width
    curve = [(1e-5, -w), (0.84 * r, -w), (r, -0.6 * w), (r, 0.6 * w), (0.84 * r, w), (1e-5, w)]
    return moved(revolve(curve, segments), (0.0, 0.0, 0.0), ON_ITS_SIDE)


def _hub(radius: float, half_width: float) -> Mesh:
    """Flat disc in the middle of a wheel."""
    w = half_width
    return moved(revolve([(1e-5, -w), (radius, -w), (radius, w), (1e-5, w)], 9), (0.0, 0.0, 0.0), ON_ITS_SIDE)


@category("toy_motorbike", nouns=("toy motorbike", "motorbike"))
def toy_motorbike(rng: np.random.Generator) -> Asset:
    """Chunky toy motorbike, 10 to 11 cm long; its tyres are thick enough to stand on."""
    s = rng.uniform(0.94, 1.06)
    wheel, tread = 0.0195 * s, 0.0075 * s
    axle = rng.uniform(0.0315, 0.0335) * s
    paint = Material(varied(rng, pick(rng, PAINTS), 0.02), specular=0.8, shininess=0.8)
    seat = Material(varied(rng, pick(rng, [(0.12, 0.11, 0.11), (0.36, 0.20, 0.11)]), 0.01), specular=0.2)
    at = [(x, 0.0, wheel) for x in (-axle, axle)]
    tank = [
        (-0.004 * s, 0.038 * s), (0.021 * s, 0.038 * s), (0.024 * s, 0.045 * s), (0.017 * s, 0.051 * s),
        (0.003 * s, 0.050 * s), (-0.004 * s, 0.045 * s),
    ]  # fmt: skip
    saddle = [
        (-0.034 * s, 0.040 * s), (-0.003 * s, 0.038 * s), (-0.003 * s, 0.0445 * s), (-0.020 * s, 0.0435 * s),
        (-0.036 * s, 0.048 * s),
    ]  # fmt: skip
    guards = [arc((x, 0.0, wheel), wheel + 0.0028 * s, wheel + 0.0028 * s, 0.75, 2.4, 7) for x in (-axle, axle)]
    grip = np.array([0.0155, 0.0, 0.056]) * s
    bars = [(grip[0] - 0.006 * s, side * 0.021 * s, grip[2]) for side in (-1, 1)]
    steering = sweep([bars[0], (grip[0], -0.010 * s, grip[2]), (grip[0], 0.010 * s, grip[2]), bars[1]], 0.0019 * s, 6)
    forks = [
        sweep([(axle, y, wheel), (grip[0] + 0.002 * s, y, grip[2])], 0.0018 * s, 6) for y in (-0.0095 * s, 0.0095 * s)
    ]
    pipes = [
        sweep([(0.002 * s, y, 0.017 * s), (-0.018 * s, y, 0.014 * s), (-0.044 * s, y, 0.018 * s)],
              [0.0022 * s, 0.0026 * s, 0.0034 * s], 7)
        for y in (-0.0115 * s, 0.0115 * s)
    ]  # fmt: skip
    lamp = moved(revolve(oval(0.0062 * s, 0.0048 * s, 0.0, 7), 10), (0.0225 * s, 0.0, 0.0525 * s), LIE_ALONG_X)
    engine: list[tuple[Vec3, Vec3]] = [
        ((0.0145 * s, 0.0085 * s, 0.0085 * s), (-0.001 * s, 0.0, 0.0185 * s)),
        ((0.0120 * s, 0.0070 * s, 0.0060 * s), (0.001 * s, 0.0, 0.0325 * s)),
    ]
    visuals = (
        Visual(merge(*(moved(_disc(wheel, tread, 16), p) for p in at)), RUBBER, "wheel"),
        Visual(merge(*(moved(_hub(0.5 * wheel, tread + 0.0008), p) for p in at)), CHROME, "wheel"),
        Visual(slabs(*engine, bevel=0.0015), Material((0.34, 0.35, 0.37), specular=0.6)),
        Visual(merge(side_view(tank, 0.0210 * s), *(sweep(g, 0.0078 * s, 8, 0.22) for g in guards)), paint),
        Visual(side_view(saddle, 0.0200 * s), seat),
        Visual(merge(steering, *forks, *pipes), CHROME, "handlebar"),
        Visual(lamp, Material((0.97, 0.93, 0.74), emission=0.3)),
    )
    mass = rng.uniform(0.085, 0.105) * s**3
    colliders = (
        *(Collider("cylinder", (wheel, tread), 0.20 * mass, "wheel", p, ON_ITS_SIDE) for p in at),
        box((0.0150 * s, 0.0085 * s, 0.0140 * s), (-0.001 * s, 0.0, 0.0240 * s), 0.34 * mass),
        box((0.0290 * s, 0.0105 * s, 0.0055 * s), (-0.006 * s, 0.0, 0.0440 * s), 0.20 * mass),
        segment(bars[0], bars[1], 0.0022 * s, 0.06 * mass, "handlebar"),
    )
    height = 0.0580 * s
    return Asset(
        Link("root", visuals, colliders),
        radius_m=axle + wheel,
        height_m=height,
        grasps=top(0.0440 * s, 0.0210 * s, (math.pi / 2,), (-0.012 * s, 0.0)),
    )


@category("toy_train", nouns=("toy train", "train", "locomotive"))
def toy_train(rng: np.random.Generator) -> Asset:
    """Toy steam engine, 10 to 12 cm long: boiler, cab, chimney, dome and four wheels."""
    s = rng.uniform(0.94, 1.06)
    colours = rng.permutation(len(PAINTS))
    body = Material(varied(rng, PAINTS[colours[0]], 0.02), specular=0.7, shininess=0.7)
    trim = Material(varied(rng, PAINTS[colours[1]], 0.02), specular=0.7, shininess=0.7)
    black = Material((0.13, 0.13, 0.14), specular=0.6, shininess=0.6)
    brass = Material((0.83, 0.66, 0.28), specular=0.9, shininess=0.8)
    wheel, long, wide = 0.0120 * s, 0.0520 * s, 0.0190 * s
    boiler_r, boiler_z, roof = 0.0158 * s, 0.0345 * s, rng.uniform(0.058, 0.062) * s
    rear, front = -0.010 * s, 0.046 * s
    barrel: Floats = np.array(
        [(1e-5, rear), (boiler_r, rear), (boiler_r, front - 0.003 * s), (0.75 * boiler_r, front), (1e-5, front)]
    )
    bands = [[(boiler_r, x - 0.0012), (boiler_r + 0.0008, x), (boiler_r, x + 0.0012)] for x in (0.006 * s, 0.026 * s)]
    stack = [
        (1e-5, 0.046 * s), (0.0052 * s, 0.046 * s), (0.0052 * s, 0.055 * s), (0.0085 * s, 0.061 * s),
        (0.0085 * s, 0.0635 * s), (0.006 * s, 0.0635 * s), (1e-5, 0.060 * s),
    ]  # fmt: skip
    dome = moved(revolve(oval(0.0068 * s, 0.0075 * s, 0.0, 6), 8), (0.012 * s, 0.0, 0.0505 * s))
    chassis: tuple[Vec3, Vec3] = ((long, 0.0165 * s, 0.0045 * s), (0.0, 0.0, 0.0150 * s))
    walls: list[tuple[Vec3, Vec3]] = [
        ((0.0185 * s, wide - 0.001, 0.0075 * s), (-0.0300 * s, 0.0, 0.0270 * s)),
        *(((0.0020 * s, 0.0020 * s, 0.5 * (roof - 0.034 * s)), (x * s, y * (wide - 0.003), 0.5 * (roof + 0.034 * s)))
          for x in (-0.0465, -0.0135) for y in (-1, 1)),
    ]  # fmt: skip
    lid = slab((0.0215 * s, wide, 0.0020 * s), 0.0015, centre=(-0.0300 * s, 0.0, roof - 0.0020 * s))
    plough = [(0.050 * s, 0.002), (0.060 * s, 0.002), (0.051 * s, 0.0170 * s), (0.050 * s, 0.0170 * s)]
    at = [(x * s, y * (wide - 0.004 * s), wheel) for x in (-0.031, 0.027) for y in (-1, 1)]
    visuals = (
        Visual(merge(slab(*chassis[:1], 0.0012, centre=chassis[1]), side_view(plough, 0.026 * s)), black, "wheel"),
        Visual(merge(moved(revolve(barrel, 14), (0.0, 0.0, boiler_z), LIE_ALONG_X), slabs(*walls, bevel=0.0008)), body),
        Visual(
            merge(
                moved(revolve(stack, 10), (0.033 * s, 0.0, 0.0)),
                *(moved(_disc(wheel, 0.004 * s, 10), p) for p in at),
            ),
            black,
            "wheel",
        ),
        Visual(merge(lid, *(moved(_hub(0.55 * wheel, 0.0048 * s), p) for p in at)), trim, "roof"),
        Visual(
            merge(dome, *(moved(revolve(b, 14), (0.0, 0.0, boiler_z), LIE_ALONG_X) for b in bands)), brass
        ),
    )  # fmt: skip
    mass = rng.uniform(0.110, 0.140) * s**3
    colliders = (
        *(Collider("cylinder", (wheel, 0.004 * s), 0.05 * mass, "wheel", p, ON_ITS_SIDE) for p in at),
        box((long + 0.004 * s, 0.0165 * s, 0.0045 * s), (0.004 * s, 0.0, 0.0150 * s), 0.30 * mass),
        Collider("cylinder", (boiler_r, 0.5 * (front - rear)), 0.28 * mass, "body",
                 (0.5 * (rear + front), 0.0, boiler_z), LIE_ALONG_X),
        box((0.0195 * s, wide - 0.0005, 0.5 * (roof - 0.0195 * s)), (-0.0300 * s, 0.0, 0.5 * (roof + 0.0195 * s)),
            0.18 * mass, "cab"),
        Collider("cylinder", (0.0075 * s, 0.0080 * s), 0.04 * mass, "chimney", (0.033 * s, 0.0, 0.0555 * s)),
    )  # fmt: skip
    return Asset(
        Link("root", visuals, colliders),
        radius_m=math.hypot(long + 0.008 * s, 0.013 * s),
        height_m=0.0635 * s,
        grasps=top(boiler_z, 2 * boiler_r, (math.pi / 2,), (0.008 * s, 0.0))
        + top(0.0360 * s, 2 * wide - 0.001, (math.pi / 2,), (-0.030 * s, 0.0), 0.1, "cab"),
    )
