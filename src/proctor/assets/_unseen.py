"""Unseen instances, category ``X_n`` beside ``X``: the same kind of thing in a shape and colour that X never takes.

A ribbed yellow tomato, a golden kiwi, a flat red onion, a chocolate donut with a zigzag, a square cake, a broad knife.
"""

from __future__ import annotations

import math

import numpy as np

from ._bakery import dough_ring, ring_profile
from ._colliders import box
from ._cutlery import ACROSS, KNIFE_IDS, STEEL
from ._fruit import LEAF_GREEN, calyx, standing
from ._fruit_lying import laid, lying
from ._grasps import top
from ._mesh import Floats, columns, deformed, merge, moved
from ._model import Link, Material, Vec3, Visual
from ._registry import Asset, category
from ._shapes import TAU, extrude, oval, profile, revolve, rows_of, slab, slabs
from ._texture import blend, noise, pick, plain, step, to_image, varied, wood

ROWS, COLS = 96, 96


@category("tomato_n", nouns=("tomato",))
def tomato_n(rng: np.random.Generator) -> Asset:
    """Ribbed, flat tomato, yellow to orange with green shoulders, 62 to 69 mm wide."""
    r = rng.uniform(0.031, 0.0345)
    h = r * rng.uniform(0.62, 0.70)
    points = [
        (0.0, 0.10), (0.30, 0.02), (0.74, 0.30), (0.985, 0.90), (0.95, 1.40), (0.68, 1.86), (0.38, 1.97),
        (0.15, 1.84), (0.0, 1.62),
    ]  # fmt: skip
    curve = profile(np.array(points) * (r, h), 2)
    ribs, phase = int(rng.integers(7, 10)), rng.uniform(0, TAU)

    def ribbed(p: Floats) -> Floats:
        groove = 0.10 * (1 - np.abs(np.cos(0.5 * ribs * np.arctan2(p[:, 1], p[:, 0]) + phase))) ** 1.5
        return columns(p[:, :2] * (1 - groove)[:, None], p[:, 2])

    yellow = varied(rng, pick(rng, [(0.95, 0.74, 0.12), (0.96, 0.58, 0.10), (0.90, 0.80, 0.30)]), 0.02)
    v = np.linspace(0, 1, ROWS)[:, None]
    cloud = noise(rng, ROWS, COLS, 3, (2, 5))
    image = blend(plain(yellow, ROWS, COLS), (0.90, 0.36, 0.10), 0.7 * step(0.36, 0.0, v + 0.25 * (cloud - 0.5)))
    image = blend(image, (0.42, 0.52, 0.14), 0.75 * step(0.70, 0.95, v + 0.25 * (cloud - 0.5)))
    visuals = (
        Visual(deformed(revolve(curve, 32), ribbed), Material(texture=to_image(image), specular=0.7, shininess=0.8)),
        Visual(
            calyx(rng, 5, 0.44 * r, 0.04 * h, 1.93 * h), Material(varied(rng, LEAF_GREEN, 0.03), specular=0.1), "stem"
        ),
    )
    return standing(r, h, 950.0, visuals)


@category("kiwi_n", nouns=("kiwi",))
def kiwi_n(rng: np.random.Generator) -> Asset:
    """Golden kiwi, 64 to 78 mm long, slim, smooth, with a beak."""
    b = rng.uniform(0.0215, 0.0240)
    half = (b * rng.uniform(1.50, 1.62), b, 0.94 * b)
    curve = oval(1.0, half[0], 0.0, 15)
    curve[-4:, 0] *= (0.97, 0.90, 0.80, 1.0)
    gold = varied(rng, (0.70, 0.56, 0.22), 0.02)
    cloud = noise(rng, ROWS, COLS, 3, (4, 4))
    image = blend(plain(gold, ROWS, COLS), (0.56, 0.58, 0.20), 0.7 * step(0.4, 0.9, cloud))
    image = blend(image, (0.48, 0.36, 0.14), 0.3 * step(0.75, 1.0, rng.random((ROWS, COLS))))
    v = np.linspace(0, 1, ROWS)[:, None] + 0 * cloud
    image = blend(image, (0.26, 0.19, 0.09), step(0.025, 0.012, v) + step(0.95, 0.98, v))
    visual = Visual(laid(curve, half), Material(texture=to_image(image), specular=0.25, shininess=0.3))
    return lying(half, 1050.0, (visual,))


@category("onion_n", nouns=("onion",))
def onion_n(rng: np.random.Generator) -> Asset:
    """Flat red onion with pale meridians, 62 to 69 mm wide, 46 to 55 mm tall."""
    r = rng.uniform(0.031, 0.0345)
    h = r * rng.uniform(0.74, 0.80)
    tip = 0.08
    points = [
        (0.0, 0.06), (0.16, 0.0), (0.46, 0.10), (0.86, 0.48), (1.0, 1.0), (0.88, 1.46), (0.52, 1.82), (0.22, 1.97),
        (0.13, 2.0 + tip), (0.0, 2.04 + tip),
    ]  # fmt: skip
    curve = profile(np.array(points) * (r, h), 2)
    red = varied(rng, pick(rng, [(0.46, 0.10, 0.24), (0.52, 0.14, 0.30), (0.40, 0.08, 0.20)]), 0.02)
    u = np.linspace(0, 1, COLS, endpoint=False)[None]
    v = np.linspace(0, 1, ROWS)[:, None]
    grain = noise(rng, ROWS, COLS, 2, (1, 20))
    lines = step(0.55, 1.0, np.cos(TAU * (14 * u + 0.8 * grain)))
    image = blend(plain(red, ROWS, COLS), (0.80, 0.52, 0.62), 0.55 * lines)
    image = blend(image, (0.68, 0.36, 0.46), 0.5 * noise(rng, ROWS, COLS, 2, (2, 5)))
    image = blend(image, (0.72, 0.60, 0.44), 0.9 * step(0.88, 0.96, v + 0 * u))
    image = blend(image, (0.84, 0.78, 0.66), step(0.06, 0.03, v + 0 * u))
    visual = Visual(revolve(curve, 26), Material(texture=to_image(image), specular=0.7, shininess=0.7))
    return standing(r, h, 950.0, (visual,), tip * h)


@category("donut_n", nouns=("donut", "doughnut"))
def donut_n(rng: np.random.Generator) -> Asset:
    """Slim chocolate ring with a zigzag of icing, 66 to 71 mm across."""
    thick = rng.uniform(0.0098, 0.0108)
    ring = rng.uniform(0.0330, 0.0354) - thick
    curve = ring_profile(ring, thick, 1.0, thick)
    _, height = rows_of(curve, ROWS)
    dough = varied(rng, pick(rng, [(0.24, 0.13, 0.08), (0.30, 0.16, 0.09), (0.46, 0.16, 0.16)]), 0.012)
    line = varied(rng, pick(rng, [(0.97, 0.94, 0.86), (0.96, 0.78, 0.30), (0.62, 0.82, 0.70)]), 0.012)
    image = blend(dough, tuple(1.5 * c for c in dough), 0.6 * noise(rng, ROWS, COLS, 4, (6, 10)))
    u = np.linspace(0, 1, COLS, endpoint=False)[None]
    v = (np.arange(ROWS) + 0.5)[:, None] / ROWS
    wave = np.abs(2 * ((int(rng.integers(11, 15)) * u + rng.random()) % 1.0) - 1.0)
    zigzag = step(0.06, 0.035, np.abs(v - 0.36 - 0.28 * wave))
    image = blend(image, line, zigzag * (height > 1.1 * thick)[:, None])
    visual = Visual(revolve(curve, 26), Material(texture=to_image(image), specular=0.4, shininess=0.5))
    return dough_ring(ring, thick, 1.0, rng.uniform(0.042, 0.055), (visual,))


@category("cake_n", nouns=("cake",))
def cake_n(rng: np.random.Generator) -> Asset:
    """Square cut of cake, 54 to 62 mm, dark sponge between cream, glazed, with one berry."""
    a, h = rng.uniform(0.027, 0.031), rng.uniform(0.040, 0.046)
    sponge = varied(rng, pick(rng, [(0.30, 0.17, 0.10), (0.56, 0.12, 0.13), (0.36, 0.46, 0.20)]), 0.015)
    cream = varied(rng, (0.96, 0.92, 0.84), 0.01)
    glaze = varied(rng, pick(rng, [(0.20, 0.11, 0.07), (0.95, 0.72, 0.76), (0.93, 0.86, 0.66)]), 0.012)
    crumb = blend(sponge, tuple(1.25 * c for c in sponge), noise(rng, 64, 64, 3, (10, 10)))
    tiers: list[tuple[Vec3, Vec3]] = [((a, a, 0.13 * h), (0.0, 0.0, f * h)) for f in (0.13, 0.45, 0.77)]
    fills: list[tuple[Vec3, Vec3]] = [((0.985 * a, 0.985 * a, 0.04 * h), (0.0, 0.0, f * h)) for f in (0.29, 0.61)]
    coat = slab((a + 0.0008, a + 0.0008, 0.05 * h), 0.0016, centre=(0.0, 0.0, 0.95 * h))
    piped = [
        moved(revolve(oval(0.0048, 0.0042, 0.0036, 6), 8), (sx * (a - 0.007), sy * (a - 0.007), h - 0.0008))
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    berry: Vec3 = varied(rng, pick(rng, [(0.76, 0.06, 0.09), (0.20, 0.16, 0.44)]), 0.02)
    visuals = (
        Visual(slabs(*tiers, bevel=0.0008, uv_per_m=12.0), Material(texture=to_image(crumb), specular=0.05)),
        Visual(slabs(*fills, bevel=0.0004), Material(cream, specular=0.2)),
        Visual(coat, Material(glaze, specular=0.7, shininess=0.7)),
        Visual(merge(*piped), Material(cream, specular=0.2), part="stem"),
        Visual(moved(revolve(oval(0.0085, 0.0075, 0.0068, 9), 12), (0.0, 0.0, h - 0.0006)),
               Material(berry, specular=0.7, shininess=0.7), part="stem"),
    )  # fmt: skip
    shape = box((a, a, h / 2), (0.0, 0.0, h / 2), 420.0 * 4 * a * a * h)
    grasps = top(h - 0.020, 2 * a, (0.0, math.pi / 2))
    return Asset(Link("root", visuals, (shape,)), 1.4143 * a, h + 0.013, grasps=grasps)


@category("knife_n", nouns=("knife",))
def knife_n(rng: np.random.Generator) -> Asset:
    """Broad knife with a blunt nose and a pale handle, 20 to 22 cm; blade towards +x, edge towards -y."""
    blade, grip = rng.uniform(0.104, 0.116), rng.uniform(0.094, 0.104)
    deep, wide, thick = rng.uniform(0.020, 0.023), 0.0110, 0.0150
    z = thick / 2
    outline = [
        (0.004, -deep), (0.80 * blade, -deep), (0.95 * blade, -0.55 * deep), (blade, 0.15 * deep),
        (0.93 * blade, 0.62 * deep), (0.78 * blade, 0.80 * deep), (0.004, 0.80 * deep),
    ]  # fmt: skip
    dimples = [
        moved(revolve([(1e-5, 0.0), (0.0034, 0.0), (1e-5, 0.0004)], 8), (f * blade, -0.30 * deep, z + 0.0009))
        for f in (0.16, 0.31, 0.46, 0.61, 0.76)
    ]
    bolster = slab((0.005, wide - 0.0005, z - 0.0005), 0.001, centre=(0.0, 0.0, z))
    pale = pick(rng, [(0.86, 0.74, 0.54), (0.78, 0.80, 0.78), (0.80, 0.62, 0.42)])
    timber = wood(
        rng, varied(rng, (0.78 * pale[0], 0.78 * pale[1], 0.78 * pale[2]), 0.015), varied(rng, pale, 0.015), 64
    )
    shaft = slab((0.5 * grip, wide, z), 0.0042, 10.0, 0, (-0.5 * grip, 0.0, z))
    visuals = (
        Visual(extrude(outline, 0.0020), STEEL, part="blade", pos=(0.0, 0.0, z)),
        Visual(merge(*dimples), Material((0.52, 0.54, 0.57), specular=0.8), part="blade"),
        Visual(bolster, STEEL, part="handle"),
        Visual(shaft, Material(texture=timber, specular=0.25, shininess=0.3), part="handle"),
    )
    colliders = (
        box((0.5 * blade - 0.004, 0.90 * deep, 0.0012), (0.5 * blade + 0.002, -0.10 * deep, z), 0.052, "blade"),
        box((0.5 * grip, wide, z), (-0.5 * grip, 0.0, z), 0.080, "handle"),
    )
    grasps = top(0.0105, 2 * wide, ACROSS, (-0.40 * grip, 0.0), 0.0, "handle") + top(
        0.0105, 2 * wide, ACROSS, (-0.58 * grip, 0.0), 0.05, "handle"
    )
    return Asset(
        Link("root", visuals, colliders),
        radius_m=math.hypot(blade, deep),
        height_m=thick,
        grasps=grasps,
        elongated=True,
        part_aliases=KNIFE_IDS,
    )
