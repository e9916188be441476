"""The microwave: a cap door, a turntable, and a button on top of the column at its right."""

from __future__ import annotations

import math

import numpy as np

from .._colliders import cylinder
from .._mesh import moved
from .._model import Button, Joint, Link, Material, Vec3, Visual
from .._registry import Asset, category
from .._shapes import ON_AXIS_M, revolve
from .._texture import pick, varied
from ._boards import Piece, boards, brushed, enamel, seen, span
from ._cap import BAR_OUT_M, DEPTH_M, FLOOR_M, FRONT_M, GAP_M, Cap

COLUMN_M = 0.075
BUTTON_M, BUTTON_X_M = 0.0125, 0.050
"""Radius, and how far behind the front."""
TRAVEL_M = 0.008
GLASS = Material((0.05, 0.06, 0.07), specular=0.9, shininess=0.9)
SHELLS = ((0.90, 0.90, 0.90), (0.26, 0.27, 0.29), (0.80, 0.22, 0.18), (0.55, 0.70, 0.72))


@category("microwave", nouns=("microwave", "microwave oven"))
def microwave(rng: np.random.Generator) -> Asset:
    """Low microwave, 36 cm wide and 17 cm tall; ``button`` is pressed downwards."""
    cap = Cap(half_width=0.140, height=0.17, wall=0.010, middle=COLUMN_M / 2, places=1)
    shell, liner, metal = enamel(rng, pick(rng, SHELLS)), enamel(rng, (0.86, 0.87, 0.88)), brushed(rng)
    w, z = cap.half_width, cap.height
    window = seen(
        span((-DEPTH_M - 0.0012, -DEPTH_M + 0.001), (-2 * w + 0.060, -0.030), (0.050, z - 0.030)),
        material=GLASS,
        part="door",
    )
    column = _column(cap, shell)
    body = cap.body(shell, liner)
    dish = [(ON_AXIS_M, 0.0), (0.050, 0.0), (0.054, 0.002), (0.050, 0.0025), (ON_AXIS_M, 0.002)]
    plate = moved(revolve(dish, 30), (FRONT_M + DEPTH_M / 2 + 0.008, cap.middle, FLOOR_M - 0.0018))
    turntable = Visual(plate, Material((0.74, 0.83, 0.86), specular=0.9, shininess=0.9), "shelf")
    edge = cap.middle - w - GAP_M
    at = (FRONT_M + BUTTON_X_M, edge - COLUMN_M / 2, z - 0.004)
    return Asset(
        Link(
            "root",
            (*body.visuals, turntable, *column.visuals),
            (*body.colliders, *column.colliders),
            children=(cap.door(shell, metal, window), _button(rng, at)),
        ),
        radius_m=math.hypot(FRONT_M - BAR_OUT_M, w + COLUMN_M / 2 + GAP_M),
        height_m=z,
        sites=cap.sites(),
        handles=(cap.handle(),),
        buttons=(Button("button", "button", "button", (0.0, 0.0, 0.012)),),
        kind="fixture",
    )


def _column(cap: Cap, shell: Material) -> Piece:
    """Return the column with its clock and the well its button sinks into; it stands still beside the door."""
    high = cap.middle - cap.half_width - GAP_M
    low, z = high - COLUMN_M, cap.height - 0.004
    digits = [(high - 0.024 - k * 0.009, high - 0.018 - k * 0.009) for k in (0, 1, 3, 4)]
    middle, well = (FRONT_M + BUTTON_X_M, (low + high) / 2), BUTTON_M + 0.003
    floor = (z - TRAVEL_M - 0.008, z)
    x, y = (middle[0] - well, middle[0] + well), (middle[1] - well, middle[1] + well)
    solid = [
        span((FRONT_M, -FRONT_M), (low, high), (0.004, floor[0])),
        span((FRONT_M, x[0]), (low, high), floor),
        span((x[1], -FRONT_M), (low, high), floor),
        span(x, (low, y[0]), floor),
        span(x, (y[1], high), floor),
    ]
    return (
        boards(*solid, material=shell, part="column", bevel=0.0008)
        + seen(
            span((FRONT_M - 0.001, FRONT_M + 0.001), (low + 0.009, high - 0.009), (z - 0.050, z - 0.022)),
            material=GLASS,
        )
        + seen(
            *(span((FRONT_M - 0.0018, FRONT_M - 0.0008), y, (z - 0.043, z - 0.029)) for y in digits),
            material=Material((0.35, 0.95, 0.62), emission=0.9),
            bevel=0.0004,
        )
    )


def _button(rng: np.random.Generator, at: Vec3) -> Link:
    """Return a round cap on a spring, 8 mm of travel."""
    colour = varied(rng, pick(rng, ((0.20, 0.62, 0.30), (0.85, 0.55, 0.15), (0.20, 0.45, 0.75))), 0.02)
    r = BUTTON_M
    mesh = revolve([(ON_AXIS_M, 0.0), (r, 0.0), (r, 0.010), (r - 0.002, 0.012), (ON_AXIS_M, 0.012)], 20)
    joint = Joint("button", "slide", (0.0, 0.0, -1.0), (0.0, TRAVEL_M), damping=4.0, armature=0.02, stiffness=400.0)
    visual = Visual(mesh, Material(colour, specular=0.5, emission=0.15), "button")
    return Link("button", (visual,), (cylinder(r, 0.0, 0.012, 0.01, "button"),), at, joint=joint)
