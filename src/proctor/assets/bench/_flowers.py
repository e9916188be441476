"""Cut flowers, the stand they wait in, and the vase they go into.

A stem of 160 mm with a square grip sleeve under the bloom: the hand comes from above, the bloom fits between palm and
fingertips. Petals and leaves are soft: seen, never touched. A wilted flower is brown and hangs its head to one side.
"""

from __future__ import annotations

import math

import numpy as np

from .._colliders import about_x, about_z, box, cylinder, segment, times, vec3, wall
from .._grasps import top
from .._mesh import moved
from .._model import Collider, Link, Material, Site, Stem, Vec3, Visual
from .._registry import Asset, category
from .._shapes import profile, revolve, slab, slabs, sweep
from .._texture import blend, noise, pick, plain, to_image, varied, wood
from ._petals import KINDS, bloom_visuals, petal

STEM_M, STEM_HIGH_M = 0.0035, 0.160
SLEEVE_M, SLEEVE_LOW_M, SLEEVE_HIGH_M = 0.006, 0.126, 0.156
GRASP_Z = 0.143
FLOOR_M, DEPTH_M, HOLE_M, PITCH_M = 0.010, 0.050, 0.007, 0.060


@category("flower", nouns=("flower",), looks={"kind": KINDS, "state": ("fresh", "wilted")})
def flower(rng: np.random.Generator, kind: str = "", state: str = "fresh") -> Asset:
    """One cut flower; standing only where something holds its stem."""
    kind = kind or KINDS[int(rng.integers(len(KINDS)))]
    wilted = state == "wilted"
    green = varied(rng, (0.42, 0.36, 0.16) if wilted else (0.20, 0.44, 0.16), 0.02)
    neck, head = _neck(wilted)
    visuals = [
        Visual(sweep(neck, STEM_M, 10), Material(green, specular=0.1), "stalk"),
        Visual(
            slab((SLEEVE_M, SLEEVE_M, (SLEEVE_HIGH_M - SLEEVE_LOW_M) / 2), 0.001,
                 centre=(0.0, 0.0, (SLEEVE_HIGH_M + SLEEVE_LOW_M) / 2)),
            Material(varied(rng, (0.80, 0.74, 0.58), 0.03), specular=0.1), "sleeve",
        ),
    ]  # fmt: skip
    for z, turn in ((0.070, rng.uniform(0.0, 6.28)), (0.092, rng.uniform(0.0, 6.28))):
        leaf = moved(
            petal(0.042, 0.014, 62.0 - 70.0 * wilted, 20.0 - 70.0 * wilted), (0.0, 0.0, z), about_z(float(turn))
        )
        visuals.append(Visual(leaf, Material(green, specular=0.1), "petal"))
    for part in bloom_visuals(rng, kind, wilted=wilted):
        visuals.append(Visual(part.mesh, part.material, part.part, head[0], head[1]))
    colliders: tuple[Collider, ...] = (
        segment((0, 0, STEM_M), (0, 0, SLEEVE_LOW_M), STEM_M, 0.014),
        box(
            (SLEEVE_M, SLEEVE_M, (SLEEVE_HIGH_M - SLEEVE_LOW_M) / 2),
            (0, 0, (SLEEVE_HIGH_M + SLEEVE_LOW_M) / 2),
            0.004,
            "sleeve",
        ),
        Collider("sphere", (0.006,), 0.002, "head", (0.0, 0.0, STEM_HIGH_M)),
    )
    yaws = (0.0,) if wilted else (0.0, math.pi / 2)
    root = Link("root", tuple(visuals), colliders)
    return Asset(
        root, 0.028, 0.190, grasps=top(GRASP_Z, 2 * SLEEVE_M, yaws, part="sleeve"), contact="firm",
        stem=Stem((0.0, 0.0, 0.0)),
    )  # fmt: skip


def _neck(wilted: bool) -> tuple[np.ndarray, tuple[Vec3, tuple[float, float, float, float]]]:
    """The line of the stalk, and where and how the bloom sits on it; a wilted one hangs over to +y."""
    straight = [(0.0, 0.0, z) for z in np.linspace(0.0, STEM_HIGH_M, 6)]
    if not wilted:
        return np.asarray(straight), ((0.0, 0.0, STEM_HIGH_M), (1.0, 0.0, 0.0, 0.0))
    bent = [(0.0, 0.014 * (1 - math.cos(a)), STEM_HIGH_M + 0.014 * math.sin(a)) for a in np.linspace(0.3, 2.5, 7)]
    end = bent[-1]
    return np.asarray([*straight, *bent]), (vec3(end), times(about_z(0.0), about_x(-2.3)))


@category("flowerstand", nouns=("flower stand", "stand"), looks={"slots": tuple("2345")})
def flowerstand(rng: np.random.Generator, slots: str = "") -> Asset:
    """A block with a row of square holes, 60 mm apart, that keep stems upright; slot 1 is the leftmost."""
    count = int(slots) if slots else 4
    tones: tuple[tuple[Vec3, Vec3], ...] = (
        ((0.42, 0.30, 0.20), (0.66, 0.50, 0.34)),
        ((0.30, 0.30, 0.32), (0.46, 0.46, 0.48)),
        ((0.56, 0.40, 0.24), (0.80, 0.64, 0.44)),
        ((0.28, 0.38, 0.32), (0.46, 0.58, 0.50)),
        ((0.30, 0.38, 0.50), (0.50, 0.60, 0.72)),
    )
    tone = tones[int(rng.integers(len(tones)))]
    dark, light = varied(rng, tone[0], 0.03), varied(rng, tone[1], 0.03)
    high = FLOOR_M + DEPTH_M
    deep, long = 0.034, count * PITCH_M / 2 + 0.004
    z, half = (high + FLOOR_M) / 2, DEPTH_M / 2
    boxes: list[tuple[Vec3, Vec3]] = [((deep, long, FLOOR_M / 2), (0.0, 0.0, FLOOR_M / 2))]
    boxes += [(((deep - HOLE_M) / 2, long, half), (s * (deep + HOLE_M) / 2, 0.0, z)) for s in (-1.0, 1.0)]
    middles = [((count - 1) / 2 - k) * PITCH_M for k in range(count)]
    cuts = [long, *(y + s * HOLE_M for y in middles for s in (1.0, -1.0)), -long]
    boxes += [((HOLE_M, (a - b) / 2, half), (0.0, (a + b) / 2, z)) for a, b in zip(cuts[::2], cuts[1::2], strict=True)]
    sites = tuple(
        Site(f"slot{k + 1}", "hole", (0.0, y, FLOOR_M + half), (HOLE_M, HOLE_M, half)) for k, y in enumerate(middles)
    )
    inside = Site("inside", "contain", (0.0, 0.0, 0.100), (deep, long, 0.095))
    root = Link(
        "root",
        (
            Visual(
                slabs(*boxes, bevel=0.0012, grain_axis=1), Material(texture=wood(rng, dark, light, 64), specular=0.2)
            ),
        ),
        tuple(box(size, pos, 0.08) for size, pos in boxes),
    )
    return Asset(root, math.hypot(deep, long), high, (*sites, inside), kind="fixture")


@category("flower_vase", nouns=("vase", "flower vase"))
def flower_vase(rng: np.random.Generator) -> Asset:
    """A vase with a mouth of 50 to 56 mm; a funnel in its foot keeps a stem within 15 degrees of upright."""
    mouth, high = float(rng.uniform(0.025, 0.028)), float(rng.uniform(0.115, 0.130))
    belly, waist = float(rng.uniform(0.040, 0.048)), float(rng.uniform(0.024, 0.028)) + 0.004
    foot = float(rng.uniform(0.030, 0.036))
    curve = profile(
        [(1e-5, 0.0), (foot, 0.0), (foot + 0.002, 0.004), (belly, 0.38 * high), (waist, 0.80 * high),
         (mouth + 0.005, high - 0.001), (mouth + 0.003, high), (mouth, high - 0.002), (mouth - 0.003, 0.82 * high),
         (mouth - 0.004, 0.5 * high)], 5,
    )  # fmt: skip
    colours: tuple[Vec3, ...] = ((0.20, 0.36, 0.56), (0.86, 0.84, 0.78), (0.62, 0.28, 0.20), (0.24, 0.44, 0.38))
    glaze = varied(rng, pick(rng, colours), 0.03)
    cloud = noise(rng, 64, 128, 3, (3, 4))
    image = to_image(blend(plain(glaze, 64, 128), plain(varied(rng, (0.92, 0.90, 0.84), 0.03), 64, 128), 0.35 * cloud))
    colliders: tuple[Collider, ...] = (
        cylinder(foot, 0.0, 0.008, 0.25, "foot"),
        *wall((0.0085, 0.008), (mouth - 0.002, 0.60 * high), 0.003, 10, 0.08, "funnel"),
        *wall((foot, 0.004), (belly - 0.003, 0.38 * high), 0.004, 12, 0.12, "wall"),
        *wall((belly - 0.003, 0.38 * high), (mouth + 0.0025, 0.86 * high), 0.004, 12, 0.10, "wall"),
        *wall((mouth + 0.002, 0.86 * high), (mouth + 0.0025, high), 0.004, 12, 0.05, "wall"),
    )
    inner, deep = 0.9 * mouth, (high - 0.008) / 2
    sites = (
        Site("hole", "hole", (0.0, 0.0, 0.008 + deep), (inner, inner, deep)),
        Site("inside", "contain", (0.0, 0.0, 0.008 + deep), (inner, inner, deep)),
    )
    visual = Visual(revolve(curve, 32), Material(texture=image, specular=0.5, shininess=0.7))
    return Asset(Link("root", (visual,), colliders), belly, high, sites, kind="fixture")
