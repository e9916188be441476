"""Annotated grasps in the object frame, computed from an instance's own dimensions.

The jaws open to 80 mm; a grasp spans at most ``MAX_WIDTH_M`` so that the hand has room to arrive with an error.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ._model import Grasp

MAX_WIDTH_M = 0.078
DOWN = (0.0, 0.0, -1.0)


def top(
    z: float,
    width_m: float,
    yaws_rad: Sequence[float] | None = None,
    xy: tuple[float, float] = (0.0, 0.0),
    cost: float = 0.0,
    part: str = "body",
) -> tuple[Grasp, ...]:
    """Grasps from straight above at height ``z``; any of 12 closing yaws, or only those given."""
    angles = [i * math.pi / 12 for i in range(12)] if yaws_rad is None else yaws_rad
    return tuple(Grasp((xy[0], xy[1], z), (math.cos(a), math.sin(a), 0.0), DOWN, cost, width_m, part) for a in angles)


def rim(
    radius: float, z: float, thickness_m: float, azimuths_deg: Iterable[float], lean_rad: float = 0.0, part: str = "rim"
) -> tuple[Grasp, ...]:
    """Pinches of a wall from above: closing axis radial, approach leaning outwards with a sloped wall.

    ``azimuths_deg`` are those of wall boxes (see ``colliders.wall``).
    """
    out = []
    c, s = math.cos(lean_rad), math.sin(lean_rad)
    for degrees in azimuths_deg:
        a = math.radians(degrees)
        x, y = math.cos(a), math.sin(a)
        out.append(Grasp((radius * x, radius * y, z), (c * x, c * y, -s), (-s * x, -s * y, -c), 0.0, thickness_m, part))
    return tuple(out)


def loop(
    position: tuple[float, float, float], width_m: float, leans_deg: Sequence[float], part: str
) -> tuple[Grasp, ...]:
    """Pinches of a handle that stands out towards +x: closing along y, the hand leaning away from the vessel.

    Dearer than a rim: it is meant for a vessel whose inside is full. Earlier leans are liked better.
    """
    out = []
    for place, degrees in enumerate(leans_deg):
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        out.append(Grasp(position, (0.0, 1.0, 0.0), (-s, 0.0, -c), 1.0 + 0.05 * place, width_m, part))
    return tuple(out)
