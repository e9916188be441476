"""A hammer, and an upright panel with nails that it drives in.

The hammer lies on its side, head to +x. A loose nail is a slide joint with dry friction, named as the nail is
(``nail1`` and so on, from left to right, the upper row first): 0 as it stands out, 0.030 m when it is in. Driven nails
are fixed. ``seat`` says how far a driven nail stands out of the board: ``flush`` with its head on the board, or as a
``peg`` of 35 mm for a picture, whose head is small enough for the picture's loop.
"""

from __future__ import annotations

import math

import numpy as np

from .._colliders import box, z_onto
from .._containers import MAPLE, OAK, WALNUT, timber
from .._model import Collider, Grasp, Joint, Link, Material, Stem, Vec3, Visual
from .._registry import Asset, category
from .._shapes import revolve
from .._texture import pick, varied
from ._boards import Piece, boards, brushed, enamel, seen, span

TRAVEL_M, PEG_M = 0.030, 0.035
FRICTION_N = 13.0
SHAFT_M, HEAD_M, PEG_HEAD_M, HEAD_THICK_M = 0.0035, 0.012, 0.008, 0.004
BOARD_WIDE_M, BOARD_HIGH_M, BOARD_THICK_M = 0.50, 0.36, 0.04
ROW_Y, ROW_Z, GRID_Y, GRID_Z = (0.13, 0.0, -0.13), (0.15, 0.24), (0.12, -0.12), (0.33, 0.15)
"""Where three nails in a row or four in a square are; the heights in a row are drawn, and all of a single nail."""
ALONE_Y, ALONE_Z = (-0.12, 0.12), (0.18, 0.30)
WALLS: tuple[Vec3, ...] = ((0.86, 0.84, 0.78), (0.74, 0.80, 0.82), (0.82, 0.76, 0.70), (0.70, 0.76, 0.68))
HANDLE_M, HEAD_HALF_M, AXIS_Z = 0.012, (0.015, 0.032, 0.015), 0.015
FRONT_M, BACK_M, GRIP_X = 0.105, -0.090, 0.040


def _places(rng: np.random.Generator, nails: str) -> list[tuple[float, float]]:
    """Return (y, z) of each nail."""
    if nails == "4":
        return [(y, z) for z in GRID_Z for y in GRID_Y]
    if nails == "1":
        return [(float(rng.uniform(*ALONE_Y)), float(rng.uniform(*ALONE_Z)))]
    return [(y, float(rng.uniform(*ROW_Z))) for y in ROW_Y]


@category(
    "panel",
    nouns=("panel", "wall"),
    looks={"nails": ("1", "3", "4"), "loose": ("none", "1", "2", "3", "4"), "seat": ("flush", "peg")},
)
def panel(rng: np.random.Generator, nails: str = "3", loose: str = "none", seat: str = "flush") -> Asset:
    """Board of 500 by 360 mm on two feet, its nails towards -x."""
    wall, wood, steel = enamel(rng, pick(rng, WALLS)), timber(rng, (OAK, WALNUT, MAPLE)[int(rng.integers(3))]), _steel()
    half = BOARD_WIDE_M / 2
    made = boards(span((0.0, BOARD_THICK_M), (-half, half), (0.0, BOARD_HIGH_M)), material=wall, part="board")
    trim = [
        span((-0.004, 0.0), (-half, half), (0.0, 0.014)),
        span((-0.003, BOARD_THICK_M + 0.003), (-half - 0.004, half + 0.004), (BOARD_HIGH_M, BOARD_HIGH_M + 0.010)),
    ]
    made += seen(*trim, material=wood, part="board")
    for y in (-half + 0.05, half - 0.05):
        made += boards(span((BOARD_THICK_M, 0.14), (y - 0.012, y + 0.012), (0.0, 0.05)), material=wood, part="foot")
    children = []
    for number, (y, z) in enumerate(_places(rng, nails), start=1):
        name, out = f"nail{number}", PEG_M if seat == "peg" else 0.0
        if loose == str(number):
            children.append(_loose_nail(name, (0.0, y, z), out, steel))
        else:
            made += _nail(name, (0.0, y, z), out, steel)
    return Asset(
        Link("root", made.visuals, made.colliders, children=tuple(children)),
        radius_m=math.hypot(0.14, half),
        height_m=BOARD_HIGH_M + 0.010,
        kind="fixture",
    )


def _steel() -> Material:
    return Material((0.34, 0.35, 0.38), specular=0.8, shininess=0.7)


def _nail(name: str, at: Vec3, out: float, steel: Material, hidden: float = 0.0) -> Piece:
    """Return a nail that stands out of a board at ``at`` by ``out``; nothing touches what will be ``hidden`` of it."""
    x, y, z = at
    wide = HEAD_M if out == hidden else PEG_HEAD_M
    # Outline in (radius, height along the nail), from inside the board to the head's face.
    curve = [
        (0.0, -0.005), (SHAFT_M, -0.005), (SHAFT_M, out), (wide, out), (wide, out + HEAD_THICK_M - 0.001),
        (wide - 0.001, out + HEAD_THICK_M), (0.0, out + HEAD_THICK_M),
    ]  # fmt: skip
    turn = z_onto((-1.0, 0.0, 0.0))
    solid = [_rod((x - out - HEAD_THICK_M / 2, y, z), wide, HEAD_THICK_M / 2, name)]
    if out > hidden:
        solid.append(_rod((x - (out + hidden + 0.001) / 2, y, z), SHAFT_M, (out - hidden - 0.001) / 2, name))
    return Piece((Visual(revolve(curve, 20), steel, name, at, turn),), tuple(solid))


def _rod(at: Vec3, radius: float, half: float, name: str) -> Collider:
    return Collider("cylinder", (radius, half), 0.010, name, at, z_onto((-1.0, 0.0, 0.0)))


def _loose_nail(name: str, at: Vec3, out: float, steel: Material) -> Link:
    """Return a nail that can be driven in; the part that will be in the board is not touched."""
    made = _nail(name, (0.0, 0.0, 0.0), out + TRAVEL_M, steel, TRAVEL_M)
    joint = Joint(
        name, "slide", (1.0, 0.0, 0.0), (0.0, TRAVEL_M), damping=30.0, frictionloss=FRICTION_N, armature=0.05,
        hard_stop=True,
    )  # fmt: skip
    return Link(name, made.visuals, made.colliders, at, joint=joint)


@category("hammer", nouns=("hammer",))
def hammer(rng: np.random.Generator) -> Asset:
    """Steel head on a handle of 24 mm square with a collar at its end; 350 g. ``head`` is what drives."""
    metal = brushed(rng, pick(rng, ((0.62, 0.63, 0.66), (0.42, 0.43, 0.46), (0.52, 0.50, 0.47))))
    grip = Material(varied(rng, pick(rng, ((0.72, 0.20, 0.14), (0.14, 0.30, 0.56), (0.18, 0.20, 0.22))), 0.02))
    wood = timber(rng, (OAK, WALNUT, MAPLE)[int(rng.integers(3))])
    back = FRONT_M - 2 * HEAD_HALF_M[0]
    low, high = AXIS_Z - HANDLE_M, AXIS_Z + HANDLE_M
    side = (-HANDLE_M, HANDLE_M)
    made = boards(span((BACK_M, back), side, (low, high)), material=wood, part="handle", bevel=0.004, kg_per_m3=850.0)
    wrap = span((BACK_M + 0.014, 0.0), (-HANDLE_M - 0.0006, HANDLE_M + 0.0006), (low - 0.0006, high + 0.0006))
    made += seen(wrap, material=grip, part="handle", bevel=0.004)
    made += Piece(
        boards(
            span((BACK_M, BACK_M + 0.012), (-AXIS_Z, AXIS_Z), (0.0, 2 * AXIS_Z)), material=wood, bevel=0.003
        ).visuals,
        (box((0.006, AXIS_Z, AXIS_Z), (BACK_M + 0.006, 0.0, AXIS_Z), 0.010, "handle"),),
    )
    x, y, z = HEAD_HALF_M
    head = span((FRONT_M - 2 * x, FRONT_M), (-y, y), (AXIS_Z - z, AXIS_Z + z))
    made += Piece(seen(head, material=metal, part="head", bevel=0.005).visuals, (box(*head, 0.22, "head"),))
    return Asset(
        Link("root", made.visuals, made.colliders),
        radius_m=FRONT_M,
        height_m=2 * AXIS_Z,
        grasps=(Grasp((GRIP_X, 0.0, AXIS_Z + 0.002), (0.0, 1.0, 0.0), width_m=2 * HANDLE_M, part="handle"),),
        stem=Stem((FRONT_M, 0.0, AXIS_Z), (1.0, 0.0, 0.0)),
        contact="firm",
        elongated=True,
    )
