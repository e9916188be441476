"""The expert's travelling with a planner behind it: joint-space paths where scripted ways are not open, or always.

A planned path is followed by the same 7-D actions as any other: the tool glides through its poses, turning at constant
angular speed. The controller's own inverse kinematics chooses the elbow on the way, so before a path is taken it is led
along it in a copy of the scene, and only a path that stays free so is taken.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from proctor.policies.scripted import MARGIN_M, TIGHT_M, Arm, Clearance, Doing, Held, Path, Traveller
from proctor.sim import CONTROL_DT, HOME_Q, rotvec

from ._body import Body
from ._errors import NoPathError
from ._ompl import require
from ._plan import plan
from ._slerp import Array, Track
from ._space import resampled

Travel = Literal["scripted", "planned", "both"]
POSE_STEP_RAD = 0.12
SEEDS = 3
BEHIND_M = 0.03
MAX_WAITS = 40


@dataclass(slots=True)
class Effort:
    """What planning took in an episode: searches, those without a path, seconds, postures looked at."""

    plans: int = 0
    failed: int = 0
    seconds: float = 0.0
    checks: int = 0
    refused_grasps: int = 0


@dataclass(frozen=True, slots=True)
class _Task:
    """What a transfer shall do: the poses to reach, what is held, and what may be touched or come near to."""

    poses: Path
    held: Held | None
    ignore: frozenset[str]
    near: frozenset[str]
    touch: frozenset[str]
    finger_m: float

    def hit(self, clearance: Clearance, path: Path, q: Array, *, arriving: bool, near: frozenset[str]) -> str | None:
        """Return what the tool meets on ``path`` from posture ``q`` on; what it goes to may be touched on arriving."""
        ignore = self.ignore | (self.touch if arriving else frozenset())
        return clearance.path_hit(
            path, q, held=self.held, ignore=ignore, near=near, margin_m=TIGHT_M, finger_m=self.finger_m
        )


class Glide(list[tuple[Array, Array]]):
    """A path that was planned: close poses that are passed without stopping."""


class PlannedTraveller(Traveller):
    """Plans transfers in joint space, ``both``: where no scripted way is open; ``planned``: always."""

    travel: Travel = "both"

    def __init__(self, arm: Arm, clearance: Clearance, *, avoid: bool) -> None:
        super().__init__(arm, clearance, avoid=avoid)
        if self.travel != "scripted":
            require()
        self.effort = Effort()

    def plan(
        self,
        poses: Path,
        *,
        held: Held | None = None,
        ignore: frozenset[str] = frozenset(),
        near: frozenset[str] = frozenset(),
        touch: frozenset[str] = frozenset(),
        finger_m: float | None = None,
        glide: bool = False,
    ) -> Path | str:
        """As the scripted traveller's: a free path to the first of ``poses``, or what is in the way.

        Whether joints leap is asked of scripted ways only: a planned one keeps its postures close.
        """
        scripted: Path | str = "everything scripted"
        if self.travel != "planned":
            scripted = super().plan(
                poses, held=held, ignore=ignore, near=near, touch=touch, finger_m=finger_m, glide=glide
            )
        if self.travel == "scripted" or not isinstance(scripted, str) or (glide and self.travel == "both"):
            return scripted
        finger = max(self._arm.measured_finger_m(), 0.0) if finger_m is None else finger_m
        task = _Task(poses, held, ignore, near, touch, finger)
        blocked = scripted
        for margin in (MARGIN_M, TIGHT_M):
            try:
                return self._planned(task, margin)
            except NoPathError as error:
                blocked = str(error) if self.travel == "planned" else scripted
        return blocked

    def _planned(self, task: _Task, margin_m: float) -> Path:
        arm = self._arm
        start = arm.env.controller.q.copy()
        beside = task.near | task.touch | self._beside(task.held, task.ignore | task.touch, task.near, task.finger_m)
        body = Body(
            arm.scene, held=task.held, ignore=task.ignore, near=beside, margin_m=margin_m, finger_m=task.finger_m
        )
        reason = "no posture of the arm reaches there"
        for number, goal in enumerate(self._goals(task.poses[0], start)):
            found = task.hit(self._clearance, [task.poses[0], *task.poses], goal, arriving=True, near=task.near)
            if found is not None:
                reason = f"{found} is in the way at the end"
                continue
            for seed in range(SEEDS):
                try:
                    path = self._searched(start, goal, body, seed + 10 * number)
                except NoPathError as error:
                    reason = str(error)
                    break
                path[-1] = task.poses[0]
                found = self._led(task, path, start, beside)
                if found is None:
                    return path
                reason = f"the elbow takes another way and meets {found}"
        raise NoPathError(reason)

    def _led(self, task: _Task, path: Path, start: Array, near: frozenset[str]) -> str | None:
        """Return what would be touched where the controller itself chooses the elbow, or None."""
        found = task.hit(self._clearance, path, start, arriving=False, near=near)
        return found or task.hit(self._clearance, [*path, *task.poses[1:]], start, arriving=True, near=near)

    def _searched(self, start: Array, goal: Array, body: Body, seed: int) -> Glide:
        """Search a joint path and return the tool's poses on it, the first of them as commanded now."""
        effort, checks, began = self.effort, body.checks, time.perf_counter()
        effort.plans += 1
        try:
            made = plan(start, goal, body, seed=seed)
        except NoPathError:
            effort.failed += 1
            raise
        finally:
            effort.seconds += time.perf_counter() - began
            effort.checks += body.checks - checks
        path = Glide(self._clearance.forward(q) for q in resampled(made.path, POSE_STEP_RAD))
        path[0] = (self._arm.position.copy(), self._arm.rotation.copy())
        return path

    def _goals(self, pose: tuple[Array, Array], start: Array) -> Iterator[Array]:
        """Yield postures that reach a pose: from here, from home, and from postures with the base turned."""
        found: list[Array] = []
        turned = [HOME_Q + np.array([turn, 0, 0, 0, 0, 0, 0]) for turn in (0.6, -0.6)]
        for seed in (start, HOME_Q, *turned):
            q, error = self._clearance.solve(*pose, seed)
            if error < 2e-3 and not any(np.abs(q - other).max() < 0.05 for other in found):
                found.append(q)
                yield q

    def follow(self, path: Path, *, speed: float = 0.55) -> Doing:
        """Travel along a path; a planned one is passed through without stopping at its poses."""
        if not isinstance(path, Glide):
            yield from super().follow(path, speed=speed)
            return
        arm = self._arm
        limits = dict(zip(("speed", "turn_speed", "acceleration"), arm.pace(speed, 2.2, 2.0), strict=True))
        track = Track(path, **limits)
        time_s, waits = 0.0, 0
        while time_s < track.duration_s:
            position, rotation = track.at(time_s + CONTROL_DT)
            # The command waits where the joints cannot keep up, rather than to cut a corner.
            if float(np.linalg.norm(arm.scene.tcp()[0] - arm.position)) < BEHIND_M or waits >= MAX_WAITS:
                time_s += CONTROL_DT
            else:
                waits += 1
                position, rotation = arm.position, arm.rotation
            yield arm.action(position - arm.position, rotvec(rotation @ arm.rotation.T))
        yield from arm.move(*path[-1], speed=speed, settle=2)
