"""Cutlery with a square grip, the rest it lies on, and placemats.

Cutlery lies along x, handle towards -x, and is taken from above across its 15 mm grip. The rest holds it 14 mm above
the table, 70 mm apart, so that open fingers find room. A mat is 1 mm thick; ``left`` and ``right`` lie beside a plate
in its middle, ``slot1`` to ``slot5`` from the left (+y) in a row.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._colliders import box
from .._grasps import top
from .._mesh import Floats, deformed, merge, moved
from .._model import Collider, Link, Material, Mesh, Site, Vec3, Visual
from .._registry import Asset, category
from .._shapes import extrude, revolve, slab, slabs, sweep
from .._texture import noise, pick, to_image, varied, wood
from ._print import facing

KINDS = ("fork", "knife", "spoon", "chopsticks")
GRIP_M, GRIP_LONG_M = 0.0075, 0.045
STEEL = Material((0.74, 0.76, 0.79), specular=1.0, shininess=0.9)
REST_M, LANE_M, BARS_X = 0.014, 0.070, (-0.081, -0.007)
MATS: dict[str, tuple[float, float]] = {"small": (0.070, 0.100), "wide": (0.115, 0.190), "long": (0.070, 0.170)}
"""Half sizes (x, y) of mats: for a few tiles or cubes, for a plate with cutlery, for a row of five."""
PATTERNS = ("plain", "stripes", "checks", "border", "weave")


@category("cutlery", nouns=("cutlery",), looks={"kind": KINDS})
def cutlery(rng: np.random.Generator, kind: str = "") -> Asset:
    """Fork, knife, spoon, or a pair of chopsticks joined in one grip."""
    kind = kind or KINDS[int(rng.integers(len(KINDS)))]
    tones: tuple[Vec3, ...] = ((0.12, 0.11, 0.11), (0.18, 0.24, 0.36), (0.46, 0.12, 0.12), (0.16, 0.32, 0.22))
    if kind == "chopsticks" or rng.random() < 0.4:
        handle = Material(texture=wood(rng, (0.32, 0.19, 0.10), (0.56, 0.37, 0.22), 64), specular=0.2, shininess=0.3)
    else:
        handle = Material(varied(rng, pick(rng, tones), 0.02), specular=0.4, shininess=0.5)
    long = float(rng.uniform(0.090, 0.100))
    z = GRIP_M
    grip = slab((GRIP_LONG_M, GRIP_M, GRIP_M), 0.0015, centre=(-GRIP_LONG_M, 0.0, z))
    head, colliders = _HEADS[kind](long, z)
    visuals = (Visual(grip, handle, "grip"), Visual(head, handle if kind == "chopsticks" else STEEL, "head"))
    held = box((GRIP_LONG_M, GRIP_M, GRIP_M), (-GRIP_LONG_M, 0.0, z), 0.060, "grip")
    grasps = tuple(
        grasp for x, cost in ((-0.040, 0.0), (-0.055, 0.05), (-0.025, 0.1))
        for grasp in top(z, 2 * GRIP_M, (math.pi / 2,), (x, 0.0), cost, "grip")
    )  # fmt: skip
    root = Link("root", visuals, (held, *colliders))
    return Asset(root, long, 2 * GRIP_M, grasps=grasps, elongated=True, contact="firm")


def _neck(stop: float, z: float) -> Mesh:
    return sweep(
        [(-0.002, 0.0, z), (0.5 * stop, 0.0, z - 0.0005), (stop, 0.0, z - 0.001)], (0.0035, 0.0026, 0.0028), 10
    )


def _fork(long: float, z: float) -> tuple[Mesh, tuple[Collider, ...]]:
    root, low = 0.58 * long, z - 0.001
    shoulder = extrude(
        [(0.0, -0.004), (0.012, -0.0115), (0.020, -0.0115), (0.020, 0.0115), (0.012, 0.0115), (0.0, 0.004)], 0.0024
    )
    tines = [
        slab(((long - root - 0.016) / 2, 0.0013, 0.0012), 4e-4, centre=((long + root + 0.016) / 2, y, low))
        for y in (-0.0099, -0.0033, 0.0033, 0.0099)
    ]
    mesh = merge(_neck(root + 0.003, z), moved(shoulder, (root, 0.0, low)), *tines)
    return mesh, (
        box((root / 2, 0.003, 0.0028), (root / 2, 0.0, low), 0.004, "neck"),
        box(((long - root) / 2, 0.0112, 0.0015), ((long + root) / 2, 0.0, low), 0.008, "head"),
    )


def _knife(long: float, z: float) -> tuple[Mesh, tuple[Collider, ...]]:
    edge = [(-0.002, -0.007), (0.66 * long, -0.0105), (0.90 * long, -0.008), (long, 0.002)]
    blade = extrude([*edge, (0.97 * long, 0.0072), (-0.002, 0.0072)], 0.0024)
    mesh = moved(blade, (0.0, 0.0, z))
    return mesh, (box((long / 2, 0.0085, 0.0015), (long / 2, -0.0013, z), 0.012, "head"),)


def _spoon(long: float, z: float) -> tuple[Mesh, tuple[Collider, ...]]:
    half, wide, deep = 0.21 * long + 0.004, 0.0145, 0.006
    centre, low = long - half, z - 0.002

    def bowl(points: Floats) -> Floats:
        out = points.copy()
        out[:, 0], out[:, 1] = half * points[:, 0], wide * points[:, 1]
        return out

    outer = revolve(
        [
            (1e-5, -deep),
            (0.45, -0.8 * deep),
            (0.8, -0.45 * deep),
            (1.0, 0.0),
            (0.94, 0.0),
            (0.7, -0.4 * deep),
            (1e-5, -0.75 * deep),
        ],
        24,
    )
    mesh = merge(_neck(centre - half + 0.004, z), moved(deformed(outer, bowl), (centre, 0.0, low + 0.004)))
    root = centre - half
    return mesh, (
        box((root / 2, 0.003, 0.0028), (root / 2, 0.0, z - 0.0005), 0.004, "neck"),
        box((half - 0.001, wide - 0.002, deep / 2), (centre, 0.0, low + 0.004 - deep / 2), 0.010, "head"),
    )


def _chopsticks(long: float, z: float) -> tuple[Mesh, tuple[Collider, ...]]:
    sticks = [
        sweep([(-0.002, s * 0.004, z), (long + 0.008, s * 0.0035, z - 0.001)], (0.0032, 0.0017), 10) for s in (-1, 1)
    ]
    middle = (long + 0.006) / 2
    return merge(*sticks), (box((middle, 0.0060, 0.0026), (middle, 0.0, z - 0.0005), 0.010, "head"),)


_HEADS = {"fork": _fork, "knife": _knife, "spoon": _spoon, "chopsticks": _chopsticks}


@category("cutlery_rack", nouns=("cutlery rack", "cutlery rest"), looks={"slots": tuple("2345")})
def cutlery_rack(rng: np.random.Generator, slots: str = "") -> Asset:
    """Two bars with low pegs between the lanes; slot 1 is the leftmost."""
    count = int(slots) if slots else 4
    long = count * LANE_M / 2
    # Both bars are under the square grip, which lies flat on them; a neck on an edge would rock.
    bars: list[tuple[Vec3, Vec3]] = [((0.005, long, REST_M / 2), (x, 0.0, REST_M / 2)) for x in BARS_X]
    spine = [((0.036, 0.008, 0.003), (-0.044, s * (long - 0.008), 0.003)) for s in (-1.0, 1.0)]
    pegs = [
        ((0.005, 0.0025, 0.0045), (x, (count / 2 - k) * LANE_M, REST_M + 0.0045))
        for x in BARS_X for k in range(count + 1)
    ]  # fmt: skip
    pieces = [*bars, *spine, *pegs]
    grain = Material(texture=wood(rng, (0.36, 0.24, 0.15), (0.60, 0.44, 0.29), 64), specular=0.2, shininess=0.3)
    sites = tuple(
        Site(f"slot{k + 1}", "place", (0.0, ((count - 1) / 2 - k) * LANE_M, REST_M + 0.02), (0.05, 0.012, 0.02))
        for k in range(count)
    )
    inside = Site("inside", "contain", (0.0, 0.0, REST_M + 0.02), (0.11, long, 0.025))
    root = Link(
        "root", (Visual(slabs(*pieces, bevel=0.001, grain_axis=1), grain),), tuple(box(h, p, 0.05) for h, p in pieces)
    )
    return Asset(root, math.hypot(0.085, long), REST_M + 0.009, (*sites, inside), kind="fixture")


@category("placemat", nouns=("mat", "placemat"), looks={"pattern": PATTERNS, "size": tuple(MATS)})
def placemat(rng: np.random.Generator, pattern: str = "", size: str = "small") -> Asset:
    """A thin mat; ``top`` is all of it, ``inside`` the room above it."""
    pattern = pattern or PATTERNS[int(rng.integers(len(PATTERNS)))]
    x, y = MATS[size]
    thick = 0.001
    picture = _cloth(rng, pattern, x, y)
    visuals = (
        Visual(slab((x, y, thick / 2), 2e-4, centre=(0.0, 0.0, thick / 2)), Material((0.6, 0.58, 0.52), specular=0.0)),
        Visual(
            facing(2 * y, 2 * x, (0.0, 0.0, thick + 2e-4), (0.0, 0.0, 1.0)), Material(texture=picture, specular=0.02)
        ),
    )
    beside = y - 0.035
    sites = [
        Site("top", "place", (0.0, 0.0, thick + 0.05), (x - 0.005, y - 0.005, 0.05)),
        Site("inside", "contain", (0.0, 0.0, thick + 0.075), (x, y, 0.075)),
        Site("left", "place", (0.0, beside, thick + 0.03), (x - 0.01, 0.025, 0.03)),
        Site("right", "place", (0.0, -beside, thick + 0.03), (x - 0.01, 0.025, 0.03)),
    ]
    count = {"small": 3, "wide": 5, "long": 5}[size]
    for k in range(count):
        at = ((count - 1) / 2 - k) * min(2 * (y - 0.03) / (count - 1), 0.068)
        sites.append(Site(f"slot{k + 1}", "place", (0.0, at, thick + 0.03), (0.022, 0.022, 0.03)))
    root = Link("root", visuals, (box((x, y, thick / 2), (0.0, 0.0, thick / 2), 0.06),))
    return Asset(root, math.hypot(x, y), thick, tuple(sites), kind="fixture")


def _cloth(rng: np.random.Generator, pattern: str, x: float, y: float) -> NDArray[np.uint8]:
    """Woven cloth in two colours; rows run along x."""
    tones: tuple[Vec3, ...] = (
        (0.80, 0.74, 0.62),
        (0.34, 0.46, 0.56),
        (0.62, 0.32, 0.28),
        (0.40, 0.52, 0.38),
        (0.84, 0.82, 0.78),
    )
    first, second = (np.asarray(varied(rng, tones[int(i)], 0.02)) for i in rng.permutation(len(tones))[:2])
    rows, cols = round(1600 * x), round(1600 * y)
    u, v = np.meshgrid((np.arange(cols) + 0.5) / cols, (np.arange(rows) + 0.5) / rows)
    across, along = u * 2 * y, v * 2 * x
    share = {
        "plain": np.zeros_like(u),
        "stripes": ((across % 0.030) < 0.010).astype(float),
        "checks": (((across // 0.020) + (along // 0.020)) % 2).astype(float),
        "border": ((np.minimum(u, 1 - u) * 2 * y < 0.012) | (np.minimum(v, 1 - v) * 2 * x < 0.012)).astype(float),
        "weave": 0.5 + 0.5 * np.sin(across * 900) * np.sin(along * 900),
    }[pattern]
    thread = 0.90 + 0.10 * noise(rng, rows, cols, 2, (24, 36))
    return to_image((first + (second - first) * share[..., None]) * thread[..., None])
