"""Cabinets with drawers. They face -y, as the reference's do, so that upstream task files put them right.

They are drawn facing -x in the frame of the carcass, which the root turns by 90 degrees (in the knowledge suite it does
not); drawers slide along its -x; joint value 0 is closed, positive is open.

Handles are vertical bars: near the table the hand cannot come in level, but it can grip a vertical bar with the closing
axis horizontal and the wrist pitched down. Drawer floors are 10 mm thick, so that what drops in stays in.
"""

from __future__ import annotations

import math

import numpy as np

from ._colliders import box, segment
from ._mesh import Floats, merge, moved
from ._model import Asset, Handle, Joint, Link, Material, Mesh, Opening, Quat, Site, Vec3, Visual
from ._shapes import revolve, slabs, sweep
from ._texture import blend, noise, plain, to_image

WIDTH_M = 0.15
"""Half width, along y."""

DEPTH_M = 0.10
"""Half depth, along x."""

PITCH_M = 0.085
"""Height of one drawer's place."""

PANEL_M = 0.006
"""Thickness of the carcass."""

FLOOR_M = 0.010

TRAVEL_M = 0.16

OPEN_M = 0.14
"""How far out a drawer counts as open."""

STAND_OFF_M = 0.034
"""Distance from the front's face to the handle's axis: room for a finger behind the bar."""

FRONT_M = 0.012
"""Thickness of a drawer's front."""

FACING_WXYZ = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))


def chest(
    layers: tuple[str, ...],
    paint: Material,
    inside: Material,
    metal: Material,
    open_above_m: float = OPEN_M,
    behind_m: float = 0.0,
    facing_wxyz: Quat = FACING_WXYZ,
) -> Asset:
    """Carcass with a drawer per layer, from the bottom up; its centre lies ``behind_m`` behind the origin."""
    w, d, t = WIDTH_M, DEPTH_M, PANEL_M
    tall = len(layers) * PITCH_M + t
    top = tall + 0.010
    carcass: list[tuple[Vec3, Vec3]] = [
        ((d, t / 2, tall / 2), (0.0, -w, tall / 2)),
        ((d, t / 2, tall / 2), (0.0, w, tall / 2)),
        ((t / 2, w, tall / 2), (d, 0.0, tall / 2)),
        ((d, w, t / 2), (0.0, 0.0, t / 2)),
    ]
    lid: tuple[Vec3, Vec3] = ((d + 0.004, w + 0.007, 0.005), (0.002, 0.0, tall + 0.005))
    colliders = tuple(box(half, pos, 0.6) for half, pos in (*carcass, lid))
    panels = merge(slabs(*carcass, bevel=0.0, grain_axis=2), slabs(lid, bevel=0.003, grain_axis=1))
    drawers = tuple(_drawer(name, t + i * PITCH_M, paint, inside, metal) for i, name in enumerate(layers))
    body = Link("carcass", (Visual(panels, paint),), colliders, (0.0, behind_m, 0.0), facing_wxyz, children=drawers)
    return Asset(
        Link("root", children=(body,)),
        radius_m=float(np.hypot(d + FRONT_M + STAND_OFF_M, w + 0.007)),
        height_m=top,
        sites=(
            *(_region(name, open_above_m) for name in layers),
            Site("top_side", "place", (0.0, 0.0, top + 0.05), (d - 0.01, w - 0.01, 0.05), "carcass"),
        ),
        handles=tuple(_handle(name) for name in layers),
        kind="fixture",
    )


def painted(rng: np.random.Generator, white: Vec3) -> Material:
    """Brushed paint: faint streaks along the grain."""
    streaks = noise(rng, 64, 64, 3, (24, 2))
    image = blend(plain(white, 64, 64), tuple(0.93 * c for c in white), 0.55 * streaks)
    return Material(texture=to_image(image), specular=0.25, shininess=0.35)


def _bar_x() -> float:
    return -DEPTH_M - FRONT_M - STAND_OFF_M + 0.006


def _region(name: str, open_above_m: float) -> Site:
    half_x, half_y = DEPTH_M - PANEL_M - 0.006, WIDTH_M - PANEL_M / 2 - 0.009
    low, high = FLOOR_M + 0.0005, PITCH_M
    opening = Opening(name, open_above=open_above_m, closed_below=0.005, init_open=(0.145, 0.158))
    return Site(
        f"{name}_region",
        "contain",
        (-0.003, 0.0, (low + high) / 2),
        (half_x, half_y, (high - low) / 2),
        f"drawer_{name}",
        opening=opening,
    )


def _handle(name: str) -> Handle:
    return Handle(
        f"drawer_{name}", f"drawer_{name}", name, (_bar_x(), 0.0, PITCH_M / 2), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)
    )


def _drawer(name: str, z: float, paint: Material, inside: Material, metal: Material) -> Link:
    w, d, t, pitch = WIDTH_M, DEPTH_M, PANEL_M, PITCH_M
    part = f"drawer_{name}"
    side_y = w - t / 2 - 0.003
    wall = 0.30 * pitch
    tray: list[tuple[Vec3, Vec3]] = [
        ((d - t, side_y, FLOOR_M / 2), (0.0, 0.0, FLOOR_M / 2 + 0.0005)),
        ((0.003, side_y, wall), (d - t - 0.003, 0.0, FLOOR_M + wall)),
        ((d - t, 0.003, wall), (0.0, side_y - 0.003, FLOOR_M + wall)),
        ((d - t, 0.003, wall), (0.0, -side_y + 0.003, FLOOR_M + wall)),
    ]
    front: tuple[Vec3, Vec3] = (
        (FRONT_M / 2, w + 0.001, pitch / 2 - 0.0015),
        (-d - FRONT_M / 2 - 0.0003, 0.0, pitch / 2),
    )
    bar = _bar_x()
    low, high = pitch / 2 - 0.022, pitch / 2 + 0.022
    face = -d - FRONT_M
    colliders = (
        *(box(half, pos, mass, part) for (half, pos), mass in zip(tray, (0.20, 0.05, 0.05, 0.05), strict=True)),
        box(front[0], front[1], 0.12, part),
        segment((bar, 0.0, low), (bar, 0.0, high), 0.006, 0.02, f"handle_{name}"),
        *(segment((face, 0.0, h), (bar, 0.0, h), 0.004, 0.005, f"handle_{name}") for h in (low, high)),
    )
    visuals = (
        Visual(slabs(*tray, bevel=0.0), inside, part),
        Visual(_front(front), paint, part),
        Visual(_bar(bar, face, low, high), metal, f"handle_{name}"),
    )
    # Wooden runners: 8 N to move it, and it stops within a centimetre when let go, so that a bump does not shut it.
    joint = Joint(name, "slide", (-1.0, 0.0, 0.0), (0.0, TRAVEL_M), damping=40.0, frictionloss=8.0, armature=0.05)
    return Link(part, visuals, colliders, (0.0, 0.0, z), joint=joint)


def _front(front: tuple[Vec3, Vec3]) -> Mesh:
    """Shaker front: a thin panel behind four raised rails."""
    hx, hy, hz = front[0]
    cx, _, cz = front[1]
    rail, raised = 0.013, 0.0022
    panel: tuple[Vec3, Vec3] = ((hx - raised / 2 - 0.0005, hy - 0.001, hz - 0.001), (cx + raised / 2, 0.0, cz))
    rails: list[tuple[Vec3, Vec3]] = [((hx, hy, rail / 2), (cx, 0.0, cz + s * (hz - rail / 2))) for s in (1, -1)]
    rails += [((hx, rail / 2, hz - rail), (cx, s * (hy - rail / 2), cz)) for s in (1, -1)]
    return merge(slabs(panel, bevel=0.0, grain_axis=1), slabs(*rails, bevel=0.0012, grain_axis=1))


def _bar(x: float, face: float, low: float, high: float) -> Mesh:
    """Turned bar with two posts and round feet."""
    ends: Floats = np.array(
        [
            (1e-5, low - 0.006),
            (0.0042, low - 0.0054),
            (0.006, low - 0.003),
            (0.006, high + 0.003),
            (0.0042, high + 0.0054),
            (1e-5, high + 0.006),
        ]
    )
    parts = [moved(revolve(ends, 10), (x, 0.0, 0.0))]
    for z in (low, high):
        parts.append(
            sweep(
                [(face + 0.002, 0.0, z), (face - 0.002, 0.0, z), (face - 0.003, 0.0, z), (x, 0.0, z)],
                [0.0068, 0.0068, 0.004, 0.004],
                10,
            )
        )
    return merge(*parts)
