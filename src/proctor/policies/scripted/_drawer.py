"""Open and close a drawer by its vertical bar handle.

With a horizontal hand the wrist would be in the table, so the hand is pitched below the horizontal; the pitch is
searched by inverse kinematics before, at and after the pull.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from proctor.assets import Handle
from proctor.sim import HOME_Q, matrix

from ._arm import Arm, Array, Doing, SkillError
from ._clearance import Clearance
from ._travel import TRAVEL_Z, Traveller

PITCHES_RAD = (0.90, 0.95, 1.0, 0.85, 1.05, 0.8, 1.1, 1.2, 1.3)
APPROACH_M = 0.09
OPEN_TO_M = 0.155
SHUT_M = 0.0015
SETTLE_STEPS = 4
LEAVE_M = 0.05
# A joint that turns more than this on the way off a handle is one that winds up; the hand turns down by so much then.
WOUND_RAD, TURN_DOWN_RAD = 0.5, 0.6
# Half the width of a drawer, and how far beside one the hand needs to come down.
HALF_WIDTH_M, BESIDE_M = 0.15, 0.03
# What stands under a drawer is this much lower than its bar, and no further before it than a hand is wide.
BELOW_M, UNDER_M = 0.06, 0.04


class DrawerHand:
    """Opens and closes drawers."""

    def __init__(self, arm: Arm, clearance: Clearance, traveller: Traveller) -> None:
        self._arm = arm
        self._clearance = clearance
        self._traveller = traveller

    def open(self, fixture: str, handle: Handle, enough: float) -> Doing:
        """Pull until the joint is beyond ``enough``."""
        arm = self._arm
        for _ in range(3):
            position, rotation, inward = self._grip(fixture, handle, OPEN_TO_M)
            yield from self._take(fixture, position, rotation)
            pull = OPEN_TO_M - self._opening(fixture, handle)
            yield from arm.move(
                arm.position - pull * inward, rotation, speed=0.3, acceleration=1.0, settle=SETTLE_STEPS
            )
            yield from arm.open_hand()
            yield from self._leave(rotation[:, 2], rotation)
            if self._opening(fixture, handle) > enough:
                return
        raise SkillError(f"{handle.name} of {fixture} did not open")

    def close(self, fixture: str, handle: Handle, enough: float) -> Doing:
        """Take the handle and push until the joint is below ``enough``; a bare push would slide off the bar."""
        arm = self._arm
        for _ in range(3):
            opening = self._opening(fixture, handle)
            position, rotation, inward = self._grip(fixture, handle, -opening)
            yield from self._take(fixture, position, rotation)
            yield from arm.move(
                arm.position + (opening + 0.01) * inward,
                rotation,
                speed=0.25,
                acceleration=1.0,
                stop=lambda: self._opening(fixture, handle) < SHUT_M,
                settle=SETTLE_STEPS,
            )
            yield from arm.open_hand()
            yield from self._leave(rotation[:, 2], rotation)
            if self._opening(fixture, handle) < enough:
                return
        raise SkillError(f"{handle.name} of {fixture} did not close")

    def sweep(self, fixture: str, handle: Handle, radius_m: float) -> Callable[[Array], bool]:
        """Return whether something of a radius would stand under the drawer once it is open, seen from above."""
        bar, frame = self.bar(fixture, handle)
        outward, across = frame @ np.asarray(handle.pull), frame @ np.asarray(handle.closing)
        long, wide = OPEN_TO_M + BESIDE_M + radius_m, HALF_WIDTH_M + BESIDE_M + radius_m

        def under(point: Array) -> bool:
            return bool(abs((point - bar) @ across) < wide and -radius_m < (point - bar) @ outward < long)

        return under

    def above(self, fixture: str, handle: Handle, point: Array) -> bool:
        """Whether a drawer, as far as it is open, hangs over a point below it, or so nearly that no hand fits in."""
        bar, frame = self.bar(fixture, handle)
        ahead, aside = (float((point - bar) @ frame @ np.asarray(axis)) for axis in (handle.pull, handle.closing))
        beneath = float(bar[2] - point[2]) > BELOW_M
        return beneath and abs(aside) < HALF_WIDTH_M + UNDER_M and -self._opening(fixture, handle) < ahead < UNDER_M

    def bar(self, fixture: str, handle: Handle) -> tuple[Array, Array]:
        """Return where the bar of a handle is, and the frame of its drawer."""
        body = self._arm.scene.data.body(f"{fixture}/{handle.link}")
        frame = body.xmat.reshape(3, 3)
        return body.xpos + frame @ np.asarray(handle.position), frame

    def _take(self, fixture: str, position: Array, rotation: Array) -> Doing:
        """Approach the handle along the hand's own axis and close on it."""
        arm = self._arm
        yield from arm.open_hand()
        yield from self._traveller.go(position - APPROACH_M * rotation[:, 2], rotation, ignore=frozenset({fixture}))
        yield from arm.move(position, rotation, speed=0.2)
        yield from arm.close_hand()

    def _leave(self, forward: Array, rotation: Array) -> Doing:
        """Back off along the hand's own axis, then rise; where the wrist has no way left for that, turning down."""
        arm = self._arm
        if self._winds_up(arm.position - LEAVE_M * forward, rotation):
            turns = (matrix(s * TURN_DOWN_RAD * rotation[:, 1]) @ rotation for s in (1.0, -1.0))
            rotation = min(turns, key=lambda frame: float(frame[2, 2]))
        yield from arm.shift(-LEAVE_M * forward, rotation=rotation)
        up = np.array([arm.position[0], arm.position[1], max(TRAVEL_Z + 0.02, float(arm.position[2]))])
        yield from arm.move(up, rotation, speed=0.4, settle=0)

    def _winds_up(self, position: Array, rotation: Array) -> bool:
        """Whether the arm would have to turn over on a short way: it stands at the end of a joint."""
        q = self._arm.env.controller.q
        there, error = self._clearance.solve(position, rotation, q)
        return error > 3e-3 or float(np.abs(there - q).max()) > WOUND_RAD

    def _opening(self, fixture: str, handle: Handle) -> float:
        return self._arm.scene.joint(fixture, handle.joint)

    def _grip(self, fixture: str, handle: Handle, pull: float) -> tuple[Array, Array, Array]:
        """Return handle position, a hand rotation that stays in reach over the motion, and the inward direction."""
        data = self._arm.scene.data
        body = data.body(f"{fixture}/{handle.link}")
        frame = body.xmat.reshape(3, 3)
        position = body.xpos + frame @ np.asarray(handle.position)
        inward = -(frame @ np.asarray(handle.pull))
        closing = frame @ np.asarray(handle.closing)
        # Fingers close along world -y at home: the nearer sign keeps the wrist out of its limits.
        closing = closing if closing[1] < 0 else -closing
        best: tuple[float, Array] | None = None
        for pitch in PITCHES_RAD:
            approach = math.cos(pitch) * inward - math.sin(pitch) * np.array([0.0, 0.0, 1.0])
            rotation = np.stack([np.cross(closing, approach), closing, approach], axis=1)
            q, worst = HOME_Q, 0.0
            out = position - pull * inward
            for target in (position - APPROACH_M * approach, position, out, out - 0.05 * approach):
                q, error = self._clearance.solve(target, rotation, q)
                worst = max(worst, error)
            if best is None or worst < best[0]:
                best = (worst, rotation)
            if worst < 2e-3:
                break
        assert best is not None
        return position, best[1], inward
