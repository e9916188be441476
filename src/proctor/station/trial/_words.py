"""What a simple instruction asks for: one thing to be put onto another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from proctor.core import ProctorError
from proctor.tasks.words import Mention, placement

if TYPE_CHECKING:
    from proctor.station.twin import ObjectPose


KINDS = ("block", "bread", "bowl", "plate", "coaster", "box")


@dataclass(frozen=True, slots=True)
class ColouredThing:
    """Something named by colour and kind; the colour may be missing."""

    colour: str
    kind: str


def understand(instruction: str) -> tuple[ColouredThing, ColouredThing]:
    """Return what is to be put, and where, as in "Stack red block on blue block"."""
    found = placement(instruction, {kind: (kind,) for kind in KINDS})
    if found is None:
        raise ProctorError(f"the scripted policy does not understand {instruction!r}: say 'put the red block on ...'")
    return _thing(found[0]), _thing(found[1])


def _thing(mention: Mention) -> ColouredThing:
    return ColouredThing(" ".join(word for word in mention.modifiers if not word.isdigit()), mention.entities[0])


# Whether the twin's floor shows what an instruction asked for. On a real station this is the operator's eye.

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
