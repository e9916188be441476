"""The station of the demonstration: a twin, its cameras behind a socket, a floor that the operator lays out."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from proctor.core import ProctorError
from proctor.station.arm import JOINTS, save_calibration
from proctor.station.camera import PolicyViewCamera, TwinCamera
from proctor.station.console import Window
from proctor.station.scene import Annotation, StationScene, save_reference, station_floor
from proctor.station.trial import HOME, is_done
from proctor.station.twin import SceneObject, Twin

# Where the blocks of the ten stacking scenes (21 to 30) lie on the twin's floor, in metres of the box frame.
#
# The instruction names the colours; the places are ours, all within the arm's reach from above. Distractors are blocks
# of other colours.

_INSTRUCTION: Final = re.compile(r"Stack (\w+) block on (\w+) block")
_SPARE_COLOURS: Final = ("purple", "orange", "pink")
_SPARE_PLACES: Final = ((-0.17, -0.02), (0.17, -0.03), (0.0, 0.02))


@dataclass(frozen=True, slots=True)
class DemoLayout:
    """One scene on the floor: ``moved`` has to come to lie on ``base``."""

    scene: int
    moved: SceneObject
    base: SceneObject
    others: tuple[SceneObject, ...] = ()

    @property
    def objects(self) -> tuple[SceneObject, ...]:
        return (self.moved, self.base, *self.others)


def layout_of(scene: StationScene) -> DemoLayout:
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
    return DemoLayout(scene.id, moved, base, tuple(spare))


def _block(rng: random.Random, side: int, colour: str, name: str) -> SceneObject:
    """A block somewhere on one side, along the box's axes: that is how the scripted policies take hold of it."""
    x, y = side * round(rng.uniform(0.05, 0.09), 3), round(rng.uniform(-0.18, -0.14), 3)
    return SceneObject("block", x, y, 0.0, colour, name)


_LIFTED_M: Final = 0.03
# The criterion: for more than 2 seconds.
_STEADY_S: Final = 2.0
# Half the top camera's real width: software rendering shares two cores with everything else.
_WIDTH_PX: Final = 640


class DemoStation:
    """Twin, cameras, references and calibration, all below ``folder``. Use it as a context manager."""

    def __init__(self, folder: Path, scenes: Sequence[StationScene], *, seed: int = 0) -> None:
        self.layouts = {str(scene.id): layout_of(scene) for scene in scenes}
        self._instructions = {str(scene.id): scene.instruction for scene in scenes}
        self.references = folder / "references"
        self.calibration = folder / "arm.json"
        self.socket = folder / "cameras.sock"
        self._rng = random.Random(seed)
        self._since: float | None = None
        self._left_floor = False
        self._twin = Twin(seed=seed)
        save_calibration(self._twin.calibrate(), self.calibration)
        self._twin.hand(dict(zip(JOINTS, HOME.values, strict=True)))
        self._top = PolicyViewCamera(TwinCamera(self._twin, "top", _WIDTH_PX))
        for scene in scenes:
            self._take_reference(scene)
        self._window = Window(self.socket, [self._top, TwinCamera(self._twin, "wrist", 320)])

    @property
    def port(self) -> str:
        return self._twin.port

    def __enter__(self) -> DemoStation:
        return self

    def __exit__(self, *details: object) -> None:
        self._window.__exit__(*details)
        self._twin.close()

    def lay_out(self, scene: str, off_mm: float = 0.0) -> str:
        """Put the objects of a scene on the floor as a person does, to a millimetre; the first one ``off_mm`` beside.

        Returns the name of the one that is off.
        """
        layout = self.layouts[scene]
        self._since, self._left_floor = None, False
        self._twin.place([self._by_hand(item) for item in layout.objects])
        if off_mm:
            self._shift(layout.moved, off_mm)
        return layout.moved.name

    def lifted(self, scene: str) -> bool:
        """Return whether the block that has to be moved has left the floor since it was laid out."""
        poses = {item.name: item for item in self._twin.objects()}
        self._left_floor = self._left_floor or poses[self.layouts[scene].moved.name].z > _LIFTED_M
        return self._left_floor

    def judge(self, scene: str) -> bool:
        """Return whether the criterion is met now: one block on the other for more than 2 seconds."""
        now = time.monotonic()
        if not is_done(self._instructions[scene], self._twin.objects()):
            self._since = None
        elif self._since is None:
            self._since = now
        return self._since is not None and now - self._since > _STEADY_S

    def _by_hand(self, item: SceneObject) -> SceneObject:
        x, y = (value + self._rng.gauss(0, 0.0007) for value in (item.x, item.y))
        return SceneObject(item.kind, x, y, item.yaw_deg + self._rng.gauss(0, 1.0), item.colour, item.name)

    def _shift(self, item: SceneObject, off_mm: float) -> None:
        self._twin.move_object(item.name, item.x + off_mm / 1000, item.y, item.yaw_deg)

    def _take_reference(self, scene: StationScene) -> None:
        layout = self.layouts[str(scene.id)]
        self._twin.place(layout.objects)
        named = []
        for item in layout.objects:
            # Millimetres of the picture run against the box frame; the middle of what is seen is half a block up.
            ((x, y),) = station_floor().pixels(np.array([[-1000 * item.x, -1000 * item.y]]))
            named.append(Annotation(item.name, (float(x), float(y) - 4.0)))
        save_reference(self._top.read().image, self.references / f"scene_{scene.id:02d}.png", named)
