"""Place: carry the held object over its place, turn it as the place wants, lower until it touches, let go, retreat.

The tool's goal is the wished object pose times the measured object-in-hand pose, measured again over the target, so
slip in the hand does not matter. Yaw and height of the release are searched: the first pair at which neither hand nor
arm would touch anything.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from proctor.sim import BASE_POS, heading, matrix, yaw_matrix

from ._arm import FULLY_OPEN_M, HOLD, OPEN, Arm, Array, BlockedError, Doing, SkillError
from ._carry import unhurried
from ._clearance import REACH, TIGHT_M, Clearance, held_now
from ._footprint import top_of
from ._pick import MAX_WRIST_RAD, wrist_turn
from ._travel import Path, Traveller, reach_z

GAP_M = 0.004
RELEASE_OPEN_M = 0.012
HOVER_M = 0.08
BACK_M, RISE_M = 0.07, 0.06
# How far the hand leans out where the arm ends before an upright hand gets there.
LEANS_RAD = (0.25, 0.4, 0.55)
# Upright objects are set down upright; something that lies askew in the hand is let go as it is.
MAX_TILT_RAD = 0.9
# Planning a path is dear: so many are tried for one spot and in all, then the expert gives up.
PATHS_PER_SPOT, PATHS = 4, 24
RELEASE_HEIGHTS_M = (0.0, 0.015, 0.03, 0.05, 0.07)
YAW_STEPS = (0.0, 0.35, -0.35, 0.7, -0.7, 1.05, -1.05, math.pi / 2, -math.pi / 2, 2.2, -2.2, math.pi)


class Placer:
    """Puts the held object on or in a site."""

    def __init__(self, arm: Arm, clearance: Clearance, traveller: Traveller, *, avoid: bool) -> None:
        self._arm = arm
        self._clearance = clearance
        self._traveller = traveller
        self._avoid = avoid
        self._leans: tuple[float, ...] = (0.0,)

    def place(
        self,
        name: str,
        support: str,
        spots: Sequence[Array],
        *,
        along: float | None = None,
        heights_m: Sequence[float] = RELEASE_HEIGHTS_M,
        lean: bool = False,
    ) -> Doing:
        """Put ``name`` with its bottom at the first feasible of ``spots``; ``along`` is the yaw for something long.

        It is let go at the lowest of ``heights_m`` over the spot at which there is room for the hand. With ``lean`` the
        hand leans, and what it holds with it: its fingers reach further from the base than its wrist does.
        """
        arm = self._arm
        self._leans = LEANS_RAD if lean else (0.0,)
        spot, upright, lift, path = self._plan_at_any_cost(name, support, spots, along, heights_m)
        yield from self._traveller.follow(path)
        position, rotation = self._tool(name, spot, upright, lift)
        yield from arm.move(position, rotation, speed=0.15, stop=lambda: arm.force(name, support) > 0.3)
        yield from self.release()

    def _plan_at_any_cost(
        self, name: str, support: str, spots: Sequence[Array], along: float | None, heights_m: Sequence[float]
    ) -> tuple[Array, Array, float, Path]:
        """As `_plan`; where the distances that the task wants kept leave no way at all, without them."""
        try:
            return self._plan(name, support, spots, along, heights_m)
        except SkillError:
            if not self._clearance.caution.asks:
                raise
        with self._clearance.caution.waived():
            return self._plan(name, support, spots, along, heights_m)

    def _plan(
        self, name: str, support: str, spots: Sequence[Array], along: float | None, heights_m: Sequence[float]
    ) -> tuple[Array, Array, float, Path]:
        """Return the spot, the object rotation, the extra height of the release, and the way to above it."""
        first, planned = "", 0
        for margin, spot in itertools.product((0.008, TIGHT_M), spots):
            enough = min(planned + PATHS_PER_SPOT, PATHS)
            for lift, upright in itertools.product(heights_m, self._leaning(name, spot, along)):
                if planned >= enough:
                    break
                found = self._misfit(*self._tool(name, spot, upright, lift), name, margin) if self._avoid else None
                if found is None:
                    path = self._way(name, support, spot, upright, lift)
                    if not isinstance(path, str):
                        return spot, upright, lift, path
                    found, planned = path, planned + 1
                first = first or found
        raise BlockedError(f"cannot put {name} on {support}: {first} is in the way", first)

    def _way(self, name: str, support: str, spot: Array, upright: Array, lift: float) -> Path | str:
        """Return the way to above a release pose, or what is in the way."""
        position, rotation = self._tool(name, spot, upright, lift)
        room = max(reach_z(position) - float(position[2]), 0.01)
        hover = np.array([0, 0, min(self._hover(support, spot), room)])
        poses = [(position + hover, rotation), (position, rotation)]
        held = held_now(self._arm.scene, name)
        return self._traveller.plan(poses, held=held, touch=frozenset({support}))

    def _hover(self, support: str, spot: Array) -> float:
        """Return how far above the release to arrive: well clear; without avoidance, just over the support's rim."""
        if self._avoid or support not in self._arm.scene.assets:
            return HOVER_M
        return max(top_of(self._arm.scene, support) + 0.02 - float(spot[2]), 0.02)

    def _misfit(self, position: Array, rotation: Array, name: str, margin: float) -> str | None:
        """Return why the hand cannot be at the release pose, or None.

        The object may rest against its support; the hand may not. Where distances are to be kept, the hand must also
        keep them where it opens fully after the release.
        """
        if abs(wrist_turn(rotation)) > MAX_WRIST_RAD:
            return "the wrist"
        q, error = self._clearance.solve(position, rotation, self._arm.env.controller.q)
        if error > 3e-3:
            return REACH
        finger = min(max(self._arm.measured_finger_m(), 0.0) + RELEASE_OPEN_M, FULLY_OPEN_M)
        ignore = frozenset({name})
        found = self._clearance.hit(q, ignore=ignore, margin_m=margin, finger_m=finger)
        if found is not None or not self._clearance.caution.asks:
            return found
        q, _ = self._clearance.solve(position - BACK_M * rotation[:, 2] + (0, 0, RISE_M), rotation, q)
        return self._clearance.hit(q, ignore=ignore, margin_m=margin)

    def _rotations(self, name: str, along: float | None) -> Iterator[Array]:
        """Yield object rotations to try: upright, at the yaws that keep the wrist nearest to where it is."""
        rotation = self._arm.scene.rotation(name)
        if math.acos(float(np.clip(rotation[2, 2], -1, 1))) >= MAX_TILT_RAD:
            for step in YAW_STEPS:
                yield yaw_matrix(step) @ rotation
            return
        if along is not None:
            now = heading(rotation)
            for yaw in sorted((along, along + math.pi), key=lambda y: abs(_wrap(y - now))):
                yield yaw_matrix(yaw)
            return
        for step in YAW_STEPS:
            yield yaw_matrix(heading(rotation) + step)

    def _leaning(self, name: str, spot: Array, along: float | None) -> Iterator[Array]:
        """Yield `_rotations`, leaning out over ``spot`` as far as asked for."""
        out = spot[:2] - np.asarray(BASE_POS[:2])
        axis = np.array([out[1], -out[0], 0.0]) / max(float(np.linalg.norm(out)), 1e-9)
        for angle in self._leans:
            for rotation in self._rotations(name, along):
                yield rotation if angle == 0.0 else matrix(angle * axis) @ rotation

    def _tool(self, name: str, spot: Array, upright: Array, lift: float) -> tuple[Array, Array]:
        """Return the tool pose that puts the object, as it lies in the hand, at ``spot`` with rotation ``upright``."""
        scene = self._arm.scene
        position, rotation = scene.tcp()
        turn = upright @ scene.rotation(name).T
        goal = spot + np.array([0, 0, GAP_M + lift]) + turn @ (position - scene.origin(name))
        return goal, turn @ rotation

    def release(self) -> Doing:
        """Open a little (wide fingers would knock what stands near), back out along the approach, rise, open fully."""
        arm = self._arm
        start = arm.measured_finger_m()
        yield from arm.fingers(OPEN, 14, lambda: arm.finger_m >= min(start + RELEASE_OPEN_M, FULLY_OPEN_M))
        arm.grip = HOLD
        arm.pace = unhurried
        yield from arm.wait(2)
        yield from arm.shift(-BACK_M * arm.rotation[:, 2], speed=0.3)
        yield from arm.shift(np.array([0, 0, RISE_M]))
        yield from arm.open_hand()


def _wrap(angle: float) -> float:
    return (angle + math.pi) % (2 * math.pi) - math.pi
