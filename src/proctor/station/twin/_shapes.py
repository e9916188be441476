"""Geometry of each kind of object in the twin. A body's origin is where its centre touches the floor.

Sizes are those of the toys and dishes that VLA-REPLICA buys, to about a centimetre. They are stand-ins, not replicas:
something to see, to push and to grasp. A towel here is stiff.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import mujoco

Colour = tuple[float, float, float]
Point = tuple[float, float, float]

BOX: Final = mujoco.mjtGeom.mjGEOM_BOX
CYLINDER: Final = mujoco.mjtGeom.mjGEOM_CYLINDER
ELLIPSOID: Final = mujoco.mjtGeom.mjGEOM_ELLIPSOID
CAPSULE: Final = mujoco.mjtGeom.mjGEOM_CAPSULE

WHITE: Final = (0.90, 0.90, 0.88)
DARK: Final = (0.12, 0.12, 0.13)
STEEL: Final = (0.62, 0.63, 0.65)
CRUST: Final = (0.72, 0.44, 0.16)
BUN: Final = (0.83, 0.58, 0.28)
ICING: Final = (0.36, 0.20, 0.12)


class ShapeBuilder:
    """Adds parts to one body; mass comes from their size."""

    def __init__(self, body: Any, colour: Colour, density: float = 300.0) -> None:
        self._body = body
        self.colour = colour
        self._density = density

    def add(
        self,
        kind: Any,
        size: tuple[float, ...],
        at: Point,
        colour: Colour | None = None,
        *,
        yaw: float = 0.0,
        pitch: float = 0.0,
    ) -> None:
        """Add a part that is seen and touched, turned by ``pitch`` about y and then ``yaw`` about z (radians)."""
        self._body.add_geom(
            type=kind,
            size=(*size, *(0.0,) * (3 - len(size))),
            pos=at,
            quat=quat_yaw_pitch(yaw, pitch),
            rgba=(*(colour or self.colour), 1.0),
            density=self._density,
            condim=4,
            friction=(1.2, 0.02, 0.001),
            solref=(0.005, 1.0),
        )

    def ring(self, radius: float, half_height: float, thick: float, at_z: float, flare: float = 0.0) -> None:
        """Add a wall of boxes around the axis that leans outward by ``flare`` radians."""
        count = 24
        width = radius * math.tan(math.pi / count) * 1.1
        for i in range(count):
            angle = 2 * math.pi * i / count
            at = (radius * math.cos(angle), radius * math.sin(angle), at_z)
            self.add(BOX, (thick / 2, width, half_height), at, yaw=angle, pitch=flare)


def quat_yaw_pitch(yaw: float, pitch: float = 0.0) -> tuple[float, float, float, float]:
    """Return the quaternion (wxyz) of a turn by ``pitch`` about y, then by ``yaw`` about z, in radians."""
    cy, sy, cp, sp = math.cos(yaw / 2), math.sin(yaw / 2), math.cos(pitch / 2), math.sin(pitch / 2)
    return cy * cp, -sy * sp, cy * sp, sy * cp


def _block(b: ShapeBuilder) -> None:
    b.add(BOX, (0.0125, 0.0125, 0.0125), (0, 0, 0.0125))


def _plate(b: ShapeBuilder) -> None:
    b.add(CYLINDER, (0.055, 0.002), (0, 0, 0.002))
    b.ring(0.066, 0.013, 0.003, 0.008, flare=1.0)


def _bowl(b: ShapeBuilder) -> None:
    b.add(CYLINDER, (0.028, 0.002), (0, 0, 0.002))
    b.ring(0.038, 0.014, 0.003, 0.012, flare=0.75)
    b.ring(0.052, 0.012, 0.003, 0.033, flare=0.3)


def _coaster(b: ShapeBuilder) -> None:
    b.add(CYLINDER, (0.048, 0.002), (0, 0, 0.002))


def _croissant(b: ShapeBuilder) -> None:
    for i in range(-3, 4):
        angle = i * 0.42
        radius = 0.017 - 0.0028 * abs(i)
        at = (0.035 * math.sin(angle), 0.035 * math.cos(angle) - 0.03, 0.016)
        b.add(ELLIPSOID, (0.013, radius, min(radius, 0.016)), at, CRUST, yaw=-angle)


def _bun(b: ShapeBuilder) -> None:
    b.add(ELLIPSOID, (0.030, 0.026, 0.018), (0, 0, 0.018), BUN)


def _donut(b: ShapeBuilder) -> None:
    for i in range(14):
        angle = 2 * math.pi * i / 14
        at = (0.022 * math.cos(angle), 0.022 * math.sin(angle), 0.013)
        b.add(ELLIPSOID, (0.012, 0.009, 0.012), at, ICING, yaw=angle)


def _towel(b: ShapeBuilder) -> None:
    b.add(BOX, (0.070, 0.050, 0.003), (0, 0, 0.003))
    stripe: Colour = (b.colour[0] * 0.8, b.colour[1] * 0.8, b.colour[2] * 0.8)
    for side in (-1, 1):
        b.add(BOX, (0.004, 0.0502, 0.0032), (side * 0.058, 0, 0.003), stripe)


def _oven(b: ShapeBuilder) -> None:
    b.add(BOX, (0.075, 0.055, 0.055), (0, 0, 0.055))
    b.add(BOX, (0.050, 0.002, 0.036), (-0.016, -0.056, 0.052), DARK)
    b.add(CAPSULE, (0.004, 0.040), (-0.016, -0.064, 0.096), STEEL, pitch=math.pi / 2)
    for z in (0.030, 0.055, 0.080):
        b.add(CYLINDER, (0.007, 0.004), (0.055, -0.056, z), WHITE)


def _whiteboard(b: ShapeBuilder) -> None:
    b.add(BOX, (0.085, 0.060, 0.004), (0, 0, 0.004), WHITE)
    for y in (-0.060, 0.060):
        b.add(BOX, (0.088, 0.004, 0.006), (0, y, 0.006), STEEL)
    for x in (-0.085, 0.085):
        b.add(BOX, (0.004, 0.064, 0.006), (x, 0, 0.006), STEEL)


def _eraser(b: ShapeBuilder) -> None:
    b.add(BOX, (0.027, 0.013, 0.006), (0, 0, 0.006), DARK)
    b.add(BOX, (0.027, 0.013, 0.007), (0, 0, 0.019))


def _box(b: ShapeBuilder) -> None:
    b.add(BOX, (0.060, 0.045, 0.002), (0, 0, 0.002))
    for x in (-0.059, 0.059):
        b.add(BOX, (0.0015, 0.045, 0.020), (x, 0, 0.022))
    for y in (-0.044, 0.044):
        b.add(BOX, (0.060, 0.0015, 0.020), (0, y, 0.022))


def _tissue_box(b: ShapeBuilder) -> None:
    b.add(BOX, (0.055, 0.030, 0.022), (0, 0, 0.022))
    b.add(ELLIPSOID, (0.030, 0.010, 0.012), (0, 0, 0.046), WHITE)


def _pepper(b: ShapeBuilder) -> None:
    b.add(CYLINDER, (0.020, 0.035), (0, 0, 0.035), DARK)
    b.add(CYLINDER, (0.021, 0.010), (0, 0, 0.080))


def _pencil_box(b: ShapeBuilder) -> None:
    b.add(BOX, (0.085, 0.030, 0.014), (0, 0, 0.014))
    b.add(BOX, (0.086, 0.031, 0.001), (0, 0, 0.022), DARK)


def _spoon(b: ShapeBuilder) -> None:
    b.add(CAPSULE, (0.003, 0.045), (-0.02, 0, 0.004), STEEL, pitch=math.pi / 2)
    b.add(ELLIPSOID, (0.020, 0.013, 0.004), (0.040, 0, 0.004), STEEL)


def _fork(b: ShapeBuilder) -> None:
    b.add(CAPSULE, (0.003, 0.045), (-0.02, 0, 0.004), STEEL, pitch=math.pi / 2)
    b.add(BOX, (0.008, 0.011, 0.002), (0.030, 0, 0.004), STEEL)
    for y in (-0.009, -0.003, 0.003, 0.009):
        b.add(BOX, (0.014, 0.0015, 0.002), (0.050, y, 0.004), STEEL)


SHAPES: Final[Mapping[str, Callable[[ShapeBuilder], None]]] = {
    "block": _block,
    "bowl": _bowl,
    "box": _box,
    "bun": _bun,
    "coaster": _coaster,
    "croissant": _croissant,
    "donut": _donut,
    "eraser": _eraser,
    "fork": _fork,
    "oven": _oven,
    "pencil_box": _pencil_box,
    "pepper": _pepper,
    "plate": _plate,
    "spoon": _spoon,
    "tissue_box": _tissue_box,
    "towel": _towel,
    "whiteboard": _whiteboard,
}
