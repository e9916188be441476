"""Place: carry the held object over its place, lower it, let go; or push it over the table between the fingers.

The tool's goal is the wished object pose times the measured object-in-hand pose, measured again over the target, so
slip in the hand does not matter. Yaw and height of the release are searched: the first pair at which neither hand nor
arm would touch anything.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from proctor.sim import BASE_POS, FINGER_SPEED_M, HOME_Q, heading, matrix, yaw_matrix

from ._arm import CLOSE, FULLY_OPEN_M, HOLD, OPEN, Arm, Array, BlockedError, Doing, SkillError, unhurried
from ._clearance import REACH, TIGHT_M, Clearance, Held, held_now
from ._pick import MAX_WRIST_RAD, PREGRASP_M, Candidate, Picker, wrist_turn
from ._spots import top_of
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


# Push: lead an object over the table between the fingers, without lifting it.
#
# The hand comes down around the object, closes until both fingers touch it and stops there: the finger behind pushes,
# the one in front keeps what is round from rolling on. It moves along the table in straight lines, at the height of
# the grasp, to the first spot that arm and object reach without touching anything; then it opens a little and rises.

SPEED_M_S = 0.2
ACCELERATION_M_S2 = 0.8
MARGIN_M = 0.010
# Of how many grasps from above the best so many are tried, to each of the first spots.
GRASPS, TRIED, SPOTS = 24, 6, 4
# How far the finger command stays beyond the touch: 6 N a finger, which leads a lemon and lifts nothing.
SQUEEZE_M = 0.0015
TOUCH_N = 0.1
DETOURS_M = (0.06, 0.12)
TURNS_RAD = (0.5, -0.5, 1.0, -1.0, 1.5, -1.5)


class Pusher:
    """Moves objects along the table."""

    def __init__(
        self, arm: Arm, clearance: Clearance, traveller: Traveller, picker: Picker, placer: Placer, *, avoid: bool
    ) -> None:
        self._arm = arm
        self._clearance = clearance
        self._traveller = traveller
        self._picker = picker
        self._placer = placer
        self._avoid = avoid

    def push(self, name: str, spots: Sequence[Array]) -> Doing:
        """Push ``name`` to the first of ``spots`` that can be reached."""
        arm = self._arm
        yield from arm.open_hand()
        try:
            grasp, path, way = self._plan(name, spots)
        except SkillError:
            yield from self._traveller.home()
            grasp, path, way = self._plan(name, spots)
        yield from self._traveller.follow(path)
        yield from arm.move(grasp.position, grasp.rotation, speed=0.22)
        yield from self._close_around(name)
        for position, rotation in way:
            yield from arm.move(position, rotation, speed=SPEED_M_S, acceleration=ACCELERATION_M_S2)
        yield from self._placer.release()

    def _close_around(self, name: str) -> Doing:
        """Close until both fingers touch, then give back what was closed too far."""
        arm = self._arm
        yield from arm.fingers(CLOSE, 14, lambda: min(arm.finger_forces(name)) > TOUCH_N)
        for _ in range(2):
            beyond = arm.finger_m - (arm.measured_finger_m() - SQUEEZE_M)
            arm.grip = float(np.clip(beyond / FINGER_SPEED_M, -1.0, 1.0))
            yield arm.action()
        arm.grip = HOLD

    def _plan(self, name: str, spots: Sequence[Array]) -> tuple[Candidate, Path, Path]:
        """Return a grasp, the way to above it, and the way over the table from it."""
        blocked = f"every grasp of {name} is out of reach or blocked"
        start = self._arm.scene.origin(name)[:2]
        ranked = [grasp for grasp in self._picker.rank(name, GRASPS) if grasp.rotation[2, 2] < -0.95]
        for margin in (MARGIN_M, TIGHT_M):
            for spot in spots[:SPOTS]:
                for grasp in _in_line(ranked, spot[:2] - start)[:TRIED]:
                    way = self._way(name, grasp, spot[:2] - start, margin)
                    if isinstance(way, str):
                        blocked = f"cannot push {name}: {way} is in the way"
                        continue
                    before = grasp.position - PREGRASP_M * grasp.rotation[:, 2]
                    poses = [(before, grasp.rotation), (grasp.position, grasp.rotation)]
                    path = self._traveller.plan(poses, ignore=frozenset({name}), near=self._arm.supports(name))
                    if not isinstance(path, str):
                        return grasp, path, way
                    blocked = f"no grasp of {name} can be approached: {path} is in the way"
        raise SkillError(blocked)

    def _way(self, name: str, grasp: Candidate, by: Array, margin: float) -> Path | str:
        """Return the tool poses after the grasp that push the object by a vector, or what is in the way."""
        scene = self._arm.scene
        turned = grasp.rotation.T
        held = Held(name, turned @ (scene.origin(name) - grasp.position), turned @ scene.rotation(name))
        table = scene.owner(int(scene.geoms(scene.workspace)[0]))
        q, _ = self._clearance.solve(grasp.position, grasp.rotation, HOME_Q)
        blocked = ""
        for way in _ways(grasp, by):
            if not self._avoid:
                return way
            found = self._clearance.path_hit(
                [(grasp.position, grasp.rotation), *way],
                q,
                held=held,
                ignore=frozenset({name, table}),
                margin_m=margin,
            )
            if found is None:
                return way
            blocked = blocked or found
        return blocked


def _in_line(grasps: list[Candidate], along: Array) -> list[Candidate]:
    """Order grasps: first those whose fingers stand one behind the other on the way."""
    along = along / max(float(np.linalg.norm(along)), 1e-9)
    return sorted(grasps, key=lambda grasp: grasp.cost - 0.2 * abs(float(grasp.rotation[:2, 1] @ along)))


def _ways(grasp: Candidate, by: Array) -> Iterator[Path]:
    """Yield ways over the table: straight, straight after a turn on the spot, around either side."""
    length = float(np.linalg.norm(by))
    normal = np.array([-by[1], by[0]]) / max(length, 1e-9)
    end = grasp.position + np.array([*by, 0.0])
    yield [(end, grasp.rotation)]
    for turn in TURNS_RAD:
        turned = yaw_matrix(turn) @ grasp.rotation
        if abs(wrist_turn(turned)) <= MAX_WRIST_RAD:
            yield [(grasp.position, turned), (end, turned)]
    for aside in DETOURS_M:
        for side in (1.0, -1.0):
            via = grasp.position + np.array([*(0.5 * by + side * aside * normal), 0.0])
            yield [(via, grasp.rotation), (end, grasp.rotation)]
