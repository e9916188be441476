"""Gift boxes: open, and with a hinged lid.

The lid's handle is a bar along y before its front edge: a hand from above takes it across, and the bar turns between
the pads while the hand goes round the hinge. Joint ``lid``: 0 closed, positive open; friction keeps it where it is.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .._mesh import moved
from .._model import Handle, Joint, Link, Material, Opening, Site, Visual
from .._registry import Asset, category
from .._shapes import arc, sweep
from .._texture import blend, pick, plain, step, to_image, varied
from ._boards import Piece, bar, boards, seen, span

HALF_M = (0.080, 0.110)
"""Half depth and half width, outside."""
HEIGHT_M = 0.090
WALL_M, FLOOR_M = 0.005, 0.008
LID_M = 0.007
BAR_OUT_M = 0.038
"""From the lid's front edge to the axis of its bar: room for one finger behind it."""
STOP_RAD, SHUT_RAD = 1.92, 0.15

PAPERS = (
    ((0.80, 0.16, 0.20), (0.96, 0.90, 0.80)),
    ((0.16, 0.38, 0.62), (0.92, 0.94, 0.96)),
    ((0.20, 0.50, 0.36), (0.95, 0.88, 0.60)),
    ((0.92, 0.74, 0.34), (0.98, 0.96, 0.90)),
    ((0.56, 0.34, 0.62), (0.94, 0.86, 0.94)),
    ((0.94, 0.62, 0.66), (0.99, 0.95, 0.94)),
)
RIBBONS = ((0.95, 0.80, 0.30), (0.92, 0.92, 0.94), (0.82, 0.14, 0.18), (0.14, 0.20, 0.42))


@category("giftbox", nouns=("gift box", "box"))
def giftbox(rng: np.random.Generator) -> Asset:
    """Open box in printed paper, 22 x 16 x 9 cm, with a ribbon around it."""
    paper, inner, ribbon = _looks(rng)
    made = _box(paper, inner, ribbon, HEIGHT_M)
    return Asset(
        Link("root", made.visuals, made.colliders),
        radius_m=math.hypot(*HALF_M),
        height_m=HEIGHT_M,
        sites=(_inside(),),
        kind="fixture",
    )


@category("giftbox_lid", nouns=("gift box", "box"))
def giftbox_lid(rng: np.random.Generator) -> Asset:
    """Gift box with a lid that opens to 110 degrees."""
    paper, inner, ribbon = _looks(rng)
    made = _box(paper, inner, ribbon, HEIGHT_M)
    return Asset(
        Link("root", made.visuals, made.colliders, children=(_lid(paper, ribbon),)),
        radius_m=math.hypot(HALF_M[0] + BAR_OUT_M, HALF_M[1]),
        height_m=HEIGHT_M + LID_M + 0.002,
        sites=(_inside(Opening("lid", open_above=1.2, closed_below=SHUT_RAD, init_open=(1.85, 1.90))),),
        handles=(
            Handle("lid", "lid", "lid", (-2 * HALF_M[0] - BAR_OUT_M, 0.0, LID_M / 2), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
        ),
        kind="fixture",
    )


def _looks(rng: np.random.Generator) -> tuple[Material, Material, Material]:
    ground, print_ = PAPERS[int(rng.integers(len(PAPERS)))]
    ground, print_ = varied(rng, ground, 0.02), varied(rng, print_, 0.01)
    image = _printed(rng, np.asarray(ground), np.asarray(print_))
    inner = Material(varied(rng, (0.90, 0.87, 0.80), 0.01), specular=0.1)
    return (
        Material(texture=image, specular=0.3, shininess=0.4),
        inner,
        Material(varied(rng, pick(rng, RIBBONS), 0.02), specular=0.7, shininess=0.6),
    )


def _printed(rng: np.random.Generator, ground: NDArray[np.float64], ink: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return a tile of wrapping paper: dots, stripes, checks or diamonds."""
    size = 128
    v, u = np.mgrid[0:size, 0:size] / size
    kind, times = int(rng.integers(4)), int(rng.integers(2, 5))
    a, b = (u * times) % 1.0 - 0.5, (v * times) % 1.0 - 0.5
    if kind == 0:
        mask = step(0.24, 0.20, np.hypot(a, b))
    elif kind == 1:
        mask = step(0.16, 0.13, np.abs(((u + v) * times) % 1.0 - 0.5))
    elif kind == 2:
        mask = 0.5 * step(0.25, 0.23, np.abs(a)) + 0.5 * step(0.25, 0.23, np.abs(b))
    else:
        mask = step(0.30, 0.26, np.abs(a) + np.abs(b))
    return to_image(blend(plain((float(ground[0]), float(ground[1]), float(ground[2])), size, size), ink, mask))


def _box(paper: Material, inner: Material, ribbon: Material, high: float) -> Piece:
    x, y = HALF_M
    t = WALL_M
    made = boards(span((-x + t, x - t), (-y + t, y - t), (0.0, FLOOR_M)), material=inner, part="base", bevel=0.0)
    made += boards(
        span((-x, -x + t), (-y, y), (0.0, high)),
        span((x - t, x), (-y, y), (0.0, high)),
        span((-x + t, x - t), (y - t, y), (0.0, high)),
        span((-x + t, x - t), (-y, -y + t), (0.0, high)),
        material=paper, part="wall", bevel=0.0012,
    )  # fmt: skip
    band, out = 0.012, 0.0009
    return made + seen(
        span((-x - out, -x + 0.001), (-band, band), (0.0, high)),
        span((x - 0.001, x + out), (-band, band), (0.0, high)),
        span((-band, band), (y - 0.001, y + out), (0.0, high)),
        span((-band, band), (-y - out, -y + 0.001), (0.0, high)),
        material=ribbon, part="wall", bevel=0.0004,
    )  # fmt: skip


def _inside(opening: Opening | None = None) -> Site:
    half, at = span(
        (-HALF_M[0] + WALL_M, HALF_M[0] - WALL_M), (-HALF_M[1] + WALL_M, HALF_M[1] - WALL_M), (FLOOR_M, HEIGHT_M)
    )
    return Site("inside", "contain", at, half, opening=opening)


def _lid(paper: Material, ribbon: Material) -> Link:
    """Return the lid in the frame of its hinge, at the upper edge of the back."""
    deep, y, t = 2 * HALF_M[0], HALF_M[1], LID_M
    made = boards(
        span((-deep - 0.002, 0.0), (-y - 0.002, y + 0.002), (0.0, t)), material=paper, part="lid", kg_per_m3=300.0
    )
    x = -deep - BAR_OUT_M
    posts = tuple(((-deep, s * 0.040, t / 2), (x, s * 0.040, t / 2)) for s in (1, -1))
    metal = Material((0.86, 0.72, 0.36), specular=0.9, shininess=0.8)
    made += bar((x, -0.038, t / 2), (x, 0.038, t / 2), 0.005, posts, metal)
    made += seen(
        span((-deep, 0.0), (-0.012, 0.012), (t - 0.001, t + 0.0009)),
        span((-deep / 2 - 0.012, -deep / 2 + 0.012), (-y, y), (t - 0.001, t + 0.0009)),
        material=ribbon, part="lid", bevel=0.0004,
    )  # fmt: skip
    loops = [
        moved(
            sweep(arc((s * 0.016, 0.0, 0.004), 0.016, 0.008, 0.0, 2 * math.pi, 14), 0.003, 6, capped=False),
            (-deep / 2, 0.0, t),
        )
        for s in (1, -1)
    ]
    bow = tuple(Visual(mesh, ribbon, "flame") for mesh in loops)
    joint = Joint("lid", "hinge", (0.0, 1.0, 0.0), (0.0, STOP_RAD), damping=0.06, frictionloss=0.14, armature=0.004)
    return Link("lid", made.visuals + bow, made.colliders, (HALF_M[0], 0.0, HEIGHT_M + 0.002), joint=joint)
