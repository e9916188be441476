"""The juicer, a bowl on a motor with a button before it, and its lid.

``inside`` is the bowl; ``top`` is the rim on which the lid lies. The lid is a disc with a knob, a little wider than the
bowl and deep enough below it to stay in the middle.
"""

from __future__ import annotations

import math

import numpy as np

from .._colliders import box, cylinder, wall
from .._grasps import top
from .._mesh import moved
from .._model import Collider, Link, Material, Site, Vec3, Visual
from .._registry import Asset, category
from .._shapes import ON_AXIS_M, revolve, revolve_box
from .._texture import pick, varied
from ._button import COLOURS, mounted

BOWL_M = 0.053
"""Inner radius of the bowl: the widest fruit is 96 mm across."""
WALL_M = 0.005
FLOOR_M, RIM_M = 0.030, 0.122
BASE_M = (0.068, 0.066)
CONSOLE_M = -0.105
"""x of the button."""
LID_M = 0.0595
SHELLS: list[Vec3] = [
    (0.88, 0.88, 0.86),
    (0.22, 0.23, 0.25),
    (0.66, 0.14, 0.13),
    (0.55, 0.66, 0.60),
    (0.90, 0.78, 0.42),
]


def pad(height: float, corner: float = 0.012, edge: float = 0.003) -> list[tuple[float, float]]:
    """Section of a rounded block for `revolve_box`; the corners come on top of the half sizes."""
    return [
        (ON_AXIS_M, 0.0), (corner - 0.002, 0.0), (corner, 0.002), (corner, height - edge),
        (corner - 0.3 * edge, height - 0.3 * edge), (corner - edge, height), (ON_AXIS_M, height),
    ]  # fmt: skip


@category("juicer", nouns=("juicer",))
def juicer(rng: np.random.Generator) -> Asset:
    """Clear bowl, 106 mm wide and 92 mm deep, on a low base with a push button on the robot's side."""
    shell = Material(varied(rng, pick(rng, SHELLS), 0.015), specular=0.5, shininess=0.6)
    glass = varied(rng, pick(rng, [(0.80, 0.88, 0.92), (0.86, 0.92, 0.86), (0.92, 0.90, 0.84)]), 0.015)
    x, y = BASE_M
    front = CONSOLE_M - 0.030
    deck = rng.uniform(0.020, 0.024)
    base = revolve_box(pad(FLOOR_M - 0.002), x - 0.012, y - 0.012)
    foot_x, foot_y = (-x - front) / 2 + 0.010, 0.034
    foot_at = ((front - x) / 2 + 0.010, 0.0)
    console = moved(revolve_box(pad(deck), foot_x - 0.012, foot_y - 0.012), (*foot_at, 0.0))
    r = BOWL_M + WALL_M
    bowl = [
        (ON_AXIS_M, FLOOR_M - 0.003), (r - 0.006, FLOOR_M - 0.003), (r, FLOOR_M + 0.002), (r, RIM_M - 0.001),
        (r - 0.001, RIM_M), (BOWL_M + 0.001, RIM_M), (BOWL_M, RIM_M - 0.001), (BOWL_M, FLOOR_M + 0.004),
        (BOWL_M - 0.004, FLOOR_M), (ON_AXIS_M, FLOOR_M),
    ]  # fmt: skip
    reamer = [
        (0.020, FLOOR_M), (0.0165, FLOOR_M + 0.003), (0.008, FLOOR_M + 0.005), (0.003, FLOOR_M + 0.0062),
        (ON_AXIS_M, FLOOR_M + 0.0066),
    ]  # fmt: skip
    visuals = (
        Visual(base, shell),
        Visual(console, shell, "console"),
        Visual(revolve(reamer, 18), Material((0.75, 0.76, 0.78), specular=0.8), "base"),
        Visual(revolve(bowl, 32), Material(glass, specular=0.8, shininess=0.9, alpha=0.42), "rim"),
    )
    colliders: tuple[Collider, ...] = (
        box((x, y, (FLOOR_M - 0.002) / 2), (0.0, 0.0, (FLOOR_M - 0.002) / 2), 1.0),
        cylinder(r, FLOOR_M - 0.003, FLOOR_M, 0.2),
        *wall((r - WALL_M / 2, FLOOR_M - 0.002), (r - WALL_M / 2, RIM_M), WALL_M, 16, 0.3, "rim"),
        box((foot_x, foot_y, deck / 2), (*foot_at, deck / 2), 0.3, "console"),
    )
    colour = COLOURS[("red", "green", "blue", "orange")[int(rng.integers(4))]]
    switch = mounted("button", (CONSOLE_M, 0.0, deck), varied(rng, colour, 0.02), (0.16, 0.16, 0.17))
    deep = (RIM_M - FLOOR_M) / 2
    sites = (
        Site("inside", "contain", (0.0, 0.0, FLOOR_M + deep), (BOWL_M - 0.002, BOWL_M - 0.002, deep)),
        Site("top", "place", (0.0, 0.0, RIM_M + 0.04), (r, r, 0.04)),
    )
    return Asset(
        Link("root", (*visuals, *switch.visuals), (*colliders, *switch.colliders), children=(switch.cap,)),
        math.hypot(front, foot_y),
        RIM_M,
        sites=sites,
        buttons=(switch.button,),
        kind="fixture",
    )


@category("lid", nouns=("lid",))
def lid(rng: np.random.Generator) -> Asset:
    """Disc, 12 cm across, with a knob of 25 mm; fits the juicer."""
    colour = varied(rng, pick(rng, SHELLS), 0.02)
    plate = rng.uniform(0.0085, 0.0100)
    knob, high = 0.0125, plate + rng.uniform(0.026, 0.030)
    r = LID_M + rng.uniform(-0.0005, 0.0015)
    disc = [
        (ON_AXIS_M, 0.0), (r - 0.002, 0.0), (r, 0.002), (r - 0.0005, plate - 0.003), (r - 0.004, plate - 0.0005),
        (r - 0.010, plate), (ON_AXIS_M, plate),
    ]  # fmt: skip
    turned = [
        (knob - 0.002, plate), (knob - 0.0015, plate + 0.004), (knob, plate + 0.009), (knob, high - 0.004),
        (knob - 0.0012, high - 0.0012), (knob - 0.004, high), (ON_AXIS_M, high),
    ]  # fmt: skip
    grip = varied(rng, pick(rng, [(0.12, 0.12, 0.13), (0.45, 0.28, 0.16), (0.74, 0.75, 0.77)]), 0.02)
    visuals = (
        Visual(revolve(disc, 32), Material(colour, specular=0.5, shininess=0.6)),
        Visual(revolve(turned, 18), Material(grip, specular=0.5), "knob"),
    )
    mass = rng.uniform(0.075, 0.095)
    colliders = (
        cylinder(r, 0.0, plate, 0.85 * mass),
        cylinder(knob, plate, high, 0.15 * mass, "knob"),
    )
    grasps = (*top(high - 0.013, 2 * knob, part="knob"), *top(high - 0.010, 2 * knob, cost=0.1, part="knob"))
    return Asset(Link("root", visuals, colliders), r, high, grasps=grasps)
