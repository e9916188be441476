"""Open boxes and oiled wood: what the recipes of ``containers.toml`` are built from."""

from __future__ import annotations

import math

import numpy as np

from ._colliders import box as box_collider
from ._model import Collider, Material, Site, Vec3
from ._texture import varied, wood

Boxes = list[tuple[Vec3, Vec3]]

Tones = tuple[Vec3, Vec3]


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
    dark, light = tones
    image = wood(rng, varied(rng, dark, 0.02), varied(rng, light, 0.02), rings=rings)
    return Material(texture=image, specular=0.15, shininess=0.25)
