"""Ingredients that the arena does not have: garlic, aubergine, corn cob, mushroom, fish, steak, cheese, bread."""

from __future__ import annotations

import math

import numpy as np

from .._colliders import box
from .._fruit import LEAF_GREEN, calyx
from .._fruit_lying import laid, lying
from .._grasps import top
from .._mesh import Floats, columns, deformed, merge, moved
from .._model import Collider, Link, Material, Visual
from .._registry import Asset
from .._shapes import ON_AXIS_M, TAU, extrude, oval, profile, revolve, sweep
from .._texture import blend, noise, plain, step, to_image, varied
from .._vegetables import _rod

ACROSS = (math.pi / 2,)


def garlic(rng: np.random.Generator) -> Asset:
    """Bulb with cloves, 46 to 54 mm wide, on its root plate."""
    r = rng.uniform(0.023, 0.027)
    h = r * rng.uniform(1.50, 1.62)
    points = [
        (0.0, 0.03),
        (0.30, 0.0),
        (0.80, 0.14),
        (1.0, 0.40),
        (0.86, 0.66),
        (0.42, 0.84),
        (0.20, 0.95),
        (0.14, 1.12),
        (0.0, 1.14),
    ]
    cloves, phase = int(rng.integers(7, 10)), rng.uniform(0, TAU)

    def lobed(p: Floats) -> Floats:
        groove = 0.13 * (1 - np.abs(np.cos(0.5 * cloves * np.arctan2(p[:, 1], p[:, 0]) + phase))) ** 1.3
        fade = np.clip(1.4 - 1.3 * p[:, 2] / h, 0, 1)
        return columns(p[:, :2] * (1 - groove * fade)[:, None], p[:, 2])

    skin = varied(rng, (0.93, 0.90, 0.83), 0.015)
    streak = noise(rng, 64, 96, 2, (1, 20))
    image = blend(
        plain(skin, 64, 96), varied(rng, (0.72, 0.52, 0.62), 0.03), rng.uniform(0.25, 0.6) * step(0.5, 1.0, streak)
    )
    mesh = deformed(revolve(profile(np.array(points) * (r, h), 2), 36), lobed)
    mass = 700.0 * 4 / 3 * math.pi * r**3 * 0.75
    colliders = (
        Collider("ellipsoid", (r, r, 0.44 * h), 0.8 * mass, "body", (0.0, 0.0, 0.44 * h)),
        Collider("cylinder", (0.40 * r, 0.002), 0.15 * mass, "body", (0.0, 0.0, 0.002)),
        Collider("cylinder", (0.16 * r, 0.16 * h), 0.05 * mass, "body", (0.0, 0.0, 0.96 * h)),
    )
    return Asset(
        Link("root", (Visual(mesh, Material(texture=to_image(image), specular=0.25, shininess=0.3)),), colliders),
        r,
        1.13 * h,
        grasps=top(0.48 * h, 2 * r),
    )


def aubergine(rng: np.random.Generator) -> Asset:
    """Small aubergine on its side, 100 to 116 mm long, 50 to 56 mm wide."""
    b = rng.uniform(0.025, 0.028)
    half = (b * rng.uniform(2.0, 2.1), b, 0.95 * b)
    t = np.linspace(-math.pi / 2, math.pi / 2, 17)
    s = np.sin(t)
    curve = np.c_[np.maximum(np.cos(t) ** 0.7 * (0.82 + 0.24 * s) / 1.0, ON_AXIS_M), half[0] * s]
    purple = varied(rng, (0.20, 0.08, 0.24), 0.02)
    image = blend(plain(purple, 64, 48), (0.38, 0.16, 0.42), 0.5 * noise(rng, 64, 48, 2, (2, 4)))
    turned = moved(
        calyx(rng, 5, 0.021, 0.011, 0.0), (-0.90 * half[0], 0.0, half[2]), (math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0)
    )
    stalk = sweep([(-0.93 * half[0], 0, half[2]), (-1.12 * half[0], 0, 1.15 * half[2])], [0.0045, 0.0034], 7)
    visuals = (
        Visual(laid(curve, half, 22), Material(texture=to_image(image), specular=0.9, shininess=0.9)),
        Visual(merge(turned, stalk), Material(varied(rng, LEAF_GREEN, 0.02), specular=0.1), part="stem"),
    )
    return lying(half, 600.0, visuals, 1.1 * half[0])


def corn_cob(rng: np.random.Generator) -> Asset:
    """Cob lying down, 105 to 118 mm long, 34 to 39 mm thick, with a tuft of husk."""
    length, r = rng.uniform(0.105, 0.118), rng.uniform(0.017, 0.0195)
    t = np.linspace(0, 1, 16)
    radii = r * np.clip(1 - np.maximum(t - 0.55, 0) ** 2 * 2.4, 0.3, 1)
    path = columns(length * (t - 0.5), np.zeros(16), np.full(16, r))
    seen = radii.copy()
    seen[0], seen[-1] = 0.6 * r, 0.25 * r
    v, u = np.mgrid[0:128, 0:96] / np.array([128, 96]).reshape(2, 1, 1)
    kernel = np.abs(np.sin(math.pi * 12 * u)) ** 0.5 * np.abs(np.sin(math.pi * (26 * v))) ** 0.5
    yellow = varied(rng, (0.96, 0.78, 0.18), 0.02)
    image = blend(plain((0.70, 0.48, 0.10), 128, 96), yellow, step(0.2, 0.7, kernel))
    husk = []
    for k in range(6):
        a = TAU * k / 6 + 0.3
        start = np.array([-0.42 * length, 0.8 * r * math.cos(a), r + 0.8 * r * math.sin(a)])
        tip = start + np.array([-0.020, 0.010 * math.cos(a), 0.010 * math.sin(a)])
        tip[2] = max(tip[2], 0.002)
        husk.append(sweep([start + np.array([0.02, 0.0, 0.0]), start, tip], [0.004, 0.007, 0.001], 6, aspect=0.3))
    visuals = (
        Visual(sweep(path, seen, 16), Material(texture=to_image(image), specular=0.4, shininess=0.5)),
        Visual(merge(*husk), Material(varied(rng, (0.56, 0.68, 0.30), 0.03), specular=0.1), part="stem"),
    )
    return _rod(visuals, path, np.full(16, 0.97 * r), 850.0, 0.5 * length + 0.012)


def mushroom(rng: np.random.Generator) -> Asset:
    """Mushroom standing on its cut stalk, cap 46 to 54 mm wide."""
    r, stalk = rng.uniform(0.023, 0.027), rng.uniform(0.0105, 0.0125)
    low, h = rng.uniform(0.020, 0.024), rng.uniform(0.021, 0.025)
    cap = profile(
        np.array(
            [
                (0.55 * r, low + 0.004),
                (0.92 * r, low),
                (r, low + 0.28 * h),
                (0.86 * r, low + 0.66 * h),
                (0.46 * r, low + 0.94 * h),
                (ON_AXIS_M, low + h),
            ]
        ),
        3,
    )
    skin = varied(rng, ((0.93, 0.89, 0.82), (0.70, 0.54, 0.38), (0.84, 0.74, 0.60))[int(rng.integers(3))], 0.02)
    image = blend(plain(skin, 64, 64), tuple(0.8 * c for c in skin), 0.7 * noise(rng, 64, 64, 4, (4, 6)))
    stem = revolve(
        [(ON_AXIS_M, 0.0), (stalk, 0.0), (1.06 * stalk, 0.002), (0.92 * stalk, 0.6 * low), (1.05 * stalk, low + 0.006)],
        16,
    )
    gills = revolve([(1.0 * stalk, low + 0.005), (0.55 * r, low + 0.0035)], 20)
    visuals = (
        Visual(revolve(cap, 24), Material(texture=to_image(image), specular=0.15), "cap"),
        Visual(stem, Material(varied(rng, (0.93, 0.90, 0.84), 0.01), specular=0.1), "stalk"),
        Visual(gills, Material((0.52, 0.38, 0.30)), "cap"),
    )
    colliders = (
        Collider("cylinder", (1.02 * stalk, 0.5 * low + 0.002), 0.014, "stalk", (0.0, 0.0, 0.5 * low + 0.002)),
        Collider("cylinder", (r, 0.28 * h), 0.012, "cap", (0.0, 0.0, low + 0.28 * h)),
        Collider("cylinder", (0.68 * r, 0.22 * h), 0.006, "cap", (0.0, 0.0, low + 0.76 * h)),
    )
    return Asset(Link("root", visuals, colliders), r, low + h, grasps=top(low + 0.28 * h, 2 * r, part="cap"))


def fish(rng: np.random.Generator) -> Asset:
    """Small fish on its side, 112 to 124 mm long with its tail (+x), 44 to 50 mm wide."""
    b = rng.uniform(0.022, 0.025)
    half = (b * 1.95, b, 0.60 * b)
    t = np.linspace(-math.pi / 2, math.pi / 2, 17)
    s = np.sin(t)
    curve = np.c_[np.maximum(np.cos(t) ** 0.75 * (0.96 - 0.26 * s), ON_AXIS_M), half[0] * s]
    back = varied(rng, ((0.36, 0.46, 0.56), (0.44, 0.40, 0.36), (0.70, 0.36, 0.30))[int(rng.integers(3))], 0.02)
    v, u = np.mgrid[0:96, 0:64] / np.array([96, 64]).reshape(2, 1, 1)
    scales = step(0.5, 1.0, np.abs(np.sin(math.pi * (14 * v + 6 * u))) * np.abs(np.sin(math.pi * (14 * v - 6 * u))))
    pale = 0.5 + 0.5 * np.cos(TAU * (u - 0.5))
    image = blend(plain(back, 96, 64), (0.86, 0.88, 0.88), 0.8 * pale)
    image = blend(image, tuple(0.7 * c for c in back), 0.45 * scales * (v > 0.24))
    image = blend(image, tuple(0.6 * c for c in back), step(0.02, 0.008, np.abs(v - 0.24 - 0.03 * np.cos(TAU * u))))
    z = half[2]
    tail = extrude([(0.0, -0.004), (0.024, -0.021), (0.019, 0.0), (0.024, 0.021), (0.0, 0.004)], 0.003)
    fin = extrude([(-0.014, 0.0), (0.016, 0.0), (0.012, 0.012), (-0.002, 0.010)], 0.002)
    visuals = (
        Visual(laid(curve, half, 20), Material(texture=to_image(image), specular=0.7, shininess=0.7)),
        Visual(
            merge(moved(tail, (0.90 * half[0], 0.0, 0.9 * z)), moved(fin, (0.0, 0.84 * b, z))),
            Material(varied(rng, back, 0.02), specular=0.4),
            part="stem",
        ),
        Visual(
            moved(revolve(oval(0.0034, 0.0018, 0.0, 5), 9), (-0.72 * half[0], 0.15 * b, 1.80 * z)),
            Material((0.05, 0.05, 0.06), specular=0.9),
            part="stem",
        ),
    )
    return lying(half, 900.0, visuals, half[0] + 0.016)


def steak(rng: np.random.Generator) -> Asset:
    """Raw steak, 84 to 96 mm long, 52 to 60 mm wide, 22 to 25 mm thick, marbled, with a rim of fat."""
    a, b, h = rng.uniform(0.042, 0.048), rng.uniform(0.026, 0.030), rng.uniform(0.022, 0.025)
    k = np.arange(28) * TAU / 28
    wobble = 1 + 0.05 * np.sin(3 * k + rng.uniform(0, TAU)) - 0.07 * np.cos(2 * k + 0.6)
    edge = np.c_[
        a * wobble * np.sign(np.cos(k)) * np.abs(np.cos(k)) ** 0.8, b * np.sign(np.sin(k)) * np.abs(np.sin(k)) ** 0.75
    ]
    meat = varied(rng, (0.66, 0.14, 0.14), 0.025)
    veins = noise(rng, 128, 128, 3, (6, 8))
    image = blend(plain(meat, 128, 128), tuple(0.75 * c for c in meat), 0.6 * noise(rng, 128, 128, 3, (5, 5)))
    image = blend(image, (0.95, 0.84, 0.78), 0.9 * step(0.045, 0.015, np.abs(veins - 0.5)))
    v, u = np.mgrid[0:128, 0:128] / 128
    far = np.hypot(2 * u - 1, 2 * v - 1)
    image = blend(image, (0.96, 0.90, 0.80), step(0.84, 0.92, far) * (v > 0.35))
    side = blend(plain(meat, 16, 16), (0.95, 0.88, 0.78), step(0.35, 0.65, noise(rng, 16, 16, 2, (1, 2))))
    visuals = (
        Visual(moved(extrude(edge, h - 0.001), (0.0, 0.0, h / 2)), Material(texture=to_image(side), specular=0.4)),
        Visual(
            moved(extrude(0.995 * edge, 0.0008), (0.0, 0.0, h - 0.0004)),
            Material(texture=to_image(image), specular=0.5),
        ),
    )
    shape = (
        box((0.80 * a, b, h / 2), (0.0, 0.0, h / 2), 0.12),
        box((a * 0.96, 0.7 * b, h / 2), (0.0, 0.0, h / 2), 0.03),
    )
    return Asset(
        Link("root", visuals, shape),
        math.hypot(0.86 * a, 0.8 * b),
        h,
        grasps=top(max(0.55 * h, 0.0115), 2 * b, ACROSS),
    )


def cheese(rng: np.random.Generator) -> Asset:
    """Wedge of cheese with holes, 62 to 70 mm long, 46 to 52 mm wide at the rind (+x), 34 to 40 mm high."""
    a, b, h = rng.uniform(0.031, 0.035), rng.uniform(0.023, 0.026), rng.uniform(0.034, 0.040)
    outline = [(-a, -0.003), (0.88 * a, -b), (a, -0.5 * b), (1.04 * a, 0.0), (a, 0.5 * b), (0.88 * a, b), (-a, 0.003)]
    paste = varied(rng, (0.97, 0.80, 0.32), 0.02)
    image = plain(paste, 128, 128)
    v, u = np.mgrid[0:128, 0:128] / 128
    for _ in range(int(rng.integers(7, 11))):
        cx, cy, r = rng.uniform(0.05, 0.95), rng.uniform(0.1, 0.9), rng.uniform(0.04, 0.09)
        far = np.hypot(u - cx, v - cy)
        image = blend(image, tuple(0.72 * c for c in paste), step(r, r - 0.02, far))
        image = blend(
            image,
            tuple(0.88 * c for c in paste),
            step(0.8 * r, 0.8 * r - 0.02, np.hypot(u - cx - 0.012, v - cy + 0.012)),
        )
    wedge = moved(extrude(outline, h), (0.0, 0.0, h / 2))
    rind = moved(
        extrude(
            [
                (0.87 * a, -b - 0.0004),
                (1.005 * a, -0.5 * b),
                (1.05 * a, 0.0),
                (1.005 * a, 0.5 * b),
                (0.87 * a, b + 0.0004),
                (0.86 * a, 0.0),
            ],
            h + 0.001,
        ),
        (0.0, 0.0, h / 2),
    )
    visuals = (
        Visual(wedge, Material(texture=to_image(image), specular=0.3, shininess=0.3)),
        Visual(
            rind,
            Material(varied(rng, ((0.86, 0.52, 0.16), (0.72, 0.16, 0.12))[int(rng.integers(2))], 0.02), specular=0.4),
        ),
    )
    colliders = tuple(
        box((0.25 * a, b * (0.13 + 0.25 * k), h / 2), (a * (-0.74 + 0.5 * k), 0.0, h / 2), 0.03) for k in range(4)
    )
    grip = max(0.5 * h, h - 0.024)
    return Asset(
        Link("root", visuals, colliders),
        1.04 * a,
        h,
        grasps=top(grip, 2 * 0.88 * b, ACROSS, (0.76 * a, 0.0)),
    )


def bread(rng: np.random.Generator) -> Asset:
    """Small loaf, 100 to 114 mm long, 52 to 60 mm wide, with slashes in its crust."""
    a, b, h = rng.uniform(0.050, 0.057), rng.uniform(0.026, 0.030), rng.uniform(0.040, 0.046)
    return loaf(rng, a, b, h, int(rng.integers(3, 5)))


def loaf(rng: np.random.Generator, a: float, b: float, h: float, cuts: int) -> Asset:
    """Domed loaf along x with half length ``a``, half width ``b``, height ``h`` and ``cuts`` slashes across the top."""
    curve = oval(1.0, 1.0, 0.0, 15)

    def domed(p: Floats) -> Floats:
        x = np.sign(p[:, 2]) * np.abs(p[:, 2]) ** 0.72
        z = np.where(
            p[:, 0] > 0, 0.34 * h + 0.66 * h * np.abs(p[:, 0]) ** 0.85, 0.34 * h - 0.34 * h * np.abs(p[:, 0]) ** 0.6
        )
        return columns(a * x, b * np.sign(p[:, 1]) * np.abs(p[:, 1]) ** 0.85, z)

    crust = varied(rng, (0.74, 0.46, 0.20), 0.03)
    v, u = np.mgrid[0:96, 0:96] / 96
    image = blend(plain(crust, 96, 96), (0.56, 0.30, 0.11), 0.7 * noise(rng, 96, 96, 4, (4, 4)))
    up = 0.5 + 0.5 * np.cos(TAU * u)
    image = blend(image, (0.88, 0.70, 0.44), 0.8 * step(0.35, 0.05, up))
    for k in range(cuts):
        at = 0.5 + 0.56 * ((k + 0.5) / cuts - 0.5)
        slash = step(0.030, 0.014, np.abs(v - at - 0.10 * np.sin(TAU * u))) * step(0.55, 0.75, up)
        image = blend(image, (0.94, 0.84, 0.62), slash)
    mesh = deformed(revolve(curve, 28, min_area_m2=1e-6), domed)
    visual = Visual(mesh, Material(texture=to_image(image), specular=0.1, shininess=0.1))
    mass = 300.0 * 3.0 * a * b * h
    colliders = (
        box((0.62 * a, 0.80 * b, 0.17 * h), (0.0, 0.0, 0.17 * h), 0.3 * mass),
        Collider("ellipsoid", (a, b, 0.5 * h), 0.7 * mass, "body", (0.0, 0.0, 0.5 * h)),
    )
    return Asset(
        Link("root", (visual,), colliders),
        a,
        h,
        grasps=top(max(0.52 * h, h - 0.034, 0.0105), 2 * b, ACROSS),
        elongated=a > 0.05,
    )
