"""A hammer in two parts: a head with a square socket, a handle whose end goes into it, and the stand for the head.

The stand holds the head so that the socket looks towards -x and nothing is in the way above; a ridge carries the
handle's collars once it is in. The two become one by themselves when the handle is in far enough (``Attached``).
"""

from __future__ import annotations

import numpy as np

from .._colliders import box, z_onto
from .._containers import MAPLE, OAK, WALNUT, timber
from .._model import Grasp, Link, Material, Site, Stem
from .._registry import Asset, category
from .._texture import pick, varied
from ._boards import Piece, boards, brushed, enamel, seen, span

AXIS_Z, HANDLE_M, COLLAR_M = 0.015, 0.012, 0.015
BACK_M, NECK_M, TIP_M = -0.090, 0.060, 0.085
"""Where the handle begins, where its thin end begins, and where that ends."""
PEG_M, SOCKET_M = 0.007, 0.009
HEAD_M, PLATE_M = (0.015, 0.032, 0.015), 0.005
SEAT_Z, PLAY_M = 0.035, 0.0015


@category("hammer_parts", nouns=("hammer part",), looks={"part": ("head", "handle")})
def hammer_parts(rng: np.random.Generator, part: str = "head") -> Asset:
    """The head (220 g) or the handle (130 g) of a hammer."""
    return _head(rng) if part == "head" else _handle(rng)


def _handle(rng: np.random.Generator) -> Asset:
    wood = timber(rng, (OAK, WALNUT, MAPLE)[int(rng.integers(3))])
    grip = Material(varied(rng, pick(rng, ((0.72, 0.20, 0.14), (0.14, 0.30, 0.56), (0.18, 0.20, 0.22))), 0.02))
    y, z, c = HANDLE_M, (AXIS_Z - HANDLE_M, AXIS_Z + HANDLE_M), COLLAR_M
    made = boards(span((BACK_M, NECK_M), (-y, y), z), material=wood, part="handle", bevel=0.003, kg_per_m3=1000.0)
    for x in ((BACK_M, BACK_M + 0.012), (NECK_M - 0.008, NECK_M)):
        made += boards(span(x, (-c, c), (0.0, 2 * c)), material=wood, part="handle", bevel=0.002)
    made += seen(
        span((BACK_M + 0.014, 0.0), (-y - 6e-4, y + 6e-4), (z[0] - 6e-4, z[1] + 6e-4)), material=grip, part="handle"
    )
    # The end is a little thinner at its front, as a chamfer.
    made += boards(
        span((NECK_M, TIP_M - 0.004), (-PEG_M, PEG_M), (AXIS_Z - PEG_M, AXIS_Z + PEG_M)), material=wood, part="peg"
    )
    p = PEG_M - 0.0015
    made += boards(span((TIP_M - 0.004, TIP_M), (-p, p), (AXIS_Z - p, AXIS_Z + p)), material=wood, part="peg")
    return Asset(
        Link("root", made.visuals, made.colliders),
        radius_m=-BACK_M,
        height_m=2 * c,
        grasps=(Grasp((0.035, 0.0, AXIS_Z + 0.002), (0.0, 1.0, 0.0), width_m=2 * y, part="handle"),),
        stem=Stem((TIP_M, 0.0, AXIS_Z), (1.0, 0.0, 0.0)),
        contact="firm",
        elongated=True,
        nouns=("handle",),
    )


def _head(rng: np.random.Generator) -> Asset:
    metal = brushed(rng, pick(rng, ((0.62, 0.63, 0.66), (0.42, 0.43, 0.46), (0.52, 0.50, 0.47))))
    (x, y, z), s, inner = HEAD_M, SOCKET_M, HEAD_M[0] - PLATE_M
    solid = [
        span((inner, x), (-y, y), (0.0, 2 * z)),
        span((-x, inner), (s, y), (0.0, 2 * z)),
        span((-x, inner), (-y, -s), (0.0, 2 * z)),
        span((-x, inner), (-s, s), (z + s, 2 * z)),
        span((-x, inner), (-s, s), (0.0, z - s)),
    ]
    made = Piece(
        seen(*solid, material=metal, part="head", bevel=0.001).visuals,
        tuple(box(half, at, 0.22 / len(solid), "head") for half, at in solid),
    )
    deep = (x + inner) / 2
    hole = Site("socket", "hole", (inner - deep, 0.0, z), (s, s, deep), quat_wxyz=z_onto((-1.0, 0.0, 0.0)))
    return Asset(
        Link("root", made.visuals, made.colliders),
        radius_m=float(np.hypot(x, y)),
        height_m=2 * z,
        sites=(hole,),
        stem=Stem((x, 0.0, z), (1.0, 0.0, 0.0)),
        contact="firm",
        nouns=("head", "hammer head"),
    )


@category("head_stand", nouns=("stand",))
def head_stand(rng: np.random.Generator) -> Asset:
    """Stand with a seat for the head: site ``seat``; the ridge before it carries the handle's collars."""
    paint = enamel(rng, pick(rng, ((0.30, 0.34, 0.38), (0.56, 0.20, 0.16), (0.20, 0.36, 0.30))))
    (x, y, _), gap, high = HEAD_M, PLAY_M, SEAT_Z
    made = boards(
        span((-0.176, x + gap + 0.010), (-0.045, 0.045), (0.0, 0.015)),
        span((-x - 0.001, x + gap), (-y - 0.008, y + 0.008), (0.015, high)),
        span((x + gap, x + gap + 0.010), (-y - 0.008, y + 0.008), (0.015, high + 0.020)),
        span((-x + 0.004, x + gap), (y + gap, y + 0.008), (high, high + 0.012)),
        span((-x + 0.004, x + gap), (-y - 0.008, -y - gap), (high, high + 0.012)),
        span((-0.172, -x - 0.001), (-0.007, 0.007), (0.015, high - 0.0045)),
        material=paint, part="stand", bevel=0.001,
    )  # fmt: skip
    return Asset(
        Link("root", made.visuals, made.colliders),
        radius_m=0.182,
        height_m=high + 0.020,
        sites=(Site("seat", "place", (0.0, 0.0, high + 0.02), (x + gap, y + gap, 0.02)),),
        kind="fixture",
    )
