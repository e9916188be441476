"""Swing a door or a lid about its hinge by its bar: take the bar, go round the hinge, let go.

The bar is round, so it turns between the pads; how far the hand turns with it is searched, as is its lean, by inverse
kinematics along the whole arc. Lids (level hinges) are followed without turning.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from proctor.assets import Handle
from proctor.sim import CONTROL_DT, matrix, rotvec

from ._arm import HOLD, OPEN, Arm, Array, Doing, SkillError
from ._clearance import TIGHT_M, Clearance
from ._pick import MAX_WRIST_RAD, wrist_turn
from ._travel import Path, Traveller

APPROACH_M = 0.09
LEAVE_M = 0.07
# Opening per finger with which to come to a bar: a finger fits behind it.
AJAR_M = 0.014
SPEED_M_S = 0.22
SAMPLES = 7
LEANS_RAD = (0.0, 0.3, -0.3, 0.55, -0.55, 0.75)
# Share of the swing that the hand turns with the bar, about an upright hinge.
FOLLOWS = (0.6, 0.8, 1.0, 0.4, 0.2, 0.0)
TRIES = 3


@dataclass(frozen=True, slots=True)
class _Arc:
    """Poses of the tool while it holds a bar: where it takes it, the hinge, and how far the hand turns with it."""

    grip: Array
    rotation: Array
    anchor: Array
    axis: Array
    follow: float

    def at(self, angle: float) -> tuple[Array, Array]:
        """Return the tool pose after a swing by ``angle``."""
        point = self.anchor + matrix(self.axis * angle) @ (self.grip - self.anchor)
        return point, matrix(self.axis * angle * self.follow) @ self.rotation


class SwingHand:
    """Opens and closes what turns about a hinge and has a bar."""

    def __init__(self, arm: Arm, clearance: Clearance, traveller: Traveller) -> None:
        self._arm = arm
        self._clearance = clearance
        self._traveller = traveller

    def swing(self, fixture: str, handle: Handle, goal: float, done: Callable[[float], bool]) -> Doing:
        """Swing until the joint is at ``goal`` [rad], or as far as ``done`` asks."""
        arm = self._arm
        for _ in range(TRIES):
            now = self._value(fixture, handle)
            yield from arm.open_hand()
            try:
                arc, path = self._plan(fixture, handle, goal - now)
            except SkillError:
                yield from self._traveller.home()
                arc, path = self._plan(fixture, handle, goal - now)
            yield from self._traveller.follow(path)
            yield from arm.fingers(1.0, 8, lambda: arm.finger_m <= AJAR_M)
            arm.grip = HOLD
            yield from arm.move(arc.grip, arc.rotation, speed=0.2)
            yield from arm.close_hand()
            yield from self._round(arc, goal - now)
            yield from arm.fingers(OPEN, 6, lambda: arm.finger_m >= AJAR_M)
            arm.grip = HOLD
            yield from arm.shift(-LEAVE_M * arm.rotation[:, 2], speed=0.3)
            if done(self._value(fixture, handle)):
                return
        raise SkillError(f"{handle.name} of {fixture} stays at {self._value(fixture, handle):.2f} rad")

    def _value(self, fixture: str, handle: Handle) -> float:
        return self._arm.scene.joint(fixture, handle.joint)

    def _round(self, arc: _Arc, angle: float) -> Doing:
        """Lead the commanded pose round the hinge at an even speed, a little beyond the end, and wait for the tool."""
        arm = self._arm
        radius = max(float(np.linalg.norm(arc.grip - arc.anchor)), 0.05)
        steps = max(8, math.ceil(abs(angle) * radius / (SPEED_M_S * CONTROL_DT)))
        for share in _eased(steps):
            position, rotation = arc.at(angle * share)
            yield arm.action(position - arm.position, rotvec(rotation @ arm.rotation.T))
        yield from arm.move(*arc.at(angle), speed=0.1, settle=4)

    def _plan(self, fixture: str, handle: Handle, angle: float) -> tuple[_Arc, Path]:
        """Return the first arc that arm and hand can follow, and the way to before its bar."""
        blocked = "the wrist"
        for arc in self._arcs(fixture, handle):
            before = (arc.grip - APPROACH_M * arc.rotation[:, 2], arc.rotation)
            found = self._hindrance(arc, angle, before, fixture)
            if found is None:
                poses = [before, (arc.grip, arc.rotation)]
                path = self._traveller.plan(poses, touch=frozenset({fixture}))
                if not isinstance(path, str):
                    return arc, path
                found = path
            blocked = found
        raise SkillError(f"{handle.name} of {fixture} cannot be swung: {blocked} is in the way")

    def _arcs(self, fixture: str, handle: Handle) -> Iterator[_Arc]:
        """Yield ways to take the bar: leaning as little as possible, the fingers either way round."""
        scene = self._arm.scene
        body = scene.data.body(f"{fixture}/{handle.link}")
        frame = body.xmat.reshape(3, 3)
        grip = body.xpos + frame @ np.asarray(handle.position)
        joint = scene.model.joint(f"{fixture}/{handle.joint}").id
        anchor, axis = scene.data.xanchor[joint].copy(), scene.data.xaxis[joint].copy()
        along = frame @ np.asarray(handle.closing)
        upright = abs(axis[2]) > 0.7
        if not upright:
            # The bar of a lid is level however the lid stands: across it, and level as well.
            along = np.cross(axis, [0.0, 0.0, 1.0])
        down = np.array([0.0, 0.0, -1.0])
        for lean, follow, side in itertools.product(LEANS_RAD, FOLLOWS if upright else (0.0,), (1.0, -1.0)):
            closing = side * along / np.linalg.norm(along)
            flat = np.stack([np.cross(closing, down), closing, down], axis=1)
            # About the closing axis at an upright bar, along the bar of a lid: both keep the pads on it.
            tilt = closing if upright else axis
            yield _Arc(grip, matrix(lean * tilt) @ flat, anchor, axis, follow)

    def _hindrance(self, arc: _Arc, angle: float, before: tuple[Array, Array], fixture: str) -> str | None:
        """Return why the arc cannot be followed, or None."""
        poses = [before, *(arc.at(angle * share) for share in np.linspace(0.0, 1.0, SAMPLES))]
        end, rotation = poses[-1]
        poses.append((end - LEAVE_M * rotation[:, 2], rotation))
        if max(abs(wrist_turn(pose[1])) for pose in poses) > MAX_WRIST_RAD:
            return "the wrist"
        q = self._arm.env.controller.q
        for position, turned in poses:
            q, error = self._clearance.solve(position, turned, q)
            if error > 3e-3:
                return "the end of the arm's reach"
            found = self._clearance.hit(q, ignore=frozenset({fixture}), margin_m=TIGHT_M, finger_m=AJAR_M)
            if found is not None:
                return found
        return None


def _eased(steps: int) -> Iterator[float]:
    """Yield shares of a way that begins and ends gently."""
    for k in range(1, steps + 1):
        yield 0.5 - 0.5 * math.cos(math.pi * k / steps)
