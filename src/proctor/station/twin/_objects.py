"""Things that are put on the floor of the box."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from proctor.core import ProctorError, did_you_mean
from proctor.station.geometry import HALF

from ._shapes import SHAPES, Colour, ShapeBuilder, quat_yaw_pitch

COLOURS: Final[Mapping[str, Colour]] = {
    "red": (0.80, 0.10, 0.10),
    "blue": (0.10, 0.25, 0.75),
    "yellow": (0.95, 0.78, 0.10),
    "green": (0.12, 0.55, 0.22),
    "orange": (0.93, 0.45, 0.08),
    "purple": (0.45, 0.18, 0.60),
    "pink": (0.93, 0.50, 0.62),
    "black": (0.08, 0.08, 0.09),
    "white": (0.90, 0.90, 0.88),
    "grey": (0.50, 0.51, 0.53),
    "brown": (0.62, 0.38, 0.16),
}
KINDS: Final = tuple(SHAPES)


@dataclass(frozen=True, slots=True)
class SceneObject:
    """Something on the floor: where its centre stands (metres, box frame) and how it is turned about the vertical.

    ``name`` is unique in a scene; without one it is colour and kind.
    """

    kind: str
    x: float
    y: float
    yaw_deg: float = 0.0
    colour: str = "red"
    name: str = ""

    def __post_init__(self) -> None:
        if self.kind not in SHAPES:
            raise ProctorError(
                f"no object {self.kind!r}{did_you_mean(self.kind, KINDS)} (there are {', '.join(KINDS)})"
            )
        if self.colour not in COLOURS:
            names = ", ".join(COLOURS)
            raise ProctorError(f"no colour {self.colour!r}{did_you_mean(self.colour, COLOURS)} (there are {names})")
        if not (abs(self.x) <= HALF and abs(self.y) <= HALF):
            raise ProctorError(
                f"{self.kind} at ({self.x:g}, {self.y:g}) m is outside the box: |x| and |y| <= {HALF:.3f}"
            )
        if not self.name:
            object.__setattr__(self, "name", f"{self.colour} {self.kind}")


def add_objects(spec: Any, objects: Sequence[SceneObject]) -> None:
    """Add free bodies to a station; equal names are refused."""
    names = [item.name for item in objects]
    for name in names:
        if names.count(name) > 1:
            raise ProctorError(f"two objects are called {name!r}: give each its own name")
    for item in objects:
        body = spec.worldbody.add_body(
            name=item.name, pos=(item.x, item.y, 0.0005), quat=quat_yaw_pitch(math.radians(item.yaw_deg))
        )
        body.add_freejoint(name=item.name)
        SHAPES[item.kind](ShapeBuilder(body, COLOURS[item.colour]))
