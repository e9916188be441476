"""What shows something behind a button: a pedestal with a flat top, and an easel with a picture leaning on it.

An easel carries a ``painting`` of the same looks itself, facing the robot (-x) and leaning back: a layout can only lay
one flat. The painting lies with its face up and its upper edge towards +x, so a turn about y stands it up.
"""

from __future__ import annotations

import math

import numpy as np

from .._colliders import about_y, box, cylinder
from .._containers import MAPLE, OAK, WALNUT, timber
from .._mesh import Floats, rotation
from .._model import Asset, Link, Material, Quat, Site, Vec3, Visual
from .._registry import Blueprint, category, make
from .._shapes import ON_AXIS_M, revolve, slabs
from .._texture import blend, noise, pick, to_image, varied

LEAN_RAD = math.radians(18.0)
LIP_M = 0.022
"""Height of the ledge on which the picture stands."""
STONES: list[Vec3] = [
    (0.86, 0.85, 0.82),
    (0.55, 0.55, 0.56),
    (0.74, 0.66, 0.56),
    (0.30, 0.31, 0.33),
    (0.70, 0.74, 0.70),
]


@category("pedestal", nouns=("pedestal", "stand"))
def pedestal(rng: np.random.Generator) -> Blueprint:
    """Round stone column, 9 cm across and 6 to 9 cm high; ``top`` takes what it shows."""
    r, h = rng.uniform(0.043, 0.048), rng.uniform(0.060, 0.090)
    neck = r - rng.uniform(0.006, 0.010)
    curve = [
        (ON_AXIS_M, 0.0), (r - 0.001, 0.0), (r, 0.001), (r, 0.010), (r - 0.003, 0.014), (neck, 0.018),
        (neck, h - 0.018), (r - 0.003, h - 0.014), (r, h - 0.010), (r, h - 0.002), (r - 0.002, h), (ON_AXIS_M, h),
    ]  # fmt: skip
    stone = varied(rng, pick(rng, STONES), 0.02)
    vein = noise(rng, 128, 128, 4, (3, 3))
    image = blend(stone, tuple(0.78 * c for c in stone), np.clip(1.6 * np.abs(vein - 0.5), 0.0, 1.0))
    look = Material(texture=to_image(image), specular=0.3, shininess=0.5)
    return Blueprint(
        Link("root", (Visual(revolve(curve, 30), look),), (cylinder(r, 0.0, h, 1.5),)),
        r,
        h,
        sites=(Site("top", "place", (0.0, 0.0, h + 0.05), (r, r, 0.05)),),
        kind="fixture",
    )


@category("easel", nouns=("easel", "painting"), looks={"style": None, "subject": None, "title": None})
def easel(rng: np.random.Generator, **looks: str) -> Blueprint:
    """Table easel of wood with a painting; ``painting`` is the part that is read."""
    picture = make("painting", int(rng.integers(2**31)), tuple(looks.items()))
    low, high = _bounds(picture)
    stand: Quat = about_y(-(math.pi / 2 - LEAN_RAD))
    turn = rotation(stand)
    # The middle of the picture's lower edge, at the back, stands on the ledge.
    ledge = np.array([-0.012, 0.0, LIP_M])
    at = ledge - turn @ np.array([low[0], (low[1] + high[1]) / 2, 0.0])
    wide, tall = float(high[1] - low[1]), float(high[0] - low[0])
    wood = timber(rng, (OAK, WALNUT, MAPLE)[int(rng.integers(3))], 5)
    back = np.array([math.sin(LEAN_RAD), 0.0, math.cos(LEAN_RAD)])
    post = ledge + back * 0.46 * tall + turn @ np.array([0.0, 0.0, -0.007])
    rest: tuple[Vec3, Vec3] = ((0.014, 0.36 * wide, LIP_M / 2), (-0.016, 0.0, LIP_M / 2))
    foot: tuple[Vec3, Vec3] = ((0.050, 0.016, 0.006), (0.034, 0.0, 0.006))
    frame = slabs(((0.46 * tall, 0.014, 0.005), (0.0, 0.0, 0.0)), bevel=0.0015)
    centre = (float(post[0]), 0.0, float(post[2]))
    visuals = (
        Visual(slabs(rest, foot, bevel=0.002, grain_axis=1), wood),
        Visual(frame, wood, pos=centre, quat_wxyz=stand),
    )
    colliders = (
        box(*rest, 0.2),
        box(*foot, 0.2),
        box((0.46 * tall, 0.014, 0.005), centre, 0.2, quat_wxyz=stand),
    )
    shown = Link("painting", picture.root.visuals, picture.root.colliders, _vec3(at), stand)
    height = float((at + turn @ np.array([high[0], 0.0, high[2]]))[2])
    return Blueprint(
        Link("root", visuals, colliders, children=(shown,)),
        math.hypot(0.085, wide / 2),
        height,
        face=(-math.cos(LEAN_RAD), 0.0, math.sin(LEAN_RAD)),
        kind="fixture",
    )


def _bounds(asset: Asset) -> tuple[Floats, Floats]:
    points = np.concatenate([v.mesh.vertices @ rotation(v.quat_wxyz).T + v.pos for v in asset.root.visuals])
    return points.min(0).astype(float), points.max(0).astype(float)


def _vec3(values: Floats) -> Vec3:
    x, y, z = (float(v) for v in values)
    return x, y, z
