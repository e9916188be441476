"""Whether the twin's floor shows what an instruction asked for. On a real bench this is the operator's eye."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ._words import understand

if TYPE_CHECKING:
    # Loads MuJoCo, which a bench with a real arm does without.
    from proctor.station.twin import ObjectPose

# How far the middle may lie from the middle of what is below, and how high above it at least, in metres.
_NEAR: Final = {"block": 0.018, "plate": 0.055, "coaster": 0.045, "box": 0.055, "bowl": 0.045}
_ABOVE: Final = {"block": 0.018, "plate": 0.0, "coaster": 0.0, "box": 0.0, "bowl": 0.0}
_HIGHEST: Final = 0.045


def is_done(instruction: str, objects: Sequence[ObjectPose]) -> bool:
    """Return whether something asked for rests on what it was to be put onto. Held in the air does not count."""
    what, where = understand(instruction)
    upper = [item for item in objects if item.kind == what.kind and what.colour in {"", item.colour}]
    lower = [item for item in objects if item.kind == where.kind and where.colour in {"", item.colour}]
    return any(_on(a, b) for a in upper for b in lower if a.name != b.name)


def _on(upper: ObjectPose, lower: ObjectPose) -> bool:
    apart = math.hypot(upper.x - lower.x, upper.y - lower.y)
    return apart < _NEAR[lower.kind] and _ABOVE[lower.kind] <= upper.z - lower.z < _HIGHEST
