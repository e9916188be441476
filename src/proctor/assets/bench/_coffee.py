"""The coffee machine: a C of boxes that opens towards the robot, with a drip tray, a spout and a button beside it.

``bay`` is where the mug stands, 14 cm wide and 18 cm high; ``spout`` is the column of air under the nozzle, which a mug
must stand in to be filled. The head ends behind the nozzle, which hangs from a narrow arm: a hand that holds a mug by
its handle passes before it.
"""

from __future__ import annotations

import math

import numpy as np

from .._colliders import box, cylinder
from .._mesh import merge, moved
from .._model import Link, Material, Site, Vec3, Visual
from .._registry import Asset, category
from .._shapes import ON_AXIS_M, revolve, revolve_box, slab, slabs
from .._texture import pick, varied
from ._button import COLOURS, mounted
from ._juicer import pad

DECK_M, HEAD_M = 0.020, 0.205
"""Top of the drip tray, and the underside of the head."""
HALF_M = 0.070
"""Half the width of the bay."""
BACK_M = 0.060
"""Where the column begins, from the middle of the bay."""
NOZZLE_M = 0.183
"""Height of the nozzle's mouth."""
CONSOLE_M = (-0.040, -0.118)
SHELLS: list[Vec3] = [
    (0.16, 0.16, 0.18),
    (0.72, 0.73, 0.74),
    (0.58, 0.12, 0.11),
    (0.84, 0.82, 0.76),
    (0.20, 0.34, 0.40),
]


@category("coffee_machine", nouns=("coffee machine",))
def coffee_machine(rng: np.random.Generator) -> Asset:
    """Machine of 14 x 23 x 28 cm with a console for its button on the robot's right."""
    shell = Material(varied(rng, pick(rng, SHELLS), 0.015), specular=0.5, shininess=0.6)
    steel = Material((0.66, 0.67, 0.69), specular=0.8, shininess=0.7)
    dark = Material((0.10, 0.10, 0.11), specular=0.4)
    front, depth = -0.080, rng.uniform(0.085, 0.100)
    tall = rng.uniform(0.270, 0.290)
    end = BACK_M + depth
    reach = 0.016
    bottom: tuple[Vec3, Vec3] = (((end - front) / 2, HALF_M, DECK_M / 2), ((end + front) / 2, 0.0, DECK_M / 2))
    column: tuple[Vec3, Vec3] = (
        (depth / 2, HALF_M, (HEAD_M - DECK_M) / 2),
        (BACK_M + depth / 2, 0.0, (HEAD_M + DECK_M) / 2),
    )
    head: tuple[Vec3, Vec3] = (
        ((end - reach) / 2, HALF_M, (tall - HEAD_M) / 2),
        ((end + reach) / 2, 0.0, (tall + HEAD_M) / 2),
    )
    cx, cy = CONSOLE_M
    console: tuple[Vec3, Vec3] = ((0.040, 0.047, 0.015), (cx, cy, 0.015))
    nozzle = revolve(
        [(0.006, NOZZLE_M), (0.0075, NOZZLE_M), (0.0095, HEAD_M - 0.004), (0.0095, HEAD_M + 0.001), (0.0060, HEAD_M)],
        16,
    )
    arm: tuple[Vec3, Vec3] = ((0.016, 0.0105, 0.006), (0.0055, 0.0, HEAD_M + 0.006))
    bars = [((0.046, 0.0016, 0.0008), (-0.012, 0.012 * k, DECK_M + 0.0004)) for k in range(-4, 5)]
    plate = slab((0.0015, 0.030, 0.016), 0.001, centre=(reach - 0.0005, 0.0, (tall + HEAD_M) / 2 + 0.004))
    lamp = revolve([(0.004, 0.0), (0.0035, 0.002), (ON_AXIS_M, 0.0022)], 12)
    colour = COLOURS[("red", "green", "blue", "orange")[int(rng.integers(4))]]
    switch = mounted("button", (cx, cy, 0.030), varied(rng, colour, 0.02), (0.16, 0.16, 0.17))
    visuals = (
        Visual(slabs(bottom, column, head, bevel=0.006), shell),
        Visual(moved(revolve_box(pad(0.030), 0.028, 0.035), (cx, cy, 0.0)), shell, "console"),
        Visual(merge(nozzle, plate, slabs(arm, bevel=0.003)), steel, "head"),
        Visual(slabs(*bars, bevel=0.0), dark, "deck"),
        Visual(moved(lamp, (cx - 0.033, cy, 0.029)), Material((0.95, 0.62, 0.12), emission=0.6), "console"),
    )
    colliders = (
        box(*bottom, 1.2, "deck"),
        box(*column, 1.6),
        box(*head, 1.2, "head"),
        box(*console, 0.3, "console"),
        cylinder(0.0085, NOZZLE_M, HEAD_M, 0.05, "head"),
        box(*arm, 0.05, "head"),
    )
    sites = (
        Site("bay", "place", (0.0, 0.0, DECK_M + 0.068), (0.058, HALF_M, 0.068)),
        Site("spout", "place", (0.0, 0.0, (DECK_M + NOZZLE_M) / 2), (0.02, 0.02, (NOZZLE_M - DECK_M) / 2)),
    )
    return Asset(
        Link("root", (*visuals, *switch.visuals), (*colliders, *switch.colliders), children=(switch.cap,)),
        math.hypot(end, HALF_M),
        tall,
        sites=sites,
        buttons=(switch.button,),
        kind="fixture",
    )
