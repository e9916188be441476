"""Cut flowers, the stand they wait in, and the vase they go into.

A stem of 160 mm with a square grip sleeve under the bloom: the hand comes from above, the bloom fits between palm and
fingertips. Petals and leaves are soft: seen, never touched. A wilted flower is brown and hangs its head to one side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .._colliders import about_x, about_y, about_z, times, vec3
from .._mesh import Floats, make_mesh, merge, moved
from .._model import Material, Mesh, Vec3, Visual
from .._shapes import oval, revolve
from .._texture import varied

STEM_M, STEM_HIGH_M = 0.0035, 0.160


def _neck(wilted: bool) -> tuple[np.ndarray, tuple[Vec3, tuple[float, float, float, float]]]:
    """The line of the stalk, and where and how the bloom sits on it; a wilted one hangs over to +y."""
    straight = [(0.0, 0.0, z) for z in np.linspace(0.0, STEM_HIGH_M, 6)]
    if not wilted:
        return np.asarray(straight), ((0.0, 0.0, STEM_HIGH_M), (1.0, 0.0, 0.0, 0.0))
    bent = [(0.0, 0.014 * (1 - math.cos(a)), STEM_HIGH_M + 0.014 * math.sin(a)) for a in np.linspace(0.3, 2.5, 7)]
    end = bent[-1]
    return np.asarray([*straight, *bent]), (vec3(end), times(about_z(0.0), about_x(-2.3)))


@dataclass(frozen=True, slots=True)
class Ring:
    """``count`` petals, millimetres and degrees: each leaves the axis at ``rise`` and ends at ``end`` above level."""

    count: int
    length: float
    width: float
    rise: float
    end: float
    rgb: Vec3


@dataclass(frozen=True, slots=True)
class Bloom:
    """Rings of petals, and a centre: a dome, a trumpet, a column or a ball of radius and height in millimetres."""

    rings: tuple[Ring, ...]
    centre: str = "dome"
    radius: float = 4.0
    height: float = 4.0
    rgb: Vec3 = (0.90, 0.75, 0.15)
    tilt_deg: float = 30.0


WHITE: Vec3 = (0.96, 0.95, 0.92)

BLOOMS: dict[str, Bloom] = {
    "rose": Bloom(
        (Ring(5, 21, 20, 10, 62, (0.70, 0.05, 0.10)), Ring(5, 18, 17, 40, 84, (0.78, 0.08, 0.13)),
         Ring(4, 14, 13, 62, 96, (0.62, 0.03, 0.08))), radius=3, rgb=(0.50, 0.02, 0.06), tilt_deg=25,
    ),
    "tulip": Bloom(
        (Ring(3, 31, 24, 52, 98, (0.92, 0.36, 0.16)), Ring(3, 30, 22, 56, 94, (0.96, 0.52, 0.18))),
        "column", 2, 12, (0.30, 0.32, 0.10), 12,
    ),
    "daisy": Bloom((Ring(18, 23, 6.5, 4, -4, WHITE),), "dome", 8, 6, (0.95, 0.74, 0.08), 42),
    "sunflower": Bloom(
        (Ring(19, 29, 9, 8, 2, (0.97, 0.72, 0.05)), Ring(15, 26, 8, 20, 12, (0.95, 0.64, 0.04))),
        "dome", 14, 6, (0.27, 0.15, 0.06), 46,
    ),
    "carnation": Bloom(
        (Ring(11, 22, 12, 5, 24, (0.90, 0.20, 0.26)), Ring(10, 19, 11, 30, 52, (0.94, 0.28, 0.34)),
         Ring(8, 15, 10, 58, 80, (0.90, 0.22, 0.28))), radius=3, rgb=(0.85, 0.18, 0.24), tilt_deg=28,
    ),
    "iris": Bloom(
        (Ring(3, 28, 18, 18, -62, (0.34, 0.18, 0.66)), Ring(3, 27, 16, 62, 112, (0.52, 0.38, 0.84))),
        "column", 2.5, 9, (0.95, 0.80, 0.20), 14,
    ),
    "lotus": Bloom(
        (Ring(8, 29, 14, 12, 52, (0.96, 0.62, 0.74)), Ring(8, 25, 12, 42, 72, (0.97, 0.74, 0.82)),
         Ring(5, 19, 10, 62, 88, (0.98, 0.84, 0.88))), "dome", 6, 8, (0.70, 0.72, 0.20), 24,
    ),
    "peony": Bloom(
        (Ring(8, 26, 22, 2, 46, (0.88, 0.42, 0.66)), Ring(8, 22, 20, 30, 74, (0.93, 0.56, 0.74)),
         Ring(7, 17, 16, 56, 100, (0.90, 0.48, 0.70))), radius=4, rgb=(0.96, 0.80, 0.45), tilt_deg=26,
    ),
    "daffodil": Bloom((Ring(6, 25, 14, 6, 0, (0.98, 0.90, 0.36)),), "trumpet", 10, 17, (0.96, 0.58, 0.06), 52),
    "thistle": Bloom(
        (Ring(34, 31, 3.0, 80, 58, (0.62, 0.26, 0.74)), Ring(20, 33, 3.0, 88, 74, (0.70, 0.34, 0.80))),
        "ball", 11, 16, (0.34, 0.46, 0.24), 16,
    ),
    "edelweiss": Bloom((Ring(9, 24, 8, 6, -6, (0.90, 0.92, 0.86)),), "cluster", 8, 5, (0.86, 0.78, 0.30), 44),
    "hibiscus": Bloom((Ring(5, 30, 27, 14, 20, (0.88, 0.12, 0.30)),), "column", 2.2, 30, (0.97, 0.84, 0.36), 44),
    "orchid": Bloom(
        (Ring(3, 25, 11, 4, -2, (0.82, 0.56, 0.86)), Ring(2, 24, 24, 10, 6, (0.90, 0.68, 0.92))),
        "trumpet", 6, 8, (0.66, 0.08, 0.44), 60,
    ),
    "cherry blossom": Bloom((Ring(5, 11, 10, 10, 18, (0.99, 0.80, 0.86)),), "dome", 2, 3, (0.80, 0.30, 0.44), 30),
}  # fmt: skip

# Cherry blossoms come in a cluster: offsets in millimetres and tilts in degrees.
_CLUSTER: tuple[tuple[float, float, float, float], ...] = (
    (-9, 10, 4, 55), (-11, -9, 7, 60), (0, 1, 17, 45), (-3, 20, 10, 50), (-3, -19, 3, 50), (6, 11, 16, 25),
)  # fmt: skip


def bloom_visuals(rng: np.random.Generator, kind: str, *, wilted: bool) -> list[Visual]:
    """Return the parts of a bloom whose stem ends at the origin, looking up and towards -x by its own tilt."""
    bloom = BLOOMS[kind]
    parts: list[tuple[Mesh, Vec3]] = []
    turn = float(rng.uniform(0.0, 0.4))
    for ring in bloom.rings:
        count = ring.count + (int(rng.integers(-1, 2)) if ring.count > 9 else 0)
        turn += math.pi / count
        tone = _aged(varied(rng, ring.rgb, 0.018), wilted)
        droop = 55.0 if wilted else 0.0
        leaf = petal(ring.length / 1000, ring.width / 1000, ring.rise - 0.4 * droop, ring.end - droop)
        parts.append(
            (merge(*(moved(leaf, quat_wxyz=about_z(turn + 2 * math.pi * k / count)) for k in range(count))), tone)
        )
    parts.append((_centre(bloom), _aged(bloom.rgb, wilted)))
    spots = _CLUSTER if kind == "cherry blossom" else ((0.0, 0.0, 2.0, bloom.tilt_deg),)
    return [
        Visual(
            merge(*(moved(mesh, (x / 1000, y / 1000, z / 1000), _lean(tilt)) for x, y, z, tilt in spots)),
            Material(tone, specular=0.08, shininess=0.1, emission=0.12),
            "petal",
        )
        for mesh, tone in parts
    ]


def _lean(tilt_deg: float) -> tuple[float, float, float, float]:
    return about_y(-math.radians(tilt_deg))


def _aged(colour: Vec3, wilted: bool) -> Vec3:
    """Brown with a hint of what it was."""
    if not wilted:
        return colour
    r, g, b = (0.22 * c + 0.78 * d for c, d in zip(colour, (0.40, 0.27, 0.13), strict=True))
    return r, g, b


def petal(length: float, width: float, rise_deg: float, end_deg: float, rows: int = 7) -> Mesh:
    """A petal along +x: it leaves the origin at ``rise_deg`` above level and ends at ``end_deg``; two-sided."""
    t = np.linspace(0.0, 1.0, rows)
    angle = np.radians(rise_deg + (end_deg - rise_deg) * t)
    steps = length / (rows - 1)
    x = np.r_[0.0, np.cumsum(steps * np.cos(angle[:-1]))]
    z = np.r_[0.0, np.cumsum(steps * np.sin(angle[:-1]))]
    wide = 0.5 * width * np.sin(math.pi * (0.10 + 0.86 * t**0.85)) ** 0.8
    cup = 0.18 * width
    points: list[Floats] = []
    for i in range(rows):
        up = np.array([-math.sin(angle[i]), 0.0, math.cos(angle[i])])
        for s in (-1.0, 0.0, 1.0):
            lift = cup * s * s * math.sin(math.pi * t[i])
            points.append(np.array([x[i], s * wide[i], z[i]]) + lift * up)
    grid = np.asarray(points)
    faces = []
    for i in range(rows - 1):
        for j in range(2):
            a, b, c, d = 3 * i + j, 3 * (i + 1) + j, 3 * (i + 1) + j + 1, 3 * i + j + 1
            faces += [(a, b, c), (a, c, d)]
    ups = np.repeat(np.stack([-np.sin(angle), np.zeros(rows), np.cos(angle)], -1), 3, axis=0)
    uv = np.zeros((len(grid), 2))
    above = make_mesh(grid, faces, ups, uv)
    below = make_mesh(grid - 1e-4 * ups, [face[::-1] for face in faces], -ups, uv)
    return merge(above, below)


def _centre(bloom: Bloom) -> Mesh:
    r, h = bloom.radius / 1000, bloom.height / 1000
    if bloom.centre == "trumpet":
        curve = [
            (1e-5, 0.0),
            (0.6 * r, 0.001),
            (0.7 * r, 0.6 * h),
            (r, h),
            (0.92 * r, h),
            (0.55 * r, 0.6 * h),
            (1e-5, 0.2 * h),
        ]
        return revolve(curve, 18)
    if bloom.centre == "column":
        return revolve([(1e-5, 0.0), (r, 0.001), (0.8 * r, 0.8 * h), (1.2 * r, h), (1e-5, h + 0.5 * r)], 12)
    if bloom.centre == "cluster":
        knob = revolve(oval(0.42 * r, 0.5 * h, 0.4 * h, 8), 10)
        around = [(0.0, 0.0), *((0.62 * r * math.cos(a), 0.62 * r * math.sin(a)) for a in np.arange(6) * math.pi / 3)]
        return merge(*(moved(knob, (x, y, 0.0)) for x, y in around))
    middle = 0.0 if bloom.centre == "dome" else 0.35 * h
    return revolve(oval(r, h if bloom.centre == "dome" else h / 2, middle, 12), 20)
