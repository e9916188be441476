"""Collision primitives in common arrangements: walls of boxes, capsules between points, quaternion helpers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ._model import IDENTITY, Collider, Quat, Vec3

LIE_ALONG_X: Quat = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)
"""Turns the z axis of a lathe onto +x."""


def vec3(values: ArrayLike) -> Vec3:
    """Three plain floats."""
    x, y, z = (float(v) for v in np.asarray(values, float))
    return x, y, z


def about_z(angle_rad: float) -> Quat:
    return math.cos(angle_rad / 2), 0.0, 0.0, math.sin(angle_rad / 2)


def about_y(angle_rad: float) -> Quat:
    return math.cos(angle_rad / 2), 0.0, math.sin(angle_rad / 2), 0.0


def about_x(angle_rad: float) -> Quat:
    return math.cos(angle_rad / 2), math.sin(angle_rad / 2), 0.0, 0.0


def times(a: Quat, b: Quat) -> Quat:
    """Quaternion product: first ``b``, then ``a``."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def z_onto(direction: ArrayLike) -> Quat:
    """Shortest turn that takes +z onto ``direction``."""
    d = np.asarray(direction, float)
    d = d / np.linalg.norm(d)
    if d[2] < -1 + 1e-14:
        return 0.0, 1.0, 0.0, 0.0
    q = np.array([1 + d[2], -d[1], d[0], 0.0])
    q /= np.linalg.norm(q)
    return float(q[0]), float(q[1]), float(q[2]), 0.0


def box(half: Vec3, pos: Vec3, mass_kg: float, part: str = "body", quat_wxyz: Quat = IDENTITY) -> Collider:
    return Collider("box", half, mass_kg, part, pos, quat_wxyz)


def cylinder(radius: float, low: float, high: float, mass_kg: float, part: str = "body") -> Collider:
    """Upright cylinder between two heights."""
    return Collider("cylinder", (radius, (high - low) / 2), mass_kg, part, (0.0, 0.0, (high + low) / 2))


def segment(start: ArrayLike, stop: ArrayLike, radius: float, mass_kg: float, part: str = "body") -> Collider:
    """Capsule whose axis runs from ``start`` to ``stop``."""
    a, b = np.asarray(start, float), np.asarray(stop, float)
    return Collider(
        "capsule", (radius, float(np.linalg.norm(b - a)) / 2), mass_kg, part, vec3((a + b) / 2), z_onto(b - a)
    )


def wall(
    low: tuple[float, float], high: tuple[float, float], thickness: float, count: int, mass_kg: float, part: str
) -> tuple[Collider, ...]:
    """Conical wall of ``count`` boxes whose middle surface goes from ``low`` to ``high``, both (r, z).

    Box faces are centred on multiples of 360/count degrees, where rim grasps must be taken: a pad that straddles two
    boxes rocks. Each box is as wide as the circle needs at its top, so neighbours overlap and nothing leaks. Faces
    stand a little inside the true circle to halve the error that corners make outside it.
    """
    (r0, z0), (r1, z1) = low, high
    shrink = 1.0 - 0.4 * (1.0 / math.cos(math.pi / count) - 1.0)
    r0, r1 = r0 * shrink, r1 * shrink
    lean = math.atan2(r1 - r0, z1 - z0)
    half_height = math.hypot(r1 - r0, z1 - z0) / 2
    half_width = (max(r0, r1) + thickness / 2 * math.cos(lean)) * math.tan(math.pi / count)
    out = []
    for i in range(count):
        a = 2 * math.pi * i / count
        r, z = (r0 + r1) / 2, (z0 + z1) / 2
        pos = (r * math.cos(a), r * math.sin(a), z)
        out.append(
            box((thickness / 2, half_width, half_height), pos, mass_kg / count, part, times(about_z(a), about_y(lean)))
        )
    return tuple(out)
