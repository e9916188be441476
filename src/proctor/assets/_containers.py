"""Things that hold or carry others: box, white_storage_box, cutting_board."""

from __future__ import annotations

import math

import numpy as np

from ._colliders import box as box_collider
from ._model import Collider, Grasp, Link, Material, Site, Vec3, Visual
from ._registry import Asset, category
from ._shapes import ON_AXIS_M, revolve_box, slabs
from ._texture import pick, varied, wood

STANDING_M = 0.10
"""How far above the rim the centre of something tall may be that stands in a box."""

Boxes = list[tuple[Vec3, Vec3]]
Tones = tuple[Vec3, Vec3]
OAK: Tones = ((0.58, 0.40, 0.22), (0.80, 0.62, 0.40))
WALNUT: Tones = ((0.40, 0.25, 0.14), (0.62, 0.43, 0.26))
MAPLE: Tones = ((0.68, 0.52, 0.33), (0.88, 0.75, 0.54))


def _open_box(inner_x: float, inner_y: float, wall: float, floor: float, height: float) -> Boxes:
    """Floor and four walls as (half, centre); inner half extents, wall and floor thickness, outer height."""
    y = inner_y + wall
    rise = height / 2
    return [
        ((inner_x, inner_y, floor / 2), (0.0, 0.0, floor / 2)),
        ((wall / 2, y, rise), (inner_x + wall / 2, 0.0, rise)),
        ((wall / 2, y, rise), (-inner_x - wall / 2, 0.0, rise)),
        ((inner_x, wall / 2, rise), (0.0, inner_y + wall / 2, rise)),
        ((inner_x, wall / 2, rise), (0.0, -inner_y - wall / 2, rise)),
    ]


def _box_colliders(boxes: Boxes, mass: float) -> tuple[Collider, ...]:
    volumes = [math.prod(half) for half, _ in boxes]
    parts = ["base"] + ["wall"] * (len(boxes) - 1)
    return tuple(
        box_collider(half, pos, mass * v / sum(volumes), part)
        for (half, pos), v, part in zip(boxes, volumes, parts, strict=True)
    )


def _inside(inner_x: float, inner_y: float, floor: float, high: float) -> Site:
    return Site("contain_region", "contain", (0.0, 0.0, (floor + high) / 2), (inner_x, inner_y, (high - floor) / 2))


def timber(rng: np.random.Generator, tones: Tones, rings: int = 6) -> Material:
    """Oiled wood of two tones."""
    dark, light = tones
    image = wood(rng, varied(rng, dark, 0.02), varied(rng, light, 0.02), rings=rings)
    return Material(texture=image, specular=0.15, shininess=0.25)


@category("box", nouns=("box",))
def box(rng: np.random.Generator) -> Asset:
    """Low open wooden tray, about 24 x 19 cm inside; walls under 50 mm leave room for the palm above them."""
    inner_x, inner_y = rng.uniform(0.117, 0.124), rng.uniform(0.093, 0.099)
    wall, floor, height = 0.009, 0.010, rng.uniform(0.044, 0.0495)
    boxes = _open_box(inner_x, inner_y, wall, floor, height)
    sides = timber(rng, (OAK, WALNUT, MAPLE)[int(rng.integers(3))])
    bottom = timber(rng, (OAK, MAPLE)[int(rng.integers(2))], 8)
    visuals = (
        Visual(slabs(boxes[0], bevel=0.0, uv_per_m=5.0, grain_axis=0), bottom, part="base"),
        Visual(slabs(boxes[3], boxes[4], bevel=0.0015, uv_per_m=5.0, grain_axis=0), sides, part="wall"),
        Visual(slabs(boxes[1], boxes[2], bevel=0.0015, uv_per_m=5.0, grain_axis=1), sides, part="wall"),
    )
    mass = 620.0 * 8 * sum(math.prod(half) for half, _ in boxes)
    return Asset(
        Link("root", visuals, _box_colliders(boxes, mass)),
        radius_m=math.hypot(inner_x + wall, inner_y + wall),
        height_m=height,
        sites=(_inside(inner_x, inner_y, floor, height + STANDING_M),),
    )


@category("white_storage_box", nouns=("storage box", "white storage box", "box"))
def white_storage_box(rng: np.random.Generator) -> Asset:
    """White plastic bin, about 15 x 11 x 9 cm, with rounded corners, a folded rim and a label holder."""
    inner_x, inner_y = rng.uniform(0.066, 0.076), rng.uniform(0.046, 0.053)
    wall, floor, height = 0.004, 0.006, rng.uniform(0.080, 0.096)
    corner = rng.uniform(0.010, 0.014)
    boxes = _open_box(inner_x, inner_y, wall, floor, height)
    c, i = corner, corner - wall
    curve = [
        (ON_AXIS_M, 0.0), (c - 0.003, 0.0), (c - 0.0008, 0.0012), (c, 0.004), (c, height - 0.010),
        (c + 0.002, height - 0.009), (c + 0.002, height - 0.002), (c + 0.001, height), (i - 0.0002, height),
        (i - 0.0008, height - 0.002), (i, 0.012), (i - 0.003, floor), (ON_AXIS_M, floor),
    ]  # fmt: skip
    white = varied(rng, (0.94, 0.945, 0.945), 0.01)
    tint = varied(
        rng, pick(rng, [(0.38, 0.55, 0.66), (0.50, 0.60, 0.48), (0.72, 0.56, 0.44), (0.55, 0.50, 0.62)]), 0.02
    )
    x, y = inner_x + wall, inner_y + wall
    tags = [((0.0006, 0.020, 0.010), (s * (x + 0.0004), 0.0, 0.52 * height)) for s in (1, -1)]
    tags += [((0.026, 0.0006, 0.010), (0.0, s * (y + 0.0004), 0.52 * height)) for s in (1, -1)]
    visuals = (
        Visual(revolve_box(curve, x - corner, y - corner), Material(white, specular=0.4, shininess=0.5)),
        Visual(slabs(*tags, bevel=0.0004), Material(tint, specular=0.3)),
    )
    mass = rng.uniform(0.17, 0.23)
    grip = height - 0.016
    grasps = [
        Grasp((0.0, s * (inner_y + wall / 2), grip), (0.0, 1.0, 0.0), width_m=wall, part="wall") for s in (1.0, -1.0)
    ]
    grasps += [
        Grasp((s * (inner_x + wall / 2), 0.0, grip), (1.0, 0.0, 0.0), width_m=wall, part="wall") for s in (1.0, -1.0)
    ]
    return Asset(
        Link("root", visuals, _box_colliders(boxes, mass)),
        radius_m=math.hypot(x, y),
        height_m=height,
        sites=(_inside(inner_x, inner_y, floor, height + 0.4 * STANDING_M),),
        grasps=tuple(grasps),
    )


@category("cutting_board", nouns=("cutting board", "board"))
def cutting_board(rng: np.random.Generator) -> Asset:
    """Wooden board, about 25 x 18 cm, rounded corners, with an inlaid strip of a second wood near each end."""
    x, y, h = rng.uniform(0.118, 0.130), rng.uniform(0.084, 0.096), rng.uniform(0.014, 0.018)
    tones = (OAK, WALNUT, MAPLE)
    order = rng.permutation(len(tones))
    corner = rng.uniform(0.012, 0.020)
    b = 0.0028
    curve = [
        (ON_AXIS_M, 0.0),
        (corner - b, 0.0),
        (corner, b),
        (corner, h - b),
        (corner - 0.3 * b, h - 0.3 * b),
        (corner - b, h),
        (ON_AXIS_M, h),
    ]
    board = revolve_box(curve, x - corner, y - corner, uv_per_m=5.0)
    inset, strip = rng.uniform(0.020, 0.034), rng.uniform(0.004, 0.008)
    inlays = [((strip, y - b, 0.0008), (s * (x - inset), 0.0, h - 0.0007)) for s in (1, -1)]
    visuals = (
        Visual(board, timber(rng, tones[order[0]], 8)),
        Visual(slabs(*inlays, bevel=0.0, uv_per_m=6.0, grain_axis=1), timber(rng, tones[order[1]])),
    )
    mass = 680.0 * 8 * x * y * h / 2
    return Asset(
        Link("root", visuals, (box_collider((x, y, h / 2), (0.0, 0.0, h / 2), mass, "body"),)),
        radius_m=math.hypot(x, y),
        height_m=h,
        sites=(Site("top_side", "place", (0.0, 0.0, h + 0.05), (x, y, 0.05)),),
    )
