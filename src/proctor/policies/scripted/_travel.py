"""Getting from here to there without touching: over what stands between, or around it.

Candidates in order of length: straight over at the height that the obstacles under the corridor need, higher, and
around the tallest obstacle on either side. The first one that the collision check passes is taken, first with a
margin, then tightly; if none passes, the expert refuses to move rather than to risk a touch. Without avoidance it
takes the straight line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import TypeAlias

import numpy as np

from proctor.sim import BASE_POS, HOME_Q, TABLE_Z, matrix

from ._arm import Arm, Array, Doing, SkillError, contents_in
from ._clearance import MARGIN_M, PITCHED, TIGHT_M, Clearance, Held
from ._spots import Pillar, bottom_of, pillars

Path: TypeAlias = list[tuple[Array, Array]]
TRAVEL_Z = TABLE_Z + 0.20
CEILING_Z = 1.36
MARGIN_UP_M = 0.03
FINGERTIP_M = 0.012
HAND_RADIUS_M = 0.055
# Ways out of furniture: how far back and how far up.
BACK_OUT_M = ((0.15, 0.05), (0.25, 0.0), (0.15, 0.12), (0.10, 0.0), (0.25, 0.10), (0.05, 0.10))
# Poses on the way home joint by joint.
UNWINDING = 13


def reach_z(xy: Array) -> float:
    """Return the highest tool z at ``xy`` with the hand down: shoulder height plus what 0.69 m of arm leave."""
    out = float(np.linalg.norm(xy[:2] - np.asarray(BASE_POS[:2]))) - 0.088
    return BASE_POS[2] + 0.123 + math.sqrt(max(0.0, 0.69**2 - out**2))


class Traveller:
    """Plans and executes transfers."""

    def __init__(self, arm: Arm, clearance: Clearance, *, avoid: bool) -> None:
        self._arm = arm
        self._clearance = clearance
        self._avoid = avoid

    def go(
        self,
        position: Array,
        rotation: Array,
        *,
        held: Held | None = None,
        ignore: frozenset[str] = frozenset(),
        speed: float = 0.55,
    ) -> Doing:
        """Travel to a tool pose; ``ignore`` names what may be touched on the way (what is about to be grasped)."""
        path = self.plan([(position, rotation)], held=held, ignore=ignore)
        if isinstance(path, str):
            yield from self.home(held=held, ignore=ignore)
            path = self.plan([(position, rotation)], held=held, ignore=ignore)
        if isinstance(path, str):
            raise SkillError(f"no free way past {path}")
        yield from self.follow(path, speed=speed)

    def home(self, *, held: Held | None = None, ignore: frozenset[str] = frozenset()) -> Doing:
        """Go where the episode began, if the way is free: from there the elbow is where plans expect it."""
        path = self._homeward(held, ignore)
        if isinstance(path, str):
            yield from self._back_out(held, ignore)
            path = self._homeward(held, ignore)
        if not isinstance(path, str):
            yield from self.follow(path)

    def _homeward(self, held: Held | None, ignore: frozenset[str]) -> Path | str:
        path = self.plan([self._clearance.home_pose()], held=held, ignore=ignore)
        return self._unwound(held, ignore) if isinstance(path, str) else path

    def _back_out(self, held: Held | None, ignore: frozenset[str]) -> Doing:
        """Draw back towards the robot and up, out of what the hand is in, if such a way is free."""
        arm = self._arm
        start = (arm.position.copy(), arm.rotation.copy())
        finger = max(arm.measured_finger_m(), 0.0)
        near = self._beside(held, ignore, frozenset(), finger)
        for back, rise in BACK_OUT_M:
            out = start[0] + np.array([-back, 0.0, rise])
            found = self._clearance.path_hit(
                [start, (out, start[1])],
                arm.env.controller.q,
                held=held,
                ignore=ignore,
                near=near,
                margin_m=TIGHT_M,
                finger_m=finger,
            )
            if found is None:
                yield from self.follow([start, (out, start[1])])
                return

    def _unwound(self, held: Held | None, ignore: frozenset[str]) -> Path | str:
        """Return the way home on which every joint goes straight home, where no straight line of the tool is open.

        A wrist that is wound up near its end cannot follow such a line; unwinding it, it can.
        """
        arm, clearance = self._arm, self._clearance
        start, finger = arm.env.controller.q.copy(), max(arm.measured_finger_m(), 0.0)
        path = [(arm.position.copy(), arm.rotation.copy())]
        for share in np.linspace(0.0, 1.0, UNWINDING)[1:]:
            q = start + share * (HOME_Q - start)
            found = clearance.hit(q, held=held, ignore=ignore, margin_m=TIGHT_M, finger_m=finger)
            if found is not None:
                return found
            path.append(clearance.forward(q))
        return path

    def follow(self, path: Path, *, speed: float = 0.55) -> Doing:
        """Travel along a planned path, waiting for the tool at its end only."""
        for point, facing in path[1:-1]:
            yield from self._arm.move(point, facing, speed=speed, settle=0)
        yield from self._arm.move(*path[-1], speed=speed, settle=2)

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
        """Return a free path to the first of ``poses`` from which the others can be reached in straight lines.

        What is named in ``touch`` may be touched on those last lines, and no margin is kept to it on the way there. If
        there is no path, return the name of what is in the way. ``finger_m`` is the opening per finger on the way, by
        default what it is now. With ``glide`` no joint has to leap on the way.
        """
        arm = self._arm
        start = (arm.position.copy(), arm.rotation.copy())
        (position, rotation), *beyond = poses
        if not self._avoid:
            return [start, poses[0]]
        finger = max(arm.measured_finger_m(), 0.0) if finger_m is None else finger_m
        there, _ = self._clearance.solve(position, rotation, arm.env.controller.q)
        arrival = [poses[0], *poses]
        found = self._clearance.path_hit(
            arrival, there, held=held, ignore=ignore | touch, near=near, margin_m=TIGHT_M, finger_m=finger, glide=glide
        )
        if found is not None:
            return found
        near = near | self._beside(held, ignore | touch, near, finger)
        lifting = ignore | ({held.name} if held else frozenset())
        blocked = ""
        # Over the top of what is to be touched only where a lower way to it is not free.
        ways = [(margin, skip) for margin in (MARGIN_M, TIGHT_M) for skip in dict.fromkeys((lifting | touch, lifting))]
        for margin, skip in ways:
            check = partial(self._clearance.path_hit, held=held, margin_m=margin, finger_m=finger, glide=glide)
            for path in self._candidates(position, rotation, held, skip):
                q = arm.env.controller.q
                found = check([*path, *beyond], q, ignore=ignore | touch, near=near)
                if found is None and touch:
                    found = check(path, q, ignore=ignore, near=near | touch)
                if found is None:
                    return path
                blocked = blocked or found
        return blocked

    def _beside(
        self, held: Held | None, ignore: frozenset[str], near: frozenset[str], finger_m: float
    ) -> frozenset[str]:
        """Return what is nearer than any margin already, as a bowl is to a bottle: it may be left, not touched."""
        found: set[str] = set()
        for _ in range(3):
            q = self._arm.env.controller.q
            beside = self._clearance.hit(
                q, held=held, ignore=ignore, near=near | found, margin_m=TIGHT_M, finger_m=finger_m
            )
            if beside is None or beside in found or beside not in self._arm.scene.assets:
                break
            found.add(beside)
        return frozenset(found)

    def _candidates(self, position: Array, rotation: Array, held: Held | None, skip: frozenset[str]) -> Iterator[Path]:
        arm = self._arm
        obstacles = self._clearance.caution.widened(pillars(arm.scene, skip), held.name if held else None)
        hang, radius = FINGERTIP_M, HAND_RADIUS_M
        if held is not None:
            hang = max(hang, float(arm.scene.tcp()[0][2]) - bottom_of(arm.scene, held.name) + 0.004)
            radius = max(radius, min(0.5 * arm.scene.assets[held.name].radius_m + 0.05, 0.11))
        a, b = arm.position[:2].copy(), position[:2]
        floor = max(position[2], min(TRAVEL_Z, max(arm.position[2], position[2])), TABLE_Z + 0.12 + hang)
        height, worst = _height_needed(obstacles, a, b, radius, hang)
        start = (arm.position.copy(), arm.rotation.copy())
        goal = (position, rotation)
        for z in sorted({max(height, floor), max(height, floor) + 0.06, max(height, floor) + 0.12}):
            if z <= CEILING_Z:
                yield [start, _above(a, z, arm.position[2], start[1]), _above(b, z, position[2], rotation), goal]
        top = min(max(height, floor), CEILING_Z)
        if reach_z(a) < top:
            # Too far out to be lifted that high: first nearer to the base.
            near = _inward(a, top)
            way = [_above(a, top, arm.position[2], start[1]), _above(near, top, floor, start[1])]
            yield [start, *way, _above(b, top, position[2], rotation), goal]
        if self._may_tip(start[1], rotation, held):
            # Close to the base a pitched hand cannot be held high, one that points down can.
            for z in (max(height, floor), max(height, floor) + 0.06):
                up, over = _above(a, z, arm.position[2], _down(start[1])), _above(b, z, position[2], _down(rotation))
                yield [start, up, over, goal]
        # Low and direct: where a pitched hand cannot be held high, over the handle of a far drawer.
        yield [start, _above(a, floor, arm.position[2], start[1]), goal]
        if worst is None:
            return
        along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
        normal = np.array([-along[1], along[0]])
        for extra in (0.04, 0.10):
            for side in (1.0, -1.0):
                via = worst.xy + side * normal * (worst.radius + radius + extra)
                z1, _ = _height_needed(obstacles, a, via, radius, hang)
                z2, _ = _height_needed(obstacles, via, b, radius, hang)
                z = min(max(z1, z2, floor), CEILING_Z)
                yield [
                    start,
                    _above(a, z, arm.position[2], start[1]),
                    _above(via, z, floor, rotation),
                    _above(b, z, position[2], rotation),
                    goal,
                ]

    def _may_tip(self, start: Array, stop: Array, held: Held | None) -> bool:
        """Whether a hand is pitched at either end of its way, and holds nothing that runs out when it tips."""
        pitched = max(start[2, 2], stop[2, 2]) > PITCHED
        return bool(pitched) and (held is None or not contents_in(self._arm.scene, held.name))


def _down(rotation: Array) -> Array:
    """Return a hand's rotation turned the shortest way to point down."""
    axis = np.cross(rotation[:, 2], (0.0, 0.0, -1.0))
    size = float(np.linalg.norm(axis))
    if size < 1e-9:
        return rotation
    down: Array = matrix(axis / size * math.atan2(size, -float(rotation[2, 2]))) @ rotation
    return down


def _inward(xy: Array, z: float) -> Array:
    """Return the first point from ``xy`` towards the base over which the tool reaches ``z``."""
    base = np.asarray(BASE_POS[:2])
    for share in np.arange(1.0, 0.4, -0.05):
        point: Array = base + share * (xy - base)
        if reach_z(point) >= z:
            break
    return point


def _above(xy: Array, z: float, least: float, rotation: Array) -> tuple[Array, Array]:
    """A waypoint over ``xy`` at height ``z``, not higher than the arm reaches there and not lower than ``least``."""
    return np.array([xy[0], xy[1], max(min(z, reach_z(xy)), least)]), rotation


def _height_needed(
    obstacles: list[Pillar], a: Array, b: Array, radius: float, hang: float
) -> tuple[float, Pillar | None]:
    """Return the tool height that clears everything under the corridor from ``a`` to ``b``, and what asks for it."""
    height, worst = 0.0, None
    for pillar in obstacles:
        along = b - a
        t = float(np.clip(np.dot(pillar.xy - a, along) / max(float(along @ along), 1e-9), 0.0, 1.0))
        if np.linalg.norm(a + t * along - pillar.xy) < pillar.radius + radius:
            need = pillar.top + hang + MARGIN_UP_M
            if need > height:
                height, worst = need, pillar
    return height, worst
