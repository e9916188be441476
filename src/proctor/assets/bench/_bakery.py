"""``bakery``: breads and desserts, all of which a hand can span."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .._bakery import bagel, donut
from .._colliders import box, cylinder, segment
from .._grasps import top
from .._mesh import Floats, columns, deformed, merge, moved
from .._model import Collider, Link, Material, Vec3, Visual
from .._registry import Asset, category
from .._shapes import TAU, extrude, oval, profile, revolve, slab, sweep
from .._texture import blend, noise, pick, plain, speckle, step, to_image, varied
from ._ingredient_more import loaf
from ._sized import fitted

CREAMS: tuple[Vec3, ...] = (
    (0.96, 0.93, 0.86),
    (0.95, 0.68, 0.74),
    (0.40, 0.24, 0.15),
    (0.70, 0.84, 0.70),
    (0.74, 0.66, 0.86),
)
BERRIES: tuple[Vec3, ...] = ((0.76, 0.06, 0.10), (0.22, 0.16, 0.44), (0.60, 0.10, 0.30))


def baguette(rng: np.random.Generator) -> Asset:
    """Short baguette, 118 to 132 mm long, 38 to 44 mm wide."""
    return loaf(
        rng, rng.uniform(0.059, 0.066), rng.uniform(0.019, 0.022), rng.uniform(0.030, 0.034), int(rng.integers(4, 6))
    )


def bread_roll(rng: np.random.Generator) -> Asset:
    """Roll, 58 to 66 mm long, 50 to 56 mm wide, with one cut."""
    return loaf(rng, rng.uniform(0.029, 0.033), rng.uniform(0.025, 0.028), rng.uniform(0.036, 0.042), 1)


def pretzel(rng: np.random.Generator) -> Asset:
    """Knotted dough with salt, 58 to 64 mm wide along y: the curve ((5/2 - 3t^2/10) cos t, (33/10 - 2t^2/5) sin t)."""
    s, r = rng.uniform(0.0102, 0.0108), rng.uniform(0.0055, 0.0062)
    t = np.linspace(-4.0, 4.0, 65)
    x, y = (2.5 - 0.3 * t**2) * np.cos(t), (3.3 - 0.4 * t**2) * np.sin(t)
    # Where the strands cross at |t| = pi, and where the ends lie on the ring, one goes over the other.
    over = np.exp(-((np.abs(t) - 4.0) ** 2) / 0.08) + np.exp(-((t - math.pi) ** 2) / 0.10)
    path = columns(s * (x - 0.95), s * y, r + 1.1 * r * np.clip(over, 0, 1))
    crust = varied(rng, (0.56, 0.28, 0.09), 0.025)
    image = blend(plain(crust, 128, 16), (0.78, 0.50, 0.22), 0.5 * noise(rng, 128, 16, 3, (10, 2)))
    image = speckle(rng, image, (0.97, 0.96, 0.92), int(rng.integers(40, 70)), 0.8)
    radii = r * (1 - 0.30 * (np.abs(t) / 4.0) ** 3)
    strands = [(k, k + 6) for k in range(2, 60, 6)]
    colliders = tuple(segment((*path[a, :2], r), (*path[b, :2], r), r, 0.005) for a, b in strands)
    visual = Visual(sweep(path, radii, 8), Material(texture=to_image(image), specular=0.3, shininess=0.4))
    # At the height of the point between the pads a strand is narrower than at its middle.
    wide = 2 * (float(np.abs(path[20, 1])) + math.sqrt(max(r**2 - (0.0106 - r) ** 2, 0.0)))
    grasps = top(0.0106, wide, (math.pi / 2,), (float(path[20, 0]), 0.0))
    return Asset(Link("root", (visual,), colliders), float(np.abs(path).max()) + r, 3 * r, grasps=grasps)


def cupcake(rng: np.random.Generator) -> Asset:
    """Cupcake in a fluted case, 52 to 58 mm across, with a swirl of cream and a berry."""
    r, h = rng.uniform(0.026, 0.029), rng.uniform(0.030, 0.034)
    case = varied(
        rng, pick(rng, [(0.86, 0.30, 0.36), (0.26, 0.52, 0.66), (0.95, 0.80, 0.40), (0.46, 0.30, 0.20)]), 0.02
    )
    u = np.linspace(0, 1, 96, endpoint=False)[None] + np.zeros((16, 1))
    paper = blend(plain(case, 16, 96), tuple(0.66 * c for c in case), 0.5 + 0.5 * np.sin(TAU * 24 * u))
    cream = varied(rng, pick(rng, CREAMS), 0.015)
    swirl = profile(
        [
            (0.98 * r, h),
            (0.98 * r, h + 0.006),
            (0.70 * r, h + 0.010),
            (0.72 * r, h + 0.014),
            (0.40 * r, h + 0.018),
            (0.38 * r, h + 0.022),
            (1e-5, h + 0.027),
        ],
        3,
    )
    top_m = h + 0.026

    def twisted(p: Floats) -> Floats:
        around = np.arctan2(p[:, 1], p[:, 0]) + 90 * (p[:, 2] - h)
        bump = 1 + 0.055 * np.cos(7 * around)
        return columns(p[:, :2] * np.minimum(bump, 1.03)[:, None], p[:, 2])

    visuals = (
        Visual(
            revolve([(1e-5, 0.0), (0.76 * r, 0.0), (r, h), (0.9 * r, h + 0.001)], 28),
            Material(texture=to_image(paper), specular=0.1),
        ),
        Visual(deformed(revolve(swirl, 28), twisted), Material(cream, specular=0.3, shininess=0.3), "cream"),
        Visual(
            moved(revolve(oval(0.0062, 0.0058, 0.0, 8), 12), (0.0, 0.0, top_m + 0.003)),
            Material(varied(rng, pick(rng, BERRIES), 0.02), specular=0.7, shininess=0.7),
            "stem",
        ),
    )
    colliders = (
        cylinder(0.82 * r, 0.0, 0.45 * h, 0.03),
        cylinder(0.96 * r, 0.45 * h, h + 0.006, 0.03),
        cylinder(0.62 * r, h + 0.006, top_m, 0.008, "cream"),
    )
    return Asset(Link("root", visuals, colliders), r, top_m + 0.004, grasps=top(h - 0.003, 2 * 0.96 * r))


def cake_slice(rng: np.random.Generator) -> Asset:
    """Slice of cream cake, 66 to 74 mm long, 42 to 48 mm wide at the back (+x), 42 to 48 mm high."""
    a, b, h = rng.uniform(0.033, 0.037), rng.uniform(0.021, 0.024), rng.uniform(0.042, 0.048)
    sponge = varied(rng, pick(rng, [(0.88, 0.68, 0.38), (0.40, 0.24, 0.15), (0.72, 0.30, 0.26)]), 0.02)
    cream = varied(rng, pick(rng, CREAMS[:2]), 0.012)
    outline = np.array([(-a, -0.003), (0.92 * a, -b), (a, 0.0), (0.92 * a, b), (-a, 0.003)])
    crumb = to_image(blend(plain(sponge, 32, 32), tuple(0.8 * c for c in sponge), noise(rng, 32, 32, 3, (8, 8))))
    tiers = [moved(extrude(outline * 0.985, 0.24 * h), (0.0, 0.0, (0.12 + 0.32 * k) * h)) for k in range(3)]
    layers = [moved(extrude(outline, 0.09 * h), (0.0, 0.0, (0.28 + 0.32 * k) * h)) for k in range(2)]
    cover = moved(extrude(outline, 0.10 * h), (0.0, 0.0, 0.93 * h))
    rosette = moved(
        revolve(profile([(0.009, 0.0), (0.0088, 0.004), (0.005, 0.007), (1e-5, 0.009)], 2), 14),
        (0.55 * a, 0.0, 0.98 * h),
    )
    berry = moved(revolve(oval(0.0055, 0.0052, 0.0, 8), 12), (0.55 * a, 0.0, 0.98 * h + 0.011))
    visuals = (
        Visual(merge(*tiers), Material(texture=crumb, specular=0.05)),
        Visual(merge(*layers, cover, rosette), Material(cream, specular=0.25, shininess=0.3)),
        Visual(berry, Material(varied(rng, pick(rng, BERRIES), 0.02), specular=0.7, shininess=0.7), "stem"),
    )
    colliders = tuple(
        box((0.25 * a, b * (0.13 + 0.25 * k), 0.49 * h), (a * (-0.75 + 0.5 * k), 0.0, 0.49 * h), 0.02) for k in range(4)
    )
    grasps = top(h - 0.022, 2 * 0.88 * b, (math.pi / 2,), (0.75 * a, 0.0))
    return Asset(Link("root", visuals, colliders), 1.03 * a, h + 0.010, grasps=grasps)


def waffle(rng: np.random.Generator) -> Asset:
    """Round waffle with a grid, 56 to 63 mm across, 22 to 25 mm thick, with a pat of butter."""
    r, h = rng.uniform(0.028, 0.0315), rng.uniform(0.022, 0.025)
    dough = varied(rng, (0.84, 0.58, 0.24), 0.025)
    body = revolve(
        [(1e-5, 0.0), (r - 0.002, 0.0), (r, 0.002), (r, h - 0.005), (r - 0.002, h - 0.0035), (1e-5, h - 0.0035)], 28
    )
    bars = []
    for k in range(-2, 3):
        d = 0.36 * r * k
        reach = math.sqrt(max((0.97 * r) ** 2 - d * d, 1e-8))
        bars += [
            slab((reach, 0.0018, 0.0018), 0.0006, centre=(0.0, d, h - 0.002)),
            slab((0.0018, reach, 0.0018), 0.0006, centre=(d, 0.0, h - 0.002)),
        ]
    butter = slab((0.007, 0.007, 0.002), 0.001, centre=(0.004, -0.003, h + 0.0014))
    pale = tuple(0.72 * c for c in dough)
    image = blend(plain(dough, 64, 64), pale, 0.7 * noise(rng, 64, 64, 3, (5, 5)))
    visuals = (
        Visual(body, Material(texture=to_image(image), specular=0.1)),
        Visual(merge(*bars), Material(varied(rng, dough, 0.01), specular=0.1)),
        Visual(butter, Material((0.98, 0.90, 0.56), specular=0.4), "stem"),
    )
    return Asset(
        Link("root", visuals, (cylinder(r, 0.0, h, 0.06),)), r, h + 0.003, grasps=top(max(0.55 * h, 0.011), 2 * r)
    )


def pudding(rng: np.random.Generator) -> Asset:
    """Custard turned out of its mould, 56 to 62 mm across its foot, with caramel."""
    r, h = rng.uniform(0.028, 0.031), rng.uniform(0.036, 0.042)
    flesh = varied(rng, pick(rng, [(0.96, 0.84, 0.48), (0.42, 0.25, 0.15), (0.94, 0.72, 0.74)]), 0.015)
    sauce = varied(rng, (0.44, 0.20, 0.05), 0.015)
    curve = np.array(
        [
            (1e-5, 0.0),
            (r - 0.001, 0.0),
            (r, 0.002),
            (0.80 * r, h - 0.004),
            (0.74 * r, h - 0.001),
            (0.62 * r, h),
            (1e-5, h),
        ]
    )
    v = np.linspace(0, 1, 96)[:, None]
    u = np.linspace(0, 1, 96, endpoint=False)[None]
    drip = 0.62 + 0.05 * np.sin(TAU * (6 * u + rng.random())) + 0.03 * np.sin(TAU * (11 * u + rng.random()))
    image = blend(plain(flesh, 96, 96), sauce, step(-0.01, 0.01, v - drip))

    def fluted(p: Floats) -> Floats:
        bump = 1 - 0.04 * (1 - np.abs(np.cos(6 * np.arctan2(p[:, 1], p[:, 0]))))
        return columns(p[:, :2] * bump[:, None], p[:, 2])

    mesh = deformed(revolve(curve, 36), fluted)
    colliders = (
        cylinder(0.96 * r, 0.0, 0.35 * h, 0.04), cylinder(0.86 * r, 0.35 * h, h, 0.05),
    )  # fmt: skip
    return Asset(
        Link("root", (Visual(mesh, Material(texture=to_image(image), specular=0.7, shininess=0.7)),), colliders), r, h,
        grasps=top(max(0.55 * h, h - 0.020), 2 * 0.86 * r),
    )  # fmt: skip


def ring_doughnut(rng: np.random.Generator) -> Asset:
    """Iced ring with sprinkles."""
    return fitted(donut(rng), rng.uniform(0.058, 0.064))


def small_bagel(rng: np.random.Generator) -> Asset:
    """Bagel with sesame."""
    return fitted(bagel(rng), rng.uniform(0.058, 0.064))


def croissant(rng: np.random.Generator) -> Asset:
    """Crescent of layered pastry, 84 to 94 mm from tip to tip along y."""
    s, r = rng.uniform(0.042, 0.047), rng.uniform(0.0165, 0.0185)
    t = np.linspace(-1, 1, 25)
    steps = 1 - 0.13 * ((np.abs(t) * 4.2) % 1.0)
    radii = r * np.sqrt(np.clip(1 - np.abs(t) ** 1.7 * 0.92, 0.03, 1)) * steps
    path = columns(0.36 * s * (1 - t**2) - 0.18 * s, s * t, np.maximum(radii, 0.006))
    crust = varied(rng, (0.80, 0.52, 0.20), 0.025)
    image = blend(
        plain(crust, 128, 16),
        (0.58, 0.30, 0.10),
        step(0.3, 0.9, np.abs(np.linspace(-1, 1, 128))[:, None] * 4.2 % 1.0 + np.zeros((1, 16))),
    )
    visual = Visual(sweep(path, radii, 14), Material(texture=to_image(image), specular=0.35, shininess=0.4))
    colliders = [
        segment((path[a, 0], path[a, 1], q), (path[b, 0], path[b, 1], q), q, 0.010)
        for a, b, q in ((3, 8, 0.6 * r), (8, 12, 0.86 * r), (12, 16, 0.86 * r), (16, 21, 0.6 * r))
    ]
    colliders += [Collider("box", (0.010, 0.022, 0.0012), 0.004, "body", (0.004, 0.0, 0.0012))]
    grasps = top(max(0.95 * r, 0.0105), 2 * 0.86 * r, (0.0,), (float(path[12, 0]), 0.0))
    return Asset(Link("root", (visual,), tuple(colliders)), s, 2 * r, grasps=grasps)


KINDS: dict[str, Callable[[np.random.Generator], Asset]] = {
    "baguette": baguette,
    "bagel": small_bagel,
    "bread roll": bread_roll,
    "pretzel": pretzel,
    "cupcake": cupcake,
    "cream cake slice": cake_slice,
    "ring doughnut": ring_doughnut,
    "waffle": waffle,
    "pudding": pudding,
    "croissant": croissant,
}


@category("bakery", nouns=("pastry",), looks={"kind": tuple(KINDS)})
def bakery(rng: np.random.Generator, kind: str = "") -> Asset:
    """A bread or a dessert."""
    kind = kind or list(KINDS)[int(rng.integers(len(KINDS)))]
    return replace(KINDS[kind](rng), nouns=(kind,))
