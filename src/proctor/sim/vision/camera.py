"""V3, and ``:camera``: a camera stands a little elsewhere and looks in the same direction as before.

VLA-Arena, section 8.2 and Table 4: an offset ~ U(-0.105, 0.105) m along each axis of the world, not re-aimed. As in the
reference only the third-person camera moves, the wrist camera keeps its place on the hand. A task's ``:camera`` block
may shift any camera; a wrist camera's offset is in the frame of the hand.
"""

from __future__ import annotations

from collections.abc import Mapping

from proctor.core import did_you_mean, named_rng
from proctor.tasks.cbddl import Task

from .._errors import SceneError
from .._rotation import Array

OFFSET_M = 0.105
_REFERENCE_NAMES = {"sideview": "side", "robot0_eye_in_hand": "wrist"}


def draw_offset(seed: int) -> Array:
    """Draw the offset of the third-person camera, metres."""
    return named_rng(seed, "vision", "camera").uniform(-OFFSET_M, OFFSET_M, 3)


def task_offsets(task: Task, cameras: Mapping[str, str]) -> dict[str, tuple[float, float, float]]:
    """Return the offsets of a ``:camera`` block by MuJoCo's camera name; a camera that does not exist is an error."""
    offsets: dict[str, tuple[float, float, float]] = {}
    for view in task.cameras:
        name = _REFERENCE_NAMES.get(view.name, view.name)
        if name not in cameras:
            known = [*cameras, *_REFERENCE_NAMES]
            raise SceneError(
                f"{task.spans.get(':camera', task.file)}: no camera {view.name!r} (there are {', '.join(cameras)})"
                f"{did_you_mean(view.name, known)}"
            )
        if view.offset_m is not None:
            offsets[cameras[name]] = view.offset_m
    return offsets
