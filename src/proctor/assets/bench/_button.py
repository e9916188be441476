"""Push buttons: a cap on a spring in a round housing; alone on the table, or built into something by `mounted`.

18 mm radius, 8 mm travel, a spring of 400 N/m under a little preload (so that the cap stands at the top of its travel
against its own weight), and a hard stop. Joint value = travel in metres, growing on the way in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .._colliders import cylinder, wall
from .._mesh import moved
from .._model import Button, Collider, Joint, Link, Material, Vec3, Visual
from .._registry import Asset, category
from .._shapes import ON_AXIS_M, revolve
from .._texture import pick, varied

CAP_M, CAP_HEIGHT_M = 0.018, 0.020
TRAVEL_M = 0.008
SPRING_N_M = 400.0
PRELOAD_M = 0.002
SUNK_M = 0.009
"""How far the cap's foot is above the floor of its housing: the whole travel and a millimetre."""
RING_M = SUNK_M + 0.005
HIGH_M = SUNK_M + CAP_HEIGHT_M
SHELLS: list[Vec3] = [(0.20, 0.21, 0.23), (0.80, 0.80, 0.78), (0.36, 0.40, 0.46), (0.58, 0.44, 0.30)]
COLOURS: dict[str, Vec3] = {
    "red": (0.80, 0.10, 0.09),
    "green": (0.13, 0.58, 0.24),
    "blue": (0.11, 0.33, 0.74),
    "yellow": (0.95, 0.75, 0.10),
    "white": (0.92, 0.92, 0.90),
    "black": (0.10, 0.10, 0.11),
    "orange": (0.94, 0.46, 0.08),
    "purple": (0.48, 0.20, 0.62),
}


@dataclass(frozen=True, slots=True)
class Mounted:
    """A button in its housing: what belongs to the parent, the moving part, and the annotation."""

    visuals: tuple[Visual, ...]
    colliders: tuple[Collider, ...]
    cap: Link
    button: Button


def mounted(name: str, foot: Vec3, cap_rgb: Vec3, shell_rgb: Vec3, radius_m: float = 0.029) -> Mounted:
    """Return a button, called ``name``, in a ring that stands on ``foot``; it faces up and is `HIGH_M` high."""
    x, y, z = foot
    outer, well = radius_m, CAP_M + 0.0018
    ring = [
        (outer, 0.0), (outer - 0.0008, 0.5 * RING_M), (outer - 0.003, RING_M - 0.0012), (outer - 0.0055, RING_M),
        (well + 0.001, RING_M), (well, RING_M - 0.001), (well, 0.0),
    ]  # fmt: skip
    middle, thick = 0.5 * (outer - 0.001 + well), outer - 0.001 - well
    boxes = wall((middle, 0.0), (middle, RING_M), thick, 12, 0.08, "bezel")
    return Mounted(
        (Visual(moved(revolve(ring, 28), foot), Material(shell_rgb, specular=0.4, shininess=0.5), "bezel"),),
        tuple(replace(c, pos=(c.pos[0] + x, c.pos[1] + y, c.pos[2] + z)) for c in boxes),
        _cap(name, (x, y, z + SUNK_M), cap_rgb),
        Button(name, name, name, (0.0, 0.0, CAP_HEIGHT_M)),
    )


def _cap(name: str, pos: Vec3, rgb: Vec3) -> Link:
    r, h = CAP_M, CAP_HEIGHT_M
    curve = [
        (ON_AXIS_M, 0.0), (r - 0.001, 0.0), (r, 0.001), (r, h - 0.004), (r - 0.0008, h - 0.0018),
        (r - 0.0026, h - 0.0004), (0.78 * r, h), (0.70 * r, h - 0.0006), (ON_AXIS_M, h - 0.0008),
    ]  # fmt: skip
    joint = Joint(
        name, "slide", (0.0, 0.0, -1.0), (0.0, TRAVEL_M),
        damping=6.0, stiffness=SPRING_N_M, rest=-PRELOAD_M, hard_stop=True,
    )  # fmt: skip
    look = Material(rgb, specular=0.5, shininess=0.6, emission=0.12)
    return Link(name, (Visual(revolve(curve, 26), look, name),), (cylinder(r, 0.0, h, 0.02, name),), pos, joint=joint)


@category("button", nouns=("button",), looks={"color": tuple(COLOURS)})
def button(rng: np.random.Generator, color: str | None = None) -> Asset:
    """A button in a round housing, 7 cm across and 4 cm high, for a table."""
    chosen = color or sorted(COLOURS)[int(rng.integers(len(COLOURS)))]
    r, deck = rng.uniform(0.033, 0.037), rng.uniform(0.010, 0.013)
    shell = varied(rng, pick(rng, SHELLS))
    made = mounted("button", (0.0, 0.0, deck), varied(rng, COLOURS[chosen], 0.02), shell, r - 0.001)
    foot = revolve([(ON_AXIS_M, 0.0), (r - 0.002, 0.0), (r, 0.002), (r - 0.0006, deck), (ON_AXIS_M, deck)], 28)
    return Asset(
        Link(
            "root",
            (Visual(foot, Material(shell, specular=0.4, shininess=0.5)), *made.visuals),
            (cylinder(r - 0.0005, 0.0, deck, 0.25), *made.colliders),
            children=(made.cap,),
        ),
        radius_m=r,
        height_m=deck + HIGH_M,
        buttons=(made.button,),
        kind="fixture",
    )
