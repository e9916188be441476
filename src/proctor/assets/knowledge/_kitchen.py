"""The bin: a ring of boards, 14 cm wide at the mouth."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .._colliders import cylinder, wall
from .._mesh import moved
from .._model import Button, Collider, Grasp, Joint, Link, Material, Vec3, Visual
from .._shapes import ON_AXIS_M, revolve


def _dearer(grasps: tuple[Grasp, ...]) -> tuple[Grasp, ...]:
    """Pinches of the rim cost more than the handle: a hand over the rim does not fit under a coffee machine's head."""
    return tuple(replace(grasp, cost=2.0) for grasp in grasps if grasp.part != "handle")


CAP_M, CAP_HEIGHT_M = 0.018, 0.020

TRAVEL_M = 0.008

SPRING_N_M = 400.0

PRELOAD_M = 0.002

SUNK_M = 0.009
"""How far the cap's foot is above the floor of its housing: the whole travel and a millimetre."""

RING_M = SUNK_M + 0.005


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
