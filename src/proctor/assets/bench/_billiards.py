"""Billiard balls (pool 1 to 15 with numbers, snooker colours) and a small table with six pockets.

Balls are 45 mm wide and have rolling friction, so that they lie still. The table's bed is 430 x 350 mm: the spec's
600 mm along the robot's view would put the far pockets out of reach. Its long side lies along x, so that seen from the
robot there is a left (+y) and a right row of pockets, each with a top (far), a middle and a bottom (near) one.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._colliders import box
from .._grasps import top
from .._mesh import Floats
from .._model import Collider, Link, Material, Site, Vec3, Visual
from .._registry import Asset, category
from .._shapes import oval, revolve, slab, slabs
from .._texture import pick, to_image, varied, wood
from ._print import canvas, font

RADIUS_M, MASS_KG = 0.0225, 0.120
POOL_RGB: dict[int, Vec3] = {
    1: (0.95, 0.76, 0.10), 2: (0.08, 0.20, 0.62), 3: (0.80, 0.10, 0.10), 4: (0.36, 0.13, 0.48), 5: (0.93, 0.42, 0.06),
    6: (0.05, 0.42, 0.20), 7: (0.46, 0.07, 0.13), 8: (0.06, 0.06, 0.07),
}  # fmt: skip
SNOOKER_RGB: dict[str, Vec3] = {
    "white": (0.95, 0.94, 0.90), "red": (0.74, 0.05, 0.07), "yellow": (0.95, 0.80, 0.10), "green": (0.02, 0.38, 0.17),
    "brown": (0.36, 0.19, 0.08), "blue": (0.06, 0.26, 0.68), "pink": (0.95, 0.52, 0.62), "black": (0.05, 0.05, 0.06),
}  # fmt: skip
BALLS = (*(str(n) for n in range(1, 16)), *SNOOKER_RGB)
BED_Z = 0.060
POCKET_X, POCKET_Y, POCKET_MIDDLE_Y, POCKET_HALF = 0.215, 0.175, 0.187, 0.034
SPOT_X, SPOT_Y, SPOT_M = (0.110, 0.0, -0.110), (0.095, 0.0, -0.095), RADIUS_M + 0.015
"""Nine spots for balls in rows from the far left to the near right, and the half width of each."""
RAIL_HIGH_M, FRAME_M, GROUND_M = 0.016, 0.012, 0.004
_IVORY: Vec3 = (0.95, 0.94, 0.89)
# Elevation and azimuth of the number discs: one on top, four around, so that one always looks at the camera.
_DISCS_DEG = ((90.0, 0.0), (18.0, 180.0), (18.0, 90.0), (18.0, 0.0), (18.0, -90.0))


@category("billiard_ball", nouns=("ball", "billiard ball"), looks={"ball": BALLS})
def billiard_ball(rng: np.random.Generator, ball: str = "") -> Asset:
    """A pool ball, called by its number, or a snooker ball, called by its colour."""
    ball = ball or BALLS[int(rng.integers(len(BALLS)))]
    curve = oval(RADIUS_M, RADIUS_M, RADIUS_M, 28)
    if ball.isdigit():
        material = Material(texture=_pool_texture(int(ball)), specular=0.7, shininess=0.8)
    else:
        material = Material(varied(rng, SNOOKER_RGB[ball], 0.006), specular=0.7, shininess=0.8)
    grasps = top(RADIUS_M, 2 * RADIUS_M)
    collider = Collider("sphere", (RADIUS_M,), MASS_KG, pos=(0.0, 0.0, RADIUS_M))
    root = Link("root", (Visual(revolve(curve, 36), material),), (collider,))
    return Asset(root, RADIUS_M, 2 * RADIUS_M, grasps=grasps, contact="firm")


def _pool_texture(number: int, rows: int = 256, cols: int = 512) -> NDArray[np.uint8]:
    """Longitudes along u, arc length from pole to pole along v; a stripe is a band around the equator."""
    elevation = (np.arange(rows) + 0.5)[:, None] / rows * math.pi - math.pi / 2
    azimuth = (np.arange(cols) + 0.5)[None, :] / cols * 2 * math.pi
    shape = (rows, cols)
    ray = np.stack(
        [
            np.cos(elevation) * np.cos(azimuth),
            np.cos(elevation) * np.sin(azimuth),
            np.broadcast_to(np.sin(elevation), shape),
        ],
        -1,
    )
    colour = np.asarray(POOL_RGB[number if number < 9 else number - 8])
    image = np.broadcast_to(colour, (*shape, 3)).copy()
    if number > 8:
        image[np.abs(ray[..., 2]) > 0.62] = _IVORY
    patch = _number_patch(number)
    for up_deg, around_deg in _DISCS_DEG:
        _stamp(image, ray, patch, math.radians(up_deg), math.radians(around_deg))
    return to_image(image)


def _number_patch(number: int, size: int = 256) -> Floats:
    image, pen = canvas(size, size, (242, 240, 228))
    ink = (20, 20, 24)
    digits = 170 if number < 10 else 138
    pen.text((size / 2, size / 2), str(number), ink, font(digits), "mm", stroke_width=8, stroke_fill=ink)
    if number in (6, 9):
        pen.rectangle((0.36 * size, 0.84 * size, 0.64 * size, 0.88 * size), ink)
    return np.asarray(image, float) / 255


def _stamp(image: Floats, ray: Floats, patch: Floats, up: float, around: float, reach: float = 0.52) -> None:
    """Print ``patch`` as a disc of angular radius about ``reach`` rad; upright seen from outside, or from -x on top."""
    normal = np.array([math.cos(up) * math.cos(around), math.cos(up) * math.sin(around), math.sin(up)])
    above = np.array([1.0, 0.0, 0.0]) if up > 1.5 else np.array([0.0, 0.0, 1.0])
    above = above - (above @ normal) * normal
    above /= np.linalg.norm(above)
    right = np.cross(above, normal)
    x, y = ray @ right / reach, ray @ above / reach
    inside = (ray @ normal > 0) & (np.hypot(x, y) < 1.0)
    size = len(patch)
    column = np.clip(((x[inside] * 0.95 + 1) / 2 * size).astype(int), 0, size - 1)
    row = np.clip(((1 - y[inside] * 0.95) / 2 * size).astype(int), 0, size - 1)
    image[inside] = patch[row, column]


@category("billiard_table", nouns=("billiard table", "table"))
def billiard_table(rng: np.random.Generator) -> Asset:
    """Bed, cushions and six wells; balls lie on ``bed`` or ``spot1`` to ``spot9``; pockets are ``contain`` sites."""
    cloth: Vec3 = varied(rng, pick(rng, ((0.06, 0.40, 0.24), (0.08, 0.30, 0.46), (0.44, 0.10, 0.16))), 0.02)
    grain = wood(rng, (0.26, 0.13, 0.07), (0.46, 0.26, 0.14), 64)
    bed, rails, frame = _bed(), _rails(), _frame()
    ground = [((POCKET_X + POCKET_HALF, POCKET_MIDDLE_Y + POCKET_HALF, GROUND_M / 2), (0.0, 0.0, GROUND_M / 2))]
    colliders = tuple(
        box(half, pos, 0.2, part)
        for part, boxes in (("bed", bed), ("cushion", rails), ("frame", frame), ("ground", ground))
        for half, pos in boxes
    )
    dark = tuple(
        slab((POCKET_HALF, POCKET_HALF, 0.001), centre=(x, y, GROUND_M + 0.001)) for x, y in pockets().values()
    )
    felt = Material(cloth, specular=0.05, shininess=0.1)
    visuals = (
        Visual(slabs(*bed, bevel=5e-4), felt, "bed"),
        Visual(slabs(*rails, bevel=0.003), Material(_darker(cloth), specular=0.05, shininess=0.1), "cushion"),
        Visual(slabs(*frame, bevel=0.002), Material(texture=grain, specular=0.3, shininess=0.4), "frame"),
        *(Visual(mesh, Material((0.05, 0.05, 0.05), specular=0.0), "pocket") for mesh in dark),
    )
    room = (BED_Z - GROUND_M) / 2
    sites = [
        Site(name, "contain", (x, y, GROUND_M + room), (POCKET_HALF, POCKET_HALF, room))
        for name, (x, y) in pockets().items()
    ]
    for k, (x, y) in enumerate((x, y) for x in SPOT_X for y in SPOT_Y):
        sites.append(Site(f"spot{k + 1}", "place", (x, y, BED_Z + 0.03), (SPOT_M, SPOT_M, 0.03)))
    sites.append(Site("bed", "place", (0.0, 0.0, BED_Z + 0.03), (POCKET_X - POCKET_HALF, POCKET_Y - POCKET_HALF, 0.03)))
    radius = math.hypot(POCKET_X + POCKET_HALF, POCKET_MIDDLE_Y + POCKET_HALF) + FRAME_M
    return Asset(Link("root", visuals, colliders), radius, BED_Z + RAIL_HIGH_M, tuple(sites), kind="fixture")


def pockets() -> dict[str, tuple[float, float]]:
    """Return the middle of each pocket by its site's name."""
    return {
        f"{side}_{row}": (x, sign * (POCKET_MIDDLE_Y if row == "middle" else POCKET_Y))
        for side, sign in (("left", 1.0), ("right", -1.0))
        for row, x in (("top", POCKET_X), ("middle", 0.0), ("bottom", -POCKET_X))
    }


def _darker(colour: Vec3) -> Vec3:
    return 0.72 * colour[0], 0.72 * colour[1], 0.72 * colour[2]


def _between(low: tuple[float, float, float], high: tuple[float, float, float]) -> tuple[Vec3, Vec3]:
    """A box by two corners, as (half, centre)."""
    half = tuple((b - a) / 2 for a, b in zip(low, high, strict=True))
    middle = tuple((a + b) / 2 for a, b in zip(low, high, strict=True))
    return (half[0], half[1], half[2]), (middle[0], middle[1], middle[2])


def _bed() -> list[tuple[Vec3, Vec3]]:
    """Five solid bands across the table; what they leave open are the wells."""
    x, w, out = POCKET_X, POCKET_HALF, POCKET_MIDDLE_Y + POCKET_HALF
    corner, middle = POCKET_Y - w, POCKET_MIDDLE_Y - w
    bands = [(-x - w, -x + w, corner), (-x + w, -w, out), (-w, w, middle), (w, x - w, out), (x - w, x + w, corner)]
    solid = [_between((a, -y, GROUND_M), (b, y, BED_Z)) for a, b, y in bands]
    # Beside a corner well, which begins nearer to the middle than the frame, there is a sliver to fill.
    for sx in (-1, 1):
        for sy in (-1, 1):
            a, b = sorted((sx * (x - w), sx * (x + w)))
            c, d = sorted((sy * (POCKET_Y + w), sy * out))
            solid.append(_between((a, c, GROUND_M), (b, d, BED_Z)))
    return solid


def _rails() -> list[tuple[Vec3, Vec3]]:
    """Cushions between the pockets."""
    x, y, w, out = POCKET_X, POCKET_Y, POCKET_HALF, POCKET_MIDDLE_Y + POCKET_HALF
    low, high = BED_Z, BED_Z + RAIL_HIGH_M
    long = [
        _between((a, min(s * y, s * out), low), (b, max(s * y, s * out), high))
        for s in (-1, 1)
        for a, b in ((-x + w, -w), (w, x - w))
    ]
    short = [_between((min(s * x, s * (x + w)), -y + w, low), (max(s * x, s * (x + w)), y - w, high)) for s in (-1, 1)]
    return [*long, *short]


def _frame() -> list[tuple[Vec3, Vec3]]:
    """The wooden border around everything."""
    x, y, high = POCKET_X + POCKET_HALF, POCKET_MIDDLE_Y + POCKET_HALF, BED_Z + RAIL_HIGH_M
    ends = [
        _between((min(s * x, s * (x + FRAME_M)), -y - FRAME_M, 0.0), (max(s * x, s * (x + FRAME_M)), y + FRAME_M, high))
        for s in (-1, 1)
    ]
    sides = [
        _between((-x, min(s * y, s * (y + FRAME_M)), 0.0), (x, max(s * y, s * (y + FRAME_M)), high)) for s in (-1, 1)
    ]
    return [*ends, *sides]
