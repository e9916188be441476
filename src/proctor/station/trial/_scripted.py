"""Policies without a model for the twin: look once, take one block, put it down where the instruction says.

They see and act as any other policy does (pictures, six joints), need no knowledge of the twin's state, and their plan
depends on the step alone, so late or skipped answers do them no harm. `SloppyPolicy` aims beside, for comparisons that
should find a difference.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from proctor.core import EpisodeSpec, Observation, PolicySpec, ProctorError, named_rng
from proctor.station.arm import Unit
from proctor.station.camera import view_matrix
from proctor.station.geometry import ARM_X, ARM_Y, HALF, TOP_INTRINSICS, top_camera_pose

from ._cameras import without_bars
from ._types import DIM, HOME, control_mode
from ._words import ColouredThing, understand

# Where coloured things stand, seen by the top camera: for scripted policies, which look as every other policy does.

_ALIKE = 0.13
_LEAST_AREA_M2 = 1e-4


def find_coloured(
    picture: NDArray[np.uint8], colour: tuple[float, float, float], height_m: float
) -> list[tuple[float, float]]:
    """Return x, y in the box frame of the middles of things of this colour, the largest first.

    ``height_m`` is where the middle of what is seen lies above the floor. ``picture`` is the whole view of the top
    camera (16:9), or the policy's view of it (4:3), at any size.
    """
    from scipy import ndimage

    rgb = picture.astype(np.float64)
    total = rgb.sum(axis=2)
    share = rgb / np.maximum(total, 1.0)[..., None]
    wanted = np.array(colour) / max(sum(colour), 1e-9)
    alike = (np.abs(share - wanted).sum(axis=2) < _ALIKE) & (total > 60) & (np.ptp(rgb, axis=2) > 40)
    labels, count = ndimage.label(ndimage.binary_opening(alike))
    found = []
    for number in range(1, count + 1):
        rows, columns = np.nonzero(labels == number)
        middle = np.array([[columns.mean() + 0.5, rows.mean() + 0.5]])
        x, y = to_floor(middle, picture.shape[1], picture.shape[0], height_m)[0]
        area = len(rows) * _pixel_m(picture.shape[1], picture.shape[0]) ** 2
        if area >= _LEAST_AREA_M2 and abs(x) < HALF and -HALF - 0.02 < y < HALF:
            found.append((area, float(x), float(y)))
    return [(x, y) for _, x, y in sorted(found, reverse=True)]


def to_floor(pixels: NDArray[np.float64], width: int, height: int, z: float) -> NDArray[np.float64]:
    """Return x, y [N, 2] of pixels [N, 2] on the plane at ``z`` above the floor."""
    full = _to_full(pixels, width, height)
    rotation, position = top_camera_pose()
    rays = np.column_stack([full, np.ones(len(full))]) @ np.linalg.inv(TOP_INTRINSICS.matrix()).T @ rotation.T
    along = (z - position[2]) / rays[:, 2]
    out: NDArray[np.float64] = (position + along[:, None] * rays)[:, :2]
    return out


def _to_full(pixels: NDArray[np.float64], width: int, height: int) -> NDArray[np.float64]:
    """Return pixels of the camera's 1280 x 720 picture."""
    k = TOP_INTRINSICS
    if abs(width * k.height - height * k.width) <= k.width:
        return pixels * (k.width / width)
    if abs(width * 3 - height * 4) > 4:
        raise ProctorError(f"the top camera's picture is {width} x {height}: neither 16:9 nor the 4:3 policy's view")
    matrix = np.linalg.inv(view_matrix(k.width, k.height))
    view = np.column_stack([pixels * (640 / width), np.ones(len(pixels))]) @ matrix.T
    out: NDArray[np.float64] = view[:, :2] / view[:, 2:]
    return out


def _pixel_m(width: int, height: int) -> float:
    """Return about how many metres of floor a pixel in the middle of the picture covers."""
    middle = np.array([[width / 2, height / 2], [width / 2 + 1, height / 2]])
    a, b = to_floor(middle, width, height, 0.0)
    return float(np.linalg.norm(a - b))


_HZ: Final = 20.0
_SPEED_DEG_S: Final = 105.0
_OPEN: Final = 57.0
_CLOSED: Final = -5.0
_CARRY_M: Final = 0.11
_GRASP_M: Final = 0.012
# Where the middle of what the camera sees of a thing lies, and how high the jaws are when a block is let go on it.
_SEEN_M: Final = {"block": 0.0125, "plate": 0.005, "coaster": 0.002, "box": 0.02, "bowl": 0.02}
_LET_GO_M: Final = {"block": 0.041, "plate": 0.022, "coaster": 0.02, "box": 0.055, "bowl": 0.06}


class ScriptedPolicy:
    """Puts the block that the instruction names onto the thing it names. ``error_mm`` is how far it aims beside."""

    def __init__(self, error_mm: float = 0.0, chunk: int = 20, name: str = "scripted") -> None:
        from proctor.station.twin import COLOURS, Reach

        if error_mm < 0 or chunk < 1:
            raise ProctorError("the scripted policy needs error_mm >= 0 and chunk >= 1")
        self._error_m = error_mm / 1000
        self._chunk, self._name = chunk, name
        self._colours = COLOURS
        self._reach = Reach()
        self._instruction = ""
        self._rng = np.random.default_rng(0)
        self._plan: NDArray[np.float64] | None = None

    def spec(self) -> PolicySpec:
        """Joint goals in true degrees at 20 Hz, from the top camera."""
        return PolicySpec(
            name=self._name,
            cameras=("top",),
            image_size=640,
            state_dim=DIM,
            action_dim=DIM,
            control_mode=control_mode(Unit.TRUE_DEGREES),
            control_hz=_HZ,
            chunk=self._chunk,
        )

    def reset(self, instruction: str, episode: EpisodeSpec) -> None:
        self._instruction, self._plan = instruction, None
        self._rng = named_rng(episode.seed, f"scripted-policy/{episode.task}/{instruction}")

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """Look and plan at the first call; then hand out the plan from the observation's step on."""
        if self._plan is None:
            self._plan = self._make_plan(observation)
        steps = np.minimum(observation.step + np.arange(self._chunk), len(self._plan) - 1)
        out: NDArray[np.float64] = self._plan[steps]
        return out

    def _make_plan(self, observation: Observation) -> NDArray[np.float64]:
        what, where = understand(self._instruction)
        picture = without_bars(observation.images["top"])
        block, goal = self._choose(picture, what, where)
        aside = self._rng.normal(size=2)
        aside *= self._error_m / max(float(np.linalg.norm(aside)), 1e-9)
        aim = (block[0] + float(aside[0]), block[1] + float(aside[1]))
        low = _LET_GO_M[where.kind]
        stations = [
            (*aim, _CARRY_M, _OPEN),
            (*aim, _GRASP_M, _OPEN),
            (*aim, _GRASP_M, _CLOSED),
            (*aim, _CARRY_M, _CLOSED),
            (*goal, _CARRY_M, _CLOSED),
            (*goal, low, _CLOSED),
            (*goal, low, _OPEN),
            (*goal, _CARRY_M, _OPEN),
        ]
        poses = [self._pose(*station) for station in stations]
        return smooth([observation.state, *poses, np.array(HOME.values)])

    def _pose(self, x: float, y: float, z: float, gripper: float) -> NDArray[np.float64]:
        """Return the joints with the jaws along the box's axes, as blocks are laid out."""
        turn = math.degrees(math.atan2(x - ARM_X, y - ARM_Y))
        return np.array(self._reach.joints((x, y, z), gripper, turn).values)

    def _choose(
        self, picture: NDArray[np.uint8], what: ColouredThing, where: ColouredThing
    ) -> tuple[tuple[float, float], tuple[float, float]]:
        blocks = self._see(picture, what)
        goals = self._see(picture, where)
        if what == where:
            if len(blocks) < 2:
                raise ProctorError(f"the scripted policy sees only one {what.colour} {what.kind}")
            return blocks[0], blocks[1]
        return blocks[0], goals[0]

    def _see(self, picture: NDArray[np.uint8], thing: ColouredThing) -> list[tuple[float, float]]:
        if thing.colour not in self._colours or thing.kind not in _SEEN_M:
            raise ProctorError(f"the scripted policy does not know a {thing.colour} {thing.kind}")
        found = find_coloured(picture, self._colours[thing.colour], _SEEN_M[thing.kind])
        if not found:
            raise ProctorError(f"the scripted policy sees no {thing.colour} {thing.kind}")
        return found


class SloppyPolicy(ScriptedPolicy):
    """The same, but it aims ``error_mm`` beside the block, in a direction that the seed decides."""

    def __init__(self, error_mm: float = 12.0, chunk: int = 20, name: str = "sloppy") -> None:
        super().__init__(error_mm, chunk, name)


def smooth(poses: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return joint goals [T, 6] at 20 Hz from pose to pose, each way along a curve with a smooth start and end."""
    plan = [poses[0][None]]
    for start, goal in itertools.pairwise(poses):
        count = max(8, int(np.ceil(1.875 * np.abs(goal - start).max() / _SPEED_DEG_S * _HZ)))
        u = np.arange(1, count + 1)[:, None] / count
        plan.append(start + u**3 * (10 - 15 * u + 6 * u * u) * (goal - start))
        # A moment of rest: the servos lag, and jaws need it to close.
        plan.append(np.repeat(goal[None], 4, axis=0))
    return np.concatenate(plan)
