"""The bookshelf: one or two layers in steps, low dividers between the slots, spines to the front.

The upper layer begins where the lower one ends, so that nothing hangs over a book and a pitched hand takes it by the
upper front corner. Sites: ``slot1`` .. from left to right on the lower layer, then on the upper one (``hole``);
``layer1`` (lower) and ``layer2`` (upper); ``inside`` (the whole).
"""

from __future__ import annotations

import math

import numpy as np

from .._containers import MAPLE, OAK, WALNUT, timber
from .._model import Link, Material, Site
from .._registry import Asset, category
from ._boards import Piece, boards, span

PITCH_M = 0.074
"""From slot to slot."""
FOOT_M, BLADE_M = (0.018, 0.016), (0.008, 0.034)
"""Dividers: thickness and height of the lower part, and of the narrower one over it, which leads a book in."""
DEPTH_M = 0.125
"""Of one layer."""
FLOOR_M = 0.014
STEP_M = 0.110
SIDE_M = 0.014
CLEAR_M = 0.190


@category("shelf", nouns=("shelf", "bookshelf"), looks={"layers": ("1", "2"), "slots": ("3", "4", "5", "6")})
def shelf(rng: np.random.Generator, layers: str = "1", slots: str = "5") -> Asset:
    """Wooden bookshelf with ``slots`` places in each of its ``layers``."""
    count, each = int(layers), int(slots)
    half = each * PITCH_M / 2
    tones = (OAK, WALNUT, MAPLE)[int(rng.integers(3))]
    wood, second = timber(rng, tones), timber(rng, tones, 8)
    front = -count * DEPTH_M / 2
    made = Piece()
    sites: list[Site] = []
    for k in range(count):
        x, z = front + k * DEPTH_M, FLOOR_M + k * STEP_M
        made += _layer(x, z, half, each, wood, second)
        sites += _slots(x, z, half, each, 1 + k * each)
        sites.append(_room(f"layer{k + 1}", (x, x + DEPTH_M), (z, z + CLEAR_M), half))
    top = FLOOR_M + (count - 1) * STEP_M
    ends = span((-front, -front + 0.010), (-half - SIDE_M, half + SIDE_M), (0.0, top + 0.090))
    made += boards(ends, material=second, part="back")
    sites.append(_room("inside", (front, -front), (FLOOR_M, top + CLEAR_M), half))
    return Asset(
        Link("root", made.visuals, made.colliders),
        radius_m=math.hypot(-front + 0.010, half + SIDE_M),
        height_m=top + 0.090,
        sites=tuple(sites),
        kind="fixture",
    )


def _layer(x: float, z: float, half: float, each: int, wood: Material, second: Material) -> Piece:
    """Return board, side cheeks and dividers of the layer that begins at ``x`` and whose floor is at ``z``."""
    deep = (x, x + DEPTH_M)
    board = boards(span(deep, (-half, half), (0.0, z)), material=wood, part="board")
    cheeks = [span(deep, y, (0.0, z + 0.075)) for y in ((half, half + SIDE_M), (-half - SIDE_M, -half))]
    made = board + boards(*cheeks, material=second, part="side", grain=0)
    blades = []
    for k in range(1, each):
        y = half - k * PITCH_M
        for (thick, high), low in ((FOOT_M, z), (BLADE_M, z + FOOT_M[1])):
            blades.append(span((x + 0.010, x + DEPTH_M), (y - thick / 2, y + thick / 2), (low, z + high)))
    return made + boards(*blades, material=second, part="divider", bevel=0.001, grain=0)


def _slots(x: float, z: float, half: float, each: int, first: int) -> list[Site]:
    size = ((DEPTH_M - 0.004) / 2, (PITCH_M - FOOT_M[0]) / 2, BLADE_M[1] / 2)
    return [
        Site(f"slot{first + k}", "hole", (x + DEPTH_M / 2, half - (k + 0.5) * PITCH_M, z + BLADE_M[1] / 2), size)
        for k in range(each)
    ]


def _room(name: str, x: tuple[float, float], z: tuple[float, float], half: float) -> Site:
    size, at = span(x, (-half, half), z)
    return Site(name, "contain", at, size)
