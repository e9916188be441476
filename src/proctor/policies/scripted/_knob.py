"""Turn a knob: close the fingers on its bar from above, turn the hand about the knob's axis, let go.

The bar can be taken in two ways, half a turn apart; the one that keeps the wrist nearest to where it is at home, over
the whole turn, is tried first. Where the hand cannot come straight down, near the arm's own foot, it leans about the
line between its fingers, which keeps both on the bar.
"""

from __future__ import annotations

import itertools

import numpy as np

from proctor.assets import Handle, Opening
from proctor.sim import matrix

from ._arm import Arm, Array, Doing, SkillError
from ._pick import MAX_WRIST_RAD, wrist_turn
from ._travel import Path, Traveller

APPROACH_M = 0.08
# The fingertips stay off the knob's skirt.
LIFT_M = 0.003
# How far beyond the threshold it is turned, and in how many pieces: a hand that turned at once would slip off the bar.
BEYOND_RAD = 0.3
PIECES = 4
LEANS_RAD = (0.0, 0.3, -0.3, 0.5, -0.5)


class KnobHand:
    """Switches things on and off."""

    def __init__(self, arm: Arm, traveller: Traveller) -> None:
        self._arm = arm
        self._traveller = traveller

    def turn(self, fixture: str, handle: Handle, opening: Opening, *, on: bool) -> Doing:
        """Turn until the joint is above ``open_above`` (on) or below ``closed_below`` (off)."""
        arm = self._arm
        for _ in range(3):
            now = arm.scene.joint(fixture, handle.joint)
            goal = opening.open_above + BEYOND_RAD if on else 0.0
            yield from arm.open_hand()
            position, rotation, axis, path = self._plan(fixture, handle, goal - now)
            yield from self._traveller.follow(path)
            yield from arm.move(position, rotation, speed=0.2)
            yield from arm.close_hand()
            for piece in range(1, PIECES + 1):
                yield from arm.move(position, matrix(axis * (goal - now) * piece / PIECES) @ rotation, settle=2)
            yield from arm.open_hand()
            yield from arm.shift(np.array([0, 0, APPROACH_M]))
            now = arm.scene.joint(fixture, handle.joint)
            if now >= opening.open_above if on else now <= opening.closed_below:
                return
        raise SkillError(f"{handle.name} of {fixture} did not turn")

    def _plan(self, fixture: str, handle: Handle, angle: float) -> tuple[Array, Array, Array, Path]:
        """Return where and how to take the bar, the axis it turns about, and the way to above it."""
        body = self._arm.scene.data.body(f"{fixture}/{handle.link}")
        frame = body.xmat.reshape(3, 3)
        position = body.xpos + frame @ np.asarray(handle.position) + np.array([0, 0, LIFT_M])
        axis: Array = frame @ np.asarray(handle.pull)
        down = np.array([0.0, 0.0, -1.0])
        ways = []
        for side in (1.0, -1.0):
            closing = side * (frame @ np.asarray(handle.closing))
            rotation = np.stack([np.cross(closing, down), closing, down], axis=1)
            ends = (rotation, matrix(axis * angle) @ rotation)
            ways.append((max(abs(wrist_turn(end)) for end in ends), rotation))
        blocked = "the wrist"
        for lean, (turned, upright) in itertools.product(LEANS_RAD, sorted(ways, key=lambda way: way[0])):
            if turned > MAX_WRIST_RAD:
                continue
            rotation = matrix(lean * upright[:, 1]) @ upright
            poses = [(position - APPROACH_M * rotation[:, 2], rotation), (position, rotation)]
            if lean:
                poses.append((position, matrix(axis * angle) @ rotation))
            path = self._traveller.plan(poses, ignore=frozenset({fixture}))
            if not isinstance(path, str):
                return position, rotation, axis, path
            blocked = path
        raise SkillError(f"{handle.name} of {fixture} cannot be reached: {blocked} is in the way")
