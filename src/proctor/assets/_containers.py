"""Things that hold or carry others: box, white_storage_box, cutting_board."""

from __future__ import annotations

import math

import numpy as np

from ._colliders import box as box_collider
from ._model import Collider, Grasp, Link, Material, Site, Vec3, Visual
from ._registry import Blueprint, category
from ._shapes import slabs
from ._texture import blend, noise, pick, plain, to_image, varied, wood

Boxes = list[tuple[Vec3, Vec3]]


def _open_box(inner_x: float, inner_y: float, wall: float, floor: float, height: float) -> Boxes:
    """Floor and four walls as (half, centre); inner half extents, wall and floor thickness, outer height."""
    x, y = inner_x + wall, inner_y + wall
    rise, mid = (height - floor) / 2, (height + floor) / 2
    return [
        ((x, y, floor / 2), (0.0, 0.0, floor / 2)),
        ((wall / 2, y, rise), (inner_x + wall / 2, 0.0, mid)),
        ((wall / 2, y, rise), (-inner_x - wall / 2, 0.0, mid)),
        ((inner_x, wall / 2, rise), (0.0, inner_y + wall / 2, mid)),
        ((inner_x, wall / 2, rise), (0.0, -inner_y - wall / 2, mid)),
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


@category("box", nouns=("box",))
def box(rng: np.random.Generator) -> Blueprint:
    """Low open tray of wood or kraft board, about 24 x 19 cm inside; walls under 50 mm leave room for the palm."""
    inner_x, inner_y = rng.uniform(0.117, 0.124), rng.uniform(0.093, 0.099)
    wall, floor, height = 0.009, 0.010, rng.uniform(0.044, 0.0495)
    boxes = _open_box(inner_x, inner_y, wall, floor, height)
    tones: list[tuple[Vec3, Vec3]] = [
        ((0.62, 0.44, 0.26), (0.80, 0.62, 0.40)),
        ((0.50, 0.32, 0.18), (0.68, 0.48, 0.29)),
        ((0.70, 0.55, 0.36), (0.87, 0.74, 0.53)),
    ]
    dark, light = tones[int(rng.integers(len(tones)))]
    grain = Material(texture=wood(rng, varied(rng, dark, 0.02), varied(rng, light, 0.02)), specular=0.15, shininess=0.2)
    long_walls = slabs(boxes[0], boxes[3], boxes[4], bevel=0.0015, uv_per_m=5.0, grain_axis=0)
    short_walls = slabs(boxes[1], boxes[2], bevel=0.0015, uv_per_m=5.0, grain_axis=1)
    mass = 620.0 * 8 * sum(math.prod(half) for half, _ in boxes)
    return Blueprint(
        Link("root", (Visual(long_walls, grain), Visual(short_walls, grain)), _box_colliders(boxes, mass)),
        radius_m=math.hypot(inner_x + wall, inner_y + wall),
        height_m=height,
        sites=(_inside(inner_x, inner_y, floor, height + 0.02),),
    )


@category("white_storage_box", nouns=("storage box", "white storage box", "box"))
def white_storage_box(rng: np.random.Generator) -> Blueprint:
    """White plastic bin, about 15 x 11 x 9 cm, with a folded rim and a label holder."""
    inner_x, inner_y = rng.uniform(0.066, 0.076), rng.uniform(0.046, 0.053)
    wall, floor, height = 0.004, 0.006, rng.uniform(0.080, 0.096)
    boxes = _open_box(inner_x, inner_y, wall, floor, height)
    x, y = inner_x + wall, inner_y + wall
    white = varied(rng, (0.93, 0.94, 0.94), 0.012)
    shell = Material(white, specular=0.4, shininess=0.5)
    rim_half, z = 0.0035, height - 0.0045
    rim_boxes = [((0.0028, y + 0.001, rim_half), (s * (inner_x + wall / 2), 0.0, z)) for s in (1, -1)] + [
        ((x + 0.001, 0.0028, rim_half), (0.0, s * (inner_y + wall / 2), z)) for s in (1, -1)
    ]
    tint = varied(rng, pick(rng, [(0.42, 0.58, 0.68), (0.62, 0.66, 0.62), (0.70, 0.60, 0.52)]), 0.02)
    tag = slabs(*(((0.0006, 0.020, 0.010), (s * (x + 0.0004), 0.0, 0.55 * height)) for s in (1, -1)), bevel=0.0004)
    visuals = (
        Visual(slabs(*boxes, bevel=0.0012), shell),
        Visual(
            slabs(*rim_boxes, bevel=0.001),
            Material(tuple(0.93 * c for c in white), specular=0.4, shininess=0.5),
            part="rim",
        ),  # type: ignore[arg-type]
        Visual(tag, Material(tint, specular=0.3)),
    )
    mass = rng.uniform(0.17, 0.23)
    grasps = tuple(
        Grasp((0.0, s * (inner_y + wall / 2), height - 0.015), (0.0, 1.0, 0.0), width_m=wall, part="wall")
        for s in (1, -1)
    ) + tuple(
        Grasp((s * (inner_x + wall / 2), 0.0, height - 0.015), (1.0, 0.0, 0.0), width_m=wall, part="wall")
        for s in (1, -1)
    )
    return Blueprint(
        Link("root", visuals, _box_colliders(boxes, mass)),
        radius_m=math.hypot(x, y),
        height_m=height,
        sites=(_inside(inner_x, inner_y, floor, height + 0.01),),
        grasps=grasps,
    )


@category("cutting_board", nouns=("cutting board", "board"))
def cutting_board(rng: np.random.Generator) -> Blueprint:
    """Wooden board, about 25 x 18 cm, with end strips of a second wood."""
    x, y, h = rng.uniform(0.118, 0.130), rng.uniform(0.084, 0.096), rng.uniform(0.014, 0.018)
    strip = 0.018
    tones: list[tuple[Vec3, Vec3]] = [
        ((0.66, 0.46, 0.25), (0.84, 0.66, 0.42)),
        ((0.52, 0.33, 0.18), (0.72, 0.51, 0.31)),
        ((0.74, 0.58, 0.36), (0.90, 0.77, 0.55)),
    ]
    order = rng.permutation(len(tones))
    (d0, l0), (d1, l1) = tones[order[0]], tones[order[1]]
    main = Material(
        texture=wood(rng, varied(rng, d0, 0.02), varied(rng, l0, 0.02), rings=8), specular=0.2, shininess=0.3
    )
    ends = Material(texture=wood(rng, varied(rng, d1, 0.02), varied(rng, l1, 0.02)), specular=0.2, shininess=0.3)
    visuals = (
        Visual(slabs(((x - strip, y, h / 2), (0.0, 0.0, h / 2)), bevel=0.0025, uv_per_m=5.0, grain_axis=0), main),
        Visual(
            slabs(
                *(((strip / 2, y, h / 2), (s * (x - strip / 2), 0.0, h / 2)) for s in (1, -1)),
                bevel=0.0025,
                uv_per_m=6.0,
                grain_axis=1,
            ),
            ends,
        ),
    )
    mass = 680.0 * 8 * x * y * h / 2
    return Blueprint(
        Link("root", visuals, (box_collider((x, y, h / 2), (0.0, 0.0, h / 2), mass, "body"),)),
        radius_m=math.hypot(x, y),
        height_m=h,
        sites=(Site("top_side", "place", (0.0, 0.0, h + 0.05), (x, y, 0.05)),),
    )


def kraft(rng: np.random.Generator) -> np.ndarray:  # type: ignore[type-arg]
    """Corrugated board's brown paper."""
    fibres = noise(rng, 64, 64, 4, (8, 8))
    return to_image(blend(plain((0.72, 0.55, 0.36), 64, 64), (0.62, 0.45, 0.28), 0.6 * fibres))
