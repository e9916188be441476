"""Knife, fork, scissors: flat things that lie along x, handle towards -x, grasped across the handle.

Handles are 12 mm thick or more, because a fingertip reaches down to 10 mm above the table and no further.
"""

from __future__ import annotations

import math

import numpy as np

from ._colliders import about_z, box, segment
from ._grasps import top
from ._mesh import Floats, columns, deformed, merge, moved
from ._model import Link, Material, Mesh, Vec3, Visual
from ._registry import Asset, category
from ._shapes import TAU, catmull_rom, extrude, revolve, slab, sweep
from ._texture import pick, varied, wood

ACROSS = (math.pi / 2,)
STEEL = Material((0.74, 0.76, 0.79), specular=1.0, shininess=0.9)
# Upstream's task files name parts by the order of unnamed geoms; these are the ones that a hand must not come near.
KNIFE_IDS = dict.fromkeys((3, 9, 12, 22, 32, 25, 27), "blade")
SCISSORS_IDS = dict.fromkeys((2, 3, 13, 15, 18, 9, 17), "blade")
FORK_IDS = dict.fromkeys((13, 23, 15, 16, 5), "tines")
HANDLES: tuple[Vec3, ...] = ((0.10, 0.09, 0.09), (0.16, 0.20, 0.30), (0.42, 0.10, 0.10), (0.14, 0.26, 0.18))


def _handle(rng: np.random.Generator) -> Material:
    """Dark plastic or wood."""
    if rng.random() < 0.5:
        return Material(varied(rng, pick(rng, HANDLES), 0.015), specular=0.4, shininess=0.4)
    return Material(texture=wood(rng, (0.30, 0.18, 0.10), (0.52, 0.34, 0.20), 64), specular=0.2, shininess=0.3)


@category("knife", nouns=("knife",))
def knife(rng: np.random.Generator) -> Asset:
    """Kitchen knife, 20 to 24 cm, lying flat; blade towards +x, edge towards -y."""
    blade, grip = rng.uniform(0.112, 0.132), rng.uniform(0.092, 0.104)
    deep, wide, thick = rng.uniform(0.0115, 0.014), 0.0105, 0.0150
    z = thick / 2
    outline = [
        (0.0, -deep),
        (0.62 * blade, -deep),
        (0.86 * blade, -0.55 * deep),
        (blade, 0.35 * deep),
        (0.97 * blade, 0.72 * deep),
        (0.0, 0.80 * deep),
    ]
    shape = [
        (-grip, -0.006),
        (-0.92 * grip, -wide - 0.001),
        (-0.5 * grip, -0.92 * wide),
        (-0.1 * grip, -wide),
        (0.004, -wide),
        (0.004, wide - 0.001),
        (-0.5 * grip, wide),
        (-0.92 * grip, wide),
        (-grip, 0.005),
    ]
    rivets = [
        moved(
            revolve([(1e-5, 0.0), (0.0022, 0.0), (0.0018, 0.0007), (1e-5, 0.0009)], 8), (-f * grip, 0.0, thick - 0.0003)
        )
        for f in (0.25, 0.5, 0.75)
    ]
    visuals = (
        Visual(extrude(outline, 0.0020), STEEL, part="blade", pos=(0.0, 0.0, z)),
        Visual(extrude(shape, thick, uv_per_m=10.0), _handle(rng), part="handle", pos=(0.0, 0.0, z)),
        Visual(merge(*rivets), STEEL, part="handle"),
    )
    colliders = (
        box((0.5 * blade - 0.002, 0.90 * deep, 0.0012), (0.5 * blade, -0.10 * deep, z), 0.045, "blade"),
        box((0.5 * grip, wide, z), (-0.5 * grip, 0.0, z), 0.065, "handle"),
    )
    grasps = top(0.0105, 2 * wide, ACROSS, (-0.40 * grip, 0.0), 0.0, "handle") + top(
        0.0105, 2 * wide, ACROSS, (-0.58 * grip, 0.0), 0.05, "handle"
    )
    return Asset(
        Link("root", visuals, colliders),
        radius_m=blade,
        height_m=thick,
        grasps=grasps,
        elongated=True,
        part_aliases=KNIFE_IDS,
    )


@category("fork", nouns=("fork",))
def fork(rng: np.random.Generator) -> Asset:
    """Table fork with a thick handle, 18 to 20 cm; tines towards +x."""
    grip, neck, tines = rng.uniform(0.085, 0.095), rng.uniform(0.042, 0.050), rng.uniform(0.046, 0.052)
    wide, thick = 0.0075, 0.0130
    root = neck + 0.010
    rise = catmull_rom([(-0.004, 0.0, 0.0070), (0.5 * neck, 0.0, 0.0085), (neck, 0.0, 0.0062)], 3)
    prongs = []
    for y in (-0.0085, -0.0028, 0.0028, 0.0085):
        path = [
            (neck + 0.006, 0.55 * y, 0.0058),
            (root, y, 0.0050),
            (root + 0.45 * tines, y, 0.0036),
            (root + 0.96 * tines, y, 0.0058),
        ]
        prongs.append(sweep(path, [0.0017, 0.0017, 0.0015, 0.0008], 6))
    palm = extrude(
        [
            (neck - 0.006, -0.0024),
            (neck + 0.004, -0.0085),
            (root + 0.006, -0.0104),
            (root + 0.006, 0.0104),
            (neck + 0.004, 0.0085),
            (neck - 0.006, 0.0024),
        ],
        0.0030,
    )
    visuals = (
        Visual(
            merge(sweep(rise, np.linspace(0.0036, 0.0026, len(rise)), 8), moved(palm, (0.0, 0.0, 0.0056)), *prongs),
            STEEL,
            part="tines",
        ),
        Visual(_grip(grip, wide, thick), _handle(rng), part="handle"),
    )
    reach = root + tines
    colliders = (
        box((0.5 * grip, wide, thick / 2), (-0.5 * grip, 0.0, thick / 2), 0.035, "handle"),
        segment((0.0, 0.0, 0.0070), (neck, 0.0, 0.0066), 0.0032, 0.010, "neck"),
        box((0.5 * (tines + 0.010), 0.0102, 0.0022), (neck + 0.5 * (tines + 0.010), 0.0, 0.0048), 0.015, "tines"),
    )
    grasps = top(0.0105, 2 * wide, ACROSS, (-0.35 * grip, 0.0), 0.0, "handle") + top(
        0.0105, 2 * wide, ACROSS, (-0.55 * grip, 0.0), 0.05, "handle"
    )
    return Asset(
        Link("root", visuals, colliders),
        radius_m=reach,
        height_m=thick,
        grasps=grasps,
        elongated=True,
        part_aliases=FORK_IDS,
    )


def _grip(length: float, wide: float, thick: float) -> Mesh:
    """Rounded bar that tapers towards the tines."""
    bar = slab((length / 2, wide, thick / 2), 0.0028, 10.0, 0, (-length / 2, 0.0, thick / 2))

    def taper(p: Floats) -> Floats:
        narrow = 1.0 - 0.22 * np.clip(1.0 + p[:, 0] / length, 0.0, 1.0) ** 2
        return columns(p[:, 0], p[:, 1] * narrow, p[:, 2])

    return deformed(bar, taper)


@category("scissors", nouns=("scissors",))
def scissors(rng: np.random.Generator) -> Asset:
    """Scissors lying a little open, 17 to 19 cm; blades towards +x, loops towards -x, a thick neck to grasp.

    They are one rigid piece: squeezing loops on a hinge with 70 N tears any joint limit. The neck is longer than the
    pads, because pads that reach the flaring arms behind it squeeze the scissors out forwards.
    """
    blade, back = rng.uniform(0.082, 0.092), rng.uniform(0.060, 0.066)
    spread = rng.uniform(0.09, 0.13)
    plastic = Material(
        varied(rng, pick(rng, [(0.78, 0.10, 0.10), (0.12, 0.34, 0.62), (0.16, 0.50, 0.30), (0.14, 0.14, 0.16)]), 0.02),
        specular=0.5,
        shininess=0.5,
    )
    loop_x, loop_y, wire = 0.0195, 0.0145, 0.0044
    a = np.linspace(0, TAU, 17)
    visuals, colliders = [], []
    for side in (1, -1):
        turn = about_z(side * spread)
        z = 0.0048 + 0.0010 * side
        outline = [(-0.010, -0.0055), (0.88 * blade, -0.0022), (blade, 0.0), (0.88 * blade, 0.0026), (-0.010, 0.0055)]
        visuals.append(Visual(extrude(outline, 0.0018), STEEL, part="blade", pos=(0.0, 0.0, z), quat_wxyz=turn))
        centre = np.array([-back, -side * 0.0195, wire])
        ring = columns(centre[0] + loop_x * np.cos(a), centre[1] + loop_y * np.sin(a), np.full(17, wire))
        arm = sweep(
            [
                (0.006, side * 0.001, 0.0048),
                (-0.030, -side * 0.0050, 0.0048),
                (-back + 0.95 * loop_x, -side * 0.0135, wire),
            ],
            wire,
            7,
        )
        visuals.append(Visual(merge(sweep(ring, wire, 8, capped=False), arm), plastic, part="handle"))
        c, s = math.cos(spread), side * math.sin(spread)
        colliders.append(
            box(
                (0.5 * blade - 0.003, 0.0042, 0.0010),
                ((0.5 * blade + 0.003) * c, (0.5 * blade + 0.003) * s, z),
                0.014,
                "blade",
                turn,
            )
        )
        for k in range(0, 16, 4):
            colliders.append(segment(ring[k], ring[k + 4], wire, 0.005, "handle"))
        colliders.append(
            segment(
                (-0.031, -side * 0.005, 0.0048), (-back + 0.95 * loop_x, -side * 0.0135, wire), wire, 0.004, "handle"
            )
        )
    screw = revolve([(1e-5, 0.0), (0.0052, 0.0), (0.0052, 0.0084), (0.0042, 0.0092), (1e-5, 0.0092)], 14)
    visuals.append(Visual(screw, Material((0.45, 0.46, 0.48), specular=0.9, shininess=0.8), part="pivot"))
    colliders.append(box((0.0045, 0.0045, 0.0046), (0.0, 0.0, 0.0046), 0.008, "pivot"))
    neck, half = (-0.021, 0.0, 0.0062), (0.0125, 0.0098, 0.0062)
    visuals.append(Visual(slab(half, 0.0022, centre=neck), plastic, part="handle"))
    colliders.append(box(half, neck, 0.010, "handle"))
    # Both pads, 18 mm long, stay more than a centimetre away from the blades.
    grasps = top(0.0105, 2 * half[1], ACROSS, neck[:2], part="handle")
    reach = max(blade, math.hypot(back + loop_x + wire, 0.0195))
    return Asset(
        Link("root", tuple(visuals), tuple(colliders)),
        radius_m=reach,
        height_m=0.0124,
        grasps=grasps,
        elongated=True,
        part_aliases=SCISSORS_IDS,
    )
