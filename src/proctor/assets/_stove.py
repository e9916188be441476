"""The hot plate: one burner behind, a knob in front (-y) that turns about the vertical.

Joint ``knob``: 0 is off, growing clockwise seen from above; on from 0.5 rad, off below 0.1 rad. The ``switch`` site
carries that opening for ``TurnOn`` and ``TurnOff``; ``cook_region`` is the burner. The knob's ``Handle`` gives the bar
that fingers close on; its ``pull`` is the axis about which the bar turns.
"""

from __future__ import annotations

import math

import numpy as np

from ._colliders import box, cylinder
from ._mesh import columns, merge, moved
from ._model import Collider, Handle, Joint, Link, Material, Opening, Site, Visual
from ._registry import Asset, category
from ._shapes import TAU, revolve, revolve_box, slab, sweep
from ._texture import pick, varied

HALF_M = 0.080
"""Half width and half depth."""
DECK_M = 0.032
"""Height of the deck; the burner stands 8 mm above it."""
BURNER_M = (0.0, 0.0205, 0.0560)
"""x, y and radius of the burner."""
KNOB_M = (0.0, -0.0575)
ON_AXIS = 1e-5
ON_RAD, OFF_RAD, STOP_RAD = 0.5, 0.1, 1.6


@category("flat_stove", nouns=("stove", "burner", "hot plate"))
def flat_stove(rng: np.random.Generator) -> Asset:
    """Table-top hot plate, 16 x 16 cm, 4 cm high; enamel deck, glowing coil."""
    enamel = varied(
        rng, pick(rng, [(0.86, 0.86, 0.84), (0.22, 0.23, 0.25), (0.62, 0.20, 0.16), (0.36, 0.48, 0.52)]), 0.015
    )
    corner, edge = 0.012, 0.003
    curve = [
        (ON_AXIS, 0.004), (corner - 0.004, 0.004), (corner - 0.002, 0.006), (corner, 0.010), (corner, DECK_M - edge),
        (corner - 0.3 * edge, DECK_M - 0.3 * edge), (corner - edge, DECK_M), (ON_AXIS, DECK_M),
    ]  # fmt: skip
    deck = revolve_box(curve, HALF_M - corner, HALF_M - corner)
    feet = [
        moved(revolve([(ON_AXIS, 0.0), (0.007, 0.0), (0.008, 0.006), (ON_AXIS, 0.006)], 8), (x, y, 0.0))
        for x in (-0.062, 0.062)
        for y in (-0.062, 0.062)
    ]
    x, y, r = BURNER_M
    pan = [
        (r - 0.002, DECK_M - 0.001), (r + 0.0025, DECK_M + 0.0005), (r + 0.0020, DECK_M + 0.0030),
        (r - 0.0010, DECK_M + 0.0030), (r - 0.0025, DECK_M + 0.0015), (ON_AXIS, DECK_M + 0.0010),
    ]  # fmt: skip
    turns = rng.uniform(3.4, 3.9)
    a = np.linspace(0.0, TAU * turns, round(15 * turns))
    radius = np.linspace(0.010, r - 0.0055, len(a))
    coil = sweep(columns(radius * np.cos(a), radius * np.sin(a), np.full(len(a), DECK_M + 0.0048)), 0.0033, 6)
    hub = revolve([(0.006, DECK_M), (0.006, DECK_M + 0.0070), (0.004, DECK_M + 0.0080), (ON_AXIS, DECK_M + 0.0080)], 12)
    metal = Material((0.62, 0.63, 0.65), specular=0.9, shininess=0.8)
    visuals = (
        Visual(deck, Material(enamel, specular=0.6, shininess=0.7)),
        Visual(merge(*feet), Material((0.09, 0.09, 0.10))),
        Visual(moved(revolve(pan, 30), (x, y, 0.0)), Material((0.11, 0.11, 0.12), specular=0.5), "burner"),
        Visual(
            moved(coil, (x, y, 0.0)),
            Material(varied(rng, (0.50, 0.07, 0.04), 0.02), specular=0.2, emission=0.45),
            "burner",
        ),
        Visual(moved(hub, (x, y, 0.0)), metal, "burner"),
    )  # fmt: skip
    colliders = (
        box((HALF_M, HALF_M, DECK_M / 2), (0.0, 0.0, DECK_M / 2), 1.6),
        Collider("cylinder", (r, 0.004), 0.3, "burner", (x, y, DECK_M + 0.004)),
    )
    top = DECK_M + 0.008
    return Asset(
        Link("root", visuals, colliders, children=(_knob(metal),)),
        radius_m=math.hypot(HALF_M, HALF_M),
        height_m=top,
        sites=(
            Site("cook_region", "place", (x, y, top + 0.05), (r, r, 0.05)),
            Site(
                "switch", "place", (0.0, 0.0, 0.022 + 0.012), (0.016, 0.016, 0.012), "knob",
                opening=Opening("knob", open_above=ON_RAD, closed_below=OFF_RAD, init_open=(0.9, 1.3)),
            ),
        ),
        handles=(Handle("knob", "knob", "knob", (0.0, 0.0, 0.014), (1.0, 0.0, 0.0), (0.0, 0.0, -1.0)),),
        kind="fixture",
    )  # fmt: skip


def _knob(metal: Material) -> Link:
    """Skirt with a bar across it; the bar points to the back when the stove is off."""
    skirt = revolve(
        [(ON_AXIS, 0.0), (0.0160, 0.0), (0.0160, 0.0030), (0.0145, 0.0050), (ON_AXIS, 0.0055)], 22
    )  # fmt: skip
    bar = slab((0.0048, 0.0150, 0.0085), 0.0016, centre=(0.0, 0.0, 0.0135))
    mark = slab((0.0010, 0.0050, 0.0006), 0.0004, centre=(0.0, 0.0095, 0.0220))
    visuals = (
        Visual(skirt, metal, "knob"),
        Visual(bar, Material((0.10, 0.10, 0.11), specular=0.5, shininess=0.5), "knob"),
        Visual(mark, Material((0.92, 0.30, 0.16)), "knob"),
    )
    colliders = (
        cylinder(0.0158, 0.0005, 0.0050, 0.01, "knob"),
        box((0.0048, 0.0150, 0.0085), (0.0, 0.0, 0.0135), 0.02, "knob"),
    )
    # Two fingertips turn it and it stays. Without the armature, friction on so light a thing creeps by 0.2 rad/s.
    joint = Joint("knob", "hinge", (0.0, 0.0, -1.0), (0.0, STOP_RAD), damping=0.02, frictionloss=0.08, armature=2e-3)
    return Link("knob", visuals, colliders, (*KNOB_M, DECK_M), joint=joint)
