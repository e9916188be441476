"""Where the blocks of the ten stacking scenes (21 to 30) lie on the twin's floor, in metres of the box frame.

The instruction names the colours; the places are ours, all within the arm's reach from above. Distractors are blocks
of other colours.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Final

from proctor.core import ProctorError
from proctor.station.scene import Scene
from proctor.station.twin import SceneObject

_INSTRUCTION: Final = re.compile(r"Stack (\w+) block on (\w+) block")
_SPARE_COLOURS: Final = ("purple", "orange", "pink")
_SPARE_PLACES: Final = ((-0.17, -0.02), (0.17, -0.03), (0.0, 0.02))


@dataclass(frozen=True, slots=True)
class Layout:
    """One scene on the floor: ``moved`` has to come to lie on ``base``."""

    scene: int
    moved: SceneObject
    base: SceneObject
    others: tuple[SceneObject, ...] = ()

    @property
    def objects(self) -> tuple[SceneObject, ...]:
        return (self.moved, self.base, *self.others)


def layout_of(scene: Scene) -> Layout:
    """Return the layout of a stacking scene; the same every time."""
    match = _INSTRUCTION.fullmatch(scene.instruction)
    if match is None:
        raise ProctorError(f"scene {scene.id} is no stacking scene: the demo knows scenes 21 to 30")
    rng = random.Random(scene.id)
    side = rng.choice((-1, 1))
    second = f"other {match[2]} block" if match[1] == match[2] else f"{match[2]} block"
    moved = _block(rng, side, match[1], f"{match[1]} block")
    base = _block(rng, -side, match[2], second)
    spare = [
        SceneObject("block", x, y, colour=colour)
        for colour, (x, y) in zip(_SPARE_COLOURS[: scene.distractors], _SPARE_PLACES, strict=False)
    ]
    return Layout(scene.id, moved, base, tuple(spare))


def _block(rng: random.Random, side: int, colour: str, name: str) -> SceneObject:
    """A block somewhere on one side, along the box's axes: that is how the scripted policies take hold of it."""
    x, y = side * round(rng.uniform(0.05, 0.09), 3), round(rng.uniform(-0.18, -0.14), 3)
    return SceneObject("block", x, y, 0.0, colour, name)
